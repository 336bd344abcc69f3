/* Races by happens-before (order.c). Two accesses of different threads conflict when they share a byte and one writes; they race
 * unless the earlier is known to the later's thread, or both are atomic (or volatile) with scopes that hold both threads.
 *
 * Each 4-byte granule of memory remembers its last write and the reads since, one entry a warp; and of what an atomic write
 * overtook, the atomic writes and reads that its thread did not know. Granules whose bytes belong to different threads are kept
 * byte by byte. Two stores of the same value are told only with --check=strict. */
#include "race.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { GRANULE = 4, MOST_READERS = 64 };

struct Cell {
    uint32_t writer;            /* 1 + thread's number in the grid */
    uint32_t time, where;
    uint32_t split;             /* in the pool of byte cells: first of four; 0: whole */
    Past reader;
    uint32_t overtaken;         /* in the pool: atomic writes before the last that its thread did not know; 0: none */
    uint8_t written, read;      /* bytes of the granule */
    bool strong : 1;
    bool by_proxy : 1;          /* by the asynchronous proxy */
    uint8_t scope;
};

/* ---- setting up ---- */

bool race_setup(Sim *sim)
{
    struct Race *race = calloc(1, sizeof *race);
    if (!race)
        return false;
    race->now = 1;
    race->pasts = 1;
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

void race_cells_drop(Object *object)
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
            race_cells_drop(sim->window[i]);
    for (uint32_t i = 0; i < race->sync_slots; i++)
        clock_clear(&race->sync[i].clock);
    free(race->sync);
    free(race->past);
    free(race->byte_cell);
    free(race);
}

/* ---- telling ---- */

static const char *verb(AccessKind kind) { return kind == ACCESS_READ ? "reads" : kind == ACCESS_WRITE ? "writes" : "updates"; }

typedef struct {
    Ctx *c;
    int lane;
    const Place *place;
    AccessKind kind;
    const Access *access;
    bool strong, by_proxy;
    uint32_t agent;             /* who writes in place of the thread; 0: the thread */
} Side;

static void tell(const Side *s, uint32_t number, uint32_t where, AccessKind other, uint64_t offset)
{
    char at[TEXT_SIZE], line[TEXT_SIZE];
    const Block *block = s->c->block;
    Dim b = s->c->sim->options->block, g = s->c->sim->options->grid;
    uint32_t t = number % block->threads, n = number / block->threads;
    address_text(s->c, (s->place->space == SPACE_SHARED ? SHARED_BASE : s->place->object->base) + offset, 0, at, sizeof at);
    where_text(s->c->sim, where, line, sizeof line);
    if (number & RACE_AGENT) {
        finding_add(s->c, s->lane, FIND_RACE, "%s %s, which the copy issued at %s wrote, and this thread has not waited for",
                    verb(s->kind), at, line);
        return;
    }
    finding_add(s->c, s->lane, FIND_RACE, "%s %s, which thread (%u,%u,%u) block (%u,%u,%u) %s at %s, and nothing orders the two",
                verb(s->kind), at, t % b.x, t / b.x % b.y, t / b.x / b.y, n % g.x, n / g.x % g.y, n / g.x / g.y,
                other == ACCESS_READ ? "read" : "wrote", line);
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

static void pasts_free(struct Race *race, uint32_t at)
{
    while (at) {
        uint32_t next = race->past[at].next;
        race->past[at].next = race->free_past;
        race->free_past = at;
        at = next;
    }
}

static void readers_drop(struct Race *race, Cell *cell)
{
    pasts_free(race, cell->reader.next);
    cell->reader = (Past){0};
    cell->read = 0;
}

static uint32_t past_new(struct Race *race)
{
    if (race->free_past) {
        uint32_t at = race->free_past;
        race->free_past = race->past[at].next;
        return at;
    }
    if (race->pasts >= race->past_capacity) {
        race->past_capacity = race->past_capacity ? 2 * race->past_capacity : 1024;
        race->past = realloc(race->past, race->past_capacity * sizeof *race->past);
        if (!race->past)
            abort();
    }
    return race->pasts++;
}

/* The entry of this warp comes first, so that its other lanes find it at once. */
static void reader_front(struct Race *race, Cell *cell, uint32_t warp)
{
    unsigned count = 0;
    for (uint32_t at = cell->reader.next; at; at = race->past[at].next) {
        Past *r = &race->past[at];
        if (r->warp == warp || ++count == MOST_READERS) {
            Past swap = *r;
            uint32_t r_next = r->next, head_next = cell->reader.next;
            *r = cell->reader;
            r->next = r_next;
            cell->reader = swap;
            cell->reader.next = head_next;
            if (cell->reader.warp != warp)
                cell->reader = (Past){.next = head_next};
            return;
        }
    }
    if (!cell->reader.warp)
        return;
    uint32_t at = past_new(race);
    race->past[at] = cell->reader;
    cell->reader = (Past){.next = at};
}

static bool scope_covers(const Side *s, const Past *r) { return !s->strong || (r->strong && r->scope == scope_of(s->access)); }

/* Whoever knows this read knows the earlier ones too: it may stand for them. */
static bool read_follows(const Side *s, const Past *r)
{
    const Block *block = s->c->block;
    uint32_t t = thread_index(s->c->warp, s->lane), first = s->c->warp->index * LANES;
    int lane;
    EACH_LANE(lane, r->lanes)
        if (!race_knows(block, t, thread_number(block, first + (uint32_t)lane), r->time))
            return false;
    return scope_covers(s, r);
}

/* An empty entry in front of what other lanes of the warp read before; the oldest are forgotten. */
static void reader_push(struct Race *race, Cell *cell)
{
    unsigned count = 1;
    for (uint32_t at = cell->reader.next; at; at = race->past[at].next)
        if (++count == MOST_READERS) {
            pasts_free(race, race->past[at].next);
            race->past[at].next = 0;
        }
    uint32_t at = past_new(race);
    race->past[at] = cell->reader;
    cell->reader = (Past){.next = at};
}

/* Reads of one time share an entry: between two times a barrier or a sync may have told the earlier one to somebody. */
static void read_note(const Side *s, Cell *cell)
{
    struct Race *race = s->c->sim->race;
    uint32_t warp = 1 + s->c->block->index * s->c->block->warps + s->c->warp->index;
    if (cell->reader.warp != warp)
        reader_front(race, cell, warp);
    Past *r = &cell->reader;
    if (r->warp && (r->time != race->now || r->strong != s->strong || r->scope != scope_of(s->access))) {
        if (read_follows(s, r))
            *r = (Past){.next = r->next};
        else
            reader_push(race, cell);
    }
    r->strong = s->strong;
    r->scope = scope_of(s->access);
    if (!r->warp)
        r->where = s->c->inst->where;
    r->warp = warp;
    r->lanes |= 1u << s->lane;
    r->time = race->now;
    if (r->next && race->past[r->next].warp == warp && scope_covers(s, &race->past[r->next]))
        race->past[r->next].lanes &= ~(1u << s->lane);     /* its own read stands for its earlier one */
}

static bool excused(const Side *s, const Cell *cell)
{
    return cell->strong && s->strong && scopes_meet(s, cell->scope, cell->writer - 1);
}

static uint32_t past_conflicts(const Side *s, const Past *r)
{
    const Block *block = s->c->block;
    uint32_t t = thread_index(s->c->warp, s->lane), warp = r->warp - 1, other_block = warp / block->warps;
    if (other_block == block->index && r->time < race_barrier_time(block))
        return 0;
    int lane;
    EACH_LANE(lane, r->lanes) {
        uint32_t number = other_block * block->threads + warp % block->warps * LANES + (uint32_t)lane;
        if (r->strong && s->strong && scopes_meet(s, r->scope, number))
            continue;
        if (!race_knows(block, t, number, r->time))
            return 1 + number;
    }
    return 0;
}

static void check_readers(const Side *s, Cell *cell, uint64_t offset)
{
    struct Race *race = s->c->sim->race;
    for (const Past *r = &cell->reader;; r = &race->past[r->next]) {
        uint32_t number = r->warp ? past_conflicts(s, r) : 0;
        if (number) {
            tell(s, number - 1, r->where, ACCESS_READ, offset);
            return;
        }
        if (!r->next)
            return;
    }
}

/* An atomic write follows reads. Those that its thread does not know stay: a plain write later on must know them. */
static void readers_sift(const Side *s, Cell *cell)
{
    struct Race *race = s->c->sim->race;
    const Side plain = {.c = s->c, .lane = s->lane};
    for (uint32_t *link = &cell->reader.next; *link;) {
        uint32_t at = *link;
        if (past_conflicts(&plain, &race->past[at])) {
            link = &race->past[at].next;
            continue;
        }
        *link = race->past[at].next;
        race->past[at].next = 0;
        pasts_free(race, at);
    }
    if (cell->reader.warp && past_conflicts(&plain, &cell->reader))
        return;
    uint32_t first = cell->reader.next;
    if (!first) {
        readers_drop(race, cell);
        return;
    }
    cell->reader = race->past[first];
    race->past[first].next = 0;
    pasts_free(race, first);
}

/* An atomic write follows one that its thread does not know: a plain access later on must know both. */
static void overtake(const Side *s, Cell *cell)
{
    struct Race *race = s->c->sim->race;
    const Block *block = s->c->block;
    uint32_t number = cell->writer - 1, t = number % block->threads, count = 0;
    uint32_t warp = 1 + number / block->threads * block->warps + t / LANES;
    Mask lane = 1u << t % LANES;
    for (uint32_t at = cell->overtaken; at; at = race->past[at].next, count++) {
        Past *past = &race->past[at];
        if (past->warp != warp)
            continue;
        if (past_conflicts(&(Side){.c = s->c, .lane = s->lane}, past))
            past->lanes |= lane;        /* and the earlier time: rather silent than wrong */
        else
            *past = (Past){warp, lane, cell->time, cell->where, past->next, cell->strong, cell->scope};
        return;
    }
    if (count == MOST_READERS)
        return;
    uint32_t at = past_new(race);
    race->past[at] = (Past){warp, lane, cell->time, cell->where, cell->overtaken, cell->strong, cell->scope};
    cell->overtaken = at;
}

/* A plain access against the atomic writes before the last one. */
static void check_overtaken(const Side *s, Cell *cell, uint64_t offset)
{
    struct Race *race = s->c->sim->race;
    uint32_t number = 0;
    for (uint32_t at = cell->overtaken; at && !number; at = race->past[at].next)
        if ((number = past_conflicts(s, &race->past[at])))
            tell(s, number - 1, race->past[at].where, ACCESS_WRITE, offset);
    if (s->kind == ACCESS_READ && !number)
        return;
    pasts_free(race, cell->overtaken);
    cell->overtaken = 0;
}

/* Against the last write; one race is told for each access. */
static void check_writer(const Side *s, Cell *cell, uint64_t offset)
{
    uint32_t t = thread_index(s->c->warp, s->lane), number = cell->writer - 1;
    bool known = number == thread_number(s->c->block, t) || race_knows(s->c->block, t, number, cell->time);
    if (!known && excused(s, cell)) {
        if (s->kind != ACCESS_READ)
            overtake(s, cell);
        return;
    }
    if (!known && !(s->kind == ACCESS_WRITE && same_value(s)))
        tell(s, number, cell->where, ACCESS_WRITE, offset);
    else if (cell->overtaken && !s->strong)
        check_overtaken(s, cell, offset);
}

static void cell_access(const Side *s, Cell *cell, uint8_t bytes, uint64_t offset)
{
    struct Race *race = s->c->sim->race;
    uint32_t number = thread_number(s->c->block, thread_index(s->c->warp, s->lane));
    if (cell->writer)
        check_writer(s, cell, offset);
    if (s->kind == ACCESS_READ) {
        read_note(s, cell);
        cell->read |= bytes;
        return;
    }
    if (cell->reader.warp || cell->reader.next) {
        check_readers(s, cell, offset);
        if (s->strong)
            readers_sift(s, cell);
        else
            readers_drop(race, cell);
    }
    cell->writer = 1 + (s->agent ? s->agent : number);
    cell->time = race->now;
    cell->where = s->c->inst->where;
    cell->written = bytes;
    cell->strong = s->strong;
    cell->by_proxy = s->by_proxy;
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
            part->by_proxy = cell->by_proxy;
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

static void side_access(const Side *s, uint64_t bytes)
{
    Object *object = s->place->object;
    if (!object->cells)
        cells_map(object);
    for (uint64_t at = s->place->offset, end = at + bytes; at < end;) {
        uint64_t granule = at / GRANULE, next = (granule + 1) * GRANULE < end ? (granule + 1) * GRANULE : end;
        unsigned first = at % GRANULE, count = (unsigned)(next - at);
        granule_access(s, &object->cells[granule], (uint8_t)(((1u << count) - 1) << first), at);
        at = next;
    }
}

void race_access(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind, const Access *access)
{
    side_access(&(Side){.c = c, .lane = lane, .place = place, .kind = kind, .access = access, .strong = is_strong(access)}, bytes);
}

/* ---- copies ---- */

void race_copy_write(Ctx *c, int lane, const Place *place, uint64_t bytes, uint32_t agent, bool by_proxy)
{
    side_access(&(Side){.c = c, .lane = lane, .place = place, .kind = ACCESS_WRITE, .agent = agent, .by_proxy = by_proxy}, bytes);
}

/* The store in this cell that no proxy fence followed, if there is one. */
static const Cell *unfenced(const Cell *cell, uint32_t fenced)
{
    return cell->writer && !cell->by_proxy && cell->time >= fenced ? cell : NULL;
}

bool race_unfenced(const Sim *sim, const Place *place, uint64_t bytes, uint32_t fenced, uint32_t *number, uint32_t *where)
{
    const Cell *cells = place->object->cells;
    if (!cells)
        return false;
    for (uint64_t g = place->offset / GRANULE; g <= (place->offset + bytes - 1) / GRANULE; g++) {
        const Cell *found = cells[g].split ? NULL : unfenced(&cells[g], fenced);
        for (unsigned byte = 0; cells[g].split && !found && byte < GRANULE; byte++)
            found = unfenced(&sim->race->byte_cell[cells[g].split + byte], fenced);
        if (!found)
            continue;
        *number = found->writer - 1;
        *where = found->where;
        return true;
    }
    return false;
}
