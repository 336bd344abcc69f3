/* How many stages a ring has, and how many tiles a stage. */
#include "coalda.h"

enum { SHARED_BUDGET = 48 * 1024, DEFAULT_STAGES = 3 };

static int64_t size_of(const Kernel *kernel, LLVMValueRef global)
{
    return (int64_t)LLVMABISizeOfType(kernel->layout, LLVMGlobalGetValueType(global));
}

/* Static shared memory of the module beside the tile: at most what the kernel has. */
static int64_t other_bytes(const Kernel *kernel, const Ring *ring)
{
    enum { SHARED = 3 };
    int64_t bytes = 0;
    for (LLVMValueRef g = LLVMGetFirstGlobal(kernel->module); g; g = LLVMGetNextGlobal(g)) {
        bool is_tile = false;
        for (size_t i = 0; i < ring->arrays.count; i++)
            is_tile |= ring->arrays.item[i] == g;
        if (!is_tile && LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == SHARED && !LLVMIsDeclaration(g))
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
    if (ring->stages < 2)
        ring->why = WHY_RING_ROOM;
    else if (options->stages < 0 || !asked)
        ring->why = WHY_RING_NO_GAIN;
}
