/* May the threads of a block change places? Everything must be the same whichever threads make a warp: no operation of the warp,
 * no order of threads that something could tell, and thread indices read in the kernel alone, where they can be replaced.
 *
 * Barriers of the block may stay if all threads come to them: a warp that comes to a barrier as one may not do so when its
 * threads are others. */
#include <string.h>

#include "coalda.h"

static bool starts_with(const char *text, const char *prefix) { return strncmp(text, prefix, strlen(prefix)) == 0; }

static bool is_listed(const char *name, const char *const list[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (starts_with(name, list[i]))
            return true;
    return false;
}

/* Special registers that all threads of a block read alike. */
static const char *const of_block[] = {
#define REGISTER(name) "llvm.nvvm.read.ptx.sreg." name,
#include "turn.def"
};
/* Not marked as convergent, and operations of the warp all the same. */
static const char *const of_warp[] = {
#define WARP(name) "llvm.nvvm." name,
#include "turn.def"
};

static const char *const of_thread[] = {"llvm.nvvm.read.ptx.sreg.tid.z", "llvm.trap"};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static const char *name_of(LLVMValueRef function)
{
    size_t length;
    return LLVMGetValueName2(function, &length);
}

static bool is_thread_index(const char *name) { return starts_with(name, TURN_X) || starts_with(name, TURN_Y); }

/* ---- barriers: does every thread of the block come to them, and equally often? ---- */

typedef struct {
    Kernel *kernel;
    Map *seen; /* values found, or taken until it is refuted, to be the same for all threads */
} Alike;

static bool is_alike(Alike *alike, LLVMValueRef value);

static bool are_operands_alike(Alike *alike, LLVMValueRef instruction)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
        if (!is_alike(alike, LLVMGetOperand(instruction, (unsigned)i)))
            return false;
    return true;
}

/* Do all threads leave the loop after the same number of iterations? */
static bool is_left_by_all(Alike *alike, IrLoop *loop)
{
    LLVMValueRef function = alike->kernel->function;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        bool leaves = false;
        for (unsigned k = 0; ir_loop_has_block(loop, b) && k < LLVMGetNumSuccessors(end); k++)
            leaves |= !ir_loop_has_block(loop, LLVMGetSuccessor(end, k));
        if (leaves && !is_alike(alike, LLVMGetOperand(end, 0)))
            return false;
    }
    return true;
}

/* What was before the loop, then what the last iteration left: no other branch chooses. Or one value alone. */
static bool is_phi_alike(Alike *alike, LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    IrLoop *loop = ir_loop_of(alike->kernel->ir, block);
    unsigned ways = LLVMCountIncoming(phi), inside = 0;
    for (unsigned i = 0; loop && i < ways; i++)
        inside += ir_loop_has_block(loop, LLVMGetIncomingBlock(phi, i));
    bool is_counter = loop && ir_loop_header(loop) == block && ways == 2 && inside == 1 && is_left_by_all(alike, loop);
    return (ways == 1 || is_counter) && are_operands_alike(alike, phi);
}

/* Made of constants, arguments of the kernel, block indices and counters of loops alone. */
static bool is_alike(Alike *alike, LLVMValueRef value)
{
    if (LLVMIsAConstant(value) || LLVMIsAArgument(value) || map_get(alike->seen, value))
        return true;
    map_put(alike->seen, value, value);
    if (LLVMIsAPHINode(value))
        return is_phi_alike(alike, value);
    if (LLVMIsACallInst(value)) {
        LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(value));
        return callee && is_listed(name_of(callee), of_block, LENGTH(of_block));
    }
    return LLVMIsAInstruction(value) && ir_is_pure(value) && are_operands_alike(alike, value);
}

/* Can the block's end lead to `to` (NULL: out of the kernel) without going through `around`? */
static bool leads_to(Arena *arena, LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef around)
{
    Map *seen = map_new(arena);
    List pending = list_new(arena);
    list_add(&pending, from);
    for (size_t i = 0; i < pending.count; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(pending.item[i]);
        if (!to && LLVMIsAReturnInst(end))
            return true;
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
            if (next == to)
                return true;
            if (next != around && !map_get(seen, next))
                list_add(&pending, next);
            map_put(seen, next, next);
        }
    }
    return false;
}

static bool is_met_by_all(Kernel *kernel, LLVMValueRef barrier)
{
    LLVMBasicBlockRef at = LLVMGetInstructionParent(barrier);
    Alike alike = {kernel, map_new(kernel->arena)};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        bool chooses = LLVMGetNumSuccessors(end) > 1 && leads_to(kernel->arena, b, at, NULL) &&
                       leads_to(kernel->arena, b, NULL, at);
        if (chooses && !is_alike(&alike, LLVMGetOperand(end, 0)))
            return false;
    }
    return true;
}

/* ---- instructions ---- */

typedef struct {
    Kernel *kernel;
    Map *checked; /* functions */
} Hazards;

static Why hazard_in(Hazards *hazards, LLVMValueRef function);

static Why hazard_of_intrinsic(const Hazards *hazards, LLVMValueRef call, LLVMValueRef callee, bool is_own)
{
    const char *name = name_of(callee);
    if (is_thread_index(name))
        return is_own ? WHY_NONE : WHY_TURN_CALL;
    if (is_listed(name, of_block, LENGTH(of_block)) || is_listed(name, of_thread, LENGTH(of_thread)))
        return WHY_NONE;
    if (starts_with(name, "llvm.nvvm.barrier.cta.sync.aligned.all"))
        return !is_own ? WHY_TURN_CALL : is_met_by_all(hazards->kernel, call) ? WHY_NONE : WHY_TURN_BARRIER;
    if (starts_with(name, "llvm.nvvm.read.ptx.sreg.") || is_listed(name, of_warp, LENGTH(of_warp)))
        return WHY_TURN_WARP;
    if (LLVMIsAMemIntrinsic(call)) {
        enum { IS_VOLATILE = 3 };
        return LLVMConstIntGetZExtValue(LLVMGetOperand(call, IS_VOLATILE)) ? WHY_TURN_ORDER : WHY_NONE;
    }
    return is_harmless(call) ? WHY_NONE : WHY_TURN_WARP;
}

static Why hazard_of_call(Hazards *hazards, LLVMValueRef call, bool is_own)
{
    LLVMValueRef called = LLVMGetCalledValue(call), callee = LLVMIsAFunction(called);
    if (LLVMIsAInlineAsm(called)) {
        size_t length;
        const char *text = LLVMGetInlineAsmAsmString(called, &length);
        bool names_register = memchr(text, '%', length) != NULL;
        return names_register || !is_harmless(call) ? WHY_TURN_WARP : WHY_NONE;
    }
    if (callee && LLVMGetIntrinsicID(callee))
        return hazard_of_intrinsic(hazards, call, callee, is_own);
    if (!callee || LLVMIsDeclaration(callee))
        return WHY_TURN_CALL;
    return hazard_in(hazards, callee);
}

/* An atomic operation that leaves the same whichever thread comes first, and tells nobody. */
static bool is_unordered(LLVMValueRef atomic)
{
    if (LLVMGetFirstUse(atomic) || LLVMGetVolatile(atomic) || LLVMGetOrdering(atomic) != LLVMAtomicOrderingMonotonic)
        return false;
    switch (LLVMGetAtomicRMWBinOp(atomic)) {
    case LLVMAtomicRMWBinOpAdd: case LLVMAtomicRMWBinOpSub:
    case LLVMAtomicRMWBinOpAnd: case LLVMAtomicRMWBinOpOr: case LLVMAtomicRMWBinOpXor:
    case LLVMAtomicRMWBinOpMax: case LLVMAtomicRMWBinOpMin:
    case LLVMAtomicRMWBinOpUMax: case LLVMAtomicRMWBinOpUMin:
        return true;
    default:
        return false;
    }
}

static Why hazard_of(Hazards *hazards, LLVMValueRef instruction, bool is_own)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
    case LLVMStore:
        return is_plain(instruction) ? WHY_NONE : WHY_TURN_ORDER;
    case LLVMAtomicRMW:
        return is_unordered(instruction) ? WHY_NONE : WHY_TURN_ORDER;
    case LLVMAtomicCmpXchg:
    case LLVMFence:
        return WHY_TURN_ORDER;
    case LLVMCall:
        return hazard_of_call(hazards, instruction, is_own);
    default:
        return ir_touches_memory(instruction) ? WHY_TURN_CALL : WHY_NONE;
    }
}

/* A function is looked at once; one that calls itself is being looked at. */
static Why hazard_in(Hazards *hazards, LLVMValueRef function)
{
    Why why = WHY_NONE;
    if (map_get(hazards->checked, function))
        return why;
    map_put(hazards->checked, function, function);
    bool is_own = function == hazards->kernel->function;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && !why; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !why; i = LLVMGetNextInstruction(i))
            why = hazard_of(hazards, i, is_own);
    return why;
}

Why turn_hazard(Kernel *kernel)
{
    Hazards hazards = {kernel, map_new(kernel->arena)};
    return hazard_in(&hazards, kernel->function);
}
