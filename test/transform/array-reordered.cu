// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s < %t.log
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -mllvm -coalda-without=reordered -S %s -o %t.ptx 2> %t.kept
// RUN: %FileCheck %s --check-prefix=KEPT < %t.kept
// Arrays of more words than a thread has registers, of which few are live at once where each is computed when it is needed; and such of which all are.
// TEXT: levels=O3 archs=sm_90
// KEPT-NOT: made: arrays
#include "records.cuh"
enum { SIZE = 80 };
#define FORM(NAME, T, ...) \
  KERNEL NAME(const T *__restrict__ p, T *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    T v[SIZE]; T s = p[i], z = p[n + i]; \
    for (int k = 0; k < 16; k++) v[k] = p[(k & 3) * n + i] * (k + 3) + k; \
    __VA_ARGS__; \
    q[i] = s + z; \
  }
#define TURN(x, k) ((x) << (k) | (x) >> (32 - (k)))
// The words of a digest.
// CHECK-DAG: schedule: made: arrays
// CASE: schedule few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(schedule, u32, for (int k = 16; k < SIZE; k++) v[k] = v[k - 16] + (TURN(v[k - 15], 7) ^ v[k - 15] >> 3) + v[k - 7] + (TURN(v[k - 2], 17) ^ v[k - 2] >> 10);
  for (int k = 0; k < SIZE; k++) { u32 t = z + (TURN(s, 6) ^ TURN(s, 11)) + v[k] + k * 0x9e3779b1u; z = s; s = t ^ (z >> 5); })
// CHECK-DAG: chain: made: arrays
// CASE: chain few -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(chain, u32, for (int k = 16; k < SIZE; k++) v[k] = v[k - 1] * 5 ^ v[k - 16] >> 3; for (int k = 0; k < SIZE; k++) s = (s ^ v[k]) * 7 + (s >> 9))
// All of them are needed at the end, and first what came last.
// CHECK-DAG: turned: refused: arrays that loops index: ArrayRegisters
// CASE: turned few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(turned, u32, u32 w[96]; for (int k = 0; k < 96; k++) w[k] = z = (z ^ s) * 7 + k; for (int r = 0; r < 2; r++) for (int k = 95; k >= 0; k--) s = (s ^ w[k]) * 7 + (s >> 9))
// They are carried through a loop of data's length.
// CHECK-DAG: carried: refused: arrays that loops index: ArrayRegisters
// CASE: carried few none -- rand:{16*n+16} zero:{4*n} i32:{n}
FORM(carried, u32, for (int k = 16; k < SIZE; k++) v[k] = v[k - 1] * 5 ^ v[k - 16] >> 3; for (int r = 0; r < n; r++) for (int k = 0; k < SIZE; k++) { v[k] = v[k] * 3 + s; s = (s ^ v[k]) * 7 + (s >> 9); })
