// RUN: %rewritten %s --temp %t.d
// Rows of eight bytes an element, by counters of 64 bits: the compiler unrolls their loops by eight (here it is told to, but of doubles), so that two iterations make a piece. What
// remains of two is one, and yet a loop: a warp that finds no shelf does all that is left there.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// RUN: %opt -passes=coalda -coalda-trace=longs -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=TRACE
// TRACE: longs: plan: region of groups {{.*}}, on a shelf, with a way out
#include "records.cuh"

// CHECK-LABEL: @longs(
// CHECK-COUNT-8: call void @llvm.nvvm.cp.async.cg.shared.global.16
// CHECK-NOT: shfl.sync.bfly
// CHECK: ret void
// CASE: longs plain:load=exchange load=exchange block=64 full with=m=0,1,2,7,8,15,16,17,24,30,32,46,48,62,64,100 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n} i64:{m} i64:{n}
// CASE: longs block=288 full with=m=15,16,40,62 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n} i64:{m} i64:{n}
// CASE: longs block=48 grid=1 full with=m=8,31,40,48,62 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n} i64:{m} i64:{n}
// CASE: longs few with=m=33,48 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n+8} i64:{m} i64:{n}
KERNEL longs(const u64 *a, const u64 *w, u64 *q, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  u64 s = 0;
  _Pragma("unroll 8") for (long j = 0; j < m; j++) s = (s ^ a[i * m + j]) + w[j];
  q[i] = s;
}
// CASE: sizes plain:load=exchange load=exchange block=64 full with=m=0,1,16,23,24,31,48,62,96 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n} i64:{m} i64:{n}
// CASE: sizes block=288 full with=m=40,63 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n} i64:{m} i64:{n}
KERNEL sizes(const u64 *a, const u64 *w, u64 *q, u64 m, u64 n) {
  u64 i = ROW, s = 0;
  if (i >= n) return;
  _Pragma("unroll 8") for (u64 j = 0; j < m; ++j) s = (s - a[i * m + j]) ^ w[j];
  q[i] = s;
}
// Rows that lie anywhere, and are longer than what is read of them.
// CASE: from_anywhere load=exchange block=64 full with=m=17,48,57 with=o=0,8 -- rand:{8*n*(m+3)+16} ref:0+{o} rand:{8*m+16} ref:2+{8-o} zero:{8*n} i64:{m} i64:{n}
KERNEL from_anywhere(const u64 *, const u64 *a, const u64 *, const u64 *w, u64 *q, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  u64 s = 0;
  _Pragma("unroll 8") for (long j = 0; j < m; j++) s = (s ^ a[i * (m + 3) + j]) + w[j];
  q[i] = s;
}
// By index of 64 bits from counters of 32.
// CASE: ints plain:load=exchange load=exchange block=64 full with=m=0,15,16,31,48,62 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n} i32:{m} i32:{n}
// CASE: ints block=48 grid=1 full with=m=8,40,62 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n} i32:{m} i32:{n}
KERNEL ints(const u64 *a, const u64 *w, u64 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 s = 0;
  _Pragma("unroll 8") for (int j = 0; j < m; j++) s = (s ^ a[(long)i * m + j]) + w[j];
  q[i] = s;
}
// CASE: doubles plain:load=exchange load=exchange block=64 full with=m=0,1,15,16,24,31,48,62 -- drand:{8*n*m+8} drand:{8*m+8} zero:{8*n} i64:{m} i64:{n}
// CASE: doubles block=288 full with=m=40 -- drand:{8*n*m+8} drand:{8*m+8} zero:{8*n} i64:{m} i64:{n}
KERNEL doubles(const double *a, const double *w, double *q, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  double s = 0;
  for (long j = 0; j < m; j++) s += a[i * m + j] * w[j];
  q[i] = s;
}
// One row of sixteen words an iteration, with nothing beside it.
// CASE: by_sixteen plain:load=exchange load=exchange block=64 full with=m=0,15,16,17,31,32,48,64,100 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i64:{n}
// CASE: by_sixteen block=320 full with=m=48,79 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i64:{n}
// CASE: by_sixteen block=48 grid=1 full with=m=31,64,79 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i64:{n}
KERNEL by_sixteen(const u32 *a, u32 *q, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 16") for (long j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
