// RUN: %rewritten %s --temp %t.d
// A warp that cannot take the exchange leaves the longer loop for the one that does the rest, which then does all that is left: the longer
// body has no second copy that loads one element after the other.
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt "-passes=coalda<without=shelves+edges>" -S %t.ll | %FileCheck %s
// TEXT: levels=O3,O1
#include "records.cuh"

// Blocks of 48: the second warp has 16 lanes, and does its rows in the last loop.
// CHECK-LABEL: @sums(
// CHECK: [[ALL:%.*]] = and i32 %{{.*}}, 2147483647
// CHECK: [[LEFT:%.*]] = phi i32 [ %{{.*}}, %{{.*}} ], [ %{{.*}}, %{{.*}} ], [ [[MORE:%.*]], %[[LEAVE:.*]] ]
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK: [[LEAVE]]:
// CHECK-NEXT: [[MORE]] = sub i32 [[ALL]], %{{.*}}
// CHECK-NEXT: br label
// CHECK-NOT: load i32
// CHECK: ret void
// CASE: sums load=exchange block=48 grid=1 with=m=0,1,7,8,31,32,33,63,64,65,100,129 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: sums block=96 full with=m=64,100 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL sums(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  m &= 0x7fffffff;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// Counters of other kinds, from other starts, down, and pointers.
// CASE: unsigneds load=exchange block=48 grid=1 with=m=3,40,70,131 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL unsigneds(const u32 *a, u32 *q, u32 m, u32 n) {
  u32 i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (u32 j = 3; j < m; j++) s = s * 31 + (a[i * m + j] ^ j);
  q[i] = s;
}
// CASE: longs load=exchange block=48 grid=1 with=m=3,40,70,131 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i64:{n}
KERNEL longs(const u32 *a, u32 *q, long long m, long long n) {
  long long i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (long long j = m - 1; j >= 0; j--) s = s * 31 + (a[i * m + j] ^ (u32)j);
  q[i] = s;
}
// CASE: pointers load=exchange block=48 grid=1 with=m=3,40,70,131 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL pointers(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const u32 *end = a + (i + 1) * m;
  _Pragma("unroll 4") for (const u32 *p = a + i * m; p != end; p++) s = s * 31 + *p;
  q[i] = s;
}
// CASE: whiles load=exchange block=48 grid=1 with=m=3,40,70,131 -- rand:{4*n*m+4} zero:{8*n} i32:{m} i32:{n}
KERNEL whiles(const u64 *a, u64 *q, int m, int n) {
  int i = ROW, j = 0, left = m / 2;
  if (i >= n) return;
  u64 s = 0, t = 1;
  while (left-- > 0) {
    u64 v = a[i * (m / 2) + j++];
    s = s * 31 + v;
    t ^= s;
  }
  q[i] = s + t;
}
// Two values that were the one before in the last iteration, and begin as something else: what each of them is then is not to be told by
// what it becomes.
// CASE: before load=exchange block=48 grid=1 with=m=3,40,70,131 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL before(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0, last = 7, also = 9;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * m + j];
    s = s * 31 + (v ^ last) * also;
    last = v;
    also = v;
  }
  q[i] = s + last * 3 + also;
}
// What is counted before the row is read is not counted again.
// CASE: counted load=exchange block=48 grid=1 with=m=3,40,70,131 -- rand:{4*n*m+4} zero:{12*n} zero:{4*n} i32:{m} i32:{n}
KERNEL counted(const u32 *__restrict__ a, u32 *__restrict__ count, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) {
    u32 *c = count + j % 3 * n + i;
    *c = *c * 3 + 1;
    s = s * 31 + a[i * m + j];
  }
  q[i] = s + count[i];
}
// Rows that are written too, in place or, where the arrays may be one, over what is read next.
// CASE: doubled load=exchange store=exchange block=48 grid=1 with=m=3,40,70,131 -- rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL doubled(u32 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) a[i * m + j] = a[i * m + j] * 3 + j;
}
// CASE: shifted block=64 with=m=40,70,131 with=o=0,4,128,256 -- rand:{4*n*(m+64)+512} ref:0+{o} i32:{m} i32:{n}
KERNEL shifted(const u32 *a, u32 *b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) b[i * (m + 64) + j] = a[i * (m + 64) + j] * 3 + j;
}
// Only some threads have a row; lengths of their own; a loop around.
// CASE: some block=64 with=m=40,70,131 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL some(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n || i % 3 == 1) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: lengths block=48 grid=1 with=m=40,70,131 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL lengths(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int c = 0; c < 3; c++)
    for (int j = c; j < m - i % 32; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
