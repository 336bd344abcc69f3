// RUN: %rewritten %s --temp %t.d
// Hazard 20: the ring has no room: over 48 KB of shared memory, memory whose size the host has chosen, and fewer resident blocks
// than the launch bounds ask for. ptxas refuses what is too large, the reference machine what lies outside.
// TEXT: levels=O3 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

#define SIZED(NAME, BOUNDS, ELEMENTS) \
  KERNEL BOUNDS NAME(const u32 *g, u32 *out, int k) { \
    __shared__ u32 s[ELEMENTS]; \
    u32 sum = 0; \
    for (int i = 0; i < k; i++) { \
      for (int c = TX; c < ELEMENTS; c += TILE) s[c] = g[(BX * k + i) * ELEMENTS + c]; \
      __syncthreads(); \
      for (int c = 0; c < 4; c++) sum = sum * 31 + s[(TX * 37 + c * 1001) % ELEMENTS]; \
      __syncthreads(); \
    } \
    out[ROW] = sum; \
  }
// 8 KB: up to six stages. 20 KB: two. 30 KB: one alone.
// CASE: small tile=none block=64 full with=k=0..4 -- rand:{max(4,4*2048*2*k)} zero:{4*T} i32:{k}
SIZED(small, , 2048)
// CASE: middling tile=none block=64 full with=k=0..3 -- rand:{max(4,4*5120*2*k)} zero:{4*T} i32:{k}
SIZED(middling, , 5120)
// CASE: large tile=none block=64 full with=k=0..2 -- rand:{max(4,4*7680*2*k)} zero:{4*T} i32:{k}
SIZED(large, , 7680)
// 8 KB, and the launch bounds ask for 24 blocks, which sm_90 has room for: a second stage would leave room for 13.
// CASE: crowded tile=none block=64 full with=k=0..3 -- rand:{max(4,4*2048*2*k)} zero:{4*T} i32:{k}
SIZED(crowded, __launch_bounds__(64, 24), 2048)
// Another array takes most of the room.
// CASE: beside_large tile=held block=64 full with=k=0..3 -- rand:{max(4,4*1024*2*k)} zero:{4*T} i32:{k}
KERNEL beside_large(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[1024], table[10752];
  u32 sum = 0;
  for (int c = TX; c < 10752; c += TILE) table[c] = c * c;
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < 1024; c += TILE) s[c] = g[(BX * k + i) * 1024 + c];
    __syncthreads();
    for (int c = 0; c < 4; c++) sum = sum * 31 + s[(TX * 37 + c * 101) % 1024] + table[(sum + c) % 10752];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The host gives one tile and no more: 256 bytes.
extern __shared__ u32 given[];
// CASE: hosts_size shared=256 block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL hosts_size(const u32 *g, u32 *out, int k) {
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    given[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + given[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The host gives two tiles, which lie behind one another, and the kernel has a static one too.
// CASE: hosts_two shared=512 block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL hosts_two(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, *a = given, *b = given + TILE;
  for (int i = 0; i < k; i++) {
    u32 at = (BX * k + i) * TILE + TX;
    a[TX] = g[at];
    b[TX] = h[at];
    s[TX] = g[at ^ 1];
    __syncthreads();
    sum = sum * 31 + a[TILE - 1 - TX] + 3 * b[TX ^ 9] + 5 * s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What the host asks for may just fit beside the tile as it is.
// CASE: beside_hosts tile=held shared=256 block=64 full with=k=0..4 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL beside_hosts(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  given[TX] = TX * TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum + given[TX ^ 1];
}
