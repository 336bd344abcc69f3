/* PTX that computes: each statement becomes one operation or a few. */
#include "ptx.h"

#include <string.h>

bool ptx_skip(Asm *a)
{
    (void)a;
    return true;
}

bool ptx_zero(Asm *a)
{
    alu(a, OP_MOV, 64, 64, src(a, 0), REF_CONST, REF_CONST, REF_CONST);
    return true;
}

bool ptx_plain(Asm *a)
{
    emit(a->d, (Op)a->imm)->src[0] = src(a, 0);
    return true;
}

void part_of(Asm *a, uint32_t to, uint32_t from, unsigned whole, unsigned low, unsigned width)
{
    uint32_t moved = temporary(a);
    alu(a, OP_SHRC, whole, 64, moved, from, constant_ref(a->d, low, 0), REF_CONST);
    alu(a, OP_MOV, width, 64, to, moved, REF_CONST, REF_CONST);
}

/* Packing and unpacking besides plain moves. */
bool ptx_mov(Asm *a)
{
    const Type type = a->type;
    const Operand *to = &a->operand[0], *from = &a->operand[1];
    if (a->operands != 2 || from->kind != IN_REGISTER)
        return false;
    if (to->count > 1) {
        unsigned width = type.width / to->count;
        for (unsigned i = 0; i < to->count; i++)
            part_of(a, to->ref[i], from->ref[0], type.width, i * width, width);
    } else if (from->count > 1) {
        uint32_t sum = from->ref[0];
        for (unsigned i = 1; i < from->count; i++) {
            uint32_t next = i + 1 == from->count ? to->ref[0] : temporary(a);
            alu(a, OP_PACK, type.width, 64, next, sum, from->ref[i], REF_CONST)->imm = (int64_t)(i * type.width / from->count);
            sum = next;
        }
    } else {
        alu(a, OP_MOV, type.width, 64, to->ref[0], from->ref[0], REF_CONST, REF_CONST);
    }
    return true;
}

bool ptx_cvta(Asm *a)
{
    Inst *inst = alu(a, OP_ADDI, 64, 64, src(a, 0), src(a, 1), REF_CONST, REF_CONST);
    inst->imm = a->imm == 1 ? (int64_t)SHARED_BASE : a->imm == 2 ? -(int64_t)SHARED_BASE : 0;
    return true;
}

/* cvt.TO.FROM; two sources pack two halves. */
bool ptx_cvt(Asm *a)
{
    Type to, from = a->type;
    if (!type_at(a, 1, &to))
        return false;
    if (a->operands == 3) {
        if (!to.pair || from.width != 32)
            return false;
        alu(a, OP_PACKHALF, 32, 32, src(a, 0), src(a, 1), src(a, 2), REF_CONST)->flags = (to.bf16 ? FLAG_BF16 : 0) |
                                                                                         (has(a, "relu") ? FLAG_RELU : 0);
        return true;
    }
    Op op = to.real          ? (from.real        ? OP_FP_EXT_TRUNC
                                : from.is_signed ? OP_SI_TO_FP
                                                 : OP_UI_TO_FP)
            : from.real      ? (to.is_signed ? OP_FP_TO_SI : OP_FP_TO_UI)
            : from.is_signed ? OP_SEXT
                             : OP_ZEXT;
    if (to.real && from.real && to.width == from.width && (has(a, "rni") || has(a, "rzi") || has(a, "rmi") || has(a, "rpi")))
        op = has(a, "rni") ? OP_FRINT : has(a, "rzi") ? OP_FTRUNC : has(a, "rmi") ? OP_FFLOOR : OP_FCEIL;
    uint32_t in = cut(a, src(a, 1), from.width);
    Inst *inst = alu(a, op, to.width, from.width, src(a, 0), in, REF_CONST, REF_CONST);
    if (op == OP_FP_TO_SI || op == OP_FP_TO_UI)
        inst->imm = has(a, "rni") ? 1 : has(a, "rmi") ? 2 : has(a, "rpi") ? 3 : 0;
    inst->flags = (op == OP_SEXT || op == OP_ZEXT ? 0 : real_bits(a, &to)) | (from.bf16 ? FLAG_FROM_BF16 : 0);
    if (from.bf16 && !to.real)
        inst->flags |= FLAG_BF16;
    return true;
}

bool ptx_shr(Asm *a)
{
    const Type type = a->type;
    alu(a, type.is_signed ? OP_ASHR : OP_SHRC, type.width, type.width, src(a, 0), src(a, 1), cut(a, src(a, 2), 32), REF_CONST);
    return true;
}

/* The distance of the leading bit from the top; all ones when there is none. */
bool ptx_bfind(Asm *a)
{
    const Type type = a->type;
    uint32_t place = temporary(a), none = temporary(a), distance = temporary(a), all = constant_ref(a->d, 0xffffffffu, 0);
    alu(a, type.is_signed ? OP_FLOS : OP_FLOU, 32, type.width, place, cut(a, src(a, 1), type.width), REF_CONST, REF_CONST);
    alu(a, OP_EQ, 1, 32, none, place, all, REF_CONST);
    alu(a, OP_SUB, 32, 32, distance, constant_ref(a->d, type.width - 1, 0), place, REF_CONST);
    alu(a, OP_SELECT, 32, 1, src(a, 0), none, all, distance);
    return true;
}

bool ptx_wide(Asm *a)
{
    const Type type = a->type;
    Op extend = type.is_signed ? OP_SEXT : OP_ZEXT;
    uint32_t x = temporary(a), y = temporary(a);
    alu(a, extend, 2 * type.width, type.width, x, cut(a, src(a, 1), type.width), REF_CONST, REF_CONST);
    alu(a, extend, 2 * type.width, type.width, y, cut(a, src(a, 2), type.width), REF_CONST, REF_CONST);
    alu(a, a->imm ? OP_MAD : OP_MUL, 2 * type.width, 2 * type.width, src(a, 0), x, y, a->imm ? src(a, 3) : REF_CONST);
    return true;
}

static uint32_t carry_slot(Asm *a)
{
    if (!a->carry)
        a->carry = slots_take(a->d, 1);
    return a->carry;
}

/* dst = x + y + carry in; how: bit 0 carry out, bit 1 carry in */
static bool sum_carry(Asm *a, int64_t how, uint32_t dst, uint32_t x, uint32_t y, unsigned width)
{
    uint32_t carry = carry_slot(a), first = temporary(a), out_first = temporary(a), sum = temporary(a), out_second = temporary(a);
    uint32_t in = how & 2 ? carry : REF_CONST;
    alu(a, OP_ADD, width, width, first, x, y, REF_CONST);
    alu(a, OP_UADDO, 1, width, out_first, x, y, REF_CONST);
    alu(a, OP_ADD, width, width, sum, first, in, REF_CONST);
    alu(a, OP_UADDO, 1, width, out_second, first, in, REF_CONST);
    if (how & 1)
        alu(a, OP_OR, 1, 1, carry, out_first, out_second, REF_CONST);
    alu(a, OP_MOV, width, width, dst, sum, REF_CONST, REF_CONST);
    return true;
}

bool ptx_carry(Asm *a) { return sum_carry(a, a->imm, src(a, 0), src(a, 1), src(a, 2), a->type.width); }

bool ptx_borrow(Asm *a)
{
    int64_t how = a->imm;
    const Type type = a->type;
    uint32_t carry = carry_slot(a), first = temporary(a), out_first = temporary(a), sum = temporary(a), out_second = temporary(a);
    uint32_t in = how & 2 ? carry : REF_CONST;
    alu(a, OP_SUB, type.width, type.width, first, src(a, 1), src(a, 2), REF_CONST);
    alu(a, OP_USUBO, 1, type.width, out_first, src(a, 1), src(a, 2), REF_CONST);
    alu(a, OP_SUB, type.width, type.width, sum, first, in, REF_CONST);
    alu(a, OP_USUBO, 1, type.width, out_second, first, in, REF_CONST);
    if (how & 1)
        alu(a, OP_OR, 1, 1, carry, out_first, out_second, REF_CONST);
    alu(a, OP_MOV, type.width, type.width, src(a, 0), sum, REF_CONST, REF_CONST);
    return true;
}

/* how: bits 0 and 1 as above, bit 2 the high half of the product */
bool ptx_mad_carry(Asm *a)
{
    int64_t how = a->imm;
    const Type type = a->type;
    uint32_t product = temporary(a);
    Op op = how & 4 ? (type.is_signed ? OP_MULHS : OP_MULHU) : OP_MUL;
    alu(a, op, type.width, type.width, product, src(a, 1), src(a, 2), REF_CONST);
    return sum_carry(a, how, src(a, 0), product, src(a, 3), type.width);
}

bool ptx_bfi(Asm *a)
{
    const Type type = a->type;
    if (a->operands != 5)
        return false;
    uint32_t field = temporary(a);      /* position and length, a byte each */
    alu(a, OP_PACK, 32, 64, field, cut(a, src(a, 3), 8), cut(a, src(a, 4), 8), REF_CONST)->imm = 8;
    alu(a, OP_BFI, type.width, type.width, src(a, 0), src(a, 1), src(a, 2), field);
    return true;
}

bool ptx_lop3(Asm *a)
{
    if (a->operands != 5 || !(src(a, 4) & REF_CONST))
        return false;
    alu(a, OP_LOP3, 32, 32, src(a, 0), src(a, 1), src(a, 2), src(a, 3))->imm = (int64_t)constant_bits(a->d, src(a, 4));
    return true;
}

bool ptx_prmt(Asm *a)
{
    alu(a, OP_PRMT, 32, 32, src(a, 0), src(a, 1), src(a, 2), src(a, 3))->imm = a->imm;
    return a->operands == 4;
}

/* PTX names the low word first. */
bool ptx_shf(Asm *a)
{
    int64_t how = a->imm;
    static const Op ops[] = {OP_FSHL, OP_FSHR, OP_FSHLC, OP_FSHRC};
    alu(a, ops[how], 32, 32, src(a, 0), src(a, 2), src(a, 1), src(a, 3));
    return true;
}

bool ptx_selp(Asm *a)
{
    const Type type = a->type;
    alu(a, OP_SELECT, type.width, 1, src(a, 0), src(a, 3), src(a, 1), src(a, 2));
    return true;
}

static bool compare(Asm *a, uint32_t dst, uint32_t x, uint32_t y)
{
    static const struct {
        const char *name;
        Op u, s;
        bool swap;
        unsigned real;          /* LLVM's predicate */
    } table[] = {
        {"eq", OP_EQ, OP_EQ, false, 1},     {"ne", OP_NE, OP_NE, false, 6},     {"lt", OP_ULT, OP_SLT, false, 4},
        {"le", OP_ULE, OP_SLE, false, 5},   {"gt", OP_ULT, OP_SLT, true, 2},    {"ge", OP_ULE, OP_SLE, true, 3},
        {"lo", OP_ULT, OP_ULT, false, 0},   {"ls", OP_ULE, OP_ULE, false, 0},   {"hi", OP_ULT, OP_ULT, true, 0},
        {"hs", OP_ULE, OP_ULE, true, 0},    {"equ", OP_NOP, OP_NOP, false, 9},  {"neu", OP_NOP, OP_NOP, false, 14},
        {"ltu", OP_NOP, OP_NOP, false, 12}, {"leu", OP_NOP, OP_NOP, false, 13}, {"gtu", OP_NOP, OP_NOP, false, 10},
        {"geu", OP_NOP, OP_NOP, false, 11}, {"num", OP_NOP, OP_NOP, false, 7},  {"nan", OP_NOP, OP_NOP, false, 8},
    };
    const Type type = a->type;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (strcmp(a->part[1], table[i].name) != 0)
            continue;
        if (type.real) {
            Inst *inst = alu(a, OP_FCMP, 1, type.width, dst, x, y, REF_CONST);
            inst->imm = table[i].real;
            inst->flags = real_bits(a, &type);
            return table[i].real != 0;
        }
        Op op = type.is_signed ? table[i].s : table[i].u;
        bool swap = table[i].swap;
        if (op == OP_NOP)
            return false;
        x = cut(a, x, type.width);
        y = cut(a, y, type.width);
        alu(a, op, 1, type.width, dst, swap ? y : x, swap ? x : y, REF_CONST);
        return true;
    }
    return false;
}

/* setp.lt.and.u32 p, a, b, c: the comparison, and another predicate. */
static bool set_combined(Asm *a, Op op)
{
    uint32_t compared = temporary(a);
    if (a->operands != 4 || a->operand[3].negated || !compare(a, compared, src(a, 1), src(a, 2)))
        return false;
    alu(a, op, 1, 1, src(a, 0), compared, src(a, 3), REF_CONST);
    return true;
}

bool ptx_setp(Asm *a)
{
    if (has(a, "and") || has(a, "or") || has(a, "xor"))
        return set_combined(a, has(a, "and") ? OP_AND : has(a, "or") ? OP_OR : OP_XOR);
    if (a->operands == 4) {     /* p|q */
        if (!compare(a, src(a, 0), src(a, 2), src(a, 3)))
            return false;
        alu(a, OP_NOT, 1, 1, src(a, 1), src(a, 0), REF_CONST, REF_CONST);
        return true;
    }
    return a->operands == 3 && compare(a, src(a, 0), src(a, 1), src(a, 2));
}

/* What set gives where the comparison holds: 1 of real results, else all ones. */
static uint32_t set_value(Asm *a, const Type *type, unsigned width)
{
    uint64_t one = type->bf16 ? 0x3f80 : width == 16 ? 0x3c00 : 0x3f800000;
    return constant_ref(a->d, type->real ? one : width_ones(width), 0);
}

static bool set_one(Asm *a, uint32_t dst, uint32_t x, uint32_t y, uint32_t yes)
{
    uint32_t predicate = temporary(a);
    if (!compare(a, predicate, x, y))
        return false;
    alu(a, OP_SELECT, 32, 1, dst, predicate, yes, constant_ref(a->d, 0, 0));
    return true;
}

static bool set_pair(Asm *a, uint32_t yes)
{
    uint32_t half[2];
    for (unsigned i = 0; i < 2; i++) {
        uint32_t x = temporary(a), y = temporary(a);
        part_of(a, x, src(a, 1), 32, 16 * i, 16);
        part_of(a, y, src(a, 2), 32, 16 * i, 16);
        half[i] = temporary(a);
        if (!set_one(a, half[i], x, y, yes))
            return false;
    }
    alu(a, OP_PACK, 32, 64, src(a, 0), half[0], half[1], REF_CONST)->imm = 16;
    return true;
}

bool ptx_set(Asm *a)
{
    Type type;
    if (a->operands != 3 || !type_at(a, 1, &type))
        return false;
    if (a->type.pair)
        return set_pair(a, set_value(a, &type, 16));
    return set_one(a, src(a, 0), src(a, 1), src(a, 2), set_value(a, &type, type.width));
}

/* how: 4 takes the upper bytes */
static bool dot(Asm *a, Op op, int64_t how)
{
    Type x, y = a->type;
    if (!type_at(a, 1, &x) || a->operands != 4)
        return false;
    alu(a, op, 32, 32, src(a, 0), src(a, 1), src(a, 2), src(a, 3))->imm = (x.is_signed ? 1 : 0) | (y.is_signed ? 2 : 0) | how;
    return true;
}

bool ptx_dp4a(Asm *a) { return dot(a, OP_DP4A, 0); }

bool ptx_dp2a(Asm *a) { return dot(a, OP_DP2A, a->imm); }

/* ---- by type ---- */

static bool pair_op(Asm *a, Op op, const Type *type)
{
    uint32_t half[2];
    for (unsigned i = 0; i < 2; i++) {
        uint32_t in[3] = {REF_CONST, REF_CONST, REF_CONST};
        for (unsigned k = 1; k < a->operands && k < 4; k++) {
            in[k - 1] = temporary(a);
            part_of(a, in[k - 1], src(a, k), 32, 16 * i, 16);
        }
        half[i] = temporary(a);
        alu(a, op, 16, 16, half[i], in[0], in[1], in[2])->flags = real_bits(a, type);
    }
    alu(a, OP_PACK, 32, 64, src(a, 0), half[0], half[1], REF_CONST)->imm = 16;
    return true;
}

bool ptx_alu(Asm *a, Op s, Op u, Op real)
{
    const Type type = a->type;
    Op op = type.real ? real : type.is_signed ? s : u;
    if (op == OP_NOP || a->operands < 2)
        return false;
    if (type.real && has(a, "NaN"))
        op = op == OP_FMINNUM ? OP_FMINIMUM : op == OP_FMAXNUM ? OP_FMAXIMUM : op;
    if (type.pair)
        return type.real && pair_op(a, op, &type);
    uint32_t in[3] = {REF_CONST, REF_CONST, REF_CONST};
    for (unsigned k = 1; k < a->operands && k < 4; k++)
        in[k - 1] = type.width < 64 && !type.real ? cut(a, src(a, k), type.width) : src(a, k);
    unsigned width = op == OP_CTPOP || op == OP_CTLZ ? 32 : type.width;
    Inst *inst = alu(a, op, width, type.width, src(a, 0), in[0], in[1], in[2]);
    if (type.real)
        inst->flags = real_bits(a, &type);
    return true;
}
