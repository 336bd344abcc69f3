// Halves and bfloats as the toolkit's headers compute with them in inline PTX: functions, comparisons of pairs, shuffles; dot
// products of bytes.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel functions --grid 1 --block 32
// RUN: %sim %t0.ll --kernel functions --grid 1 --block 32
// RUN: %sim %t3.ll --kernel pairs --grid 1 --block 32
// RUN: %sim %t0.ll --kernel pairs --grid 1 --block 32
// RUN: %sim %t3.ll --kernel dots --grid 1 --block 32
// RUN: %sim %t0.ll --kernel dots --grid 1 --block 32
#include "check.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ half of(float x) { return __float2half(x); }
__device__ float number(half x) { return __half2float(x); }
__device__ float low(__half2 x) { return __low2float(x); }
__device__ float high(__half2 x) { return __high2float(x); }
__device__ float low(__nv_bfloat162 x) { return __low2float(x); }
__device__ float high(__nv_bfloat162 x) { return __high2float(x); }

KERNEL functions() {
  EXPECT(number(hexp2(of(3))) == 8 && number(hexp(of(0))) == 1 && number(hexp10(of(0))) == 1);
  EXPECT(number(hlog2(of(8))) == 3 && number(hlog(of(1))) == 0 && number(hlog10(of(1))) == 0);
  EXPECT(number(hsqrt(of(9))) == 3 && number(hrsqrt(of(4))) == 0.5f && number(hrcp(of(8))) == 0.125f);
  EXPECT(number(hsin(of(0))) == 0 && number(hcos(of(0))) == 1);
  __half2 x = __floats2half2_rn(2, 4);
  EXPECT(low(h2exp2(x)) == 4 && high(h2exp2(x)) == 16 && low(h2log2(x)) == 1 && high(h2log2(x)) == 2);
  EXPECT(high(h2sqrt(x)) == 2 && high(h2rsqrt(x)) == 0.5f && low(h2rcp(x)) == 0.5f);
  __nv_bfloat162 y = __floats2bfloat162_rn(2, 4);
  EXPECT(low(h2exp2(y)) == 4 && high(h2exp2(y)) == 16 && high(h2sqrt(y)) == 2 && high(h2rsqrt(y)) == 0.5f);
}

KERNEL pairs() {
  float lane = (int)threadIdx.x;
  __half2 x = __floats2half2_rn(lane, 7), y = __floats2half2_rn(16, lane), with = __shfl_xor_sync(~0u, x, 1);
  EXPECT(low(with) == (int)(threadIdx.x ^ 1) && high(with) == 7);
  EXPECT(low(__hlt2(x, y)) == (lane < 16) && high(__hlt2(x, y)) == (7 < lane));
  EXPECT(low(__heq2(x, y)) == (lane == 16) && high(__hne2(x, y)) == (lane != 7));
  EXPECT(__hge2_mask(x, y) == ((lane >= 16 ? 0xffffu : 0) | (7 >= lane ? 0xffff0000u : 0)));
  __nv_bfloat162 u = __floats2bfloat162_rn(lane, 7), v = __floats2bfloat162_rn(16, lane);
  EXPECT(low(__hlt2(u, v)) == (lane < 16) && high(__hgt2(u, v)) == (7 > lane));
  EXPECT(__heq2_mask(u, v) == ((lane == 16 ? 0xffffu : 0) | (lane == 7 ? 0xffff0000u : 0)));
}

KERNEL dots() {
  int a = (int)noise(threadIdx.x), b = (int)noise(99 + threadIdx.x), of_bytes = 5, of_words[2] = {5, 5};
  u32 without = 5, lower = 5, upper = 5;
  for (int i = 0; i < 4; i++) {
    int x = (signed char)(a >> 8 * i), y = (signed char)(b >> 8 * i), word = (short)(a >> 16 * (i % 2));
    of_bytes += x * y;
    without += (x & 255) * (y & 255);
    of_words[i / 2] += word * y;
    (i / 2 ? upper : lower) += (word & 0xffff) * (y & 255);
  }
  HIDE(a);
  HIDE(b);
  EXPECT(__dp4a(a, b, 5) == of_bytes && __dp4a((u32)a, (u32)b, 5u) == without);
  EXPECT(__dp2a_lo(a, b, 5) == of_words[0] && __dp2a_hi(a, b, 5) == of_words[1]);
  EXPECT(__dp2a_lo((u32)a, (u32)b, 5u) == lower && __dp2a_hi((u32)a, (u32)b, 5u) == upper);
}
