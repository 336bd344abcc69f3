// Races and what must not be called one. Each kernel is clean with bad = 0.
// RUN: %clang-device -O1 -gline-tables-only %s -o %t.ll
// RUN: %sim %t.ll --kernel global --grid 2 --block 32 --seeds 4 -- zero:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel global --grid 2 --block 32 --seeds 4 -- zero:256 i32:1 | %FileCheck %s
// RUN: %sim %t.ll --kernel blocks --grid 2 --block 1 --seeds 4 -- zero:8 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel blocks --grid 2 --block 1 --seeds 4 -- zero:8 i32:1 | %FileCheck %s
// RUN: %sim %t.ll --kernel barrier --grid 1 --block 64 --seeds 4 -- buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel barrier --grid 1 --block 64 --seeds 4 -- buf:256 i32:1 | %FileCheck %s
// RUN: %sim %t.ll --kernel reuse --grid 1 --block 64 --seeds 4 -- buf:256 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel reuse --grid 1 --block 64 --seeds 4 -- buf:256 i32:1 | %FileCheck %s
// RUN: %sim %t.ll --kernel warp --grid 1 --block 32 --seeds 4 -- buf:128 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel warp --grid 1 --block 32 --seeds 4 -- buf:128 i32:1 | %FileCheck %s
// RUN: %sim %t.ll --kernel reread --grid 1 --block 32 --seeds 4 -- zero:4 buf:128 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel reread --grid 1 --block 32 --seeds 4 -- zero:4 buf:128 i32:1 | %FileCheck %s
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel reread --grid 1 --block 32 --seeds 4 -- zero:4 buf:128 i32:2 | %FileCheck %s
// RUN: %sim %t.ll --kernel bytes --grid 1 --block 64 --seeds 4 -- buf:64 i32:0
// RUN: %sim %t.ll --kernel scope --grid 2 --block 32 --seeds 4 -- zero:4 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel scope --grid 2 --block 32 --seeds 4 -- zero:4 i32:1 | %FileCheck %s
// RUN: %sim %t.ll --kernel fence --grid 4 --block 1 --seeds 8 -- zero:4 buf:16 zero:4 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel fence --grid 4 --block 1 --seeds 8 -- zero:4 buf:16 zero:4 i32:1 | %FileCheck %s
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel mixed --grid 2 --block 32 --seeds 4 -- zero:4 | %FileCheck %s
// RUN: %sim %t.ll --kernel overtaken --grid 3 --block 1 --seeds 8 -- zero:4 zero:8 buf:4 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel overtaken --grid 3 --block 1 -- zero:4 zero:8 buf:4 i32:1 | %FileCheck %s --check-prefix=OVERTAKEN
// OVERTAKEN: race: reads buffer 0+0 (of 4 bytes), which thread (0,0,0) block (0,0,0) wrote at
// OVERTAKEN-NOT: coalda-sim
// RUN: %sim %t.ll --kernel overread --grid 3 --block 1 --seeds 8 -- zero:4 zero:8 buf:4 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel overread --grid 3 --block 1 -- zero:4 zero:8 buf:4 i32:1 | %FileCheck %s --check-prefix=OVERREAD
// OVERREAD: race: writes buffer 0+0 (of 4 bytes), which thread (0,0,0) block (0,0,0) read at
// OVERREAD-NOT: coalda-sim
// Both sides are named, with their lines:
// CHECK: race:{{.*}}thread {{.*}}faults-race.cu:{{[0-9]+.*}}thread {{.*}}faults-race.cu:{{[0-9]+}}
#include "check.cuh"
KERNEL global(u32 *p, u32 bad) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  p[bad ? i / 2 : i] = i;
}
KERNEL blocks(u32 *p, u32 bad) { p[bad ? 0 : blockIdx.x] = blockIdx.x; }
KERNEL barrier(u32 *out, u32 bad) {
  __shared__ u32 s[64];
  s[threadIdx.x] = threadIdx.x;
  if (!bad) __syncthreads();
  out[threadIdx.x] = s[63 - threadIdx.x];
}
KERNEL reuse(u32 *out, u32 bad) {       // the second barrier of a tile loop
  __shared__ u32 s[64];
  u32 acc = 0;
  for (u32 j = 0; j < 3; j++) {
    s[threadIdx.x] = j;
    __syncthreads();
    acc += s[63 - threadIdx.x];
    if (!bad) __syncthreads();
  }
  out[threadIdx.x] = acc;
}
KERNEL warp(u32 *out, u32 bad) {
  __shared__ u32 s[32];
  s[threadIdx.x] = threadIdx.x;
  if (!bad) __syncwarp();
  out[threadIdx.x] = s[31 - threadIdx.x];
}
KERNEL bytes(unsigned char *out, u32 zero) {       // neighbours in one word
  __shared__ unsigned char s[64];
  s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[threadIdx.x ^ 1];
}
KERNEL scope(u32 *p, u32 bad) {
  if (bad) atomicAdd_block(p, 1);
  else atomicAdd(p, 1);
}
KERNEL fence(u32 *counter, u32 *part, u32 *sum, u32 bad) {
  part[blockIdx.x] = blockIdx.x;
  if (!bad) __threadfence();
  if (atomicAdd(counter, 1) == gridDim.x - 1) {
    if (!bad) __threadfence();
    u32 s = 0;
    for (u32 b = 0; b < gridDim.x; b++) s += part[b];
    *sum = s;
  }
}
KERNEL mixed(u32 *p) {                  // an atomic does not excuse a plain access
  if (blockIdx.x) atomicAdd(p, 1);
  else *p = 1;
}
__device__ void raise(u32 *flag) {
  __threadfence();
  atomicExch(flag, 1);
}
__device__ void await(u32 *flag) {
  while (!atomicAdd(flag, 0)) {}
  __threadfence();
}
KERNEL overtaken(u32 *x, u32 *flag, u32 *out, u32 bad) {    // two atomics in a row, and a plain read that knows the second only
  if (blockIdx.x == 0) {
    atomicAdd(x, 1);
    if (!bad) raise(&flag[0]);
  } else if (blockIdx.x == 1) {
    while (!atomicAdd(x, 0)) {}
    raise(&flag[1]);
  } else {
    await(&flag[1]);
    if (!bad) await(&flag[0]);
    *out = *x;
  }
}
KERNEL overread(u32 *x, u32 *flag, u32 *out, u32 bad) {     // an atomic read, then a write, and a plain write that knows the latter
  if (blockIdx.x == 0) {
    *out = __atomic_load_n(x, __ATOMIC_RELAXED);
    if (!bad) raise(&flag[0]);
  } else if (blockIdx.x == 1) {
    atomicAdd(x, 1);
    raise(&flag[1]);
  } else {
    await(&flag[1]);
    if (!bad) await(&flag[0]);
    *x = 7;
  }
}
KERNEL reread(u32 *p, u32 *out, u32 bad) {      // a warp's reads on both sides of a sync: each keeps its own time
  u32 t = threadIdx.x, v = 0;
  if (t == 2) v = *p;
  if (t != 4 || bad != 2) __syncwarp(bad == 2 ? ~16u : ~0u);
  else v = *p;                                  // bad = 2: a read that nobody waited for
  if (t == 0 || (bad == 1 && t == 3)) v = *p;   // bad = 1: one that comes after the sync
  if (t == 0) *p = v + 1;
  out[t] = v;
}
