// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll && %opt -passes=coalda -S %t.ll -o %t.out.ll
// RUN: %FileCheck %s --implicit-check-not=coalda.gate < %t.out.ll
// Where no gate may stand: lanes would wait for others that wait for them, or what the source leaves apart would be one.
// CHECK: define
#include "records.cuh"

struct P { u32 w[16]; };
__device__ P step(P r, u32 x) { for (int k = 0; k < 16; k++) r.w[k] = r.w[k] * 3 + k * x; return r; }

// A lock that lanes wait for on the way, and let go behind.
// CASE: locked few grid=1 block=64 -- rand:{64*T} zero:{4*T} rand:{4*T}:2 i32:{n}
KERNEL locked(P *__restrict__ p, u32 *__restrict__ lock, const u32 *__restrict__ f, int n) {
  int i = ROW; if (i >= n) return;
  if (f[i] % 4 && __atomic_fetch_add(lock + i, 1, __ATOMIC_RELAXED) < 2) p[i] = step(p[i], 3);
}
// What other threads see in between.
// CASE: seen few -- rand:{64*T} rand:{4*T}:2 rand:{4*T}:3 i32:{n}
KERNEL seen(P *__restrict__ p, volatile const u32 *f, const u32 *__restrict__ g, int n) {
  int i = ROW; if (i >= n) return;
  if (g[i] % 4 && f[i] % 2) p[i] = step(p[i], 3);
}
// What the warp does together.
// CASE: together few -- rand:{64*T} rand:{4*T}:2 rand:{4*T}:3 i32:{n}
KERNEL together(P *__restrict__ p, const u32 *__restrict__ f, const u32 *__restrict__ g, int n) {
  int i = ROW; if (i >= n) return;
  if (g[i] % 4 && __nvvm_activemask() && f[i] % 2) p[i] = step(p[i], 3);
}
// Bounds, and what the whole block knows alike, are no choice of lanes.
// CASE: bounds few -- rand:{64*T} i32:{n} i32:{n}
KERNEL bounds(P *__restrict__ p, int m, int n) {
  int i = ROW;
  if (i < n && (m & 1) && i + 3 < n + m) p[i] = step(p[i], 3);
}
// A product of one way that is added on another: together they might be one.
// CASE: product few -- rand:{64*T} zero:{4*T} rand:{4*T}:2 rand:{4*T}:3 i32:{n}
KERNEL product(float *__restrict__ p, float *__restrict__ o, const u32 *__restrict__ f, const u32 *__restrict__ g, int n) {
  int i = ROW; if (i >= n) return;
  float *r = p + 16 * i;
  if (f[i] % 4) {
    float s = (int(f[i]) % 100) * (g[i] % 100 + 0.1f);
    o[i] = s;
    if (g[i] % 4) for (int k = 0; k < 16; k++) r[k] = s + g[i] % (k + 7);
  }
}
