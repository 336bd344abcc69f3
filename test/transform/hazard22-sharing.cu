// RUN: %rewritten %s --temp %t.d
// Hazard 22: two kernels share a device function or an array, a function calls itself, several loops share one buffer.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// One function with a tile loop, called by two kernels; one of them holds its tile's memory for something else meanwhile.
__shared__ u32 common[TILE];
__device__ __noinline__ static u32 walk(const u32 *g, int k) {
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    common[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + common[TILE - 1 - TX];
    __syncthreads();
  }
  return sum;
}
// CASE: one_caller tile=none block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL one_caller(const u32 *g, u32 *out, int k) { out[ROW] = walk(g + BX * k * TILE, k); }
// CASE: other_caller tile=none block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL other_caller(u32 *g, u32 *out, int k) {
  common[TX] = TX;
  __syncthreads();
  u32 sum = common[TX ^ 33];
  __syncthreads();
  g += BX * k * TILE;
  for (int j = 0; j < 2; j++) {
    sum += walk(g, k);
    if (k) g[TX] = sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// An array of the file's that another kernel uses in its own way.
__shared__ u32 pool[TILE];
// CASE: stages_pool tile=pipelined block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL stages_pool(const u32 *g, u32 *out, int k) {
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    pool[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + pool[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: keeps_pool tile=pipelined block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL keeps_pool(const u32 *g, u32 *out, int k) {
  u32 sum = 0;
  pool[TX] = TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if (TX & 1) pool[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + pool[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A function with a tile loop that calls itself: its tile is one memory for all depths.
__device__ __noinline__ static u32 again(const u32 *g, int k, int depth) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    if (i == 1 && depth > 0) sum += again(g, k, depth - 1);
  }
  return sum;
}
// CASE: recursive none block=64 full with=k=0..4 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL recursive(const u32 *g, u32 *out, int k) { out[ROW] = again(g + BX * k * TILE, k, 2); }
// Two loops in a row, one buffer.
// CASE: in_a_row tile=pipelined block=64 full with=k=0,1,4 with=m=0,1,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*m)}:5 zero:{4*T} i32:{k} i32:{m}
KERNEL in_a_row(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  for (int i = 0; i < m; i++) {
    s[TILE - 1 - TX] = h[(BX * m + i) * TILE + TX];
    __syncthreads();
    sum = sum * 29 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two loops in a row; the second reads what the first left.
// CASE: left_over tile=pipelined block=64 full with=k=1,4 with=m=0,1,4 -- rand:{max(4,4*T*k)} rand:{max(4,2*T*m)}:5 zero:{4*T} i32:{k} i32:{m}
KERNEL left_over(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  for (int i = 0; i < m; i++) {
    if (TX < TILE / 2) s[TX] = h[(BX * m + i) * (TILE / 2) + TX];
    __syncthreads();
    sum = sum * 29 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// One loop in another, each with a tile: the outer tile stays while the inner one changes.
// CASE: inside block=64 full with=k=0,1,3 with=m=0,1,3 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*m)}:5 zero:{4*T} i32:{k} i32:{m}
KERNEL inside(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    for (int j = 0; j < m; j++) {
      r[TX] = h[(BX * m + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX] * r[TX ^ 33];
      __syncthreads();
    }
  }
  out[ROW] = sum;
}
// One loop in another, and one tile for both: the inner loop leaves what the outer reads.
// CASE: one_for_both tile=pipelined block=64 full with=k=0,1,3 with=m=1,3 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*m)}:5 zero:{4*T} i32:{k} i32:{m}
KERNEL one_for_both(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    for (int j = 0; j < m; j++) {
      s[TX] = h[(BX * m + j) * TILE + TX];
      __syncthreads();
      sum = sum * 29 + s[TX ^ 33];
      __syncthreads();
    }
    sum ^= s[TX ^ 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
