/* Kernels that do little for each thread, whose blocks may each do the work of several:
 *
 *     i = blockIdx.x * blockDim.x + threadIdx.x;
 *     if (i < n) o[i] = f(a[i]);
 *
 * A GPU begins so many blocks in a microsecond, whatever they do, and a thread that loads four bytes keeps few on their way: what such a launch waits for is
 * the launch. The kernel stands there a second time, as one whose blocks do that of two or four neighbours along x (pass/spares), and the host's launch
 * stub launches so many times fewer where there are many (pass/host).
 *
 * Which kernels may is said in several_blocks.c. It pays where threads move few bytes, at places that neighbours share sectors of. */
#include <stdlib.h>

#include "analysis/plan/plan.h"

/* Of an array what a thread moves of its own: loads of a stencil bring what neighbours do, each store is of other bytes, as of planes one behind the other. */
typedef struct {
    LLVMValueRef array;
    AccessOp op;
    int64_t bytes, stored;
} Moved;

static LLVMValueRef array_of(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

static void count(const Kernel *kernel, List *arrays, const Access *access, int64_t bytes)
{
    LLVMValueRef array = array_of(access->pointer);
    for (size_t i = 0; i < arrays->count; i++) {
        Moved *moved = arrays->item[i];
        if (moved->array == array && moved->op == access->op) {
            moved->stored += access->op == OP_STORE ? access->bytes : 0;
            bytes = moved->stored > bytes ? moved->stored : bytes;
            moved->bytes = bytes > moved->bytes ? bytes : moved->bytes;
            return;
        }
    }
    Moved *moved = ARENA_NEW(kernel->arena, Moved);
    *moved = (Moved){array, access->op, bytes, access->bytes};
    list_add(arrays, moved);
}

/* Does the access move what neighbours share sectors of, or load what data name, as of a table? Such loads of four million words and more, which nothing but the
 * memory has, take as long as they did. What all lanes load alike costs nothing; what goes by i % n has no stride, and lies side by side but for where it begins again. */
static bool is_near(const Access *access, int64_t most, int64_t *bytes)
{
    int64_t stride = 0;
    bool has_stride = access->stride && form_is_constant(access->stride, &stride);
    bool is_close = has_stride && stride && llabs(stride) <= most;
    *bytes = is_close && llabs(stride) > access->bytes ? llabs(stride) : access->bytes;
    if (form_loaded(access->address))
        return access->op == OP_LOAD;
    return access->kind == CLASS_UNIT || is_close || !access->stride;
}

/* Several blocks would share one array, and threads of one have none of their own. */
static bool is_shared_out(const Access *access)
{
    return access->space == SPACE_SHARED || access->space == SPACE_LOCAL || (access->op != OP_LOAD && access->op != OP_STORE);
}

/* What is asked of the accesses of a kernel. */
typedef struct {
    bool little; /* they move what neighbours share sectors of, ... */
    int64_t bytes; /* ... of its own so much a thread, ... */
    int loads; /* ... by so many loads, ... */
    bool gaps; /* ... and stores leave gaps, which others fill, ... */
    bool within; /* ... or change an array in place */
} Traffic;

static bool is_counted(const Access *access)
{
    bool is_global = access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC;
    return is_global && (access->kind != CLASS_UNIFORM || access->op == OP_STORE);
}

static void take(const Access *access, List *arrays, Traffic *traffic)
{
    const Kernel *kernel = access->scope->kernel;
    int64_t bytes = 0;
    traffic->little = access->kind != CLASS_UNIFORM && is_near(access, (int64_t)kernel->options.cost.COARSE_STRIDE, &bytes);
    traffic->loads += access->op == OP_LOAD;
    traffic->gaps |= access->op == OP_STORE && access->kind != CLASS_UNIT;
    count(kernel, arrays, access, bytes);
}

static bool is_changed(const List *arrays, const Moved *stored)
{
    bool loaded = false;
    for (size_t i = 0; !loaded && i < arrays->count; i++) {
        const Moved *moved = arrays->item[i];
        loaded = moved->op == OP_LOAD && moved->array == stored->array;
    }
    return stored->op == OP_STORE && loaded;
}

static Traffic traffic_of(const Kernel *kernel)
{
    List arrays = list_new(kernel->arena);
    Traffic traffic = {.little = true};
    for (size_t i = 0; i < kernel->found.accesses.count && traffic.little; i++) {
        const Access *access = kernel->found.accesses.item[i];
        traffic.little = !is_shared_out(access);
        if (traffic.little && is_counted(access))
            take(access, &arrays, &traffic);
    }
    for (size_t i = 0; i < arrays.count; i++) {
        traffic.bytes += ((const Moved *)arrays.item[i])->bytes;
        traffic.within |= is_changed(&arrays, arrays.item[i]);
    }
    return traffic;
}

CoarseBlocks coarse_blocks(const Kernel *kernel)
{
    enum { TWO = 2, FOUR = 4 };
    const Costs *cost = &kernel->options.cost;
    const CoarseBlocks none = {0};
    size_t code = function_length(kernel->function);
    if (code > (size_t)cost->COARSE_CODE)
        return none;
    const Traffic traffic = traffic_of(kernel);
    if (!traffic.little || traffic.bytes > (int64_t)cost->COARSE_BYTES || traffic.loads > (int)cost->COARSE_MOST)
        return none;
    bool much = traffic.within && traffic.bytes > (int64_t)cost->COARSE_WITHIN;
    if (much && traffic.loads > (int)cost->COARSE_WITHIN_LOADS)
        return none;
    bool few = traffic.gaps || traffic.bytes > (int64_t)cost->COARSE_FOUR || traffic.loads > (int)cost->COARSE_LOADS;
    double from = code > (size_t)cost->COARSE_LONG ? cost->COARSE_LATE : cost->COARSE_LAUNCH;
    return (CoarseBlocks){few ? TWO : FOUR, traffic.gaps ? cost->COARSE_APART : from, much ? (int)cost->COARSE_WIDE : 0};
}
