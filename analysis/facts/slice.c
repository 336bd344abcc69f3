/* What a value is computed from, backwards: one walk, for whoever asks whether all of that is of some kind.
 *
 *     h1 = h0 * h0 + c
 *     h2 = h1 * h1 + c          operands that are shared: to follow each of them anew would be 2^n steps
 *
 * Each value is met once, in the order in which it would be met by recursion; what is still to be met stands in a list, not on the
 * stack; and a slice of more values than a bound is of no kind at all: "no" is always the safe answer. */
#include "analysis/facts/facts.h"

enum { SLICE_MOST = 2000 }; /* values: ten times what the longest address of the tests is computed from */

struct Slice {
    Arena *arena;
    SliceAsk *ask;
    const void *context;
    Map *met;
    List pending;
    int left; /* of SLICE_MOST */
    bool holds;
};

Slice *slice_open(Arena *arena, SliceAsk *ask, const void *context)
{
    Slice *slice = ARENA_NEW(arena, Slice);
    *slice = (Slice){arena, ask, context, map_new(arena), list_new(arena), SLICE_MOST, true};
    return slice;
}

void slice_add(Slice *slice, LLVMValueRef value) { list_add(&slice->pending, value); }

/* What was added last is met first. */
static void add_operands(Slice *slice, LLVMValueRef value)
{
    for (int i = LLVMGetNumOperands(value); i-- > 0;)
        slice_add(slice, LLVMGetOperand(value, (unsigned)i));
}

bool slice_holds(Slice *slice)
{
    while (slice->holds && slice->pending.count) {
        LLVMValueRef value = slice->pending.item[--slice->pending.count];
        if (map_get(slice->met, value))
            continue;
        map_put(slice->met, value, value);
        SlicePart part = slice->left-- > 0 ? slice->ask(slice, slice->context, value) : SLICE_FAILS;
        if (part == SLICE_MADE)
            add_operands(slice, value);
        slice->holds = part != SLICE_FAILS;
    }
    return slice->holds;
}

bool slice_of(Arena *arena, LLVMValueRef value, SliceAsk *ask, const void *context)
{
    Slice *slice = slice_open(arena, ask, context);
    slice_add(slice, value);
    return slice_holds(slice);
}

/* ---- in the order in which it is computed ---- */

typedef struct {
    LLVMValueRef value;
    int next; /* operand that is to be looked at */
} Visit;

List slice_order(Arena *arena, LLVMValueRef value, bool (*is_inside)(const void *context, LLVMValueRef value), const void *context)
{
    List order = list_new(arena), path = list_new(arena);
    if (!is_inside(context, value))
        return order;
    Map *met = map_new(arena);
    for (LLVMValueRef next = value; next || path.count;) {
        if (next && !map_get(met, next) && is_inside(context, next)) {
            map_put(met, next, next);
            Visit *visit = ARENA_NEW(arena, Visit);
            *visit = (Visit){next, 0};
            list_add(&path, visit);
        }
        next = NULL;
        Visit *last = path.count ? path.item[path.count - 1] : NULL;
        if (last && last->next < LLVMGetNumOperands(last->value)) {
            next = LLVMGetOperand(last->value, (unsigned)last->next++);
        } else if (last) {
            list_add(&order, last->value);
            path.count--;
        }
    }
    return order;
}

static bool constant_names(LLVMValueRef value, bool (*is_it)(LLVMValueRef value))
{
    bool any = is_it(value);
    for (int i = 0; !any && LLVMIsAConstantExpr(value) && i < LLVMGetNumOperands(value); i++)
        any = constant_names(LLVMGetOperand(value, (unsigned)i), is_it);
    return any;
}

bool instruction_names(LLVMValueRef instruction, bool (*is_it)(LLVMValueRef value))
{
    bool any = false;
    for (int i = 0; !any && i < LLVMGetNumOperands(instruction); i++)
        any = constant_names(LLVMGetOperand(instruction, (unsigned)i), is_it);
    return any;
}
