// RUN: %rewritten %s --temp %t.d
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_90 -S -emit-llvm -nocudainc -nocudalib -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// TEXT: levels=O3 archs=sm_90
// Lists that the compiler has unrolled by four move eight entries at a time; in launches of few threads only where each has three pieces, six of the loop's iterations, or three lanes of four have six.
#include "records.cuh"
// CHECK-LABEL: @product(
// CHECK: icmp ult i32 %{{[0-9]+}}, 79200
// CHECK: [[LONG:%.*]] = icmp uge i32 %{{[0-9]+}}, 5
// CHECK: [[LONGER:%.*]] = icmp uge i32 %{{[0-9]+}}, 11
// CHECK: call i32 @llvm.nvvm.vote.ballot.sync(i32 %{{[0-9]+}}, i1 [[LONGER]])
// CHECK: call i1 @llvm.nvvm.vote.all.sync(i32 %{{[0-9]+}}, i1 [[LONG]])
// CASE: product plain:load=exchange with=most=0,3,8,23,24,25,61 -- rand:{4*n} rand:{4*n*most+4}:3 rand:{4*n*most+4} rand:256 zero:{4*n} i32:{most} i32:{n}
KERNEL product(const u32 *__restrict__ count, const u32 *__restrict__ c, const u32 *__restrict__ a, const u32 *__restrict__ x, u32 *__restrict__ out, int most, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  int many = count[i] % (most + 1);
  for (int k = 0; k < many; k++) s += a[i * most + k] * x[c[i * most + k] & 63];
  out[i] = s;
}
// By a pointer: as ever, as what remains is ptxas' own.
// CHECK-LABEL: @chain(
// CHECK-NOT: 79200
// CHECK: ret void
// CASE: chain plain:load=exchange with=most=0,3,8,23,24,25,61 -- rand:{4*n} rand:{4*n*most+4}:3 rand:256 zero:{4*n} i32:{most} i32:{n}
KERNEL chain(const u32 *__restrict__ count, const u32 *__restrict__ c, const u32 *__restrict__ x, u32 *__restrict__ out, int most, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (const u32 *p = c + i * most, *e = p + count[i] % (most + 1); p < e; p++) s += x[*p & 63];
  out[i] = s;
}
// Of those that it has not, those whose entries lead to records behind a condition: each waits for the one before it.
// CHECK-LABEL: @forces(
// CHECK: icmp ult i32 %{{[0-9]+}}, 79200
// CASE: forces plain:load=exchange with=most=0,3,8,23,24,25,61 -- rand:{4*n} rand:{4*n*most+4}:3 rand:1024 zero:{4*n} i32:{most} i32:{n}
struct alignas(16) Place { u32 x, y, z, w; };
KERNEL forces(const u32 *__restrict__ count, const u32 *__restrict__ c, const Place *__restrict__ x, u32 *__restrict__ out, int most, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  int many = count[i] % (most + 1);
#pragma unroll 1
  for (int k = 0; k < many; k++) {
    u32 j = c[i * most + k] & 63;
    if (j == (i & 63)) continue;
    Place p = x[j];
    u32 r = (p.x - s) * (p.y + k) + p.z;
    if (r & 1) s = s * 5 + p.w / (r | 1);
  }
  out[i] = s;
}
// CHECK-LABEL: @words(
// CHECK-NOT: 79200
// CHECK: ret void
// CASE: words plain:load=exchange with=most=0,3,8,23,24,25,61 -- rand:{4*n} rand:{4*n*most+4}:3 rand:256 zero:{4*n} i32:{most} i32:{n}
KERNEL words(const u32 *__restrict__ count, const u32 *__restrict__ c, const u32 *__restrict__ x, u32 *__restrict__ out, int most, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  int many = count[i] % (most + 1);
#pragma unroll 1
  for (int k = 0; k < many; k++) {
    u32 j = c[i * most + k] & 63;
    if (j == (i & 63)) continue;
    u32 r = x[j] - s;
    if (r & 1) s = s * 5 + x[j] / (r | 1);
  }
  out[i] = s;
}
