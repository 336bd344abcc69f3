/* Two profiles become one: of several processes, of several inputs, or of two branches that were measured apart. */
#include "pass/profile/profile.h"

#include <string.h>

/* The median of all cannot be told from two medians; their mean, weighed by the counts, is the same in whichever order files come. */
static void launch_add(ProfileLaunch *launch, const ProfileLaunch *more)
{
    __extension__ typedef unsigned __int128 Wide;
    Wide count = (Wide)launch->count + more->count;
    Wide sum = (Wide)launch->median * launch->count + (Wide)more->median * more->count;
    launch->median = (uint64_t)((sum + count / 2) / count);
    launch->count = (uint64_t)count;
}

/* Both are sorted. */
static List launches_merge(Arena *arena, const List *one, const List *other)
{
    List merged = list_new(arena);
    for (size_t i = 0, k = 0; i < one->count || k < other->count;) {
        int order = i == one->count ? 1 : k == other->count ? -1 : launch_order(one->item[i], other->item[k]);
        ProfileLaunch *launch = ARENA_NEW(arena, ProfileLaunch);
        *launch = *(const ProfileLaunch *)(order <= 0 ? one->item[i++] : other->item[k]);
        if (order == 0)
            launch_add(launch, other->item[k]);
        k += order >= 0;
        list_add(&merged, launch);
    }
    return merged;
}

/* Both are sorted: the range of either, or one that holds both. */
static List arguments_merge(Arena *arena, const List *one, const List *other)
{
    List merged = list_new(arena);
    for (size_t i = 0, k = 0; i < one->count || k < other->count;) {
        int order = i == one->count ? 1 : k == other->count ? -1 : argument_order(one->item[i], other->item[k]);
        ProfileArgument *argument = ARENA_NEW(arena, ProfileArgument);
        *argument = *(const ProfileArgument *)(order <= 0 ? one->item[i++] : other->item[k]);
        const ProfileArgument *more = order >= 0 ? other->item[k++] : argument;
        argument->least = more->least < argument->least ? more->least : argument->least;
        argument->most = more->most > argument->most ? more->most : argument->most;
        list_add(&merged, argument);
    }
    return merged;
}

static void comments_merge(List *into, const List *from)
{
    for (size_t i = 0; i < from->count; i++) {
        bool there = false;
        for (size_t k = 0; k < into->count && !there; k++)
            there = strcmp(into->item[k], from->item[i]) == 0;
        if (!there)
            list_add(into, from->item[i]);
    }
}

static ProfileKernel *kernel_same(const Profile *profile, const ProfileKernel *kernel)
{
    const ProfileKernel *found = profile_find(profile, kernel->name, kernel->body);
    return found && found->body == kernel->body ? (ProfileKernel *)found : NULL;
}

static const char *decision_merge(const Profile *into, ProfileKernel *kernel, const Profile *from, const ProfileKernel *more,
                                  bool last)
{
    bool differ = kernel->decision && more->decision && strcmp(kernel->decision, more->decision) != 0;
    if (differ && !last)
        return arena_text(into->arena,
                          "%s:%d: %s is decided to be '%s', and in %s:%d '%s': leave one of them, or take the last by --last",
                          from->path, more->decided, more->name, more->decision, into->path, kernel->decided, kernel->decision);
    if (more->decision)
        kernel->decision = more->decision;
    return NULL;
}

static ProfilePart *part_same(const ProfileKernel *kernel, const ProfilePart *part)
{
    for (size_t i = 0; i < kernel->parts.count; i++)
        if (part_order(kernel->parts.item[i], part) == 0)
            return kernel->parts.item[i];
    return NULL;
}

static const char *parts_merge(const Profile *into, ProfileKernel *kernel, const Profile *from, const ProfileKernel *more,
                               bool last)
{
    for (size_t i = 0; i < more->parts.count; i++) {
        const ProfilePart *part = more->parts.item[i];
        ProfilePart *there = part_same(kernel, part);
        bool differ = there && strcmp(there->decision, part->decision) != 0;
        if (differ && !last)
            return arena_text(
                into->arena,
                "%s:%d: %s of %s is decided to be '%s', and in %s:%d '%s': leave one of them, or take the last by --last",
                from->path, part->line, part->array, more->name, part->decision, into->path, there->line, there->decision);
        if (there)
            *there = *part;
        else
            list_add(&kernel->parts, (void *)part);
    }
    return NULL;
}

const char *profile_merge(Profile *into, const Profile *from, bool last)
{
    List fresh = list_new(into->arena);
    comments_merge(&into->comments, &from->comments);
    for (size_t i = 0; i < from->kernels.count; i++) {
        const ProfileKernel *more = from->kernels.item[i];
        ProfileKernel *kernel = kernel_same(into, more);
        const char *wrong = kernel ? decision_merge(into, kernel, from, more, last) : NULL;
        if (!wrong && kernel)
            wrong = parts_merge(into, kernel, from, more, last);
        if (wrong)
            return wrong;
        if (kernel) {
            kernel->arguments = arguments_merge(into->arena, &kernel->arguments, &more->arguments);
            kernel->launches = launches_merge(into->arena, &kernel->launches, &more->launches);
            comments_merge(&kernel->comments, &more->comments);
        } else {
            list_add(&fresh, (void *)more);
        }
    }
    for (size_t i = 0; i < fresh.count; i++)
        list_add(&into->kernels, fresh.item[i]);
    profile_sort(into);
    return NULL;
}
