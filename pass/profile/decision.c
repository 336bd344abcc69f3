/* Decisions: what of a kernel's options a profile may say. Each leaves the results as they are. */
#include "pass/profile/profile.h"

#include <string.h>

/* Options that say how one kernel is rewritten; the others are of the whole compilation, or of whoever looks at it. */
static const char *const kernel_options[] = {"off", "always", "block", "stages", "batch", "without", "straight", BOUNDS};

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

static bool is_kernel_option(const char *text, size_t length)
{
    size_t name = 0;
    while (name < length && text[name] != '=')
        name++;
    for (size_t i = 0; i < sizeof kernel_options / sizeof *kernel_options; i++)
        if (is_word(text, name, kernel_options[i]))
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
        bool prices = is_word(at, length, LAUNCHES);
        if (!prices && !is_kernel_option(at, length))
            return arena_text(arena, "nothing is decided by '%.*s'; what may be, several parted by ';', is default%s, " LAUNCHES,
                              (int)length, at, known(arena));
        const char *wrong = prices ? NULL : option_set(options, at, length, arena);
        if (wrong)
            return wrong;
        at += length;
        if (!*at)
            return NULL;
    }
}

const char *decision_read_part(Options *options, const char *text, Arena *arena)
{
    static const char without[] = "without=";
    static const Feature of_parts[] = {FEATURE_EXCHANGES,      FEATURE_WIDENING, FEATURE_WALKS,   FEATURE_RINGS,
                                       FEATURE_REGISTER_RINGS, FEATURE_BANKS,    FEATURE_SHELVES, FEATURE_ROWS_AHEAD};
    if (strncmp(text, without, sizeof without - 1) != 0 || strchr(text, ';'))
        return arena_text(arena, "nothing is decided of a part by '%s': without=, and features, is what may be", text);
    const char *wrong = option_set(options, text, strlen(text), arena);
    if (wrong)
        return wrong;
    OptionFeatures others = options->without;
    for (size_t i = 0; i < sizeof of_parts / sizeof *of_parts; i++)
        others &= ~((OptionFeatures)1 << of_parts[i]);
    return others ? "of a part of a kernel exchanges, widening, walks, shelves, rows-ahead, rings, register-rings and banks may be "
                    "left out, "
                    "and nothing else"
                  : NULL;
}
