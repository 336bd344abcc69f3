/* Do all threads of the block come to a place together, so that they may share out work there?
 *
 *     if (threadIdx.x < 5) f();           all ways meet again before the place: nobody is missing
 *     for (i = 0; i < n; i++)             every thread counts alike
 *         place
 *
 * A branch that decides whether, or how often, the place is met must go one way in all threads of the block; any other
 * branch must let all threads meet again before it. */
#include "coalda.h"

/* Can the way from the block lead to the place before it has come to the meeting? */
static bool passes(LLVMBasicBlockRef block, LLVMBasicBlockRef meeting, LLVMBasicBlockRef place, Map *seen)
{
    if (block == meeting || map_get(seen, block))
        return false;
    if (block == place)
        return true;
    map_put(seen, block, block);
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
        if (passes(LLVMGetSuccessor(jump, s), meeting, place, seen))
            return true;
    return false;
}

static bool parts_threads(Scope *scope, LLVMBasicBlockRef branch, LLVMBasicBlockRef place)
{
    Arena *arena = scope->kernel->arena;
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(branch);
    if (LLVMGetNumSuccessors(jump) < 2 || alike_in_block(scope, LLVMGetOperand(jump, 0)))
        return false;
    LLVMBasicBlockRef meeting = ir_meeting(scope->kernel->ir, branch);
    Map *seen = map_new(arena);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
        if (passes(LLVMGetSuccessor(jump, s), meeting, place, seen))
            return true;
    return false;
}

bool present_all(Scope *scope, LLVMBasicBlockRef place)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        if (ir_reachable(scope->kernel->ir, b) && parts_threads(scope, b, place))
            return false;
    return true;
}
