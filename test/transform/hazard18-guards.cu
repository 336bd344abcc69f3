// RUN: %rewritten %s --temp %t.d
// Hazard 18: a guarded copy. One that does nothing keeps the old value, which is not the same as filling with zero, nor with
// another number. c is the number of elements; tiles behind it are guarded away in part or as a whole.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// CASE: zero tile=pipelined block=64 grid=1 full with=k=0,2,5 with=c=1,64,65,100,200 -- rand:{4*c} zero:{4*T} i32:{c} i32:{k}
KERNEL zero(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = i * TILE + TX < c ? g[i * TILE + TX] : 0;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: zero_by_branch tile=pipelined block=64 grid=1 full with=k=2,5 with=c=1,100,200 -- rand:{4*c} zero:{4*T} i32:{c} i32:{k}
KERNEL zero_by_branch(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i * TILE + TX < c) s[TX] = g[i * TILE + TX];
    else s[TX] = 0;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}
// What is missing keeps what the tile before had there, or what was there before the loop.
// CASE: keep tile=pipelined block=64 grid=1 full with=k=0,2,5 with=c=1,64,65,100,200 -- rand:{4*c} zero:{4*T} i32:{c} i32:{k}
KERNEL keep(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = 1000 + TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if (i * TILE + TX < c) s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Nothing is filled in, and nobody looks at what is missing: the number of elements left bounds the use.
// CASE: unseen tile=pipelined block=64 grid=1 full with=k=2,5 with=c=1,100,200 -- rand:{4*c} zero:{4*T} i32:{c} i32:{k}
KERNEL unseen(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i * TILE + TX < c) s[TX] = g[i * TILE + TX];
    __syncthreads();
    for (int j = 0; j < TILE && i * TILE + j < c; j++) sum = sum * 31 + s[j];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: number block=64 grid=1 full with=k=2,5 with=c=1,100,200 -- rand:{4*c} zero:{4*T} i32:{c} i32:{k}
KERNEL number(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = i * TILE + TX < c ? g[i * TILE + TX] : 0x7f7f7f7f;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The last element stands for all that are missing.
// CASE: clamped tile=pipelined block=64 grid=1 full with=k=2,5 with=c=1,100,200 -- rand:{4*c} zero:{4*T} i32:{c} i32:{k}
KERNEL clamped(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    int at = i * TILE + TX;
    s[TX] = g[at < c ? at : c - 1];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two arrays, two bounds.
// CASE: two_bounds tile=pipelined block=64 grid=1 full with=k=2,5 with=c=1,64,100 with=d=70,200 -- rand:{4*c} rand:{4*d}:5 zero:{4*T} i32:{c} i32:{d} i32:{k}
KERNEL two_bounds(const u32 *g, const u32 *h, u32 *out, int c, int d, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = i * TILE + TX < c ? g[i * TILE + TX] : 0;
    r[TX] = i * TILE + TX < d ? h[i * TILE + TX] : 0;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 3 * r[TX ^ 9];
    __syncthreads();
  }
  out[ROW] = sum;
}
// 16 bytes at a time, guarded element by element: a piece may be cut.
// CASE: cut_pieces tile=pipelined block=64 grid=1 full with=k=1,3 with=c=1,5,255,258,400 -- rand:{4*c} zero:{4*T} i32:{c} i32:{k}
KERNEL cut_pieces(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 4 * TILE; j += TILE) s[j] = i * 4 * TILE + j < c ? g[i * 4 * TILE + j] : 0;
    __syncthreads();
    sum = sum * 31 + s[4 * TILE - 1 - TX] + 3 * s[TX] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Whether anything is copied depends on the iteration: a tile that is not loaded is the last one that was.
// CASE: every_second tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL every_second(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i % 2 == 0) s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The guard is loaded.
// CASE: masked block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL masked(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 at = (BX * k + i) * TILE + TX;
    s[TX] = mask[at] & 1 ? g[at] : 0;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The guard is what the tile before said.
// CASE: told_by_tile tile=none block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL told_by_tile(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = sum & 1 ? 0 : g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
