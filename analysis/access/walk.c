/* A walk: a thread moves along memory of its own by a small constant step per iteration, while its neighbours are
 * a row away.
 *
 *     for (j = 0; j < m; j++) s += A[t*m + j]        4*m*threadIdx.x + 4*iteration: a step of 4, a stride of 4*m */
#include "analysis/access/access.h"

/* Longest step that still stays near: the next line at most. */
enum { LONGEST_STEP = 128 };

/* The step of the innermost loop that moves the address. */
static const Term *walking_term(const Access *access)
{
    const Term *best = NULL;
    for (int i = 0; i < access->address->count; i++) {
        const Term *term = &access->address->term[i];
        if (term->degree != 1 || term->symbol[0]->kind != SYM_LOOP)
            continue;
        bool inner = !best || ir_loop_depth((IrLoop *)term->symbol[0]->loop) > ir_loop_depth((IrLoop *)best->symbol[0]->loop);
        if (inner)
            best = term;
    }
    return best;
}

const void *walk_loop(const Access *access)
{
    const Term *term = walking_term(access);
    return term ? term->symbol[0]->loop : NULL;
}

bool walk_step(const Access *access, int64_t *step)
{
    const Term *term = walking_term(access);
    if (!term || magnitude(term->coefficient) > LONGEST_STEP)
        return false;
    *step = term->coefficient;
    int64_t stride;
    bool is_constant = access->stride && form_is_constant(access->stride, &stride);
    return !is_constant || magnitude(stride) > magnitude(*step);
}

/* Bytes of a row that all lanes share, which a load of the loop takes the next of in each iteration; else 0. */
static int64_t walk_shared(const Access *access, IrLoop *loop)
{
    bool in_memory = access->space == SPACE_GLOBAL || access->space == SPACE_GENERIC;
    bool is_shared = access->loop == loop && access->kind == CLASS_UNIFORM && access->op == OP_LOAD;
    const Term *term = is_shared && in_memory ? walking_term(access) : NULL;
    return term && term->symbol[0]->loop == (const void *)loop && magnitude(term->coefficient) <= LONGEST_STEP ? access->bytes : 0;
}

int64_t walks_shared(const Kernel *kernel, IrLoop *loop)
{
    int64_t bytes = 0;
    for (size_t i = 0; i < kernel->found.accesses.count; i++)
        bytes += walk_shared(kernel->found.accesses.item[i], loop);
    return bytes;
}

/* Is it another one in each iteration of the loop? The walk's own counter aside. */
static bool moves_with(const Symbol *symbol, const IrLoop *own, IrLoop *loop)
{
    return symbol->kind == SYM_OP || (symbol->loop && symbol->loop != own && ir_loop_inside((IrLoop *)symbol->loop, loop));
}

/* Does the loop around move it by a number, of so many bytes at most? */
static bool moves_a_little(const Term *term, IrLoop *around, uint64_t bytes)
{
    const Symbol *symbol = term->symbol[0];
    return term->degree == 1 && symbol->kind == SYM_LOOP && symbol->loop == (const void *)around &&
           magnitude(term->coefficient) <= bytes;
}

/* Is there a loop around, which moves it by no more than that? */
static bool stays_within(const Access *access, uint64_t bytes)
{
    IrLoop *around = ir_loop_parent(access->loop);
    const Form *address = access->address;
    for (int i = 0; around && i < address->count; i++)
        for (int j = 0; j < address->term[i].degree; j++)
            if (moves_with(address->term[i].symbol[j], access->loop, around) && !moves_a_little(&address->term[i], around, bytes))
                return false;
    return around != NULL;
}

bool walk_meets_again(const Access *access) { return stays_within(access, 0); }

bool walk_stays_near(const Access *access) { return stays_within(access, SECTOR_BYTES); }

bool walk_is_longer(LLVMValueRef access) { return ir_is_marked(access, BLOCK_METADATA) || ir_is_marked(access, REST_METADATA); }
