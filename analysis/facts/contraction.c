/* Would a longer loop, or one without its jumps, show the backend products and sums in one block that are in two now? It would
 * fuse them, and round once where the original rounds twice.
 *
 *     last = 0
 *     for (...) { s += last; last = a * b }      s + last is a sum; in a longer body it would be fma(a, b, s) */
#include <string.h>

#include "analysis/facts/facts.h"

/* ---- what the backend fuses of what it sees in one block: an addition takes up its first factor that is a product, or its second
 * where fewer others use that one ---- */

static bool contracts(LLVMValueRef value)
{
    return LLVMCanValueUseFastMathFlags(value) && LLVMGetFastMathFlags(value) & LLVMFastMathAllowContract;
}

static bool is_product(LLVMValueRef value, LLVMBasicBlockRef block)
{
    return is_op(value, LLVMFMul) && LLVMGetInstructionParent(value) == block && contracts(value);
}

/* As the backend counts, which looks at one block at a time: all others are one. */
static int uses_of(LLVMValueRef product)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(product);
    int here = 0;
    bool elsewhere = false;
    for (LLVMUseRef use = LLVMGetFirstUse(product); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool inside = LLVMGetInstructionParent(user) == block && !LLVMIsAPHINode(user);
        here += inside;
        elsewhere |= !inside;
    }
    return here + elsewhere;
}

bool is_sum(LLVMValueRef value) { return is_op(value, LLVMFAdd) || is_op(value, LLVMFSub); }

int product_in(LLVMValueRef sum)
{
    if (!is_sum(sum) || !contracts(sum))
        return -1;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(sum);
    LLVMValueRef first = LLVMGetOperand(sum, 0), second = LLVMGetOperand(sum, 1);
    bool is_first = is_product(first, block), is_second = is_product(second, block);
    if (first == second || !(is_first || is_second))
        return -1;
    return is_first && !(is_second && uses_of(first) > uses_of(second)) ? 0 : 1;
}

/* ---- what the backend is asked for ---- */

static bool is_sign(LLVMValueRef instruction)
{
    static const char *const names[] = {"llvm.fabs.", "llvm.copysign."};
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    const char *name = callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &length) : "";
    return is_op(instruction, LLVMFNeg) || strncmp(name, names[0], strlen(names[0])) == 0 ||
           strncmp(name, names[1], strlen(names[1])) == 0;
}

/* Its result is the same for every NaN. */
static bool is_arithmetic(LLVMValueRef user)
{
    static const char fma[] = "llvm.fma.";
    size_t length;
    LLVMValueRef callee = LLVMIsACallInst(user) ? LLVMGetCalledValue(user) : NULL;
    if (callee && LLVMIsAFunction(callee))
        return strncmp(LLVMGetValueName2(callee, &length), fma, sizeof fma - 1) == 0;
    return is_sum(user) || is_op(user, LLVMFMul) || is_op(user, LLVMFDiv) || is_op(user, LLVMFCmp);
}

bool product_is_moved(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (!is_arithmetic(LLVMGetUser(use)))
            return true;
    return false;
}

bool product_is_any(const IrModule *ir, LLVMValueRef function)
{
    bool all = ir_backend_fuses_all(ir);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if ((is_op(i, LLVMFMul) && (all || contracts(i))) || (is_sign(i) && product_is_moved(i)))
                return true;
    return false;
}

/* ---- products of other blocks ---- */

static LLVMValueRef without_sign(LLVMValueRef value) { return is_op(value, LLVMFNeg) ? LLVMGetOperand(value, 0) : value; }

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

/* A sum that takes up a product of its own block is settled with it, and takes up no other (transform/emit/settle_products.c). */
static bool adds_foreign_product(LLVMValueRef instruction)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);
    if (!is_sum(instruction) || product_in(instruction) >= 0)
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

static LLVMValueRef any_of_loop(IrLoop *loop, bool (*holds)(IrLoop *loop, LLVMValueRef instruction))
{
    LLVMValueRef function = LLVMGetBasicBlockParent(ir_loop_header(loop));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (holds(loop, i))
                return i;
    return NULL;
}

static bool crosses(IrLoop *loop, LLVMValueRef instruction)
{
    return adds_foreign_product(instruction) || leaves(loop, instruction);
}

bool product_comes_in(LLVMBasicBlockRef block)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        if (adds_foreign_product(i))
            return true;
    return false;
}

bool product_crosses(IrLoop *loop) { return any_of_loop(loop, crosses) != NULL; }

/* ---- loops that stay as they are ---- */

/* A phi of the loop's header that has a product from the loop. */
static bool is_carried(IrLoop *loop, LLVMValueRef value)
{
    value = without_sign(value);
    if (!LLVMIsAPHINode(value) || LLVMGetInstructionParent(value) != ir_loop_header(loop))
        return false;
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
        if (ir_loop_has_block(loop, LLVMGetIncomingBlock(value, i)) &&
            is_op(without_sign(LLVMGetIncomingValue(value, i)), LLVMFMul))
            return true;
    return false;
}

static bool adds_carried(IrLoop *loop, LLVMValueRef sum)
{
    return is_sum(sum) && contracts(sum) && (is_carried(loop, LLVMGetOperand(sum, 0)) || is_carried(loop, LLVMGetOperand(sum, 1)));
}

LLVMValueRef product_carried(IrLoop *loop) { return any_of_loop(loop, adds_carried); }

static bool is_used_elsewhere(LLVMValueRef product)
{
    for (LLVMUseRef use = LLVMGetFirstUse(product); use; use = LLVMGetNextUse(use))
        if (LLVMIsAPHINode(LLVMGetUser(use)) || LLVMGetInstructionParent(LLVMGetUser(use)) != LLVMGetInstructionParent(product))
            return true;
    return false;
}

/* Of two products the backend takes that with fewer users, and all users in other blocks are one to it. */
static bool is_open(LLVMValueRef sum)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(sum);
    LLVMValueRef first = without_sign(LLVMGetOperand(sum, 0)), second = without_sign(LLVMGetOperand(sum, 1));
    return is_foreign_product(first, block) || is_foreign_product(second, block) ||
           (is_product(first, block) && is_product(second, block) && (is_used_elsewhere(first) || is_used_elsewhere(second)));
}

bool product_is_open(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_sum(i) && contracts(i) && is_open(i))
                return true;
    return false;
}
