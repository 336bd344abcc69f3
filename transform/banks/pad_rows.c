/* The rows of a shared array become longer (analysis/banks/banks.c).
 *
 *     s + 128 * ty + 4 * tx        ->        t + 132 * ty + 4 * tx                     if 4 * tx is known to stay in its row
 *                                            t + 132 * ty + 4 * tx + 4 * tx / 128 * 4  if it is not
 *
 * What stood at byte b stands at b + b / 128 * 4, whatever was meant to be a row: no two bytes come to one place, those of one access
 * stay side by side, and what stood where it is aligned still does. So every access of the program touches what it did, and nothing
 * is asked of its indices. Divisions round down, so that a place in front of the array stays as near to it as it was. */
#include "analysis/banks/banks.h"
#include "transform/emit/emit.h"
#include "transform/transform.h"

/* ---- the index ---- */

typedef struct {
    IrModule *ir;
    Emit emit;
    const Padding *padding;
    LLVMValueRef array; /* the larger one */
} Padder;

/* What the columns of an access may come to, if they are no number of 64 bits. */
typedef struct {
    int64_t low, high;
    bool is_wide;
} Columns;

static LLVMValueRef number(LLVMTypeRef type, int64_t value) { return LLVMConstInt(type, (uint64_t)value, true); }

/* The value as a number of so many bits, which hold what is of it. */
static LLVMValueRef widened(Emit *emit, const OffsetTerm *term, LLVMTypeRef type)
{
    int64_t most = (term->factor < 0 ? term->low : term->high) / term->factor;
    unsigned from = LLVMGetIntTypeWidth(LLVMTypeOf(term->value)), to = LLVMGetIntTypeWidth(type);
    if (from == to)
        return term->value;
    if (from > to)
        return LLVMBuildTrunc(emit->builder, term->value, type, "");
    if (term->is_signed)
        return LLVMBuildSExt(emit->builder, term->value, type, "");
    LLVMValueRef wide = LLVMBuildZExt(emit->builder, term->value, type, "");
    if (!term->is_wide && most < INT64_C(1) << (from - 1) && LLVMIsAZExtInst(wide))
        LLVMSetNNeg(wide, true);
    return wide;
}

/* What the builder made, unless it is no instruction. */
static LLVMValueRef flagged(LLVMValueRef value, bool is_exact)
{
    if (is_exact && LLVMIsABinaryOperator(value))
        LLVMSetNSW(value, true);
    return value;
}

/* The sum and factor * value; the sum may be NULL. Exact: nothing wraps on the way, which analyses are told. */
static LLVMValueRef with_term(Emit *emit, LLVMValueRef sum, LLVMValueRef value, int64_t factor, bool is_exact)
{
    LLVMValueRef product = value;
    if (factor != 1)
        product = flagged(LLVMBuildMul(emit->builder, value, number(LLVMTypeOf(value), factor), ""), is_exact);
    return sum ? flagged(LLVMBuildAdd(emit->builder, sum, product, ""), is_exact) : product;
}

/* A number of 32 bits without a sign, and none above `most`, divided: by a product, which LLVM makes no quotient of 64 bits of, as it does of a quotient where the
 * number is part of a wider one. NULL where that is not exact. */
static LLVMValueRef divided_by_product(Emit *emit, LLVMValueRef sum, int64_t row, int64_t most)
{
    enum { BITS = 32 };
    uint64_t factor = (UINT64_C(1) << BITS) / (uint64_t)row + 1, above = factor * (uint64_t)row - (UINT64_C(1) << BITS);
    if ((uint64_t)most > UINT32_MAX || (uint64_t)most * above > UINT32_MAX)
        return NULL;
    LLVMValueRef wide = LLVMBuildZExt(emit->builder, sum, emit->i64, "");
    LLVMValueRef product = LLVMBuildMul(emit->builder, wide, number(emit->i64, (int64_t)factor), "");
    return LLVMBuildLShr(emit->builder, product, number(emit->i64, BITS), "");
}

/* The sum divided by the row, rounded down, without `*less` rows, in 64 bits. A number that may be below zero is one of all 64 bits, or none below `low`: that
 * is as many rows more as make all of them numbers without a sign. */
static LLVMValueRef divided(Emit *emit, LLVMValueRef sum, int64_t row, const Columns *columns, int64_t *less)
{
    LLVMTypeRef type = LLVMTypeOf(sum);
    int bits = __builtin_ctzll((uint64_t)row);
    bool is_power = row == INT64_C(1) << bits;
    int64_t more = columns->low < 0 ? (row - 1 - columns->low) / row : 0;
    LLVMValueRef rows = NULL;
    if (!is_power && !columns->is_wide) {
        LLVMValueRef above = more ? LLVMBuildAdd(emit->builder, sum, number(type, more * row), "") : sum;
        rows = divided_by_product(emit, above, row, columns->high + more * row);
    }
    *less = rows ? more : 0;
    if (rows)
        return rows;
    if (columns->low >= 0)
        return LLVMBuildZExt(emit->builder, LLVMBuildUDiv(emit->builder, sum, number(type, row), ""), emit->i64, "");
    if (is_power)
        return LLVMBuildSExt(emit->builder, LLVMBuildAShr(emit->builder, sum, number(type, bits), ""), emit->i64, "");
    LLVMValueRef is_negative = LLVMBuildICmp(emit->builder, LLVMIntSLT, sum, number(type, 0), "");
    LLVMValueRef lower = LLVMBuildSub(emit->builder, sum, number(type, row - 1), "");
    LLVMValueRef from = LLVMBuildSelect(emit->builder, is_negative, lower, sum, "");
    return LLVMBuildSExt(emit->builder, LLVMBuildSDiv(emit->builder, from, number(type, row), ""), emit->i64, "");
}

/* What divides the row, and whatever the columns are multiplied by. */
static int64_t common_factor(const Offset *offset, int64_t row)
{
    int64_t common = row;
    for (size_t i = 0; i < offset->terms.count; i++) {
        const OffsetTerm *term = offset->terms.item[i];
        for (int64_t rest = offset_moves_rows(offset, term, row) ? 0 : term->factor; rest;) {
            int64_t divisor = common;
            common = rest;
            rest = divisor % rest;
        }
    }
    return common < 0 ? -common : common;
}

/* The columns without whole rows of the constant, where all that they are a sum of is part of a number that the type holds. */
static LLVMValueRef sum_of_columns(Padder *padder, const ArrayUse *use, LLVMTypeRef type, int64_t common)
{
    Emit *emit = &padder->emit;
    const Offset *offset = &use->offset;
    int64_t row = padder->padding->row;
    LLVMValueRef sum = NULL;
    for (size_t i = 0; i < offset->terms.count; i++) {
        const OffsetTerm *term = offset->terms.item[i];
        if (!offset_moves_rows(offset, term, row))
            sum = with_term(emit, sum, widened(emit, term, type), term->factor / common, false);
    }
    int64_t constant = floor_div(offset->constant, use->joined) * use->joined;
    constant = floor_div(offset->exact ? floor_mod(constant, row) : constant, common);
    return !sum ? number(type, constant) : constant ? LLVMBuildAdd(emit->builder, sum, number(type, constant), "") : sum;
}

static bool columns_are_of(const Padder *padder, const ArrayUse *use, IrLoop *loop)
{
    for (size_t i = 0; i < use->offset.terms.count; i++) {
        const OffsetTerm *term = use->offset.terms.item[i];
        bool inside = LLVMIsAInstruction(term->value) && ir_loop_has_block(loop, LLVMGetInstructionParent(term->value));
        if (inside && !offset_moves_rows(&use->offset, term, padder->padding->row))
            return true;
    }
    return false;
}

/* Where the columns are divided: in front of the loops that leave them as they are, as nobody moves it there from under a condition. */
static LLVMValueRef place_of_division(const Padder *padder, const ArrayUse *use)
{
    LLVMValueRef place = use->at;
    IrLoop *loop = ir_loop_of(padder->ir, LLVMGetInstructionParent(place));
    for (; loop && ir_loop_before(loop) && !columns_are_of(padder, use, loop); loop = ir_loop_parent(loop))
        place = LLVMGetBasicBlockTerminator(ir_loop_before(loop));
    return place;
}

/* Shared memory ends before that, in front of an array and behind it: whoever goes so far has left it. */
enum { FAR = 1 << 20, MOST_COLUMNS = 1 << 30 };

/* The place is in the array, or near it: what the rows leave of it are the columns, though some index of 64 bits is in them. */
static bool columns_near(const Padding *padding, const Offset *offset, Columns *columns)
{
    int64_t rows = offset->exact ? floor_div(offset->constant, padding->row) * padding->row : 0;
    int64_t low = rows, high = rows;
    for (size_t i = 0; i < offset->terms.count; i++) {
        const OffsetTerm *term = offset->terms.item[i];
        if (!offset_moves_rows(offset, term, padding->row))
            continue;
        if (term->is_wide)
            return false;
        low += term->low;
        high += term->high;
    }
    *columns = (Columns){-FAR - high, FAR + padding->bytes - low, false};
    return columns->low > -MOST_COLUMNS && columns->high < MOST_COLUMNS;
}

static Columns columns_of(const Padding *padding, const Offset *offset)
{
    Columns columns = {.is_wide = false};
    bool is_power = (padding->row & (padding->row - 1)) == 0; /* whose quotient is a shift, as good in 64 bits */
    if (offset_column(offset, padding->row, &columns.low, &columns.high) || (!is_power && columns_near(padding, offset, &columns)))
        return columns;
    return (Columns){-1, 0, true};
}

/* How many rows further the columns lead, and `*less` fewer; NULL where that is none. A piece that is joined lies in one row, which is asked once
 * for all of it. */
static LLVMValueRef rows_in_column(Padder *padder, const ArrayUse *use, int64_t *less)
{
    Emit *emit = &padder->emit;
    int64_t row = padder->padding->row;
    *less = 0;
    if (offset_stays(&use->offset, row))
        return NULL;
    Columns columns = columns_of(padder->padding, &use->offset);
    emit_before(emit, place_of_division(padder, use));
    int64_t common = use->offset.exact && !columns.is_wide ? common_factor(&use->offset, row)
                                                           : 1; /* what may have wrapped is divided as it is */
    LLVMValueRef sum = sum_of_columns(padder, use, columns.is_wide ? emit->i64 : emit->i32, common);
    columns.low = floor_div(columns.low, common);
    columns.high = floor_div(columns.high, common);
    LLVMValueRef rows = divided(emit, sum, row / common, &columns, less);
    emit_before(emit, use->at);
    return rows;
}

/* ---- accesses ---- */

/* The constant of its place. */
static int64_t constant_of(const Padding *padding, const Offset *offset)
{
    return offset->constant + (offset->exact ? floor_div(offset->constant, padding->row) * padding->pad : 0);
}

static LLVMValueRef place_of(Padder *padder, const ArrayUse *use)
{
    Emit *emit = &padder->emit;
    const Offset *offset = &use->offset;
    int64_t row = padder->padding->row, longer = row + padder->padding->pad, constant = constant_of(padder->padding, offset);
    int64_t less;
    LLVMValueRef sum = NULL, rows = rows_in_column(padder, use, &less);
    for (size_t i = 0; i < offset->terms.count; i++) {
        const OffsetTerm *term = offset->terms.item[i];
        bool moves = offset_moves_rows(offset, term, row);
        sum = with_term(emit, sum, widened(emit, term, emit->i64), moves ? term->factor / row * longer : term->factor,
                        offset->exact);
    }
    if (rows)
        sum = with_term(emit, sum, rows, padder->padding->pad, offset->exact);
    constant -= less * padder->padding->pad;
    LLVMValueRef place = sum ? emit_advance(emit, padder->array, sum) : padder->array;
    return constant ? emit_advance_by(emit, place, constant) : place;
}

/* As it was, as far as the row and the pad, of which all that is aligned is made up, are multiples of that; and as its piece is. */
static unsigned alignment_of(const Padding *padding, const ArrayUse *use)
{
    uint64_t both = (uint64_t)padding->row | (uint64_t)padding->pad, most = both & -both, said = LLVMGetAlignment(use->at);
    uint64_t kept = said < most ? said : most, in_piece = (uint64_t)constant_of(padding, &use->offset) | (uint64_t)use->joined;
    uint64_t joined = use->joined > use->unit ? in_piece & -in_piece : 1;
    return (unsigned)(kept > joined ? kept : joined);
}

static void move_use(Padder *padder, const ArrayUse *use)
{
    INVARIANT(padder->padding->row % use->unit == 0 && padder->padding->pad % use->unit == 0);
    emit_before(&padder->emit, use->at);
    LLVMValueRef place = place_of(padder, use);
    bool is_call = LLVMIsACallInst(use->at);
    if (is_call) /* that is named after the types of its operands */
        place = LLVMBuildAddrSpaceCast(padder->emit.builder, place, LLVMTypeOf(LLVMGetOperand(use->at, use->operand)), "");
    LLVMSetOperand(use->at, use->operand, place);
    if (!is_call)
        LLVMSetAlignment(use->at, alignment_of(padder->padding, use));
}

/* Of the array: whatever is joined is aligned in it. */
static unsigned alignment_of_all(const Padding *padding)
{
    unsigned most = LLVMGetAlignment(padding->array);
    for (size_t i = 0; i < padding->uses.count; i++) {
        unsigned joined = (unsigned)((const ArrayUse *)padding->uses.item[i])->joined;
        most = joined > most ? joined : most;
    }
    return most;
}

static LLVMValueRef make_larger(Emit *emit, const Padding *padding)
{
    size_t length;
    const char *name = arena_text(emit->arena, "%s.padded", LLVMGetValueName2(padding->array, &length));
    LLVMTypeRef type = LLVMArrayType2(emit->i8, (uint64_t)padded_bytes(padding, padding->row, padding->pad));
    LLVMValueRef larger = LLVMAddGlobalInAddressSpace(emit->module, type, name, SHARED_SPACE);
    LLVMSetLinkage(larger, LLVMInternalLinkage);
    LLVMSetInitializer(larger, LLVMGetUndef(type));
    LLVMSetAlignment(larger, alignment_of_all(padding));
    return larger;
}

LLVMValueRef padding_rewrite(IrModule *ir, const Padding *padding)
{
    Padder padder = {ir, emit_open(padding->arena, padding->function), padding, NULL};
    padder.array = make_larger(&padder.emit, padding);
    for (size_t i = 0; i < padding->uses.count; i++)
        move_use(&padder, padding->uses.item[i]);
    LLVMReplaceAllUsesWith(padding->array, padder.array); /* of pointers that nothing uses any more */
    LLVMDeleteGlobal(padding->array);
    emit_close(&padder.emit);
    ir_clean(ir, padding->function);
    return padder.array;
}
