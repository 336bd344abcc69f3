/* Launches by kernel and shape, with what they took. */
#include <stdlib.h>
#include <string.h>

#include "parts.h"

/* Times of which the median is taken; of launches that come more often, every second, fourth, eighth, ... */
enum { FEWEST_KEPT = 16, MOST_KEPT = 1 << 14, FEWEST_SLOTS = 256 };

typedef struct {
    const char *name;
    ProfileLaunch launch; /* its count; the median in the end */
    uint64_t *times;      /* nanoseconds */
    size_t kept, capacity;
    uint64_t seen, every; /* times; how many of them there are for each that is kept */
} Launched;

/* Lives until the process ends. */
static struct {
    Arena *arena;
    Launched **slot;
    size_t slots, count;
} all;

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * 0x9E3779B97F4A7C15u; /* the golden ratio, as hashes of Knuth's have it */
    return hash ^ hash >> 32;
}

static uint64_t hash_of(const char *name, size_t length, const ProfileLaunch *launch)
{
    uint64_t hash = launch->shared;
    for (int i = 0; i < PROFILE_AXES; i++)
        hash = mix(hash, (uint64_t)launch->grid[i] << 32 | launch->block[i]);
    for (size_t i = 0; i < length; i++)
        hash = mix(hash, (unsigned char)name[i]);
    return hash;
}

static bool is_called(const Launched *launched, const char *name, size_t length)
{
    return strncmp(launched->name, name, length) == 0 && launched->name[length] == 0;
}

/* Its slot, or the free one where it belongs. */
static Launched **slot_of(const char *name, size_t length, const ProfileLaunch *launch)
{
    size_t at = hash_of(name, length, launch) & (all.slots - 1);
    while (all.slot[at] && (!is_called(all.slot[at], name, length) || launch_order(&all.slot[at]->launch, launch) != 0))
        at = (at + 1) & (all.slots - 1);
    return &all.slot[at];
}

static void grow(void)
{
    Launched **before = all.slot;
    size_t slots = all.slots;
    all.slots = slots ? 2 * slots : FEWEST_SLOTS;
    all.slot = ARENA_ARRAY(all.arena, Launched *, all.slots);
    for (size_t i = 0; i < slots; i++)
        if (before[i])
            *slot_of(before[i]->name, strlen(before[i]->name), &before[i]->launch) = before[i];
}

static Launched *launched_of(const char *name, const ProfileLaunch *launch)
{
    if (!all.arena)
        all.arena = arena_new();
    if (2 * all.count >= all.slots)
        grow();
    size_t length = profile_name_length(name);
    Launched **slot = slot_of(name, length, launch);
    if (!*slot) {
        *slot = ARENA_NEW(all.arena, Launched);
        **slot = (Launched){.name = arena_copy(all.arena, name, length), .launch = *launch, .every = 1};
        all.count++;
    }
    return *slot;
}

static void halve(Launched *shape)
{
    shape->kept /= 2;
    for (size_t i = 0; i < shape->kept; i++)
        shape->times[i] = shape->times[2 * i];
    shape->every *= 2;
}

static void keep(Launched *shape, uint64_t time)
{
    if (shape->kept == MOST_KEPT)
        halve(shape);
    if (shape->seen++ % shape->every)
        return;
    if (shape->kept == shape->capacity) {
        const uint64_t *before = shape->times;
        shape->capacity = shape->capacity ? 2 * shape->capacity : FEWEST_KEPT;
        shape->times = ARENA_ARRAY(all.arena, uint64_t, shape->capacity);
        if (before)
            memcpy(shape->times, before, shape->kept * sizeof *before);
    }
    shape->times[shape->kept++] = time;
}

void launches_add(const KernelRecord *record, bool counted)
{
    if (!record->name || record->end <= record->start)
        return; /* its times are not known */
    const ProfileLaunch launch = {.grid = {(uint32_t)record->gridX, (uint32_t)record->gridY, (uint32_t)record->gridZ},
                                  .block = {(uint32_t)record->blockX, (uint32_t)record->blockY, (uint32_t)record->blockZ},
                                  .shared = (uint64_t)record->dynamicSharedMemory};
    Launched *shape = launched_of(record->name, &launch);
    keep(shape, record->end - record->start);
    shape->launch.count += !counted;
}

void launches_count(const char *name, const ProfileLaunch *shape, uint64_t count)
{
    launched_of(name, shape)->launch.count += count;
}

static int by_time(const void *a, const void *b)
{
    uint64_t one = *(const uint64_t *)a, other = *(const uint64_t *)b;
    return (one > other) - (one < other);
}

/* 0 where no time is known. */
static uint64_t median_of(Launched *shape)
{
    if (!shape->kept)
        return 0;
    qsort(shape->times, shape->kept, sizeof *shape->times, by_time);
    uint64_t low = shape->times[(shape->kept - 1) / 2], high = shape->times[shape->kept / 2];
    return low + (high - low) / 2;
}

static int by_name(const void *a, const void *b) { return strcmp((*(Launched *const *)a)->name, (*(Launched *const *)b)->name); }

void launches_tell(Profile *profile)
{
    Launched **shapes = ARENA_ARRAY(profile->arena, Launched *, all.count + 1);
    size_t count = 0;
    for (size_t i = 0; i < all.slots; i++)
        if (all.slot[i])
            shapes[count++] = all.slot[i];
    if (count > 1)
        qsort(shapes, count, sizeof *shapes, by_name);
    ProfileKernel *kernel = NULL;
    for (size_t i = 0; i < count; i++) {
        if (!kernel || strcmp(kernel->name, shapes[i]->name) != 0)
            kernel = profile_add(profile, shapes[i]->name, ANY_BODY);
        shapes[i]->launch.median = median_of(shapes[i]);
        list_add(&kernel->launches, &shapes[i]->launch);
    }
    profile_sort(profile);
}
