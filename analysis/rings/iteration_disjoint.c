/* Does a thread fill every place of the tile at most once in an iteration? Asynchronous copies have no order.
 *
 *     for (i = t; i < 432; i += 256)          the number i is cut into rows (cut.c), of which each has its place; the loop moves
 *         s[i / 36][i % 36] = g[...];         on from number to number
 *
 *     for (y = ty; y < 12; y += 8)            counters that move apart: one step of y is longer than all the way that x goes
 *         for (x = tx; x < 36; x += 32)       (footprint.c)
 *             s[y][x] = g[...];
 *
 *     for (n = t; n < 1024; n += 256)         bits that are crossed, of which the place tells the number (crossing.c)
 *         s[n ^ (n >> 3 & 7)] = g[...]; */
#include "analysis/facts/crossing.h"
#include "analysis/rings/search.h"

IrLoop *loop_of_copy(const Search *search, const RingCopy *copy)
{
    return ir_loop_of(search->kernel->ir, LLVMGetInstructionParent(copy->store));
}

Cut cut_of_copy(const Search *search, const RingCopy *copy)
{
    IrLoop *loop = loop_of_copy(search, copy);
    return cut_of(search->scope, loop == search->loop ? NULL : loop, automaton_form(search->scope, copy->target));
}

/* The place of the copy, or its number, over the iterations of the loops inside of the tile loop; false where it is more than that
 * changes in them. */
static bool iterations_of(const Search *search, const RingCopy *copy, const Form *place, int bytes, Footprint *moves)
{
    *moves = footprint_of(search->scope, place, bytes, false);
    return footprint_along_loops(moves, loop_of_copy(search, copy), search->loop, false);
}

/* ---- one copy, in two iterations ---- */

static bool is_number_apart(const Search *search, const RingCopy *copy, const Cut *cut)
{
    Footprint moves;
    IrLoop *loop = loop_of_copy(search, copy);
    return form_is_invariant(cut->rest, loop) && iterations_of(search, copy, cut->number, 1, &moves) && moves.axes == 1 &&
           (cut_has_rows(cut, copy->bytes) || cut_has_columns(search->scope, loop, cut, copy->bytes)) &&
           (cut_is_whole(cut) || footprint_stays_within(&moves, &moves.axis[0], cut_most_apart(cut)));
}

/* By steps that nobody knows, as far as nobody knows: how much of the tile is filled is the host's affair. */
static bool moves_on_unsized(const Search *search, const RingCopy *copy)
{
    IrLoop *loop = loop_of_copy(search, copy);
    search->ring->tile.unsized = true;
    return ir_loop_parent(loop) == search->loop && fill_moves_on(search->scope, loop, copy);
}

/* Its place tells numbers that loops inside of the tile loop move on. */
static bool is_crossed_apart(const Search *search, const RingCopy *copy)
{
    Footprint moves;
    Crossing crossing;
    if (!crossing_of(search->scope, copy->target, &crossing))
        return false;
    uint64_t columns = crossing_columns(&crossing, loop_below(loop_of_copy(search, copy), search->loop));
    const Form *number = crossing_number(&crossing, columns);
    return number && crossing_tells(&crossing, columns, copy->bytes) && iterations_of(search, copy, number, 1, &moves) &&
           footprint_is_injective(&moves);
}

/* By steps that are an argument's, say: how many places a thread fills is the host's affair. Of blocks of 1024 threads, a word each,
 * which carried one sum: 0.85, 0.77 and 1.03 of plain clang (H200). */
static bool steps_by_unknown(const Search *search, const RingCopy *copy)
{
    Term term;
    const Form *place = automaton_form(search->scope, copy->target);
    bool unknown = false;
    for (IrLoop *loop = loop_of_copy(search, copy); loop != search->loop; loop = ir_loop_parent(loop)) {
        bool moves = term_of_counter(search->scope, place, loop, &term);
        for (int k = 0; moves && k < term.degree; k++)
            unknown |= term.symbol[k]->kind != SYM_LOOP && term.symbol[k]->low < 0;
    }
    return unknown;
}

/* Inside of loops of its own, never where it was. */
static bool moves_on(const Search *search, const RingCopy *copy)
{
    Footprint moves;
    const Form *place = automaton_form(search->scope, copy->target);
    if (loop_of_copy(search, copy) == search->loop)
        return true;
    if (place->bounded)
        return moves_on_unsized(search, copy);
    if (iterations_of(search, copy, place, copy->bytes, &moves) && footprint_is_injective(&moves)) {
        search->ring->tile.unsized |= steps_by_unknown(search, copy);
        return true;
    }
    Cut cut = cut_of_copy(search, copy);
    return (cut.number && is_number_apart(search, copy, &cut)) || is_crossed_apart(search, copy);
}

/* ---- two copies ---- */

/* Do they stand in one loop inside of the tile loop, and not both in the innermost? Its counter is not the same to both. */
static bool share_loop(const Search *search, IrLoop *a, IrLoop *b)
{
    for (; b != search->loop; b = ir_loop_parent(b))
        if (ir_loop_inside(a, b))
            return true;
    return false;
}

/* What the one loop leaves a counter at is not what it was when the other's place was filled, though both have one name. */
static bool is_left_over(const Search *search, const RingCopy *copy, const RingCopy *other)
{
    IrLoop *below = loop_below(loop_of_copy(search, other), search->loop);
    return below && loop_of_copy(search, copy) != loop_of_copy(search, other) &&
           !form_is_invariant(automaton_form(search->scope, copy->target), below);
}

static bool is_apart_by_number(const Search *search, const RingCopy *copy, const RingCopy *other)
{
    Footprint moves;
    int64_t numbers;
    int bytes = copy->bytes > other->bytes ? copy->bytes : other->bytes;
    Cut a = cut_of_copy(search, copy), b = cut_of_copy(search, other), fewer = a.bits < b.bits ? a : b;
    if (!a.number || !cut_has_rows(&a, bytes) || !cut_distance(search->kernel->forms, &a, &b, &numbers))
        return false;
    return iterations_of(search, copy, a.number, 1, &moves) &&
           (cut_is_whole(&fewer) || !moves.axes ||
            (moves.axes == 1 && footprint_stays_within(&moves, &moves.axis[0], cut_most_apart(&fewer) - magnitude(numbers)))) &&
           footprint_is_apart(&moves, numbers, numbers, 1);
}

/* Whatever the numbers that loops move on are in the one iteration, and in the other. */
static bool are_crossed_apart(const Search *search, const RingCopy *copy, const RingCopy *other)
{
    Crossing a, b;
    IrLoop *below = loop_below(loop_of_copy(search, copy), search->loop);
    return crossing_of(search->scope, copy->target, &a) && crossing_of(search->scope, other->target, &b) &&
           crossing_is_apart(&a, &b, below ? crossing_columns(&a, below) : 0,
                             copy->bytes > other->bytes ? copy->bytes : other->bytes);
}

/* A late copy is not made where it stands. */
static Place place_of(const RingCopy *copy)
{
    return (Place){copy->target, copy->bytes, copy->kind == COPY_ALIKE ? LLVMGetInstructionParent(copy->store) : NULL};
}

static bool is_apart(const Search *search, const RingCopy *a, const RingCopy *b)
{
    IrLoop *loop = loop_of_copy(search, a), *other = loop_of_copy(search, b);
    if (shared_array_of(a->target) != shared_array_of(b->target))
        return true;
    if (is_left_over(search, a, b) || is_left_over(search, b, a))
        return false;
    IrLoop *inner = loop == other ? loop : search->loop;
    bool may = loop == other || !share_loop(search, loop, other);
    if (may && place_is_disjoint(search->scope, inner, search->loop, (Place){a->target, a->bytes, NULL},
                                 (Place){b->target, b->bytes, NULL}))
        return true;
    if (may && place_is_disjoint(search->scope, inner, search->loop, place_of(a), place_of(b))) {
        search->ring->price.rims = true;
        return true;
    }
    return loop == other && (is_apart_by_number(search, a, b) || are_crossed_apart(search, a, b));
}

bool moves_check(Search *search)
{
    const List *copies = &search->ring->copies;
    for (size_t i = 0; i < copies->count; i++) {
        const RingCopy *copy = copies->item[i];
        if (!moves_on(search, copy))
            return refuse(search, WHY_RING_PLACE, copy->store);
        for (size_t j = 0; j < i; j++)
            if (!is_apart(search, copy, copies->item[j]))
                return refuse(search, WHY_RING_PLACE, copy->store);
    }
    return true;
}
