/* Asynchronous copies: cp.async (per-thread groups), cp.async.bulk (mbarrier in, groups out).
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

enum { GRANULE = 4, ODDS_EARLY = 4, ODDS_BULK = 64, BULK_ALIGN = 16 };

bool async_setup(Block *block)
{
    block->async = calloc(1, sizeof *block->async);
    return block->async != NULL;
}

/* The tables come with the first copy: most kernels have none. */
static struct Async *tables(Block *block)
{
    struct Async *a = block->async;
    if (a->first)
        return a;
    a->first = calloc(block->threads, sizeof *a->first);
    a->open = calloc(block->threads, sizeof *a->open);
    a->bulk_open = calloc(block->threads, sizeof *a->bulk_open);
    a->slot = calloc(block->shared.size / GRANULE + 8, sizeof *a->slot);
    if (!a->first || !a->open || !a->bulk_open || !a->slot)
        abort();
    a->source_low = ~0ull;
    return a;
}

static uint64_t place_address(const Place *place) { return place->object->base + place->offset; }

/* ---- the list ---- */

static void slots_mark(struct Async *a, const Copy *copy, uint32_t mark)
{
    if (copy->to.space != SPACE_SHARED)
        return;
    for (uint64_t g = copy->to.offset / GRANULE; g <= (copy->to.offset + copy->bytes - 1) / GRANULE; g++)
        a->slot[g] = mark;
}

static Copy *copy_new(Block *block, uint32_t thread, CopyKind kind, const Inst *inst)
{
    struct Async *a = tables(block);
    uint32_t index = 0;
    while (index < a->copies && a->copy[index].kind != COPY_FREE && a->flying < a->copies)
        index++;
    if (a->flying >= a->copies)
        index = a->copies;
    if (index == a->copies) {
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

/* Drops the finished copies of a thread from its list. */
static void thread_sweep(struct Async *a, uint32_t thread)
{
    uint32_t *link = &a->first[thread];
    while (*link) {
        Copy *copy = &a->copy[*link - 1];
        if (copy->kind == COPY_FREE)
            *link = copy->next;
        else
            link = &copy->next;
    }
}

static void copy_free(struct Async *a, Copy *copy)
{
    slots_mark(a, copy, 0);
    copy->kind = COPY_FREE;
    if (--a->flying == 0) {
        a->source_low = ~0ull;
        a->source_high = 0;
    }
}

void async_free(Block *block)
{
    struct Async *a = block->async;
    if (!a)
        return;
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

static void copy_land(Copy *copy)
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

/* The copy is complete for its thread: it counts as that thread's load and store, now. */
static void copy_finish(Block *block, Copy *copy)
{
    int lane;
    Ctx c = issuer_ctx(block, copy, &lane);
    copy_land(copy);
    if (block->sim->check) {
        if (copy->source_bytes)
            race_access(&c, lane, &copy->from, copy->source_bytes, ACCESS_READ, NULL);
        race_access(&c, lane, &copy->to, copy->bytes, ACCESS_WRITE, NULL);
    }
    copy_free(block->async, copy);
}

void copies_complete(Block *block, uint32_t thread, CopyKind kind, uint32_t before_group, uint64_t before_order)
{
    struct Async *a = block->async;
    if (!a->first)
        return;
    for (uint32_t at = a->first[thread]; at;) {
        Copy *copy = &a->copy[at - 1];
        at = copy->next;
        if (copy->kind == kind && copy->group < before_group && copy->order < before_order)
            copy_finish(block, copy);
    }
    thread_sweep(a, thread);
}

/* ---- issuing ---- */

static void issue_note(Ctx *c, int lane, Copy *copy)
{
    struct Async *a = c->block->async;
    if (!c->sim->check)
        return;
    async_touch(c, lane, &copy->to, copy->bytes, ACCESS_WRITE);
    race_access(c, lane, &copy->to, copy->bytes, ACCESS_WRITE, NULL);
    if (copy->source_bytes)
        race_access(c, lane, &copy->from, copy->source_bytes, ACCESS_READ, NULL);
    uint64_t low = place_address(&copy->from);
    a->source_low = low < a->source_low ? low : a->source_low;
    a->source_high = low + copy->source_bytes > a->source_high ? low + copy->source_bytes : a->source_high;
    slots_mark(a, copy, (uint32_t)(copy - a->copy) + 1);
}

static bool address_defined(Ctx *c, int lane, unsigned operand)
{
    if (!tainted(c, c->inst->src[operand], 1u << lane))
        return true;
    finding_add(c, lane, FIND_UNDEF_ADDRESS, "the address of an asynchronous copy");
    return false;
}

static bool places(Ctx *c, int lane, unsigned to, unsigned from, unsigned to_space, unsigned from_space, uint32_t bytes,
                   uint32_t source_bytes, unsigned align, Copy *copy)
{
    if (!address_defined(c, lane, to) || !address_defined(c, lane, from)
        || !place_find(c, lane, ref_value(c, c->inst->src[to])[lane], to_space, bytes, align, ACCESS_WRITE, &copy->to)
        || !place_find(c, lane, ref_value(c, c->inst->src[from])[lane], from_space, source_bytes, align, ACCESS_READ, &copy->from))
        return false;
    copy->bytes = bytes;
    copy->source_bytes = source_bytes;
    return true;
}

/* Into the list, with what `made` says of it. */
static Copy *copy_start(Ctx *c, int lane, CopyKind kind, const Copy *made, uint32_t group)
{
    Copy *copy = copy_new(c->block, thread_index(c->warp, lane), kind, c->inst);
    copy->to = made->to;
    copy->from = made->from;
    copy->bytes = made->bytes;
    copy->source_bytes = made->source_bytes;
    copy->mbar = made->mbar;
    copy->group = group;
    issue_note(c, lane, copy);
    return copy;
}

/* The group that is being filled ends here, and the next begins. */
static void groups_close(const Ctx *c, uint32_t *open)
{
    int lane;
    EACH_LANE(lane, c->mask)
        open[thread_index(c->warp, lane)]++;
}

void op_cpasync(Ctx *c)
{
    const Access *access = c->inst->ext;
    uint32_t bytes = (uint32_t)c->inst->imm & 31;
    Served read = {0}, written = {0};
    int lane;
    EACH_LANE(lane, c->mask) {
        uint32_t source = bytes;
        if (c->inst->imm & 64)
            source = (uint32_t)ref_value(c, c->inst->src[2])[lane];
        Copy made = {0};
        if (!places(c, lane, 0, 1, 3, 0, bytes, source < bytes ? source : bytes, bytes, &made))
            continue;
        Copy *copy = copy_start(c, lane, COPY_GROUP, &made, tables(c->block)->open[thread_index(c->warp, lane)]);
        if (c->sim->adversarial && random_next(&c->sim->random) % ODDS_EARLY == 0)
            copy_land(copy);
        served_add(&read, lane, copy->from.space);
        served_add(&written, lane, SPACE_SHARED);
    }
    stats_access(c, access->id, ACCESS_READ, ref_value(c, c->inst->src[1]), &read, bytes, bytes);
    stats_access(c, access->id, ACCESS_WRITE, ref_value(c, c->inst->src[0]), &written, bytes, bytes);
}

void op_cpcommit(Ctx *c) { groups_close(c, tables(c->block)->open); }

/* imm 1: wait_all, uncommitted copies too. */
void op_cpwait(Ctx *c)
{
    struct Async *a = tables(c->block);
    int lane;
    EACH_LANE(lane, c->mask) {
        uint32_t t = thread_index(c->warp, lane), keep = (uint32_t)ref_value(c, c->inst->src[0])[lane], open = a->open[t];
        uint32_t before = c->inst->imm ? open + 1 : open > keep ? open - keep : 0;
        copies_complete(c->block, t, COPY_GROUP, before, ~0ull);
    }
}

/* ---- bulk ---- */

static uint64_t shared_offset(uint64_t address)
{
    return address >= SHARED_BASE && address - SHARED_BASE < SPACE_WINDOW ? address - SHARED_BASE : address;
}

/* The side in global memory, lane by lane: each copy is a request of its own. */
static void bulk_stats(const Ctx *c, int lane, const Place *place, AccessKind kind, uint32_t bytes)
{
    const Access *access = c->inst->ext;
    uint64_t address[LANES] = {0};
    Served served = {0};
    address[lane] = place_address(place);
    served_add(&served, lane, SPACE_GLOBAL);
    stats_access(c, access->id, kind, address, &served, bytes, BULK_ALIGN);
}

static void bulk_lane(Ctx *c, int lane, bool in)
{
    uint32_t bytes = (uint32_t)ref_value(c, c->inst->src[in ? 3 : 2])[lane];
    Copy made = {0};
    if (bytes % BULK_ALIGN) {
        finding_add(c, lane, FIND_ASYNC, "a bulk copy of %u bytes, no multiple of %d", bytes, BULK_ALIGN);
        return;
    }
    if (!bytes || !places(c, lane, 0, in ? 2 : 1, in ? 3 : 0, in ? 0 : 3, bytes, bytes, BULK_ALIGN, &made))
        return;
    if (in)
        made.mbar = shared_offset(ref_value(c, c->inst->src[1])[lane]);
    const Copy *copy = copy_start(c, lane, in ? COPY_BULK_IN : COPY_BULK_OUT, &made,
                                  tables(c->block)->bulk_open[thread_index(c->warp, lane)]);
    bulk_stats(c, lane, in ? &copy->from : &copy->to, in ? ACCESS_READ : ACCESS_WRITE, bytes);
}

/* in: (to, mbarrier, from, bytes), out: (to, from, bytes) */
void op_bulk(Ctx *c)
{
    int lane;
    EACH_LANE(lane, c->mask)
        bulk_lane(c, lane, c->inst->imm == BULK_IN);
}

void op_bulkcommit(Ctx *c) { groups_close(c, tables(c->block)->bulk_open); }

void op_bulkwait(Ctx *c)
{
    struct Async *a = tables(c->block);
    int lane;
    EACH_LANE(lane, c->mask) {
        uint32_t t = thread_index(c->warp, lane), keep = (uint32_t)ref_value(c, c->inst->src[0])[lane], open = a->bulk_open[t];
        copies_complete(c->block, t, COPY_BULK_OUT, open > keep ? open - keep : 0, ~0ull);
    }
}

/* cp.async.mbarrier.arrive: the thread's copies so far, when complete, arrive at the mbarrier. imm 1: no increment. */
void op_cpmbar(Ctx *c)
{
    int lane;
    EACH_LANE(lane, c->mask) {
        uint64_t offset = shared_offset(ref_value(c, c->inst->src[0])[lane]);
        Mbar *mbar = mbar_find(c->block, offset);
        if (!mbar) {
            finding_add(c, lane, FIND_MBARRIER, "shared+%" PRIu64 " is no initialized mbarrier", offset);
            continue;
        }
        if (!(c->inst->imm & 1))
            mbar->pending++;
        Copy *token = copy_new(c->block, thread_index(c->warp, lane), COPY_TOKEN, c->inst);
        token->mbar = offset;
        token->landed = true;
    }
}

static void token_land(Block *block, Copy *copy)
{
    Copy token = *copy;
    copy->kind = COPY_FREE;
    block->async->flying--;
    copies_complete(block, token.thread, COPY_GROUP, ~0u, token.order);
    Mbar *mbar = mbar_find(block, token.mbar);
    if (mbar)
        mbar_arrive(block, token.thread, mbar, 1);
}

static void bulk_land(Block *block, Copy *copy)
{
    Copy done = *copy;
    copy_finish(block, copy);
    thread_sweep(block->async, done.thread);
    Mbar *mbar = mbar_find(block, done.mbar);
    if (mbar) {
        mbar_complete_tx(block, done.thread, mbar, done.bytes);
        return;
    }
    int lane;
    Ctx c = issuer_ctx(block, &done, &lane);
    finding_add(&c, lane, FIND_MBARRIER, "a bulk copy completes on shared+%" PRIu64 ", which is no initialized mbarrier", done.mbar);
}

static bool land_one(Block *block, uint32_t from)
{
    struct Async *a = block->async;
    for (uint32_t i = 0; i < a->copies; i++) {
        Copy *copy = &a->copy[(from + i) % a->copies];
        if (copy->kind == COPY_TOKEN)
            token_land(block, copy);
        else if (copy->kind == COPY_BULK_IN)
            bulk_land(block, copy);
        else
            continue;
        return true;
    }
    return false;
}

bool async_progress(Block *block, bool forced)
{
    struct Async *a = block->async;
    if (!a || !a->flying)
        return false;
    Sim *sim = block->sim;
    if (!forced && random_next(&sim->random) % ODDS_BULK)
        return false;
    return land_one(block, sim->adversarial ? (uint32_t)(random_next(&sim->random) % a->copies) : 0);
}

/* ---- touching ---- */

static void tell(Ctx *c, int lane, const Place *place, const Copy *copy, const char *what)
{
    char at[TEXT_SIZE], line[TEXT_SIZE];
    address_text(c, place_address(place), 0, at, sizeof at);
    finding_add(c, lane, FIND_ASYNC, "%s %s, while the copy of thread %u issued at %s is in flight", what, at, copy->thread,
                where_text(c->sim, copy->inst->where, line, sizeof line));
}

static void touch_slot(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind)
{
    struct Async *a = c->block->async;
    for (uint64_t g = place->offset / GRANULE; g <= (place->offset + bytes - 1) / GRANULE; g++)
        if (a->slot[g]) {
            tell(c, lane, place, &a->copy[a->slot[g] - 1], kind == ACCESS_READ ? "reads" : "writes");
            return;
        }
}

/* Writes to what a copy of `block` still has to read. */
static void touch_source(Ctx *c, int lane, Block *block, const Place *place, uint64_t bytes)
{
    struct Async *a = block->async;
    uint64_t from = place_address(place);
    if (!a || !a->flying || from >= a->source_high || from + bytes <= a->source_low)
        return;
    for (uint32_t i = 0; i < a->copies; i++) {
        const Copy *copy = &a->copy[i];
        if (copy->kind == COPY_FREE || copy->kind == COPY_TOKEN || copy->from.object != place->object)
            continue;
        uint64_t low = place_address(&copy->from);
        if (from < low + copy->source_bytes && low < from + bytes) {
            tell(c, lane, place, copy, "writes the source");
            return;
        }
    }
}

void async_touch(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind)
{
    struct Async *a = c->block->async;
    if (a->flying && place->space == SPACE_SHARED)
        touch_slot(c, lane, place, bytes, kind);
    if (kind == ACCESS_READ)
        return;
    if (place->space == SPACE_SHARED) {
        touch_source(c, lane, c->block, place, bytes);
        return;
    }
    for (uint32_t i = 0; i < c->sim->resident_count; i++)
        touch_source(c, lane, c->sim->resident[i], place, bytes);
}
