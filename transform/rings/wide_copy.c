/* Copies of 16 bytes in place of four of 4, or two of 8: of tiles that follow each other, a lane copies its neighbours' part too.
 *
 *     lanes        0  1  2  3  4  5  6  7 ...            lanes      0       1       2       3       4 ...
 *     tile 0       a0 a1 a2 a3 a4 a5 a6 a7               tile 0     a0..a3                          a4..a7
 *     tile 1       b0 b1 b2 b3 b4 b5 b6 b7         ->    tile 1             b0..b3
 *     tile 2       c0 c1 c2 c3 c4 c5 c6 c7               tile 2                     c0..c3
 *     tile 3       d0 d1 d2 d3 d4 d5 d6 d7               tile 3                             d0..d3
 *
 * Where a stage has fewer tiles than a piece has lanes, these stand for copies of one tile, or for some of both: lane
 * 4 i + r makes copy r % together of tile r / together. Of copies in a loop of their own they share its iterations: see row_copies.c.
 *
 * In front of the loop the warp tests that all its lanes are here and make all the copies, that neighbours copy neighbours,
 * on both sides, that pieces are aligned, and that every tile lies one distance from the one before it; else lanes copy as
 * they did. */
#include "transform/rings/make_ring.h"

int wide_lanes(const RingCopy *copy) { return COPY_WIDEST / copy->piece; }
LLVMValueRef wide_rank(Emit *emit, const RingCopy *copy)
{
    return emit_binary(emit, LLVMAnd, emit_lane(emit), wide_lanes(copy) - 1);
}

static int tiles_of(const RingMaker *maker, const RingCopy *copy) { return wide_lanes(copy) / maker->ring->choice.together; }

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

LLVMValueRef wide_is_same_step(Emit *emit, LLVMValueRef step, LLVMValueRef leader)
{
    if (LLVMIsAConstantInt(step))
        return is_aligned(emit, step);
    LLVMValueRef same = LLVMBuildICmp(emit->builder, LLVMIntEQ, step, emit_address_of_lane(emit, step, leader), "");
    return LLVMBuildAnd(emit->builder, same, is_aligned(emit, step), "");
}

/* Do the lanes that share a piece copy it in their order, in every tile? The answer joins `all`. */
static LLVMValueRef test_copy(Emit *emit, const RingCopy *copy, const RingCourse *course, LLVMValueRef all)
{
    LLVMValueRef rank = wide_rank(emit, copy);
    LLVMValueRef leader = LLVMBuildSub(emit->builder, emit_lane(emit), rank, "");
    LLVMValueRef tests[] = {is_in_row(emit, emit_address(emit, course->source), rank, copy->piece, leader),
                            is_in_row(emit, emit_address(emit, course->target), rank, copy->piece, leader),
                            wide_is_same_step(emit, course->step, leader), course->holds};
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
        all = emit_both(emit, all, tests[i]);
    return copy->row ? row_test(emit, course, leader, all) : all;
}

/* ---- which copy of which tile a lane makes ---- */

/* The course of the copy whose turn it is. */
static RingCourse choose_course(Emit *emit, LLVMValueRef turn, const RingCourse *course, int count)
{
    RingCourse chosen = course[0];
    for (int i = 1; i < count; i++) {
        LLVMValueRef is_next = LLVMBuildICmp(emit->builder, LLVMIntEQ, turn, emit_int(emit, i), "");
        chosen.source = emit_select(emit, is_next, course[i].source, chosen.source);
        chosen.target = emit_select(emit, is_next, course[i].target, chosen.target);
        chosen.step = emit_select(emit, is_next, course[i].step, chosen.step);
    }
    return chosen;
}

LLVMValueRef wide_local(RingMaker *maker, LLVMValueRef value)
{
    LLVMValueRef local = ring_local(maker, LLVMTypeOf(value), "wide");
    ring_set(maker, local, value);
    return local;
}

/* Where the copies' pieces are from now on: the next run of a loop has them elsewhere. */
void wide_at(RingMaker *maker, size_t number, Wide first)
{
    if (number == maker->wide.count) {
        Wide *wide = ARENA_NEW(maker->emit.arena, Wide);
        *wide = (Wide){first.copy, wide_local(maker, first.source), wide_local(maker, first.target), wide_local(maker, first.step),
                       first.row};
        list_add(&maker->wide, wide);
        return;
    }
    const Wide *wide = maker->wide.item[number];
    ring_set(maker, wide->source, first.source);
    ring_set(maker, wide->target, first.target);
    ring_set(maker, wide->step, first.step);
}

static void open_wide(RingMaker *maker, size_t number, const RingCopy *copy, const RingCourse *courses)
{
    Emit *emit = &maker->emit;
    int together = maker->ring->choice.together;
    LLVMValueRef rank = wide_rank(emit, copy);
    RingCourse course = choose_course(emit, emit_binary(emit, LLVMAnd, rank, together - 1), courses, together);
    LLVMValueRef tile = LLVMBuildZExt(emit->builder, emit_binary(emit, LLVMUDiv, rank, together), emit->i64, "");
    LLVMValueRef back = LLVMBuildZExt(emit->builder, emit_binary(emit, LLVMMul, rank, copy->piece), emit->i64, "");
    LLVMValueRef from = LLVMBuildSub(emit->builder, LLVMBuildMul(emit->builder, course.step, tile, ""), back, "");
    LLVMValueRef to = LLVMBuildSub(emit->builder, emit_binary(emit, LLVMMul, tile, maker->ring->tile.bytes), back, "");
    wide_at(maker, number,
            (Wide){copy, emit_advance(emit, course.source, from), emit_advance(emit, course.target, to), course.step, NULL});
}

/* ---- in front of the loop ---- */

static bool find_course(IrModule *ir, const Ring *ring, const RingCopy *copy, LLVMValueRef place, RingCourse *course)
{
    if (!copy->row)
        return ir_recurrence(ir, ring->function, ring->header, source_of(copy), place, &course->source, &course->step,
                             &course->holds);
    if (!ir_grid(ir, ring->function, copy->row, source_of(copy), place, &course->from) ||
        !ir_grid(ir, ring->function, copy->row, target_of(copy), place, &course->to))
        return false;
    course->source = course->from.start;
    course->step = course->from.step;
    course->holds = course->from.holds;
    return true;
}

RingCourse *wide_courses(IrModule *ir, const Ring *ring, LLVMBasicBlockRef before)
{
    RingCourse *course = ARENA_ARRAY(ring->arena, RingCourse, ring->copies.count);
    for (size_t i = 0; i < ring->copies.count; i++)
        if (!find_course(ir, ring, ring->copies.item[i], LLVMGetBasicBlockTerminator(before), &course[i]))
            return NULL;
    return course;
}

static IrGrid grid_now(RingMaker *maker, const IrGrid *grid)
{
    return (IrGrid){runs_now(maker, grid->start), runs_now(maker, grid->step), runs_now(maker, grid->row_step),
                    runs_now(maker, grid->last), runs_now(maker, grid->holds)};
}

/* Of the run that is ahead. */
static RingCourse *courses_now(RingMaker *maker)
{
    size_t count = maker->ring->copies.count;
    RingCourse *now = ARENA_ARRAY(maker->emit.arena, RingCourse, count);
    for (size_t i = 0; i < count; i++) {
        const RingCourse *of = &maker->courses[i];
        now[i] = (RingCourse){runs_now(maker, of->source), NULL,
                              runs_now(maker, of->step),   runs_now(maker, of->holds),
                              grid_now(maker, &of->from),  grid_now(maker, &of->to)};
    }
    return now;
}

/* Where a full warp alone goes through, all of whose lanes make the copies: they may be asked for what they know. */
static void test_warp(RingMaker *maker)
{
    Emit *emit = &maker->emit;
    const Ring *ring = maker->ring;
    RingCourse *course = courses_now(maker);
    Twins outside = twins_open(emit->arena, emit->builder);
    LLVMValueRef all = NULL;
    runs_map(maker, &outside);
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        if (copy->row)
            row_begin(&outside, ring->next.ahead, copy, target_of(copy));
        course[i].target = clone_deep(&outside, ring->next.ahead, target_of(copy), true);
        all = test_copy(emit, copy, &course[i], all);
    }
    for (size_t i = 0; i < ring->copies.count; i += (size_t)ring->choice.together) {
        const RingCopy *copy = ring->copies.item[i];
        size_t number = i / (size_t)ring->choice.together;
        if (copy->row)
            row_open(maker, number, copy, &course[i], &maker->courses[i]);
        else
            open_wide(maker, number, copy, &course[i]);
    }
    ring_set(maker, maker->is_wide, emit_all(emit, all));
}

void wide_none(RingMaker *maker)
{
    if (!maker->is_wide)
        maker->is_wide = ring_local(maker, maker->emit.i1, "wide");
    ring_set(maker, maker->is_wide, LLVMConstInt(maker->emit.i1, 0, false));
}

LLVMBasicBlockRef wide_open(RingMaker *maker, LLVMBasicBlockRef before)
{
    Emit *emit = &maker->emit;
    emit_before(emit, LLVMGetBasicBlockTerminator(before));
    emit_lane(emit);
    wide_none(maker);
    emit_if(emit, emit_full_warp(emit));
    if (maker->ring->shape.parted)
        emit_if(emit, emit_all(emit, reach_copies(maker)));
    test_warp(maker);
    if (maker->ring->shape.parted)
        emit_end_if(emit);
    emit_end_if(emit);
    return LLVMGetInsertBlock(emit->builder);
}

/* ---- stages ---- */

static void copy_wide(RingMaker *maker, const Wide *wide, LLVMValueRef fill)
{
    Emit *emit = &maker->emit;
    const Ring *ring = maker->ring;
    int tiles = tiles_of(maker, wide->copy);
    LLVMValueRef source = ring_get(maker, wide->source, LLVMTypeOf(source_of(wide->copy)));
    LLVMValueRef step = emit_binary(emit, LLVMMul, ring_get(maker, wide->step, emit->i64), tiles);
    LLVMValueRef target = emit_advance(emit, ring_get(maker, wide->target, LLVMTypeOf(target_of(wide->copy))), fill);
    LLVMSetCurrentDebugLocation2(emit->builder, LLVMInstructionGetDebugLoc(wide->copy->load));
    for (int tile = 0; tile < ring->choice.batch; tile += tiles) {
        ring_mark(maker, emit_copy_async(emit, emit_advance_by(emit, target, tile * ring->tile.bytes), source, COPY_WIDEST, NULL));
        source = emit_advance(emit, source, step);
    }
    ring_set(maker, wide->source, source);
}

static void fill_wide(RingMaker *maker, LLVMValueRef alive, LLVMValueRef *counters)
{
    LLVMValueRef fill = ring_get(maker, maker->fill, maker->emit.i32);
    for (size_t i = 0; i < maker->wide.count; i++) {
        const Wide *wide = maker->wide.item[i];
        (wide->row ? row_copy : copy_wide)(maker, wide, fill);
    }
    ahead_set(maker, alive, counters);
    ring_step(maker, maker->fill, maker->ring->choice.batch);
}

void wide_stage(RingMaker *maker, void (*otherwise)(RingMaker *))
{
    Emit *emit = &maker->emit;
    LLVMValueRef alive, *counters = ARENA_ARRAY(emit->arena, LLVMValueRef, maker->ring->next.state.count);
    ahead_get(maker, &alive, counters);
    LLVMValueRef all = ahead_try_steps(maker, maker->ring->choice.batch, &alive, counters, true);
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
