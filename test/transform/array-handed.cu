// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s --check-prefix=LOG < %t.log
// RUN: %FileCheck %s < %t.ptx
// Functions that are handed a small array of a thread, and that LLVM does not put into the kernel: they stand in it where its array is registers then.
// Those that are cold are called whatever they do, up to a hundred instructions.
// TEXT: levels=O3 archs=sm_90
#include "records.cuh"
enum { SIZE = 16 };
#define CALLED template <int N, typename T> __attribute__((cold)) __device__
#define KEEPS(N) for (int r_ = 0; r_ < 12; r_++) _Pragma("unroll") for (int k = 0; k < N; k++)
#define FORM(NAME, T, ...) \
  __attribute__((launch_bounds(128))) KERNEL NAME(const T *__restrict__ p, T *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    T v[SIZE], s = 0; \
    for (int k = 0; k < SIZE; k++) v[k] = p[(k & 3) * n + i] * (T)(k + 3) + (T)k; \
    __VA_ARGS__; \
    for (int k = 0; k < SIZE; k++) s = s * 3 + v[k]; \
    q[i] = s; \
  }
// One round of many instructions.
#define ROUND(a, b) (((a ^ b) * 5 + (b >> 3) % 29 ^ (a >> 7) * 3) + ((a | 1) * (b ^ 77) >> 5) % 1001 + (a & b ^ a << 3))
CALLED void mix(T *v, int r) { KEEPS(N) { T a = v[k], b = v[(k + r) % N]; v[k] = ROUND(a, b); } }
// LOG-DAG: pointer: made: arrays
// CASE: pointer few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(pointer, u32, mix<SIZE, u32>(v, 3))
// LOG-DAG: twice: made: arrays
// CASE: twice few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(twice, u32, mix<SIZE, u32>(v, 3); mix<SIZE, u32>(v, 9))
// A part of it.
// LOG-DAG: part: made: arrays
// CASE: part few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(part, u32, mix<SIZE / 2, u32>(v + 4, 5))
CALLED void mix_all(T (&v)[N], const T &r) { KEEPS(N) { T a = v[k], b = v[(k + 5) % N]; v[k] = ROUND(a, b) + r; } }
// LOG-DAG: reference: made: arrays
// CASE: reference few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(reference, u32, mix_all<SIZE, u32>(v, s); s++; mix_all<SIZE, u32>(v, s))
struct Held { u32 w[SIZE], n; };
CALLED void mix_held(T *h) { KEEPS(N) { u32 a = h->w[k], b = h->w[(k + r_) % N]; h->w[k] = ROUND(a, b); } }
// LOG-DAG: in_struct: made: arrays
// CASE: in_struct few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(in_struct, u32, Held h; for (int k = 0; k < SIZE; k++) h.w[k] = v[k]; mix_held<SIZE>(&h); for (int k = 0; k < SIZE; k++) v[k] ^= h.w[k])
CALLED void deep(T *v, T r) { KEEPS(N) v[k] += r * k; mix<N>(v, r); }
// LOG-DAG: calls_again: made: arrays
// CASE: calls_again few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(calls_again, u32, deep<SIZE, u32>(v, 3))
// What it returns is added, what it is handed was multiplied, and it adds that: each is rounded for itself, as the call has it.
CALLED T blended(T *v, T c, T d) { T s = c + d; KEEPS(N) { T x = v[k], y = v[(k + 3) % N]; s = (x - y) / (x * y + 2) + (x + y) / (x * x + 3) - (y - 1) / (y * y + 5) + s / 3; v[k] = s - c; } return s * d; }
// CHECK: .entry rounded(
// CHECK: mul.rn.f32 [[C:%r[0-9]+]]
// CHECK: mul.rn.f32 [[D:%r[0-9]+]]
// CHECK: add.f32 %r{{[0-9]+}}, [[C]], [[D]];
// CHECK: mul.rn.f32 [[S:%r[0-9]+]]
// CHECK: add.f32 %r{{[0-9]+}}, %r{{[0-9]+}}, [[S]];
// LOG-DAG: rounded: made: arrays
// CASE: rounded few -- frand:{16*n+16} zero:{4*n} i32:{n}
FORM(rounded, float, s = v[2] + blended<SIZE, float>(v, v[0] * v[1], v[3] * v[4]))
// A product with one is one, whatever stands in its other factor.
template <int N, typename T> __attribute__((cold)) __device__ T weighed(T *v, T c, int d) { T s = v[3] * c; KEEPS(N) { T x = v[k], y = v[(k + 3) % N]; s = (x - y) / (x * y + 2) + (x + y) / (x * x + 3) - (y - 1) / (y * y + 5) + s / 3; v[k] = s * (T)d; } return s * c; }
// LOG-DAG: ones: made: arrays
// CASE: ones few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(ones, float, s = weighed<SIZE, float>(v, 1.0f, 1))
// It is told to be called.
__attribute__((noinline)) __device__ void apart(u32 *v, u32 r) { KEEPS(SIZE) { u32 a = v[k], b = v[(k + r) % SIZE]; v[k] = ROUND(a, b); } }
// LOG-DAG: called: refused: arrays that loops index: ArrayEscapes
// CASE: called few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(called, u32, apart(v, 3))
// It calls itself.
__attribute__((cold)) __device__ void again(u32 *v, int r) { KEEPS(SIZE) { u32 a = v[k], b = v[(k + r) % SIZE]; v[k] = ROUND(a, b); } if (r > 1 && v[3] & 1) { again(v, r / 2); v[2] ^= r; } }
// LOG-DAG: itself: refused: arrays that loops index: ArrayEscapes
// CASE: itself few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(itself, u32, again(v, 3))
// Data choose: it stays where it is, and is called.
CALLED void chosen(T *v, T r) { KEEPS(N) { T a = v[k], b = v[(a + r) % N]; v[k] = ROUND(a, b); } }
// LOG-DAG: by_data: refused: arrays that loops index: Array{{Chosen|Escapes}}
// CASE: by_data few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(by_data, u32, chosen<SIZE, u32>(v, 3))
