/* mbarrier objects. PTX keeps them in 8 opaque bytes of shared memory; here they live in a table by address. A phase ends when
 * no arrival is pending and the bytes announced (tx) have come; then arrivals are expected anew. */
#include "async.h"
#include "race.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ODDS_FALSE = 4, COUNT_MOST = (1 << 20) - 1 };

uint64_t mbar_key(const Block *block, uint64_t offset)
{
    return 3ull << 62 | (uint64_t)block->index << 24 | offset;
}

Mbar *mbar_find(Block *block, uint64_t offset)
{
    struct Async *a = block->async;
    for (uint32_t i = 0; i < a->mbars; i++)
        if (a->mbar[i].used && a->mbar[i].offset == offset)
            return &a->mbar[i];
    return NULL;
}

static void mbar_init(Block *block, uint64_t offset, uint32_t count)
{
    struct Async *a = block->async;
    Mbar *mbar = mbar_find(block, offset);
    if (!mbar) {
        if (a->mbars == a->mbar_capacity) {
            a->mbar_capacity = a->mbar_capacity ? 2 * a->mbar_capacity : 8;
            a->mbar = realloc(a->mbar, a->mbar_capacity * sizeof *a->mbar);
            if (!a->mbar)
                abort();
        }
        mbar = &a->mbar[a->mbars++];
    }
    *mbar = (Mbar){.offset = offset, .used = true, .expected = count, .pending = count};
}

static void phase_check(Mbar *mbar)
{
    if (mbar->pending || mbar->tx)
        return;
    mbar->phase++;
    mbar->pending = mbar->expected;
}

void mbar_arrive(Block *block, uint32_t thread, Mbar *mbar, uint32_t count)
{
    if (block->sim->check)
        race_arrive(block, thread, mbar_key(block, mbar->offset));
    block->sim->give_ups = 0;
    mbar->pending = mbar->pending > count ? mbar->pending - count : 0;
    phase_check(mbar);
}

void mbar_complete_tx(Block *block, uint32_t thread, Mbar *mbar, int64_t bytes)
{
    if (block->sim->check)
        race_arrive(block, thread, mbar_key(block, mbar->offset));
    block->sim->give_ups = 0;
    mbar->tx -= bytes;
    phase_check(mbar);
}

/* Using an mbarrier is a strong access to it: unordered with its init, it races. */
static void note_use(Ctx *c, int lane)
{
    static const Access strong = {.order = ORDER_RELAXED, .scope = SCOPE_BLOCK};
    uint64_t address = ref_value(c, c->inst->src[0])[lane];
    Place place;
    if (c->sim->check && place_find(c, lane, address, address < SPACE_WINDOW ? 3 : 0, 8, 8, ACCESS_ATOMIC, &place))
        race_access(c, lane, &place, 8, ACCESS_ATOMIC, &strong);
}

static bool is_wait(int64_t kind) { return kind >= MBAR_TEST && kind <= MBAR_TRY_PARITY; }

static bool phase_over(const Mbar *mbar, int64_t kind, uint64_t operand)
{
    if (kind == MBAR_TEST_PARITY || kind == MBAR_TRY_PARITY)
        return (mbar->phase & 1) != (operand & 1);
    return mbar->phase > operand;
}

/* The mbarrier that a lane names, or NULL after a finding. */
static Mbar *lane_mbar(Ctx *c, int lane)
{
    Place place;
    uint64_t address = ref_value(c, c->inst->src[0])[lane];
    if (!place_find(c, lane, address, address < SPACE_WINDOW ? 3 : 0, 8, 8, ACCESS_ATOMIC, &place))
        return NULL;
    uint64_t offset = address >= SHARED_BASE ? address - SHARED_BASE : address;
    Mbar *mbar = mbar_find(c->block, offset);
    if (!mbar)
        finding_add(c, lane, FIND_MBARRIER, "shared+%" PRIu64 " is no initialized mbarrier", offset);
    return mbar;
}

/* A wait over all lanes: which may go on. */
static Mask lanes_over(Ctx *c)
{
    Mask over = 0;
    int lane;
    EACH_LANE(lane, c->mask) {
        const Mbar *mbar = lane_mbar(c, lane);
        if (!mbar || phase_over(mbar, c->inst->imm, ref_value(c, c->inst->src[1])[lane]))
            over |= 1u << lane;
    }
    return over;
}

bool mbar_ready(Ctx *c)
{
    return lanes_over(c) != 0;
}

static void mbar_wait(Ctx *c)
{
    Mask over = lanes_over(c);
    bool tries = c->inst->imm == MBAR_TRY || c->inst->imm == MBAR_TRY_PARITY;
    bool gives_up = c->fragment->gives_up || (c->sim->adversarial && random_next(&c->sim->random) % ODDS_FALSE == 0);
    c->fragment->gives_up = false;
    if (!over && tries && !gives_up) {
        c->fragment->state = RUN_MBAR;
        c->fragment->waiting = c->inst;
        c->fragment->pc--;
        return;
    }
    int lane;
    EACH_LANE(lane, c->mask) {
        note_use(c, lane);
        c->frame->value[(size_t)c->inst->dst * LANES + lane] = over >> lane & 1;
        uint64_t address = ref_value(c, c->inst->src[0])[lane];
        if (over >> lane & 1 && c->sim->check)
            race_wait(c->block, thread_index(c->warp, lane), mbar_key(c->block, address >= SHARED_BASE ? address - SHARED_BASE : address));
    }
    if (c->sim->check)
        result_defined(c, c->inst->dst, c->mask);
    if (over != c->mask)
        c->fragment->spins = ~0u;       /* make way for those that will arrive */
}

static void init_lane(Ctx *c, int lane)
{
    Place place;
    uint64_t address = ref_value(c, c->inst->src[0])[lane];
    uint32_t count = (uint32_t)ref_value(c, c->inst->src[1])[lane];
    if (!place_find(c, lane, address, address < SPACE_WINDOW ? 3 : 0, 8, 8, ACCESS_WRITE, &place))
        return;
    if (count == 0 || count > COUNT_MOST)
        finding_add(c, lane, FIND_MBARRIER, "a count of %u, not in 1..%d", count, COUNT_MOST);
    if (place.undef)
        for (int i = 0; i < 8; i++)
            place.undef[i] = place.flip;
    if (c->sim->check)
        race_access(c, lane, &place, 8, ACCESS_WRITE, NULL);
    mbar_init(c->block, place.offset, count);
}

static void arrive_lane(Ctx *c, int lane, Mbar *mbar)
{
    uint32_t thread = thread_index(c->warp, lane);
    uint64_t operand = c->inst->from > 1 ? ref_value(c, c->inst->src[1])[lane] : 1, phase = mbar->phase;
    switch (c->inst->imm) {
    case MBAR_ARRIVE_TX:
        mbar->tx += (int64_t)operand;
        mbar_arrive(c->block, thread, mbar, 1);
        break;
    case MBAR_EXPECT: mbar->tx += (int64_t)operand; break;
    case MBAR_COMPLETE: mbar_complete_tx(c->block, thread, mbar, (int64_t)operand); break;
    case MBAR_DROP: mbar->expected--; mbar_arrive(c->block, thread, mbar, 1); break;
    case MBAR_INVAL: mbar->used = false; break;
    default: mbar_arrive(c->block, thread, mbar, (uint32_t)operand);
    }
    if (c->inst->width) {
        c->frame->value[(size_t)c->inst->dst * LANES + lane] = phase;
        if (c->sim->check)
            result_defined(c, c->inst->dst, 1u << lane);
    }
}

void op_mbar(Ctx *c)
{
    if (is_wait(c->inst->imm)) {
        mbar_wait(c);
        return;
    }
    int lane;
    EACH_LANE(lane, c->mask) {
        if (c->inst->imm == MBAR_INIT) {
            init_lane(c, lane);
            continue;
        }
        Mbar *mbar = lane_mbar(c, lane);
        if (!mbar)
            continue;
        note_use(c, lane);
        arrive_lane(c, lane, mbar);
    }
}
