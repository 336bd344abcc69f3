// RUN: %rewritten %s --temp %t.d
// RUN: %launches --archs sm_90 %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s --check-prefix=LOCAL < %t.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: %FileCheck %s --check-prefix=PHI < %t.ll
// Each word of a thread's row, or of its column, has an index, by which it is loaded first and stored last: 32 of them took as many registers
// as the words. Arrays stay registers, rows are exchanged under a limit of 64 registers, and no index waits in a register for its store.
// TEXT: levels=O3 archs=sm_90
// LOCAL-NOT: {{[ls][dt]}}.local
// PHI-NOT: phi i64
#include "records.cuh"

template <int N> static __device__ inline void stages(u32 (&v)[N])
{
  for (int h = 1; h < N; h *= 2)
    for (int k = 0; k < N; k++)
      if (!(k & h)) {
        u32 x = v[k], y = v[k + h];
        v[k] = x + y * 3;
        v[k + h] = x ^ y;
      }
}
#define FORM(NAME, N, INT, FROM, TO) \
  KERNEL NAME(const u32 *__restrict__ p, u32 *__restrict__ q, INT n) { \
    INT i = ROW; if (i >= n) return; \
    u32 v[N]; \
    for (int k = 0; k < N; k++) v[k] = p[FROM]; \
    stages(v); \
    for (int k = 0; k < N; k++) q[TO] = v[k]; \
  }
// CASE: columns few -- rand:{128*n} zero:{128*n} i32:{n}
FORM(columns, 32, int, k * n + i, k * n + i)
// CASE: long_columns few -- rand:{128*n} zero:{128*n} i64:{n}
FORM(long_columns, 32, long, k * n + i, k * n + i)
// CASE: rows few -- rand:{128*n} zero:{128*n} i32:{n}
FORM(rows, 32, int, 32 * i + k, 32 * i + k)
// CASE: unsigned_rows few -- rand:{64*n} zero:{64*n} i32:{n}
FORM(unsigned_rows, 16, unsigned, i * 16 + k, i * 16 + k)
// CASE: turned few -- rand:{128*n} zero:{128*n} i32:{n}
FORM(turned, 32, int, k * n + i, i * 32 + k)

// Sums from place to place: plain code takes 48 registers, and a block of 1024 threads launches.
// CASE: sums few -- rand:{144*n} zero:{144*n} i32:{n}
KERNEL sums(const u32 *__restrict__ p, u32 *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  u32 v[36];
  for (int k = 0; k < 36; k++) v[k] = p[i * 36 + k];
  for (int d = 1; d < 36; d *= 2) for (int k = 35; k >= d; k--) v[k] += v[k - d];
  for (int k = 0; k < 36; k++) q[i * 36 + k] = v[k];
}
