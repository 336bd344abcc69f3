// RUN: %rewritten %s --temp %t.d
// What an iteration loads, an iteration before it has stored, and the compiler could not tell: an index that may wrap, or a store
// to another array in between. In the longer loop the stores go down to the last, and hand over what they write.
// TEXT: levels=O3,O1
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"

// The index i * m + (j - 1) is computed apart from i * m + j. The first of 33 words is loaded, 32 sums are handed on.
// CHECK-LABEL: @sweep(
// CHECK: call i32 @llvm.nvvm.activemask()
// CASE: sweep load=exchange store=exchange plain:load=exchange plain:store=exchange block=48 grid=1 with=m=1,9,34,70 -- rand:{4*n*m} rand:{4*m} i32:{m} i32:{n}
KERNEL sweep(u32 *x, const u32 *c, int m, int n) {
  int i = ROW;
  if (i < n)
    for (int j = 1; j < m; j++) x[i * m + j] = x[i * m + j] - x[i * m + (j - 1)] * c[j];
}
// The index may wrap: that the first and the last of what is handed on lie where they seem to is tested.
// CHECK-LABEL: @unsigned_sweep(
// CHECK: %[[LAST:[0-9]+]] = add i64 %{{[0-9]+}}, 124
// CHECK-NEXT: icmp eq i64 %{{[0-9]+}}, %[[LAST]]
// CASE: unsigned_sweep load=exchange store=exchange block=48 grid=1 with=m=17,70 -- rand:{4*n*m} rand:{4*m} i32:{m} i32:{n}
KERNEL unsigned_sweep(u32 *x, const u32 *c, u32 m, u32 n) {
  u32 i = ROW;
  if (i < n)
    for (u32 j = 1; j < m; j++) x[i * m + j] = x[i * m + j] - x[i * m + (j - 1)] * c[j];
}
// What is loaded through an index of 16 bits lies elsewhere from element 65536 on: the members are where they seem to, it is not.
// CASE: two_indices load=exchange store=exchange block=32 grid=1 full with=f=0,63000,65500 -- rand:{4*69000} rand:{4*48} i32:48 i32:{f}
KERNEL two_indices(u32 *x, const u32 *c, int m, u32 f) {
  u32 i = ROW;
  for (u32 j = 1; j < m; j++) x[f + i * 96 + j] = x[f + i * 96 + j] - x[(u16)(f + i * 96 + (j - 1))] * c[j];
}
// Two arrays that feed each other, as in an alternating direction solver.
// CASE: adi load=exchange store=exchange plain:load=exchange plain:store=exchange block=48 grid=1 with=m=9,34,70 -- rand:{4*n*m} rand:{4*n*m} rand:{4*n*m} i32:{m} i32:{n}
KERNEL adi(const u32 *__restrict__ a, u32 *__restrict__ b, u32 *__restrict__ x, int m, int n) {
  int i = ROW;
  if (i < n)
    for (int j = 1; j < m; j++) {
      x[i * m + j] = x[i * m + j] - x[i * m + (j - 1)] * a[i * m + j] / (b[i * m + (j - 1)] | 1);
      b[i * m + j] = b[i * m + j] - a[i * m + j] * a[i * m + j] / (b[i * m + (j - 1)] | 1);
    }
}
// The same where the arrays may be one: what overlaps is tested, and here it is one array, or two that lie one element apart.
// CASE: adi_plain load=exchange store=exchange plain:load=exchange plain:store=exchange block=48 grid=1 with=m=9,34,70 -- rand:{4*n*(m+3)} rand:{4*n*(m+3)} rand:{4*n*(m+3)} i32:{m} i32:{m+3} i32:{n}
// CASE: adi_plain block=48 grid=1 with=m=9,34 with=o=0,4,8 -- rand:{4*n*(m+3)} rand:{4*n*(m+3)} ref:1+{o} i32:{m} i32:{m+3} i32:{n}
// CASE: adi_plain block=48 grid=1 with=m=9,34 with=o=0,4,8 -- rand:{4*n*(m+3)} ref:0+{o} rand:{4*n*(m+3)} i32:{m} i32:{m+3} i32:{n}
KERNEL adi_plain(const u32 *a, u32 *b, u32 *x, int m, int w, int n) {
  int i = ROW;
  if (i < n)
    for (int j = 1; j < m; j++) {
      x[i * w + j] = x[i * w + j] - x[i * w + (j - 1)] * a[i * w + j] / (b[i * w + (j - 1)] | 1);
      b[i * w + j] = b[i * w + j] - a[i * w + j] * a[i * w + j] / (b[i * w + (j - 1)] | 1);
    }
}
// From the end, as an alternating direction solver goes back: loads and stores of one array through unlike indices are two groups,
// which lie where they seem to, and not apart.
// CASE: back load=exchange store=exchange fewer block=64 grid=1 full with=m=70,9 -- rand:{4*n*m} rand:{4*n*m} rand:{4*n*m} i32:{m} i32:{n}
KERNEL back(const u32 *a, const u32 *b, u32 *x, int m, int n) {
  int i = ROW;
  if (i < n)
    for (int j = 0; j < m - 2; j++)
      x[i * m + (m - j - 2)] =
          (x[i * m + (m - 2 - j)] - x[i * m + (m - 2 - j - 1)] * a[i * m + (m - j - 3)]) / (b[i * m + (m - 3 - j)] | 1);
}
// Two elements back, and what was handed on goes on to the next array.
// CASE: two_back load=exchange store=exchange block=48 grid=1 with=m=3,34,70 -- rand:{4*n*m} rand:{4*n*m} i32:{m} i32:{n}
KERNEL two_back(u32 *__restrict__ x, u32 *__restrict__ y, int m, int n) {
  int i = ROW;
  if (i < n)
    for (int j = 2; j < m; j++) {
      x[i * m + j] += 3 * x[i * m + (j - 2)] + y[i * m + (j - 1)];
      y[i * m + j] = x[i * m + (j - 1)];
    }
}
// What is loaded is not what was stored, but a part of it, or more: it is not handed on.
// CASE: part block=48 grid=1 with=m=9,34 -- rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL part(u32 *x, int m, int n) {
  int i = ROW;
  if (i < n)
    for (int j = 1; j < m; j++) x[i * m + j] += ((const u8 *)x)[4 * (i * m + (j - 1)) + 1];
}
// CASE: more block=48 grid=1 with=m=9,34 -- rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL more(u8 *x, int m, int n) {
  int i = ROW;
  if (i < n)
    for (int j = 1; j < m; j++) x[4 * (i * m + j) + 1] = (u8)(x[4 * (i * m + j)] + ((const u32 *)x)[i * m + (j - 1)] * 7);
}
// CASE: halves block=48 grid=1 with=m=9,34,100 -- rand:{4*n*m} i32:{m} i32:{n}
typedef u64 __attribute__((aligned(4))) loose;
KERNEL halves(u32 *x, int m, int n) {
  int i = ROW;
  if (i < n)
    for (int j = 2; j + 1 < m; j += 2) *(loose *)(x + i * m + j) = *(loose *)(x + i * m + (j - 1)) * 3 + 1;
}
// A copy hands on what it copies.
// CASE: copied store=exchange fewer block=48 grid=1 with=m=9,70 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL copied(const u32 *__restrict__ x, u32 *__restrict__ y, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  u32 s = 0;
  if (i >= n) return;
  for (int j = 1; j < m; j++) {
    s = (s * 31 + y[i * m + j]) * 7 + y[i * m + (j - 1)];
    y[i * m + j] = x[i * m + j];
  }
  q[i] = s;
}
// What comes after the last store reads memory, which another store may have written by then.
// CASE: after load=exchange block=64 grid=2 -- rand:{12*n} rand:{12*n} zero:{4*n} i32:{n}
// CASE: after block=64 grid=2 -- rand:{12*n} ref:0 zero:{4*n} i32:{n}
KERNEL after(u32 *p, u32 *q, u32 *out, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 a = p[3 * i], b = p[3 * i + 1];
  p[3 * i] = a + 1;
  p[3 * i + 1] = b * 3;
  q[3 * i] = b;
  out[i] = p[3 * i] * p[3 * i + 1];
}
// The threads that pass a barrier have stored what others read.
// CASE: barrier block=64 grid=1 full -- rand:{12*n} rand:{4*n} zero:{4*n} i32:{n}
KERNEL barrier(u32 *p, u32 *q, u32 *__restrict__ out, int n) {
  int i = threadIdx.x;
  u32 a = p[3 * i], b = p[3 * i + 1];
  p[3 * i] = a + 1;
  q[i] = a;
  u32 u = p[3 * i];
  __syncthreads();
  p[3 * i + 1] = u + b;
  out[i] = u;
}
