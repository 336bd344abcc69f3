// What the generated kernels need of CUDA, without its headers: a kernel file
// then compiles in a twentieth of a second instead of one second.
#pragma once
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __host__ __attribute__((host))
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#include <__clang_cuda_builtin_vars.h>

typedef unsigned int u32;
typedef unsigned long long u64;
typedef unsigned short u16;
typedef unsigned char u8;
// A thread's own bytes, read and written as anything (owned.py).
typedef u16 __attribute__((may_alias, aligned(2))) Own16;
typedef u16 __attribute__((may_alias, aligned(1))) Loose16;
typedef u32 __attribute__((may_alias, aligned(4))) Own32;
typedef u32 __attribute__((may_alias, aligned(1))) Loose32;
typedef u32 __attribute__((may_alias, aligned(2))) Half32;
typedef u64 __attribute__((may_alias, aligned(8))) Own64;
typedef u64 __attribute__((may_alias, aligned(4))) Half64;
__device__ static inline u32 fold(u64 x) { return (u32)x ^ (u32)(x >> 32) * 77u; }
struct __attribute__((aligned(8))) V2 { u32 x, y; };
struct __attribute__((aligned(16))) V4 { u32 x, y, z, w; };

// By assembly that is given an address of shared memory.
__device__ static inline u32 read_number(const u32 *p) {
  u32 value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"((u32)(u64)(__attribute__((address_space(3))) const void *)p) : "memory");
  return value;
}
__device__ static inline u32 rot(u32 x, u32 s) { return (x << (s & 31)) | (x >> ((32 - s) & 31)); }
__device__ static inline u32 minu(u32 a, u32 b) { return a < b ? a : b; }
__device__ static inline u32 maxu(u32 a, u32 b) { return a > b ? a : b; }
__device__ static inline float clampf(float x) { return x > 4.0f ? 4.0f : x < -4.0f ? -4.0f : x; }
__device__ static inline double clampd(double x) { return x > 4.0 ? 4.0 : x < -4.0 ? -4.0 : x; }
__device__ static inline u32 block_size() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ static inline u32 rank_in_block() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
__device__ static inline u32 block_rank() {
  return blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
}
// The lanes that exist in the calling thread's warp: the last warp of a block may be partial.
__device__ static inline u32 warp_width() {
  u32 left = block_size() - (rank_in_block() & ~31u);
  return left < 32 ? left : 32;
}
__device__ static inline u32 warp_mask() {
  u32 w = warp_width();
  return w == 32 ? ~0u : (1u << w) - 1;
}
