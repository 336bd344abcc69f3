/* Walks under conditions of counters, which hold from one iteration on, or up to one.
 *
 *     for (j = 0; j < n; j++) if (j <= i) s += l[i*n + j] * x[j]          for (...) s += (j > 0 ? a[j - 1] : 0) + (j < m - 1 ? a[j + 1] : 0)
 *
 * The iterations in which they hold are those from one number to another, which is known on entry: they come to run by themselves, and nothing but what
 * stands between the iterations then keeps their words apart (pass/jam/part_loop.cpp). So do those in which a place is not kept within bounds,
 * a[min(j + 1, m - 1)]. */
#include "analysis/facts/facts.h"
#include "analysis/plan/plan.h"
#include "analysis/walks/walks.h"

/* Products are added where they are made: blocks become one. */
static bool rounds_alike(Kernel *kernel, IrLoop *loop)
{
    for (size_t i = 0; i < ir_loop_size(loop); i++)
        if (product_comes_in(kernel->ir, ir_loop_block(loop, i)))
            return false;
    return !product_crosses(kernel->ir, loop) && !product_wanders(kernel->ir, loop);
}

/* Asked first, as it takes no time. */
static bool may_be_some(const Access *access)
{
    const Kernel *kernel = access->scope->kernel;
    LLVMBasicBlockRef latch = access->loop && access->op != OP_ATOMIC ? ir_loop_latch(access->loop) : NULL;
    return latch && access->scope == kernel->scope && access->kind == CLASS_WALK && ir_loop_is_innermost(access->loop) &&
           !ir_dominates(kernel->ir, LLVMGetInstructionParent(access->instruction), latch);
}

/* As many as make a piece of its row; 0 where it does not come to stand under no condition. Where only the condition tells that a place does not wrap
 * around, it is taken to move on as the counter does. */
static int trips_of(Kernel *kernel, const Access *access)
{
    int64_t step = 0, bytes = (int64_t)kernel->options.cost.PIECE;
    LLVMBasicBlockRef header = ir_loop_header(access->loop);
    IrIndexSet *set = ir_index_set(kernel->ir, kernel->function, header);
    bool frees = set && ir_index_set_frees(set, LLVMGetInstructionParent(access->instruction));
    if (frees && !(ir_step(kernel->ir, kernel->function, header, access->pointer, &step) && step))
        step = ir_index_set_step(set) * access->bytes;
    ir_index_set_forget(set);
    step = step < 0 ? -step : step;
    return frees ? (int)((bytes + step - 1) / step) : 0;
}

/* Has the loop rows in each of its iterations, which are moved as it is? */
static bool has_rows(Kernel *kernel, IrLoop *loop)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->loop == loop && access->kind == CLASS_WALK &&
            ir_dominates(kernel->ir, LLVMGetInstructionParent(access->instruction), ir_loop_latch(loop)))
            return true;
    }
    return false;
}

List index_sets_find(Kernel *kernel)
{
    List found = list_new(kernel->plan->arena);
    Map *seen = map_new(kernel->arena);
    if (!kernel->is_entry || ir_is_optnone(kernel->function) || feature_is_off(&kernel->options, FEATURE_PARTS))
        return found;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        LLVMBasicBlockRef header = may_be_some(access) ? ir_loop_header(access->loop) : NULL;
        if (!header || map_get(seen, header) || map_get(kernel->plan->tried, header) ||
            block_obstacle(kernel, access) != WHY_WALK_SOME)
            continue;
        map_put(seen, header, header);
        int trips = rounds_alike(kernel, access->loop) ? trips_of(kernel, access) : 0;
        if (!trips)
            continue;
        IndexSet *set = ARENA_NEW(kernel->plan->arena, IndexSet);
        *set = (IndexSet){header, trips, has_rows(kernel, access->loop)};
        list_add(&found, set);
    }
    return found;
}
