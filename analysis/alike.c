/* Values that are the same in all threads of the block: made of constants, of what the kernel was called with, of registers
 * that the block shares, of what its barriers count, and of counters of loops that all threads leave together.
 *
 *     for (i = blockIdx.x; i < n; i += gridDim.x)      i and n are alike; threadIdx.x is not
 *
 * Between the same two barriers, threads also load the same from one address (order.c). What lies in memory of the thread alone
 * has no address that is alike. */
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

typedef struct {
    Scope *scope;
    Map *seen;
    bool of_memory; /* what memory holds counts, and what barriers and ways make of it */
} Search;

static bool is_shared_by_block(Search *search, LLVMValueRef value);

/* What the kernel was called with; or what a function of it is, by a call that all threads make alike. */
static bool is_shared_argument(const Search *search, LLVMValueRef argument)
{
    const Scope *scope = search->scope;
    unsigned index = 0;
    while (LLVMGetParam(scope->function, index) != argument)
        index++;
    if (!scope->caller)
        return scope->kernel->is_entry;
    return search->of_memory && index < LLVMGetNumArgOperands(scope->call) &&
           alike_between_barriers(scope->caller, LLVMGetOperand(scope->call, index));
}

static bool operands_are_shared(Search *search, LLVMValueRef instruction)
{
    for (int i = 0; i < LLVMGetNumOperands(instruction); i++)
        if (!is_shared_by_block(search, LLVMGetOperand(instruction, (unsigned)i)))
            return false;
    return true;
}

/* Does the loop let go of all threads at one iteration? Who goes into a trap ends the others. */
static bool ends_together(Search *search, IrLoop *loop)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(b);
        bool leaves = false;
        for (unsigned s = 0; ir_loop_has_block(loop, b) && s < LLVMGetNumSuccessors(jump); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
            leaves |= !ir_loop_has_block(loop, next) && way_returns(search->scope, next);
        }
        if (leaves && LLVMGetNumSuccessors(jump) > 1 && !is_shared_by_block(search, LLVMGetOperand(jump, 0)))
            return false;
    }
    return true;
}

/* Does the block belong to no loop that lets go of some threads sooner? */
static bool leaves_together(Search *search, LLVMBasicBlockRef block)
{
    for (IrLoop *loop = ir_loop_of(search->scope->kernel->ir, block); loop; loop = ir_loop_parent(loop))
        if (!ends_together(search, loop))
            return false;
    return true;
}

/* Do all threads take one way to the merge? */
static bool comes_one_way(Search *search, LLVMBasicBlockRef merge)
{
    const Kernel *kernel = search->scope->kernel;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(search->scope->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(b);
        bool decides = LLVMGetNumSuccessors(jump) > 1 && ir_reachable(kernel->ir, b) &&
                       (ir_meeting(kernel->ir, b) == merge || way_decides(kernel, b, merge, NULL));
        if (decides && !is_shared_by_block(search, LLVMGetOperand(jump, 0)))
            return false;
    }
    return leaves_together(search, merge);
}

/* A counter of such a loop, or a merge of ways that all threads take together. */
static bool is_alike_phi(Search *search, LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    IrLoop *loop = ir_loop_of(search->scope->kernel->ir, block);
    bool heads = loop && ir_loop_header(loop) == block;
    if (heads)
        return LLVMCountIncoming(phi) == 2 && ends_together(search, loop);
    return LLVMCountIncoming(phi) == 1 || (search->of_memory && comes_one_way(search, block));
}

static bool is_shared_load(Search *search, LLVMValueRef load)
{
    LLVMValueRef pointer = LLVMGetOperand(load, 0);
    return is_of_parameter(pointer) ||
           (search->of_memory && is_shared_by_block(search, pointer) &&
            leaves_together(search, LLVMGetInstructionParent(load)) && order_is_of_block(search->scope, load));
}

static bool is_shared_by_block(Search *search, LLVMValueRef value)
{
    if (LLVMIsConstant(value) || map_get(search->seen, value))
        return true;
    if (LLVMIsAArgument(value))
        return is_shared_argument(search, value);
    if (!LLVMIsAInstruction(value))
        return false;
    map_put(search->seen, value, value);
    if (LLVMIsALoadInst(value) && is_plain(value))
        return is_shared_load(search, value);
    if (search->of_memory && is_whole_barrier(value))
        return leaves_together(search, LLVMGetInstructionParent(value));
    bool shared = LLVMIsAPHINode(value) ? is_alike_phi(search, value)
                  : LLVMIsACallInst(value) ? is_shared_call(value) : ir_is_pure(value);
    return shared && operands_are_shared(search, value);
}

static Search search_of(Scope *scope, bool of_memory) { return (Search){scope, map_new(scope->kernel->arena), of_memory}; }

bool alike_in_block(Scope *scope, LLVMValueRef value)
{
    Search search = search_of(scope, false);
    return is_shared_by_block(&search, value);
}

bool alike_between_barriers(Scope *scope, LLVMValueRef value)
{
    Search search = search_of(scope, true);
    return is_shared_by_block(&search, value);
}

bool alike_leave(Scope *scope, IrLoop *loop)
{
    Search search = search_of(scope, false);
    return ends_together(&search, loop);
}
