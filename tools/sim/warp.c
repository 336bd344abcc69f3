/* Divergence. A fragment is a set of lanes of one warp that run together. A branch that splits it makes a Join at the branch's
 * post-dominator, where the parts wait for each other:
 *
 *        fragment {0..31}                Join want = 0..31, here = -
 *         /            \
 *    {0..15}        {16..31}             run apart, in any order
 *         \            /
 *       Join here == want                one fragment again
 *
 * Nothing obliges the hardware to reconverge (sm_70 and newer), so with a seed some branches get no Join, convergent lanes
 * are split now and then, and a Join lets its lanes go when the others are stuck. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

enum { ODDS_NO_JOIN = 16, ODDS_SHAKE = 48 };

static bool chance(Sim *sim, unsigned one_in) { return sim->adversarial && random_next(&sim->random) % one_in == 0; }

/* ---- fragments ---- */

Fragment *fragment_new(Warp *warp, Mask mask, Frame *frame, uint32_t pc, Join *join)
{
    for (int i = 0; i < LANES; i++) {
        Fragment *f = &warp->fragment[i];
        if (f->state != RUN_FREE)
            continue;
        *f = (Fragment){.state = RUN_READY, .mask = mask, .frame = frame, .pc = pc, .join = join, .age = warp->rounds};
        return f;
    }
    abort();    /* 32 disjoint sets of lanes at most */
}

Fragment *fragment_split(Warp *warp, Fragment *fragment, Mask mask)
{
    fragment->mask &= ~mask;
    return fragment_new(warp, mask, fragment->frame, fragment->pc, fragment->join);
}

/* Is `outer` among the joins around `inner` (or the same)? */
static bool join_within(const Join *inner, const Join *outer)
{
    for (; inner; inner = inner->up)
        if (inner == outer)
            return true;
    return outer == NULL;
}

/* Adds lanes to the joins of `inner` below `outer`. */
static void join_widen(Join *inner, const Join *outer, Mask mask)
{
    for (; inner && inner != outer; inner = inner->up)
        inner->want |= mask;
}

/* Ready fragments at the same place become one. */
void fragments_merge(Warp *warp)
{
    for (int i = 0; i < LANES; i++) {
        Fragment *a = &warp->fragment[i];
        for (int k = i + 1; k < LANES && a->state == RUN_READY; k++) {
            Fragment *b = &warp->fragment[k];
            if (b->state != RUN_READY || b->frame != a->frame || b->pc != a->pc)
                continue;
            if (join_within(a->join, b->join)) {
                join_widen(a->join, b->join, b->mask);
            } else if (join_within(b->join, a->join)) {
                join_widen(b->join, a->join, a->mask);
                a->join = b->join;
            } else {
                continue;
            }
            a->mask |= b->mask;
            b->state = RUN_FREE;
        }
    }
}

/* ---- joins ---- */

Join *join_new(Warp *warp, Frame *frame, uint32_t pc, Mask want, Join *up)
{
    for (int i = 0; i < MAX_JOINS; i++) {
        Join *join = &warp->join[i];
        if (join->used)
            continue;
        *join = (Join){.frame = frame, .pc = pc, .want = want, .up = up, .used = true};
        return join;
    }
    return NULL;
}

static void join_drop(Warp *warp, Join *join)
{
    join->used = false;
    for (int i = 0; i < MAX_JOINS; i++)
        if (warp->join[i].used && warp->join[i].up == join)
            warp->join[i].up = join->up;
    for (int i = 0; i < LANES; i++)
        if (warp->fragment[i].state != RUN_FREE && warp->fragment[i].join == join)
            warp->fragment[i].join = join->up;
}

static void arrive(Sim *sim, Warp *warp, Fragment *fragment);

/* The lanes leave their activation for the caller's. */
static void frame_pop(Sim *sim, Warp *warp, Fragment *fragment)
{
    Frame *frame = fragment->frame;
    frame->lanes &= ~fragment->mask;
    fragment->frame = frame->up;
    fragment->pc = frame->return_pc;
    if (!frame->lanes)
        frame_drop(sim, frame);
    /* An indirect call that parted its lanes joins right behind the call. */
    Join *join = fragment->join;
    if (join && join->frame == fragment->frame && join->pc == fragment->pc)
        arrive(sim, warp, fragment);
}

void fragment_go_on(Sim *sim, Warp *warp, Fragment *fragment)
{
    Join *join = fragment->join;
    if (join && join->frame == fragment->frame && join->pc == fragment->pc)
        arrive(sim, warp, fragment);
    else if (fragment->pc == PC_RETURN)
        frame_pop(sim, warp, fragment);
}

static void join_complete(Sim *sim, Warp *warp, Join *join, Fragment *reuse)
{
    Fragment *f = reuse ? reuse : fragment_new(warp, 0, join->frame, join->pc, NULL);
    *f = (Fragment){
        .state = RUN_READY, .mask = join->here, .frame = join->frame, .pc = join->pc, .join = join->up, .age = warp->rounds};
    join->here = 0;
    join_drop(warp, join);
    fragment_go_on(sim, warp, f);
}

/* The fragment stands at its join's place. */
static void arrive(Sim *sim, Warp *warp, Fragment *fragment)
{
    Join *join = fragment->join;
    join->here |= fragment->mask;
    if (join->here == join->want) {
        join_complete(sim, warp, join, fragment);
        return;
    }
    fragment->state = RUN_FREE;
}

void join_leave(Sim *sim, Warp *warp, Join *join, Mask mask)
{
    join->want &= ~mask;
    if (!join->used)
        return;
    if (join->want == 0)
        join_drop(warp, join);
    else if (join->here == join->want)
        join_complete(sim, warp, join, NULL);
}

/* Nothing but the return comes: an early return looks like this, and threads that have exited are not waited for. */
static bool only_returns(const Join *join)
{
    if (join->pc == PC_RETURN)
        return true;
    const Inst *inst = &join->frame->func->code[join->pc];
    while (inst->op == OP_LIFETIME || inst->op == OP_NOP)
        inst++;
    return inst->op == OP_RET && !join->frame->up;
}

/* Lanes stand behind a region in which others wait at a block barrier: these went past it. */
static void check_passed(Sim *sim, Warp *warp, const Join *join)
{
    for (int i = 0; i < LANES && !only_returns(join); i++) {
        Fragment *f = &warp->fragment[i];
        if (f->state != RUN_BARRIER || !(f->waiting->imm & BARRIER_ALIGNED) || !f->join || !join_within(f->join, join))
            continue;
        Ctx c = {.sim = sim, .warp = warp, .block = warp->block, .inst = f->waiting};
        finding_add(&c, __builtin_ctz(f->mask), FIND_BARRIER, "lanes 0x%08x wait here, lanes 0x%08x of the warp went past", f->mask,
                    join->here);
        return;
    }
}

/* Lets the lanes that wait at some join go on without the others. */
bool joins_release(Sim *sim, Warp *warp)
{
    for (int i = MAX_JOINS - 1; i >= 0; i--) {
        Join *join = &warp->join[i];
        if (!join->used || !join->here)
            continue;
        Mask mask = join->here;
        if (sim->check)
            check_passed(sim, warp, join);
        join->here = 0;
        join->want &= ~mask;
        Fragment *f = fragment_new(warp, mask, join->frame, join->pc, join->up);
        fragment_go_on(sim, warp, f);
        return true;
    }
    return false;
}

static void jump(Sim *sim, Warp *warp, Fragment *fragment, uint32_t pc)
{
    fragment->pc = pc;
    Join *join = fragment->join;
    if (join && join->pc == pc && join->frame == fragment->frame)
        arrive(sim, warp, fragment);
}

/* ---- branches ---- */

void op_jump(Ctx *c)
{
    const Targets *targets = c->inst->ext;
    jump(c->sim, c->warp, c->fragment, targets->yes);
}

static void join_around(Ctx *c, uint32_t pc)
{
    Fragment *f = c->fragment;
    if (f->join && f->join->frame == f->frame && f->join->pc == pc && f->join->want == f->mask)
        return;
    if (chance(c->sim, ODDS_NO_JOIN))
        return;
    if (f->join && f->join->frame == f->frame && f->join->pc == pc)
        return;
    Join *join = join_new(c->warp, f->frame, pc, f->mask, f->join);
    if (join)
        f->join = join;
}

/* Half goes to `yes`, half to `no`; which one runs first is free. */
static void diverge(Ctx *c, const Targets *targets, Mask yes)
{
    Fragment *f = c->fragment;
    join_around(c, targets->join);
    bool swap = c->sim->adversarial && random_next(&c->sim->random) & 1;
    Mask other = swap ? yes : f->mask & ~yes;
    Fragment *g = fragment_split(c->warp, f, other);
    jump(c->sim, c->warp, g, swap ? targets->yes : targets->no);
    jump(c->sim, c->warp, f, swap ? targets->no : targets->yes);
}

static void report_undefined(Ctx *c, uint32_t ref)
{
    Mask bad = tainted(c, ref, c->mask);
    int lane;
    EACH_LANE(lane, bad) {
        bool poison = ref_taint(c, ref).poison >> lane & 1;
        finding_add(c, lane, poison ? FIND_POISON : FIND_UNDEF_BRANCH,
                    poison ? "a branch on poison" : "what decides here was never initialized");
    }
}

void op_branch(Ctx *c)
{
    const Targets *targets = c->inst->ext;
    const uint64_t *condition = ref_value(c, c->inst->src[0]);
    Mask yes = 0;
    int lane;
    EACH_LANE(lane, c->mask)
        yes |= (Mask)(condition[lane] & 1) << lane;
    report_undefined(c, c->inst->src[0]);
    if (yes == c->mask)
        jump(c->sim, c->warp, c->fragment, targets->yes);
    else if (yes == 0)
        jump(c->sim, c->warp, c->fragment, targets->no);
    else
        diverge(c, targets, yes);
}

static uint32_t switch_target(const Targets *targets, uint64_t value)
{
    for (unsigned i = 0; i < targets->cases; i++)
        if (targets->value[i] == value)
            return targets->target[i];
    return targets->no;
}

void op_switch(Ctx *c)
{
    const Targets *targets = c->inst->ext;
    const uint64_t *value = ref_value(c, c->inst->src[0]);
    uint32_t target[LANES] = {0};
    bool apart = false;
    int lane, first = __builtin_ctz(c->mask);
    report_undefined(c, c->inst->src[0]);
    EACH_LANE(lane, c->mask) {
        target[lane] = switch_target(targets, value[lane]);
        apart |= target[lane] != target[first];
    }
    if (!apart) {
        jump(c->sim, c->warp, c->fragment, target[first]);
        return;
    }
    join_around(c, targets->join);
    Fragment *f = c->fragment;
    Mask left = c->mask;
    while (left) {
        first = __builtin_ctz(left);
        Mask group = 0;
        EACH_LANE(lane, left)
            group |= (Mask)(target[lane] == target[first]) << lane;
        left &= ~group;
        jump(c->sim, c->warp, left ? fragment_split(c->warp, f, group) : f, target[first]);
    }
}

/* ---- leaving ---- */

static void joins_forget(Sim *sim, Warp *warp, Mask mask)
{
    for (int i = 0; i < MAX_JOINS; i++)
        if (warp->join[i].used && warp->join[i].want & mask)
            join_leave(sim, warp, &warp->join[i], mask);
}

void lanes_exit(Sim *sim, Warp *warp, Fragment *fragment, Mask mask)
{
    fragment->mask &= ~mask;
    if (!fragment->mask)
        fragment->state = RUN_FREE;
    for (Frame *frame = fragment->frame, *up; frame; frame = up) {
        up = frame->up;
        frame->lanes &= ~mask;
        if (!frame->lanes)
            frame_drop(sim, frame);
    }
    warp->alive &= ~mask;
    warp->block->live -= (uint32_t)__builtin_popcount(mask);
    joins_forget(sim, warp, mask);
    syncs_check(sim, warp);
    barriers_check(sim, warp->block);
}

void op_exit(Ctx *c) { lanes_exit(c->sim, c->warp, c->fragment, c->mask); }

/* ---- what the model allows besides ---- */

static uint32_t region_join(const Func *func, uint32_t pc)
{
    unsigned low = 0, high = func->region_count;
    while (high - low > 1) {
        unsigned middle = (low + high) / 2;
        if (func->region[middle].start <= pc)
            low = middle;
        else
            high = middle;
    }
    return func->region[low].join;
}

/* Lanes of mask part from the others; they meet again where the block's paths do. */
void fragment_part(Sim *sim, Warp *warp, Fragment *f, Mask mask)
{
    Ctx c = {.sim = sim, .warp = warp, .fragment = f};
    /* lanes left at an indirect call meet the others right behind it, before their paths' end */
    bool before_join = f->join && f->join->frame == f->frame && f->join->pc == f->pc + 1;
    if (!before_join)
        join_around(&c, region_join(f->frame->func, f->pc));
    fragment_split(warp, f, mask);
}

/* Now and then convergent lanes part for no reason. */
void fragment_shake(Sim *sim, Warp *warp, Fragment *f)
{
    if (!(f->mask & (f->mask - 1)) || !chance(sim, ODDS_SHAKE))
        return;
    Mask part = (Mask)random_next(&sim->random) & f->mask;
    if (part != 0 && part != f->mask)
        fragment_part(sim, warp, f, part);
}
