// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -O3 -nocudainc -nocudalib -I%S/../gen -I%S -ffp-contract=fast -fpass-plugin=%plugin %s -o %t.fast.ll
// RUN: %FileCheck %s < %t.fast.ll
// RUN: %clang-device -O3 -nocudainc -nocudalib -I%S/../gen -I%S -ffp-contract=on -fpass-plugin=%plugin %s -o %t.on.ll
// RUN: %FileCheck %s --check-prefix=ON < %t.on.ll
// Rows of which products and sums come together where iterations do. Where the compiler may not fuse what it was not written to be, ptxas
// may not either, and they move; where it may, only products that nothing is added to.
// TEXT: levels=O3
#include "records.cuh"

// ON-LABEL: @in_front(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @in_front(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
// CASE: in_front load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} f32:1.5 i32:{m} i32:{n}
KERNEL in_front(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float x = h * i, s = 0;
  for (int j = 0; j < m; j++) {
    float d = x - a[i * m + j];
    s += d * d;
  }
  q[i] = s;
}
// The sums begin with a product.
// ON-LABEL: @begins(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @begins(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
// CASE: begins load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} frand:{4*n} f32:1.5 i64:{m} i32:{n}
KERNEL begins(const float *a, float *q, float h, long m, int n) {
  long i = ROW;
  if (i >= n) return;
  float s = q[i] * h;
  for (long j = 0; j < m; j++) s += a[i * m + j];
  q[i] = s;
}
// A product of the iteration before.
// ON-LABEL: @carried(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @carried(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
// CASE: carried load=exchange plain:load=exchange block=64 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} f32:0.5 i32:{m} i32:{n}
KERNEL carried(const float *a, float *q, float h, unsigned m, unsigned n) {
  unsigned i = ROW;
  if (i >= n) return;
  float s = 1;
  for (unsigned j = 0; j < m; j++) s = (s + a[i * m + j]) * h;
  q[i] = s;
}
// By a pointer, with doubles.
// CASE: pointer load=exchange plain:load=exchange block=32 grid=1 with=m=1,16,40 -- frand:{8*n*m+8} zero:{8*n} i32:{m} i32:{n}
KERNEL pointer(const double *a, double *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  double s = 1, w = 1.5;
  for (const double *p = a + i * m, *end = p + m; p < end; p++) s = (s - *p) * w;
  q[i] = s;
}
// A product that is stored behind the loop, and one that is compared, or divides, with a sign: nothing adds it.
// CHECK-LABEL: @stored(
// CHECK: llvm.nvvm.shfl
// CASE: stored load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL stored(const float *a, float *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) s = s * a[i * m + j];
  q[i] = s;
}
// CHECK-LABEL: @compared(
// CHECK: llvm.nvvm.shfl
// CASE: compared load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} f32:1.25 i32:{m} i32:{n}
KERNEL compared(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) s = s * a[i * m + j];
  q[i] = s > h ? 3 / -s : s * h;
}
// Added behind it.
// ON-LABEL: @added(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @added(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
// CASE: added load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} f32:1.25 i32:{m} i32:{n}
KERNEL added(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) s = s * a[i * m + j];
  q[i] = (s > h ? -s : s) + h;
}
// As it leaves through another value, or to a function that nobody knows, it may be.
__device__ __attribute__((noinline)) float plus(float s, float h) { return s + h; }
// CHECK-LABEL: @given(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL given(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) s = s * a[i * m + j];
  q[i] = plus(s, h);
}
// Whatever the source says of one function, the compiler fuses all under -ffp-contract=fast.
// CHECK-LABEL: @told(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL told(const float *a, float *q, float h, int m, int n) {
#pragma clang fp contract(off)
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) s = (s + a[i * m + j]) * h;
  q[i] = s;
}
