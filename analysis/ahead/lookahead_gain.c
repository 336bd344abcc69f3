/* Whether a loop gains by loads one iteration ahead.
 *
 * A loop that nothing parts is unrolled, by clang or by ptxas, and has the loads of four iterations under way or more: one iteration ahead
 * is less. What stays rolled is a loop with barriers, operations of the warp, calls, atomics that are asked what was there, or long
 * stretches that not every iteration comes to. */
#include "analysis/ahead/lookahead.h"

/* Does it keep iterations from running side by side? */
static bool parts(LLVMValueRef i)
{
    if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
        return LLVMGetFirstUse(i) != NULL;
    bool calls = LLVMIsACallInst(i) && !LLVMIsAIntrinsicInst(i) && !LLVMIsAInlineAsm(LLVMGetCalledValue(i));
    return calls || (LLVMIsACallInst(i) && ir_is_convergent(i));
}

static int length_of(LLVMBasicBlockRef block)
{
    int length = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i))
        length++;
    return length;
}

static bool stays_rolled(const Kernel *kernel, const Lookahead *ahead)
{
    IrLoop *loop = ir_loop_of(kernel->ir, ahead->header);
    int64_t some = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(ahead->function); b; b = LLVMGetNextBasicBlock(b)) {
        if (!ir_loop_has_block(loop, b))
            continue;
        some += ir_dominates(kernel->ir, b, ahead->latch) ? 0 : length_of(b);
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (parts(i))
                return true;
    }
    return some > kernel->options.cost.PARTED;
}

Why lookahead_gain(Scope *scope, const Lookahead *ahead)
{
    const Costs *costs = &scope->kernel->options.cost;
    if (scope->kernel->options.always)
        return WHY_NONE;
    if (!stays_rolled(scope->kernel, ahead))
        return WHY_AHEAD_SIDE_BY_SIDE;
    int live = registers_live(scope, ahead->loads.item[0]);
    return ahead->words > costs->LOOKAHEAD || live + 2 * ahead->words > costs->LOOKAHEAD_LIVE ? WHY_AHEAD_REGISTERS : WHY_NONE;
}
