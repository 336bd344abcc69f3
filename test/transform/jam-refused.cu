// RUN: %rewritten %s --temp %t.d
// Loops around others whose iterations stay one behind the other.
// TEXT: levels=O3
#include "records.cuh"
#define REST __restrict__

// What the loop inside stores is of later iterations, too.
// CASE: stores_inside jam=no refuse=JamStores few with=d=11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} zero:{4*n*K*d} i32:{n} i32:{d} i32:{K}
KERNEL stores_inside(const u32 *REST w, const u32 *REST x, u32 *REST o, u32 *REST q, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) {
      s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
      q[(u64)(k + j) * n + i] = s;
    }
    o[(u64)i * d + j] = s;
  }
}
// How often the loop inside runs depends on the counter, and it is unrolled already: clang has, where the plugin runs behind it.
// CASE: triangle jam=no refuse=JamWays few with=d=11 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL triangle(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k <= j; k++) s = s * 31 + (w[j * d + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// Or on what it loads.
// CASE: until jam=no few with=d=11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL until(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K && w[j * K + k] & 3; k++) s = s * 31 + x[(u64)k * n + i];
    o[(u64)i * d + j] = s;
  }
}
// One iteration begins with what the last has left.
// CASE: goes_on jam=no refuse=JamCarries few with=d=11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL goes_on(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < d; j++) {
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// How far a pointer goes from one iteration to the next is loaded.
// CASE: strides jam=no refuse=JamCarries few with=d=11 with=K=5 -- rand:{4*d*K+64} rand:{4*K*n+4} zero:{4*n*d+4} bits:{d}:3 i32:{n} i32:{d} i32:{K}
KERNEL strides(const u32 *REST w, const u32 *REST x, u32 *REST o, const u32 *REST far, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
    w += far[j];
  }
}
// A barrier in the loop around.
// CASE: waits jam=no refuse=WalkOrder block=64 grid=2 full with=d=11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL waits(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  int i = ROW;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    __syncthreads();
    o[(u64)i * d + j] = s;
  }
}
// And an atomic.
// CASE: counts jam=no refuse=WalkOrder few with=d=11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} zero:4 i32:{n} i32:{d} i32:{K}
KERNEL counts(const u32 *REST w, const u32 *REST x, u32 *REST o, u32 *REST c, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    __nvvm_atom_add_gen_i((int *)c, 1);
    o[(u64)i * d + j] = s;
  }
}
// An iteration reads, before its loop, the word that an earlier one has written; and, behind it, one that the next one writes.
// CASE: reads_last jam=no refuse=WalkWritten few with=d=11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} rand:{4*n*d+8} i32:{n} i32:{d} i32:{K}
KERNEL reads_last(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 2; j < d; j++) {
    u32 s = o[(u64)i * d + j - 2];
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// CASE: reads_next jam=no few with=d=11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} rand:{4*n*d+8} i32:{n} i32:{d} i32:{K}
KERNEL reads_next(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j + 1 < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
    o[(u64)i * d + j + 1] += s;
  }
}
// An index of 32 bits may wrap around, and lead the row back to where it was.
// CASE: wraps jam=no refuse=WalkWritten few with=d=11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} rand:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL wraps(const u32 *REST w, const u32 *REST x, u32 *REST o, u32 n, u32 d, u32 K) {
  u32 i = ROW;
  if (i >= n) return;
  for (u32 j = 0; j < d; j++) {
    u32 s = o[(u16)(i * d + j) % (n * d)];
    for (u32 k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[k * n + i]);
    o[i * d + j] = s;
  }
}
// Each thread has rows of its own length.
// CASE: uneven jam=no refuse=JamUneven few with=K=5 -- rand:{4*40*K+4} rand:{4*K*n+4} zero:{4*n*40+4} bits:{n}:3 i32:{n} i32:{K}
KERNEL uneven(const u32 *REST w, const u32 *REST x, u32 *REST o, const u32 *REST length, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  int d = length[i] ? 11 : 9;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * 40 + j] = s;
  }
}
// The one inside walks a row, too.
// CASE: rows_inside jam=no refuse=JamRows few with=d=11 with=K=40 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL rows_inside(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)i * K + k]);
    o[(u64)i * d + j] = s;
  }
}
