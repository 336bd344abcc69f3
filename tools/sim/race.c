/* Races by happens-before. Two accesses of different threads conflict when they share a byte and one writes; they race unless
 * the earlier is known to the later's thread, or both are atomic (or volatile) with scopes that hold both threads.
 *
 * What makes one thread know another's past:
 *   a block barrier           everybody's in the block
 *   bar.warp.sync             that of the lanes in its mask
 *   release and acquire       fence; atomic write  ->  atomic read; fence (PTX's pattern), mbarrier arrive -> wait
 * Shuffles and votes order no memory; neither does running in lockstep.
 *
 * Each 4-byte granule of memory remembers its last write and the reads since (one entry a warp). Granules whose bytes belong
 * to different threads are kept byte by byte. Two stores of the same value are told only with --check=strict. */
#include "clock.h"
#include "race.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { GRANULE = 4, MOST_READERS = 64 };

typedef struct {
    uint32_t warp;              /* 1 + number in the grid; 0: none */
    Mask lanes;
    uint32_t time, where;
    uint32_t next;              /* in the pool; 0: last */
    bool strong;
    uint8_t scope;
} Reader;

struct Cell {
    uint32_t writer;            /* 1 + thread's number in the grid */
    uint32_t time, where;
    uint32_t split;             /* in the pool of byte cells: first of four; 0: whole */
    Reader reader;
    uint8_t written, read;      /* bytes of the granule */
    bool strong;
    uint8_t scope;
};

typedef struct {
    uint64_t key;
    Clock clock;
} Sync;

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

struct Race {
    uint32_t now;
    Reader *reader;
    uint32_t readers, reader_capacity, free_reader;
    Cell *byte_cell;
    uint32_t byte_cells, byte_capacity;
    Sync *sync;
    uint32_t syncs, sync_slots;
};

/* ---- setting up ---- */

bool race_setup(Sim *sim)
{
    struct Race *race = calloc(1, sizeof *race);
    if (!race)
        return false;
    race->now = 1;
    race->readers = 1;
    race->byte_cells = 4;
    race->sync_slots = 256;
    race->sync = calloc(race->sync_slots, sizeof *race->sync);
    sim->race = race;
    return race->sync != NULL;
}

static size_t cells_bytes(const Object *object) { return (object->size / GRANULE + 2) * sizeof(Cell); }

static void cells_map(Object *object)
{
    void *memory = mmap(NULL, cells_bytes(object), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        abort();
    object->cells = memory;
}

static void cells_unmap(Object *object)
{
    if (object->cells)
        munmap(object->cells, cells_bytes(object));
    object->cells = NULL;
}

void race_free(Sim *sim)
{
    struct Race *race = sim->race;
    if (!race)
        return;
    for (unsigned i = 0; i < sim->windows; i++)
        if (sim->window[i])
            cells_unmap(sim->window[i]);
    for (uint32_t i = 0; i < race->sync_slots; i++)
        clock_clear(&race->sync[i].clock);
    free(race->sync);
    free(race->reader);
    free(race->byte_cell);
    free(race);
}

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
    cells_unmap(&block->shared);
}

/* ---- who knows what ---- */

static uint32_t thread_number(const Block *block, uint32_t t) { return block->index * block->threads + t; }

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

/* Does thread t of the block know what thread `number` did at `time`? */
static bool knows(const Block *block, uint32_t t, uint32_t number, uint32_t time)
{
    const struct Clocks *clocks = block->clocks;
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

void race_meet(Block *block, const Mask *masks)
{
    tell_all(block, masks);
}

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

static const Access *access_of(const Ctx *c)
{
    return c->inst->ext;
}

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

/* ---- telling ---- */

static const char *verb(AccessKind kind) { return kind == ACCESS_READ ? "reads" : kind == ACCESS_WRITE ? "writes" : "updates"; }

typedef struct {
    Ctx *c;
    int lane;
    const Place *place;
    AccessKind kind;
    const Access *access;
    bool strong;
} Side;

static void tell(const Side *s, uint32_t number, uint32_t where, AccessKind other, uint64_t offset)
{
    char at[TEXT_SIZE], line[TEXT_SIZE];
    const Block *block = s->c->block;
    Dim b = s->c->sim->options->block, g = s->c->sim->options->grid;
    uint32_t t = number % block->threads, n = number / block->threads;
    address_text(s->c, (s->place->space == SPACE_SHARED ? SHARED_BASE : s->place->object->base) + offset, 0, at, sizeof at);
    finding_add(s->c, s->lane, FIND_RACE, "%s %s, which thread (%u,%u,%u) block (%u,%u,%u) %s at %s, and nothing orders the two",
                verb(s->kind), at, t % b.x, t / b.x % b.y, t / b.x / b.y, n % g.x, n / g.x % g.y, n / g.x / g.y,
                other == ACCESS_READ ? "read" : "wrote", where_text(s->c->sim, where, line, sizeof line));
}

static uint8_t scope_of(const Access *access)
{
    return (uint8_t)(!access || access->order == ORDER_PLAIN ? SCOPE_SYSTEM : access->scope);     /* volatile: system */
}

static bool scopes_meet(const Side *s, uint8_t scope, uint32_t number)
{
    bool same_block = number / s->c->block->threads == s->c->block->index;
    uint8_t mine = scope_of(s->access);
    return same_block || (mine != SCOPE_BLOCK && scope != SCOPE_BLOCK);
}

/* The bytes to be stored are there already: two stores of one value. */
static bool same_value(const Side *s)
{
    if (!s->access || s->c->inst->op != OP_STORE || s->c->sim->options->strict)
        return false;
    for (unsigned i = 0; i < s->access->count; i++) {
        const Piece *piece = &s->access->piece[i];
        uint64_t value = ref_value(s->c, piece->ref)[s->lane] & width_ones(piece->width);
        if (bytes_read(s->place->data + piece->offset, piece->bytes) != value)
            return false;
    }
    return true;
}

/* ---- cells ---- */

static void readers_drop(struct Race *race, Cell *cell)
{
    for (uint32_t at = cell->reader.next; at;) {
        uint32_t next = race->reader[at].next;
        race->reader[at].next = race->free_reader;
        race->free_reader = at;
        at = next;
    }
    cell->reader = (Reader){0};
    cell->read = 0;
}

static uint32_t reader_new(struct Race *race)
{
    if (race->free_reader) {
        uint32_t at = race->free_reader;
        race->free_reader = race->reader[at].next;
        return at;
    }
    if (race->readers >= race->reader_capacity) {
        race->reader_capacity = race->reader_capacity ? 2 * race->reader_capacity : 1024;
        race->reader = realloc(race->reader, race->reader_capacity * sizeof *race->reader);
        if (!race->reader)
            abort();
    }
    return race->readers++;
}

/* The entry of this warp comes first, so that its other lanes find it at once. */
static void reader_front(struct Race *race, Cell *cell, uint32_t warp)
{
    unsigned count = 0;
    for (uint32_t at = cell->reader.next; at; at = race->reader[at].next) {
        Reader *r = &race->reader[at];
        if (r->warp == warp || ++count == MOST_READERS) {
            Reader swap = *r;
            uint32_t r_next = r->next, head_next = cell->reader.next;
            *r = cell->reader;
            r->next = r_next;
            cell->reader = swap;
            cell->reader.next = head_next;
            if (cell->reader.warp != warp)
                cell->reader = (Reader){.next = head_next};
            return;
        }
    }
    if (!cell->reader.warp)
        return;
    uint32_t at = reader_new(race);
    race->reader[at] = cell->reader;
    cell->reader = (Reader){.next = at};
}

static void read_note(const Side *s, Cell *cell, uint32_t number)
{
    struct Race *race = s->c->sim->race;
    uint32_t warp = 1 + s->c->block->index * s->c->block->warps + s->c->warp->index;
    (void)number;
    if (cell->reader.warp != warp)
        reader_front(race, cell, warp);
    Reader *r = &cell->reader;
    r->strong = r->warp ? r->strong && s->strong : s->strong;
    r->scope = scope_of(s->access);
    if (r->time != race->now || !r->warp)
        r->where = s->c->inst->where;
    r->warp = warp;
    r->lanes |= 1u << s->lane;
    r->time = race->now;
}

static bool write_conflicts(const Side *s, const Cell *cell)
{
    uint32_t number = cell->writer - 1;
    if (cell->strong && s->strong && scopes_meet(s, cell->scope, number))
        return false;
    return !knows(s->c->block, thread_index(s->c->warp, s->lane), number, cell->time);
}

static uint32_t reader_conflicts(const Side *s, const Reader *r)
{
    const Block *block = s->c->block;
    uint32_t t = thread_index(s->c->warp, s->lane), warp = r->warp - 1, other_block = warp / block->warps;
    if (other_block == block->index && r->time < block->clocks->barrier)
        return 0;
    int lane;
    EACH_LANE(lane, r->lanes) {
        uint32_t number = other_block * block->threads + warp % block->warps * LANES + (uint32_t)lane;
        if (r->strong && s->strong && scopes_meet(s, r->scope, number))
            continue;
        if (!knows(block, t, number, r->time))
            return 1 + number;
    }
    return 0;
}

static void check_readers(const Side *s, Cell *cell, uint64_t offset)
{
    struct Race *race = s->c->sim->race;
    for (const Reader *r = &cell->reader;; r = &race->reader[r->next]) {
        uint32_t number = r->warp ? reader_conflicts(s, r) : 0;
        if (number) {
            tell(s, number - 1, r->where, ACCESS_READ, offset);
            return;
        }
        if (!r->next)
            return;
    }
}

static void cell_access(const Side *s, Cell *cell, uint8_t bytes, uint64_t offset)
{
    struct Race *race = s->c->sim->race;
    uint32_t number = thread_number(s->c->block, thread_index(s->c->warp, s->lane));
    if (cell->writer && cell->writer != number + 1 && write_conflicts(s, cell)
        && !(s->kind == ACCESS_WRITE && same_value(s)))
        tell(s, cell->writer - 1, cell->where, ACCESS_WRITE, offset);
    if (s->kind == ACCESS_READ) {
        read_note(s, cell, number);
        cell->read |= bytes;
        return;
    }
    if (cell->reader.warp || cell->reader.next) {
        check_readers(s, cell, offset);
        readers_drop(race, cell);
    }
    cell->writer = number + 1;
    cell->time = race->now;
    cell->where = s->c->inst->where;
    cell->written = bytes;
    cell->strong = s->strong;
    cell->scope = scope_of(s->access);
}

/* From now on byte by byte. */
static void cell_split(struct Race *race, Cell *cell)
{
    if (race->byte_cells + 4 > race->byte_capacity) {
        race->byte_capacity = race->byte_capacity ? 2 * race->byte_capacity : 1024;
        race->byte_cell = realloc(race->byte_cell, race->byte_capacity * sizeof *race->byte_cell);
        if (!race->byte_cell)
            abort();
    }
    cell->split = race->byte_cells;
    race->byte_cells += 4;
    for (unsigned byte = 0; byte < GRANULE; byte++) {
        Cell *part = &race->byte_cell[cell->split + byte];
        *part = (Cell){0};
        if (cell->written >> byte & 1) {
            part->writer = cell->writer;
            part->time = cell->time;
            part->where = cell->where;
            part->strong = cell->strong;
            part->scope = cell->scope;
        }
        if (cell->read >> byte & 1) {
            part->reader = cell->reader;
            part->reader.next = 0;
        }
    }
}

static void granule_access(const Side *s, Cell *cell, uint8_t bytes, uint64_t offset)
{
    struct Race *race = s->c->sim->race;
    bool fits = (!cell->written || cell->written == bytes) && (!cell->read || cell->read == bytes);
    if (!cell->split && !fits)
        cell_split(race, cell);
    if (!cell->split) {
        cell_access(s, cell, bytes, offset);
        return;
    }
    for (unsigned byte = 0; byte < GRANULE; byte++)
        if (bytes >> byte & 1)
            cell_access(s, &race->byte_cell[cell->split + byte], 1, offset - offset % GRANULE + byte);
}

void race_access(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind, const Access *access)
{
    Side side = {c, lane, place, kind, access, is_strong(access)};
    Object *object = place->object;
    if (!object->cells)
        cells_map(object);
    for (uint64_t at = place->offset, end = at + bytes; at < end;) {
        uint64_t granule = at / GRANULE, next = (granule + 1) * GRANULE < end ? (granule + 1) * GRANULE : end;
        unsigned first = at % GRANULE, count = (unsigned)(next - at);
        granule_access(&side, &object->cells[granule], (uint8_t)(((1u << count) - 1) << first), at);
        at = next;
    }
}
