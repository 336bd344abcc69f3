/* Reading inline PTX: words, operands, the parts of a name, types. */
#include "ptx.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ---- */

void skip_space(Asm *a)
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

bool take(Asm *a, char c)
{
    skip_space(a);
    if (*a->at != c)
        return false;
    a->at++;
    return true;
}

bool word_take(Asm *a, char *word, size_t size)
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
            operand->predicate = a->reg[i].predicate;
            return true;
        }
    if (strcmp(word, "WARP_SZ") == 0) {
        operand->ref[0] = constant_ref(a->d, LANES, 0);
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

bool scalar_take(Asm *a, Operand *operand)
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

bool operands_take(Asm *a)
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

bool has(const Asm *a, const char *part)
{
    for (unsigned i = 1; i < a->parts; i++)
        if (strcmp(a->part[i], part) == 0)
            return true;
    return false;
}

/* ---- types ---- */

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

bool type_at(const Asm *a, unsigned from_end, Type *type)
{
    for (unsigned i = a->parts; i-- > 1;)
        if (type_parse(a->part[i], type) && from_end-- == 0)
            return true;
    *type = (Type){0};
    return false;
}

void parts_cut(Asm *a)
{
    a->parts = 0;
    for (const char *at = a->name; *at && a->parts < MOST_PARTS;) {
        size_t length = strcspn(at, ".");
        snprintf(a->part[a->parts++], sizeof a->part[0], "%.*s", (int)(length < 15 ? length : 15), at);
        at += length + (at[length] == '.');
    }
    type_at(a, 0, &a->type);
}

uint32_t real_bits(const Asm *a, const Type *type)
{
    return (has(a, "ftz") ? FLAG_FTZ : 0) | (has(a, "rz") ? FLAG_RZ : 0) | (has(a, "rm") ? FLAG_RM : 0) |
           (has(a, "rp") ? FLAG_RP : 0) | (has(a, "sat") ? FLAG_SAT : 0) | (type->bf16 ? FLAG_BF16 : 0);
}

uint32_t src(const Asm *a, unsigned index) { return index < a->operands ? a->operand[index].ref[0] : REF_CONST; }

uint32_t temporary(Asm *a) { return slots_take(a->d, 1); }

Inst *alu(Asm *a, Op op, unsigned width, unsigned from, uint32_t dst, uint32_t x, uint32_t y, uint32_t z)
{
    return emit_alu(a->d, op, width, from, dst, x, y, z);
}

uint32_t cut(Asm *a, uint32_t ref, unsigned width)
{
    if (ref & REF_CONST)
        return constant_ref(a->d, constant_bits(a->d, ref) & width_ones(width), 0);
    uint32_t slot = temporary(a);
    alu(a, OP_TRUNC, width, 64, slot, ref, REF_CONST, REF_CONST);
    return slot;
}
