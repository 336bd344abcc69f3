// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s < %t.log
// Arrays of a thread that stay where they are, and why.
// TEXT: levels=O3 archs=sm_90
// CHECK-NOT: made: arrays
#include "records.cuh"
enum { SIZE = 24 };
#define FORM(NAME, T, ARRAY, ...) \
  KERNEL NAME(const T *__restrict__ p, T *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    ARRAY; \
    T s = 0; \
    for (int k = 0; k < SIZE; k++) v[k] = p[(k & 3) * n + i] + (T)k; \
    __VA_ARGS__; \
    q[i] = s; \
  }
#define TWICE for (int r = 0; r < 12; r++) for (int k = 0; k < SIZE; k++)
// CHECK-DAG: chosen: refused: arrays that loops index: ArrayChosen
// CASE: chosen few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(chosen, u32, u32 v[SIZE], TWICE { s += v[s % SIZE]; v[k] ^= s * r; })
// CHECK-DAG: changing: refused: arrays that loops index: ArrayEscapes
// CASE: changing few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(changing, u32, u32 v[SIZE], TWICE { s += *(volatile u32 *)&v[k]; v[k] = s * r; })
__attribute__((noinline)) __device__ u32 elsewhere(u32 *v, u32 r) { v[r % SIZE] += r; return v[r & 15]; }
// CHECK-DAG: handed: refused: arrays that loops index: ArrayEscapes
// CASE: handed few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(handed, u32, u32 v[SIZE], TWICE { s += elsewhere(v, k + r); v[k] ^= s * r; })
// CHECK-DAG: endless: refused: arrays that loops index: ArrayEndless
// CASE: endless few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(endless, u32, u32 v[SIZE], for (int r = 0; r < 12; r++) for (int k = 0; k < n; k++) { s += v[k % SIZE]; v[k % SIZE] ^= s * r; })
// Data tell how a counter goes on, by which way is taken.
// CHECK-DAG: stepping: refused: arrays that loops index: ArrayEndless
// CASE: stepping few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(stepping, u32, u32 v[SIZE], for (int r = 0; r < 12; r++) for (int k = 0; k < SIZE; k++) { if (v[k] & 1) { v[k] += s * r; k++; } else { v[SIZE - 1 - k] ^= s; q[i] = s; } s += v[r] + k; })
// It goes on in two ways, from where a loop around it is, of which nobody knows how often it runs.
// CHECK-DAG: started: refused: arrays that loops index: ArrayEndless
// CASE: started few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(started, u32, u32 v[SIZE], for (int r = 0; r < n; r++) for (int k = r & 7; k < SIZE - 1; k = k & 1 ? k + 3 : k / 2 * 3 + 1) { s += v[k]; v[k + 1] ^= s * r; })
// Followed for 512 iterations it has not come to its end, which is the 525th.
// CHECK-DAG: uneven: refused: arrays that loops index: ArrayLong
// CASE: uneven few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(uneven, u32, u32 v[SIZE], for (unsigned k = 837799; k != 1; k = k & 1 ? 3 * k + 1 : k / 2) { s += v[k % SIZE]; v[k % SIZE] ^= s * 3; })
// CHECK-DAG: told: refused: arrays that loops index: ArrayTold
// CASE: told few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(told, u32, u32 v[SIZE], for (int r = 0; r < 12; r++) { _Pragma("unroll 1") for (int k = 0; k < SIZE; k++) { s += v[k] + k; v[k] ^= s * r; } })
// CHECK-DAG: waiting: refused: arrays that loops index: ArrayTold
KERNEL waiting(const u32 *__restrict__ p, u32 *__restrict__ q, int n) {
  __shared__ u32 t[64];
  u32 v[SIZE], s = 0;
  for (int k = 0; k < SIZE; k++) v[k] = p[k * 64 + threadIdx.x];
  for (int r = 0; r < 12; r++)
    for (int k = 0; k < SIZE; k++) {
      t[threadIdx.x] = v[(k + r) % SIZE];
      __syncthreads();
      s += t[63 - threadIdx.x] * r;
      __syncthreads();
      v[(k * r + 3) % SIZE] ^= s;
    }
  q[threadIdx.x] = s;
}
// CHECK-DAG: long_one: refused: arrays that loops index: ArrayLong
// CASE: long_one few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(long_one, u32, u32 v[SIZE], for (int r = 0; r < 400; r++) for (int k = 0; k < SIZE; k++) { s += v[(k * r) % SIZE]; v[k] ^= s * r; })
// ptxas may see what was stored there, and fuse it: in a register it would see it always.
// CHECK-DAG: product: refused: arrays that loops index: ArrayFused
// CASE: product few none -- frand:{16*n+16} zero:{4*n} i32:{n}
FORM(product, float, float v[SIZE], TWICE v[(k * r + 3) % SIZE] = v[(k + r) % SIZE] * p[(r & 3) * n + i]; for (int k = 0; k < SIZE; k++) s += v[k])
// CHECK-DAG: negated: refused: arrays that loops index: ArrayFused
// CASE: negated few none -- frand:{16*n+16} zero:{4*n} i32:{n}
FORM(negated, float, float v[SIZE], TWICE v[(k * r + 3) % SIZE] = r & 1 ? s : -(v[(k + r) % SIZE] * p[(r & 3) * n + i]); for (int k = 0; k < SIZE; k++) s += v[k])
// A product of one iteration is added in the next.
// CHECK-DAG: carried: refused: arrays that loops index: ArrayFused
// CASE: carried few none -- frand:{16*n+16} zero:{4*n} i32:{n}
FORM(carried, float, float v[SIZE], float last = 0; TWICE { s += last; last = v[(k + r) % SIZE] * s; v[(k * r + 3) % SIZE] = s / 3; })
// Sums in any order would be made in another one.
// CHECK-DAG: loose: refused: arrays that loops index: ArrayLoose
// CASE: loose few none -- frand:{16*n+16} zero:{4*n} i32:{n}
#pragma clang fp reassociate(on)
FORM(loose, float, float v[SIZE], TWICE { s += v[(k + r) % SIZE]; v[(k * r + 3) % SIZE] = s / 3; })
#pragma clang fp reassociate(off)
// More numbers than 64 registers hold, in blocks of any size.
// CHECK-DAG: wide: refused: arrays that loops index: ArrayRegisters
// CASE: wide few none -- rand:{16*n+16} zero:{4*n} i32:{n}
KERNEL wide(const u32 *__restrict__ p, u32 *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  u32 v[96], s = 0;
  for (int k = 0; k < 96; k++) v[k] = p[(k & 3) * n + i] * k;
  for (int r = 0; r < 5; r++) for (int k = 0; k < 96; k++) { s ^= v[k] + k; v[k] += s * r; }
  for (int k = 0; k < 96; k++) s = s * 3 + v[k];
  q[i] = s;
}
#pragma clang fp contract(fast)
// What is done to its bits cancels once they are no longer memory's.
// CHECK-DAG: bits: refused: arrays that loops index: ArrayFused
// CASE: bits few none -- frand:{16*n+16} zero:{4*n} i32:{n}
KERNEL bits(const float *__restrict__ p, u32 *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  union { float f[SIZE]; u32 w[SIZE]; } v;
  float s = 0;
  u32 x = 0;
  for (int k = 0; k < SIZE; k++) v.f[k] = p[(k & 3) * n + i];
  for (int r = 0; r < 9; r++) for (int k = 0; k < SIZE; k++) {
    v.w[(k * 5 + r) % SIZE] = __builtin_bit_cast(u32, v.f[(k + r) % SIZE] * p[(r & 3) * n + i]) ^ 1;
    x ^= v.w[k] & 3;
    v.w[k] ^= 1;
  }
  for (int k = 0; k < SIZE; k++) s += __builtin_bit_cast(float, v.w[k] ^ 1);
  q[i] = __builtin_bit_cast(u32, s) ^ x;
}
