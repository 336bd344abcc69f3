/* Whether a loop gains by loads one iteration ahead.
 *
 * A loop that nothing parts is unrolled, by clang or by ptxas, and has the loads of four iterations under way or more: one iteration ahead
 * is less. What stays rolled is a loop with operations of the warp, or a longer one with barriers. Loops with atomics that are asked what was there came to
 * 0.96 to 1.11 of plain clang (H200), and are left as well. */
#include "analysis/ahead/lookahead.h"

/* Does no launch that was seen go on long enough? */
static bool is_seen_short(const Kernel *kernel, IrLoop *loop)
{
    return launches_most(kernel, loop) < (int64_t)kernel->options.cost.SEEN_TILES;
}

static bool stays_rolled(Scope *scope, const Lookahead *ahead)
{
    IrLoop *loop = ir_loop_of(scope->kernel->ir, ahead->header);
    bool waits = false;
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i)) {
            if (!LLVMIsACallInst(i) || !LLVMIsAIntrinsicInst(i) || !ir_is_convergent(i))
                continue;
            if (!is_block_barrier(i))
                return true;
            waits = true;
        }
    return waits && !is_seen_short(scope->kernel, loop) && !latch_leads_on(scope, loop);
}

Why lookahead_obstacle(Scope *scope, const Lookahead *ahead, int times)
{
    Kernel *kernel = scope->kernel;
    const Costs *costs = &kernel->options.cost;
    int words = times * ahead->words, live = registers_live(scope, ahead->loads.item[0]) + 2 * words;
    if (!registers_hold(kernel, live))
        return WHY_AHEAD_REGISTERS;
    if (kernel->options.always)
        return WHY_NONE;
    if (!stays_rolled(scope, ahead))
        return WHY_AHEAD_SIDE_BY_SIDE;
    return words > costs->LOOKAHEAD || live > costs->LOOKAHEAD_LIVE ? WHY_AHEAD_REGISTERS : WHY_NONE;
}
