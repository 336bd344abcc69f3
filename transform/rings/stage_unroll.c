/* The tiles of a stage in one go: where all of them will be used, the iterations follow each other without tests, so that
 * what one reads need not wait for the one before.
 *
 *     loop:  begins a stage? wait, filled, copy ahead     loop:  begins a stage? wait, filled, copy ahead;
 *            use slot `at`                          ->             will all its tiles be used? use at; use at + 1; ...; -> end
 *            again? -> loop                                use slot `at`
 *                                                          again? -> loop                                 end: again? -> loop */
#include "transform/rings/make_ring.h"

/* ---- what one iteration hands to the next is kept in locals, so that any copy of the iteration finds it ---- */

static void carry(RingMaker *maker, LLVMValueRef phi, LLVMBasicBlockRef gate)
{
    Emit *emit = &maker->emit;
    LLVMValueRef local = ring_local(maker, LLVMTypeOf(phi), "carried");
    emit_before(emit, LLVMGetBasicBlockTerminator(gate));
    ring_set(maker, local, phi_value_from(phi, gate));
    emit_before(emit, LLVMGetBasicBlockTerminator(maker->latch));
    ring_set(maker, local, phi_value_from(phi, maker->latch));
    emit_before(emit, phis_end(maker->ring->header));
    LLVMReplaceAllUsesWith(phi, ring_get(maker, local, LLVMTypeOf(phi)));
}

void ring_carry(RingMaker *maker)
{
    LLVMBasicBlockRef header = maker->ring->header;
    for (LLVMValueRef i = LLVMGetFirstInstruction(header); LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        carry(maker, i, maker->gate);
    while (LLVMIsAPHINode(LLVMGetFirstInstruction(header)))
        LLVMInstructionEraseFromParent(LLVMGetFirstInstruction(header));
}

/* ---- copies of the iteration ---- */

typedef struct {
    RingMaker *maker;
    const RingUse *use;
    List before; /* of LLVMBasicBlockRef: of an iteration, before the use of its tile */
} Batch;

/* The iteration that uses the stage's tile of this number. Of the first, what comes before its use is done. */
static Twins copy_iteration(Batch *batch, LLVMValueRef first, int tile)
{
    Emit *emit = &batch->maker->emit;
    Twins twins = twins_open(emit->arena, emit->builder);
    LLVMBasicBlockRef rest = batch->use->blocks.item[0];
    List blocks = list_new(emit->arena);
    for (size_t i = 0; tile && i < batch->before.count; i++)
        list_add(&blocks, batch->before.item[i]);
    for (size_t i = 0; i < batch->use->blocks.count; i++)
        list_add(&blocks, batch->use->blocks.item[i]);
    for (size_t i = 0; i < blocks.count; i++)
        map_put(twins.block, blocks.item[i], ring_block(batch->maker));
    map_put(twins.block, batch->maker->use, clone_of_block(&twins, rest));
    map_put(twins.value, batch->use->at, emit_binary(emit, LLVMAdd, first, tile * batch->maker->ring->tile.bytes));
    twins_fill(&twins, emit->arena, &blocks);
    return twins;
}

/* ---- the stage ---- */

/* The loop's end after the last copy: it jumps as the original does. */
static void join_exit(RingMaker *maker, const Twins *last, LLVMBasicBlockRef exit)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(clone_of_block(last, maker->latch));
    clone_leaves(last, maker->latch, exit);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
        if (LLVMGetSuccessor(jump, s) != exit)
            LLVMSetSuccessor(jump, s, maker->ring->header);
    emit_before(&maker->emit, jump);
    ring_step(maker, maker->at, maker->ring->choice.batch);
    ring_set(maker, maker->until, emit_int(&maker->emit, 0));
}

/* The block before goes on into this copy, wherever it went. */
static void jump_to(RingMaker *maker, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(from));
    LLVMPositionBuilderAtEnd(maker->emit.builder, from);
    LLVMBuildBr(maker->emit.builder, to);
}

void batch_unroll(RingMaker *maker, const RingUse *use, LLVMBasicBlockRef exit)
{
    Emit *emit = &maker->emit;
    Batch batch = {maker, use, list_new(emit->arena)};
    LLVMBasicBlockRef rest = use->blocks.item[0], header = maker->ring->header;
    ring_carry(maker);
    ring_blocks(maker, header, map_new(emit->arena), &batch.before);
    LLVMBasicBlockRef fast = ring_block(maker), stage = maker->asked;
    LLVMPositionBuilderAtEnd(emit->builder, fast);
    LLVMValueRef first = emit_binary(emit, LLVMAnd, ring_get(maker, maker->at, emit->i32), -COPY_WIDEST);
    LLVMBuildBr(emit->builder, rest);
    LLVMBasicBlockRef from = fast;
    Twins twins;
    for (int tile = 0; tile < maker->ring->choice.batch; tile++) {
        emit_before(emit, LLVMGetBasicBlockTerminator(fast));
        twins = copy_iteration(&batch, first, tile);
        jump_to(maker, from, clone_of_block(&twins, tile ? header : rest));
        from = clone_of_block(&twins, maker->latch);
    }
    join_exit(maker, &twins, exit);
    LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(stage));
    LLVMPositionBuilderAtEnd(emit->builder, stage);
    LLVMBuildCondBr(emit->builder, maker->full, fast, rest);
}
