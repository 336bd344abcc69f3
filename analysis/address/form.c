#include "analysis/address/form.h"

#include <inttypes.h>
#include <string.h>

#include "pass/base/invariant.h"

struct FormSpace {
    Arena *arena;
    Shape shape;
    int symbols;
    const Form *sreg[SYM_OP][3];
    Map *leaves;            /* loops, objects, fixed loads: by what they stand for */
    List *buckets;          /* OP symbols by hash */
    size_t bucket_count;
};

enum { OP_BUCKETS = 1024, WARP = 32 };

FormSpace *form_space(Arena *arena, Shape shape)
{
    FormSpace *space = ARENA_NEW(arena, FormSpace);
    space->arena = arena;
    space->shape = shape;
    space->leaves = map_new(arena);
    space->bucket_count = OP_BUCKETS;
    space->buckets = ARENA_ARRAY(arena, List, OP_BUCKETS);
    for (size_t i = 0; i < OP_BUCKETS; i++)
        space->buckets[i] = list_new(arena);
    return space;
}

Shape form_shape(const FormSpace *space) { return space->shape; }
Arena *form_arena(const FormSpace *space) { return space->arena; }

/* ---- making ---- */

static Form *form_new(FormSpace *space, int terms)
{
    Form *form = arena_alloc(space->arena, sizeof(Form) + sizeof(Term) * (size_t)terms);
    form->exact_signed = form->exact_unsigned = true;
    return form;
}

static const Form *form_copy(FormSpace *space, const Form *from, Form **copy)
{
    *copy = form_new(space, from->count);
    memcpy(*copy, from, sizeof(Form) + sizeof(Term) * (size_t)from->count);
    return *copy;
}

static Symbol *symbol_new(FormSpace *space, SymbolKind kind)
{
    Symbol *symbol = ARENA_NEW(space->arena, Symbol);
    symbol->kind = kind;
    symbol->id = space->symbols++;
    symbol->low = INT64_MIN;
    symbol->high = INT64_MAX;
    symbol->weight = 1;
    symbol->open = kind == SYM_BASE || kind == SYM_UNIFORM || kind == SYM_GRIDDIM || kind == SYM_LOADED || kind == SYM_OPAQUE;
    return symbol;
}

const Form *form_of_term(FormSpace *space, const Term *term)
{
    INVARIANT(term->degree >= 1 && term->degree <= FORM_DEGREE);
    Form *form = form_new(space, 1);
    form->count = 1;
    form->term[0] = *term;
    return form;
}

static const Form *form_of(FormSpace *space, const Symbol *symbol)
{
    return form_of_term(space, &(Term){.coefficient = 1, .degree = 1, .symbol = {symbol}});
}

const Form *form_constant(FormSpace *space, int64_t value)
{
    Form *form = form_new(space, 0);
    form->constant = value;
    form->exact_unsigned = value >= 0;
    return form;
}

/* Does the thread index along this axis differ within a warp? Unknown blocks are rows of 32 lanes along x. */
static bool axis_varies(Shape shape, int axis)
{
    if (axis == 0)
        return true;
    int row = shape.extent[0];
    if (row == 0)
        return false;
    if (axis == 1)
        return row % WARP != 0;
    return shape.extent[1] != 0 && (row * shape.extent[1]) % WARP != 0;
}

static const char *const sreg_text[] = {
#define X(kind, text) text,
    SYMBOL_KINDS(X)
#undef X
};

/* The place of the source's x, y or z among the axes of the block, fastest first; and back. */
static int in_order(const FormSpace *space, SymbolKind kind, int axis)
{
    bool of_threads = kind == SYM_TID || kind == SYM_BLOCKDIM;
    return space->shape.turned && of_threads && axis < 2 ? 1 - axis : axis;
}

static const Form *sreg_make(FormSpace *space, SymbolKind kind, int axis)
{
    enum { GRID_X_LIMIT = 0x7fffffff, GRID_YZ_LIMIT = 0xffff, BLOCK_LIMIT = 1024, BLOCK_Z_LIMIT = 64 };
    int extent = space->shape.extent[axis];
    int threads = axis == 2 ? BLOCK_Z_LIMIT : BLOCK_LIMIT;
    int blocks = axis == 0 ? GRID_X_LIMIT : GRID_YZ_LIMIT;
    if (kind == SYM_BLOCKDIM && extent)
        return form_constant(space, extent);
    if (kind == SYM_TID && extent == 1)
        return form_constant(space, 0);
    if (extent)
        threads = extent;
    else if (space->shape.limit && space->shape.limit < threads)
        threads = space->shape.limit;
    Symbol *symbol = symbol_new(space, kind);
    symbol->axis = axis;
    symbol->varies = symbol->restless = kind == SYM_LANE || (kind == SYM_TID && axis_varies(space->shape, axis));
    symbol->name = kind == SYM_LANE ? sreg_text[kind]
                                    : arena_text(space->arena, "%s.%c", sreg_text[kind], "xyz"[in_order(space, kind, axis)]);
    symbol->low = kind == SYM_BLOCKDIM || kind == SYM_GRIDDIM;
    symbol->high = kind == SYM_TID        ? threads - 1
                   : kind == SYM_BLOCKDIM ? threads
                   : kind == SYM_LANE     ? WARP - 1
                   : kind == SYM_BLOCK    ? blocks - 1
                                          : blocks;
    return form_of(space, symbol);
}

const Form *form_sreg(FormSpace *space, SymbolKind kind, int axis)
{
    axis = in_order(space, kind, axis);
    const Form **made = &space->sreg[kind][axis];
    if (!*made)
        *made = sreg_make(space, kind, axis);
    return *made;
}

const Form *form_unknown(FormSpace *space, SymbolKind kind, const char *name, int cause, const void *loop)
{
    Symbol *symbol = symbol_new(space, kind);
    symbol->name = name ? name : arena_text(space->arena, "%c%d", kind == SYM_UNIFORM ? 'u' : 'v', symbol->id);
    symbol->varies = symbol->restless = symbol->unknown = kind == SYM_LOADED || kind == SYM_OPAQUE;
    symbol->loaded = kind == SYM_LOADED;
    symbol->cause = cause;
    symbol->loop = loop;
    Form *form;
    form_copy(space, form_of(space, symbol), &form);
    form->exact_unsigned = false;
    return form;
}

const Form *form_named_base(FormSpace *space, const void *key, const char *name)
{
    const Form *made = map_get(space->leaves, key);
    if (made)
        return made;
    made = form_unknown(space, SYM_BASE, name, 0, NULL);
    map_put(space->leaves, key, (void *)made);
    return made;
}

/* One key for one address: the symbol of the load that would read it. */
const Form *form_op_leaf(FormSpace *space, const Form *address, SymbolKind kind)
{
    const Form *load = form_op_symbol(space, OP_KEPT, 64, address, NULL, NULL);
    const Symbol *key = load->term[0].symbol[0];
    const Form *made = map_get(space->leaves, key);
    if (made)
        return made;
    made = form_unknown(space, kind, arena_text(space->arena, "[%s]", form_text(space->arena, address)), 0, NULL);
    map_put(space->leaves, key, (void *)made);
    return made;
}

const Form *form_loop_known(const FormSpace *space, const void *loop) { return map_get(space->leaves, loop); }

const Form *form_loop(FormSpace *space, const void *loop, int64_t trips)
{
    const Form *made = map_get(space->leaves, loop);
    if (made)
        return made;
    Symbol *symbol = symbol_new(space, SYM_LOOP);
    symbol->name = "iteration";
    symbol->loop = loop;
    symbol->trips = trips;
    symbol->low = 0;
    if (trips > 0)
        symbol->high = trips - 1;
    made = form_of(space, symbol);
    map_put(space->leaves, loop, (void *)made);
    return made;
}

const Form *form_ranged(FormSpace *space, const Form *leaf, int64_t low, int64_t high)
{
    (void)space;
    Symbol *symbol = (Symbol *)leaf->term[0].symbol[0];
    symbol->low = low;
    symbol->high = high;
    if (low >= 0)
        ((Form *)leaf)->exact_unsigned = true;
    return leaf;
}

const Form *form_calmed(const Form *leaf)
{
    ((Symbol *)leaf->term[0].symbol[0])->restless = false;
    return leaf;
}

const Form *form_flagged(FormSpace *space, const Form *a, bool exact_signed, bool exact_unsigned)
{
    if (a->exact_signed == exact_signed && a->exact_unsigned == exact_unsigned)
        return a;
    Form *form;
    form_copy(space, a, &form);
    form->exact_signed = exact_signed;
    form->exact_unsigned = exact_unsigned;
    return form;
}

const Form *form_bounded(FormSpace *space, const Form *a)
{
    Form *form;
    form_copy(space, a, &form);
    form->bounded = true;
    return form;
}

static bool guard_equal(const Guard *a, const Guard *b)
{
    if (!a || !b)
        return a == b;
    return a->compare == b->compare && form_equal(a->left, b->left) && form_equal(a->right, b->right);
}

static bool op_equal(const Symbol *symbol, FormOp op, int bits, const Form *a, const Form *b, const Guard *guard)
{
    return symbol->op == op && symbol->bits == bits && form_equal(symbol->a, a) &&
           (b ? symbol->b && form_equal(symbol->b, b) : !symbol->b) && guard_equal(symbol->guard, guard);
}

static void op_inherit(Symbol *symbol, const Form *operand)
{
    if (!operand)
        return;
    symbol->varies |= form_varies(operand);
    symbol->restless |= form_restless(operand);
    symbol->loaded |= form_loaded(operand);
    symbol->open |= form_open(operand);
    symbol->unknown |= form_unknown_in(operand);
    symbol->weight += form_weight(operand);
}

const Form *form_op_symbol(FormSpace *space, FormOp op, int bits, const Form *a, const Form *b, const Guard *guard)
{
    uint64_t hash = form_place_hash(a) * 31 + (uint64_t)a->constant + (uint64_t)op;
    List *bucket = &space->buckets[hash % space->bucket_count];
    for (size_t i = 0; i < bucket->count; i++) {
        const Symbol *made = bucket->item[i];
        if (op_equal(made, op, bits, a, b, guard))
            return form_of(space, made);
    }
    Symbol *symbol = symbol_new(space, SYM_OP);
    symbol->op = op;
    symbol->bits = bits;
    symbol->a = a;
    symbol->b = b;
    symbol->guard = guard;
    symbol->open = op == OP_KEPT;
    op_inherit(symbol, a);
    op_inherit(symbol, b);
    op_inherit(symbol, guard ? guard->left : NULL);
    op_inherit(symbol, guard ? guard->right : NULL);
    list_add(bucket, symbol);
    return form_of(space, symbol);
}

/* ---- sums and products ---- */

static int term_compare(const Term *a, const Term *b)
{
    if (a->degree != b->degree)
        return a->degree < b->degree ? -1 : 1;
    for (int i = 0; i < a->degree; i++)
        if (a->symbol[i] != b->symbol[i])
            return a->symbol[i]->id < b->symbol[i]->id ? -1 : 1;
    return 0;
}

/* Adds one term to a form with room for it, in order; a sum of zero leaves. */
static void form_insert(Form *form, const Term *term)
{
    int at = 0;
    while (at < form->count && term_compare(&form->term[at], term) < 0)
        at++;
    if (at < form->count && term_compare(&form->term[at], term) == 0) {
        form->term[at].coefficient = wrap_add(form->term[at].coefficient, term->coefficient);
        if (form->term[at].coefficient != 0)
            return;
        form->count--;
        memmove(&form->term[at], &form->term[at + 1], sizeof(Term) * (size_t)(form->count - at));
        return;
    }
    memmove(&form->term[at + 1], &form->term[at], sizeof(Term) * (size_t)(form->count - at));
    form->term[at] = *term;
    form->count++;
}

/* Terms in their order, none twice, none of nothing. */
static bool is_sum(const Form *form)
{
    bool holds = form->count >= 0;
    for (int i = 0; holds && i < form->count; i++)
        holds = form->term[i].coefficient != 0 && form->term[i].degree >= 1 && form->term[i].degree <= FORM_DEGREE &&
                (i == 0 || term_compare(&form->term[i - 1], &form->term[i]) < 0);
    return holds;
}

static const Form *form_checked(const Form *form)
{
    INVARIANT(is_sum(form));
    return form->count <= FORM_TERMS && form_weight(form) <= FORM_WEIGHT ? form : NULL;
}

const Form *form_add(FormSpace *space, const Form *a, const Form *b)
{
    Form *sum = form_new(space, a->count + b->count);
    memcpy(sum->term, a->term, sizeof(Term) * (size_t)a->count);
    sum->count = a->count;
    sum->constant = wrap_add(a->constant, b->constant);
    sum->exact_signed = a->exact_signed && b->exact_signed;
    sum->exact_unsigned = a->exact_unsigned && b->exact_unsigned;
    sum->bounded = a->bounded || b->bounded;
    for (int i = 0; i < b->count; i++)
        form_insert(sum, &b->term[i]);
    return form_checked(sum);
}

const Form *form_scale(FormSpace *space, const Form *a, int64_t factor)
{
    if (factor == 0)
        return form_constant(space, 0);
    Form *form;
    form_copy(space, a, &form);
    form->constant = wrap_mul(a->constant, factor);
    form->count = 0;
    for (int i = 0; i < a->count; i++) {
        Term term = a->term[i];
        term.coefficient = wrap_mul(term.coefficient, factor);
        if (term.coefficient != 0)
            form->term[form->count++] = term;
    }
    form->exact_unsigned = a->exact_unsigned && factor > 0;
    return form;
}

const Form *form_sub(FormSpace *space, const Form *a, const Form *b)
{
    const Form *minus = form_scale(space, b, -1);
    const Form *form = form_add(space, a, minus);
    return form ? form_flagged(space, form, a->exact_signed && b->exact_signed, false) : NULL;
}

static bool term_times(Term *product, const Term *a, const Term *b)
{
    if (a->degree + b->degree > FORM_DEGREE)
        return false;
    *product = (Term){.coefficient = wrap_mul(a->coefficient, b->coefficient)};
    int i = 0, j = 0;
    while (i < a->degree || j < b->degree) {
        bool left = j == b->degree || (i < a->degree && a->symbol[i]->id <= b->symbol[j]->id);
        product->symbol[product->degree++] = left ? a->symbol[i++] : b->symbol[j++];
    }
    return true;
}

const Form *form_mul(FormSpace *space, const Form *a, const Form *b)
{
    if ((a->count + 1) * (b->count + 1) > FORM_TERMS)
        return NULL;
    Form *form = form_new(space, (a->count + 1) * (b->count + 1));
    form->constant = wrap_mul(a->constant, b->constant);
    form->exact_signed = a->exact_signed && b->exact_signed;
    form->exact_unsigned = a->exact_unsigned && b->exact_unsigned;
    form->bounded = a->bounded || b->bounded;
    for (int i = -1; i < a->count; i++)
        for (int j = -1; j < b->count; j++) {
            Term term;
            if (i < 0 && j < 0)
                continue;
            if (i < 0 || j < 0) {
                term = i < 0 ? b->term[j] : a->term[i];
                term.coefficient = wrap_mul(term.coefficient, i < 0 ? a->constant : b->constant);
            } else if (!term_times(&term, &a->term[i], &b->term[j])) {
                return NULL;
            }
            if (term.coefficient != 0)
                form_insert(form, &term);
        }
    return form_checked(form);
}

/* ---- questions ---- */

bool form_same_place(const Form *a, const Form *b)
{
    if (a->count != b->count)
        return false;
    for (int i = 0; i < a->count; i++)
        if (a->term[i].coefficient != b->term[i].coefficient || term_compare(&a->term[i], &b->term[i]) != 0)
            return false;
    return true;
}

bool form_equal(const Form *a, const Form *b) { return a->constant == b->constant && form_same_place(a, b); }

static uint64_t hash_mix(uint64_t hash, uint64_t value) { return (hash ^ value) * 0x9E3779B97F4A7C15u + (hash >> 29); }

uint64_t form_place_hash(const Form *form)
{
    uint64_t hash = (uint64_t)form->count + 1;
    for (int i = 0; i < form->count; i++) {
        hash = hash_mix(hash, (uint64_t)form->term[i].coefficient);
        for (int j = 0; j < form->term[i].degree; j++)
            hash = hash_mix(hash, (uint64_t)form->term[i].symbol[j]->id);
    }
    return hash;
}

bool term_varies(const Term *term)
{
    for (int i = 0; i < term->degree; i++)
        if (term->symbol[i]->varies)
            return true;
    return false;
}

#define FORM_ANY(name, field) \
    bool name(const Form *form) \
    { \
        for (int i = 0; i < form->count; i++) \
            for (int j = 0; j < form->term[i].degree; j++) \
                if (form->term[i].symbol[j]->field) \
                    return true; \
        return false; \
    }
FORM_ANY(form_varies, varies)
FORM_ANY(form_restless, restless)
FORM_ANY(form_loaded, loaded)
FORM_ANY(form_open, open)
FORM_ANY(form_unknown_in, unknown)

int form_weight(const Form *form)
{
    int weight = 1;
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->term[i].degree; j++)
            weight += form->term[i].symbol[j]->weight;
    return weight;
}

bool form_is_constant(const Form *form, int64_t *value)
{
    *value = form->constant;
    return form->count == 0;
}

const Symbol *form_symbol(const Form *form)
{
    bool whole = form->count == 1 && !form->constant && form->term[0].degree == 1 && form->term[0].coefficient == 1;
    return whole ? form->term[0].symbol[0] : NULL;
}

/* Range of coefficient * symbols, by the corners; false where it does not fit. */
static bool term_range(const Term *term, int64_t *low, int64_t *high)
{
    int64_t lo = term->coefficient, hi = term->coefficient;
    for (int i = 0; i < term->degree; i++) {
        const Symbol *symbol = term->symbol[i];
        if (symbol->low == INT64_MIN || symbol->high == INT64_MAX)
            return false;
        int64_t corner[4];
        if (__builtin_mul_overflow(lo, symbol->low, &corner[0]) || __builtin_mul_overflow(lo, symbol->high, &corner[1]) ||
            __builtin_mul_overflow(hi, symbol->low, &corner[2]) || __builtin_mul_overflow(hi, symbol->high, &corner[3]))
            return false;
        lo = hi = corner[0];
        for (int k = 1; k < 4; k++) {
            lo = corner[k] < lo ? corner[k] : lo;
            hi = corner[k] > hi ? corner[k] : hi;
        }
    }
    *low = lo;
    *high = hi;
    return true;
}

bool form_range(const Form *form, int64_t *low, int64_t *high)
{
    *low = *high = form->constant;
    for (int i = 0; i < form->count; i++) {
        int64_t lo, hi;
        if (!term_range(&form->term[i], &lo, &hi) || __builtin_add_overflow(*low, lo, low) ||
            __builtin_add_overflow(*high, hi, high))
            return false;
    }
    return true;
}

static bool symbol_mentions(const Symbol *in, const Symbol *symbol)
{
    if (in == symbol)
        return true;
    if (in->kind != SYM_OP)
        return false;
    return form_mentions(in->a, symbol) || (in->b && form_mentions(in->b, symbol)) ||
           (in->guard && (form_mentions(in->guard->left, symbol) || form_mentions(in->guard->right, symbol)));
}

bool form_mentions(const Form *form, const Symbol *symbol)
{
    for (int i = 0; i < form->count; i++)
        for (int j = 0; j < form->term[i].degree; j++)
            if (symbol_mentions(form->term[i].symbol[j], symbol))
                return true;
    return false;
}

const Form *form_factor(FormSpace *space, const Form *form, const Symbol *symbol)
{
    Form *factor = form_new(space, form->count);
    for (int i = 0; i < form->count; i++) {
        const Term *term = &form->term[i];
        Term rest = {.coefficient = term->coefficient};
        int times = 0;
        for (int j = 0; j < term->degree; j++) {
            if (term->symbol[j] == symbol)
                times++;
            else if (symbol_mentions(term->symbol[j], symbol))
                return NULL;
            else
                rest.symbol[rest.degree++] = term->symbol[j];
        }
        if (times > 1)
            return NULL;
        if (times == 1 && rest.degree == 0)
            factor->constant = wrap_add(factor->constant, rest.coefficient);
        else if (times == 1)
            form_insert(factor, &rest);
    }
    return factor;
}

/* ---- text ---- */

static void symbol_text(Text *text, const Symbol *symbol);

static void form_append(Text *text, const Form *form)
{
    const char *plus = "";
    for (int i = 0; i < form->count; i++) {
        const Term *term = &form->term[i];
        text_add(text, "%s", plus);
        if (term->coefficient != 1)
            text_add(text, "%" PRId64 "*", term->coefficient);
        for (int j = 0; j < term->degree; j++) {
            text_add(text, "%s", j ? "*" : "");
            symbol_text(text, term->symbol[j]);
        }
        plus = " + ";
    }
    if (form->constant != 0 || form->count == 0)
        text_add(text, "%s%" PRId64, plus, form->constant);
}

static const char *const op_text[] = {
#define X(op, text) text,
    FORM_OPS(X)
#undef X
};

static void symbol_text(Text *text, const Symbol *symbol)
{
    if (symbol->kind != SYM_OP) {
        text_add(text, "%s", symbol->name);
        return;
    }
    text_add(text, "%s(", op_text[symbol->op]);
    form_append(text, symbol->a);
    if (symbol->b) {
        text_add(text, ", ");
        form_append(text, symbol->b);
    }
    text_add(text, ")");
}

const char *form_text(Arena *arena, const Form *form)
{
    Text text = text_new(arena);
    form_append(&text, form);
    return text.data;
}
