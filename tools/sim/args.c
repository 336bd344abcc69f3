/* Arguments of the kernel: KIND:VALUE on the command line. */
#include "sim.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static bool number_u64(const char *text, uint64_t *value)
{
    char *end;
    errno = 0;
    if (*text == 0)
        return false;
    *value = *text == '-' ? (uint64_t)strtoll(text, &end, 0) : strtoull(text, &end, 0);
    return *end == 0 && errno == 0;
}

static bool number_real(const char *text, double *value)
{
    char *end;
    *value = strtod(text, &end);
    return *text && *end == 0;
}

static bool parse_scalar(Arg *arg, const char *value)
{
    double real;
    float single;
    switch (arg->kind) {
    case ARG_I32:
        if (!number_u64(value, &arg->value) || (arg->value > 0xffffffffu && (int64_t)arg->value < INT32_MIN) ||
            ((int64_t)arg->value > 0xffffffffll))
            return false;
        arg->value &= 0xffffffffu;
        return true;
    case ARG_I64: return number_u64(value, &arg->value);
    case ARG_F32:
        if (!number_real(value, &real))
            return false;
        single = (float)real;
        memcpy(&arg->value, &single, sizeof single);
        return true;
    default:
        if (!number_real(value, &real))
            return false;
        memcpy(&arg->value, &real, sizeof real);
        return true;
    }
}

static bool file_size(Arg *arg)
{
    FILE *file = fopen(arg->path, "rb");
    if (!file)
        return false;
    fseek(file, 0, SEEK_END);
    arg->bytes = (uint64_t)ftell(file);
    fclose(file);
    return true;
}

/* rand:BYTES[:SEED] */
static bool parse_random(Arg *arg, const char *value)
{
    char *end;
    errno = 0;
    arg->bytes = strtoull(value, &end, 0);
    if (end == value || errno || (*end && *end != ':'))
        return false;
    return *end == 0 || number_u64(end + 1, &arg->seed);
}

static bool parse_ref(Arg *arg, const char *value)
{
    char *end;
    arg->target = (unsigned)strtoul(value, &end, 10);
    if (end == value)
        return false;
    if (*end == 0)
        return true;
    return *end == '+' ? number_u64(end + 1, &arg->value) : *end == '-' && number_u64(end, &arg->value);
}

/* struct:ITEM,ITEM...: only its size now; the items are read again when it is filled. */
static bool parse_struct(Arg *arg, const char *items)
{
    Arg member;
    uint64_t offset;
    unsigned align = 1;
    arg->path = items;
    while (*items) {
        if (!arg_member(&items, &member, &offset, &arg->bytes))
            return false;
        align = arg->bytes - offset > align ? (unsigned)(arg->bytes - offset) : align;
    }
    arg->bytes = (arg->bytes + align - 1) / align * align;
    return arg->bytes != 0;
}

static const struct {
    const char *name;
    ArgKind kind;
    Fill fill;
    unsigned unit;              /* bytes of one of the count; 0: as the kind says */
} kinds[] = {
    {"i32", ARG_I32, FILL_NONE, 0},     {"i64", ARG_I64, FILL_NONE, 0},         {"f32", ARG_F32, FILL_NONE, 0},
    {"f64", ARG_F64, FILL_NONE, 0},     {"buf", ARG_BUFFER, FILL_NONE, 1},      {"zero", ARG_BUFFER, FILL_ZERO, 1},
    {"rand", ARG_BUFFER, FILL_RAND, 1}, {"frand", ARG_BUFFER, FILL_FRAND, 1},   {"drand", ARG_BUFFER, FILL_DRAND, 1},
    {"iota", ARG_BUFFER, FILL_IOTA, 4}, {"bits", ARG_BUFFER, FILL_BITS, 4},     {"perm", ARG_BUFFER, FILL_PERM, 4},
    {"file", ARG_BUFFER, FILL_FILE, 0}, {"struct", ARG_BUFFER, FILL_STRUCT, 0}, {"ref", ARG_REF, FILL_NONE, 0},
};

bool arg_parse(Arg *arg, const char *text)
{
    *arg = (Arg){.text = text, .seed = 1};
    if (strcmp(text, "null") == 0) {
        arg->kind = ARG_NULL;
        return true;
    }
    const char *value = strchr(text, ':');
    for (size_t i = 0; value && i < sizeof kinds / sizeof *kinds; i++) {
        if (strlen(kinds[i].name) != (size_t)(value - text) || strncmp(kinds[i].name, text, (size_t)(value - text)) != 0)
            continue;
        arg->kind = kinds[i].kind;
        arg->fill = kinds[i].fill;
        if (arg->kind == ARG_REF)
            return parse_ref(arg, value + 1);
        if (arg->kind != ARG_BUFFER)
            return parse_scalar(arg, value + 1);
        if (arg->fill == FILL_FILE) {
            arg->path = value + 1;
            return file_size(arg);
        }
        if (arg->fill == FILL_STRUCT)
            return parse_struct(arg, value + 1);
        if (!parse_random(arg, value + 1) || arg->bytes > (1ull << 35) / kinds[i].unit)
            return false;
        arg->bytes *= kinds[i].unit;
        return true;
    }
    return false;
}

bool arg_member(const char **items, Arg *member, uint64_t *offset, uint64_t *end)
{
    char item[64];
    size_t length = strcspn(*items, ",");
    if (length >= sizeof item)
        return false;
    memcpy(item, *items, length);
    item[length] = 0;
    if (!arg_parse(member, item) || member->kind == ARG_BUFFER)
        return false;
    uint64_t bytes = member->kind == ARG_I32 || member->kind == ARG_F32 ? 4 : 8;
    *offset = (*end + bytes - 1) / bytes * bytes;
    *end = *offset + bytes;
    *items += length + ((*items)[length] == ',');
    return true;
}

/* ---- filling ---- */

static void fill_random(const Arg *arg, uint8_t *data, uint64_t state)
{
    for (uint64_t i = 0; i < arg->bytes; i++)
        data[i] = (uint8_t)(random_next(&state) >> 16);
}

static void fill_floats(const Arg *arg, uint8_t *data, uint64_t state)
{
    for (uint64_t i = 0; i + 4 <= arg->bytes; i += 4) {
        float value = (float)((double)(random_next(&state) & 0xffffff) / 0x800000 - 1);
        memcpy(data + i, &value, 4);
    }
}

static void fill_doubles(const Arg *arg, uint8_t *data, uint64_t state)
{
    for (uint64_t i = 0; i + 8 <= arg->bytes; i += 8) {
        double value = (double)(random_next(&state) & 0xfffffffffffffull) / 0x8000000000000ull - 1;
        memcpy(data + i, &value, 8);
    }
}

static void fill_words(const Arg *arg, uint8_t *data, uint64_t state)
{
    uint32_t *word = (uint32_t *)(void *)data, count = (uint32_t)(arg->bytes / 4);
    for (uint32_t i = 0; i < count; i++)
        word[i] = arg->fill == FILL_BITS ? (uint32_t)random_next(&state) & 1 : i;
    for (uint32_t i = count; arg->fill == FILL_PERM && i > 1; i--) {
        uint32_t k = (uint32_t)(random_next(&state) % i), swap = word[i - 1];
        word[i - 1] = word[k];
        word[k] = swap;
    }
}

static bool fill_file(const Arg *arg, uint8_t *data)
{
    FILE *file = fopen(arg->path, "rb");
    bool good = file && fread(data, 1, arg->bytes, file) == arg->bytes;
    if (file)
        fclose(file);
    if (!good)
        fprintf(stderr, "coalda-sim: cannot read %s\n", arg->path);
    return good;
}

bool arg_fill(const Arg *arg, uint8_t *data)
{
    uint64_t state = random_seed(arg->seed, 1000);
    switch (arg->fill) {
    case FILL_RAND: fill_random(arg, data, state); return true;
    case FILL_FRAND: fill_floats(arg, data, state); return true;
    case FILL_DRAND: fill_doubles(arg, data, state); return true;
    case FILL_IOTA:
    case FILL_BITS:
    case FILL_PERM: fill_words(arg, data, state); return true;
    case FILL_FILE: return fill_file(arg, data);
    default: return true;
    }
}
