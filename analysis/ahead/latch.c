/* Which loops ptxas unrolls by itself: small ones whose ends say that they go on, "if (i != n) again", and not that they are done. It puts the
 * loads of eight iterations first then, also over barriers, where nothing may write what they read; LLVM unrolls no loop with a barrier whose
 * length it does not know. In which form a loop comes there hangs on what its counter is made of: one of two that were alike but for that took half
 * as long in plain clang, and 1.2 to 1.5 times as long as that by loads one iteration ahead, which ptxas does not unroll (H200).
 *
 * A stencil that marches through planes in shared memory came to 1.26 to 1.6 of plain clang with 64 of them and to 1.0 to 1.2 with 16; with 3, in
 * launches of 5 us, to 0.85, as the code is longer (H200). Loads one iteration ahead brought it 1.01 to 1.07. */
#include "analysis/ahead/lookahead.h"

enum { TIMES = 8 }; /* that ptxas has in one body: seen with CUDA 13 */

/* As many as ptxas counts, more or less: what is added to a product is one with it, and addresses are part of their access. */
static bool counts(LLVMValueRef i)
{
    bool is_fused = is_op(i, LLVMFMul) && LLVMGetFirstUse(i) && is_sum(LLVMGetUser(LLVMGetFirstUse(i)));
    return !LLVMIsAPHINode(i) && !LLVMIsAGetElementPtrInst(i) && !is_fused;
}

/* What threads exchange in shared memory between the barriers waits for them in every iteration: only what comes from elsewhere may come
 * first. A loop that writes there and has nothing else, as one that sorts in shared memory, only takes more registers. */
static bool is_small_with_barrier(Scope *scope, IrLoop *loop, int *words)
{
    const Kernel *kernel = scope->kernel;
    int size = 0;
    bool waits = false, loads = false, exchanges = false;
    *words = 0;
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i)) {
            size += counts(i);
            waits |= LLVMIsACallInst(i) && is_block_barrier(i);
            exchanges |= LLVMIsAStoreInst(i) && space_of(scope, LLVMGetOperand(i, 1)) == SPACE_SHARED;
            if (!LLVMIsALoadInst(i))
                continue;
            loads |= space_of(scope, LLVMGetOperand(i, 0)) != SPACE_SHARED;
            *words += words_of_load(kernel, i);
        }
    return waits && (loads || !exchanges) && size <= kernel->options.cost.LATCH_CODE;
}

/* Products and sums that are rounded one by one as long as the loop is rolled might come together; and a block that was launched is to be
 * launched still. */
static bool may_be_turned(Scope *scope, IrLoop *loop, int words)
{
    Kernel *kernel = scope->kernel;
    LLVMValueRef first = LLVMGetFirstInstruction(ir_loop_header(loop));
    int64_t most = ir_loop_most_trips(kernel->ir, loop); /* 0: nobody knows */
    if (launches_most(kernel, loop) < (int64_t)kernel->options.cost.SEEN_LATCH)
        return false;
    return !feature_is_off(&kernel->options, FEATURE_LATCHES) && !product_crosses(kernel->ir, loop) &&
           (!most || most >= (int64_t)kernel->options.cost.LATCH_TRIPS) &&
           registers_hold(kernel, registers_live(scope, first) + TIMES * words);
}

static bool is_open(Scope *scope, IrLoop *loop, int *words)
{
    return ir_loop_is_innermost(loop) && is_small_with_barrier(scope, loop, words) && !loop_is_told(scope->kernel, loop);
}

bool latch_leads_on(Scope *scope, IrLoop *loop)
{
    int words;
    return is_open(scope, loop, &words) && (ir_loop_says_it_goes_on(loop) || may_be_turned(scope, loop, words));
}

bool latch_is_turned(Scope *scope, IrLoop *loop)
{
    int words;
    return !ir_loop_says_it_goes_on(loop) && !loop_is_made(loop) && is_open(scope, loop, &words) &&
           may_be_turned(scope, loop, words);
}
