// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s < %t.log
// RUN: %FileCheck %s --check-prefix=LIMIT < %t.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -mllvm -coalda-without=straight -S %s -o %t.ptx 2> %t.kept
// RUN: %FileCheck %s --check-prefix=KEPT < %t.kept
// Arrays of a few more words than a thread has registers, of kernels that no loop is left in: what is spilled is stored and loaded once.
// TEXT: levels=O3 archs=sm_90
// KEPT-NOT: {{planes|steps|parts|pointers|longs|doubles|bounded}}: made: arrays
#include "records.cuh"
#define FORM(NAME, T, SIZE, ...) \
  KERNEL NAME(const T *__restrict__ p, T *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    T v[SIZE], s = p[i]; \
    for (int k = 0; k < SIZE; k++) v[k] = p[(k & 3) * n + i] + k; \
    __VA_ARGS__; \
    q[i] = s + v[0]; \
  }
// CHECK-DAG: swapped: made: arrays
// CASE: swapped few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(swapped, u32, 64, for (int half = 32; half > 0; half /= 2) for (int k = 0; k < 64; k++) if (!(k & half)) { u32 a = v[k], b = v[k + half]; v[k] = a + b; v[k + half] = (a - b) * 5; } for (int k = 0; k < 64; k++) s = s * 3 + v[k])
// CHECK-DAG: planes: made: arrays
// CASE: planes few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(planes, u32, 64, u32 m = 0xffff; for (int j = 16; j != 0; j >>= 1, m ^= m << j) for (int k = 0; k < 64; k = (k + j + 1) & ~j) { u32 t = (v[k] ^ (v[k + j] >> j)) & m; v[k] ^= t; v[k + j] ^= t << j; } for (int k = 0; k < 64; k++) s = s * 3 + v[k])
// CHECK-DAG: steps: made: arrays
// CASE: steps few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(steps, u32, 58, for (unsigned r = 0; r < 20; r++) for (unsigned k = r & 1; k + 1 < 58; k += 2) if (v[k] > v[k + 1]) { u32 t = v[k]; v[k] = v[k + 1]; v[k + 1] = t; } for (int k = 0; k < 58; k++) s = s * 3 + v[k])
// CHECK-DAG: pointers: made: arrays
// CASE: pointers few -- rand:{32*n+32} zero:{8*n} i32:{n}
FORM(pointers, u64, 32, for (unsigned t = 31; t > 0; t--) for (u64 *w = v; w < v + t; w++) *w = *w ^ (w[1] + 5))
// No block is too large for it.
// LIMIT: .entry longs(
// LIMIT-NOT: .entry
// LIMIT: .maxnreg 64
// CHECK-DAG: longs: made: arrays
// CASE: longs few -- rand:{32*n+32} zero:{8*n} i32:{n}
FORM(longs, u64, 32, for (long t = 31; t > 0; t--) for (long k = 0; k < t; k++) v[k] = (v[k] >> 1) + v[k + 1])
// CHECK-DAG: doubles: made: arrays
// CASE: doubles few -- rand:{32*n+32} zero:{8*n} i32:{n}
FORM(doubles, double, 32, for (int t = 31; t > 0; t--) for (int k = 0; k < t; k++) v[k] = s * v[k + 1] + 0.5 * v[k])
struct Parts { u32 key[32], value[32]; };
// CHECK-DAG: parts: made: arrays
// CASE: parts few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(parts, u32, 2, Parts t; for (int k = 0; k < 32; k++) { t.key[k] = s * k ^ v[0]; t.value[k] = v[1] >> (k & 15); }
  for (int r = 31; r > 0; r--) for (int k = 0; k < r; k++) { t.key[k] += t.key[k + 1] ^ t.value[k]; t.value[k] += t.value[k + 1] * 3; } s += t.key[0] + t.value[0])
// CHECK-DAG: bounded: made: arrays
// CASE: bounded few -- rand:{32*n+32} zero:{8*n} i32:{n}
__attribute__((launch_bounds(1024))) FORM(bounded, u64, 32, for (int t = 31; t > 0; t--) for (int k = 0; k < t; k++) v[k] = (v[k] << 1) - v[k + 1])
// All that fills it is loaded at once before, which plain code stores one by one in fewer registers than there are words.
// LIMIT: .entry loaded(
// LIMIT-NOT: .entry
// LIMIT: .maxnreg 64
// CHECK-DAG: loaded: made: arrays
// CASE: loaded few -- rand:{240*n+240} zero:{240*n} i32:{n}
KERNEL loaded(const u64 *__restrict__ p, u64 *__restrict__ q, int n) {
  unsigned i = ROW; if (i >= n) return;
  u64 v[30];
  for (unsigned k = 0; k < 30; k++) v[k] = p[(long)k * n + i];
  for (unsigned h = 1; h < 30; h *= 2) for (unsigned k = 30; k-- > h;) v[k] += v[k - h] ^ h;
  for (unsigned k = 0; k < 30; k++) q[(long)k * n + i] = v[k];
}
// Loops of one block, one behind the other: ptxas may unroll them by itself, and is not told of registers then.
// CHECK-DAG: rings: refused: arrays that loops index: ArrayRegisters
// CASE: rings few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(rings, u32, 66, for (int r = 0; r < 3; r++) for (int k = 0; k < 66; k++) { v[k] ^= v[(k + 7) % 66] * 5 + s; s += v[k] >> 3; })
// More would be spilled than was in memory.
// CHECK-DAG: larger: refused: arrays that loops index: ArrayRegisters
// CASE: larger few none -- rand:{32*n+32} zero:{8*n} i32:{n}
FORM(larger, u64, 36, for (int t = 35; t > 0; t--) for (int k = 0; k < t; k++) v[k] = v[k] * 3 ^ v[k + 1])
// As many words beside it as leave room for no array of 56: more of them would be spilled than one in ten.
// CHECK-DAG: crowded: refused: arrays that loops index: ArrayRegisters
// CASE: crowded few none -- rand:{64*n+64} zero:{4*n} i32:{n}
FORM(crowded, u32, 56, u32 c0 = p[4*n+i]; u32 c1 = p[5*n+i]; u32 c2 = p[6*n+i]; u32 c3 = p[7*n+i]; u32 c4 = p[8*n+i]; u32 c5 = p[9*n+i]; u32 c6 = p[10*n+i]; u32 c7 = p[11*n+i]; u32 c8 = p[12*n+i]; u32 c9 = p[13*n+i]; u32 c10 = p[14*n+i]; u32 c11 = p[15*n+i];
  for (int t = 55; t > 0; t--) for (int k = 0; k < t; k++) v[k] = (v[k] >> 1) + v[k + 1] * 3 ^ c0 ^ c1 ^ c2 ^ c3 ^ c4 ^ c5 ^ c6 ^ c7 ^ c8 ^ c9 ^ c10 ^ c11; s = s * 3 + c0; s = s * 3 + c1; s = s * 3 + c2; s = s * 3 + c3; s = s * 3 + c4; s = s * 3 + c5; s = s * 3 + c6; s = s * 3 + c7; s = s * 3 + c8; s = s * 3 + c9; s = s * 3 + c10; s = s * 3 + c11;)
// What the hardware makes of a product of such numbers takes more words than are known.
// CHECK-DAG: products: refused: arrays that loops index: ArrayRegisters
// CASE: products few none -- rand:{32*n+32} zero:{8*n} i32:{n}
FORM(products, u64, 32, for (unsigned t = 31; t > 0; t--) for (u64 *w = v; w < v + t; w++) *w = *w * 5 + w[1])
// A loop of data's length is left.
// CHECK-DAG: carried: refused: arrays that loops index: ArrayRegisters
// CASE: carried few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(carried, u32, 64, for (int r = 0; r < n; r++) for (int t = 0; t < 4; t++) for (int k = 0; k + t < 64; k++) { v[k] = v[k + t] * 3 + s; s = (s ^ v[k]) * 7 + (s >> 9); })
// A row of each thread's own is moved by the warp, in the loop.
// CHECK-DAG: rows: refused: arrays that loops index: ArrayRegisters
// CASE: rows few -- rand:{256*n+256} zero:{4*n} i32:{n}
KERNEL rows(const u32 *__restrict__ p, u32 *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  u32 v[64];
  for (int k = 0; k < 64; k++) v[k] = p[i * 64 + k];
  for (int half = 32; half > 0; half /= 2) for (int k = 0; k < 64; k++) if (!(k & half)) { u32 a = v[k], b = v[k + half]; v[k] = a + b; v[k + half] = (a - b) * 5; }
  q[i] = v[0] ^ v[63] + v[40];
}
