/* Ways through a function: from the end of a block, by the blocks that follow.
 *
 *     branch
 *      / \
 *     a  place        the branch decides whether place is met: a way leads there before all ways meet again
 *      \ /
 *     meeting  */
#include "analysis/facts/facts.h"

static bool leads(Arena *arena, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef around, LLVMBasicBlockRef end)
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

static bool leads_to_any(Arena *arena, LLVMBasicBlockRef from, const Map *those, LLVMBasicBlockRef end)
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

bool path_leads(Arena *arena, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef around, LLVMBasicBlockRef end)
{
    ArenaMark mark = arena_mark(arena);
    bool any = leads(arena, from, to, around, end);
    arena_back(arena, mark);
    return any;
}

bool path_leads_to_any(Arena *arena, LLVMBasicBlockRef from, const Map *those, LLVMBasicBlockRef end)
{
    ArenaMark mark = arena_mark(arena);
    bool any = leads_to_any(arena, from, those, end);
    arena_back(arena, mark);
    return any;
}

static void returning_add(Map *returning, List *pending, LLVMBasicBlockRef block)
{
    if (map_get(returning, block))
        return;
    map_put(returning, block, block);
    list_add(pending, block);
}

/* Blocks that lead to one of those found before are found, until there are no more. */
static Map *find_returning(const Scope *scope)
{
    Map *returning = map_new(scope->kernel->arena);
    List pending = list_new(scope->kernel->arena);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(b)))
            returning_add(returning, &pending, b);
    while (pending.count) {
        LLVMValueRef block = LLVMBasicBlockAsValue(pending.item[--pending.count]);
        for (LLVMUseRef use = LLVMGetFirstUse(block); use; use = LLVMGetNextUse(use))
            if (LLVMIsATerminatorInst(LLVMGetUser(use)))
                returning_add(returning, &pending, LLVMGetInstructionParent(LLVMGetUser(use)));
    }
    return returning;
}

bool path_returns(Scope *scope, LLVMBasicBlockRef block)
{
    if (!scope->returning)
        scope->returning = find_returning(scope);
    return map_get(scope->returning, block);
}

bool path_decides(const Kernel *kernel, LLVMBasicBlockRef branch, LLVMBasicBlockRef place, LLVMBasicBlockRef end)
{
    return path_leads(kernel->arena, branch, place, ir_meeting(kernel->ir, branch), end);
}

bool loop_leaves(IrLoop *loop, LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (!ir_loop_has_block(loop, LLVMGetSuccessor(end, i)))
            return true;
    return false;
}
