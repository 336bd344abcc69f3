/* Copies of 16 bytes in place of four of 4, or two of 8: of tiles that follow each other, a lane copies its neighbours' part too.
 *
 *     lanes        0  1  2  3  4  5  6  7 ...            lanes      0       1       2       3       4 ...
 *     tile 0       a0 a1 a2 a3 a4 a5 a6 a7               tile 0     a0..a3                          a4..a7
 *     tile 1       b0 b1 b2 b3 b4 b5 b6 b7         ->    tile 1             b0..b3
 *     tile 2       c0 c1 c2 c3 c4 c5 c6 c7               tile 2                     c0..c3
 *     tile 3       d0 d1 d2 d3 d4 d5 d6 d7               tile 3                             d0..d3
 *
 * In front of the loop the warp tests that all its lanes are here, that neighbours copy neighbours, on both sides, that
 * pieces are aligned, and that every tile lies one distance from the one before it; else lanes copy as they did. */
#include "ring.h"

typedef struct {
    const RingCopy *copy;
    LLVMValueRef source; /* local: where this lane's piece of the next tiles comes from */
    LLVMValueRef target; /* local: and where in a slot it goes */
    LLVMValueRef step;   /* bytes from tile to tile */
} Wide;

static int lanes_of(const Wide *wide) { return COPY_WIDEST / wide->copy->piece; }

static LLVMValueRef is_aligned(Emit *emit, LLVMValueRef bytes)
{
    LLVMValueRef low = emit_binary(emit, LLVMAnd, bytes, COPY_WIDEST - 1);
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, low, LLVMConstInt(emit->i64, 0, false), "");
}

/* Is the lane's address as far from its leader's as the lanes are apart, and the leader's a multiple of 16? */
static LLVMValueRef is_in_row(Emit *emit, LLVMValueRef address, LLVMValueRef rank, int piece, LLVMValueRef leader)
{
    LLVMValueRef shift = LLVMBuildZExt(emit->builder, emit_binary(emit, LLVMMul, rank, piece), emit->i64, "");
    LLVMValueRef first = emit_address_of_lane(emit, address, leader);
    LLVMValueRef expected = LLVMBuildAdd(emit->builder, first, shift, "");
    LLVMValueRef follows = LLVMBuildICmp(emit->builder, LLVMIntEQ, address, expected, "");
    return LLVMBuildAnd(emit->builder, follows, is_aligned(emit, first), "");
}

static LLVMValueRef is_same_step(Emit *emit, LLVMValueRef step, LLVMValueRef leader)
{
    LLVMValueRef same = LLVMBuildICmp(emit->builder, LLVMIntEQ, step, emit_address_of_lane(emit, step, leader), "");
    return LLVMBuildAnd(emit->builder, same, is_aligned(emit, step), "");
}

/* The lane takes the tile of its rank among its neighbours; the tests join `all`. */
static LLVMValueRef open_copy(RingMaker *maker, Wide *wide, LLVMValueRef start, LLVMValueRef all)
{
    Emit *emit = &maker->emit;
    int lanes = lanes_of(wide), piece = wide->copy->piece;
    LLVMValueRef rank = emit_binary(emit, LLVMAnd, emit_lane(emit), lanes - 1);
    LLVMValueRef leader = LLVMBuildSub(emit->builder, emit_lane(emit), rank, "");
    Twins outside = twins_open(emit->arena, emit->builder);
    LLVMValueRef target = twin_deep(&outside, maker->ring->ahead, target_of(wide->copy), true);
    LLVMValueRef tests[] = {is_in_row(emit, emit_address(emit, start), rank, piece, leader),
                            is_in_row(emit, emit_address(emit, target), rank, piece, leader),
                            is_same_step(emit, wide->step, leader)};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        all = all ? LLVMBuildAnd(emit->builder, all, tests[i], "") : tests[i];
    LLVMValueRef wide_rank = LLVMBuildZExt(emit->builder, rank, emit->i64, "");
    LLVMValueRef apart = LLVMBuildMul(emit->builder, emit_binary(emit, LLVMSub, wide->step, piece), wide_rank, "");
    wide->source = ring_local(maker, LLVMTypeOf(start), "wide");
    ring_set(maker, wide->source, emit_advance(emit, start, apart));
    wide->target = ring_local(maker, LLVMTypeOf(target), "wide");
    ring_set(maker, wide->target, emit_advance(emit, target, emit_binary(emit, LLVMMul, wide_rank, maker->ring->bytes - piece)));
    return all;
}

/* ---- in front of the loop ---- */

static bool find_recurrences(IrModule *ir, RingMaker *maker, LLVMValueRef place, LLVMValueRef *start, LLVMValueRef *holds)
{
    const Ring *ring = maker->ring;
    for (size_t i = 0; i < ring->copies.count; i++) {
        Wide *wide = ARENA_NEW(maker->emit.arena, Wide);
        wide->copy = ring->copies.item[i];
        if (!ir_recurrence(ir, ring->function, ring->header, source_of(wide->copy), place, &start[i], &wide->step, &holds[i]))
            return false;
        list_add(&maker->wide, wide);
    }
    return true;
}

/* The tests, in a block that a full warp alone goes through: its lanes may be asked for what they know. */
static void test_warp(RingMaker *maker, LLVMBasicBlockRef tests, LLVMValueRef *start, LLVMValueRef *holds)
{
    Emit *emit = &maker->emit;
    LLVMValueRef all = NULL;
    emit_before(emit, LLVMGetBasicBlockTerminator(tests));
    for (size_t i = 0; i < maker->wide.count; i++) {
        all = open_copy(maker, maker->wide.item[i], start[i], all);
        if (holds[i])
            all = LLVMBuildAnd(emit->builder, all, holds[i], "");
    }
    ring_set(maker, maker->is_wide, emit_all(emit, all));
}

LLVMBasicBlockRef wide_open(IrModule *ir, RingMaker *maker, LLVMBasicBlockRef before)
{
    Emit *emit = &maker->emit;
    size_t copies = maker->ring->copies.count;
    LLVMValueRef *start = ARENA_ARRAY(emit->arena, LLVMValueRef, copies), *holds = ARENA_ARRAY(emit->arena, LLVMValueRef, copies);
    LLVMValueRef place = LLVMGetBasicBlockTerminator(before);
    if (!find_recurrences(ir, maker, place, start, holds))
        return before;
    LLVMBasicBlockRef after = ir_split_before(place), tests = LLVMInsertBasicBlockInContext(emit->context, after, "");
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
    emit_before(emit, jump);
    emit_lane(emit);
    maker->is_wide = ring_local(maker, emit->i1, "wide");
    ring_set(maker, maker->is_wide, LLVMConstInt(emit->i1, 0, false));
    LLVMBuildCondBr(emit->builder, emit_full_warp(emit), tests, after);
    LLVMInstructionEraseFromParent(jump);
    LLVMPositionBuilderAtEnd(emit->builder, tests);
    LLVMBuildBr(emit->builder, after);
    test_warp(maker, tests, start, holds);
    return after;
}

/* ---- stages ---- */

static void copy_wide(RingMaker *maker, const Wide *wide, LLVMValueRef fill)
{
    Emit *emit = &maker->emit;
    const Ring *ring = maker->ring;
    int lanes = lanes_of(wide);
    LLVMValueRef source = ring_get(maker, wide->source, LLVMTypeOf(source_of(wide->copy)));
    LLVMValueRef step = emit_binary(emit, LLVMMul, wide->step, lanes);
    LLVMValueRef target = emit_advance(emit, ring_get(maker, wide->target, LLVMTypeOf(target_of(wide->copy))), fill);
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(wide->copy->load));
    for (int tile = 0; tile < ring->batch; tile += lanes) {
        ring_mark(maker, emit_copy_async(emit, emit_advance_by(emit, target, tile * ring->bytes), source, COPY_WIDEST, NULL));
        source = emit_advance(emit, source, step);
    }
    ring_set(maker, wide->source, source);
}

static void fill_wide(RingMaker *maker, LLVMValueRef alive, LLVMValueRef *counters)
{
    LLVMValueRef fill = ring_get(maker, maker->fill, maker->emit.i32);
    for (size_t i = 0; i < maker->wide.count; i++)
        copy_wide(maker, maker->wide.item[i], fill);
    ahead_set(maker, alive, counters);
    ring_step(maker, maker->fill, maker->ring->batch);
}

void wide_stage(RingMaker *maker, void (*otherwise)(RingMaker *))
{
    Emit *emit = &maker->emit;
    LLVMValueRef alive, *counters = ARENA_ARRAY(emit->arena, LLVMValueRef, maker->ring->state.count);
    ahead_get(maker, &alive, counters);
    LLVMValueRef all = ahead_try_steps(maker, maker->ring->batch, &alive, counters);
    LLVMBasicBlockRef wide = ring_block(maker), narrow = ring_block(maker), after = ring_block(maker);
    all = LLVMBuildAnd(emit->builder, all, ring_get(maker, maker->is_wide, emit->i1), "");
    LLVMBuildCondBr(emit->builder, all, wide, narrow);
    LLVMPositionBuilderAtEnd(emit->builder, wide);
    fill_wide(maker, alive, counters);
    LLVMBuildBr(emit->builder, after);
    LLVMPositionBuilderAtEnd(emit->builder, narrow);
    otherwise(maker);
    LLVMBuildBr(emit->builder, after);
    LLVMPositionBuilderAtEnd(emit->builder, after);
}
