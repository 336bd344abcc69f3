// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o - | %FileCheck %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-without=clamps -S %s -o - | %FileCheck %s --check-prefix=OFF
// A neighbour that is kept within bounds is reckoned by its sum, then by its bounds: a number that all lanes share need not be in a register of each then. What may wrap around,
// is bounded by constants, or is no number of 32 bits stays.
// TEXT: levels=O3 archs=sm_90
// OFF-LABEL: .entry three(
// OFF: max.s32 {{.*}}, -1;
#include "records.cuh"
static __device__ inline int higher(int a, int b) { return a > b ? a : b; }
static __device__ inline int lower(int a, int b) { return a < b ? a : b; }
template <typename T> static __device__ inline T within(T v, T low, T high) { return v < low ? low : v > high ? high : v; }
// CHECK-LABEL: .entry three(
// CHECK-NOT: max.s32 {{.*}}, {{-?[1-9]}}
// CHECK: max.s32 {{.*}}, 0;
// CHECK-NOT: max.s32 {{.*}}, {{-?[1-9]}}
// CHECK: ret;
// CASE: three few -- rand:{4*n} rand:{4*n} zero:{4*n} i32:{n} i32:{n}
KERNEL three(const u32 *__restrict__ p, const int *__restrict__ at, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  int x = at[i] % n; u32 s = 0;
  for (int d = -1; d <= 1; d++) s = s * 3 + p[lower(higher(x + d, 0), m - 1)];
  out[i] = s;
}
// The number may be the least one that there is: it is not below its bound any more when something is taken away.
// CHECK-LABEL: .entry least(
// CHECK: ret;
// CASE: least few -- rand:{4*n} zero:{4*n} i32:{n} i32:{n}
KERNEL least(const u32 *__restrict__ p, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  int x = i & 1 ? (int)0x80000000 + (i & 7) : i; u32 s = 0;
  int own = lower(higher(x, 0), m - 1), before = lower(higher(x, 3) - 3, m - 1), behind = lower(higher(x, -4) + 4, m - 1);
  s = p[own] + p[before] * 3 + p[behind] * 5;
  out[i] = s;
}
// No neighbour at no distance is asked for: the number alone may wrap around.
// CHECK-LABEL: .entry lone(
// CHECK: max.s32 {{.*}}, 2;
// CHECK: ret;
// CASE: lone few none -- rand:{4*n} rand:{4*n} zero:{4*n} i32:{n} i32:{n}
KERNEL lone(const u32 *__restrict__ p, const int *__restrict__ at, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  out[i] = p[lower(higher(at[i], 2) - 2, m - 1)];
}
// The sum wraps around where the number is high, and is low then: the program adds without a sign.
// CHECK-LABEL: .entry wraps(
// CHECK: max.s32 {{.*}}, -2;
// CHECK: ret;
// CASE: wraps few none -- rand:{4*n} zero:{4*n} i32:{n} i32:{n}
KERNEL wraps(const u32 *__restrict__ p, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  int x = i & 1 ? 0x7fffffff - (i & 1) : i;
  int y = (int)((u32)higher(x, -2) + 2u);
  out[i] = p[higher(lower(y, m - 1), -(m - 1)) & 0] + (u32)lower(y, m - 1);
}
// CHECK-LABEL: .entry plane(
// CHECK-NOT: max.s32 {{.*}}, {{-?[1-9]}}
// CHECK: ret;
// CASE: plane few with=n=0,1,31,257 -- rand:{4*n*4+64} zero:{4*n} i32:{n} i32:4
KERNEL plane(const u32 *__restrict__ p, u32 *__restrict__ out, int n, int w) {
  int i = ROW; if (i >= n) return;
  int x = i % w, y = i / w, h = (n + w - 1) / w; u32 s = 0;
#pragma unroll
  for (int r = -2; r <= 2; r++)
#pragma unroll
    for (int c = -2; c <= 2; c++) s = s * 5 + p[lower(higher(y + r, 0), h - 1) * w + lower(higher(x + c, 0), w - 1)];
  out[i] = s;
}
// CHECK-LABEL: .entry constant(
// CHECK-NOT: max.s32 {{.*}}, 0;
// CHECK: ret;
// CASE: constant few none -- rand:{4*n+1040} zero:{4*n} i32:{n}
KERNEL constant(const u32 *__restrict__ p, u32 *__restrict__ out, int n) {
  int i = ROW; if (i >= n) return;
  out[i] = p[lower(higher(i + 1, 3), 255)] + p[higher(i, -2) + 2];
}
// CHECK-LABEL: .entry longs(
// CHECK: ret;
// CASE: longs few none -- rand:{4*n} zero:{4*n} i64:{n} i64:{n}
KERNEL longs(const u32 *__restrict__ p, u32 *__restrict__ out, long n, long m) {
  long i = ROW; if (i >= n) return;
  u32 s = 0;
  for (long d = -2; d <= 2; d++) { long at = i + d > 0 ? i + d : 0; s = s * 3 + p[at < m - 1 ? at : m - 1]; }
  out[i] = s;
}
// CHECK-LABEL: .entry both(
// CHECK: max.s32 {{.*}}, -1;
// CHECK: ret;
// CASE: both few none -- rand:{4*n} zero:{4*n} i32:{n} i32:{n}
KERNEL both(const u32 *__restrict__ p, u32 *__restrict__ out, int n, u32 m) {
  int i = ROW; if (i >= n) return;
  int a = higher(i, -1) + 1, b = lower(a, (int)m - 1);
  out[i] = p[b] + (u32)a;
}
// CHECK-LABEL: .entry found(
// CHECK-NOT: max.s32 {{.*}}, {{-?[1-9]}}
// CHECK: ret;
// CASE: found few -- rand:{4*n+4} rand:{4*n} zero:{4*n} i32:{n} i32:{n}
KERNEL found(const u32 *__restrict__ p, const float *__restrict__ at, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  int x = (int)(at[i] > 0 && at[i] < 100 ? at[i] : -1.5f); u32 s = 0;
  for (int d = -1; d < 3; d++) s = s * 7 + p[lower(higher(x + d, 0), m - 1)];
  out[i] = s;
}
// CHECK-LABEL: .entry in_loop(
// CHECK-NOT: max.s32 {{.*}}, {{-?[1-9]}}
// CHECK: ret;
// CASE: in_loop few none with=m=0,1,5 -- rand:{4*n+4} zero:{4*n} i32:{n} i32:{m}
KERNEL in_loop(const u32 *__restrict__ p, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  u32 s = 0;
#pragma unroll 1
  for (int k = 0; k < m; k++)
    for (int d = -1; d <= 1; d++) s = s * 3 + p[lower(higher(i + d * 2 + k, 0), n - 1)];
  out[i] = s;
}
