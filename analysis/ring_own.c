/* Does every thread of the block fill places of its own? They are its indices' multiples, and a place that all threads share:
 *
 *     s[y * 17 + x]           x below 17, and the block one layer deep: the test on entry
 *     s[y * blockDim.x + x]   whatever the block's width is */
#include <stdlib.h>

#include "automaton.h"
#include "ring.h"

enum { AXES = 3, MOST_STEP = 1 << 16 }; /* bytes: with 1024 threads, no sum of such steps wraps around */

/* Made of what all threads of the block share? */
static bool is_shared(const Form *form)
{
    for (int i = 0; i < form->count; i++)
        for (int k = 0; k < form->term[i].degree; k++) {
            SymbolKind kind = form->term[i].symbol[k]->kind;
            if (kind != SYM_BASE && kind != SYM_BLOCK && kind != SYM_BLOCKDIM && kind != SYM_GRIDDIM)
                return false;
        }
    return !form->bounded;
}

/* Of the block, as forms number it. */
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

static bool is_longer(const RingAxis *a, const RingAxis *b)
{
    return a->step != b->step ? a->step > b->step : extents_of(a) > extents_of(b);
}

static void add_axis(RingOwn *own, RingAxis axis)
{
    int at = own->axes++;
    for (; at > 0 && is_longer(&own->axis[at - 1], &axis); at--)
        own->axis[at] = own->axis[at - 1];
    own->axis[at] = axis;
}

/* No sum of such steps, and of nothing else, is as large as 2^32 or negative. */
static bool is_small(const RingOwn *own, const Form *rest)
{
    enum { MOST = 64 };
    int64_t constant, longest = own->axis[own->axes - 1].step;
    return form_is_constant(rest, &constant) && constant >= 0 && constant <= MOST_STEP && longest <= MOST;
}

/* The place, or a number, as steps along the block's axes. */
static bool add_threads(const Search *search, const Form *place, RingOwn *own, bool is_number)
{
    FormSpace *forms = search->kernel->forms;
    const Form *rest = place;
    for (int i = 0; i < AXES; i++) {
        RingAxis axis = {.number = axis_of(search, i)};
        const Form *index = form_sreg(forms, SYM_TID, i); /* a constant where the block is said to have one thread there */
        const Form *factor = index->count ? form_factor(forms, place, index->term[0].symbol[0]) : form_constant(forms, 0);
        const Form *part = factor && step_of(search, factor, &axis) ? form_mul(forms, factor, index) : NULL;
        rest = part ? form_sub(forms, rest, part) : NULL;
        if (!rest)
            return false;
        add_axis(own, axis);
    }
    return is_number ? is_small(own, rest) : is_shared(rest);
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
    enum { NO_AXIS = -1 };
    qsort(offset, count, sizeof *offset, compare);
    int64_t step = count > 1 ? offset[1] - offset[0] : 0;
    bool even = true;
    for (size_t i = 2; i < count; i++)
        even &= offset[i] - offset[i - 1] == step;
    if (!even)
        own->bytes += offset[count - 1] - offset[0];
    else if (count > 1)
        add_axis(own, (RingAxis){.number = NO_AXIS, .step = step, .count = (int)count});
    return own->bytes <= MOST_STEP && step <= MOST_STEP && offset[count - 1] - offset[0] <= MOST_STEP;
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
        if (ir_loop_of(search->kernel->ir, LLVMGetInstructionParent(copy->store)) != search->loop || !distance ||
            distance->bounded || !form_is_constant(distance, &offset[(*count)++]))
            return false;
    }
    return true;
}

/* s[n / 16][n % 16] is n's own place: what is asked of places is asked of numbers then, and rows between copies are so many. */
static bool count_numbers(const Cut *cut, RingOwn *own, int64_t *offset, size_t count)
{
    enum { LEAST_BITS = 32 };
    if (!cut_has_rows(cut, (int)own->bytes) || !is_shared(cut->rest) || cut->bits < LEAST_BITS)
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
    const Form *place = cut.number ? cut.number : cut.rest;
    return (!cut.number || count_numbers(&cut, own, offset, count)) && add_threads(search, place, own, cut.number != NULL) &&
           add_offsets(own, offset, count);
}

bool own_add(Search *search, const RingCopy *copy)
{
    Ring *ring = search->ring;
    LLVMValueRef array = array_of(copy->target);
    for (size_t i = 0; i < ring->owns.count; i++)
        if (((const RingOwn *)ring->owns.item[i])->array == array)
            return true;
    RingOwn *own = ARENA_NEW(ring->arena, RingOwn);
    *own = (RingOwn){.array = array};
    list_add(&ring->owns, own);
    return own_fill(search, own);
}
