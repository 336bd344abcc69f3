// What a pipeline can get wrong. Each kernel is clean with bad = 0.
// RUN: %clang-device -O1 -gline-tables-only %s -o %t.ll
// RUN: %sim %t.ll --kernel early --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel early --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:1 | %FileCheck %s --check-prefix=EARLY
// RUN: %sim %t.ll --kernel neighbour --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel neighbour --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:1 | %FileCheck %s --check-prefix=NEIGHBOUR
// RUN: %sim %t.ll --kernel source --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel source --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:1 | %FileCheck %s --check-prefix=SOURCE
// RUN: %sim %t.ll --kernel slot --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel slot --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:1 | %FileCheck %s --check-prefix=SLOT
// RUN: %sim %t.ll --kernel reused --grid 1 --block 64 --seeds 4 -- iota:256 buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel reused --grid 1 --block 64 --seeds 4 -- iota:256 buf:256 i32:1 | %FileCheck %s --check-prefix=REUSED
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel early --grid 1 --block 64 -- iota:63 buf:256 i32:0 | %FileCheck %s --check-prefix=PAST
// PAST: out of bounds: load of 4 bytes at buffer 0+252 (of 252 bytes), thread (63,0,0)
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
  // EARLY: asynchronous copy: reads shared {{.*}}earlyE1s+0, while the copy of thread 0 issued at {{.*}} is in flight, thread (0,0,0) {{.*}}faults-async.cu:[[#@LINE-1]]:12
}
KERNEL neighbour(const u32 *g, u32 *out, u32 bad) { // no barrier after the wait
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  COMMIT();
  WAIT(0);
  if (!bad) __syncthreads();
  out[t] = s[63 - t];
  // NEIGHBOUR: race: writes shared {{.*}}neighbourE1s+128, which thread (31,0,0) block (0,0,0) read at {{.*}}faults-async.cu:[[#@LINE-1]]:12, and nothing orders the two, thread (32,0,0)
}
KERNEL source(u32 *g, u32 *out, u32 bad) {          // the source is overwritten under way
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  COMMIT();
  if (bad) g[t] = 0;
  // SOURCE: asynchronous copy: writes the source buffer 0+0 (of 256 bytes), while the copy of thread 0 issued at {{.*}} is in flight, thread (0,0,0) {{.*}}faults-async.cu:[[#@LINE-1]]:17
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
  // SLOT: asynchronous copy: writes shared {{.*}}slotE1s+0, while the copy of thread 0 issued at {{.*}} is in flight, thread (0,0,0) {{.*}}faults-async.cu:[[#@LINE-1]]:17
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
    // REUSED: asynchronous copy: reads shared {{.*}}reusedE1s+{{[0-9]+}}, while the copy of thread {{[0-9]+}} issued at {{.*}} is in flight, thread {{.*}}faults-async.cu:[[#@LINE-1]]:12
    if (!bad) __syncthreads();
  }
  out[t] = acc;
}
