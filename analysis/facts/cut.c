/* Numbers that are cut into rows:
 *
 *     for (i = t; i < 432; i += 256)          the number i is cut into rows of width 36; its place, row * (i / 36) + column *
 *         s[i / 36][i % 36] = g[...];         (i % 36), is i's own: a row is as long as 36 columns, or longer
 *
 * What is asked of places is then asked of numbers, which are a byte long each. */
#include "analysis/facts/footprint.h"

enum { LONGEST_BITS = 20, LONGEST = 1 << LONGEST_BITS }; /* rows: shared memory is smaller */

bool cut_is_whole(const Cut *cut) { return cut->bits >= 63; }

uint64_t cut_most_apart(const Cut *cut) { return cut_is_whole(cut) ? INT64_MAX : (UINT64_C(1) << cut->bits) - 1; }

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

/* Is the number an index of the loop, and always below the bound? */
static bool is_number_below(Scope *scope, IrLoop *loop, const Form *number, uint64_t bound)
{
    LLVMValueRef phi = loop ? LLVMGetFirstInstruction(ir_loop_header(loop)) : NULL;
    for (; phi && LLVMIsAPHINode(phi); phi = LLVMGetNextInstruction(phi)) {
        const Form *index = automaton_form(scope, phi);
        if (form_equal(index, number) && is_index_below(scope, phi, index, bound))
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
static void open_number(Scope *scope, IrLoop *loop, Cut *cut, const Symbol *quotient)
{
    cut->number = quotient->a;
    cut->bits = quotient->op == OP_UDIV ? quotient->bits : 64;
    for (const Symbol *s; (s = lone_symbol_of(cut->number)) && s->kind == SYM_OP && s->op == OP_WRAP_U; cut->number = s->a)
        cut->bits = s->bits < cut->bits ? s->bits : cut->bits;
    int64_t low, high;
    bool ranged = form_range(cut->number, &low, &high) && low >= 0 && (uint64_t)high <= cut_most_apart(cut);
    if (!cut_is_whole(cut) && (ranged || is_number_below(scope, loop, cut->number, UINT64_C(1) << cut->bits)))
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

Cut cut_of(Scope *scope, IrLoop *loop, const Form *place)
{
    FormSpace *forms = scope->kernel->forms;
    for (int i = 0; i < place->count; i++) {
        const Symbol *quotient = lone_symbol(&place->term[i]);
        Cut cut = {.row = place->term[i].coefficient};
        if (!quotient || !is_quotient(quotient, &cut.width))
            continue;
        cut.rest = form_sub(forms, place, form_of_term(forms, &place->term[i]));
        open_number(scope, loop, &cut, quotient);
        if (take_rest(forms, &cut, quotient) || take_number(forms, &cut, quotient))
            return cut;
    }
    return (Cut){.rest = place};
}

bool cut_has_rows(const Cut *cut, int bytes)
{
    return cut->column >= bytes && cut->column <= LONGEST && cut->row >= cut->column * cut->width;
}

bool cut_has_columns(Scope *scope, IrLoop *loop, const Cut *cut, int bytes)
{
    bool ordered = cut->row >= bytes && cut->column >= cut->row && cut->column <= LONGEST;
    return ordered && is_number_below(scope, loop, cut->number, (uint64_t)(cut->column / cut->row) * (uint64_t)cut->width);
}

/* Equal in all bits, they would be in those that both have. */
bool cut_distance(FormSpace *forms, const Cut *from, const Cut *to, int64_t *numbers)
{
    int64_t rows;
    bool alike = to->number && from->width == to->width && from->row == to->row && from->column == to->column;
    const Form *between = alike ? form_sub(forms, to->number, from->number) : NULL, *rest = form_sub(forms, to->rest, from->rest);
    if (!between || !rest || between->bounded || rest->bounded || !form_is_constant(between, numbers) ||
        !form_is_constant(rest, &rows) || rows % from->row)
        return false;
    *numbers = wrap_add(*numbers, rows / from->row * from->width);
    return magnitude(*numbers) <= cut_most_apart(from) && magnitude(*numbers) <= cut_most_apart(to);
}
