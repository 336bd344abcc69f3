// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -S -emit-llvm -I%S -I%S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// What remains of a loop that clang does not count ends as the original does, so that ptxas unrolls it in one stretch: by the pointer that moves, not by a
// number of iterations. Of a list it is all that remains; of a row, pieces of a sector come in front of it.
// TEXT: levels=O3,O1
#include "records.cuh"

// CHECK-LABEL: @list(
// CHECK: load <4 x i32>
// CHECK: load i32, {{.*}}!coalda.rest
// CHECK-NOT: !coalda.rest
// CHECK: load i32, {{.*}}!coalda.rest
// CHECK-NOT: !coalda.rest
// CHECK: icmp ult ptr
// CHECK-LABEL: @sums(
// CASE: list plain:load=exchange load=exchange block=64 full with=k=1,15,16,17,40 -- rand:{4*n} bits:{n*k+4}:4 bits:{n+4}:5 rand:64 zero:{4*n} i32:{k}
KERNEL list(const u32 *v, const u32 *at, const u32 *count, const u32 *x, u32 *out, int most) {
  int i = ROW;
  const u32 *p = at + i * most, *e = p + count[i] % (most + 1);
  u32 s = v[i];
  for (; p < e; p++) s = s * 31 + x[*p];
  out[i] = s;
}
// CHECK-COUNT-9: load i32, {{.*}}!coalda.rest
// CHECK: icmp ult ptr
// CHECK-LABEL: @down(
// CASE: sums plain:load=exchange load=exchange block=64 full with=m=0,1,7,8,31,33,40,67 -- rand:{4*n*m+4} zero:{4*n} i32:{m}
KERNEL sums(const u32 *v, u32 *out, int m) {
  int i = ROW;
  const u32 *p = v + (unsigned long)i * m, *e = p + m;
  u32 s = 0;
  while (p < e) s = s * 31 + *p++;
  out[i] = s;
}
// Until two pointers are equal, behind pieces: by a count.
// CASE: down plain:load=exchange load=exchange block=64 full with=m=0,1,7,8,31,33,40,67 -- rand:{8*n*m+8} zero:{8*n} i64:{m}
KERNEL down(const u64 *v, u64 *out, long m) {
  long i = ROW;
  const u64 *b = v + i * m, *p = b + m;
  u64 s = 0;
  while (p != b) s = s * 31 + *--p;
  out[i] = s;
}
// CASE: until plain:load=exchange load=exchange block=64 full with=k=1,15,16,17,40 -- rand:{4*n} bits:{n*k+4}:4 bits:{n+4}:5 rand:64 zero:{4*n} i32:{k}
KERNEL until(const u32 *v, const u32 *at, const u32 *count, const u32 *x, u32 *out, int most) {
  int i = ROW;
  const u32 *p = at + i * most, *e = p + count[i] % (most + 1);
  u32 s = v[i];
  for (; p != e; p++) s = s * 31 + x[*p];
  out[i] = s;
}
// CASE: written store=exchange load=exchange block=64 full with=m=0,1,7,31,33,67 -- rand:{4*n*m+4} i32:{m}
KERNEL written(u32 *v, int m) {
  u32 *p = v + (unsigned long)ROW * m, *e = p + m;
  for (; p < e; ++p) *p = *p * 5 + 3;
}
// By steps whose number is a quotient.
// CASE: steps load=exchange block=64 full with=m=3,30,33,96,99 -- rand:{4*n*m+4} zero:{4*n} i32:{m}
KERNEL steps(const u32 *v, u32 *out, int m) {
  int i = ROW;
  u32 a = 0, b = 0, c = 0;
  for (int k = 0; k < m; k += 3) {
    a = a * 3 + v[i * m + k];
    b = b * 5 ^ v[i * m + k + 1];
    c += v[i * m + k + 2];
  }
  out[i] = a + b * c;
}
