/* What is said of one thing: clauses, of which the least needed go where all are too long. What goes stands in the arguments of a remark. */
#ifndef COALDA_SENTENCE_H
#define COALDA_SENTENCE_H

#include <stddef.h>

#include "pass/base/arena.h"

enum { SENTENCE_LONGEST = 200, SENTENCE_CLAUSES = 16 };

typedef enum {
    SAY_NEEDED, /* what it is, and why */
    SAY_REMEDY, /* what the user can do */
    SAY_WHERE, /* what stands in the way */
    SAY_MORE, /* what else could be done */
    SAY_DETAIL,
    SAY_LEAST, /* what goes without saying */
    SAY_RANKS
} SayRank;

typedef struct {
    Arena *arena;
    struct {
        SayRank rank;
        const char *text;
    } clause[SENTENCE_CLAUSES];
    size_t count;
} Sentence;

Sentence sentence_new(Arena *arena);
void say(Sentence *sentence, SayRank rank, const char *text);
/* In the order in which they were said. */
const char *sentence_text(const Sentence *sentence);
/* What had no room there; "" where all had. */
const char *sentence_rest(const Sentence *sentence);
/* `text`, or as many of its clauses as have room in so many bytes; where not even one has, what has room of that, and dots. */
const char *clauses_within(Arena *arena, const char *text, size_t longest);

#endif
