/* Kernels that do little for each thread, whose blocks may each do the work of several:
 *
 *     i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i < n) o[i] = f(a[i]);
 *
 * A GPU begins so many blocks in a microsecond, whatever they do, and a thread that loads four bytes keeps few on their way: what such a launch waits for is
 * the launch. The kernel stands there a second time, as one whose blocks do that of two or four neighbours along x (pass/spares), and the host's launch
 * stub launches so many times fewer where there are many (pass/host).
 *
 * It is sound for every kernel that goes one way, past bounds that it returns at, and in which nothing is ordered: threads of different blocks see nothing
 * of each other without atomics, barriers or volatile accesses, and the language leaves open when blocks run. Nothing in it may tell which block it is but
 * blockIdx.x, which is replaced. It pays where threads move few bytes, at places that neighbours share sectors of. */
#include <stdlib.h>
#include <string.h>

#include "analysis/plan/plan.h"

static bool is_end(LLVMBasicBlockRef block) { return LLVMIsAReturnInst(LLVMGetFirstInstruction(block)) != NULL; }

/* Where the kernel goes on behind the block; NULL where it ends, or `goes` both ways. */
static LLVMBasicBlockRef next_of(LLVMBasicBlockRef block, bool *goes)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    LLVMBasicBlockRef next = NULL;
    *goes = LLVMIsAReturnInst(end) || LLVMIsABranchInst(end);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef to = LLVMGetSuccessor(end, i);
        if (is_end(to))
            continue;
        *goes = *goes && !next;
        next = to;
    }
    if (!next && LLVMGetNumSuccessors(end) > 1)
        *goes = false;
    return next;
}

/* Of a register that tells where in the grid a thread is: all that do change or stay alike, but those of other names. */
static bool is_register_of_place(const char *name)
{
    static const char prefix[] = "llvm.nvvm.read.ptx.sreg.";
    static const char *const places[] = {"tid.", "ntid.", "ctaid.", "nctaid.", "laneid", "warpsize"};
    bool any = false;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++)
        any |= text_begins(name + sizeof prefix - 1, places[i]);
    return any;
}

/* Is it the same, whichever block does it? Of assembly, which may read registers of its own, its text tells. */
static bool is_free_of_place(LLVMValueRef i)
{
    if (!LLVMIsACallInst(i))
        return true;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    size_t length;
    if (LLVMIsAInlineAsm(callee))
        return !memchr(LLVMGetInlineAsmAsmString(callee, &length), '%', length);
    if (!LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
        return false;
    const char *name = callee_name(i);
    return !text_begins(name, "llvm.nvvm.read.ptx.sreg.") || is_register_of_place(name);
}

static bool is_moved(LLVMValueRef i)
{
    bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
    return (is_access ? is_plain(i) : !LLVMIsAAllocaInst(i) && is_harmless(i)) && is_free_of_place(i);
}

/* May the block be done for several at once, and does it store? */
static bool block_is_moved(LLVMBasicBlockRef block, bool *stores)
{
    bool moved = true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i && moved; i = LLVMGetNextInstruction(i)) {
        moved = LLVMIsATerminatorInst(i) || (is_moved(i) && !LLVMIsAPHINode(i));
        *stores |= LLVMIsAStoreInst(i) != NULL;
    }
    return moved;
}

/* Does the kernel go one way, and store at its end alone? Where some of its threads go no further, all begin again from the start, as they were. */
static bool goes_one_way(const Kernel *kernel)
{
    unsigned blocks = 0;
    bool goes = true, stores = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        blocks += !is_end(b);
    for (LLVMBasicBlockRef b = LLVMGetEntryBasicBlock(kernel->function), next; b && goes; b = next, blocks--) {
        next = next_of(b, &goes);
        goes = goes && block_is_moved(b, &stores) && !(stores && next);
    }
    return goes && stores && blocks == 0;
}

/* Does it ask which block along x it is? Nothing else is given to a block that does the work of several. */
static bool asks_for_block(const Kernel *kernel)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_call_of(i, "llvm.nvvm.read.ptx.sreg.ctaid.x"))
                return true;
    return false;
}

/* What a thread moves. */
typedef struct {
    int64_t bytes; /* of its own */
    bool spread;   /* stores leave gaps, which others fill */
} Moved;

/* Do threads part where it is made, perhaps by what it loads? Those of other blocks would seldom go on together. */
static bool is_before_guard(const Access *access)
{
    return LLVMGetNumSuccessors(LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(access->instruction))) > 1;
}

/* Does the access move what neighbours share sectors of, at a place that no data name? What all lanes load alike costs nothing; what goes by i % n
 * has no stride, and lies side by side but for where it begins again. */
static bool is_near(const Access *access, int64_t most, Moved *moved)
{
    int64_t stride = 0;
    bool has_stride = access->stride && form_is_constant(access->stride, &stride), stores = access->op == OP_STORE;
    bool is_unit = access->kind == CLASS_UNIT, is_close = has_stride && stride && llabs(stride) <= most;
    if (access->kind == CLASS_UNIFORM)
        return !stores;
    moved->bytes += access->bytes;
    moved->spread |= stores && !is_unit;
    return (access->op == OP_LOAD || stores) && !form_loaded(access->address) && !is_before_guard(access) &&
           (is_unit || is_close || (!stores && !access->stride));
}

/* Several blocks would share one array, and threads of one have none of their own. */
static bool moves_little(const Kernel *kernel, Moved *moved)
{
    const Costs *cost = &kernel->options.cost;
    bool little = true;
    for (size_t i = 0; i < kernel->found.accesses.count && little; i++) {
        const Access *access = kernel->found.accesses.item[i];
        if (access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC)
            little = is_near(access, (int64_t)cost->COARSE_STRIDE, moved);
        else
            little = access->space == SPACE_CONSTANT || access->space == SPACE_PARAM;
    }
    return little && moved->bytes <= (int64_t)cost->COARSE_BYTES;
}

int coarse_blocks(const Kernel *kernel)
{
    enum { TWO = 2, FOUR = 4 };
    const Costs *cost = &kernel->options.cost;
    Moved moved = {0};
    if (!asks_for_block(kernel) || !goes_one_way(kernel) || !moves_little(kernel, &moved) ||
        function_length(kernel->function) > (size_t)cost->COARSE_CODE)
        return 0;
    return moved.spread || moved.bytes > (int64_t)cost->COARSE_FOUR ? TWO : FOUR;
}
