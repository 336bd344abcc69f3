// RUN: %rewritten %s --temp %t.d
// Walks whose iterations take different ways. What every iteration loads is loaded for all of them where the longer loop begins;
// what only some load, or what the loop may write, stays where it is.
// TEXT: levels=O3,O1
#include "records.cuh"

// The three largest of each row.
// CASE: largest fewer load=exchange plain:load=exchange block=48 grid=1 with=m=0,1,8,31,32,33,100 -- frand:{4*n*m+4} zero:{12*n} i32:{m} i32:{n}
KERNEL largest(const float *a, float *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float first = -1, second = -1, third = -1;
  for (int j = 0; j < m; j++) {
    float v = a[i * m + j];
    if (!(v > third)) continue;
    if (v > first) { third = second; second = first; first = v; }
    else if (v > second) { third = second; second = v; }
    else third = v;
  }
  q[3 * i] = first; q[3 * i + 1] = second; q[3 * i + 2] = third;
}
// Every alignment of the first row; rows from their ends.
// CASE: counted load=exchange block=32 grid=1 full with=m=64,100 with=o=0,1,2,7 -- rand:{4*n*m+32} ref:0+{4*o} zero:{1024} zero:{4*n} i32:{m} i32:{n}
KERNEL counted(const u32 *, const u32 *__restrict__ a, u32 *__restrict__ bins, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = m - 1; j >= 0; j--) {
    u32 v = a[i * m + j];
    if (v & 1) bins[i * 8 + (v >> 29)] += v;
    else s = s * 31 + v;
  }
  q[i] = s;
}
// Whether the second array is read depends on the first; its rows are as long as is read of them, the last to the end of the
// memory.
// CASE: some_of_second load=exchange block=48 grid=1 full with=m=40,100 with=k=1,9 -- iota:{n*m} rand:{4*((n-1)*m+k)} zero:{4*n} i32:{k} i32:{m} i32:{n}
KERNEL some_of_second(const u32 *a, const u32 *b, u32 *q, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if ((int)(a[i * m + j] - i * m) < k) s = s * 31 + b[i * m + j];
  q[i] = s;
}
// ---- left as they are ------------------------------------------------------------------------------------------------------

// An iteration may write what the next one reads.
// CASE: passed_on none block=48 grid=1 full with=m=33,100 -- rand:{4*n*(m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL passed_on(u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * (m + 1) + j];
    if (v & 3) a[i * (m + 1) + j + 1] = v / 2;
    else s = s * 31 + v;
  }
  q[i] = s;
}
// Nor may it be loaded early if another array is the same: a test on entry tells.
// CASE: perhaps_same load=exchange block=48 grid=1 full with=m=33,100 -- rand:{4*n*(m+1)} ref:0+4 zero:{4*n} i32:{m} i32:{n}
KERNEL perhaps_same(const u32 *a, u32 *b, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * (m + 1) + j];
    if (v & 3) b[i * (m + 1) + j] = v / 2;
    else s = s * 31 + v;
  }
  q[i] = s;
}
// What nobody writes is the same whatever else is ordered.
// CASE: beside_atomics load=exchange block=48 grid=1 full with=m=33 -- rand:{4*n*m} zero:{4} zero:{4*n} i32:{m} i32:{n}
KERNEL beside_atomics(const u32 *__restrict__ a, u32 *__restrict__ flag, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * m + j];
    if (v & 1) s += __nvvm_atom_add_gen_i((int *)flag, 1) < 0;
    s = s * 31 + v;
  }
  q[i] = s;
}
// CASE: watched none block=48 grid=1 full with=m=33 -- rand:{4*n*m} rand:{4} zero:{4*n} i32:{m} i32:{n}
KERNEL watched(const u32 *__restrict__ a, volatile u32 *__restrict__ flag, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * m + j];
    if (v & 1) s = s / 3 + *flag;
    else s = s * 31 + v;
  }
  q[i] = s;
}
// The compiler counts on with j + 1 in both ways, and the counter comes out of where they meet.
// CASE: counted_apart block=48 grid=1 full with=m=64 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL counted_apart(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 least = ~0u, s = 0;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * m + j];
    if (v >= least) continue;
    s += (u32)((int)v / (j + 1));
    if (s % 5 == 2) least = v;
  }
  q[i] = s + least;
}
// CASE: stops_early none plain:none block=48 grid=1 full with=m=33,100 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL stops_early(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * m + j];
    if (v & 1) s = s / 3 + v;
    if (v % 29 == 3) break;
  }
  q[i] = s;
}
