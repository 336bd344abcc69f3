// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: sed -n '/^Name:/{N;s/\n/ /p}' %t.yaml | %FileCheck %s
// Records that arithmetic chooses: what is left of a number, its low bits, a mix of them. Bounds, and rows of any length, are no such choice.
#include "records.cuh"

struct P { u32 a, b, c, d, e[12]; };

__device__ u32 mix(u32 x) { x ^= x >> 16; x *= 0x7feb352d; x ^= x >> 15; x *= 0x846ca68b; return x ^ x >> 16; }

// CHECK: ExchangedSome Function: hashed
// CASE: hashed few full block=64 store=exchange load=exchange -- rand:{64*T} zero:{64*T} i32:{n}
KERNEL hashed(const P *__restrict__ p, P *__restrict__ q, int n) {
  int i = ROW;
  if (i < n && mix(i) % 3 == 0) { P r = p[i]; r.a += 1; q[i] = r; }
}
// CHECK: ExchangedSome Function: seeded
// CASE: seeded few dims with=M=0,7,1000000000,-1 store=exchange load=exchange -- rand:{64*T} zero:{64*T} i32:{M} i32:{n}
KERNEL seeded(const P *__restrict__ p, P *__restrict__ q, u32 most, int n) {
  int i = ALL;
  if (i >= n) return;
  if (mix(i ^ 77) >= most) return;
  P r = p[i]; if (r.a & 1) r.b = mix(r.c); q[i] = r;
}
// CHECK: ExchangedSome Function: fifths
// CASE: fifths few store=exchange load=exchange -- rand:{64*T} zero:{64*T} i64:{n}
KERNEL fifths(const P *__restrict__ p, P *__restrict__ q, long n) {
  long i = ROW;
  if (i < n && i % 5) { P r = p[i]; r.a += 1; q[i] = r; }
}
// CHECK: ExchangedSome Function: odd
// CASE: odd few store=exchange -- rand:{64*T} i32:{n}
KERNEL odd(P *__restrict__ p, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < unsigned(n) && (i & 1)) { P r = p[i]; for (int k = 0; k < 12; k++) r.e[k] += r.a * k; r.b = r.c = r.d = i; r.a = 3; p[i] = r; }
}
// CHECK: ExchangedSome Function: stepping
// CASE: stepping few store=exchange load=exchange -- rand:{64*T} zero:{64*T} i32:{n}
KERNEL stepping(const P *__restrict__ p, P *__restrict__ q, int n) {
  for (int i = ROW; i < n; i += gridDim.x * blockDim.x)
    if (mix(i) & 4) { P r = p[i]; r.a += 1; q[i] = r; }
}
// Stores of some in between: what all store that come there waits for them.
// CHECK: ExchangedSome Function: written
// CASE: written few store=exchange -- rand:{64*T} zero:{64*T} zero:{4*T} i32:{n}
KERNEL written(const P *__restrict__ p, P *__restrict__ q, u32 *o, int n) {
  int i = ROW; if (i >= n) return;
  if (mix(i) & 3) { P r = p[i]; if (r.a & 1) { o[i] = r.b; r.b = mix(r.c); } q[i] = r; }
}
// What the whole block knows alike is no choice between lanes, a bound is none, nor is the edge of a row.
// CHECK-NOT: ExchangedSome Function: {{blocks|loaded|bound|rows|briefly|together|counted|left}}
// CASE: blocks few store=exchange load=exchange -- rand:{64*T} zero:{64*T} i32:{n}
KERNEL blocks(const P *__restrict__ p, P *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  if (mix(blockIdx.x) & 1) { P r = p[i]; r.a += 1; q[i] = r; }
}
// CASE: loaded few store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:4 i32:{n}
KERNEL loaded(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ c, int n) {
  int i = ROW; if (i >= n) return;
  if (*c & 1) { P r = p[i]; r.a += 1; q[i] = r; }
}
// CASE: bound few store=exchange load=exchange -- rand:{64*T} zero:{64*T} i32:{n}
KERNEL bound(const P *__restrict__ p, P *__restrict__ q, int n) {
  int i = ROW;
  if (i < n) { P r = p[i]; r.a += 1; q[i] = r; }
}
// CASE: rows few with=W=3,32,100 store=exchange load=exchange -- rand:{64*T} zero:{64*T} i32:{W} i32:{n}
KERNEL rows(const P *__restrict__ p, P *__restrict__ q, int w, int n) {
  int i = ROW, x = i % w;
  if (i < n && x > 0 && x < w - 1) { P r = p[i]; r.a += 1; q[i] = r; }
}
// Short records do not pay.
// CASE: briefly few -- zero:{24*T} i32:{n}
KERNEL briefly(u32 *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  if (mix(i) & 3) for (int k = 0; k < 6; k++) q[6 * i + k] = i * k;
}
// What the warp does together, what others may see in between: the choice stays as it is.
// CASE: together few -- rand:{64*T} zero:{64*T} i32:{n}
KERNEL together(const P *__restrict__ p, P *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  if (mix(i) & 3) { P r = p[i]; r.a += __nvvm_activemask() ? 1 : 2; q[i] = r; }
}
// CASE: counted few -- rand:{64*T} zero:{64*T} zero:4 i32:{n}
KERNEL counted(const P *__restrict__ p, P *__restrict__ q, u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  if (mix(i) & 3) { P r = p[i]; if (r.a & 1) __atomic_fetch_add(c, 1, __ATOMIC_RELAXED); q[i] = r; }
}
// CASE: left few -- rand:{64*T} zero:{64*T} i32:{n}
KERNEL left(const P *__restrict__ p, P *__restrict__ q, int n) {
  int i = ROW; if (i >= n) return;
  if (mix(i) & 3) { P r = p[i]; if (r.a & 1) return; q[i].b = r.b; if (r.c & 1) q[i].c = mix(r.d); }
}
