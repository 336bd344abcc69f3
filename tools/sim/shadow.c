/* Definedness. Each value has a mask of undefined bits; a lane without any costs nothing (Taint). The rules are exact for bitwise
 * operations and comparisons, and sound (never too few) for the rest:
 *   ROUTE the bits go where the same operation takes them, as the third operand says,
 *   COPY the operand's, UNION both, AND/OR known bits absorb, SMEAR from the lowest undefined bit upward (carries), ALL everything.
 * Poison is a wholly undefined value that no operation but select and freeze absorbs. */
#include "sim.h"

#include <string.h>

typedef enum {
    RULE_COPY,
    RULE_UNION,
    RULE_AND,
    RULE_OR,
    RULE_SMEAR,
    RULE_SHL,
    RULE_LSHR,
    RULE_ASHR,
    RULE_SEXT,
    RULE_EQUAL,
    RULE_ULESS,
    RULE_SLESS,
    RULE_ROUTE,
    RULE_PACK,
    RULE_SELECT,
    RULE_FREEZE,
    RULE_ALL
} Rule;

static const uint8_t rule_of[] = {
#define BINARY(name, rule, value) [OP_##name] = RULE_##rule,
#define REAL(name, value) [OP_##name] = RULE_ALL,
#include "ops.def"
};

void result_taint(const Ctx *c, uint32_t slot, int lane, uint64_t undef, bool poison)
{
    Mask bit = 1u << lane;
    Taint *taint = &c->frame->taint[slot];
    taint->dirty = undef || poison ? taint->dirty | bit : taint->dirty & ~bit;
    taint->poison = poison ? taint->poison | bit : taint->poison & ~bit;
    c->frame->undef[(size_t)slot * LANES + lane] = undef;
}

/* One lane's operands: values and undefined bits. */
typedef struct {
    uint64_t v[3], u[3];
    bool poison[3];
} Operands;

static Operands operands_get(const Ctx *c, int lane)
{
    Operands o;
    for (int i = 0; i < 3; i++) {
        uint32_t ref = c->inst->src[i];
        Taint taint = ref_taint(c, ref);
        o.v[i] = ref_value(c, ref)[lane];
        o.u[i] = taint.dirty >> lane & 1 ? ref_undef(c, ref)[lane] : 0;
        o.poison[i] = taint.poison >> lane & 1;
    }
    return o;
}

static uint64_t smear(uint64_t undef) { return undef | (0 - undef); }

static uint64_t equal_rule(const Operands *o)
{
    uint64_t known = ~(o->u[0] | o->u[1]);
    return (o->v[0] ^ o->v[1]) & known ? 0 : 1;
}

/* Decided when the ranges that the known bits leave do not overlap. */
static uint64_t less_rule(const Operands *o, uint64_t flip, bool or_equal)
{
    uint64_t low[2], high[2];
    for (int i = 0; i < 2; i++) {
        uint64_t value = o->v[i] ^ flip;
        low[i] = value & ~o->u[i];
        high[i] = value | o->u[i];
    }
    bool yes = or_equal ? high[0] <= low[1] : high[0] < low[1];
    bool no = or_equal ? low[0] > high[1] : low[0] >= high[1];
    return yes || no ? 0 : 1;
}

/* A distance past the operand leaves nothing of it, or the sign alone. */
static uint64_t shift_rule(const Operands *o, const Inst *inst, uint64_t m, Rule rule)
{
    if (o->u[1])
        return m;
    uint64_t top = 1ull << (inst->from - 1), by = o->v[1];
    bool sign = rule == RULE_ASHR && o->u[0] & top;
    if (by >= inst->from)
        return sign ? m : 0;
    if (rule == RULE_SHL)
        return o->u[0] << by & m;
    uint64_t fill = sign ? ~(width_ones(inst->from) >> by) : 0;
    return (o->u[0] >> by | fill) & m;
}

static uint64_t route_rule(const Operands *o, const Inst *inst, uint64_t m)
{
    uint64_t a[LANES] = {o->u[0]}, b[LANES] = {o->u[1]}, c[LANES] = {o->v[2]}, result[LANES];
    if (o->u[2])
        return m;
    alu_run(inst, result, a, b, c, 1);
    return result[0];
}

static uint64_t apply(const Operands *o, const Inst *inst, uint64_t m)
{
    switch ((Rule)rule_of[inst->op]) {
    case RULE_COPY: return o->u[0] & m;
    case RULE_UNION: return (o->u[0] | o->u[1]) & m;
    case RULE_AND:
        return inst->op == OP_FABS ? o->u[0] & m >> 1 : ((o->u[0] & o->u[1]) | (o->u[0] & o->v[1]) | (o->u[1] & o->v[0])) & m;
    case RULE_OR: return ((o->u[0] & o->u[1]) | (o->u[0] & ~o->v[1]) | (o->u[1] & ~o->v[0])) & m;
    case RULE_SMEAR: return smear(o->u[0] | o->u[1] | o->u[2]) & m;
    case RULE_SHL:
    case RULE_LSHR:
    case RULE_ASHR: return shift_rule(o, inst, m, (Rule)rule_of[inst->op]);
    case RULE_SEXT: {
        uint64_t sign = 1ull << (inst->from - 1);
        return (o->u[0] | (o->u[0] & sign ? ~(sign - 1) : 0)) & m;
    }
    case RULE_EQUAL: return equal_rule(o);
    case RULE_ULESS: return less_rule(o, 0, inst->op == OP_ULE);
    case RULE_SLESS: return less_rule(o, 1ull << (inst->from - 1), inst->op == OP_SLE);
    case RULE_ROUTE: return route_rule(o, inst, m);
    case RULE_PACK: return o->u[0] | o->u[1] << inst->imm;
    case RULE_FREEZE: return 0;
    default: return o->u[0] | o->u[1] | o->u[2] ? m : 0;
    }
}

void shadow_alu(Ctx *c, Mask mask)
{
    const Inst *inst = c->inst;
    uint64_t m = width_ones(inst->width);
    int lane;
    EACH_LANE(lane, mask) {
        Operands o = operands_get(c, lane);
        uint64_t undef;
        bool poison;
        if (inst->op == OP_SELECT) {
            int chosen = o.v[0] & 1 ? 1 : 2;
            undef = o.u[0] ? (o.u[1] | o.u[2] | (o.v[1] ^ o.v[2])) & m : o.u[chosen];
            poison = o.poison[0] || o.poison[chosen];
        } else {
            undef = apply(&o, inst, m);
            poison = inst->op != OP_FREEZE && (o.poison[0] || o.poison[1] || o.poison[2]);
        }
        result_taint(c, inst->dst, lane, poison ? m : undef, poison);
    }
}

/* ---- what makes poison ---- */

static int64_t extend(uint64_t a, unsigned width) { return (int64_t)(a << (64 - width)) >> (64 - width); }

static bool fits_signed(__int128 value, unsigned width)
{
    __int128 limit = (__int128)1 << (width - 1);
    return value >= -limit && value < limit;
}

static bool makes_poison(const Inst *inst, uint64_t a, uint64_t b, uint64_t result)
{
    unsigned w = inst->width;
    uint64_t m = width_ones(w);
    int64_t sa = extend(a, inst->from), sb = extend(b, inst->from);
    bool nsw = inst->flags & FLAG_NSW, nuw = inst->flags & FLAG_NUW;
    switch (inst->op) {
    case OP_ADD: return (nsw && !fits_signed((__int128)sa + sb, w)) || (nuw && (unsigned __int128)a + b > m);
    case OP_SUB: return (nsw && !fits_signed((__int128)sa - sb, w)) || (nuw && a < b);
    case OP_MUL: return (nsw && !fits_signed((__int128)sa * sb, w)) || (nuw && (unsigned __int128)a * b > m);
    case OP_SHL: return b >= w || (nuw && result >> b != a) || (nsw && extend(result, w) >> b != sa);
    case OP_LSHR: return b >= w || (inst->flags & FLAG_EXACT && result << b != a);
    case OP_ASHR: return b >= w || (inst->flags & FLAG_EXACT && ((result << b) & m) != a);
    case OP_UDIV: return inst->flags & FLAG_EXACT && b && a % b;
    case OP_SDIV: return inst->flags & FLAG_EXACT && sb && sb != -1 && sa % sb;
    case OP_OR: return inst->flags & FLAG_DISJOINT && (a & b);
    case OP_ZEXT: return inst->flags & FLAG_NNEG && sa < 0;
    default: return false;
    }
}

/* True when no lane can overflow: the common case, decided without looking at lanes one by one. */
static bool surely_small(const Inst *inst, const uint64_t *a, const uint64_t *b)
{
    if (inst->op == OP_OR) {
        uint64_t both = 0;
        for (int i = 0; i < LANES; i++)
            both |= a[i] & b[i];
        return both == 0;
    }
    uint64_t bits_a = 0, bits_b = 0;
    for (int i = 0; i < LANES; i++) {
        bits_a |= a[i];
        bits_b |= b[i];
    }
    unsigned w = inst->width;
    if (inst->op == OP_ADD)
        return (bits_a | bits_b) >> (w - 2) == 0;
    if (inst->op == OP_MUL)
        return bits_a >> (w / 2 - 1) == 0 && bits_b >> (w / 2 - 1) == 0;
    if (inst->op == OP_ZEXT)
        return bits_a >> (inst->from - 1) == 0;
    if (inst->op == OP_SHL)
        return bits_b < 8 && bits_a >> (w > 8 ? w - 9 : 0) == 0;
    if (inst->op == OP_LSHR || inst->op == OP_ASHR)
        return !(inst->flags & FLAG_EXACT) && bits_b < w && (w & (w - 1)) == 0;
    return false;
}

void shadow_poison(Ctx *c, Mask mask)
{
    const Inst *inst = c->inst;
    const uint64_t *a = ref_value(c, inst->src[0]), *b = ref_value(c, inst->src[1]);
    const uint64_t *result = c->frame->value + (size_t)inst->dst * LANES;
    if (inst->width > 2 && surely_small(inst, a, b))
        return;
    Mask undefined = ref_taint(c, inst->src[0]).dirty | ref_taint(c, inst->src[1]).dirty;
    int lane;
    EACH_LANE(lane, mask & ~undefined)
        if (makes_poison(inst, a[lane], b[lane], result[lane]))
            result_taint(c, inst->dst, lane, width_ones(inst->width), true);
}
