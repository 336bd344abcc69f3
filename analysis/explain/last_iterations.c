/* Copies that the last iterations of a loop leave under way.
 *
 *     for (i = 0; i < n; i++) { copy tile i + 1;  wait for all but one;  use tile i; }   use tile n
 *     for (i = 0; i < n; i++) { if (i + 1 < n) copy tile i + 1;  wait for all but one;  use tile i; }
 *
 * Behind the first loop the last copy has not been waited for; in the last iteration of the second one no more copies begin, so that its wait leaves
 * that iteration's own tile under way. Loops are looked at whose length is known, or told by one argument alone: as if that were each of a few values. */
#include "analysis/address/automaton.h"
#include "analysis/explain/explain.h"
#include "analysis/explain/meeting.h"

/* ---- loads behind the loop of the copy ---- */

/* On a way from the one to the other that does not come to the loop's begin again. */
static bool any_stops_past(const Pair *pair, LLVMValueRef from, LLVMValueRef to)
{
    Arena *arena = pair->kernel->arena;
    LLVMValueRef begin = begin_of(pair);
    bool any = false;
    for (size_t s = 0; s < pair->stops->count && !any; s++) {
        LLVMValueRef stop = pair->stops->item[s];
        any = stop != pair->at && leads_past(arena, from, begin, stop) && leads_past(arena, stop, begin, to) &&
              !leaves_copy(pair, from, stop);
    }
    return any;
}

/* From a copy of the last iteration, or of the one before it. */
static bool stops_behind(const Pair *pair)
{
    LLVMValueRef begin = begin_of(pair);
    if (!pair->lag)
        return !leads_past(pair->kernel->arena, pair->copy, begin, pair->at) || any_stops_past(pair, pair->copy, pair->at);
    return any_stops_past(pair, pair->copy, begin) || any_stops_past(pair, begin, pair->at);
}

static int64_t trips_if(const Pair *pair, unsigned argument, int64_t value)
{
    IrGiven given = {.argument = argument, .offset = IR_ARGUMENT, .value = value};
    int64_t trips = ir_loop_trips_if(pair->kernel->ir, pair->around, &given, 1, NULL);
    return given.used ? trips : -1;
}

/* Is there a wait on the way from the copy of that iteration to the load? */
typedef bool StopsUntil(const Pair *pair, int64_t copying);

/* The argument by which alone the loop ends, and by how much that is more for one iteration more, if that is a power of two. */
static bool argument_find(const Pair *pair, unsigned *argument, int64_t *step)
{
    enum { FEW = 13, MOST_STEP = 1 << 12 };
    for (*argument = 0; *argument < LLVMCountParams(pair->kernel->function); ++*argument)
        for (*step = 1; *step <= MOST_STEP && trips_if(pair, *argument, *step) >= 0; *step *= 2)
            if (trips_if(pair, *argument, FEW * *step) >= FEW - 2)
                return true;
    return false;
}

/* In the loop's last iteration, or behind it; no way to there from the copy's, as far as that is asked, stops. */
static bool meets_at_end(Pair *pair, int64_t trips, StopsUntil *stops)
{
    int64_t copying = trips - 1 + pair->lag;
    return trips > 1 && copying >= 0 && trips < INT16_MAX && !(stops && stops(pair, copying)) &&
           meets_in(pair, (int)copying, false);
}

/* So many iterations, and more, until two and three buffers have had their turns: it is to be so of all. */
static bool meets_in_last(Pair *pair, StopsUntil *stops)
{
    enum { FIRST = 13, LAST = 18 };
    unsigned argument;
    int64_t step, trips = ir_loop_trips(pair->kernel->ir, pair->around);
    if (trips)
        return meets_at_end(pair, trips, stops);
    if (!argument_find(pair, &argument, &step))
        return false;
    pair->argument = LLVMGetParam(pair->kernel->function, argument);
    for (int64_t v = FIRST; v <= LAST; v++) {
        pair->value = v * step;
        trips = trips_if(pair, argument, pair->value);
        if (trips > MOST_ROUNDS || !meets_at_end(pair, trips, stops))
            return false;
    }
    return true;
}

/* Is it of one of the copy's arrays that is read there? Which one, `meets_in` finds out. */
static bool spots_find_behind(Pair *pair)
{
    Scope *own = pair->kernel->scope;
    pair->size = pair->array ? shared_size(pair->kernel, pair->array) : 0;
    pair->by_turns = !pair->array || !spots_find(pair, own, pair->read->scope);
    return !pair->by_turns || pair->read->scope == own;
}

/* Nothing ends the loop but its count, which may be asked for; and how much is copied there is known. */
static bool comes_to_last(const Pair *pair)
{
    return pair->around && ir_loop_is_countable(pair->kernel->ir, pair->around) && ir_copied_bytes(pair->copy);
}

bool is_left_under_way(const Pair *of_both)
{
    Pair pair = *of_both;
    pair.around = copying_loop(&pair);
    if (of_both->around || !comes_to_last(&pair) || !stops_in_loop(&pair))
        return false;
    pair.is_behind = pair.counts_groups = true;
    for (pair.lag = 0; pair.lag >= -1; pair.lag--) {
        pair.array = of_both->array;
        if (!stops_inside(&pair, awaits) && !stops_behind(&pair) && spots_find_behind(&pair) && meets_in_last(&pair, NULL))
            return true;
    }
    return false;
}

/* ---- iterations that begin no more copies ---- */

/* Blocks that control does not come to in that iteration. */
static List closed_in(const Pair *pair, int64_t iteration)
{
    Kernel *kernel = pair->kernel;
    List closed = list_new(kernel->arena);
    const Form *counter = form_loop_known(kernel->forms, pair->around);
    const Form *length = pair->argument ? automaton_form(kernel->scope, pair->argument) : NULL;
    Given given[2] = {{counter && counter->count ? counter->term[0].symbol[0] : NULL, iteration},
                      {length && length->count ? length->term[0].symbol[0] : NULL, pair->value}};
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef jump = LLVMGetBasicBlockTerminator(b);
        bool holds;
        if (ir_loop_of(kernel->ir, b) != pair->around || !is_conditional(jump) ||
            !is_settled(kernel->scope, LLVMGetCondition(jump), given, 2, &holds))
            continue;
        LLVMBasicBlockRef other = LLVMGetSuccessor(jump, holds ? 1 : 0);
        if (ir_edge_dominates(kernel->ir, b, other, other))
            list_add(&closed, other);
    }
    return closed;
}

/* On a way of one iteration, from which so many groups have ended since the copy, its own counted. */
static bool stops_with(const Pair *pair, const List *closed, LLVMValueRef from, LLVMValueRef to, int groups)
{
    Arena *arena = pair->kernel->arena;
    LLVMValueRef begin = begin_of(pair);
    for (size_t s = 0; s < pair->stops->count; s++) {
        LLVMValueRef stop = pair->stops->item[s];
        if (stop == pair->at || !leads_past_closed(arena, closed, from, begin, stop) ||
            !leads_past_closed(arena, closed, stop, begin, to))
            continue;
        int left = ir_groups_left(stop), ends = left > 0 ? groups_between_closed(pair->kernel, closed, from, begin, stop) : -1;
        if (ends < 0 || groups + ends > left)
            return true;
    }
    return false;
}

/* From a copy of that iteration, by those behind it, to the load in the last one. */
static bool stops_until(const Pair *pair, int64_t copying)
{
    LLVMValueRef begin = begin_of(pair), from = pair->copy;
    int groups = 0;
    for (int64_t i = copying; i <= copying - pair->lag; i++, from = begin) {
        List closed = closed_in(pair, i);
        LLVMValueRef to = i < copying - pair->lag ? begin : pair->at;
        int ends = groups_between_closed(pair->kernel, &closed, from, begin, to);
        if (ends < 0 || stops_with(pair, &closed, from, to, groups))
            return true;
        groups += ends;
    }
    return false;
}

/*     for (i = 0; i < n; i++) { if (i + 1 < n) copy tile i + 1;  wait for all but one;  use tile i; }
 *
 * waits in its last iteration for the tile before, if for any: no more copies have begun. */
bool is_left_in_last(const Pair *of_both)
{
    enum { MOST_LAG = 3 };
    Pair pair = *of_both;
    if (!comes_to_last(&pair) || stops_inside(&pair, awaits) || stops_in_loop(&pair))
        return false;
    for (pair.lag = -1; pair.lag >= -MOST_LAG; pair.lag--) {
        pair.array = of_both->array;
        if (spots_find_behind(&pair) && meets_in_last(&pair, stops_until))
            return true;
    }
    return false;
}
