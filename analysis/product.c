/* Would a longer loop, or one without its jumps, show the backend products and sums in one block that are in two now? It would
 * fuse them, and round once where the original rounds twice.
 *
 *     last = 0
 *     for (...) { s += last; last = a * b }      s + last is a sum; in a longer body it would be fma(a, b, s) */
#include "coalda.h"

static LLVMValueRef without_sign(LLVMValueRef value)
{
    return is_op(value, LLVMFNeg) ? LLVMGetOperand(value, 0) : value;
}

/* A product that comes to this block from another. */
static bool is_foreign_product(LLVMValueRef value, LLVMBasicBlockRef block)
{
    value = without_sign(value);
    if (is_op(value, LLVMFMul))
        return LLVMGetInstructionParent(value) != block;
    for (unsigned i = 0; LLVMIsAPHINode(value) && i < LLVMCountIncoming(value); i++)
        if (is_op(without_sign(LLVMGetIncomingValue(value, i)), LLVMFMul))
            return true;
    return false;
}

static bool adds_foreign_product(LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    if (!is_op(instruction, LLVMFAdd) && !is_op(instruction, LLVMFSub))
        return false;
    return is_foreign_product(LLVMGetOperand(instruction, 0), block) || is_foreign_product(LLVMGetOperand(instruction, 1), block);
}

/* Is a product of the loop used behind it? */
static bool leaves(IrLoop *loop, LLVMValueRef instruction)
{
    if (!is_op(without_sign(instruction), LLVMFMul))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(instruction); use; use = LLVMGetNextUse(use))
        if (!ir_loop_has_block(loop, LLVMGetInstructionParent(LLVMGetUser(use))))
            return true;
    return false;
}

bool product_crosses(IrLoop *loop)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(ir_loop_header(loop));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (adds_foreign_product(i) || leaves(loop, i))
                return true;
    return false;
}
