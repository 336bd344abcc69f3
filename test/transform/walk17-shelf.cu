// RUN: %rewritten %s --temp %t.d
// Products of rows with what all lanes load alike: each block of 128 bytes arrives on the warp's shelf while the last one is used.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
#define PRODUCT                                   \
  int i = ROW;                                    \
  if (i >= n) return;                             \
  u32 s = 0;                                      \
  EACH(0, m, 1) s = s * 31 + a[i * m + j] * w[j]; \
  q[i] = s;
#define EACH(from, to, step) _Pragma("unroll 1") for (int j = from; j < to; j += step)

// Four warps have a shelf of 4608 bytes, and twice 128 for what they share.
// CHECK: @dot.shelf = internal addrspace(3) global [19456 x i8] undef, align 128
// CHECK: @wide.shelf = internal addrspace(3) global [19456 x i8] undef, align 128
// CHECK: @bounded.shelf = internal addrspace(3) global [29184 x i8] undef, align 128
// CHECK-LABEL: @dot(
// CHECK: call void @llvm.nvvm.cp.async.wait.all()
// CHECK: call void @llvm.nvvm.bar.warp.sync(
// CHECK-COUNT-8: call void @llvm.nvvm.cp.async.cg.shared.global.16(
// CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4(
// CHECK: call void @llvm.nvvm.cp.async.commit.group()
// CHECK: call i1 @llvm.nvvm.vote.all.sync(
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 3)
// CHECK: call void @llvm.nvvm.bar.warp.sync(
// CHECK-COUNT-8: call void @llvm.nvvm.cp.async.cg.shared.global.16(
// CHECK-COUNT-8: call void @llvm.nvvm.cp.async.cg.shared.global.16.s(
// CASE: dot shelf=yes load=exchange block=64 full with=m=0,1,31,32,33,64,96,100,128,161 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=32 grid=1 full with=m=64,68,96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=48 full with=m=96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=128 full with=m=96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: dot block=160 full with=m=96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: dot with=m=96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n+4} i32:{m} i32:{n}
KERNEL dot(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  PRODUCT
}
// Rows and what is shared that lie anywhere: pieces of 16 bytes are aligned, and those of a row that is not are one more. Nothing lies behind.
// CASE: shifted shelf=yes block=64 full with=m=64,65,66 with=o=0,4,8,12 -- rand:{4*n*m+o} ref:0+{o} rand:{4*m+12-o} ref:2+{12-o} zero:{4*n} i32:{m} i32:{n}
KERNEL shifted(const u32 *unused, const u32 *a, const u32 *also, const u32 *w, u32 *q, int m, int n) {
  PRODUCT
}
// Eight bytes.
// CASE: wide shelf=yes block=64 full with=m=0,15,16,17,32,48,50,64 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n} i32:{m} i32:{n}
KERNEL __launch_bounds__(128) wide(const u64 *a, const u64 *w, u64 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 s = 0;
  EACH(0, m, 1) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// Without bounds: registers hold what comes from a shelf and not what is exchanged, so that whoever has none (blocks of more than eight
// warps, warps that are not full) goes on in the rest, in pieces of 64 bytes.
// CHECK-LABEL: @unbounded(
// CHECK-COUNT-48: shfl.sync.bfly
// CHECK-NOT: shfl.sync.bfly
// CHECK: ret void
// CASE: unbounded shelf=yes block=64 full with=m=0,15,16,17,32,48,49,50,64 -- rand:{8*n*m} rand:{8*m} zero:{8*n} i32:{m} i32:{n}
// CASE: unbounded block=288 full with=m=48,49 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n} i32:{m} i32:{n}
// CASE: unbounded block=48 grid=1 full with=m=48,49 -- rand:{8*n*m+8} rand:{8*m+8} zero:{8*n} i32:{m} i32:{n}
KERNEL unbounded(const u64 *a, const u64 *w, u64 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 s = 0;
  EACH(0, m, 1) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// No block has more warps than six, which nobody tests.
// CASE: bounded shelf=yes block=192 full with=m=96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
// CASE: bounded block=64 full with=m=32,64,96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
extern "C" __global__ void __launch_bounds__(192) bounded(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  PRODUCT
}
// Two rows.
// CASE: two shelf=yes block=64 full with=m=32,64,96,100,101,102 -- rand:{4*n*m+4} rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL __launch_bounds__(128) two(const u32 *a, const u32 *b, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0, t = 0;
  EACH(0, m, 1) {
    s = s * 31 + a[i * m + j] * w[j];
    t = t * 17 + b[i * m + j] * w[j];
  }
  q[i] = s ^ t;
}
// Without bounds, half a line of each, and of what they share.
// CASE: halves shelf=yes block=64 full with=m=0,15,16,31,32,64,65,66,67,96 -- rand:{4*n*m} rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: halves block=128 full with=m=64,65 -- rand:{4*n*m} rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: halves block=160 full with=m=64,65 -- rand:{4*n*m} rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: halves block=48 full with=m=64,65 -- rand:{4*n*m} rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
KERNEL halves(const u32 *a, const u32 *b, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0, t = 0;
  EACH(0, m, 1) {
    s = s * 31 + a[i * m + j] * w[j];
    t = t * 17 + b[i * m + j] * w[j];
  }
  q[i] = s ^ t;
}
// CASE: eights shelf=yes block=64 full with=m=0,7,8,15,16,32,33,48,49 -- rand:{8*n*m} rand:{8*n*m} rand:{8*m} zero:{8*n} i32:{m} i32:{n}
// CASE: eights block=160 full with=m=32,33 -- rand:{8*n*m} rand:{8*n*m} rand:{8*m} zero:{8*n} i32:{m} i32:{n}
KERNEL eights(const u64 *a, const u64 *b, const u64 *w, u64 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 s = 0, t = 0;
  EACH(0, m, 1) {
    s = s * 31 + a[i * m + j] * w[j];
    t = t * 17 + b[i * m + j] * w[j];
  }
  q[i] = s ^ t;
}
// Beside a row alone, of which more warps have shelves, two rows go by shuffles.
// CASE: mixed shelf=no load=exchange block=64 full with=m=64,65 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL mixed(const u32 *a, const u32 *b, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m, 1) s = s * 31 + a[i * m + j] * b[i * m + j];
  EACH(0, m, 1) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// Blocks of two and three dimensions: the warp's number is that of its threads in the block.
// CASE: boxed shelf=yes block=32,2,2 full with=m=96 -- rand:{4*T*m+4} rand:{4*m+4} zero:{4*T} i32:{m}
// CASE: boxed block=32,4 full with=m=96 -- rand:{8*T*m+4} rand:{4*m+4} zero:{8*T} i32:{m}
extern "C" __global__ __attribute__((annotate("coalda.straight"))) void boxed(const u32 *a, const u32 *w, u32 *q, int m) {
  int i = blockIdx.x * 128 + threadIdx.z * 64 + threadIdx.y * 32 + threadIdx.x;
  u32 s = 0;
  EACH(0, m, 1) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// Again and again: what was on its way when the loop was left must not arrive on the next rows. A row that all lanes share beside it would leave it no room.
// CASE: often shelf=yes block=64 full with=m=32,64,96 -- rand:{12*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL often(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (int c = 0; c < 3; c++) EACH(0, m, 1) s = s * 31 + (a[(c * n + i) * m + j] ^ w[0]);
  q[i] = s;
}
// Two loops, of 128 bytes a row and of twice that.
// CASE: both shelf=yes block=64 full with=m=32,96 -- rand:{4*n*m+4} rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL both(const u32 *a, const u32 *b, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m, 1) s = s * 31 + a[i * m + j] * w[j];
  EACH(0, m, 1) s = s * 31 + (a[i * m + j] ^ b[i * m + j]) * w[j];
  q[i] = s;
}
// Backwards.
// CASE: back block=64 full with=m=64,96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL back(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (int j = m - 1; j >= 0; j--) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// Rows of different lengths: a warp goes on only where all of its lanes do.
// CASE: lengths shelf=yes block=64 full with=f=0,1,32,37 -- rand:{4*n*160+4} rand:{4*160+4} zero:{4*n} i32:{f} i32:160 i32:{n}
KERNEL lengths(const u32 *a, const u32 *w, u32 *q, int f, int m, int n) {
  int i = ROW, most = 160 - i * f % 160;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, most, 1) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// What the loop itself writes may be what it reads next.
// CASE: written shelf=no block=64 full with=m=96,192 -- rand:{4*n*m+4} rand:{4*m+4} ref:0+0 i32:{m} i32:{n}
KERNEL written(const u32 *a, const u32 *w, u32 *b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m, 1) b[i * m + (j & 64)] = s = s * 31 + a[i * m + j] * w[j];
}
// Other memory that the launch brings along, or too much of what is there, leaves no room.
// CASE: dynamic shelf=no block=64 shared=256 full with=m=96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL dynamic(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  extern __shared__ u32 some[];
  int i = ROW;
  some[threadIdx.x] = i;
  __syncthreads();
  u32 s = some[63 - threadIdx.x];
  EACH(0, m, 1) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// CASE: full_up shelf=no block=64 full with=m=96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL full_up(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  __shared__ u32 some[11000];
  int i = ROW;
  for (int k = threadIdx.x; k < 11000; k += blockDim.x) some[k] = i;
  __syncthreads();
  u32 s = some[10999 - threadIdx.x];
  EACH(0, m, 1) s = s * 31 + a[i * m + j] * w[j];
  q[i] = s;
}
// Gathers live on the first-level cache, in this loop or another one.
// CASE: gathered shelf=no block=64 full with=m=96 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL gathered(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m, 1) s = s * 31 + a[i * m + j] * w[j];
  EACH(0, m, 1) s = s * 31 + w[(i * 7 + w[j]) % m];
  q[i] = s;
}
// A row that is met again lies in the cache.
// CASE: again shelf=no block=64 full with=m=96 -- rand:{4*n*m+4} rand:{16*m+4} zero:{4*n} i32:4 i32:{m} i32:{n}
KERNEL again(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  _Pragma("unroll 1") for (int c = 0; c < times; c++) {
    EACH(0, m, 1) s = s * 31 + a[i * m + j] * w[c * m + j];
    q[i] = s;
  }
}
// What is computed of a block is computed before the next one is waited for.
// CHECK-LABEL: @pointers(
// CHECK: call void asm sideeffect "", "l"(i64
// CHECK: call void @llvm.nvvm.cp.async.wait.group(
// CHECK-LABEL: @products(
// CHECK: call void asm sideeffect "", "d"(double
// CHECK: call void @llvm.nvvm.cp.async.wait.group(
// CASE: pointers shelf=yes block=64 full with=m=1,15,16,33,64 -- rand:{8*n*m} rand:{8*m} zero:{8*n} i64:{m} i64:{n}
KERNEL pointers(const u64 *__restrict__ a, const u64 *__restrict__ w, u64 *__restrict__ q, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  u64 s = 0;
  const u64 *x = w;
  _Pragma("unroll 1") for (const u64 *p = a + i * m, *e = p + m; p != e; p++, x++) s = s * 31 + *p * *x;
  q[i] = s;
}
KERNEL products(const double *__restrict__ a, const double *__restrict__ w, double *__restrict__ q, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  double s = 0;
  const double *p = a + i * m, *e = p + m, *x = w;
  while (p < e) s += *p++ * *x++;
  q[i] = s;
}
