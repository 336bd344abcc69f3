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

/* Does the loop let go of all threads at one iteration? If what it is left by is shared. Who goes into a trap ends the others. */
static void add_ends(Scope *scope, IrLoop *loop, Slice *slice)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(b);
        bool leaves = false;
        for (unsigned s = 0; ir_loop_has_block(loop, b) && s < LLVMGetNumSuccessors(jump); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
            leaves |= !ir_loop_has_block(loop, next) && way_returns(scope, next);
        }
        if (leaves && LLVMGetNumSuccessors(jump) > 1)
            slice_add(slice, LLVMGetOperand(jump, 0));
    }
}

/* A counter of such a loop. A merge of ways is none. */
static SlicePart ask_phi(Slice *slice, Scope *scope, LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    IrLoop *loop = ir_loop_of(scope->kernel->ir, block);
    bool heads = loop && ir_loop_header(loop) == block && LLVMCountIncoming(phi) == 2;
    if (heads)
        add_ends(scope, loop, slice);
    return heads || LLVMCountIncoming(phi) == 1 ? SLICE_MADE : SLICE_FAILS;
}

static SlicePart ask_shared(Slice *slice, const void *context, LLVMValueRef value)
{
    Scope *scope = (Scope *)context;
    if (LLVMIsConstant(value))
        return SLICE_KNOWN;
    if (LLVMIsAArgument(value))
        return scope->kernel->is_entry && !scope->caller ? SLICE_KNOWN : SLICE_FAILS;
    if (!LLVMIsAInstruction(value))
        return SLICE_FAILS;
    if (LLVMIsAPHINode(value))
        return ask_phi(slice, scope, value);
    if (LLVMIsALoadInst(value) && is_plain(value))
        return is_of_parameter(LLVMGetOperand(value, 0)) ? SLICE_KNOWN : SLICE_FAILS;
    bool shared = LLVMIsACallInst(value) ? is_shared_call(value) : ir_is_pure(value);
    return shared ? SLICE_MADE : SLICE_FAILS;
}

bool alike_in_block(Scope *scope, LLVMValueRef value) { return slice_of(scope->kernel->arena, value, ask_shared, scope); }

bool alike_leave(Scope *scope, IrLoop *loop)
{
    Slice *slice = slice_open(scope->kernel->arena, ask_shared, scope);
    add_ends(scope, loop, slice);
    return slice_holds(slice);
}
