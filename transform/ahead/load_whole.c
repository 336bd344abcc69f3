/* Words of a struct are loaded together, where the first of them was.
 *
 *     x = s->x; if (x < m) use s->y, s->w       ->       v = 16 bytes of s; if (v[0] < m) use v[1], v[3]
 */
#include "transform/transform.h"

/* All words have the type of the first one, until they are taken out. */
static void take(LLVMBuilderRef builder, LLVMValueRef all, LLVMValueRef load, unsigned number)
{
    LLVMTypeRef type = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(load)));
    LLVMValueRef word = LLVMBuildExtractElement(builder, all, LLVMConstInt(type, number, false), "");
    if (LLVMTypeOf(word) != LLVMTypeOf(load))
        word = LLVMBuildBitCast(builder, word, LLVMTypeOf(load), "");
    LLVMReplaceAllUsesWith(load, word);
    LLVMInstructionEraseFromParent(load);
}

void whole_load(const Whole *whole)
{
    LLVMTypeRef type = LLVMTypeOf(whole->first);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
    LLVMPositionBuilderBefore(builder, whole->first);
    LLVMValueRef all = LLVMBuildLoad2(builder, LLVMVectorType(type, whole->words), whole->place, "");
    LLVMSetAlignment(all, LLVMGetAlignment(whole->first));
    for (int i = 0; i < whole->others; i++)
        take(builder, all, whole->other[i].load, whole->other[i].number);
    take(builder, all, whole->first, 0);
    LLVMDisposeBuilder(builder);
}
