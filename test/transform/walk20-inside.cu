// RUN: %rewritten %s --temp %t.d
// Loops that leave in the middle of an iteration, behind a number of whole ones that is known before: what the compiler has unrolled by a
// number that does not divide its iterations, and what is written so. Their whole iterations are made longer; the last stands behind them.
// TEXT: levels=O3,O1
#include "records.cuh"

// 91 = 11 * 8 + 3, and 33 = 8 * 4 + 1.
// CASE: row91 load=exchange plain:load=exchange fewer -- rand:{4*n*91} rand:{4*91} zero:{4*n} i32:{n}
KERNEL row91(const u32 *a, const u32 *x, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 8") for (int j = 0; j < 91; j++) s = s * 31 + a[i * 91 + j] * x[j];
  q[i] = s;
}
// CASE: row33 load=exchange plain:load=exchange fewer -- rand:{4*n*33} zero:{4*n} i32:{n}
KERNEL row33(const u32 *a, u32 *q, unsigned n) {
  unsigned i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 4") for (unsigned j = 0; j < 33; ++j) s = s * 31 + a[i * 33 + j];
  q[i] = s;
}
// Floats, whose products are fused with their sums.
// CASE: row1003 block=64 few load=exchange plain:load=exchange -- rand:{4*n*1003} rand:{4*1003} zero:{4*n} i32:{n}
KERNEL row1003(const float *a, const float *x, float *q, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  _Pragma("unroll 4") for (int j = 0; j < 1003; j++) s += a[i * 1003 + j] * x[j];
  q[i] = s;
}
// Seven are hardly any: one whole iteration of four.
// CASE: row7 -- rand:{4*n*7} zero:{4*n} i32:{n}
KERNEL row7(const u32 *a, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 4") for (int j = 0; j < 7; j++) s = s * 31 + a[i * 7 + j];
  q[i] = s;
}
template <class T, int N, int U> __device__ inline T sum_of(const T *row) {
  T s = 0;
  _Pragma("unroll U") for (int j = 0; j < N; j++) s = s * 31 + row[j];
  return s;
}
// CASE: wide load=exchange plain:load=exchange fewer -- rand:{8*n*91} zero:{8*n} i64:{n}
KERNEL wide(const u64 *a, u64 *q, long long n) {
  long long i = ROW;
  if (i >= n) return;
  q[i] = sum_of<u64, 91, 2>(a + i * 91);
}
// CASE: bytes load=exchange fewer -- rand:{n*1003} zero:{n} i32:{n}
KERNEL bytes(const unsigned char *a, unsigned char *q, int n) {
  int i = ROW;
  if (i >= n) return;
  q[i] = sum_of<unsigned char, 1003, 8>(a + i * 1003);
}
// CASE: doubles few load=exchange -- rand:{8*n*91} rand:{8*91} zero:{8*n} i32:{n}
KERNEL doubles(const double *a, const double *x, double *q, int n) {
  int i = ROW;
  if (i >= n) return;
  double s = 0;
  _Pragma("unroll 4") for (int j = 0; j < 91; j++) s += a[i * 91 + j] * x[j];
  q[i] = s;
}
// CASE: pointers load=exchange fewer -- rand:{4*n*91} zero:{4*n} i32:{n}
KERNEL pointers(const u32 *a, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const u32 *end = a + i * 91 + 91;
  _Pragma("unroll 4") for (const u32 *p = a + i * 91; p != end; p++) s = s * 31 + *p;
  q[i] = s;
}
// CASE: backward load=exchange fewer -- rand:{4*n*91} zero:{4*n} i32:{n}
KERNEL backward(const u32 *a, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 4") for (int j = 90; j >= 0; j--) s = s * 31 + (a[i * 91 + j] ^ j);
  q[i] = s;
}
// CASE: two load=exchange -- rand:{4*n*90} rand:{4*n*91} zero:{4*n} i32:{n}
KERNEL two(const u32 *a, const u32 *b, u32 *q, int n) {
  int i = ROW, j = 0;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 4") do s = s * 31 + (a[i * 90 + j] ^ b[i * 91 + j]);
  while (++j < 90);
  q[i] = s;
}
// Stores, in place; the same memory read on, where the last iteration reads what whole ones have written.
// CASE: scaled load=exchange store=exchange fewer -- rand:{4*n*91} i32:{n}
KERNEL scaled(u32 *a, int n) {
  int i = ROW;
  if (i >= n) return;
  _Pragma("unroll 4") for (int j = 0; j < 91; j++) a[i * 91 + j] = a[i * 91 + j] * 3 + j;
}
// CASE: handed -- rand:{4*n*92} i32:{n}
KERNEL handed(u32 *a, int n) {
  int i = ROW;
  if (i >= n) return;
  _Pragma("unroll 4") for (int j = 0; j < 91; j++) a[i * 92 + j + 1] = a[i * 92 + j + 1] * 3 + a[i * 92 + j];
}
// CASE: shifted block=64 with=o=0,4,16,128 -- rand:{4*n*128+256} ref:0+{o} i32:{n}
KERNEL shifted(const u32 *a, u32 *b, int n) {
  int i = ROW;
  if (i >= n) return;
  _Pragma("unroll 4") for (int j = 0; j < 91; j++) b[i * 128 + j] = a[i * 128 + j] * 3 + j;
}
// Written so, with a number that is known at run time alone: no whole iteration, one, many; several values that live on.
// CASE: middle block=48 load=exchange with=m=1,2,3,8,31,32,33,64,65,131 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL middle(const u32 *a, u32 *q, int m, int n) {
  int i = ROW, j = 0;
  if (i >= n) return;
  u32 s = 0, t = 1, last = 5;
  _Pragma("unroll 1") for (;;) {
    u32 v = a[i * m + j];
    s = s * 31 + (v ^ last);
    if (++j >= m) break;
    t = t * 3 + s;
    last = v;
  }
  q[i] = s + t * 7 + last * 11;
}
// Two rows, of which the second is read after the way out.
// CASE: behind block=64 load=exchange with=m=1,2,3,8,31,32,33,64,65,131 -- rand:{4*n*m+4} rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL behind(const u32 *a, const u32 *b, u32 *q, unsigned m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (unsigned j = 0;; j++) {
    s = s * 31 + a[i * m + j];
    if (j + 1 == m) break;
    s ^= b[i * m + j];
  }
  q[i] = s;
}
// Two ways out, each with a bound of its own, and one of them is the end.
// CASE: either block=64 load=exchange with=m=1,2,3,8,32,33,64,131 with=k=1,2,31,33,70,200 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{k} i32:{n}
KERNEL either(const u32 *a, u32 *q, int m, int k, int n) {
  int i = ROW, j = 0;
  if (i >= n) return;
  u32 s = 0, t = 1;
  _Pragma("unroll 1") for (;;) {
    s = s * 31 + a[i * m + j];
    if (j + 1 == m) break;
    t = t * 5 + s;
    if (++j == k) break;
  }
  q[i] = s + t;
}
// Rows of lengths of their own, by some threads.
// CASE: lengths block=64 load=exchange with=m=40,70,131 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL lengths(const u32 *a, u32 *q, int m, int n) {
  int i = ROW, j = 0, own = m - i % 32;
  if (i >= n || i % 5 == 1) return;
  u32 s = 0, t = 1;
  _Pragma("unroll 1") for (;;) {
    s = s * 31 + a[i * m + j];
    if (++j == own) break;
    t ^= s;
  }
  q[i] = s + t;
}
// What data decide stays.
// CASE: decided refuse=WalkEnds none -- rand:{4*n*70} zero:{4*n} i32:{n}
KERNEL decided(const u32 *a, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < 70; j++) {
    u32 v = a[i * 70 + j];
    if (v > 0xf0000000u) break;
    s = s * 31 + v;
  }
  q[i] = s;
}
