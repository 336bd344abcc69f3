// RUN: %rewritten %s --temp %t.d
// Elements counted from the end of a row, m - 1 - j: where the compiler has unrolled the loop, the places are -1 - j, -2 ^ j, -3 ^ j, of
// an even j. Made differences again, they lie side by side.
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %FileCheck %s --check-prefix=BEFORE < %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// TEXT: levels=O3,O1
#include "records.cuh"

// BEFORE-LABEL: @reversed(
// BEFORE: xor i32 %{{.*}}, -2
// CHECK-LABEL: @reversed(
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK-COUNT-32: load i32
// CHECK-COUNT-8: store <4 x i32>
// CASE: reversed load=exchange store=exchange plain:load=exchange block=48 grid=1 with=m=0,1,7,8,31,32,33,100 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL reversed(const u32 *__restrict__ a, u32 *__restrict__ b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) b[i * m + j] = a[i * m + m - 1 - j];
}
// In place, from both ends.
// CASE: swapped block=48 grid=1 full with=m=1,2,33,64,65,130 -- rand:{4*n*m} i32:{m} i32:{n}
KERNEL swapped(u32 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m / 2; j++) {
    u32 v = a[i * m + j];
    a[i * m + j] = a[i * m + m - 1 - j];
    a[i * m + m - 1 - j] = v;
  }
}
// Numbers without a sign, which may wrap; every start.
// CASE: wrapped block=48 grid=1 full with=m=33,64 with=o=0,1,2,3 -- rand:{4*n*m+16} zero:{4*n} i32:{m} i32:{o} i32:{n}
KERNEL wrapped(const u32 *a, u32 *q, u32 m, u32 o, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (u32 j = 0; j < m; j++) s = s * 31 + a[i * m + o + (m - 1 - j)];
  q[i] = s;
}
// From a start that is not even: what looks like a difference is none.
// CASE: blended load=exchange block=48 grid=1 full with=m=32,64 with=o=0,1,2,3 -- rand:{16*n*m} zero:{4*n} i32:{m} i32:{o} i32:{n}
KERNEL blended(const u32 *a, u32 *q, int m, int o, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = o; j < m + o; j++) s = s * 31 + a[i * m + j] + a[i * m + m + 7 + (j ^ -2)] + a[i * m + m + 7 + (j ^ -4)];
  q[i] = s;
}
