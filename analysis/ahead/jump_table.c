/* Which switches are not to be looked up in a table.
 *
 *     for (...) switch (kind[i*n + t]) { case 0: ..; case 1: ..; case 2: ..; case 3: .. }
 *
 * From four cases on LLVM jumps by a table (brx.idx). Where the lanes of a warp have different cases, each of them comes to its own by a jump whose
 * target is loaded; a few compares, which ptxas turns into predicates where cases are short, take less, and nvcc has them. Where all lanes have the same
 * case, and outside of loops, tables are no slower, or faster: an interpreter of twelve operations came to 0.83 to 0.99 with compares, one of twenty cases
 * to 0.77. The attribute that says so is the function's: all of its switches that would be tables are such, and one of them is in a loop. */
#include "analysis/ahead/lookahead.h"
#include "pass/choices/short_ways.h"

enum { LEAST_CASES = 4 }; /* of a table, in LLVM's backend */

static bool may_be_compared(Scope *scope, LLVMValueRef jump)
{
    return LLVMGetNumSuccessors(jump) - 1 <= scope->kernel->options.cost.SWITCH_CASES &&
           !uniform_is_told(scope, LLVMGetOperand(jump, 0));
}

bool switches_are_compared(Scope *scope)
{
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(b);
        if (!LLVMIsASwitchInst(jump) || LLVMGetNumSuccessors(jump) < LEAST_CASES)
            continue;
        if (!may_be_compared(scope, jump))
            return false;
        any |= ir_loop_of(scope->kernel->ir, b) != NULL;
    }
    return any;
}

bool ways_are_chosen(Scope *scope, LLVMValueRef jump)
{
    const Kernel *kernel = scope->kernel;
    const Costs *costs = &kernel->options.cost;
    IrLoop *loop = LLVMIsASwitchInst(jump) ? ir_loop_of(kernel->ir, LLVMGetInstructionParent(jump)) : NULL;
    if (!loop || !ir_loop_is_innermost(loop) || uniform_is_told(scope, LLVMGetOperand(jump, 0)))
        return false;
    const IrShortWays ways = ir_short_ways(jump);
    return ways.cases && ways.cases <= costs->SWITCH_CASES && ways.instructions <= costs->SHORT_WAYS &&
           ways.choices <= costs->SHORT_WAYS;
}
