/* Inline PTX: each statement becomes decoded instructions, as if it had been IR. Registers of the text are slots; a predicate on
 * a statement is a branch around it. What is not in ptx.def is refused, and then nothing of the text is kept. */
#include "ptx.h"

#include <stdlib.h>
#include <string.h>

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

bool ptx_bra(Asm *a)
{
    const Operand *target = &a->operand[0];
    if (a->operands != 1 || target->kind != IN_LABEL)
        return false;
    Targets *targets = ARENA_NEW(a->d->arena, Targets);
    emit(a->d, OP_JUMP)->ext = targets;
    jump_to(a, &targets->yes, target->name);
    return true;
}

/* ---- statements ---- */

typedef struct {
    const char *prefix;
    Statement *run;             /* NULL: ptx_alu with the operations below */
    bool typed;                 /* the name must end in a type */
    int64_t imm;
    Op s, u, real;
} Entry;

static const Entry entries[] = {
#define PTX_ALU(name, s, u, r) {name, NULL, true, 0, OP_##s, OP_##u, OP_##r},
#define PTX_TYPED(prefix, handler, imm) {prefix, handler, true, imm, 0, 0, 0},
#define PTX_DO(prefix, handler, imm) {prefix, handler, false, imm, 0, 0, 0},
#include "ptx.def"
};

static bool entry_matches(const Entry *entry, const char *name)
{
    size_t length = strlen(entry->prefix);
    return strncmp(name, entry->prefix, length) == 0 && (entry->run || name[length] == '.');
}

static bool dispatch(Asm *a)
{
    const Entry *best = NULL;
    for (size_t i = 0; i < sizeof entries / sizeof *entries; i++)
        if (entry_matches(&entries[i], a->name) && (!best || strlen(entries[i].prefix) > strlen(best->prefix)))
            best = &entries[i];
    if (!best || (best->typed && !a->type.width))
        return false;
    a->imm = best->imm;
    return best->run ? best->run(a) : ptx_alu(a, best->s, best->u, best->real);
}

/* ---- the text ---- */

/* .reg .u32 a, b; or .reg .pred p<4>; */
static bool declare(Asm *a)
{
    char word[NAME_SIZE];
    if (!word_take(a, word, sizeof word))
        return false;
    bool predicate = strcmp(word, ".pred") == 0;
    do {
        if (!word_take(a, word, sizeof word) || a->regs == MOST_NAMES)
            return false;
        if (*word == '.')
            return false;
        strcpy(a->reg[a->regs].name, word);
        a->reg[a->regs].predicate = predicate;
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

/* The name at hand, or a label: then there is no statement. */
static bool name_take(Asm *a, bool is_guarded, bool *is_label)
{
    skip_space(a);
    size_t length = strcspn(a->at, " \t\n\r;:");
    if (length == 0 || length >= sizeof a->name)
        return false;
    memcpy(a->name, a->at, length);
    a->name[length] = 0;
    a->at += length;
    *is_label = !is_guarded && *a->at == ':' && a->at[1] != ':';
    while (!*is_label && *a->at == ':') {       /* a name with ::, as in shared::cta */
        size_t more = strcspn(a->at, " \t\n\r;");
        if (length + more >= sizeof a->name)
            return false;
        memcpy(a->name + length, a->at, more);
        a->name[length += more] = 0;
        a->at += more;
    }
    return true;
}

static bool label(Asm *a)
{
    a->at++;
    if (a->labels == MOST_NAMES || strlen(a->name) >= NAME_SIZE)
        return false;
    strcpy(a->label[a->labels].name, a->name);
    a->label[a->labels++].slot = a->d->count;
    return true;
}

static bool statement(Asm *a)
{
    static const char reg[] = ".reg";
    Operand guard = {0};
    bool is_guarded = take(a, '@'), is_label;
    if (is_guarded && (!scalar_take(a, &guard) || guard.kind != IN_REGISTER))
        return false;
    if (!name_take(a, is_guarded, &is_label))
        return false;
    if (is_label)
        return label(a);
    const char *behind = a->name + sizeof reg - 1;
    if (strncmp(a->name, reg, sizeof reg - 1) == 0 && (*behind == 0 || *behind == '.')) {
        a->at -= strlen(behind);        /* the type may follow at once: .reg.b32 */
        return declare(a);
    }
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
