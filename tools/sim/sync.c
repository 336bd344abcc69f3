/* What the lanes of a warp do together: bar.warp.sync, shuffles, votes, matches, reductions, products of matrices (tensor.c). Lanes wait for the others that
 * their mask names, whatever path brought these there; threads that have exited are not waited for. */
#include "sim.h"

#include <string.h>

/* The lanes that meet, with what each brings. */
typedef struct {
    Mask mask; /* who meets */
    int count;
    Fragment *fragment[LANES];
    uint64_t a[LANES], b[LANES], c[LANES];
    uint64_t undef[LANES]; /* of a */
    Mask undef_b;
    uint64_t result[LANES], result_undef[LANES];
    uint64_t extra[LANES]; /* second result: a predicate */
    bool has_extra;
} Meeting;

static bool is_of_whole_warp(const Inst *inst) { return inst->op == OP_TENSOR; } /* no operand says which lanes */
static unsigned mask_operand(const Inst *inst) { return inst->op == OP_REDUX ? 1 : 0; }
static unsigned value_operand(const Inst *inst) { return inst->op == OP_REDUX ? 0 : 1; }

static Ctx fragment_ctx(Sim *sim, Warp *warp, Fragment *f)
{
    return (
        Ctx){.sim = sim, .warp = warp, .block = warp->block, .fragment = f, .frame = f->frame, .inst = f->waiting, .mask = f->mask};
}

static void gather(const Ctx *c, Meeting *m)
{
    const Inst *inst = c->inst;
    unsigned v = value_operand(inst);
    int lane;
    EACH_LANE(lane, c->mask) {
        m->a[lane] = ref_value(c, inst->src[v])[lane];
        m->b[lane] = ref_value(c, inst->src[2])[lane];
        m->c[lane] = ref_value(c, inst->src[3])[lane];
        m->undef[lane] = tainted(c, inst->src[v], 1u << lane) ? ref_undef(c, inst->src[v])[lane] : 0;
    }
    m->undef_b |= tainted(c, inst->src[2], c->mask);
}

/* ---- what is computed; m->a is the value brought ---- */

/* PTX shfl.sync: c packs the segment mask (bits 8..12) and the clamp (bits 0..4). */
static void shuffle(Meeting *m, const Inst *inst)
{
    int lane;
    EACH_LANE(lane, m->mask) {
        unsigned mode = inst->imm & 3, segment = m->c[lane] >> 8 & 31, clamp = m->c[lane] & 31, by = m->b[lane] & 31;
        int most = (int)((lane & segment) | (clamp & ~segment)), least = (int)(lane & segment);
        int from = mode == 0   ? least | (int)(by & ~segment & 31)
                   : mode == 1 ? lane - (int)by
                   : mode == 2 ? lane + (int)by
                               : lane ^ (int)by;
        bool good = mode == 1 ? from >= most : from <= most;
        if (!good)
            from = lane;
        bool there = m->mask >> from & 1;
        m->result[lane] = there ? m->a[from] : 0xdeadbeef;
        m->result_undef[lane] = !there || m->undef_b >> lane & 1 ? 0xffffffff : m->undef[from];
        m->extra[lane] = good;
    }
    m->has_extra = inst->imm & 4;
}

static void vote(Meeting *m, const Inst *inst)
{
    Mask yes = 0, undef = 0;
    int lane;
    EACH_LANE(lane, m->mask) {
        yes |= (Mask)(m->a[lane] & 1) << lane;
        undef |= (Mask)(m->undef[lane] & 1) << lane;
    }
    bool all = yes == m->mask, any = yes != 0, unsure = undef != 0;
    if (inst->imm == 0)
        unsure = undef && !(m->mask & ~yes & ~undef);
    if (inst->imm == 1)
        unsure = undef && !(yes & ~undef);
    EACH_LANE(lane, m->mask) {
        m->result[lane] = inst->imm == 0 ? all : inst->imm == 1 ? any : inst->imm == 2 ? all || !any : yes;
        m->result_undef[lane] = inst->imm == 3 ? undef : unsure;
    }
}

static bool any_undefined(const Meeting *m)
{
    int lane;
    EACH_LANE(lane, m->mask)
        if (m->undef[lane])
            return true;
    return false;
}

static void match(Meeting *m, const Inst *inst)
{
    bool unsure = any_undefined(m), all = true;
    int lane, other, first = __builtin_ctz(m->mask);
    EACH_LANE(lane, m->mask) {
        Mask same = 0;
        EACH_LANE(other, m->mask)
            same |= (Mask)(m->a[other] == m->a[lane]) << other;
        all &= m->a[lane] == m->a[first];
        m->result[lane] = same;
        m->result_undef[lane] = unsure ? 0xffffffff : 0;
    }
    if (!inst->imm)
        return;
    m->has_extra = true;
    EACH_LANE(lane, m->mask) {
        m->result[lane] = all ? m->mask : 0;
        m->extra[lane] = all;
    }
}

static uint32_t reduce_two(int64_t how, uint32_t x, uint32_t y)
{
    switch (how) {
    case 0: return x + y;
    case 1: return x < y ? x : y;
    case 2: return x > y ? x : y;
    case 3: return (int32_t)x < (int32_t)y ? x : y;
    case 4: return (int32_t)x > (int32_t)y ? x : y;
    case 5: return x & y;
    case 6: return x | y;
    default: return x ^ y;
    }
}

static void reduce(Meeting *m, const Inst *inst)
{
    int lane, first = __builtin_ctz(m->mask);
    uint32_t sum = (uint32_t)m->a[first];
    bool unsure = any_undefined(m);
    EACH_LANE(lane, m->mask & ~(1u << first))
        sum = reduce_two(inst->imm, sum, (uint32_t)m->a[lane]);
    EACH_LANE(lane, m->mask) {
        m->result[lane] = sum;
        m->result_undef[lane] = unsure ? 0xffffffff : 0;
    }
}

static void elect(Meeting *m)
{
    int lane, first = __builtin_ctz(m->mask);
    m->has_extra = true;
    EACH_LANE(lane, m->mask) {
        m->result[lane] = (uint64_t)first;
        m->result_undef[lane] = 0;
        m->extra[lane] = lane == first;
    }
}

static void compute(Meeting *m, const Inst *inst)
{
    switch (inst->op) {
    case OP_SHFL: shuffle(m, inst); break;
    case OP_VOTE: vote(m, inst); break;
    case OP_MATCH: match(m, inst); break;
    case OP_REDUX: reduce(m, inst); break;
    case OP_ELECT: elect(m); break;
    default: break;
    }
}

static void scatter(const Ctx *c, const Meeting *m)
{
    const Inst *inst = c->inst;
    int lane;
    if (inst->op == OP_WARPSYNC)
        return;
    EACH_LANE(lane, c->mask) {
        c->frame->value[(size_t)inst->dst * LANES + lane] = m->result[lane];
        if (m->has_extra)
            c->frame->value[(size_t)(inst->dst + 1) * LANES + lane] = m->extra[lane];
        if (!c->sim->check)
            continue;
        result_taint(c, inst->dst, lane, m->result_undef[lane], false);
        if (m->has_extra)
            result_taint(c, inst->dst + 1, lane, 0, false);
    }
}

/* ---- meeting ---- */

static void exchange(Sim *sim, Warp *warp, Meeting *m)
{
    for (int i = 0; i < m->count; i++) {
        Ctx c = fragment_ctx(sim, warp, m->fragment[i]);
        gather(&c, m);
    }
    compute(m, m->fragment[0]->waiting);
    for (int i = 0; i < m->count; i++) {
        Ctx c = fragment_ctx(sim, warp, m->fragment[i]);
        scatter(&c, m);
    }
}

static void work_together(Sim *sim, Warp *warp, const Meeting *m)
{
    Ctx come[LANES];
    for (int i = 0; i < m->count; i++)
        come[i] = fragment_ctx(sim, warp, m->fragment[i]);
    if (sim->check && m->mask != FULL_MASK)
        finding_add(&come[0], __builtin_ctz(come[0].mask), FIND_SYNC, "lanes are missing from an instruction of the whole warp");
    tensor_run(come, m->count);
}

static void meet(Sim *sim, Warp *warp, Meeting *m)
{
    const Inst *inst = m->fragment[0]->waiting;
    if (is_of_whole_warp(inst))
        work_together(sim, warp, m);
    else
        exchange(sim, warp, m);
    for (int i = 0; i < m->count; i++)
        m->fragment[i]->state = RUN_READY;
    if (inst->op == OP_WARPSYNC && sim->check)
        race_warp_sync(warp, m->mask);
    if (m->count > 1)
        fragments_merge(warp);
}

/* An instruction of the whole warp is one and the same for all. */
static bool same_kind(const Inst *a, const Inst *b) { return is_of_whole_warp(a) ? a == b : a->op == b->op && a->imm == b->imm; }

/* If everybody that the mask names and that still lives waits here, they meet. */
static bool try_meet(Sim *sim, Warp *warp, Fragment *f)
{
    Meeting m = {.mask = 0};
    for (int i = 0; i < LANES; i++) {
        Fragment *g = &warp->fragment[i];
        if (g->state != RUN_SYNC || g->sync_mask != f->sync_mask || !same_kind(g->waiting, f->waiting))
            continue;
        m.fragment[m.count++] = g;
        m.mask |= g->mask;
    }
    if ((f->sync_mask & warp->alive) & ~m.mask)
        return false;
    meet(sim, warp, &m);
    return true;
}

void syncs_check(Sim *sim, Warp *warp)
{
    for (int i = 0; i < LANES; i++)
        if (warp->fragment[i].state == RUN_SYNC)
            try_meet(sim, warp, &warp->fragment[i]);
}

/* Lanes that are not in the mask that they pass: they go on alone, with their own value. */
static void misused(Ctx *c, Mask bad, Mask mask)
{
    int lane;
    EACH_LANE(lane, bad)
        finding_add(c, lane, FIND_SYNC, "the mask 0x%08x does not hold the calling lane %d", mask, lane);
}

static Mask same_mask_lanes(const uint64_t *masks, Mask among, int first)
{
    Mask same = 0;
    int lane;
    EACH_LANE(lane, among)
        same |= (Mask)((Mask)masks[lane] == (Mask)masks[first]) << lane;
    return same;
}

/* Lanes that run together but pass masks of their own (tiles of a warp): when each mask's lanes are all here, each set meets and
 * nobody parts. */
static bool meet_in_place(Ctx *c, const uint64_t *masks)
{
    Mask left = c->mask;
    while (left) {
        int first = __builtin_ctz(left);
        Mask group = same_mask_lanes(masks, c->mask, first), wanted = (Mask)masks[first] & c->warp->alive;
        if (group != wanted)
            return false;
        left &= ~group;
    }
    for (left = c->mask; left;) {
        Mask group = same_mask_lanes(masks, c->mask, __builtin_ctz(left));
        Ctx part = *c;
        Meeting m = {.mask = group};
        part.mask = group;
        gather(&part, &m);
        compute(&m, c->inst);
        scatter(&part, &m);
        if (c->inst->op == OP_WARPSYNC && c->sim->check)
            race_warp_sync(c->warp, group);
        left &= ~group;
    }
    return true;
}

static void await(Ctx *c, Mask mask)
{
    Fragment *f = c->fragment;
    f->state = RUN_SYNC;
    f->sync_mask = mask;
    f->waiting = c->inst;
    try_meet(c->sim, c->warp, f);
}

void op_sync(Ctx *c)
{
    Fragment *f = c->fragment;
    if (is_of_whole_warp(c->inst)) {
        await(c, FULL_MASK);
        return;
    }
    const uint64_t *masks = ref_value(c, c->inst->src[mask_operand(c->inst)]);
    int first = __builtin_ctz(c->mask);
    Mask mask = (Mask)masks[first], same = same_mask_lanes(masks, c->mask, first), outside;
    if (same != c->mask) {
        if (meet_in_place(c, masks))
            return;
        f->pc--; /* the others come here again, with a mask of their own */
        fragment_part(c->sim, c->warp, f, c->mask & ~same);
        f->pc++;
    }
    outside = f->mask & ~mask;
    if (outside) {
        if (c->sim->check)
            misused(c, outside, mask);
        mask |= outside;
    }
    await(c, mask);
}

void op_activemask(Ctx *c)
{
    int lane;
    EACH_LANE(lane, c->mask)
        c->frame->value[(size_t)c->inst->dst * LANES + lane] = c->mask;
    if (c->sim->check)
        result_defined(c, c->inst->dst, c->mask);
}
