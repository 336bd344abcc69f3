// RUN: %rewritten %s --temp %t.d
// One row of words with nothing beside it: it comes to the warp's shelf in pieces of 16 bytes, wherever it lies.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
#define EACH(from, to) _Pragma("unroll 1") for (int j = from; j < to; j++)

// Eight warps have a shelf of 4608 bytes, four one for two rows; doubles go by shuffles.
// CHECK: @norm.shelf = internal addrspace(3) global [36864 x i8] undef, align 128
// CHECK: @pair.shelf = internal addrspace(3) global [20480 x i8] undef, align 128
// CHECK-NOT: @doubles.shelf
// CHECK-LABEL: @norm(
// CHECK-COUNT-8: call void @llvm.nvvm.cp.async.cg.shared.global.16(
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 3)
// CHECK-COUNT-8: call void @llvm.nvvm.cp.async.cg.shared.global.16(
// CHECK-COUNT-8: call void @llvm.nvvm.cp.async.cg.shared.global.16(
// CHECK: call void @llvm.nvvm.cp.async.cg.shared.global.16.s(
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 3)
// CHECK-COUNT-9: call void @llvm.nvvm.cp.async.cg.shared.global.16.s(
// CASE: norm shelf=yes load=exchange block=64 full with=m=0,31,33,64,67,129 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: norm block=32 grid=1 full with=m=64,66,100 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: norm block=48 full with=m=96,97 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: norm block=256 full with=m=96,99 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: norm block=288 full with=m=96,99 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: norm with=m=96,97 -- rand:{4*n*m+4} zero:{4*n+4} i32:{m} i32:{n}
KERNEL norm(const float *a, float *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  EACH(0, m) s += a[i * m + j] * a[i * m + j];
  q[i] = s;
}
// Rows that lie anywhere.
// CASE: shifted shelf=yes block=64 full with=m=64,65,67 with=o=0,4,8 -- rand:{4*n*m+16} ref:0+{o} zero:{4*n} i32:{m} i32:{n}
// Nothing lies behind the last of them.
// CASE: shifted block=64 full with=m=64,65,66,67,131 with=o=0,4,8,12 -- rand:{4*n*m+o} ref:0+{o} zero:{4*n} i32:{m} i32:{n}
KERNEL shifted(const u32 *unused, const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// Counters of other kinds, upwards and downwards, and a pointer.
// CASE: longs load=exchange block=64 full with=m=3,40,70,131 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i64:{n}
KERNEL longs(const u32 *a, u32 *q, long long m, long long n) {
  long long i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (long long j = m - 1; j >= 0; j--) s = s * 31 + (a[i * m + j] ^ (u32)j);
  q[i] = s;
}
// CASE: unsigneds block=64 full with=m=3,40,70,131 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL unsigneds(const u32 *a, u32 *q, u32 m, u32 n) {
  u32 i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (u32 j = 3; j < m; j++) s = s * 31 + (a[i * m + j] ^ j);
  q[i] = s;
}
// CASE: pointers block=64 full with=m=32,40,70,131 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL pointers(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const u32 *end = a + (i + 1) * m;
  for (const u32 *p = a + i * m; p != end; p++) s = s * 31 + *p;
  q[i] = s;
}
// Two loops over it, one behind the other; the row's other part lies elsewhere; rows of which each has its own length.
// CASE: softmax shelf=yes block=64 full with=m=31,64,67,129 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL softmax(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 top = 0, s = 0;
  EACH(0, m) top = a[i * m + j] > top ? a[i * m + j] : top;
  EACH(0, m) s = s * 31 + (a[i * m + j] ^ top);
  q[i] = s;
}
// CASE: often block=64 full with=m=31,64,67 -- rand:{8*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL often(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (int k = 0; k < 2; k++) EACH(0, m) s = s * 31 + a[(k * n + i) * m + j];
  q[i] = s;
}
// CASE: lengths block=64 full with=m=64,65,129 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL lengths(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m - (i * 7 & 31)) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// No block has more threads than that.
// CASE: bounded shelf=yes block=96 full with=m=64,65 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL __launch_bounds__(96) bounded(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// Rows that do not follow each other: words are not what they would be.
// CASE: jumping block=64 full with=m=64,65 -- rand:{8*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL jumping(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const u32 *row = a + (i ^ 1) * m;
  EACH(0, m) s = s * 31 + row[j];
  q[i] = s;
}
// A block in the plane, whose warps have each row twice.
// CASE: twice shelf=yes block=64 full with=m=64,65 -- rand:{4*n*m+4} zero:{4*n} i32:{m}
// CASE: twice block=16,4 full with=m=64,65 -- rand:{4*n*m+4} zero:{4*n} i32:{m}
KERNEL twice(const u32 *a, u32 *q, int m) {
  int i = ROW;
  u32 s = 0;
  EACH(0, m) s = s * 31 + a[i * m + j];
  q[(blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x] = s;
}
// Two rows come to shelves in one version of the loop, and by shuffles in that for larger blocks, and in what remains.
// CASE: pair shelf=yes load=exchange block=64 full with=m=0,15,16,17,31,32,48,64,65,66,67 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
// CASE: pair block=32 grid=1 full with=m=64,66,100 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
// CASE: pair block=48 full with=m=64,65 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
// CASE: pair block=128 full with=m=64,65 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
// CASE: pair block=160 full with=m=64,65 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
// CASE: pair with=m=64,65 -- rand:{4*n*m+4} rand:{4*n*m+4} zero:{4*n+4} i32:{m} i32:{n}
KERNEL pair(const u32 *a, const u32 *b, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m) s = s * 31 + a[i * m + j] * b[i * m + j];
  q[i] = s;
}
// Downwards they have none, and no version of their own.
// CHECK-LABEL: @backwards(
// CHECK-NOT: icmp ule i32 %{{.*}}, 128
// CHECK: ret void
// CASE: backwards shelf=no load=exchange block=64 full with=m=0,31,64,65 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL backwards(const u32 *a, const u32 *b, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (int j = m - 1; j >= 0; j--) s = s * 31 + a[i * m + j] * b[i * m + j];
  q[i] = s;
}
// CASE: doubles load=exchange block=64 full with=m=64,65 -- rand:{8*n*m+8} zero:{8*n} i32:{m} i32:{n}
KERNEL doubles(const u64 *a, u64 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 s = 0;
  EACH(0, m) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// What may lie anywhere comes in no words.
// CASE: packed block=64 full with=m=64,65 with=o=0,1,4 -- rand:{4*n*m+16} ref:0+{o} zero:{4*n} i32:{m} i32:{n}
typedef u32 __attribute__((aligned(1))) Anywhere;
KERNEL packed(const u32 *unused, const Anywhere *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m) s = s * 31 + a[i * m + j];
  q[i] = s;
}
