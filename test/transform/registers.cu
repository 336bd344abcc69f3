// RUN: %rewritten %s --temp %t.d
// RUN: %launches --archs sm_80,sm_90,sm_120 %s
// RUN: %clang-device -nocudainc -nocudalib -I%S -I%S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll -o %t.out.ll && %FileCheck %s < %t.out.ll
// RUN: %opt -passes=coalda -pass-remarks-missed=coalda %t.ll -disable-output 2>&1 | %FileCheck %s --check-prefix=WHY
// A kernel without launch bounds launches in blocks of 1024 threads as long as it takes at most 64 registers, and must go on to.
// Rows move in pieces that leave room for that, and the backend keeps to it.
// TEXT: levels=O3
#include "records.cuh"

// CASE: one plain:load=exchange block=64 grid=1 full with=m=40,70 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CHECK: @one({{.*}} #[[CAPPED:[0-9]+]]
KERNEL one(const u32 *a, const u32 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * x[j];
  q[i] = s;
}
// Two rows: half as many bytes of each.
// CASE: two plain:load=exchange block=64 grid=1 full with=m=40,70 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i64:{m} i32:{n}
KERNEL two(const u32 *__restrict__ a, const u32 *__restrict__ b, u32 *__restrict__ q, long m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0, t = 1;
  for (long j = 0; j < m; j++) s = s * 31 + a[i * m + j], t = t * 33 ^ b[i * m + j];
  q[i] = s ^ t;
}
template <typename T> __device__ static inline T chain(const T *row, const T *x, unsigned m) {
  T s = 0;
  for (unsigned j = 0; j < m; j++) s = s * 31 + row[j] * x[j];
  return s;
}
// CASE: wide plain:load=exchange block=64 grid=1 full with=m=40,70 -- rand:{8*n*m} rand:{8*m} zero:{8*n} i32:{m} i32:{n}
KERNEL wide(const u64 *a, const u64 *x, u64 *q, unsigned m, int n) {
  int i = ROW;
  if (i < n) q[i] = chain(a + (u64)i * m, x, m);
}
// In place: the stores do not keep the addresses that the loads had.
// CASE: sweep plain:load=exchange plain:store=exchange block=64 grid=1 full with=m=40,70 -- rand:{4*n*m} rand:{4*m} i32:{m} i32:{n}
KERNEL sweep(u32 *x, const u32 *c, int m, int n) {
  int i = ROW;
  if (i < n)
    for (int j = 1; j < m; j++) x[i * m + j] = x[i * m + j] - x[i * m + j - 1] * c[j];
}
// By a pointer, backwards.
// CASE: backward plain:store=exchange block=64 grid=1 full with=m=40,70 -- rand:{4*n*m} i32:{m} i32:{n}
KERNEL backward(u32 *x, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 1;
  for (u32 *p = x + (i + 1) * m; p != x + i * m;) s = s * 17 + *--p, *p = s;
}
// Records whose pieces would go round among the lanes are swapped in halves.
// CASE: copy24 plain:load=copy plain:store=copy few -- rand:{96*n} zero:{96*n} i32:{n}
// CASE: copy28 plain:load=copy plain:store=copy few -- rand:{112*n} zero:{112*n} i32:{n}
template <int N> struct Words { u32 w[N]; };
struct alignas(16) Wide24 { u32 w[24]; };
struct alignas(16) Wide28 { u32 w[28]; };
KERNEL copy24(const Wide24 *p, Wide24 *q, int n) { int i = ROW; if (i < n) q[i] = p[i]; }
KERNEL copy28(const Wide28 *p, Wide28 *q, int n) { int i = ROW; if (i < n) q[i] = p[i]; }
// Where blocks are known to be small the kernel has more, and nobody need be told.
// CASE: bounded plain:load=exchange block=64 grid=1 full with=m=70 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
// CHECK: @bounded({{.*}} #[[BOUNDED:[0-9]+]]
KERNEL __launch_bounds__(128) bounded(const u32 *__restrict__ a, const u32 *__restrict__ b, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0, t = 1;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j], t = t * 33 ^ b[i * m + j];
  q[i] = s ^ t;
}
// Where every thread of large blocks holds much already, nothing is rewritten.
// CASE: full plain:none block=64 grid=1 full with=m=40 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// WHY: more registers than the blocks may have
KERNEL full(const u32 *a, const u32 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s[72];
#pragma unroll
  for (int k = 0; k < 72; k++) s[k] = x[k % m] * (k + i);
  for (int j = 0; j < m; j++) {
    u32 v = a[i * m + j];
#pragma unroll
    for (int k = 0; k < 72; k++) s[k] = s[k] * 31 + (v ^ s[(k + 1) % 72]);
  }
  u32 t = 0;
#pragma unroll
  for (int k = 0; k < 72; k++) t = t * 33 + s[k];
  q[i] = t;
}
// CHECK-DAG: attributes #[[CAPPED]] = {{.*}}"nvvm.maxnreg"="64"
// CHECK-DAG: attributes #[[BOUNDED]] = {{{.*}}"nvvm.maxntid"="128"
