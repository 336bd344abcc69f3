// RUN: %rewritten %s --temp %t.d
// Loops around others whose rows may lie where they read: that they do not is asked on entry.
// TEXT: levels=O3
#include "records.cuh"

// CASE: weights jam=yes plain:store=exchange few with=d=0,8,11 with=K=0,5 -- frand:{4*d*K+4} frand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL weights(const float *w, const float *x, float *o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    float s = 0;
    for (int k = 0; k < K; k++) s += w[j * K + k] * x[(u64)k * n + i];
    o[(u64)i * d + j] = s;
  }
}
// One thread's row lies among the weights, at their beginning, in them, at their end and behind them.
// CASE: among_weights jam=yes block=32 grid=1 full with=at=0,1,7,8,54,55,56,57 -- rand:{4*200} rand:{4*5*n+4} i32:1 i32:{at} i32:11 i32:5
// CASE: among_weights block=32 grid=1 full with=at=38,39,40 -- rand:{4*200} rand:{4*5*n+4} i32:1 i32:{at} i32:8 i32:5
KERNEL among_weights(u32 *w, const u32 *x, int n, int at, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  u32 *o = w + at + i * d;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[k * 32 + i]);
    o[j] = s;
  }
}
// Right in front of them.
// CASE: before_weights jam=yes block=32 grid=1 full with=at=80,88,89,90,91,92,100 -- rand:{4*200} rand:{4*5*n+4} i32:1 i32:{at} i32:11 i32:5
KERNEL before_weights(u32 *o, const u32 *x, int n, int at, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  u32 *w = o + at - 80;
  o += i * d;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[k * 32 + i]);
    o[j] = s;
  }
}
// The word that is stored first is the first of what is loaded last.
// CASE: down jam=yes block=32 grid=1 full with=at=6,7,8 -- rand:{4*200} rand:{4*5*n+4} i32:1 i32:{at} i32:8 i32:5
KERNEL down(u32 *o, const u32 *x, int n, int at, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  const u32 *w = o + at;
  o += i * d;
  for (int j = d - 1; j >= 0; j--) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[k * 32 + i]);
    o[j] = s;
  }
}
// Two rows, which may be one, or lie one in the other.
// CASE: rows_in_one jam=yes block=32 grid=2 full with=at=0,1,2,10,11,12 -- rand:{4*55+4} rand:{4*5*n+4} zero:{4*n*40} i32:{n} i32:{at} i32:11 i32:5
KERNEL rows_in_one(const u32 *__restrict__ w, const u32 *__restrict__ x, u32 *o, int n, int at, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  u32 *p = o + i * 40, *q = o + i * 40 + at;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[k * n + i]);
    p[j] = s;
    q[j] = s * 7;
  }
}
// Where it stores follows from what it loads: nobody can tell on entry.
// CASE: anywhere jam=no refuse=WalkWritten block=32 grid=1 few full -- rand:{4*55+4} rand:{4*5*n+4} zero:{4*n*12+4} bits:{n*11}:3 i32:{n} i32:11 i32:5
KERNEL anywhere(const u32 *w, const u32 *x, u32 *o, const u32 *to, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * (d + 1) + j + 1 - to[i * d + j]] = s;
  }
}
// What it loads, too.
// CASE: gathers jam=no refuse=WalkWritten block=32 grid=2 few full -- rand:{4*55+4} rand:{4*n*2} zero:{4*n*11+4} bits:{5*n}:3 i32:{n} i32:11 i32:5
KERNEL gathers(const u32 *__restrict__ w, const u32 *x, u32 *o, const u32 *__restrict__ from, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[i + n * from[k * n + i]]);
    o[(u64)i * d + j] = s;
  }
}
