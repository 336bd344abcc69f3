// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s < %t.ptx
// RUN: %FileCheck %s --check-prefix=LOG < %t.log
// Loops that index a small array, of which the counter of one around them tells how often they run: trees and triangles, whose inner loop clang lays out
// by parts, so that nothing but that counter tells it.
// TEXT: levels=O3 archs=sm_90
// CHECK-NOT: {{[ls][dt]}}.local
// LOG-NOT: refused: arrays
#include "records.cuh"
enum { SIZE = 24 };
#define FORM(NAME, T, ...) \
  __attribute__((launch_bounds(128))) KERNEL NAME(const T *__restrict__ p, T *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    T v[SIZE], s = 0; \
    for (int k = 0; k < SIZE; k++) v[k] = p[(k & 3) * n + i] * (T)(k + 3) + (T)k; \
    __VA_ARGS__; \
    q[i] = s + v[0]; \
  }
// LOG-DAG: tree: made: arrays
// CASE: tree few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(tree, u32, for (int t = SIZE - 1; t > 0; t--) for (int k = 0; k < t; k++) v[k] = v[k] * 3 + (v[k + 1] >> 2) % 31)
// LOG-DAG: longs: made: arrays
// CASE: longs few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(longs, u32, for (long t = SIZE - 1; t > 0; t--) for (long k = 0; k < t; k++) v[k] = v[k] * 3 + (v[k + 1] >> 2) % 31)
// LOG-DAG: unsigneds: made: arrays
// CASE: unsigneds few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(unsigneds, u32, for (unsigned t = SIZE - 1; t != 0; t -= 1) for (unsigned k = 0; k != t; ++k) v[k] = (v[k] ^ v[k + 1]) * 3 + (v[k + 1] >> 2) % 31)
template <int N, typename T> static __device__ __attribute__((always_inline)) T root(T *v, T up, T down) {
  for (int t = N; t > 0; t--) for (T *k = v; k < v + t; k++) *k = up * k[1] + down * k[0] / 7; return v[0]; }
// LOG-DAG: pointers: made: arrays
// CASE: pointers few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(pointers, u32, s = root<SIZE - 1>(v, s + 5, s + 3))
// The loop that tells is not the next one around.
// LOG-DAG: third: made: arrays
// CASE: third few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(third, u32, for (int t = 9; t > 0; t--) for (int r = 0; r < 2; r++) for (int k = 0; k < t; k++) v[k] = v[k] * (3 + r) + (v[k + 1] >> 2) % 31)
// LOG-DAG: rising: made: arrays
// CASE: rising few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(rising, u32, for (int t = 1; t < SIZE; t += 2) for (int k = 0; k < t; k++) { v[k] = v[k] * 3 + (v[k + 1] >> 2) % 31; if (v[k] == 77) break; })
// LOG-DAG: leaves: made: arrays
// CASE: leaves few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(leaves, u32, for (int t = SIZE - 1; t > 0 && s < 4000000000u; t--) { for (int k = 0; k < t; k++) v[k] = v[k] * 3 + (v[k + 1] >> 2) % 31; s += v[t / 2] & 0xffff; })
// LOG-DAG: asks: made: arrays
// CASE: asks few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(asks, u32, for (int t = SIZE - 1; t > 0; t--) { if (v[t] & 1) for (int k = 0; k < t; k++) v[k] = v[k] * 3 + (v[k + 1] >> 2) % 31; else s += v[t]; })
