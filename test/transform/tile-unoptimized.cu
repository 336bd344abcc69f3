// RUN: %rewritten %s --temp %t.d
// Tile loops of unoptimized code, whose counters are in memory until they are looked at.
// TEXT: levels=O0 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// CASE: summed tile=pipelined block=64 full with=k=0,1,2,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL summed(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, t = TX, row = ROW;
  g += BX * k * TILE + t;
  for (int i = 0; i < k; i++) {
    s[t] = g[i * TILE];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - t];
    __syncthreads();
  }
  out[row] = sum;
}

// The loop is all there is: its entry does nothing but jump to it, and is empty while the ring is filled.
// CASE: at_once tile=pipelined block=64 full with=k=1,2,7 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL at_once(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int i = 0;
  do {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    i++;
  } while (i < k);
  out[ROW] = sum;
}
