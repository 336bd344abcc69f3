/* Does an iteration come to a block among its copies? Asked in front of the loop, where no iteration changes the answer:
 *
 *     loop:  if (a) {              a
 *              if (b) copy 1       a ? b : no
 *              copy 2              (a ? b : no) or (a ? !b : no)
 *            }
 *
 * Conditions are asked in the loop's order: one that is poison where it is not met does no harm. Loops of one block, rows, end. */
#include "transform/rings/make_ring.h"

typedef struct {
    RingMaker *maker;
    Twins *outside; /* of the loop -> in front of it */
    Map *known;     /* block -> does an iteration come to it? */
} Reach;

static LLVMValueRef reach(Reach *r, LLVMBasicBlockRef block);

/* Does the iteration go from the one block to the other, NULL where it cannot? */
static LLVMValueRef along(Reach *r, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    Emit *emit = &r->maker->emit;
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(from);
    bool first = LLVMGetSuccessor(jump, 0) == to, last = LLVMGetSuccessor(jump, LLVMGetNumSuccessors(jump) - 1) == to;
    if ((!first && !last) || from == to)
        return NULL;
    LLVMValueRef here = reach(r, from);
    if ((first && last) || jumps_to(from, from))
        return here;
    LLVMValueRef condition = clone_deep(r->outside, r->maker->ring->next.ahead, LLVMGetCondition(jump), true);
    LLVMValueRef never = LLVMConstInt(emit->i1, 0, false);
    return emit_select(emit, here, first ? condition : LLVMBuildNot(emit->builder, condition, ""), never);
}

static LLVMValueRef reach(Reach *r, LLVMBasicBlockRef block)
{
    Emit *emit = &r->maker->emit;
    LLVMValueRef always = LLVMConstInt(emit->i1, 1, false), found = map_get(r->known, block);
    if (found || block == r->maker->first)
        return found ? found : always;
    for (size_t i = 0; i < r->maker->blocks.count; i++) {
        LLVMValueRef way = along(r, r->maker->blocks.item[i], block);
        found = found && way ? emit_select(emit, found, always, way) : found ? found : way;
    }
    map_put(r->known, block, found);
    return found;
}

LLVMValueRef reach_copies(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    Twins outside = twins_open(emit->arena, emit->builder);
    Reach r = {maker, &outside, map_new(emit->arena)};
    LLVMValueRef all = NULL;
    runs_map(maker, &outside);
    for (size_t i = 0; i < maker->ring->copies.count; i++) {
        const RingCopy *copy = maker->ring->copies.item[i];
        LLVMValueRef comes = reach(&r, LLVMGetInstructionParent(copy->store));
        all = emit_both(emit, all, comes);
    }
    return all;
}
