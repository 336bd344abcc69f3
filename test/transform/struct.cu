// RUN: %rewritten %s --temp %t.d
// Structs: loads, stores, both; fields of other types; a struct copied whole.
#include "records.cuh"
struct F7 { float a, b, c, d, e, f, g; };
struct Mixed { double d; char c; short s; float f; const int *p; };
struct __attribute__((aligned(16))) F4 { float x, y, z, w; };
struct Nested { F4 v; u16 h[2]; struct { u32 k; u8 b[4]; } in; };

// CASE: loads load=exchange -- frand:{28*n} zero:{4*n} i32:{n}
KERNEL loads(const F7 *p, float *q, int n) {
  int i = ROW;
  if (i < n) q[i] = p[i].a + p[i].b * p[i].c - p[i].d + p[i].e * p[i].f + p[i].g;
}
// CASE: stores store=exchange plain:store=exchange fewer -- frand:{4*n} zero:{28*n} i32:{n}
KERNEL stores(const float *p, F7 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  float x = p[i];
  q[i].a = x; q[i].b = 2 * x; q[i].c = x + 1; q[i].d = x - 1; q[i].e = -x; q[i].f = x * x; q[i].g = 3;
}
// CASE: both load=exchange store=exchange fewer -- frand:{28*n} zero:{28*n} i32:{n}
KERNEL both(const F7 *__restrict__ p, F7 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  F7 r = p[i];
  q[i].a = r.g; q[i].b = r.f; q[i].c = r.e; q[i].d = r.d; q[i].e = r.c; q[i].f = r.b; q[i].g = r.a;
}
// CASE: copies load=copy store=copy fewer -- frand:{28*n} zero:{28*n} i32:{n}
KERNEL copies(const F7 *__restrict__ p, F7 *__restrict__ q, int n) {
  int i = ROW;
  if (i < n) q[i] = p[i];
}
// CASE: members load=copy store=copy fewer -- frand:{28*n} zero:{28*n} i32:{n}
KERNEL members(const F7 *__restrict__ p, F7 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  q[i].a = p[i].a; q[i].b = p[i].b; q[i].c = p[i].c; q[i].d = p[i].d; q[i].e = p[i].e; q[i].f = p[i].f; q[i].g = p[i].g;
}
// CASE: mixed load=exchange store=exchange -- rand:{32*n} zero:{32*n} i32:{n}
KERNEL mixed(const Mixed *__restrict__ p, Mixed *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  const Mixed &r = p[i];
  u64 bits = __builtin_bit_cast(u64, r.d);
  q[i].d = __builtin_bit_cast(double, bits ^ 5); q[i].c = r.c + 1; q[i].s = r.s * 3; q[i].p = r.p + 1;
  q[i].f = __builtin_bit_cast(float, __builtin_bit_cast(u32, r.f) ^ r.c);
}
// CASE: nested load=exchange store=exchange dims -- frand:{32*n} zero:{32*n} i32:{n}
KERNEL nested(const Nested *__restrict__ p, Nested *__restrict__ q, int n) {
  int i = ALL;
  if (i >= n) return;
  Nested r = p[i];
  q[i].v.x = r.v.w; q[i].v.y = r.v.x; q[i].v.z = r.v.z; q[i].v.w = r.v.y;
  q[i].h[0] = r.h[1]; q[i].h[1] = r.h[0]; q[i].in.k = r.in.k + 1;
  for (int j = 0; j < 4; j++) q[i].in.b[j] = r.in.b[3 - j] + j;
}
