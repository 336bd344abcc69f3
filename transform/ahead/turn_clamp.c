/* A neighbour that is kept within bounds: the distance is added first.
 *
 *     max(x, -2) + 2       ->       max(x + 2, 0)
 *     max(x, 1) - 1        ->       max(max(x, 0) - 1, 0)         max(x, 0) is there for the neighbour at no distance: the backend makes one of both
 */
#include "transform/transform.h"

static LLVMValueRef higher_of(LLVMBuilderRef builder, const Clamp *clamp, LLVMValueRef number, LLVMValueRef least)
{
    LLVMValueRef both[] = {number, least}, callee = LLVMGetCalledValue(clamp->higher);
    return LLVMBuildCall2(builder, LLVMGlobalGetValueType(callee), callee, both, 2, "");
}

void clamp_turn(const Clamp *clamp)
{
    LLVMTypeRef type = LLVMTypeOf(clamp->sum);
    LLVMValueRef least = LLVMConstInt(type, (uint64_t)clamp->least, true), number = clamp->number;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(builder, clamp->sum);
    if (clamp->is_behind_own)
        number = higher_of(builder, clamp, number, least);
    LLVMValueRef moved = LLVMBuildNSWAdd(builder, number, LLVMConstInt(type, (uint64_t)clamp->by, true), "");
    LLVMReplaceAllUsesWith(clamp->sum, higher_of(builder, clamp, moved, least));
    LLVMInstructionEraseFromParent(clamp->sum);
    LLVMInstructionEraseFromParent(clamp->higher);
    LLVMDisposeBuilder(builder);
}
