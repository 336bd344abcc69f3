/* What LLVM's vectorizer leaves over.
 *
 *     for (; k + 4 <= m; k += 4) ... four bytes of a[k]       the vectors
 *     for (; k < m; k++) ... a[k]                             at most three iterations, unless counters would wrap around, for which it stands there as well
 *
 * The second loop has all iterations of a program that no data are large enough for, so a walk of it is code and registers for nothing. Where LLVM has made vectors for a stride of 1 alone,
 * it has all iterations of others, and is a walk. */
#include "analysis/walks/walks.h"

static bool is_vectorized(IrLoop *loop)
{
    int64_t value;
    return ir_loop_option(loop, "isvectorized", &value) && value;
}

static bool is_vector_access(LLVMValueRef i)
{
    LLVMValueRef value = LLVMIsALoadInst(i) ? i : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : NULL;
    return value && LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind;
}

static bool moves_vectors(IrLoop *loop)
{
    bool any = false;
    for (size_t n = 0; n < ir_loop_size(loop) && !any; n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i && !any; i = LLVMGetNextInstruction(i))
            any = is_vector_access(i);
    return any;
}

/* Where the loop of vectors goes when it ends; NULL where it ends otherwise than at its latch. */
static LLVMBasicBlockRef behind(IrLoop *vectors)
{
    LLVMBasicBlockRef latch = ir_loop_latch(vectors);
    LLVMValueRef end = latch ? LLVMGetBasicBlockTerminator(latch) : NULL;
    for (unsigned i = 0; end && i < LLVMGetNumSuccessors(end); i++)
        if (!ir_loop_has_block(vectors, LLVMGetSuccessor(end, i)))
            return LLVMGetSuccessor(end, i);
    return NULL;
}

/* Is it asked there whether anything is left, and is the loop where that leads, and not where it goes on? */
static bool is_left_by(const Kernel *kernel, IrLoop *loop, IrLoop *vectors)
{
    LLVMBasicBlockRef asks = behind(vectors), header = ir_loop_header(loop);
    LLVMValueRef end = asks ? LLVMGetBasicBlockTerminator(asks) : NULL;
    IrLoop *around = ir_loop_parent(loop);
    LLVMBasicBlockRef from = around ? ir_loop_header(around) : LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(header));
    return end && LLVMGetNumSuccessors(end) == 2 &&
           ir_leads_around(kernel->ir, LLVMGetSuccessor(end, 0), header, from) !=
               ir_leads_around(kernel->ir, LLVMGetSuccessor(end, 1), header, from);
}

/* Does the condition, where it leads to the vectors, or its opposite does, say that something is 1? */
static bool says_one(LLVMValueRef condition, bool holds)
{
    enum { PARTS = 8 };
    LLVMValueRef open[PARTS] = {condition};
    bool any = false;
    for (size_t at = 0, count = 1; at < count && !any; at++) {
        bool splits = LLVMIsABinaryOperator(open[at]) && LLVMGetInstructionOpcode(open[at]) == (holds ? LLVMAnd : LLVMOr);
        for (unsigned i = 0; splits && i < 2 && count < PARTS; i++)
            open[count++] = LLVMGetOperand(open[at], i);
        LLVMValueRef one = LLVMIsAICmpInst(open[at]) ? LLVMIsAConstantInt(LLVMGetOperand(open[at], 1)) : NULL;
        any = one && LLVMConstIntGetZExtValue(one) == 1 && LLVMGetICmpPredicate(open[at]) == (holds ? LLVMIntEQ : LLVMIntNE);
    }
    return any;
}

/* Are there vectors only where a number that run time knows, a stride, is 1? Else all iterations are in the other loop. */
static bool is_for_one(const Kernel *kernel, IrLoop *vectors)
{
    enum { ABOVE = 8 };
    LLVMBasicBlockRef header = ir_loop_header(vectors), block = ir_idom(kernel->ir, header);
    bool any = false;
    for (int i = 0; block && i < ABOVE && !any; i++, block = ir_idom(kernel->ir, block)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
        if (LLVMIsABranchInst(end) && LLVMIsConditional(end))
            any = says_one(LLVMGetCondition(end), ir_dominates(kernel->ir, LLVMGetSuccessor(end, 0), header));
    }
    return any;
}

bool loop_is_vector_rest(const Kernel *kernel, IrLoop *loop)
{
    bool any = false;
    if (!is_vectorized(loop) || moves_vectors(loop))
        return false;
    LLVMValueRef function = LLVMGetBasicBlockParent(ir_loop_header(loop));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && !any; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *other = ir_loop_of(kernel->ir, b);
        bool beside = other && other != loop && ir_loop_header(other) == b && ir_loop_parent(other) == ir_loop_parent(loop);
        any = beside && is_vectorized(other) && moves_vectors(other) && is_left_by(kernel, loop, other) &&
              !is_for_one(kernel, other);
    }
    return any;
}
