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
#include "transform/emit/version.h"
#include "transform/transform.h"

/* ---- tests ---- */

static LLVMValueRef is_apart(Emit *emit, const IrExtent *read, const TallyPlace *place)
{
    LLVMValueRef low = emit_address(emit, place->pointer), high = emit_binary(emit, LLVMAdd, low, place->bytes);
    return emit_is_apart(emit, read->low, read->high, low, high);
}

static void want_apart(Version *version, const Tally *tally)
{
    for (size_t i = 0; i < tally->reads.count; i++) {
        const TallyRead *read = tally->reads.item[i];
        const IrExtent extent = version_extent(version, read->pointer, read->bytes);
        for (size_t j = 0; j < read->places.count; j++)
            version_want(version, is_apart(&version->emit, &extent, read->places.item[j]));
    }
    version->holds = emit_all_here(&version->emit, version->holds);
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

static LLVMValueRef keep(Emit *emit, const Tally *tally, const TallyPlace *place, LLVMBasicBlockRef before)
{
    LLVMValueRef local = emit_local(emit, tally->function, place->type, "tally");
    if (place->load) {
        emit_before(emit, LLVMGetBasicBlockTerminator(before));
        LLVMBuildStore(emit->builder, again(emit, place->load), local);
    }
    emit_before(emit, phis_end(block_behind(tally->header, tally->header)));
    LLVMValueRef store = again(emit, place->store);
    emit_before(emit, store);
    LLVMSetOperand(store, 0, LLVMBuildLoad2(emit->builder, place->type, local, ""));
    mark_add(store, TALLY_METADATA);
    keep_in(emit, tally, place, local);
    return local;
}

static bool is_store(LLVMValueRef instruction) { return LLVMIsAStoreInst(instruction); }

void tally_rewrite(IrModule *ir, const Tally *tally)
{
    INVARIANT(tally->places.count >= 1 && tally->places.count <= TALLY_PLACES && tally->reads.count);
    INVARIANT(LLVMGetBasicBlockParent(tally->header) == tally->function);
    LLVMBasicBlockRef original = tally->header;
    LLVMValueRef locals[TALLY_PLACES];
    Version version = version_open(tally->arena, ir, tally->function, tally->header);
    want_apart(&version, tally);
    LLVMBasicBlockRef before = version_close(&version, &original, 1, is_store, ASIDE_METADATA);
    Emit emit = emit_open(tally->arena, tally->function);
    for (size_t i = 0; i < tally->places.count; i++)
        locals[i] = keep(&emit, tally, tally->places.item[i], before);
    ir_locals_to_registers(ir, tally->function, locals, tally->places.count);
    ir_changed(ir, tally->function);
    emit_close(&emit);
}
