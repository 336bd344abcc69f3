/* Profiles in memory: kernels by name and body, launches by shape. */
#include "pass/profile/profile.h"
#include "pass/host/spare_name.h"

#include <stdlib.h>
#include <string.h>

Profile profile_new(Arena *arena, const char *path)
{
    return (Profile){.arena = arena, .path = path, .comments = list_new(arena), .kernels = list_new(arena)};
}

/* Where the name that ends at end has none of clang's words for names of one file at its end. */
static const char *without_file(const char *linked, const char *end)
{
    static const char *const marks[] = {"__intern__", "__static__"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *mark = strstr(linked, marks[i]), *rest = mark ? mark + strlen(marks[i]) : end;
        if (mark != linked && rest < end && rest + strspn(rest, "0123456789abcdef") == end)
            return mark;
    }
    return end;
}

/* The name of a name is itself: what is written into a profile is found again. */
size_t profile_name_length(const char *linked)
{
    const char *spare = strstr(linked, SPARE_MARK), *end = spare && spare != linked ? spare : linked + strlen(linked);
    for (const char *before = NULL; before != end;) {
        before = end;
        end = without_file(linked, end);
    }
    return (size_t)(end - linked);
}

const char *profile_name(Arena *arena, const char *linked) { return arena_copy(arena, linked, profile_name_length(linked)); }

ProfileKernel *profile_add(Profile *profile, const char *name, uint64_t body)
{
    ProfileKernel *kernel = ARENA_NEW(profile->arena, ProfileKernel);
    kernel->name = name;
    kernel->body = body;
    kernel->parts = list_new(profile->arena);
    kernel->arguments = list_new(profile->arena);
    kernel->launches = list_new(profile->arena);
    kernel->comments = list_new(profile->arena);
    list_add(&profile->kernels, kernel);
    return kernel;
}

static int by_name(const void *a, const void *b)
{
    const ProfileKernel *one = *(ProfileKernel *const *)a, *other = *(ProfileKernel *const *)b;
    int names = strcmp(one->name, other->name);
    if (names)
        return names;
    if (one->body != other->body)
        return one->body < other->body ? -1 : 1;
    return one->line - other->line;
}

static int by_number(uint64_t one, uint64_t other) { return (one > other) - (one < other); }

int launch_order(const ProfileLaunch *one, const ProfileLaunch *other)
{
    int order = 0;
    for (int i = 0; !order && i < PROFILE_AXES; i++)
        order = by_number(one->grid[i], other->grid[i]);
    for (int i = 0; !order && i < PROFILE_AXES; i++)
        order = by_number(one->block[i], other->block[i]);
    return order ? order : by_number(one->shared, other->shared);
}

static int by_shape(const void *a, const void *b)
{
    const ProfileLaunch *one = *(ProfileLaunch *const *)a, *other = *(ProfileLaunch *const *)b;
    int order = launch_order(one, other);
    return order ? order : one->line - other->line;
}

int argument_order(const ProfileArgument *one, const ProfileArgument *other) { return by_number(one->index, other->index); }

int part_order(const ProfilePart *one, const ProfilePart *other) { return strcmp(one->array, other->array); }

static int by_index(const void *a, const void *b)
{
    const ProfileArgument *one = *(ProfileArgument *const *)a, *other = *(ProfileArgument *const *)b;
    int order = argument_order(one, other);
    return order ? order : one->line - other->line;
}

static int by_array(const void *a, const void *b)
{
    const ProfilePart *one = *(ProfilePart *const *)a, *other = *(ProfilePart *const *)b;
    int order = part_order(one, other);
    return order ? order : one->line - other->line;
}

static void sort(List *list, int (*order)(const void *, const void *))
{
    if (list->count > 1)
        qsort(list->item, list->count, sizeof *list->item, order);
}

void profile_sort(Profile *profile)
{
    sort(&profile->kernels, by_name);
    for (size_t i = 0; i < profile->kernels.count; i++) {
        ProfileKernel *kernel = profile->kernels.item[i];
        sort(&kernel->parts, by_array);
        sort(&kernel->arguments, by_index);
        sort(&kernel->launches, by_shape);
    }
}

/* The place of the first kernel of that name, or where it would be. */
static size_t place_of(const Profile *profile, const char *name)
{
    size_t from = 0, to = profile->kernels.count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (strcmp(((const ProfileKernel *)profile->kernels.item[middle])->name, name) < 0)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

static const ProfileKernel *next_of(const Profile *profile, const char *name, size_t place)
{
    const ProfileKernel *kernel = place < profile->kernels.count ? profile->kernels.item[place] : NULL;
    return kernel && strcmp(kernel->name, name) == 0 ? kernel : NULL;
}

const ProfileKernel *profile_find(const Profile *profile, const char *name, uint64_t body)
{
    const ProfileKernel *found = NULL, *kernel;
    for (size_t at = place_of(profile, name); (kernel = next_of(profile, name, at)); at++)
        if (kernel->body == body || kernel->body == ANY_BODY)
            found = kernel; /* any body comes first */
    return found;
}

const ProfileKernel *profile_stale(const Profile *profile, const char *name, uint64_t body)
{
    const ProfileKernel *stale = NULL, *kernel;
    for (size_t at = place_of(profile, name); (kernel = next_of(profile, name, at)); at++) {
        if (kernel->body == body || kernel->body == ANY_BODY)
            return NULL;
        if (!stale && (kernel->decision || kernel->parts.count || kernel->arguments.count || kernel->launches.count))
            stale = kernel;
    }
    return stale;
}
