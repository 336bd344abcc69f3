// RUN: %rewritten %s --temp %t.d
// Hazard 13: what is copied was written before the loop, or acquired there, and the barriers of its first iteration tell the
// others: copies that are made in front of the loop wait for a barrier more.
// TEXT: levels=O3 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"
#define ARGS u32 *__restrict__ g, u32 *__restrict__ out, int k

// The first tile is the thread's own, the others are its neighbours'.
// CASE: written tile=pipelined block=64 full with=k=0,1,2,5 -- zero:{4*T} zero:{4*T} i32:{k}
KERNEL written(ARGS) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  g[ROW] = 3 * ROW + 1;
  for (int i = 0; i < k; i++) {
    s[TX] = g[BX * TILE + (TX + i) % TILE];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// In a branch, and far from the loop.
// CASE: written_far tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL written_far(ARGS) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  if (TX % 3 == 0) g[ROW] = 3 * ROW + 1;
  else sum = 5;
  for (int j = 0; j < k; j++) sum = sum * 7 + out[ROW] * j;
  for (int i = 0; i < k; i++) {
    s[TX] = g[BX * TILE + (TX + i) % TILE];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// By the loop around: each run of the tile loop finds what the run before has left, the first tile aside.
// CASE: written_around tile=pipelined block=64 full with=k=0..4 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL written_around(ARGS) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int j = 0; j < k; j++) {
    for (int i = 0; i < k; i++) {
      s[TX] = g[BX * TILE + (TX + i) % TILE];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
    }
    g[ROW] = sum;
  }
  out[ROW] = sum;
}
// The barrier comes first in an iteration: no copy is made before it.
// CASE: barrier_first tile=pipelined block=64 full with=k=0,1,2,5 -- zero:{4*T} zero:{4*T} i32:{k}
KERNEL barrier_first(ARGS) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  g[ROW] = 3 * ROW + 1;
  for (int i = 0; i < k; i++) {
    __syncthreads();
    s[TX] = g[BX * TILE + (TX + i + 1) % TILE];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
  }
  out[ROW] = sum;
}
// Copies that are converted wait in registers.
// CASE: converted tile=held block=64 full with=k=0,1,2,5 -- zero:{4*T} zero:{4*T} i32:{k}
KERNEL converted(ARGS) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  g[ROW] = 3 * ROW + 1;
  for (int i = 0; i < k; i++) {
    s[TX] = 5 * g[BX * TILE + (TX + i) % TILE] + i;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Where the next tile lies was written by a neighbour.
// CASE: table tile=pipelined block=64 full with=k=1..6 -- rand:{4*T*7} zero:{4*T} i32:{k}
KERNEL table(ARGS) {
  __shared__ u32 s[TILE], at[TILE];
  u32 sum = 0;
  at[TX] = TX % 7;
  for (int i = 0; i < k; i++) {
    s[TX] = g[at[(TX + i) % TILE] * TILE * 2 + ROW];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// One thread waits for another block; tiles of its own come first.
template <typename Hear>
__device__ static inline u32 wait_and_copy(u32 *__restrict__ g, u32 *__restrict__ flag, int k, Hear hear) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  if (BX == 0) {
    g[TX] = TX * 3;
    __syncthreads();
    if (TX == 0) __scoped_atomic_store_n(flag, 1u, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
    return 0;
  }
  if (TX == 0)
    while (!hear(flag)) { }
  for (int i = 0; i < k; i++) {
    s[TX] = g[i ? TX : TX + TILE];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  return sum;
}
// CASE: acquired none once=yes block=64 grid=2 full with=k=1..4 -- zero:{4*T} zero:{4*T} zero:4 i32:{k}
KERNEL acquired(u32 *__restrict__ g, u32 *__restrict__ out, u32 *__restrict__ flag, int k) {
  out[ROW] = wait_and_copy(g, flag, k, [](u32 *f) { return __scoped_atomic_load_n(f, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE); });
}
// CASE: acquired_in_words none once=yes block=64 grid=2 full with=k=1..4 -- zero:{4*T} zero:{4*T} zero:4 i32:{k}
KERNEL acquired_in_words(u32 *__restrict__ g, u32 *__restrict__ out, u32 *__restrict__ flag, int k) {
  out[ROW] = wait_and_copy(g, flag, k, [](u32 *f) {
    u32 v;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(f) : "memory");
    return v;
  });
}
// A barrier stands there: none is added.
// CASE: waited_for tile=pipelined block=64 full with=k=0,1,2,5 -- zero:{4*T} zero:{4*T} i32:{k}
KERNEL waited_for(ARGS) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  g[ROW] = 3 * ROW + 1;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[BX * TILE + (TX + i) % TILE];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
