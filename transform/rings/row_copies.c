/* Wide copies in a loop of their own, a row (analysis/rings/copy_loops.c): the lanes that share a piece deal out its iterations.
 *
 *     lanes          0  1  2  3  4 ...              lanes          0        1        2        3        4 ...
 *     iteration 0    a0 a1 a2 a3 a4                 iteration 0    a0..a3                              a4..a7
 *     iteration 1    b0 b1 b2 b3 b4         ->      iteration 1             b0..b3
 *     iteration 2    c0 c1 c2 c3 c4                 iteration 2                      c0..c3
 *     iteration 3    d0 d1 d2 d3 d4                 iteration 3                               d0..d3
 *
 *     for (j = t; j < 1024; j += 128)               for (k = rank; k <= last; k += 4)
 *         copy s[j] <- g[tile + j]          ->          copy 16 bytes of iteration k, of every tile of the stage
 *
 * Beside what is asked of all wide copies (wide_copy.c), the lanes must go through the row alike: equally often, by equal steps. */
#include "transform/rings/make_ring.h"

/* ---- in front of the tile loop ---- */

/* From the lane's own element to the piece that it copies first, of a row: `rank` iterations on. */
static LLVMValueRef to_first(Emit *emit, const RingCopy *copy, LLVMValueRef step)
{
    LLVMValueRef rank = wide_rank(emit, copy);
    return LLVMBuildMul(emit->builder, emit_binary(emit, LLVMSub, step, copy->piece),
                        LLVMBuildZExt(emit->builder, rank, emit->i64, ""), "");
}

void row_open(RingMaker *maker, size_t number, const RingCopy *copy, const RingCourse *now, const RingCourse *course)
{
    Emit *emit = &maker->emit;
    LLVMValueRef source = emit_advance(emit, now->source, to_first(emit, copy, now->from.row_step));
    LLVMValueRef target = emit_advance(emit, now->target, to_first(emit, copy, now->to.row_step));
    wide_at(maker, number, (Wide){copy, source, target, now->step, course});
}

void row_begin(Twins *outside, const Map *among, const RingCopy *copy, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) != copy->row || map_get(outside->value, value))
        return;
    for (unsigned i = 0; LLVMIsAPHINode(value) && i < LLVMCountIncoming(value); i++)
        if (LLVMGetIncomingBlock(value, i) != copy->row)
            map_put(outside->value, value, clone_deep(outside, among, LLVMGetIncomingValue(value, i), true));
    for (int i = 0; !LLVMIsAPHINode(value) && i < LLVMGetNumOperands(value); i++)
        row_begin(outside, among, copy, LLVMGetOperand(value, (unsigned)i));
}

LLVMValueRef row_test(Emit *emit, const RingCourse *course, LLVMValueRef leader, LLVMValueRef all)
{
    LLVMValueRef last = course->from.last, leaders = emit_address_of_lane(emit, last, leader);
    all = emit_both(emit, all, LLVMBuildICmp(emit->builder, LLVMIntEQ, last, leaders, ""));
    all = emit_both(emit, all, course->to.holds);
    all = emit_both(emit, all, wide_is_same_step(emit, course->from.row_step, leader));
    return emit_both(emit, all, wide_is_same_step(emit, course->to.row_step, leader));
}

/* ---- stages ---- */

/* How far the lane has come. */
typedef struct {
    LLVMValueRef number, source, target; /* locals */
} RowPlace;

/* Its piece of each tile, and on to the next. */
static void copy_pieces(RingMaker *maker, const Wide *wide, const RowPlace *at)
{
    Emit *emit = &maker->emit;
    const Ring *ring = maker->ring;
    int lanes = wide_lanes(wide->copy);
    LLVMValueRef first = ring_get(maker, at->source, LLVMTypeOf(source_of(wide->copy))), source = first;
    LLVMValueRef target = ring_get(maker, at->target, LLVMTypeOf(target_of(wide->copy)));
    LLVMValueRef step = ring_get(maker, wide->step, emit->i64);
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(wide->copy->load));
    for (int tile = 0; tile < ring->choice.batch; tile++) {
        ring_mark(maker, emit_copy_async(emit, emit_advance_by(emit, target, tile * ring->tile.bytes), source, COPY_WIDEST, NULL));
        source = emit_advance(emit, source, step);
    }
    ring_set(maker, at->source,
             emit_advance(emit, first, emit_binary(emit, LLVMMul, runs_now(maker, wide->row->from.row_step), lanes)));
    ring_set(maker, at->target,
             emit_advance(emit, target, emit_binary(emit, LLVMMul, runs_now(maker, wide->row->to.row_step), lanes)));
    ring_set(maker, at->number, emit_binary(emit, LLVMAdd, ring_get(maker, at->number, emit->i64), lanes));
}

void row_copy(RingMaker *maker, const Wide *wide, LLVMValueRef fill)
{
    Emit *emit = &maker->emit;
    LLVMValueRef source = ring_get(maker, wide->source, LLVMTypeOf(source_of(wide->copy)));
    LLVMValueRef target = emit_advance(emit, ring_get(maker, wide->target, LLVMTypeOf(target_of(wide->copy))), fill);
    LLVMValueRef rank = wide_rank(emit, wide->copy);
    RowPlace at = {wide_local(maker, LLVMBuildZExt(emit->builder, rank, emit->i64, "")), wide_local(maker, source),
                   wide_local(maker, target)};
    LLVMBasicBlockRef again = ring_block(maker), body = ring_block(maker), after = ring_block(maker);
    LLVMBuildBr(emit->builder, again);
    LLVMPositionBuilderAtEnd(emit->builder, again);
    LLVMValueRef number = ring_get(maker, at.number, emit->i64);
    LLVMBuildCondBr(emit->builder, LLVMBuildICmp(emit->builder, LLVMIntULE, number, runs_now(maker, wide->row->from.last), ""),
                    body, after);
    LLVMPositionBuilderAtEnd(emit->builder, body);
    copy_pieces(maker, wide, &at);
    LLVMBuildBr(emit->builder, again);
    LLVMPositionBuilderAtEnd(emit->builder, after);
    LLVMValueRef step = emit_binary(emit, LLVMMul, ring_get(maker, wide->step, emit->i64), maker->ring->choice.batch);
    ring_set(maker, wide->source, emit_advance(emit, source, step));
}
