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
// RUN: %python %S/faults.py %sim %t.ll %source/tools/sim/parts.h %s | %FileCheck %s --check-prefix=MORE
// MORE: 15 faults, 0 wrong
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

__device__ u32 smem(const void *p) { return (u32)__cvta_generic_to_shared(p); }
#define COPY(how, n, to, from, ...) asm volatile("cp.async." how ".shared.global [%0], [%1], " #n __VA_ARGS__)
__device__ void copy16(void *to, const void *from) { COPY("cg", 16, to, from, ";" ::"r"(smem(to)), "l"(from) : "memory"); }
__device__ void copy8(void *to, const void *from) { COPY("ca", 8, to, from, ";" ::"r"(smem(to)), "l"(from) : "memory"); }
__device__ void copy_part(void *to, const void *from, u32 bytes) {
  COPY("ca", 4, to, from, ", %2;" ::"r"(smem(to)), "l"(from), "r"(bytes) : "memory");
}
#define WAIT_ALL() asm volatile("cp.async.wait_all;" ::: "memory")

// FAULT ASYNC: before --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL before(const u32 *g, u32 *out, u32 bad) {    // a barrier before the wait is none for others' copies
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  COMMIT();
  if (bad) __syncthreads();
  WAIT(0);
  if (!bad) __syncthreads();
  out[t] = s[63 - t];
}
// FAULT RACE: warp --grid 1 --block 32 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL warp(const u32 *g, u32 *out, u32 bad) {      // nor is lockstep
  __shared__ u32 s[32];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  WAIT_ALL();
  if (!bad) __syncwarp();
  out[t] = s[31 - t];
}
// FAULT ASYNC: empty --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL empty(const u32 *g, u32 *out, u32 bad) {     // the last trip commits no group, and the wait leaves one too many
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  COMMIT();
  if (!bad) COMMIT();
  WAIT(1);
  out[t] = s[t];
}
// FAULT ASYNC: loose --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL loose(const u32 *g, u32 *out, u32 bad) {     // never committed: wait_group does not see it
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  if (!bad) COMMIT();
  WAIT(0);
  out[t] = s[t];
}
// FAULT ASYNC: other --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL other(const u32 *g, u32 *out, u32 bad) {     // a thread waits for its own copies only
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  if (t < 32) copy(&s[t], &g[t]), copy(&s[t + 32], &g[t + 32]);
  COMMIT();
  if (!bad || t >= 32) WAIT(0);
  __syncthreads();
  out[t] = s[t];
}
// FAULT ASYNC: twice --grid 1 --block 64 --seeds 4 -- iota:64 i32:0 | iota:64 i32:1
KERNEL twice(const u32 *g, u32 bad) {               // two copies into one slot: in which order, nobody knows
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  COMMIT();
  if (!bad) WAIT(0);
  copy(&s[t], &g[63 - t]);
  WAIT_ALL();
}
// FAULT ASYNC: far --grid 2 --block 32 --seeds 8 -- iota:64 zero:4 i32:0 | iota:64 zero:4 i32:1
KERNEL far(u32 *g, u32 *turn, u32 bad) {            // another block overwrites the source
  __shared__ u32 s[32];
  u32 t = threadIdx.x;
  if (blockIdx.x == 0) {
    copy(&s[t], &g[t]);
    if (!bad) WAIT_ALL();
    __threadfence();
    atomicAdd(turn, 1);
    while (atomicAdd(turn, 0) < 64) {
    }
    WAIT_ALL();
  } else {
    while (atomicAdd(turn, 0) < 32) {
    }
    __threadfence();
    g[t] = 0;
    atomicAdd(turn, 1);
  }
}
// FAULT ALIGN: aligned16 --grid 1 --block 1 -- iota:64 i32:0 | iota:64 i32:1
KERNEL aligned16(const u32 *g, u32 bad) {           // the source of 16 bytes lies at a multiple of 16
  __shared__ __align__(16) u32 s[64];
  copy16(s, g + 2 * bad);
  WAIT_ALL();
}
// FAULT ALIGN: aligned8 --grid 1 --block 1 -- iota:64 i32:0 | iota:64 i32:1
KERNEL aligned8(const u32 *g, u32 bad) {            // so does the slot, for 8
  __shared__ __align__(16) u32 s[64];
  copy8(s + bad, g);
  WAIT_ALL();
}
// FAULT ASYNC: oversized --grid 1 --block 1 -- iota:64 i32:4 | iota:64 i32:5
KERNEL oversized(const u32 *g, u32 bytes) {         // more bytes read than copied
  __shared__ __align__(16) u32 s[64];
  copy_part(s, g, bytes);
  WAIT_ALL();
}
// FAULT BOUNDS: nothing --grid 1 --block 64 -- iota:33 buf:256 i32:0 | iota:33 buf:256 i32:1
KERNEL nothing(const u32 *g, u32 *out, u32 bad) {   // a copy of no bytes may name any source, one of one byte may not
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy_part(&s[t], &g[t], t <= 32 ? 4 : bad);
  WAIT_ALL();
  EXPECT(s[t] == (t <= 32 ? t : 0));
  out[t] = s[t];
}
// FAULT UNDEF_STORE: carried --grid 1 --block 64 -- zero:256 buf:256 i32:0 | buf:256 buf:256 i32:0
KERNEL carried(const u32 *g, u32 *out, u32 bad) {   // what was never written arrives as such
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  WAIT_ALL();
  out[t] = s[t] + bad;
}
// FAULT UNDEF_STORE: rest --grid 1 --block 64 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL rest(const u32 *g, u32 *out, u32 bad) {      // a part that no copy fills
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  if (!bad || t < 48) copy_part(&s[t], &g[t], t < 48 ? 4 : 0);
  WAIT_ALL();
  out[t] = s[t] + 1;
}
// FAULT BOUNDS: near --grid 1 --block 64 -- iota:64 i32:0 | iota:64 i32:1
KERNEL near(const u32 *g, u32 bad) {                // the source lies in global memory: not in shared memory
  __shared__ u32 s[64], from[64];
  u32 t = threadIdx.x;
  from[t] = t;
  copy(&s[t], bad ? &from[t] : &g[t]);
  WAIT_ALL();
}
// FAULT BOUNDS: nearest --grid 1 --block 64 -- iota:64 i32:0 | iota:64 i32:1
KERNEL nearest(const u32 *g, u32 bad) {             // nor in the thread's own
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  volatile u32 mine[2] = {t, t};
  copy(&s[t], bad ? (const u32 *)&mine[t & 1] : &g[t]);
  WAIT_ALL();
}
