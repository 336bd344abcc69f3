/* Calls: an activation holds the slots of one function for the lanes that called it together. */
#include "sim.h"

#include <stdlib.h>
#include <string.h>

Frame *frame_new(Sim *sim, const Func *func, Frame *up)
{
    for (Frame **at = &sim->free_frame; *at; at = &(*at)->next_free)
        if ((*at)->func == func) {
            Frame *frame = *at;
            *at = frame->next_free;
            frame->up = up;
            memset(frame->taint, 0, sizeof *frame->taint * func->slots);
            return frame;
        }
    Frame *frame = ARENA_NEW(sim->arena, Frame);
    frame->next_made = sim->made_frame;
    sim->made_frame = frame;
    frame->func = func;
    frame->up = up;
    frame->value = calloc((size_t)func->slots * LANES, sizeof *frame->value);
    frame->undef = sim->check ? calloc((size_t)func->slots * LANES, sizeof *frame->undef) : NULL;
    frame->taint = calloc(func->slots, sizeof *frame->taint);
    if (!frame->value || !frame->taint || (sim->check && !frame->undef))
        abort();
    return frame;
}

void frame_drop(Sim *sim, Frame *frame)
{
    frame->next_free = sim->free_frame;
    sim->free_frame = frame;
}

void frames_free(Sim *sim)
{
    for (Frame *frame = sim->made_frame; frame; frame = frame->next_made) {
        free(frame->value);
        free(frame->undef);
        free(frame->taint);
    }
}

static void slots_copy(const Ctx *c, Frame *to, uint32_t slot, uint32_t ref)
{
    const uint64_t *from = ref_value(c, ref);
    uint64_t *out = to->value + (size_t)slot * LANES;
    int lane;
    EACH_LANE(lane, c->mask)
        out[lane] = from[lane];
    if (!c->sim->check)
        return;
    Taint taint = ref_taint(c, ref);
    Taint *target = &to->taint[slot];
    target->dirty = (target->dirty & ~c->mask) | (taint.dirty & c->mask);
    target->poison = (target->poison & ~c->mask) | (taint.poison & c->mask);
    EACH_LANE(lane, taint.dirty & c->mask)
        to->undef[(size_t)slot * LANES + lane] = ref_undef(c, ref)[lane];
}

/* byval: the callee gets a copy of its own. */
static void byval_copy(Ctx *c, Frame *frame, const ByVal *by)
{
    uint64_t *pointer = frame->value + (size_t)by->slot * LANES;
    int lane;
    EACH_LANE(lane, c->mask) {
        Place from, to;
        uint32_t offset = local_take(c, lane, by->bytes, by->align);
        if (offset && place_find(c, lane, pointer[lane], 0, by->bytes, 1, ACCESS_READ, &from) &&
            place_find(c, lane, offset, 5, by->bytes, 1, ACCESS_WRITE, &to)) {
            memcpy(to.data, from.data, by->bytes);
            for (uint64_t i = 0; to.undef && i < by->bytes; i++)
                to.undef[i] = from.undef[i] ^ from.flip ^ to.flip;
        }
        pointer[lane] = LOCAL_BASE + offset;
    }
}

static void call(Ctx *c, const Func *callee)
{
    const CallSite *site = c->inst->ext;
    if (callee->params != site->count) {
        finding_add(c, __builtin_ctz(c->mask), FIND_CALL, "%s takes %u scalars, not %u", callee->name, callee->params, site->count);
        lanes_exit(c->sim, c->warp, c->fragment, c->mask);
        return;
    }
    Frame *frame = frame_new(c->sim, callee, c->frame);
    frame->lanes = c->mask;
    frame->return_pc = c->fragment->pc;
    frame->return_slot = c->inst->dst;
    for (int lane = 0; lane < LANES; lane++)
        if (c->mask >> lane & 1)
            frame->top[lane] = c->block->local[thread_index(c->warp, lane)].top;
    for (unsigned i = 0; i < site->count; i++)
        slots_copy(c, frame, i, site->ref[i]);
    for (unsigned i = 0; i < callee->byval_count; i++)
        byval_copy(c, frame, &callee->byval[i]);
    c->fragment->frame = frame;
    c->fragment->pc = 0;
}

void op_call(Ctx *c)
{
    const CallSite *site = c->inst->ext;
    call(c, site->callee);
}

/* Lanes that call different functions part, as in a switch; the rest tries the call again. */
void op_calli(Ctx *c)
{
    const uint64_t *pointer = ref_value(c, c->inst->src[0]);
    uint64_t first = pointer[__builtin_ctz(c->mask)];
    Mask same = 0;
    int lane;
    EACH_LANE(lane, c->mask)
        same |= (Mask)(pointer[lane] == first) << lane;
    if (same != c->mask) {
        Join *join = join_new(c->warp, c->frame, c->fragment->pc, c->mask, c->fragment->join);
        if (join)
            c->fragment->join = join;
        fragment_split(c->warp, c->fragment, c->mask & ~same)->pc--;
        c->mask = same;     /* these call now: two parts at one place would be merged again */
    }
    uint64_t id = (first - FUNC_BASE) / 16;
    if (first < FUNC_BASE || (first & 15) || id >= c->sim->image->func_count) {
        finding_add(c, __builtin_ctz(c->mask), FIND_CALL, "0x%llx is no function", (unsigned long long)first);
        lanes_exit(c->sim, c->warp, c->fragment, c->mask);
        return;
    }
    call(c, c->sim->image->func[id]);
}

static void results_pass(Ctx *c)
{
    const CallSite *site = c->inst->ext;
    for (unsigned i = 0; i < site->count; i++)
        slots_copy(c, c->frame->up, c->frame->return_slot + i, site->ref[i]);
    int lane;
    EACH_LANE(lane, c->mask)
        local_drop(c, lane, c->frame->top[lane]);
}

void op_ret(Ctx *c)
{
    Fragment *f = c->fragment;
    if (!c->frame->up) {
        lanes_exit(c->sim, c->warp, f, f->mask);
        return;
    }
    results_pass(c);
    while (f->join && f->join->frame == c->frame && f->join->pc != PC_RETURN) {
        Join *join = f->join;
        f->join = join->up;
        join_leave(c->sim, c->warp, join, f->mask);
    }
    f->pc = PC_RETURN;
    fragment_go_on(c->sim, c->warp, f);
}
