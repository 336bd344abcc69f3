/* How many stages a ring has, and how many tiles a stage. */
#include "coalda.h"

enum { SHARED_BUDGET = 48 * 1024, DEFAULT_STAGES = 3 };

static int64_t size_of(const Kernel *kernel, LLVMValueRef global)
{
    return (int64_t)LLVMABISizeOfType(kernel->layout, LLVMGlobalGetValueType(global));
}

/* Is it used in the kernel, or in a function that the kernel may call? */
static bool is_used(const Kernel *kernel, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        LLVMValueRef in = LLVMIsAInstruction(user) ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) : NULL;
        if (in ? in == kernel->function || !function_is_kernel(in) : is_used(kernel, user))
            return true;
    }
    return false;
}

/* Static shared memory of the kernel beside the tile. */
static int64_t other_bytes(const Kernel *kernel, const Ring *ring)
{
    enum { SHARED = 3 };
    int64_t bytes = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(kernel->module); g; g = LLVMGetNextGlobal(g)) {
        bool counts = LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED && !LLVMIsDeclaration(g);
        for (size_t i = 0; i < ring->arrays.count; i++)
            counts &= ring->arrays.item[i] != g;
        if (counts && is_used(kernel, g))
            bytes += size_of(kernel, g);
    }
    return bytes;
}

static bool has_keeps(const Ring *ring)
{
    for (size_t i = 0; i < ring->copies.count; i++)
        if (((const RingCopy *)ring->copies.item[i])->keeps)
            return true;
    return false;
}

/* A wide piece takes its bytes from as many tiles as lanes. */
static bool batch_suits(const Ring *ring)
{
    enum { WIDEST = 16 };
    for (size_t i = 0; i < ring->copies.count; i++)
        if (ring->batch * ((const RingCopy *)ring->copies.item[i])->piece % WIDEST)
            return false;
    return ring->batch > 1;
}

void ring_choose(const Kernel *kernel, Ring *ring)
{
    const Options *options = &kernel->options;
    bool asked = options->stages > 0 || options->always;
    ring->stages = options->stages > 0 ? options->stages : DEFAULT_STAGES;
    ring->batch = options->batch && ring->quiet && !ring->freed_stays && !has_keeps(ring) ? options->batch : 1;
    int64_t room = SHARED_BUDGET - other_bytes(kernel, ring);
    while (ring->batch > 1 && 2 * ring->batch * ring->bytes > room)
        ring->batch /= 2;
    while (ring->stages > 1 && ring->stages * ring->batch * ring->bytes > room)
        ring->stages--;
    ring->wide &= batch_suits(ring);
    if (ring->stages < 2)
        ring->why = WHY_RING_ROOM;
    else if (options->stages < 0 || !asked)
        ring->why = WHY_RING_NO_GAIN;
}

const char *ring_text(const Ring *ring)
{
    return arena_text(ring->arena, "%d stages of %d tile%s, %lld bytes of shared memory", ring->stages, ring->batch,
                      ring->batch == 1 ? "" : "s", (long long)(ring->stages * ring->batch * ring->bytes));
}

const char *ring_of_copy(Arena *arena, LLVMValueRef copy)
{
    unsigned kind = LLVMGetMDKindIDInContext(LLVMGetModuleContext(LLVMGetGlobalParent(LLVMGetBasicBlockParent(LLVMGetInstructionParent(copy)))),
                                             RING_METADATA, sizeof RING_METADATA - 1);
    LLVMValueRef node = LLVMGetMetadata(copy, kind), part;
    unsigned length;
    if (!node || LLVMGetMDNodeNumOperands(node) != 1)
        return NULL;
    LLVMGetMDNodeOperands(node, &part);
    const char *text = LLVMGetMDString(part, &length);
    return arena_copy(arena, text, length);
}
