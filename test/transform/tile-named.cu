// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -nocudainc -nocudalib -O3 -I%S/../gen %s -o %t.ll && %opt -passes='coalda<always>' -S %t.ll -o - | %FileCheck %s
// A tile of indices, and then the data that they name: each thread reads the list for itself, so that the data's copies are asynchronous,
// and indices come a stage before them. The ways in which programs write that. Blocks that have fewer threads than indices take the
// loop as it was, and so does who may write the list.
// TEXT: levels=O3,O1 archs=sm_90 stages=2,5
#include "tiles.cuh"
enum { NAMES = 32 };
#define BARRIER __syncthreads()
#define USE(s) sum = sum * 31 + (s)[TILE - 1 - (TX & 63)] + 3 * (s)[(TX & 63) ^ 5]

// Rows of two words; the copies' indices are carried, and nobody fills the array of indices but the loop as it was.
// CHECK-LABEL: define {{.*}} @rows(
// CHECK: load i32, {{.*}} !coalda.ahead
// CHECK: cp.async.ca.shared.global
// CASE: rows tile=pipelined named=yes block=64 full with=k=0,1,2,3,8,17 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
// CASE: rows tile=pipelined named=yes block=256 few with=k=0,1,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
// CASE: rows tile=pipelined named=yes block=1024 few with=k=1,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL rows(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = list[(BX % 2 * k + i) * NAMES + TX];
    BARRIER;
    if (TX < TILE) s[TX] = g[(ix[TX / 2] & 2047) * 2 + TX % 2];
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
// Pointers that may be alike; stores of the loop are found apart from the list, or not.
// CASE: stored tile=pipelined named=yes block=64 full with=k=0,1,2,3,8 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{max(4,4*T*k)} i32:{k}
KERNEL stored(const int *list, const u32 *__restrict__ g, u32 *out, int k) {
  __shared__ int ix[NAMES];
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = list[(BX * k + i) * NAMES + TX];
    BARRIER;
    s[TX] = g[(ix[TX / 2] & 2047) * 2 + TX % 2];
    BARRIER;
    USE(s);
    out[(BX * k + i) * TILE + TX] = sum;
    BARRIER;
  }
}
// Rows of many words, in a loop, of any length of block; the barrier that lets go of the tile comes first, and the counter is long.
// CASE: looped tile=pipelined named=no block=64 full with=k=0,1,2,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i64:{k}
// CASE: looped tile=pipelined named=no block=256 few with=k=1,4 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i64:{k}
// CASE: looped tile=pipelined named=no block=1024 few with=k=1,4 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i64:{k}
KERNEL looped(const int *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, long long k) {
  __shared__ int ix[NAMES];
  __shared__ u32 s[NAMES][16];
  u32 sum = 0;
  for (long long i = 0; i < k; i++) {
    BARRIER;
    if (TX < NAMES) ix[TX] = list[(BX % 2 * k + i) * NAMES + TX];
    BARRIER;
    for (int e = TX; e < NAMES * 16; e += blockDim.x) s[e / 16][e % 16] = g[(ix[e / 16] & 255) * 16 + e % 16];
    BARRIER;
    for (int j = 0; j < NAMES; j++) sum = sum * 31 + s[j][TX % 16];
  }
  out[ROW] = sum;
}
// Of four words at a time, unrolled; unsigned counters that step by indices.
struct alignas(16) Quad { u32 x, y, z, w; };
// CASE: quads tile=pipelined named=yes block=64 full with=k=0,1,2,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL quads(const u32 *__restrict__ list, const Quad *__restrict__ g, u32 *__restrict__ out, u32 k) {
  __shared__ u32 ix[NAMES];
  __shared__ Quad s[NAMES][8];
  u32 sum = 0;
  for (u32 i = BX * k * NAMES; i < (BX + 1) * k * NAMES; i += NAMES) {
    if (TX < NAMES) ix[TX] = list[i + TX];
    BARRIER;
#pragma unroll
    for (int j = 0; j < 4; j++) s[TX / 8 + j * 8][TX % 8] = g[(ix[TX / 8 + j * 8] & 127) * 8 + TX % 8];
    BARRIER;
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[TX / 8 + j * 8][7 - TX % 8].x + s[j][TX % 8].w;
    BARRIER;
  }
  out[ROW] = sum;
}
// Computed before it is shared: the row's beginning.
// CASE: scaled tile=pipelined named=yes block=64 full with=k=0,1,2,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k} i32:2
KERNEL scaled(const int *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k, int width) {
  __shared__ int ix[NAMES];
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = (list[(BX * k + i) * NAMES + TX] & 1023) * width;
    BARRIER;
    s[TX] = g[ix[TX / 2] + TX % 2];
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
// Two readers: what is named, and a use that asks for the index as well; the tile of indices stays.
// CASE: two_readers tile=pipelined named=yes block=64 full with=k=0,1,2,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL two_readers(const int *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ int ix[NAMES];
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = list[(BX * k + i) * NAMES + TX];
    BARRIER;
    s[TX] = g[(ix[TX / 2] & 2047) * 2 + TX % 2];
    BARRIER;
    USE(s);
    sum = sum * 31 + ix[31 - TX / 2];
    BARRIER;
  }
  out[ROW] = sum;
}
// Indices that are read behind the loop as well.
// CASE: behind tile=pipelined named=yes block=64 full with=k=1,2,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL behind(const int *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ int ix[NAMES];
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = list[(BX * k + i) * NAMES + TX];
    BARRIER;
    s[TX] = g[(ix[TX / 2] & 2047) * 2 + TX % 2];
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum + ix[TX / 2];
}
// Two lists, and values beside them.
// CASE: two_lists tile=pipelined named=yes block=64 full with=k=0,1,2,5 -- rand:{max(4,4*2*32*k)}:9 rand:{max(4,4*2*32*k)}:5 rand:{max(4,4*2*32*k)}:7 rand:16384 zero:{4*T} i32:{k}
KERNEL two_lists(const int *__restrict__ a, const int *__restrict__ b, const u32 *__restrict__ w, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ int ix[NAMES], iy[NAMES];
  __shared__ u32 v[NAMES], s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) {
      ix[TX] = a[(BX * k + i) * NAMES + TX];
      iy[TX] = b[(BX * k + i) * NAMES + TX];
      v[TX] = w[(BX * k + i) * NAMES + TX];
    }
    BARRIER;
    s[TX] = g[(ix[TX / 2] & 2047) * 2 + TX % 2];
    r[TX] = g[(iy[TX / 2] & 2047) * 2 + TX % 2];
    BARRIER;
    USE(s);
    sum += r[TX ^ 33] * v[TX / 2];
    BARRIER;
  }
  out[ROW] = sum;
}
// Blocks of two dimensions: rows of as many threads as there are, and of 16; the first warp fills.
// CASE: in_rows tile=pipelined named=yes block=16,4 full with=k=0,1,2,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*128} i32:{k}
// CASE: in_rows tile=pipelined named=yes block=64,1 full with=k=0,1,2,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*128} i32:{k}
KERNEL in_rows(const int *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ int ix[NAMES];
  __shared__ u32 s[TILE];
  u32 sum = 0, t = threadIdx.y * blockDim.x + TX;
  for (int i = 0; i < k; i++) {
    if (t < NAMES) ix[t] = list[(BX * k + i) * NAMES + t];
    BARRIER;
    s[t] = g[(ix[t / 2] & 2047) * 2 + t % 2];
    BARRIER;
    sum = sum * 31 + s[TILE - 1 - t] + 3 * s[t ^ 5];
    BARRIER;
  }
  out[BX * 64 + t] = sum;
}
// CASE: in_rows_of_16 tile=pipelined named=yes block=16,4 full with=k=0,1,2,5 -- rand:{max(4,4*2*16*k)}:9 rand:16384 zero:{4*128} i32:{k}
KERNEL in_rows_of_16(const int *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ int ix[16];
  __shared__ u32 s[TILE];
  u32 sum = 0, t = threadIdx.y * 16 + TX;
  for (int i = 0; i < k; i++) {
    if (t < 16) ix[t] = list[(BX * k + i) * 16 + t];
    BARRIER;
    s[t] = g[(ix[t / 4] & 1023) * 4 + t % 4];
    BARRIER;
    sum = sum * 31 + s[TILE - 1 - t] + 3 * s[t ^ 5];
    BARRIER;
  }
  out[BX * 64 + t] = sum;
}
// Every warp fills all of it, by the number of a thread in its warp; a template, of 16 bits.
template <class Index> __device__ inline void name(Index *ix, const Index *list) { ix[TX & 31] = list[TX & 31]; }
// CASE: by_lanes tile=pipelined named=yes block=64 full with=k=0,1,2,5 -- rand:{max(4,2*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL by_lanes(const unsigned short *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ unsigned short ix[NAMES];
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    name(ix, list + (BX * k + i) * NAMES);
    BARRIER;
    s[TX] = g[(ix[TX / 2] & 2047) * 2 + TX % 2];
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
// In another loop: rows of tiles.
// CASE: nested tile=pipelined named=yes block=64 full with=k=0,1,2,5 -- rand:{max(4,4*4*32*k)}:9 rand:16384 zero:{4*256} i32:{k} i32:4
KERNEL nested(const int *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k, int n) {
  __shared__ int ix[NAMES];
  __shared__ u32 s[TILE];
  for (int row = BX; row < n; row += 2) {
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      if (TX < NAMES) ix[TX] = list[(row * k + i) * NAMES + TX];
      BARRIER;
      s[TX] = g[(ix[TX / 2] & 2047) * 2 + TX % 2];
      BARRIER;
      USE(s);
      BARRIER;
    }
    out[row * 64 + TX] = sum;
  }
}
// Slots that stand elsewhere, and one index alone.
// CASE: shifted tile=pipelined named=yes block=64 full with=k=0,1,2,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL shifted(const int *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ int ix[NAMES + 8];
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX + 8] = list[(BX * k + i) * NAMES + TX];
    BARRIER;
    s[TX] = g[(ix[8 + TX % 64 / 2] & 2047) * 2 + (ix[9] & 1)];
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
