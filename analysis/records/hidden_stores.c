/* Stores that what else a kernel does hides. Where its threads wait for what they load, warps come to their stores one after the other, and
 * the second-level cache merges the words of a record that is a little longer than those that it merges in any case; what a warp computes
 * meanwhile gives it more time to. Then an exchange is only more to compute:
 *
 *     x = in[i]; y = hard(x); o[i] = {y, x, ...}      records of five words, three powers each: 43.6 us, and 51.3 exchanged
 *
 * Of kernels that load nothing, all warps come there at once: the same takes 77.9 us, and 56.0 exchanged (H200). */
#include "analysis/records/records.h"

static bool brings_its_own(const Access *access)
{
    return (access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC) && access->kind != CLASS_UNIFORM;
}

/* Are there loads whose lanes each bring their own? */
static bool waits_for_loads(const Scope *scope)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const List *accesses = map_get(scope->accesses, i);
            for (size_t j = 0; accesses && j < accesses->count; j++)
                if (((const Access *)accesses->item[j])->op == OP_LOAD && brings_its_own(accesses->item[j]))
                    return true;
        }
    return false;
}

/* Does a thread that comes to the other block come to this one, too? Not by ways that it goes in half of the cases or fewer, as those are that
 * the library has for odd numbers. */
static bool is_passed(const Kernel *kernel, LLVMBasicBlockRef block, LLVMBasicBlockRef other)
{
    const double most = 0.75;
    LLVMBasicBlockRef head = block;
    for (IrLoop *loop = ir_loop_of(kernel->ir, block); loop && !ir_loop_has_block(loop, other); loop = ir_loop_parent(loop))
        head = ir_idom(kernel->ir, ir_loop_header(loop));
    IrLoop *around = head ? ir_loop_of(kernel->ir, head) : NULL;
    return head && ir_frequency(kernel->ir, head, around) > most * ir_frequency(kernel->ir, other, around);
}

static double bytes_of_block(const Scope *scope, LLVMBasicBlockRef block)
{
    double bytes = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = LLVMGetNextInstruction(i)) {
        const List *accesses = map_get(scope->accesses, i);
        for (size_t j = 0; accesses && j < accesses->count; j++)
            bytes += brings_its_own(accesses->item[j]) ? ((const Access *)accesses->item[j])->bytes : 0;
    }
    return bytes;
}

/* Does a thread that comes to the stores compute so much, for itself and beside what it moves at least? */
static bool computes_much(Scope *scope, LLVMBasicBlockRef stores)
{
    enum { PERCENT = 100 };
    const Kernel *kernel = scope->kernel;
    const Costs *costs = &kernel->options.cost;
    double slots = 0, bytes = 0, once = weigh_block(scope, stores);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        double times = is_passed(kernel, b, stores) ? weigh_block(scope, b) / once : 0;
        slots += times * slots_of_block(costs, b);
        bytes += times * bytes_of_block(scope, b);
    }
    return slots >= costs->HIDING && slots * costs->SLOT * PERCENT >= bytes * WARP_LANES * costs->HIDING_SHARE;
}

static bool may_hide(const Group *group)
{
    return group->op == OP_STORE && group_is_exchanged(group) && group->high - group->low <= costs_of(group)->HIDDEN;
}

/* Whose records are exchanged for other reasons has time for these, too. */
static bool are_all_that_is_exchanged(const List *groups)
{
    for (size_t i = 0; i < groups->count; i++)
        if (group_is_exchanged(groups->item[i]) && !may_hide(groups->item[i]))
            return false;
    return true;
}

void hidden_settle(Scope *scope, const List *groups)
{
    bool may = waits_for_loads(scope) && are_all_that_is_exchanged(groups);
    for (size_t i = 0; may && i < groups->count; i++) {
        Group *group = groups->item[i];
        if (!may_hide(group) || !computes_much(scope, group->block))
            continue;
        group->choice.chosen = false;
        group->choice.why = WHY_BUSY;
    }
}
