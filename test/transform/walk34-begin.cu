// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// Rows that begin with their second word, or with the last but one: where all lanes' rows lie so that a piece begins with 16 bytes a few iterations on,
// and are long, those iterations are made in front of the longer loop, one behind the other (analysis/walks/row_begin.c).
// TEXT: levels=O3
#include "records.cuh"

// 15 iterations, a vote in front of them, and 16 bytes at a time behind.
// CHECK-LABEL: @forward(
// CHECK: [[ALL:%.*]] = call i1 @llvm.nvvm.vote.all.sync(
// CHECK: select i1 [[ALL]], i32 15, i32 0
// CHECK: load <4 x i32>
// CASE: forward load=exchange store=exchange block=48 grid=1 full with=m=0,1,2,16,17,47,48,49,64,144,160,255 -- rand:{4*n*m+4} rand:{4*n*m+4} rand:{4*n*m+4} rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL forward(const u32 *__restrict__ a, const u32 *__restrict__ b, const u32 *__restrict__ c, u32 *__restrict__ d, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 7;
  _Pragma("unroll 1") for (int j = 1; j < m; j++) d[i * m + j] = s = s * a[i * m + j] + (b[i * m + j] ^ c[i * m + j]) * d[i * m + j];
}
// Downwards, from the last word but one.
// CHECK-LABEL: @backward(
// CHECK: select i1 %{{.*}}, i32 -15, i32 0
// CHECK: load <4 x i32>
// CASE: backward load=exchange store=exchange block=48 grid=1 full with=m=2,16,17,47,48,49,64,144,160,255 -- rand:{4*n*m+4} rand:{4*n*m+4} rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL backward(const u32 *__restrict__ a, const u32 *__restrict__ c, u32 *__restrict__ d, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 7;
  _Pragma("unroll 1") for (int j = m - 2; j >= 0; j--) d[i * m + j] = s = d[i * m + j] - (c[i * m + j] ^ a[i * m + j]) * s;
}
// From the last word on its pieces end with their rows as it is.
// CHECK-LABEL: @whole(
// CHECK-NOT: call i1 @llvm.nvvm.vote.all.sync(i32 %{{.*}}, i1 %{{.*}})
// CHECK: load <4 x i32>
// CHECK: ret void
// CASE: whole load=exchange store=exchange block=64 full with=m=16,144,145,160 -- rand:{4*n*m+4} rand:{4*n*m+4} rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL whole(const u32 *__restrict__ a, const u32 *__restrict__ c, u32 *__restrict__ d, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 7;
  _Pragma("unroll 1") for (int j = m - 1; j >= 0; j--) d[i * m + j] = s = d[i * m + j] - (c[i * m + j] ^ a[i * m + j]) * s;
}
// Elements of eight bytes, by a number of 64 bits, in place.
// CHECK-LABEL: @wide(
// CHECK: select i1 %{{.*}}, i64 7, i64 0
// CASE: wide load=exchange store=exchange block=48 grid=1 full with=m=1,8,9,23,24,25,72,80,101 -- rand:{8*n*m+8} rand:{8*n*m+8} i64:{m} i32:{n}
KERNEL wide(const u64 *__restrict__ a, u64 *__restrict__ d, long m, int n) {
  long i = ROW;
  if (i >= n) return;
  u64 s = 7;
  _Pragma("unroll 1") for (long j = 1; j < m; j++) d[i * m + j] = s = s * a[i * m + j] + d[i * m + j];
}
// By pointers, from a template, with a sum that only the end wants.
template <class T> __device__ T run(const T *a, T *d, const T *end, T s) {
  _Pragma("unroll 1") for (; a != end; a++, d++) *d = s = s * *a + (s >> 3);
  return s;
}
// CASE: pointers load=exchange store=exchange block=48 grid=1 full with=m=1,2,47,48,64,160,200 -- rand:{4*n*m+4} zero:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL pointers(const u32 *__restrict__ a, u32 *__restrict__ d, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  q[i] = run(a + i * m + 1, d + i * m + 1, a + i * m + m, 5u);
}
// Nobody says that they are apart: they may be one.
// CASE: same load=exchange store=exchange block=64 full with=m=144,145,160 -- rand:{4*n*m+4} ref:0 i32:{m} i32:{n}
// CASE: same load=exchange store=exchange block=64 full with=m=144,145,160 -- rand:{4*n*m+4} rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL same(const u32 *a, u32 *d, unsigned m, unsigned n) {
  unsigned i = ROW;
  if (i >= n) return;
  u32 s = 7;
  _Pragma("unroll 1") for (unsigned j = 1; j < m; j++) d[i * m + j] = s = s * 31 + a[i * m + j];
}
// Arrays that do not begin at multiples of anything, of which one lies as the other does not.
// CASE: crooked block=64 full with=m=144,160 with=o=0,4,8,12 -- rand:{4*n*m+16} ref:0+{o} rand:{4*n*m+16} i32:{m} i32:{n}
KERNEL crooked(const u32 *__restrict__, const u32 *__restrict__ a, u32 *__restrict__ d, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 7;
  _Pragma("unroll 1") for (int j = 1; j < m; j++) d[i * m + j] = s = s * 31 + a[i * m + j];
}
// Rows of lengths of their own, some of which are short; and lanes that stay away.
// CASE: uneven block=64 full with=m=160,300 -- rand:{4*n*m+4} rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL uneven(const u32 *__restrict__ a, u32 *__restrict__ d, int m, int n) {
  int i = ROW;
  if (i >= n || i % 5 == 3) return;
  u32 s = 7;
  int end = i % 3 ? m : m - 3 * i;
  _Pragma("unroll 1") for (int j = 1; j < end; j++) d[i * m + j] = s = s * 31 + a[i * m + j];
}
// From a column that nobody knows: nothing is made in front.
// CHECK-LABEL: @column(
// CHECK-NOT: call i1 @llvm.nvvm.vote.all.sync(i32 %{{.*}}, i1 %{{.*}})
// CHECK: ret void
// CASE: column load=exchange store=exchange block=64 full with=m=160,200 with=o=0,1,15,16 -- rand:{4*n*m+4} rand:{4*n*m+4} rand:{4*n*m+4} i32:{m} i32:{o} i32:{n}
KERNEL column(const u32 *__restrict__ a, const u32 *__restrict__ c, u32 *__restrict__ d, int m, int o, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 7;
  _Pragma("unroll 1") for (int j = o; j < m; j++) d[i * m + j] = s = d[i * m + j] - (c[i * m + j] ^ a[i * m + j]) * s;
}
// What an inlined function promises of one iteration is not promised of those that are made one behind the other.
// CASE: of_function few block=32 grid=2 with=m=64,100 -- rand:{4*n*m} rand:{4*n*m} i32:{m} i32:{n}
__device__ inline __attribute__((always_inline)) void take_off(u32 *__restrict__ d, const u32 *__restrict__ a, u32 c) { *d = *d - *a * c; }
KERNEL of_function(u32 *x, const u32 *__restrict__ c, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 3;
#pragma unroll 1
  for (int j = m - 3; j >= 0; j--) {
    s = s * 5 + c[i * m + j];
    take_off(x + i * m + j, x + i * m + j + 2, c[i * m + j] + s);
  }
}
