// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.ptx
// Arrays of a thread that become registers though they hold several types, are copied as a whole, or stand in loops that go their own ways.
// TEXT: levels=O3 archs=sm_90
// CHECK-NOT: {{[ls][dt]}}.local
#include "records.cuh"
enum { SIZE = 24 };
#define FORM(NAME, ...) \
  KERNEL NAME(const u32 *__restrict__ p, u32 *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    u32 s = 0; \
    __VA_ARGS__; \
    q[i] = s; \
  }
#define FILL for (int k = 0; k < SIZE; k++) v[k] = p[(k & 3) * n + i] * (k + 3) + k
// CASE: doubles few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(doubles, double v[12]; for (int k = 0; k < 12; k++) v[k] = (double)p[(k & 3) * n + i] + k;
  for (int r = 0; r < 12; r++) for (int k = 0; k < 12; k++) { v[k] = v[(k + r) % 12] / 3 - v[k]; s += (u32)(long long)v[(k * r) % 12]; })
// CASE: bytes few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(bytes, unsigned char v[SIZE]; FILL; for (int r = 0; r < 12; r++) for (int k = 0; k < SIZE; k++) { s += v[(k + r) % SIZE]; v[k] ^= s >> (r & 7); })
// CASE: words_of_halves few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(words_of_halves, union { u32 w[12]; unsigned short h[24]; } v; for (int k = 0; k < 12; k++) v.w[k] = p[(k & 3) * n + i] * (k + 3);
  for (int r = 0; r < 12; r++) for (int k = 0; k < 24; k++) { s += v.h[(k + r) % 24]; v.w[k / 2] ^= s * r; })
struct Pair { u32 v[SIZE], n; };
// CASE: copied few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(copied, Pair a; Pair b; for (int k = 0; k < SIZE; k++) a.v[k] = p[(k & 3) * n + i] * (k + 3); a.n = 3;
  for (int r = 0; r < 5; r++) { b = a; for (int k = 0; k < SIZE; k++) { s += b.v[(k + r) % SIZE] + b.n; a.v[k] ^= s * r; } a.n += s; })
// It is made anew in each iteration.
// CASE: inside few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(inside, for (int t = 0; t < n; t++) { u32 v[SIZE]; FILL; for (int r = 0; r < 12; r++) for (int k = 0; k < SIZE; k++) { s += v[(k + r) % SIZE]; v[k] ^= s * t; } })
// Counters wrap around.
// CASE: wraps few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(wraps, u32 v[SIZE]; FILL; for (u32 r = 0xfffffff8u; r != 4; r++) for (unsigned char k = 250; k != (unsigned char)(250 + SIZE); k++) {
  s += v[(unsigned char)(k - 250)] + r; v[(unsigned char)(k + 6) % SIZE] ^= s * r; })
// Lanes of a warp leave in different iterations, return, or leave some out.
// CASE: ways few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(ways, u32 v[SIZE]; FILL; for (int r = 0; r < 12; r++) for (int k = 0; k < SIZE; k++) {
  u32 w = v[(k + r) % SIZE]; if ((w & 15) == 3) continue; if ((w & 1023) == 5) { q[i] = w; return; } if ((w & 255) == 7) break; s += w; v[k] ^= s * r; })
// The warp works together in each iteration.
// CASE: together full few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(together, u32 v[SIZE]; FILL; for (int r = 0; r < 12; r++) for (int k = 0; k < SIZE; k++) {
  s += __nvvm_vote_ballot_sync(0xffffffffu, v[(k + r) % SIZE] & 1); v[k] ^= s * r; })
// CASE: chosen_of_two few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(chosen_of_two, u32 v[SIZE]; u32 w[SIZE]; FILL; for (int k = 0; k < SIZE; k++) w[k] = v[k] * 3;
  for (int r = 0; r < 6; r++) { u32 *from = r & 1 ? v : w; u32 *to = r & 1 ? w : v; for (int k = 0; k < SIZE; k++) { s += from[(k + r) % SIZE]; to[k] ^= s * r; } })
// Bits of sums are taken for integers, and make powers of two, as exponential functions do; no product's are.
// CASE: powers few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(powers, float v[SIZE]; float f = 0; for (int k = 0; k < SIZE; k++) v[k] = (float)(p[(k & 3) * n + i] & 1023) + k;
  for (int r = 0; r < 6; r++) for (int k = 0; k < SIZE; k++) { float x = v[(k + r) % SIZE], t = x * -0.0078125f + 12583039.0f; f += __builtin_bit_cast(float, __builtin_bit_cast(u32, t) << 23) * x; v[k] += f; }
  s = __builtin_bit_cast(u32, f))
