/* Asynchronous copies that fill what a thread reads, though nothing between lets it wait: found by looking at each thread of a block.
 *
 *     copy s[k], k = thread, thread + 256, ...     use s[(thread + 1) % 256]      thread 31 reads what thread 32 fills
 *
 * - a load that lies behind the copy in the same iteration, and no wait between, reads what may not have come;
 * - a copy that lies behind the load, in the same iteration or in the next one, and no barrier between, fills what threads of other warps
 *   may still be reading.
 * It is to be so in blocks of all shapes that the kernel may have: of those below, as many as leave each thread inside of the array. */
#include <string.h>

#include "analysis/address/automaton.h"
#include "analysis/explain/explain.h"
#include "analysis/explain/meeting.h"

enum {
    AXES = 3,
    CELL = 4, /* bytes that one thread fills, or several */
    MOST_SHARED = 232448, /* of a block, whatever it asks for */
    MOST_PAIRS = 48, /* that are looked at in a kernel: each takes about a millisecond */
    SEVERAL = INT16_MAX,
};

static const int shapes[][AXES] = {{64, 1, 1}, {128, 1, 1}, {256, 1, 1}, {512, 1, 1}, {1024, 1, 1},
                                   {8, 8, 1},  {16, 16, 1}, {32, 4, 1},  {32, 8, 1},  {32, 32, 1}};

enum { SHAPES = sizeof shapes / sizeof *shapes };

/* ---- places ---- */

typedef enum { SHAPE_OUTSIDE, SHAPE_APART, SHAPE_MEETS } ShapeFound;

int64_t shared_size(const Kernel *kernel, LLVMValueRef array)
{
    int64_t size = (int64_t)LLVMABISizeOfType(kernel->layout, LLVMGlobalGetValueType(array));
    return size && size < MOST_SHARED ? size : MOST_SHARED; /* 0: of the host's choice */
}

static bool is_outside(const Pair *pair, int64_t at, int64_t bytes) { return at < 0 || at + bytes > pair->size; }

/* By which warp each cell is filled, one more than its number; false: a thread is outside of the array. */
static bool cells_fill(Pair *pair, const int extent[AXES], int16_t *cell)
{
    int bytes = ir_copied_bytes(pair->copy), threads = extent[0] * extent[1] * extent[2];
    for (int rank = 0; rank < threads; rank++)
        for (int round = 0; round < MOST_ROUNDS && spot_again(&pair->fills, extent, rank, round); round++) {
            if (!spot_comes(&pair->fills, extent, rank))
                continue;
            int64_t at = spot_at(&pair->fills, extent, rank);
            if (is_outside(pair, at, bytes))
                return false;
            for (int64_t c = at / CELL; c <= (at + bytes - 1) / CELL; c++) {
                int16_t warp = (int16_t)(rank / WARP_LANES + 1);
                cell[c] = cell[c] && cell[c] != warp ? SEVERAL : warp;
            }
        }
    return true;
}

static ShapeFound shape_look(Pair *pair, const int extent[AXES], bool across)
{
    int threads = extent[0] * extent[1] * extent[2], bytes = pair->read->bytes;
    int16_t *cell = pair->cell;
    ShapeFound found = SHAPE_APART;
    memset(cell, 0, sizeof *cell * (size_t)(pair->size / CELL + 1));
    if (!cells_fill(pair, extent, cell))
        return SHAPE_OUTSIDE;
    for (int rank = 0; rank < threads; rank++) {
        if (!spot_again(&pair->reads, extent, rank, 0) || !spot_comes(&pair->reads, extent, rank))
            continue;
        int64_t at = spot_at(&pair->reads, extent, rank);
        if (is_outside(pair, at, bytes))
            return SHAPE_OUTSIDE;
        for (int64_t c = at / CELL; c <= (at + bytes - 1) / CELL; c++)
            if (cell[c] && (!across || cell[c] != rank / WARP_LANES + 1))
                found = SHAPE_MEETS;
    }
    return found;
}

static void extents_give(Pair *pair, const int extent[AXES])
{
    for (int axis = 0; axis < AXES; axis++) {
        spot_give(&pair->fills, SYM_BLOCKDIM, NULL, axis, extent[axis]);
        spot_give(&pair->reads, SYM_BLOCKDIM, NULL, axis, extent[axis]);
    }
    if (pair->argument) {
        spot_give_argument(&pair->fills, pair->argument, pair->value);
        spot_give_argument(&pair->reads, pair->argument, pair->value);
    }
}

static bool may_have(const Kernel *kernel, const int extent[AXES])
{
    const Shape shape = form_shape(kernel->forms);
    for (int axis = 0; axis < AXES; axis++)
        if (shape.extent[axis] && shape.extent[axis] != extent[axis])
            return false;
    return !shape.limit || extent[0] * extent[1] * extent[2] <= shape.limit;
}

static bool mentions_row(const Spot *spot)
{
    const Form *row = form_sreg(spot->kernel->forms, SYM_TID, 1);
    return row->count && form_mentions(spot->place, row->term[0].symbol[0]);
}

/* Blocks of several rows are not launched where none of the places says which; and say nothing for themselves where all rows read the same. */
static bool is_launched(const Pair *pair, const int extent[AXES])
{
    return extent[1] == 1 || mentions_row(&pair->fills) || mentions_row(&pair->reads);
}

static bool speaks(const Pair *pair, const int extent[AXES]) { return extent[1] == 1 || mentions_row(&pair->reads); }

bool spots_find(Pair *pair, Scope *filling, Scope *reading)
{
    return spot_find(&pair->fills, filling, pair->copy, LLVMGetOperand(pair->copy, 0), pair->array, pair->around) &&
           spot_find(&pair->reads, reading, pair->read->instruction, pair->read->pointer, pair->array, pair->around);
}

/* (threadIdx.x + 1) % blockDim.x, in blocks of the shape. Forms are made when they are asked for. */
static bool spots_find_in(Pair *pair, int shape)
{
    Kernel **in = &pair->in_shape[shape];
    if (!*in) {
        Options options = pair->kernel->options;
        const int *extent = shapes[shape];
        options.shape = (Shape){.extent = {extent[0], extent[1], extent[2]}, .limit = extent[0] * extent[1] * extent[2]};
        *in = kernel_open(pair->kernel->arena, pair->kernel->ir, pair->kernel->module, pair->kernel->function, &options, NULL);
        (*in)->scope = scope_open(*in, (*in)->function, NULL, NULL);
    }
    return spots_find(pair, (*in)->scope, (*in)->scope);
}

static LLVMValueRef array_of_read(const Pair *pair, int iteration)
{
    LLVMValueRef pointer = pair->read->pointer;
    return pair->is_behind ? array_behind_loop(pair->kernel, pair->around, pointer, iteration)
                           : array_in_turn(pair->kernel, pair->around, pointer, iteration);
}

static Scope *scope_of_read(const Pair *pair, Scope *fills, int filling, int reading)
{
    if (pair->is_behind)
        return scope_behind(pair->kernel, pair->around, reading);
    return filling == reading ? fills : scope_in_turn(pair->kernel, pair->around, reading);
}

static int reading_in(const Pair *pair, int iteration) { return pair->lag < 0 ? iteration - pair->lag : iteration; }

/* What changes places may lead into another array in each iteration. */
static bool spots_find_at(Pair *pair, int iteration)
{
    int filling = iteration + (pair->lag > 0), reading = reading_in(pair, iteration);
    Scope *fills = scope_in_turn(pair->kernel, pair->around, filling);
    Scope *reads = scope_of_read(pair, fills, filling, reading);
    pair->array = array_in_turn(pair->kernel, pair->around, LLVMGetOperand(pair->copy, 0), filling);
    if (!pair->array || array_of_read(pair, reading) != pair->array)
        return false;
    pair->size = shared_size(pair->kernel, pair->array);
    return spots_find(pair, fills, reads);
}

static void iteration_give(Pair *pair, int iteration)
{
    spot_give(&pair->reads, SYM_LOOP, pair->around, 0, reading_in(pair, iteration));
    spot_give(&pair->fills, SYM_LOOP, pair->around, 0, iteration + (pair->lag > 0));
}

/* In the loop's first iteration, or its second one, and that behind it. */
bool meets_in(Pair *pair, int iteration, bool across)
{
    int met = 0;
    if (pair->by_turns && !spots_find_at(pair, iteration))
        return false;
    for (int s = 0; s < SHAPES; s++) {
        if (!may_have(pair->kernel, shapes[s]))
            continue;
        if (pair->by_shape && !spots_find_in(pair, s))
            return false;
        if (!is_launched(pair, shapes[s]))
            continue;
        if (pair->around)
            iteration_give(pair, iteration);
        extents_give(pair, shapes[s]);
        ShapeFound found = shape_look(pair, shapes[s], across);
        if (found == SHAPE_APART)
            return false;
        met += found == SHAPE_MEETS && speaks(pair, shapes[s]);
    }
    return met > 0;
}

static bool meets(Pair *pair, bool across)
{
    Scope *own = pair->kernel->scope;
    int64_t trips = pair->around ? ir_loop_trips(pair->kernel->ir, pair->around) : 1;
    bool has_second = pair->lag ? trips != 2 : trips != 1;
    if (!ir_copied_bytes(pair->copy))
        return false;
    pair->size = pair->array ? shared_size(pair->kernel, pair->array) : 0;
    bool is_known = pair->array && spots_find(pair, own, pair->read->scope);
    if (!is_known && pair->read->scope != own)
        return false;
    pair->by_turns = !is_known && pair->around && (spots_find_at(pair, 0) || (has_second && spots_find_at(pair, 1)));
    pair->by_shape = !is_known && !pair->by_turns;
    if (!pair->array)
        return false;
    return meets_in(pair, 0, across) || (has_second && (pair->lag || pair->by_turns) && meets_in(pair, 1, across));
}

bool two_warps_read(Kernel *kernel, LLVMValueRef array, LLVMValueRef load)
{
    const int extent[AXES] = {2 * WARP_LANES, 1, 1};
    Pair pair = {.kernel = kernel, .array = array, .size = shared_size(kernel, array)};
    bool is_known = spot_find(&pair.reads, kernel->scope, load, LLVMGetOperand(load, 0), array, NULL);
    if (is_known)
        extents_give(&pair, extent);
    for (int rank = 0; is_known && rank < extent[0]; rank++)
        if (spot_comes(&pair.reads, extent, rank) && is_outside(&pair, spot_at(&pair.reads, extent, rank), 1))
            return false;
    return true;
}

/* ---- ways ---- */

bool awaits(LLVMValueRef instruction) { return ir_may_await_copies(instruction); }
static bool orders(LLVMValueRef instruction) { return !ir_is_copying(instruction) && !is_unordered(instruction); }

static void stops_add(List *found, LLVMValueRef function, Stops *stops)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (stops(i))
                list_add(found, i);
}

/* Somewhere in the functions that are called to read. */
bool stops_inside(const Pair *pair, Stops *stops)
{
    List found = list_new(pair->kernel->arena);
    for (const Scope *scope = pair->read->scope; scope->caller && !found.count; scope = scope->caller)
        stops_add(&found, scope->function, stops);
    return found.count > 0;
}

/* The outermost loop around the copy that does not read. */
IrLoop *copying_loop(const Pair *pair)
{
    IrLoop *found = NULL, *loop = ir_loop_of(pair->kernel->ir, LLVMGetInstructionParent(pair->copy));
    for (; loop && !ir_loop_has_block(loop, LLVMGetInstructionParent(pair->at)); loop = ir_loop_parent(loop))
        found = loop;
    return found;
}

LLVMValueRef begin_of(const Pair *pair) { return pair->around ? LLVMGetFirstInstruction(ir_loop_header(pair->around)) : NULL; }

/* Groups that end from the copy on, its own counted, until control comes to the wait, by way of the next iteration's begin where that is where
 * ways go on from; -1: nobody knows. */
static int groups_before(const Pair *pair, LLVMValueRef from, LLVMValueRef wait)
{
    LLVMValueRef begin = begin_of(pair);
    if (from == pair->copy)
        return groups_between(pair->kernel, from, begin, wait);
    int here = LLVMIsAPHINode(begin) ? groups_between(pair->kernel, pair->copy, begin, begin) : -1;
    int there = here < 0 ? -1 : groups_between(pair->kernel, begin, begin, wait);
    return there < 0 ? -1 : here + there;
}

/* Does the wait leave as many groups as have ended behind the copy? Then the copy may go on. */
bool leaves_copy(const Pair *pair, LLVMValueRef from, LLVMValueRef wait)
{
    int left = pair->counts_groups ? ir_groups_left(wait) : 0, ends = left > 0 ? groups_before(pair, from, wait) : -1;
    return ends >= 0 && ends <= left;
}

static bool ways_stop(const Pair *pair, LLVMValueRef from, LLVMValueRef to)
{
    const Ways ways = ways_between(pair->kernel, from, to);
    bool any = false;
    for (size_t s = 0; s < pair->stops->count && !any; s++) {
        LLVMValueRef stop = pair->stops->item[s];
        any = stop != pair->at && ways_have(&ways, stop) && !leaves_copy(pair, from, stop);
    }
    return any;
}

/* In the copy's loop, some of whose iterations that would part from the load. */
bool stops_in_loop(const Pair *pair)
{
    IrLoop *loop = copying_loop(pair);
    bool any = false;
    for (size_t s = 0; loop && s < pair->stops->count && !any; s++)
        any = pair->stops->item[s] != pair->at && ir_loop_has_block(loop, LLVMGetInstructionParent(pair->stops->item[s]));
    return any;
}

/* On a way from the one to the other; of that of the next iteration, to the end of this one, and from the begin of that one on: those that come
 * to neither for an iteration are no ways between the two. */
static bool stops_between(const Pair *pair, LLVMValueRef from, LLVMValueRef to, Stops *stops)
{
    if (stops_inside(pair, stops) || stops_in_loop(pair))
        return true;
    if (!pair->lag)
        return ways_stop(pair, from, to);
    LLVMValueRef begin = begin_of(pair);
    return ways_stop(pair, from, begin) || ways_stop(pair, begin, to);
}

/* In one iteration of the loop around both. */
static bool is_before(const Pair *pair, LLVMValueRef first, LLVMValueRef second)
{
    return leads_past(pair->kernel->arena, first, begin_of(pair), second);
}

/* ---- what is loaded ---- */

static bool always_comes(const Pair *pair, LLVMValueRef to)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(pair->kernel->function); b; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (is_op(end, LLVMRet) && leads_past(pair->kernel->arena, pair->at, to, end))
            return false;
    }
    return true;
}

/* Loads may have been made in front of the condition that they had: is anything done with it that no condition keeps away? */
static bool is_kept(const Pair *pair)
{
    Map *seen = map_new(pair->kernel->arena);
    List values = list_new(pair->kernel->arena);
    list_add(&values, pair->at);
    for (size_t i = 0; i < values.count; i++)
        for (LLVMUseRef use = LLVMGetFirstUse(values.item[i]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (map_get(seen, user) || is_op(user, LLVMSelect) || LLVMIsAPHINode(user))
                continue;
            if (ir_touches_memory(user) && always_comes(pair, user))
                return true;
            map_put(seen, user, user);
            list_add(&values, user);
        }
    return false;
}

/* ---- all of it ---- */

static bool has_next(const Pair *pair) { return pair->around && ir_loop_trips(pair->kernel->ir, pair->around) != 1; }

/* Is what the copy fills read behind it, in the same iteration or in the next one, though no thread has waited for it? */
static bool is_read_early(Pair *pair)
{
    LLVMValueRef array = pair->array;
    if (is_left_under_way(pair) || is_left_in_last(pair))
        return true;
    pair->counts_groups = true;
    if (is_before(pair, pair->copy, pair->at) && !stops_between(pair, pair->copy, pair->at, awaits) && meets(pair, false))
        return true;
    pair->lag = -1;
    pair->array = array;
    return has_next(pair) && is_used_in(pair->kernel, pair->around, pair->at) &&
           !stops_between(pair, pair->copy, pair->at, awaits) && meets(pair, false);
}

/* Does it fill what threads may still be reading, in the load's own iteration, or in the one behind it? */
static bool is_filled_early(Pair *pair)
{
    pair->lag = !is_before(pair, pair->at, pair->copy);
    if (pair->lag && !has_next(pair))
        return false;
    bool kept = pair->around ? is_used_in(pair->kernel, pair->around, pair->at) : is_kept(pair);
    return kept && !stops_between(pair, pair->at, pair->copy, orders) && meets(pair, true);
}

static LLVMValueRef place_in_kernel(const Access *access)
{
    LLVMValueRef at = access->instruction;
    for (const Scope *scope = access->scope; scope->caller; scope = scope->caller)
        at = scope->call;
    return at;
}

static IrLoop *loop_of_both(const Kernel *kernel, LLVMValueRef copy, LLVMValueRef at)
{
    IrLoop *loop = ir_loop_of(kernel->ir, LLVMGetInstructionParent(at));
    while (loop && !ir_loop_has_block(loop, LLVMGetInstructionParent(copy)))
        loop = ir_loop_parent(loop);
    return loop;
}

/* The same where pointers have changed places in a loop that the load stands behind. */
static bool is_met_behind(const Pair *pair)
{
    IrLoop *loop = pair->around ? NULL : copying_loop(pair);
    bool met = false;
    for (int i = 0; i < 3 && loop && !met; i++) {
        LLVMValueRef turned = array_in_turn(pair->kernel, loop, LLVMGetOperand(pair->copy, 0), i);
        for (int j = i; j <= i + 1 && turned && !met; j++)
            met = array_behind_loop(pair->kernel, loop, pair->read->pointer, j) == turned;
    }
    return met;
}

/* The copy's array, where the loop around both has none that change places; false: it does not lead into the load's. */
static bool array_find(Pair *pair)
{
    LLVMValueRef pointer = LLVMGetOperand(pair->copy, 0), array = array_behind(pointer, 0);
    bool met = array && leads_into(pair->read->scope, pair->read->pointer, array);
    for (int i = 0; i < 3 && !met && pair->around && pair->read->scope == pair->kernel->scope; i++) {
        LLVMValueRef turned = array_in_turn(pair->kernel, pair->around, pointer, i);
        for (int j = 0; j < 3 && turned && !met; j++)
            met = array_in_turn(pair->kernel, pair->around, pair->read->pointer, j) == turned;
    }
    pair->array = array;
    return met || is_met_behind(pair);
}

/* Loads are looked at until one is found, and no more of them than that in a kernel. */
static bool any_is(const Pair *of_copy, bool (*is)(Pair *pair), int *looked)
{
    Kernel *kernel = of_copy->kernel;
    for (size_t a = 0; a < kernel->found.accesses.count && *looked < MOST_PAIRS; a++) {
        const Access *access = kernel->found.accesses.item[a];
        if (access->op != OP_LOAD || !LLVMIsALoadInst(access->instruction))
            continue;
        Pair pair = *of_copy;
        pair.read = access;
        pair.at = place_in_kernel(access);
        pair.around = loop_of_both(kernel, pair.copy, pair.at);
        if (!array_find(&pair))
            continue;
        ++*looked;
        if (is(&pair))
            return true;
    }
    return false;
}

static List copies_that(Kernel *kernel, bool (*is)(Pair *pair), Stops *stops)
{
    List found = list_new(kernel->arena), stopping = list_new(kernel->arena);
    int looked = 0;
    Kernel **in_shape = ARENA_ARRAY(kernel->arena, Kernel *, SHAPES);
    int16_t *cell = begins_copies(kernel->function) ? ARENA_ARRAY(kernel->arena, int16_t, MOST_SHARED / CELL + 1) : NULL;
    stops_add(&stopping, kernel->function, stops);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(kernel->function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            const Pair pair = {.kernel = kernel, .copy = i, .stops = &stopping, .cell = cell, .in_shape = in_shape};
            if (looked < MOST_PAIRS && ir_begins_copy(i) && any_is(&pair, is, &looked))
                list_add(&found, i);
        }
    return found;
}

List early_reads_meet(Kernel *kernel) { return copies_that(kernel, is_read_early, awaits); }

List early_fills_meet(Kernel *kernel) { return copies_that(kernel, is_filled_early, orders); }
