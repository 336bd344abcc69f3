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

/* ---- thread indices, as conditions leave them ---- */

typedef struct {
    int64_t low, high;
} Range;

/* index + constant, or constant - index, compared with 0. */
static void narrow(Range *range, Compare compare, const Form *form)
{
    bool turned = form->term[0].coefficient < 0;
    int64_t bound = turned ? form->constant : -form->constant, low = INT64_MIN, high = INT64_MAX;
    bool below = turned ? compare == CMP_GT || compare == CMP_GE : compare == CMP_LT || compare == CMP_LE;
    bool above = turned ? compare == CMP_LT || compare == CMP_LE : compare == CMP_GT || compare == CMP_GE;
    bool strict = compare == CMP_LT || compare == CMP_GT;
    if (below || compare == CMP_EQ)
        high = bound - strict;
    if (above || compare == CMP_EQ)
        low = bound + strict;
    range->low = low > range->low ? low : range->low;
    range->high = high < range->high ? high : range->high;
}

static bool is_index(const Form *form, const Symbol *symbol)
{
    enum { MOST = 1 << 20 };
    bool lone = form->count == 1 && form->term[0].degree == 1 && form->term[0].symbol[0] == symbol && !form->bounded;
    return lone && magnitude(form->term[0].coefficient) == 1 && magnitude(form->constant) <= MOST;
}

/* Of the index, in all threads that come to the block. */
static void narrow_by(Range *range, Scope *scope, LLVMBasicBlockRef block, const Symbol *symbol)
{
    const List *guards = block ? automaton_guards(scope, block) : NULL;
    for (size_t i = 0; guards && i < guards->count; i++) {
        const Guard *guard = guards->item[i];
        const Form *form = form_sub(scope->kernel->forms, guard->left, guard->right);
        if (form && is_index(form, symbol))
            narrow(range, guard->compare, form);
    }
}

/* Range of the form in threads that come to both blocks; `never`: none does. */
static bool range_of(Scope *scope, const Form *form, const Place *a, const Place *b, Range *range, bool *never)
{
    *range = (Range){form->constant, form->constant};
    *never = false;
    for (int i = 0; i < form->count; i++) {
        Range part;
        const Term *term = &form->term[i];
        const Symbol *symbol = term->symbol[0];
        Range index = {symbol->low, symbol->high};
        bool is_thread = term->degree == 1 && symbol->kind == SYM_TID && magnitude(term->coefficient) <= INT32_MAX;
        if (is_thread) {
            narrow_by(&index, scope, a->block, symbol);
            narrow_by(&index, scope, b->block, symbol);
            *never |= index.low > index.high;
            bool turned = term->coefficient < 0;
            part = (Range){term->coefficient * (turned ? index.high : index.low),
                           term->coefficient * (turned ? index.low : index.high)};
        }
        if (!is_thread && !form_range(form_of_term(scope->kernel->forms, term), &part.low, &part.high))
            return false;
        if (__builtin_add_overflow(range->low, part.low, &range->low) ||
            __builtin_add_overflow(range->high, part.high, &range->high))
            return false;
    }
    return true;
}

/* ---- from the one place to the other ---- */

/* In one iteration of whatever loops: as long as the other's is, or becomes as it is made longer. */
static const Form *distance_between(Footprint *from, const Footprint *to, IrLoop *below)
{
    const Form *difference = !below || footprint_widen(from, below) ? form_sub(from->scope->kernel->forms, to->place, from->place)
                                                                    : NULL;
    return difference && !difference->bounded ? difference : NULL;
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
    Range range;
    bool never = false;
    Footprint moves, from = footprint_of(scope, automaton_form(scope, a.pointer), a.bytes, false);
    if (!moves_of(scope, inner, outer, b, &moves))
        return false;
    if (is_congruently_apart(&from, &moves))
        return true;
    if (ir_distance(scope->kernel->ir, scope->function, a.pointer, b.pointer, &range.low)) {
        range.high = range.low; /* both move alike */
        from.bytes += moves.bytes - b.bytes;
    } else {
        const Form *difference = distance_between(&from, &moves, loop_below(inner, outer));
        if (!difference || !range_of(scope, difference, &a, &b, &range, &never))
            return false;
    }
    return never || footprint_is_apart(&moves, range.low, range.high, (int)from.bytes);
}
