// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// Loads and stores side by side under bounds, as at the end of an array: where all conditions of a thread hold, its warp moves both
// together. The last threads, and blocks without a full warp, do as they did.
// TEXT: levels=O3,O1
#include "records.cuh"

#define ALL _Pragma("unroll")
// CASE: map few load=exchange store=exchange plain:load=widen plain:store=exchange full with=m=0,1,7,8,9,511,512,513,1000 -- rand:{32*T+32} rand:{32*T+32} i32:{m}
// CASE: map few full with=m=0,1,7,8,9,511,512,1000 -- rand:{32*T+32} ref:0+0 i32:{m}
KERNEL map(u32 *q, const u32 *a, int n) {
  int i = ROW * 8;
  ALL for (int k = 0; k < 8; k++)
    if (i + k < n) q[i + k] = a[i + k] * 3 + 1;
}
// Arrays that begin in the middle of each other: loads would move over the stores of the thread itself.
// CASE: near few load=exchange store=exchange full with=m=511,512,2000 with=S=0,4,16,28,32 -- rand:{64*T+64} ref:0+{S} i32:{m}
// CASE: near few full with=m=511,512,2000 with=S=4,16,28,32 -- ref:1+{S} rand:{64*T+64} i32:{m}
KERNEL near(u32 *q, const u32 *a, int n) {
  int i = ROW * 16;
  ALL for (int k = 0; k < 8; k++)
    if (i + k < n) q[i + k] = a[i + k] * 3 + 1;
}
// In place, and from two arrays to one of them.
// CASE: inside few load=exchange store=exchange full with=m=0,7,8,9,511,512,513,1000 -- rand:{32*T+32} i32:{m}
KERNEL inside(u32 *q, unsigned n) {
  u32 i = ROW * 8;
  ALL for (int k = 0; k < 8; k++)
    if (i + k < n) q[i + k] = q[i + k] > 1000 ? q[i + k] - 7 : q[i + k] * 3;
}
// CASE: axpy few load=exchange store=exchange full with=m=0,9,11,12,767,768,769 -- rand:{48*T+48} rand:{48*T+48} i64:{m}
KERNEL axpy(u32 *__restrict__ q, const u32 *__restrict__ a, long long n) {
  ALL for (int k = 0; k < 12; k++) {
    long long j = ROW * 12ll + k;
    if (j < n) q[j] += a[j] * 5;
  }
}
// What one condition's store writes the next one's load reads: in their order.
// CASE: handed few full with=m=0,7,8,9,511,512,513 -- rand:{32*T+64} i32:{m}
KERNEL handed(u32 *q, int n) {
  int i = ROW * 8;
  u32 last = 3;
  ALL for (int k = 0; k < 8; k++)
    if (i + k < n) q[i + k] = last = q[i + k] + last * 31, q[i] ^= last;
}
// Bytes, doubles, an array of which only each thread's first words are kept.
// CASE: bytes few full plain:load=widen with=m=0,15,16,17,1023,1024,1025 -- rand:{16*T+16} rand:{16*T+16} i32:{m}
KERNEL bytes(u8 *q, const u8 *a, int n) {
  int i = ROW * 16;
  ALL for (int k = 0; k < 16; k++)
    if (i + k < n) q[i + k] = 255 - a[i + k];
}
// CASE: wide few load=exchange store=exchange full with=m=0,5,6,7,383,384,385 -- rand:{48*T+48} rand:{48*T+48} i32:{m}
KERNEL wide(u64 *q, const u64 *a, int n) {
  int i = ROW * 6;
  ALL for (int k = 0; k < 6; k++)
    if (i + k < n) q[i + k] = a[i + k] * 3 + 1;
}
// In steps of the grid, and in rows of an image, the end of each of which some warp comes to: the stores wait for the last of them.
// Its blocks of 1024 are launched still: with other iterations beside, ptxas would take 72 registers.
// CHECK: @rounds({{.*}} #[[ROUNDS:[0-9]+]]
// CHECK-NOT: coalda.guarded
// CHECK: ret void
// CASE: rounds few load=none store=exchange full with=m=0,16,512,513,2500 -- rand:{64*T+12000} rand:{64*T+12000} i64:{m} i32:{T}
KERNEL rounds(u32 *q, const u32 *a, long long n, int all) {
  for (long long b = (long long)ROW * 8; b < n; b += (long long)all * 8)
    ALL for (int k = 0; k < 8; k++)
      if (b + k < n) q[b + k] = a[b + k] * 3 + 1;
}
// CHECK-LABEL: @rows(
// CHECK-NOT: coalda.guarded
// CHECK: ret void
// CASE: rows few load=none store=exchange full with=m=1,30,63,64 -- rand:{64*T+12000} rand:{64*T+12000} i32:{m}
KERNEL rows(u32 *__restrict__ q, const u32 *__restrict__ a, int width) {
  u32 t = ROW, x = t % 8 * 8, y = t / 8;
  ALL for (int k = 0; k < 8; k++)
    if (int(x + k) < width) q[y * width + x + k] = a[y * width + x + k] * 3 + 1;
}
// The bound is loaded again after each store, which may have written it: no condition is known where the first one is.
// CASE: bound few load=none full -- rand:{64*T} rand:{64*T} rand:{64*T}
// CASE: bound few full with=S=0,4,8,16,28 -- rand:{64*T+64} rand:{64*T} ref:0+{S}
KERNEL bound(u32 *q, const u32 *a, const u32 *n) {
  u32 i = ROW * 16;
  ALL for (u32 k = 0; k < 8; k++)
    if (k < n[i]) q[i + k] = a[i + k] & 7;
}
// Data decide which of them a thread makes, and it seldom makes all: the stores wait for the last of them, and the loads stay.
// CHECK-LABEL: @some(
// CHECK-NOT: coalda.guarded
// CHECK: ret void
// CASE: some few plain:load=none plain:store=exchange full -- rand:{32*T} rand:{32*T} rand:{4*T}
KERNEL some(u32 *__restrict__ q, const u32 *__restrict__ a, const u32 *__restrict__ c) {
  u32 i = ROW * 8, m = c[ROW];
  ALL for (u32 k = 0; k < 8; k++)
    if (m >> k & 1) q[i + k] = a[i + k] * 3 + 1;
}
// CHECK: attributes #[[ROUNDS]] = {{.*}}"nvvm.maxnreg"="64"
// Bytes and halves that are stored alone, under bounds: where all of them hold, a thread's are one piece.
// CASE: filled few store=widen plain:store=widen full with=m=0,1,15,16,17,1023,1024,1025,2500 -- rand:{16*T+16} i32:{m}
KERNEL filled(unsigned char *q, int n) {
  int t = ROW;
  ALL for (int k = 0; k < 16; k++)
    if (t * 16 + k < n) q[t * 16 + k] = t * 7 + k;
}
template <int N, class T, class I> __device__ void pack(T *q, u32 seed, I n) {
  I t = ROW;
  if (t * N >= n) return;
  ALL for (int k = 0; k < N; k++)
    if (t * N + k < n) q[t * N + k] = (seed + t) * (k + 3) >> 3;
}
// CASE: halves few store=widen plain:store=widen full with=m=0,1,7,8,9,511,512,513,1000 -- rand:{16*T+16} i32:5 i64:{m}
KERNEL halves(unsigned short *q, u32 seed, long n) { pack<8>(q, seed, n); }
// CASE: turned few full with=m=0,1,31,32,33,2047,2048,2049 -- rand:{32*T+32} i32:5 i32:{m}
KERNEL turned(unsigned char *q, u32 seed, u32 n) { pack<32>(q, seed, n); }
// Every third byte is left out.
// CASE: thirds few full with=m=0,1,23,24,25,1535,1536,1537 -- rand:{24*T+24} i32:{m}
KERNEL thirds(unsigned char *q, int n) {
  int t = ROW;
  ALL for (int k = 0; k < 24; k++)
    if (k % 3 != 2 && t * 24 + k < n) q[t * 24 + k] = t * 5 + k;
}
// Where data decide, threads seldom store all of them.
// CASE: chosen few full -- rand:{16*T} rand:{4*T}
KERNEL chosen(unsigned char *q, const u32 *w) {
  int t = ROW;
  ALL for (int k = 0; k < 16; k++)
    if (w[t] >> k & 1) q[t * 16 + k] = k;
}
