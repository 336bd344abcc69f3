// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o - | %FileCheck %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-without=chosen -S %s -o - | %FileCheck %s --check-prefix=OFF
// Elements of a small array that data tell are chosen among registers; not where a store's place is told by data, all lanes choose alike, the array is longer, it is asked often, or a product lies in it.
// TEXT: levels=O3 archs=sm_90
// OFF-LABEL: .entry eight(
// OFF: .local
#include "records.cuh"
#define FORM(NAME, T, N, INDEX, ...) \
  KERNEL NAME(const T *__restrict__ p, const u32 *__restrict__ c, T *__restrict__ out, int n, int m) { \
    int i = ROW; if (i >= n) return; \
    T v[N]; T s = 0; \
    _Pragma("unroll") for (int k = 0; k < N; k++) v[k] = p[k * n + i]; \
    _Pragma("unroll 1") for (int j = 0; j < m; j++) { u32 k = INDEX; __VA_ARGS__ } \
    out[i] = s; \
  }
// CHECK-LABEL: .entry eight(
// CHECK-NOT: .local
// CASE: eight few none with=m=0,1,5 -- frand:{32*n} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(eight, float, 8, c[j * n + i], s += v[k & 7] - v[(k + 1) & 7];)
// CHECK-LABEL: .entry six(
// CHECK-NOT: .local
// CASE: six few none with=m=0,1,5 -- rand:{24*n} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(six, u32, 6, c[j * n + i] % 5, s = s * 3 + v[k] + v[k + 1];)
// CHECK-LABEL: .entry three(
// CHECK-NOT: .local
// CASE: three few none with=m=0,1,5 -- rand:{24*n} rand:{4*n*m+16} zero:{8*n} i32:{n} i32:{m}
FORM(three, u64, 3, c[j * n + i] % 3, s ^= v[k]; v[1] += s;)
// CHECK-LABEL: .entry two(
// CHECK-NOT: .local
// CASE: two few none with=m=0,1,5 -- rand:{8*n} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(two, u32, 2, (c[j * n + i] + s) & 1, s += v[k]; if (s & 64) s -= v[1 - k];)
// CHECK-LABEL: .entry stored(
// CHECK: .local
// CASE: stored few with=m=0,1,5 -- rand:{16*n} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(stored, u32, 4, c[j * n + i] & 3, s += v[k]; v[k] = s;)
// CHECK-LABEL: .entry longer(
// CHECK: .local
// CASE: longer few with=m=0,1,5 -- rand:{64*n} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(longer, u32, 16, c[j * n + i] & 15, s += v[k];)
// CHECK-LABEL: .entry often(
// CHECK: .local
// CASE: often few with=m=0,1,5 -- rand:{32*n} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(often, u32, 8, c[j * n + i], s += v[k & 7] + v[k >> 3 & 7] * v[k >> 6 & 7] - v[k >> 9 & 7] * v[k >> 12 & 7];)
// CHECK-LABEL: .entry alike(
// CHECK: .local
// CASE: alike few with=m=0,1,5 -- rand:{32*n} rand:{4*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(alike, u32, 8, c[j] & 7, s += v[k];)
// CHECK-LABEL: .entry product(
// CHECK: .local
// CASE: product few with=m=0,1,5 -- frand:{16*n} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(product, float, 4, c[j * n + i] & 3, s += v[k]; v[2] = s * v[1];)
struct Ray { float o[3], d[3]; };
static __device__ float reach(const Ray &r, int axis, float at) { return (at - r.o[axis]) * r.d[axis]; }
// CHECK-LABEL: .entry axes(
// CHECK-NOT: .local
// CASE: axes few none with=m=0,1,5 -- frand:{24*n} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
KERNEL axes(const float *__restrict__ p, const u32 *__restrict__ node, float *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  Ray r; float t = 0;
  _Pragma("unroll") for (int k = 0; k < 3; k++) { r.o[k] = p[k * n + i]; r.d[k] = p[(k + 3) * n + i]; }
  _Pragma("unroll 1") for (int j = 0; j < m; j++) { u32 b = node[j * n + i], a = b & 3; if (a == 3) continue; float x = reach(r, a, b >> 8); t = x < t ? x : t; }
  out[i] = t;
}
// What tells an element is an element itself, and one of the array whose elements it tells.
// CHECK-LABEL: .entry places(
// CHECK-NOT: .local
// CASE: places few none with=m=0,1,5 -- rand:{16*n} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
KERNEL places(const u32 *__restrict__ p, const u32 *__restrict__ c, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  u64 at[4]; u32 v[4], s = 0;
  _Pragma("unroll") for (int k = 0; k < 4; k++) { v[k] = p[k * n + i]; at[k] = v[k] >> 7 & 3; }
  _Pragma("unroll 1") for (int j = 0; j < m; j++) s = s * 3 + v[at[at[c[j * n + i] & 3]]];
  out[i] = s;
}
