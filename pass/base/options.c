/* Options from text: pass parameters, flags and annotations all come through option_set. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "pass/base/options.h"

typedef struct {
    const char *text; /* "" where none was given */
    bool is_given;
    Arena *arena;
    const Options *before; /* that it is added to */
    const char *wrong; /* what is wrong with it, where the reader knows better than the list of what is taken */
} Value;

typedef bool (*Reader)(void *field, Value *value);

typedef struct {
    const char *name;
    Reader read;
    size_t offset, size;
    const char *wants;
} Entry;

static bool read_Flag(void *field, Value *value)
{
    bool on = !value->is_given || strcmp(value->text, "true") == 0 || strcmp(value->text, "1") == 0;
    bool off = value->is_given && (strcmp(value->text, "false") == 0 || strcmp(value->text, "0") == 0);
    *(bool *)field = on;
    return on || off;
}

static bool read_Spares(void *field, Value *value)
{
    bool all = false, rows = strcmp(value->text, "rows") == 0;
    bool known = rows || read_Flag(&all, value);
    *(OptionSpares *)field = rows ? SPARES_ROWS : all ? SPARES_ALL : SPARES_NONE;
    return known;
}

static bool read_Shape(void *field, Value *value)
{
    Shape shape = {.extent = {1, 1, 1}};
    char *end = (char *)value->text;
    for (int i = 0; value->is_given && i < 3; i++) {
        long extent = strtol(end, &end, 10);
        if (extent < 1 || extent > MOST_THREADS)
            return false;
        shape.extent[i] = (int)extent;
        if (*end == 0)
            break;
        if ((*end != 'x' && *end != ',') || i == 2)
            return false;
        end++;
    }
    shape.limit = shape.extent[0] * shape.extent[1] * shape.extent[2];
    *(Shape *)field = shape;
    return value->is_given && *end == 0 && shape.limit <= MOST_THREADS;
}

static bool read_Arch(void *field, Value *value)
{
    enum { OLDEST = 50, NEWEST = 129 };
    char *end = NULL;
    if (strncmp(value->text, "sm_", 3) != 0)
        return false;
    long arch = strtol(value->text + 3, &end, 10);
    *(int *)field = (int)arch;
    bool suffix = (*end == 'a' || *end == 'f') && end[1] == 0;
    return end != value->text + 3 && (*end == 0 || suffix) && arch >= OLDEST && arch <= NEWEST;
}

/* One of the numbers of a list that a space parts. */
static bool read_known(int *field, const char *value, const char *known)
{
    size_t length = strlen(value);
    for (const char *at = known; length && (at = strstr(at, value)); at++)
        if ((at == known || at[-1] == ' ') && (at[length] == ' ' || at[length] == 0) && !strchr(value, ' ')) {
            int number = atoi(value);
            *field = number ? number : -1; /* 0 means that nothing was said */
            return true;
        }
    return false;
}

static bool read_Bytes(void *field, Value *value) { return read_known(field, value->text, "0 32 64 128 256"); }

static bool read_Stages(void *field, Value *value) { return read_known(field, value->text, "0 2 3 4 5 6 7 8"); }

static bool read_Tiles(void *field, Value *value) { return read_known(field, value->text, "1 2 4 8"); }

static bool read_Cost(void *field, Value *value)
{
    if (*value->text)
        value->wrong = costs_read(field, value->text, value->arena);
    return *value->text && !value->wrong;
}

static const char *const feature_names[] = {
#define FEATURE(id, name, does) [id] = name,
#include "pass/base/features.def"
#undef FEATURE
};

static const char *const requirement_names[] = {
#define X(id, name, check, holds) [id] = name,
    REQUIREMENTS(X)
#undef X
};

/* What lists of what is known begin with. */
static const char comma[] = ", ";

static const char known_features[] =
#define FEATURE(id, name, does) ", " name
#include "pass/base/features.def"
#undef FEATURE
    ;

static const char known_requirements[] =
#define X(id, name, check, holds) ", " name
    REQUIREMENTS(X)
#undef X
    ;

/* Names that are bits of a word. */
typedef struct {
    const char *kind, *const *name, *known;
    size_t count;
} Names;

static const Names features = {"feature", feature_names, known_features, sizeof feature_names / sizeof *feature_names};
static const Names requirements = {"requirement", requirement_names, known_requirements,
                                   sizeof requirement_names / sizeof *requirement_names};

static size_t number_of(const Names *names, const char *name, size_t length)
{
    size_t number = 0;
    while (number < names->count && (strlen(names->name[number]) != length || memcmp(names->name[number], name, length) != 0))
        number++;
    return number;
}

static bool read_names(uint64_t *field, Value *value, const Names *names)
{
    uint64_t bits = 0;
    for (const char *at = value->text, *end; *at; at = *end ? end + 1 : end) {
        end = at + strcspn(at, "+");
        size_t number = number_of(names, at, (size_t)(end - at));
        if (number == names->count) {
            value->wrong = arena_text(value->arena, "there is no %s '%.*s'; there are %s", names->kind, (int)(end - at), at,
                                      names->known + strlen(comma));
            return false;
        }
        bits |= (uint64_t)1 << number;
    }
    *field = bits;
    return bits != 0 && value->text[strlen(value->text) - 1] != '+';
}

static bool read_Features(void *field, Value *value) { return read_names(field, value, &features); }

static bool read_Requirements(void *field, Value *value)
{
    uint64_t bits = 0;
    bool is_read = read_names(&bits, value, &requirements);
    *(OptionRequirements *)field = (OptionRequirements)bits | value->before->require;
    return is_read;
}

static const char wants_Features[] = "names of features, as in rings+shelves";
static const char wants_Requirements[] = "names of requirements, as in ring+coalesced";

static bool read_Name(void *field, Value *value)
{
    OptionName *name = field;
    name->is_given = strlen(value->text) < NAME_BYTES;
    if (name->is_given)
        memcpy(name->part, value->text, strlen(value->text));
    return name->is_given;
}

static bool read_Path(void *field, Value *value)
{
    size_t length = strlen(value->text);
    bool fits = length > 0 && length < PATH_BYTES;
    if (fits)
        memcpy(((OptionPath *)field)->text, value->text, length);
    return fits;
}

static const char wants_Path[] = "the name of a file, of less than 1024 bytes";
static const char wants_Bytes[] = "0, 32, 64, 128 or 256";
static const char wants_Stages[] = "0 or 2 to 8";
static const char wants_Tiles[] = "1, 2, 4 or 8";
static const char wants_Cost[] = "the name of a file";
static const char wants_Flag[] = "nothing, true or false";
static const char wants_Spares[] = "nothing, rows, true or false";
static const char wants_Shape[] = "1 to 3 extents with at most 1024 threads in all, as in 16x16";
static const char wants_Name[] = "nothing, or a part of a name, of less than 256 bytes";
static const char wants_Arch[] = "an architecture such as sm_90";

static const Entry entries[] = {
#define OPTION(name, Type, field, help) {name, read_##Type, offsetof(Options, field), sizeof(Option##Type), wants_##Type},
#include "pass/base/options.def"
#undef OPTION
};

enum { ENTRIES = sizeof entries / sizeof *entries };

static const char known_names[] =
#define OPTION(name, Type, field, help) ", " name
#include "pass/base/options.def"
#undef OPTION
    ;

const char *option_set(Options *options, const char *text, size_t length, Arena *arena)
{
    char *name = arena_copy(arena, text, length);
    char *given = strchr(name, '=');
    if (given)
        *given++ = 0;
    Value value = {.text = given ? given : "", .is_given = given, .arena = arena, .before = options};
    for (int i = 0; i < ENTRIES; i++) {
        const Entry *entry = &entries[i];
        if (strcmp(entry->name, name) != 0)
            continue;
        /* read aside: a value that is refused changes nothing */
        _Alignas(max_align_t) char read[sizeof(Options)] = {0};
        if (!entry->read(read, &value))
            return value.wrong ? arena_text(arena, "coalda option '%s': %s", name, value.wrong)
                               : arena_text(arena, "coalda option '%s' takes %s, not '%s'", name, entry->wants, value.text);
        memcpy((char *)options + entry->offset, read, entry->size);
        return NULL;
    }
    return arena_text(arena, "coalda has no option '%s'; it has %s", name, known_names + strlen(comma));
}

const char *options_parse(Options *options, const char *text, size_t length, Arena *arena)
{
    for (size_t from = 0; from < length;) {
        const char *end = memchr(text + from, ';', length - from);
        size_t size = end ? (size_t)(end - text) - from : length - from;
        const char *wrong = option_set(options, text + from, size, arena);
        if (wrong)
            return wrong;
        from += size + 1;
    }
    return NULL;
}

Options options_merge(Options base, Options over)
{
    Options merged = base;
    static const Options unset;
#define OPTION(name, Type, field, help) \
    if (memcmp(&over.field, &unset.field, sizeof over.field) != 0) \
        merged.field = over.field;
#include "pass/base/options.def"
#undef OPTION
    merged.require = base.require | over.require;
    return merged;
}
