/* Names of spares, written and read. */
#include <stdlib.h>
#include <string.h>

#include "pass/host/spare_name.h"

const char *spare_name(Arena *arena, const char *kernel, const SmallArgument *small, size_t count)
{
    Text text = text_new(arena);
    text_add(&text, "%s" SPARE_MARK, kernel);
    for (size_t i = 0; i < count; i++)
        text_add(&text, "%sarg%u_u%u_below_%llu", i ? "$" : "", small[i].argument, small[i].bits,
                 (unsigned long long)small[i].below);
    return text.data;
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

static bool read_small(const char **at, SmallArgument *small)
{
    uint64_t argument, bits;
    if (!skip(at, "arg") || !read_number(at, &argument) || !skip(at, "_u") || !read_number(at, &bits) || !skip(at, "_below_") ||
        !read_number(at, &small->below))
        return false;
    small->argument = (unsigned)argument;
    small->bits = (unsigned)bits;
    return argument < 4096 && (bits == 8 || bits == 16 || bits == 32 || bits == 64);
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
    do {
        if (name->count == SPARE_CONDITIONS || !read_small(&at, &name->small[name->count++]))
            return NULL;
    } while (skip(&at, "$"));
    return *at ? NULL : name;
}
