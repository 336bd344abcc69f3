/* Values that are the same in all threads of the block: made of constants, of what the kernel was called with, of registers
 * that the block shares, and of counters of loops that all threads leave together.
 *
 *     for (i = blockIdx.x; i < n; i += gridDim.x)      i and n are alike; threadIdx.x, and what memory holds, are not */
#include "coalda.h"

bool alike_register(const char *name)
{
    static const char *const names[] = {
#define REGISTER(name) "llvm.nvvm.read.ptx.sreg." name,
#include "turn.def"
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (text_begins(name, names[i]))
            return true;
    return false;
}

/* Arithmetic on what all threads of the block share is shared; of what only the GPU knows, a few registers are. */
static bool is_shared_call(LLVMValueRef call)
{
    const char *name = callee_name(call);
    bool computes = text_begins(name, "llvm.") && !text_begins(name, "llvm.nvvm.") && ir_is_pure(call);
    return alike_register(name) || computes;
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

/* Does the loop let go of all threads at one iteration? Who goes into a trap ends the others. */
static bool ends_together(Scope *scope, IrLoop *loop, Map *seen)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(b);
        bool leaves = false;
        for (unsigned s = 0; ir_loop_has_block(loop, b) && s < LLVMGetNumSuccessors(jump); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
            leaves |= !ir_loop_has_block(loop, next) && way_returns(scope, next);
        }
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

bool alike_in_block(Scope *scope, LLVMValueRef value) { return is_shared_by_block(scope, value, map_new(scope->kernel->arena)); }

bool alike_leave(Scope *scope, IrLoop *loop) { return ends_together(scope, loop, map_new(scope->kernel->arena)); }
