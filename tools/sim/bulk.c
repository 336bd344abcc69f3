/* cp.async.bulk (in: an mbarrier counts the bytes; out: groups), and mbarriers that await the copies of a thread.
 *
 * What an mbarrier is told of lands when it likes: sometimes, or when nobody can go on without. It then tells those that wait
 * what the thread knew when it issued the copy, and the copy's bytes; not what the thread did since. */
#include "async.h"
#include "race.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ODDS_BULK = 64, BULK_ALIGN = 16 };

/* ---- issuing ---- */

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

/* The asynchronous proxy sees an mbarrier's init behind a fence only. */
static bool mbar_visible(Ctx *c, int lane, uint64_t offset)
{
    const struct Async *a = c->block->async;
    const Mbar *mbar = mbar_find(c->block, offset);
    if (!mbar)
        finding_add(c, lane, FIND_MBARRIER, "shared+%" PRIu64 " is no initialized mbarrier", offset);
    else if (c->sim->check && mbar->made >= a->fenced && mbar->made >= a->fenced_init)
        finding_add(c, lane, FIND_MBARRIER, "no fence.mbarrier_init or fence.proxy.async after the init of shared+%" PRIu64,
                    offset);
    return mbar != NULL;
}

static void bulk_lane(Ctx *c, int lane, bool in)
{
    uint32_t bytes = (uint32_t)ref_value(c, c->inst->src[in ? 3 : 2])[lane], thread = thread_index(c->warp, lane);
    Copy made = {.bytes = bytes, .source_bytes = bytes};
    if (!operand_defined(c, lane, in ? 3 : 2, "size") || (in && !operand_defined(c, lane, 1, "mbarrier")))
        return;
    if (bytes % BULK_ALIGN) {
        finding_add(c, lane, FIND_ASYNC, "a bulk copy of %u bytes, no multiple of %d", bytes, BULK_ALIGN);
        return;
    }
    if (!bytes || !copy_places(c, lane, 0, in ? 2 : 1, in ? 3 : 1, in ? 1 : 3, BULK_ALIGN, &made))
        return;
    if (in) {
        made.mbar = shared_offset(ref_value(c, c->inst->src[1])[lane]);
        if (!mbar_visible(c, lane, made.mbar))
            return;
    }
    Copy *copy = copy_start(c, lane, in ? COPY_BULK_IN : COPY_BULK_OUT, &made, async_tables(c->block)->bulk_open[thread]);
    if (in && c->sim->check)
        race_snapshot(c->block, thread, &copy->issued);
    bulk_stats(c, lane, in ? &copy->from : &copy->to, in ? ACCESS_READ : ACCESS_WRITE, bytes);
}

/* in: (to, mbarrier, from, bytes), out: (to, from, bytes) */
void op_bulk(Ctx *c)
{
    int lane;
    EACH_LANE(lane, c->mask)
        bulk_lane(c, lane, c->inst->imm == BULK_IN);
}

void op_bulkcommit(Ctx *c) { groups_close(c, async_tables(c->block)->bulk_open); }

/* The sources of a thread's copies have been read; what they write is still under way. */
static void sources_done(Ctx *c, uint32_t thread, uint32_t before_group)
{
    struct Async *a = c->block->async;
    for (uint32_t at = a->first[thread]; at; at = a->copy[at - 1].next) {
        Copy *copy = &a->copy[at - 1];
        if (copy->kind != COPY_BULK_OUT || copy->source_done || copy->group >= before_group)
            continue;
        int lane;
        Ctx issuer = issuer_ctx(c->block, copy, &lane);
        copy_land(copy);
        copy->source_done = true;
        if (c->sim->check)
            race_access(&issuer, lane, &copy->from, copy->source_bytes, ACCESS_READ, NULL);
    }
}

/* imm 1: for the sources alone. */
void op_bulkwait(Ctx *c)
{
    struct Async *a = async_tables(c->block);
    int lane;
    EACH_LANE(lane, c->mask) {
        uint32_t t = thread_index(c->warp, lane), keep = (uint32_t)ref_value(c, c->inst->src[0])[lane], open = a->bulk_open[t];
        uint32_t before = open > keep ? open - keep : 0;
        if (c->inst->imm)
            sources_done(c, t, before);
        else
            copies_complete(c->block, t, COPY_BULK_OUT, before, ~0ull, 0);
    }
}

/* cp.async.mbarrier.arrive: the thread's copies so far, when complete, arrive at the mbarrier. imm 1: no increment. */
void op_cpmbar(Ctx *c)
{
    int lane;
    EACH_LANE(lane, c->mask) {
        uint32_t thread = thread_index(c->warp, lane);
        uint64_t offset = shared_offset(ref_value(c, c->inst->src[0])[lane]);
        Mbar *mbar = mbar_find(c->block, offset);
        if (!mbar) {
            finding_add(c, lane, FIND_MBARRIER, "shared+%" PRIu64 " is no initialized mbarrier", offset);
            continue;
        }
        if (!(c->inst->imm & 1))
            mbar->pending++;
        Copy *token = copy_new(c->block, thread, COPY_TOKEN, c->inst);
        token->mbar = offset;
        token->landed = true;
        c->block->async->tokens = true;
        if (c->sim->check)
            race_snapshot(c->block, thread, &token->issued);
    }
}

/* ---- landing ---- */

uint64_t token_key(const Block *block, uint32_t thread) { return 1ull << 62 | (uint64_t)block->index << 24 | thread; }

/* A thread's tokens come in order: copies are complete for the first mbarrier that was told of them. */
static Copy *oldest_token(struct Async *a, uint32_t thread)
{
    Copy *oldest = NULL;
    for (uint32_t at = a->first[thread]; at; at = a->copy[at - 1].next)
        if (a->copy[at - 1].kind == COPY_TOKEN && (!oldest || a->copy[at - 1].order < oldest->order))
            oldest = &a->copy[at - 1];
    return oldest;
}

/* The thread's other tokens were issued after these copies too, and who waits for those learns of them. */
static void tokens_tell(Block *block, uint32_t thread, uint32_t agent)
{
    struct Async *a = block->async;
    for (uint32_t at = a->first[thread]; at; at = a->copy[at - 1].next)
        if (a->copy[at - 1].kind == COPY_TOKEN)
            clock_put(&a->copy[at - 1].issued, CLOCK_AGENT + (agent & ~RACE_AGENT), block->sim->race->now);
}

static void token_land(Block *block, Copy *copy)
{
    Copy token = *copy;
    int lane;
    Ctx c = issuer_ctx(block, &token, &lane);
    Mbar *mbar = mbar_find(block, token.mbar);
    copy->kind = COPY_FREE;
    copy->issued = (Clock){0};
    block->async->flying--;
    copies_complete(block, token.thread, COPY_GROUP, ~0u, token.order, mbar ? mbar->agent : 0);
    if (mbar) {
        if (block->sim->check) {
            race_arrive_copy(block, &token.issued, mbar->agent, token_key(block, token.thread));
            tokens_tell(block, token.thread, mbar->agent);
        }
        mbar_arrive_copies(&c, lane, mbar, &token.issued);
    }
    clock_clear(&token.issued);
}

static void bulk_land(Block *block, Copy *copy)
{
    Clock issued = copy->issued;
    uint32_t bytes = copy->bytes, thread = copy->thread;
    Mbar *mbar = mbar_find(block, copy->mbar);
    if (!mbar) {
        int lane;
        Ctx c = issuer_ctx(block, copy, &lane);
        finding_add(&c, lane, FIND_MBARRIER, "a bulk copy completes on shared+%" PRIu64 ", which is no mbarrier any more",
                    copy->mbar);
    }
    copy->issued = (Clock){0};
    copy_finish(block, copy, mbar ? mbar->agent : 0);
    copies_sweep(block->async, thread);
    if (mbar)
        mbar_bytes(block, mbar, &issued, bytes);
    clock_clear(&issued);
}

static bool land_one(Block *block, uint32_t from)
{
    struct Async *a = block->async;
    for (uint32_t i = 0; i < a->copies; i++) {
        Copy *copy = &a->copy[(from + i) % a->copies];
        if (copy->kind == COPY_TOKEN)
            token_land(block, oldest_token(a, copy->thread));
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

/* ---- the block's end ---- */

/* Bulk copies go on when the threads are gone, but the block's shared memory does not. */
void async_end(Block *block)
{
    const struct Async *a = block->async;
    for (uint32_t i = 0; a && i < a->copies; i++) {
        const Copy *copy = &a->copy[i];
        bool out = copy->kind == COPY_BULK_OUT && !copy->source_done;
        if (!out && copy->kind != COPY_BULK_IN)
            continue;
        int lane;
        Ctx c = issuer_ctx(block, copy, &lane);
        finding_add(&c, lane, FIND_ASYNC, "the block ends while this copy %s its shared memory", out ? "reads" : "writes");
    }
}
