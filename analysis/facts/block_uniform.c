/* Values that are the same in all threads of the block: made of constants, of what the kernel was called with, of registers
 * that the block shares, of what its barriers count, and of counters of loops that all threads leave together.
 *
 *     for (i = blockIdx.x; i < n; i += gridDim.x)      i and n are alike; threadIdx.x is not
 *
 * Between the same two barriers, threads also load the same from one address (memory_order.c). What lies in memory of the thread alone
 * has no address that is alike. And what each thread has loaded for itself, how often it runs a loop or whether it comes to a block,
 * which is asked for the sake of cost alone. */
#include "analysis/address/automaton.h"
#include "analysis/facts/facts.h"

bool uniform_register(const char *name)
{
    static const char *const names[] = {
#define REGISTER(name) "llvm.nvvm.read.ptx.sreg." name,
#include "analysis/facts/thread_registers.def"
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
    return uniform_register(name) || computes;
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
    unsigned unchanged = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    return argument && argument_is_struct(argument) && LLVMGetEnumAttributeAtIndex(function, index, unchanged);
}

typedef struct {
    Scope *scope;
    bool of_memory; /* what memory holds counts, and what barriers and ways make of it */
    bool of_warp;   /* what the lanes of a warp that are there have voted for counts */
} Asked;

/* What the kernel was called with; or what a function of it is, by a call that all threads make alike. */
static bool is_shared_argument(const Asked *asked, LLVMValueRef argument)
{
    const Scope *scope = asked->scope;
    unsigned index = 0;
    while (LLVMGetParam(scope->function, index) != argument)
        index++;
    if (!scope->caller)
        return scope->kernel->is_entry;
    return asked->of_memory && index < LLVMGetNumArgOperands(scope->call) &&
           uniform_between_barriers(scope->caller, LLVMGetOperand(scope->call, index));
}

/* Does the loop let go of all threads at one iteration? If what it is left by is shared. Who goes into a trap ends the others. */
static void add_ends(Scope *scope, IrLoop *loop, Slice *slice)
{
    for (size_t n = 0; n < ir_loop_size(loop); n++) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(ir_loop_block(loop, n));
        bool leaves = false;
        for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(jump, s);
            leaves |= !ir_loop_has_block(loop, next) && path_returns(scope, next);
        }
        if (leaves && LLVMGetNumSuccessors(jump) > 1)
            slice_add(slice, LLVMGetOperand(jump, 0));
    }
}

/* Does the block belong to no loop that lets go of some threads sooner? */
static void add_ends_around(Scope *scope, LLVMBasicBlockRef block, Slice *slice)
{
    for (IrLoop *loop = ir_loop_of(scope->kernel->ir, block); loop; loop = ir_loop_parent(loop))
        add_ends(scope, loop, slice);
}

/* Do all threads take one way to the merge? */
static void add_ways(Scope *scope, LLVMBasicBlockRef merge, Slice *slice)
{
    size_t count;
    const LLVMBasicBlockRef *branch = ir_deciding(scope->kernel->ir, merge, &count);
    for (size_t i = 0; i < count; i++)
        slice_add(slice, LLVMGetOperand(LLVMGetBasicBlockTerminator(branch[i]), 0));
    add_ends_around(scope, merge, slice);
}

/* A counter of such a loop, or a merge of ways that all threads take together. */
static SlicePart ask_phi(Slice *slice, const Asked *asked, LLVMValueRef phi)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(phi);
    IrLoop *loop = ir_loop_of(asked->scope->kernel->ir, block);
    bool heads = loop && ir_loop_header(loop) == block, alone = LLVMCountIncoming(phi) == 1;
    if (heads)
        add_ends(asked->scope, loop, slice);
    else if (asked->of_memory && !alone)
        add_ways(asked->scope, block, slice);
    bool may = heads ? LLVMCountIncoming(phi) == 2 : alone || asked->of_memory;
    return may ? SLICE_MADE : SLICE_FAILS;
}

static SlicePart ask_load(Slice *slice, const Asked *asked, LLVMValueRef load)
{
    if (is_of_parameter(LLVMGetOperand(load, 0)))
        return SLICE_KNOWN;
    if (!asked->of_memory || !order_is_of_block(asked->scope, load))
        return SLICE_FAILS;
    add_ends_around(asked->scope, LLVMGetInstructionParent(load), slice);
    return SLICE_MADE; /* of its address */
}

/* What tells the next iteration is told alike; what it reads is, where a load there would be. */
static SlicePart ask_step(Slice *slice, const Asked *asked, LLVMValueRef step)
{
    if (!ir_step_reads(step))
        return SLICE_MADE;
    if (!asked->of_memory || !order_is_of_block(asked->scope, step))
        return SLICE_FAILS;
    add_ends_around(asked->scope, LLVMGetInstructionParent(step), slice);
    return SLICE_MADE; /* of what it is given, addresses among it */
}

static SlicePart ask_barrier(Slice *slice, const Asked *asked, LLVMValueRef barrier)
{
    add_ends_around(asked->scope, LLVMGetInstructionParent(barrier), slice);
    return SLICE_KNOWN;
}

bool is_division(LLVMValueRef value)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem;
}

static SlicePart ask_shared(Slice *slice, const void *context, LLVMValueRef value)
{
    const Asked *asked = context;
    if (LLVMIsConstant(value))
        return SLICE_KNOWN;
    if (LLVMIsAArgument(value))
        return is_shared_argument(asked, value) ? SLICE_KNOWN : SLICE_FAILS;
    if (!LLVMIsAInstruction(value))
        return SLICE_FAILS;
    if (LLVMIsAPHINode(value))
        return ask_phi(slice, asked, value);
    if (LLVMIsALoadInst(value) && is_plain(value))
        return ask_load(slice, asked, value);
    if (ir_is_step(value))
        return ask_step(slice, asked, value);
    if (asked->of_memory && is_whole_barrier(value))
        return ask_barrier(slice, asked, value);
    if (asked->of_warp && LLVMIsACallInst(value) && text_begins(callee_name(value), "llvm.nvvm.vote."))
        return SLICE_KNOWN;
    bool shared = LLVMIsACallInst(value) ? is_shared_call(value) : ir_is_pure(value) || is_division(value);
    return shared ? SLICE_MADE : SLICE_FAILS;
}

static bool is_alike(Scope *scope, LLVMValueRef value, bool of_memory)
{
    const Asked asked = {.scope = scope, .of_memory = of_memory};
    return slice_of(scope->kernel->arena, value, ask_shared, &asked);
}

bool uniform_in_block(Scope *scope, LLVMValueRef value) { return is_alike(scope, value, false); }

bool uniform_between_barriers(Scope *scope, LLVMValueRef value) { return is_alike(scope, value, true); }

static bool is_for_all(const Kernel *kernel, LLVMValueRef load)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->instruction == load)
            return kernel->done.measured ? access->kind == CLASS_UNIFORM : access->address && !form_varies(access->address);
    }
    return is_of_parameter(LLVMGetOperand(load, 0));
}

/* No load but of one address for all lanes. */
static SlicePart ask_told(Slice *slice, const void *context, LLVMValueRef value)
{
    const Scope *scope = context;
    (void)slice;
    if (!LLVMIsAInstruction(value))
        return SLICE_KNOWN;
    if (!LLVMIsALoadInst(value))
        return SLICE_MADE;
    return is_for_all(scope->kernel, value) ? SLICE_KNOWN : SLICE_FAILS;
}

bool uniform_is_list(Scope *scope, IrLoop *loop)
{
    Slice *slice = slice_open(scope->kernel->arena, ask_told, scope);
    add_ends(scope, loop, slice);
    return !slice_holds(slice);
}

bool uniform_is_told(Scope *scope, LLVMValueRef condition) { return slice_of(scope->kernel->arena, condition, ask_told, scope); }

bool uniform_is_chosen_within(Scope *scope, LLVMBasicBlockRef block, IrLoop *loop)
{
    IrModule *ir = scope->kernel->ir;
    bool told = true, holds;
    for (LLVMBasicBlockRef above = ir_idom(ir, block); told && above && (!loop || ir_loop_has_block(loop, above));
         above = ir_idom(ir, above))
        if (condition_leads(scope, above, block, &holds))
            told = uniform_is_told(scope, LLVMGetCondition(LLVMGetBasicBlockTerminator(above)));
    return !told;
}

bool uniform_is_chosen(Scope *scope, LLVMBasicBlockRef block) { return uniform_is_chosen_within(scope, block, NULL); }

/* Warps are never whole there: the nearest points of a cloud, whose first one fills a row of 32, took 64 registers instead of 30 and came to 0.84 of plain
 * clang (H200). */
bool uniform_one_by_one(const Access *access)
{
    IrLoop *around = access->kind == CLASS_WALK ? ir_loop_parent(access->loop) : NULL;
    return around && walk_meets_again(access) && uniform_is_chosen_within(access->scope, ir_loop_header(access->loop), around);
}

bool uniform_is_stored(Scope *scope, IrLoop *loop)
{
    const List *accesses = &scope->kernel->found.accesses;
    bool stores = false;
    for (size_t i = 0; i < accesses->count; i++) {
        const Access *access = accesses->item[i];
        if (access->loop == loop && access->op == OP_LOAD && !is_for_all(scope->kernel, access->instruction))
            return false;
        stores |= access->loop == loop && access->op == OP_STORE;
    }
    return stores && uniform_is_list(scope, loop);
}

typedef struct {
    Scope *scope;
    IrLoop *loop;
} OfLoop;

/* No load in front of the loop that some lanes have been kept from by what they loaded before. */
static SlicePart ask_unchosen(Slice *slice, const void *context, LLVMValueRef value)
{
    const OfLoop *of = context;
    (void)slice;
    if (!LLVMIsAInstruction(value))
        return SLICE_KNOWN;
    LLVMBasicBlockRef block = LLVMGetInstructionParent(value);
    if (!LLVMIsALoadInst(value) || ir_loop_has_block(of->loop, block))
        return SLICE_MADE;
    return uniform_is_chosen(of->scope, block) ? SLICE_FAILS : SLICE_KNOWN;
}

bool uniform_list_is_chosen(Scope *scope, IrLoop *loop)
{
    const OfLoop of = {scope, loop};
    Slice *slice = slice_open(scope->kernel->arena, ask_unchosen, &of);
    add_ends(scope, loop, slice);
    return !slice_holds(slice);
}

bool uniform_leave(Scope *scope, IrLoop *loop)
{
    const Asked asked = {.scope = scope};
    Slice *slice = slice_open(scope->kernel->arena, ask_shared, &asked);
    add_ends(scope, loop, slice);
    return slice_holds(slice);
}

/* Do all threads make as many iterations? A pointer of each thread's own may run to an end of its own, equally far. */
static bool is_counted_alike(const Asked *asked, IrLoop *loop)
{
    enum { MOST_PARTS = 8 };
    LLVMValueRef part[MOST_PARTS];
    size_t parts;
    Slice *slice = slice_open(asked->scope->kernel->arena, ask_shared, asked);
    if (!ir_loop_count_is_of(asked->scope->kernel->ir, loop, part, MOST_PARTS, &parts))
        return false;
    for (size_t i = 0; i < parts; i++)
        slice_add(slice, part[i]);
    return slice_holds(slice);
}

bool uniform_counts(Scope *scope, IrLoop *loop)
{
    const Asked asked = {.scope = scope, .of_memory = true};
    return is_counted_alike(&asked, loop) || uniform_leave(scope, loop);
}

bool uniform_counts_in_warp(Scope *scope, IrLoop *loop)
{
    const Asked asked = {.scope = scope, .of_memory = true, .of_warp = true};
    return is_counted_alike(&asked, loop) || uniform_leave(scope, loop);
}

bool loop_is_rounded(Scope *scope, IrLoop *loop)
{
    return ir_loop_is_rounded(scope->kernel->ir, loop) && !uniform_counts(scope, loop);
}

bool uniform_ends(Scope *scope, IrLoop *loop)
{
    const Asked asked = {.scope = scope, .of_memory = true};
    Slice *slice = slice_open(scope->kernel->arena, ask_shared, &asked);
    for (; loop; loop = ir_loop_parent(loop))
        if (!is_counted_alike(&asked, loop))
            add_ends(scope, loop, slice);
    return slice_holds(slice);
}
