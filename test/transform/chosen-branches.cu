// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: sed -n '/^Name:/{N;s/\n/ /p}' %t.yaml | %FileCheck %s
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s --check-prefix=SLIM
// Records that data decide which threads touch, in code whose threads part on the way and meet again: branches, loops, switches, ways
// out at the beginning. What all threads touch that come there moves, and what some of them load of the same record.
#include "records.cuh"
// With 32 registers each, 64 warps are on an SM.
// SLIM: @one({{.*}} #[[OF_ONE:[0-9]+]]
// SLIM: attributes #[[OF_ONE]] = {{.*}}"nvvm.maxnreg"="32"


struct P { u32 a, b, c, d, e[12]; };

__device__ u32 mix(u32 x) { for (int k = 0; k < 9; k++) x = (x ^ x >> 13) * 0x5bd1e995u + k; return x; }

// One side, and two.
// CHECK: ExchangedSome Function: one
// CASE: one few full block=64 store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T} i32:{n}
KERNEL one(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ flag, int n) {
  int i = ROW;
  if (i < n && flag[i] % 4) { P r = p[i]; if (r.a & 1) r.b = mix(r.c); q[i] = r; }
}
// CHECK: ExchangedSome Function: two
// CASE: two few dims store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T} i32:{n}
KERNEL two(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ flag, int n) {
  int i = ALL; if (i >= n) return;
  if (!(flag[i] % 4)) return;
  P r = p[i];
  if (r.a & 1) r.b = mix(r.c); else r.c = mix(r.d) + mix(r.b);
  q[i] = r;
}
// In place, by pointers, with other counters.
// CHECK: ExchangedSome Function: place
// CASE: place few store=exchange load=exchange -- rand:{64*T} rand:{4*T} i32:{n}
KERNEL place(P *__restrict__ p, const u32 *__restrict__ flag, int n) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= unsigned(n)) return;
  if (flag[i] > 1u << 30) {
    P r = p[i];
    if (r.a & 1) r.b = mix(r.c); else r.c = mix(r.d);
    for (int k = 0; k < 12; k++) r.e[k] += r.b;
    p[i] = r;
  }
}
// CHECK: ExchangedSome Function: pointed
// CASE: pointed few store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T} i64:{n}
KERNEL pointed(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ flag, long n) {
  for (long i = ROW; i < n; i += gridDim.x * blockDim.x) {
    if (!(flag[i] & 3)) continue;
    const P *from = p + i; P *to = q + i; P r = *from;
    if (r.d & 2) r.b = mix(r.c);
    *to = r;
  }
}
// Loops: of as many iterations as data say, and until something holds.
// CHECK: ExchangedSome Function: loop
// CASE: loop few store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T} i32:{n}
KERNEL loop(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ flag, int n) {
  int i = ROW; if (i >= n) return;
  u32 f = flag[i] % 7;
  if (f) { P r = p[i]; for (u32 k = 0; k < f; k++) r.a = r.a * r.b + mix(r.a); q[i] = r; }
}
// CHECK: ExchangedSome Function: until
// CASE: until few store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T} i32:{n}
KERNEL until(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ flag, int n) {
  int i = ROW; if (i >= n || !(flag[i] & 3)) return;
  P r = p[i]; u32 x = r.a; while (x & 5) x = mix(x ^ r.b); r.a = x; q[i] = r;
}
// CHECK: ExchangedSome Function: chosen_case
// CASE: chosen_case few store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T} i32:{n}
KERNEL chosen_case(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ flag, int n) {
  int i = ROW; if (i >= n || !(flag[i] & 7)) return;
  P r = p[i];
  switch (flag[i] & 7) { case 1: r.a = mix(r.b); break; case 2: r.b = mix(r.c); break; case 3: r.c += 1; break; case 5: r.e[3] = mix(r.d); break; default: r.d = 0; }
  q[i] = r;
}
// Loads alone, and stores alone.
// CASE: loads few load=exchange -- rand:{64*T} zero:{4*T} rand:{4*T} i32:{n}
KERNEL loads(const P *__restrict__ p, u32 *__restrict__ o, const u32 *__restrict__ flag, int n) {
  int i = ROW; if (i >= n) return;
  if (flag[i] & 3) { P r = p[i]; u32 s = r.a & 1 ? mix(r.b) : mix(r.c) + mix(r.d); for (int k = 0; k < 12; k++) s = s * 3 + r.e[k]; o[i] = s; }
}
// CHECK: ExchangedSome Function: stores
// CASE: stores few store=exchange -- zero:{64*T} rand:{4*T} i32:{n}
KERNEL stores(P *__restrict__ q, const u32 *__restrict__ flag, int n) {
  int i = ROW; if (i >= n) return;
  if (flag[i] & 3) { u32 x = flag[i]; if (x & 8) x = mix(x); else x = mix(mix(x)); P r; r.a = x; r.b = 2 * x; r.c = i; r.d = x ^ i; for (int k = 0; k < 12; k++) r.e[k] = x * k; q[i] = r; }
}
// Indices, which only those have that come there.
// CHECK: ExchangedSome Function: indexed
// CASE: indexed few full block=64 with=M=1,8,9,31,40,63 store=exchange load=exchange -- rand:{64*M} zero:{64*M} iota:{T} perm:{M} i32:{M}
KERNEL indexed(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ c, const u32 *__restrict__ at, int m) {
  int i = ROW;
  if (int(c[i]) < m) { u32 j = at[i]; P r = p[j]; if (r.a & 1) r.b = mix(r.c); else r.c = mix(r.d); q[j] = r; }
}
// Indices behind the loop, and one that the loop says.
// CASE: late few store=exchange load=exchange -- rand:{64*T} zero:{64*T} rand:{4*T} perm:{T} i32:{n}
KERNEL late(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ c, const u32 *__restrict__ at, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] & 3) { P r = p[i]; while (r.a & 5) r.a = mix(r.a ^ r.b); q[at[i]] = r; }
}
// CASE: told few load=exchange -- rand:{64*T} zero:{256*T} rand:{4*T} perm:{T} i32:{n}
KERNEL told(const P *__restrict__ p, P *__restrict__ q, const u32 *__restrict__ c, const u32 *__restrict__ at, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] & 3) { P r = p[i]; while (r.a & 5) r.a = mix(r.a ^ r.b); q[4 * at[i] + (r.a >> 3 & 3)] = r; }
}
// No lane, one lane, seven, eight, most, all: what stays away is not touched, nor is it there.
// CHECK: ExchangedSome Function: some
// CASE: some few full block=64 with=M=0,1,7,8,9,24,31,32,33,63 store=exchange load=exchange -- iota:{T} rand:{64*M+4} zero:{64*M+4} i32:{M}
KERNEL some(const u32 *__restrict__ flag, const P *__restrict__ p, P *__restrict__ q, int m) {
  int i = ROW;
  if (int(flag[i]) < m) { P r = p[i]; if (r.a & 1) r.b = mix(r.c); else r.c = mix(r.d); q[i] = r; }
}
// What some load beyond what all load may not be there for others.
// CASE: beyond few full block=64 with=M=1,9,31,40,63 load=exchange -- iota:{T} rand:{64*M-16} zero:{4*T} i32:{M}
KERNEL beyond(const u32 *__restrict__ flag, const u32 *__restrict__ p, u32 *__restrict__ o, int m) {
  int i = ROW;
  if (int(flag[i]) < m) {
    u32 s = 0; for (int k = 0; k < 12; k++) s = s * 3 + p[16 * i + k];
    if (i + 1 < m) s = mix(s) + p[16 * i + 12] * 5 + p[16 * i + 13] * 7 + p[16 * i + 14] * 9 + mix(p[16 * i + 15]);
    o[i] = s;
  }
}
// It may be the same record that is loaded and stored elsewhere.
// CHECK: ExchangedSome Function: overlap
// CASE: overlap few with=D=0,1,4,16 store=exchange load=exchange -- rand:{320*T+64} ref:0+{4*D} rand:{4*T} i32:{n}
// CASE: overlap few -- rand:{320*T+64} ref:0+{160*T} rand:{4*T} i32:{n}
KERNEL overlap(u32 *a, u32 *q, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  if (c[i] % 8) { u32 x[16]; for (int k = 0; k < 16; k++) x[k] = a[40 * i + k]; if (x[0] & 1) x[1] = mix(x[2]); for (int k = 0; k < 16; k++) q[40 * i + k] = x[k] * 3 + k; }
}
// Flags that lie in what is stored.
// CASE: flagged few -- rand:{64*T} i32:{n}
KERNEL flagged(P *p, int n) {
  int i = ROW; if (i >= n) return;
  if (p[i].d & 3) { P r = p[i]; if (r.a & 1) r.b = mix(r.c); else r.d = mix(r.d); for (int k = 0; k < 12; k++) r.e[k] += r.b; p[i] = r; }
}
// Values that are used behind, with a loop around, and other stores beside.
// CHECK: ExchangedSome Function: behind
// CASE: behind few store=exchange -- rand:{128*T} zero:{8*T} zero:{4*T} i32:{2*n}
KERNEL behind(u32 *__restrict__ p, u32 *__restrict__ o, u32 *__restrict__ t, int n) {
  u32 sum = 0;
  for (int i = ROW; i < n; i += gridDim.x * blockDim.x) {
    u32 got = 7, *q = p + 16 * i;
    if (q[5] & 1) { got = q[0] + q[1]; if (got & 4) got = mix(got); o[i] = got * 3; for (int k = 0; k < 16; k++) q[k] = got * k; }
    sum += got;
  }
  t[ROW] = sum;
}
