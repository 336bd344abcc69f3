// RUN: %rewritten %s --temp %t.d
// Rows of different lengths: lanes leave their loops at different times, and ptxas does not see that all are together where the exchange
// begins. An instruction of the whole warp says so; ptxas leaves it out, and with it the second copy of each exchange.
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes='coalda<block=64>' -S %t.ll | %FileCheck %s
// Turing has none.
// RUN: sed 's/sm_90/sm_75/' %t.ll > %t.old.ll
// RUN: %opt -passes='coalda<block=64>' -S %t.old.ll | %FileCheck %s --check-prefix=OLD
// OLD: llvm.nvvm.shfl
// OLD-NOT: mma.sync
#include "records.cuh"

// CHECK-LABEL: @sums(
// CHECK: [[HERE:%.*]] = call i32 @llvm.nvvm.activemask()
// CHECK-NEXT: [[ALL:%.*]] = icmp eq i32 [[HERE]], -1
// CHECK-NEXT: br i1 [[ALL]], label %[[EXCHANGE:[0-9]+]], label
// CHECK: [[EXCHANGE]]:
// CHECK-NEXT: call { i32, i32 } asm sideeffect "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {$0, $1}, {$2}, {$2}, {$2, $2};", "=r,=r,r"(i32 0)
// CHECK: call void @llvm.nvvm.bar.warp.sync
// CASE: sums load=exchange full with=m=8,40,41 -- iota:{n+1} rand:{4*n*m+16} zero:{4*n} i32:{m} i32:{n}
// CASE: sums load=exchange block=48 grid=1 with=m=39,70 -- iota:{n+1} rand:{4*n*m+16} zero:{4*n} i32:{m} i32:{n}
KERNEL sums(const u32 *__restrict__ start, const u32 *__restrict__ a, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (u32 j = start[i] * m; j < start[i + 1] * m; j++) s = s * 31 + a[j];
  q[i] = s;
}
// Every other thread's list is empty; and records that a loop of each thread's own length reads, 64-bit counters, doubles.
// CASE: some full -- iota:{n+1} rand:{4*n*64+4} zero:{4*n} i32:{n}
KERNEL some(const u32 *__restrict__ start, const u32 *__restrict__ a, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0, end = i & 1 ? start[i] * 64 : start[i] * 64 + 64;
  for (u32 j = start[i] * 64; j < end; j++) s = s * 31 + a[j];
  q[i] = s;
}
struct Four { u32 a, b, c, d; };
// CASE: records load=widen full -- rand:{16*n*9+16} zero:{4*n} i32:{n}
KERNEL records(const Four *__restrict__ p, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < i % 9; k++) { Four f = p[k * n + i]; s = s * 31 + (f.a ^ f.b) + f.c * f.d; }
  q[i] = s;
}
// CASE: doubles load=exchange full -- iota:{n+1} drand:{8*n*40+8} zero:{8*n} i64:{n}
KERNEL doubles(const u32 *__restrict__ start, const double *__restrict__ a, double *__restrict__ q, long long n) {
  long long i = ROW;
  if (i >= n) return;
  double s = 0;
  const double *end = a + start[i + 1] * 40ll;
  for (const double *p = a + start[i] * 40ll; p != end; p++) s += *p;
  q[i] = s;
}
