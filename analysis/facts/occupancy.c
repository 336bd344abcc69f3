/* How many blocks an SM holds at once, as far as shared memory and threads say: registers are the backend's affair. */
#include "analysis/facts/facts.h"

typedef struct {
    int arch, kilobytes, threads, blocks;
} Sm;

/* An architecture that has no row is taken for the one before it. */
static const Sm *sm_of(int arch)
{
    static const Sm table[] = {
#define SM(arch, kilobytes, threads, blocks) {arch, kilobytes, threads, blocks},
#include "pass/base/gpu.def"
    };
    size_t row = sizeof table / sizeof *table - 1;
    while (row && table[row].arch > arch)
        row--;
    return &table[row];
}

enum { KILOBYTE = 1024, RESERVED = 1024 }; /* bytes that every block takes besides its own */

int64_t shared_of_sm(int arch) { return (int64_t)sm_of(arch)->kilobytes * KILOBYTE; }

static int smaller(int64_t a, int64_t b) { return (int)(a < b ? a : b); }

int resident_blocks(const Kernel *kernel, int64_t shared)
{
    enum { WARP = 32 };
    const Sm *sm = sm_of(kernel->options.arch);
    int limit = form_shape(kernel->forms).limit, seen = kernel->launched.threads;
    int threads = ((limit ? limit : seen) + WARP - 1) / WARP * WARP; /* 0 where unknown */
    int blocks = smaller(shared_of_sm(kernel->options.arch) / (shared + RESERVED), sm->blocks);
    return threads ? smaller(sm->threads / threads, blocks) : blocks;
}

/* ---- what a kernel has ---- */

static bool may_run(const Kernel *kernel, LLVMValueRef instruction)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
    return function == kernel->function || (!function_is_kernel(function) && LLVMGetFirstUse(function));
}

/* Constants are made of it, and of each other. */
static bool value_is_used(const Kernel *kernel, LLVMValueRef value)
{
    List pending = list_new(kernel->arena);
    Map *seen = map_new(kernel->arena);
    for (list_add(&pending, value); pending.count;)
        for (LLVMUseRef use = LLVMGetFirstUse(pending.item[--pending.count]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (LLVMIsAInstruction(user) && may_run(kernel, user))
                return true;
            if (LLVMIsAInstruction(user) || map_get(seen, user))
                continue;
            map_put(seen, user, user);
            list_add(&pending, user);
        }
    return false;
}

static int64_t alignment_of(const Kernel *kernel, LLVMValueRef array)
{
    int64_t said = LLVMGetAlignment(array);
    return said ? said : (int64_t)LLVMABIAlignmentOfType(kernel->layout, LLVMGlobalGetValueType(array));
}

/* In whatever order arrays lie there, each begins where the one that is aligned most may; those that are left out are among them, in
 * what they become. */
int64_t shared_bytes(const Kernel *kernel, const List *without)
{
    int64_t most = 1, bytes = 0;
    List arrays = list_new(kernel->arena);
    for (LLVMValueRef g = LLVMGetFirstGlobal(kernel->module); g; g = LLVMGetNextGlobal(g)) {
        if (!is_shared_array(g) || LLVMIsDeclaration(g) || !value_is_used(kernel, g))
            continue;
        if (!without || !list_has(without, g))
            list_add(&arrays, g);
        most = alignment_of(kernel, g) > most ? alignment_of(kernel, g) : most;
    }
    for (size_t i = 0; i < arrays.count; i++) {
        int64_t size = (int64_t)LLVMABISizeOfType(kernel->layout, LLVMGlobalGetValueType(arrays.item[i]));
        bytes += (size + most - 1) / most * most;
    }
    return bytes;
}

bool shared_is_dynamic(const Kernel *kernel)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(kernel->module); g; g = LLVMGetNextGlobal(g))
        if (is_shared_array(g) && LLVMIsDeclaration(g) && value_is_used(kernel, g))
            return true;
    return false;
}

int64_t blocks_wanted(const Kernel *kernel) { return kernel_number(kernel, "nvvm.minctasm"); }

int64_t shared_room(const Kernel *kernel)
{
    int64_t wanted = blocks_wanted(kernel);
    int64_t share = wanted ? shared_of_sm(kernel->options.arch) / wanted - RESERVED : SHARED_BUDGET;
    return (share < SHARED_BUDGET ? share : SHARED_BUDGET) - shared_bytes(kernel, NULL);
}

static bool is_of_toolkit(const char *name)
{
    static const char *const known[] = {"llvm.", "vprintf", "__assertfail", "malloc", "free"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (text_begins(name, known[i]))
            return true;
    return false;
}

/* Of another module, or through a pointer, whatever function that leads to. */
static bool leads_elsewhere(LLVMValueRef instruction)
{
    size_t length;
    LLVMValueRef called = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
    LLVMValueRef callee = called ? LLVMIsAFunction(called) : NULL;
    if (callee)
        return LLVMIsDeclaration(callee) && !is_of_toolkit(LLVMGetValueName2(callee, &length));
    return called && !LLVMIsAInlineAsm(called);
}

bool shared_is_elsewhere(const Kernel *kernel)
{
    for (size_t k = 0; k < kernel->found.scopes.count; k++) {
        LLVMValueRef function = ((const Scope *)kernel->found.scopes.item[k])->function;
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                if (leads_elsewhere(i))
                    return true;
    }
    return false;
}
