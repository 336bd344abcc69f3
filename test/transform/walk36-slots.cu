// RUN: %rewritten %s --temp %t.d
// Shelves of warps that a block does not have hold further blocks of the others' rows: one, two, four or eight slots a warp, in a ring.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
#define EACH(from, to) _Pragma("unroll 1") for (int j = from; j < to; j++)

// Four warps have a shelf, no more than they had: a block is copied to each slot, and groups tell which have arrived.
// CHECK: @dot.shelf = internal addrspace(3) global [19456 x i8] undef, align 128
// CHECK: @norm.shelf = internal addrspace(3) global [36864 x i8] undef, align 128
// CHECK-LABEL: @dot(
// CHECK: call void @llvm.nvvm.cp.async.wait.all()
// CHECK: call void @llvm.nvvm.cp.async.commit.group(), !coalda.group
// CHECK: @p cp.async.commit_group
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 3)
// CHECK: call void @llvm.nvvm.cp.async.commit.group(), !coalda.group
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 3)
// CASE: dot shelf=yes block=32 grid=2 full with=m=31,32,33,64,96,128,160,192,352,383,385 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=64 full with=m=32,64,96,128,160,224,319 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=96 full with=m=32,64,161 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=128 full with=m=64,161 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=256 full with=m=161 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=48 full with=m=64,160 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=17 full with=m=160 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: dot with=m=160,225 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// What is asked for beyond the slots is there.
// CASE: dot strict block=32 grid=1 full with=m=896,1000,1024 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: dot strict block=64 grid=1 full with=m=832,1000 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: dot strict block=128 grid=1 full with=m=864 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=32,2 full with=m=224 -- rand:{4*T*m} rand:{4*m} zero:{4*T} i32:{m} i32:{n}
KERNEL dot(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// Launch bounds say how many warps have shelves, each one slot, whatever blocks there are.
// CASE: bounded shelf=yes block=192 full with=m=161 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: bounded block=96 full with=m=32,64,97,225 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: bounded block=128 full with=m=160 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: bounded block=32 full with=m=32,288,321 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
extern "C" __global__ void __launch_bounds__(192) bounded(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// One warp at most: nothing is left for it.
// CASE: single shelf=yes block=32 full with=m=32,161 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
extern "C" __global__ void __launch_bounds__(32) single(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// A row alone, wherever it lies: eight shelves, through the first-level cache or past it.
// CASE: norm shelf=yes block=32 full with=m=33,64,161,290,321 with=o=0,4,8 -- rand:{4*n*m+o} ref:0+{o} zero:{4*n} i32:{m} i32:{n}
// CASE: norm block=64 full with=m=96,161,290 with=o=0,12 -- rand:{4*n*m+o} ref:0+{o} zero:{4*n} i32:{m} i32:{n}
// CASE: norm block=96 full with=m=161,290 -- rand:{4*n*m} ref:0+0 zero:{4*n} i32:{m} i32:{n}
// CASE: norm block=128 full with=m=161,290 -- rand:{4*n*m} ref:0+0 zero:{4*n} i32:{m} i32:{n}
// CASE: norm block=256 full with=m=161 -- rand:{4*n*m} ref:0+0 zero:{4*n} i32:{m} i32:{n}
KERNEL norm(const float *unused, const float *a, float *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  EACH(0, m) s += a[i * m + j] * a[i * m + j];
  q[i] = s;
}
// Two rows, half a line of each, and of what they share.
// CASE: halves shelf=yes block=32 full with=m=16,47,80,145,176 -- rand:{4*n*m} rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: halves block=64 full with=m=16,32,48,65,129 -- rand:{4*n*m} rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: halves block=96 full with=m=80,81 -- rand:{4*n*m} rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
KERNEL halves(const u32 *a, const u32 *b, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0, t = 0;
  EACH(0, m) {
    s = s * 31 + a[i * m + j] * w[j];
    t = t * 17 + b[i * m + j] * w[j];
  }
  q[i] = s ^ t;
}
// CASE: wide shelf=yes block=32 full with=m=16,64,97,160 -- rand:{8*n*m} rand:{8*m} zero:{8*n} i64:{m} i32:{n}
// CASE: wide block=64 full with=m=32,97,112 -- rand:{8*n*m} rand:{8*m} zero:{8*n} i64:{m} i32:{n}
// CASE: wide block=128 full with=m=97 -- rand:{8*n*m} rand:{8*m} zero:{8*n} i64:{m} i32:{n}
KERNEL wide(const u64 *a, const u64 *w, u64 *q, long long m, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 s = 0;
  _Pragma("unroll 1") for (long long j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// Rows of different lengths: what no lane has is not copied, and what some lanes have is not taken.
// CASE: lengths shelf=yes block=32 full with=f=0,1,7,32,37 -- rand:{4*n*320} rand:{4*320} zero:{4*n} i32:{f} i32:320 i32:{n}
// CASE: lengths block=64 full with=f=1,32,37 -- rand:{4*n*320} rand:{4*320} zero:{4*n} i32:{f} i32:320 i32:{n}
KERNEL lengths(const u32 *a, const u32 *w, u32 *q, int f, int m, int n) {
  int i = ROW, most = 320 - i * f % 320;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, most) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// Again and again: what was on its way when the loop was left must not arrive on the next rows.
// CASE: often shelf=yes block=32 full with=m=32,96,160,193 -- rand:{12*n*m} rand:4 zero:{4*n} i32:{m} i32:{n}
// CASE: often block=64 full with=m=32,96,129 -- rand:{12*n*m} rand:4 zero:{4*n} i32:{m} i32:{n}
KERNEL often(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (int c = 0; c < 3; c++) EACH(0, m) s = s * 31 + (a[(c * n + i) * m + j] ^ w[0]);
  q[i] = s;
}
// Counters that end elsewhere: pointers, and what goes on while a number is met.
// CASE: pointers shelf=yes block=32 full with=m=32,64,161,288 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
// CASE: pointers block=64 full with=m=96,161 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL pointers(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const u32 *end = a + (i + 1) * m;
  _Pragma("unroll 1") for (const u32 *p = a + i * m; p != end; p++) s = s * 31 + *p;
  q[i] = s;
}
// Two loops, whose warps are not all in the same one: they have as many slots in both.
// CASE: twice shelf=yes block=32 full with=m=33,161 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: twice block=64 full with=m=96,161 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
KERNEL twice(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  if (i % 64 < 32)
    EACH(0, m) s = s * 31 + a[i * m + j] * w[j];
  else
    EACH(0, m) s = s * 17 + (a[i * m + j] ^ w[j]);
  q[i] = s;
}
