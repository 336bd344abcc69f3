#include "pass/report/sentence.h"

#include <stdbool.h>
#include <string.h>

Sentence sentence_new(Arena *arena) { return (Sentence){.arena = arena}; }

void say(Sentence *sentence, SayRank rank, const char *text)
{
    if (!*text || sentence->count == SENTENCE_CLAUSES)
        return;
    sentence->clause[sentence->count].rank = rank;
    sentence->clause[sentence->count++].text = text;
}

/* What is needed, and of each rank after that the clauses that still have room; what else could be done, only after what comes first. */
static void choose(const Sentence *sentence, bool *chosen)
{
    size_t length = 0;
    bool lacks_remedy = false;
    for (SayRank rank = SAY_NEEDED; rank < SAY_RANKS; rank++) {
        for (size_t i = 0; i < sentence->count; i++) {
            size_t more = strlen(sentence->clause[i].text);
            if (sentence->clause[i].rank != rank)
                continue;
            chosen[i] = rank == SAY_NEEDED || (length + more <= SENTENCE_LONGEST && !(rank == SAY_MORE && lacks_remedy));
            length += chosen[i] ? more : 0;
            lacks_remedy |= rank == SAY_REMEDY && !chosen[i];
        }
    }
}

static const char *text_of(const Sentence *sentence, bool is_rest)
{
    bool chosen[SENTENCE_CLAUSES] = {false};
    Text text = text_new(sentence->arena);
    choose(sentence, chosen);
    for (size_t i = 0; i < sentence->count; i++)
        if (chosen[i] != is_rest)
            text_add(&text, "%s", sentence->clause[i].text);
    return text.data;
}

const char *sentence_text(const Sentence *sentence)
{
    return clauses_within(sentence->arena, text_of(sentence, false), SENTENCE_LONGEST);
}

const char *sentence_rest(const Sentence *sentence)
{
    const char *rest = text_of(sentence, true);
    return rest + strspn(rest, ";, ");
}

/* Of a sentence that is too long, the end of the last clause that has room: clauses are parted by "; " or ", ". */
static size_t last_clause(const char *text, size_t longest)
{
    size_t end = longest;
    while (end && !(strchr(";,", text[end]) && text[end + 1] == ' '))
        end--;
    return end;
}

const char *clauses_within(Arena *arena, const char *text, size_t longest)
{
    static const char dots[] = "...";
    enum { CONTINUES = 0x80, TOP = 0xc0 };
    if (strlen(text) <= longest)
        return text;
    size_t end = last_clause(text, longest);
    if (end)
        return arena_copy(arena, text, end);
    end = longest > strlen(dots) ? longest - strlen(dots) : 0;
    while (end && ((unsigned char)text[end] & TOP) == CONTINUES) /* in front of a byte that begins a character */
        end--;
    return arena_text(arena, "%.*s%s", (int)end, text, dots);
}
