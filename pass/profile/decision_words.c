/* Words of decisions that are no options: asked by whoever writes a profile as well, and knows of no options. */
#include <string.h>

#include "pass/profile/profile.h"

static bool is_word(const char *text, size_t length, const char *word)
{
    return strlen(word) == length && memcmp(word, text, length) == 0;
}

typedef struct {
    bool prices, bounds, others;
} Words;

static Words words_of(const char *text)
{
    Words words = {0};
    for (const char *at = text; at && *at; at += *at == ';') {
        size_t length = strcspn(at, ";");
        words.prices |= is_word(at, length, LAUNCHES);
        words.bounds |= strncmp(at, BOUNDS, sizeof BOUNDS - 1) == 0;
        words.others |= !is_word(at, length, LAUNCHES) && strncmp(at, BOUNDS, sizeof BOUNDS - 1) != 0;
        at += length;
    }
    return words;
}

bool decision_is_later(const char *text)
{
    Words words = words_of(text);
    return words.prices || words.bounds;
}

bool decision_prices(const char *text)
{
    Words words = words_of(text);
    return words.prices || !words.others;
}
