// RUN: %rewritten %s --temp %t.d
// Nothing that is gone is asked about: what malloc is given back is overwritten at once.
// RUN: env GLIBC_TUNABLES=glibc.malloc.tcache_count=0 MALLOC_PERTURB_=165 %opt -passes=coalda -disable-output %t.d/O3.sm_75.ll
// RUN: %clang -O1 --cuda-device-only --cuda-gpu-arch=sm_75 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -verify-each -disable-output %t.ll
// Hazard 4: source and destination overlap or are the same, and members are read and written in turn: loads would move up
// over stores, stores down over loads. The distance is known at run time alone.
#include "records.cuh"
struct R { u32 a, b, c, d, e; };

// d = s + k bytes, inside the 64 bytes that are the thread's own. One type for all: C++ lets int overlap int.
// CASE: interleaved few load=exchange store=exchange with=k=-4,0,4,8,12,16,20,24,32 -- rand:{64*n+4} i32:{k} i32:{n}
KERNEL interleaved(char *base, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 *s = (u32 *)(base + 64 * i + 4), *d = (u32 *)(base + 64 * i + 4 + k);
  d[0] = s[0] + 1; d[1] = s[1] + 2; d[2] = s[2] + 3; d[3] = s[3] + 4; d[4] = s[4] + 5;
}
// CASE: backward few with=k=0,4,8,16,20,32 -- rand:{64*n} i32:{k} i32:{n}
KERNEL backward(char *base, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 *d = (u32 *)(base + 64 * i), *s = (u32 *)(base + 64 * i + k);
  d[4] = s[0] + 1; d[3] = s[1] + 2; d[2] = s[2] + 3; d[1] = s[3] + 4; d[0] = s[4] + 5;
}
// CASE: to_another_array load=exchange store=exchange -- rand:{20*n} zero:{20*n} i32:{n}
KERNEL to_another_array(const R *s, R *d, int n) {
  int i = ROW;
  if (i >= n) return;
  d[i].a = s[i].a + 1; d[i].b = s[i].b + 2; d[i].c = s[i].c + 3; d[i].d = s[i].d + 4; d[i].e = s[i].e + 5;
}
// Stores that a load of another size looks at in between.
// CASE: peeked few with=k=0,4,8,12,16,20,24 -- rand:{64*n} zero:{4*n} i32:{k} i32:{n}
KERNEL peeked(char *base, u32 *q, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 *d = (u32 *)(base + 64 * i), *s = (u32 *)(base + 64 * i + k);
  d[0] = 1; d[1] = i; d[2] = i + 2;
  u32 seen = *s;
  d[3] = i + 3; d[4] = i + 4;
  q[i] = seen;
}
// Two stores to what may be one place: the order decides.
// CASE: struck few with=k=0,4,8,12,16,20 -- rand:{64*n} i32:{k} i32:{n}
KERNEL struck(char *base, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 *d = (u32 *)(base + 64 * i), *s = (u32 *)(base + 64 * i + k);
  d[0] = 1; d[1] = i;
  *s = 99;
  d[2] = i + 2; d[3] = i + 3; d[4] = i + 4;
}
// The same place at every run: never joined over it.
// CASE: always_same few -- rand:{20*n} zero:{20*n} i32:{n}
KERNEL always_same(R *p, R *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 x = p[i].a;
  p[i].b = x * 3;
  q[i].a = p[i].b + p[i].c; q[i].b = p[i].d; q[i].c = p[i].e; q[i].d = x;
  p[i].e = q[i].c + 1;
  q[i].e = p[i].e;
}
// memmove of a record onto itself, shifted
// CASE: moved few with=k=0,4,8,16,24 -- rand:{64*n} i32:{k} i32:{n}
KERNEL moved(char *base, int k, int n) {
  int i = ROW;
  if (i < n) __builtin_memmove(base + 64 * i + k, base + 64 * i, 20);
}
// Two loads that belong to no record, a known distance apart: one test keeps both from the stores. One of them lies in the
// hole before the last thread's record, the other reaches its first word.
// CASE: near_above block=32 grid=1 full store=exchange -- rand:{192*32} zero:{4*32} i32:5616
KERNEL near_above(char *base, u32 *q, int k) {
  int i = ROW;
  u32 *d = (u32 *)(base + 192 * i), *u = (u32 *)(base + k);
  d[0] = 1;
  u32 x = u[i];
  d[1] = i;
  u32 y = u[i + 53];
  d[2] = 2; d[3] = 3 * i; d[4] = 5;
  q[i] = x * 31 + y;
}
// CASE: near_below block=32 grid=1 full store=exchange -- rand:{192*33} zero:{4*32} i32:5828
KERNEL near_below(char *base, u32 *q, int k) {
  int i = ROW;
  u32 *d = (u32 *)(base + 192 * i), *u = (u32 *)(base + k);
  d[0] = 1;
  u32 x = u[i + 53];
  d[1] = i;
  u32 y = u[i];
  d[2] = 2; d[3] = 3 * i; d[4] = 5;
  q[i] = x * 31 + y;
}
// Two loads that lie side by side where the function is first called from, and not where it is called next. They gain
// nothing and stay; the stores that move over both must be apart from each.
__device__ __noinline__ void between(const u8 *a, const u8 *b, u32 *d, u32 i) {
  d[0] = 1;
  u32 x = *a;
  d[1] = x;
  u32 y = *b;
  d[2] = y; d[3] = x + y; d[4] = i;
}
// CASE: side_by_side full plain:store=exchange plain:refuse=NoGain -- rand:{32*T} zero:{32*T}
KERNEL side_by_side(const u8 *p, u32 *q) { int i = ROW; between(p + 32 * i, p + 32 * i + 1, q + 8 * i, i); }
// CASE: elsewhere load=widen store=exchange full -- rand:{32*T} zero:{32*T}
KERNEL elsewhere(const u8 *p, u32 *q) { int i = ROW; between(p + 32 * i, (const u8 *)(q + 8 * i), q + 8 * i, i); }
// A copy that one region takes apart is what a test of the next refers to.
struct Five { u32 w[5]; };
// CASE: copied_before full plain:store=exchange plain:refuse=NoGain -- rand:{24*T} zero:{20*T} zero:{40*T}
KERNEL copied_before(const u32 *p, Five *q, u32 *d) {
  int i = ROW;
  q[i] = *(const Five *)(p + 6 * i);
  d[10 * i] = i; d[10 * i + 1] = 1; d[10 * i + 2] = 2; d[10 * i + 3] = 7;
  u32 x = p[6 * i + 5];
  for (int k = 4; k < 9; k++) d[10 * i + k] = x + k;
}
// A load that always takes a part of what was stored before it: a test would never pass, so the record begins behind the
// store.
typedef u64 __attribute__((aligned(4))) Loose;
// CASE: always_overlaps few fewer load=exchange -- rand:{20*n} zero:{4*n} i32:{n}
KERNEL always_overlaps(R *p, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 a = p[i].a;
  p[i].c = a * 3;
  u64 w = *(const Loose *)&p[i].b;
  q[i] = (u32)w * 5 + (u32)(w >> 32) + 7 * p[i].d + 11 * p[i].e;
}
// A store that may not join, for it would pass a load of the record's own bytes: what it alone would have had to be told
// from is no affair of the two before it, and its address is known only behind them.
// CASE: not_joined full store=widen -- zero:{16*T} rand:{4*T} zero:{4*T}
KERNEL not_joined(u32 *p, const u32 *q, u32 *out) {
  int i = ROW;
  p[4 * i] = i;
  p[4 * i + 1] = 3 * i;
  u32 x = q[i];
  u64 w = *(const Loose *)&p[4 * i];
  p[4 * i + 2] = x;
  p[4 * i + 3] = (u32)w + (u32)(w >> 32);
  out[i] = (u32)w;
}
// Loads go up and stores go down: the word that is stored before the first load, in a record whose last store comes behind
// it, may not be loaded with the others.
// CASE: met_halfway full -- rand:{20*T} zero:{4*T}
KERNEL met_halfway(u32 *a, u32 *q) {
  u32 i = ROW, *p = a + 5 * i;
  p[1] = i;
  u32 x = p[2];
  p[0] = x * 3;
  q[i] = x + 3 * p[1] + 5 * p[3] + 7 * p[4];
}
// The same where run time alone can tell: no two types but those of the first store and of the later loads may meet.
// CASE: met_perhaps few load=widen with=k=-8,0,12,20 -- rand:{64*n+16} i32:{k} i32:{n}
KERNEL met_perhaps(char *base, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  char *s = base + 64 * i + 8, *d = s + k;
  *(u32 *)d = i;
  float x = *(float *)(s + 8);
  *(u16 *)(d + 4) = 7;
  u32 y = *(u32 *)s + 5 * *(u32 *)(s + 12);
  *(u32 *)(base + 64 * i + 40) = y + (x > 1);
}
// Two loads that gain nothing and stay: one in what is made twice, the other between stores that are to be told from it, and
// that is tested where they begin.
typedef u16 __attribute__((may_alias)) Half;
// CASE: begun_before full -- rand:{256*T}
KERNEL begun_before(u32 *a) {
  u32 i = ROW, *p = a + (long)(int)(64 * i), *q = a + 64 * (u64)i;
  p[0] = i; p[1] = 1; p[2] = 2; p[3] = 3;
  p[4] = ((u8 *)p)[160];
  p[5] = 7;
  u32 x = *(Half *)(p + 2);
  p[6] = x;
  u32 y = ((u8 *)q)[165];
  p[7] = y; p[8] = 5; p[9] = 6; p[10] = 7;
}
