/* Spares: kernels that stand in the image beside what their walks have become. Which of the two is launched is asked where they are launched
 * (pass/host): by a question that the spare's name tells.
 *
 * A kernel has one where it is as the program has it until its walks are made longer, nothing else of it is rewritten that might be worth it for short
 * rows as well, and an argument tells the rows of all its walks. It stands alone: it calls no function of the module, which would be rewritten
 * beside it. And it is the same to whoever launches it: nothing is asked of the hardware about a kernel of which some blocks may have to run at
 * once, as those do that wait for each other, which takes accesses that are ordered. */
#include <llvm-c/Comdat.h>

#include "analysis/explain/explain.h"
#include "pass/bridge/bodies.h"
#include "pass/driver/pass.h"
#include "pass/profile/body_hash.h"
#include "pass/report/trace.h"

/* Of a kernel that may have one. */
typedef struct {
    LLVMValueRef kernel;
    uint64_t hash;  /* of its body as the program has it */
    IrBody *body;   /* that; NULL until its walks are tried */
    SmallArgument small[SPARE_CONDITIONS];
    size_t count;
    bool refused; /* it gains by more than its walks, or by rows whose length nobody tells */
} Spare;

static bool is_ordered(LLVMValueRef i)
{
    bool accesses = LLVMIsALoadInst(i) || LLVMIsAStoreInst(i);
    return LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i) ||
           (accesses && (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)) ||
           (LLVMIsACallInst(i) && LLVMIsAInlineAsm(LLVMGetCalledValue(i)));
}

/* A variable of the module that lasts longer than a launch. Of a template, which several images of a program may have, the runtime takes one, and
 * it might take the spare of another, with variables of its own. */
static bool is_lasting(LLVMValueRef value)
{
    if (LLVMIsAGlobalVariable(value))
        return !is_shared_array(value) && LLVMGetLinkage(value) != LLVMPrivateLinkage;
    bool any = false;
    for (int i = 0; !any && LLVMIsAConstantExpr(value) && i < LLVMGetNumOperands(value); i++)
        any = is_lasting(LLVMGetOperand(value, (unsigned)i));
    return any;
}

static bool has_lasting(LLVMValueRef i)
{
    bool any = false;
    for (int k = 0; !any && k < LLVMGetNumOperands(i); k++)
        any = is_lasting(LLVMGetOperand(i, (unsigned)k));
    return any;
}

/* Is the body one that may be there twice, and does either do for the other? */
static bool is_free(LLVMValueRef function)
{
    bool alone = !LLVMGetComdat(function);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (is_ordered(i) || (!alone && has_lasting(i)))
                return false;
    return true;
}

static bool is_clustered(const Kernel *kernel)
{
    return kernel_has(kernel, "nvvm.cluster_dim") || kernel_has(kernel, "nvvm.maxclusterrank") || kernel_has(kernel, "nvvm.blocksareclusters");
}

static bool may_have_spare(const Pass *pass, const Kernel *kernel)
{
    return kernel->options.spares && kernel->is_entry && !ir_is_optnone(kernel->function) && ir_has_loops(pass->ir, kernel->function) &&
           function_runs(pass->arena, kernel->function)->count == 1 && !is_clustered(kernel) && is_free(kernel->function);
}

void spares_begin(Pass *pass)
{
    BodyHashes *hashes = body_hashes_open(pass->arena);
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        if (!may_have_spare(pass, kernel))
            continue;
        Spare *spare = ARENA_NEW(pass->arena, Spare);
        *spare = (Spare){.kernel = kernel->function, .hash = body_hash(hashes, kernel->function)};
        map_put(pass->spares, kernel->function, spare);
    }
}

void spare_keep(const Pass *pass, LLVMValueRef function)
{
    Spare *spare = map_get(pass->spares, function);
    if (spare && body_hash(body_hashes_open(pass->arena), function) == spare->hash)
        spare->body = ir_body_keep(function);
}

/* Both hold where the least of them does. */
static bool is_joined(Spare *spare, const SmallArgument *small)
{
    for (size_t i = 0; i < spare->count; i++) {
        SmallArgument *other = &spare->small[i];
        if (other->argument != small->argument)
            continue;
        other->below = small->below < other->below ? small->below : other->below;
        return true;
    }
    return false;
}

void spare_ask(const Pass *pass, const Block *block)
{
    Spare *spare = map_get(pass->spares, block->function);
    if (!spare)
        return;
    if (!block->told || (!is_joined(spare, &block->small) && spare->count == SPARE_CONDITIONS))
        spare->refused = true;
    else if (!is_joined(spare, &block->small))
        spare->small[spare->count++] = block->small;
}

/* Does it move what a loop that was made longer, or the loop for what remains of one, has of a row? */
static bool is_of_walk(const Group *group)
{
    static const char *const marks[] = {BLOCK_METADATA, REST_METADATA, REUSE_METADATA};
    bool any = false;
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++)
        any |= ir_is_marked(((const Member *)group->members.item[0])->access->instruction, marks[i]);
    return any;
}

void spares_compare(const Pass *pass)
{
    for (size_t i = 0; i < pass->plan->regions.count; i++) {
        const Region *region = pass->plan->regions.item[i];
        Spare *spare = map_get(pass->spares, region->function);
        for (size_t j = 0; spare && j < region->groups.count; j++)
            spare->refused |= !is_of_walk(region->groups.item[j]);
    }
}

static void spare_make(const Pass *pass, const Kernel *kernel, const Spare *spare)
{
    const char *name = spare_name(pass->arena, kernel->name, spare->small, spare->count);
    ir_set_attribute(ir_body_copy(spare->body, name), SPARE_ATTRIBUTE, "");
    made_spare(kernel, name);
}

void spares_make(Pass *pass)
{
    for (size_t i = 0; i < pass->kernels.count; i++) {
        const Kernel *kernel = pass->kernels.item[i];
        const Spare *spare = map_get(pass->spares, kernel->function);
        if (!spare || !spare->body)
            continue;
        if (spare->count && !spare->refused && !kernel_is_turned(kernel))
            spare_make(pass, kernel, spare);
        ir_body_close(spare->body);
    }
}
