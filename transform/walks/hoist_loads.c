/* In a loop that was made longer, chosen loads of all iterations come first (analysis/walks/load_hoist.c):
 *
 *     header:  v0 = a[0]; if (...) ...             header:  v0 = a[0]; v1 = a[1]; v2 = a[2]; ...; if (...) ...
 *     ...      v1 = a[1]; if (...) ...       ->    ...      if (...) ...
 *     ...      v2 = a[2]; if (...) ...             ...      if (...) ... */
#include "transform/emit/emit.h"
#include "transform/transform.h"

void hoist_mark(IrModule *ir, LLVMBasicBlockRef header, const List *numbers, const char *name)
{
    IrLoop *loop = ir_loop_of(ir, header);
    intptr_t number = 0;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(header));
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && list_has(numbers, (const void *)number++))
                mark_add(i, name);
}

static bool is_below_header(const void *loop, LLVMValueRef value)
{
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    return block && block != ir_loop_header((IrLoop *)loop) && ir_loop_has_block((IrLoop *)loop, block);
}

/* Before the end of the header, with all that it is made of. */
static void raise(Arena *arena, IrLoop *loop, LLVMBuilderRef builder, LLVMValueRef value)
{
    const List order = slice_order(arena, value, is_below_header, loop);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(ir_loop_header(loop)));
    for (size_t i = 0; i < order.count; i++) {
        LLVMInstructionRemoveFromParent(order.item[i]);
        LLVMInsertIntoBuilder(builder, order.item[i]);
    }
}

void hoist_raise(IrModule *ir, LLVMValueRef function, const Map *longer)
{
    Arena *arena = arena_new();
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!ir_is_marked(i, HOIST_METADATA))
                continue;
            mark_drop(i, HOIST_METADATA);
            IrLoop *loop = ir_loop_of(ir, b);
            if (loop && map_get(longer, ir_loop_header(loop)))
                raise(arena, loop, builder, i);
        }
    LLVMDisposeBuilder(builder);
    arena_free(arena);
}
