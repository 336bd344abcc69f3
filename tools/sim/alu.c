/* Arithmetic of one lane, for all lanes of an instruction. One function an opcode, generated from ops.def.
 *
 * Real arithmetic rounds as IEEE 754 says, in float or double of the host. half and bfloat are computed in float and
 * rounded once more, which is exact for + - * / sqrt (24 >= 2 * 11 + 2); their fma is computed in double and rounded to odd
 * first. A float NaN result is the GPU's canonical one. `contract` permits fusing; nothing is fused here.
 * The approximate functions (ex2, lg2, sin, cos, rcp, rsqrt, tanh .approx) are the host library's, correctly rounded or
 * nearly: the GPU's differ in the last bits. */
#include "sim.h"

#include <fenv.h>
#include <string.h>
#include <tgmath.h>   /* sqrt(x) and the like take the type of x */

#define SIGN32 0x80000000u
#define NAN32 0x7fffffffu
#define NAN16 0x7fffu
static const uint64_t m32 = 0xffffffffu;

/* ---- integers ---- */

static inline uint64_t ones(unsigned width) { return width_ones(width); }
static inline int64_t sign_extend(uint64_t a, unsigned width) { return (int64_t)(a << (64 - width)) >> (64 - width); }

static bool wide_overflow(__int128 value, unsigned width)
{
    __int128 limit = (__int128)1 << (width - 1);
    return value < -limit || value >= limit;
}

static uint64_t wide_clamp(__int128 value, unsigned width)
{
    __int128 limit = (__int128)1 << (width - 1);
    return (uint64_t)(value < -limit ? -limit : value >= limit ? limit - 1 : value);
}

static uint64_t bits_reverse(uint64_t a)
{
    uint64_t result = 0;
    for (int i = 0; i < 64; i++)
        result |= (a >> i & 1) << (63 - i);
    return result;
}

static uint64_t funnel_left(uint64_t high, uint64_t low, uint64_t by, unsigned width)
{
    return by == 0 ? high : by >= width ? low : high << by | low >> (width - by);
}

static uint64_t funnel_right(uint64_t high, uint64_t low, uint64_t by, unsigned width)
{
    return by == 0 ? low : by >= width ? high : low >> by | high << (width - by);
}

/* PTX prmt, default mode: each selector nibble names a byte of {b, a}; its top bit replicates that byte's sign. */
static uint64_t prmt(uint64_t a, uint64_t b, uint64_t selector)
{
    uint64_t bytes = (a & m32) | b << 32, result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned nibble = selector >> (4 * i) & 15;
        uint64_t byte = bytes >> (8 * (nibble & 7)) & 255;
        if (nibble & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return result;
}

/* The selector of the default mode that does what another mode does with this one (PTX ISA, prmt). */
static uint64_t prmt_selector(int64_t mode, uint64_t selector)
{
    static const uint16_t same[][4] = {
        [PRMT_F4E] = {0x3210, 0x4321, 0x5432, 0x6543}, [PRMT_B4E] = {0x5670, 0x6701, 0x7012, 0x0123},
        [PRMT_RC8] = {0x0000, 0x1111, 0x2222, 0x3333}, [PRMT_ECL] = {0x3210, 0x3211, 0x3222, 0x3333},
        [PRMT_ECR] = {0x0000, 0x1110, 0x2210, 0x3210}, [PRMT_RC16] = {0x1010, 0x3232, 0x1010, 0x3232},
    };
    return mode == PRMT_DEFAULT ? selector : same[mode][selector & 3];
}

static uint64_t lop3(uint64_t a, uint64_t b, uint64_t c, unsigned table)
{
    uint64_t result = 0;
    for (unsigned row = 0; row < 8; row++)
        if (table >> row & 1)
            result |= (row & 4 ? a : ~a) & (row & 2 ? b : ~b) & (row & 1 ? c : ~c);
    return result;
}

/* PTX bfe: beyond the top bit comes the sign (0 when unsigned). */
static uint64_t bfe(uint64_t a, uint64_t position, uint64_t length, unsigned width, bool is_signed)
{
    if (length == 0)
        return 0;
    uint64_t top = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
    uint64_t sign = is_signed && (a >> top & 1) ? ~0ull : 0;
    uint64_t field = position < width ? a >> position : sign;
    if (position < width && position + length > width && position)
        field |= sign << (width - position);
    uint64_t mask = ones(length < 64 ? (unsigned)length : 64);
    return (field & mask) | (sign & ~mask);
}

static uint64_t bfi(uint64_t field, uint64_t into, unsigned position, unsigned length)
{
    uint64_t mask = position < 64 ? ones(length) << position : 0;
    return (into & ~mask) | (position < 64 ? field << position & mask : 0);
}

/* PTX fns: the bit where the offset-th set bit of mask lies, counted from base. */
static uint64_t fns(uint32_t mask, uint32_t base, int32_t offset)
{
    int step = offset < 0 ? -1 : 1, left = offset < 0 ? -offset : offset;
    if (offset == 0)
        return mask >> (base & 31) & 1 ? base : m32;
    for (int i = (int)base; i >= 0 && i < 32; i += step)
        if (mask >> i & 1 && --left == 0)
            return (uint64_t)i;
    return m32;
}

/* signs: bit 0 a is signed, bit 1 b is signed. */
static uint64_t dp4a(uint32_t a, uint32_t b, uint32_t sum, int signs)
{
    for (int i = 0; i < 32; i += 8) {
        int x = signs & 1 ? (int8_t)(a >> i) : (int)(a >> i & 255);
        int y = signs & 2 ? (int8_t)(b >> i) : (int)(b >> i & 255);
        sum += (uint32_t)(x * y);
    }
    return sum;
}

/* bit 2 of signs: the upper half of b. */
static uint64_t dp2a(uint32_t a, uint32_t b, uint32_t sum, int signs)
{
    for (int i = 0; i < 2; i++) {
        int x = signs & 1 ? (int16_t)(a >> 16 * i) : (int)(a >> 16 * i & 0xffff);
        uint32_t byte = b >> (signs & 4 ? 16 : 0) >> 8 * i;
        int y = signs & 2 ? (int8_t)byte : (int)(byte & 255);
        sum += (uint32_t)(x * y);
    }
    return sum;
}

/* ---- bits and reals ---- */

static inline float as_float(uint64_t bits)
{
    uint32_t low = (uint32_t)bits;
    float value;
    memcpy(&value, &low, sizeof value);
    return value;
}

static inline uint64_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? NAN32 : bits;
}

static inline double as_double(uint64_t bits)
{
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static inline uint64_t double_bits(double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static float flush(float value) { return fpclassify(value) == FP_SUBNORMAL ? copysignf(0, value) : value; }

float half_to_float(uint64_t bits)
{
    uint32_t sign = (uint32_t)(bits & 0x8000) << 16, exponent = bits >> 10 & 31, fraction = bits & 0x3ff;
    if (exponent == 31)
        return as_float(sign | 0x7f800000 | fraction << 13);
    float magnitude = exponent ? ldexpf((float)(fraction | 0x400), (int)exponent - 25) : ldexpf((float)fraction, -24);
    return sign ? -magnitude : magnitude;
}

/* Rounds a double to the nearest value, ties to even, with `digits` bits and the smallest exponent `low` (as in 2^low). */
static double round_to(double value, int digits, int low)
{
    int exponent;
    frexp(value, &exponent);
    int unit = exponent - digits < low ? low : exponent - digits;
    return ldexp(nearbyint(ldexp(value, -unit)), unit);
}

uint64_t double_to_half(double value)
{
    uint64_t sign = signbit(value) ? 0x8000 : 0;
    if (value != value)
        return NAN16;
    double rounded = isinf(value) ? value : round_to(value, 11, -24);
    if (fabs(rounded) >= 65536)
        return sign | (fegetround() == FE_TOWARDZERO && !isinf(value) ? 0x7bff : 0x7c00);
    double magnitude = fabs(rounded);
    if (magnitude < ldexp(1, -14))
        return sign | (uint64_t)ldexp(magnitude, 24);
    int exponent;
    double fraction = frexp(magnitude, &exponent);
    return sign | (((uint64_t)(exponent + 14) << 10) + ((uint64_t)ldexp(fraction, 11) - 1024));
}

static uint64_t double_to_bf16(double value)
{
    if (value != value)
        return NAN16;
    double rounded = isinf(value) || value == 0 ? value : round_to(value, 8, -133);
    return double_bits(rounded) == 0 && !signbit(rounded) ? 0 : float_bits((float)rounded) >> 16;
}

static double real_value(uint64_t bits, unsigned width, bool bf16)
{
    switch (width) {
    case 64: return as_double(bits);
    case 32: return as_float(bits);
    default: return bf16 ? as_float(bits << 16) : half_to_float(bits);
    }
}

static uint64_t real_bits(double value, unsigned width, bool bf16)
{
    switch (width) {
    case 64: return double_bits(value);
    case 32: return float_bits((float)value);
    default: return bf16 ? double_to_bf16(value) : double_to_half(value);
    }
}

static uint64_t real_finish(uint64_t bits, const Inst *inst)
{
    if (inst->flags & FLAG_FTZ && inst->width == 32)
        bits = float_bits(flush(as_float(bits)));
    return bits;
}

/* x * y + z rounded to odd in double, so that one more rounding to a narrow format is exact. */
static double fma_to_odd(double x, double y, double z)
{
    double product = x * y;                     /* exact: both have at most 11 bits */
    double sum = product + z;
    double back = sum - product;
    double error = (product - (sum - back)) + (z - back);
    if (error != 0 && !isnan(error) && !(double_bits(sum) & 1))
        sum = as_double(double_bits(sum) + ((error > 0) == (sum > 0) ? 1 : (uint64_t)-1));
    return sum;
}

/* ---- reals: comparing and converting ---- */

/* LLVM's predicate bits: 1 equal, 2 greater, 4 less, 8 unordered. */
static unsigned real_compare(uint64_t a, uint64_t b, const Inst *inst)
{
    double x = real_value(a, inst->from, inst->flags & FLAG_BF16), y = real_value(b, inst->from, inst->flags & FLAG_BF16);
    if (inst->flags & FLAG_FTZ && inst->from == 32) {
        x = flush((float)x);
        y = flush((float)y);
    }
    return x == y ? 1 : x > y ? 2 : x < y ? 4 : 8;
}

/* LLVM's is.fpclass bits. */
static unsigned real_class(uint64_t bits, const Inst *inst)
{
    double x = real_value(bits, inst->from, inst->flags & FLAG_BF16);
    if (x != x)
        return 2;
    double smallest = inst->from == 64                              ? 2.2250738585072014e-308
                      : inst->from == 32 || inst->flags & FLAG_BF16 ? 1.1754943508222875e-38
                                                                    : 6.103515625e-05;
    unsigned kind = isinf(x) ? 0 : fabs(x) >= smallest ? 1 : x != 0 ? 2 : 3;
    return signbit(x) ? 4u << kind : 512u >> kind;
}

static uint64_t real_resize(uint64_t bits, const Inst *inst)
{
    double x = real_value(bits, inst->from, inst->flags & FLAG_FROM_BF16);
    if (inst->flags & FLAG_FTZ && inst->from == 32)
        x = flush((float)x);
    if (inst->flags & FLAG_RELU && !(x > 0))
        x = x != x ? x : 0;
    return real_finish(real_bits(x, inst->width, inst->flags & FLAG_BF16), inst);
}

/* PTX cvt: rounds to an integer by the mode of imm (0 toward zero, 1 nearest, 2 down, 3 up), then saturates. */
static uint64_t real_to_int(uint64_t bits, const Inst *inst, bool is_signed)
{
    double x = real_value(bits, inst->from, inst->flags & FLAG_BF16);
    if (inst->flags & FLAG_FTZ && inst->from == 32)
        x = flush((float)x);
    if (x != x)
        return inst->from == 64 || inst->width == 64 ? (inst->flags & FLAG_SAT ? 0 : 1ull << (inst->width - 1)) : 0;
    x = inst->imm == 0 ? trunc(x) : inst->imm == 1 ? rint(x) : inst->imm == 2 ? floor(x) : ceil(x);
    double limit = ldexp(1, (int)inst->width - (is_signed ? 1 : 0));
    if (is_signed)
        return x >= limit ? ones(inst->width - 1u) : x < -limit ? 1ull << (inst->width - 1) : (uint64_t)(int64_t)x;
    return x >= limit ? ones(inst->width) : x <= 0 ? 0 : (uint64_t)x;
}

static uint64_t int_to_real(int64_t s, uint64_t u, const Inst *inst)
{
    bool is_signed = s != 0;
    if (inst->width == 64)
        return double_bits(is_signed ? (double)s : (double)u);
    if (inst->width == 32)
        return float_bits(is_signed ? (float)s : (float)u);
    return real_bits(is_signed ? (double)s : (double)u, inst->width, inst->flags & FLAG_BF16);
}

static uint64_t real_ldexp(uint64_t bits, int by, const Inst *inst)
{
    double x = real_value(bits, inst->width, inst->flags & FLAG_BF16);
    if (inst->width == 32)
        return float_bits(ldexpf((float)x, by));
    return real_bits(ldexp(x, by), inst->width, inst->flags & FLAG_BF16);
}

static int real_exponent(uint64_t bits, const Inst *inst)
{
    int exponent = 0;
    double x = real_value(bits, inst->from, inst->flags & FLAG_BF16);
    if (isfinite(x))
        frexp(x, &exponent);
    return exponent;
}

static uint64_t pack_halves(uint64_t high, uint64_t low, const Inst *inst)
{
    double x = as_float(high), y = as_float(low);
    if (inst->flags & FLAG_RELU) {
        x = x > 0 || x != x ? x : 0;
        y = y > 0 || y != y ? y : 0;
    }
    return real_bits(x, 16, inst->flags & FLAG_BF16) << 16 | real_bits(y, 16, inst->flags & FLAG_BF16);
}

/* minnum and PTX min: a number wins over NaN, and -0 is less than +0. */
#define real_min(x, y) ((x) != (x) ? (y) : (y) != (y) ? (x) : (x) < (y) ? (x) : (y) < (x) ? (y) : signbit(x) ? (x) : (y))
#define real_max(x, y) ((x) != (x) ? (y) : (y) != (y) ? (x) : (x) > (y) ? (x) : (y) > (x) ? (y) : signbit(x) ? (y) : (x))
#define real_minimum(x, y) ((x) != (x) || (y) != (y) ? NAN : real_min(x, y))
#define real_maximum(x, y) ((x) != (x) || (y) != (y) ? NAN : real_max(x, y))

/* ---- one function an opcode ---- */

#ifdef __clang__
#define LANES_APART
#else
#define LANES_APART _Pragma("GCC ivdep")
#endif
#define LANEWISE(statement) \
    if (mask == FULL_MASK) { \
        LANES_APART for (int i = 0; i < LANES; i++) { statement; } \
    } else { \
        int i; \
        EACH_LANE(i, mask) { \
            statement; \
        } \
    }

#define SA sign_extend(a, from)
#define SB sign_extend(b, from)
#define BINARY(name, rule, value) \
    static void do_##name(const Inst *inst, uint64_t *restrict d, const uint64_t *pa, const uint64_t *pb, const uint64_t *pc, \
                          Mask mask) \
    { \
        const unsigned w = inst->width, from = inst->from; \
        const uint64_t m = ones(w); \
        (void)from; \
        LANEWISE(const uint64_t a = pa[i]; const uint64_t b = pb[i]; const uint64_t c = pc[i]; (void)a; (void)b; (void)c; \
                 d[i] = (uint64_t)(value) & m) \
    }

#define REAL_LOOP(type, is_narrow, get, put, value) \
    { \
        const bool narrow = is_narrow; \
        (void)narrow; \
        LANEWISE(const type x = get(pa[i]); const type y = get(pb[i]); const type z = get(pc[i]); (void)x; (void)y; (void)z; \
                 d[i] = put((type)(value))) \
    }
#define get_flushed(bits) flush(as_float(bits))
#define put_flushed(value) float_bits(flush(value))
#define get_bf16(bits) (double)as_float((bits) << 16)
#define get_half(bits) (double)half_to_float(bits)
#define REAL(name, value) \
    static void do_##name(const Inst *inst, uint64_t *restrict d, const uint64_t *pa, const uint64_t *pb, const uint64_t *pc, \
                          Mask mask) \
    { \
        if (inst->width == 64) \
            REAL_LOOP(double, false, as_double, double_bits, value) \
        else if (inst->width == 32 && inst->flags & FLAG_FTZ) \
            REAL_LOOP(float, false, get_flushed, put_flushed, value) \
        else if (inst->width == 32) \
            REAL_LOOP(float, false, as_float, float_bits, value) \
        else if (inst->flags & FLAG_BF16) \
            REAL_LOOP(double, true, get_bf16, double_to_bf16, value) \
        else \
            REAL_LOOP(double, true, get_half, double_to_half, value) \
    }
#include "ops.def"

typedef void Alu(const Inst *, uint64_t *restrict, const uint64_t *, const uint64_t *, const uint64_t *, Mask);
static Alu *const alu_table[] = {
#define BINARY(name, rule, value) [OP_##name] = do_##name,
#define REAL(name, value) [OP_##name] = do_##name,
#include "ops.def"
};

static void saturate(const Inst *inst, uint64_t *d, Mask mask)
{
    int lane;
    EACH_LANE(lane, mask) {
        double x = real_value(d[lane], inst->width, inst->flags & FLAG_BF16);
        d[lane] = real_bits(x > 0 ? (x < 1 ? x : 1) : 0, inst->width, inst->flags & FLAG_BF16);
    }
}

void alu_run(const Inst *inst, uint64_t *d, const uint64_t *a, const uint64_t *b, const uint64_t *c, Mask mask)
{
    if (!(inst->flags & (FLAG_ROUND | FLAG_SAT))) {
        alu_table[inst->op](inst, d, a, b, c, mask);
        return;
    }
    int round = inst->flags & FLAG_RZ   ? FE_TOWARDZERO
                : inst->flags & FLAG_RM ? FE_DOWNWARD
                : inst->flags & FLAG_RP ? FE_UPWARD
                                        : FE_TONEAREST;
    fesetround(round);
    alu_table[inst->op](inst, d, a, b, c, mask);
    fesetround(FE_TONEAREST);
    if (inst->flags & FLAG_SAT && inst->op != OP_FP_TO_SI && inst->op != OP_FP_TO_UI)
        saturate(inst, d, mask);
}
