/* Words of a struct are loaded together, where the first of them was.
 *
 *     x = s->x; if (x < m) use s->y, s->w       ->       v = 16 bytes of s; if (v[0] < m) use v[1], v[3]
 */
#include "transform/transform.h"

/* All words have the type of the first one, until they are taken out. */
static void take(LLVMBuilderRef builder, LLVMValueRef all, LLVMValueRef load, int64_t number)
{
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(load)));
    LLVMValueRef word = LLVMBuildExtractElement(builder, all, LLVMConstInt(type, (uint64_t)number, false), "");
    if (LLVMTypeOf(word) != LLVMTypeOf(load))
        word = LLVMBuildBitCast(builder, word, LLVMTypeOf(load), "");
    LLVMReplaceAllUsesWith(load, word);
    LLVMInstructionEraseFromParent(load);
}

void whole_load(const Whole *whole)
{
    enum { WORD = 4 };
    LLVMTypeRef type = LLVMTypeOf(whole->first);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(builder, whole->first);
    LLVMValueRef all = LLVMBuildLoad2(builder, LLVMVectorType(type, whole->words), whole->place, "");
    LLVMSetAlignment(all, LLVMGetAlignment(whole->first));
    for (size_t i = 0; i < whole->others.count; i++) {
        int64_t offset = 0;
        ir_without_offset(LLVMGetOperand(whole->others.item[i], 0), &offset);
        take(builder, all, whole->others.item[i], offset / WORD);
    }
    take(builder, all, whole->first, 0);
    LLVMDisposeBuilder(builder);
}
