// What the tests of intrinsics share. A wrong result fails an assertion, which coalda-sim reports with its line.
#pragma once
#include <assert.h>
#define KERNEL extern "C" __global__ void
#define EXPECT(...) assert((__VA_ARGS__))
// Hides a value from the optimizer, which would otherwise compute the intrinsic itself.
#define HIDE(x) asm volatile("" : "+r"(x))
#define HIDE64(x) asm volatile("" : "+l"(x))
typedef unsigned int u32;
typedef unsigned long long u64;

// Integer noise.
__device__ inline u32 noise(u32 x) {
  x = (x ^ 61u) ^ (x >> 16);
  x *= 9u;
  x ^= x >> 4;
  x *= 0x27d4eb2du;
  return x ^ (x >> 15);
}
__device__ inline u32 rank_in_block() { return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z); }
