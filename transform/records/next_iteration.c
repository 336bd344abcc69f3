/* What the next iterations will be, made where one begins (analysis/plan/known_ahead.c). */
#include "transform/records/next_iteration.h"

enum { MOST_AHEAD = 2 };

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

/* ---- far ahead ---- */

typedef struct {
    Split *split;
    LLVMValueRef ahead; /* iterations from this one on: 32 bits */
    Map *made;
} Later;

static LLVMValueRef later(const Later *l, LLVMValueRef value);

/* A counter, or a pointer, that moves by a number. */
static LLVMValueRef later_phi(const Later *l, LLVMValueRef phi)
{
    Emit *emit = &l->split->emit;
    bool points = LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMPointerTypeKind;
    LLVMTypeRef type = LLVMTypeOf(phi);
    int64_t step;
    if (!loop_counts(phi, phi_value_from(phi, l->split->tail), &step))
        return NULL;
    if (points)
        return emit_advance_times(emit, phi, l->ahead, step, 0);
    LLVMValueRef number = LLVMConstInt(type, (unsigned long long)step, true);
    LLVMValueRef by = LLVMBuildMul(emit->builder, LLVMBuildIntCast2(emit->builder, l->ahead, type, false, ""), number, "");
    return LLVMBuildAdd(emit->builder, phi, by, "");
}

static LLVMValueRef later_operation(const Later *l, LLVMValueRef value)
{
    LLVMValueRef again = LLVMInstructionClone(value);
    for (int i = 0; i < LLVMGetNumOperands(value); i++) {
        LLVMValueRef operand = later(l, LLVMGetOperand(value, (unsigned)i));
        if (operand) {
            LLVMSetOperand(again, (unsigned)i, operand);
            continue;
        }
        LLVMDeleteInstruction(again);
        return NULL;
    }
    LLVMInsertIntoBuilder(l->split->emit.builder, again);
    ir_forget_promises(again);
    return again;
}

/* The value in that iteration; NULL where its counters move otherwise. */
static LLVMValueRef later(const Later *l, LLVMValueRef value)
{
    LLVMBasicBlockRef block = LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) : NULL;
    if (!block || (block != l->split->head && block != l->split->slow && block != l->split->tail))
        return value;
    LLVMValueRef known = map_get(l->made, value);
    if (known)
        return known;
    known = LLVMIsAPHINode(value) ? later_phi(l, value) : later_operation(l, value);
    if (known)
        map_put(l->made, value, known);
    return known;
}

/* Does the loop go on behind that iteration? NULL: its counters do not tell. */
static LLVMValueRef goes_on_behind(Split *split, LLVMValueRef ahead)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(split->tail);
    const Later l = {split, ahead, map_new(split->emit.arena)};
    LLVMValueRef goes_on = later(&l, LLVMGetCondition(end));
    if (goes_on && LLVMGetSuccessor(end, 0) != split->head)
        goes_on = LLVMBuildNot(split->emit.builder, goes_on, "");
    return goes_on;
}

LLVMValueRef iteration_is_there(Split *split, int iteration)
{
    Emit *emit = &split->emit;
    LLVMValueRef there = goes_on_behind(split, emit_int(emit, iteration - 1));
    return there ? LLVMBuildFreeze(emit->builder, there, "") : LLVMConstInt(emit->i1, 1, false);
}

LLVMValueRef iteration_follows_far(Split *split, LLVMValueRef ahead)
{
    LLVMValueRef follows = goes_on_behind(split, ahead);
    INVARIANT(follows);
    return LLVMBuildFreeze(split->emit.builder, follows, "");
}
