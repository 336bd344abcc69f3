/* Places of one array that a thread fills: do they stay beside each other? Copies that are under way at once have no order. */
#include "analysis/rings/rings.h"

/* From the one place to the other, in one iteration of whatever loops. */
static bool distance_between(Scope *scope, LLVMValueRef from, LLVMValueRef to, int64_t *low, int64_t *high)
{
    if (ir_distance(scope->kernel->ir, scope->function, from, to, low)) {
        *high = *low;
        return true;
    }
    const Form *difference = form_sub(scope->kernel->forms, automaton_form(scope, to), automaton_form(scope, from));
    return difference && !difference->bounded && form_range(difference, low, high);
}

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

bool place_is_disjoint(Scope *scope, IrLoop *inner, IrLoop *outer, Place a, Place b)
{
    int64_t low, high;
    Footprint moves;
    if (!distance_between(scope, a.pointer, b.pointer, &low, &high))
        return false;
    return moves_of(scope, inner, outer, b, &moves) && footprint_is_apart(&moves, low, high, a.bytes);
}
