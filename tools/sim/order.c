/* Happens-before: what makes one thread know another's past.
 *
 *   a block barrier           everybody's in the block
 *   bar.warp.sync             that of the lanes in its mask
 *   release and acquire       fence; atomic write  ->  atomic read; fence (PTX's pattern), mbarrier arrive -> wait
 *
 * Shuffles and votes order no memory; neither does running in lockstep. */
#include "race.h"

#include <stdlib.h>
#include <string.h>

/* What one thread holds back until a fence, and has learned outside barriers. */
typedef struct {
    Clock learned, released, acquired;
    bool fenced;
} Thread;

struct Clocks {
    uint32_t barrier;           /* time of the last barrier of the whole block */
    Clock learned;              /* by all threads */
    uint32_t *warp_time;        /* by warp: last sync of all its lanes */
    uint32_t **lane_time;       /* by warp: [lane][other lane]; NULL until a partial sync */
    Thread **thread;            /* NULL until needed */
    bool any_learned;
};

/* ---- blocks ---- */

void race_block_start(Block *block)
{
    struct Clocks *clocks = calloc(1, sizeof *clocks);
    if (!clocks)
        abort();
    clocks->warp_time = calloc(block->warps, sizeof *clocks->warp_time);
    clocks->lane_time = calloc(block->warps, sizeof *clocks->lane_time);
    clocks->thread = calloc(block->threads, sizeof *clocks->thread);
    if (!clocks->warp_time || !clocks->lane_time || !clocks->thread)
        abort();
    block->clocks = clocks;
}

static void thread_free(Thread *thread)
{
    if (!thread)
        return;
    clock_clear(&thread->learned);
    clock_clear(&thread->released);
    clock_clear(&thread->acquired);
    free(thread);
}

void race_block_end(Block *block)
{
    struct Clocks *clocks = block->clocks;
    for (uint32_t t = 0; t < block->threads; t++)
        thread_free(clocks->thread[t]);
    for (uint32_t w = 0; w < block->warps; w++)
        free(clocks->lane_time[w]);
    clock_clear(&clocks->learned);
    free(clocks->warp_time);
    free(clocks->lane_time);
    free(clocks->thread);
    free(clocks);
    race_cells_drop(&block->shared);
}

/* ---- who knows what ---- */

uint32_t thread_number(const Block *block, uint32_t t) { return block->index * block->threads + t; }

static Thread *thread_get(const Block *block, uint32_t t)
{
    Thread **thread = &block->clocks->thread[t];
    if (!*thread)
        *thread = calloc(1, sizeof **thread);
    if (!*thread)
        abort();
    return *thread;
}

static bool learned(const Clock *clock, uint32_t number, uint32_t other_block, uint32_t time)
{
    return clock->count && (clock_get(clock, number) > time || clock_get(clock, CLOCK_BLOCK + other_block) > time);
}

static bool agent_known(const struct Clocks *clocks, uint32_t t, uint32_t agent, uint32_t time)
{
    uint64_t key = CLOCK_AGENT + (agent & ~RACE_AGENT);
    const Thread *thread = clocks->thread[t];
    return (thread && clock_get(&thread->learned, key) > time) || clock_get(&clocks->learned, key) > time;
}

bool race_knows(const Block *block, uint32_t t, uint32_t number, uint32_t time)
{
    const struct Clocks *clocks = block->clocks;
    if (number & RACE_AGENT)
        return agent_known(clocks, t, number, time);
    uint32_t other_block = number / block->threads, other = number % block->threads;
    if (other_block == block->index) {
        if (other == t || time < clocks->barrier)
            return true;
        if (other / LANES == t / LANES) {
            uint32_t w = t / LANES;
            if (time < clocks->warp_time[w])
                return true;
            if (clocks->lane_time[w] && time < clocks->lane_time[w][t % LANES * LANES + other % LANES])
                return true;
        }
    }
    if (!clocks->any_learned)
        return false;
    const Thread *thread = clocks->thread[t];
    return (thread && learned(&thread->learned, number, other_block, time)) || learned(&clocks->learned, number, other_block, time);
}

uint32_t race_barrier_time(const Block *block) { return block->clocks->barrier; }

/* All that thread t knows now, itself included. */
static void knowledge(const Block *block, uint32_t t, uint32_t now, Clock *into)
{
    const struct Clocks *clocks = block->clocks;
    uint32_t w = t / LANES, first = w * LANES;
    clock_put(into, thread_number(block, t), now);
    if (clocks->barrier)
        clock_put(into, CLOCK_BLOCK + block->index, clocks->barrier);
    for (uint32_t lane = 0; lane < LANES && first + lane < block->threads; lane++) {
        uint32_t time = clocks->warp_time[w];
        if (clocks->lane_time[w] && clocks->lane_time[w][t % LANES * LANES + lane] > time)
            time = clocks->lane_time[w][t % LANES * LANES + lane];
        if (time > clocks->barrier)
            clock_put(into, thread_number(block, first + lane), time);
    }
    if (!clocks->any_learned)
        return;
    clock_merge(into, &clocks->learned);
    if (clocks->thread[t])
        clock_merge(into, &clocks->thread[t]->learned);
}

/* ---- synchronizing ---- */

void race_barrier(Block *block)
{
    struct Clocks *clocks = block->clocks;
    clocks->barrier = ++block->sim->race->now;
    if (!clocks->any_learned)
        return;
    for (uint32_t t = 0; t < block->threads; t++)
        if (clocks->thread[t] && clocks->thread[t]->learned.count) {
            clock_merge(&clocks->learned, &clocks->thread[t]->learned);
            clock_clear(&clocks->thread[t]->learned);
        }
}

static void learn(Block *block, uint32_t t, const Clock *clock)
{
    if (!clock->count)
        return;
    clock_merge(&thread_get(block, t)->learned, clock);
    block->clocks->any_learned = true;
}

/* The threads of the masks (by warp) tell each other everything. */
static void tell_all(Block *block, const Mask *masks)
{
    Clock all = {0};
    uint32_t now = ++block->sim->race->now;
    int lane;
    for (uint32_t w = 0; w < block->warps; w++)
        EACH_LANE(lane, masks[w])
            knowledge(block, w * LANES + (uint32_t)lane, now, &all);
    for (uint32_t w = 0; w < block->warps; w++)
        EACH_LANE(lane, masks[w])
            learn(block, w * LANES + (uint32_t)lane, &all);
    clock_clear(&all);
}

void race_meet(Block *block, const Mask *masks) { tell_all(block, masks); }

static void share_learned(Warp *warp, Mask mask)
{
    Block *block = warp->block;
    Clock all = {0};
    int lane;
    EACH_LANE(lane, mask)
        if (block->clocks->thread[thread_index(warp, lane)])
            clock_merge(&all, &block->clocks->thread[thread_index(warp, lane)]->learned);
    EACH_LANE(lane, mask)
        learn(block, thread_index(warp, lane), &all);
    clock_clear(&all);
}

static void partial_sync(Warp *warp, Mask mask, uint32_t now)
{
    uint32_t **rows = &warp->block->clocks->lane_time[warp->index], joined[LANES] = {0};
    if (!*rows)
        *rows = calloc(LANES * LANES, sizeof **rows);
    if (!*rows)
        abort();
    int lane;
    EACH_LANE(lane, mask)
        for (int k = 0; k < LANES; k++)
            joined[k] = joined[k] > (*rows)[lane * LANES + k] ? joined[k] : (*rows)[lane * LANES + k];
    EACH_LANE(lane, mask)
        joined[lane] = now;
    EACH_LANE(lane, mask)
        memcpy(*rows + lane * LANES, joined, sizeof joined);
}

void race_warp_sync(Warp *warp, Mask mask)
{
    struct Clocks *clocks = warp->block->clocks;
    uint32_t now = ++warp->block->sim->race->now;
    if (mask == warp->alive)
        clocks->warp_time[warp->index] = now;
    else if (mask & (mask - 1))
        partial_sync(warp, mask, now);
    if (clocks->any_learned)
        share_learned(warp, mask);
}

/* ---- release and acquire ---- */

static Sync *sync_find(struct Race *race, uint64_t key)
{
    uint32_t slot = (uint32_t)((key * 0x9E3779B97F4A7C15ull) >> 40) & (race->sync_slots - 1);
    while (race->sync[slot].key && race->sync[slot].key != key)
        slot = (slot + 1) & (race->sync_slots - 1);
    return &race->sync[slot];
}

static void syncs_grow(struct Race *race)
{
    Sync *old = race->sync;
    uint32_t slots = race->sync_slots;
    race->sync_slots *= 2;
    race->sync = calloc(race->sync_slots, sizeof *race->sync);
    if (!race->sync)
        abort();
    for (uint32_t i = 0; i < slots; i++)
        if (old[i].key)
            *sync_find(race, old[i].key) = old[i];
    free(old);
}

static Clock *sync_clock(struct Race *race, uint64_t key)
{
    if (2 * (race->syncs + 1) > race->sync_slots)
        syncs_grow(race);
    Sync *sync = sync_find(race, key);
    if (!sync->key) {
        sync->key = key;
        race->syncs++;
    }
    return &sync->clock;
}

static uint64_t place_key(const Block *block, const Place *place)
{
    if (place->space == SPACE_SHARED)
        return 1ull << 63 | (uint64_t)block->index << 24 | place->offset;
    return place->object->base + place->offset;
}

static const Access *access_of(const Ctx *c) { return c->inst->ext; }

void race_fence(Ctx *c, Scope scope)
{
    struct Race *race = c->sim->race;
    uint32_t now = ++race->now;
    int lane;
    (void)scope;
    EACH_LANE(lane, c->mask) {
        uint32_t t = thread_index(c->warp, lane);
        Thread *thread = thread_get(c->block, t);
        learn(c->block, t, &thread->acquired);
        clock_clear(&thread->acquired);
        knowledge(c->block, t, now, &thread->released);
        thread->fenced = true;
    }
}

/* A strong write: what the thread's last fence released goes with it. */
void race_release(Ctx *c, int lane, const Place *place)
{
    struct Race *race = c->sim->race;
    uint32_t t = thread_index(c->warp, lane);
    const Thread *thread = c->block->clocks->thread[t];
    Order order = access_of(c)->order;
    bool releases = order == ORDER_RELEASE || order == ORDER_BOTH;
    if (!place->object || !((thread && thread->fenced) || releases || c->inst->op == OP_STORE))
        return;
    if (c->inst->op == OP_STORE && race->syncs) {
        Sync *sync = sync_find(race, place_key(c->block, place));
        if (sync->key)
            clock_clear(&sync->clock);     /* a plain store ends what others released here */
    }
    if (!releases && !(thread && thread->fenced))
        return;
    Clock *clock = sync_clock(race, place_key(c->block, place));
    if (releases)
        knowledge(c->block, t, ++race->now, clock);
    else
        clock_merge(clock, &thread->released);
}

/* A strong read: known at once when it acquires, at the thread's next fence when not. */
void race_acquire(Ctx *c, int lane, const Place *place)
{
    struct Race *race = c->sim->race;
    if (!race->syncs || !place->object)
        return;
    const Sync *sync = sync_find(race, place_key(c->block, place));
    if (!sync->key || !sync->clock.count)
        return;
    uint32_t t = thread_index(c->warp, lane);
    Order order = access_of(c)->order;
    if (order == ORDER_ACQUIRE || order == ORDER_BOTH)
        learn(c->block, t, &sync->clock);
    else
        clock_merge(&thread_get(c->block, t)->acquired, &sync->clock);
}

void race_arrive(Block *block, uint32_t t, uint64_t key)
{
    struct Race *race = block->sim->race;
    knowledge(block, t, ++race->now, sync_clock(race, key));
}

void race_wait(Block *block, uint32_t t, uint64_t key)
{
    struct Race *race = block->sim->race;
    Sync *sync = sync_find(race, key);
    if (sync->key)
        learn(block, t, &sync->clock);
}

void race_snapshot(Block *block, uint32_t t, Clock *into) { knowledge(block, t, ++block->sim->race->now, into); }

void race_arrive_copy(Block *block, const Clock *issued, uint32_t agent, uint64_t key)
{
    struct Race *race = block->sim->race;
    Clock *clock = sync_clock(race, key);
    clock_merge(clock, issued);
    clock_put(clock, CLOCK_AGENT + (agent & ~RACE_AGENT), ++race->now);
}

void race_pass(Block *block, uint64_t from, uint64_t to)
{
    struct Race *race = block->sim->race;
    Clock told = *sync_clock(race, from);
    *sync_clock(race, from) = (Clock){0};
    clock_merge(sync_clock(race, to), &told);
    clock_clear(&told);
}
