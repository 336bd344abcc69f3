/* The distance of two addresses, where it is the same at every run.
 *
 *     A + 4*sext(row + j)     A + 4*sext(row + (j | 1))     4 bytes, if neither sum wraps: a wrapped index is poison, and
 *                                                           an access through it may do anything
 *
 * Each address is taken apart into a sum of values that are not looked into. ScalarEvolution, asked where that does not tell,
 * looks further and takes longer, and does not always use that the access follows; the sums here are of two accesses of one
 * block, which runs both or none. */
#include "analysis/access/access.h"

enum { MOST_ADDENDS = 8, MOST_VISITS = 96, MOST_OFFSETS = 16, ADDRESS_BITS = 64 };

/* How an integer of fewer bits than an address is read. */
typedef enum { READ_SIGNED, READ_UNSIGNED } Reading;

typedef struct {
    LLVMValueRef value;
    Reading reading;
    uint64_t factor;
} Addend;

/* base + sum of factor * value + constant, modulo 2^bits. */
typedef struct {
    LLVMTargetDataRef layout;
    unsigned bits;
    LLVMValueRef base;
    Addend addend[MOST_ADDENDS];
    int addends;
    uint64_t constant;
    int visits;
    bool fits;
} Sum;

/* ---- integers ---- */

static void addend_add(Sum *sum, LLVMValueRef value, Reading reading, uint64_t factor)
{
    for (int i = 0; i < sum->addends; i++)
        if (sum->addend[i].value == value && sum->addend[i].reading == reading) {
            sum->addend[i].factor += factor;
            return;
        }
    sum->fits &= sum->addends < MOST_ADDENDS;
    if (sum->fits)
        sum->addend[sum->addends++] = (Addend){value, reading, factor};
}

static unsigned bits_of(LLVMValueRef value) { return LLVMGetIntTypeWidth(LLVMTypeOf(value)); }

static uint64_t constant_of(LLVMValueRef value, Reading reading)
{
    return reading == READ_SIGNED ? (uint64_t)LLVMConstIntGetSExtValue(value) : LLVMConstIntGetZExtValue(value);
}

/* Is the result, read so, what its operands, read so, come to? Modulo 2^bits it is without any promise. */
static bool is_exact(const Sum *sum, LLVMValueRef value, Reading reading)
{
    return bits_of(value) >= sum->bits || (reading == READ_SIGNED ? LLVMGetNSW(value) : LLVMGetNUW(value));
}

static void integer_add(Sum *sum, LLVMValueRef value, Reading reading, uint64_t factor);

static void both_add(Sum *sum, LLVMValueRef value, Reading reading, uint64_t factor, uint64_t of_second)
{
    integer_add(sum, LLVMGetOperand(value, 0), reading, factor);
    integer_add(sum, LLVMGetOperand(value, 1), reading, factor * of_second);
}

/* By a constant alone; the other operand is first, as LLVM leaves it. */
static bool multiply_add(Sum *sum, LLVMValueRef value, Reading reading, uint64_t factor)
{
    LLVMValueRef by = LLVMGetOperand(value, 1);
    if (!LLVMIsAConstantInt(by) || !is_exact(sum, value, reading))
        return false;
    uint64_t times = constant_of(by, reading);
    if (LLVMGetInstructionOpcode(value) == LLVMShl) {
        if (times >= bits_of(value) - 1)
            return false; /* the promise is of another multiple where the sign bit moves */
        times = UINT64_C(1) << times;
    }
    integer_add(sum, LLVMGetOperand(value, 0), reading, factor * times);
    return true;
}

/* An extension that promises a value that is not negative may be read either way: as its operand has promised. */
static Reading reading_inside(LLVMValueRef extension)
{
    LLVMValueRef operand = LLVMGetOperand(extension, 0);
    if (LLVMGetInstructionOpcode(extension) == LLVMSExt)
        return READ_SIGNED;
    bool unsigned_only = LLVMIsABinaryOperator(operand) && LLVMGetInstructionOpcode(operand) == LLVMAdd && LLVMGetNUW(operand) &&
                         !LLVMGetNSW(operand);
    return LLVMGetNNeg(extension) && !unsigned_only ? READ_SIGNED : READ_UNSIGNED;
}

static bool looked_into(Sum *sum, LLVMValueRef value, Reading reading, uint64_t factor)
{
    const uint64_t minus = UINT64_MAX;
    if (sum->visits++ == MOST_VISITS || !LLVMIsAInstruction(value))
        return false;
    switch (LLVMGetInstructionOpcode(value)) {
    case LLVMSExt:
        if (reading == READ_UNSIGNED && bits_of(value) < sum->bits)
            return false;
        integer_add(sum, LLVMGetOperand(value, 0), READ_SIGNED, factor);
        return true;
    case LLVMZExt: integer_add(sum, LLVMGetOperand(value, 0), reading_inside(value), factor); return true;
    case LLVMTrunc:
        if (bits_of(value) < sum->bits)
            return false;
        integer_add(sum, LLVMGetOperand(value, 0), reading, factor);
        return true;
    case LLVMOr:
        if (!LLVMGetIsDisjoint(value))
            return false;
        both_add(sum, value, reading, factor, 1);
        return true;
    case LLVMAdd:
    case LLVMSub:
        if (!is_exact(sum, value, reading))
            return false;
        both_add(sum, value, reading, factor, LLVMGetInstructionOpcode(value) == LLVMSub ? minus : 1);
        return true;
    case LLVMMul:
    case LLVMShl: return multiply_add(sum, value, reading, factor);
    default: return false;
    }
}

static void integer_add(Sum *sum, LLVMValueRef value, Reading reading, uint64_t factor)
{
    if (LLVMIsAConstantInt(value) && bits_of(value) <= ADDRESS_BITS)
        sum->constant += factor * constant_of(value, reading);
    else if (bits_of(value) > ADDRESS_BITS || !looked_into(sum, value, reading, factor))
        addend_add(sum, value, reading, factor);
}

/* ---- pointers ---- */

static void index_add(Sum *sum, LLVMTypeRef *type, LLVMValueRef index, bool first)
{
    if (!first && LLVMGetTypeKind(*type) == LLVMStructTypeKind) {
        unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
        sum->constant += LLVMOffsetOfElement(sum->layout, *type, field);
        *type = LLVMStructGetTypeAtIndex(*type, field);
        return;
    }
    if (!first)
        *type = LLVMGetElementType(*type);
    sum->fits &= LLVMGetTypeKind(*type) != LLVMScalableVectorTypeKind;
    if (sum->fits)
        integer_add(sum, index, READ_SIGNED, LLVMABISizeOfType(sum->layout, *type));
}

static Sum sum_of(const Scope *scope, LLVMValueRef pointer)
{
    Sum sum = {.layout = scope->kernel->layout, .bits = ADDRESS_BITS, .fits = true};
    for (int depth = 0; LLVMIsAGetElementPtrInst(pointer) && depth < MOST_OFFSETS; depth++) {
        LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            index_add(&sum, &type, LLVMGetOperand(pointer, i), i == 1);
        pointer = LLVMGetOperand(pointer, 0);
    }
    sum.base = pointer;
    return sum;
}

/* ---- distances ---- */

/* The one sum less the other, without what they share. */
static Sum difference_of(const Sum *from, const Sum *to)
{
    Sum rest = *to;
    rest.fits &= from->fits && from->base == to->base;
    rest.constant -= from->constant;
    for (int i = 0; i < from->addends; i++)
        addend_add(&rest, from->addend[i].value, from->addend[i].reading, -from->addend[i].factor);
    int kept = 0;
    for (int i = 0; i < rest.addends; i++)
        if (rest.addend[i].factor)
            rest.addend[kept++] = rest.addend[i];
    rest.addends = kept;
    return rest;
}

static bool are_together(const Access *from, const Access *to)
{
    return LLVMGetInstructionParent(from->instruction) == LLVMGetInstructionParent(to->instruction);
}

/* The sums of two accesses, where both are made. */
static bool sums_of(const Scope *scope, const Access *from, const Access *to, Sum *first, Sum *second)
{
    unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(from->pointer));
    if (LLVMPointerSizeForAS(scope->kernel->layout, space) * 8 != ADDRESS_BITS)
        return false;
    *first = sum_of(scope, from->pointer);
    *second = sum_of(scope, to->pointer);
    return true;
}

static bool sums_differ_by(const Scope *scope, const Access *from, const Access *to, int64_t *bytes)
{
    Sum first, second;
    if (!sums_of(scope, from, to, &first, &second))
        return false;
    Sum rest = difference_of(&first, &second);
    *bytes = (int64_t)rest.constant;
    return rest.fits && rest.addends == 0;
}

bool access_distance(const Scope *scope, const Access *from, const Access *to, int64_t *bytes)
{
    return (are_together(from, to) && sums_differ_by(scope, from, to, bytes)) ||
           ir_distance(scope->kernel->ir, scope->function, from->pointer, to->pointer, bytes);
}

bool access_distance_of_both(const Scope *scope, const Access *from, const Access *to, int64_t *bytes)
{
    return sums_differ_by(scope, from, to, bytes) ||
           ir_distance(scope->kernel->ir, scope->function, from->pointer, to->pointer, bytes);
}

bool access_distance_behind(const Scope *scope, const Access *from, const Access *to, int64_t *bytes)
{
    return ir_precedes(scope->kernel->ir, from->instruction, to->instruction) && access_distance_of_both(scope, from, to, bytes);
}

/* ---- indices that may wrap ---- */

/* From the one integer to the other, modulo 2^width, read as signed. */
static bool index_distance(const Sum *like, LLVMValueRef from, LLVMValueRef to, int64_t *steps)
{
    unsigned bits = bits_of(from);
    Sum first = {.layout = like->layout, .bits = bits, .fits = true}, second = first;
    if (bits != bits_of(to) || bits >= ADDRESS_BITS)
        return false;
    integer_add(&first, from, READ_UNSIGNED, 1);
    integer_add(&second, to, READ_UNSIGNED, 1);
    Sum rest = difference_of(&first, &second);
    unsigned above = ADDRESS_BITS - bits;
    *steps = (int64_t)(rest.constant << above) >> above;
    for (int i = 0; i < rest.addends; i++)
        if (rest.addend[i].factor << above)
            return false;
    return rest.fits;
}

/* The addend that the other sum has no part of. */
static const Addend *own_addend(const Sum *sum, const Sum *rest, uint64_t sign)
{
    for (int i = 0; i < sum->addends; i++)
        for (int j = 0; j < rest->addends; j++)
            if (sum->addend[i].value == rest->addend[j].value && sum->addend[i].reading == rest->addend[j].reading &&
                sum->addend[i].factor == sign * rest->addend[j].factor)
                return &sum->addend[i];
    return NULL;
}

/* Not both as a signed and as an unsigned number. */
static bool is_read_once(const Sum *sum, LLVMValueRef value)
{
    int count = 0;
    for (int i = 0; i < sum->addends; i++)
        count += sum->addend[i].value == value;
    return count == 1;
}

bool access_steps(const Scope *scope, const Access *from, const Access *to, int64_t offset, LLVMValueRef *index, int64_t *steps)
{
    Sum first, second;
    if (!are_together(from, to) || !sums_of(scope, from, to, &first, &second))
        return false;
    Sum rest = difference_of(&first, &second);
    const Addend *old = own_addend(&first, &rest, UINT64_MAX), *new = own_addend(&second, &rest, 1);
    *index = old ? old->value : NULL;
    bool alike = old && new && old->reading == new->reading && old->factor == new->factor;
    return rest.fits && rest.addends == 2 && alike && is_read_once(&first, old->value) &&
           index_distance(&rest, old->value, new->value, steps) &&
           offset == wrap_add((int64_t)rest.constant, wrap_mul((int64_t)new->factor, *steps));
}
