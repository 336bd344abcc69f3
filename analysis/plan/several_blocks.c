/* Kernels that one block may do for several of a launch (coarse.c): those in which nothing is ordered. Threads of different blocks see nothing of each other
 * without atomics, barriers or volatile accesses, and the language leaves open when blocks run. Nothing in the kernel may tell which block it is but
 * blockIdx.x, which is replaced, nor keep anything that the next one finds: variables in shared memory, structs that it is given and changes. */
#include <string.h>

#include "analysis/facts/facts.h"
#include "analysis/plan/plan.h"

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

/* Does its text name no register that tells more, and nothing else that may stand but once in a kernel: variables and labels, where no braces are
 * around all of it? */
static bool is_free_assembly(LLVMValueRef assembly)
{
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(assembly, &length), *open = text + strspn(text, " \t\n");
    const char *close = *open == '{' ? strchr(open, '}') : NULL;
    bool is_inside = close && close[1 + strspn(close + 1, " \t\n;")] == '\0' && !strchr(open + 1, '{');
    return !strchr(text, '%') && (is_inside || (!strchr(text, ':') && !strstr(text, ".reg")));
}

/* A quotient that may be a product: of several by one divisor the backend makes products, of one a division. */
static bool is_loose_quotient(LLVMValueRef i)
{
    return LLVMGetInstructionOpcode(i) == LLVMFDiv && (LLVMGetFastMathFlags(i) & LLVMFastMathAllowReciprocal);
}

/* Is it the same, whichever block does it? Of assembly, which may read registers of its own, its text tells. */
static bool is_free_of_place(LLVMValueRef i)
{
    if (!LLVMIsACallInst(i))
        return true;
    LLVMValueRef callee = LLVMGetCalledValue(i);
    if (LLVMIsAInlineAsm(callee))
        return is_free_assembly(callee);
    if (!LLVMIsAFunction(callee) || !LLVMGetIntrinsicID(callee))
        return false;
    const char *name = callee_name(i);
    return !text_begins(name, "llvm.nvvm.read.ptx.sreg.") || is_register_of_place(name);
}

static bool is_moved(LLVMValueRef i)
{
    bool is_access = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
    return (is_access ? is_plain(i) : !LLVMIsAAllocaInst(i) && is_harmless(i)) && is_free_of_place(i) && !is_loose_quotient(i) &&
           !instruction_names(i, is_shared_array);
}

/* Does it change nothing that it is given, which all blocks would see? And is there room for one number more? Of structs 4 KB are parameters on every
 * architecture. */
static bool arguments_are_kept(const Kernel *kernel)
{
    enum { MOST_BYTES = 4000, WORD = 16 };
    static const char struct_name[] = "byval", kept_name[] = "readonly";
    unsigned of_struct = LLVMGetEnumAttributeKindForName(struct_name, sizeof struct_name - 1);
    unsigned kept = LLVMGetEnumAttributeKindForName(kept_name, sizeof kept_name - 1);
    unsigned long long bytes = 0;
    for (unsigned i = 0; i < LLVMCountParams(kernel->function); i++) {
        LLVMAttributeRef is_struct = LLVMGetEnumAttributeAtIndex(kernel->function, i + 1, of_struct);
        LLVMTypeRef type = is_struct ? LLVMGetTypeAttributeValue(is_struct) : LLVMTypeOf(LLVMGetParam(kernel->function, i));
        bytes += (LLVMABISizeOfType(kernel->layout, type) + WORD - 1) / WORD * WORD;
        if (is_struct && !LLVMGetEnumAttributeAtIndex(kernel->function, i + 1, kept))
            return false;
    }
    return bytes <= MOST_BYTES;
}

/* Does all of it do the same for several blocks, and does it store? */
static bool is_moved_whole(const Kernel *kernel)
{
    bool moved = true, stores = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i && moved; i = LLVMGetNextInstruction(i)) {
            moved = is_moved(i);
            stores |= LLVMIsAStoreInst(i) != NULL;
        }
    return moved && stores;
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

/* A product that another block adds ptxas may make one with the sum; in a kernel whose roundings are written down it does not. */
static bool rounds_within_blocks(const Kernel *kernel)
{
    bool within = true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b && within; b = LLVMGetNextBasicBlock(b))
        within = !product_comes_in(kernel->ir, b);
    return within;
}

bool body_is_for_several(const Kernel *kernel)
{
    return asks_for_block(kernel) && arguments_are_kept(kernel) && is_moved_whole(kernel) && rounds_within_blocks(kernel);
}
