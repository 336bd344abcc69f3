// RUN: %rewritten %s --temp %t.d
// Hazard 12: the copied value has another use or is converted on its way; sizes and alignments that no asynchronous copy has.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// The plain case, with 0 to 9 trips.
// CASE: plain tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL plain(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 3 * s[TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The value goes into the tile and into the sum.
// CASE: summed_too tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL summed_too(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 v = g[(BX * k + i) * TILE + TX];
    s[TX] = v;
    sum ^= v << i;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The value decides what else is done, before the barrier.
// CASE: decides tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL decides(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], odd[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 v = g[(BX * k + i) * TILE + TX];
    s[TX] = v;
    odd[TX] = v & 1 ? 7 * v : i;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + odd[TX ^ 5];
    __syncthreads();
  }
  out[ROW] = sum;
}
// One value, two tiles.
// CASE: twice tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL twice(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 v = g[(BX * k + i) * TILE + TX];
    s[TX] = v;
    r[TILE - 1 - TX] = v;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 3 * r[TX ^ 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: widened tile=held block=64 full with=k=0,1,2,5 -- rand:{max(2,2*T*k)} zero:{4*T} i32:{k}
KERNEL widened(const u16 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: scaled tile=held block=64 full with=k=0,1,2,5 -- frand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL scaled(const float *g, float *out, int k) {
  __shared__ float s[TILE];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX] * 0.3f;
    __syncthreads();
    sum = sum * 0.5f + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Elements of 2 and of 1 byte, which are copied singly by no instruction.
// CASE: halves tile=held block=64 full with=k=0,1,2,5 -- rand:{max(2,2*T*k)} zero:{4*T} i32:{k}
KERNEL halves(const u16 *g, u32 *out, int k) {
  __shared__ u16 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: bytes tile=held block=64 full with=k=0,1,2,5 with=o=0..3 -- rand:{T*k+4} ref:0+{o} zero:{4*T} i32:{k}
KERNEL bytes(const u8 *, const u8 *g, u32 *out, int k) {
  __shared__ u8 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The tile could be filled 16 bytes at a time where the source allows it: o says whether it does.
// CASE: shifted tile=pipelined block=64 full with=k=0,1,2,5 with=o=0..4 -- rand:{4*T*k+16} ref:0+{4*o} zero:{4*T} i32:{k}
KERNEL shifted(const u32 *, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Pairs that are aligned to 4 bytes only, in memory or in the tile.
struct Pair { u32 x, y; };
// CASE: pairs tile=pipelined block=64 full with=k=0,1,2,5 with=o=0,1,2 -- rand:{8*T*k+8} ref:0+{4*o} zero:{4*T} i32:{k}
KERNEL pairs(const u32 *, const Pair *g, u32 *out, int k) {
  __shared__ u32 before;
  __shared__ Pair s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    if (TX == 0) before = i;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX].x + 3 * s[TX ^ 3].y + before;
    __syncthreads();
  }
  out[ROW] = sum;
}
// 16 bytes, aligned on both sides, and 12 bytes.
// CASE: wide tile=pipelined block=64 full with=k=0..9 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL wide(const V4 *g, u32 *out, int k) {
  __shared__ V4 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    V4 v = s[TILE - 1 - TX];
    sum = sum * 31 + v.x + 3 * v.y + 5 * v.z + 7 * v.w;
    __syncthreads();
  }
  out[ROW] = sum;
}
struct Triple { u32 x, y, z; };
// CASE: triples tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(12,12*T*k)} zero:{4*T} i32:{k}
KERNEL triples(const Triple *g, u32 *out, int k) {
  __shared__ Triple s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    Triple v = s[TILE - 1 - TX];
    sum = sum * 31 + v.x + 3 * v.y + 5 * v.z;
    __syncthreads();
  }
  out[ROW] = sum;
}
