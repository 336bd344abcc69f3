/* A barrier that the last iteration leaves out, or the first. One more harms nobody where all threads of the block come to the condition
 * together and answer it alike; the loop is one of two barriers in each iteration then:
 *
 *     use s; if (k + 1 < n) barrier;      ->      use s; barrier; if (k + 1 < n) ; */
#include "transform/transform.h"

/* The barrier that the block begins with. */
static LLVMValueRef first_barrier(LLVMBasicBlockRef block)
{
    LLVMValueRef first = LLVMGetFirstInstruction(block);
    return first && is_whole_barrier(first) && LLVMGetTypeKind(LLVMTypeOf(first)) == LLVMVoidTypeKind ? first : NULL;
}

/* The one block that leads to this one, where it leads elsewhere as well. */
static LLVMBasicBlockRef chooser_of(LLVMBasicBlockRef block)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMValueRef jump = use && !LLVMGetNextUse(use) ? LLVMIsATerminatorInst(LLVMGetUser(use)) : NULL;
    return jump && LLVMGetNumSuccessors(jump) > 1 ? LLVMGetInstructionParent(jump) : NULL;
}

static void complete(Scope *scope, LLVMBasicBlockRef block)
{
    LLVMValueRef barrier = first_barrier(block);
    LLVMBasicBlockRef above = barrier && ir_loop_of(scope->kernel->ir, block) ? chooser_of(block) : NULL;
    if (!above || ir_loop_of(scope->kernel->ir, above) != ir_loop_of(scope->kernel->ir, block) || !converges_all(scope, above) ||
        !uniform_in_block(scope, LLVMGetOperand(LLVMGetBasicBlockTerminator(above), 0)))
        return;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(scope->kernel->module));
    LLVMInstructionRemoveFromParent(barrier);
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(above));
    LLVMInsertIntoBuilder(builder, barrier);
    LLVMDisposeBuilder(builder);
}

void barriers_complete(Scope *scope)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        complete(scope, b);
}
