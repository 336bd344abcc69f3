// RUN: %clang-device -nocudainc -nocudalib -O3 -I%S/../gen %s -o %t.ll && %opt -passes=coalda -S %t.ll -o - | %FileCheck %s
// RUN: %rewritten %s --temp %t.d
// A copy through a cast to a longer type, once: the array is aligned for it, where that costs no block its place.
// TEXT: levels=O3 archs=sm_75
#include "tiles.cuh"
struct alignas(16) Four { u32 x, y, z, w; };

// CHECK-DAG: @_ZZ6widensE1s = internal {{.*}}align 16
// CHECK-DAG: @_ZZ4fullE1a = internal {{.*}}align 2
// CHECK-LABEL: @widens
// CHECK: store <4 x i32> {{.*}}align 16
// CASE: widens block=64 full -- rand:{16*T} zero:{4*T}
KERNEL widens(const u16 *g, u32 *out) {
  __shared__ u16 s[16][40];
  *(Four *)&s[TX / 4][TX % 4 * 8] = *(const Four *)&g[ROW * 8];
  __syncthreads();
  out[ROW] = s[TX / 4][TX % 32];
}
// 48 KB to the byte: better aligned, its arrays would not launch.
// CASE: full block=64 full grid=1 -- rand:{16*T} zero:{4*T}
KERNEL full(const u16 *g, u32 *out) {
  __shared__ u16 a[12293], b[12283];
  *(Four *)&a[8 * TX] = *(const Four *)&g[ROW * 8];
  b[TX] = a[8 * TX];
  __syncthreads();
  out[ROW] = a[TX] + b[TX ^ 1];
}
