/* Loops that each warp runs on its own, with barriers of its lanes alone.
 *
 *     for (i = 0; i < n; i++) {
 *         s[w][lane] = g[...];
 *         __syncwarp();              orders the memory of the 32 lanes, and nothing between one warp and another: these may be
 *         use s[w][...]              in different iterations
 *         __syncwarp();
 *     }
 *
 * A barrier of a warp waits for the lanes that its mask names, wherever they come from. A loop that is to have fewer of them must be
 * one that the lanes come to together, which only run time knows, and leave together. They do where the condition that it is left by is
 * made of counters and of numbers that all lanes have alike when they come.
 *
 * What a warp writes in the loop, another one may read there only if something orders the two, or they race. Nothing in the loop does.
 * Outside of it a barrier of the block may, or whatever orders more than the lanes of a warp: the one has left the loop, and the other has
 * not come to it. So there must be no such thing on any way to the loop; or barriers of the block alone, at which all of its threads meet,
 * and no way leads from the loop through them back to it. Or all threads of the block come to the loop equally often: as each run has an
 * iteration, and all iterations write the same places, who writes in one run writes in all, and would race with who reads in the same. */
#include "analysis/facts/facts.h"

/* ---- barriers ---- */

bool is_warp_barrier_name(const char *name) { return text_begins(name, "llvm.nvvm.bar.warp.sync"); }

bool is_warp_barrier(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) && is_warp_barrier_name(callee_name(instruction));
}

bool is_full_warp_barrier(LLVMValueRef instruction)
{
    LLVMValueRef mask = is_warp_barrier(instruction) ? LLVMIsAConstantInt(LLVMGetOperand(instruction, 0)) : NULL;
    return mask && LLVMConstIntGetZExtValue(mask) == UINT32_MAX;
}

bool loop_waits_for_lanes(IrLoop *loop)
{
    for (size_t n = 0; n < ir_loop_size(loop); n++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(ir_loop_block(loop, n)); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsACallInst(i) && ir_is_convergent(i))
                return true;
    return false;
}

/* ---- leaving together ---- */

typedef struct {
    Scope *scope;
    IrLoop *loop;
    List *alike;
} Leave;

static bool must_be_alike(const Leave *leave, LLVMValueRef value)
{
    enum { MOST_ALIKE = 4 };
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(value));
    bool is_number = kind == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(LLVMTypeOf(value)) <= 64;
    if (LLVMIsConstant(value) || uniform_in_block(leave->scope, value))
        return true;
    for (size_t i = 0; i < leave->alike->count; i++)
        if (leave->alike->item[i] == value)
            return true;
    list_add(leave->alike, value);
    return (is_number || kind == LLVMPointerTypeKind) && leave->alike->count <= MOST_ALIKE;
}

/* A counter is what it was when the loop was entered, and what an iteration makes of it. */
static SlicePart ask_counter(Slice *slice, const Leave *leave, LLVMValueRef phi)
{
    if (LLVMGetInstructionParent(phi) != ir_loop_header(leave->loop))
        return SLICE_FAILS;
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMValueRef from = LLVMGetIncomingValue(phi, i);
        if (ir_loop_has_block(leave->loop, LLVMGetIncomingBlock(phi, i)))
            slice_add(slice, from);
        else if (!must_be_alike(leave, from))
            return SLICE_FAILS;
    }
    return SLICE_KNOWN;
}

static SlicePart ask_leave(Slice *slice, const void *context, LLVMValueRef value)
{
    const Leave *leave = context;
    bool inside = ir_loop_has(leave->loop, value);
    if (!inside)
        return LLVMIsAFunction(value) || must_be_alike(leave, value) ? SLICE_KNOWN : SLICE_FAILS;
    if (LLVMIsAPHINode(value))
        return ask_counter(slice, leave, value);
    bool is_register = LLVMIsACallInst(value) && text_begins(callee_name(value), "llvm.nvvm.");
    return ir_is_pure(value) && !is_register ? SLICE_MADE : SLICE_FAILS;
}

bool warp_leaves_by(Scope *scope, IrLoop *loop, List *alike)
{
    const Leave leave = {scope, loop, alike};
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(ir_loop_latch(loop));
    return LLVMGetNumSuccessors(jump) > 1 && slice_of(scope->kernel->arena, LLVMGetOperand(jump, 0), ask_leave, &leave);
}

/* ---- what is handed on from warp to warp ---- */

/* Do all threads of the block come to the loop equally often? */
static bool is_in_step(Scope *scope, IrLoop *loop)
{
    LLVMBasicBlockRef before = ir_loop_before(loop);
    return before && converges_all(scope, before);
}

static bool hands_on(Scope *scope, IrLoop *loop, LLVMValueRef instruction)
{
    IrModule *ir = scope->kernel->ir;
    LLVMValueRef within = LLVMGetFirstInstruction(ir_loop_header(loop));
    bool is_whole = is_whole_barrier(instruction);
    if ((!is_whole && !is_block_barrier(instruction) && !order_is_of_others(scope, instruction)) ||
        !ir_leads_to(ir, instruction, within))
        return false;
    return !is_whole || (ir_leads_to(ir, within, instruction) && !is_in_step(scope, loop));
}

LLVMValueRef warps_hand_on(Scope *scope, IrLoop *loop)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (hands_on(scope, loop, i))
                return i;
    return NULL;
}
