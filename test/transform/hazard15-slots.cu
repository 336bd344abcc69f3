// RUN: %rewritten %s --temp %t.d
// Hazard 15: a slot is filled again while a slow warp still reads it; loops that write into the tile that they read.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// The second warp takes longer, and longer in every second iteration.
// CASE: slow_warp tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL slow_warp(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    u32 much = TX / 32 * (i & 1 ? 9 : 3);
    for (u32 c = 0; c <= much; c++) sum = sum * 31 + s[(TX * 5 + c) % TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Each thread looks at its own element again behind the second barrier, where no other thread may touch it yet.
// CASE: late_look block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL late_look(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    sum ^= s[TX] << (i & 7);
  }
  out[ROW] = sum;
}
// The first look at the tile is before the copy: it sees the last iteration's.
// CASE: early_look tile=held block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL early_look(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = TX;
  for (int i = 0; i < k; i++) {
    sum ^= s[TX] << (i & 7);
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The tile is computed on in place.
// CASE: overwritten block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL overwritten(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    u32 v = s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = v * 3 + i;
    __syncthreads();
    sum = sum * 31 + s[TX ^ 7];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The tile is summed up in place, as reductions are.
// CASE: reduced block=64 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL reduced(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    for (u32 half = TILE / 2; half > 0; half /= 2) {
      if (TX < half) s[TX] += s[TX + half];
      __syncthreads();
    }
    sum = sum * 31 + s[0];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The user has two slots already, and one barrier.
// CASE: two_slots block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL two_slots(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[i & 1][TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[i & 1][TILE - 1 - TX];
  }
  out[ROW] = sum;
}
// The user has two slots and looks into the one of the iteration before.
// CASE: last_slot block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL last_slot(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][TILE];
  u32 sum = 0;
  s[1][TX] = TX;
  for (int i = 0; i < k; i++) {
    s[i & 1][TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[i & 1][TILE - 1 - TX] + 3 * s[~i & 1][TX ^ 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The next tile waits in a register while this one is used.
// CASE: in_register tile=none block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL in_register(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, next = k > 0 ? g[BX * k * TILE + TX] : 0;
  for (int i = 0; i < k; i++) {
    s[TX] = next;
    __syncthreads();
    if (i + 1 < k) next = g[(BX * k + i + 1) * TILE + TX];
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
