/* Figure and class of each access, from its form. */
#include "analysis/access/access.h"

/* The symbol that tells neighbours apart: the fastest thread index that varies. */
static const Symbol *lane_symbol(const Form *address)
{
    const Symbol *best = NULL;
    for (int i = 0; i < address->count; i++)
        for (int j = 0; j < address->term[i].degree; j++) {
            const Symbol *symbol = address->term[i].symbol[j];
            bool is_index = symbol->varies && (symbol->kind == SYM_TID || symbol->kind == SYM_LANE);
            if (is_index && (!best || symbol->axis < best->axis))
                best = symbol;
        }
    return best;
}

/* The stride from lane to lane: a number where the figure found one, a product where it is symbolic. */
static const Form *stride_of(Kernel *kernel, const Access *access)
{
    if (form_unknown_in(access->address))
        return NULL;
    const Symbol *lane = lane_symbol(access->address);
    const Form *factor = lane ? form_factor(kernel->forms, access->address, lane) : NULL;
    if (factor && factor->count > 0)
        return factor;
    if (!access->figure.known || access->figure.regularity == STRIDE_NONE)
        return NULL;
    return form_constant(kernel->forms, access->figure.stride);
}

static bool is_constant_form(const Form *form, int64_t *value) { return form && form_is_constant(form, value); }

/* One lane is all that moves then, whatever its address is made of. */
static bool is_lone(const Access *access)
{
    return automaton_is_lone(access->scope, LLVMGetInstructionParent(access->instruction));
}

static Class class_of(Access *access)
{
    int64_t stride = 0;
    bool has_number = is_constant_form(access->stride, &stride);
    if (!form_varies(access->address) || is_lone(access))
        return CLASS_UNIFORM;
    if (access->figure.known && access->figure.regularity == STRIDE_REGULAR && has_number && stride == 0)
        return CLASS_UNIFORM;
    if (access->figure.known && (access->figure.dense || (has_number && magnitude(stride) == (uint64_t)access->bytes)))
        return CLASS_UNIT;
    if (walk_step(access, &access->step))
        return CLASS_WALK;
    if (form_loaded(access->address))
        return access->op == OP_LOAD ? CLASS_GATHER : CLASS_SCATTER;
    return form_unknown_in(access->address) ? CLASS_OPAQUE : CLASS_STRIDED;
}

Figure access_figure(const Kernel *kernel, const Access *access, const Form *address)
{
    LLVMBasicBlockRef block = LLVMGetInstructionParent(access->instruction);
    Request request = {
        .address = address,
        .bytes = access->bytes,
        .piece = access->piece,
        .guards = automaton_guards(access->scope, block),
        .is_lone = is_lone(access),
        .is_banked = access->space == SPACE_SHARED,
    };
    return figure_of(kernel->forms, &request);
}

static void measure(Kernel *kernel, Access *access)
{
    access->figure = access_figure(kernel, access, access->address);
    INVARIANT(access->figure.lanes >= 0 && access->figure.lanes <= WARP_LANES);
    INVARIANT(access->figure.sectors_min <= access->figure.sectors_max);
    access->stride = stride_of(kernel, access);
    access->kind = class_of(access);
}

void access_measure(Kernel *kernel)
{
    for (size_t i = 0; i < kernel->found.accesses.count; i++)
        measure(kernel, kernel->found.accesses.item[i]);
}
