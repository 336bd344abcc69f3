// RUN: %rewritten %s --temp %t.d
// Stages of several tiles: copies of 16 bytes where neighbours copy neighbours, and the uses of a stage in one go. Trip counts
// around whole stages; sources that are shifted, not in the lanes' order, or not one distance apart; parts of warps.
// TEXT: levels=O3 archs=sm_80 stages=3
#include "tiles.cuh"

// CASE: shifted tile=pipelined block=64 full with=k=0,7,8,9,24,41 with=o=0,1,4 -- rand:{4*T*k+16} ref:0+{4*o} zero:{4*T} i32:{k}
// CASE: shifted block=48 full with=k=9,24 -- rand:{4*64*2*k+16} ref:0+0 zero:{4*T} i32:{k}
// CASE: shifted block=31 full with=k=9,24 -- rand:{4*64*2*k+16} ref:0+0 zero:{4*T} i32:{k}
KERNEL shifted(const u32 *base, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[(TX * 7 + 3) % blockDim.x];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Tiles lie d elements apart.
// CASE: apart tile=pipelined block=64 full with=d=0,1,2,4,63,64,68 with=k=9,24 -- rand:{4*(64+d*(k+1))} zero:{4*T} i32:{d} i32:{k}
KERNEL apart(const u32 *g, u32 *out, int d, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * d + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The lanes' order is turned in memory, in the tile, in both.
// CASE: turned tile=pipelined block=64 full with=a=0,1,3,4 with=b=0,1,3,4 with=k=9,24 -- rand:{4*64*k} zero:{4*T} i32:{a} i32:{b} i32:{k}
KERNEL turned(const u32 *g, u32 *out, int a, int b, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX ^ b] = g[i * TILE + (TX ^ a)];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Each lane has a distance of its own from tile to tile.
// CASE: fanned tile=pipelined block=64 full with=d=0,1,4 with=k=9,24 -- rand:{4*(64*k+64+d*64*k)} zero:{4*T} i32:{d} i32:{k}
KERNEL fanned(const u32 *g, u32 *out, int d, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int mine = TILE + d * TX;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * mine + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two lanes share a piece.
// CASE: doubles tile=pipelined block=64 full with=k=0,7,9,24 with=o=0,1 -- rand:{8*T*k+16} ref:0+{8*o} zero:{4*T} i32:{k}
KERNEL doubles(const u64 *base, const u64 *g, u32 *out, int k) {
  __shared__ u64 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + (u32)(s[TILE - 1 - TX] >> 13);
    __syncthreads();
  }
  out[ROW] = sum;
}
// A counter of 32 bits whose products wrap around.
// CASE: wraps tile=pipelined block=64 grid=1 full with=k=9,24 -- rand:{4*64*32} zero:{4*T} i32:{k} i32:134217728
KERNEL wraps(const u32 *g, u32 *out, int k, u32 much) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (u32 i = 0; i < (u32)k; i++) {
    s[TX] = g[i * much % 2048u + TX % 64u];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What one iteration hands to the next crosses the stages; the last value is used behind the loop.
// CASE: carried tile=pipelined block=64 full with=k=1,8,9,17,24 -- rand:{4*T*k} zero:{8*T} i32:{k}
KERNEL carried(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 a = 1, b = 2, last = 0;
  int i = 0;
  for (; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    u32 t = a;
    a = b + s[TX ^ 1];
    b = t ^ s[TILE - 1 - TX] * (u32)i;
    last = s[(TX + i) % TILE];
    __syncthreads();
  }
  out[2 * ROW] = a * 31 + b;
  out[2 * ROW + 1] = last + i;
}
