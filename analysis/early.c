/* Loads of a walk whose iterations take different ways: which of them may be made for all iterations of a longer loop where that
 * begins.
 *
 *     for (j = 0; j < m; j++) { v = a[t*m + j]; if (v <= least) continue; ... }      every iteration loads; what follows differs
 *
 * Such a load runs in every iteration, of which none is left out; its address follows from counters alone; and nothing in the
 * loop may write what it reads. */
#include "coalda.h"

typedef struct {
    const Kernel *kernel;
    IrLoop *loop;
    LLVMBasicBlockRef latch;
    Map *followed;
} Search;

static bool follows(const Search *search, LLVMValueRef value);

static bool all_follow(const Search *search, LLVMValueRef value)
{
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (!follows(search, LLVMGetOperand(value, (unsigned)i)))
            return false;
    return true;
}

/* A counter is a phi of the loop's header that follows from counters. */
static bool is_counter(const Search *search, LLVMValueRef value)
{
    bool counts = LLVMIsAPHINode(value) && LLVMGetInstructionParent(value) == ir_loop_header(search->loop);
    for (unsigned i = 0; counts && i < LLVMCountIncoming(value); i++)
        counts = follows(search, LLVMGetIncomingValue(value, i));
    return counts;
}

/* Can the value be had without going any way through the iteration? */
static bool follows(const Search *search, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) || !ir_loop_has_block(search->loop, LLVMGetInstructionParent(value)) ||
        map_get(search->followed, value))
        return true;
    map_put(search->followed, value, value);
    return is_counter(search, value) || (ir_is_pure(value) && all_follow(search, value));
}

/* What of the block is ordered, or may change what is loaded. */
static Why disturbs(const Search *search, LLVMBasicBlockRef block, LLVMValueRef load)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        if (!is_unordered(i))
            return WHY_WALK_ORDER;
        if (LLVMIsAStoreInst(i) && ir_may_change(search->kernel->ir, i, load))
            return WHY_WALK_WRITTEN;
    }
    return WHY_NONE;
}

Why early_obstacle(const Kernel *kernel, IrLoop *loop, LLVMValueRef load)
{
    const Search search = {kernel, loop, ir_loop_latch(loop), map_new(kernel->arena)};
    if (!search.latch)
        return WHY_WALK_WAYS;
    if (!ir_dominates(kernel->ir, LLVMGetInstructionParent(load), search.latch))
        return WHY_WALK_SOME;
    if (!LLVMIsALoadInst(load))
        return WHY_WALK_WAYS;
    if (!follows(&search, LLVMGetOperand(load, 0)))
        return WHY_BRANCHED;
    Why why = WHY_NONE;
    LLVMValueRef function = LLVMGetBasicBlockParent(search.latch);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && !why; b = LLVMGetNextBasicBlock(b))
        if (ir_loop_has_block(loop, b))
            why = disturbs(&search, b, load);
    return why;
}
