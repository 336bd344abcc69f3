/* Copies to shared memory that their thread need not wait for, one after the other:
 *
 *     loop: x = load g[k]                 loop: cp.async s[k] <- g[k]
 *           store x, s[k]         ->            k = k + step
 *           k = k + step
 *     barrier                             cp.async.wait_all
 *                                         barrier */
#include "transform/emit/emit.h"
#include "transform/transform.h"

/* Where a phi chooses between the loaded value and zero: a source for either, and how much of it counts. */
static LLVMValueRef make_sources(Emit *emit, const RingCopy *copy, LLVMValueRef *size)
{
    LLVMPositionBuilderBefore(emit->builder, copy->merge);
    LLVMValueRef source = LLVMBuildPhi(emit->builder, LLVMTypeOf(copy->source), "");
    *size = LLVMBuildPhi(emit->builder, emit->i32, "");
    for (unsigned i = 0; i < LLVMCountIncoming(copy->merge); i++) {
        bool loads = LLVMGetIncomingValue(copy->merge, i) == copy->load;
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(copy->merge, i);
        LLVMValueRef from = loads ? copy->source : emit_unread(emit, LLVMTypeOf(copy->source));
        LLVMValueRef bytes = emit_int(emit, loads ? copy->piece : 0);
        LLVMAddIncoming(source, &from, &block, 1);
        LLVMAddIncoming(*size, &bytes, &block, 1);
    }
    return source;
}

/* The source, and the bytes of it that count: NULL where all do. */
static LLVMValueRef choose_source(Emit *emit, const RingCopy *copy, LLVMValueRef *size)
{
    *size = NULL;
    if (copy->merge && LLVMIsAPHINode(copy->merge))
        return make_sources(emit, copy, size);
    if (copy->merge) {
        bool loads_first = LLVMGetOperand(copy->merge, 1) == copy->load;
        emit_before(emit, copy->store);
        *size = emit_select(emit, LLVMGetOperand(copy->merge, 0), emit_int(emit, loads_first ? copy->piece : 0),
                            emit_int(emit, loads_first ? 0 : copy->piece));
    }
    return copy->source;
}

static void make_copy(Emit *emit, const RingCopy *copy)
{
    LLVMValueRef size, source = choose_source(emit, copy, &size);
    emit_before(emit, copy->store);
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(copy->load));
    for (int at = 0; at < copy->bytes; at += copy->piece) {
        LLVMValueRef to = emit_advance_by(emit, copy->target, at), from = emit_advance_by(emit, source, at);
        mark_add(emit_copy_async(emit, to, from, copy->piece, size), FILL_METADATA);
    }
    LLVMInstructionEraseFromParent(copy->store);
    if (copy->merge)
        LLVMInstructionEraseFromParent(copy->merge);
    if (copy->load != copy->store)
        LLVMInstructionEraseFromParent(copy->load);
}

static void make_waits(Emit *emit, const List *places, Map *made)
{
    for (size_t i = 0; i < places->count; i++) {
        if (map_get(made, places->item[i]))
            continue;
        map_put(made, places->item[i], places->item[i]);
        emit_before(emit, places->item[i]);
        emit_wait_all(emit);
    }
}

void fill_rewrite(Arena *arena, const List *fills)
{
    Emit emit = emit_open(arena, ((const Fill *)fills->item[0])->function);
    Map *made = map_new(arena);
    for (size_t i = 0; i < fills->count; i++)
        INVARIANT(!((const Fill *)fills->item[i])->why && !((const Fill *)fills->item[i])->made);
    for (size_t i = 0; i < fills->count; i++)
        make_waits(&emit, &((const Fill *)fills->item[i])->waits, made);
    for (size_t i = 0; i < fills->count; i++)
        make_copy(&emit, &((const Fill *)fills->item[i])->copy);
    emit_close(&emit);
}
