/* Integers of more than 64 bits, in limbs of 64, lane by lane. Undefined bits: if any comes in, all that goes out, but for copies. */
#include "sim.h"

#include <string.h>

enum { MOST = 16 }; /* limbs: 1024 bits */

typedef struct {
    uint64_t limb[2 * MOST];
} Wide;

static Wide wide_get(const Ctx *c, const uint32_t *ref, unsigned count, int lane, unsigned width, bool is_signed)
{
    Wide value = {{0}};
    for (unsigned i = 0; i < count; i++)
        value.limb[i] = ref_value(c, ref[i])[lane];
    bool negative = is_signed && value.limb[(width - 1) / 64] >> ((width - 1) % 64) & 1;
    if (negative && width % 64)
        value.limb[width / 64] |= ~width_ones(width % 64);
    for (unsigned i = count; i < 2 * MOST; i++)
        value.limb[i] = negative ? ~0ull : 0;
    return value;
}

static Wide wide_add(const Wide *a, const Wide *b, bool subtract)
{
    Wide sum;
    unsigned __int128 carry = subtract;
    for (int i = 0; i < 2 * MOST; i++) {
        carry += (unsigned __int128)a->limb[i] + (subtract ? ~b->limb[i] : b->limb[i]);
        sum.limb[i] = (uint64_t)carry;
        carry >>= 64;
    }
    return sum;
}

static Wide wide_mul(const Wide *a, const Wide *b)
{
    Wide product = {{0}};
    for (int i = 0; i < MOST; i++) {
        unsigned __int128 carry = 0;
        for (int k = 0; i + k < 2 * MOST; k++) {
            carry += (unsigned __int128)a->limb[i] * b->limb[k] + product.limb[i + k];
            product.limb[i + k] = (uint64_t)carry;
            carry >>= 64;
        }
    }
    return product;
}

static Wide wide_shift(const Wide *a, uint64_t by, bool left)
{
    Wide result;
    uint64_t fill = left ? 0 : (uint64_t)((int64_t)a->limb[2 * MOST - 1] >> 63);
    int limbs = by / 64 < 2 * MOST ? (int)(by / 64) : 2 * MOST, bits = (int)(by % 64);
    for (int i = 0; i < 2 * MOST; i++) {
        int near = left ? i - limbs : i + limbs, far = left ? near - 1 : near + 1;
        uint64_t x = near >= 0 && near < 2 * MOST ? a->limb[near] : fill, y = far >= 0 && far < 2 * MOST ? a->limb[far] : fill;
        result.limb[i] = !bits ? x : left ? x << bits | y >> (64 - bits) : x >> bits | y << (64 - bits);
    }
    return result;
}

static int wide_compare(const Wide *a, const Wide *b, bool is_signed)
{
    for (int i = 2 * MOST - 1; i >= 0; i--) {
        if (a->limb[i] == b->limb[i])
            continue;
        if (i == 2 * MOST - 1 && is_signed)
            return (int64_t)a->limb[i] < (int64_t)b->limb[i] ? -1 : 1;
        return a->limb[i] < b->limb[i] ? -1 : 1;
    }
    return 0;
}

static Wide wide_divide(const Wide *a, const Wide *b, unsigned width, bool remainder)
{
    Wide quotient = {{0}}, rest = {{0}};
    for (int bit = (int)width - 1; bit >= 0; bit--) {
        rest = wide_shift(&rest, 1, true);
        rest.limb[0] |= a->limb[bit / 64] >> (bit % 64) & 1;
        if (wide_compare(&rest, b, false) >= 0) {
            rest = wide_add(&rest, b, true);
            quotient.limb[bit / 64] |= 1ull << (bit % 64);
        }
    }
    return remainder ? rest : quotient;
}

static Wide wide_signed_divide(Wide a, Wide b, unsigned width, bool remainder)
{
    Wide zero = {{0}};
    bool minus_a = (int64_t)a.limb[2 * MOST - 1] < 0, minus_b = (int64_t)b.limb[2 * MOST - 1] < 0;
    if (minus_a)
        a = wide_add(&zero, &a, true);
    if (minus_b)
        b = wide_add(&zero, &b, true);
    Wide result = wide_divide(&a, &b, width, remainder);
    return (remainder ? minus_a : minus_a != minus_b) ? wide_add(&zero, &result, true) : result;
}

static bool holds(int order, unsigned predicate)
{
    switch (predicate) { /* eq ne ugt uge ult ule sgt sge slt sle */
    case 0: return order == 0;
    case 1: return order != 0;
    case 2:
    case 6: return order > 0;
    case 3:
    case 7: return order >= 0;
    case 4:
    case 8: return order < 0;
    default: return order <= 0;
    }
}

static Wide wide_apply(const Ctx *c, int lane)
{
    const CallSite *site = c->inst->ext;
    uint64_t code = (uint64_t)c->inst->imm;
    unsigned opcode = code & 255, predicate = code >> 8 & 255, from = code >> 32 & 0xffff;
    bool is_signed = opcode == LLVMAShr || opcode == LLVMSExt || opcode == LLVMSDiv || opcode == LLVMSRem ||
                     (opcode == LLVMICmp && predicate >= 6);
    Wide a = wide_get(c, site->ref, site->count, lane, from, is_signed);
    Wide b = wide_get(c, site->ref + site->count, site->count, lane, from, is_signed), result = a;
    switch (opcode) {
    case LLVMAdd: return wide_add(&a, &b, false);
    case LLVMSub: return wide_add(&a, &b, true);
    case LLVMMul: return wide_mul(&a, &b);
    case LLVMShl: return wide_shift(&a, b.limb[0], true);
    case LLVMLShr:
    case LLVMAShr: return wide_shift(&a, b.limb[0], false);
    case LLVMUDiv: return wide_divide(&a, &b, from, false);
    case LLVMURem: return wide_divide(&a, &b, from, true);
    case LLVMSDiv: return wide_signed_divide(a, b, from, false);
    case LLVMSRem: return wide_signed_divide(a, b, from, true);
    case LLVMAnd:
        for (int i = 0; i < MOST; i++)
            result.limb[i] = a.limb[i] & b.limb[i];
        return result;
    case LLVMOr:
        for (int i = 0; i < MOST; i++)
            result.limb[i] = a.limb[i] | b.limb[i];
        return result;
    case LLVMXor:
        for (int i = 0; i < MOST; i++)
            result.limb[i] = a.limb[i] ^ b.limb[i];
        return result;
    case LLVMICmp: result.limb[0] = holds(wide_compare(&a, &b, is_signed), predicate); return result;
    default: return a; /* trunc, zext, sext, casts */
    }
}

/* Undefined bits, limb by limb where the operation keeps limbs apart or shifts by a known amount. */
static Wide undef_apply(const Ctx *c, int lane)
{
    const CallSite *site = c->inst->ext;
    unsigned opcode = (uint64_t)c->inst->imm & 255, count = site->count;
    Wide undef = {{0}};
    bool any = false;
    unsigned operands = opcode == LLVMTrunc || opcode == LLVMZExt || opcode == LLVMSExt || opcode == LLVMPtrToInt ||
                                opcode == LLVMIntToPtr
                            ? 1
                            : 2;
    for (unsigned i = 0; i < operands * count; i++) {
        uint64_t bits = tainted(c, site->ref[i], 1u << lane) ? ref_undef(c, site->ref[i])[lane] : 0;
        any |= bits != 0;
        if (opcode == LLVMAnd) {
            uint64_t other = ref_value(c, site->ref[i < count ? i + count : i - count])[lane];
            uint64_t other_undef = tainted(c, site->ref[i < count ? i + count : i - count], 1u << lane)
                                       ? ref_undef(c, site->ref[i < count ? i + count : i - count])[lane]
                                       : 0;
            bits &= other | other_undef;
        }
        bool shifts = opcode == LLVMShl || opcode == LLVMLShr;
        if (i < count || !shifts)
            undef.limb[i % count] |= bits;
    }
    bool by_limb = operands == 1 || opcode == LLVMAnd || opcode == LLVMOr || opcode == LLVMXor;
    if (opcode == LLVMShl || opcode == LLVMLShr)
        return wide_shift(&undef, ref_value(c, site->ref[count])[lane], opcode == LLVMShl);
    if (!by_limb && any)
        memset(&undef, 0xff, sizeof undef);
    return undef;
}

void op_wide(Ctx *c)
{
    const CallSite *site = c->inst->ext;
    unsigned width = (uint64_t)c->inst->imm >> 16 & 0xffff;
    int lane;
    EACH_LANE(lane, c->mask) {
        Wide result = wide_apply(c, lane), undef = {{0}};
        if (c->sim->check)
            undef = undef_apply(c, lane);
        for (unsigned i = 0; i < site->results; i++) {
            uint64_t m = width_ones(width - 64 * i < 64 ? width - 64 * i : 64);
            c->frame->value[(size_t)(c->inst->dst + i) * LANES + lane] = result.limb[i] & m;
            if (c->sim->check)
                result_taint(c, c->inst->dst + i, lane, undef.limb[i] & m, false);
        }
    }
}
