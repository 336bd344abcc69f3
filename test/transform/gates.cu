// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: sed -n '/^Name:/{N;s/\n/ /p}' %t.yaml | %FileCheck %s
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s --check-prefix=GATE
// Records that some lanes touch which come there by several ways, or by one out of many: lanes that stay away come to a gate in front of
// them, too.
#include "records.cuh"

struct P { u32 a, b, c, d, e[12]; };
struct H { u32 w[8]; };

__device__ u32 mix(u32 x) { for (int k = 0; k < 9; k++) x = (x ^ x >> 13) * 0x5bd1e995u + k; return x; }
__device__ P step(P r, u32 x) { for (int k = 0; k < 12; k++) r.e[k] = r.e[k] * 3 + k * x; r.a += r.b; r.b ^= x; r.c *= 5; r.d -= r.a; return r; }
__device__ P turn(P r, u32 x) { for (int k = 0; k < 12; k++) r.e[k] = (r.e[k] ^ k) + r.a; r.a -= x; r.b += r.c; r.c ^= r.d; r.d += 7; return r; }

// Two conditions, both or either, which branches ask for one after the other; and three.
// CHECK: ExchangedSome Function: both
// GATE-LABEL: @both(
// GATE: phi i1 [ false, %{{.*}} ]
// CASE: both few full block=64 store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T}:2 rand:{4*T}:3 i32:{n}
KERNEL both(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ f, const u32 *__restrict__ g, int n) {
  int i = ROW;
  if (i < n && f[i] % 4 && g[i] % 8) q[i] = step(p[i], 3);
}
// CHECK: ExchangedSome Function: either
// CASE: either few dims store=exchange load=exchange -- rand:{64*T} rand:{4*T}:2 rand:{4*T}:3 i32:{n}
KERNEL either(P *__restrict__ p, const u32 *__restrict__ f, const u32 *__restrict__ g, int n) {
  int i = ALL; if (i >= n) return;
  if (f[i] % 2 || g[i] % 4 == 0) p[i] = step(p[i], 3);
}
// CHECK: ExchangedSome Function: mixed
// CASE: mixed few store=exchange load=exchange -- rand:{64*T} rand:{4*T}:2 rand:{T}:3 rand:{4*T}:4 i64:{n}
KERNEL mixed(P *__restrict__ p, const u32 *__restrict__ f, const unsigned char *__restrict__ g, const u32 *__restrict__ bits, long n) {
  for (long i = ROW; i < n; i += gridDim.x * blockDim.x)
    if ((f[i] % 2 && g[i] > 40) || bits[i >> 5] >> (i & 31) & 1) p[i] = step(p[i], g[i]);
}
// No lane, one, seven, eight, most, all: what stays away is not touched, nor is it there.
// CHECK: ExchangedSome Function: some
// CASE: some few full block=64 with=M=0,1,7,8,9,24,31,32,33,63 store=exchange load=exchange -- iota:{T} rand:{4*M+4} rand:{64*M+4}:2 zero:{64*M+4} i32:{M}
KERNEL some(const u32 *__restrict__ f, const u32 *__restrict__ g, const P *__restrict__ p, P *__restrict__ q, int m) {
  int i = ROW;
  if (int(f[i]) < m && g[i] % 16) q[i] = step(p[i], 3);
}
// Two sides, which clang cannot make one; one of them reads only.
// CHECK: ExchangedSome Function: sides
// CASE: sides few store=exchange load=exchange -- rand:{64*T} zero:{64*T} zero:{32*T} rand:{4*T}:2 i32:{n}
KERNEL sides(const P *__restrict__ p, P *__restrict__ q, H *__restrict__ h, const u32 *__restrict__ f, int n) {
  int i = ROW; if (i >= n) return;
  if (f[i] % 3) q[i] = step(p[i], 3);
  else { H r; for (int k = 0; k < 8; k++) r.w[k] = p[i].e[k] * k + p[i].a; h[i] = r; }
}
// CHECK: ExchangedSome Function: reads
// CASE: reads few full block=64 store=exchange load=exchange -- rand:{64*T} zero:{4*T} rand:{4*T}:2 i32:{n}
KERNEL reads(P *__restrict__ p, u32 *__restrict__ o, const u32 *__restrict__ f, int n) {
  int i = ROW; if (i >= n) return;
  if (f[i] % 3) p[i] = step(p[i], 3);
  else { P r = p[i]; u32 s = r.a; for (int k = 0; k < 12; k++) s = s * 3 + r.e[k]; o[i] = s + r.b * r.c - r.d; }
}
// CHECK: ExchangedSome Function: loops
// CASE: loops few store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T}:2 i32:{n}
KERNEL loops(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ f, int n) {
  int i = ROW; if (i >= n) return;
  u32 c = f[i] % 7;
  if (c > 3) { P r = p[i]; for (u32 k = 0; k < c; k++) r.a = r.a * r.b + mix(r.a); q[i] = r; }
  else { P r = p[i]; while (r.c & 5) r.c = mix(r.c ^ r.b); q[i] = turn(r, c); }
}
// One of several, by a switch and by conditions one behind the other.
// CHECK: ExchangedSome Function: cases
// CASE: cases few store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T}:2 zero:{4*T} i32:{n}
KERNEL cases(P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ f, u32 *__restrict__ o, int n) {
  int i = ROW; if (i >= n) return;
  switch (f[i] % 5) { case 0: p[i] = step(p[i], 3); break; case 1: q[i] = turn(p[i], i); break; case 3: o[i] = f[i]; break; default: break; }
}
// CHECK: ExchangedSome Function: chain
// CASE: chain few store=exchange load=exchange -- rand:{64*T} zero:{64*T} zero:{4*T} rand:{4*T}:2 rand:{4*T}:3 i32:{n}
KERNEL chain(P *__restrict__ p, P *__restrict__ q, u32 *__restrict__ o, const u32 *__restrict__ f, const u32 *__restrict__ g, int n) {
  int i = ROW; if (i >= n) return;
  u32 c = f[i] % 4;
  if (c == 1) p[i] = step(p[i], 3); else if (c == 2 && g[i] % 8) q[i] = turn(p[i], 5); else if (g[i] % 2) o[i] = c;
}
// Ways out: of the kernel, and on to the next record.
// CHECK: ExchangedSome Function: leaves
// CASE: leaves few store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T}:2 i32:{n}
KERNEL leaves(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ f, int n) {
  int i = ROW; if (i >= n) return;
  if (f[i] % 4 == 0) return;
  P r = p[i]; if (r.a % 8 == 0) return;
  r.b = mix(r.b); if (r.b % 8 == 0) return;
  q[i] = step(r, 9);
}
// CHECK: ExchangedSome Function: goes_on
// CASE: goes_on few store=exchange -- rand:{64*T} rand:{4*T}:2 zero:{4*T} i32:{n}
KERNEL goes_on(P *__restrict__ p, const u32 *__restrict__ f, u32 *__restrict__ t, int n) {
  u32 sum = 0;
  for (unsigned i = ROW; i < unsigned(n); i += gridDim.x * blockDim.x) {
    if (f[i] % 4 == 0) continue;
    P r = p[i]; if (r.a % 8 == 0) { sum += r.b; continue; }
    p[i] = step(r, sum); sum += r.c;
  }
  t[ROW] = sum;
}
// What each way makes of a value that is used behind.
// CHECK: ExchangedSome Function: through
// CASE: through few store=exchange load=exchange -- rand:{64*T} zero:{64*T} zero:{4*T} rand:{4*T}:2 rand:{4*T}:3 i32:{n}
KERNEL through(const P *__restrict__ p, P *__restrict__ q, u32 *__restrict__ o, const u32 *__restrict__ f, const u32 *__restrict__ g, int n) {
  int i = ROW; if (i >= n) return;
  u32 got = 7;
  if (f[i] % 4) { got = g[i] * 3; if (g[i] % 8) { P r = step(p[i], got); q[i] = r; got = r.a; } }
  o[i] = got;
}
// Stores of some of the lanes in between.
// CHECK: ExchangedSome Function: inside
// CASE: inside few store=exchange load=exchange -- rand:{64*T} zero:{64*T} zero:{4*T} rand:{4*T}:2 i32:{n}
KERNEL inside(const P *__restrict__ p, P *__restrict__ q, u32 *__restrict__ o, const u32 *__restrict__ f, int n) {
  int i = ROW; if (i >= n) return;
  if (f[i] % 4) { P r = step(p[i], 3); if (r.a & 1) o[i] = r.b; q[i] = r; }
}
// Indices that are loaded on the way; some lanes have none.
// CHECK: ExchangedSome Function: listed
// CASE: listed few full block=64 with=M=1,8,9,31,40,63 store=exchange load=exchange -- rand:{64*M} zero:{64*M} iota:{T} perm:{M} rand:{4*M}:2 i32:{M}
KERNEL listed(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ c, const u32 *__restrict__ at, const u32 *__restrict__ f, int m) {
  int i = ROW;
  if (int(c[i]) < m) { u32 j = at[i]; if (f[j] % 8 && j * 3u != 12u) q[j] = step(p[j], j); }
}
// It may be the same record that is loaded and stored elsewhere, or the flags.
// CASE: overlap few with=D=0,1,4,16 store=exchange load=exchange -- rand:{320*T+64} ref:0+{4*D} rand:{4*T}:2 i32:{n}
KERNEL overlap(u32 *a, u32 *q, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] % 8 && a[40 * i + 3] % 4) { u32 x[16]; for (int k = 0; k < 16; k++) x[k] = a[40 * i + k]; for (int k = 0; k < 16; k++) q[40 * i + k] = x[k] * 3 + k; }
}
// CASE: flagged few -- rand:{64*T} i32:{n}
KERNEL flagged(P *p, int n) {
  int i = ROW; if (i >= n) return;
  if (p[i].d % 4 && p[i].e[3] % 8) p[i] = step(p[i], 3); else p[i].c = 7;
}
