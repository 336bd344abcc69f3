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

/* Does no iteration's place of the second meet a place of the first?
 *
 *     | a |   | b |   | a |   | b |
 *     0   distance    step                b stays between the places of a, however many steps away */
static bool stays_between(Scope *scope, IrLoop *loop, Place a, Place b, int64_t low, int64_t high)
{
    int64_t step;
    if (!ir_step(scope->kernel->ir, scope->function, ir_loop_header(loop), b.pointer, &step) || !step ||
        magnitude(step) > INT32_MAX || low < -INT32_MAX || high > INT32_MAX)
        return false;
    int64_t size = (int64_t)magnitude(step), behind = (low % size + size) % size;
    return behind >= a.bytes && behind + (high - low) + b.bytes <= size;
}

bool place_is_disjoint(Scope *scope, IrLoop *loop, Place a, Place b)
{
    int64_t low, high;
    if (!distance_between(scope, a.pointer, b.pointer, &low, &high))
        return false;
    if (loop)
        return stays_between(scope, loop, a, b, low, high);
    return low >= a.bytes || high <= -(int64_t)b.bytes;
}
