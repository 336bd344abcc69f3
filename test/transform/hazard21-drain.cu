// RUN: %rewritten %s --temp %t.d
// Hazard 21: copies that are still on their way when the loop is left land in memory that has other uses by then; pieces of 16
// bytes where rows do not allow them; padding against bank conflicts that must stay; architectures without any of it.
// TEXT: levels=O3,O1 archs=sm_75,sm_80,sm_90 stages=2,5
#include "tiles.cuh"

// Left after j tiles of k, and the tile's memory is used for something else at once.
// CASE: reused_at_once block=64 full with=k=8 with=j=0..7 -- rand:{4*T*k} zero:{4*T} i32:{j} i32:{k}
KERNEL reused_at_once(const u32 *g, u32 *out, int j, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i == j) break;
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  s[TX] = sum;
  __syncthreads();
  out[ROW] = s[TX ^ 33];
}
// Two exits, and one of them leaves the kernel.
// CASE: two_exits tile=none block=64 full with=k=8 with=j=0..8 -- rand:{4*T*k} zero:{4*T} i32:{j} i32:{k}
KERNEL two_exits(const u32 *g, u32 *out, int j, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i == j) {
      out[ROW] = sum + 1;
      return;
    }
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    if (i == j + 3) break;
    __syncthreads();
  }
  __syncthreads();
  s[TX] = sum;
  __syncthreads();
  out[ROW] = s[TX ^ 33];
}
// Rows of w elements: 16 bytes fit only where w is a multiple of 4, and the array begins at one.
// CASE: rows tile=pipelined block=16,4 full with=w=16,17,18,20 with=o=0,1,4 with=k=0..3 -- rand:{4*(o+w*4*2*k)+64} ref:0+{4*o} zero:{4*T} i32:{w} i32:{k}
KERNEL rows(const u32 *, const u32 *g, u32 *out, int w, int k) {
  __shared__ u32 s[4][16];
  u32 sum = 0, x = threadIdx.x, y = threadIdx.y;
  for (int i = 0; i < k; i++) {
    s[y][x] = g[((BX * k + i) * 4 + y) * w + x];
    __syncthreads();
    sum = sum * 31 + s[3 - y][15 - x];
    __syncthreads();
  }
  out[BX * 64 + y * 16 + x] = sum;
}
// Padded rows: a slot's rows begin every 17 words.
// CASE: padded tile=pipelined block=16,16 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL padded(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][17];
  u32 sum = 0, x = threadIdx.x, y = threadIdx.y;
  for (int i = 0; i < k; i++) {
    s[y][x] = g[((BX * k + i) * 16 + y) * 16 + x];
    __syncthreads();
    sum = sum * 31 + s[x][y];
    __syncthreads();
  }
  out[BX * 256 + y * 16 + x] = sum;
}
// Turned on the way: neighbours in memory are rows apart in the tile.
// CASE: turned tile=pipelined block=16,16 full with=k=0..5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL turned(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][17];
  u32 sum = 0, x = threadIdx.x, y = threadIdx.y;
  for (int i = 0; i < k; i++) {
    s[x][y] = g[((BX * k + i) * 16 + y) * 16 + x];
    __syncthreads();
    sum = sum * 31 + s[y][x] + 3 * s[x][y];
    __syncthreads();
  }
  out[BX * 256 + y * 16 + x] = sum;
}
// A tile row in one piece, long enough for one bulk copy; o moves it off its 16 bytes.
// CASE: one_piece tile=pipelined block=64 full with=o=0,1,2,4 with=k=0..5 -- rand:{4*(o+1024*2*k)+16} ref:0+{4*o} zero:{4*T} i32:{k}
KERNEL one_piece(const u32 *, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[1024];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < 1024; c += TILE) s[c] = g[(BX * k + i) * 1024 + c];
    __syncthreads();
    for (int c = 0; c < 4; c++) sum = sum * 31 + s[(TX * 37 + c * 331) % 1024];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The tile is written by ordinary stores as well, between two bulk copies into the same slot.
// CASE: written_too block=64 full with=k=0..5 -- rand:{max(4,4*1024*2*k)} zero:{4*T} i32:{k}
KERNEL written_too(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[1024];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < 1024; c += TILE) s[c] = g[(BX * k + i) * 1024 + c];
    __syncthreads();
    s[TX * 16] ^= i + TX;
    __syncthreads();
    for (int c = 0; c < 4; c++) sum = sum * 31 + s[(TX * 37 + c * 331) % 1024];
    __syncthreads();
  }
  out[ROW] = sum;
}
