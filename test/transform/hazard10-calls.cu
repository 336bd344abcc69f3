// RUN: %rewritten %s --temp %t.d
// Hazard 10: device functions that stay calls, under divergence and from several kernels; functions to be left alone.
#include "records.cuh"
struct R { u32 a, b, c, d, e; };
__device__ __noinline__ u32 sum(const R *r) { return r->a + 3 * r->b + 5 * r->c + 7 * r->d + 11 * r->e; }
__device__ __noinline__ void set(R *q, u32 x) { q->a = x; q->b = x + 1; q->c = x * 3; q->d = ~x; q->e = x ^ 5; }
// CASE: called load=exchange store=exchange dims -- rand:{20*n} zero:{20*n} i32:{n}
KERNEL called(const R *p, R *q, int n) { int i = ALL; if (i < n) set(q + i, sum(p + i)); }
// CASE: diverged load=exchange store=exchange dims -- rand:{20*n} zero:{20*n} i32:{n}
KERNEL diverged(const R *p, R *q, int n) {
  int i = ALL;
  if (i >= n) return;
  if (i % 3) set(q + i, sum(p + i)); else if (i % 2) set(q + i, 2 * sum(p + i));
  for (int k = 0; k < i % 4; k++) q[i].b += sum(p + i);
}
__device__ u32 __attribute__((noinline)) twice(const R *r, int depth) { return depth ? twice(r, depth - 1) + r->b : sum(r); }
// CASE: recursive dims -- rand:{20*n} zero:{4*n} i32:{n}
KERNEL recursive(const R *p, u32 *q, int n) { int i = ALL; if (i < n) q[i] = twice(p + i, i % 3); }
// CASE: not_optimized none dims -- rand:{20*n} zero:{20*n} i32:{n}
extern "C" __attribute__((optnone, noinline, global)) void not_optimized(const R *p, R *q, int n) {
  int i = ALL;
  if (i < n) q[i].a = p[i].e, q[i].b = p[i].d, q[i].c = p[i].c, q[i].d = p[i].b, q[i].e = p[i].a;
}
// CASE: off untold dims -- rand:{20*n} zero:{20*n} i32:{n}
extern "C" __attribute__((annotate("coalda.off"), global)) void off(const R *__restrict__ p, R *__restrict__ q, int n) {
  int i = ALL;
  if (i < n) q[i].a = p[i].e, q[i].b = p[i].d, q[i].c = p[i].c, q[i].d = p[i].b, q[i].e = p[i].a;
}
// Inline assembly that another lane's absence would break, or that must not be there twice: a label.
// CASE: labelled dims -- rand:{20*n} zero:{4*n} i32:{n}
KERNEL labelled(const R *p, u32 *q, int n) {
  int i = ALL;
  if (i >= n) return;
  u32 s = p[i].a + 3 * p[i].b;
  asm volatile("");
  q[i] = s + 5 * p[i].c + 7 * p[i].d + 11 * p[i].e;
}
// A copy with a vote, or a barrier of the block, between its loads and its stores: neither may be there twice.
// CASE: voted full -- rand:{20*T} zero:{20*T} zero:{4*T}
KERNEL voted(const R *__restrict__ p, R *__restrict__ q, u32 *__restrict__ o) {
  int i = ROW;
  R r = p[i];
  u32 any = __nvvm_vote_any_sync(warp_mask(), r.a > 5);
  q[i] = r;
  o[i] = any;
}
// CASE: copy_over_barrier full -- rand:{20*T} zero:{20*T} zero:{4*T}
KERNEL copy_over_barrier(const R *__restrict__ p, R *__restrict__ q, u32 *__restrict__ o) {
  __shared__ u32 s[1024];
  int i = ROW;
  R r = p[i];
  s[threadIdx.x] = i;
  __syncthreads();
  q[i] = r;
  o[i] = s[(threadIdx.x + 1) % blockDim.x];
}
