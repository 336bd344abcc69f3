/* May the threads of a block change places? Everything must be the same whichever threads make a warp: no operation of the warp,
 * no order of threads that something could tell, and thread indices read in the kernel alone, where they can be replaced.
 *
 * Barriers of the block may stay if all threads come to them: a warp that comes to a barrier as one may not do so when its
 * threads are others. */
#include <string.h>

#include "analysis/facts/facts.h"
#include "analysis/turn/turn.h"

static bool is_listed(const char *name, const char *const list[], size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (text_begins(name, list[i]))
            return true;
    return false;
}

/* Not marked as convergent, and operations of the warp all the same. */
static const char *const of_warp[] = {
#define WARP(name) "llvm.nvvm." name,
#include "analysis/facts/thread_registers.def"
};

static const char *const of_thread[] = {"llvm.nvvm.read.ptx.sreg.tid.z", "llvm.trap"};

#define LENGTH(array) (sizeof(array) / sizeof *(array))

static bool is_thread_index(const char *name) { return text_begins(name, TURN_X) || text_begins(name, TURN_Y); }

/* ---- instructions ---- */

typedef struct {
    Kernel *kernel;
    Map *checked;      /* functions */
    List pending;      /* of those: called, and not looked at yet */
} Hazards;

/* A function is looked at once. */
static void hazards_add(Hazards *hazards, LLVMValueRef function)
{
    if (map_get(hazards->checked, function))
        return;
    map_put(hazards->checked, function, function);
    list_add(&hazards->pending, function);
}

static Why hazard_of_intrinsic(const Hazards *hazards, LLVMValueRef call, bool is_own)
{
    const char *name = callee_name(call);
    if (is_thread_index(name))
        return is_own ? WHY_NONE : WHY_TURN_CALL;
    if (uniform_register(name) || is_listed(name, of_thread, LENGTH(of_thread)))
        return WHY_NONE;
    if (text_begins(name, "llvm.nvvm.barrier.cta.sync.aligned.all"))
        return !is_own                                                                 ? WHY_TURN_CALL
               : converges_all(hazards->kernel->scope, LLVMGetInstructionParent(call)) ? WHY_NONE
                                                                                       : WHY_TURN_BARRIER;
    if (text_begins(name, "llvm.nvvm.read.ptx.sreg.") || is_listed(name, of_warp, LENGTH(of_warp)))
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
        return hazard_of_intrinsic(hazards, call, is_own);
    if (!callee || LLVMIsDeclaration(callee))
        return WHY_TURN_CALL;
    hazards_add(hazards, callee);
    return WHY_NONE;
}

/* An atomic operation that leaves the same whichever thread comes first, and tells nobody. */
static bool commutes(LLVMValueRef atomic)
{
    return !LLVMGetFirstUse(atomic) && !LLVMGetVolatile(atomic) && LLVMGetOrdering(atomic) == LLVMAtomicOrderingMonotonic &&
           operation_commutes(atomic);
}

static Why hazard_of(Hazards *hazards, LLVMValueRef instruction, bool is_own)
{
    switch (LLVMGetInstructionOpcode(instruction)) {
    case LLVMLoad:
    case LLVMStore: return is_plain(instruction) ? WHY_NONE : WHY_TURN_ORDER;
    case LLVMAtomicRMW: return commutes(instruction) ? WHY_NONE : WHY_TURN_ORDER;
    case LLVMAtomicCmpXchg:
    case LLVMFence: return WHY_TURN_ORDER;
    case LLVMCall: return hazard_of_call(hazards, instruction, is_own);
    default: return ir_touches_memory(instruction) ? WHY_TURN_CALL : WHY_NONE;
    }
}

static Why hazard_in(Hazards *hazards, LLVMValueRef function)
{
    Why why = WHY_NONE;
    bool is_own = function == hazards->kernel->function;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b && !why; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && !why; i = LLVMGetNextInstruction(i))
            why = hazard_of(hazards, i, is_own);
    return why;
}

Why turn_hazard(Kernel *kernel)
{
    Hazards hazards = {kernel, map_new(kernel->arena), list_new(kernel->arena)};
    Why why = WHY_NONE;
    for (hazards_add(&hazards, kernel->function); !why && hazards.pending.count;)
        why = hazard_in(&hazards, hazards.pending.item[--hazards.pending.count]);
    return why;
}
