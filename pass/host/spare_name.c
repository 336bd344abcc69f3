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

bool spare_few_alike(const SpareFew *one, const SpareFew *other)
{
    return one->threads == other->threads && one->odd == other->odd && one->bytes == other->bytes &&
           is_same(&one->number, &other->number) && one->is_bounded == other->is_bounded &&
           (!one->is_bounded || (spare_asks_alike(&one->least, &other->least) && one->least.below == other->least.below &&
                                 one->least.near == other->least.near && one->least.odd == other->least.odd));
}

bool spare_pitch_alike(const SpareCondition *one, const SpareCondition *other)
{
    return one->near && other->near && is_same(&one->pitch, &other->pitch);
}

void spare_narrow(SpareCondition *one, const SpareCondition *other)
{
    bool near = spare_pitch_alike(one, other), odd = one->by == other->by && (near || (!one->near && !other->near));
    one->below = other->below < one->below ? other->below : one->below;
    one->odd = !odd ? 0 : other->odd < one->odd ? other->odd : one->odd;
    one->near = !near ? 0 : other->near < one->near ? other->near : one->near;
}

static void add_number(Text *text, const SpareNumber *number)
{
    text_add(text, "arg%u", number->argument);
    if (number->is_member)
        text_add(text, "_at%u", number->offset);
    text_add(text, "_u%u", number->bits);
}

static void add_condition(Text *text, const SpareCondition *small)
{
    for (unsigned k = 0; k < small->count; k++) {
        text_add(text, "%s", !k ? "" : small->divides ? "_over_" : "_times_");
        add_number(text, &small->number[k]);
    }
    text_add(text, "_below_%llu", (unsigned long long)small->below);
    if (small->near) {
        text_add(text, "_or_");
        add_number(text, &small->pitch);
        text_add(text, "_below_%llu", (unsigned long long)small->near);
    }
    if (small->odd)
        text_add(text, "_odd%llu_by%llu", (unsigned long long)small->odd, (unsigned long long)small->by);
}

static void add_few(Text *text, const SpareFew *few)
{
    text_add(text, "few%u_odd%u_of%u", few->threads, few->odd, few->multiprocessors);
    if (few->bytes) {
        text_add(text, "_");
        add_number(text, &few->number);
        text_add(text, "_by%u", few->bytes);
    }
    if (few->is_bounded) {
        text_add(text, "_unless_");
        add_condition(text, &few->least);
    }
}

static const char straight[] = "straight";

const char *spare_name(Arena *arena, const char *kernel, const SpareLaunch *launch)
{
    Text text = text_new(arena);
    size_t parts = 0;
    text_add(&text, "%s" SPARE_MARK "%s", kernel, launch->straight ? straight : "");
    for (size_t i = 0; i < launch->count; i++) {
        text_add(&text, "%s", parts++ ? "$" : "");
        add_condition(&text, &launch->small[i]);
    }
    if (launch->few.threads) {
        text_add(&text, "%s", parts++ ? "$" : "");
        add_few(&text, &launch->few);
    }
    if (launch->full)
        text_add(&text, "%sfull_from_%llu%s", parts ? "$" : "", (unsigned long long)launch->full,
                 launch->full_blocks ? "_blocks" : "");
    return text.data;
}

const char *spare_name_coarse(Arena *arena, const char *kernel, const SpareCoarse *coarse)
{
    const char *wide = coarse->wide ? arena_text(arena, "_wide%llu", (unsigned long long)coarse->wide) : "";
    return arena_text(arena, "%s" SPARE_MARK "blocks%u_args%u_from_%llu%s", kernel, coarse->blocks, coarse->arguments,
                      (unsigned long long)coarse->from, wide);
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

static bool read_pitch(const char **at, SpareCondition *small)
{
    return read_given(at, &small->pitch) && skip(at, "_below_") && read_number(at, &small->near) && small->near;
}

static bool read_odd(const char **at, SpareCondition *small)
{
    enum { MOST = 1 << 12 };
    if (!skip(at, "_odd"))
        return true;
    bool reads = read_number(at, &small->odd) && small->odd && skip(at, "_by") && read_number(at, &small->by);
    return reads && small->by > 1 && small->by <= MOST && !(small->by & (small->by - 1));
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
    if (!skip(at, "_below_") || !read_number(at, &small->below) || (small->count > 1 && small->below >> (WORD_BITS - 1)))
        return false;
    bool reads = !skip(at, "_or_") || read_pitch(at, small);
    return reads && read_odd(at, small) && (!small->odd || small->near || small->count == 1);
}

static bool read_coarse(const char **at, SpareCoarse *coarse)
{
    enum { BLOCKS = 64, WIDE = 1024 };
    uint64_t blocks, arguments;
    if (!read_number(at, &blocks) || !skip(at, "_args") || !read_number(at, &arguments) || !skip(at, "_from_"))
        return false;
    coarse->blocks = (unsigned)blocks;
    coarse->arguments = (unsigned)arguments;
    if (!read_number(at, &coarse->from) || (skip(at, "_wide") && (!read_number(at, &coarse->wide) || coarse->wide > WIDE)))
        return false;
    return blocks > 1 && blocks <= BLOCKS && arguments <= ARGUMENTS;
}

static bool read_unsigned(const char **at, unsigned most, unsigned *number)
{
    uint64_t wide;
    bool reads = read_number(at, &wide) && wide > 0 && wide <= most;
    *number = reads ? (unsigned)wide : 0;
    return reads;
}

static bool read_few(const char **at, SpareFew *few)
{
    enum { THREADS = 1 << 16, MULTIPROCESSORS = 1 << 12, ELEMENT = 1 << 12 };
    if (!read_unsigned(at, THREADS, &few->threads) || !skip(at, "_odd") || !read_unsigned(at, THREADS, &few->odd) ||
        !skip(at, "_of") || !read_unsigned(at, MULTIPROCESSORS, &few->multiprocessors))
        return false;
    few->is_bounded = skip(at, "_unless_");
    if (!few->is_bounded && skip(at, "_")) {
        if (!read_given(at, &few->number) || !skip(at, "_by") || !read_unsigned(at, ELEMENT, &few->bytes))
            return false;
        few->is_bounded = skip(at, "_unless_");
    }
    return !few->is_bounded || read_small(at, &few->least);
}

/* Each reason stands behind those of the one before it. */
static bool read_launch(const char **at, SpareLaunch *launch)
{
    do {
        if (launch->full)
            return false;
        if (skip(at, "full_from_")) {
            if (!read_number(at, &launch->full) || !launch->full)
                return false;
            launch->full_blocks = skip(at, "_blocks");
        } else if (launch->few.threads) {
            return false;
        } else if (skip(at, "few")) {
            if (!read_few(at, &launch->few))
                return false;
        } else if (launch->count == SPARE_CONDITIONS || !read_small(at, &launch->small[launch->count++])) {
            return false;
        }
    } while (skip(at, "$"));
    return !**at;
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
    name->launch.straight = skip(&at, straight);
    bool reads = name->launch.straight ? !*at : read_launch(&at, &name->launch);
    return reads ? name : NULL;
}
