/* What a thread knows to have happened: for single threads and for whole blocks, a time before which everything has.
 * Time counts synchronizations of the whole run, so that one number stands for a block's barrier. */
#ifndef CLOCK_H
#define CLOCK_H

#include "sim.h"

typedef struct {
    uint64_t key;               /* a thread's number in the grid, CLOCK_BLOCK + a block's, or CLOCK_AGENT + an mbarrier's */
    uint32_t time;              /* accesses of before this time are known */
} Entry;

#define CLOCK_BLOCK (1ull << 40)
#define CLOCK_AGENT (1ull << 41)

typedef struct {
    Entry *entry;               /* by key */
    uint32_t count, capacity;
} Clock;

void clock_put(Clock *clock, uint64_t key, uint32_t time);
void clock_merge(Clock *clock, const Clock *other);
uint32_t clock_get(const Clock *clock, uint64_t key);
void clock_clear(Clock *clock);
#endif
