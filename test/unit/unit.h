/* What every unit test needs: cmocka, and random numbers that are the same in every run. */
#ifndef COALDA_UNIT_H
#define COALDA_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct {
    uint64_t state;
} Random;

/* xorshift64*: Vigna, "An experimental exploration of Marsaglia's xorshift generators, scrambled". */
static inline uint64_t random_bits(Random *random)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return random->state * 0x2545F4914F6CDD1Du;
}

static inline int random_below(Random *random, int end) { return (int)((random_bits(random) >> 33) % (uint64_t)end); }

static inline bool random_chance(Random *random, int one_in) { return random_below(random, one_in) == 0; }

#endif
