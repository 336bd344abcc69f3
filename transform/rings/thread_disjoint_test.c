/* Does every thread of the block fill places of its own (analysis/rings/thread_disjoint.c)? Axis by axis, from the shortest step on:
 *
 *     s[y * 17 + x], 4 bytes     along x: steps of 4 bytes;     along y: of 68, at least as long as all of x
 *                                                                along z: none, so the block has no second layer */
#include "transform/rings/make_ring.h"

static LLVMValueRef extent_of(Emit *emit, int axis)
{
    const char *name = arena_text(emit->arena, "llvm.nvvm.read.ptx.sreg.ntid.%c", "xyz"[axis]);
    return LLVMBuildZExt(emit->builder, emit_call(emit, name, emit->i32, NULL, 0), emit->i64, "");
}

static LLVMValueRef step_of(Emit *emit, const FootprintAxis *axis)
{
    LLVMValueRef step = LLVMConstInt(emit->i64, (uint64_t)axis->step, false);
    for (int i = 0; i < 3; i++) {
        if (!(axis->extents & 1U << i))
            continue;
        LLVMValueRef extent = extent_of(emit, i);
        if (axis->divisor)
            extent = LLVMBuildUDiv(emit->builder, extent, LLVMConstInt(emit->i64, (uint64_t)axis->divisor, false), "");
        step = LLVMBuildMul(emit->builder, step, extent, "");
    }
    return step;
}

LLVMValueRef disjoint_test(Emit *emit, const Footprint *footprint)
{
    LLVMBuilderRef builder = emit->builder;
    LLVMValueRef all = LLVMConstInt(emit->i1, 1, false), one = LLVMConstInt(emit->i64, 1, false);
    LLVMValueRef reach = LLVMConstInt(emit->i64, (uint64_t)footprint->bytes, false); /* of all places so far */
    for (int i = 0; i < footprint->axes; i++) {
        const FootprintAxis *axis = &footprint->axis[i];
        LLVMValueRef step = step_of(emit, axis), apart = LLVMBuildICmp(builder, LLVMIntULE, reach, step, "");
        if (axis->kind == AXIS_ITERATIONS && !axis->count) { /* it is known how far its iterations go, or it is the last axis */
            all = LLVMBuildAnd(builder, all, apart, "");
            reach = LLVMConstInt(emit->i64, (uint64_t)axis->most, false);
            continue;
        }
        LLVMValueRef extent = axis->count ? LLVMConstInt(emit->i64, (uint64_t)axis->count, false) : extent_of(emit, axis->number);
        LLVMValueRef more = LLVMBuildSub(builder, extent, one, "");
        LLVMValueRef lone = LLVMBuildICmp(builder, LLVMIntEQ, more, LLVMConstNull(emit->i64), "");
        all = LLVMBuildAnd(builder, all, LLVMBuildOr(builder, lone, apart, ""), "");
        reach = LLVMBuildAdd(builder, reach, LLVMBuildMul(builder, step, more, ""), "");
    }
    return all;
}
