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
    if (!LLVMIsAInstruction(value) || !ir_loop_has_block(search->loop, LLVMGetInstructionParent(value)))
        return SLICE_KNOWN;
    bool counts = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == ir_loop_header(search->loop);
    return counts || ir_is_pure(value) ? SLICE_MADE : SLICE_FAILS;
}

/* What of the block is ordered, or may change what is loaded. */
static Why disturbs(const Search *search, LLVMBasicBlockRef block, LLVMValueRef load)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!is_unordered(i) && !order_lets_pass(search->scope, i, load))
            return WHY_WALK_ORDER;
        if (LLVMIsAStoreInst(i) && ir_may_change(search->scope->kernel->ir, i, load))
            return WHY_WALK_WRITTEN;
    }
    return WHY_NONE;
}

Why hoist_obstacle(const Scope *scope, IrLoop *loop, LLVMValueRef load)
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
    if (!slice_of(kernel->arena, LLVMGetOperand(load, 0), ask_follows, &search))
        return WHY_BRANCHED;
    Why why = WHY_NONE;
    LLVMValueRef function = LLVMGetBasicBlockParent(search.latch);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && !why; b = LLVMGetNextBasicBlock(b))
        if (ir_loop_has_block(loop, b))
            why = disturbs(&search, b, load);
    return why;
}
