/* Does every iteration copy the same bytes to the same places? Then the first one's copies are enough:
 *
 *     for (i = 0; i < n; i++) {                       copies, asynchronous; wait
 *         s[t] = g[t]; filled; use s; freed     ->    for (i = 0; i < n; i++) { filled; use s }
 *     }
 *
 * That nothing in the loop writes g or s has been found out for the ring: it is no more than copying ahead. */
#include "analysis/rings/search.h"

static bool stays(Search *search, LLVMValueRef value) { return next_tile_stays(search->ring, search->scope, search->loop, value); }

static bool visit_way(Search *search, LLVMValueRef instruction)
{
    LLVMValueRef condition = LLVMIsATerminatorInst(instruction) ? condition_of(instruction) : NULL;
    return !condition || !is_among_copies(search, instruction) || stays(search, condition);
}

bool once_find(Search *search)
{
    const Ring *ring = search->ring;
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        if (!stays(search, copy->source) ||
            (copy->merge && LLVMIsASelectInst(copy->merge) && !stays(search, LLVMGetOperand(copy->merge, 0))))
            return false;
    }
    return each_instruction(search, visit_way);
}
