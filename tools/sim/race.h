/* Between race.c (cells and their conflicts) and order.c (who knows what); and for mbarriers and copies, whose knowledge passes
 * through a key. */
#ifndef RACE_H
#define RACE_H

#include "clock.h"

/* Accesses that one warp made to a granule: its reads since the last write, or atomic writes that others overtook. */
typedef struct {
    uint32_t warp;              /* 1 + number in the grid; 0: none */
    Mask lanes;
    uint32_t time, where;
    uint32_t next;              /* in the pool; 0: last */
    bool strong;
    uint8_t scope;
} Past;

typedef struct {
    uint64_t key;
    Clock clock;
} Sync;

/* Who writes what an mbarrier is told of: no thread, but the mbarrier, whose waits alone make the bytes known. */
#define RACE_AGENT 0x80000000u

struct Race {
    uint32_t now;
    uint32_t agents;
    uint32_t fenced;            /* time of the last proxy fence of global memory */
    Past *past;
    uint32_t pasts, past_capacity, free_past;
    Cell *byte_cell;
    uint32_t byte_cells, byte_capacity;
    Sync *sync;
    uint32_t syncs, sync_slots;
};

/* order.c */
uint32_t thread_number(const Block *block, uint32_t t);
/* Does thread t of the block know what thread `number` did at `time`? */
bool race_knows(const Block *block, uint32_t t, uint32_t number, uint32_t time);
/* All threads of the block know what each of them did before this time. */
uint32_t race_barrier_time(const Block *block);
/* Thread t tells what it knows to whoever waits on the key. */
void race_arrive(Block *block, uint32_t t, uint64_t key);
void race_wait(Block *block, uint32_t t, uint64_t key);
/* What thread t knows now, its own past included. */
void race_snapshot(Block *block, uint32_t t, Clock *into);
/* A copy ends: what its thread knew when it issued it, and the bytes that it wrote, are told to whoever waits on the key. */
void race_arrive_copy(Block *block, const Clock *issued, uint32_t agent, uint64_t key);
/* What was told to one key is told to another too, and no longer to the first. */
void race_pass(Block *block, uint64_t from, uint64_t to);

/* race.c */
/* Bytes that a copy writes, for the agent or (0) the thread of the lane. */
void race_copy_write(Ctx *c, int lane, const Place *place, uint64_t bytes, uint32_t agent, bool by_proxy);
/* Is the last write of one of these bytes a thread's store at `fenced` or later? Whose, and on which line. */
bool race_unfenced(const Sim *sim, const Place *place, uint64_t bytes, uint32_t fenced, uint32_t *number, uint32_t *where);
void race_cells_drop(Object *object);
#endif
