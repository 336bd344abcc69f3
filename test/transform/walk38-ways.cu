// RUN: %rewritten %s --temp %t.d
// Conditions of counters both of whose ways move words: the iterations of each way run by themselves, in those that all lanes have.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S -emit-llvm -I%S -I%S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// Older architectures do not find the least of their lanes' numbers at once.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_75 -O3 -S -emit-llvm -I%S -I%S/../gen %s -o %t.old.ll
// RUN: %opt -passes=coalda -S %t.old.ll | %FileCheck %s --check-prefix=OLD
// OLD-LABEL: @concat(
// OLD-NOT: llvm.nvvm.redux
// TEXT: levels=O3,O1 archs=sm_90
#include "records.cuh"

// CHECK-LABEL: @concat(
// CHECK: call i32 @llvm.nvvm.redux.sync.umin(
// CHECK: call i1 @llvm.nvvm.vote.all.sync(
// CHECK: call i32 @llvm.nvvm.redux.sync.umin(
// CHECK: call i32 @llvm.nvvm.redux.sync.umax(
// CHECK: call i1 @llvm.nvvm.vote.all.sync(
// CASE: concat load=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=0,5,64,133 with=k=0,1,2,3,4 -- rand:{4*n*(0,1,40,64,131)[k]+4} rand:{4*n*m+4} zero:{4*n} i32:{(0,1,40,64,131)[k]} i32:{m} i32:{n}
// CASE: concat fewer full block=64 grid=2 with=m=256 with=k=0,1 -- rand:{4*n*(128,4)[k]+4} rand:{4*n*m+4} zero:{4*n} i32:{(128,4)[k]} i32:{m} i32:{n}
KERNEL concat(const u32 *__restrict__ a, const u32 *__restrict__ b, u32 *__restrict__ o, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < k + m; j++) s = s * 31 + (j < k ? a[i * k + j] : b[i * m + j - k]);
  o[i] = s;
}
// Each lane's own place to change, one behind the other: what all lanes load alike stays so.
// CASE: symmetric load=exchange plain:load=exchange few block=48 grid=2 with=m=96,133 -- frand:{4*m*m+4} frand:{4*m+4}:2 zero:{4*m} i32:{m}
// CASE: symmetric fewer full block=64 grid=4 with=m=256 -- frand:{4*m*m+4} frand:{4*m+4}:2 zero:{4*m} i32:{m}
KERNEL symmetric(const float *__restrict__ l, const float *__restrict__ x, float *__restrict__ y, int m) {
  int i = ROW;
  if (i >= m) return;
  float s = 0;
  for (int j = 0; j < m; j++) s += (j <= i ? l[i * m + j] : l[j * m + i]) * x[j];
  y[i] = s;
}
// CASE: sorted load=exchange plain:load=exchange few block=48 grid=2 with=m=96,133 -- drand:{8*m*m+8} drand:{8*m+8}:2 zero:{8*m} i32:{m}
// CASE: sorted fewer full block=64 grid=4 with=m=256 -- drand:{8*m*m+8} drand:{8*m+8}:2 zero:{8*m} i32:{m}
KERNEL sorted(const double *__restrict__ k, const double *__restrict__ u, double *__restrict__ f, u32 m) {
  u32 row = ROW;
  if (row >= m) return;
  double s = 0;
  for (u32 col = 0; col < m; col++) {
    u64 high = row > col ? row : col, low = row > col ? col : row;
    s = clampd(s - k[high * m + low] * (u[row] - u[col]));
  }
  f[row] = s;
}
// CASE: upper_sorted load=exchange plain:load=exchange few block=48 grid=2 with=m=96,133 -- rand:{4*m*m+4} zero:{4*m} i32:{m}
KERNEL upper_sorted(const u32 *__restrict__ k, u32 *__restrict__ f, u32 m) {
  u32 row = ROW;
  if (row >= m) return;
  u32 s = 0;
  for (u32 col = 0; col < m; col++) {
    u64 high = row > col ? row : col, low = row > col ? col : row;
    s = s * 31 + k[low * m + high];
  }
  f[row] = s;
}
// CASE: packed load=exchange plain:load=exchange few block=48 grid=2 with=m=96,133 -- rand:{2*m*(m+1)+4} zero:{4*m} i32:{m}
KERNEL packed(const u32 *__restrict__ p, u32 *__restrict__ o, int m) {
  int i = ROW;
  if (i >= m) return;
  u32 s = 0;
#pragma unroll 1
  for (int j = 0; j < m; j++) {
    int high = i > j ? i : j, low = i > j ? j : i;
    s = s * 31 + p[high * (high + 1) / 2 + low];
  }
  o[i] = s;
}
// CASE: upper_half load=exchange plain:load=exchange aside=yes few block=48 grid=2 with=m=96,133 -- drand:{8*m*m+8} zero:{8*m} i64:{m}
KERNEL upper_half(const double *__restrict__ u, double *__restrict__ y, long m) {
  long i = ROW;
  if (i >= m) return;
  double s = 0;
  for (long j = 0; j < m; j++) {
    if (j >= i) s += u[i * m + j];
    else s += u[j * m + i];
  }
  y[i] = s;
}
// CASE: both_parts load=exchange plain:load=exchange aside=yes few block=48 grid=2 with=m=96,133 -- frand:{4*m*m+4} frand:{4*m+4}:2 frand:{4*m+4}:2 zero:{4*m} i32:{m}
KERNEL both_parts(const float *__restrict__ a, const float *__restrict__ x, const float *__restrict__ z, float *__restrict__ y, int m) {
  int i = ROW;
  if (i >= m) return;
  float s = 0, t = 0;
  for (int j = 0; j < m; j++) {
    if (j < i) s += a[i * m + j] * x[j];
    else if (j > i) t += a[i * m + j] * z[j];
  }
  y[i] = s - t;
}
// Three arrays one behind the other, by unsigned numbers, and to a row of its own.
// CASE: three load=exchange store=exchange plain:load=exchange few block=48 grid=1 with=m=0,64,133 with=k=0,1,2 -- rand:{4*n*m+4} rand:{4*n*m+4} rand:{4*n*m+4} zero:{12*n*m+4} i32:{m} i32:{m} i32:{(3*m,2*m,m+7)[k]} i32:{n}
KERNEL three(const u32 *__restrict__ a, const u32 *__restrict__ b, const u32 *__restrict__ c, u32 *__restrict__ o, u32 m, u32 k, u32 all, u32 n) {
  u32 i = ROW;
  if (i >= n) return;
  for (u32 j = 0; j < all && j < m + k + m; j++) {
    u32 v;
    if (j < m) v = a[i * m + j];
    else if (j < m + k) v = b[i * m + j - m];
    else v = c[i * m + j - m - k];
    o[(u64)i * 3 * m + j] = v;
  }
}
// Ways that store, and what is stored may be what the other way loads.
// CASE: stores load=exchange store=exchange plain:load=exchange few block=48 grid=1 with=m=64,133 with=k=0,1,2 -- rand:{4*n*m+4} rand:{4*n*m+4} i32:{(0,40,1000)[k]} i32:{m} i32:{n}
// CASE: stores few block=48 grid=1 with=m=64 with=k=0,1 -- rand:{4*n*m+4} rand:{4*n*m+4} i32:{(-1,-5)[k]} i32:{m} i32:{n}
KERNEL stores(u32 *a, u32 *b, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  a += (u64)i * m;
  b += (u64)i * m;
  for (int j = 0; j < m; j++) {
    if (j < k) a[j] += b[j];
    else b[j] = a[j] * 3;
  }
}
// A bound below 0 in one lane of many, or in all.
// CASE: below load=exchange plain:load=exchange few block=64 grid=1 with=m=64 with=k=0,1,2 -- rand:{4*n*m+4} rand:{4*n*m+4} zero:{4*n} i32:{(5,40,-1)[k]} i32:{(-3,60,-5)[k]} i32:{m} i32:{n}
KERNEL below(const u32 *__restrict__ a, const u32 *__restrict__ b, u32 *__restrict__ o, int one, int others, int m, int n) {
  int i = ROW, k = i == 5 ? one : others;
  if (i >= n) return;
  u32 s = 0;
#pragma unroll 1
  for (int j = 0; j < m; j++)
    if (j < k) s = s * 31 + a[i * m + j];
    else s = s * 3 + b[i * m + j];
  o[i] = s;
}
// A counter that is widened as it is chosen.
// CASE: widened load=exchange plain:load=exchange few block=48 grid=1 with=m=64,133 with=k=0,1 -- rand:{4*n*m+4} zero:{4*n} i64:{(30,500)[k]} i32:{m} i32:{n}
KERNEL widened(const u32 *__restrict__ a, u32 *__restrict__ o, long k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
#pragma unroll 1
  for (int j = 0; j < m; j++) {
    long q = j;
    if (q > k) q = k;
    s = s * 31 + a[i * (long)m + q];
  }
  o[i] = s;
}
// CASE: products load=exchange plain:load=exchange few block=48 grid=1 with=m=64,133 with=k=0,1 -- frand:{4*n*m+4} frand:{4*n*m+4} frand:{4*m+4} zero:{4*n} i32:{(30,-7)[k]} i32:{m} i32:{n}
KERNEL products(const float *__restrict__ a, const float *__restrict__ b, const float *__restrict__ x, float *__restrict__ o, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
#pragma unroll 1
  for (int j = 0; j < m; j++) {
    float p;
    if (j < k) p = a[i * m + j] * x[j];
    else p = b[i * m + j] * x[m - 1 - j];
    s = clampf(s + p);
  }
  o[i] = s;
}
// There and back; downwards; by pointers; unrolled by pragma.
// CASE: back load=exchange plain:load=exchange few block=48 grid=1 with=m=0,1,64,133 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL back(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
#pragma unroll 1
  for (int j = 0; j < 2 * m; j++) s = s * 31 + a[i * m + (j < m ? j : 2 * m - 1 - j)];
  o[i] = s;
}
// CASE: downwards load=exchange plain:load=exchange few block=48 grid=1 with=m=64,133 with=k=0,1,2,3,4 -- rand:{2*n*m+4} rand:{2*n*m+4} zero:{4*n} i32:{(0,40,133,-5,200)[k]} i32:{m} i32:{n}
KERNEL downwards(const u16 *__restrict__ a, const u16 *__restrict__ b, u32 *__restrict__ o, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = m - 1; j >= 0; j--) s = s * 31 + (j >= k ? a : b)[(u64)i * m + j];
  o[i] = s;
}
// CASE: pointers load=exchange plain:load=exchange few block=48 grid=1 with=m=64,133 with=k=0,1,2 -- rand:{4*n*m+4} rand:{4*n*m+4} zero:{4*n} i64:{(0,40,64)[k]} i64:{m} i32:{n}
KERNEL pointers(const u32 *__restrict__ a, const u32 *__restrict__ b, u32 *__restrict__ o, long k, long m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const u32 *p = a + i * m, *q = b + i * m, *e = p + k;
#pragma unroll 4
  for (long j = 0; j < m; j++, p++, q++) s = s * 31 + (p < e ? *p : *q);
  o[i] = s;
}
// Too many such loops in one kernel: none, neither of their first iterations nor of their last.
// CHECK-LABEL: @many(
// CHECK-NOT: redux.sync
// CHECK: {{^[}]}}
// CASE: many plain:none few block=48 grid=1 with=m=64 with=k=0,1 -- rand:{4*n*m+4} rand:{4*n*m+4} zero:{4*n} i32:{(7,40)[k]} i32:{m} i32:{n}
KERNEL many(const u32 *__restrict__ a, const u32 *__restrict__ b, u32 *__restrict__ o, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
#define LOOP(with)                                       \
  _Pragma("unroll 1") for (int j = 0; j < m; j++) s = s * 31 + (j < k + with ? a : b)[i * m + j];
  LOOP(0) LOOP(1) LOOP(2) LOOP(3) LOOP(4)
  o[i] = s;
}
