/* An offset as an exact sum: an operation is looked into where it says that it does not wrap around.
 *
 *     s + zext(ty + 8) * 128 + zext(tx) * 4      ->      128 * ty  +  4 * tx  +  1024
 *
 * Any index may have wrapped on its way into the array, and a sum modulo 2^32 or 2^64 has no quotient. Where a number of more than 32
 * bits may have, at most one of the terms is such a number: all others are small, and so is the place in the array, and then it is small
 * as well. Else the offset is not exact. */
#include "analysis/banks/banks.h"

enum { SIGNED = 1, UNSIGNED = 2, EITHER = SIGNED | UNSIGNED }; /* how a value is read; either: it has no sign */
enum { MOST_DEPTH = 8, MOST_TERMS = 64, INDEX_BITS = 32, FACTOR_BITS = 24 }; /* a sum of so many stays far below 2^63 */

typedef struct {
    Kernel *kernel;
    LLVMValueRef function;
    Offset *offset;
    int wide;          /* terms that are */
    bool is_unflagged; /* an index may wrap when it is multiplied, or added to others */
} Reading;

static int bits_of(LLVMValueRef value) { return (int)LLVMGetIntTypeWidth(LLVMTypeOf(value)); }

/* The largest that a number without a sign may be, by steps of a power of two; -1 where that is not known. */
static int64_t bound_of(const Reading *reading, const OffsetTerm *term)
{
    IrModule *ir = reading->kernel->ir;
    int most = bits_of(term->value) - term->is_signed, bits = 0;
    most = most < INDEX_BITS - 1 ? most : INDEX_BITS - 1;
    while (bits <= most && !ir_is_below(ir, reading->function, term->value, INT64_C(1) << bits))
        bits++;
    if (bits > most)
        return -1;
    int64_t low = bits ? INT64_C(1) << (bits - 1) : 0, high = INT64_C(1) << bits;
    while (high - low > 1) {
        int64_t middle = low + (high - low) / 2;
        *(ir_is_below(ir, reading->function, term->value, middle) ? &high : &low) = middle;
    }
    return high - 1;
}

static void term_bound(const Reading *reading, OffsetTerm *term)
{
    int64_t low = 0, high = bound_of(reading, term);
    int bits = bits_of(term->value) - term->is_signed;
    term->is_wide = high < 0 && bits > INDEX_BITS;
    if (term->is_wide)
        return;
    if (high < 0) {
        high = (INT64_C(1) << bits) - 1;
        low = term->is_signed ? -high - 1 : 0;
    }
    term->low = term->factor < 0 ? term->factor * high : term->factor * low;
    term->high = term->factor < 0 ? term->factor * low : term->factor * high;
}

static void add_leaf(Reading *reading, LLVMValueRef value, int64_t factor, bool is_signed)
{
    List *terms = &reading->offset->terms;
    for (size_t i = 0; i < terms->count; i++) {
        OffsetTerm *term = terms->item[i];
        if (term->value == value && term->is_signed == is_signed) {
            term->factor += factor;
            return;
        }
    }
    OffsetTerm *term = ARENA_NEW(reading->kernel->arena, OffsetTerm);
    *term = (OffsetTerm){.value = value, .is_signed = is_signed, .factor = factor};
    list_add(terms, term);
}

static void add_value(Reading *reading, LLVMValueRef value, int64_t factor, int as, int depth);

/* How the operands are to be read, so that the operation on them does not wrap; 0 where it may. */
static int reading_of_operands(LLVMValueRef value, int as)
{
    switch (opcode_of(value)) {
    case LLVMOr: return LLVMGetIsDisjoint(value) ? as & UNSIGNED ? UNSIGNED : SIGNED : 0;
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl: return as & UNSIGNED && LLVMGetNUW(value) ? UNSIGNED : as & SIGNED && LLVMGetNSW(value) ? SIGNED : 0;
    default: return 0;
    }
}

/* What the operation multiplies its first operand by; 0 where it is no number, or a large one. */
static int64_t factor_in(LLVMValueRef value, int as)
{
    LLVMValueRef by = LLVMIsAConstantInt(LLVMGetOperand(value, 1));
    if (!by || bits_of(value) > 64)
        return 0;
    int64_t number = as == SIGNED ? LLVMConstIntGetSExtValue(by) : (int64_t)LLVMConstIntGetZExtValue(by);
    int64_t most = INT64_C(1) << FACTOR_BITS;
    if (opcode_of(value) == LLVMMul)
        return number > -most && number < most ? number : 0;
    return number >= 0 && number < FACTOR_BITS ? INT64_C(1) << number : 0;
}

static bool is_large(int64_t factor) { return magnitude(factor) >= UINT64_C(1) << FACTOR_BITS; }

/* True where the operation was looked into. */
static bool add_operands(Reading *reading, LLVMValueRef value, int64_t factor, int as, int depth)
{
    LLVMOpcode op = opcode_of(value);
    int inside = reading_of_operands(value, as);
    if (!inside)
        return false;
    if (op == LLVMMul || op == LLVMShl) {
        int64_t by = factor_in(value, inside);
        if (!by || is_large(by * factor))
            return false;
        add_value(reading, LLVMGetOperand(value, 0), by * factor, inside, depth);
        return true;
    }
    add_value(reading, LLVMGetOperand(value, 0), factor, inside, depth);
    add_value(reading, LLVMGetOperand(value, 1), op == LLVMSub ? -factor : factor, inside, depth);
    return true;
}

static void add_value(Reading *reading, LLVMValueRef value, int64_t factor, int as, int depth)
{
    LLVMOpcode op = LLVMIsAInstruction(value) ? opcode_of(value) : (LLVMOpcode)0;
    bool is_signed = !(as & UNSIGNED);
    if (LLVMIsAConstantInt(value)) {
        int64_t number = is_signed ? LLVMConstIntGetSExtValue(value) : (int64_t)LLVMConstIntGetZExtValue(value);
        reading->is_unflagged |= is_large(number);
        reading->offset->constant = wrap_add(reading->offset->constant, wrap_mul(number, factor));
    } else if (depth == MOST_DEPTH)
        add_leaf(reading, value, factor, is_signed);
    else if (op == LLVMZExt)
        add_value(reading, LLVMGetOperand(value, 0), factor, LLVMGetNNeg(value) ? EITHER : UNSIGNED, depth + 1);
    else if (op == LLVMSExt && as & SIGNED)
        add_value(reading, LLVMGetOperand(value, 0), factor, SIGNED, depth + 1);
    else if (!add_operands(reading, value, factor, as, depth + 1))
        add_leaf(reading, value, factor, is_signed);
}

/* ---- pointers ---- */

static bool add_index(Reading *reading, LLVMValueRef index, LLVMTypeRef element)
{
    LLVMTypeRef type = LLVMTypeOf(index);
    int64_t size = (int64_t)LLVMABISizeOfType(reading->kernel->layout, element);
    if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind || LLVMGetIntTypeWidth(type) > 64 || is_large(size))
        return false;
    add_value(reading, index, size, SIGNED, 0);
    return true;
}

static bool add_step(Reading *reading, LLVMValueRef pointer)
{
    enum { FIRST = 1 };
    LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
    reading->is_unflagged |= !(LLVMGEPGetNoWrapFlags(pointer) & (LLVMGEPFlagInBounds | LLVMGEPFlagNUSW));
    for (unsigned i = FIRST; i < (unsigned)LLVMGetNumOperands(pointer); i++) {
        LLVMValueRef index = LLVMGetOperand(pointer, i);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (i > FIRST && kind == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            reading->offset->constant += (int64_t)LLVMOffsetOfElement(reading->kernel->layout, type, field);
            type = LLVMStructGetTypeAtIndex(type, field);
            continue;
        }
        if (i > FIRST && kind != LLVMArrayTypeKind)
            return false;
        type = i > FIRST ? LLVMGetElementType(type) : type;
        if (!add_index(reading, index, type))
            return false;
    }
    return true;
}

/* Terms that cancel go; the others are bounded. */
static void settle(Reading *reading)
{
    List *terms = &reading->offset->terms;
    size_t kept = 0;
    for (size_t i = 0; i < terms->count; i++) {
        OffsetTerm *term = terms->item[i];
        if (term->factor == 0)
            continue;
        term->zeros = ir_low_zeros(reading->function, term->value);
        if (is_large(term->factor))
            term->is_wide = reading->is_unflagged = true;
        else
            term_bound(reading, term);
        reading->wide += term->is_wide;
        terms->item[kept++] = term;
    }
    terms->count = kept;
}

bool offset_of(Kernel *kernel, LLVMValueRef pointer, Offset *offset)
{
    *offset = (Offset){.terms = list_new(kernel->arena)};
    Reading reading = {kernel, kernel->function, offset, 0, false};
    for (; !LLVMIsAGlobalVariable(pointer); pointer = LLVMGetOperand(pointer, 0))
        if (opcode_of(pointer) == LLVMGetElementPtr && !add_step(&reading, pointer))
            return false;
    settle(&reading);
    bool is_flagged = reading.wide == 0 || (reading.wide == 1 && !reading.is_unflagged);
    offset->exact = is_flagged && !is_large(offset->constant) && offset->terms.count <= MOST_TERMS;
    return true;
}

bool offset_moves_rows(const Offset *offset, const OffsetTerm *term, int64_t row)
{
    return offset->exact && term->factor % row == 0;
}

bool offset_column(const Offset *offset, int64_t row, int64_t *low, int64_t *high)
{
    *low = *high = offset->exact ? floor_mod(offset->constant, row) : offset->constant;
    for (size_t i = 0; i < offset->terms.count; i++) {
        const OffsetTerm *term = offset->terms.item[i];
        if (offset_moves_rows(offset, term, row))
            continue;
        if (!offset->exact || term->is_wide)
            return false;
        *low += term->low;
        *high += term->high;
    }
    return offset->exact && *low >= INT32_MIN && *high <= INT32_MAX;
}

bool offset_stays(const Offset *offset, int64_t row)
{
    int64_t low, high;
    return offset_column(offset, row, &low, &high) && low >= 0 && high < row;
}

int64_t offset_alignment(const Offset *offset, int64_t row, int64_t pad)
{
    uint64_t bits = REQUEST_BYTES;
    for (size_t i = 0; i < offset->terms.count; i++) {
        const OffsetTerm *term = offset->terms.item[i];
        bool moves = pad && offset_moves_rows(offset, term, row);
        uint64_t factor = (uint64_t)(moves ? term->factor / row * (row + pad) : term->factor);
        bits |= term->zeros < INDEX_BITS ? factor << term->zeros : 0;
    }
    bits |= pad && !offset_stays(offset, row) ? (uint64_t)pad : 0;
    return (int64_t)(bits & -bits);
}
