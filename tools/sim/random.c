/* Random numbers: xorshift64* streams, the same on every machine. */
#include "sim.h"

uint64_t random_next(uint64_t *state)
{
    uint64_t x = *state;
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return (x * 0x2545F4914F6CDD1Dull) >> 7;
}

uint64_t random_seed(uint64_t seed, uint64_t stream)
{
    uint64_t x = (seed + 1) * 0x9E3779B97F4A7C15ull ^ (stream + 1) * 0xBF58476D1CE4E5B9ull;
    x ^= x >> 31;
    x *= 0x94D049BB133111EBull;
    x ^= x >> 29;
    return x ? x : 1;
}
