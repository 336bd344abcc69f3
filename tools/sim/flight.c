/* Who touches what copies in flight read or write; and what the asynchronous proxy need not see yet. */
#include "async.h"
#include "race.h"

#include <inttypes.h>

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
    for (uint64_t g = place->offset / COPY_GRANULE; g <= (place->offset + bytes - 1) / COPY_GRANULE; g++) {
        if (a->slot[g] == SLOT_MBAR)
            finding_add(c, lane, FIND_MBARRIER, "%s shared+%" PRIu64 ", which is part of an mbarrier",
                        kind == ACCESS_READ ? "reads" : "writes", g * COPY_GRANULE);
        else if (a->slot[g])
            tell(c, lane, place, &a->copy[a->slot[g] - 1], kind == ACCESS_READ ? "reads" : "writes");
        else
            continue;
        return;
    }
}

static bool overlap(const Place *a, uint64_t a_bytes, const Place *b, uint64_t b_bytes)
{
    return a->object == b->object && a->offset < b->offset + b_bytes && b->offset < a->offset + a_bytes;
}

/* Writes to what a copy of `block` still has to read; accesses to what it writes in global memory. */
static void touch_far(Ctx *c, int lane, Block *block, const Place *place, uint64_t bytes, AccessKind kind)
{
    struct Async *a = block->async;
    uint64_t from = place_address(place);
    if (!a || !a->flying || from >= a->high || from + bytes <= a->low)
        return;
    for (uint32_t i = 0; i < a->copies; i++) {
        const Copy *copy = &a->copy[i];
        if (copy->kind == COPY_FREE || copy->kind == COPY_TOKEN)
            continue;
        if (kind != ACCESS_READ && !copy->source_done && overlap(&copy->from, copy->source_bytes, place, bytes))
            tell(c, lane, place, copy, "writes the source");
        else if (copy->kind == COPY_BULK_OUT && overlap(&copy->to, copy->bytes, place, bytes))
            tell(c, lane, place, copy, kind == ACCESS_READ ? "reads" : "writes");
        else
            continue;
        return;
    }
}

void async_touch(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind)
{
    struct Async *a = c->block->async;
    bool shared = place->space == SPACE_SHARED;
    if (shared && (a->flying || a->mbars) && a->slot)
        touch_slot(c, lane, place, bytes, kind);
    if (kind == ACCESS_READ && (shared || !c->sim->copies_out))
        return;
    if (shared) {
        touch_far(c, lane, c->block, place, bytes, kind);
        return;
    }
    for (uint32_t i = 0; i < c->sim->resident_count; i++)
        touch_far(c, lane, c->sim->resident[i], place, bytes, kind);
}

/* ---- the asynchronous proxy ---- */

/* Any fence since the store will do: that it is this thread's, or the storing one's, is not looked at. */
void proxy_check(Ctx *c, int lane, const Place *place, uint64_t bytes, AccessKind kind)
{
    char at[TEXT_SIZE], line[TEXT_SIZE];
    uint32_t number, where;
    uint32_t fenced = place->space == SPACE_SHARED ? c->block->async->fenced : c->sim->race->fenced;
    if (!race_unfenced(c->sim, place, bytes, fenced, &number, &where))
        return;
    address_text(c, place_address(place), 0, at, sizeof at);
    finding_add(c, lane, FIND_ASYNC, "%s %s and on, where thread %u of block %u stored at %s, with no fence.proxy.async since",
                kind == ACCESS_READ ? "reads" : "writes", at, number % c->block->threads, number / c->block->threads,
                where_text(c->sim, where, line, sizeof line));
}

void op_proxyfence(Ctx *c)
{
    if (!c->sim->check)
        return;
    struct Async *a = c->block->async;
    uint32_t now = ++c->sim->race->now;
    if (c->inst->imm & PROXY_SHARED)
        a->fenced = now;
    if (c->inst->imm & PROXY_GLOBAL)
        c->sim->race->fenced = now;
    if (c->inst->imm & PROXY_INIT)
        a->fenced_init = now;
}
