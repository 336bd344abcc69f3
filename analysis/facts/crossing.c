/* Addresses as matrices over GF(2), and what their columns span. */
#include "analysis/facts/crossing.h"

#include <string.h>

/* A number below 2^32, bit by bit. */
typedef struct {
    uint64_t row[CROSSING_ROWS];
    uint64_t constant;
} Bits;

enum { MOST_DEPTH = 24 };

static bool bits_of(Crossing *crossing, LLVMValueRef value, int depth, Bits *bits);

/* ---- leaves ---- */

static uint64_t columns_of(int number, int bits) { return ((UINT64_C(1) << bits) - 1) << (number * CROSSING_BITS); }

/* A number of its own: its bits are what the place is made of. */
static bool is_number(Crossing *crossing, LLVMValueRef value, Bits *bits)
{
    int at = 0, known = automaton_bits(crossing->scope, value);
    while (at < crossing->count && crossing->number[at] != value)
        at++;
    if (!known || at == CROSSING_NUMBERS)
        return false;
    if (at == crossing->count)
        crossing->number[crossing->count++] = value;
    crossing->bits[at] = known;
    *bits = (Bits){.constant = 0};
    for (int i = 0; i < known; i++)
        bits->row[i] = UINT64_C(1) << (at * CROSSING_BITS + i);
    return true;
}

/* ---- operations ---- */

/* Bits that may be set. */
static uint64_t possible(const Bits *bits)
{
    uint64_t set = bits->constant;
    for (int i = 0; i < CROSSING_ROWS; i++)
        set |= (uint64_t)(bits->row[i] != 0) << i;
    return set;
}

static void sum_up(Bits *sum, const Bits *bits)
{
    sum->constant ^= bits->constant;
    for (int i = 0; i < CROSSING_ROWS; i++)
        sum->row[i] ^= bits->row[i];
}

static void mask(Bits *bits, uint64_t mask)
{
    bits->constant &= mask;
    for (int i = 0; i < CROSSING_ROWS; i++)
        bits->row[i] = mask >> i & 1 ? bits->row[i] : 0;
}

/* To the left, or by less than nothing to the right; false where bits leave on the left. */
static bool shift(Bits *bits, int by)
{
    const Bits from = *bits;
    if (by <= -CROSSING_ROWS || by >= CROSSING_ROWS || (by > 0 && possible(bits) >> (CROSSING_ROWS - by)))
        return false;
    *bits = (Bits){.constant = by < 0 ? from.constant >> -by : from.constant << by};
    for (int i = 0; i < CROSSING_ROWS; i++)
        bits->row[i] = i - by >= 0 && i - by < CROSSING_ROWS ? from.row[i - by] : 0;
    return true;
}

static bool is_power(uint64_t value, int *exponent)
{
    for (*exponent = 0; *exponent < CROSSING_ROWS && UINT64_C(1) << *exponent < value; ++*exponent)
        ;
    return value == UINT64_C(1) << *exponent;
}

/* By a number that the code says. */
static bool operate(LLVMOpcode op, Bits *bits, int width, uint64_t by)
{
    int power = 0;
    switch (op) {
    case LLVMAnd: mask(bits, by); return true;
    case LLVMShl: return by < CROSSING_ROWS && shift(bits, (int)by);
    case LLVMAShr: /* of what is not negative */
        if (possible(bits) >> ((width < CROSSING_ROWS ? width : CROSSING_ROWS) - 1))
            return false;
        return by < CROSSING_ROWS && shift(bits, -(int)by);
    case LLVMLShr: return by < CROSSING_ROWS && shift(bits, -(int)by);
    case LLVMMul: return is_power(by, &power) && shift(bits, power);
    case LLVMUDiv: return is_power(by, &power) && shift(bits, -power);
    case LLVMURem: mask(bits, by - 1); return is_power(by, &power);
    default: return false;
    }
}

/* Of two numbers, where no bit is carried. */
static bool add_up(LLVMValueRef value, Bits *a, const Bits *b)
{
    bool apart = !(possible(a) & possible(b));
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    if (op != LLVMXor && !(apart && (op == LLVMAdd || op == LLVMOr)))
        return false;
    sum_up(a, b);
    return true;
}

static bool is_extended(LLVMValueRef value, const Bits *bits)
{
    int width = bits_of_value(LLVMGetOperand(value, 0));
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    return op == LLVMZExt || op == LLVMTrunc || (op == LLVMSExt && (width > CROSSING_ROWS || !(possible(bits) >> (width - 1))));
}

static bool made_of(Crossing *crossing, LLVMValueRef value, int depth, Bits *bits)
{
    Bits other;
    LLVMOpcode op = LLVMGetInstructionOpcode(value);
    bool is_operation = LLVMIsABinaryOperator(value) != NULL;
    if ((!is_operation && !LLVMIsACastInst(value)) || !bits_of(crossing, LLVMGetOperand(value, 0), depth + 1, bits))
        return false;
    if (!is_operation)
        return is_extended(value, bits);
    LLVMValueRef by = LLVMIsAConstantInt(LLVMGetOperand(value, 1));
    if (by && LLVMGetIntTypeWidth(LLVMTypeOf(by)) <= 64 && operate(op, bits, bits_of_value(value), LLVMConstIntGetZExtValue(by)))
        return true;
    return bits_of(crossing, LLVMGetOperand(value, 1), depth + 1, &other) && add_up(value, bits, &other);
}

static bool bits_of(Crossing *crossing, LLVMValueRef value, int depth, Bits *bits)
{
    LLVMValueRef constant = LLVMIsAConstantInt(value);
    const Crossing before = *crossing;
    *bits = (Bits){.constant = 0};
    if (constant) {
        bits->constant = LLVMGetIntTypeWidth(LLVMTypeOf(constant)) <= 64 ? LLVMConstIntGetZExtValue(constant) : UINT64_MAX;
        return bits->constant < UINT64_C(1) << (CROSSING_ROWS - 1);
    }
    int width = bits_of_value(value);
    if (LLVMIsAInstruction(value) && depth < MOST_DEPTH && made_of(crossing, value, depth, bits)) {
        if (width < CROSSING_ROWS)
            mask(bits, (UINT64_C(1) << width) - 1);
        return true;
    }
    *crossing = before; /* what its operands would be made of is of no use */
    return is_number(crossing, value, bits);
}

/* ---- pointers ---- */

/* Adds the index, scaled. */
static bool add_index(Crossing *crossing, LLVMValueRef index, uint64_t size, Bits *sum)
{
    int power;
    Bits bits;
    LLVMValueRef constant = LLVMIsAConstantInt(index);
    if (constant) {
        bits = (Bits){.constant = LLVMConstIntGetZExtValue(constant) * size};
        if (LLVMConstIntGetZExtValue(constant) >> (CROSSING_ROWS - 1) || bits.constant >> (CROSSING_ROWS - 1))
            return false;
    } else if (!bits_of(crossing, index, 0, &bits) || !is_power(size, &power) || !shift(&bits, power))
        return false;
    bool apart = !(possible(sum) & possible(&bits));
    sum_up(sum, &bits);
    return apart;
}

static bool add_indices(Crossing *crossing, LLVMValueRef gep, Bits *sum)
{
    LLVMTargetDataRef layout = crossing->scope->kernel->layout;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    for (int i = 1; i < LLVMGetNumOperands(gep); i++) {
        if (i > 1 && LLVMGetTypeKind(type) != LLVMArrayTypeKind)
            return false;
        type = i > 1 ? LLVMGetElementType(type) : type;
        if (!add_index(crossing, LLVMGetOperand(gep, (unsigned)i), LLVMABISizeOfType(layout, type), sum))
            return false;
    }
    return true;
}

bool crossing_of(Scope *scope, LLVMValueRef pointer, Crossing *crossing)
{
    Bits sum = {.constant = 0};
    *crossing = (Crossing){.scope = scope};
    for (LLVMOpcode op; (op = opcode_of(pointer)); pointer = LLVMGetOperand(pointer, 0)) {
        if (op != LLVMAddrSpaceCast && (op != LLVMGetElementPtr || !add_indices(crossing, pointer, &sum)))
            return false;
    }
    memcpy(crossing->row, sum.row, sizeof sum.row);
    crossing->constant = sum.constant;
    return LLVMIsAGlobalVariable(pointer) != NULL;
}

/* ---- what it tells ---- */

uint64_t crossing_columns(const Crossing *crossing, IrLoop *loop)
{
    uint64_t columns = 0;
    for (int i = 0; i < crossing->count; i++) {
        LLVMValueRef number = crossing->number[i];
        if (!loop || ir_loop_has(loop, number))
            columns |= columns_of(i, crossing->bits[i]);
    }
    return columns;
}

/* The column, and at the end what is added, from the bits of whole elements on; false where a place begins within one. */
static bool column_of(const Crossing *crossing, int column, int bytes, uint32_t *bits)
{
    uint64_t found = 0, within = (uint64_t)bytes - 1;
    for (int i = 0; i < CROSSING_ROWS; i++)
        found |= (crossing->row[i] >> column & 1) << i;
    *bits = (uint32_t)(found & ~within);
    return !(found & within) && !(crossing->constant & within);
}

/* Leading bits of columns that are independent of each other. */
typedef struct {
    uint32_t vector[CROSSING_ROWS];
} Span;

/* What is left of the vector when all that the span has of it is taken out: nothing if it lies within. */
static uint32_t left_of(const Span *span, uint32_t vector)
{
    for (int i = CROSSING_ROWS - 1; i >= 0; i--)
        if (vector >> i & 1)
            vector ^= span->vector[i];
    return vector;
}

static bool span_add(Span *span, uint32_t vector)
{
    int top = CROSSING_ROWS - 1;
    vector = left_of(span, vector);
    while (top >= 0 && !(vector >> top & 1))
        top--;
    if (top >= 0)
        span->vector[top] = vector;
    return top >= 0;
}

static bool span_of(const Crossing *crossing, uint64_t columns, int bytes, Span *span, bool *independent)
{
    enum { COLUMNS = CROSSING_NUMBERS * CROSSING_BITS };
    uint32_t bits;
    int power;
    *span = (Span){{0}};
    *independent = true;
    for (int i = 0; i < COLUMNS; i++) {
        if (!column_of(crossing, i, bytes, &bits))
            return false;
        if (columns >> i & 1)
            *independent &= span_add(span, bits);
    }
    return is_power((uint64_t)bytes, &power);
}

bool crossing_tells(const Crossing *crossing, uint64_t columns, int bytes)
{
    Span span;
    bool independent;
    return span_of(crossing, columns, bytes, &span, &independent) && independent;
}

const Form *crossing_number(const Crossing *crossing, uint64_t columns)
{
    FormSpace *forms = crossing->scope->kernel->forms;
    const Form *sum = form_constant(forms, 0);
    int at = 0;
    for (int i = 0; sum && i < crossing->count; i++) {
        const Form *number = automaton_form(crossing->scope, crossing->number[i]);
        if (!(columns & columns_of(i, crossing->bits[i])))
            continue;
        bool exact = !number->bounded && (number->exact_signed || number->exact_unsigned);
        const Form *part = exact && at < CROSSING_ROWS ? form_scale(forms, number, INT64_C(1) << at) : NULL;
        sum = part ? form_add(forms, sum, part) : NULL;
        at += crossing->bits[i];
    }
    return sum;
}

bool crossing_is_apart(const Crossing *a, const Crossing *b, uint64_t columns, int bytes)
{
    Span span;
    bool independent, alike = a->count == b->count && !memcmp(a->row, b->row, sizeof a->row);
    for (int i = 0; alike && i < a->count; i++)
        alike = a->number[i] == b->number[i];
    uint32_t within = (uint32_t)bytes - 1;
    return alike && span_of(a, columns, bytes, &span, &independent) && !(b->constant & within) &&
           left_of(&span, (uint32_t)(a->constant ^ b->constant)) != 0;
}
