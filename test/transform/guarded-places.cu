// RUN: %rewritten %s --temp %t.d
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_90 -S -emit-llvm -nocudainc -nocudalib -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -coalda-trace -S %t.ll > %t.out 2> %t.log && %FileCheck %s < %t.out && %FileCheck %s --check-prefix=TRIED < %t.log
// TEXT: levels=O3 archs=sm_90
// Two versions of loads that are each under a condition bring one place together: what both compute is computed in front, and the backend sees neighbours behind them.
#include "records.cuh"
struct alignas(16) Words { u32 x, y, z, w; };
// CHECK-LABEL: @behind(
// CHECK: load <4 x
// CHECK-NOT: phi {{i64|ptr}}
// CHECK: atomicrmw
// CASE: behind with=m=0,1,5,30,64,200 -- rand:{16*n+16} zero:{4*n+4} i32:{n} i32:{m}
KERNEL behind(Words *p, u32 *out, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 1;
  if (i >= m) s += p[i].x;
  if (i >= m + 1) s = s * 2 + p[i].y;
  if (i >= m + 2) s = s * 3 + p[i].z;
  if (i >= m + 3) s = s * 5 + p[i].w;
  __nvvm_atom_add_gen_i((int *)&p[i].z, (int)s);
  out[i] = s;
}
// Two words of a record, beside two neighbours of another array: no version for as little, whose lanes go both ways at each edge.
// TRIED: edges: tried: 2 accesses under conditions, on a copy: they do not move together
// CASE: edges with=m=0,1,5,30,64 -- frand:{8*n+16} frand:{16*n+16} i32:{n} i32:{m}
struct alignas(16) Four { float x, y, z, w; };
KERNEL edges(const float *t, Four *p, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  float a = t[i] + 1, x = p[i].x, y = p[i].y;
  x = i > 0 ? x + a - t[i - 1] * t[i + n - 1] : 0;
  y = i < m - 1 ? y + a - t[i + 1] * t[i + n + 1] : 0;
  float z = p[i].z * x, w = p[i].w * y;
  p[i].x = x; p[i].y = y; p[i].z = z; p[i].w = w;
}
