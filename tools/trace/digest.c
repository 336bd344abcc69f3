/* XXH64: four lanes of eight bytes, faster than memory is read. */
#include "digest.h"

#include <string.h>

static const uint64_t prime1 = 0x9E3779B185EBCA87u, prime2 = 0xC2B2AE3D27D4EB4Fu, prime3 = 0x165667B19E3779F9u,
                      prime4 = 0x85EBCA77C2B2AE63u, prime5 = 0x27D4EB2F165667C5u;

static uint64_t turn(uint64_t x, int bits) { return x << bits | x >> (64 - bits); }

static uint64_t word(const unsigned char *at)
{
    uint64_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

static uint64_t half(const unsigned char *at)
{
    uint32_t x;
    memcpy(&x, at, sizeof x);
    return x;
}

static uint64_t mixed(uint64_t lane, uint64_t input) { return turn(lane + input * prime2, 31) * prime1; }

static uint64_t joined(uint64_t hash, uint64_t lane) { return (hash ^ mixed(0, lane)) * prime1 + prime4; }

/* Stripes of 32 bytes; moves on to what is left. */
static uint64_t stripes(uint64_t seed, const unsigned char **at, const unsigned char *end)
{
    uint64_t lane[4] = {seed + prime1 + prime2, seed + prime2, seed, seed - prime1};
    for (; end - *at >= 32; *at += 32)
        for (int i = 0; i < 4; i++)
            lane[i] = mixed(lane[i], word(*at + sizeof(uint64_t) * (size_t)i));
    uint64_t hash = turn(lane[0], 1) + turn(lane[1], 7) + turn(lane[2], 12) + turn(lane[3], 18);
    for (int i = 0; i < 4; i++)
        hash = joined(hash, lane[i]);
    return hash;
}

uint64_t digest_of(uint64_t seed, const void *data, size_t bytes)
{
    const unsigned char *at = data, *end = at + bytes;
    uint64_t hash = (bytes >= 32 ? stripes(seed, &at, end) : seed + prime5) + bytes;
    for (; end - at >= 8; at += 8)
        hash = turn(hash ^ mixed(0, word(at)), 27) * prime1 + prime4;
    for (; end - at >= 4; at += 4)
        hash = turn(hash ^ half(at) * prime1, 23) * prime2 + prime3;
    for (; at < end; at++)
        hash = turn(hash ^ *at * prime5, 11) * prime1;
    hash = (hash ^ hash >> 33) * prime2;
    hash = (hash ^ hash >> 29) * prime3;
    return hash ^ hash >> 32;
}
