/* Does every iteration copy the same bytes to the same places? Then the first one's copies are enough:
 *
 *     for (i = 0; i < n; i++) {                       copies, asynchronous; wait
 *         s[t] = g[t]; filled; use s; freed     ->    for (i = 0; i < n; i++) { filled; use s }
 *     }
 *
 * That nothing in the loop writes g or s has been found out for the ring: it is no more than copying ahead.
 *
 * What is loaded, or computed, in front of the loop already, as LLVM does where it knows that nothing writes g, is stored there as
 * it is:
 *
 *     x = 2 * g[t]                                    x = 2 * g[t]; s[t] = x
 *     for (i = 0; i < n; i++) {                 ->    for (i = 0; i < n; i++) { filled; use s }
 *         s[t] = x; filled; use s; freed
 *     } */
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

/* ---- what is known in front of the loop ---- */

static bool is_known(const Search *search, LLVMValueRef store)
{
    LLVMValueRef value = LLVMIsAStoreInst(store) ? LLVMGetOperand(store, 0) : NULL;
    bool changes = !value || ir_loop_has(search->loop, value);
    return !changes && is_plain(store) && shared_array_of(LLVMGetOperand(store, 1));
}

/* Where another copy moves on, the loop stays as it is: the ring that it would become lost where it has few tiles, 0.50 of plain clang with
 * four of them and 1056 blocks, and 1.25 with 32 (H200). */
static bool known_add(Search *search, LLVMValueRef instruction)
{
    Ring *ring = search->ring;
    if (!is_known(search, instruction))
        return refuse(search, WHY_RING_VALUE, instruction);
    RingCopy *copy = ARENA_NEW(ring->arena, RingCopy);
    LLVMValueRef target = LLVMGetOperand(instruction, 1);
    *copy = (RingCopy){.load = instruction, .store = instruction, .source = target, .target = target};
    list_add(&ring->copies, copy);
    array_add(ring, shared_array_of(target));
    return true;
}

/* Where they are stored, and the way there. */
static bool known_ahead(Search *search)
{
    const Ring *ring = search->ring;
    if (search->barriers.count < 2)
        return refuse(search, WHY_RING_BARRIERS, NULL);
    if (!path_needs(search))
        return false;
    for (size_t i = 0; i < ring->copies.count; i++)
        if (!value_needs(search, ((const RingCopy *)ring->copies.item[i])->target))
            return false;
    return once_find(search) || refuse(search, WHY_RING_VALUE, NULL);
}

bool known_check(Search *search, const Tile *tile)
{
    search->ring->shape.once = true;
    return shape_check(search, tile) && copies_find(search, tile, known_add) && known_ahead(search) && place_check(search) &&
           effect_check(search) && warp_check(search);
}
