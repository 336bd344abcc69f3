/* Names of spares, written and read. */
#include <stdlib.h>
#include <string.h>

#include "pass/host/spare_name.h"

static bool is_same(const SpareNumber *one, const SpareNumber *other)
{
    return one->argument == other->argument && one->bits == other->bits && one->is_member == other->is_member &&
           one->offset == other->offset;
}

bool spare_asks_alike(const SpareCondition *one, const SpareCondition *other)
{
    bool alike = one->count == other->count && one->divides == other->divides;
    for (unsigned i = 0; alike && i < one->count; i++)
        alike = is_same(&one->number[i], &other->number[i]);
    return alike;
}

static void add_number(Text *text, const SpareNumber *number)
{
    text_add(text, "arg%u", number->argument);
    if (number->is_member)
        text_add(text, "_at%u", number->offset);
    text_add(text, "_u%u", number->bits);
}

const char *spare_name(Arena *arena, const char *kernel, const SpareCondition *small, size_t count)
{
    Text text = text_new(arena);
    text_add(&text, "%s" SPARE_MARK, kernel);
    for (size_t i = 0; i < count; i++) {
        text_add(&text, "%s", i ? "$" : "");
        for (unsigned k = 0; k < small[i].count; k++) {
            text_add(&text, "%s", !k ? "" : small[i].divides ? "_over_" : "_times_");
            add_number(&text, &small[i].number[k]);
        }
        text_add(&text, "_below_%llu", (unsigned long long)small[i].below);
    }
    return text.data;
}

const char *spare_name_coarse(Arena *arena, const char *kernel, const SpareCoarse *coarse)
{
    return arena_text(arena, "%s" SPARE_MARK "blocks%u_args%u_from_%llu", kernel, coarse->blocks, coarse->arguments,
                      (unsigned long long)coarse->from);
}

/* Goes past the word, which has to be there. */
static bool skip(const char **at, const char *word)
{
    bool is_there = strncmp(*at, word, strlen(word)) == 0;
    *at += is_there ? strlen(word) : 0;
    return is_there;
}

static bool read_number(const char **at, uint64_t *number)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    *number = strtoull(*at, &end, 10);
    *at = end;
    return true;
}

enum { ARGUMENTS = 4096 }; /* a launch hands over no more */

static bool read_given(const char **at, SpareNumber *number)
{
    enum { BYTES = 1 << 16 };
    uint64_t argument, offset = 0, bits;
    if (!skip(at, "arg") || !read_number(at, &argument))
        return false;
    number->is_member = skip(at, "_at");
    if ((number->is_member && !read_number(at, &offset)) || !skip(at, "_u") || !read_number(at, &bits))
        return false;
    number->argument = (unsigned)argument;
    number->offset = (unsigned)offset;
    number->bits = (unsigned)bits;
    return argument < ARGUMENTS && offset < BYTES && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
}

/* Of several numbers the bound is such that 64 bits hold its product with one of them. */
static bool read_small(const char **at, SpareCondition *small)
{
    enum { WORD_BITS = 32 };
    if (!read_given(at, &small->number[small->count++]))
        return false;
    small->divides = skip(at, "_over_");
    while (small->count < SPARE_NUMBERS && (small->divides ? small->count == 1 : skip(at, "_times_")))
        if (!read_given(at, &small->number[small->count++]))
            return false;
    return skip(at, "_below_") && read_number(at, &small->below) && (small->count == 1 || !(small->below >> (WORD_BITS - 1)));
}

static bool read_coarse(const char **at, SpareCoarse *coarse)
{
    enum { BLOCKS = 64 };
    uint64_t blocks, arguments;
    if (!read_number(at, &blocks) || !skip(at, "_args") || !read_number(at, &arguments) || !skip(at, "_from_"))
        return false;
    coarse->blocks = (unsigned)blocks;
    coarse->arguments = (unsigned)arguments;
    return read_number(at, &coarse->from) && blocks > 1 && blocks <= BLOCKS && arguments <= ARGUMENTS;
}

const SpareName *spare_name_read(Arena *arena, const char *text, size_t length)
{
    SpareName *name = ARENA_NEW(arena, SpareName);
    name->text = arena_copy(arena, text, length);
    name->length = length;
    const char *mark = strstr(name->text, SPARE_MARK);
    if (!mark || mark == name->text || strlen(name->text) != length)
        return NULL;
    name->kernel_length = (size_t)(mark - name->text);
    const char *at = mark + strlen(SPARE_MARK);
    if (skip(&at, "blocks"))
        return read_coarse(&at, &name->coarse) && !*at ? name : NULL;
    do {
        if (name->count == SPARE_CONDITIONS || !read_small(&at, &name->small[name->count++]))
            return NULL;
    } while (skip(&at, "$"));
    return *at ? NULL : name;
}
