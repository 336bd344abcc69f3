/* Which multiplications and additions become one is settled before any code is moved: the backend fuses those that it sees in
 * one block, and must not see others when the blocks are cut in another way.
 *
 *     m = a * b                 contract
 *     s = m + c                 contract            ->        s = fma(a, b, c)
 *
 * The choice is the backend's own: an addition takes up its first factor that is a product, or its second where fewer others
 * use that one. */
#include "emit.h"

static bool contracts(LLVMValueRef value)
{
    return LLVMCanValueUseFastMathFlags(value) && LLVMGetFastMathFlags(value) & LLVMFastMathAllowContract;
}

static bool is_product(LLVMValueRef value, LLVMBasicBlockRef block)
{
    return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMFMul &&
           LLVMGetInstructionParent(value) == block && contracts(value);
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

/* The operand of the sum that is the product to be taken up; -1 where there is none. */
static int product_of(LLVMValueRef sum)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(sum);
    LLVMValueRef first = LLVMGetOperand(sum, 0), second = LLVMGetOperand(sum, 1);
    bool is_first = is_product(first, block), is_second = is_product(second, block);
    if (first == second || !(is_first || is_second))
        return -1;
    return is_first && !(is_second && uses_of(first) > uses_of(second)) ? 0 : 1;
}

/* a * b + c,   a * b - c = a * b + -c,   c - a * b = -a * b + c */
static LLVMValueRef fused(Emit *emit, LLVMValueRef sum, int at)
{
    LLVMValueRef product = LLVMGetOperand(sum, (unsigned)at), other = LLVMGetOperand(sum, 1 - (unsigned)at);
    LLVMValueRef args[] = {LLVMGetOperand(product, 0), LLVMGetOperand(product, 1), other};
    if (LLVMGetInstructionOpcode(sum) == LLVMFSub)
        args[at ? 0 : 2] = LLVMBuildFNeg(emit->builder, args[at ? 0 : 2], "");
    LLVMTypeRef type = LLVMTypeOf(sum);
    LLVMValueRef fma = LLVMGetIntrinsicDeclaration(emit->module, LLVMLookupIntrinsicID("llvm.fma", 8), &type, 1);
    LLVMValueRef call = LLVMBuildCall2(emit->builder, LLVMGlobalGetValueType(fma), fma, args, 3, "");
    LLVMSetFastMathFlags(call, LLVMGetFastMathFlags(sum));
    return call;
}

static void settle_sum(Emit *emit, LLVMValueRef sum)
{
    int at = product_of(sum);
    if (at < 0)
        return;
    LLVMValueRef product = LLVMGetOperand(sum, (unsigned)at);
    emit_before(emit, sum);
    LLVMReplaceAllUsesWith(sum, fused(emit, sum, at));
    LLVMInstructionEraseFromParent(sum);
    if (!LLVMGetFirstUse(product))
        LLVMInstructionEraseFromParent(product);
}

static bool is_sum(LLVMValueRef value)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return (op == LLVMFAdd || op == LLVMFSub) && contracts(value);
}

void fuse_settle(LLVMValueRef function)
{
    Arena *arena = arena_new();
    Emit emit = emit_open(arena, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        List sums = list_new(arena);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_sum(i))
                list_add(&sums, i);
        for (size_t i = sums.count; i-- > 0;) /* users come before what they use, as in the backend */
            settle_sum(&emit, sums.item[i]);
    }
    emit_close(&emit);
    arena_free(arena);
}
