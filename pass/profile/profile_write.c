/* Profiles to text: sorted, so that two of them differ in the lines that say different things. */
#include "pass/profile/profile.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void text_comments(const List *comments, Text *text)
{
    for (size_t i = 0; i < comments->count; i++)
        text_add(text, "%s\n", (const char *)comments->item[i]);
}

static void text_extents(Text *text, const char *key, const uint32_t *extent)
{
    text_add(text, " %s %" PRIu32 "x%" PRIu32 "x%" PRIu32, key, extent[0], extent[1], extent[2]);
}

static void text_launch(const ProfileLaunch *launch, Text *text)
{
    enum { NANOSECONDS = 1000 };
    text_add(text, "launch");
    text_extents(text, "grid", launch->grid);
    text_extents(text, "block", launch->block);
    /* no locale writes whole numbers another way */
    text_add(text, " shared %" PRIu64 " count %" PRIu64 " median %" PRIu64 ".%03" PRIu64 "\n", launch->shared, launch->count,
             launch->median / NANOSECONDS, launch->median % NANOSECONDS);
}

/* The least that knows of all that is said. */
static int version_of(const Profile *profile)
{
    for (size_t i = 0; i < profile->kernels.count; i++) {
        const ProfileKernel *kernel = profile->kernels.item[i];
        if (kernel->parts.count || kernel->arguments.count || decision_is_later(kernel->decision))
            return PROFILE_VERSION;
    }
    return FIRST_VERSION;
}

static void text_parts(const ProfileKernel *kernel, Text *text)
{
    for (size_t i = 0; i < kernel->parts.count; i++) {
        const ProfilePart *part = kernel->parts.item[i];
        text_add(text, "part %s %s\n", part->array, part->decision);
    }
    for (size_t i = 0; i < kernel->arguments.count; i++) {
        const ProfileArgument *argument = kernel->arguments.item[i];
        text_add(text, "argument %" PRIu64 " %" PRId64 " %" PRId64 "\n", argument->index, argument->least, argument->most);
    }
}

static void text_kernel(const ProfileKernel *kernel, Text *text)
{
    text_add(text, "\n");
    text_comments(&kernel->comments, text);
    text_add(text, "kernel %s", kernel->name);
    if (kernel->body != ANY_BODY)
        text_add(text, " %016" PRIx64, kernel->body);
    text_add(text, "\n");
    if (kernel->decision)
        text_add(text, "decide %s\n", kernel->decision);
    text_parts(kernel, text);
    for (size_t i = 0; i < kernel->launches.count; i++)
        text_launch(kernel->launches.item[i], text);
}

void profile_text(const Profile *profile, Text *text)
{
    text_add(text, "coalda-profile %d\n", version_of(profile));
    text_comments(&profile->comments, text);
    for (size_t i = 0; i < profile->kernels.count; i++)
        text_kernel(profile->kernels.item[i], text);
}

const char *profile_write(const Profile *profile, const char *path)
{
    Text text = text_new(profile->arena);
    const char *aside = arena_text(profile->arena, "%s.%ld.part", path, (long)getpid());
    profile_text(profile, &text);
    FILE *file = fopen(aside, "w");
    if (!file)
        return arena_text(profile->arena, "%s: %s", aside, strerror(errno));
    bool whole = fwrite(text.data, 1, text.length, file) == text.length;
    whole = fclose(file) == 0 && whole && rename(aside, path) == 0;
    const char *failed = whole ? NULL : arena_text(profile->arena, "%s: %s", path, strerror(errno));
    if (failed)
        remove(aside);
    return failed;
}
