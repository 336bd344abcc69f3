// What a pipeline can get wrong. Each kernel is clean with bad = 0.
// RUN: %clang-device -O1 -gline-tables-only %s -o %t.ll
// RUN: %sim %t.ll --kernel early --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel early --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:1
// RUN: %sim %t.ll --kernel neighbour --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel neighbour --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:1
// RUN: %sim %t.ll --kernel source --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel source --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:1
// RUN: %sim %t.ll --kernel slot --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel slot --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:1
// RUN: %sim %t.ll --kernel reused --grid 1 --block 64 --seeds 4 -- iota:256 buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel reused --grid 1 --block 64 --seeds 4 -- iota:256 buf:256 i32:1
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel early --grid 1 --block 64 -- iota:63 buf:256 i32:0
#include "check.cuh"
__device__ void copy(u32 *dst, const u32 *src) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"((u32)__cvta_generic_to_shared(dst)), "l"(src) : "memory");
}
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group " #n ";" ::: "memory")
KERNEL early(const u32 *g, u32 *out, u32 bad) {     // read before the wait
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  COMMIT();
  if (bad) WAIT(1);
  else WAIT(0);
  out[t] = s[t];
}
KERNEL neighbour(const u32 *g, u32 *out, u32 bad) { // no barrier after the wait
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  COMMIT();
  WAIT(0);
  if (!bad) __syncthreads();
  out[t] = s[63 - t];
}
KERNEL source(u32 *g, u32 *out, u32 bad) {          // the source is overwritten under way
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  COMMIT();
  if (bad) g[t] = 0;
  WAIT(0);
  g[t] = 1;
  out[t] = s[t];
}
KERNEL slot(const u32 *g, u32 *out, u32 bad) {      // the slot is written before the copy has landed
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  COMMIT();
  if (bad) s[t] = 5;
  WAIT(0);
  s[t] += 1;
  out[t] = s[t];
}
KERNEL reused(const u32 *g, u32 *out, u32 bad) {    // a slot refilled while a slow warp still reads it
  __shared__ u32 s[2][64];
  u32 t = threadIdx.x, acc = 0;
  copy(&s[0][t], &g[t]);
  COMMIT();
  for (u32 j = 0; j < 4; j++) {
    if (j < 3) copy(&s[(j + 1) & 1][t], &g[64 * (j + 1) + t]);
    COMMIT();
    WAIT(1);
    __syncthreads();
    acc += s[j & 1][63 - t];
    if (!bad) __syncthreads();
  }
  out[t] = acc;
}
