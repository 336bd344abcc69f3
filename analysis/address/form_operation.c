/* What is not a sum: divisions, masks, extensions, clamps and choices, simplified as far as they stay linear,
 * kept as a symbol that is evaluated lane by lane otherwise.
 *
 *     (16*q + r) / 16  ->  q + r/16  ->  q            when 0 <= r < 16
 *     (16*q + r) & 15  ->  r & 15    ->  r
 *     zext(i - 1)      ->  i - 1                      when it cannot wrap, or only at the edge of the grid */
#include "analysis/address/form.h"

static uint64_t mask_of(int bits) { return bits >= 64 ? UINT64_MAX : (UINT64_C(1) << bits) - 1; }
static int64_t read_unsigned(int64_t value, int bits) { return (int64_t)((uint64_t)value & mask_of(bits)); }

static int64_t read_signed(int64_t value, int bits)
{
    if (bits >= 64)
        return value;
    uint64_t sign = UINT64_C(1) << (bits - 1);
    return (int64_t)((((uint64_t)value & mask_of(bits)) ^ sign) - sign);
}

/* ---- evaluation ---- */

static bool compare_holds(Compare compare, int64_t left, int64_t right)
{
    switch (compare) {
    case CMP_EQ: return left == right;
    case CMP_NE: return left != right;
    case CMP_LT: return left < right;
    case CMP_LE: return left <= right;
    case CMP_GT: return left > right;
    default: return left >= right;
    }
}

bool guard_holds(const Guard *guard, const Point *point)
{
    return compare_holds(guard->compare, form_eval(guard->left, point), form_eval(guard->right, point));
}

static int64_t divide(FormOp op, int bits, int64_t a, int64_t b)
{
    if (op == OP_UDIV || op == OP_UREM) {
        uint64_t ua = (uint64_t)read_unsigned(a, bits), ub = (uint64_t)read_unsigned(b, bits);
        if (ub == 0)
            return 0;
        return (int64_t)(op == OP_UDIV ? ua / ub : ua % ub);
    }
    int64_t sa = read_signed(a, bits), sb = read_signed(b, bits);
    if (sb == 0 || (sb == -1 && sa == INT64_MIN))
        return 0;
    return op == OP_SDIV ? sa / sb : sa % sb;
}

static int64_t smaller(int64_t a, int64_t b, bool smallest) { return (a < b) == smallest ? a : b; }

static int64_t smaller_unsigned(int64_t a, int64_t b, int bits, bool smallest)
{
    a = read_unsigned(a, bits);
    b = read_unsigned(b, bits);
    return ((uint64_t)a < (uint64_t)b) == smallest ? a : b;
}

/* The operation's value as its width reads it: unsigned for U operations, signed for the others. */
static int64_t apply(FormOp op, int bits, int64_t a, int64_t b)
{
    switch (op) {
    case OP_UDIV:
    case OP_UREM:
    case OP_SDIV:
    case OP_SREM: return divide(op, bits, a, b);
    case OP_AND: return read_signed(a & b, bits);
    case OP_OR: return read_signed(a | b, bits);
    case OP_XOR: return read_signed(a ^ b, bits);
    case OP_SHL: return (uint64_t)b < 64 ? read_signed((int64_t)((uint64_t)a << b), bits) : 0;
    case OP_ASHR: return read_signed(a, bits) >> ((uint64_t)b < 64 ? b : 63);
    case OP_SMIN: return smaller(read_signed(a, bits), read_signed(b, bits), true);
    case OP_SMAX: return smaller(read_signed(a, bits), read_signed(b, bits), false);
    case OP_UMIN: return smaller_unsigned(a, b, bits, true);
    case OP_UMAX: return smaller_unsigned(a, b, bits, false);
    case OP_WRAP_U: return read_unsigned(a, bits);
    case OP_WRAP_S: return read_signed(a, bits);
    case OP_SELECT:
    case OP_KEPT: break;
    }
    return 0;
}

static int64_t given_value(const Symbol *symbol, const Point *point)
{
    enum { DISTINCT = 512 };
    for (int i = 0; i < point->count; i++)
        if (point->given[i].symbol == symbol)
            return point->given[i].value;
    return (int64_t)(3 + 2 * (symbol->id % DISTINCT)) * FORM_LARGE;
}

static bool leaves_are_given(const Form *form, const Point *point);

static bool is_given(const Symbol *symbol, const Point *point)
{
    if (symbol->kind == SYM_OP) {
        const Guard *guard = symbol->guard;
        return symbol->op != OP_KEPT && leaves_are_given(symbol->a, point) && (!symbol->b || leaves_are_given(symbol->b, point)) &&
               (!guard || (leaves_are_given(guard->left, point) && leaves_are_given(guard->right, point)));
    }
    bool given = !symbol->open;
    for (int i = 0; i < point->count && !given; i++)
        given = point->given[i].symbol == symbol;
    return given;
}

/* Is a value given for everything in it that only run time knows? */
static bool leaves_are_given(const Form *form, const Point *point)
{
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->term[i].degree; j++)
            if (!is_given(form->term[i].symbol[j], point))
                return false;
    return true;
}

bool form_is_given(const Form *form, const Point *point) { return leaves_are_given(form, point); }

/* N / P, n >> 2, *n: what operations make of a value that only run time knows is as unknown as that. Bounds keep their meaning. */
static bool is_unknown_result(const Symbol *symbol, const Point *point)
{
    if (!symbol->open || symbol->varies || (point->count && is_given(symbol, point)))
        return false;
    switch (symbol->op) {
    case OP_SELECT:
    case OP_SMIN:
    case OP_SMAX:
    case OP_UMIN:
    case OP_UMAX:
    case OP_WRAP_U:
    case OP_WRAP_S: return false;
    default: return true;
    }
}

static int64_t symbol_eval(const Symbol *symbol, const Point *point)
{
    switch (symbol->kind) {
    case SYM_TID: return point->thread[symbol->axis];
    case SYM_LANE: return point->lane;
    case SYM_OP:
        if (is_unknown_result(symbol, point))
            return given_value(symbol, point);
        if (symbol->op == OP_SELECT)
            return form_eval(guard_holds(symbol->guard, point) ? symbol->a : symbol->b, point);
        return apply(symbol->op, symbol->bits, form_eval(symbol->a, point), symbol->b ? form_eval(symbol->b, point) : 0);
    default: return given_value(symbol, point);
    }
}

int64_t form_eval(const Form *form, const Point *point)
{
    int64_t sum = form->constant;
    for (int i = 0; i < form->count; i++) {
        int64_t product = form->term[i].coefficient;
        for (int j = 0; j < form->term[i].degree; j++)
            product = wrap_mul(product, symbol_eval(form->term[i].symbol[j], point));
        sum = wrap_add(sum, product);
    }
    return sum;
}

static bool symbol_of_threads(const Symbol *symbol)
{
    if (symbol->kind == SYM_TID || symbol->kind == SYM_LANE)
        return true;
    return symbol->kind == SYM_OP && form_of_threads(symbol->a) && (!symbol->b || form_of_threads(symbol->b)) &&
           (!symbol->guard || (form_of_threads(symbol->guard->left) && form_of_threads(symbol->guard->right)));
}

bool term_of_threads(const Term *term)
{
    for (int i = 0; i < term->degree; i++)
        if (!symbol_of_threads(term->symbol[i]))
            return false;
    return true;
}

bool form_of_threads(const Form *form)
{
    for (int i = 0; i < form->count; i++)
        if (!term_of_threads(&form->term[i]))
            return false;
    return true;
}

/* ---- ranges ---- */

static bool fits(const Form *form, int bits, bool is_signed)
{
    int64_t low, high;
    if (!form_range(form, &low, &high))
        return false;
    if (bits - is_signed >= 63) /* holds every int64_t, or every one from 0 */
        return is_signed || low >= 0;
    int64_t limit = INT64_C(1) << (bits - is_signed);
    return high < limit && low >= (is_signed ? -limit : 0);
}

/* Every symbol is at least zero and no coefficient is negative. */
static bool nonnegative(const Form *form)
{
    if (form->constant < 0)
        return false;
    for (int i = 0; i < form->count; i++) {
        if (form->term[i].coefficient < 0)
            return false;
        for (int j = 0; j < form->term[i].degree; j++)
            if (form->term[i].symbol[j]->low < 0)
                return false;
    }
    return true;
}

static const Form *with_range(FormSpace *space, const Form *op, int64_t low, int64_t high)
{
    Symbol *symbol = (Symbol *)op->term[0].symbol[0];
    symbol->low = low;
    symbol->high = high;
    return form_flagged(space, op, true, low >= 0);
}

/* What was taken for granted of an operand is taken for granted of the result. */
static const Form *assuming(FormSpace *space, const Form *form, bool bounded)
{
    return form && bounded && !form->bounded ? form_bounded(space, form) : form;
}

/* A fresh operation symbol with the flags and the range that its kind gives. */
static const Form *op_known(FormSpace *space, FormOp op, int bits, const Form *a, const Form *b)
{
    const Form *form = form_op_symbol(space, op, bits, a, b, NULL);
    if (form_weight(form) > FORM_WEIGHT)
        return NULL;
    int64_t c, low, high;
    bool is_constant = b && form_is_constant(b, &c) && c > 0;
    bool ranged = form_range(a, &low, &high) && low >= 0;
    switch (op) {
    case OP_UDIV:
        return is_constant && ranged ? with_range(space, form, low / c, high / c)
                                     : form_flagged(space, form, bits > 1 && is_constant && c > 1, true);
    case OP_UREM: return is_constant ? with_range(space, form, 0, c - 1) : form_flagged(space, form, false, true);
    case OP_SREM:
        return is_constant ? with_range(space, form, nonnegative(a) ? 0 : 1 - c, c - 1) : form_flagged(space, form, true, false);
    case OP_SDIV:
        return is_constant && ranged ? with_range(space, form, low / c, high / c) : form_flagged(space, form, true, false);
    case OP_AND: return is_constant ? with_range(space, form, 0, c) : form_flagged(space, form, true, false);
    case OP_WRAP_U: return bits < 63 ? with_range(space, form, 0, (int64_t)mask_of(bits)) : form_flagged(space, form, false, true);
    case OP_UMIN: return is_constant ? with_range(space, form, 0, c) : form_flagged(space, form, false, true);
    case OP_UMAX: return form_flagged(space, form, false, true);
    case OP_XOR:
    case OP_OR: {
        int64_t top = 1;
        if (!is_constant || !ranged)
            return form_flagged(space, form, true, false);
        while (top > 0 && top < INT64_MAX / 2 && (top <= high || top <= c))
            top *= 2;
        if (top <= high || top <= c || (bits < 64 && top > INT64_C(1) << (bits - 1)))
            return form_flagged(space, form, true, false);
        return with_range(space, form, 0, top - 1);
    }
    default: return form_flagged(space, form, true, false);
    }
}

static const Form *op_kept(FormSpace *space, FormOp op, int bits, const Form *a, const Form *b)
{
    return assuming(space, op_known(space, op, bits, a, b), a->bounded || (b && b->bounded));
}

/* ---- extension ---- */

/* a - c * (a / c) is a % c. */
static const Form *remainder_in(FormSpace *space, const Form *a, int bits)
{
    for (int i = 0; i < a->count; i++) {
        const Symbol *quotient = a->term[i].symbol[0];
        int64_t c;
        if (a->term[i].degree != 1 || quotient->kind != SYM_OP || quotient->op != OP_UDIV || !form_is_constant(quotient->b, &c) ||
            c <= 1 || a->term[i].coefficient != -c)
            continue;
        const Form *whole = form_sub(space, a, form_of_term(space, &a->term[i]));
        const Form *divided = whole ? form_extend(space, whole, bits, false) : NULL;
        if (divided && form_equal(divided, quotient->a))
            return op_kept(space, OP_UREM, quotient->bits, quotient->a, quotient->b);
    }
    return NULL;
}

const Form *form_extend(FormSpace *space, const Form *a, int bits, bool is_signed)
{
    enum { INDEX_BITS = 32 };
    int64_t value;
    if (form_is_constant(a, &value))
        return assuming(space, form_constant(space, is_signed ? read_signed(value, bits) : read_unsigned(value, bits)), a->bounded);
    if (is_signed ? a->exact_signed : a->exact_unsigned)
        return form_flagged(space, a, true, a->exact_unsigned || !is_signed);
    if (fits(a, bits, is_signed))
        return form_flagged(space, a, true, fits(a, bits, false));
    const Form *remainder = remainder_in(space, a, bits);
    if (remainder)
        return remainder;
    /* Threads alone, or a narrow integer that is meant to wrap: evaluated. A grid-wide index of 32 bits
     * wraps at most in one warp of the grid: taken as not wrapping there. */
    if (form_of_threads(a) || (form_varies(a) && !form_unknown_in(a) && bits < INDEX_BITS))
        return op_kept(space, is_signed ? OP_WRAP_S : OP_WRAP_U, bits, a, NULL);
    return form_flagged(space, form_bounded(space, a), true, !is_signed || nonnegative(a));
}

/* ---- division and masks by constants ---- */

/* a = c*quotient + rest, the constant of rest in [0, c). */
static void split(FormSpace *space, const Form *a, int64_t c, const Form **quotient, const Form **rest)
{
    const Form *whole = form_constant(space, floor_div(a->constant, c));
    const Form *part = form_constant(space, floor_mod(a->constant, c));
    for (int i = 0; i < a->count; i++) {
        Term term = a->term[i];
        bool divides = term.coefficient % c == 0;
        if (divides)
            term.coefficient /= c;
        const Form **side = divides ? &whole : &part;
        *side = form_add(space, *side, form_of_term(space, &term));
    }
    *quotient = whole;
    *rest = part;
}

static bool within(const Form *form, int64_t limit)
{
    int64_t low, high;
    return form_range(form, &low, &high) && low >= 0 && high < limit;
}

static const Form *divide_settled(FormSpace *space, FormOp op, int bits, const Form *settled, int64_t c)
{
    bool is_signed = op == OP_SDIV || op == OP_SREM;
    bool wants_quotient = op == OP_UDIV || op == OP_SDIV;
    const Form *quotient, *rest;
    split(space, settled, c, &quotient, &rest);
    /* C truncates toward zero: only what is not negative splits. A uniform part is taken as not negative. */
    bool splits = nonnegative(rest) && (!is_signed || nonnegative(settled) || (form_varies(settled) && !form_of_threads(settled)));
    if (!splits)
        return op_kept(space, op, bits, settled, form_constant(space, c));
    const Form *part = within(rest, c) ? (wants_quotient ? form_constant(space, 0) : rest)
                                       : op_kept(space, op, 64, rest, form_constant(space, c));
    const Form *form = part && wants_quotient ? form_add(space, quotient, part) : part;
    return assuming(space, form, is_signed && !nonnegative(settled));
}

static const Form *divide_by(FormSpace *space, FormOp op, int bits, const Form *a, int64_t c)
{
    bool is_signed = op == OP_SDIV || op == OP_SREM;
    if (c == 1)
        return op == OP_UDIV || op == OP_SDIV ? a : form_constant(space, 0);
    const Form *settled = form_extend(space, a, bits, is_signed);
    const Form *form = settled ? divide_settled(space, op, bits, settled, c) : NULL;
    return form ? assuming(space, form, settled->bounded) : NULL;
}

/* Arithmetic shifts floor, whatever the sign. */
static const Form *shift_right(FormSpace *space, int bits, const Form *a, int64_t by)
{
    const Form *settled = form_extend(space, a, bits, true);
    if (!settled)
        return NULL;
    const Form *quotient, *rest;
    split(space, settled, INT64_C(1) << by, &quotient, &rest);
    if (within(rest, INT64_C(1) << by))
        return assuming(space, quotient, settled->bounded);
    const Form *kept = op_kept(space, OP_ASHR, 64, rest, form_constant(space, by));
    return kept ? assuming(space, form_add(space, quotient, kept), settled->bounded) : NULL;
}

/* The low bits of a sum depend on the low bits of its terms alone, wrapped or not. */
static const Form *mask_low(FormSpace *space, int bits, const Form *a, int64_t mask)
{
    const Form *quotient, *rest;
    split(space, a, mask + 1, &quotient, &rest);
    const Form *low = within(rest, mask + 1) ? form_flagged(space, rest, true, true)
                                             : op_kept(space, OP_AND, bits, rest, form_constant(space, mask));
    return assuming(space, low, a->bounded);
}

static bool is_low_mask(int64_t mask) { return mask > 0 && mask < INT64_MAX / 2 && (mask & (mask + 1)) == 0; }

/* The bits below the mask's, where it takes all that the form has from there on: of n & 1016, n below 1024, they are 7. */
static int64_t bits_left_out(const Form *a, int64_t mask)
{
    int64_t below = (mask & -mask) - 1;
    return mask > 0 && is_low_mask(mask | below) && within(a, (mask | below) + 1) ? below : ~mask;
}

static const Form *mask_by(FormSpace *space, int bits, const Form *a, int64_t mask)
{
    if (is_low_mask(mask))
        return mask_low(space, bits, a, mask);
    if (mask == -1)
        return a;
    if (is_low_mask(bits_left_out(a, mask))) {
        const Form *low = mask_low(space, bits, a, bits_left_out(a, mask));
        const Form *high = low ? form_sub(space, a, low) : NULL;
        return high ? form_flagged(space, high, a->exact_signed, a->exact_unsigned) : NULL;
    }
    return op_kept(space, OP_AND, bits, a, form_constant(space, mask));
}

/* ---- bits that are crossed ---- */

/* Of n ^ 7, n below 8, that is 7 - n. */
static const Form *cross_low(FormSpace *space, int bits, const Form *low, const Form *other, int64_t mask)
{
    int64_t value;
    if (form_is_constant(other, &value) && value == mask)
        return form_sub(space, other, low);
    bool turned = form_is_constant(low, &value);
    const Form *kept = op_kept(space, OP_XOR, bits, turned ? other : low, turned ? low : other);
    return kept ? with_range(space, kept, 0, mask) : NULL;
}

const Form *form_xor(FormSpace *space, int bits, Crossed a, Crossed b)
{
    int64_t value;
    if (form_is_constant(b.form, &value) && (value == 0 || value == -1 || form_is_constant(a.form, &value)))
        return NULL; /* a sum, or a number */
    if (a.bits && (!b.bits || a.bits < b.bits))
        return form_xor(space, bits, b, a);
    if (!b.bits || b.bits >= bits || !a.form->exact_signed) /* else its upper bits are not the number's */
        return NULL;
    int64_t mask = (INT64_C(1) << b.bits) - 1;
    const Form *low = a.bits == b.bits ? a.form : mask_low(space, bits, a.form, mask);
    const Form *crossed = low ? cross_low(space, bits, low, b.form, mask) : NULL;
    const Form *high = crossed ? form_sub(space, a.form, low) : NULL;
    const Form *form = high ? form_add(space, high, crossed) : NULL;
    return form ? assuming(space, form_flagged(space, form, a.form->exact_signed, a.form->exact_unsigned), b.form->bounded) : NULL;
}

/* ---- clamps ---- */

/* Of two that are equally far apart in all lanes, one and how much further the clamp is, which none changes: how often a pointer of each lane's own moves that runs
 * to an end of its own. Neither is taken to wrap around on the way to the other. */
static const Form *clamp_apart(FormSpace *space, FormOp op, int bits, const Form *a, const Form *b)
{
    bool most = op == OP_SMAX || op == OP_UMAX;
    const Form *apart = form_sub(space, b, a);
    if (!apart || form_varies(apart))
        return NULL;
    const Form *more = form_op(space, most ? OP_SMAX : OP_SMIN, bits, form_constant(space, 0), apart);
    return more ? form_bounded(space, form_add(space, a, more)) : NULL;
}

/* A clamp against something unknown is taken as not reached: the edge of the data, not its body. */
static const Form *clamp(FormSpace *space, FormOp op, int bits, const Form *a, const Form *b)
{
    if (form_equal(a, b))
        return assuming(space, a, b->bounded);
    bool known = form_of_threads(a) && form_of_threads(b);
    if (known || form_varies(a) == form_varies(b))
        return form_varies(a) && !known ? clamp_apart(space, op, bits, a, b) : op_kept(space, op, bits, a, b);
    return form_bounded(space, form_varies(a) ? a : b);
}

static const Form *shift_left(FormSpace *space, int bits, const Form *a, const Form *by)
{
    int64_t c;
    if (form_is_constant(by, &c))
        return c >= 0 && c < 63 ? form_flagged(space, form_scale(space, a, INT64_C(1) << c), false, false) : NULL;
    if (form_varies(by))
        return op_kept(space, OP_SHL, bits, a, by);
    /* at 64 bits: 1 << 31 is not negative */
    const Form *power = op_kept(space, OP_SHL, 64, form_constant(space, 1), by);
    return power ? form_mul(space, a, form_flagged(space, power, true, true)) : NULL;
}

const Form *form_op(FormSpace *space, FormOp op, int bits, const Form *a, const Form *b)
{
    int64_t c = 0, other;
    if (form_is_constant(a, &other) && b && form_is_constant(b, &c))
        return assuming(space, form_constant(space, apply(op, bits, other, c)), a->bounded || b->bounded);
    if ((op == OP_AND || op == OP_XOR || op == OP_OR) && form_is_constant(a, &other))
        return form_op(space, op, bits, b, a);
    bool by_constant = b && form_is_constant(b, &c);
    switch (op) {
    case OP_SHL: return shift_left(space, bits, a, b);
    case OP_ASHR:
        if (by_constant && c >= 0 && c < bits && c < 63) /* 1 << 63 is not above zero */
            return c == 0 ? a : shift_right(space, bits, a, c);
        break;
    case OP_UDIV:
    case OP_UREM:
    case OP_SDIV:
    case OP_SREM:
        if (by_constant && c > 0)
            return divide_by(space, op, bits, a, c);
        break;
    case OP_AND:
        if (by_constant)
            return c == 0 ? b : mask_by(space, bits, a, c);
        break;
    case OP_XOR:
        if (by_constant && c == 0)
            return a;
        if (by_constant && c == -1)
            return form_sub(space, form_constant(space, -1), a);
        break;
    case OP_SMIN:
    case OP_SMAX:
    case OP_UMIN:
    case OP_UMAX: return clamp(space, op, bits, a, b);
    default: break;
    }
    /* By something unknown: a value of its own where all lanes share it, nothing otherwise. */
    bool lanes_differ = form_varies(a) || form_varies(b);
    if (lanes_differ && !(form_of_threads(a) || by_constant))
        return NULL;
    if (lanes_differ && !by_constant && !form_of_threads(b))
        return NULL;
    return op_kept(space, op, bits, a, b);
}

/* ---- choices ---- */

/* The part of a form that differs between lanes. */
static const Form *varying_part(FormSpace *space, const Form *form)
{
    const Form *part = form_constant(space, 0);
    for (int i = 0; i < form->count; i++)
        if (term_varies(&form->term[i]))
            part = form_add(space, part, form_of_term(space, &form->term[i]));
    return part;
}

const Form *form_select(FormSpace *space, const Guard *guard, const Form *a, const Form *b)
{
    if (form_equal(a, b))
        return form_flagged(space, assuming(space, a, b->bounded), a->exact_signed && b->exact_signed,
                            a->exact_unsigned && b->exact_unsigned);
    bool known = guard && form_of_threads(guard->left) && form_of_threads(guard->right);
    if (known && !form_unknown_in(a) && !form_unknown_in(b)) {
        Guard *kept = ARENA_NEW(form_arena(space), Guard);
        *kept = *guard;
        const Form *chosen = form_op_symbol(space, OP_SELECT, 64, a, b, kept);
        return form_weight(chosen) <= FORM_WEIGHT
                   ? assuming(space,
                              form_flagged(space, chosen, a->exact_signed && b->exact_signed,
                                           a->exact_unsigned && b->exact_unsigned),
                              a->bounded || b->bounded || guard->left->bounded || guard->right->bounded)
                   : NULL;
    }
    bool splits_warp = guard && !known && (form_unknown_in(guard->left) || form_unknown_in(guard->right));
    if (!guard || splits_warp)
        return NULL;
    /* All lanes choose alike, or all but those of one warp at the edge of the data. */
    const Form *part = varying_part(space, a);
    if (form_equal(part, varying_part(space, b)))
        return form_bounded(space, form_add(space, part, form_unknown(space, SYM_UNIFORM, "choice", 0, NULL)));
    if (form_varies(a) != form_varies(b))
        return form_bounded(space, form_varies(a) ? a : b);
    return NULL;
}
