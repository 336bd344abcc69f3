/* Block barriers. Threads arrive one by one; the barrier opens when every thread that still lives (or the count given) has. */
#include "race.h"

/* What arrives without waiting (bar.arrive) leaves its knowledge here for those that wait. */
static uint64_t arrival_key(const Block *block, unsigned id) { return 5ull << 61 | (uint64_t)block->index << 8 | id; }

static bool arrived_mask(const Warp *warp, unsigned id, Mask *mask)
{
    *mask = 0;
    for (int i = 0; i < LANES; i++) {
        const Fragment *f = &warp->fragment[i];
        if (f->state == RUN_BARRIER && f->sync_mask == id)
            *mask |= f->mask;
    }
    return *mask != 0;
}

/* Barriers match by number, wherever their threads come from; but an aligned one wants the lanes of a warp at one instruction. */
static void check_aligned(const Ctx *c)
{
    char text[TEXT_SIZE];
    for (int i = 0; i < LANES; i++) {
        const Fragment *f = &c->warp->fragment[i];
        bool apart = f->state == RUN_BARRIER && f->waiting != c->inst;
        if (!apart || !((f->waiting->imm | c->inst->imm) & BARRIER_ALIGNED))
            continue;
        finding_add(c, __builtin_ctz(c->mask), FIND_BARRIER, "lanes of one warp wait at different barriers; others at %s",
                    where_text(c->sim, f->waiting->where, text, sizeof text));
        return;
    }
}

/* 0: none. */
static unsigned reduction_of(const Inst *inst)
{
    unsigned kind = inst->imm & BARRIER_KIND;
    return kind == BARRIER_ARRIVE ? 0 : kind;
}

static uint64_t reduction(const Inst *inst, uint32_t yes, uint32_t count)
{
    switch (inst->imm & BARRIER_KIND) {
    case 1: return yes;
    case 2: return yes == count;
    default: return yes != 0;
    }
}

static void release_one(Block *block, Warp *warp, Fragment *f, const Barrier *barrier)
{
    Ctx c = {
        .sim = block->sim, .warp = warp, .block = block, .fragment = f, .frame = f->frame, .inst = f->waiting, .mask = f->mask};
    f->state = RUN_READY;
    if (!reduction_of(f->waiting))
        return;
    int lane;
    EACH_LANE(lane, f->mask)
        f->frame->value[(size_t)f->waiting->dst * LANES + lane] = reduction(f->waiting, barrier->predicate_count, barrier->arrived);
    if (block->sim->check)
        result_defined(&c, f->waiting->dst, f->mask);
}

static void open_barrier(Block *block, unsigned id)
{
    Barrier *barrier = &block->barrier[id];
    Mask masks[LANES] = {0};
    bool all = barrier->arrived == block->live && !barrier->expected;
    for (uint32_t w = 0; w < block->warps; w++) {
        Warp *warp = &block->warp[w];
        arrived_mask(warp, id, &masks[w]);
        for (int i = 0; i < LANES; i++)
            if (warp->fragment[i].state == RUN_BARRIER && warp->fragment[i].sync_mask == id)
                release_one(block, warp, &warp->fragment[i], barrier);
        if (masks[w])
            fragments_merge(warp);
    }
    *barrier = (Barrier){0};
    if (!block->sim->check)
        return;
    if (all)
        race_barrier(block);
    else
        race_meet(block, masks);
    int lane;
    for (uint32_t w = 0; w < block->warps; w++)
        EACH_LANE(lane, masks[w])
            race_wait(block, w * LANES + (uint32_t)lane, arrival_key(block, id));
}

static void barrier_check(Block *block, unsigned id)
{
    Barrier *barrier = &block->barrier[id];
    uint32_t expected = barrier->expected ? barrier->expected : block->live;
    if (barrier->first && barrier->arrived && barrier->arrived >= expected)
        open_barrier(block, id);
}

void barriers_check(Sim *sim, Block *block)
{
    (void)sim;
    for (unsigned id = 0; id < BARRIERS; id++)
        barrier_check(block, id);
}

static uint32_t count_yes(const Ctx *c, uint32_t ref)
{
    const uint64_t *value = ref_value(c, ref);
    uint32_t yes = 0;
    int lane;
    EACH_LANE(lane, c->mask)
        yes += value[lane] & 1;
    return yes;
}

/* What PTX leaves undefined. */
static void check_use(const Ctx *c, const Barrier *barrier, unsigned id, uint32_t expected)
{
    int first = __builtin_ctz(c->mask);
    unsigned kind = reduction_of(c->inst), other = barrier->first ? reduction_of(barrier->first) : kind;
    if (id >= BARRIERS)
        finding_add(c, first, FIND_BARRIER, "there is no barrier %u", id);
    if (expected % LANES || (c->inst->imm & BARRIER_COUNTED && !expected))
        finding_add(c, first, FIND_BARRIER, "the thread count %u is no multiple of 32", expected);
    if (barrier->first && barrier->expected != expected)
        finding_add(c, first, FIND_BARRIER, "barrier %u is used with %u and with %u threads at a time", id, barrier->expected,
                    expected);
    if (kind != other)
        finding_add(c, first, FIND_BARRIER, "barrier %u reduces for some of its threads alone, or in several ways", id);
    check_aligned(c);
}

void op_barrier(Ctx *c)
{
    const Inst *inst = c->inst;
    int first = __builtin_ctz(c->mask);
    unsigned number = inst->imm & BARRIER_NO_ID ? 0 : (unsigned)ref_value(c, inst->src[0])[first], id = number % BARRIERS;
    Barrier *barrier = &c->block->barrier[id];
    uint32_t expected = inst->imm & BARRIER_COUNTED ? (uint32_t)ref_value(c, inst->src[1])[first] : 0;
    unsigned kind = inst->imm & BARRIER_KIND;
    if (c->sim->check)
        check_use(c, barrier, number, expected);
    if (!barrier->first)
        barrier->first = inst;
    barrier->expected = expected;
    barrier->arrived += (uint32_t)__builtin_popcount(c->mask);
    if (reduction_of(inst))
        barrier->predicate_count += count_yes(c, inst->src[inst->imm & BARRIER_COUNTED ? 2 : 1]);
    int lane;
    if (kind == BARRIER_ARRIVE && c->sim->check)
        EACH_LANE(lane, c->mask)
            race_arrive(c->block, thread_index(c->warp, lane), arrival_key(c->block, id));
    if (kind != BARRIER_ARRIVE) {
        c->fragment->state = RUN_BARRIER;
        c->fragment->sync_mask = id;
        c->fragment->waiting = inst;
    }
    barrier_check(c->block, id);
}
