/* Does every thread of the block fill places of its own? They are its indices' multiples, and a place that all threads share:
 *
 *     s[y * 17 + x]           x below 17, and the block one layer deep: the test on entry
 *     s[y * blockDim.x + x]   whatever the block's width is
 *
 * and so in each iteration of the loops that the copies stand in, inside of the tile loop:
 *
 *     for (i = x; i < 256; i += blockDim.x) s[i]      the block one thread high: a step along the loop is longer than it
 *
 * Or such multiples are numbers that their places tell: s[n ^ (n >> 3 & 7)], where bits are crossed, is n's own (crossing.c). */
#include "analysis/facts/crossing.h"
#include "analysis/rings/search.h"

static bool is_of_array(const RingOwn *own, const RingCopy *copy) { return shared_array_of(copy->target) == own->array; }

/* From the array's first copy, bytes. */
static bool find_offsets(const Search *search, const RingOwn *own, const RingCopy **first, int *bytes, int64_t *offset,
                         size_t *count)
{
    const Ring *ring = search->ring;
    for (size_t i = 0; i < ring->copies.count; i++) {
        const RingCopy *copy = ring->copies.item[i];
        if (!is_of_array(own, copy))
            continue;
        *first = *first ? *first : copy;
        *bytes = copy->bytes > *bytes ? copy->bytes : *bytes;
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
        if (form_is_shared(form_of_term(forms, &term)) || term.coefficient < 0 || term.coefficient % cut->row)
            continue;
        cut->rest = form_sub(forms, cut->rest, form_of_term(forms, &term));
        term.coefficient = term.coefficient / cut->row * cut->width;
        cut->number = form_add(forms, cut->number, form_of_term(forms, &term));
    }
    return cut->number && cut->rest;
}

/* s[n / 16][n % 16] is n's own place: what is asked of places is asked of numbers then, and rows between copies are so many. */
static bool count_numbers(const Cut *cut, int64_t *offset, size_t count)
{
    enum { LEAST_BITS = 32 };
    if (!form_is_shared(cut->rest) || cut->bits < LEAST_BITS)
        return false;
    for (size_t i = 0; i < count; i++) {
        if (offset[i] % cut->row)
            return false;
        offset[i] = offset[i] / cut->row * cut->width;
    }
    return true;
}

/* No sum of such steps, and of nothing else, is as large as 2^32 or negative. */
static bool is_small(const Footprint *footprint)
{
    enum { MOST = 64, MOST_CONSTANT = 1 << 16 };
    int64_t constant, longest = footprint->axis[footprint->axes - 1].step;
    return form_is_constant(footprint->rest, &constant) && constant >= 0 && constant <= MOST_CONSTANT && longest <= MOST;
}

/* What no axis moves is the same to all threads; of numbers that are not all of what is cut, it is no more than that. */
static bool is_based(const Search *search, const RingCopy *copy, const Cut *cut, const Footprint *footprint)
{
    bool inside = loop_of_copy(search, copy) != search->loop;
    return !cut->number || (inside && cut_is_whole(cut)) ? form_is_shared(footprint->rest) : !inside && is_small(footprint);
}

/* The threads fill places that are their indices' multiples, or tell numbers that are. */
static bool fills_steps(Search *search, RingOwn *own, const RingCopy *first, int bytes, int64_t *offset, size_t count)
{
    Cut cut = cut_of_copy(search, first);
    if (cut.number && !(cut_has_rows(&cut, bytes) && join_rows(search->kernel->forms, &cut) && count_numbers(&cut, offset, count)))
        return false;
    Footprint *footprint = &own->footprint;
    *footprint = footprint_of(search->scope, cut.number ? cut.number : cut.rest, cut.number ? 1 : bytes, true);
    return footprint_along_loops(footprint, loop_of_copy(search, first), search->loop, first->stops) &&
           footprint_along_block(footprint) && is_based(search, first, &cut, footprint) &&
           footprint_along_copies(footprint, offset, count) && footprint_is_injective(footprint);
}

/* None of the copies to the array meets another, whatever the numbers are that their places tell. */
static bool are_copies_apart(const Search *search, const RingOwn *own, const Crossing *crossing, int bytes)
{
    const List *copies = &search->ring->copies;
    for (size_t i = 0; i < copies->count; i++)
        for (size_t j = 0; j < i; j++) {
            Crossing a, b;
            const RingCopy *copy = copies->item[i], *other = copies->item[j];
            if (is_of_array(own, copy) && is_of_array(own, other) &&
                !(crossing_of(search->scope, copy->target, &a) && crossing_of(search->scope, other->target, &b) &&
                  crossing_is_apart(&a, &b, crossing_columns(crossing, NULL), bytes)))
                return false;
        }
    return true;
}

/* Bits of the places are crossed. */
static bool fills_crossed(Search *search, RingOwn *own, const RingCopy *first, int bytes)
{
    Crossing crossing;
    if (!crossing_of(search->scope, first->target, &crossing) || !are_copies_apart(search, own, &crossing, bytes))
        return false;
    uint64_t columns = crossing_columns(&crossing, NULL);
    const Form *number = crossing_number(&crossing, columns);
    Footprint *footprint = &own->footprint;
    if (!number || !crossing_tells(&crossing, columns, bytes))
        return false;
    *footprint = footprint_of(search->scope, number, 1, true);
    return footprint_along_loops(footprint, loop_of_copy(search, first), search->loop, first->stops) &&
           footprint_along_block(footprint) && form_is_shared(footprint->rest) && footprint_is_injective(footprint);
}

static bool own_fill(Search *search, RingOwn *own)
{
    int bytes = 0;
    size_t count = 0;
    const RingCopy *first = NULL;
    int64_t *offset = ARENA_ARRAY(search->ring->arena, int64_t, search->ring->copies.count);
    return find_offsets(search, own, &first, &bytes, offset, &count) &&
           (fills_steps(search, own, first, bytes, offset, count) || fills_crossed(search, own, first, bytes));
}

bool disjoint_add(Search *search, const RingCopy *copy)
{
    Ring *ring = search->ring;
    LLVMValueRef array = shared_array_of(copy->target);
    for (size_t i = 0; i < ring->entry.owns.count; i++)
        if (((const RingOwn *)ring->entry.owns.item[i])->array == array)
            return true;
    RingOwn *own = ARENA_NEW(ring->arena, RingOwn);
    *own = (RingOwn){.array = array};
    list_add(&ring->entry.owns, own);
    return own_fill(search, own);
}
