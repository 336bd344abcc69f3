/* Windows that slide from thread to thread.
 *
 *     for (k = 0; k < m; k++) s += a[i + k] * w[k];       what lane i loads next, lane i + 1 has just loaded
 *
 * A warp loads a line or two of them in the first iteration, and finds all but a word of each later one in the first-level cache. Where few threads
 * run, each waits for every new line by itself, and several iterations in one body wait for it once; where many do, those that do not wait hide it,
 * and the longer body takes instructions alone. */
#include "analysis/ahead/batch.h"

#include <stdlib.h>

/* How far the lanes of a warp are apart, by the first axis of the block, and how far the loop goes on: bytes, of numbers alone. */
typedef struct {
    int64_t lanes, iteration;
} Slide;

static bool is_of_lane(const Symbol *symbol) { return symbol->kind == SYM_TID && symbol->axis == 0 && symbol->varies; }

static bool is_of_loop(const Symbol *symbol, const IrLoop *loop)
{
    return symbol->kind == SYM_LOOP && symbol->loop == (const void *)loop;
}

/* False where anything else tells lanes or iterations of the loop apart. */
static bool add_term(Slide *slide, const Term *term, const IrLoop *loop)
{
    bool alike = !term_varies(term);
    for (int i = 0; i < term->degree; i++)
        alike &= term->symbol[i]->kind != SYM_OP && !is_of_loop(term->symbol[i], loop);
    if (term->degree == 1 && is_of_lane(term->symbol[0]))
        slide->lanes += term->coefficient;
    else if (term->degree == 1 && is_of_loop(term->symbol[0], loop))
        slide->iteration += term->coefficient;
    else
        return alike;
    return true;
}

/* Of a load whose iterations clang has put into one body, `iterations` of them: does it slide? */
static bool slides(const Form *address, const IrLoop *loop, int iterations)
{
    Slide slide = {0};
    for (int i = 0; i < address->count; i++)
        if (!add_term(&slide, &address->term[i], loop))
            return false;
    return slide.iteration && llabs(slide.iteration) / iterations <= llabs(slide.lanes) && llabs(slide.lanes) <= SECTOR_BYTES;
}

bool batch_slides(const BatchSearch *search, int iterations)
{
    bool all = true, any = false;
    for (size_t i = 0; i < search->batch->loads.count && all; i++) {
        LLVMValueRef load = search->batch->loads.item[i];
        const Access *access = access_of_load(search->scope, load);
        bool moves = !batch_is_alike(search, load);
        all = !moves || (access && access->address && slides(access->address, search->loop, iterations));
        any |= moves;
    }
    return all && any;
}
