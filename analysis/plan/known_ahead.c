/* What is known where an iteration begins of those that come after it.
 *
 *     for (j = 0; j + 32 <= m; j += 32) ...        is there another after this one?  j + 32 + 32 <= m: by arithmetic alone
 *
 * Where that can be told, what the next iterations load can be asked for early: nothing is that the loop would not load. */
#include "analysis/plan/plan.h"
#include "analysis/rings/rings.h"

typedef struct {
    IrLoop *loop;
    Slice *now; /* of an iteration ahead: what has to be known where it begins */
} Known;

/* By arithmetic alone, from what is known where an iteration begins? */
static SlicePart ask_known(Slice *slice, const void *context, LLVMValueRef value)
{
    const Known *known = context;
    (void)slice;
    bool inside = ir_loop_has(known->loop, value);
    if (inside && LLVMIsAPHINode(value) && known->now)
        slice_add(known->now, next_tile_value(known->loop, value));
    return !inside || LLVMIsAPHINode(value) ? SLICE_KNOWN : ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

/* Is what the value will be in the next iteration known where this one begins? */
static bool is_known_ahead(Arena *arena, IrLoop *loop, LLVMValueRef value)
{
    const Known now = {loop, NULL}, ahead = {loop, slice_open(arena, ask_known, &now)};
    return slice_of(arena, value, ask_known, &ahead) && slice_holds(ahead.now);
}

bool loop_counts(LLVMValueRef phi, LLVMValueRef next, int64_t *step)
{
    if (next && is_op(next, LLVMAdd) && LLVMGetOperand(next, 0) == phi && LLVMIsAConstantInt(LLVMGetOperand(next, 1))) {
        *step = LLVMConstIntGetSExtValue(LLVMGetOperand(next, 1));
        return true;
    }
    return next && LLVMIsAGetElementPtrInst(next) && ir_without_offset(next, step) == phi;
}

/* By arithmetic alone, from counters that move by numbers? */
static SlicePart ask_counted(Slice *slice, const void *context, LLVMValueRef value)
{
    const Known *known = context;
    (void)slice;
    int64_t step;
    bool inside = ir_loop_has(known->loop, value);
    if (inside && LLVMIsAPHINode(value))
        return loop_counts(value, next_tile_value(known->loop, value), &step) ? SLICE_KNOWN : SLICE_FAILS;
    return !inside ? SLICE_KNOWN : ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

bool loop_tells_far(Arena *arena, IrLoop *loop)
{
    const Known known = {loop, NULL};
    LLVMValueRef end = LLVMGetBasicBlockTerminator(ir_loop_header(loop));
    return loop_tells_ahead(arena, loop) && slice_of(arena, LLVMGetCondition(end), ask_counted, &known);
}

bool loop_tells_ahead(Arena *arena, IrLoop *loop)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(ir_loop_header(loop));
    return LLVMIsABranchInst(end) && LLVMIsConditional(end) && is_known_ahead(arena, loop, LLVMGetCondition(end)) &&
           ir_loop_before(loop) && LLVMIsAPHINode(LLVMGetFirstInstruction(ir_loop_header(loop)));
}
