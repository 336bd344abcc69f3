/* Two versions of the loop: a ring, where the tests on entry hold and the launch is one that gains, and the original.
 *
 *     loop: copy g; filled; use; w[i] = x; freed    ->    if (all threads: all of g, for this loop, lies apart from all of w)
 *                                                             the loop, to become a ring
 *                                                         else
 *                                                             the loop as it is
 *
 * What a thread reads and what it writes lie on different sides of a pointer that all threads share. So do then what all
 * read and what all write. */
#include "transform/rings/make_ring.h"

typedef struct {
    IrModule *ir;
    const Ring *ring;
    Emit emit;
    LLVMValueRef place;
    LLVMValueRef holds; /* all that was asked for so far; NULL before anything was */
} Tests;

static void want(Tests *tests, LLVMValueRef condition)
{
    tests->holds = emit_both(&tests->emit, tests->holds, condition);
}

static LLVMValueRef is_up_to(Tests *tests, LLVMValueRef a, LLVMValueRef b)
{
    return LLVMBuildICmp(tests->emit.builder, LLVMIntULE, a, b, "");
}

static IrExtent extent_of(Tests *tests, LLVMValueRef pointer, int64_t bytes)
{
    IrExtent extent;
    ir_extent(tests->ir, tests->ring->function, tests->ring->header, pointer, bytes, tests->place, &extent);
    want(tests, extent.holds);
    return extent;
}

/* Does the one with the lower base end where the base of the other is, and the other not begin before that? */
static void want_apart(Tests *tests, const RingTest *test)
{
    Emit *emit = &tests->emit;
    IrExtent read = extent_of(tests, test->read, test->bytes_read);
    IrExtent written = extent_of(tests, test->written, test->bytes_written);
    LLVMValueRef from = emit_address(emit, read.base), to = emit_address(emit, written.base);
    LLVMValueRef below = LLVMBuildICmp(emit->builder, LLVMIntULT, from, to, "");
    LLVMValueRef between = emit_select(emit, below, to, from);
    want(tests, is_up_to(tests, emit_select(emit, below, read.high, written.high), between));
    want(tests, is_up_to(tests, between, emit_select(emit, below, written.low, read.low)));
}

/* What filled is to its threads, the vote is as well. */
static LLVMValueRef vote(Tests *tests)
{
    Emit *emit = &tests->emit;
    bool aligned = strstr(callee_name(tests->ring->filled), "aligned");
    LLVMValueRef args[] = {emit_int(emit, 0), tests->holds};
    return emit_call(emit, aligned ? "llvm.nvvm.barrier.cta.red.and.aligned.all" : "llvm.nvvm.barrier.cta.red.and.all",
                     emit->i1, args, 2);
}

LLVMBasicBlockRef apart_open(IrModule *ir, const Ring *ring, LLVMBasicBlockRef before)
{
    LLVMBasicBlockRef original = ring->header;
    Tests tests = {ir, ring, emit_open(ring->arena, ring->function), LLVMGetBasicBlockTerminator(before), NULL};
    emit_before(&tests.emit, tests.place);
    for (size_t i = 0; i < ring->tests.count; i++)
        want_apart(&tests, ring->tests.item[i]);
    for (size_t i = 0; i < ring->owns.count; i++)
        want(&tests, own_places(&tests.emit, ring->owns.item[i]));
    if (ring->most)
        want(&tests, emit_is_small_launch(&tests.emit, ring->function, ring->most));
    LLVMValueRef holds = ring->tests.count ? vote(&tests) : tests.holds; /* what the block shares needs no vote */
    before = ir_loop_version(ir, ring->function, ring->header, holds, &original, 1);
    mark_loop(ir, original, is_block_barrier, ASIDE_METADATA); /* for good: the tile loop is not looked for again */
    emit_close(&tests.emit);
    return before;
}
