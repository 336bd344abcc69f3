// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S/../gen -fpass-plugin=%plugin -S %s -o - | %FileCheck %s
// Small loops with barriers: what their ends say, as ptxas reads it.
// TEXT: levels=O3 archs=sm_90
#include "tiles.cuh"

#define PLANES(NAME, TYPE, END, PRAGMA, USE) \
  KERNEL NAME(const TYPE *__restrict__ g, TYPE *__restrict__ out, int n) { \
    __shared__ TYPE s[TILE]; \
    TYPE below = g[TX], here = g[TILE + TX], last = 0; \
    PRAGMA for (int z = 1; z < (END) - 1; z++) { \
      TYPE above = g[(z + 1) * TILE + TX]; \
      s[TX] = here; \
      __syncthreads(); \
      USE; \
      __syncthreads(); \
      below = here, here = above; \
    } \
  }
// Planes take each other's place, and nothing is a tile.
// CHECK-LABEL: .entry planes(
// CHECK: setp.ne
// CHECK: @%p{{[0-9]+}} bra $L__BB
// CHECK-NOT: bra.uni
// CASE: planes block=64 grid=1 full with=k=3,4,9,40 -- rand:{256*k} zero:{256*k} i32:{k}
PLANES(planes, u32, n, , out[z * TILE + TX] = below + above + s[(TX + 1) % TILE] - 3 * here)
// CHECK-LABEL: .entry reals(
// CHECK: setp.ne
// CHECK: @%p{{[0-9]+}} bra $L__BB
// CHECK-NOT: bra.uni
// CASE: reals block=64 grid=1 full with=k=3,4,9,40 -- frand:{256*k} zero:{256*k} i32:{k}
PLANES(reals, float, n, , out[z * TILE + TX] = below + above + s[(TX + 1) % TILE] * 3 - here)
// A product is added in the next iteration: rolled, both are rounded.
// CHECK-LABEL: .entry carried(
// CHECK: bra.uni
// CASE: carried block=64 grid=1 full with=k=3,4,9 -- frand:{256*k} zero:{256*k} i32:{k}
PLANES(carried, float, n, , out[z * TILE + TX] = last + s[(TX + 1) % TILE] + above + below; last = above * here)
// A pragma says that it stays rolled.
// CHECK-LABEL: .entry told(
// CHECK: setp.eq
// CASE: told block=64 grid=1 full with=k=3,4,9 -- rand:{256*k} zero:{256*k} i32:{k}
PLANES(told, u32, n, _Pragma("unroll 1"), out[z * TILE + TX] = below + above + s[(TX + 1) % TILE] - 3 * here)
// There are few.
// CHECK-LABEL: .entry few(
// CHECK: bra.uni
// CASE: few block=64 grid=1 full with=k=3,4,9 -- rand:{256*k} zero:{256*k} i32:{k}
PLANES(few, u32, n & 15, , out[z * TILE + TX] = below + above + s[(TX + 1) % TILE] - 3 * here)
// What threads exchange in shared memory waits for them in each iteration: nothing could come first.
// CHECK-LABEL: .entry exchanged(
// CHECK: bra.uni
// CASE: exchanged batch=no block=64 grid=1 full with=k=1,2,9 -- zero:{256} i32:{k}
KERNEL exchanged(u32 *__restrict__ out, int n) {
  __shared__ u32 s[TILE];
  s[TX] = TX;
  __syncthreads();
  for (int z = 1; z < n; z++) {
    u32 mine = s[TX], other = s[(TX + z) % TILE];
    __syncthreads();
    s[TX] = mine * 3 + other;
    __syncthreads();
  }
  out[TX] = s[TX];
}
