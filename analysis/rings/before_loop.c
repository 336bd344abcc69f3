/* What stands before the loop, and no barrier between: copies of later iterations, made in front of the loop, would come before the
 * barriers of the first one, which tell them of it.
 *
 *     g[t] = x                                g[t] = x
 *     for (i ...)                             barrier                  added
 *         s[t] = g[(t + i) % 64]      ->      copies of i = 0, 1, ...  g[t + 1] is another thread's
 *         filled; use; freed
 *
 * So may a thread have written what is copied, or have acquired what others have. One barrier in front is enough: all threads that
 * come to the loop come to it, as they come to those of its first iteration. */
#include "analysis/rings/search.h"

/* May it write what the copies, or the computation of their addresses, read? */
static bool changes_any(const Search *search, LLVMValueRef writer)
{
    const Ring *ring = search->ring;
    for (size_t i = 0; ring->choice.engine != ENGINE_KNOWN && i < ring->copies.count; i++)
        if (ir_may_change(search->kernel->ir, writer, ((const RingCopy *)ring->copies.item[i])->load))
            return true;
    for (size_t i = 0; i < ring->next.loads.count; i++)
        if (ir_may_change(search->kernel->ir, writer, ring->next.loads.item[i]))
            return true;
    return false;
}

static bool is_awaited(const Search *search, LLVMValueRef i)
{
    if (!ir_touches_memory(i) || is_harmless(i) || (LLVMIsALoadInst(i) && is_plain(i)) || ir_only_reads(i) || ir_is_step(i))
        return false;
    return !is_simple(i) || changes_any(search, i);
}

/* From the block's end up to a barrier, or to its beginning, which `open` tells. */
static bool awaits_in(const Search *search, LLVMBasicBlockRef block, bool *open)
{
    *open = false;
    for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
        if (is_whole_barrier(i))
            return false;
        if (is_awaited(search, i))
            return true;
    }
    *open = true;
    return false;
}

static void add_ways_in(const Search *search, LLVMBasicBlockRef block, Map *seen, List *pending)
{
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use)) {
        LLVMBasicBlockRef from = LLVMGetInstructionParent(LLVMGetUser(use));
        if (map_get(seen, from) || ir_loop_has_block(search->loop, from))
            continue;
        map_put(seen, from, from);
        list_add(pending, from);
    }
}

bool entry_awaits(const Search *search)
{
    Map *seen = map_new(search->kernel->arena);
    List pending = list_new(search->kernel->arena);
    add_ways_in(search, search->ring->header, seen, &pending);
    for (size_t i = 0; i < pending.count; i++) {
        bool open;
        if (awaits_in(search, pending.item[i], &open))
            return true;
        if (open)
            add_ways_in(search, pending.item[i], seen, &pending);
    }
    return false;
}
