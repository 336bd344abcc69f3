// RUN: %rewritten %s --temp %t.d
// Hazard 16: the tile is used before, after or outside the loop, its address is given away, or only part of it is written in
// each iteration and the rest stays.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// CASE: after tile=pipelined block=64 full with=k=1..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL after(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum + 7 * s[TX ^ 1];
}
// What the loop leaves is what was there before it, if it never runs.
// CASE: before_and_after tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL before_and_after(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = 1000 + TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum + 7 * s[TX ^ 1];
}
// The first tile is copied before the loop, every other one at its end.
// CASE: turned_round block=64 full with=k=1,2,3,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL turned_round(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = g[BX * k * TILE + TX];
  __syncthreads();
  for (int i = 1; i < k; i++) {
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
  }
  out[ROW] = sum * 31 + s[TILE - 1 - TX];
}
// Another use of the memory before the loop, and another one after it: neither sees the tile.
// CASE: scratch tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL scratch(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  s[TX] = TX * TX;
  __syncthreads();
  u32 sum = s[TX ^ 3];
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  s[TX] = sum;
  __syncthreads();
  out[ROW] = s[TX ^ 5];
}
// The address is in memory, and what is read through it is a tile.
// CASE: given_away tile=none block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{8*T} zero:{4*T} i32:{k}
KERNEL given_away(const u32 *g, u32 **kept, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  *(u32 *volatile *)&kept[ROW] = s;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + (*(u32 *volatile *)&kept[ROW])[TILE - 1 - TX];
    __syncthreads();
  }
  kept[ROW] = nullptr;   // shared addresses are no result
  out[ROW] = sum;
}
__device__ __noinline__ static u32 look(const u32 *p, u32 i) { return p[i]; }
// A function that only reads it.
// CASE: lent tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL lent(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + look(s, TILE - 1 - TX);
    __syncthreads();
  }
  out[ROW] = sum;
}
__device__ __noinline__ static void bump(u32 *p, u32 i) { p[i]++; }
// A function that writes it.
// CASE: changed tile=held block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL changed(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    bump(s, TX);
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The rim is written once, before the loop; the tile's middle in every iteration.
// CASE: rim tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL rim(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE + 2];
  u32 sum = 0;
  if (TX < 2) s[TX * (TILE + 1)] = 77 + TX;
  for (int i = 0; i < k; i++) {
    s[TX + 1] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX] + 3 * s[TX + 1] + 5 * s[TX + 2];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The end of each tile is kept as the beginning of the next.
// CASE: halo_kept tile=held block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL halo_kept(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE + 1];
  u32 sum = 0;
  if (TX == 0) s[TILE] = 5;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if (TX == 0) s[0] = s[TILE];
    __syncthreads();
    s[TX + 1] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX] + 3 * s[TX + 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A quarter of the tile is new in each iteration, in turn.
// CASE: in_turn tile=held block=64 full with=k=0..9 -- rand:{max(4,T*k)} zero:{4*T} i32:{k}
KERNEL in_turn(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if (TX < TILE / 4) s[i % 4 * (TILE / 4) + TX] = g[(BX * k + i) * (TILE / 4) + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A halo that is loaded anew in every iteration.
// CASE: halo_loaded tile=pipelined block=64 full with=k=0..9 -- rand:{4*(T*k+2)} zero:{4*T} i32:{k}
KERNEL halo_loaded(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE + 2];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    const u32 *tile = g + (BX * k + i) * TILE;
    s[TX] = tile[TX];
    if (TX < 2) s[TILE + TX] = tile[TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX] + 3 * s[TX + 1] + 5 * s[TX + 2];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Some threads are gone before the loop: nobody knows who could take over what the array held.
// CASE: some_gone tile=held block=64 full with=k=0..4 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL some_gone(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = 1000 + TX;
  __syncthreads();
  if (TX % 5 == 3) return;
  for (int i = 0; i < k; i++) {
    if (TX & 1) s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Every thread goes round as often as it likes, and then is gone; the tile loop inside takes the array over each time.
// CASE: some_go_on tile=held block=64 full with=k=1,3 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL some_go_on(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = 1000 + TX;
  for (u32 round = 0; round < 1 + TX / 32; round++) {
    __syncthreads();
    s[TX] += round;
    for (int i = 0; i < k; i++) {
      if (TX & 1) s[TX] = g[(BX * k + i) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TX ^ 33] % 128;
      __syncthreads();
    }
  }
  out[ROW] = sum;
}
// Ways that part and meet again, and an outer loop that all threads go round alike: all of them take part.
// CASE: all_here tile=pipelined block=64 full with=k=1,3,6 with=m=0,1,3 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k} i32:{m}
KERNEL all_here(const u32 *g, u32 *out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (u32 j = 0; j < TX % 7; j++) sum += j * j ^ sum;
  for (int round = 0; round < m; round++) {
    if (TX % 3) s[TX] = sum; else s[TX] = 5;
    __syncthreads();
    for (int i = 0; i < k; i++) {
      if (TX & 1) s[TX] = g[(BX * k + i) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
    }
    sum += s[TX ^ 2];
    __syncthreads();
  }
  out[ROW] = sum;
}
