/* Launches in a few numbers: each counts as much as the time that it took, as often as it was made. */
#include "pass/profile/launched.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t most_blocks = INT64_C(1) << 40; /* more are as many */

typedef struct {
    const ProfileLaunch *launch;
    int64_t threads, blocks;
    double weight;
} Weighed;

static int64_t product_of(const uint32_t *extent, int64_t most)
{
    int64_t product = 1;
    for (int i = 0; i < PROFILE_AXES; i++)
        product = product > most / (int64_t)extent[i] ? most : product * (int64_t)extent[i];
    return product;
}

/* Those that a GPU can have made. */
static size_t weigh(const ProfileKernel *kernel, Weighed *weighed)
{
    size_t count = 0;
    double all = 0;
    for (size_t i = 0; i < kernel->launches.count; i++) {
        const ProfileLaunch *launch = kernel->launches.item[i];
        int64_t threads = product_of(launch->block, MOST_THREADS + 1);
        if (threads > MOST_THREADS)
            continue;
        weighed[count] = (Weighed){launch, threads, product_of(launch->grid, most_blocks),
                                   (double)launch->count * (double)launch->median};
        all += weighed[count++].weight;
    }
    for (size_t i = 0; i < count && !(all > 0); i++)
        weighed[i].weight = (double)weighed[i].launch->count;
    return count;
}

static int by_block(const void *a, const void *b)
{
    const Weighed *one = a, *other = b;
    return memcmp(one->launch->block, other->launch->block, sizeof one->launch->block);
}

static int by_threads(const void *a, const void *b)
{
    const Weighed *one = a, *other = b;
    int64_t threads = one->threads * one->blocks, others = other->threads * other->blocks;
    return threads != others ? (threads > others) - (threads < others) : launch_order(one->launch, other->launch);
}

static double sum_of(const Weighed *weighed, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += weighed[i].weight;
    return sum;
}

static void find_block(Launched *launched, Weighed *weighed, size_t count)
{
    double half = sum_of(weighed, count) / 2;
    qsort(weighed, count, sizeof *weighed, by_block);
    for (size_t from = 0, to; from < count; from = to) {
        for (to = from; to < count && by_block(&weighed[from], &weighed[to]) == 0;)
            to++;
        for (int i = 0; i < PROFILE_AXES && sum_of(weighed + from, to - from) > half; i++)
            launched->extent[i] = (int)weighed[from].launch->block[i];
        launched->most = weighed[from].threads > launched->most ? (int)weighed[from].threads : launched->most;
    }
}

static void find_median(Launched *launched, Weighed *weighed, size_t count)
{
    double half = sum_of(weighed, count) / 2, sum = 0;
    qsort(weighed, count, sizeof *weighed, by_threads);
    for (size_t i = 0; i < count && (i == 0 || sum < half); i++) {
        sum += weighed[i].weight;
        launched->threads = (int)weighed[i].threads;
        launched->blocks = weighed[i].blocks;
    }
}

static void find_ranges(Launched *launched, const List *arguments)
{
    for (size_t i = 0; i < arguments->count && launched->ranges < LAUNCHED_RANGES; i++) {
        const ProfileArgument *argument = arguments->item[i];
        if (argument->index > INT32_MAX)
            continue;
        launched->range[launched->ranges].index = (unsigned)argument->index;
        launched->range[launched->ranges].least = argument->least;
        launched->range[launched->ranges++].most = argument->most;
    }
}

Launched launched_of(Arena *arena, const ProfileKernel *kernel)
{
    Launched launched = {0};
    Weighed *weighed = ARENA_ARRAY(arena, Weighed, kernel->launches.count + 1);
    size_t count = weigh(kernel, weighed);
    find_ranges(&launched, &kernel->arguments);
    launched.known = count > 0;
    if (count) {
        find_block(&launched, weighed, count);
        find_median(&launched, weighed, count);
    }
    return launched;
}

/* ---- as a word ---- */

const char *launched_text(Arena *arena, const Launched *launched)
{
    Text text = text_new(arena);
    text_add(&text, "%d,%d,%d,%d,%" PRId64 ",%d", launched->extent[0], launched->extent[1], launched->extent[2], launched->threads,
             launched->blocks, launched->most);
    for (int i = 0; i < launched->ranges; i++)
        text_add(&text, ";%u,%" PRId64 ",%" PRId64, launched->range[i].index, launched->range[i].least, launched->range[i].most);
    return text.data;
}

Launched launched_read(const char *text)
{
    enum { DECIMAL = 10 };
    Launched launched = {0};
    int64_t head[] = {0, 0, 0, 0, 0, 0};
    char *at = (char *)text;
    for (size_t i = 0; i < sizeof head / sizeof *head; i++, at += *at == ',')
        head[i] = strtoll(at, &at, DECIMAL);
    for (int i = 0; i < PROFILE_AXES; i++)
        launched.extent[i] = (int)head[i];
    launched.threads = (int)head[PROFILE_AXES];
    launched.blocks = head[PROFILE_AXES + 1];
    launched.most = (int)head[PROFILE_AXES + 2];
    launched.known = launched.most > 0;
    while (*at == ';' && launched.ranges < LAUNCHED_RANGES) {
        launched.range[launched.ranges].index = (unsigned)strtoul(at + 1, &at, DECIMAL);
        launched.range[launched.ranges].least = strtoll(at + 1, &at, DECIMAL);
        launched.range[launched.ranges++].most = strtoll(at + 1, &at, DECIMAL);
    }
    return launched;
}
