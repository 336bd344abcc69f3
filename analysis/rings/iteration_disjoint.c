/* Does a thread fill every place of the tile at most once in an iteration? Asynchronous copies have no order.
 *
 *     for (i = t; i < 432; i += 256)          the number i is cut into rows of width 36; its place, row * (i / 36) + column *
 *         s[i / 36][i % 36] = g[...];         (i % 36), is i's own: a row is as long as 36 columns, or longer
 *
 *     for (y = ty; y < 12; y += 8)            counters that move apart: one step of y is longer than all the way that x goes
 *         for (x = tx; x < 36; x += 32)
 *             s[y][x] = g[...]; */
#include "analysis/address/automaton.h"
#include "analysis/rings/search.h"

/* ---- counters of the loops that the copy stands in, inside of the tile loop ---- */

enum { MOST_MOVES = 3 };

/* What one such loop adds to a form, in bytes or numbers: its counter, times a factor of at least 1. */
typedef struct {
    IrLoop *loop;
    Term term;
} Move;

typedef struct {
    Move move[MOST_MOVES];
    int count;
} Moves;

IrLoop *loop_of_copy(const Search *search, const RingCopy *copy)
{
    return ir_loop_of(search->kernel->ir, LLVMGetInstructionParent(copy->store));
}

static bool is_counter(const Symbol *symbol, IrLoop *loop) { return symbol->kind == SYM_LOOP && symbol->loop == loop; }

bool term_of_counter(const Form *form, IrLoop *loop, Term *found)
{
    int counters = 0;
    for (int i = 0; i < form->count; i++)
        for (int k = 0; k < form->term[i].degree; k++)
            if (is_counter(form->term[i].symbol[k], loop)) {
                *found = form->term[i];
                counters++;
            }
    for (int k = 0; counters == 1 && k < found->degree; k++)
        if (!is_counter(found->symbol[k], loop) && found->symbol[k]->low < 1)
            return false;
    return counters == 1;
}

/* All that changes in the form from iteration to iteration of those loops; false where there is more than that. */
static bool moves_of(const Search *search, const RingCopy *copy, const Form *form, Moves *moves)
{
    FormSpace *forms = search->kernel->forms;
    IrLoop *outer = NULL;
    moves->count = 0;
    for (IrLoop *loop = loop_of_copy(search, copy); loop != search->loop; outer = loop, loop = ir_loop_parent(loop)) {
        Move move = {.loop = loop};
        if (moves->count == MOST_MOVES || !term_of_counter(form, loop, &move.term))
            return false;
        form = form_sub(forms, form, form_of_term(forms, &move.term));
        moves->move[moves->count++] = move;
    }
    return !outer || form_is_invariant(form, outer);
}

/* The shortest step that it makes. */
static uint64_t step_of(const Move *move) { return magnitude(move->term.coefficient); }

uint64_t multiple_of(const Term *term, const Term *other)
{
    bool alike = term->degree == other->degree && magnitude(term->coefficient) % magnitude(other->coefficient) == 0;
    for (int i = 0; alike && i < term->degree; i++)
        alike = term->symbol[i] == other->symbol[i];
    return alike ? magnitude(term->coefficient) / magnitude(other->coefficient) : 0;
}

bool is_index_below(const Search *search, LLVMValueRef phi, const Form *index, uint64_t bound)
{
    return (index->exact_signed || index->exact_unsigned) && !index->bounded &&
           ir_loop_keeps_below(search->kernel->ir, phi, bound);
}

/* Does an index of the loop, which moves like this, stay below a bound that keeps both near? */
static bool is_kept_within(const Search *search, const Move *move, uint64_t limit)
{
    LLVMBasicBlockRef header = ir_loop_header(move->loop);
    for (LLVMValueRef phi = LLVMGetFirstInstruction(header); LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        Term term;
        const Form *index = automaton_form(search->scope, phi);
        uint64_t factor = term_of_counter(index, move->loop, &term) ? multiple_of(&move->term, &term) : 0;
        if (factor && is_index_below(search, phi, index, limit / factor + 1))
            return true;
    }
    return false;
}

/* Is it never farther than `limit` from where it is in another iteration? */
static bool moves_within(const Search *search, const Move *move, uint64_t limit)
{
    uint64_t trips = (uint64_t)ir_loop_most_trips(search->kernel->ir, move->loop);
    bool by_number = move->term.degree == 1 && trips > 0 && step_of(move) <= INT32_MAX;
    return (by_number && step_of(move) * (trips - 1) <= limit) || is_kept_within(search, move, limit);
}

static void put_in_order(Moves *moves)
{
    for (int i = 1; i < moves->count; i++)
        for (int k = i; k > 0 && step_of(&moves->move[k]) < step_of(&moves->move[k - 1]); k--) {
            Move move = moves->move[k];
            moves->move[k] = moves->move[k - 1];
            moves->move[k - 1] = move;
        }
}

/* Is each step longer than all that the shorter ones do together, and `bytes`? */
static bool are_steps_apart(const Search *search, Moves moves, uint64_t bytes)
{
    put_in_order(&moves);
    for (int i = 0; i < moves.count; i++) {
        if (step_of(&moves.move[i]) < bytes)
            return false;
        uint64_t longer = i + 1 < moves.count ? step_of(&moves.move[i + 1]) : UINT64_MAX;
        if (i + 1 < moves.count && (longer < bytes || !moves_within(search, &moves.move[i], longer - bytes)))
            return false;
        bytes = longer;
    }
    return true;
}

/* Two things make the same moves, each in an iteration of its own; in the same one the second is `distance` behind the first.
 * Is it always `behind` or more behind it, or `before` or more before it? */
static bool stay_apart(const Search *search, const Moves *moves, int64_t distance, uint64_t behind, uint64_t before)
{
    uint64_t least = distance < 0 ? before : behind, far = magnitude(distance);
    if (moves->count == 0 || far > INT32_MAX)
        return moves->count == 0 && far >= least;
    const Move *move = &moves->move[0];
    int64_t step = move->term.degree == 1 && step_of(move) <= INT32_MAX ? (int64_t)step_of(move) : 1;
    int64_t rest = (distance % step + step) % step;
    bool in_step = (uint64_t)rest >= behind && (uint64_t)(step - rest) >= before;
    return moves->count == 1 && (in_step || (far >= least && moves_within(search, move, far - least)));
}

/* ---- numbers that are cut into rows ---- */

enum { LONGEST_BITS = 20, LONGEST = 1 << LONGEST_BITS }; /* rows: shared memory is smaller */

bool cut_is_whole(const Cut *cut) { return cut->bits >= 63; }

/* How far two numbers can be apart and still differ in the bits that count. */
static uint64_t most_apart(const Cut *cut) { return cut_is_whole(cut) ? INT64_MAX : (UINT64_C(1) << cut->bits) - 1; }

static bool is_quotient(const Symbol *symbol, int64_t *width)
{
    int64_t by;
    if (symbol->kind != SYM_OP || (symbol->op != OP_UDIV && symbol->op != OP_ASHR) || !form_is_constant(symbol->b, &by))
        return false;
    if (symbol->op == OP_ASHR && (by < 0 || by >= LONGEST_BITS))
        return false;
    *width = symbol->op == OP_UDIV ? by : INT64_C(1) << by;
    return *width > 0 && *width <= LONGEST;
}

static bool is_rest_of(const Symbol *symbol, const Symbol *quotient, int64_t width)
{
    int64_t by;
    if (symbol->kind != SYM_OP || !symbol->b || !form_is_constant(symbol->b, &by) || !form_equal(symbol->a, quotient->a))
        return false;
    return (symbol->op == OP_UREM && symbol->bits == quotient->bits && by == width) || (symbol->op == OP_AND && by == width - 1);
}

static const Symbol *lone_symbol(const Term *term) { return term->degree == 1 ? term->symbol[0] : NULL; }

/* Is the number an index of the loop that the copy stands in, and always below the bound? */
static bool is_number_below(const Search *search, const RingCopy *copy, const Form *number, uint64_t bound)
{
    IrLoop *loop = loop_of_copy(search, copy);
    LLVMValueRef phi = loop == search->loop ? NULL : LLVMGetFirstInstruction(ir_loop_header(loop));
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        const Form *index = automaton_form(search->scope, phi);
        if (form_equal(index, number) && is_index_below(search, phi, index, bound))
            return true;
    }
    return false;
}

static const Symbol *lone_symbol_of(const Form *form)
{
    bool lone = form->count == 1 && !form->constant && form->term[0].coefficient == 1;
    return lone ? lone_symbol(&form->term[0]) : NULL;
}

/* What is cut off to fewer bits first is looked at as it was before. */
static void open_number(const Search *search, const RingCopy *copy, Cut *cut, const Symbol *quotient)
{
    cut->number = quotient->a;
    cut->bits = quotient->op == OP_UDIV ? quotient->bits : 64;
    for (const Symbol *s; (s = lone_symbol_of(cut->number)) && s->kind == SYM_OP && s->op == OP_WRAP_U; cut->number = s->a)
        cut->bits = s->bits < cut->bits ? s->bits : cut->bits;
    if (!cut_is_whole(cut) && is_number_below(search, copy, cut->number, UINT64_C(1) << cut->bits))
        cut->bits = 64;
}

/* What is left of number % width is taken out of the rest ... */
static bool take_rest(FormSpace *forms, Cut *cut, const Symbol *quotient)
{
    for (int i = 0; i < cut->rest->count; i++) {
        const Term *term = &cut->rest->term[i];
        if (!lone_symbol(term) || !is_rest_of(lone_symbol(term), quotient, cut->width))
            continue;
        cut->column = term->coefficient;
        cut->rest = form_sub(forms, cut->rest, form_of_term(forms, term));
        return true;
    }
    return false;
}

/* ... or the number itself: n + row * (n / width) is (row + width) * (n / width) + n % width. */
static bool take_number(FormSpace *forms, Cut *cut, const Symbol *quotient)
{
    const Form *number = cut_is_whole(cut) ? cut->number : quotient->a;
    for (int i = 0; number->count > 0 && i < cut->rest->count; i++) {
        Term term = cut->rest->term[i], of_number = number->term[0];
        uint64_t times = multiple_of(&term, &of_number);
        if (!times || times > LONGEST || (term.coefficient < 0) != (of_number.coefficient < 0))
            continue;
        cut->column = (int64_t)times;
        cut->row = wrap_add(cut->row, cut->column * cut->width);
        cut->rest = form_sub(forms, cut->rest, form_scale(forms, number, cut->column));
        return true;
    }
    return false;
}

Cut cut_of(const Search *search, const RingCopy *copy)
{
    FormSpace *forms = search->kernel->forms;
    const Form *place = automaton_form(search->scope, copy->target);
    for (int i = 0; i < place->count; i++) {
        const Symbol *quotient = lone_symbol(&place->term[i]);
        Cut cut = {.row = place->term[i].coefficient};
        if (!quotient || !is_quotient(quotient, &cut.width))
            continue;
        cut.rest = form_sub(forms, place, form_of_term(forms, &place->term[i]));
        open_number(search, copy, &cut, quotient);
        if (take_rest(forms, &cut, quotient) || take_number(forms, &cut, quotient))
            return cut;
    }
    return (Cut){.rest = place};
}

bool cut_has_rows(const Cut *cut, int bytes)
{
    return cut->column >= bytes && cut->column <= LONGEST && cut->row >= cut->column * cut->width;
}

/* The same of columns beside each other, which the loop's bound keeps from being longer than there is room. */
static bool has_columns(const Search *search, const RingCopy *copy, const Cut *cut)
{
    bool ordered = cut->row >= copy->bytes && cut->column >= cut->row && cut->column <= LONGEST;
    return ordered && is_number_below(search, copy, cut->number, (uint64_t)(cut->column / cut->row) * (uint64_t)cut->width);
}

/* ---- one copy, in two iterations ---- */

static bool is_number_apart(const Search *search, const RingCopy *copy, const Cut *cut)
{
    Moves moves;
    IrLoop *loop = loop_of_copy(search, copy);
    return form_is_invariant(cut->rest, loop) && moves_of(search, copy, cut->number, &moves) && moves.count == 1 &&
           (cut_has_rows(cut, copy->bytes) || has_columns(search, copy, cut)) &&
           (cut_is_whole(cut) || moves_within(search, &moves.move[0], most_apart(cut)));
}

/* By steps that nobody knows, as far as nobody knows: how much of the tile is filled is the host's affair. */
static bool moves_on_unsized(const Search *search, const RingCopy *copy)
{
    IrLoop *loop = loop_of_copy(search, copy);
    search->ring->tile.unsized = true;
    return ir_loop_parent(loop) == search->loop && fill_moves_on(search->scope, loop, copy);
}

/* Inside of loops of its own, never where it was. */
static bool moves_on(const Search *search, const RingCopy *copy)
{
    Moves moves;
    const Form *place = automaton_form(search->scope, copy->target);
    if (loop_of_copy(search, copy) == search->loop)
        return true;
    if (place->bounded)
        return moves_on_unsized(search, copy);
    if (moves_of(search, copy, place, &moves))
        return are_steps_apart(search, moves, (uint64_t)copy->bytes);
    Cut cut = cut_of(search, copy);
    return cut.number && is_number_apart(search, copy, &cut);
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

static const Form *place_to_place(const Search *search, const RingCopy *a, const RingCopy *b)
{
    const Form *difference = form_sub(search->kernel->forms, automaton_form(search->scope, b->target),
                                      automaton_form(search->scope, a->target));
    return difference && !difference->bounded ? difference : NULL;
}

static bool is_distance_known(const Search *search, const RingCopy *a, const RingCopy *b, int64_t *distance)
{
    const Form *difference = place_to_place(search, a, b);
    return ir_distance(search->kernel->ir, search->scope->function, a->target, b->target, distance) ||
           (difference && form_is_constant(difference, distance));
}

static bool is_apart_by_distance(const Search *search, const RingCopy *a, const RingCopy *b)
{
    Moves moves;
    int64_t distance;
    return is_distance_known(search, a, b, &distance) &&
           moves_of(search, a, automaton_form(search->scope, a->target), &moves) &&
           stay_apart(search, &moves, distance, (uint64_t)a->bytes, (uint64_t)b->bytes);
}

/* From the one number to the other; whole rows between the places are so many more. Equal in all bits, they would be in
 * those that both have. */
static bool is_between_known(FormSpace *forms, const Cut *a, const Cut *b, int64_t *numbers)
{
    int64_t rows;
    bool alike = b->number && a->width == b->width && a->row == b->row && a->column == b->column;
    const Form *between = alike ? form_sub(forms, b->number, a->number) : NULL, *rest = form_sub(forms, b->rest, a->rest);
    if (!between || !rest || between->bounded || rest->bounded || !form_is_constant(between, numbers) ||
        !form_is_constant(rest, &rows) || rows % a->row)
        return false;
    *numbers = wrap_add(*numbers, rows / a->row * a->width);
    return magnitude(*numbers) <= most_apart(a) && magnitude(*numbers) <= most_apart(b);
}

static bool is_apart_by_number(const Search *search, const RingCopy *copy, const RingCopy *other)
{
    Moves moves;
    int64_t numbers;
    int bytes = copy->bytes > other->bytes ? copy->bytes : other->bytes;
    Cut a = cut_of(search, copy), b = cut_of(search, other), fewer = a.bits < b.bits ? a : b;
    if (!a.number || !cut_has_rows(&a, bytes) || !is_between_known(search->kernel->forms, &a, &b, &numbers))
        return false;
    return moves_of(search, copy, a.number, &moves) &&
           (cut_is_whole(&fewer) || !moves.count ||
            moves_within(search, &moves.move[0], most_apart(&fewer) - magnitude(numbers))) &&
           stay_apart(search, &moves, numbers, 1, 1);
}

static bool is_apart(const Search *search, const RingCopy *a, const RingCopy *b)
{
    IrLoop *loop = loop_of_copy(search, a), *other = loop_of_copy(search, b);
    bool together = loop != search->loop && loop == other, alone = together && ir_loop_parent(loop) == search->loop;
    Place place = {a->target, a->bytes}, place_of_b = {b->target, b->bytes};
    if (array_of(a->target) != array_of(b->target))
        return true;
    if ((alone || !share_loop(search, loop, other)) &&
        place_is_disjoint(search->scope, alone ? loop : NULL, place, place_of_b))
        return true;
    return loop == other && (is_apart_by_distance(search, a, b) || is_apart_by_number(search, a, b));
}

bool moves_check(Search *search)
{
    const List *copies = &search->ring->copies;
    for (size_t i = 0; i < copies->count; i++) {
        if (!moves_on(search, copies->item[i]))
            return refuse(search, WHY_RING_PLACE);
        for (size_t j = 0; j < i; j++)
            if (!is_apart(search, copies->item[i], copies->item[j]))
                return refuse(search, WHY_RING_PLACE);
    }
    return true;
}
