// RUN: %rewritten %s --temp %t.d
// Hazard 1: guards, partial blocks and warps, early return, divergent loops: without all 32 lanes the original runs.
#include "records.cuh"
struct R { u32 a, b, c, d, e; };
__device__ u32 sum(const R &r) { return r.a + 3 * r.b + 5 * r.c + 7 * r.d + 11 * r.e; }
__device__ void set(R *q, u32 x) { q->a = x; q->b = x + 1; q->c = x * 3; q->d = ~x; q->e = x ^ 5; }

// CASE: guard load=exchange fewer -- rand:{20*n} zero:{4*n} i32:{n}
KERNEL guard(const R *p, u32 *q, int n) { int i = ROW; if (i < n) q[i] = sum(p[i]); }
// CASE: early store=exchange dims fewer -- zero:{20*n} i32:{n}
KERNEL early(R *q, int n) { int i = ALL; if (i >= n) return; set(q + i, i); }
// CASE: by_data load=exchange store=exchange -- rand:{4*n} rand:{20*n} i32:{n}
KERNEL by_data(const u32 *flag, R *q, int n) {
  int i = ROW;
  if (i >= n) return;
  if (flag[i] % 3) set(q + i, sum(q[i])); else set(q + i, i);
}
// CASE: divergent load=exchange -- rand:{160*n} zero:{4*n} i32:{n}
KERNEL divergent(const R *p, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < i % 7; k++) s = s * 31 + sum(p[i + k * n]);
  q[i] = s;
}
// CASE: grid_stride load=exchange store=exchange -- rand:{20*(3*n)} zero:{20*(3*n)} i32:{3*n}
KERNEL grid_stride(const R *__restrict__ p, R *__restrict__ q, int n) {
  for (int i = ROW; i < n; i += blockDim.x * gridDim.x) set(q + i, sum(p[i]));
}
// CASE: breaks load=exchange -- bits:{n} rand:{160*n} zero:{4*n} i32:{n}
KERNEL breaks(const u32 *stop, const R *p, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < 8; k++) {
    s += sum(p[8 * i + k]);
    if (k > 3 && stop[i]) break;
  }
  q[i] = s;
}
// CASE: upper_half store=exchange full -- zero:{20*T}
KERNEL upper_half(R *q) { if (threadIdx.x & 16) set(q + ROW, threadIdx.x); }
