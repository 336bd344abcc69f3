// RUN: %rewritten %s --temp %t.d
// Hazard 19: what is copied ahead lies behind the end. Buffers end with the last tile, so one read too many is a fault. Trip
// counts of 0, 1, fewer than the stages and unknown; loops left early; iterations left out; bounds that only look divergent.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// CASE: symbolic tile=pipelined block=64 grid=1 full with=k=0..10 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL symbolic(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
#define CONSTANT(NAME, TRIPS) \
  KERNEL NAME(const u32 *g, u32 *out) { \
    __shared__ u32 s[TILE]; \
    u32 sum = 0; \
    for (int i = 0; i < TRIPS; i++) { \
      s[TX] = g[i * TILE + TX]; \
      __syncthreads(); \
      sum = sum * 31 + s[TILE - 1 - TX]; \
      __syncthreads(); \
    } \
    out[ROW] = sum; \
  }
// CASE: constant_2 none block=64 grid=1 full -- rand:{8*T} zero:{4*T}
CONSTANT(constant_2, 2)
// CASE: constant_3 none block=64 grid=1 full -- rand:{12*T} zero:{4*T}
CONSTANT(constant_3, 3)
// CASE: constant_8 none block=64 grid=1 full -- rand:{32*T} zero:{4*T}
CONSTANT(constant_8, 8)
// CASE: constant_33 tile=pipelined block=64 grid=1 full -- rand:{132*T} zero:{4*T}
CONSTANT(constant_33, 33)
// The offset runs to an end, as in the samples that everybody has seen.
// CASE: walked tile=pipelined block=64 grid=1 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL walked(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int end = k * TILE - 1;
  for (int a = 0; a <= end; a += TILE) {
    s[TX] = g[a + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The step is the kernel's argument: no compiler knows the trip count, which is anything when the step is 0 or turns round.
// CASE: stepped block=64 grid=1 full with=k=0,1,3,9 with=d=1,64 -- rand:{4*(T+d*k)} zero:{4*T} i32:{d} i32:{d*k-1}
KERNEL stepped(const u32 *g, u32 *out, int step, int end) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int a = 0; a <= end; a += step) {
    s[TX] = g[a + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: backward tile=pipelined block=64 grid=1 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL backward(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = k - 1; i >= 0; i--) {
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The blocks deal the tiles out; the last is short.
// CASE: dealt tile=pipelined block=64 grid=3 full with=c=0,1,64,65,192,193,500,1000 -- rand:{max(4,4*c)} zero:{4*T} i32:{c}
KERNEL dealt(const u32 *g, u32 *out, int c) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int base = BX * TILE; base < c; base += gridDim.x * TILE) {
    s[TX] = base + TX < c ? g[base + TX] : 0;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}
// The bound is in memory, another for each block.
// CASE: loaded_bound tile=pipelined block=64 full with=k=0..8 -- rand:{4*64*(2*k+1)} iota:{k+2} zero:{4*T} i32:{k}
KERNEL loaded_bound(const u32 *g, const u32 *bound, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < bound[BX + k]; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Left when the iteration says so: behind j there is no tile.
// CASE: leaves tile=pipelined block=64 grid=1 full with=k=4,20 with=j=0,1,2,3,5 -- rand:{4*T*(min(j,k-1)+1)} zero:{4*T} i32:{j} i32:{k}
KERNEL leaves(const u32 *g, u32 *out, int j, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    if (i == j) break;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Left when the tile says so: a flag stands in the last one, and k is more than there is.
// CASE: end_in_tile tile=none block=64 grid=1 full with=k=0..5 -- iota:{T*(k+1)} zero:{4*T} i32:{T*k} i32:100
KERNEL end_in_tile(const u32 *g, u32 *out, int last, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    if (s[0] == last) break;
    __syncthreads();
  }
  out[ROW] = sum;
}
// The tile says where the next one is.
// CASE: chained tile=none block=64 grid=1 full with=k=0..5 -- iota:{T*(k+1)} zero:{4*T} i32:{k}
KERNEL chained(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, at = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[at + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    at = s[TILE - 1] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Some iterations copy nothing, and their tiles are not there: bit i of the mask says which are.
// CASE: left_out tile=pipelined block=64 grid=1 full with=m=0,1,5,10,14,15 -- rand:{4*64*4} zero:{4*T} i32:{m} i32:9
KERNEL left_out(const u32 *g, u32 *out, u32 mask, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (!(mask >> i & 1)) continue;
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The bound names a thread, but all threads have the same.
// CASE: looks_divergent block=64 grid=1 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL looks_divergent(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k + (int)(TX / 64); i++) {
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The loop runs in one block, and not in the other.
// CASE: one_block tile=pipelined block=64 grid=2 full with=k=0..5 -- rand:{max(4,2*T*k)} zero:{4*T} i32:{k}
KERNEL one_block(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  if (BX == 0)
    for (int i = 0; i < k; i++) {
      s[TX] = g[i * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
    }
  out[ROW] = sum;
}
// Inside another loop: each time the ring starts anew.
// CASE: nested tile=pipelined block=64 grid=1 full with=m=0,3 with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL nested(const u32 *g, u32 *out, int m, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < k; i++) {
      s[TX] = g[i * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX] + j;
      __syncthreads();
    }
  out[ROW] = sum;
}
