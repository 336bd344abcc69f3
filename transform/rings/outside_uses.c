/* Shared arrays that are used outside of their loop as well: the loop has the ring, all others the arrays.
 *
 *     s[...] = 0; barrier                        every slot gets what s holds: places that no copy fills keep it
 *     for (...) { copy; filled; use; freed }
 *                                                s gets what the slot in use last holds
 *     use s
 *
 * All threads of the block come here (block_converges.c), and share out the words. */
#include "transform/rings/make_ring.h"

/* ---- the loop's own accesses ---- */

static LLVMValueRef parted(RingMaker *maker, Map *parts, LLVMValueRef pointer)
{
    LLVMValueRef part = map_get(parts, pointer);
    if (part || !LLVMIsAInstruction(pointer) || !(LLVMIsAGetElementPtrInst(pointer) || LLVMIsACastInst(pointer)))
        return part ? part : pointer;
    part = LLVMInstructionClone(pointer);
    LLVMSetOperand(part, 0, parted(maker, parts, LLVMGetOperand(pointer, 0)));
    emit_before(&maker->emit, pointer);
    LLVMInsertIntoBuilder(maker->emit.builder, part);
    map_put(parts, pointer, part);
    map_put(maker->ring->next.ahead, part, part);
    return part;
}

void state_part(RingMaker *maker, LLVMValueRef array, LLVMValueRef part)
{
    const Ring *ring = maker->ring;
    Map *parts = map_new(maker->emit.arena);
    ir_expand_constants(ring->function, array);
    map_put(parts, array, part);
    for (size_t i = 0; i < ring->tile.reads.count; i++) {
        const RingRead *read = ring->tile.reads.item[i];
        LLVMSetOperand(read->at, read->operand, parted(maker, parts, LLVMGetOperand(read->at, read->operand)));
    }
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        LLVMSetOperand(copy->store, LLVMIsAStoreInst(copy->store) ? 1 : 0, parted(maker, parts, target_of(copy)));
    }
}

/* ---- copies of all of it ---- */

typedef struct {
    RingMaker *maker;
    LLVMValueRef array;
    int64_t offset, bytes; /* in a slot */
} Share;

/* `words` of the array are to be copied: `body` copies the one at `at` bytes. The builder goes on behind. */
static void share_out(const Share *share, int64_t bytes, LLVMValueRef slot,
                      void (*body)(const Share *, LLVMValueRef slot, LLVMValueRef at))
{
    RingMaker *maker = share->maker;
    Emit *emit = &maker->emit;
    LLVMValueRef threads, number = emit_number_of_thread(emit, &threads), at = ring_local(maker, emit->i32, "piece");
    LLVMBasicBlockRef test = ring_block(maker), copies = ring_block(maker), after = ring_block(maker);
    ring_set(maker, at, emit_binary(emit, LLVMMul, number, WORD));
    LLVMBuildBr(emit->builder, test);
    LLVMPositionBuilderAtEnd(emit->builder, test);
    LLVMValueRef here = ring_get(maker, at, emit->i32);
    LLVMValueRef more = LLVMBuildICmp(emit->builder, LLVMIntULT, here, emit_int(emit, bytes), "");
    LLVMBuildCondBr(emit->builder, more, copies, after);
    LLVMPositionBuilderAtEnd(emit->builder, copies);
    body(share, slot, here);
    ring_set(maker, at, LLVMBuildAdd(emit->builder, here, emit_binary(emit, LLVMMul, threads, WORD), ""));
    LLVMBuildBr(emit->builder, test);
    LLVMPositionBuilderAtEnd(emit->builder, after);
}

static void copy_word(Emit *emit, LLVMValueRef from, LLVMValueRef from_at, LLVMValueRef to, LLVMValueRef to_at)
{
    LLVMValueRef word = LLVMBuildLoad2(emit->builder, emit->i32, emit_advance(emit, from, from_at), "");
    LLVMBuildStore(emit->builder, word, emit_advance(emit, to, to_at));
}

static LLVMValueRef place_in_slot(const Share *share, LLVMValueRef slot, LLVMValueRef at)
{
    Emit *emit = &share->maker->emit;
    return emit_binary(emit, LLVMAdd, LLVMBuildAdd(emit->builder, slot, at, ""), share->offset);
}

/* The word of all slots, one after the other, that is `at` bytes behind the first. */
static void copy_in(const Share *share, LLVMValueRef slot, LLVMValueRef at)
{
    Emit *emit = &share->maker->emit;
    LLVMValueRef bytes = emit_int(emit, share->bytes), within = LLVMBuildURem(emit->builder, at, bytes, "");
    slot = emit_binary(emit, LLVMMul, LLVMBuildUDiv(emit->builder, at, bytes, ""), share->maker->ring->tile.bytes);
    copy_word(emit, share->array, within, share->maker->array, place_in_slot(share, slot, within));
}

static void copy_out(const Share *share, LLVMValueRef slot, LLVMValueRef at)
{
    copy_word(&share->maker->emit, share->maker->array, place_in_slot(share, slot, at), share->array, at);
}

static void each_array(RingMaker *maker, int64_t slots, LLVMValueRef slot, void (*body)(const Share *, LLVMValueRef, LLVMValueRef))
{
    const Ring *ring = maker->ring;
    Share share = {.maker = maker};
    for (size_t i = 0; i < ring->tile.arrays.count; i++) {
        share.array = ring->tile.arrays.item[i];
        share.bytes = (int64_t)LLVMABISizeOfType(maker->emit.layout, LLVMGlobalGetValueType(share.array));
        share_out(&share, slots * share.bytes, slot, body);
        share.offset += ring_part_bytes(maker->ring, share.bytes);
    }
}

static void wait_for_all(RingMaker *maker)
{
    LLVMInsertIntoBuilder(maker->emit.builder, LLVMInstructionClone(maker->ring->shape.filled));
}

void state_spread(RingMaker *maker)
{
    wait_for_all(maker);
    each_array(maker, maker->ring->choice.stages * maker->ring->choice.batch, NULL, copy_in);
    wait_for_all(maker);
}

void state_return(RingMaker *maker, LLVMBasicBlockRef exit)
{
    Emit *emit = &maker->emit;
    LLVMBasicBlockRef rest = ir_split_before(phis_end(exit));
    emit_before(emit, LLVMGetBasicBlockTerminator(exit));
    LLVMValueRef last = ring_before(maker, maker->at);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(exit));
    LLVMPositionBuilderAtEnd(emit->builder, exit);
    wait_for_all(maker);
    each_array(maker, 1, last, copy_out);
    wait_for_all(maker);
    LLVMBuildBr(emit->builder, rest);
}
