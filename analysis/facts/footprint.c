/* Do a footprint's places share no byte?
 *
 *     s[y * 17 + x], 4 bytes     along x: steps of 4 bytes, no more than 17 of them; along y: of 68, as long as all of x
 *
 *     for (y = ty; y < 12; y += 8)            one step of y is longer than all the way that x goes, which its bound keeps
 *         for (x = tx; x < 36; x += 32)       within the row
 *             s[y][x] = g[...]; */
#include "analysis/facts/footprint.h"

#include <stdlib.h>

enum { BLOCK_AXES = 3, MOST_STEP = 1 << 16 }; /* bytes: with 1024 threads, no sum of such steps wraps around */

Footprint footprint_of(Scope *scope, const Form *place, int64_t bytes, bool tested)
{
    return (Footprint){.scope = scope, .place = place, .rest = place, .bytes = bytes, .tested = tested};
}

/* ---- what counts along an axis ---- */

/* Of the block, as the hardware numbers what forms number, or the other way round. */
static int numbered(const Footprint *f, int axis)
{
    return form_shape(f->scope->kernel->forms).turned && axis < 2 ? 1 - axis : axis;
}

static bool counts_along(const Footprint *f, const FootprintAxis *axis, const Symbol *symbol)
{
    return axis->kind == AXIS_THREADS ? symbol->kind == SYM_TID && numbered(f, symbol->axis) == axis->number
                                      : axis->kind == AXIS_ITERATIONS && symbol->kind == SYM_LOOP && symbol->loop == axis->loop;
}

/* How often what counts along the axis is a factor; and the last term that has it. */
static int factors_along(const Footprint *f, const FootprintAxis *axis, const Form *form, Term *found)
{
    int factors = 0;
    for (int i = 0; i < form->count; i++)
        for (int k = 0; k < form->term[i].degree; k++)
            if (counts_along(f, axis, form->term[i].symbol[k])) {
                *found = form->term[i];
                factors++;
            }
    return factors;
}

static bool has_factor(const Term *term, const Symbol *symbol)
{
    for (int k = 0; k < term->degree; k++)
        if (term->symbol[k] == symbol)
            return true;
    return false;
}

/* Would the value be the same in all iterations of the loop if the symbol were 0? */
static bool stands_without(Scope *scope, LLVMValueRef value, IrLoop *loop, const Symbol *symbol)
{
    const Form *form = automaton_form(scope, value);
    bool stands = !form->bounded;
    for (int i = 0; i < form->count; i++)
        stands &= form_is_invariant(form_of_term(scope->kernel->forms, &form->term[i]), loop) || has_factor(&form->term[i], symbol);
    return stands;
}

/* The loop ends by nothing but steps of the symbol: if it were 0, there would be one iteration, or no end.
 *
 *     for (r = t / 32; r < 64; r += blockDim.x / 32)          for (r = warp; r < 64; r += rows_per_pass) */
static bool ends_by(Scope *scope, IrLoop *loop, const Symbol *symbol)
{
    int exits = 0;
    bool steps = true;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(scope->function); b && steps; b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        bool leaves = false;
        for (unsigned i = 0; ir_loop_has_block(loop, b) && i < LLVMGetNumSuccessors(end); i++)
            leaves |= !ir_loop_has_block(loop, LLVMGetSuccessor(end, i));
        if (!leaves)
            continue;
        LLVMValueRef compare = is_conditional(end) ? LLVMIsAICmpInst(LLVMGetCondition(end)) : NULL;
        steps = compare && exits++ == 0 && stands_without(scope, LLVMGetOperand(compare, 0), loop, symbol) &&
                stands_without(scope, LLVMGetOperand(compare, 1), loop, symbol);
    }
    return steps && exits == 1;
}

bool term_of_counter(Scope *scope, const Form *form, IrLoop *loop, Term *found)
{
    const FootprintAxis axis = {.kind = AXIS_ITERATIONS, .loop = loop};
    bool once = factors_along(NULL, &axis, form, found) == 1;
    for (int k = 0; once && k < found->degree; k++) {
        const Symbol *symbol = found->symbol[k];
        once = counts_along(NULL, &axis, symbol) || symbol->low >= 1 || ends_by(scope, loop, symbol);
    }
    return once;
}

uint64_t multiple_of(const Term *term, const Term *other)
{
    bool alike = term->degree == other->degree && magnitude(term->coefficient) % magnitude(other->coefficient) == 0;
    for (int i = 0; alike && i < term->degree; i++)
        alike = term->symbol[i] == other->symbol[i];
    return alike ? magnitude(term->coefficient) / magnitude(other->coefficient) : 0;
}

bool symbol_is_shared(const Symbol *symbol)
{
    return symbol->kind == SYM_BASE || symbol->kind == SYM_BLOCK || symbol->kind == SYM_BLOCKDIM || symbol->kind == SYM_GRIDDIM;
}

bool form_is_shared(const Form *form)
{
    for (int i = 0; i < form->count; i++)
        for (int k = 0; k < form->term[i].degree; k++)
            if (!symbol_is_shared(form->term[i].symbol[k]))
                return false;
    return !form->bounded;
}

/* ---- axes ---- */

static int extents_of(const FootprintAxis *axis) { return !!(axis->extents & 1) + !!(axis->extents & 2) + !!(axis->extents & 4); }

/* As far as can be told: a test asks later. Without one, by what steps are at least. */
static bool is_longer(const Footprint *f, const FootprintAxis *a, const FootprintAxis *b)
{
    int bits = f->tested ? 4 : 0; /* of a usual extent */
    int64_t first = (a->step << bits * extents_of(a)) / (a->divisor ? a->divisor : 1);
    int64_t second = (b->step << bits * extents_of(b)) / (b->divisor ? b->divisor : 1);
    return first != second ? first > second : extents_of(a) > extents_of(b);
}

static bool add_axis(Footprint *f, FootprintAxis axis)
{
    if (f->axes == FOOTPRINT_AXES)
        return false;
    int at = f->axes++;
    for (; at > 0 && is_longer(f, &f->axis[at - 1], &axis); at--)
        f->axis[at] = f->axis[at - 1];
    f->axis[at] = axis;
    return true;
}

/* The block's extent that the symbol is, a bit, or is when it is divided; 0: neither. */
static unsigned extent_in(const Footprint *f, const Symbol *symbol, int64_t *divisor)
{
    const Form *divided = symbol->kind == SYM_OP && symbol->op == OP_UDIV ? symbol->a : NULL;
    bool lone = divided && divided->count == 1 && !divided->constant && divided->term[0].coefficient == 1 &&
                divided->term[0].degree == 1 && form_is_constant(symbol->b, divisor) && *divisor > 0 && *divisor <= MOST_STEP;
    const Symbol *extent = lone ? divided->term[0].symbol[0] : symbol;
    return extent->kind == SYM_BLOCKDIM ? 1U << numbered(f, extent->axis) : 0;
}

/* A constant, or one times extents of the block, none twice, or times a lone one that is divided; along loops and without a test,
 * times whatever is at least 1 where there is a next iteration. */
static bool step_of(const Footprint *f, const Term *term, FootprintAxis *axis)
{
    bool along = axis->kind == AXIS_ITERATIONS, grows = along && !f->tested;
    axis->step = (int64_t)magnitude(term->coefficient);
    for (int k = 0; k < term->degree; k++) {
        int64_t divisor = 0;
        const Symbol *symbol = term->symbol[k];
        unsigned extent = extent_in(f, symbol, &divisor);
        if (counts_along(f, axis, symbol))
            continue;
        if (!grows && (!extent || axis->extents & extent || (axis->extents && divisor) || axis->divisor))
            return false;
        if (!along && symbol->low < 1)
            return false;
        bool simple = extent && !divisor && !(axis->extents & extent);
        axis->grows |= grows && !simple;
        axis->extents |= simple || !grows ? extent : 0;
        axis->divisor = grows ? 0 : divisor;
    }
    return magnitude(term->coefficient) <= (f->tested ? MOST_STEP : INT32_MAX);
}

/* Takes the steps along the axis out of the rest; where it does not move along it, they are steps of 0. */
static bool take_axis(Footprint *f, FootprintAxis axis)
{
    Term term;
    FormSpace *forms = f->scope->kernel->forms;
    int factors = factors_along(f, &axis, f->rest, &term);
    if (factors > 1 || (factors && !step_of(f, &term, &axis)))
        return false;
    f->rest = factors ? form_sub(forms, f->rest, form_of_term(forms, &term)) : f->rest;
    return f->rest && add_axis(f, axis);
}

/* Is what the counter is multiplied with the same in all iterations of the loop around? */
static bool is_step_fixed(const Footprint *f, Term term, IrLoop *loop, IrLoop *outermost)
{
    const FootprintAxis axis = {.kind = AXIS_ITERATIONS, .loop = loop};
    bool fixed = true;
    for (int k = 0; k < term.degree; k++) {
        const Term factor = {.coefficient = 1, .degree = 1, .symbol = {term.symbol[k]}};
        fixed &= counts_along(f, &axis, term.symbol[k]) ||
                 form_is_invariant(form_of_term(f->scope->kernel->forms, &factor), outermost);
    }
    return fixed;
}

/* What moves in the loop by no steps, but within known bounds, makes a longer place:
 *
 *     s[r][c ^ (r & 7)]       row r, somewhere in its first 8 elements */
static bool widen(Footprint *f, const Term *term)
{
    int64_t low, high;
    FormSpace *forms = f->scope->kernel->forms;
    const Form *part = form_of_term(forms, term);
    if (!form_range(part, &low, &high) || low < -MOST_STEP || high > MOST_STEP)
        return false;
    const Form *fixed = form_sub(forms, form_constant(forms, low), part);
    f->place = fixed ? form_add(forms, f->place, fixed) : NULL;
    f->rest = fixed ? form_add(forms, f->rest, fixed) : NULL;
    f->bytes += high - low;
    return f->place && f->rest && f->bytes <= MOST_STEP;
}

bool footprint_widen(Footprint *f, IrLoop *loop)
{
    const Form *place = f->place;
    for (int i = 0; i < place->count; i++) {
        const Term *term = &place->term[i];
        bool counts = false;
        for (int k = 0; k < term->degree; k++)
            counts |= term->symbol[k]->kind == SYM_LOOP;
        if (!counts && !form_is_invariant(form_of_term(f->scope->kernel->forms, term), loop) && !widen(f, term))
            return false;
    }
    return true;
}

IrLoop *loop_below(IrLoop *inner, IrLoop *outer)
{
    IrLoop *outermost = NULL;
    for (IrLoop *loop = inner; loop != outer; loop = ir_loop_parent(loop))
        outermost = loop;
    return outermost;
}

bool footprint_along_loops(Footprint *f, IrLoop *inner, IrLoop *outer, bool stops)
{
    Term term;
    IrLoop *outermost = loop_below(inner, outer);
    if (outermost && !footprint_widen(f, outermost))
        return false;
    for (IrLoop *loop = inner; loop != outer; loop = ir_loop_parent(loop)) {
        int64_t trips = ir_loop_most_trips(f->scope->kernel->ir, loop);
        FootprintAxis axis = {.kind = AXIS_ITERATIONS, .loop = loop, .count = trips <= MOST_STEP && !stops ? trips : 0};
        if (!term_of_counter(f->scope, f->rest, loop, &term) || !is_step_fixed(f, term, loop, outermost) || !take_axis(f, axis))
            return false;
    }
    return f->tested || !outermost || form_is_invariant(f->rest, outermost);
}

bool footprint_along_block(Footprint *f)
{
    Term term;
    for (int i = 0; i < BLOCK_AXES; i++) {
        FootprintAxis axis = {.kind = AXIS_THREADS, .number = i};
        bool moves = f->tested || factors_along(f, &axis, f->rest, &term);
        if (moves && !take_axis(f, axis))
            return false;
    }
    return true;
}

bool footprint_along_recurrence(Footprint *f, IrLoop *loop, LLVMValueRef pointer)
{
    int64_t step;
    return ir_step(f->scope->kernel->ir, f->scope->function, ir_loop_header(loop), pointer, &step) &&
           magnitude(step) <= INT32_MAX &&
           add_axis(f, (FootprintAxis){.kind = AXIS_ITERATIONS, .loop = loop, .step = (int64_t)magnitude(step)});
}

static int compare(const void *a, const void *b)
{
    int64_t first = *(const int64_t *)a, second = *(const int64_t *)b;
    return (first > second) - (first < second);
}

/* Places at one distance from each other are an axis more; others, with all between them, are one longer place. */
bool footprint_along_copies(Footprint *f, int64_t *offset, size_t count)
{
    qsort(offset, count, sizeof *offset, compare);
    int64_t step = count > 1 ? offset[1] - offset[0] : 0;
    bool even = true, added = true;
    for (size_t i = 2; i < count; i++)
        even &= offset[i] - offset[i - 1] == step;
    if (!even)
        f->bytes += offset[count - 1] - offset[0];
    else if (count > 1)
        added = add_axis(f, (FootprintAxis){.kind = AXIS_COPIES, .step = step, .count = (int64_t)count});
    return added && f->bytes <= MOST_STEP && step <= MOST_STEP && offset[count - 1] - offset[0] <= MOST_STEP;
}

/* ---- how far an axis reaches ---- */

bool is_index_below(Scope *scope, LLVMValueRef phi, const Form *index, uint64_t bound)
{
    return (index->exact_signed || index->exact_unsigned) && !index->bounded && ir_loop_keeps_below(scope->kernel->ir, phi, bound);
}

/* Is the form made of steps along axes from the one to the other, and of what all threads share? */
static bool is_along(const Footprint *f, const Form *form, int from, int to)
{
    for (int i = 0; i < form->count; i++)
        for (int k = 0; k < form->term[i].degree; k++) {
            const Symbol *symbol = form->term[i].symbol[k];
            int axis = 0;
            while (axis < f->axes && !counts_along(f, &f->axis[axis], symbol))
                axis++;
            if (axis == f->axes ? !symbol_is_shared(symbol) : axis < from || axis > to)
                return false;
        }
    return true;
}

/* Does the index, so many times, tell of this axis and of all shorter ones, and of no other? */
static bool tells_all(const Footprint *f, int at, const Form *index, uint64_t times)
{
    FormSpace *forms = f->scope->kernel->forms;
    const Form *steps = times <= MOST_STEP ? form_scale(forms, index, (int64_t)times) : NULL;
    const Form *rest = steps ? form_sub(forms, f->place, steps) : NULL;
    for (int i = 0; i < at; i++)
        if (f->axis[i].kind == AXIS_COPIES)
            return false;
    return rest && is_along(f, index, 0, at) && is_along(f, rest, at + 1, f->axes - 1);
}

/* Is there an index of the loop that moves as the place does, and stays below a bound that keeps both near? It counts from the loop's
 * first iteration on, whose index is below the bound as well. `all`: near with all that the shorter axes do. */
static bool is_kept_within(const Footprint *f, int at, uint64_t limit, bool all)
{
    IrLoop *loop = f->axis[at].loop;
    LLVMValueRef phi = f->axis[at].kind == AXIS_ITERATIONS ? LLVMGetFirstInstruction(ir_loop_header(loop)) : NULL;
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        Term of_place, of_index;
        const Form *index = automaton_form(f->scope, phi);
        uint64_t times = term_of_counter(f->scope, f->place, loop, &of_place) && term_of_counter(f->scope, index, loop, &of_index)
                             ? multiple_of(&of_place, &of_index)
                             : 0;
        if (times && (!all || tells_all(f, at, index, times)) && is_index_below(f->scope, phi, index, limit / times + 1))
            return true;
    }
    return false;
}

/* Is it known, whatever the block is, how far the axis reaches by itself? */
static bool is_counted(const FootprintAxis *axis) { return axis->count && !axis->extents && !axis->grows; }

static uint64_t way_along(const FootprintAxis *axis) { return (uint64_t)axis->step * (uint64_t)(axis->count - 1); }

bool footprint_stays_within(const Footprint *f, const FootprintAxis *axis, uint64_t limit)
{
    return (is_counted(axis) && way_along(axis) <= limit) || is_kept_within(f, (int)(axis - f->axis), limit, false);
}

/* ---- is it injective? ---- */

/* Of an axis, and the shorter ones, which reach so far: does it end before the next longer step, whatever the block is? */
static bool ends_before(const Footprint *f, int at, int64_t longer, int64_t *reach)
{
    const FootprintAxis *axis = &f->axis[at];
    if (is_counted(axis) && way_along(axis) + (uint64_t)*reach <= (uint64_t)longer) {
        *reach += (int64_t)way_along(axis);
        return true;
    }
    bool kept = *reach <= longer && is_kept_within(f, at, (uint64_t)(longer - *reach), false);
    *reach = longer;
    return kept;
}

static bool is_injective_anyhow(const Footprint *f)
{
    int64_t reach = f->bytes;
    for (int i = 0; i < f->axes; i++)
        if (f->axis[i].step < reach || (i + 1 < f->axes && !ends_before(f, i, f->axis[i + 1].step, &reach)))
            return false;
    return true;
}

/* The block's extents are the test's affair, and what they make of steps; each loop that nobody counted ends before the next longer
 * step, with all that the shorter axes do. */
static bool is_testable(Footprint *f)
{
    for (int i = 0; i + 1 < f->axes; i++) {
        FootprintAxis *axis = &f->axis[i];
        if (axis->kind != AXIS_ITERATIONS || axis->count)
            continue;
        axis->most = f->axis[i + 1].step;
        if (axis->most < f->bytes || !is_kept_within(f, i, (uint64_t)(axis->most - f->bytes), true))
            return false;
    }
    return true;
}

bool footprint_is_injective(Footprint *f) { return f->tested ? is_testable(f) : is_injective_anyhow(f); }

/* ---- two footprints ---- */

/*     | a |   | b |   | a |   | b |
 *     0   distance    step              it stays between the places of the other, however many steps away */
static bool stays_between(const Footprint *f, int64_t low, int64_t high, int64_t bytes)
{
    const FootprintAxis *axis = &f->axis[0];
    if (!axis->step || axis->extents || axis->grows)
        return false;
    int64_t size = axis->step, behind = floor_mod(low, size);
    return behind >= bytes && behind + (high - low) + f->bytes <= size;
}

/* As copies of one place. */
static bool are_copies_apart(const Footprint *f, int64_t distance, int64_t bytes)
{
    Footprint both = *f;
    int64_t offset[] = {0, distance};
    both.bytes = bytes > f->bytes ? bytes : f->bytes;
    return footprint_along_copies(&both, offset, 2) && footprint_is_injective(&both);
}

bool footprint_is_apart(const Footprint *f, int64_t low, int64_t high, int64_t bytes)
{
    if (low < -INT32_MAX || high > INT32_MAX)
        return false;
    int64_t gap = low > 0 ? low - bytes : -high - f->bytes; /* in one iteration */
    if (f->axes > 1)
        return low == high && are_copies_apart(f, low, bytes);
    if (f->axes == 1)
        return stays_between(f, low, high, bytes) || (gap >= 0 && footprint_stays_within(f, &f->axis[0], (uint64_t)gap));
    return gap >= 0;
}
