/* Rows that the loop around meets again, which the first-level cache of each SM holds where few threads are there:
 *
 *     for (lag = 0; lag < 8; lag++)
 *         for (t = 0; t + lag < m; t++) s[lag] += x[i*m + t] * x[i*m + t + lag]
 *
 * or that several loops walk, one behind the other, as a loop around is unrolled away. It hands over a word for each of 32 lanes in a clock or two if they
 * lie in different banks, as rows do that are no multiple of a line apart, and nothing is to be gained then but what an exchange takes (FEW, FEW_ODD in
 * cost.def). Rows that registers hold meanwhile gain, however few there are, and so do those beside arrays of the thread's own in local memory, which wants
 * that cache as well. One row of doubles is as well off there if it is not met again: what the cache has to hold of it is a line, which has many of them.
 *
 * Lists, whose lengths are loaded, are walked once, but by fewer and fewer lanes of a warp: one of words by itself gains there no more than they do
 *
 *     for (k = 0; k < count[i]; k++) s = min(s, label[near[i*m + k]])
 *
 * and where lists lie a number of words apart, they are no longer than that (LISTED_PIECES). */
#include "analysis/facts/facts.h"
#include "analysis/walks/walks.h"

/* The kernel's argument that the symbol is. */
static bool find_argument(const Kernel *kernel, const Symbol *symbol, SpareNumber *number)
{
    int at = argument_of(kernel, symbol);
    LLVMTypeRef type = at < 0 ? NULL : LLVMTypeOf(LLVMGetParam(kernel->function, (unsigned)at));
    if (!type || LLVMGetTypeKind(type) != LLVMIntegerTypeKind)
        return false;
    unsigned bits = LLVMGetIntTypeWidth(type);
    *number = (SpareNumber){.argument = (unsigned)at, .bits = bits};
    return bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

/* Are they so many times an argument apart? */
static bool find_multiple(const Kernel *kernel, const Access *row, SpareNumber *number, uint64_t *bytes)
{
    const Form *stride = row->stride;
    *bytes = stride->count ? magnitude(stride->term[0].coefficient) : 0;
    return stride->count == 1 && !stride->constant && stride->term[0].degree == 1 &&
           find_argument(kernel, stride->term[0].symbol[0], number);
}

/* How far rows are apart that run time alone knows: so many times an argument, else as far as they are long, if an argument tells that. */
static bool find_number(const Kernel *kernel, const Block *block, const Access *row, SpareFew *few)
{
    uint64_t bytes;
    if (find_multiple(kernel, row, &few->number, &bytes)) {
        few->bytes = (unsigned)bytes;
        return bytes < LINE_BYTES;
    }
    if (!block->told || block->small.count != 1)
        return false;
    few->number = block->small.number[0];
    few->bytes = (unsigned)row->bytes;
    return true;
}

static bool find_distance(const Kernel *kernel, const Block *block, const Access *row, SpareFew *few)
{
    int64_t apart;
    if (!row->stride)
        return false;
    if (!form_is_constant(row->stride, &apart))
        return find_number(kernel, block, row, few);
    bool odd = magnitude(apart) % FEW_ODD_BYTES && magnitude(apart) * few->odd <= FEW_CACHED;
    few->threads = few->odd = odd ? few->odd : magnitude(apart) % FEW_HALF_BYTES ? few->threads : few->threads / 2;
    return magnitude(apart) % FEW_LINE_BYTES != 0;
}

/* Of rows that registers hold those count that are too long for that. */
static bool find_least(const Kernel *kernel, IrLoop *loop, const Block *block, SpareFew *few)
{
    if (!block->reuse || block->reuse->why)
        return true;
    const ReuseSize *longest = &block->reuse->size[0];
    few->is_bounded = true;
    return !longest->times && short_row_find(kernel, loop, block->step, longest->factor[0] * block->step, &few->least);
}

static bool is_of_loop(const Term *term) { return term->degree == 1 && term->symbol[0]->kind == SYM_LOOP; }

/* Does it begin where a shorter loop in front of it, or none, has left its counters? */
static bool begins_behind(IrLoop *loop)
{
    bool behind = false;
    for (LLVMValueRef phi = LLVMGetFirstInstruction(ir_loop_header(loop)); phi && LLVMIsAPHINode(phi);
         phi = LLVMGetNextInstruction(phi))
        for (unsigned i = 0; i < LLVMCountIncoming(phi) && LLVMGetTypeKind(LLVMTypeOf(phi)) == LLVMIntegerTypeKind; i++)
            behind |= !ir_loop_has_block(loop, LLVMGetIncomingBlock(phi, i)) && LLVMIsAPHINode(LLVMGetIncomingValue(phi, i));
    return behind;
}

/* Of as many elements as an unrolled loop has left over, which are walked in front of it where a counter goes down: nobody knows that it is the same
 * number for each. */
static bool is_left_over(const Access *row, const Term *term)
{
    return term->degree == 1 && term->symbol[0]->kind == SYM_UNIFORM && magnitude(term->coefficient) == (uint64_t)row->bytes &&
           begins_behind(row->loop);
}

/* Whatever each goes on by in its own loop. */
bool rows_are_alike(const Access *one, const Access *other)
{
    const Form *apart = form_sub(one->scope->kernel->forms, one->address, other->address);
    bool same = one->op == other->op;
    for (int i = 0; same && i < apart->count; i++)
        same = is_of_loop(&apart->term[i]) || is_left_over(one, &apart->term[i]);
    return same;
}

static SpareFew few_threads(const Kernel *kernel)
{
    const Costs *costs = &kernel->options.cost;
    return (SpareFew){.threads = (unsigned)costs->FEW, .odd = (unsigned)costs->FEW_ODD, .multiprocessors = (unsigned)costs->SMS};
}

/* Are they met again, by the loop around or by the next of several? */
static bool are_met_again(const List *rows, int loops)
{
    enum { LOOPS = 4 }; /* that walk the same row, at least: seven and twelve were measured */
    bool all = true;
    for (size_t i = 0; i < rows->count; i++) {
        const Access *row = rows->item[i];
        all &= row->bytes >= WORD_BYTES && (loops >= LOOPS || walk_stays_near(row));
    }
    return all;
}

/* Is it one row whose elements take two exchanges each, and one load where they lie (FEW_WIDE)? Beside a row that all lanes share, which is loaded in wider pieces for the longer body, it gains
 * with few threads as well. */
static bool is_wide(const Block *block, const List *rows)
{
    const Access *row = rows->count == 1 ? rows->item[0] : NULL;
    return row && row->bytes > WORD_BYTES && !block->shares;
}

bool near_rows_find(const Kernel *kernel, IrLoop *loop, const List *rows, int loops, const Block *block, SpareFew *few)
{
    bool again = are_met_again(rows, loops);
    *few = few_threads(kernel);
    if (!again && few->threads)
        few->threads = (unsigned)kernel->options.cost.FEW_WIDE;
    return few->threads && rows->count && (again || is_wide(block, rows)) && !words_in_arrays(kernel->function) &&
           find_distance(kernel, block, rows->item[0], few) && find_least(kernel, loop, block, few);
}

/* Lists that begin where loaded numbers say lie in different banks as a rule. What they lead to counts, if it is more than they are: forces of 12 to 64 listed
 * neighbours, places of 16 bytes, came to 0.80 to 0.98 of plain clang with up to 256 threads on each SM, however far apart they lay (H200). */
bool near_list_find(const Kernel *kernel, const Block *block, const Access *row, bool leads_to_records, SpareFew *few)
{
    *few = few_threads(kernel);
    if (row->stride && !leads_to_records)
        return few->threads && find_distance(kernel, block, row, few);
    few->threads = few->threads ? few->odd : 0;
    return few->threads;
}

bool list_pitch_find(const Kernel *kernel, const Access *row, int64_t least, SpareCondition *less)
{
    uint64_t bytes;
    *less = (SpareCondition){.count = 1};
    if (!least || !row->stride || !find_multiple(kernel, row, &less->number[0], &bytes))
        return false;
    less->below = ((uint64_t)least + bytes - 1) / bytes;
    return true;
}

/* May those be the elements that rows go on by? Of pairs each half is loaded by itself, and several iterations may have become one. */
static bool is_of_elements(const Access *row, uint64_t bytes)
{
    return bytes && bytes <= SECTOR_BYTES && bytes % (uint64_t)row->bytes == 0 && magnitude(row->step) % bytes == 0;
}

/* So many elements apart as an argument says. */
static bool find_pitch(const Kernel *kernel, const Access *row, SpareCondition *near, uint64_t *element)
{
    const Costs *costs = &kernel->options.cost;
    uint64_t nearest = (uint64_t)costs->NEAR_WINDOWS, odd, bytes;
    *near = (SpareCondition){.count = 1};
    if (row->op != OP_LOAD || !nearest || !row->stride || !find_multiple(kernel, row, &near->number[0], &bytes) ||
        !is_of_elements(row, bytes))
        return false;
    *element = bytes;
    odd = (uint64_t)(bytes > WORD_BYTES ? costs->NEAR_ODD_WIDE : costs->NEAR_ODD);
    near->below = (nearest + bytes - 1) / bytes;
    if (row->bytes >= WORD_BYTES && odd > nearest && bytes % SECTOR_BYTES) {
        near->by = SECTOR_BYTES / (bytes & -bytes);
        near->odd = (odd + bytes - 1) / bytes;
    }
    return near->below > 1;
}

/* Do all rows that lanes have of their own begin so, by the same number, and are they only loaded? */
static bool find_pitch_of_all(const Kernel *kernel, const List *rows, SpareCondition *near, const Access **window,
                              uint64_t *element)
{
    SpareCondition own;
    *window = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        const Access *row = rows->item[i];
        if (row->kind == CLASS_UNIFORM)
            continue;
        if (!find_pitch(kernel, row, &own, element) || (*window && !spare_asks_alike(&own, near)))
            return false;
        if (*window)
            spare_narrow(near, &own);
        else
            *near = own;
        *window = row;
    }
    return *window;
}

bool near_windows_find(const Kernel *kernel, IrLoop *loop, const List *rows, bool told, SpareCondition *small)
{
    SpareCondition near;
    const Access *window;
    uint64_t element;
    if (!find_pitch_of_all(kernel, rows, &near, &window, &element))
        return told;
    if (told && small->count == 1 && !spare_asks_alike(small, &near)) {
        small->pitch = near.number[0];
        small->near = near.below;
        small->odd = near.odd;
        small->by = near.by;
    }
    int64_t elements = ir_loop_trips(kernel->ir, loop) * (int64_t)(magnitude(window->step) / element);
    if (told || elements < (int64_t)near.below)
        return told;
    *small = near;
    if (elements < (int64_t)near.odd)
        small->odd = small->by = 0;
    return true;
}
