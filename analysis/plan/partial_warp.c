/* Warps at the edge of a grid, whose outermost threads have nothing to do:
 *
 *     if (x == 0 || x >= nx - 1) return;          30 lanes of the first warp's 32, and of the last one's
 *     out[(z * ny + y) * nx + x] = cell;
 *
 * In a grid of 160 cells a row, two warps of five are such, in one of 64 all of them are: they exchange as well, in a version of
 * their own. Only stores do: what an absent lane would have moved, its owner stores by itself. */
#include "analysis/address/automaton.h"
#include "analysis/plan/plan.h"

enum { MOST_CONDITIONS = 32 };

/* By which the number grows from thread to thread along x. */
static int64_t slope_of(const Form *form)
{
    int64_t slope = 0;
    for (int i = 0; i < form->count; i++) {
        const Term *term = &form->term[i];
        if (term->degree == 1 && term->symbol[0]->kind == SYM_TID && term->symbol[0]->axis == 0)
            slope += term->coefficient;
    }
    return slope;
}

/* Does it leave out one thread, or those before another? */
static bool leaves_first(const Guard *guard)
{
    int64_t slope = slope_of(guard->left) - slope_of(guard->right);
    switch (guard->compare) {
    case CMP_NE: return slope != 0;
    case CMP_GT:
    case CMP_GE: return slope > 0;
    case CMP_LT:
    case CMP_LE: return slope < 0;
    default: return false;
    }
}

static bool is_edge(Scope *scope, LLVMValueRef condition, bool holds, int *visits)
{
    LLVMValueRef other;
    Guard guard;
    if (++*visits > MOST_CONDITIONS)
        return false;
    if (condition_is_both(condition, holds, &other))
        return is_edge(scope, LLVMGetOperand(condition, 0), holds, visits) || is_edge(scope, other, holds, visits);
    return guard_of_condition(scope, condition, holds, &guard) && leaves_first(&guard);
}

static bool is_near_edge(Scope *scope, LLVMBasicBlockRef block)
{
    int visits = 0;
    for (LLVMBasicBlockRef above = ir_idom(scope->kernel->ir, block); above; above = ir_idom(scope->kernel->ir, above)) {
        bool holds;
        if (condition_leads(scope, above, block, &holds) &&
            is_edge(scope, LLVMGetCondition(LLVMGetBasicBlockTerminator(above)), holds, &visits))
            return true;
    }
    return false;
}

/* Along one axis alone, a grid has two edges, and two warps are no matter. */
static bool has_rows(const Group *group)
{
    const Form *address = group->root->address;
    for (int i = 0; i < address->count; i++)
        for (int j = 0; j < address->term[i].degree; j++) {
            const Symbol *symbol = address->term[i].symbol[j];
            if ((symbol->kind == SYM_TID || symbol->kind == SYM_BLOCK) && symbol->axis > 0)
                return true;
        }
    return group->scope->kernel->options.always;
}

static bool is_stored_alone(const Group *group)
{
    return group->op == OP_STORE && group->choice.action == ACTION_EXCHANGE && group->follows.count == 0 &&
           !group_has_conditions(group);
}

static bool suits(const Region *region)
{
    bool all = !region->verified && !region->gathers && region->blocks.count == 0;
    for (size_t i = 0; all && i < region->groups.count; i++)
        all = is_stored_alone(region->groups.item[i]);
    return all;
}

void partial_warp_plan(const Kernel *kernel, size_t from)
{
    const List *regions = &kernel->plan->regions;
    for (size_t i = from; i < regions->count && !feature_is_off(&kernel->options, FEATURE_EDGES); i++) {
        Region *region = regions->item[i];
        const Group *first = region->groups.item[0];
        bool is_edge_region = !region->full && suits(region) && has_rows(first) && is_near_edge(first->scope, first->block);
        region->edge = is_edge_region ? (int)kernel->options.cost.EDGE : 0;
        for (size_t j = 0; region->edge && j < region->groups.count; j++)
            if (!layout_for_edge(region->groups.item[j]))
                region->edge = 0;
    }
}
