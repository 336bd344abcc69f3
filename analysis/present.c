/* Do all threads of the block come to a place together, so that they may share out work there?
 *
 *     if (threadIdx.x < 5) f();           all ways meet again before the place: nobody is missing
 *     for (i = 0; i < n; i++)             every thread counts alike
 *         place
 *
 * A branch that decides whether, or how often, the place is met must go one way in all threads of the block; any other
 * branch must let all threads meet again before it. */
#include "coalda.h"

static bool parts_threads(Scope *scope, LLVMBasicBlockRef branch, LLVMBasicBlockRef place)
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(branch);
    return LLVMGetNumSuccessors(jump) > 1 && !alike_in_block(scope, LLVMGetOperand(jump, 0)) &&
           way_decides(scope->kernel, branch, place, NULL);
}

bool present_all(Scope *scope, LLVMBasicBlockRef place)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        if (ir_reachable(scope->kernel->ir, b) && parts_threads(scope, b, place))
            return false;
    return true;
}
