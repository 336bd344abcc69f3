// RUN: %rewritten %s --temp %t.d
// Warps that lack lanes walk rows in a version of their own: each lane has its piece on its way before it works on it.
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt "-passes=coalda<without=shelves>" -S %t.ll | %FileCheck %s
// TEXT: levels=O3
#include "records.cuh"

// What stands between the iterations is tested by each lane for itself; then all that the piece holds is loaded before anything is stored.
// What comes in front, so that pieces begin with sectors, is asked before that.
// CHECK-LABEL: @sweep(
// CHECK: call i1 @llvm.nvvm.vote.all.sync
// CHECK: [[HERE:%.*]] = call i32 @llvm.nvvm.activemask()
// CHECK: [[FULL:%.*]] = icmp eq i32 [[HERE]], -1
// CHECK: br i1 [[FULL]], label %{{.*}}, label %[[FEW:[0-9a-z.]*]]
// CHECK: [[FEW]]:
// CHECK-NOT: call i1 @llvm.nvvm.vote
// CHECK-NOT: call {{.*}} @llvm.nvvm.shfl
// CHECK: br i1
// CHECK-NOT: call i1 @llvm.nvvm.vote
// CHECK-COUNT-32: load i32
// CHECK-COUNT-32: store i32
// CASE: sweep load=exchange store=exchange block=48 grid=1 few with=m=33,100 -- rand:{4*n*m+4} rand:{4*m} i32:{m} i32:{n}
KERNEL sweep(u32 *a, const u32 *c, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  _Pragma("unroll 1") for (int j = 1; j < m; j++) a[i * m + j] = a[i * m + j] - a[i * m + j - 1] * c[j];
}
// A lane alone, whose factors lie in the row: those of later iterations are what earlier ones store.
// CASE: within block=1 grid=1 full with=m=70 few with=o=0,64,128 -- rand:{8*m+512} ref:0+{o} i32:{m} i32:{n}
KERNEL within(const u32 *c, u32 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 1; j < m; j++) a[i * m + j] = a[i * m + j] - a[i * m + j - 1] * c[j];
}
// Edges, of both sides.
// CASE: edges load=exchange store=exchange block=64 few with=m=68 -- rand:{4*n*m+4} rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL edges(const u32 *a, u32 *b, int m, int n) {
  int i = ROW;
  if (i < 1 || i >= n - 1) return;
  u32 s = 0;
  for (int j = 1; j < m - 1; j++) {
    s = s * 31 + a[i * m + j];
    b[i * m + j] = s;
  }
}
// Loops that only load have none: their rest loads ahead as well.
// CHECK-LABEL: @loads(
// CHECK: [[HERE:%.*]] = call i32 @llvm.nvvm.activemask()
// CHECK: [[FULL:%.*]] = icmp eq i32 [[HERE]], -1
// CHECK: br i1 [[FULL]], label %{{.*}}, label %[[LEAVE:[0-9a-z.]*]]
// CHECK: [[LEAVE]]:
// CHECK-NEXT: sub i32
// CHECK-NEXT: br label
// CASE: loads load=exchange block=48 grid=1 few with=m=66 -- rand:{4*n*m+32} zero:{4*n} i32:{m} i32:{n}
KERNEL loads(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// Bytes move in pieces of 16, where they are aligned.
// CASE: bytes block=48 grid=1 few with=m=128 with=o=0,1 -- rand:{2*n*m+8} ref:0+{n*m+o} i32:{m} i32:{n}
KERNEL bytes(const unsigned char *a, unsigned char *b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) b[i * m + j] = a[i * m + j] * 3 + j;
}
// Data decide who has a row.
// CASE: some block=64 few with=m=70 -- rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL some(u32 *a, const u32 *flag, int m, int n) {
  int i = ROW;
  if (i >= n || flag[i] % 3 == 1) return;
  for (int j = 0; j < m; j++) a[i * m + j] = a[i * m + j] * 3 + j;
}
// Lanes that part inside of a loop around the walk, and meet again.
// CASE: parts block=64 few with=m=70 -- rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL parts(u32 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  _Pragma("unroll 1") for (int r = 0; r < 3; r++)
    if ((i + r) % 4)
      for (int j = 0; j < m; j++) a[i * m + j] = a[i * m + j] * 3 + j;
}
// Pointers that lead elsewhere.
// CASE: elsewhere block=48 grid=1 few with=m=70 with=w=0,1 -- rand:{4*n*m+4} i32:{m} i32:{n} i32:{w}
KERNEL elsewhere(u32 *a, int m, int n, int w) {
  __shared__ u32 s[48 * 70];
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) s[i * m + j] = j;
  u32 *p = w ? s : a;
  for (int j = 0; j < m; j++) p[i * m + j] = p[i * m + j] * 3 + j;
  a[i * m] += p[i * m + 5];
}
