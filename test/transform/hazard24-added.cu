// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -O3 -I %S/../gen -nocudainc -nocudalib %s -o %t.ll
// RUN: %opt -mattr=+ptx88 -passes=coalda -S %t.ll | %FileCheck %s
// Hazard 24: atomic additions that may not be made together, or not by a vector reduction.
// TEXT: levels=O3,O1 archs=sm_90 ptx=88
#include "added.cuh"

// What was added to is loaded between: by the same pointer, or by another one that may lead there.
// CASE: loaded added=no refuse=AddedBetween -- zero:{16*n} i32:{n}
KERNEL loaded(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i) + 1);
  float x = f[i].x;
  ADD(&f[i].y, x);
}
// What stands behind that load is made together.
// CASE: behind_loaded added=yes -- zero:{16*n} i32:{n}
KERNEL behind_loaded(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i) + 1);
  float x = f[i].x;
  ADD(&f[i].z, x);
  ADD(&f[i].w, small(i));
}
// CASE: maybe_loaded added=yes -- zero:{16*n} ref:0+0 i32:{n}
// CASE: maybe_loaded added=yes -- zero:{16*n+16} rand:{16*n} i32:{n}
KERNEL maybe_loaded(Four *f, const u32 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i) + 1);
  u32 x = v[4 * i];
  ADD(&f[i].y, small(x >> 16));
  ADD(&f[i].z, small(x));
  ADD(&f[i].w, small(i * 3));
}
// The last of several words is asked for.
// CASE: any_loaded added=yes with=k=0,4,8,12 -- zero:{16*n+16} ref:0+{k} i32:{n}
KERNEL any_loaded(Four *f, const u32 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i) + 1);
  ADD(&f[i].z, small(i * 3) + 1);
  u32 x = v[4 * i];
  ADD(&f[i].y, small(x >> 16));
  ADD(&f[i].w, small(i * 3));
}
// Where it is loaded follows from what is loaded between.
// CASE: led added=no refuse=AddedBetween -- zero:{16*n} perm:{n} rand:{4*n} i32:{n}
KERNEL led(Four *f, const u32 *idx, const u32 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  u32 j = idx[i];
  ADD(&f[i].y, small(v[j]));
}
// CASE: behind_led added=yes -- zero:{16*n} perm:{n} rand:{4*n} i32:{n}
KERNEL behind_led(Four *f, const u32 *idx, const u32 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  u32 j = idx[i];
  ADD(&f[i].z, small(v[j]));
  ADD(&f[i].w, small(i));
}
// A store between, to a word that was added to, to one that is added to behind it, and to one that may be either.
// CASE: stored added=no -- zero:{16*n} i32:{n}
KERNEL stored(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  f[i].x = 5;
  ADD(&f[i].y, small(i * 3));
}
// CASE: stored_next added=yes -- zero:{16*n} i32:{n}
KERNEL stored_next(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  f[i].y = 5;
  ADD(&f[i].y, small(i * 3));
}
// CASE: maybe_stored added=yes with=k=0,4,8 -- zero:{16*n+16} ref:0+{k} i32:{n}
KERNEL maybe_stored(Four *f, float *p, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  p[4 * i] = 5;
  ADD(&f[i].y, small(i * 3));
}
// Barriers, fences, operations of the warp, calls and volatile accesses between.
// CASE: barrier added=no refuse=AddedParted full -- zero:{16*T}
KERNEL barrier(Four *f) {
  int i = ROW;
  ADD(&f[i].x, small(i));
  __syncthreads();
  ADD(&f[i].y, small(i * 3));
}
// CASE: fence added=no refuse=AddedParted -- zero:{16*n} i32:{n}
KERNEL fence(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  __nvvm_membar_gl();
  ADD(&f[i].y, small(i * 3));
}
// CASE: shuffled added=no refuse=AddedParted full block=64 -- zero:{16*T}
KERNEL shuffled(Four *f) {
  int i = ROW;
  ADD(&f[i].x, small(i));
  u32 y = __nvvm_shfl_sync_bfly_i32(~0u, i, 1, 31);
  ADD(&f[i].y, small(y));
}
// CASE: volatile_load added=no refuse=AddedBetween -- zero:{16*n} rand:{4*n} i32:{n}
KERNEL volatile_load(Four *f, volatile u32 *R v, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  u32 y = v[i];
  ADD(&f[i].y, small(y));
}
// An atomic operation between that is asked what was there, of another place.
// CASE: asked_between added=no refuse=AddedParted -- zero:{16*n} zero:4 i32:{n}
KERNEL asked_between(Four *f, u32 *R count, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  u32 before = __atomic_fetch_add(count, 1u, __ATOMIC_RELAXED);
  ADD(&f[i].y, small(i * 3 + (before >> 30)));
}
// Asked what was there; volatile, or in order with other accesses; of other threads; of other types.
// CASE: asked added=no refuse=AddedAsked -- zero:{16*n} zero:{4*n} i32:{n}
KERNEL asked(Four *f, float *out, int n) {
  int i = ROW;
  if (i >= n) return;
  float x = ADD(&f[i].x, small(i));
  out[i] = x + ADD(&f[i].y, small(i * 3));
}
// CASE: releases added=no refuse=AddedOrder -- zero:{16*n} i32:{n}
KERNEL releases(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  __atomic_fetch_add(&f[i].x, small(i), __ATOMIC_RELEASE);
  __atomic_fetch_add(&f[i].y, small(i * 3), __ATOMIC_RELEASE);
}
// CASE: is_volatile added=no refuse=AddedOrder -- zero:{16*n} i32:{n}
KERNEL is_volatile(volatile Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  __atomic_fetch_add(&f[i].x, small(i), __ATOMIC_RELAXED);
  __atomic_fetch_add(&f[i].y, small(i * 3), __ATOMIC_RELAXED);
}
// CASE: scopes added=no -- zero:{16*n} i32:{n}
KERNEL scopes(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  ADD_IN_BLOCK(&f[i].y, small(i * 3));
  ADD_IN_BLOCK(&f[i].z, small(i * 5));
  ADD_IN_SYSTEM(&f[i].w, small(i * 7));
}
// CASE: doubles added=no across=yes -- zero:{16*n} i32:{n}
KERNEL doubles(double *f, int n) {
  int i = ROW;
  if (i >= n) return;
  __atomic_fetch_add(&f[2 * i], (double)small(i), __ATOMIC_RELAXED);
  __atomic_fetch_add(&f[2 * i + 1], (double)small(i * 3), __ATOMIC_RELAXED);
}
// CASE: integers added=no across=yes -- zero:{16*n} i32:{n}
KERNEL integers(u32 *f, int n) {
  int i = ROW;
  if (i >= n) return;
  __atomic_fetch_add(&f[2 * i], 3u, __ATOMIC_RELAXED);
  __atomic_fetch_add(&f[2 * i + 1], 5u, __ATOMIC_RELAXED);
}
// Of two kinds side by side.
// CASE: kinds added=no -- zero:{16*n} i32:{n}
KERNEL kinds(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  __atomic_fetch_add((u32 *)&f[i].y, 5u, __ATOMIC_RELAXED);
}
// Arrays that begin anywhere: at a multiple of 4, 8, 12 bytes.
// CASE: begins4 added=yes with=k=0,4,8,12,16 -- zero:{16*n+16} ref:0+{k} i32:{n}
KERNEL begins4(const void *, Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  ADD(&f[i].y, small(i * 3));
  ADD(&f[i].z, small(i * 5));
  ADD(&f[i].w, small(i * 7));
}
// CASE: begins2 added=yes with=k=0,4,8,12 -- zero:{8*n+16} ref:0+{k} i32:{n}
KERNEL begins2(const void *, float *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[2 * i], small(i));
  ADD(&f[2 * i + 1], small(i * 3));
}
// CASE: begins3 added=yes with=k=0,4,8,12 -- zero:{12*n+16} ref:0+{k} i32:{n}
KERNEL begins3(const void *, Three *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  ADD(&f[i].y, small(i * 3));
  ADD(&f[i].z, small(i * 5));
}
// Two words that may begin at either half of a pair.
// CASE: sliding added=no refuse=AddedUneven -- zero:{4*n+4} i32:{n}
KERNEL sliding(float *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i], small(i));
  ADD(&f[i + 1], small(i * 3));
}
// In shared memory; or there for some threads.
// CASE: in_shared added=no full block=64 -- zero:{16*T}
KERNEL in_shared(float *out) {
  __shared__ float s[256];
  for (int k = 0; k < 4; k++) s[4 * threadIdx.x + k] = 0;
  for (int k = 0; k < 4; k++) ADD(&s[4 * threadIdx.x + k], small(threadIdx.x * k));
  for (int k = 0; k < 4; k++) out[4 * ROW + k] = s[4 * threadIdx.x + k];
}
// CASE: in_either added=yes full block=64 with=m=0,1,2,3 -- zero:{16*T} zero:{16*T} i32:{m}
KERNEL in_either(float *f, float *out, u32 m) {
  __shared__ __attribute__((aligned(16))) float s[256];
  for (int k = 0; k < 4; k++) s[4 * threadIdx.x + k] = 0;
  float *p = threadIdx.x % (m + 1) ? f + 4 * ROW : s + 4 * threadIdx.x;
  ADD(p, small(ROW));
  ADD(p + 1, small(ROW * 3));
  ADD(p + 2, small(ROW * 5));
  ADD(p + 3, small(ROW * 7));
  for (int k = 0; k < 4; k++) out[4 * ROW + k] = s[4 * threadIdx.x + k];
}
// The same word twice: sums that are rounded are made in the order of the program.
// CHECK-LABEL: @twice(
// CHECK-COUNT-2: global.add.v2.f32
// CHECK: atomicrmw
// CASE: twice added=yes -- zero:{8*n} i32:{n}
__device__ static inline float large(u32 x) { return (float)(x & 7) * 16777216.0f; }
__device__ static inline void begin_with_ones(float *p, int count) {
  for (int k = 0; k < count; k++) p[k] = 1;
}
KERNEL twice(float *f, int n) {
  int i = ROW;
  if (i >= n) return;
  begin_with_ones(f + 2 * i, 2);
  ADD(&f[2 * i], large(i));
  ADD(&f[2 * i + 1], 1.0f);
  ADD(&f[2 * i], 1.0f);
  ADD(&f[2 * i + 1], large(i + 1));
}
// Two records that may be one, or overlap, each thread its own: the second word of the one comes before that of the other.
// CHECK-LABEL: @two_records(
// CASE: two_records added=yes with=k=0,1,2,4 -- zero:{64*n} i32:{n} i32:{k}
KERNEL two_records(float *f, int n, int k) {
  int i = ROW;
  if (i >= n) return;
  float *p = f + 16 * i, *q = p + 2 * k;
  begin_with_ones(p, 16);
  ADD(&p[0], large(i));
  ADD(&q[1], 1.0f);
  ADD(&p[1], large(i + 1));
  ADD(&q[0], 1.0f);
}
// A record, and one that moves over it by a word that it has not.
// CASE: overlap added=yes with=k=0,1,2,3 -- zero:{64*n+16} ref:0+{4*k} i32:{n}
KERNEL overlap(float *f, float *g, int n) {
  int i = ROW;
  if (i >= n) return;
  begin_with_ones(f + 16 * i, 8);
  ADD(&f[16 * i], large(i));
  ADD(&g[16 * i], 1.0f);
  ADD(&f[16 * i + 1], large(i + 1));
  ADD(&g[16 * i + 2], 1.0f);
  ADD(&f[16 * i + 2], large(i + 2));
  ADD(&f[16 * i + 3], large(i + 3));
}
// The index wraps around in 32 bits in the middle of a record: of the 4 GB that it reaches only both ends are touched.
// CASE: wraps added=yes full few block=64 grid=1 -- zero:4294967296 i32:-4 i32:{n}
KERNEL wraps(unsigned char *q, u32 c, int n) {
  u32 i = ROW;
  if (i >= n) return;
  u32 k = 12 * i + c;
  ADD((float *)(q + k), small(i) + 1);
  ADD((float *)(q + (k + 4)), small(i * 3) + 1);
  ADD((float *)(q + (k + 8)), small(i * 5) + 1);
}
// Zeros with signs, infinities, and numbers that are hardly any.
// CASE: odd_values added=yes -- rand:{16*n} i32:{n}
KERNEL odd_values(Four *f, int n) {
  const float values[] = {0.0f, -0.0f, __builtin_inff(), -__builtin_inff(), 1e-45f, -1e-40f, 3e38f, 1.0f};
  int i = ROW;
  if (i >= n) return;
  float *p = &f[i].x;
  for (int k = 0; k < 4; k++) p[k] = values[(i >> k) & 7];
  ADD(&f[i].x, values[(i / 8) & 3]);
  ADD(&f[i].y, values[(i / 16) & 7]);
  ADD(&f[i].z, values[4 + (i & 3)]);
  ADD(&f[i].w, values[(i / 3) & 1]);
}
// Under conditions of their own.
// CASE: parted added=no -- zero:{16*n} i32:{n}
KERNEL parted(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  if (i % 3) ADD(&f[i].y, small(i * 3));
}
// Loads from several arrays between; of one array at several places, of which any may meet the record.
// CASE: spans added=yes with=k=0,4,8,12,16 -- zero:{32*n+16} ref:0+16 ref:0+{k} i32:{n} iota:{n}
KERNEL spans(const void *, Eight *f, const u32 *v, int n, const u32 *at) {
  int i = ROW;
  if (i >= n) return;
  i = at[i];
  ADD(&f[i].a[0], small(i) + 1);
  u32 x = v[8 * i + 1];
  ADD(&f[i].a[1], small(x >> 16));
  u32 y = v[8 * i + 3], z = v[8 * i];
  ADD(&f[i].a[2], small(y >> 16));
  ADD(&f[i].a[3], small(i * 3) + small(z >> 16));
}
// More arrays than are worth a test each.
// CASE: many added=no refuse=AddedBetween -- zero:{40*n} rand:{4*n} rand:{4*n} rand:{4*n} rand:{4*n} rand:{4*n} rand:{4*n} rand:{4*n} rand:{4*n} rand:{4*n} i32:{n}
KERNEL many(Eight *f, const u32 *a, const u32 *b, const u32 *c, const u32 *d, const u32 *e, const u32 *g, const u32 *h, const u32 *k, const u32 *l, int n) {
  int i = ROW;
  if (i >= n) return;
  float *p = &f[i].a[0];
  ADD(p, small(i));
  ADD(p + 1, small(a[i] + b[i] + c[i] + d[i] + e[i] + g[i] + h[i] + k[i] + l[i]));
}
// The other record, which lies elsewhere, begins where a load between says: that is not known in front, where something is to be asked.
// CASE: later added=no refuse=AddedBetween -- zero:{16*n+16} perm:{n} i32:{n} zero:{16*n} rand:{4*n}
KERNEL later(Four *f, const u32 *R idx, int n, Four *R g, const u32 *v) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  float y = small(v[i]);
  u32 j = idx[i];
  ADD(&g[j].x, small(i * 3));
  ADD(&f[i].y, y);
  ADD(&g[j].y, small(i * 7));
}
// The place is looked up anew, in a list that is written in between: by this thread, or maybe so.
// CASE: list_written added=no -- zero:{16*(n+1)} rand:{4*n} i32:{n} i32:{n//3+1}
KERNEL list_written(Four *f, u32 *idx, int n, u32 m) {
  int i = ROW; if (i >= n) return;
  ADD(&f[idx[i] % m].x, 1); idx[i] += 1; ADD(&f[idx[i] % m].y, 2); idx[i] += 1; ADD(&f[idx[i] % m].z, 3); idx[i] += 1; ADD(&f[idx[i] % m].w, 4);
}
// CASE: list_stored added=no with=D=0,1,2 -- zero:{16*(n+1)} rand:{4*n+32} ref:1+{4*D} i32:{n} i32:{n//3+1}
KERNEL list_stored(Four *f, const u32 *idx, u32 *o, int n, u32 m) {
  int i = ROW; if (i) return;
  ADD(&f[idx[0] % m].x, 1); o[0] = 5; ADD(&f[idx[0] % m].y, 2); o[1] = 7; ADD(&f[idx[0] % m].z, 3); o[2] = 9; ADD(&f[idx[0] % m].w, 4);
}
// In other records' way, and by a list of lists.
// CASE: list_other added=no with=D=0,1,2 -- zero:{16*(n+1)} zero:{4*n+64} ref:1+{4*D} i32:{n}
KERNEL list_other(Four *f, const u32 *idx, float *o, int n) {
  int i = ROW; if (i) return;
  ADD(&f[idx[0] & 1].x, 1); ADD(o, 5); ADD(&f[idx[0] & 1].y, 2); ADD(o + 2, 7); ADD(&f[idx[0] & 1].z, 3); ADD(o + 5, 9); ADD(&f[idx[0] & 1].w, 4);
}
// By the same index into rows of another length.
// CASE: list_cast added=no -- zero:{16*(n+1)} rand:{4*n} i32:{n} i32:{n//3+1}
KERNEL list_cast(Four *f, const u32 *idx, int n, u32 m) {
  int i = ROW; if (i >= n) return;
  ADD(&f[idx[i] % m].x, 1); ADD((float *)f + idx[i] % m + 1, 2);
}
