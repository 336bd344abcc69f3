// Floating point that IEEE fixes, against integer arithmetic or double; half and bfloat; conversions with rounding.
// RUN: %clang-device -O3 -ffp-contract=off %s -o %t3.ll
// RUN: %clang-device -O0 -ffp-contract=off %s -o %t0.ll
// RUN: %sim %t3.ll --kernel halves --grid 64 --block 64 -- i32:0
// RUN: %sim %t3.ll --kernel bfloats --grid 64 --block 64 -- i32:0
// RUN: %sim %t0.ll --kernel bfloats --grid 8 --block 64 -- i32:0
// RUN: %sim %t0.ll --kernel halves --grid 8 --block 64 -- i32:0
// RUN: %sim %t3.ll --kernel floats --grid 4 --block 64 -- rand:1024:1 rand:1024:2
// RUN: %sim %t0.ll --kernel floats --grid 4 --block 64 -- rand:1024:1 rand:1024:2
// RUN: %sim %t3.ll --kernel rounding --grid 4 --block 64 -- frand:1024:1 frand:1024:2
// RUN: %sim %t3.ll --kernel special --grid 1 --block 1 -- f32:0 f64:0
// RUN: %sim %t0.ll --kernel special --grid 1 --block 1 -- f32:0 f64:0
// RUN: %sim %t3.ll --kernel libm --grid 4 --block 64 -- frand:1024:1
// RUN: %sim %t3.ll --kernel soft --grid 4 --block 64 --dump=2:%t.add --dump=3:%t.mul --dump=4:%t.fma -- rand:1024:1 rand:1024:2 buf:1024 buf:1024 buf:1024 rand:1024:3
// RUN: %sim %t3.ll --kernel copies --grid 4 --block 64 --dump=0:%t.a --dump=1:%t.b --dump=2:%t.c -- rand:1024:1 rand:1024:2 rand:1024:3
// RUN: %python %S/softfloat.py %t.a %t.b %t.c %t.add %t.mul %t.fma
#include "check.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// A half from its bits by integer arithmetic, exactly.
__device__ double half_value(u32 h) {
  int e = h >> 10 & 31, m = h & 1023;
  double v = e ? (1024 + m) * 1.0 : m * 1.0;
  e = e ? e : 1;
  for (int j = 25; j < e; j++) v *= 2;
  for (int j = e; j < 25; j++) v /= 2;
  return h >> 15 ? -v : v;
}

// The nearest half (ties to even) to a positive or negative finite double, by search over all halves.
__device__ u32 nearest_half(double v) {
  u32 sign = v < 0 ? 0x8000u : 0;
  double a = v < 0 ? -v : v;
  u32 low = 0, high = 0x7c00;                      // half bits order as their values do
  while (high - low > 1) {
    u32 mid = (low + high) / 2;
    if (half_value(mid) <= a) low = mid;
    else high = mid;
  }
  double down = half_value(low), up = high == 0x7c00 ? 65536.0 : half_value(high);
  if (a - down > up - a || (a - down == up - a && (low & 1))) low = high;
  return sign | low;
}

KERNEL halves(u32 zero) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, x = noise(i) & 0xffff, y = noise(i * 3 + 1) & 0xffff;
  if ((x >> 10 & 31) == 31 || (y >> 10 & 31) == 31) return;
  HIDE(x);
  HIDE(y);
  __half a = __ushort_as_half((unsigned short)x), b = __ushort_as_half((unsigned short)y);
  double va = half_value(x), vb = half_value(y);
  EXPECT(__half2float(a) == (float)va && (double)(float)b == vb);
  double sum = va + vb, difference = va - vb, product = va * vb;       // exact in double
  if (sum) EXPECT(__half_as_ushort(__hadd_rn(a, b)) == nearest_half(sum));
  if (difference) EXPECT(__half_as_ushort(__hsub_rn(a, b)) == nearest_half(difference));
  if (product) EXPECT(__half_as_ushort(__hmul_rn(a, b)) == nearest_half(product));
  if (!__heq(__hmul_rn(a, b), __float2half(0.0f)))                      // a product that rounds to -0 becomes +0 in the sum
    EXPECT(__half_as_ushort(__hfma(a, b, __float2half(0.0f))) == __half_as_ushort(__hmul_rn(a, b)));
  EXPECT(__hlt(a, b) == (va < vb) && __heq(a, b) == (va == vb) && __hge(a, b) == (va >= vb));
  EXPECT(__half_as_ushort(__float2half_rn((float)va)) == x);
  float odd = (float)va * 1.0009765625f + zero;                        // lies between halves
  if (va) EXPECT(__half_as_ushort(__float2half_rn(odd)) == nearest_half((double)odd));
  __half2 pair = __halves2half2(a, b);
  __half2 both = __hadd2(pair, pair);
  EXPECT(__half_as_ushort(__low2half(both)) == __half_as_ushort(__hadd(a, a)) && __half_as_ushort(__high2half(both)) == __half_as_ushort(__hadd(b, b)));
  EXPECT(__half2int_rz(a) == (int)va);
  _Float16 c = (_Float16)(int)(i & 1023), d = (_Float16)2.5f;
  EXPECT((float)(c * d) == (float)half_value(nearest_half((i & 1023) * 2.5)));
}

// bfloat is the upper half of a float: rounding to nearest even is an addition.
__device__ u32 round_bfloat(float f) {
  u32 u = __float_as_uint(f);
  return (u + 0x7fff + (u >> 16 & 1)) >> 16;
}

KERNEL bfloats(u32 zero) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x, x = (noise(i) & 0x83ff) | 0x3c00, y = (noise(i * 5 + 2) & 0x83ff) | 0x3c00;
  HIDE(x);
  HIDE(y);
  __nv_bfloat16 a = __ushort_as_bfloat16((unsigned short)(x + zero)), b = __ushort_as_bfloat16((unsigned short)y);
  float va = __uint_as_float(x << 16), vb = __uint_as_float(y << 16);
  EXPECT(__bfloat162float(a) == va);
  EXPECT(__bfloat16_as_ushort(__float2bfloat16_rn(va * 1.001f)) == round_bfloat(va * 1.001f));
  EXPECT(__bfloat16_as_ushort(__hmul(a, b)) == round_bfloat(va * vb));   // the product of two bfloats is exact in float
  double sum = (double)va + vb;                                          // exact, and rounded once below when float holds it
  if ((double)(float)sum == sum && sum != 0) EXPECT(__bfloat16_as_ushort(__hadd(a, b)) == round_bfloat((float)sum));
  EXPECT(__hlt(a, b) == (va < vb));
  __nv_bfloat162 pair = __floats2bfloat162_rn(va, vb);
  EXPECT(__low2float(pair) == va && __high2float(pair) == vb);
}

KERNEL floats(const u32 *xs, const u32 *ys) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = (float)(int)xs[i] * 0.001f, y = (float)(int)(ys[i] | 1);
  // float arithmetic is double arithmetic rounded once (double has more than twice the digits)
  EXPECT(x + y == (float)((double)x + y) && x - y == (float)((double)x - y));
  EXPECT(x * y == (float)((double)x * y) && x / y == (float)((double)x / y));
  EXPECT(sqrtf(fabsf(x)) == (float)sqrt(fabs((double)x)));
  EXPECT(__fmaf_rn(x, y, 0.0f) == x * y);
  EXPECT(floorf(x) <= x && floorf(x) + 1 > x && floorf(x) == (float)floor((double)x) && truncf(x) == (float)trunc((double)x));
  EXPECT(rintf(2.5f + (xs[i] & 1)) == (xs[i] & 1 ? 4.0f : 2.0f) && roundf(2.5f + (xs[i] & 1)) == 3.0f + (xs[i] & 1) && ceilf(x) == -floorf(-x));
  EXPECT(fminf(x, y) == (x < y ? x : y) && fmaxf(x, y) == (x > y ? x : y) && copysignf(x, y) == (y < 0 ? -fabsf(x) : fabsf(x)));
  EXPECT((int)truncf(x) == (int)x && __float2int_rn(2.5f) == 2 && __float2int_ru(x) == (int)ceilf(x) && __float2int_rd(x) == (int)floorf(x));
  // int to float: nearest even, by integer arithmetic
  u32 v = xs[i] | 0x80000000u, kept = v >> 8, rest = v & 255;
  if (rest > 128 || (rest == 128 && (kept & 1))) kept++;
  EXPECT((double)(float)v == kept * 256.0);
  EXPECT(__double2float_rn((double)v) == (float)v && __uint2float_rz(v) == (float)(v & ~255u));
  double d = (double)xs[i] * 4294967296.0 + ys[i];
  u64 w = (u64)d;
  EXPECT((double)w == d || (w >> 53));
  EXPECT(__double2hiint(d) == (int)(__double_as_longlong(d) >> 32) && __hiloint2double(__double2hiint(d), __double2loint(d)) == d);
  EXPECT(__int_as_float(__float_as_int(x)) == x);
}

// Directed rounding brackets the exact value, which double holds.
KERNEL rounding(const float *xs, const float *ys) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = xs[i], y = ys[i];
  double sum = (double)x + y, product = (double)x * y;
  EXPECT(__fadd_rd(x, y) <= sum && __fadd_ru(x, y) >= sum && fabs((double)__fadd_rz(x, y)) <= fabs(sum));
  EXPECT(__fmul_rd(x, y) <= product && __fmul_ru(x, y) >= product && fabs((double)__fmul_rz(x, y)) <= fabs(product));
  EXPECT(__fadd_rd(x, y) == __fadd_ru(x, y) ? (double)__fadd_rn(x, y) == sum : __fadd_ru(x, y) == nextafterf(__fadd_rd(x, y), 9.0f));
  EXPECT(__double2float_rd(product) == __fmul_rd(x, y) && __double2float_ru(product) == __fmul_ru(x, y));
  EXPECT(__saturatef(x * 3) == (x < 0 ? 0.0f : x * 3 > 1 ? 1.0f : x * 3));
}

KERNEL special(float zero, double dzero) {
  float inf = 1 / zero, nan = inf - inf, tiny = __uint_as_float(1 + (u32)zero);
  EXPECT(isinf(inf) && nan != nan && !(nan < 1) && !(nan >= 1) && isnan(nan));
  EXPECT(fminf(nan, 2) == 2 && fmaxf(2, nan) == 2);
  EXPECT(tiny > 0 && tiny / 2 == 0 && tiny + tiny == __uint_as_float(2));         // denormals are kept
  EXPECT(1 / -inf == 0 && __float_as_uint(1 / -inf) == 0x80000000u && __float_as_uint(-zero) == 0x80000000u);
  EXPECT(sqrtf(-1 - zero) != sqrtf(-1 - zero));
  EXPECT(1 / (dzero + 3) * 3 == 1 && (dzero + 0.1) + 0.2 != 0.3 && 1 / dzero > 1e308);
  EXPECT((dzero + 0x1.fffffffffffffp1023) * 2 > 0x1.fffffffffffffp1023);
  EXPECT(fma(dzero + 0x1.0000001p0, 0x1.0000001p0, -0x1.0000002p0) == 0x1p-56);
  EXPECT(__float2int_rz(inf) == 0x7fffffff && __float2int_rz(-inf) == (int)0x80000000 && __float2uint_rz(-5 - zero) == 0);   // cvt clamps
  EXPECT(__float2int_rz(nan) == 0);
}

// Bits for softfloat.py to judge; the inputs are cut so that nothing is NaN or infinite.
__device__ float finite(u32 x) { return __uint_as_float((x & 0x9fffffffu) | 0x20000000u); }
KERNEL soft(const u32 *a, const u32 *b, float *add, float *mul, float *mad, const u32 *c) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = finite(a[i]), y = finite(b[i]), z = finite(c[i]);
  add[i] = x + y;
  mul[i] = x * y;
  mad[i] = fmaf(x, y, z);
}
KERNEL copies(u32 *a, u32 *b, u32 *c) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = __float_as_uint(finite(a[i]));
  b[i] = __float_as_uint(finite(b[i]));
  c[i] = __float_as_uint(finite(c[i]));
}

// Functions of libdevice, near enough.
__device__ bool near_to(double a, double b) { return fabs(a - b) <= 1e-5 * (1 + fabs(b)); }
KERNEL libm(const float *xs) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  float x = xs[i];
  EXPECT(near_to(sinf(x) * sinf(x) + cosf(x) * cosf(x), 1));
  EXPECT(near_to(logf(expf(x)), x) && near_to(log2f(exp2f(x)), x) && near_to(powf(2.0f, x), exp2f(x)) && near_to(tanhf(x), tanh((double)x)));
  double e = 1, term = 1;
  for (int j = 1; j < 20; j++) term *= x / j, e += term;
  EXPECT(near_to(exp((double)x), e) && near_to(__expf(x), e) && near_to(expf(x), e));
  EXPECT(near_to(rsqrtf(x * x + 1) * sqrtf(x * x + 1), 1) && near_to(__fdividef(x, 3.0f), x / 3.0) && near_to(atan2f(x, 1.0f), atanf(x)));
  EXPECT(near_to(fmodf(x * 10, 3.0f), x * 10.0 - 3.0 * trunc(x * 10.0 / 3.0)) && near_to(erff(x) + erfcf(x), 1) && near_to(cbrtf(x * x * x), x));
}
