/* What LLVM's vectorizer leaves over.
 *
 *     for (; k + 4 <= m; k += 4) ... four bytes of a[k]       the vectors
 *     for (; k < m; k++) ... a[k]                             at most three iterations, unless counters would wrap around, for which it stands there as well
 *
 * The second loop has all iterations of a program that no data are large enough for, so a walk of it is code and registers for nothing. */
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

bool loop_is_vector_rest(const Kernel *kernel, IrLoop *loop)
{
    bool any = false;
    if (!is_vectorized(loop) || moves_vectors(loop))
        return false;
    LLVMValueRef function = LLVMGetBasicBlockParent(ir_loop_header(loop));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && !any; b = LLVMGetNextBasicBlock(b)) {
        IrLoop *other = ir_loop_of(kernel->ir, b);
        bool beside = other && other != loop && ir_loop_header(other) == b && ir_loop_parent(other) == ir_loop_parent(loop);
        any = beside && is_vectorized(other) && moves_vectors(other);
    }
    return any;
}
