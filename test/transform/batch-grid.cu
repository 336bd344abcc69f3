// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// Loops that store in some of their iterations, and go on by the threads of the grid: two of them stand side by side as far as that leaves room for as many threads.
// TEXT: levels=O3
#include "records.cuh"

#define R __restrict__

#define BY_GRID(T) for (T i = ROW; i < n; i += (T)gridDim.x * blockDim.x)

// 16 words: 32 registers.
// CHECK-LABEL: @kept(
// CHECK-SAME: #[[KEPT:[0-9]+]]
// CHECK-COUNT-2: phi i64
// CASE: kept batch=yes few with=k=1,5,33 -- rand:{4*k*T} rand:{4*k*T}:2 zero:{4*k*T} i64:{k*T}
KERNEL kept(const u32 *R m, const u32 *R a, u32 *R o, long n) {
  BY_GRID(long) {
    if (m[i] & 1) continue;
    u32 v = a[i];
    if (v & 2) continue;
    o[i] = v * v;
  }
}
// 20 words: as it was.
// CHECK-LABEL: @wide(
// CHECK: load i32
// CHECK: load i32
// CHECK: load i32
// CHECK-NOT: load i32
// CHECK-LABEL: @narrow(
// CASE: wide plain:none few with=k=1,5,33 -- rand:{4*k*T} rand:{4*k*T}:2 rand:{4*k*T}:3 zero:{4*k*T} i64:{k*T}
KERNEL wide(const u32 *R a, const u32 *R b, const u32 *R c, u32 *R o, long n) {
  BY_GRID(long) {
    u32 u = a[i], v = b[i], w = c[i];
    if (u < v) continue;
    if (u + w < v * w) continue;
    o[i] = u * v * w;
  }
}
// Counted by 32 bits it has few, and keeps to as many registers as other loops with several iterations in one body.
// CHECK-SAME: #[[KEPT]]
// CASE: narrow batch=yes few with=k=1,5,33 -- rand:{4*k*T} rand:{4*k*T}:2 zero:{4*k*T} i32:{k*T}
KERNEL narrow(const u32 *R m, const u32 *R a, u32 *R o, int n) {
  int all = gridDim.x * blockDim.x;
  for (int i = ROW; i < n; i += all) {
    if (m[i] & 1) continue;
    u32 v = a[i];
    if (v & 2) continue;
    o[i] = v * v;
  }
}
// CHECK: attributes #[[KEPT]] = {{.*}}"nvvm.maxnreg"="32"
