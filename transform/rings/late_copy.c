/* Copies that are made where all ways through an iteration's copies have met, of what would stand at their place then
 * (analysis/rings/partial_fill.c):
 *
 *     s[t] = 0                            from = zeros
 *     if (k < n) s[t] = g[k]      ->      if (k < n) from = g + k
 *                                         copy s[fill + t] <- from, asynchronously
 *
 *     if (k % m) s[t] = g[k]      ->      if (k % m) from = g + k
 *                                         if (from) copy s[fill + t] <- from        the last that there was, if any
 *
 *     if (k < n) s[t] = g[k]      ->      from = none; if (k < n) from = g + k
 *                                         if (from) copy s[fill + t] <- from
 *                                         else { wait; s[fill + t] = s[before fill + t] }    in a tile that is cut short
 *
 * In a loop of their own, each iteration begins anew. Where the loop itself may stop sooner than it did, or not run at all, the
 * places that it came to before, and does not come to now, are carried behind it:
 *
 *     for (j = t; j < m; j += 64)      ->      ...; if (j < most) { wait; for (...) s[fill + j] = s[before fill + j] }
 *         s[j] = g[k + j]                      else most = j */
#include "transform/rings/make_ring.h"

typedef struct {
    LLVMTypeRef pointer;
    LLVMValueRef from, size; /* locals; nothing was copied yet where `from` is null */
    LLVMValueRef noted;      /* where each iteration begins anew, local: was anything noted in it? Else NULL */
    LLVMValueRef next, most; /* of a loop that stops, locals: where it would go on, and the farthest, from the ring's begin */
} Late;

static void open_row(RingMaker *maker, Late *late)
{
    Emit *emit = &maker->emit;
    late->next = ring_local(maker, emit->i64, "next");
    late->most = ring_local(maker, emit->i64, "most");
    ring_set(maker, late->most, LLVMConstNull(emit->i64));
}

bool late_is_anew(const RingCopy *copy) { return copy->begins || copy->kind == COPY_CARRIED; }

void late_open(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    for (size_t i = 0; i < maker->ring->copies.count; i++) {
        const RingCopy *copy = maker->ring->copies.item[i];
        Late *late = ARENA_NEW(emit->arena, Late);
        if (copy->kind == COPY_ALIKE)
            continue;
        *late = (Late){.pointer = LLVMTypeOf(copy->source),
                       .from = ring_local(maker, LLVMTypeOf(copy->source), "from"),
                       .size = ring_local(maker, emit->i32, "size")};
        ring_set(maker, late->from, LLVMConstNull(late->pointer));
        ring_set(maker, late->size, emit_int(emit, copy->piece));
        if (late_is_anew(copy))
            late->noted = ring_local(maker, emit->i1, "noted");
        if (copy->stops)
            open_row(maker, late);
        map_put(maker->late, copy, late);
    }
}

void late_note(RingMaker *maker, const RingCopy *copy, LLVMValueRef source, LLVMValueRef size)
{
    Emit *emit = &maker->emit;
    const Late *late = map_get(maker->late, copy);
    ring_set(maker, late->from, source ? source : emit_unread(emit, late->pointer));
    ring_set(maker, late->size, size ? size : emit_int(emit, source ? copy->piece : 0));
    if (late->noted)
        ring_set(maker, late->noted, LLVMConstInt(emit->i1, 1, false));
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
    LLVMValueRef target = clone_deep(&outside, maker->ring->next.ahead, target_of(copy), true);
    ahead_pieces(maker, copy, target, source, size);
    if (copy->lacks)
        emit_end_if(emit);
}

/* ---- anew in every iteration ---- */

/* May the thread have filled the place before? The original may never come here with it. */
static LLVMValueRef may_be_filled(RingMaker *maker, Twins *here, const RingCopy *copy)
{
    Emit *emit = &maker->emit;
    LLVMValueRef all = LLVMConstInt(emit->i1, 1, false), never = LLVMConstInt(emit->i1, 0, false);
    for (size_t i = 0; i < copy->needs.count; i++) {
        const RingNeed *need = copy->needs.item[i];
        LLVMValueRef condition = clone_deep(here, maker->ring->next.ahead, need->condition, false);
        all = emit_select(emit, all, need->holds ? condition : LLVMBuildNot(emit->builder, condition, ""), never);
    }
    return all;
}

/* Is it one of the array's? */
static LLVMValueRef is_place(RingMaker *maker, const RingCopy *copy, LLVMValueRef target)
{
    Emit *emit = &maker->emit;
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef ring = LLVMBuildPointerCast(builder, maker->array, LLVMTypeOf(target), "");
    LLVMValueRef begin = emit_address(emit, emit_advance_by(emit, ring, copy->offset));
    LLVMValueRef at = LLVMBuildSub(builder, emit_address(emit, target), begin, "");
    LLVMValueRef last = LLVMConstInt(emit->i64, (uint64_t)(copy->room - copy->bytes), false);
    LLVMValueRef rest = emit_binary(emit, LLVMAnd, at, copy->piece - 1);
    return LLVMBuildAnd(builder, LLVMBuildICmp(builder, LLVMIntULE, at, last, ""),
                        LLVMBuildICmp(builder, LLVMIntEQ, rest, LLVMConstNull(emit->i64), ""), "");
}

static void carry_pieces(RingMaker *maker, const RingCopy *copy, LLVMValueRef target)
{
    Emit *emit = &maker->emit;
    LLVMValueRef from = emit_advance(emit, target, ring_before(maker, maker->fill));
    LLVMValueRef to = emit_advance(emit, target, ring_get(maker, maker->fill, emit->i32));
    for (int at = 0; at < copy->bytes; at += copy->piece) {
        Unit unit = emit_load(emit, emit_advance_by(emit, from, at), copy->piece);
        emit_store(emit, emit_advance_by(emit, to, at), &unit, copy->piece);
    }
}

/* What is in the slot before, where the thread filled the place itself, if anybody did. */
static void carry(RingMaker *maker, Twins *here, const RingCopy *copy, LLVMValueRef target)
{
    Emit *emit = &maker->emit;
    LLVMValueRef may = may_be_filled(maker, here, copy), never = LLVMConstInt(emit->i1, 0, false);
    emit_if(emit, emit_select(emit, may, is_place(maker, copy, target), never));
    emit_wait_all(emit);
    carry_pieces(maker, copy, target);
    emit_end_if(emit);
}

void late_begin(RingMaker *maker, const RingCopy *copy)
{
    const Late *late = map_get(maker->late, copy);
    ring_set(maker, late->from, LLVMGetPoison(late->pointer));
    ring_set(maker, late->noted, LLVMConstInt(maker->emit.i1, 0, false));
}

void late_copy_anew(RingMaker *maker, Twins *here, const RingCopy *copy)
{
    Emit *emit = &maker->emit;
    const Late *late = map_get(maker->late, copy);
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(copy->load));
    LLVMValueRef source = ring_get(maker, late->from, late->pointer), size = ring_get(maker, late->size, emit->i32);
    LLVMValueRef target = clone_deep(here, maker->ring->next.ahead, target_of(copy), !copy->lacks);
    LLVMValueRef noted = ring_get(maker, late->noted, emit->i1);
    if (copy->lacks)
        emit_if(emit, noted);
    ahead_pieces(maker, copy, target, source, size);
    if (copy->lacks)
        emit_end_if(emit);
    if (copy->kind != COPY_CARRIED)
        return;
    emit_if(emit, LLVMBuildNot(emit->builder, noted, ""));
    carry(maker, here, copy, target);
    emit_end_if(emit);
}

/* ---- loops that stop ---- */

/* The copy's place in the ring's first slot, in bytes, where the loop's counters are what the twins have. */
static LLVMValueRef place_at(RingMaker *maker, Twins *here, const RingCopy *copy)
{
    Emit *emit = &maker->emit;
    LLVMValueRef target = clone_deep(here, maker->ring->next.ahead, target_of(copy), false);
    LLVMValueRef ring = LLVMBuildPointerCast(emit->builder, maker->array, LLVMTypeOf(target), "");
    return LLVMBuildSub(emit->builder, emit_address(emit, target), emit_address(emit, ring), "");
}

/* The counters that the place is made of, of the loop's next iteration: from those that the twins have, or, without twins, of its
 * first. */
static Twins counters_after(RingMaker *maker, Twins *here, const RingCopy *copy)
{
    Twins next = twins_open(maker->emit.arena, maker->emit.builder);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(copy->begins); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
            LLVMValueRef value = LLVMGetIncomingValue(phi, i);
            Twins outside = twins_open(maker->emit.arena, maker->emit.builder);
            bool again = LLVMGetIncomingBlock(phi, i) == copy->meets;
            if (list_has(&copy->counters, phi) && again == (here != NULL))
                map_put(next.value, phi, clone_deep(here ? here : &outside, maker->ring->next.ahead, value, false));
        }
    return next;
}

void late_row_begin(RingMaker *maker, const RingCopy *copy)
{
    const Late *late = map_get(maker->late, copy);
    Twins first = counters_after(maker, NULL, copy);
    ring_set(maker, late->next, place_at(maker, &first, copy));
}

void late_row_step(RingMaker *maker, Twins *here, const RingCopy *copy)
{
    const Late *late = map_get(maker->late, copy);
    Twins next = counters_after(maker, here, copy);
    ring_set(maker, late->next, place_at(maker, &next, copy));
}

/* At the end of the block: carries what is left of the row, by steps of as many bytes. */
static void carry_row(RingMaker *maker, const RingCopy *copy, LLVMValueRef step)
{
    Emit *emit = &maker->emit;
    const Late *late = map_get(maker->late, copy);
    LLVMBasicBlockRef before = LLVMGetInsertBlock(emit->builder);
    LLVMBasicBlockRef again = ir_split_before(LLVMGetBasicBlockTerminator(before));
    LLVMBasicBlockRef after = ir_split_before(LLVMGetBasicBlockTerminator(again));
    emit_before(emit, LLVMGetBasicBlockTerminator(again));
    LLVMValueRef at = ring_get(maker, late->next, emit->i64);
    carry_pieces(maker, copy, LLVMBuildGEP2(emit->builder, emit->i8, maker->array, &at, 1, ""));
    LLVMValueRef next = LLVMBuildAdd(emit->builder, at, step, "");
    ring_set(maker, late->next, next);
    LLVMValueRef more = LLVMBuildICmp(emit->builder, LLVMIntULT, next, ring_get(maker, late->most, emit->i64), "");
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(again);
    LLVMBuildCondBr(emit->builder, more, again, after);
    LLVMInstructionEraseFromParent(jump);
    emit_before(emit, LLVMGetBasicBlockTerminator(after));
}

void late_row_end(RingMaker *maker, const RingCopy *copy)
{
    Emit *emit = &maker->emit;
    const Late *late = map_get(maker->late, copy);
    LLVMValueRef at = ring_get(maker, late->next, emit->i64), most = ring_get(maker, late->most, emit->i64);
    LLVMValueRef stopped = LLVMBuildICmp(emit->builder, LLVMIntULT, at, most, "");
    ring_set(maker, late->most, emit_select(emit, stopped, most, at));
    emit_if(emit, stopped);
    emit_wait_all(emit);
    Twins first = counters_after(maker, NULL, copy), second = counters_after(maker, &first, copy);
    LLVMValueRef begin = place_at(maker, &first, copy);
    carry_row(maker, copy, LLVMBuildSub(emit->builder, place_at(maker, &second, copy), begin, ""));
    emit_end_if(emit);
}
