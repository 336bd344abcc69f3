/* What one request of a warp costs, from the byte address of each of its lanes. Pure arithmetic.
 *
 * Memory moves in sectors of 32 bytes, cached in lines of 128. Shared memory has 32 banks of 4 bytes:
 *
 *     address / 4 % 32 = bank     lanes that want different words of one bank take turns (ways)
 *
 * (CUDA C++ Programming Guide, "Global Memory" and "Shared Memory", compute capability 5.x and later.) */
#ifndef COALDA_WARP_H
#define COALDA_WARP_H

#include <stdbool.h>
#include <stdint.h>

enum {
    WARP_LANES = 32,
    SECTOR_BYTES = 32,
    LINE_BYTES = 128,
    BANK_BYTES = 4,
    BANKS = 32,
    REQUEST_BYTES = 16, /* most bytes one lane moves in one instruction */
};

/* The active lanes of a warp, in lane order, each at the first byte that it touches. */
typedef struct {
    int lanes;
    int64_t at[WARP_LANES];
    int lane[WARP_LANES];
} Warp;

/* Units of 32 records are spread over the warp's lanes by a butterfly among so many neighbours, a power of two, and by an odd
 * number of turns. */
static inline int warp_pairs(int units)
{
    int pairs = units & -units;
    return pairs < WARP_LANES ? pairs : WARP_LANES;
}

/* The runs of bytes that a warp touches, ascending, with a gap between any two. */
typedef struct {
    int count;
    int64_t first[WARP_LANES], last[WARP_LANES];
} Spans;

Spans warp_spans(const Warp *warp, int bytes);
/* Blocks of `unit` bytes, a power of two, that they lie in when all have moved on by so many bytes. */
int spans_units(const Spans *spans, int64_t by, int unit);
int warp_sectors(const Warp *warp, int bytes);
int warp_lines(const Warp *warp, int bytes);
/* Fewest sectors that could hold the distinct bytes that the warp asks for. */
int warp_ideal_sectors(const Warp *warp, int bytes);
/* Shared memory: passes that the access takes, and the fewest that its distinct words could take. */
int warp_wavefronts(const Warp *warp, int bytes);
int warp_ideal_wavefronts(const Warp *warp, int bytes);
/* Worst number of lanes' words in one bank in any pass: 1 is free of conflicts. */
int warp_ways(const Warp *warp, int bytes);
/* Distance from lane to lane: the same for all, or the most common one (lanes at one place do not count against
 * it), or none that stands out. */
typedef enum { STRIDE_NONE, STRIDE_COMMON, STRIDE_REGULAR } WarpStride;
WarpStride warp_stride(const Warp *warp, int64_t *stride);
/* The lanes' bytes, taken together, are one run without gap. */
bool warp_is_dense(const Warp *warp, int bytes);

#endif
