// RUN: %rewritten %s --temp %t.d
// Hazard 2: a byte moves to another lane: what the thread wrote before is read by a neighbour, what it reads is written
// after, and what a neighbour wrote for it is read. Warp barriers restore the order; the reference machine sees a race
// where one is missing.
#include "records.cuh"
struct R { u32 a, b, c, d, e; };

// CASE: written_before load=exchange dims -- rand:{20*n} zero:{4*n} i32:2 i32:{n}
KERNEL written_before(R *p, u32 *q, int k, int n) {
  int i = ALL;
  if (i >= n) return;
  (&p[i].a)[k] = i;
  q[i] = p[i].a + 3 * p[i].b + 5 * p[i].c + 7 * p[i].d + 11 * p[i].e;
}
// CASE: written_after load=exchange dims -- rand:{20*n} i32:2 i32:{n}
KERNEL written_after(R *p, int k, int n) {
  int i = ALL;
  if (i >= n) return;
  (&p[i].a)[k] = p[i].a + 3 * p[i].b + 5 * p[i].c + 7 * p[i].d + 11 * p[i].e;
}
// CASE: read_after store=exchange dims -- zero:{20*n} zero:{4*n} i32:2 i32:{n}
KERNEL read_after(R *p, u32 *q, int k, int n) {
  int i = ALL;
  if (i >= n) return;
  p[i].a = i; p[i].b = 2 * i; p[i].c = 3 * i; p[i].d = 4 * i; p[i].e = 5 * i;
  q[i] = (&p[i].a)[k];
}
// CASE: overwritten store=exchange dims -- zero:{20*n} i32:2 i32:{n}
KERNEL overwritten(R *p, int k, int n) {
  int i = ALL;
  if (i >= n) return;
  p[i].a = i; p[i].b = 2 * i; p[i].c = 3 * i; p[i].d = 4 * i; p[i].e = 5 * i;
  (&p[i].a)[k] = 77;
}
// CASE: overwrites store=exchange dims -- zero:{20*n} i32:2 i32:{n}
KERNEL overwrites(R *p, int k, int n) {
  int i = ALL;
  if (i >= n) return;
  (&p[i].a)[k] = 77;
  p[i].a = i; p[i].b = 2 * i; p[i].c = 3 * i; p[i].d = 4 * i; p[i].e = 5 * i;
}
// CASE: in_place load=exchange store=exchange dims -- rand:{20*n} i32:{n}
KERNEL in_place(R *p, int n) {
  int i = ALL;
  if (i >= n) return;
  R r = p[i];
  p[i].a = r.b; p[i].b = r.c; p[i].c = r.d; p[i].d = r.e; p[i].e = r.a;
}
// A store that reads back what a load before it took, and so on: exchange after exchange on one array.
// CASE: repeatedly load=exchange store=exchange dims -- rand:{20*n} i32:{n}
KERNEL repeatedly(R *p, int n) {
  int i = ALL;
  if (i >= n) return;
  #pragma clang loop unroll(disable)
  for (int k = 0; k < 3; k++) {
    R r = p[i];
    p[i].a = r.b + k; p[i].b = r.c; p[i].c = r.d; p[i].d = r.e; p[i].e = r.a;
  }
}
// What one thread wrote, its warp's others read after __syncwarp.
// CASE: to_neighbour load=exchange store=exchange full block=64 -- zero:{20*T} zero:{20*T}
KERNEL to_neighbour(R *p, R *q) {
  int i = ROW;
  p[i].a = i; p[i].b = 2 * i; p[i].c = 3 * i; p[i].d = 4 * i; p[i].e = 5 * i;
  __nvvm_bar_warp_sync(~0u);
  R r = p[i ^ 1];
  __nvvm_bar_warp_sync(~0u);
  q[i].a = r.b; q[i].b = r.c; q[i].c = r.d; q[i].d = r.e; q[i].e = r.a;
}
