/* Copies that are made where all ways through an iteration's copies have met, of what would stand at their place then
 * (analysis/ring_gaps.c):
 *
 *     if (k < n) s[t] = g[k]      ->      if (k < n) from = g + k
 *                                         if (from) copy s[fill + t] <- from, asynchronously       the last that there was, if any
 *
 *     s[t] = 0                            from = zeros
 *     if (k < n) s[t] = g[k]      ->      if (k < n) from = g + k */
#include "ring.h"

typedef struct {
    LLVMTypeRef pointer;
    LLVMValueRef from, size; /* locals; nothing was copied yet where `from` is null */
} Late;

void late_open(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    for (size_t i = 0; i < maker->ring->copies.count; i++) {
        const RingCopy *copy = maker->ring->copies.item[i];
        Late *late = ARENA_NEW(emit->arena, Late);
        if (!copy->late)
            continue;
        *late = (Late){LLVMTypeOf(copy->source), ring_local(maker, LLVMTypeOf(copy->source), "from"),
                       ring_local(maker, emit->i32, "size")};
        ring_set(maker, late->from, LLVMConstNull(late->pointer));
        ring_set(maker, late->size, emit_int(emit, copy->piece));
        map_put(maker->late, copy, late);
    }
}

void late_note(RingMaker *maker, const RingCopy *copy, LLVMValueRef source, LLVMValueRef size)
{
    Emit *emit = &maker->emit;
    const Late *late = map_get(maker->late, copy);
    ring_set(maker, late->from, source ? source : emit_unread(emit, late->pointer));
    ring_set(maker, late->size, size ? size : emit_int(emit, source ? copy->piece : 0));
}

void late_copy(RingMaker *maker, const RingCopy *copy)
{
    Emit *emit = &maker->emit;
    const Late *late = map_get(maker->late, copy);
    Twins outside = twins_open(emit->arena, emit->builder);
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(copy->load));
    LLVMValueRef source = ring_get(maker, late->from, late->pointer), size = ring_get(maker, late->size, emit->i32);
    if (copy->lacks)
        emit_if(emit, LLVMBuildIsNotNull(emit->builder, source, ""));
    LLVMValueRef target = twin_deep(&outside, maker->ring->ahead, target_of(copy), true);
    ahead_pieces(maker, copy, target, source, size);
    if (copy->lacks)
        emit_end_if(emit);
}
