/* What a kernel's launches are like, as prices ask for it: most of its time, in a few numbers. They may be another program's, or
 * another input's: nothing that must hold rests on them. */
#ifndef COALDA_LAUNCHED_H
#define COALDA_LAUNCHED_H

#include "pass/profile/profile.h"

enum { LAUNCHED_RANGES = 16 };

typedef struct {
    bool known;       /* what follows, up to `most`: a profile has launches of this kernel */
    int extent[PROFILE_AXES]; /* of the blocks that more than half of the time is spent in; 0: of none */
    int threads;      /* of a block of the launch below which half of the time is spent, by threads in all */
    int64_t blocks;   /* and how many it has */
    int most;         /* threads of the largest block */
    int ranges;
    struct {
        unsigned index;
        int64_t least, most;
    } range[LAUNCHED_RANGES]; /* of integer arguments, by index */
} Launched;

Launched launched_of(Arena *arena, const ProfileKernel *kernel);
/* One word, which launched_read makes the same of. */
const char *launched_text(Arena *arena, const Launched *launched);
Launched launched_read(const char *text);
/* Threads of a launch. */
static inline int64_t launched_in_flight(const Launched *launched) { return launched->threads * launched->blocks; }

#endif
