/* Ways of control from one instruction to another, and what lies on them. */
#include "analysis/explain/explain.h"

/* ---- one at a time ---- */

static void begins_add(List *begins, Map *seen, LLVMValueRef jump)
{
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
        if (!map_get(seen, next))
            list_add(begins, LLVMGetFirstInstruction(next));
        map_put(seen, next, next);
    }
}

/* Blocks whose begin control comes to behind `from`, and not past the other one; until it has come to `to`, if that is any. */
static bool ways_follow(Map *seen, Arena *arena, LLVMValueRef from, LLVMValueRef past, LLVMValueRef to)
{
    List begins = list_new(arena);
    if (LLVMIsATerminatorInst(from))
        begins_add(&begins, seen, from);
    else
        list_add(&begins, LLVMGetNextInstruction(from));
    for (size_t b = 0; b < begins.count; b++) {
        LLVMValueRef i = begins.item[b], last = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(i));
        while (i && i != past && i != to)
            i = LLVMGetNextInstruction(i);
        if (i && i == to)
            return true;
        if (!i)
            begins_add(&begins, seen, last);
    }
    return false;
}

bool leads_past_closed(Arena *arena, const List *closed, LLVMValueRef from, LLVMValueRef past, LLVMValueRef to)
{
    Map *seen = map_new(arena);
    for (size_t i = 0; closed && i < closed->count; i++)
        map_put(seen, closed->item[i], closed->item[i]);
    return ways_follow(seen, arena, from, past, to);
}

bool leads_past(Arena *arena, LLVMValueRef from, LLVMValueRef past, LLVMValueRef to)
{
    return leads_past_closed(arena, NULL, from, past, to);
}

/* ---- all that lies between ---- */

static LLVMValueRef first_of(LLVMValueRef begin, LLVMValueRef a, LLVMValueRef b)
{
    while (begin && begin != a && begin != b)
        begin = LLVMGetNextInstruction(begin);
    return begin;
}

/* From there on, to the end of its block and further. */
static bool goes_on(const Ways *ways, LLVMValueRef begin, LLVMBasicBlockRef block)
{
    bool has_any = block == LLVMGetInstructionParent(ways->from) || block == LLVMGetInstructionParent(ways->to);
    LLVMValueRef first = has_any ? first_of(begin, ways->from, ways->to) : NULL, jump = LLVMGetBasicBlockTerminator(block);
    for (unsigned s = 0; !first && s < LLVMGetNumSuccessors(jump); s++)
        if (map_get(ways->leading, LLVMGetSuccessor(jump, s)))
            return true;
    return first && first == ways->to;
}

Ways ways_between(Kernel *kernel, LLVMValueRef from, LLVMValueRef to)
{
    Ways ways = {from, to, map_new(kernel->arena), map_new(kernel->arena)};
    ways_follow(ways.entered, kernel->arena, from, to, NULL);
    for (bool more = true; more;) {
        more = false;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
            if (!map_get(ways.leading, b) && goes_on(&ways, LLVMGetFirstInstruction(b), b)) {
                map_put(ways.leading, b, b);
                more = true;
            }
    }
    return ways;
}

bool ways_have(const Ways *ways, LLVMValueRef i)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    bool is_entered = map_get(ways->entered, block) && first_of(LLVMGetFirstInstruction(block), ways->to, i) == i;
    bool is_behind = block == LLVMGetInstructionParent(ways->from) && first_of(ways->from, ways->to, i) == i && i != ways->from;
    return (is_entered || is_behind) && i != ways->to && goes_on(ways, LLVMGetNextInstruction(i), block);
}

/* ---- groups of copies ---- */

static bool closes_group(LLVMValueRef i) { return ir_is_copying(i) && !ir_begins_copy(i) && ir_groups_left(i) < 0; }

int groups_between_closed(Kernel *kernel, const List *closed, LLVMValueRef from, LLVMValueRef past, LLVMValueRef to)
{
    Arena *arena = kernel->arena;
    int ends = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (!ir_may_begin_copies(i) || ir_begins_copy(i) || !leads_past_closed(arena, closed, from, past, i) ||
                !leads_past_closed(arena, closed, i, past, to))
                continue;
            if (!closes_group(i) || leads_past_closed(arena, closed, i, past, i))
                return -1;
            ends++;
        }
    return ends;
}

int groups_between(Kernel *kernel, LLVMValueRef from, LLVMValueRef past, LLVMValueRef to)
{
    return groups_between_closed(kernel, NULL, from, past, to);
}
