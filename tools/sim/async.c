/* Asynchronous copies: the list of those in flight, and cp.async with its groups. (bulk.c: cp.async.bulk, and mbarriers that
 * await copies; flight.c: who touches what is in flight.)
 *
 *      issue ......... landing ......... wait          the bytes may move at any time up to the wait: as late as possible with
 *        |<-------- in flight -------->|               seed 0, sometimes earlier with others
 *
 * While a copy is in flight nobody may read or write where it goes, nor write where it comes from. After its wait the copy
 * counts as a store of the issuing thread, so that what orders it for others (a barrier) is checked as for any store. */
#include "async.h"
#include "race.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ODDS_EARLY = 4 };

bool async_setup(Block *block)
{
    block->async = calloc(1, sizeof *block->async);
    return block->async != NULL;
}

struct Async *async_tables(Block *block)
{
    struct Async *a = block->async;
    if (a->first)
        return a;
    a->first = calloc(block->threads, sizeof *a->first);
    a->open = calloc(block->threads, sizeof *a->open);
    a->bulk_open = calloc(block->threads, sizeof *a->bulk_open);
    a->slot = calloc(block->shared.size / COPY_GRANULE + 8, sizeof *a->slot);
    if (!a->first || !a->open || !a->bulk_open || !a->slot)
        abort();
    a->low = ~0ull;
    return a;
}

uint64_t place_address(const Place *place) { return place->object->base + place->offset; }

/* ---- the list ---- */

static void slots_mark(struct Async *a, const Copy *copy, uint32_t mark)
{
    if (copy->to.space != SPACE_SHARED)
        return;
    for (uint64_t g = copy->to.offset / COPY_GRANULE; g <= (copy->to.offset + copy->bytes - 1) / COPY_GRANULE; g++)
        a->slot[g] = mark;
}

Copy *copy_new(Block *block, uint32_t thread, CopyKind kind, const Inst *inst)
{
    struct Async *a = async_tables(block);
    uint32_t index = a->spare ? a->spare - 1 : a->copies;
    if (a->spare) {
        a->spare = a->copy[index].next;
    } else {
        if (a->copies == a->capacity) {
            a->capacity = a->capacity ? 2 * a->capacity : 64;
            a->copy = realloc(a->copy, a->capacity * sizeof *a->copy);
            if (!a->copy)
                abort();
        }
        a->copies++;
    }
    a->flying++;
    a->copy[index] = (Copy){.kind = kind, .thread = thread, .inst = inst, .order = ++a->order, .next = a->first[thread]};
    a->first[thread] = index + 1;
    return &a->copy[index];
}

void copies_sweep(struct Async *a, uint32_t thread)
{
    uint32_t *link = &a->first[thread];
    while (*link) {
        uint32_t at = *link;
        Copy *copy = &a->copy[at - 1];
        if (copy->kind != COPY_FREE) {
            link = &copy->next;
            continue;
        }
        *link = copy->next;
        copy->next = a->spare;
        a->spare = at;
    }
}

static void copy_free(struct Async *a, Copy *copy)
{
    slots_mark(a, copy, 0);
    clock_clear(&copy->issued);
    copy->kind = COPY_FREE;
    if (--a->flying == 0) {
        a->low = ~0ull;
        a->high = 0;
    }
}

void async_free(Block *block)
{
    struct Async *a = block->async;
    if (!a)
        return;
    for (uint32_t i = 0; i < a->copies; i++) {
        block->sim->copies_out -= a->copy[i].kind == COPY_BULK_OUT;
        clock_clear(&a->copy[i].issued);
    }
    free(a->copy);
    free(a->first);
    free(a->open);
    free(a->bulk_open);
    free(a->slot);
    free(a->mbar);
    free(a);
    block->async = NULL;
}

/* ---- landing ---- */

Ctx issuer_ctx(Block *block, const Copy *copy, int *lane)
{
    Warp *warp = &block->warp[copy->thread / LANES];
    *lane = (int)(copy->thread % LANES);
    return (Ctx){.sim = block->sim, .warp = warp, .block = block, .inst = copy->inst, .mask = 1u << *lane};
}

void copy_land(Copy *copy)
{
    if (copy->landed)
        return;
    copy->landed = true;
    memmove(copy->to.data, copy->from.data, copy->source_bytes);
    memset(copy->to.data + copy->source_bytes, 0, copy->bytes - copy->source_bytes);
    if (!copy->to.undef)
        return;
    for (uint32_t i = 0; i < copy->bytes; i++)
        copy->to.undef[i] = (uint8_t)((i < copy->source_bytes ? copy->from.undef[i] ^ copy->from.flip : 0) ^ copy->to.flip);
}

void copy_finish(Block *block, Copy *copy, uint32_t agent)
{
    int lane;
    Ctx c = issuer_ctx(block, copy, &lane);
    copy_land(copy);
    if (block->sim->check) {
        if (copy->source_bytes && !copy->source_done && !agent)
            race_access(&c, lane, &copy->from, copy->source_bytes, ACCESS_READ, NULL);
        race_copy_write(&c, lane, &copy->to, copy->bytes, agent, copy->kind != COPY_GROUP);
    }
    if (copy->kind == COPY_BULK_OUT)
        block->sim->copies_out--;
    copy_free(block->async, copy);
}

void copies_complete(Block *block, uint32_t thread, CopyKind kind, uint32_t before_group, uint64_t before_order, uint32_t agent)
{
    struct Async *a = block->async;
    if (!a->first)
        return;
    for (uint32_t at = a->first[thread]; at;) {
        Copy *copy = &a->copy[at - 1];
        at = copy->next;
        if (copy->kind == kind && copy->group < before_group && copy->order < before_order)
            copy_finish(block, copy, agent);
    }
    copies_sweep(a, thread);
}

/* ---- issuing ---- */

static void range_widen(struct Async *a, const Place *place, uint64_t bytes)
{
    uint64_t low = place_address(place);
    a->low = low < a->low ? low : a->low;
    a->high = low + bytes > a->high ? low + bytes : a->high;
}

/* What the copy finds under way, or not yet visible to it. */
static void issue_check(Ctx *c, int lane, CopyKind kind, const Copy *made)
{
    async_touch(c, lane, &made->to, made->bytes, ACCESS_WRITE);
    if (made->source_bytes)
        async_touch(c, lane, &made->from, made->source_bytes, ACCESS_READ);
    if (kind == COPY_GROUP)
        return;
    proxy_check(c, lane, &made->from, made->source_bytes, ACCESS_READ);
    proxy_check(c, lane, &made->to, made->bytes, ACCESS_WRITE);
}

/* The bytes may be read and written from here on, as by the issuing thread. */
static void issue_note(Ctx *c, int lane, Copy *copy)
{
    struct Async *a = c->block->async;
    bool by_proxy = copy->kind != COPY_GROUP;
    race_copy_write(c, lane, &copy->to, copy->bytes, 0, by_proxy);
    if (copy->source_bytes) {
        race_access(c, lane, &copy->from, copy->source_bytes, ACCESS_READ, NULL);
        range_widen(a, &copy->from, copy->source_bytes);
    }
    if (copy->kind == COPY_BULK_OUT)
        range_widen(a, &copy->to, copy->bytes);
    slots_mark(a, copy, (uint32_t)(copy - a->copy) + 1);
}

bool operand_defined(Ctx *c, int lane, unsigned operand, const char *what)
{
    if (!tainted(c, c->inst->src[operand], 1u << lane))
        return true;
    finding_add(c, lane, FIND_UNDEF_ADDRESS, "the %s of an asynchronous copy", what);
    return false;
}

/* A copy that reads nothing may name any source. */
bool copy_places(Ctx *c, int lane, unsigned to, unsigned from, unsigned to_space, unsigned from_space, unsigned align, Copy *copy)
{
    if (!operand_defined(c, lane, to, "address") || !operand_defined(c, lane, from, "address") ||
        !place_find(c, lane, ref_value(c, c->inst->src[to])[lane], to_space, copy->bytes, align, ACCESS_WRITE, &copy->to))
        return false;
    copy->from = copy->to;
    uint64_t source = ref_value(c, c->inst->src[from])[lane];
    return !copy->source_bytes || place_find(c, lane, source, from_space, copy->source_bytes, align, ACCESS_READ, &copy->from);
}

Copy *copy_start(Ctx *c, int lane, CopyKind kind, const Copy *made, uint32_t group)
{
    if (c->sim->check)
        issue_check(c, lane, kind, made);
    Copy *copy = copy_new(c->block, thread_index(c->warp, lane), kind, c->inst);
    copy->to = made->to;
    copy->from = made->from;
    copy->bytes = made->bytes;
    copy->source_bytes = made->source_bytes;
    copy->mbar = made->mbar;
    copy->group = group;
    c->sim->copies_out += kind == COPY_BULK_OUT;
    if (c->sim->check)
        issue_note(c, lane, copy);
    return copy;
}

void groups_close(const Ctx *c, uint32_t *open)
{
    int lane;
    EACH_LANE(lane, c->mask)
        open[thread_index(c->warp, lane)]++;
}

/* ---- cp.async ---- */

/* How many bytes the copy reads; the rest of its slot becomes zero. */
static bool source_size(Ctx *c, int lane, uint32_t bytes, uint32_t *source)
{
    *source = bytes;
    if (!(c->inst->imm & CPASYNC_SIZED))
        return true;
    if (!operand_defined(c, lane, 2, "source size"))
        return false;
    uint32_t wanted = (uint32_t)ref_value(c, c->inst->src[2])[lane];
    if (wanted > bytes)
        finding_add(c, lane, FIND_ASYNC, "a source of %u bytes for a copy of %u", wanted, bytes);
    else
        *source = wanted;
    return true;
}

void op_cpasync(Ctx *c)
{
    const Access *access = c->inst->ext;
    uint32_t bytes = (uint32_t)c->inst->imm & 31;
    Served read = {0}, written = {0};
    int lane;
    EACH_LANE(lane, c->mask) {
        Copy made = {.bytes = bytes};
        if (!source_size(c, lane, bytes, &made.source_bytes) || !copy_places(c, lane, 0, 1, 3, 1, bytes, &made))
            continue;
        Copy *copy = copy_start(c, lane, COPY_GROUP, &made, async_tables(c->block)->open[thread_index(c->warp, lane)]);
        if (c->sim->adversarial && random_next(&c->sim->random) % ODDS_EARLY == 0)
            copy_land(copy);
        if (copy->source_bytes)
            served_add(&read, lane, copy->from.space);
        served_add(&written, lane, SPACE_SHARED);
    }
    stats_access(c, access->id, ACCESS_READ, ref_value(c, c->inst->src[1]), &read, bytes, bytes);
    stats_access(c, access->id, ACCESS_WRITE, ref_value(c, c->inst->src[0]), &written, bytes, bytes);
}

void op_cpcommit(Ctx *c) { groups_close(c, async_tables(c->block)->open); }

/* imm 1: wait_all, uncommitted copies too. */
void op_cpwait(Ctx *c)
{
    struct Async *a = async_tables(c->block);
    int lane;
    EACH_LANE(lane, c->mask) {
        uint32_t t = thread_index(c->warp, lane), keep = (uint32_t)ref_value(c, c->inst->src[0])[lane], open = a->open[t];
        uint32_t before = c->inst->imm ? open + 1 : open > keep ? open - keep : 0;
        copies_complete(c->block, t, COPY_GROUP, before, ~0ull, 0);
        if (a->tokens && c->sim->check)
            race_wait(c->block, t, token_key(c->block, t));
    }
}
