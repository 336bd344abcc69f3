/* What loads that are made one iteration ahead pass: all that the loop does.
 *
 *     c = col[j]; x[c] += v[j]; barrier       ->    n = col[j + 1]; x[c] += v[j]; barrier; c = n
 *
 * Nothing in the loop may write what they read. From a barrier on, and from an atomic on that is asked what was there, the thread sees
 * what others have written: then nothing in the kernel may write it. Fences, volatile accesses and unknown calls are not passed, nor
 * what asks which lanes are here: a guard may part them. */
#include "analysis/ahead/lookahead.h"

static bool is_atomic(LLVMValueRef i) { return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i); }

static bool is_read(LLVMValueRef i) { return LLVMIsALoadInst(i) ? is_plain(i) : ir_only_reads(i); }

/* Where it stands in order with other accesses, LLVM takes an atomic to write everything. */
static bool may_change(const Kernel *kernel, LLVMValueRef writer, LLVMValueRef load)
{
    if (is_atomic(writer))
        return !ir_is_elsewhere(kernel->ir, writer, LLVMGetOperand(writer, 0), load, LLVMGetOperand(load, 0));
    return ir_may_change(kernel->ir, writer, load);
}

static bool is_barrier(LLVMValueRef i) { return LLVMIsACallInst(i) && (is_block_barrier(i) || is_warp_barrier(i)); }

/* Of one instruction; what it may write is asked of each load. */
static bool pass_by(Passed *passed, LLVMValueRef i)
{
    if (LLVMIsACallInst(i) && text_begins(callee_name(i), "llvm.nvvm.activemask"))
        return false;
    if (!ir_touches_memory(i) || is_read(i))
        return true;
    if (is_barrier(i)) {
        passed->ordered = true;
        return true;
    }
    bool told = is_atomic(i) && !LLVMGetVolatile(i);
    if (!told && (order_is_of_others(passed->scope, i) || !(LLVMIsACallInst(i) || is_unordered(i))))
        return false;
    passed->ordered |= told && LLVMGetFirstUse(i);
    list_add(&passed->writers, i);
    return true;
}

bool passed_find(Passed *passed)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(passed->scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && ir_loop_has_block(passed->loop, b); i = LLVMGetNextInstruction(i))
            if (!pass_by(passed, i))
                return false;
    return true;
}

Why passed_obstacle(const Passed *passed, LLVMValueRef load)
{
    for (size_t i = 0; i < passed->writers.count; i++)
        if (may_change(passed->scope->kernel, passed->writers.item[i], load))
            return WHY_AHEAD_WRITTEN;
    return passed->ordered && order_is_ever_written(passed->scope, load) ? WHY_AHEAD_SEEN : WHY_NONE;
}
