// RUN: %rewritten %s --temp %t.d
// Walks: each thread reads a row of its own. The loop is made longer, 128 bytes of every row an iteration, and the warp
// moves them together; shorter rows, and what remains of longer ones, go through the original loop.
// TEXT: levels=O3,O1
#include "records.cuh"

// CASE: sums fewer load=exchange plain:load=exchange block=48 grid=1 with=m=100,0,1,8,31,32,33 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL sums(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// Every alignment of the first row; and rows of every alignment, where m is odd.
// CASE: shifted load=exchange block=32 grid=1 full with=m=64,100 with=o=0,1,2,5,7 -- rand:{4*n*m+32} ref:0+{4*o} zero:{4*n} i32:{m} i32:{n}
KERNEL shifted(const u32 *, const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: shifted_bytes load=exchange block=64 grid=1 with=m=131 with=o=0,1,2,3,4,8,17,31 -- rand:{n*m+32} ref:0+{o} zero:{4*n} i32:{m} i32:{n}
KERNEL shifted_bytes(const u8 *, const u8 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// The row's length is a constant; the number of iterations is not.
// CASE: constant load=exchange block=48 grid=1 full with=m=0,31,33,100 -- rand:{4*n*104} zero:{4*n} i32:{m} i32:{n}
KERNEL constant(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * 104 + j];
  q[i] = s;
}
// Both are.
// CASE: fixed load=exchange block=48 grid=1 full -- rand:{4*n*100} zero:{4*n} i32:{n}
KERNEL fixed(const u32 *a, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  #pragma unroll 1
  for (int j = 0; j < 100; j++) s = s * 31 + a[i * 100 + j];
  q[i] = s;
}
// CASE: pointers fewer load=exchange block=48 grid=1 full with=m=100,0,31,33 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL pointers(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const u32 *p = a + (u64)i * m, *end = p + m;
  while (p != end) s = s * 31 + *p++;
  q[i] = s;
}
// CASE: backward load=exchange block=48 grid=1 full with=m=0,31,33,100 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL backward(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = m - 1; j >= 0; j--) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// From a place that run time tells.
// CASE: from load=exchange block=48 grid=1 full with=m=40,77 with=k=0,3 -- rand:{4*n*m+4} zero:{4*n} i32:{k} i32:{m} i32:{n}
KERNEL from(const u32 *a, u32 *q, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = k; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: every_other load=widen block=48 grid=1 full with=m=1,40,77,128 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL every_other(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j += 2) s = s * 31 + a[i * m + j];
  q[i] = s;
}

// Elements of 1, 2, 8 and 16 bytes.
// CASE: bytes load=exchange block=48 grid=1 full with=m=0,100,127,128,129 -- rand:{n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL bytes(const u8 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: shorts load=exchange block=48 grid=1 full with=m=7,63,64,65,100 -- rand:{2*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL shorts(const u16 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: eights load=exchange block=48 grid=1 with=m=1,15,16,17,100 -- rand:{8*n*m+8} zero:{8*n} i32:{m} i32:{n}
KERNEL eights(const u64 *a, u64 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: sixteens load=exchange block=48 grid=1 full with=m=1,7,8,9,33 -- rand:{16*n*m+16} zero:{4*n} i32:{m} i32:{n}
KERNEL sixteens(const V4 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) { V4 v = a[i * m + j]; s = s * 31 + (v.x ^ v.y * 3 ^ v.z * 5 ^ v.w * 7); }
  q[i] = s;
}
// CASE: floats load=exchange block=48 grid=1 full with=m=7,32,100 -- frand:{4*n*m} frand:{4*m} frand:{4*n} i32:{m} i32:{n}
KERNEL floats(const float *a, const float *x, float *y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = y[i];
  for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
  y[i] = s;
}
// CASE: doubles load=exchange block=48 grid=1 full with=m=7,16,33 -- drand:{8*n*m} drand:{8*m} drand:{8*n} i32:{m} i32:{n}
KERNEL doubles(const double *a, const double *x, double *y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  double s = y[i];
  for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
  y[i] = s;
}

// Structs.
struct Pair { u32 a, b; };
struct Three { u32 a, b, c; };
struct Row { u32 head; u32 v[70]; u32 tail; };
// CASE: pairs load=exchange block=48 grid=1 full with=m=7,16,33 -- rand:{8*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL pairs(const Pair *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j].a * 3 + a[i * m + j].b;
  q[i] = s;
}
// CASE: threes load=exchange block=48 grid=1 full with=m=7,10,11,33 -- rand:{12*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL threes(const Three *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j].a * 3 + a[i * m + j].b * 5 + a[i * m + j].c;
  q[i] = s;
}
// CASE: one_of_two load=widen block=48 grid=1 full with=m=7,16,33 -- rand:{8*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL one_of_two(const Pair *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j].b;
  q[i] = s;
}
// CASE: inside fewer load=exchange block=48 grid=1 full with=m=70,0,32,33 -- rand:{288*n} zero:{4*n} i32:{m} i32:{n}
KERNEL inside(const Row *p, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = p[i].head;
  for (int j = 0; j < m; j++) s = s * 31 + p[i].v[j];
  q[i] = s + p[i].tail;
}
