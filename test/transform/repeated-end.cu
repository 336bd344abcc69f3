// RUN: %rewritten %s --temp %t.d
// Lanes that share a row have one iteration more or less left than others. What remains of iterations that stand side by side ends as the loop did, by its
// own comparison: ptxas unrolls that in one stretch, which all lanes take.
// TEXT: levels=O3 archs=sm_90
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_90 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
#define R __restrict__

// CHECK-LABEL: @ints(
// CHECK-COUNT-2: icmp slt i32
// CHECK-LABEL: @unsigneds(
// CASE: ints few block=64 full with=m=1,31,32,33,48,255,256,257,300,560 -- rand:{4*(n//32)*m+4} rand:{4*(n//32)*m+4} zero:{4*n} i32:{m}
KERNEL ints(const u32 *R a, const u32 *R b, u32 *R o, int m) {
  int r = ROW / 32;
  u32 s = 0;
  for (int j = threadIdx.x % 32; j < m; j += 32) s = s * 31 + a[r * m + j] * b[r * m + j];
  o[ROW] = s;
}
// CHECK-COUNT-2: icmp ult i32
// CHECK-LABEL: @longs(
// CASE: unsigneds few block=64 full with=m=1,33,48,255,256,300,560 -- rand:{4*(n//32)*m+4} rand:{4*(n//32)*m+4} zero:{4*n} i32:{m}
KERNEL unsigneds(const u32 *R a, const u32 *R b, u32 *R o, u32 m) {
  u32 r = ROW / 32, s = 0;
  for (u32 j = threadIdx.x % 32; j < m; j += 32) s = s * 31 + a[r * m + j] * b[r * m + j];
  o[ROW] = s;
}
// Of 64 bits, downwards.
// CHECK-COUNT-2: icmp sgt i64
// CHECK-LABEL: @stored(
// CASE: longs few block=64 full with=m=1,33,48,255,256,300,560 -- rand:{4*(n//32)*m+4} rand:{4*(n//32)*m+4} zero:{4*n} i64:{m} i64:{0-1}
KERNEL longs(const u32 *R a, const u32 *R b, u32 *R o, long long m, long long end) {
  long long r = ROW / 32;
  u32 s = 0;
  for (long long j = m - 1 - threadIdx.x % 32; j > end; j -= 32) s = s * 31 + a[r * m + j] * b[r * m + j];
  o[ROW] = s;
}
// With stores that may lie where it loads.
// CASE: stored few block=64 full with=m=1,31,33,48,100,128,129,560,700 -- rand:{4*(n//32)*m+4} rand:{4*(n//32)*m+4} zero:{4*(n//32)*m+4} i32:{m}
// CASE: stored few block=64 full with=m=33,100,560 -- rand:{4*(n//32)*m+4} rand:{4*(n//32)*m+4} ref:0+0 i32:{m}
KERNEL stored(const u32 *a, const u32 *b, u32 *o, int m) {
  int r = ROW / 32;
  for (int j = threadIdx.x % 32; j < m; j += 32) o[r * m + j] = a[r * m + j] * 3 + b[r * m + j];
}
