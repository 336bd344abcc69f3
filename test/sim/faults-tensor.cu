// Misuses of the tensor cores' instructions, each with its clean twin.
// RUN: %clang-device -O1 -gline-tables-only %s -o %t.ll
// RUN: %python %S/faults.py %sim %t.ll %source/tools/sim/parts.h %s | %FileCheck %s
// CHECK: 16 faults, 0 wrong
// FAULT ALIGN: row --grid 1 --block 32 --seeds 2 -- i32:0 | i32:4
// FAULT BOUNDS: row --grid 1 --block 32 --seeds 2 -- i32:0 | i32:512
// FAULT ALIGN: base --grid 1 --block 32 --seeds 2 -- i32:0 i32:24 | i32:8 i32:24
// FAULT ALIGN: base --grid 1 --block 32 --seeds 2 -- i32:0 i32:24 | i32:0 i32:20
// FAULT BOUNDS: space --grid 1 --block 32 --seeds 2 -- buf:512 i32:0 | buf:512 i32:1
// FAULT RACE: before --grid 1 --block 32 --seeds 8 -- i32:0 | i32:1
// FAULT RACE: before --grid 1 --block 64 --seeds 8 -- i32:0 | i32:2
// FAULT RACE: after --grid 1 --block 32 --seeds 8 -- i32:0 | i32:1
// FAULT RACE: stored --grid 1 --block 32 --seeds 8 -- i32:0 | i32:1
// FAULT RACE: loaded --grid 1 --block 32 --seeds 8 -- i32:0 | i32:1
// FAULT RACE: drained --grid 1 --block 32 --seeds 8 -- i32:0 | i32:1
// FAULT ASYNC: early --grid 1 --block 32 --seeds 8 -- rand:512 i32:0 | rand:512 i32:1
// FAULT SYNC: one --grid 1 --block 32 --seeds 2 -- i32:0 | i32:1
// FAULT SYNC: gone --grid 1 --block 32 --seeds 2 -- i32:32 | i32:31
// FAULT DEADLOCK: diverged --grid 1 --block 32 --seeds 2 -- i32:0 | i32:1
// FAULT UNDEF_STORE: unwritten --grid 1 --block 32 --seeds 2 -- buf:1024 i32:0 | buf:1024 i32:1
#include "check.cuh"
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
typedef unsigned short u16;

__device__ u32 at_of(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ u32 matrix_at(u32 at) {
  u32 r;
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(r) : "r"(at) : "memory");
  return r;
}
__device__ void matrix_to(u32 at, u32 r) {
  asm volatile("stmatrix.sync.aligned.m8n8.x1.shared.b16 [%0], {%1};" ::"r"(at), "r"(r) : "memory");
}
#define USED(fragment) EXPECT(__half2float(fragment.x[0]) != 4000)      // what is loaded for nothing is not loaded
#define EIGHT(pointer) (at_of(pointer) + 16 * (threadIdx.x & 7))

KERNEL row(u32 bad) {
  __shared__ __align__(16) u16 s[256];
  for (u32 i = threadIdx.x; i < 256; i += 32) s[i] = i;
  __syncwarp();
  u32 lane = threadIdx.x;
  EXPECT(matrix_at(EIGHT(s) + (lane == 3 ? bad : 0)) != 99);
}
KERNEL base(u32 bad, u32 stride) {
  __shared__ __align__(32) half s[512];
  for (u32 i = threadIdx.x; i < 512; i += 32) s[i] = __int2half_rn(i);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::load_matrix_sync(a, s + bad, stride);
  USED(a);
}
KERNEL space(u16 *global, u32 bad) {
  __shared__ __align__(16) u16 s[64];
  u32 r, t = threadIdx.x;
  s[t] = s[t + 32] = global[t] = global[t + 32] = t;
  __syncwarp();
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.b16 {%0}, [%1];" : "=r"(r) : "l"((bad ? global : s) + t % 8 * 8) : "memory");
}
KERNEL before(u32 bad) {                // the row of another lane, or of another warp, that no barrier orders
  __shared__ __align__(16) u16 s[64];
  u32 t = threadIdx.x, warp = t / 32;
  if (warp == 0) {
    s[t] = t;
    s[t + 32] = t;
  }
  if (bad == 0) __syncthreads();
  if (bad == 2) __syncwarp();
  EXPECT(matrix_at(EIGHT(s)) != 99);
}
KERNEL after(u32 bad) {                 // a row is written again too early
  __shared__ __align__(16) u16 s[64];
  u32 t = threadIdx.x;
  s[t] = s[t + 32] = t;
  __syncwarp();
  EXPECT(matrix_at(EIGHT(s)) != 99);
  if (!bad) __syncwarp();
  s[63 - t] = t;
}
KERNEL stored(u32 bad) {
  __shared__ __align__(16) u16 s[64];
  matrix_to(EIGHT(s), threadIdx.x);
  if (!bad) __syncwarp();
  EXPECT(s[63 - threadIdx.x] != 99);
}
KERNEL loaded(u32 bad) {
  __shared__ __align__(32) half s[256];
  for (u32 i = threadIdx.x; i < 256; i += 32) s[i] = __int2half_rn(i);
  if (!bad) __syncwarp();
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> b;
  wmma::load_matrix_sync(b, s, 16);
  USED(b);
}
KERNEL drained(u32 bad) {
  __shared__ __align__(32) float s[256];
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(c, 1.0f);
  wmma::store_matrix_sync(s, c, 16, wmma::mem_row_major);
  if (!bad) __syncwarp();
  EXPECT(s[8 * threadIdx.x] == 1);
}
KERNEL early(const u16 *in, u32 bad) {
  __shared__ __align__(16) u16 s[256];
  u32 t = threadIdx.x;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at_of(s) + 16 * t), "l"(in + 8 * t) : "memory");
  if (!bad) asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  EXPECT((matrix_at(EIGHT(s)) & 0xffff) == in[t / 4 * 8 + t % 4 * 2]);
  asm volatile("cp.async.wait_all;" ::: "memory");
}
KERNEL one(u32 bad) {                   // lanes that name different matrices
  __shared__ __align__(32) half s[512];
  for (u32 i = threadIdx.x; i < 512; i += 32) s[i] = __int2half_rn(i);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::load_matrix_sync(a, s + (bad && threadIdx.x > 20 ? 16 : 0), 16);
  USED(a);
}
KERNEL gone(u32 lanes) {
  __shared__ __align__(16) u16 s[64];
  s[threadIdx.x] = s[threadIdx.x + 32] = threadIdx.x;
  __syncwarp();
  if (threadIdx.x >= lanes) return;
  matrix_at(EIGHT(s));
}
KERNEL diverged(u32 bad) {              // half of the lanes at one instruction, half at another like it
  __shared__ __align__(16) u16 s[64];
  s[threadIdx.x] = s[threadIdx.x + 32] = threadIdx.x;
  __syncwarp();
  if (bad && threadIdx.x < 16) EXPECT(matrix_at(EIGHT(s)) != 98);
  else EXPECT(matrix_at(EIGHT(s)) != 99);
}
KERNEL unwritten(float *out, u32 bad) {
  __shared__ __align__(32) half s[256];
  for (u32 i = threadIdx.x; i < 256 - bad; i += 32) s[i] = __int2half_rn(1);
  __syncwarp();
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
  wmma::fill_fragment(b, __int2half_rn(1));
  wmma::fill_fragment(c, 0.0f);
  wmma::load_matrix_sync(a, s, 16);
  wmma::mma_sync(c, a, b, c);
  wmma::store_matrix_sync(out, c, 16, wmma::mem_row_major);
}
