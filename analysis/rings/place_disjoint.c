/* Places of one array that a thread fills: do they stay beside each other? Copies that are under way at once have no order. */
#include "analysis/rings/rings.h"

/* By its form, or, in one loop, as ScalarEvolution has it. */
static bool moves_of(Scope *scope, IrLoop *inner, IrLoop *outer, Place place, Footprint *moves)
{
    const Form *form = automaton_form(scope, place.pointer);
    *moves = footprint_of(scope, form, place.bytes, false);
    if (footprint_along_loops(moves, inner, outer, false))
        return true;
    *moves = footprint_of(scope, form, place.bytes, false);
    return ir_loop_parent(inner) == outer && footprint_along_recurrence(moves, inner, place.pointer);
}

/* From the one place to the other, in one iteration of whatever loops: as long as the other's is, or becomes as it is made longer. */
static bool distance_between(Footprint *from, const Footprint *to, IrLoop *below, int64_t *low, int64_t *high)
{
    const Form *difference = !below || footprint_widen(from, below) ? form_sub(from->scope->kernel->forms, to->place, from->place)
                                                                    : NULL;
    return difference && !difference->bounded && form_range(difference, low, high);
}

/* What is masked with all of its low bits is short of itself by a multiple of the bit above them. */
static const Form *without_masks(FormSpace *forms, const Form *form, uint64_t *steps)
{
    const Form *sum = form;
    for (int i = 0; sum && i < form->count; i++) {
        int64_t mask;
        Term term = form->term[i];
        const Symbol *symbol = term.symbol[0];
        if (term.degree > 1 || symbol->kind != SYM_OP || symbol->op != OP_AND || !form_is_constant(symbol->b, &mask) || mask <= 0 ||
            mask > UINT16_MAX || (mask & (mask + 1)))
            continue;
        const Form *whole = form_sub(forms, symbol->a, form_of_term(forms, &(Term){1, 1, {symbol}}));
        const Form *more = whole ? form_scale(forms, whole, term.coefficient) : NULL;
        sum = more ? form_add(forms, sum, more) : NULL;
        *steps |= (uint64_t)wrap_mul(term.coefficient, mask + 1);
    }
    return sum;
}

/* From the one to the other it is so far, or a multiple of a power of two more or less, in any two iterations: no byte of theirs meets.
 *
 *     s[y + 1][x + 1], s[y + 1][17 * x]       64 * x - 4 bytes: 60, or 64 more or less */
static bool is_congruently_apart(const Footprint *from, const Footprint *to)
{
    uint64_t steps = 0;
    FormSpace *forms = from->scope->kernel->forms;
    const Form *difference = form_sub(forms, to->place, from->place);
    difference = difference && !difference->bounded ? without_masks(forms, difference, &steps) : NULL;
    for (int i = 0; difference && i < difference->count; i++)
        steps |= (uint64_t)difference->term[i].coefficient;
    for (int i = 0; i < to->axes; i++)
        steps |= (uint64_t)to->axis[i].step;
    int64_t unit = (int64_t)(steps & -steps);
    if (!difference || unit <= 0)
        return false;
    int64_t behind = floor_mod(difference->constant, unit);
    return behind >= from->bytes && behind + to->bytes <= unit;
}

bool place_is_disjoint(Scope *scope, IrLoop *inner, IrLoop *outer, Place a, Place b)
{
    int64_t low, high;
    Footprint moves, from = footprint_of(scope, automaton_form(scope, a.pointer), a.bytes, false);
    if (!moves_of(scope, inner, outer, b, &moves))
        return false;
    if (is_congruently_apart(&from, &moves))
        return true;
    if (ir_distance(scope->kernel->ir, scope->function, a.pointer, b.pointer, &low)) {
        high = low; /* both move alike */
        from.bytes += moves.bytes - b.bytes;
    } else if (!distance_between(&from, &moves, loop_below(inner, outer), &low, &high))
        return false;
    return footprint_is_apart(&moves, low, high, (int)from.bytes);
}
