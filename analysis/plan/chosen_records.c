/* Records that data decide which threads touch.
 *
 *     if (flag[i]) {                        B --.         warps are seldom whole in T, but in B they are: there the warp loads the
 *         P q = p[i];                       |    T        records of those lanes that go on to T, and it stores them where the ways
 *         q.x += q.vx; p[i] = q;            J  <-'        meet again; what lanes that stay away would touch is not touched
 *     }
 *
 * How many lanes go there is asked at run time: where they are few, each moves its own, as it did. What is loaded first in T only to
 * tell where the records are, `p[idx[i]]`, is loaded under the condition in front of it (transform/records/early_addresses.c). */
#include "analysis/plan/plan.h"

typedef struct {
    Scope *scope;
    LLVMBasicBlockRef under;
    List groups;    /* of Group: that are worth it */
    Map *positions; /* instructions that cannot be had in front, from 1 */
} Chosen;

/* What writes, or is written to. */
static bool may_write(LLVMValueRef instruction) { return !LLVMIsALoadInst(instruction) && ir_touches_memory(instruction); }

static bool is_moved(const Chosen *chosen, LLVMValueRef load)
{
    for (size_t i = 0; i < chosen->groups.count; i++) {
        const Group *group = chosen->groups.item[i];
        for (size_t k = 0; k < group->members.count; k++)
            if (member_at(group, k)->access->instruction == load)
                return true;
    }
    return false;
}

/* Loads with nothing in front that writes can be made where the branch is, under its condition, but for those that move. */
static void find_positions(Chosen *chosen)
{
    bool written = false;
    int position = 0;
    chosen->positions = map_new(chosen->scope->kernel->arena);
    for (LLVMValueRef i = LLVMGetFirstInstruction(chosen->under); i; i = LLVMGetNextInstruction(i)) {
        ++position;
        written |= may_write(i);
        if (written || !LLVMIsALoadInst(i) || is_moved(chosen, i))
            map_put(chosen->positions, i, (void *)(intptr_t)position);
    }
}

static bool can_move(const Group *group)
{
    return !group->search.broken && !group->crosses && !group->follows.count && !group_is_uniform(group);
}

static bool is_worth(const Chosen *chosen, Group *group)
{
    const Kernel *kernel = chosen->scope->kernel;
    Link under = {chosen->under, LINK_UNDER};
    List links = list_new(kernel->arena);
    list_add(&links, &under);
    return kernel->options.always || overlap_allows(kernel, group, &links);
}

/* It pays by itself, or is what a store that does copies. */
static bool pays(const Chosen *chosen, Group *group, const List *groups)
{
    if (group->choice.chosen && !group_widens(group))
        return is_worth(chosen, group);
    for (size_t i = 0; i < groups->count; i++)
        if (can_move(groups->item[i]) && group_copies_along(group, groups->item[i])) {
            cost_estimate(group);
            group->choice.chosen = true;
            group->choice.why = WHY_NONE;
            return true;
        }
    return false;
}

static void choose(Chosen *chosen, const List *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        if (can_move(groups->item[i]))
            group_choose(chosen->scope->kernel, groups->item[i]);
    for (size_t i = 0; i < groups->count; i++)
        if (can_move(groups->item[i]) && pays(chosen, groups->item[i], groups))
            list_add(&chosen->groups, groups->item[i]);
}

/* Loads come before what T writes in front of them. */
static bool passes_writes(const Chosen *chosen, const Group *group)
{
    IrModule *ir = chosen->scope->kernel->ir;
    LLVMValueRef first = member_at(group, 0)->access->instruction;
    for (LLVMValueRef i = LLVMGetFirstInstruction(chosen->under); group->op == OP_LOAD && i != first; i = LLVMGetNextInstruction(i))
        for (size_t k = 0; may_write(i) && k < group->members.count; k++)
            if (ir_may_change(ir, i, member_at(group, k)->access->instruction))
                return false;
    return true;
}

static Why late_because(const Chosen *chosen, const Group *group)
{
    return passes_writes(chosen, group) ? group_hoists(chosen->positions, group, 0) : WHY_TOUCHED;
}

/* Those remain whose addresses are known in front. */
static void keep_testable(Chosen *chosen)
{
    List kept = list_new(chosen->scope->kernel->plan->arena);
    size_t conflicts = 0;
    find_positions(chosen);
    for (size_t i = 0; i < chosen->groups.count; i++) {
        Group *group = chosen->groups.item[i];
        conflicts += group->tests.conflicts.count;
        bool crowded = kept.count >= (size_t)costs_of(group)->GROUPS || conflicts > (size_t)costs_of(group)->TESTS;
        group->choice.why = crowded ? WHY_CROWD : late_because(chosen, group);
        if (!group->choice.why)
            list_add(&kept, group);
    }
    chosen->groups = kept;
}

static bool is_short(const Chosen *chosen)
{
    size_t length = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(chosen->under); i; i = LLVMGetNextInstruction(i))
        length++;
    return length < (size_t)chosen->scope->kernel->options.cost.REGION;
}

static void region_make(const Chosen *chosen, LLVMBasicBlockRef above)
{
    const Kernel *kernel = chosen->scope->kernel;
    bool loads = false;
    Region *region = region_new(kernel, chosen->groups, LLVMGetBasicBlockTerminator(above),
                                LLVMGetBasicBlockTerminator(chosen->under));
    list_add(&region->blocks, chosen->under);
    region->under = chosen->under;
    region->least = (int)kernel->options.cost.SOME;
    region->only_likely = true; /* what another version takes of registers, warps with few such lanes pay as well */
    for (size_t i = 0; i < chosen->groups.count; i++) {
        Group *group = chosen->groups.item[i];
        group->choice.action = ACTION_EXCHANGE;
        group->choice.returns = group->op == OP_STORE && loads;
        loads |= group->op == OP_LOAD;
    }
    groups_copy(&chosen->groups);
}

/* What was chosen of the block by itself is moved so, or stays. */
static void give_up(const List *groups, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < groups->count; i++) {
        Group *group = groups->item[i];
        if (group->block == block)
            group->choice.chosen = false;
    }
}

/* What was weighed beside all that the kernel does, with the threads that come there by themselves. */
static bool is_slight(const List *groups, LLVMBasicBlockRef block)
{
    for (size_t i = 0; i < groups->count; i++)
        if (((const Group *)groups->item[i])->block == block && ((const Group *)groups->item[i])->choice.why == WHY_SLIGHT)
            return true;
    return false;
}

static void plan_under(Scope *scope, LLVMBasicBlockRef above, const List *groups)
{
    Chosen chosen = {scope, triangle_with_copies(above).then, list_new(scope->kernel->arena), NULL};
    if (!chosen.under || uniform_is_told(scope, LLVMGetCondition(LLVMGetBasicBlockTerminator(above))) || !is_short(&chosen) ||
        is_slight(groups, chosen.under))
        return;
    const List found = group_collect_under(scope, chosen.under);
    choose(&chosen, &found);
    keep_testable(&chosen);
    if (!chosen.groups.count)
        return;
    give_up(groups, chosen.under);
    region_make(&chosen, above);
    for (size_t i = 0; i < found.count; i++)
        group_remember(scope->kernel->plan, found.item[i]);
}

void chosen_plan(Scope *scope, const List *groups)
{
    if (feature_is_off(&scope->kernel->options, FEATURE_CHAINS))
        return;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        plan_under(scope, b, groups);
}
