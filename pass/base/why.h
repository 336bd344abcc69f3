/* The verdicts: why an access is wasteful, or is not rewritten. */
#ifndef COALDA_WHY_H
#define COALDA_WHY_H

typedef enum {
    WHY_NONE,
#define WHY(id, name, sentence, remedy) id,
#include "pass/base/why.def"
#undef WHY
    WHY_COUNT
} Why;

typedef struct {
    const char *name, *sentence, *remedy;
} WhyText;

const WhyText *why_text(Why why);

#endif
