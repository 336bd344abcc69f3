/* Inline PTX: each statement becomes decoded instructions, as if it had been IR. Registers of the text are slots; a predicate on
 * a statement is a branch around it. What is not in ptx.def is refused, and then nothing of the text is kept. */
#include "decode.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_OPERANDS = 16, MOST_NAMES = 64, MOST_PARTS = 12, NAME_SIZE = 48 };

typedef enum { IN_REGISTER, IN_MEMORY, IN_LABEL } OperandKind;
typedef struct {
    OperandKind kind;
    uint32_t ref[8];            /* of a vector; one else */
    unsigned count;
    int64_t offset;             /* IN_MEMORY */
    char name[NAME_SIZE];       /* IN_LABEL */
    bool negated, writable;
} Operand;

typedef struct {
    char name[NAME_SIZE];
    uint32_t slot;
} Name;

typedef struct {
    Decoder *d;
    const char *at;
    uint32_t bound[64];         /* $N */
    unsigned bounds;
    Name reg[MOST_NAMES], label[MOST_NAMES];
    unsigned regs, labels;
    struct {
        uint32_t *place;
        char name[NAME_SIZE];
    } jump[MOST_NAMES];
    unsigned jumps;
    Targets *branches[2 * MOST_NAMES];  /* that join at the end of the text */
    unsigned branch_count;
    uint32_t carry;
    bool failed;
    /* the statement at hand */
    char name[96];
    char part[MOST_PARTS][16];
    unsigned parts;
    Operand operand[MOST_OPERANDS];
    unsigned operands;
} Asm;

/* ---- reading ---- */

static void skip_space(Asm *a)
{
    for (;;) {
        a->at += strspn(a->at, " \t\n\r");
        if (strncmp(a->at, "//", 2) == 0)
            a->at += strcspn(a->at, "\n");
        else if (strncmp(a->at, "/*", 2) == 0 && strstr(a->at, "*/"))
            a->at = strstr(a->at, "*/") + 2;
        else
            return;
    }
}

static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_%.$");
}

static bool take(Asm *a, char c)
{
    skip_space(a);
    if (*a->at != c)
        return false;
    a->at++;
    return true;
}

static bool word_take(Asm *a, char *word, size_t size)
{
    skip_space(a);
    size_t length = word_length(a->at);
    if (length == 0 || length >= size)
        return false;
    memcpy(word, a->at, length);
    word[length] = 0;
    a->at += length;
    return true;
}

static int sreg_of(const char *name)
{
    static const struct {
        const char *name;
        int which;
    } table[] = {
#define SREG(name, which) {name, SREG_##which},
#include "intrinsics.def"
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, name) == 0)
            return table[i].which;
    return -1;
}

static uint32_t number_ref(Asm *a, const char *text)
{
    if (text[0] == '0' && (text[1] == 'f' || text[1] == 'd' || text[1] == 'F' || text[1] == 'D'))
        return constant_ref(a->d, strtoull(text + 2, NULL, 16), 0);
    return constant_ref(a->d, strtoull(text, NULL, 0), 0);
}

static bool name_ref(Asm *a, const char *word, Operand *operand)
{
    if (word[0] == '$') {
        unsigned index = (unsigned)atoi(word + 1);
        operand->ref[0] = index < a->bounds ? a->bound[index] : REF_CONST;
        operand->writable = true;
        return index < a->bounds;
    }
    for (unsigned i = a->regs; i-- > 0;)
        if (strcmp(a->reg[i].name, word) == 0) {
            operand->ref[0] = a->reg[i].slot;
            operand->writable = true;
            return true;
        }
    if (word[0] == '%' && sreg_of(word + 1) >= 0) {
        Inst *inst = emit(a->d, OP_SREG);
        inst->imm = sreg_of(word + 1);
        inst->width = strcmp(word, "%clock64") == 0 || strcmp(word, "%globaltimer") == 0 ? 64 : 32;
        inst->dst = slots_take(a->d, 1);
        operand->ref[0] = inst->dst;
        return true;
    }
    return false;
}

static bool scalar_take(Asm *a, Operand *operand)
{
    char word[NAME_SIZE];
    bool minus = take(a, '-');
    operand->negated = take(a, '!');
    if (!word_take(a, word, sizeof word))
        return false;
    if (strcmp(word, "_") == 0) {       /* a result that nobody wants */
        operand->ref[0] = slots_take(a->d, 1);
        return true;
    }
    if (word[0] >= '0' && word[0] <= '9') {
        operand->ref[0] = number_ref(a, word);
        if (minus)
            operand->ref[0] = constant_ref(a->d, 0 - constant_bits(a->d, operand->ref[0]), 0);
        return true;
    }
    if (name_ref(a, word, operand))
        return true;
    operand->kind = IN_LABEL;
    strcpy(operand->name, word);
    return true;
}

static bool vector_take(Asm *a, Operand *operand)
{
    Operand one;
    operand->count = 0;
    do {
        one = (Operand){0};
        if (!scalar_take(a, &one) || one.kind != IN_REGISTER || operand->count == 8)
            return false;
        operand->ref[operand->count++] = one.ref[0];
    } while (take(a, ','));
    return take(a, '}');
}

static bool memory_take(Asm *a, Operand *operand)
{
    if (!scalar_take(a, operand) || operand->kind != IN_REGISTER)
        return false;
    operand->kind = IN_MEMORY;
    if (take(a, '+')) {
        Operand offset = {0};
        if (!scalar_take(a, &offset) || !(offset.ref[0] & REF_CONST))
            return false;
        operand->offset = (int64_t)constant_bits(a->d, offset.ref[0]);
    }
    return take(a, ']');
}

static bool operand_take(Asm *a, Operand *operand)
{
    *operand = (Operand){.count = 1};
    if (take(a, '{'))
        return vector_take(a, operand);
    if (take(a, '['))
        return memory_take(a, operand);
    return scalar_take(a, operand);
}

static bool operands_take(Asm *a)
{
    a->operands = 0;
    if (take(a, ';') || (skip_space(a), *a->at == 0))
        return true;
    do {
        if (a->operands == MOST_OPERANDS || !operand_take(a, &a->operand[a->operands++]))
            return false;
    } while (take(a, ',') || take(a, '|'));
    return take(a, ';') || (skip_space(a), *a->at == 0 || *a->at == '}');
}

static void parts_cut(Asm *a)
{
    a->parts = 0;
    for (const char *at = a->name; *at && a->parts < MOST_PARTS;) {
        size_t length = strcspn(at, ".");
        snprintf(a->part[a->parts++], sizeof a->part[0], "%.*s", (int)(length < 15 ? length : 15), at);
        at += length + (at[length] == '.');
    }
}

static bool has(const Asm *a, const char *part)
{
    for (unsigned i = 1; i < a->parts; i++)
        if (strcmp(a->part[i], part) == 0)
            return true;
    return false;
}

/* ---- types ---- */

typedef struct {
    unsigned width;
    bool real, is_signed, bf16, pair;
} Type;

static bool type_parse(const char *text, Type *type)
{
    *type = (Type){0};
    if (strcmp(text, "pred") == 0) {
        type->width = 1;
        return true;
    }
    if (strncmp(text, "bf16", 4) == 0) {
        *type = (Type){.width = 16, .real = true, .bf16 = true, .pair = strcmp(text + 4, "x2") == 0};
        return true;
    }
    if (!strchr("usbf", *text) || text[1] < '0' || text[1] > '9')
        return false;
    type->width = (unsigned)atoi(text + 1);
    type->real = *text == 'f';
    type->is_signed = *text == 's';
    type->pair = strstr(text, "x2") != NULL;
    return type->width == 8 || type->width == 16 || type->width == 32 || type->width == 64;
}

/* The index-th type suffix from the end. */
static bool type_at(const Asm *a, unsigned from_end, Type *type)
{
    for (unsigned i = a->parts; i-- > 1;)
        if (type_parse(a->part[i], type) && from_end-- == 0)
            return true;
    return false;
}

static uint32_t real_bits(const Asm *a, const Type *type)
{
    return (has(a, "ftz") ? FLAG_FTZ : 0) | (has(a, "rz") ? FLAG_RZ : 0) | (has(a, "rm") ? FLAG_RM : 0)
         | (has(a, "rp") ? FLAG_RP : 0) | (has(a, "sat") ? FLAG_SAT : 0) | (type->bf16 ? FLAG_BF16 : 0);
}

static uint32_t src(const Asm *a, unsigned index)
{
    return index < a->operands ? a->operand[index].ref[0] : REF_CONST;
}

static uint32_t temporary(Asm *a) { return slots_take(a->d, 1); }

static Inst *alu(Asm *a, Op op, unsigned width, unsigned from, uint32_t dst, uint32_t x, uint32_t y, uint32_t z)
{
    return emit_alu(a->d, op, width, from, dst, x, y, z);
}

/* Operands of narrow types may hold more bits in their register. */
static uint32_t cut(Asm *a, uint32_t ref, unsigned width)
{
    if (ref & REF_CONST)
        return constant_ref(a->d, constant_bits(a->d, ref) & width_ones(width), 0);
    uint32_t slot = temporary(a);
    alu(a, OP_TRUNC, width, 64, slot, ref, REF_CONST, REF_CONST);
    return slot;
}

/* ---- statements ---- */

static bool ptx_skip(Asm *a, int64_t imm) { (void)a; (void)imm; return true; }

static bool ptx_zero(Asm *a, int64_t imm)
{
    (void)imm;
    alu(a, OP_MOV, 64, 64, src(a, 0), REF_CONST, REF_CONST, REF_CONST);
    return true;
}

static bool ptx_plain(Asm *a, int64_t op)
{
    emit(a->d, (Op)op)->src[0] = src(a, 0);
    return true;
}

/* Bits [low, low + width) of a register of `whole` bits: shifted at the whole's width, then cut to the part's. */
static void part_of(Asm *a, uint32_t to, uint32_t from, unsigned whole, unsigned low, unsigned width)
{
    uint32_t moved = temporary(a);
    alu(a, OP_SHRC, whole, 64, moved, from, constant_ref(a->d, low, 0), REF_CONST);
    alu(a, OP_MOV, width, 64, to, moved, REF_CONST, REF_CONST);
}

/* Packing and unpacking besides plain moves. */
static bool ptx_mov(Asm *a, int64_t imm)
{
    (void)imm;
    Type type;
    const Operand *to = &a->operand[0], *from = &a->operand[1];
    if (a->operands != 2 || !type_at(a, 0, &type) || from->kind != IN_REGISTER)
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

static bool ptx_cvta(Asm *a, int64_t imm)
{
    Inst *inst = alu(a, OP_ADDI, 64, 64, src(a, 0), src(a, 1), REF_CONST, REF_CONST);
    inst->imm = imm == 1 ? (int64_t)SHARED_BASE : imm == 2 ? -(int64_t)SHARED_BASE : 0;
    return true;
}

/* cvt.TO.FROM; two sources pack two halves. */
static bool ptx_cvt(Asm *a, int64_t imm)
{
    (void)imm;
    Type to, from;
    if (!type_at(a, 1, &to) || !type_at(a, 0, &from))
        return false;
    if (a->operands == 3) {
        if (!to.pair || from.width != 32)
            return false;
        alu(a, OP_PACKHALF, 32, 32, src(a, 0), src(a, 1), src(a, 2), REF_CONST)->flags = (to.bf16 ? FLAG_BF16 : 0)
            | (has(a, "relu") ? FLAG_RELU : 0);
        return true;
    }
    Op op = to.real ? (from.real ? OP_FP_EXT_TRUNC : from.is_signed ? OP_SI_TO_FP : OP_UI_TO_FP)
          : from.real ? (to.is_signed ? OP_FP_TO_SI : OP_FP_TO_UI) : from.is_signed ? OP_SEXT : OP_ZEXT;
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

static bool ptx_shr(Asm *a, int64_t imm)
{
    (void)imm;
    Type type;
    if (!type_at(a, 0, &type))
        return false;
    alu(a, type.is_signed ? OP_ASHR : OP_SHRC, type.width, type.width, src(a, 0), src(a, 1), cut(a, src(a, 2), 32), REF_CONST);
    return true;
}

/* The distance of the leading bit from the top; all ones when there is none. */
static bool ptx_bfind(Asm *a, int64_t imm)
{
    (void)imm;
    Type type;
    if (!type_at(a, 0, &type))
        return false;
    uint32_t place = temporary(a), none = temporary(a), distance = temporary(a), all = constant_ref(a->d, 0xffffffffu, 0);
    alu(a, type.is_signed ? OP_FLOS : OP_FLOU, 32, type.width, place, cut(a, src(a, 1), type.width), REF_CONST, REF_CONST);
    alu(a, OP_EQ, 1, 32, none, place, all, REF_CONST);
    alu(a, OP_SUB, 32, 32, distance, constant_ref(a->d, type.width - 1, 0), place, REF_CONST);
    alu(a, OP_SELECT, 32, 1, src(a, 0), none, all, distance);
    return true;
}

static bool ptx_wide(Asm *a, int64_t adds)
{
    Type type;
    if (!type_at(a, 0, &type))
        return false;
    Op extend = type.is_signed ? OP_SEXT : OP_ZEXT;
    uint32_t x = temporary(a), y = temporary(a);
    alu(a, extend, 2 * type.width, type.width, x, cut(a, src(a, 1), type.width), REF_CONST, REF_CONST);
    alu(a, extend, 2 * type.width, type.width, y, cut(a, src(a, 2), type.width), REF_CONST, REF_CONST);
    alu(a, adds ? OP_MAD : OP_MUL, 2 * type.width, 2 * type.width, src(a, 0), x, y, adds ? src(a, 3) : REF_CONST);
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

static bool ptx_carry(Asm *a, int64_t how)
{
    Type type;
    return type_at(a, 0, &type) && sum_carry(a, how, src(a, 0), src(a, 1), src(a, 2), type.width);
}

static bool ptx_borrow(Asm *a, int64_t how)
{
    Type type;
    if (!type_at(a, 0, &type))
        return false;
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
static bool ptx_mad_carry(Asm *a, int64_t how)
{
    Type type;
    if (!type_at(a, 0, &type))
        return false;
    uint32_t product = temporary(a);
    Op op = how & 4 ? (type.is_signed ? OP_MULHS : OP_MULHU) : OP_MUL;
    alu(a, op, type.width, type.width, product, src(a, 1), src(a, 2), REF_CONST);
    return sum_carry(a, how, src(a, 0), product, src(a, 3), type.width);
}

static bool ptx_bfi(Asm *a, int64_t imm)
{
    (void)imm;
    Type type;
    if (a->operands != 5 || !type_at(a, 0, &type))
        return false;
    uint32_t field = temporary(a);      /* position and length, a byte each */
    alu(a, OP_PACK, 32, 64, field, cut(a, src(a, 3), 8), cut(a, src(a, 4), 8), REF_CONST)->imm = 8;
    alu(a, OP_BFI, type.width, type.width, src(a, 0), src(a, 1), src(a, 2), field);
    return true;
}

static bool ptx_lop3(Asm *a, int64_t imm)
{
    (void)imm;
    if (a->operands != 5 || !(src(a, 4) & REF_CONST))
        return false;
    alu(a, OP_LOP3, 32, 32, src(a, 0), src(a, 1), src(a, 2), src(a, 3))->imm = (int64_t)constant_bits(a->d, src(a, 4));
    return true;
}

/* PTX names the low word first. */
static bool ptx_shf(Asm *a, int64_t how)
{
    static const Op ops[] = {OP_FSHL, OP_FSHR, OP_FSHLC, OP_FSHRC};
    alu(a, ops[how], 32, 32, src(a, 0), src(a, 2), src(a, 1), src(a, 3));
    return true;
}

static bool ptx_selp(Asm *a, int64_t imm)
{
    (void)imm;
    Type type;
    if (!type_at(a, 0, &type))
        return false;
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
        {"eq", OP_EQ, OP_EQ, false, 1}, {"ne", OP_NE, OP_NE, false, 6}, {"lt", OP_ULT, OP_SLT, false, 4},
        {"le", OP_ULE, OP_SLE, false, 5}, {"gt", OP_ULT, OP_SLT, true, 2}, {"ge", OP_ULE, OP_SLE, true, 3},
        {"lo", OP_ULT, OP_ULT, false, 0}, {"ls", OP_ULE, OP_ULE, false, 0}, {"hi", OP_ULT, OP_ULT, true, 0},
        {"hs", OP_ULE, OP_ULE, true, 0}, {"equ", OP_NOP, OP_NOP, false, 9}, {"neu", OP_NOP, OP_NOP, false, 14},
        {"ltu", OP_NOP, OP_NOP, false, 12}, {"leu", OP_NOP, OP_NOP, false, 13}, {"gtu", OP_NOP, OP_NOP, false, 10},
        {"geu", OP_NOP, OP_NOP, false, 11}, {"num", OP_NOP, OP_NOP, false, 7}, {"nan", OP_NOP, OP_NOP, false, 8},
    };
    Type type;
    if (!type_at(a, 0, &type))
        return false;
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

static bool ptx_setp(Asm *a, int64_t imm)
{
    (void)imm;
    if (a->operands == 4) {     /* p|q */
        if (!compare(a, src(a, 0), src(a, 2), src(a, 3)))
            return false;
        alu(a, OP_NOT, 1, 1, src(a, 1), src(a, 0), REF_CONST, REF_CONST);
        return true;
    }
    return a->operands == 3 && compare(a, src(a, 0), src(a, 1), src(a, 2));
}

static bool ptx_set(Asm *a, int64_t imm)
{
    (void)imm;
    Type type;
    uint32_t predicate = temporary(a);
    if (a->operands != 3 || !type_at(a, 1, &type) || type.real || !compare(a, predicate, src(a, 1), src(a, 2)))
        return false;
    alu(a, OP_SEXT, type.width, 1, src(a, 0), predicate, REF_CONST, REF_CONST);
    return true;
}

static bool ptx_dp(Asm *a, int64_t imm)
{
    (void)imm;
    Type x, y;
    if (!type_at(a, 1, &x) || !type_at(a, 0, &y))
        return false;
    alu(a, OP_DP4A, 32, 32, src(a, 0), src(a, 1), src(a, 2), src(a, 3))->imm = (x.is_signed ? 1 : 0) | (y.is_signed ? 2 : 0);
    return true;
}

static bool ptx_isspace(Asm *a, int64_t space)
{
    Inst *inst = emit(a->d, OP_ISSPACE);
    inst->imm = space;
    inst->dst = src(a, 0);
    inst->src[0] = src(a, 1);
    inst->width = 1;
    return true;
}

/* ---- memory ---- */

static uint8_t space_named(const Asm *a)
{
    return has(a, "shared") || has(a, "shared::cta") || has(a, "shared::cluster") ? 3 : has(a, "local") ? 5 : 0;
}

static uint32_t address(Asm *a, const Operand *operand)
{
    if (!operand->offset)
        return operand->ref[0];
    uint32_t slot = temporary(a);
    alu(a, OP_ADDI, 64, 64, slot, operand->ref[0], REF_CONST, REF_CONST)->imm = operand->offset;
    return slot;
}

static Access *ptx_access(Asm *a, const Operand *memory, unsigned count, unsigned width, const uint32_t *refs)
{
    Access *access = access_new(a->d, count);
    Piece *piece = ARENA_ARRAY(a->d->arena, Piece, count + 1);
    unsigned bytes = width < 8 ? 1 : width / 8;
    for (unsigned i = 0; i < count; i++)
        piece[i] = (Piece){refs[i], i * bytes, (uint8_t)bytes, (uint8_t)width};
    access->piece = piece;
    access->bytes = access->align = count * bytes;
    access->space = space_named(a);
    access->scope = has(a, "cta") ? SCOPE_BLOCK : has(a, "gpu") || has(a, "cluster") ? SCOPE_GPU : SCOPE_SYSTEM;
    access->is_volatile = has(a, "volatile") || has(a, "mmio");
    access->order = has(a, "acq_rel") ? ORDER_BOTH : has(a, "acquire") ? ORDER_ACQUIRE : has(a, "release") ? ORDER_RELEASE
                  : has(a, "relaxed") ? ORDER_RELAXED : ORDER_PLAIN;
    (void)memory;
    return access;
}

static bool ptx_load(Asm *a, int64_t imm)
{
    (void)imm;
    Type type;
    if (a->operands < 2 || a->operand[1].kind != IN_MEMORY || !type_at(a, 0, &type))
        return false;
    uint32_t at = address(a, &a->operand[1]);
    Access *access = ptx_access(a, &a->operand[1], a->operand[0].count, type.width, a->operand[0].ref);
    Inst *inst = emit(a->d, OP_LOAD);
    inst->dst = a->operand[0].ref[0];
    inst->src[0] = at;
    inst->ext = access;
    for (unsigned i = 0; i < a->operand[0].count; i++)
        if (type.is_signed && type.width < 32)
            alu(a, OP_SEXT, 32, type.width, a->operand[0].ref[i], a->operand[0].ref[i], REF_CONST, REF_CONST);
    return true;
}

static bool ptx_store(Asm *a, int64_t imm)
{
    (void)imm;
    Type type;
    if (a->operands < 2 || a->operand[0].kind != IN_MEMORY || !type_at(a, 0, &type))
        return false;
    uint32_t at = address(a, &a->operand[0]);
    Access *access = ptx_access(a, &a->operand[0], a->operand[1].count, type.width, a->operand[1].ref);
    Inst *inst = emit(a->d, OP_STORE);
    inst->src[0] = at;
    inst->ext = access;
    return true;
}

static bool atomic_op(const Asm *a, const Type *type, unsigned *rmw)
{
    static const struct {
        const char *name;
        unsigned s, u, real;
    } table[] = {
        {"add", LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpAdd, LLVMAtomicRMWBinOpFAdd},
        {"min", LLVMAtomicRMWBinOpMin, LLVMAtomicRMWBinOpUMin, LLVMAtomicRMWBinOpFMin},
        {"max", LLVMAtomicRMWBinOpMax, LLVMAtomicRMWBinOpUMax, LLVMAtomicRMWBinOpFMax},
        {"and", LLVMAtomicRMWBinOpAnd, LLVMAtomicRMWBinOpAnd, 0}, {"or", LLVMAtomicRMWBinOpOr, LLVMAtomicRMWBinOpOr, 0},
        {"xor", LLVMAtomicRMWBinOpXor, LLVMAtomicRMWBinOpXor, 0}, {"exch", LLVMAtomicRMWBinOpXchg, LLVMAtomicRMWBinOpXchg, 0},
        {"inc", LLVMAtomicRMWBinOpUIncWrap, LLVMAtomicRMWBinOpUIncWrap, 0},
        {"dec", LLVMAtomicRMWBinOpUDecWrap, LLVMAtomicRMWBinOpUDecWrap, 0},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (has(a, table[i].name)) {
            *rmw = type->real ? table[i].real : type->is_signed ? table[i].s : table[i].u;
            return true;
        }
    return false;
}

/* atom: (d, [p], b[, c]), red: ([p], b) */
static bool ptx_atomic(Asm *a, int64_t is_red)
{
    Type type;
    unsigned at = is_red ? 0 : 1, rmw = 0;
    bool cas = has(a, "cas");
    if (a->operands < at + 2 || a->operand[at].kind != IN_MEMORY || !type_at(a, 0, &type) || type.pair
        || (!cas && !atomic_op(a, &type, &rmw)))
        return false;
    uint32_t pointer = address(a, &a->operand[at]), dst = is_red ? temporary(a) : src(a, 0), ok = temporary(a);
    Access *access = ptx_access(a, &a->operand[at], 1, type.width, &dst);
    if (access->order == ORDER_PLAIN)
        access->order = ORDER_RELAXED;
    access->rmw = rmw;
    access->ok_slot = ok;
    Inst *inst = alu(a, cas ? OP_CMPXCHG : OP_ATOMIC, type.width, type.width, dst, pointer, src(a, at + 1), src(a, at + 2));
    inst->ext = access;
    inst->flags = type.bf16 ? FLAG_BF16 : 0;
    return true;
}

static bool ptx_fence(Asm *a, int64_t scope)
{
    emit(a->d, OP_FENCE)->imm = has(a, "cta") ? SCOPE_BLOCK : has(a, "sys") ? SCOPE_SYSTEM : scope;
    return true;
}

/* ---- threads ---- */

static bool ptx_barrier(Asm *a, int64_t imm)
{
    Inst *inst = emit(a->d, OP_BARRIER);
    inst->imm = imm | (a->operands > 1 ? BARRIER_COUNTED : 0) | (a->operands ? 0 : BARRIER_NO_ID);
    inst->src[0] = src(a, 0);
    inst->src[1] = src(a, 1);
    return true;
}

/* (d, id[, count], p) */
static bool ptx_barrier_red(Asm *a, int64_t imm)
{
    bool counted = a->operands == 4;
    Inst *inst = emit(a->d, OP_BARRIER);
    inst->imm = imm | (counted ? BARRIER_COUNTED : 0);
    inst->dst = src(a, 0);
    inst->src[0] = src(a, 1);
    inst->src[1] = src(a, 2);
    inst->src[2] = src(a, 3);
    return a->operands >= 3;
}

static bool ptx_warpsync(Asm *a, int64_t imm)
{
    (void)imm;
    emit(a->d, OP_WARPSYNC)->src[0] = cut(a, src(a, 0), 32);
    return true;
}

/* Results of two slots: the second lies behind the first, and moves to where it belongs. */
static void emit_pair(Asm *a, Op op, int64_t imm, uint32_t first, uint32_t second, const uint32_t *sources)
{
    uint32_t pair = slots_take(a->d, 2);
    Inst *inst = emit(a->d, op);
    inst->imm = imm;
    inst->dst = pair;
    memcpy(inst->src, sources, sizeof inst->src);
    alu(a, OP_MOV, 64, 64, first, pair, REF_CONST, REF_CONST);
    alu(a, OP_MOV, 64, 64, second, pair + 1, REF_CONST, REF_CONST);
}

/* (d[|p], a, b, c, mask) */
static bool ptx_shfl(Asm *a, int64_t mode)
{
    bool has_predicate = a->operands == 6;
    unsigned at = has_predicate ? 2 : 1;
    if (a->operands != at + 4)
        return false;
    uint32_t sources[] = {cut(a, src(a, at + 3), 32), src(a, at), src(a, at + 1), src(a, at + 2)};
    emit_pair(a, OP_SHFL, mode | 4, src(a, 0), has_predicate ? src(a, 1) : temporary(a), sources);
    return true;
}

static bool ptx_vote(Asm *a, int64_t kind)
{
    if (a->operands != 3)
        return false;
    uint32_t value = src(a, 1);
    if (a->operand[1].negated) {
        value = temporary(a);
        alu(a, OP_NOT, 1, 1, value, src(a, 1), REF_CONST, REF_CONST);
    }
    uint32_t mask = cut(a, src(a, 2), 32);
    Inst *inst = emit(a->d, OP_VOTE);
    inst->imm = kind;
    inst->dst = src(a, 0);
    inst->src[0] = mask;
    inst->src[1] = value;
    return true;
}

static bool ptx_match(Asm *a, int64_t all)
{
    bool has_predicate = a->operands == 4;
    unsigned at = has_predicate ? 2 : 1;
    if (a->operands != at + 2)
        return false;
    uint32_t sources[] = {cut(a, src(a, at + 1), 32), src(a, at), REF_CONST, REF_CONST};
    emit_pair(a, OP_MATCH, all, src(a, 0), has_predicate ? src(a, 1) : temporary(a), sources);
    return true;
}

static bool ptx_redux(Asm *a, int64_t kind)
{
    uint32_t mask = cut(a, src(a, 2), 32);
    Inst *inst = emit(a->d, OP_REDUX);
    inst->imm = kind;
    inst->dst = src(a, 0);
    inst->src[0] = src(a, 1);
    inst->src[1] = mask;
    return a->operands == 3;
}

static bool ptx_activemask(Asm *a, int64_t imm)
{
    (void)imm;
    emit(a->d, OP_ACTIVEMASK)->dst = src(a, 0);
    return true;
}

/* ---- asynchronous copies ---- */

static bool ptx_cpasync(Asm *a, int64_t imm)
{
    (void)imm;
    if (a->operands < 3 || a->operand[0].kind != IN_MEMORY || a->operand[1].kind != IN_MEMORY || !(src(a, 2) & REF_CONST))
        return false;
    uint32_t to = address(a, &a->operand[0]), from = address(a, &a->operand[1]);
    Access *access = access_new(a->d, 0);
    access->bytes = (uint32_t)constant_bits(a->d, src(a, 2)) & 31;
    uint32_t size = a->operands > 3 ? cut(a, src(a, 3), 32) : REF_CONST;
    Inst *inst = emit(a->d, OP_CPASYNC);
    inst->imm = access->bytes | (a->operands > 3 && !has(a, "L2::cache_hint") ? 64 : 0);
    inst->src[0] = to;
    inst->src[1] = from;
    inst->src[2] = size;
    inst->ext = access;
    return true;
}

static bool ptx_wait(Asm *a, int64_t op)
{
    emit(a->d, (Op)op)->src[0] = src(a, 0);
    return a->operands == 1;
}

static bool ptx_wait_all(Asm *a, int64_t imm)
{
    (void)imm;
    emit(a->d, OP_CPWAIT)->imm = 1;
    return true;
}

static bool ptx_cpmbar(Asm *a, int64_t no_increment)
{
    uint32_t at = address(a, &a->operand[0]);
    Inst *inst = emit(a->d, OP_CPMBAR);
    inst->imm = no_increment;
    inst->src[0] = at;
    return a->operands == 1;
}

/* in: [to], [from], bytes, [mbarrier]; out: [to], [from], bytes */
static bool ptx_bulk(Asm *a, int64_t kind)
{
    if (a->operands < (kind == BULK_IN ? 4u : 3u))
        return false;
    uint32_t to = address(a, &a->operand[0]), from = address(a, &a->operand[1]), bytes = cut(a, src(a, 2), 32);
    uint32_t mbar = kind == BULK_IN ? address(a, &a->operand[3]) : REF_CONST;
    Inst *inst = emit(a->d, OP_BULK);
    inst->imm = kind;
    inst->src[0] = to;
    inst->src[1] = kind == BULK_IN ? mbar : from;
    inst->src[2] = kind == BULK_IN ? from : bytes;
    inst->src[3] = kind == BULK_IN ? bytes : REF_CONST;
    inst->ext = access_new(a->d, 0);
    return true;
}

/* [state,] [mbarrier] [, operand...] */
static bool ptx_mbar(Asm *a, int64_t kind)
{
    unsigned at = a->operands && a->operand[0].kind != IN_MEMORY ? 1 : 0;
    if (a->operands <= at || a->operand[at].kind != IN_MEMORY)
        return false;
    uint32_t pointer = address(a, &a->operand[at]);
    Inst *inst = emit(a->d, OP_MBAR);
    inst->imm = kind;
    inst->src[0] = pointer;
    inst->src[1] = src(a, at + 1);
    inst->from = (uint8_t)(a->operands - at);
    inst->width = at ? 64 : 0;
    inst->dst = at ? src(a, 0) : temporary(a);
    return true;
}

/* ---- jumping ---- */

static void jump_to(Asm *a, uint32_t *place, const char *name)
{
    if (a->jumps == MOST_NAMES) {
        a->failed = true;
        return;
    }
    a->jump[a->jumps].place = place;
    strcpy(a->jump[a->jumps++].name, name);
}

static Targets *branch_new(Asm *a)
{
    Targets *targets = ARENA_NEW(a->d->arena, Targets);
    if (a->branch_count == 2 * MOST_NAMES)
        a->failed = true;
    else
        a->branches[a->branch_count++] = targets;
    return targets;
}

static bool ptx_bra(Asm *a, int64_t imm)
{
    (void)imm;
    const Operand *target = &a->operand[0];
    if (a->operands != 1 || target->kind != IN_LABEL)
        return false;
    Targets *targets = ARENA_NEW(a->d->arena, Targets);
    emit(a->d, OP_JUMP)->ext = targets;
    jump_to(a, &targets->yes, target->name);
    return true;
}

/* ---- arithmetic by type ---- */

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

static bool ptx_alu(Asm *a, Op s, Op u, Op real)
{
    Type type;
    if (!type_at(a, 0, &type))
        return false;
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

static bool dispatch(Asm *a)
{
    typedef bool Statement(Asm *, int64_t);
    static const struct {
        const char *prefix;
        Statement *run;
        int64_t imm;
        Op s, u, real;
    } table[] = {
#define PTX_ALU(name, s, u, r) {name, NULL, 0, OP_##s, OP_##u, OP_##r},
#define PTX_DO(prefix, handler, imm) {prefix, handler, imm, 0, 0, 0},
#include "ptx.def"
    };
    size_t best = sizeof table / sizeof *table, best_length = 0;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        size_t length = strlen(table[i].prefix);
        if (strncmp(a->name, table[i].prefix, length) != 0 || length <= best_length)
            continue;
        if (!table[i].run && a->name[length] != '.')
            continue;
        best = i;
        best_length = length;
    }
    if (best == sizeof table / sizeof *table)
        return false;
    return table[best].run ? table[best].run(a, table[best].imm) : ptx_alu(a, table[best].s, table[best].u, table[best].real);
}

/* ---- the text ---- */

/* .reg .u32 a, b; or .reg .pred p<4>; */
static bool declare(Asm *a)
{
    char word[NAME_SIZE];
    if (!word_take(a, word, sizeof word))
        return false;
    do {
        if (!word_take(a, word, sizeof word) || a->regs == MOST_NAMES)
            return false;
        if (*word == '.')
            return false;
        strcpy(a->reg[a->regs].name, word);
        a->reg[a->regs++].slot = slots_take(a->d, 1);
    } while (take(a, ','));
    return take(a, ';');
}

/* @p: the statement and a jump behind it, under a branch. */
static bool guarded(Asm *a, const Operand *guard)
{
    Targets *targets = branch_new(a);
    uint32_t condition = guard->ref[0];
    Inst *branch = emit(a->d, OP_BRANCH);
    branch->src[0] = condition;
    branch->ext = targets;
    uint32_t *taken = guard->negated ? &targets->no : &targets->yes, *around = guard->negated ? &targets->yes : &targets->no;
    *taken = a->d->count;
    if (!operands_take(a) || !dispatch(a))
        return false;
    Targets *behind = ARENA_NEW(a->d->arena, Targets);
    emit(a->d, OP_JUMP)->ext = behind;
    behind->yes = *around = a->d->count;
    return true;
}

static bool statement(Asm *a)
{
    Operand guard = {0};
    bool is_guarded = take(a, '@');
    if (is_guarded && (!scalar_take(a, &guard) || guard.kind != IN_REGISTER))
        return false;
    skip_space(a);
    size_t length = strcspn(a->at, " \t\n\r;:");
    if (length == 0 || length >= sizeof a->name)
        return false;
    memcpy(a->name, a->at, length);
    a->name[length] = 0;
    a->at += length;
    if (!is_guarded && *a->at == ':' && a->at[1] != ':') {
        a->at++;
        if (a->labels == MOST_NAMES || length >= NAME_SIZE)
            return false;
        strcpy(a->label[a->labels].name, a->name);
        a->label[a->labels++].slot = a->d->count;
        return true;
    }
    while (*a->at == ':') {     /* a name with ::, as in shared::cta */
        size_t more = strcspn(a->at, " \t\n\r;");
        if (length + more >= sizeof a->name)
            return false;
        memcpy(a->name + length, a->at, more);
        a->name[length += more] = 0;
        a->at += more;
    }
    if (strcmp(a->name, ".reg") == 0)
        return declare(a);
    parts_cut(a);
    return is_guarded ? guarded(a, &guard) : operands_take(a) && dispatch(a);
}

static bool text_decode(Asm *a)
{
    for (;;) {
        skip_space(a);
        if (*a->at == 0)
            break;
        if (*a->at == '{' || *a->at == '}' || *a->at == ';')
            a->at++;
        else if (!statement(a) || a->failed)
            return false;
    }
    if (a->branch_count || a->jumps) {
        Targets *end = ARENA_NEW(a->d->arena, Targets);
        emit(a->d, OP_JUMP)->ext = end;
        end->yes = a->d->count;
    }
    for (unsigned i = 0; i < a->branch_count; i++)
        a->branches[i]->join = a->d->count;
    for (unsigned i = 0; i < a->jumps; i++) {
        unsigned k = 0;
        while (k < a->labels && strcmp(a->label[k].name, a->jump[i].name) != 0)
            k++;
        if (k == a->labels)
            return false;
        *a->jump[i].place = a->label[k].slot;
    }
    return true;
}

/* Outputs first, then inputs; "0" as a constraint means: shares the register of $0. */
static bool operands_bind(Asm *a, LLVMValueRef call, const char *constraints, uint32_t dst)
{
    unsigned output = 0, input = 0;
    for (const char *c = constraints; *c;) {
        size_t length = strcspn(c, ",");
        if (*c == '~') {
            ;
        } else if (*c == '=') {
            if (memchr(c, '*', length))
                return false;
            a->bound[a->bounds++] = dst + output++;
        } else {
            uint32_t ref = value_refs(a->d, LLVMGetOperand(call, input))[0];
            input++;
            if (*c >= '0' && *c <= '9') {
                emit_alu(a->d, OP_MOV, 64, 64, a->bound[atoi(c)], ref, REF_CONST, REF_CONST)->flags = FLAG_FREE;
                a->bound[a->bounds++] = a->bound[atoi(c)];
            } else {
                a->bound[a->bounds++] = ref;
            }
        }
        if (a->bounds == 64)
            return false;
        c += length + (c[length] == ',');
    }
    return true;
}

bool decode_asm(Decoder *d, LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t length;
    const char *text = LLVMGetInlineAsmAsmString(callee, &length);
    const char *constraints = LLVMGetInlineAsmConstraintString(callee, &length);
    Asm *a = ARENA_NEW(d->arena, Asm);
    a->d = d;
    a->at = arena_copy(d->arena, text, strlen(text));
    const Shape *shape = type_shape(d, LLVMTypeOf(call));
    uint32_t count = d->count, dst = slots_take(d, shape->count);
    if (!operands_bind(a, call, constraints, dst) || !text_decode(a)) {
        d->count = count;
        return false;
    }
    uint32_t *refs = ARENA_ARRAY(d->arena, uint32_t, shape->count + 1);
    for (unsigned i = 0; i < shape->count; i++) {
        refs[i] = dst + i;
        /* a register may be wider than the value that the IR sees */
        emit_alu(d, OP_TRUNC, shape->elem[i].width, 64, dst + i, dst + i, REF_CONST, REF_CONST)->flags = FLAG_FREE;
    }
    result_bind(d, call, refs);
    return true;
}
