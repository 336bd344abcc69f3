/* Decisions: what of a kernel's options a profile may say. Each leaves the results as they are. */
#include "pass/profile/profile.h"

#include <string.h>

/* Options that say how one kernel is rewritten; the others are of the whole compilation, or of whoever looks at it. */
static const char *const kernel_options[] = {"off", "always", "block", "stages", "batch", "without", "straight"};

static bool is_kernel_option(const char *text, size_t length)
{
    size_t name = 0;
    while (name < length && text[name] != '=')
        name++;
    for (size_t i = 0; i < sizeof kernel_options / sizeof *kernel_options; i++)
        if (strlen(kernel_options[i]) == name && memcmp(kernel_options[i], text, name) == 0)
            return true;
    return false;
}

static const char *known(Arena *arena)
{
    Text text = text_new(arena);
    for (size_t i = 0; i < sizeof kernel_options / sizeof *kernel_options; i++)
        text_add(&text, ", %s", kernel_options[i]);
    return text.data;
}

const char *decision_read(Options *options, const char *text, Arena *arena)
{
    if (strcmp(text, "default") == 0)
        return NULL;
    for (const char *at = text;; at++) {
        size_t length = strcspn(at, ";");
        if (!is_kernel_option(at, length))
            return arena_text(arena, "nothing is decided by '%.*s'; what may be, several parted by ';', is default%s", (int)length,
                              at, known(arena));
        const char *wrong = option_set(options, at, length, arena);
        if (wrong)
            return wrong;
        at += length;
        if (!*at)
            return NULL;
    }
}
