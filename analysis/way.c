/* Ways through a function: from the end of a block, by the blocks that follow.
 *
 *     branch
 *      / \
 *     a  place        the branch decides whether place is met: a way leads there before all ways meet again
 *      \ /
 *     meeting  */
#include "coalda.h"

bool way_leads(Arena *arena, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef around, LLVMBasicBlockRef end)
{
    Map *seen = map_new(arena);
    List pending = list_new(arena);
    list_add(&pending, from);
    for (size_t i = 0; i < pending.count; i++) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(pending.item[i]);
        if (!to && LLVMIsAReturnInst(jump))
            return true;
        for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
            if (next == around || map_get(seen, next))
                continue;
            if (next == to)
                return true;
            if (next != end)
                list_add(&pending, next);
            map_put(seen, next, next);
        }
    }
    return false;
}

bool way_leads_to_any(Arena *arena, LLVMBasicBlockRef from, const Map *those, LLVMBasicBlockRef end)
{
    Map *seen = map_new(arena);
    List pending = list_new(arena);
    list_add(&pending, from);
    for (size_t i = 0; i < pending.count; i++) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(pending.item[i]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
            if (next == end || map_get(seen, next))
                continue;
            if (map_get(those, next))
                return true;
            map_put(seen, next, next);
            list_add(&pending, next);
        }
    }
    return false;
}

/* Blocks that lead to one of those found before are found, until there are no more: nearly all in one go, from the last to the
 * first. */
static Map *find_returning(const Scope *scope)
{
    Map *returning = map_new(scope->kernel->arena);
    for (bool more = true; more;) {
        more = false;
        for (LLVMBasicBlockRef b = LLVMGetLastBasicBlock(scope->function); b; b = LLVMGetPreviousBasicBlock(b)) {
            LLVMValueRef jump = LLVMGetBasicBlockTerminator(b);
            bool returns = LLVMIsAReturnInst(jump);
            for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
                returns |= map_get(returning, LLVMGetSuccessor(jump, s)) != NULL;
            if (!returns || map_get(returning, b))
                continue;
            map_put(returning, b, b);
            more = true;
        }
    }
    return returning;
}

bool way_returns(Scope *scope, LLVMBasicBlockRef block)
{
    if (!scope->returning)
        scope->returning = find_returning(scope);
    return map_get(scope->returning, block);
}

bool way_decides(const Kernel *kernel, LLVMBasicBlockRef branch, LLVMBasicBlockRef place, LLVMBasicBlockRef end)
{
    return way_leads(kernel->arena, branch, place, ir_meeting(kernel->ir, branch), end);
}
