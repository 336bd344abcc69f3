/* Words of a struct are loaded together, where the first of them was.
 *
 *     x = s->x; if (x < m) use s->y, s->w       ->       v = 16 bytes of s; if (v[0] < m) use v[1], v[3]
 */
#include "transform/transform.h"

void whole_load(const Whole *whole)
{
    LLVMTypeRef type = LLVMTypeOf(whole->first);
    LLVMContextRef context = LLVMGetTypeContext(type);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(whole->first))));
    int64_t size = (int64_t)LLVMABISizeOfType(layout, type);
    LLVMPositionBuilderBefore(builder, whole->first);
    LLVMValueRef all = LLVMBuildLoad2(builder, LLVMVectorType(type, (unsigned)(whole->bytes / size)), whole->place, "");
    LLVMSetAlignment(all, LLVMGetAlignment(whole->first));
    for (size_t i = 0; i <= whole->others.count; i++) {
        LLVMValueRef load = i < whole->others.count ? whole->others.item[i] : whole->first;
        int64_t offset = 0;
        if (load != whole->first)
            ir_without_offset(LLVMGetOperand(load, 0), &offset);
        LLVMValueRef number = LLVMConstInt(LLVMInt32TypeInContext(context), (uint64_t)(offset / size), false);
        LLVMReplaceAllUsesWith(load, LLVMBuildExtractElement(builder, all, number, ""));
        LLVMInstructionEraseFromParent(load);
    }
    LLVMDisposeBuilder(builder);
}
