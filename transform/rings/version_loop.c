/* Two versions of the loop: a ring, where the tests on entry hold and the launch is one that gains, and the original.
 *
 *     loop: copy g; filled; use; w[i] = x; freed    ->    if (all threads: all of g, for this loop, lies apart from all of w)
 *                                                             the loop, to become a ring
 *                                                         else
 *                                                             the loop as it is
 *
 * What a thread reads and what it writes lie on different sides of a pointer that all threads share. So do then what all
 * read and what all write. */
#include "transform/emit/version.h"
#include "transform/rings/make_ring.h"

static LLVMValueRef is_up_to(Emit *emit, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(emit->builder, LLVMIntULE, a, b, "");
}

/* What the loop reads there; or a function that tells its next iteration, which knows itself. */
static IrExtent extent_of_read(Version *version, const RingTest *test)
{
    IrExtent extent;
    if (!ir_is_step(test->read))
        return version_extent(version, test->read, test->bytes_read);
    ir_step_read(test->read, test->number, &extent);
    version_want(version, extent.holds);
    return extent;
}

/* Does the one with the lower base end where the base of the other is, and the other not begin before that? */
static void want_apart(Version *version, const RingTest *test)
{
    Emit *emit = &version->emit;
    IrExtent read = extent_of_read(version, test);
    IrExtent written = version_extent(version, test->written, test->bytes_written);
    LLVMValueRef from = emit_address(emit, read.base), to = emit_address(emit, written.base);
    LLVMValueRef below = LLVMBuildICmp(emit->builder, LLVMIntULT, from, to, "");
    LLVMValueRef between = emit_select(emit, below, to, from);
    version_want(version, is_up_to(emit, emit_select(emit, below, read.high, written.high), between));
    version_want(version, is_up_to(emit, between, emit_select(emit, below, written.low, read.low)));
}

/* Is it a multiple of the piece, in all iterations? */
static void want_aligned(Version *version, const Ring *ring, const RingCopy *copy)
{
    LLVMValueRef holds;
    bool known = ir_is_multiple(version->ir, ring->function, ring->header, copy->source, copy->piece, version->place, &holds);
    INVARIANT(known);
    version_want(version, holds);
}

/* What the barrier is to its threads, the vote is as well. */
static LLVMValueRef vote(Emit *emit, LLVMValueRef barrier, LLVMValueRef holds)
{
    bool aligned = strstr(callee_name(barrier), "aligned");
    LLVMValueRef args[] = {emit_int(emit, 0), holds};
    return emit_call(emit, aligned ? "llvm.nvvm.barrier.cta.red.and.aligned.all" : "llvm.nvvm.barrier.cta.red.and.all", emit->i1,
                     args, 2);
}

/* Is it what lane 0 has? */
static LLVMValueRef is_alike(Emit *emit, LLVMValueRef value)
{
    bool is_pointer = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind;
    LLVMValueRef own = is_pointer ? emit_address(emit, value) : value, first = emit_int(emit, 0);
    bool is_long = LLVMGetIntTypeWidth(LLVMTypeOf(own)) > 32;
    own = LLVMBuildZExtOrBitCast(emit->builder, own, is_long ? emit->i64 : emit->i32, "");
    first = is_long ? emit_address_of_lane(emit, own, first) : emit_word_of_lane(emit, own, first);
    return LLVMBuildICmp(emit->builder, LLVMIntEQ, own, first, "");
}

/* All 32 lanes of the warp are here, find it so, and have alike what is to be: lane 0's. Whoever misses some takes the original. */
static LLVMValueRef vote_of_warp(Version *version, const Ring *ring)
{
    Emit *emit = &version->emit;
    emit->here = emit_lanes_here(emit);
    LLVMValueRef all = emit_both(emit, version->holds, emit_are_all(emit, emit->here));
    if (ring->entry.counted)
        all = LLVMBuildAnd(emit->builder, all,
                           is_alike(emit, ir_loop_last(version->ir, ring->function, ring->header, version->place)), "");
    for (size_t i = 0; !ring->entry.counted && i < ring->entry.alike.count; i++)
        all = LLVMBuildAnd(emit->builder, all, is_alike(emit, ring->entry.alike.item[i]), "");
    return emit_all(emit, LLVMBuildFreeze(emit->builder, all, ""));
}

/* Does the loop, of so many iterations or, where that is 0, of as many as there are, have so many tiles? */
static LLVMValueRef reaches(Version *version, LLVMBasicBlockRef header, int64_t trips, int tiles)
{
    if (trips)
        return LLVMConstInt(version->emit.i1, trips >= tiles, false);
    return ir_loop_reaches(version->ir, version->function, header, tiles, version->place);
}

/* Has it tiles enough? In front of the one around, nobody knows whether it is come to. */
static void want_tiles(Version *version, LLVMBasicBlockRef header, int64_t trips, const RingLeast *least)
{
    Emit *emit = &version->emit;
    LLVMValueRef enough = reaches(version, header, trips, least->full);
    LLVMValueRef some = emit_launch_is_small(emit, version->function, least->threads);
    if (least->any > 1)
        some = emit_both(emit, some, reaches(version, header, trips, least->any));
    emit_before(emit, version->place);
    version_want(version, LLVMBuildFreeze(emit->builder, LLVMBuildOr(emit->builder, enough, some, ""), ""));
}

static LLVMValueRef twin_mark(LLVMValueRef jump)
{
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(jump)), TWIN_METADATA, sizeof TWIN_METADATA - 1);
    return LLVMGetMetadata(jump, kind);
}

static bool is_alone(LLVMValueRef function, LLVMValueRef jump)
{
    bool alone = true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef other = LLVMGetBasicBlockTerminator(b);
        alone &= other == jump || twin_mark(other) != twin_mark(jump);
    }
    return alone;
}

/* Rings of its tiles know the twin by it, and other versions that there are already. */
static void mark_twins(Arena *arena, IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(ir_loop_latch(ir_loop_of(ir, header)));
    bool alone = twin_mark(jump) != NULL;
    for (int number = 0; !alone; number++) {
        const char *which = arena_text(arena, "%d", number);
        mark_texts(jump, TWIN_METADATA, &which, 1);
        alone = is_alone(function, jump);
    }
}

LLVMBasicBlockRef ring_version(IrModule *ir, const Ring *ring)
{
    LLVMBasicBlockRef original = ring->runs.around ? ring->runs.around : ring->header;
    mark_twins(ring->arena, ir, ring->function, ring->header);
    Version version = version_open(ring->arena, ir, ring->function, original);
    if (ring->entry.least.full)
        want_tiles(&version, ring->header, ring->shape.trips, &ring->entry.least);
    for (size_t i = 0; i < ring->entry.tests.count; i++)
        want_apart(&version, ring->entry.tests.item[i]);
    for (size_t i = 0; i < ring->entry.owns.count; i++)
        version_want(&version, disjoint_test(&version.emit, &((const RingOwn *)ring->entry.owns.item[i])->footprint));
    for (size_t i = 0; i < ring->entry.globals.count; i++)
        version_want(&version, emit_is_global(&version.emit, ring->entry.globals.item[i]));
    for (size_t i = 0; i < ring->entry.aligned.count; i++)
        want_aligned(&version, ring, ring->entry.aligned.item[i]);
    if (ring->entry.together)
        version.holds = vote_of_warp(&version, ring);
    else if (ring_votes(ring)) /* what the block shares needs no vote */
        version.holds = vote(&version.emit, ring->shape.filled, version.holds);
    version_close(&version, &original, 1, ir_touches_memory, ASIDE_METADATA); /* for good: the tile loop is not looked for again */
    return ir_loop_before(ir_loop_of(ir, ring->header));
}

/* The loop's first barrier, in the order in which its blocks stand. */
static LLVMValueRef barrier_of(Version *version)
{
    IrLoop *loop = ir_loop_of(version->ir, version->header);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(version->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (is_block_barrier(i))
                return i;
    return NULL;
}

static void want_threads(Version *version, LLVMValueRef threads, int64_t least)
{
    if (least > 1)
        version_want(version, LLVMBuildICmp(version->emit.builder, LLVMIntUGE, threads, emit_int(&version->emit, least), ""));
}

/* Has each block threads enough? */
static void want_block(Version *version, const RingOriginal *asks)
{
    Emit *emit = &version->emit;
    LLVMValueRef x = emit_block_size(emit, 0), y = emit_block_size(emit, 1);
    want_threads(version, x, asks->along_x);
    want_threads(version, y, asks->along_y);
    want_threads(version, LLVMBuildMul(emit->builder, x, y, ""), asks->in_plane);
}

void original_version(Arena *arena, IrModule *ir, LLVMValueRef function, LLVMBasicBlockRef header, const RingOriginal *asks)
{
    mark_twins(arena, ir, function, header);
    Version version = version_open(arena, ir, function, header);
    if (asks->least.full && asks->counted)
        want_tiles(&version, header, 0, &asks->least);
    else if (asks->least.full)
        version_want(&version, emit_launch_is_small(&version.emit, function, asks->least.threads));
    want_block(&version, asks);
    for (size_t i = 0; i < asks->tests.count; i++)
        want_apart(&version, asks->tests.item[i]);
    if (asks->tests.count)
        version.holds = vote(&version.emit, barrier_of(&version), version.holds);
    if (version.holds)
        version_close(&version, &header, 1, ir_touches_memory, ASIDE_METADATA);
    else
        emit_close(&version.emit);
}
