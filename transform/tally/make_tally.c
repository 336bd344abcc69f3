/* A tally is kept in a register while its loop runs (analysis/tally/tally.c).
 *
 *     for (j...) y[i] += a[j] * x[j]      ->    if (all of a and of x, for this loop, lies apart from y[i]) {
 *                                                   s = y[i]
 *                                                   for (j...) s += a[j] * x[j]
 *                                                   y[i] = s
 *                                               } else
 *                                                   for (j...) y[i] += a[j] * x[j]               as it is
 *
 * The threads of a warp that come here together go one way together: others' exchanges want all of them. */
#include "transform/emit/emit.h"
#include "transform/transform.h"

/* ---- tests ---- */

typedef struct {
    IrModule *ir;
    const Tally *tally;
    Emit emit;
    LLVMValueRef place; /* the jump into the loop */
} Maker;

static LLVMValueRef is_apart(Emit *emit, const IrExtent *read, const TallyPlace *place)
{
    LLVMValueRef low = emit_address(emit, place->pointer), high = emit_binary(emit, LLVMAdd, low, place->bytes);
    return emit_is_apart(emit, read->low, read->high, low, high);
}

static LLVMValueRef all_apart(Maker *maker)
{
    const Tally *tally = maker->tally;
    LLVMValueRef holds = NULL;
    for (size_t i = 0; i < tally->reads.count; i++) {
        const TallyRead *read = tally->reads.item[i];
        IrExtent extent;
        ir_extent(maker->ir, tally->function, tally->header, read->pointer, read->bytes, maker->place, &extent);
        holds = emit_both(&maker->emit, holds, extent.holds);
        for (size_t j = 0; j < read->places.count; j++)
            holds = emit_both(&maker->emit, holds, is_apart(&maker->emit, &extent, read->places.item[j]));
    }
    return emit_all_here(&maker->emit, holds);
}

/* ---- the register ---- */

static LLVMValueRef again(Emit *emit, LLVMValueRef access)
{
    LLVMValueRef twin = LLVMInstructionClone(access);
    mark_forget_iteration(twin);
    LLVMInsertIntoBuilder(emit->builder, twin);
    return twin;
}

static void keep_in(Emit *emit, const Tally *tally, const TallyPlace *place, LLVMValueRef local)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(tally->header), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        bool loads = LLVMIsALoadInst(i) && LLVMGetOperand(i, 0) == place->pointer;
        bool stores = LLVMIsAStoreInst(i) && LLVMGetOperand(i, 1) == place->pointer;
        if (!loads && !stores)
            continue;
        emit_before(emit, i);
        if (loads)
            LLVMReplaceAllUsesWith(i, LLVMBuildLoad2(emit->builder, place->type, local, ""));
        else
            LLVMBuildStore(emit->builder, LLVMGetOperand(i, 0), local);
        LLVMInstructionEraseFromParent(i);
    }
}

static LLVMValueRef keep(Maker *maker, const TallyPlace *place, LLVMBasicBlockRef before)
{
    Emit *emit = &maker->emit;
    LLVMValueRef local = emit_local(emit, maker->tally->function, place->type, "tally");
    if (place->load) {
        emit_before(emit, LLVMGetBasicBlockTerminator(before));
        LLVMBuildStore(emit->builder, again(emit, place->load), local);
    }
    emit_before(emit, phis_end(block_behind(maker->tally->header, maker->tally->header)));
    LLVMValueRef store = again(emit, place->store);
    emit_before(emit, store);
    LLVMSetOperand(store, 0, LLVMBuildLoad2(emit->builder, place->type, local, ""));
    mark_add(store, TALLY_METADATA);
    keep_in(emit, maker->tally, place, local);
    return local;
}

static bool is_store(LLVMValueRef instruction) { return LLVMIsAStoreInst(instruction); }

void tally_rewrite(IrModule *ir, const Tally *tally)
{
    INVARIANT(tally->places.count >= 1 && tally->places.count <= TALLY_PLACES && tally->reads.count);
    INVARIANT(LLVMGetBasicBlockParent(tally->header) == tally->function);
    LLVMBasicBlockRef before = ir_loop_before(ir_loop_of(ir, tally->header)), original = tally->header;
    LLVMValueRef locals[TALLY_PLACES];
    Maker maker = {ir, tally, emit_open(tally->arena, tally->function), LLVMGetBasicBlockTerminator(before)};
    emit_before(&maker.emit, maker.place);
    before = ir_loop_version(ir, tally->function, tally->header, all_apart(&maker), &original, 1);
    mark_loop(ir, original, is_store, ASIDE_METADATA);
    for (size_t i = 0; i < tally->places.count; i++)
        locals[i] = keep(&maker, tally->places.item[i], before);
    ir_locals_to_registers(ir, tally->function, locals, tally->places.count);
    ir_changed(ir, tally->function);
    emit_close(&maker.emit);
}
