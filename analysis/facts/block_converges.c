/* Do all threads of the block come to a place together, so that they may share out work there, or meet at a barrier?
 *
 *     if (threadIdx.x < 5) f();           all ways meet again before the place: nobody is missing
 *     for (i = 0; i < n; i++)             every thread counts alike
 *         place
 *
 * A branch that decides whether, or how often, the place is met must go one way in all threads of the block. Any other branch
 * lets all threads meet again before it, or come to it before they end: who ends in a trap ends them all. */
#include "analysis/facts/facts.h"

/* Can a thread come to the place from here, and another end without it? */
static bool may_miss(Arena *arena, LLVMBasicBlockRef branch, LLVMBasicBlockRef place)
{
    return path_leads(arena, branch, place, NULL, NULL) && path_leads(arena, branch, NULL, place, NULL);
}

/* Has the branch two ways at least that do not end in a trap? */
static bool chooses(Scope *scope, LLVMBasicBlockRef branch, LLVMBasicBlockRef place)
{
    int ways = 0;
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(branch);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
        ways += next == place || path_returns(scope, next) || path_leads(scope->kernel->arena, next, place, NULL, NULL);
    }
    return ways > 1;
}

bool converges_parts(Scope *scope, LLVMBasicBlockRef branch, LLVMBasicBlockRef place,
                     bool (*alike)(Scope *scope, LLVMValueRef value))
{
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(branch);
    return LLVMGetNumSuccessors(jump) > 1 && path_decides(scope->kernel, branch, place, NULL) &&
           may_miss(scope->kernel->arena, branch, place) && chooses(scope, branch, place) && !alike(scope, LLVMGetOperand(jump, 0));
}

bool converges_all(Scope *scope, LLVMBasicBlockRef place)
{
    enum { MOST_BLOCKS = 4096 }; /* each branch is followed through all of them */
    if (LLVMCountBasicBlocks(scope->function) > MOST_BLOCKS)
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        if (ir_reachable(scope->kernel->ir, b) && converges_parts(scope, b, place, uniform_in_block))
            return false;
    return true;
}
