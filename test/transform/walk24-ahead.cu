// RUN: %rewritten %s --temp %t.d
// In launches with few threads, pieces of rows are asked for two iterations before they are loaded, and nothing that the loop does not load.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// RUN: %opt -passes='coalda<without=rows-ahead>' -S %t.ll | %FileCheck --check-prefix=WITHOUT %s
// RUN: %opt -passes=coalda -S %t.ll | %opt -passes=coalda -S -o /dev/null
#include "records.cuh"
#define EACH(type, from, to, step) _Pragma("unroll 1") for (type j = from; j < to; j += step)
// WITHOUT-NOT: prefetch

// CHECK-LABEL: @sums(
// CHECK: call void asm sideeffect "{{.*}}setp.lt.u32 p, n, 40000; setp.ne.and.b32 p, $1, 0, p; @p prefetch.global.L2 [$0]; }", "l,r"(
// CHECK-LABEL: @untold(
// CHECK-NOT: prefetch
// CHECK: ret void
// CASE: sums strict block=64 grid=1 full with=m=800,831 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
// CASE: sums strict load=exchange block=64 full with=m=0,1,31,32,33,63,64,65,95,96,97,128,161,200 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
// CASE: sums strict full few with=m=96,130 -- rand:{max(4,4*n*m)} zero:{4*n+4} i32:{m} i32:{n}
KERNEL sums(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(int, 0, m, 1) s = s * 31 + a[(u64)i * m + j];
  q[i] = s;
}
// Records of no loop.
// CASE: untold strict load=exchange full few -- rand:{24*n} zero:{4*n+4} i32:{n}
KERNEL untold(const u32 *a, u32 *q, int n) {
  int i = ROW;
  if (i < n) q[i] = a[6 * i] + a[6 * i + 1] * 3 + a[6 * i + 2] * 5 + a[6 * i + 3] * 7 + a[6 * i + 4] * 9 + a[6 * i + 5] * 11;
}
// Downwards.
// CASE: down strict block=64 grid=1 full with=m=800,831 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
// CASE: down strict load=exchange block=64 full with=m=31,32,64,95,96,97,128,161 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
KERNEL down(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
#pragma unroll 1
  for (int j = m - 1; j >= 0; j--) s = s * 31 + a[(u64)i * m + j];
  q[i] = s;
}
// A pointer that moves; a counter of 64 bits; one without a sign.
// CASE: pointer strict block=64 grid=1 full with=m=800,831 -- rand:{max(4,4*n*m)} zero:{4*n} i64:{m} i32:{n}
// CASE: pointer strict load=exchange block=64 full with=m=32,64,96,97,161 -- rand:{max(4,4*n*m)} zero:{4*n} i64:{m} i32:{n}
KERNEL pointer(const u32 *a, u32 *q, long m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
#pragma unroll 1
  for (const u32 *p = a + i * m, *e = p + m; p != e; p++) s = s * 31 + *p;
  q[i] = s;
}
// CASE: long_count strict block=64 grid=1 full with=m=800,831 -- rand:{max(4,4*n*m)} zero:{4*n} i64:{m} i32:{n}
// CASE: long_count strict load=exchange block=64 full with=m=32,64,96,97,161 -- rand:{max(4,4*n*m)} zero:{4*n} i64:{m} i32:{n}
KERNEL long_count(const u32 *a, u32 *q, long m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(long, 0, m, 1) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: unsigned_count strict block=64 grid=1 full with=m=800,831 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
// CASE: unsigned_count strict load=exchange block=64 full with=m=32,64,96,97,161 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
KERNEL unsigned_count(const u32 *a, u32 *q, u32 m, u32 n) {
  u32 i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(u32, 0, m, 1) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// Two rows of one loop; elements of 8 bytes and of 2; more of a row in each iteration; rows that end at different places.
// CASE: two strict block=64 grid=1 full with=m=800,831 -- rand:{4*n*m+4} rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
// CASE: two strict load=exchange block=64 full with=m=32,64,96,97,161 -- rand:{4*n*m+4} rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
KERNEL two(const u32 *__restrict__ a, const u32 *__restrict__ b, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(int, 0, m, 1) s = s * 31 + a[i * m + j] * b[i * m + j];
  q[i] = s;
}
// CASE: eight strict block=64 grid=1 full with=m=400,415 -- rand:{max(8,8*n*m)} zero:{8*n} i32:{m} i32:{n}
// CASE: eight strict load=exchange block=64 full with=m=16,32,48,49,96 -- rand:{max(8,8*n*m)} zero:{8*n} i32:{m} i32:{n}
KERNEL eight(const u64 *a, u64 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 s = 0;
  EACH(int, 0, m, 1) s = s * 31 + a[(u64)i * m + j];
  q[i] = s;
}
// CASE: halves strict block=64 grid=1 full with=m=1600,1650 -- rand:{max(4,2*n*m)} zero:{4*n} i32:{m} i32:{n}
// CASE: halves strict load=exchange block=64 full with=m=64,128,192,200,400 -- rand:{max(4,2*n*m)} zero:{4*n} i32:{m} i32:{n}
KERNEL halves(const unsigned short *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(int, 0, m, 1) s = s * 31 + a[(u64)i * m + j];
  q[i] = s;
}
// CASE: by_four strict block=64 grid=1 full with=m=800,832 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
// CASE: by_four strict load=exchange block=64 full with=m=32,64,96,128,160 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
KERNEL by_four(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
#pragma unroll 4
  for (int j = 0; j < m; j++) s = s * 31 + a[(u64)i * m + j];
  q[i] = s;
}
// CASE: triangle strict load=exchange block=64 full with=m=128 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
KERNEL triangle(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(int, 0, i % m, 1) s = s * 31 + a[(u64)i * m + j];
  q[i] = s;
}
// From a shelf, one iteration more; and what rides beside the rows, handed out by shuffles where a block has no shelf.
// CASE: product strict block=64 grid=1 full with=m=800,831 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: product strict shelf=yes block=64 full with=m=32,64,96,128,161,200 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
// CASE: product strict block=160 full with=m=32,64,96,128,161 with=o=0,4 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
KERNEL product(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(int, 0, m, 1) s = s * 31 + a[(u64)i * m + j] * w[j];
  q[i] = s;
}
// Not all lanes of a warp are at one place of w where two rows of the block share it.
// CASE: shared strict block=32,5 full with=m=64,96 -- rand:{4*n*m} rand:{4*m+40} zero:{4*n} i32:{m} i32:{n}
// CASE: shared strict block=16,10 full with=m=64,96 -- rand:{4*n*m} rand:{4*m+40} zero:{4*n} i32:{m} i32:{n}
template <typename T> static __device__ T dot(const T *row, const T *w, int m) {
  T s = 0;
  EACH(int, 0, m, 1) s = s * 31 + row[j] * w[j];
  return s;
}
KERNEL shared(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i < n) q[i] = dot(a + (u64)i * m, w + threadIdx.y, m);
}
