// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -I %S/../gen -O3 -ffp-contract=fast %s -o %t.ll
// RUN: %opt '-passes=coalda<always>' -S %t.ll | %FileCheck %s
// Loads that are each under a condition of their own, as at the end of an array. Where all conditions of a thread hold they stand side by
// side, and its warp may move them together; the last threads, and blocks without a full warp, do as they did.
// TEXT: levels=O3,O1
#include "records.cuh"

template <int N> __device__ inline u32 mixed(const u32 (&x)[N]) {
  u32 s = 0;
  _Pragma("unroll") for (int k = 0; k < N; k++) s = s * 31 + x[k];
  return s;
}
#define ALL _Pragma("unroll")
// Zeros behind the end, an old value, none, something else.
// CASE: zeros few load=exchange plain:load=exchange full with=m=0,1,15,16,17,511,512,513,1000 -- rand:{4*m+4} zero:{4*T} i32:{m}
KERNEL zeros(const u32 *a, u32 *q, int n) {
  u32 x[16], i = ROW;
  ALL for (int k = 0; k < 16; k++) {
    x[k] = 0;
    if (int(i * 16 + k) < n) x[k] = a[i * 16 + k];
  }
  q[i] = mixed(x);
}
// CASE: old few load=exchange full with=m=0,12,512,513,700 -- rand:{4*m+4} rand:{64} zero:{4*T} i32:{m}
KERNEL old(const u32 *a, const u32 *d, u32 *q, int n) {
  u32 x[12], i = ROW;
  ALL for (int k = 0; k < 12; k++) {
    x[k] = d[k];
    if (k < n - int(i) * 12) x[k] = a[i * 12 + k];
  }
  q[i] = mixed(x);
}
// CASE: chosen few load=exchange full with=m=0,12,512,513,700 -- rand:{4*m+4} zero:{4*T} i32:{m}
KERNEL chosen(const u32 *a, u32 *q, unsigned n) {
  u32 x[12], i = ROW;
  ALL for (int k = 0; k < 12; k++) x[k] = i * 12 + k < n ? a[i * 12 + k] : i + 7;
  q[i] = mixed(x);
}
// CASE: summed few load=exchange full with=m=0,16,512,513,700 -- rand:{4*m+4} zero:{4*T} i32:{m}
KERNEL summed(const u32 *a, u32 *q, int n) {
  u32 s = 1, i = ROW;
  ALL for (int k = 0; k < 16; k++)
    if (int(i * 16 + k) < n) s = s * 31 + a[i * 16 + k];
  q[i] = s;
}
// `<=`, `!=`, pointers, and conditions that are not implied by each other.
// CASE: up_to few load=exchange full with=m=0,16,512,513,700 -- rand:{4*m+4} zero:{4*T} i32:{m}
KERNEL up_to(const u32 *a, u32 *q, int n) {
  u32 x[16], i = ROW;
  ALL for (int k = 0; k < 16; k++) x[k] = int(i * 16 + k) <= n ? a[i * 16 + k] : 0;
  q[i] = mixed(x);
}
// CASE: but_one few load=exchange full with=m=0,15,100,513,700 -- rand:{64*T} zero:{4*T} i32:{m}
KERNEL but_one(const u32 *a, u32 *q, int n) {
  u32 x[16], i = ROW;
  ALL for (int k = 0; k < 16; k++) x[k] = int(i * 16 + k) != n ? a[i * 16 + k] : 3;
  q[i] = mixed(x);
}
// CASE: bits few load=exchange full with=m=0,1,4095,65535,64511 -- rand:{64*T} zero:{4*T} i32:{m}
KERNEL bits(const u32 *a, u32 *q, u32 mask) {
  u32 x[16], i = ROW;
  ALL for (int k = 0; k < 16; k++) x[k] = mask >> k & (i < 100) ? a[i * 16 + k] : 3;
  q[i] = mixed(x);
}
// CASE: pointers few load=exchange full with=m=0,16,512,513,700 -- rand:{4*m+4} zero:{4*T} i64:{m}
KERNEL pointers(const u32 *a, u32 *q, long long m) {
  const u32 *end = a + m, *p = a + ROW * 16;
  u32 x[16];
  ALL for (int k = 0; k < 16; k++) x[k] = p + k < end ? p[k] : 0;
  q[ROW] = mixed(x);
}
// In a loop, whose last round is not full.
// CASE: rounds few load=exchange full with=m=0,16,512,513,2500 -- rand:{4*m+4} zero:{4*T} i64:{m} i32:{T}
KERNEL rounds(const u32 *a, u32 *q, long long n, int all) {
  u32 s = 0;
  for (long long b = (long long)ROW * 16; b < n; b += (long long)all * 16) {
    u32 x[16];
    ALL for (int k = 0; k < 16; k++) x[k] = b + k < n ? a[b + k] : 0;
    s = s * 37 + mixed(x);
  }
  q[ROW] = s;
}
// Two arrays, wide elements, values that are used before the end, and one that is written between, elsewhere: its loads alone move.
// CASE: both few load=exchange full with=m=0,12,512,513,700 -- rand:{4*m+4} rand:{4*m+4} zero:{4*T} i32:{m}
KERNEL both(const u32 *a, const u32 *b, u32 *q, int n) {
  u32 x[12], y[12], i = ROW;
  ALL for (int k = 0; k < 12; k++) {
    x[k] = y[k] = k;
    if (int(i * 12 + k) < n) x[k] = a[i * 12 + k], y[k] = b[i * 12 + k] ^ x[k];
  }
  q[i] = mixed(x) + mixed(y);
}
// CASE: wide few load=exchange full with=m=0,16,512,513,700 -- rand:{8*m+8} zero:{8*T} i32:{m}
KERNEL wide(const u64 *a, u64 *q, int n) {
  u64 s = 0;
  u32 i = ROW;
  ALL for (int k = 0; k < 10; k++) s = s * 31 + (int(i * 10 + k) < n ? a[i * 10 + k] : 5);
  q[i] = s;
}
// CASE: written few load=widen store=none full with=m=16,513 -- rand:{4*m+4} zero:{64*T} i32:{m}
KERNEL written(const u32 *a, u32 *q, int n) {
  u32 i = ROW;
  ALL for (int k = 0; k < 4; k++)
    if (int(i * 4 + k) < n) q[(i + k) % 7 + i * 16] = a[i * 4 + k];
}
// What is loaded decides whether the next one is.
// CASE: decided few refuse=Apart none full with=m=16,513,2500 -- rand:{4*m+64} zero:{4*T} i32:{m}
KERNEL decided(const u32 *a, u32 *q, int n) {
  u32 s = 1, i = ROW;
  ALL for (int k = 0; k < 8; k++)
    if (int(i * 8 + k) < n && s & 1 << k) s += a[i * 8 + k] | 1;
  q[i] = s;
}
// Products that would be rounded once if they stood beside what adds them: under conditions they are not, and side by side neither. Where
// nobody may fuse them, they move.
// CHECK-LABEL: @products(
// CHECK-NOT: shfl
// CHECK: ret void
// CASE: products load=exchange few full with=m=0,16,512,513,700 -- frand:{4*m+4} zero:{4*T} i32:{m}
KERNEL products(const float *a, float *q, int n) {
  float s = 0, v = 0;
  u32 i = ROW;
  ALL for (int k = 0; k < 16; k++)
    if (int(i * 16 + k) < n) {
      s += v;
      v = a[i * 16 + k] * 1.5f;
    }
  q[i] = s + v;
}
