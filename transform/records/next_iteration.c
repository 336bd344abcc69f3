/* What the next iterations will be, made where one begins (analysis/plan/known_ahead.c). */
#include "transform/records/next_iteration.h"

enum { MOST_AHEAD = 5 };

/* The value as it will be so many iterations on, made here unless it is known. */
static LLVMValueRef early(Split *split, Map *made[], LLVMValueRef value, int ahead)
{
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    bool inside = block && (block == split->head || block == split->slow || block == split->tail);
    if (!inside || (block == split->head && ahead == 0))
        return value;
    LLVMValueRef next = LLVMIsAPHINode(value) ? phi_value_from(value, split->tail) : NULL;
    if (next)
        return early(split, made, next, ahead - 1);
    LLVMValueRef again = map_get(made[ahead], value);
    if (again)
        return again;
    again = LLVMInstructionClone(value);
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        LLVMSetOperand(again, (unsigned)i, early(split, made, LLVMGetOperand(value, (unsigned)i), ahead));
    LLVMInsertIntoBuilder(split->emit.builder, again);
    map_put(made[ahead], value, again);
    return again;
}

LLVMValueRef iteration_follows(Split *split, int ahead)
{
    Arena *arena = split->emit.arena;
    Map *made[MOST_AHEAD + 1];
    INVARIANT(ahead <= MOST_AHEAD);
    for (int i = 0; i <= ahead; i++)
        made[i] = map_new(arena);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(split->tail);
    LLVMValueRef condition = early(split, made, LLVMGetCondition(end), ahead);
    return LLVMGetSuccessor(end, 0) == split->head ? condition : LLVMBuildNot(split->emit.builder, condition, "");
}

LLVMValueRef iterations_follow(Split *split, int count)
{
    LLVMValueRef all = iteration_follows(split, 0), no = LLVMConstNull(split->emit.i1);
    for (int ahead = 1; ahead < count; ahead++)
        all = LLVMBuildSelect(split->emit.builder, all, iteration_follows(split, ahead), no, "");
    return all;
}
