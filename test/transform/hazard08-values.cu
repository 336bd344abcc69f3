// RUN: %rewritten %s --temp %t.d
// Hazard 8: units, addresses shared with others, values used across blocks, fields that mean nothing in some lanes.
#include "records.cuh"
struct R { u32 a, b, c, d, e; };
__device__ void set(R *q, u32 x) { q->a = x; q->b = x + 1; q->c = x * 3; q->d = ~x; q->e = x ^ 5; }

// CASE: used_later load=exchange dims -- rand:{20*n} zero:{4*n} i32:{n}
KERNEL used_later(const R *p, u32 *q, int n) {
  int i = ALL;
  if (i >= n) return;
  R r = p[i];
  u32 s = 0;
  #pragma clang loop unroll(disable)
  for (u32 k = 0; k < r.a % 5; k++) s = s * r.b + (k & 1 ? r.c : r.d);
  if (s & 4) s ^= r.e;
  q[i] = s + r.a;
}
// CASE: address_used load=exchange dims -- rand:{20*n} zero:{4*n} zero:{8*n} i32:{n}
KERNEL address_used(const R *p, u32 *q, u64 *at, int n) {
  int i = ALL;
  if (i >= n) return;
  const u32 *w = &p[i].c;
  u32 s = p[i].a + 3 * p[i].b + 5 * *w + 7 * p[i].d + p[i].e;
  at[i] = w - &p->a;
  q[i] = s + w[1];
}
// CASE: pointer_later load=exchange store=exchange -- rand:{20*n} rand:{20*n} i32:{n}
KERNEL pointer_later(const R *__restrict__ p, R *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 a = p[i].a;
  R *r = q + (n - 1 - i);
  u32 b = p[i].b, c = p[i].c, d = p[i].d, e = p[i].e;
  r->a = a + b; r->b = c; r->c = d; r->d = e; r->e = b;
}
// CASE: chased load=exchange store=exchange -- perm:{5*n} rand:{20*n} zero:{20*n} i32:{n}
KERNEL chased(const R *__restrict__ p, const R *__restrict__ q, R *__restrict__ to, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 a = p[i].a;
  const R *r = q + (a + i) % n;
  u32 b = p[i].b, c = p[i].c, d = p[i].d, e = p[i].e;
  R v = *r;
  to[i].a = v.a + a; to[i].b = v.b + b; to[i].c = v.c + c; to[i].d = v.d + d; to[i].e = v.e + e;
}
// The second address comes out of the first record: not known before it.
// CASE: linked load=exchange -- perm:{5*n} zero:{4*n} i32:{n}
KERNEL linked(const R *__restrict__ p, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  const R *r = p + p[i].a % n;
  u32 s = p[i].b + p[i].c + p[i].d + p[i].e;
  q[i] = s + r->a + 3 * r->b + 5 * r->c + 7 * r->d + 9 * r->e;
}
// CASE: loop_carried none -- rand:{20*n} zero:{4*n} i32:{n}
KERNEL loop_carried(const R *p, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0, last = 0;
  #pragma clang loop unroll(disable)
  for (int k = 0; k < 4; k++) {
    R r = p[(i + k) % n];
    s += r.a * last + r.b + r.c;
    last = r.d ^ r.e;
  }
  q[i] = s + last;
}

// CASE: branches store=exchange -- bits:{n} zero:{20*n} i32:{n}
KERNEL branches(const u32 *p, R *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 x = p[i];
  q[i].a = x ? i * 3 : 0; q[i].b = x & 1; q[i].c = x ? 5 : i; q[i].d = i; q[i].e = x + i;
}
// The second record's address is read, after a store to what may be the same place, while the first record is read.
// CASE: address_between load=exchange -- rand:{20*n} rand:{20*n} zero:{4*n} zero:{4*n} i32:0 i32:{n}
KERNEL address_between(const R *p, const R *q, u32 *at, u32 *to, int zero, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 a = p[i].a;
  at[i ^ zero] = a % n;
  u32 k = at[i];
  u32 b = q[k].a + 3 * p[i].b;
  u32 c = q[k].b + 5 * p[i].c;
  to[i] = a + b * c + q[k].c + 3 * q[k].d + 5 * q[k].e + 7 * p[i].d + 9 * p[i].e;
}
// Copied, and looked at besides.
// CASE: copied_and_used load=copy store=copy dims -- rand:{20*n} zero:{20*n} zero:{4*n} i32:{n}
KERNEL copied_and_used(const R *__restrict__ p, R *__restrict__ q, u32 *__restrict__ to, int n) {
  int i = ALL;
  if (i >= n) return;
  u32 a = p[i].a, b = p[i].b, c = p[i].c, d = p[i].d, e = p[i].e;
  q[i].a = a; q[i].b = b; q[i].c = c; q[i].d = d; q[i].e = e;
  to[i] = a + 3 * b + 5 * c + 7 * d + 11 * e;
}
