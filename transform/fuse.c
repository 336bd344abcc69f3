/* Which multiplications and additions become one is settled before any code is moved: the backend fuses those that it sees in
 * one block, and must not see others when the blocks are cut in another way.
 *
 *     m = a * b                 contract
 *     s = m + c                 contract            ->        s = fma(a, b, c)
 *
 * The choice is the backend's own (analysis/product.c). */
#include "emit.h"

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
    int at = product_in(sum);
    if (at < 0)
        return;
    LLVMValueRef product = LLVMGetOperand(sum, (unsigned)at);
    emit_before(emit, sum);
    LLVMReplaceAllUsesWith(sum, fused(emit, sum, at));
    LLVMInstructionEraseFromParent(sum);
    if (!LLVMGetFirstUse(product))
        LLVMInstructionEraseFromParent(product);
}

void fuse_settle(LLVMValueRef function)
{
    Arena *arena = arena_new();
    Emit emit = emit_open(arena, function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        List sums = list_new(arena);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (product_in(i) >= 0)
                list_add(&sums, i);
        for (size_t i = sums.count; i-- > 0;) /* users come before what they use, as in the backend */
            settle_sum(&emit, sums.item[i]);
    }
    emit_close(&emit);
    arena_free(arena);
}
