/* Loads come in front of the quotient that parts them from those before (analysis/ahead/parted.c). */
#include "analysis/ahead/lookahead.h"
#include "transform/transform.h"

/* Does it stand behind the place? Of one block. */
static bool is_below(const void *context, LLVMValueRef value)
{
    LLVMValueRef place = (LLVMValueRef)context;
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) != LLVMGetInstructionParent(place) || LLVMIsAPHINode(value))
        return false;
    for (LLVMValueRef i = place; i; i = LLVMGetNextInstruction(i))
        if (i == value)
            return true;
    return false;
}

void parted_raise(Arena *arena, const List *parted)
{
    LLVMBuilderRef builder = parted->count ? LLVMCreateBuilderInContext(
                                                 LLVMGetTypeContext(LLVMTypeOf(((const PartedLoad *)parted->item[0])->load)))
                                           : NULL;
    for (size_t i = 0; i < parted->count; i++) {
        const PartedLoad *one = parted->item[i];
        const List order = slice_order(arena, one->load, is_below, one->place);
        LLVMPositionBuilderBefore(builder, one->place);
        for (size_t j = 0; j < order.count; j++) {
            LLVMInstructionRemoveFromParent(order.item[j]);
            LLVMInsertIntoBuilder(builder, order.item[j]);
        }
    }
    if (builder)
        LLVMDisposeBuilder(builder);
}
