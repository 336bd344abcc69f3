// RUN: %rewritten %s --temp %t.d
// Tile loops every iteration of which copies the same bytes: that is done once, in front of the loop.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// CASE: same tile=pipelined once=yes block=64 full with=k=0..4 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL same(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[BX * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The barrier stands in front of the copies.
// CASE: freed_first tile=pipelined once=yes block=64 full with=k=0..4 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL freed_first(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    __syncthreads();
    s[TX] = g[BX * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE];
  }
  out[ROW] = sum;
}
// Zeros outside of the source, by a condition that does not change.
// CASE: padded tile=pipelined once=yes block=64 full with=k=0,1,3 with=w=0,50,128 -- rand:{4*T} zero:{4*T} i32:{k} i32:{w}
KERNEL padded(const u32 *g, u32 *out, int k, int w) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    int from = BX * TILE + TX;
    s[TX] = from < w ? g[from] : 0;
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// In a loop of its own.
// CASE: filled tile=pipelined once=yes block=64 full with=k=0,1,3 with=w=64,256 -- rand:{4*256} zero:{4*T} i32:{k} i32:{w}
KERNEL filled(const u32 *g, u32 *out, int k, int w) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < w; j += TILE) s[j] = g[j];
    __syncthreads();
    sum = sum * 31 + s[(TX * 3 + i) % w];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The loop around it moves on.
// CASE: around tile=pipelined once=yes block=64 full with=k=0,1,3 with=m=1,3 -- rand:{4*3*T} zero:{4*T} i32:{k} i32:{m}
KERNEL around(const u32 *g, u32 *out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
#pragma unroll 1
  for (int j = 0; j < m; j++)
#pragma unroll 1
    for (int i = 0; i < k; i++) {
      s[TX] = g[(j * 2 + BX) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[(TX + i) % TILE];
      __syncthreads();
    }
  out[ROW] = sum;
}
// Another array is written on the way: the barrier that lets it be written again stays.
// CASE: passes_on tile=pipelined once=yes block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL passes_on(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  r[TX] = TX;
  for (int i = 0; i < k; i++) {
    s[TX] = g[BX * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE] + r[TILE - 1 - TX];
    __syncthreads();
    r[TX] = sum;
  }
  out[ROW] = sum;
}
// The array is used before the loop, and after it.
// CASE: used_outside tile=pipelined once=yes block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL used_outside(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  s[TX] = 7 * TX;
  s[TX + TILE] = 5 * TX;
  __syncthreads();
  u32 sum = s[TILE - 1 - TX];
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[BX * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[(TX * 5 + i) % (2 * TILE)];
    __syncthreads();
  }
  out[ROW] = sum + s[TILE - 1 - TX];
}
// Behind the loop the array is filled with something else.
// CASE: filled_after tile=pipelined once=yes block=64 full with=k=1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL filled_after(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[BX * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE];
    __syncthreads();
  }
  s[TILE - 1 - TX] = sum;
  __syncthreads();
  out[ROW] = s[TX ^ 1];
}
// Its own part of it is read as well.
// CASE: used_and_filled tile=pipelined once=yes block=64 full with=k=1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL used_and_filled(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[BX * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE];
    __syncthreads();
  }
  u32 mine = s[TX];
  s[TX] = sum;
  __syncthreads();
  out[ROW] = s[TX ^ 1] + mine;
}
// Stores that may meet the source: a test on entry tells.
// CASE: tested tile=pipelined once=yes block=64 full with=k=0,1,3 with=o=0,64,256 -- rand:{4*(T+512)} ref:0+{4*o} zero:{4*T} i32:{k}
KERNEL tested(const u32 *g, u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  if (BX == 0)
    for (int i = 0; i < k; i++) {
      s[TX] = g[TX];
      __syncthreads();
      sum = sum * 31 + s[(TX + i) % TILE];
      __syncthreads();
      h[TX] = sum;
    }
  out[ROW] = sum;
}
// The source moves on, the place from where it is read, or the condition.
// CASE: moves once=no block=64 full with=k=0,1,3 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL moves(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(i * 2 + BX) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: changes_sides once=no block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL changes_sides(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = TX > 5 * i ? g[BX * TILE + TX] : 0;
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: masked once=no block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL masked(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 v = g[BX * TILE + TX];
    s[TX] = TX > 5 * i ? v : 0;
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What it uses is written over.
// CASE: overwritten once=no block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL overwritten(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[BX * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE];
    __syncthreads();
    s[TX] = sum;
  }
  out[ROW] = sum;
}
