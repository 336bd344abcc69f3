// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s < %t.ptx
// RUN: %FileCheck %s --check-prefix=LOG < %t.log
// Small arrays of a thread under loops whose counters go on in several ways, by conditions that no data decide: nobody knows beforehand how often they
// run, but they are followed to their end, and no kernel here has local memory left.
// TEXT: levels=O3 archs=sm_90
// CHECK-NOT: {{[ls][dt]}}.local
// LOG-NOT: refused: arrays
#include "records.cuh"
enum { SIZE = 16 };
#define FORM(NAME, T, ...) \
  __attribute__((launch_bounds(128))) KERNEL NAME(const T *__restrict__ p, T *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    T v[SIZE], s = 0; \
    for (int k = 0; k < SIZE; k++) v[k] = p[(k & 3) * n + i] * (k + 3) + k; \
    __VA_ARGS__; \
    for (int k = 0; k < SIZE; k++) s = s * 3 + v[k]; \
    q[i] = s; \
  }
#define MIX(a, b) (a = (a ^ b) * 5 + (b >> 3), b += a * 7)
// The stages of a transform, from the widest and from the narrowest one: clang makes of one of them a loop that goes on by one or by two.
// LOG-DAG: falling: made: arrays
// CASE: falling few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(falling, u32, for (int half = SIZE / 2; half > 0; half /= 2) for (int k = 0; k < SIZE; k++)
  if (!(k & half)) { u32 a = v[k], b = v[k + half], w = (k & (half - 1)) * 12345 / half; v[k] = a + b; v[k + half] = (a - b) * w + (a >> half) + (b ^ w) % 31; })
// LOG-DAG: rising: made: arrays
// CASE: rising few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(rising, u32, for (unsigned half = 1; half < SIZE; half <<= 1) for (unsigned k = 0; k < SIZE; ++k) {
  if (k & half) continue; u32 a = v[k], b = v[k | half], w = (k & (half - 1)) * 12345 / half; v[k] = a + b * w; v[k | half] = (a - b) * w + (a >> half) + (b ^ w) % 31; })
// LOG-DAG: longs: made: arrays
// CASE: longs few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(longs, u32, for (long half = SIZE / 2; half > 0; half >>= 1) for (long k = 0; k < SIZE; k++)
  if ((k & half) == 0) { u32 a = v[k], b = v[k ^ half]; v[k] = a + b * 3; v[k ^ half] = (a - b) * (u32)(k * half + 1) + (a >> half) % 29 + (b ^ a) / 7; })
// Where the bits of a counter are turned around, a loop in the loop carries: what it comes to is a place behind it.
static __device__ void turn_bits(u32 *v)
{
  for (int k = 1, j = 0; k < SIZE; k++) {
    int bit = SIZE >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (k < j) { u32 x = v[k]; v[k] = v[j]; v[j] = x; }
  }
}
// LOG-DAG: turned: made: arrays
// CASE: turned few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(turned, u32, turn_bits(v); for (int len = 2; len <= SIZE; len <<= 1) for (int k = 0; k < SIZE; k += len) for (int j = 0; j < len / 2; j++) {
  u32 a = v[k + j], b = v[k + j + len / 2]; v[k + j] = a + b * j; v[k + j + len / 2] = (a ^ b) % (len * 5 + j); })
// Two counters, of which one goes on or the other comes back.
// LOG-DAG: both_ends: made: arrays
// CASE: both_ends few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(both_ends, u32, for (int r = 1; r < 12; r++) { int k = 0, j = SIZE - 1; while (k < j) { MIX(v[k], v[j]); if ((k * j + r) % 3) k += 2; else j--; v[(k + j) % SIZE] ^= s += r; } })
// Neither comes back evenly: 111 iterations.
// LOG-DAG: uneven: made: arrays
// CASE: uneven few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(uneven, u32, for (unsigned k = 27; k != 1; k = k & 1 ? 3 * k + 1 : k / 2) MIX(v[k % SIZE], s))
// The cycles of a permutation.
// LOG-DAG: cycles: made: arrays
// CASE: cycles few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(cycles, u32, for (int r = 0; r < 3; r++) for (int b = 0; b < SIZE; b++) {
  int j = b * 5 % SIZE; while (j > b) j = j * 5 % SIZE; if (j < b) continue;
  int k = b; do { int next = k * 5 % SIZE; v[k] = v[next] * 3 + r; k = next; } while (k != b); v[(k + 3) % SIZE] ^= s += v[k]; })
// Rows and columns are told by one counter, and the row that is not the pivot's is left by a condition.
// LOG-DAG: flat: made: arrays
// CASE: flat few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(flat, u32, u32 a[5][6]; for (int k = 0; k < 30; k++) a[k / 6][k % 6] = p[(k & 3) * n + i] ^ k;
  for (int b = 0; b < 5; b++) for (int r = 0; r < 5; r++) { if (r == b) continue; u32 f = a[r][b] / 3; for (int c = b; c < 6; c++) a[r][c] -= f * a[b][c]; }
  for (int r = 0; r < 5; r++) v[r] ^= a[r][5])
// Which word a round takes is told by what its number is, in several ways.
// LOG-DAG: rounds: made: arrays
// CASE: rounds few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(rounds, u32, u32 a = 1, b = 2, c = 3; for (int r = 0; r < 48; r++) {
  u32 f = r < 16 ? (a & b) | (~a & c) : r < 32 ? a ^ b ^ c : b ^ (a | ~c); int g = r < 16 ? r : r < 32 ? 5 * r + 1 & 15 : 3 * r + 5 & 15;
  u32 next = b + __builtin_rotateleft32(a + f + v[g] + 0x9e3779b9u * r, 7); a = c; c = b; b = next; } s = a ^ b ^ c)
// Data end the loop as well, and what is divided by is 1 at times.
// LOG-DAG: left: made: arrays
// CASE: left few -- frand:{16*n+16} zero:{4*n} i32:{n}
FORM(left, float, for (int half = SIZE / 2; half > 0; half /= 2) for (int k = 0; k < SIZE; k++)
  if (!(k & half)) { float a = v[k], b = v[k + half]; v[k] = a + b; if (a > 900.0f) break; v[k + half] = (a - b) / (float)((k & (half - 1)) + 1) + a / half; })
