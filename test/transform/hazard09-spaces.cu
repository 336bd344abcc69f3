// RUN: %rewritten %s --temp %t.d
// Hazard 9: alignment that is only likely, read-only data, generic pointers into shared and local memory.
#include "records.cuh"
struct R { u32 a, b, c, d, e, f, g, h; };
__device__ u32 sum(const R &r) { return r.a + 3 * r.b + 5 * r.c + 7 * r.d + 11 * r.e + 13 * r.f + r.g * r.h; }

// The array is likely aligned as an allocation is, but is not: shifted by words, and bytes by bytes.
// CASE: shifted few load=exchange store=exchange with=k=0,4,8,12,16,20 -- ref:3+{k} ref:4+{k} i32:{n} rand:{32*n+k} zero:{32*n+k}
KERNEL shifted(const R *__restrict__ p, R *__restrict__ q, int n, void *, void *) {
  int i = ROW;
  if (i >= n) return;
  R r = p[i];
  q[i].a = r.h; q[i].b = r.g; q[i].c = r.f; q[i].d = r.e; q[i].e = r.d; q[i].f = r.c; q[i].g = r.b; q[i].h = r.a;
}
// CASE: shifted_bytes few load=exchange store=exchange with=k=0..5 -- ref:3+{k} ref:4+{k+1} i32:{n} rand:{12*n+k} zero:{12*n+k+1}
KERNEL shifted_bytes(const u8 *__restrict__ p, u8 *__restrict__ q, int n, void *, void *) {
  int i = ROW;
  if (i >= n) return;
  for (int k = 0; k < 12; k++) q[12 * i + k] = p[12 * i + k] + 3 * k;
}
// CASE: shifted_copy few load=copy store=copy with=k=0,4,8,16 -- ref:3+{k} ref:4+4 i32:{n} rand:{32*n+k} zero:{32*n+4}
KERNEL shifted_copy(const R *__restrict__ p, R *__restrict__ q, int n, void *, void *) { int i = ROW; if (i < n) q[i] = p[i]; }

// One body, three spaces: each caller's records lie elsewhere.
__device__ __noinline__ void fill(R *r, u32 x) { r->a = x; r->b = x + 1; r->c = x + 2; r->d = x + 3; r->e = x + 4; r->f = x + 5; r->g = x * 3; r->h = ~x; }
__device__ __noinline__ u32 total(const R *r) { return sum(*r); }
// CASE: in_global full dims -- zero:{32*T}
KERNEL in_global(R *q) { fill(q + ALL, ALL); }
// CASE: in_shared store=exchange full -- zero:{4*T}
KERNEL in_shared(u32 *q) {
  __shared__ R s[1024];
  fill(s + threadIdx.x, ROW);
  __syncthreads();
  q[ROW] = total(s + (threadIdx.x + 1) % blockDim.x);
}
// CASE: in_local store=exchange full -- zero:{4*T}
KERNEL in_local(u32 *q) {
  R r;
  fill(&r, ROW);
  q[ROW] = total(&r);
}
// CASE: in_turn store=exchange full -- rand:{32*T} zero:{4*T}
KERNEL in_turn(const R *p, u32 *q) {
  __shared__ R s[1024];
  fill(s + threadIdx.x, ROW);
  const R *r = p[ROW].a & 1 ? p + ROW : s + threadIdx.x;
  q[ROW] = total(r);
}
// Read-only to the compiler, until the kernel is over.
// CASE: constant_data load=exchange -- rand:{32*n} zero:{4*n} i32:{n}
KERNEL constant_data(const R *__restrict__ p, u32 *__restrict__ q, int n) { int i = ROW; if (i < n) q[i] = sum(p[i]); }
// The start is known to be aligned, what follows the hole is not.
struct __attribute__((aligned(16))) Start { V4 v; u32 hole, a, b, c; };
// CASE: aligned_start load=exchange store=exchange -- rand:{32*n} zero:{32*n} i32:{n}
KERNEL aligned_start(const Start *__restrict__ p, Start *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  V4 v = p[i].v;
  u32 a = p[i].a, b = p[i].b;
  q[i].v = V4{v.w, v.z, v.y, v.x}; q[i].a = b; q[i].b = a;
}
// Where a pointer that another function returns leads to depends on the caller's caller.
struct Few { u32 a, b, c, d, e; };
__device__ __noinline__ const Few *same(const Few *r, int k) { return r + k; }
__device__ __noinline__ u32 through(const Few *r, int k) { const Few *s = same(r, k); return s->a + 3 * s->b + 5 * s->c + 7 * s->d + 11 * s->e; }
// CASE: returned_global load=exchange full -- rand:{20*T} zero:{4*T}
KERNEL returned_global(const Few *p, u32 *q) { q[ROW] = through(p, ROW); }
// CASE: returned_local load=exchange full -- zero:{4*T}
KERNEL returned_local(u32 *q) {
  u32 i = ROW;
  Few mine[2] = {{i, i + 1, i * 3, 9, 8}, {i * 7, i + 2, i * 5, 6, 5}};
  q[i] = through(mine, i & 1);
}
