/* What the names of the tensor cores' instructions say, of intrinsics and of PTX, word by word; and their operands. */
#include "tensor.h"

#include <string.h>

typedef enum { FAMILY_NONE, FAMILY_MMA, FAMILY_WMMA, FAMILY_LDMATRIX, FAMILY_STMATRIX } Family;
enum { MOST_NUMBERS = 4, MOST_LAYOUTS = 2, WMMA_HALVES = 16, REGISTER = 32, WORD_SIZE = 32 };

/* A name's words. */
typedef struct {
    Family family;
    TensorKind kind;
    unsigned part;              /* of wmma.load and wmma.store */
    unsigned m, n, k, times;
    Number number[MOST_NUMBERS];
    unsigned numbers, layouts;
    bool column[MOST_LAYOUTS];
    bool transposes, saturates, is_ptx;
    uint8_t space;
} Words;

static const struct {
    const char *name;
    uint8_t bits;
    Number sum;
} numbers[] = {
#define NUMBER(name, bits, sum) {#name, bits, NUMBER_##sum},
#include "tensor.def"
};

static const struct {
    Family family;
    unsigned m, n, k;
    Number number;
} shapes[] = {
#define SHAPE(family, m, n, k, number) {FAMILY_##family, m, n, k, NUMBER_##number},
#include "tensor.def"
};

/* ---- words ---- */

static bool number_word(Words *w, const char *word)
{
    for (unsigned i = 0; i < NUMBERS; i++)
        if (strcmp(numbers[i].name, word) == 0 && w->numbers < MOST_NUMBERS) {
            w->number[w->numbers++] = (Number)i;
            return true;
        }
    return false;
}

static bool family_word(Words *w, const char *word)
{
    static const struct {
        const char *name;
        Family family;
        TensorKind kind;
    } table[] = {
        {"mma", FAMILY_MMA, TENSOR_PRODUCT},        {"wmma", FAMILY_WMMA, TENSOR_PRODUCT},
        {"ldmatrix", FAMILY_LDMATRIX, TENSOR_LOAD}, {"stmatrix", FAMILY_STMATRIX, TENSOR_STORE},
        {"load", FAMILY_WMMA, TENSOR_LOAD},         {"store", FAMILY_WMMA, TENSOR_STORE},       /* wmma.load, wmma.store */
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++)
        if (strcmp(table[i].name, word) == 0) {
            w->family = w->family == FAMILY_NONE ? table[i].family : w->family;         /* wmma.mma is of wmma */
            w->kind = table[i].kind;
            return true;
        }
    return false;
}

static bool layout_word(Words *w, const char *word)
{
    bool column = strcmp(word, "col") == 0;
    if ((!column && strcmp(word, "row") != 0) || w->layouts == MOST_LAYOUTS)
        return false;
    w->column[w->layouts++] = column;
    return true;
}

static bool shape_word(Words *w, const char *word)
{
    int length = 0;
    if (sscanf(word, "m%un%u%n", &w->m, &w->n, &length) != 2)
        return false;
    if (word[length] == 0)
        return true;
    word += length;
    return sscanf(word, "k%u%n", &w->k, &length) == 1 && word[length] == 0;
}

/* Words that need no more than being noted. */
static bool plain_word(Words *w, const char *word)
{
    static const char *const nothing[] = {"llvm", "nvvm", "sync", "aligned", "stride", "p0", "p1", "p3"};
    for (size_t i = 0; i < sizeof nothing / sizeof *nothing; i++)
        if (strcmp(nothing[i], word) == 0)
            return true;
    bool is_part = word[0] >= 'a' && word[0] <= 'd' && word[1] == 0;
    bool times = word[0] == 'x' && word[1] && strchr("124", word[1]) && word[2] == 0;
    bool shared = strcmp(word, "shared") == 0 || strcmp(word, "shared::cta") == 0, global = strcmp(word, "global") == 0;
    bool trans = strcmp(word, "trans") == 0, saturates = strcmp(word, "satfinite") == 0;
    w->part = is_part ? (unsigned)(word[0] - 'a') : w->part;
    w->times = times ? (unsigned)(word[1] - '0') : w->times;
    w->space = shared ? 3 : global ? 1 : w->space;
    w->transposes |= trans;
    w->saturates |= saturates;
    return is_part || times || shared || global || trans || saturates;
}

static bool words_read(Words *w, const char *name)
{
    while (*name) {
        char word[WORD_SIZE];
        size_t length = strcspn(name, ".");
        if (length >= sizeof word)
            return false;
        memcpy(word, name, length);
        word[length] = 0;
        if (!family_word(w, word) && !number_word(w, word) && !layout_word(w, word) && !shape_word(w, word) && !plain_word(w, word))
            return false;
        name += length + (name[length] == '.');
    }
    return true;
}

/* ---- what they say together ---- */

static bool sums_in(Number factor, Number sum) { return numbers[factor].sum == sum || (factor == NUMBER_f16 && sum == NUMBER_f32); }

/* Is there such a product, of factors of this kind, or (as_sum) one that adds up in it? */
static bool shape_known(const Words *w, Number number, bool as_sum)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        if (shapes[i].family == w->family && shapes[i].m == w->m && shapes[i].n == w->n && shapes[i].k == w->k &&
            (as_sum ? sums_in(shapes[i].number, number) : shapes[i].number == number))
            return true;
    return false;
}

static Part part_new(const Words *w, unsigned which, Number number)
{
    bool is_sum = which == PART_C || which == PART_D;
    Part part = {.number = number, .bits = numbers[number].bits};
    part.rows = (uint8_t)(which == PART_B ? w->n : w->m);
    part.columns = (uint8_t)(is_sum ? w->n : w->k);
    part.run = (uint8_t)(is_sum ? 2 : REGISTER / part.bits);
    part.per = (uint8_t)(number == NUMBER_f16 && !w->is_ptx ? 1 : REGISTER / part.bits);        /* <2 x half> is two slots */
    bool copies = w->family == FAMILY_WMMA && number == NUMBER_f16 && !is_sum;
    part.slots = (uint8_t)((copies ? WMMA_HALVES : part_held(&part)) / part.per);
    return part;
}

/* Which numbers of a, b, c, d a product's name gives: all (d, a, b, c), those of halves' sums (d, c), or the factors'. */
static bool product_numbers(const Words *w, Number *number)
{
    const Number *given = w->number;
    bool all = w->numbers == MOST_NUMBERS, halves = w->numbers == 2 && sums_in(NUMBER_f16, given[0]);
    if (w->numbers != 1 && w->numbers != 2 && !all)
        return false;
    number[PART_A] = all ? given[1] : halves ? NUMBER_f16 : given[0];
    number[PART_B] = all ? given[2] : halves ? NUMBER_f16 : given[w->numbers - 1];
    number[PART_C] = all ? given[3] : halves ? given[1] : numbers[given[0]].sum;
    number[PART_D] = all || halves ? given[0] : numbers[given[0]].sum;
    return shape_known(w, number[PART_A], false) && shape_known(w, number[PART_B], false) &&
           sums_in(number[PART_A], number[PART_C]) && sums_in(number[PART_A], number[PART_D]) &&
           (numbers[number[PART_A]].sum == numbers[number[PART_B]].sum);
}

static bool product_named(Tensor *tensor, const Words *w)
{
    Number number[PARTS];
    bool row_col = w->layouts == 2 && !w->column[0] && w->column[1];
    if (w->layouts != 2 || (w->family == FAMILY_MMA && !row_col) || w->transposes || w->times || !product_numbers(w, number))
        return false;
    tensor->saturates = w->saturates;
    for (unsigned i = 0; i < PARTS; i++)
        tensor->part[i] = part_new(w, i, number[i]);
    return true;
}

/* ldmatrix and stmatrix: matrices of 8 x 8, one below the other. */
static bool matrices_named(Tensor *tensor, const Words *w)
{
    if (w->m != PART_ROWS || w->n != PART_ROWS || w->k || !w->times || w->numbers != 1 || w->number[0] != NUMBER_b16 ||
        w->layouts || w->saturates || w->space == 1)
        return false;
    Words stacked = *w;
    stacked.m = PART_ROWS * w->times;
    tensor->part[PART_D] = part_new(&stacked, PART_D, NUMBER_b16);
    tensor->moved = PART_D;
    tensor->by_lane = true;
    tensor->crossed = w->transposes;
    tensor->block = PART_ROWS;
    return true;
}

static bool moved_named(Decoder *d, Tensor *tensor, const Words *w)
{
    bool is_sum = w->part == PART_C || w->part == PART_D, is_b = w->part == PART_B;
    if (w->numbers != 1 || w->layouts != 1 || w->times || w->transposes || w->saturates ||
        (w->kind == TENSOR_STORE) != (w->part == PART_D) || !shape_known(w, w->number[0], is_sum))
        return false;
    Part *part = &tensor->part[w->part];
    *part = part_new(w, w->part, w->number[0]);
    tensor->moved = w->part;
    tensor->crossed = w->column[0] != is_b;
    tensor->block = part->rows;
    tensor->stride = constant_ref(d, tensor->crossed ? part->rows : part->columns, 0);
    return true;
}

bool tensor_named(Decoder *d, Tensor *tensor, const char *name, bool is_ptx)
{
    Words w = {.is_ptx = is_ptx};
    if (!words_read(&w, name))
        return false;
    *tensor = (Tensor){.kind = w.kind, .stride = REF_CONST};
    if (w.kind == TENSOR_PRODUCT)
        return product_named(tensor, &w);
    if (!(w.family == FAMILY_WMMA ? moved_named(d, tensor, &w) : matrices_named(tensor, &w)))
        return false;
    tensor->access = access_new(d, 0);
    tensor->access->space = w.space;
    return true;
}

/* ---- intrinsics ---- */

/* The operands' scalars, one after the other. */
static uint32_t *operands_flat(Decoder *d, LLVMValueRef call, unsigned *count)
{
    unsigned args = LLVMGetNumArgOperands(call);
    *count = 0;
    for (unsigned i = 0; i < args; i++)
        *count += type_shape(d, LLVMTypeOf(LLVMGetOperand(call, i)))->count;
    uint32_t *flat = ARENA_ARRAY(d->arena, uint32_t, *count + 2), *next = flat;
    for (unsigned i = 0; i < args; i++) {
        LLVMValueRef value = LLVMGetOperand(call, i);
        unsigned scalars = type_shape(d, LLVMTypeOf(value))->count;
        memcpy(next, value_refs(d, value), scalars * sizeof *next);
        next += scalars;
    }
    return flat;
}

static bool product_bind(Tensor *tensor, const uint32_t *flat, unsigned count)
{
    for (unsigned i = PART_A; i <= PART_C; i++) {
        if (count < tensor->part[i].slots)
            return false;
        tensor->part[i].ref = flat;
        flat += tensor->part[i].slots;
        count -= tensor->part[i].slots;
    }
    return count == 0;
}

/* address[, what is stored][, stride] */
static bool moved_bind(Tensor *tensor, LLVMValueRef call, const uint32_t *flat, unsigned count)
{
    Part *part = &tensor->part[tensor->moved];
    unsigned before = 1 + (tensor->kind == TENSOR_STORE ? part->slots : 0u);
    if (count != before && (tensor->by_lane || count != before + 1))
        return false;
    tensor->address = flat[0];
    tensor->access->space = (uint8_t)LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(call, 0)));
    if (tensor->kind == TENSOR_STORE)
        part->ref = flat + 1;
    if (count > before)
        tensor->stride = flat[before];
    return true;
}

bool call_tensor(Decoder *d, LLVMValueRef call, const char *name)
{
    static const char *const prefixes[] = {"llvm.nvvm.mma.", "llvm.nvvm.wmma.", "llvm.nvvm.ldmatrix.", "llvm.nvvm.stmatrix."};
    bool ours = false;
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        ours |= strncmp(name, prefixes[i], strlen(prefixes[i])) == 0;
    Tensor *tensor = ARENA_NEW(d->arena, Tensor);
    if (!ours || !tensor_named(d, tensor, name, false))
        return false;
    unsigned count, results = type_shape(d, LLVMTypeOf(call))->count;
    const uint32_t *flat = operands_flat(d, call, &count);
    Part *result = tensor->kind == TENSOR_PRODUCT ? &tensor->part[PART_D] : &tensor->part[tensor->moved];
    bool bound = tensor->kind == TENSOR_PRODUCT ? product_bind(tensor, flat, count) : moved_bind(tensor, call, flat, count);
    if (!bound || results != (tensor->kind == TENSOR_STORE ? 0 : result->slots))
        return false;
    if (results) {
        result_take(d, call, results);
        result->ref = map_get(d->values, call);
    }
    emit(d, OP_TENSOR)->ext = tensor;
    return true;
}
