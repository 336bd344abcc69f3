/* Atomic operations and fences. Lanes of one instruction go one after another; with seeds the order varies (warp.c splits). */
#include "sim.h"

#include <string.h>

enum { MAX_ATOMIC_PIECES = 2 };   /* 128 bits */

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

/* Order: a release comes before the write, an acquire after the read. */
static void atomic_begin(Ctx *c, int lane, const Access *access, const Place *place)
{
    if (!c->sim->check || !place->object)
        return;
    access_touch(c, lane, place, access->bytes, ACCESS_ATOMIC, access);
    race_release(c, lane, place);
}

static void atomic_end(Ctx *c, int lane, const Place *place)
{
    if (c->sim->check && place->object)
        race_acquire(c, lane, place);
}

/* Packed pairs (v2f16) are combined half by half. */
static void rmw_pieces(Ctx *c, int lane, const Access *access, const Place *place)
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

static bool adds_undef(const Ctx *c, int lane, const Access *access)
{
    bool any = tainted(c, c->inst->src[1], 1u << lane);
    for (unsigned i = 0; access->count > 1 && i < access->count; i++)
        any |= tainted(c, access->piece[i].ref, 1u << lane) != 0;
    return any;
}

static void rmw_lane(Ctx *c, int lane, const Access *access, const Place *place)
{
    if (!place) {
        c->frame->value[(size_t)c->inst->dst * LANES + lane] = 0;
        return;
    }
    if (c->sim->check && place->space == SPACE_GLOBAL && adds_undef(c, lane, access))
        finding_add(c, lane, FIND_UNDEF_STORE, "the operand of an atomic");
    atomic_begin(c, lane, access, place);
    rmw_pieces(c, lane, access, place);
    atomic_end(c, lane, place);
}

void op_atomic(Ctx *c) { access_run(c, ACCESS_ATOMIC, rmw_lane); }

static bool piece_tainted(const Ctx *c, int lane, uint32_t ref) { return tainted(c, ref, 1u << lane) != 0; }

/* Bits that nobody has defined: what was there is uncertain, so what is there afterwards is too. */
static void cmpxchg_undef(Ctx *c, int lane, const Access *access, const Place *place, bool same)
{
    uint64_t undef[MAX_ATOMIC_PIECES];
    bool unsure = false;
    for (unsigned i = 0; i < access->count; i++) {
        Place at = *place;
        at.undef += access->piece[i].offset;
        undef[i] = undef_read(&at, access->piece[i].bytes, width_ones(access->piece[i].width));
        unsure |= undef[i] || piece_tainted(c, lane, access->piece[i].ref);
    }
    for (unsigned i = 0; i < access->count; i++) {
        const Piece *piece = &access->piece[i];
        uint64_t by = piece_tainted(c, lane, piece->wanted) ? ref_undef(c, piece->wanted)[lane] : 0;
        if (unsure || same)
            bytes_write(place->undef + piece->offset, piece->bytes,
                        (unsure ? width_ones(piece->width) : by) ^ (place->flip ? ~0ull : 0));
        result_taint(c, c->inst->dst + i, lane, undef[i], false);
    }
    result_taint(c, access->ok_slot, lane, unsure, false);
}

static void cmpxchg_pieces(Ctx *c, int lane, const Access *access, const Place *place)
{
    bool same = true;
    for (unsigned i = 0; i < access->count; i++) {
        const Piece *piece = &access->piece[i];
        uint64_t old = bytes_read(place->data + piece->offset, piece->bytes) & width_ones(piece->width);
        same &= old == ref_value(c, piece->ref)[lane];
        c->frame->value[(size_t)(c->inst->dst + i) * LANES + lane] = old;
    }
    for (unsigned i = 0; same && i < access->count; i++)
        bytes_write(place->data + access->piece[i].offset, access->piece[i].bytes, ref_value(c, access->piece[i].wanted)[lane]);
    c->frame->value[(size_t)access->ok_slot * LANES + lane] = same;
    if (place->undef)
        cmpxchg_undef(c, lane, access, place, same);
}

static void cmpxchg_lane(Ctx *c, int lane, const Access *access, const Place *place)
{
    if (!place) {
        for (unsigned i = 0; i < access->count; i++)
            c->frame->value[(size_t)(c->inst->dst + i) * LANES + lane] = 0;
        c->frame->value[(size_t)access->ok_slot * LANES + lane] = 0;
        return;
    }
    atomic_begin(c, lane, access, place);
    cmpxchg_pieces(c, lane, access, place);
    atomic_end(c, lane, place);
}

void op_cmpxchg(Ctx *c) { access_run(c, ACCESS_ATOMIC, cmpxchg_lane); }

void op_fence(Ctx *c)
{
    if (c->sim->check)
        race_fence(c, (Scope)c->inst->imm);
}
