// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -nocudainc -nocudalib -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_90 %t.ptx -o /dev/null
// Records whose loads and stores tell the caches something, as clang's headers write that: assembly. What they tell goes along.
// TEXT: archs=sm_90
#include "hints.cuh"
struct F3 { float a, b, c; };
struct F6 { float a, b, c, d, e, f; };
struct D4 { double a, b, c, d; };
struct I16 { int v[16]; };
struct P3 { float2 a, b, c; };
struct Fours { float4 a, b; };
struct B16 { signed char v[16]; };

// CASE: six load=exchange fewer -- frand:{24*n} zero:{4*n} i32:{n}
KERNEL six(const F6 *p, float *q, int n) {
  int i = ROW;
  if (i < n) q[i] = cs(&p[i].a) + cs(&p[i].b) * cs(&p[i].c) - cs(&p[i].d) + cs(&p[i].e) * cs(&p[i].f);
}
// CASE: three load=exchange -- frand:{12*n} zero:{4*n} i32:{n}
KERNEL three(const F3 *__restrict__ p, float *__restrict__ q, unsigned n) {
  unsigned i = ROW;
  if (i < n) q[i] = cg(&p[i].a) + cg(&p[i].b) * cg(&p[i].c);
}
// CASE: doubles load=exchange fewer -- frand:{32*n} zero:{8*n} i32:{n}
KERNEL doubles(const D4 *p, double *q, int n) {
  long i = ROW;
  if (i < n) q[i] = ca(&p[i].a) + ca(&p[i].b) * ca(&p[i].c) - ca(&p[i].d);
}
// A loop that the compiler unrolls, one word an iteration. No load is left that tells nothing.
// CHECK-LABEL: .entry ints(
// CHECK-NOT: ld.global.{{[bfuv]}}
// CHECK: ld.global.cs.v4.b32
// CHECK-NOT: ld.global.{{[bfuv]}}
// CHECK: ld.global.cs.s32
// CHECK-NOT: ld.global.{{[bfuv]}}
// CHECK: ret;
// CASE: ints load=exchange plain:load=exchange fewer -- rand:{64*n} zero:{4*n} i32:{n}
KERNEL ints(const I16 *p, u32 *q, int n) {
  int i = ROW;
  u32 s = 0;
  if (i >= n) return;
  for (int k = 0; k < 16; k++) s = s * 31 + (u32)cs(&p[i].v[k]);
  q[i] = s;
}
// CASE: pairs load=exchange fewer -- frand:{24*n} zero:{4*n} i32:{n}
KERNEL pairs(const P3 *p, float *q, int n) {
  int i = ROW;
  if (i >= n) return;
  float2 a = cs(&p[i].a), b = cs(&p[i].b), c = cs(&p[i].c);
  q[i] = a.x * b.x + a.y * b.y + c.x * c.y;
}
// CASE: fours load=exchange -- frand:{32*n} zero:{4*n} i32:{n}
KERNEL fours(const Fours *p, float *q, int n) {
  int i = ROW;
  if (i >= n) return;
  float4 a = cg(&p[i].a), b = cg(&p[i].b);
  q[i] = a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
// Assembly for stores is volatile always.
// CHECK-LABEL: .entry stores(
// CHECK: st.global.wt.v2.b32
// CHECK: st.global.wt.f32
// CASE: stores store=exchange plain:store=exchange fewer -- frand:{4*n} zero:{24*n} i32:{n}
KERNEL stores(const float *p, F6 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  float x = p[i];
  wt(&q[i].a, x), wt(&q[i].b, 2 * x), wt(&q[i].c, x + 1), wt(&q[i].d, x - 1), wt(&q[i].e, -x), wt(&q[i].f, 3.0f);
}
// Copies: the warp moves the words of its threads, with what the loads say, and what the stores say.
// CHECK-LABEL: .entry copies(
// CHECK: ld.global.cs.v2.b32
// CHECK: st.global.cs.v2.b32
// CHECK: ret;
// CASE: copies load=copy store=copy fewer -- frand:{24*n} zero:{24*n} i32:{n}
KERNEL copies(const F6 *__restrict__ p, F6 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  scs(&q[i].a, cs(&p[i].a)), scs(&q[i].b, cs(&p[i].b)), scs(&q[i].c, cs(&p[i].c));
  scs(&q[i].d, cs(&p[i].d)), scs(&q[i].e, cs(&p[i].e)), scs(&q[i].f, cs(&p[i].f));
}
// In place; the thread's own words, which its neighbours move.
// CASE: in_place load=exchange store=exchange -- frand:{24*n} i32:{n}
KERNEL in_place(F6 *p, int n) {
  int i = ROW;
  if (i >= n) return;
  float a = cs(&p[i].a), b = cs(&p[i].b), c = cs(&p[i].c), d = cs(&p[i].d), e = cs(&p[i].e), f = cs(&p[i].f);
  scs(&p[i].a, f), scs(&p[i].b, e * a), scs(&p[i].c, d), scs(&p[i].d, c), scs(&p[i].e, b), scs(&p[i].f, a);
}
// Bytes are words of a register, extended.
// CASE: bytes load=widen -- rand:{16*n} zero:{4*n} i32:{n}
KERNEL bytes(const B16 *p, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < 16; k++) s = s * 3 + (u32)cs(&p[i].v[k]);
  q[i] = s;
}
// Vectors of bytes and of halves of words, with signs and without.
// CASE: small load=widen store=widen -- rand:{16*n} zero:{16*n} i32:{n}
KERNEL small(const u8 *__restrict__ p, u8 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int k = 0; k < 2; k++) {
    int4 b = csb(p + 16 * i + 4 * k);
    short2 h = csh(p + 16 * i + 8 + 4 * k);
    wtb(q + 16 * i + 4 * k, {b.w, b.z, b.y ^ 0x180, b.x});
    wth(q + 16 * i + 8 + 4 * k, {h.y, (short)(h.x + 1)});
  }
}
// The register that a byte is loaded into with its sign is used as it is.
// CASE: signs load=widen -- rand:{16*n} zero:{4*n} i32:{n}
KERNEL signs(const u8 *p, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < 4; k++) {
    int4 v = csb(p + 16 * i + 4 * k);
    s = s * 31 + (u32)v.x * 3 + (u32)v.y * 5 + (u32)v.z * 7 + (u32)v.w;
  }
  q[i] = s;
}
// A template, a pointer that moves on by the grid, and a guard that most pass.
template <class T> __device__ inline T sum(const T *p) { return cs(p) + cs(p + 1) * cs(p + 2) - cs(p + 3); }
// CASE: grid load=widen fewer -- frand:{16*n} zero:{4*n} i32:{n}
KERNEL grid(const float *p, float *q, int n) {
  for (const float *at = p + 4 * ROW, *end = p + 4 * n; at < end; at += 4 * blockDim.x * gridDim.x) q[(at - p) / 4] = sum(at);
}
// What nobody writes may be asked for in any order: such assembly is moved, be it volatile or not.
// CHECK-LABEL: .entry steady(
// CHECK: ld.global.nc.L1::no_allocate.v4.b32
// CASE: steady load=exchange plain:load=exchange fewer -- frand:{64*n} zero:{4*n} i32:{n}
KERNEL steady(const float *p, float *q, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k < 16; k++) s = s * 2 + once(p + 16 * i + k);
  q[i] = s;
}
// The last use of a word is one: of a wide access it is not said.
// CHECK-LABEL: .entry last(
// CHECK-NOT: ld.global.lu.v
// CHECK: ld.global.cs.v4.b32
// CHECK-NOT: ld.global.lu.v
// CHECK: ret;
// CASE: last load=exchange plain:load=exchange fewer -- frand:{64*n} zero:{4*n} i32:{n}
KERNEL last(const float *p, float *q, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int k = 0; k < 16; k++) s = s * 2 + lu(p + 16 * i + k);
  q[i] = s;
}
