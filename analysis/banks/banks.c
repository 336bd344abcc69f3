/* Shared arrays whose rows become longer.
 *
 *     __shared__ float s[32][32];    x = s[threadIdx.x][k]       lane i wants word 32 * i + k: all of them in bank k
 *     rows of 33                                                 lane i wants word 33 * i + k, in bank i + k
 *
 * An array is looked at where the threads of some access want different words of one bank. */
#include "analysis/banks/banks.h"

enum { MOST_ROUNDS = 2 }; /* that the rows of an array become longer: a row, and a row of rows */

/* What the kernel says of its shared memory, whichever array. */
static Why refused_in(Kernel *kernel, LLVMValueRef array)
{
    bool is_local = LLVMGetLinkage(array) == LLVMInternalLinkage || LLVMGetLinkage(array) == LLVMPrivateLinkage;
    bool is_inline = LLVMGetLinkage(array) == LLVMLinkOnceODRLinkage || LLVMGetLinkage(array) == LLVMLinkOnceAnyLinkage;
    if (LLVMIsDeclaration(array) || shared_is_dynamic(kernel))
        return WHY_PAD_DYNAMIC;
    if ((!is_local && !is_inline) || kernel->found.calls_elsewhere)
        return WHY_PAD_ELSEWHERE;
    return LLVMGetTypeKind(LLVMGlobalGetValueType(array)) == LLVMArrayTypeKind ? WHY_NONE : WHY_PAD_USED;
}

/* The ring that is to fill the array; NULL where none is. */
static const Ring *ring_of(const Kernel *kernel, LLVMValueRef array)
{
    for (size_t i = 0; i < kernel->plan->rings.count; i++) {
        const Ring *ring = kernel->plan->rings.item[i];
        if (list_has(&ring->tile.arrays, array))
            return ring;
    }
    return NULL;
}

/* How often its rows have become longer. */
static int rounds_of(const Kernel *kernel, LLVMValueRef array)
{
    const Padding *made = map_get(kernel->plan->padded, array);
    return made ? made->rounds : 0;
}

static Padding *look_at(Kernel *kernel, LLVMValueRef array, const Access *access, const Ring *ring)
{
    Padding *padding = ARENA_NEW(kernel->plan->arena, Padding);
    *padding = (Padding){.arena = kernel->plan->arena,
                         .function = kernel->function,
                         .array = array,
                         .at = access->instruction,
                         .unit = 1,
                         .rounds = rounds_of(kernel, array) + 1,
                         .ring = ring};
    padding->uses = list_new(padding->arena);
    padding->bytes = (int64_t)LLVMABISizeOfType(kernel->layout, LLVMGlobalGetValueType(array));
    padding->why = refused_in(kernel, array);
    if (!padding->why)
        padding->why = array_uses(kernel, padding);
    if (!padding->why)
        padding->why = row_length(kernel, padding);
    return padding;
}

static bool is_looked_at(const Kernel *kernel)
{
    bool is_off = feature_is_off(&kernel->options, FEATURE_BANKS) || ir_is_optnone(kernel->function);
    return kernel->is_entry && !is_off && kernel->left != WHY_TUNED;
}

/* The array that an access touches whose threads want different words of one bank. */
static LLVMValueRef array_in_conflict(const Access *access)
{
    bool conflicts = access->space == SPACE_SHARED && access->figure.known && access->figure.banks_known && access->figure.ways > 1;
    return conflicts ? shared_array_of(access->pointer) : NULL;
}

/* Of the arrays that rings are to fill, or of the others. Rows of rows may become longer as well; each time, the next length may be a little better. */
static Padding *find(Kernel *kernel, bool of_rings)
{
    Map *paddings = kernel->plan->paddings;
    for (size_t i = 0; is_looked_at(kernel) && i < kernel->found.accesses.count; i++) {
        const Access *access = kernel->found.accesses.item[i];
        LLVMValueRef array = array_in_conflict(access);
        const Ring *ring = array ? ring_of(kernel, array) : NULL;
        if (!array || map_get(paddings, array) || rounds_of(kernel, array) == MOST_ROUNDS || of_rings != !!ring ||
            array_is_without(kernel, array, FEATURE_BANKS))
            continue;
        Padding *padding = look_at(kernel, array, access, ring);
        if (!padding->why)
            return padding;
        map_put(paddings, array, padding);
    }
    return NULL;
}

Padding *banks_find(Kernel *kernel) { return find(kernel, false); }

Padding *banks_find_of_rings(Kernel *kernel) { return find(kernel, true); }
