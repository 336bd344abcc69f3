/* The way out of a longer loop, into the one that does the rest.
 *
 *     rest.before:  left = phi [n & 31, ...]               leave:        more = n - done; to rest.before
 *                                                    ->    rest.before:  left = phi [n & 31, ...], [more, leave] */
#include "transform/records/leave_loop.h"

/* What the marked call is given comes by as many ways as the block is entered. */
static LLVMValueRef left_phi(Emit *emit, const Leave *leave)
{
    LLVMValueRef left = LLVMGetOperand(leave->left, 0), other = LLVMGetFirstInstruction(leave->rest);
    if (LLVMIsAPHINode(left) && LLVMGetInstructionParent(left) == leave->rest)
        return left;
    LLVMValueRef phi = emit_phi_like(emit, other, left, NULL);
    LLVMSetOperand(leave->left, 0, phi);
    return phi;
}

LLVMBasicBlockRef leave_open(Emit *emit, const Leave *leave, LLVMBasicBlockRef before)
{
    LLVMBasicBlockRef block = LLVMInsertBasicBlockInContext(emit->context, before, "");
    LLVMValueRef phi = left_phi(emit, leave);
    LLVMPositionBuilderAtEnd(emit->builder, block);
    LLVMValueRef more = LLVMBuildSub(emit->builder, LLVMGetOperand(leave->left, 1), leave->done, "");
    LLVMBuildBr(emit->builder, leave->rest);
    LLVMAddIncoming(phi, &more, &block, 1);
    LLVMValueRef next = LLVMGetNextInstruction(phi);
    for (size_t i = 0; i < leave->values.count; i++, next = LLVMGetNextInstruction(next)) {
        LLVMValueRef value = leave->values.item[i];
        LLVMAddIncoming(next, &value, &block, 1);
    }
    return block;
}
