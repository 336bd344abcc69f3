/* Several tiles wait in registers: the iterations of the loop take turns, each with registers of its own, so that none moves.
 *
 *     loop:  s[t] = a; filled; a = next; use          loop:  s[t] = a; filled; a = next; use; again?
 *            again? -> loop                     ->           s[t] = b; filled; b = next; use; again? -> loop  */
#include "transform/rings/make_ring.h"

static List blocks_of(const RingMaker *maker)
{
    RingMaker whole = *maker;
    List blocks = list_new(maker->emit.arena);
    whole.use = NULL; /* goes on to the latch */
    ring_blocks(&whole, maker->ring->header, map_new(maker->emit.arena), &blocks);
    return blocks;
}

/* What one turn reads and writes is another's in the next. */
static Twins turn_open(RingMaker *maker, const List *blocks, int turn)
{
    Twins twins = twins_open(maker->emit.arena, maker->emit.builder);
    for (size_t i = 0; i < blocks->count; i++)
        map_put(twins.block, blocks->item[i], ring_block(maker));
    for (size_t i = 0; i < maker->ring->copies.count; i++)
        register_ring_turn(maker, maker->ring->copies.item[i], turn, twins.value);
    return twins;
}

static void lead_to(LLVMBasicBlockRef latch, LLVMBasicBlockRef exit, LLVMBasicBlockRef next)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(latch);
    LLVMSetSuccessor(jump, LLVMGetSuccessor(jump, 0) == exit ? 1 : 0, next);
}

void register_ring_turns_make(RingMaker *maker, LLVMBasicBlockRef exit)
{
    LLVMBasicBlockRef from = maker->latch;
    ring_carry(maker);
    List blocks = blocks_of(maker);
    for (int turn = 1; turn < maker->ring->choice.stages - 1; turn++) {
        Twins twins = turn_open(maker, &blocks, turn);
        twins_fill(&twins, maker->emit.arena, &blocks);
        clone_leaves(&twins, maker->latch, exit); /* the turn may be the last */
        lead_to(from, exit, clone_of_block(&twins, maker->ring->header));
        from = clone_of_block(&twins, maker->latch);
    }
    lead_to(from, exit, maker->ring->header);
}
