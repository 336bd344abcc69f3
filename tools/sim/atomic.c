/* Atomic operations and fences. Lanes of one instruction go one after another; with seeds the order varies (warp.c splits). */
#include "sim.h"

#include <string.h>

static int64_t extend(uint64_t a, unsigned width) { return (int64_t)(a << (64 - width)) >> (64 - width); }

static uint64_t real_op(const Inst *inst, Op op, uint64_t a, uint64_t b)
{
    uint64_t lanes_a[LANES] = {a}, lanes_b[LANES] = {b}, result[LANES];
    Inst arithmetic = *inst;
    arithmetic.op = (uint16_t)op;
    arithmetic.from = inst->width;
    alu_run(&arithmetic, result, lanes_a, lanes_b, lanes_a, 1);
    return result[0];
}

static uint64_t combine(const Inst *inst, unsigned rmw, uint64_t old, uint64_t by)
{
    unsigned w = inst->width;
    int64_t so = extend(old, w), sb = extend(by, w);
    switch (rmw) {
    case LLVMAtomicRMWBinOpXchg: return by;
    case LLVMAtomicRMWBinOpAdd: return old + by;
    case LLVMAtomicRMWBinOpSub: return old - by;
    case LLVMAtomicRMWBinOpAnd: return old & by;
    case LLVMAtomicRMWBinOpNand: return ~(old & by);
    case LLVMAtomicRMWBinOpOr: return old | by;
    case LLVMAtomicRMWBinOpXor: return old ^ by;
    case LLVMAtomicRMWBinOpMax: return so > sb ? old : by;
    case LLVMAtomicRMWBinOpMin: return so < sb ? old : by;
    case LLVMAtomicRMWBinOpUMax: return old > by ? old : by;
    case LLVMAtomicRMWBinOpUMin: return old < by ? old : by;
    case LLVMAtomicRMWBinOpFAdd: return real_op(inst, OP_FADD, old, by);
    case LLVMAtomicRMWBinOpFSub: return real_op(inst, OP_FSUB, old, by);
    case LLVMAtomicRMWBinOpFMax: return real_op(inst, OP_FMAXNUM, old, by);
    case LLVMAtomicRMWBinOpFMin: return real_op(inst, OP_FMINNUM, old, by);
    case LLVMAtomicRMWBinOpFMaximum: return real_op(inst, OP_FMAXIMUM, old, by);
    case LLVMAtomicRMWBinOpFMinimum: return real_op(inst, OP_FMINIMUM, old, by);
    case LLVMAtomicRMWBinOpUIncWrap: return old >= by ? 0 : old + 1;
    case LLVMAtomicRMWBinOpUDecWrap: return old == 0 || old > by ? by : old - 1;
    case LLVMAtomicRMWBinOpUSubCond: return old >= by ? old - by : old;
    default: return old >= by ? old - by : 0;
    }
}

static uint64_t undef_read(const Place *place, unsigned bytes, uint64_t m)
{
    return place->undef ? (bytes_read(place->undef, bytes) ^ (place->flip ? ~0ull : 0)) & m : 0;
}

static bool atomic_place(Ctx *c, int lane, const Access *access, Place *place)
{
    uint64_t address = ref_value(c, c->inst->src[0])[lane];
    if (tainted(c, c->inst->src[0], 1u << lane)) {
        finding_add(c, lane, FIND_UNDEF_ADDRESS, "the address of an atomic");
        return false;
    }
    unsigned align = access->align > access->bytes ? access->align : access->bytes;
    return place_find(c, lane, address, access->space, access->bytes, align, ACCESS_ATOMIC, place);
}

/* Order: a release comes before the write, an acquire after the read. */
static void atomic_begin(Ctx *c, int lane, const Access *access, const Place *place)
{
    if (!c->sim->check || !place->object)
        return;
    if (c->block->async)
        async_touch(c, lane, place, access->bytes, ACCESS_ATOMIC);
    race_access(c, lane, place, access->bytes, ACCESS_ATOMIC, access);
    race_release(c, lane, place);
}

static void atomic_end(Ctx *c, int lane, const Place *place)
{
    if (c->sim->check && place->object)
        race_acquire(c, lane, place);
}

/* Packed pairs (v2f16) are combined half by half. */
static void rmw_lane(Ctx *c, int lane, const Access *access, const Place *place)
{
    const Inst *inst = c->inst;
    for (unsigned i = 0; i < access->count; i++) {
        const Piece *piece = &access->piece[i];
        uint64_t m = width_ones(inst->width);
        uint32_t by_ref = access->count > 1 ? piece->ref : inst->src[1];
        uint64_t old = bytes_read(place->data + piece->offset, piece->bytes) & m, by = ref_value(c, by_ref)[lane];
        bytes_write(place->data + piece->offset, piece->bytes, combine(inst, access->rmw, old, by) & m);
        c->frame->value[(size_t)(inst->dst + i) * LANES + lane] = old;
        if (!place->undef)
            continue;
        Place at = *place;
        at.undef += piece->offset;
        uint64_t undef = undef_read(&at, piece->bytes, m);
        uint64_t undef_by = tainted(c, by_ref, 1u << lane) ? ref_undef(c, by_ref)[lane] : 0;
        uint64_t both = access->rmw == LLVMAtomicRMWBinOpXchg ? undef_by : undef | undef_by ? m : 0;
        bytes_write(at.undef, piece->bytes, both ^ (place->flip ? ~0ull : 0));
        result_taint(c, inst->dst + i, lane, undef, false);
    }
}

void op_atomic(Ctx *c)
{
    const Access *access = c->inst->ext;
    Space spaces[LANES];
    Mask served = 0;
    int lane;
    EACH_LANE(lane, c->mask) {
        Place place;
        if (!atomic_place(c, lane, access, &place)) {
            c->frame->value[(size_t)c->inst->dst * LANES + lane] = 0;
            continue;
        }
        if (c->sim->check && place.space == SPACE_GLOBAL && tainted(c, c->inst->src[1], 1u << lane))
            finding_add(c, lane, FIND_UNDEF_STORE, "the operand of an atomic");
        atomic_begin(c, lane, access, &place);
        rmw_lane(c, lane, access, &place);
        atomic_end(c, lane, &place);
        spaces[lane] = place.space;
        served |= 1u << lane;
    }
    if (c->sim->stats)
        stats_request(c, access, access->id, c->inst->where, ACCESS_ATOMIC, ref_value(c, c->inst->src[0]), spaces, served, access->bytes);
}

static void cmpxchg_lane(Ctx *c, int lane, const Access *access, const Place *place)
{
    const Inst *inst = c->inst;
    uint64_t m = width_ones(inst->width), expected = ref_value(c, inst->src[1])[lane], wanted = ref_value(c, inst->src[2])[lane];
    uint64_t old = bytes_read(place->data, access->bytes) & m;
    bool same = old == expected;
    if (same)
        bytes_write(place->data, access->bytes, wanted);
    c->frame->value[(size_t)inst->dst * LANES + lane] = old;
    c->frame->value[(size_t)access->ok_slot * LANES + lane] = same;
    if (!place->undef)
        return;
    uint64_t undef = undef_read(place, access->bytes, m);
    bool unsure = undef || tainted(c, inst->src[1], 1u << lane);
    uint64_t undef_wanted = tainted(c, inst->src[2], 1u << lane) ? ref_undef(c, inst->src[2])[lane] : 0;
    if (unsure || same)
        bytes_write(place->undef, access->bytes, (unsure ? m : undef_wanted) ^ (place->flip ? ~0ull : 0));
    result_taint(c, inst->dst, lane, undef, false);
    result_taint(c, access->ok_slot, lane, unsure, false);
}

void op_cmpxchg(Ctx *c)
{
    const Access *access = c->inst->ext;
    Space spaces[LANES];
    Mask served = 0;
    int lane;
    EACH_LANE(lane, c->mask) {
        Place place;
        if (!atomic_place(c, lane, access, &place)) {
            c->frame->value[(size_t)c->inst->dst * LANES + lane] = 0;
            c->frame->value[(size_t)access->ok_slot * LANES + lane] = 0;
            continue;
        }
        atomic_begin(c, lane, access, &place);
        cmpxchg_lane(c, lane, access, &place);
        atomic_end(c, lane, &place);
        spaces[lane] = place.space;
        served |= 1u << lane;
    }
    if (c->sim->stats)
        stats_request(c, access, access->id, c->inst->where, ACCESS_ATOMIC, ref_value(c, c->inst->src[0]), spaces, served, access->bytes);
}

void op_fence(Ctx *c)
{
    if (c->sim->check)
        race_fence(c, (Scope)c->inst->imm);
}
