// RUN: %rewritten %s --temp %t.d
// What remains of a row moves in pieces of 128 bytes, then a sector at a time, then alone: rows that are shorter than a block gain too.
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt "-passes=coalda<without=shelves>" -S %t.ll | %FileCheck %s
// TEXT: levels=O3,O1
#include "records.cuh"

// CHECK-LABEL: @sums(
// CHECK: and i32 %{{.*}}, 31
// CHECK-COUNT-32: load i32, ptr addrspace(1)
// CHECK: and i32 %{{.*}}, 7
// CHECK-COUNT-8: load i32, {{.*}}!coalda.rest
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK-COUNT-16: load <4 x i32>
// CASE: sums load=exchange block=48 grid=1 full with=m=0,1,7,8,9,15,16,17,24,31,63,64,65,95,127 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: sums plain:load=exchange fewer block=64 grid=1 full with=m=48 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL sums(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// Two rows, of which one is written: a block is 128 bytes, and what remains goes a sector at a time.
// CASE: running load=exchange store=exchange plain:store=exchange block=48 grid=1 full with=m=7,15,16,24,31,48,63 -- rand:{4*n*m} zero:{4*n*m} i32:{m} i32:{n}
KERNEL running(const u32 *a, u32 *b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) b[i * m + j] = s = s * 31 + a[i * m + j];
}
// What remains of a row that is met again lies in the cache: no sectors of it.
// CHECK-LABEL: @again(
// CHECK-NOT: %xtraiter{{[0-9]*}} = and i32 %{{.*}}, 7
// CHECK: and i32 %{{.*}}, 31
// CHECK-NOT: %xtraiter{{[0-9]*}} = and i32 %{{.*}}, 7
// CHECK: ret void
// CASE: again load=exchange block=48 grid=1 full with=m=0,1,8,31,32,33,64,95 -- rand:{4*n*m+4} rand:{20*m+4} zero:{4*n} i32:5 i32:{m} i32:{n}
KERNEL again(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (int c = 0; c < times; c++) {
    _Pragma("unroll 1") for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
    q[i] = s; /* for all that is known, a part of the row: it is not held */
  }
}
