/* Walks under conditions of counters, which hold from one iteration on, or up to one.
 *
 *     for (j = 0; j < n; j++) if (j <= i) s += l[i*n + j] * x[j]          for (...) s += (j > 0 ? a[j - 1] : 0) + (j < m - 1 ? a[j + 1] : 0)
 *
 * The iterations in which they hold, an index set, are those from one number to another, which is known on entry: they come to run by themselves, and nothing but what
 * stands between the iterations then keeps their words apart (pass/jam/part_loop.cpp). So do those in which a place is not kept within bounds,
 * a[min(j + 1, m - 1)]. */
#include "analysis/address/integer.h"
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

static bool is_conditional(const Access *access)
{
    return !ir_dominates(access->scope->kernel->ir, LLVMGetInstructionParent(access->instruction), ir_loop_latch(access->loop));
}

/* Does its loop choose where it lies? */
static bool is_chosen(const Access *access)
{
    return (access->kind == CLASS_STRIDED || access->kind == CLASS_WALK || access->kind == CLASS_OPAQUE) &&
           ir_loop_chooses(access->loop, access->pointer);
}

/* Asked first, as it takes no time. */
static bool may_be_freed(const Access *access)
{
    const Kernel *kernel = access->scope->kernel;
    if (access->scope != kernel->scope || !access->loop || access->op == OP_ATOMIC || !ir_loop_latch(access->loop) ||
        !ir_loop_is_innermost(access->loop))
        return false;
    return (access->kind == CLASS_WALK && is_conditional(access)) || is_chosen(access);
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

/* Is it a walk under conditions, or one but for what its loop chooses? */
static bool is_kept_back(Kernel *kernel, const Access *access)
{
    return is_chosen(access) || block_obstacle(kernel, access) == WHY_WALK_SOME;
}

/* Beside rows that move as the loop is, the first-level cache has what is kept in bounds: differences of neighbours, 349440 rows of 96 floats, came to
 * 4.3 of plain clang by themselves, and to 6.6 so. */
static bool is_cached(Kernel *kernel, const Access *access, const IrIndexSet *set)
{
    return access->kind == CLASS_STRIDED && !ir_index_set_is_twofold(set) && has_rows(kernel, access->loop);
}

/* Bytes that an iteration has of its row; 0 where it does not come to be one. Where only the condition tells that a place does not wrap
 * around, or the place is chosen, it is taken to move on as the counter does. */
static int64_t step_of(Kernel *kernel, const Access *access, const IrIndexSet *set)
{
    int64_t step = 0;
    if (!ir_index_set_frees(set, LLVMGetInstructionParent(access->instruction)) ||
        !(is_conditional(access) || ir_index_set_changes(set, access->pointer)))
        return 0;
    if (!(ir_step(kernel->ir, kernel->function, ir_loop_header(access->loop), access->pointer, &step) && step))
        step = ir_index_set_step(set) * access->bytes;
    return (int64_t)magnitude(step);
}

/* The first architecture on which the least of all lanes' numbers is found at once. */

static bool runs_so_often(Kernel *kernel, IrLoop *loop, int trips)
{
    int64_t most = ir_loop_most_trips(kernel->ir, loop);
    return most <= 0 || most >= trips;
}

static IndexSet *index_set_of(Kernel *kernel, const Access *access, bool is_late)
{
    IndexSet *found = NULL;
    IrIndexSet *set = ir_index_set(kernel->ir, kernel->function, ir_loop_header(access->loop), is_late);
    int64_t step = set && !is_cached(kernel, access, set) ? step_of(kernel, access, set) : 0,
            bytes = (int64_t)kernel->options.cost.PIECE;
    if (step) {
        found = ARENA_NEW(kernel->plan->arena, IndexSet);
        *found = (IndexSet){.header = ir_loop_header(access->loop),
                            .trips = (int)((bytes + step - 1) / step),
                            .multiple = SECTOR_BYTES % step == 0 ? (int)(SECTOR_BYTES / step) : 1,
                            .is_late = is_late,
                            .is_open = ir_index_set_is_open(set)};
        found->is_common = ir_index_set_is_twofold(set);
        found->is_kept = !found->is_open && has_rows(kernel, access->loop);
    }
    ir_index_set_forget(set);
    bool pays = found &&
                (!found->is_common || (runs_so_often(kernel, access->loop, found->trips) && kernel->options.arch >= REDUX_ARCH));
    return pays ? found : NULL;
}

/* Where loops of a kernel have conditions both of whose ways move they are all left, if they are too many. */
static List find_sets(Kernel *kernel, bool are_late)
{
    List found = list_new(kernel->plan->arena), others = list_new(kernel->plan->arena);
    Map *seen = map_new(kernel->arena), *cached = map_new(kernel->arena);
    if (!kernel->is_entry || ir_is_optnone(kernel->function) || feature_is_off(&kernel->options, FEATURE_PARTS))
        return found;
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        LLVMBasicBlockRef header = may_be_freed(access) ? ir_loop_header(access->loop) : NULL;
        Map *asked = access->kind == CLASS_STRIDED ? cached : seen; /* what the cache may have says nothing of others */
        if (!header || map_get(seen, header) || map_get(asked, header) || map_get(kernel->plan->tried, header) ||
            !is_kept_back(kernel, access))
            continue;
        map_put(asked, header, header);
        IndexSet *set = rounds_alike(kernel, access->loop) ? index_set_of(kernel, access, false) : NULL;
        bool is_open = set && set->is_open;
        if (set && are_late)
            set = is_open ? index_set_of(kernel, access, true) : NULL;
        if (!set)
            continue;
        map_put(seen, header, header);
        list_add(&found, set);
        if (!is_open)
            list_add(&others, set);
    }
    return found.count - others.count > kernel->options.cost.BOTH_WAYS ? others : found;
}

List index_sets_find(Kernel *kernel) { return find_sets(kernel, false); }

List index_sets_find_late(Kernel *kernel) { return find_sets(kernel, true); }
