/* Integer arguments of launches: the least and the most that each of them was.
 *
 * The driver tells how many bytes a parameter has, not of what type it is. What cannot be a length, a count or an index is left out by its value:
 * addresses, and floats, of which all but the smallest have one of the upper four bits. A range of a float that slips in is never asked for. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <string.h>

#include "parts.h"

/* To read the arguments of all launches costs as much again as to be told of them: what the first of them were has to do. */
enum { MOST_LAUNCHES = 1 << 14 };
enum { MOST_ARGUMENTS = 32, WORD = 4, DOUBLE_WORD = 8 };

static const int64_t least_float = INT64_C(1) << 28, least_address = INT64_C(1) << 40;

typedef struct {
    int index, bytes;
    int64_t least, most;
    bool other; /* has been something that is no length: what it is now says nothing */
} Argument;

typedef struct Called Called;
struct Called {
    Called *before; /* a function that was unloaded may leave its handle to another */
    const char *name;
    int count;
    Argument argument[MOST_ARGUMENTS];
};

static Driver driver;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Lives until the process ends. */
static struct {
    Arena *arena;
    Map *by_handle; /* to the Called that came last */
    List called;
} all;
static _Atomic uint64_t launches;

/* ---- functions ---- */

static bool size_of(void *function, size_t index, size_t *size)
{
    size_t offset;
    return (driver.parameter_of && driver.parameter_of(function, index, &offset, size) == CUDA_OK) ||
           (driver.parameter_of_kernel && driver.parameter_of_kernel(function, index, &offset, size) == CUDA_OK);
}

static Called *called_new(void *function, const char *name)
{
    Called *called = ARENA_NEW(all.arena, Called);
    *called = (Called){.before = map_get(all.by_handle, function), .name = arena_copy(all.arena, name, strlen(name))};
    size_t size;
    for (int i = 0; called->count < MOST_ARGUMENTS && size_of(function, (size_t)i, &size); i++)
        if (size == WORD || size == DOUBLE_WORD)
            called->argument[called->count++] = (Argument){.index = i, .bytes = (int)size, .least = INT64_MAX, .most = INT64_MIN};
    return called;
}

static Called *called_of(void *function, const char *name)
{
    if (!all.arena) {
        all.arena = arena_new();
        all.by_handle = map_new(all.arena);
        all.called = list_new(all.arena);
    }
    for (Called *called = map_get(all.by_handle, function); called; called = called->before)
        if (strcmp(called->name, name) == 0)
            return called;
    Called *called = called_new(function, name);
    map_put(all.by_handle, function, called);
    list_add(&all.called, called);
    return called;
}

/* ---- launches ---- */

static int64_t value_of(const Argument *argument, const void *at)
{
    int64_t wide;
    int32_t word;
    memcpy(argument->bytes == WORD ? (void *)&word : (void *)&wide, at, (size_t)argument->bytes);
    return argument->bytes == WORD ? word : wide;
}

static void widen(Argument *argument, const void *at)
{
    int64_t value = value_of(argument, at), least = argument->bytes == WORD ? least_float : least_address;
    if (value <= -least || value >= least) {
        argument->other = true;
        return;
    }
    argument->least = value < argument->least ? value : argument->least;
    argument->most = value > argument->most ? value : argument->most;
}

void arguments_add(void *function, const char *name, void *const *arguments)
{
    if (!arguments || !(driver.parameter_of || driver.parameter_of_kernel) ||
        atomic_load_explicit(&launches, memory_order_relaxed) >= MOST_LAUNCHES)
        return;
    pthread_mutex_lock(&lock);
    atomic_fetch_add_explicit(&launches, 1, memory_order_relaxed);
    Called *called = called_of(function, name);
    for (int i = 0; i < called->count; i++)
        if (!called->argument[i].other)
            widen(&called->argument[i], arguments[called->argument[i].index]);
    pthread_mutex_unlock(&lock);
}

void arguments_watch(const Driver *loaded) { driver = *loaded; }

/* ---- the profile ---- */

static void unite(Arena *arena, List *arguments, const Argument *argument)
{
    for (size_t i = 0; i < arguments->count; i++) {
        ProfileArgument *range = arguments->item[i];
        if (range->index != (uint64_t)argument->index)
            continue;
        range->least = argument->least < range->least ? argument->least : range->least;
        range->most = argument->most > range->most ? argument->most : range->most;
        return;
    }
    ProfileArgument *range = ARENA_NEW(arena, ProfileArgument);
    *range = (ProfileArgument){.index = (uint64_t)argument->index, .least = argument->least, .most = argument->most};
    list_add(arguments, range);
}

void arguments_tell(Profile *profile)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < all.called.count; i++) {
        const Called *called = all.called.item[i];
        ProfileKernel *kernel = (ProfileKernel *)profile_find(profile, profile_name(profile->arena, called->name), ANY_BODY);
        for (int k = 0; kernel && k < called->count; k++)
            if (!called->argument[k].other && called->argument[k].least <= called->argument[k].most)
                unite(profile->arena, &kernel->arguments, &called->argument[k]);
    }
    profile_sort(profile);
    pthread_mutex_unlock(&lock);
}
