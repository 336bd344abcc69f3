/* What one thread writes and another reads: by what can they know which comes first?
 *
 *     n = rows[blockIdx.x]        two threads of the block that load it between the same two barriers have the same: another one
 *                                 that wrote the place between the two loads would have no order to one of them at least
 *
 * That holds where barriers of the block alone keep an order between threads; or where nothing in the kernel writes the place. */
#include "analysis/facts/facts.h"

/* Votes and shuffles hand on registers, and order no memory; nothing comes after a trap. */
static bool is_of_registers(LLVMValueRef call)
{
    static const char *const names[] = {"llvm.nvvm.shfl.",  "llvm.nvvm.vote.",      "llvm.nvvm.match.",
                                        "llvm.nvvm.redux.", "llvm.nvvm.activemask", "llvm.trap"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_begins(callee_name(call), names[i]))
            return true;
    return false;
}

/* May it order what one thread writes and another reads, and is no barrier of the block? */
static bool orders_threads(const Scope *scope, LLVMValueRef i)
{
    if (LLVMIsACallInst(i))
        return !map_get(scope->callees, i) && !is_system_function(callee_name(i)) && !is_harmless(i) && !is_simple(i) &&
               !is_block_barrier(i) && !is_of_registers(i);
    return access_orders(i) || LLVMIsAFenceInst(i);
}

bool order_is_of_others(const Scope *scope, LLVMValueRef i)
{
    bool is_silent = LLVMIsAAtomicRMWInst(i) && !LLVMGetFirstUse(i); /* it learns of nothing */
    return ir_touches_memory(i) && !is_silent && !is_warp_barrier(i) && (map_get(scope->callees, i) || orders_threads(scope, i));
}

static Order order_of(const Kernel *kernel)
{
    for (size_t s = 0; s < kernel->found.scopes.count; s++) {
        const Scope *scope = kernel->found.scopes.item[s];
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (orders_threads(scope, i))
                    return ORDER_OTHERWISE;
    }
    return ORDER_BY_BARRIERS;
}

static bool is_ordered_by_barriers(const Kernel *kernel)
{
    if (!kernel->scope->order)
        kernel->scope->order = order_of(kernel);
    return kernel->scope->order == ORDER_BY_BARRIERS;
}

static bool is_in_other_space(Scope *scope, LLVMValueRef a, LLVMValueRef b)
{
    Space of_a = space_of(scope, a), of_b = space_of(scope, b);
    return of_a != SPACE_GENERIC && of_b != SPACE_GENERIC && of_a != of_b;
}

/* Where it stands in order with other accesses, LLVM takes an atomic to write everything. */
bool order_may_write(const Scope *scope, LLVMValueRef i, LLVMValueRef load)
{
    IrModule *ir = scope->kernel->ir;
    if (!ir_touches_memory(i) || is_harmless(i) || is_block_barrier(i) || is_warp_barrier(i) || ir_only_reads(i))
        return false;
    bool is_atomic = LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
    LLVMValueRef to = is_atomic ? LLVMGetOperand(i, 0) : LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
    if (to && is_in_other_space((Scope *)scope, to, LLVMGetOperand(load, 0)))
        return false;
    return is_atomic ? !ir_is_elsewhere(ir, i, to, load, LLVMGetOperand(load, 0)) : ir_may_change(ir, i, load);
}

bool order_is_ever_written(const Scope *scope, LLVMValueRef load)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (order_may_write(scope, i, load))
                return true;
    return false;
}

static bool is_never_written(const Scope *scope, LLVMValueRef load)
{
    return scope->kernel->is_entry && !scope->caller && !order_is_ever_written(scope, load);
}

/* ---- what passes an atomic ---- */

bool operation_commutes(LLVMValueRef atomic)
{
    switch (LLVMGetAtomicRMWBinOp(atomic)) {
    case LLVMAtomicRMWBinOpAdd:
    case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpAnd:
    case LLVMAtomicRMWBinOpOr:
    case LLVMAtomicRMWBinOpXor:
    case LLVMAtomicRMWBinOpMax:
    case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax:
    case LLVMAtomicRMWBinOpUMin: return true;
    default: return false;
    }
}

bool order_is_of_one_place(LLVMValueRef i)
{
    if (LLVMIsACallInst(i))
        return text_begins(callee_name(i), "llvm.nvvm.atomic.");
    LLVMAtomicOrdering order = LLVMIsAAtomicRMWInst(i) && !LLVMGetVolatile(i) ? LLVMGetOrdering(i) : LLVMAtomicOrderingNotAtomic;
    return order == LLVMAtomicOrderingMonotonic || order == LLVMAtomicOrderingSequentiallyConsistent;
}

bool order_is_silent(LLVMValueRef i) { return LLVMIsAAtomicRMWInst(i) && !LLVMGetFirstUse(i) && order_is_of_one_place(i); }

bool order_lets_pass(const Scope *scope, LLVMValueRef atomic, LLVMValueRef load)
{
    if (!order_is_of_one_place(atomic) || !LLVMIsALoadInst(load) || !is_plain(load))
        return false;
    return ir_reads_constant(load) ||
           (order_is_silent(atomic) && (ir_is_promised_apart(load, atomic) || !order_may_write(scope, atomic, load)));
}

bool order_is_of_block(const Scope *scope, LLVMValueRef load)
{
    return is_ordered_by_barriers(scope->kernel) || is_never_written(scope, load);
}
