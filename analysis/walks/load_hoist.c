/* Loads of a walk whose iterations take different ways: which of them may be made for all iterations of a longer loop where that
 * begins.
 *
 *     for (j = 0; j < m; j++) { v = a[t*m + j]; if (v <= least) continue; ... }      every iteration loads; what follows differs
 *
 * Such a load runs in every iteration, of which none is left out; its address follows from counters alone; and nothing in the
 * loop may write what it reads. */
#include "analysis/facts/facts.h"
#include "analysis/walks/walks.h"

typedef struct {
    const Scope *scope;
    IrLoop *loop;
    LLVMBasicBlockRef latch;
} Search;

/* Can the value be had without going any way through the iteration? A counter is a phi of the loop's header that follows from
 * counters. */
static SlicePart ask_follows(Slice *slice, const void *context, LLVMValueRef value)
{
    const Search *search = context;
    (void)slice;
    if (!ir_loop_has(search->loop, value))
        return SLICE_KNOWN;
    bool counts = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == ir_loop_header(search->loop);
    return counts || ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

bool loop_is_whole(IrLoop *loop)
{
    for (size_t n = 0; n < ir_loop_size(loop); n++) {
        LLVMBasicBlockRef block = ir_loop_block(loop, n);
        if (block != ir_loop_latch(loop) && loop_leaves(loop, block))
            return false;
    }
    return true;
}

/* Does an iteration that writes make the load as well? */
static bool is_made_beside(const Scope *scope, IrLoop *loop, LLVMValueRef write, LLVMValueRef load)
{
    IrModule *ir = scope->kernel->ir;
    return ir_precedes(ir, load, write) ||
           (loop_is_whole(loop) && ir_dominates(ir, LLVMGetInstructionParent(load), ir_loop_latch(loop)));
}

/* Is it written at a known distance to where the same iteration loads, that later iterations have left behind, and behind the load where that is its place?
 *
 *     v = a[j]; if (v < 0) a[j] = 0 */
static bool is_left_behind(const Scope *scope, IrLoop *loop, LLVMValueRef write, LLVMValueRef load)
{
    const Access *from = access_of_load(scope, load);
    const Access *to = access_of(scope, write, LLVMIsAStoreInst(write) ? OP_STORE : OP_ATOMIC);
    int64_t behind;
    if (!from || !to || from->kind != CLASS_WALK || from->loop != loop || !is_made_beside(scope, loop, write, load) ||
        !access_distance_of_both(scope, from, to, &behind))
        return false;
    bool is_left = from->step > 0 ? behind + to->bytes <= from->step : behind >= from->step + from->bytes;
    return is_left && (behind >= from->bytes || behind + to->bytes <= 0 || ir_precedes(scope->kernel->ir, load, write));
}

bool write_reaches(const Scope *scope, IrLoop *loop, LLVMValueRef write, LLVMValueRef load)
{
    return may_meet(scope, write, load) && !is_left_behind(scope, loop, write, load);
}

/* What of the block is ordered, or may change what is loaded. */
static Why disturbs(const Search *search, LLVMBasicBlockRef block, LLVMValueRef load)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!is_unordered(i) && !order_lets_pass(search->scope, i, load))
            return WHY_WALK_ORDER;
        if (LLVMIsAStoreInst(i) && write_reaches(search->scope, search->loop, i, load))
            return WHY_WALK_WRITTEN;
    }
    return WHY_NONE;
}

Why hoist_obstacle_but_memory(const Scope *scope, IrLoop *loop, LLVMValueRef load)
{
    const Kernel *kernel = scope->kernel;
    const Search search = {scope, loop, ir_loop_latch(loop)};
    if (feature_is_off(&kernel->options, FEATURE_HOISTING))
        return WHY_WALK_UNWANTED;
    if (!search.latch)
        return WHY_WALK_WAYS;
    if (!ir_dominates(kernel->ir, LLVMGetInstructionParent(load), search.latch))
        return WHY_WALK_SOME;
    if (!LLVMIsALoadInst(load))
        return WHY_WALK_WAYS;
    return slice_of(kernel->arena, LLVMGetOperand(load, 0), ask_follows, &search) ? WHY_NONE : WHY_BRANCHED;
}

Why hoist_obstacle(const Scope *scope, IrLoop *loop, LLVMValueRef load)
{
    const Search search = {scope, loop, ir_loop_latch(loop)};
    Why why = hoist_obstacle_but_memory(scope, loop, load);
    LLVMValueRef function = scope->function;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && !why; b = LLVMGetNextBasicBlock(b))
        if (ir_loop_has_block(loop, b))
            why = disturbs(&search, b, load);
    return why;
}
