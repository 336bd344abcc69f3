/* Does every thread of the block fill places of its own? They are its indices' multiples, and a place that all threads share:
 *
 *     s[y * 17 + x]           x below 17, and the block one layer deep: the test on entry
 *     s[y * blockDim.x + x]   whatever the block's width is
 *
 * and so in each iteration of the loops that the copies stand in, inside of the tile loop:
 *
 *     for (i = x; i < 256; i += blockDim.x) s[i]      the block one thread high: a step along the loop is longer than it */
#include <stdlib.h>

#include "analysis/address/automaton.h"
#include "analysis/rings/search.h"

enum { AXES = 3, MOST_STEP = 1 << 16 }; /* bytes: with 1024 threads, no sum of such steps wraps around */
enum { NO_AXIS = -1 };                  /* of the block */

static bool is_shared_symbol(const Symbol *symbol)
{
    return symbol->kind == SYM_BASE || symbol->kind == SYM_BLOCK || symbol->kind == SYM_BLOCKDIM || symbol->kind == SYM_GRIDDIM;
}

/* Made of what all threads of the block share? */
static bool is_shared(const Form *form)
{
    for (int i = 0; i < form->count; i++)
        for (int k = 0; k < form->term[i].degree; k++)
            if (!is_shared_symbol(form->term[i].symbol[k]))
                return false;
    return !form->bounded;
}

/* Of the block, as the source numbers what forms do, where its threads change places. */
static int axis_of(const Search *search, int axis)
{
    return form_shape(search->kernel->forms).turned && axis < 2 ? 1 - axis : axis;
}

/* A constant, or one times extents of the block, none twice. */
static bool step_of(const Search *search, const Form *factor, RingAxis *axis)
{
    const Term *term = factor->count ? &factor->term[0] : NULL;
    int64_t step = term ? term->coefficient : factor->constant;
    if (factor->count > 1 || (term && factor->constant) || magnitude(step) > MOST_STEP)
        return false;
    axis->step = (int64_t)magnitude(step);
    for (int k = 0; term && k < term->degree; k++) {
        unsigned extent = 1U << axis_of(search, term->symbol[k]->axis);
        if (term->symbol[k]->kind != SYM_BLOCKDIM || axis->extents & extent)
            return false;
        axis->extents |= extent;
    }
    return true;
}

static int extents_of(const RingAxis *axis) { return !!(axis->extents & 1) + !!(axis->extents & 2) + !!(axis->extents & 4); }

/* As far as can be told: the test asks later. */
static bool is_longer(const RingAxis *a, const RingAxis *b)
{
    enum { BITS = 4 }; /* of a usual extent */
    int64_t first = a->step << BITS * extents_of(a), second = b->step << BITS * extents_of(b);
    return first != second ? first > second : extents_of(a) > extents_of(b);
}

static bool add_axis(RingOwn *own, RingAxis axis)
{
    if (own->axes == OWN_AXES)
        return false;
    int at = own->axes++;
    for (; at > 0 && is_longer(&own->axis[at - 1], &axis); at--)
        own->axis[at] = own->axis[at - 1];
    own->axis[at] = axis;
    return true;
}

/* No sum of such steps, and of nothing else, is as large as 2^32 or negative. */
static bool is_small(const RingOwn *own, const Form *rest)
{
    enum { MOST = 64 };
    int64_t constant, longest = own->axis[own->axes - 1].step;
    return form_is_constant(rest, &constant) && constant >= 0 && constant <= MOST_STEP && longest <= MOST;
}

/* Takes the steps along the axis, of which `index` counts, out of the rest; NULL where they are none. */
static const Form *take_axis(const Search *search, RingOwn *own, RingAxis axis, const Form *index, const Form *rest)
{
    FormSpace *forms = search->kernel->forms;
    const Form *factor = index->count ? form_factor(forms, rest, index->term[0].symbol[0]) : form_constant(forms, 0);
    const Form *part = factor && step_of(search, factor, &axis) ? form_mul(forms, factor, index) : NULL;
    return part && add_axis(own, axis) ? form_sub(forms, rest, part) : NULL;
}

static const Form *counter_of(const Search *search, const Term *term, IrLoop *loop)
{
    Term counter = {.coefficient = 1, .degree = 1};
    for (int k = 0; k < term->degree; k++)
        if (term->symbol[k]->kind == SYM_LOOP && term->symbol[k]->loop == loop)
            counter.symbol[0] = term->symbol[k];
    return form_of_term(search->kernel->forms, &counter);
}

/* Each iteration of a loop that the copy stands in is a step further: also those that it does not come to, where it may stop. */
static const Form *take_loops(const Search *search, const RingCopy *copy, RingOwn *own, const Form *rest)
{
    for (IrLoop *loop = loop_of_copy(search, copy); rest && loop != search->loop; loop = ir_loop_parent(loop)) {
        int64_t trips = ir_loop_most_trips(search->kernel->ir, loop);
        RingAxis axis = {.number = NO_AXIS, .loop = ir_loop_header(loop)};
        axis.count = trips <= MOST_STEP && !copy->stops ? (int)trips : 0;
        Term term;
        rest = term_of_counter(rest, loop, &term) ? take_axis(search, own, axis, counter_of(search, &term, loop), rest) : NULL;
    }
    return rest;
}

/* The place, or a number, as steps along the block's axes, and along the loops that the copy stands in. */
static bool add_steps(const Search *search, const RingCopy *copy, const Cut *cut, RingOwn *own)
{
    const Form *rest = take_loops(search, copy, own, cut->number ? cut->number : cut->rest);
    for (int i = 0; rest && i < AXES; i++) /* a constant where the block is said to have one thread there */
        rest = take_axis(search, own, (RingAxis){.number = i}, form_sreg(search->kernel->forms, SYM_TID, i), rest);
    bool inside = loop_of_copy(search, copy) != search->loop;
    return rest && (!cut->number || (inside && cut_is_whole(cut)) ? is_shared(rest) : !inside && is_small(own, rest));
}

/* ---- loops of nobody knows how many iterations ---- */

/* Which of the axes the symbol counts; -1: none. */
static int axis_with(const Search *search, const RingOwn *own, const Symbol *symbol)
{
    for (int i = 0; i < own->axes; i++)
        if (symbol->kind == SYM_TID ? own->axis[i].number == axis_of(search, symbol->axis)
                                    : symbol->kind == SYM_LOOP && own->axis[i].loop == ir_loop_header((IrLoop *)symbol->loop))
            return i;
    return NO_AXIS;
}

/* Is the form made of steps along axes from the one to the other, and of what all threads share? */
static bool is_along(const Search *search, const RingOwn *own, const Form *form, int from, int to)
{
    for (int i = 0; i < form->count; i++)
        for (int k = 0; k < form->term[i].degree; k++) {
            int axis = axis_with(search, own, form->term[i].symbol[k]);
            if (axis == NO_AXIS ? !is_shared_symbol(form->term[i].symbol[k]) : axis < from || axis > to)
                return false;
        }
    return true;
}

/* Is there an index of the loop that counts the places of this axis and all shorter ones, and keeps within the limit? */
static bool is_kept_within(const Search *search, const RingOwn *own, const Form *place, int axis, int64_t limit)
{
    FormSpace *forms = search->kernel->forms;
    LLVMBasicBlockRef header = own->axis[axis].loop;
    IrLoop *loop = ir_loop_of(search->kernel->ir, header);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        Term of_place, of_index;
        const Form *index = automaton_form(search->scope, phi);
        uint64_t factor = term_of_counter(place, loop, &of_place) && term_of_counter(index, loop, &of_index)
                          ? multiple_of(&of_place, &of_index) : 0;
        const Form *steps = factor && factor <= MOST_STEP ? form_scale(forms, index, (int64_t)factor) : NULL;
        const Form *rest = steps ? form_sub(forms, place, steps) : NULL;
        if (rest && is_along(search, own, index, 0, axis) && is_along(search, own, rest, axis + 1, own->axes - 1) &&
            is_index_below(search, phi, index, (uint64_t)limit / factor + 1))
            return true;
    }
    return false;
}

/* Each such loop ends before the next longer step. */
static bool close_loops(const Search *search, const Form *place, RingOwn *own)
{
    bool copies = false; /* are among the shorter axes */
    for (int i = 0; i + 1 < own->axes; i++) {
        RingAxis *axis = &own->axis[i];
        copies |= axis->number == NO_AXIS && !axis->loop;
        if (!axis->loop || axis->count)
            continue;
        axis->most = own->axis[i + 1].step;
        if (copies || axis->most < own->bytes || !is_kept_within(search, own, place, i, axis->most - own->bytes))
            return false;
    }
    return true;
}

/* ---- all copies to one array ---- */

static int compare(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

/* Places at one distance from each other are an axis more; others, with all between them, are one longer place. */
static bool add_offsets(RingOwn *own, int64_t *offset, size_t count)
{
    qsort(offset, count, sizeof *offset, compare);
    int64_t step = count > 1 ? offset[1] - offset[0] : 0;
    bool even = true, added = true;
    for (size_t i = 2; i < count; i++)
        even &= offset[i] - offset[i - 1] == step;
    if (!even)
        own->bytes += offset[count - 1] - offset[0];
    else if (count > 1)
        added = add_axis(own, (RingAxis){.number = NO_AXIS, .step = step, .count = (int)count});
    return added && own->bytes <= MOST_STEP && step <= MOST_STEP && offset[count - 1] - offset[0] <= MOST_STEP;
}

static bool is_of_array(const RingOwn *own, const RingCopy *copy) { return array_of(copy->target) == own->array; }

/* From the array's first copy, bytes. */
static bool find_offsets(Search *search, RingOwn *own, const RingCopy **first, int64_t *offset, size_t *count)
{
    const Ring *ring = search->ring;
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        if (!is_of_array(own, copy))
            continue;
        *first = *first ? *first : copy;
        own->bytes = copy->bytes > own->bytes ? copy->bytes : own->bytes;
        const Form *place = automaton_form(search->scope, copy->target), *from = automaton_form(search->scope, (*first)->target);
        const Form *distance = form_sub(search->kernel->forms, place, from);
        if (loop_of_copy(search, copy) != loop_of_copy(search, *first) || !distance || distance->bounded ||
            !form_is_constant(distance, &offset[(*count)++]))
            return false;
    }
    return true;
}

/* s[n / 16 + y][n % 16] is s[m / 16][m % 16] of the number m = n + 16 * y. */
static bool join_rows(FormSpace *forms, Cut *cut)
{
    const Form *place = cut->rest;
    for (int i = 0; cut->number && cut_is_whole(cut) && i < place->count; i++) {
        Term term = place->term[i];
        bool shared = true;
        for (int k = 0; k < term.degree; k++)
            shared &= is_shared_symbol(term.symbol[k]);
        if (shared || term.coefficient < 0 || term.coefficient % cut->row)
            continue;
        cut->rest = form_sub(forms, cut->rest, form_of_term(forms, &term));
        term.coefficient = term.coefficient / cut->row * cut->width;
        cut->number = form_add(forms, cut->number, form_of_term(forms, &term));
    }
    return cut->number && cut->rest;
}

/* s[n / 16][n % 16] is n's own place: what is asked of places is asked of numbers then, and rows between copies are so many. */
static bool count_numbers(const Cut *cut, RingOwn *own, int64_t *offset, size_t count)
{
    enum { LEAST_BITS = 32 };
    if (!is_shared(cut->rest) || cut->bits < LEAST_BITS)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (offset[i] % cut->row)
            return false;
        offset[i] = offset[i] / cut->row * cut->width;
    }
    own->bytes = 1;
    return true;
}

static bool own_fill(Search *search, RingOwn *own)
{
    const RingCopy *first = NULL;
    int64_t *offset = ARENA_ARRAY(search->ring->arena, int64_t, search->ring->copies.count);
    size_t count = 0;
    if (!find_offsets(search, own, &first, offset, &count))
        return false;
    Cut cut = cut_of(search, first);
    bool numbers = cut.number != NULL;
    return (!numbers || (cut_has_rows(&cut, (int)own->bytes) && join_rows(search->kernel->forms, &cut) &&
                         count_numbers(&cut, own, offset, count))) &&
           add_steps(search, first, &cut, own) &&
           add_offsets(own, offset, count) && close_loops(search, numbers ? cut.number : cut.rest, own);
}

bool disjoint_add(Search *search, const RingCopy *copy)
{
    Ring *ring = search->ring;
    LLVMValueRef array = array_of(copy->target);
    for (size_t i = 0; i < ring->entry.owns.count; i++)
        if (((const RingOwn *)ring->entry.owns.item[i])->array == array)
            return true;
    RingOwn *own = ARENA_NEW(ring->arena, RingOwn);
    *own = (RingOwn){.array = array};
    list_add(&ring->entry.owns, own);
    return own_fill(search, own);
}
