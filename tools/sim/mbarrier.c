/* mbarrier objects. PTX keeps them in 8 opaque bytes of shared memory; here they live in a table by address. A phase ends when
 * no arrival is pending and the bytes announced (tx) have come; then arrivals are expected anew. */
#include "async.h"
#include "race.h"

#include <inttypes.h>
#include <stdlib.h>

enum { ODDS_FALSE = 4, COUNT_MOST = (1 << 20) - 1, STATE_PHASE = 20, MBAR_BYTES = 8 };

uint64_t shared_offset(uint64_t address)
{
    return address >= SHARED_BASE && address - SHARED_BASE < SPACE_WINDOW ? address - SHARED_BASE : address;
}

/* What those learn that wait; and what was told in the phase that has not ended. */
static uint64_t over_key(const Block *block, const Mbar *mbar) { return 3ull << 62 | (uint64_t)block->index << 24 | mbar->offset; }
static uint64_t phase_key(const Block *block, const Mbar *mbar) { return over_key(block, mbar) | 1ull << 61; }

Mbar *mbar_find(Block *block, uint64_t offset)
{
    struct Async *a = block->async;
    for (uint32_t i = 0; i < a->mbars; i++)
        if (a->mbar[i].used && a->mbar[i].offset == offset)
            return &a->mbar[i];
    return NULL;
}

static void bytes_mark(Block *block, uint64_t offset, uint32_t mark)
{
    uint32_t *slot = async_tables(block)->slot;
    for (uint64_t g = offset / COPY_GRANULE; g < (offset + MBAR_BYTES) / COPY_GRANULE; g++)
        slot[g] = mark;
}

static void mbar_init(Block *block, uint64_t offset, uint32_t count)
{
    struct Async *a = block->async;
    struct Race *race = block->sim->race;
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
    if (block->sim->check) {
        mbar->agent = RACE_AGENT | race->agents++;
        mbar->made = race->now;
    }
    bytes_mark(block, offset, SLOT_MBAR);
}

static void phase_check(Block *block, Mbar *mbar)
{
    if (mbar->pending || mbar->tx)
        return;
    mbar->phase++;
    mbar->pending = mbar->expected;
    if (block->sim->check)
        race_pass(block, phase_key(block, mbar), over_key(block, mbar));
}

static void arrivals_take(Ctx *c, int lane, Mbar *mbar, uint32_t count)
{
    if (count > mbar->pending)
        finding_add(c, lane, FIND_MBARRIER, "%u arrivals at shared+%" PRIu64 ", whose phase waits for %u", count, mbar->offset,
                    mbar->pending);
    c->sim->give_ups = 0;
    mbar->pending = mbar->pending > count ? mbar->pending - count : 0;
    phase_check(c->block, mbar);
}

void mbar_arrive(Ctx *c, int lane, Mbar *mbar, uint32_t count)
{
    if (c->sim->check && !(c->inst->imm & MBAR_RELAXED))
        race_arrive(c->block, thread_index(c->warp, lane), phase_key(c->block, mbar));
    arrivals_take(c, lane, mbar, count);
}

void mbar_arrive_copies(Ctx *c, int lane, Mbar *mbar, const Clock *issued)
{
    if (c->sim->check)
        race_arrive_copy(c->block, issued, mbar->agent, phase_key(c->block, mbar));
    arrivals_take(c, lane, mbar, 1);
}

void mbar_bytes(Block *block, Mbar *mbar, const Clock *issued, int64_t bytes)
{
    if (block->sim->check)
        race_arrive_copy(block, issued, mbar->agent, phase_key(block, mbar));
    block->sim->give_ups = 0;
    mbar->tx -= bytes;
    phase_check(block, mbar);
}

static void bytes_expect(Ctx *c, int lane, Mbar *mbar, int64_t bytes)
{
    mbar->tx += bytes;
    if (mbar->tx > COUNT_MOST || mbar->tx < -COUNT_MOST)
        finding_add(c, lane, FIND_MBARRIER, "%" PRId64 " bytes pending at shared+%" PRIu64 ", more than %d", mbar->tx, mbar->offset,
                    COUNT_MOST);
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

static int64_t kind_of(const Ctx *c) { return c->inst->imm & MBAR_KIND; }

static bool phase_over(const Mbar *mbar, int64_t kind, uint64_t operand)
{
    if (kind == MBAR_TEST_PARITY || kind == MBAR_TRY_PARITY)
        return (mbar->phase & 1) != (operand & 1);
    return mbar->phase > operand >> STATE_PHASE;
}

/* The mbarrier that a lane names, or NULL after a finding. */
static Mbar *lane_mbar(Ctx *c, int lane)
{
    Place place;
    uint64_t address = ref_value(c, c->inst->src[0])[lane];
    if (!place_find(c, lane, address, address < SPACE_WINDOW ? 3 : 0, 8, 8, ACCESS_ATOMIC, &place))
        return NULL;
    Mbar *mbar = mbar_find(c->block, place.offset);
    if (!mbar)
        finding_add(c, lane, FIND_MBARRIER, "shared+%" PRIu64 " is no initialized mbarrier", place.offset);
    return mbar;
}

/* A wait over all lanes: which may go on. */
static Mask lanes_over(Ctx *c)
{
    Mask over = 0;
    int lane;
    EACH_LANE(lane, c->mask) {
        const Mbar *mbar = lane_mbar(c, lane);
        if (!mbar || phase_over(mbar, kind_of(c), ref_value(c, c->inst->src[1])[lane]))
            over |= 1u << lane;
    }
    return over;
}

bool mbar_ready(Ctx *c) { return lanes_over(c) != 0; }

static void mbar_wait(Ctx *c)
{
    Mask over = lanes_over(c);
    bool tries = kind_of(c) == MBAR_TRY || kind_of(c) == MBAR_TRY_PARITY;
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
        const Mbar *mbar = mbar_find(c->block, shared_offset(ref_value(c, c->inst->src[0])[lane]));
        if (mbar && over >> lane & 1 && c->sim->check && !(c->inst->imm & MBAR_RELAXED))
            race_wait(c->block, thread_index(c->warp, lane), over_key(c->block, mbar));
    }
    if (c->sim->check)
        result_defined(c, c->inst->dst, c->mask);
    if (over == c->mask)
        return;
    c->fragment->spins = ~0u;           /* make way for those that will arrive */
    if (!tries)
        async_progress(c->block, !c->sim->adversarial);     /* nobody is seen to wait, so nothing else would force it */
}

static void init_lane(Ctx *c, int lane)
{
    Place place;
    uint64_t address = ref_value(c, c->inst->src[0])[lane];
    uint32_t count = (uint32_t)ref_value(c, c->inst->src[1])[lane];
    if (!place_find(c, lane, address, address < SPACE_WINDOW ? 3 : 0, 8, 8, ACCESS_WRITE, &place))
        return;
    if (mbar_find(c->block, place.offset))
        finding_add(c, lane, FIND_MBARRIER, "init of shared+%" PRIu64 ", which is an mbarrier already", place.offset);
    if (count == 0 || count > COUNT_MOST)
        finding_add(c, lane, FIND_MBARRIER, "a count of %u, not in 1..%d", count, COUNT_MOST);
    if (place.undef)
        for (int i = 0; i < 8; i++)
            place.undef[i] = place.flip;
    if (c->sim->check)
        race_access(c, lane, &place, 8, ACCESS_WRITE, NULL);
    mbar_init(c->block, place.offset, count);
}

/* An arrival that must not end the phase. */
static void check_incomplete(Ctx *c, int lane, const Mbar *mbar, uint64_t phase)
{
    if (mbar->phase != phase)
        finding_add(c, lane, FIND_MBARRIER, "a .noComplete arrival ends the phase of shared+%" PRIu64, mbar->offset);
}

static void lane_act(Ctx *c, int lane, Mbar *mbar, uint64_t operand)
{
    uint64_t phase = mbar->phase;
    switch (kind_of(c)) {
    case MBAR_DROP_TX: mbar->expected--; /* fallthrough */
    case MBAR_ARRIVE_TX:
        bytes_expect(c, lane, mbar, (int64_t)operand);
        mbar_arrive(c, lane, mbar, 1);
        break;
    case MBAR_EXPECT: bytes_expect(c, lane, mbar, (int64_t)operand); break;
    case MBAR_COMPLETE: mbar_bytes(c->block, mbar, &(Clock){0}, (int64_t)operand); break;
    case MBAR_DROP:
    case MBAR_DROP_NC:
        mbar->expected -= (uint32_t)operand;
        mbar_arrive(c, lane, mbar, (uint32_t)operand);
        break;
    case MBAR_INVAL:
        mbar->used = false;
        bytes_mark(c->block, mbar->offset, 0);
        break;
    default: mbar_arrive(c, lane, mbar, (uint32_t)operand);
    }
    if (kind_of(c) == MBAR_ARRIVE_NC || kind_of(c) == MBAR_DROP_NC)
        check_incomplete(c, lane, mbar, phase);
}

static void result_set(Ctx *c, int lane, uint64_t value)
{
    if (!c->inst->width)
        return;
    c->frame->value[(size_t)c->inst->dst * LANES + lane] = value;
    if (c->sim->check)
        result_defined(c, c->inst->dst, 1u << lane);
}

static void act_lane(Ctx *c, int lane)
{
    if (kind_of(c) == MBAR_INIT) {
        init_lane(c, lane);
        return;
    }
    if (kind_of(c) == MBAR_PENDING) {
        result_set(c, lane, ref_value(c, c->inst->src[0])[lane] & COUNT_MOST);
        return;
    }
    Mbar *mbar = lane_mbar(c, lane);
    if (!mbar)
        return;
    note_use(c, lane);
    uint64_t state = mbar->phase << STATE_PHASE | mbar->pending;
    lane_act(c, lane, mbar, c->inst->from > 1 ? ref_value(c, c->inst->src[1])[lane] : 1);
    result_set(c, lane, state);
}

void op_mbar(Ctx *c)
{
    if (is_wait(kind_of(c))) {
        mbar_wait(c);
        return;
    }
    int lane;
    EACH_LANE(lane, c->mask)
        act_lane(c, lane);
}
