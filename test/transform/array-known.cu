// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -ffp-contract=off -I%S -I%S/../gen -S -emit-llvm %s -o %t.ll
// RUN: %opt -verify-each -passes=coalda -disable-output %t.ll
// Arrays of a thread whose numbers become known as they become registers: the compiler is not to compute with them in its own way, where
// a NaN would be another one.
// TEXT: levels=O3 archs=sm_90
#include "records.cuh"
enum { SIZE = 24 };
#define FORM(NAME, ...) \
  KERNEL NAME(const float *__restrict__ p, float *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    float s = 0; \
    __VA_ARGS__; \
    q[i] = s; \
  }
#define P(r) p[((r) & 3) * n + i]
#define NEST for (int r = 0; r < 9; r++) for (int k = 0; k < SIZE; k++)
#define TURN(A) NEST A[(k * 5 + r) % SIZE] = A[(k + r) % SIZE]
// By bytes: all of them zero, or one.
// CASE: zeros few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(zeros, float v[SIZE]; for (int k = 0; k < SIZE; k++) v[k] = 0; TURN(v); s = P(1) - v[1])
// CASE: set_bits few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(set_bits, float v[SIZE]; __builtin_memset(v, 255, sizeof v); TURN(v); s = P(1) + v[1])
// As integers.
// CASE: punned few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(punned, union { float f[SIZE]; u32 w[SIZE]; } v; for (int k = 0; k < SIZE; k++) v.w[k] = 0x3f800000; TURN(v.w); s = P(1) / v.f[4])
// Behind the loops.
// CASE: later few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(later, u32 v[SIZE]; for (int k = 0; k < SIZE; k++) v[k] = 1; TURN(v); s = P(1) / (float)v[1])
// Several edges lead from the switch to the number that is chosen.
// CASE: edges few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(edges, float v[SIZE]; for (int k = 0; k < SIZE; k++) v[k] = P(k);
  NEST { float f; switch (__builtin_bit_cast(int, v[k]) & 15) { case 0: case 3: case 9: f = 2.5f; break; case 5: case 12: f = 3.25f; q[i] = s; break;
         default: f = v[(k + 3) % SIZE] / 3; q[i] = f; } v[(k * 5 + r) % SIZE] = v[k] / f; s += f; } s += v[1])
