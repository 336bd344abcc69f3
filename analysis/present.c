/* Do all threads of the block come to a place together, so that they may share out work there?
 *
 *     if (threadIdx.x < 5) f();           all ways meet again before the place: nobody is missing
 *     for (i = 0; i < n; i++)             every thread counts alike
 *         place
 *
 * A branch that decides whether, or how often, the place is met must go one way in all threads of the block; any other
 * branch must let all threads meet again before it. */
#include <string.h>

#include "coalda.h"

/* ---- values that are the same in all threads of the block ---- */

static bool begins_with(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

/* Arithmetic on what all threads of the block share is shared; of what only the GPU knows, a few registers are. */
static bool is_shared_call(LLVMValueRef call)
{
    static const char *const names[] = {"ctaid.", "ntid.", "nctaid."};
    static const char prefix[] = "llvm.nvvm.read.ptx.sreg.";
    size_t length;
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    const char *name = callee ? LLVMGetValueName2(callee, &length) : "";
    for (size_t i = 0; begins_with(name, prefix) && i < sizeof names / sizeof *names; i++)
        if (begins_with(name + sizeof prefix - 1, names[i]))
            return true;
    return begins_with(name, "llvm.") && !begins_with(name, "llvm.nvvm.") && ir_is_pure(call);
}

/* A struct that the kernel was called with, and does not change. */
static bool is_of_parameter(LLVMValueRef pointer)
{
    static const char name[] = "readonly";
    int64_t bytes;
    LLVMValueRef argument = LLVMIsAArgument(ir_without_offset(pointer, &bytes));
    LLVMValueRef function = argument ? LLVMGetParamParent(argument) : NULL;
    unsigned index = 1;
    for (LLVMValueRef p = function ? LLVMGetFirstParam(function) : NULL; p && p != argument; p = LLVMGetNextParam(p))
        index++;
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);
    unsigned unchanged = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    return argument && LLVMGetEnumAttributeAtIndex(function, index, byval) &&
           LLVMGetEnumAttributeAtIndex(function, index, unchanged);
}

static bool is_shared_by_block(Scope *scope, LLVMValueRef value, Map *seen);

static bool operands_are_shared(Scope *scope, LLVMValueRef instruction, Map *seen)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
        if (!is_shared_by_block(scope, LLVMGetOperand(instruction, (unsigned)i), seen))
            return false;
    return true;
}

/* Does the loop let go of all threads at one iteration? */
static bool ends_together(Scope *scope, IrLoop *loop, Map *seen)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(b);
        bool leaves = false;
        for (unsigned s = 0; ir_loop_has_block(loop, b) && s < LLVMGetNumSuccessors(jump); s++)
            leaves |= !ir_loop_has_block(loop, LLVMGetSuccessor(jump, s));
        if (leaves && LLVMGetNumSuccessors(jump) > 1 && !is_shared_by_block(scope, LLVMGetOperand(jump, 0), seen))
            return false;
    }
    return true;
}

/* A counter of such a loop. A merge of ways is none. */
static bool is_counter(Scope *scope, LLVMValueRef phi, Map *seen)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    IrLoop *loop = ir_loop_of(scope->kernel->ir, block);
    bool heads = loop && ir_loop_header(loop) == block && LLVMCountIncoming(phi) == 2;
    return LLVMCountIncoming(phi) == 1 || (heads && ends_together(scope, loop, seen));
}

static bool is_shared_by_block(Scope *scope, LLVMValueRef value, Map *seen)
{
    if (LLVMIsConstant(value) || map_get(seen, value))
        return true;
    if (LLVMIsAArgument(value))
        return scope->kernel->is_entry && !scope->caller;
    if (!LLVMIsAInstruction(value))
        return false;
    map_put(seen, value, value);
    if (LLVMIsALoadInst(value) && is_plain(value))
        return is_of_parameter(LLVMGetOperand(value, 0));
    bool shared = LLVMIsAPHINode(value) ? is_counter(scope, value, seen)
                  : LLVMIsACallInst(value) ? is_shared_call(value) : ir_is_pure(value);
    return shared && operands_are_shared(scope, value, seen);
}

bool present_alike(Scope *scope, LLVMValueRef value) { return is_shared_by_block(scope, value, map_new(scope->kernel->arena)); }

/* ---- branches ---- */

/* Can the way from the block lead to the place before it has come to the meeting? */
static bool passes(LLVMBasicBlockRef block, LLVMBasicBlockRef meeting, LLVMBasicBlockRef place, Map *seen)
{
    if (block == meeting || map_get(seen, block))
        return false;
    if (block == place)
        return true;
    map_put(seen, block, block);
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(block);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
        if (passes(LLVMGetSuccessor(jump, s), meeting, place, seen))
            return true;
    return false;
}

static bool parts_threads(Scope *scope, LLVMBasicBlockRef branch, LLVMBasicBlockRef place)
{
    Arena *arena = scope->kernel->arena;
    LLVMValueRef jump = LLVMGetBasicBlockTerminator(branch);
    if (LLVMGetNumSuccessors(jump) < 2 || present_alike(scope, LLVMGetOperand(jump, 0)))
        return false;
    LLVMBasicBlockRef meeting = ir_meeting(scope->kernel->ir, branch);
    Map *seen = map_new(arena);
    for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
        if (passes(LLVMGetSuccessor(jump, s), meeting, place, seen))
            return true;
    return false;
}

bool present_all(Scope *scope, LLVMBasicBlockRef place)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b))
        if (ir_reachable(scope->kernel->ir, b) && parts_threads(scope, b, place))
            return false;
    return true;
}
