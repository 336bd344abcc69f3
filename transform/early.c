/* In a loop that was made longer, chosen loads of all iterations come first (analysis/early.c):
 *
 *     header:  v0 = a[0]; if (...) ...             header:  v0 = a[0]; v1 = a[1]; v2 = a[2]; ...; if (...) ...
 *     ...      v1 = a[1]; if (...) ...       ->    ...      if (...) ...
 *     ...      v2 = a[2]; if (...) ...             ...      if (...) ... */
#include "emit.h"

void early_mark(IrModule *ir, LLVMBasicBlockRef header, const List *numbers, const char *name)
{
    IrLoop *loop = ir_loop_of(ir, header);
    intptr_t number = 0;
    LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(LLVMGetBasicBlockParent(header));
    for (; b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(loop, b); i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && list_has(numbers, (const void *)number++))
                mark_add(i, name);
}

/* Before the end of the header, with all that it is made of. */
static void raise(IrLoop *loop, LLVMBuilderRef builder, LLVMValueRef value)
{
    LLVMBasicBlockRef header = ir_loop_header(loop);
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    if (!block || block == header || !ir_loop_has_block(loop, block))
        return;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        raise(loop, builder, LLVMGetOperand(value, (unsigned)i));
    LLVMInstructionRemoveFromParent(value);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(header));
    LLVMInsertIntoBuilder(builder, value);
}

void early_raise(IrModule *ir, LLVMValueRef function, const Map *longer)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!ir_is_marked(i, EARLY_METADATA))
                continue;
            mark_drop(i, EARLY_METADATA);
            IrLoop *loop = ir_loop_of(ir, b);
            if (loop && map_get(longer, ir_loop_header(loop)))
                raise(loop, builder, i);
        }
    LLVMDisposeBuilder(builder);
}
