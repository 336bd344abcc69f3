// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.ptx
// Small arrays of a thread: loops that index them are unrolled away, and no kernel here has local memory left.
// TEXT: levels=O3 archs=sm_90
// CHECK-NOT: {{[ls][dt]}}.local
// Where arrays may have fewer of the registers, they stay where they are.
// RUN: echo 'ARRAY_ROOM 10' > %t.cost
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-cost=%t.cost -mllvm -coalda-trace -S %s -o %t.few.ptx 2> %t.log
// RUN: %FileCheck %s --check-prefix=FEW < %t.log
// FEW: longs: refused: arrays that loops index: ArrayRegisters
#include "records.cuh"
enum { SIZE = 24 };
#define FILL(T, v) for (int k = 0; k < SIZE; k++) v[k] = p[(k & 3) * n + i] * (k + 3) + k
#define FORM(NAME, T, ...) \
  KERNEL NAME(const T *__restrict__ p, T *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    T v[SIZE], s = 0; \
    FILL(T, v); \
    __VA_ARGS__; \
    q[i] = s; \
  }
#define MIX(a, b) (a = (a ^ b) * 5 + (b >> 3), b += a)
// CASE: ints few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(ints, u32, for (int r = 1; r < SIZE; r++) for (int k = 0; k < SIZE - r; k++) MIX(v[k], v[k + r]); s = v[0] ^ v[SIZE - 1])
// CASE: unsigneds few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(unsigneds, u32, for (unsigned r = 0; r < 8; ++r) for (unsigned k = 0; k < SIZE; ++k) { s += v[k ^ (r & 7)]; v[k] ^= s * 7; })
// CASE: longs few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(longs, u32, for (long r = 7; r >= 0; r--) for (long k = SIZE - 1; k >= 0; k--) { s += v[(k * 5 + r) % SIZE]; v[k] ^= s * 7; })
// CASE: pointers few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(pointers, u32, for (int r = 0; r < 9; r++) for (u32 *w = v + 1; w != v + SIZE; w++) { s ^= *w + w[-1]; *w += s * 3; })
// CASE: whiles few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(whiles, u32, int r = 0; while (r < 9) { int k = SIZE; do { --k; s ^= v[k] + k; v[k] += s * r; } while (k > 0); r++; })
// CASE: guarded few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(guarded, u32, for (int r = 0; r < 9; r++) for (int k = 0; k < SIZE; k++) if (v[k] & 1) MIX(v[k], s); else s += v[SIZE - 1 - k])
// CASE: parts few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(parts, u32, for (int r = 0; r < 9; r++) { _Pragma("unroll 4") for (int k = 0; k < SIZE; k++) { s ^= v[k] + k; v[k] += s * r; } })
// It leaves early: as often as it may run it stands there.
// CASE: early few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(early, u32, for (int r = 0; r < 12; r++) { if (s > 0xf0000000u) break; for (int k = 0; k < SIZE; k++) { s ^= v[k] + k; v[(k + r) % SIZE] += s * r; } })

template <class T> static __device__ void swirl(T *v, T *s, int by)
{
  for (int k = 0; k < SIZE; k++) {
    *s ^= v[(k + by) % SIZE] + k;
    v[k] += *s * by;
  }
}
// CASE: helpers few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(helpers, u32, swirl(v, &s, 3); swirl(v, &s, 5); swirl(v, &s, 11); s += v[7])
// CASE: bounded few -- rand:{16*n+16} zero:{4*n} i32:{n}
__attribute__((launch_bounds(128))) FORM(bounded, u32, for (int r = 0; r < 9; r++) swirl(v, &s, r))

struct Tile { float m[8][12]; };
static __device__ void rank1(Tile &t, const float *x, const float *y)
{
  for (int r = 0; r < 8; r++)
    for (int c = 0; c < 12; c++)
      t.m[r][c] += x[r] * y[c];
}
// CASE: tiles few -- rand:{84*n+84} zero:{4*n} i32:{n}
__attribute__((launch_bounds(128))) KERNEL tiles(const float *__restrict__ p, float *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  Tile t;
  float x[8], y[12], s = 0;
  for (int r = 0; r < 8; r++) for (int c = 0; c < 12; c++) t.m[r][c] = r == c;
  for (int k = 0; k < n; k++) {
    for (int r = 0; r < 8; r++) x[r] = p[r * n + i];
    for (int c = 0; c < 12; c++) y[c] = p[(c + 8) * n + k];
    rank1(t, x, y);
  }
  for (int r = 0; r < 8; r++) for (int c = 0; c < 12; c++) s = s * 0.5f + t.m[r][c];
  q[i] = s;
}
// What is divided is rounded once, wherever it stands, and NaNs keep what they carry; loops inside run as often as those around say.
template <int N> static __device__ void decompose(float *a)
{
  for (int j = 0; j < N; j++) {
    for (int k = 0; k < j; k++)
      for (int i = j; i < N; i++)
        a[i * N + j] -= a[i * N + k] * a[j * N + k];
    float d = a[j * N + j];
    for (int i = j; i < N; i++)
      a[i * N + j] /= d;
  }
}
// CASE: decomposed few -- rand:{16*n+16} zero:{4*n} i32:{n}
__attribute__((launch_bounds(128))) KERNEL decomposed(const float *__restrict__ p, float *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  float a[49], s = 0;
  for (int r = 0; r < 7; r++) for (int c = 0; c < 7; c++) a[r * 7 + c] = p[(r + c & 3) * n + i] + (r == c ? 8.0f : 0.0f);
  decompose<7>(a);
  for (int r = 0; r < 49; r++) s -= a[r];
  q[i] = s;
}
// Some divisors are 1: no number is known to the compiler, which would leave the division out, and NaNs would keep what they carry.
// CASE: ones few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(ones, float, for (int r = 0; r < 9; r++) for (int k = 0; k < SIZE; k++) v[k] = p[(r + k & 3) * n + i] / (float)(r * k + 1); s = v[0])
