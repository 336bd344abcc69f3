/* A number that goes on under a condition is chosen: what it was, or what it comes to. */
#include "transform/transform.h"

/* What is not chosen may wrap around: nothing is said of it. */
static LLVMValueRef next_of(LLVMBuilderRef builder, LLVMOpcode op, LLVMValueRef number, const CountPart *part)
{
    LLVMValueRef next = LLVMBuildBinOp(builder, op, number, part->by, "");
    return LLVMBuildSelect(builder, part->condition, part->unless ? number : next, part->unless ? next : number, "");
}

/* What was added, and the sum of that, if there was one. What is added twice goes with the second. */
static void drop(LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || LLVMGetFirstUse(value))
        return;
    if (is_op(value, LLVMAdd) || is_op(value, LLVMSub) || is_op(value, LLVMXor))
        for (unsigned n = 0; n < 2; n++) {
            LLVMValueRef operand = LLVMGetOperand(value, n);
            LLVMSetOperand(value, n, LLVMGetPoison(LLVMTypeOf(operand)));
            drop(operand);
        }
    LLVMInstructionEraseFromParent(value);
}

void count_choose(const Counting *count)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(count->sum)));
    LLVMValueRef number = count->before;
    LLVMPositionBuilderBefore(builder, count->sum);
    for (int i = 0; i < count->parts; i++)
        number = next_of(builder, LLVMGetInstructionOpcode(count->sum), number, &count->part[i]);
    LLVMReplaceAllUsesWith(count->sum, number);
    drop(count->sum);
    LLVMDisposeBuilder(builder);
}
