// RUN: %rewritten %s --temp %t.d
// Loads that are each under a condition of their own, the first of which asks what has been asked on entry: it is made whatever else
// holds, and goes along with the others where all of them do.
// TEXT: levels=O3,O1
#include "records.cuh"

#define ALL _Pragma("unroll")
template <class T, int N> __device__ inline T mixed(const T (&x)[N]) {
  T s = 0;
  ALL for (int k = 0; k < N; k++) s = s * 31 + x[k];
  return s;
}
// CASE: early few load=exchange full with=m=0,1,15,16,17,511,512,513,1000 -- rand:{4*m+4} zero:{4*T} i32:{m}
KERNEL early(const u32 *a, u32 *q, int n) {
  int b = ROW * 16;
  if (b >= n) return;
  u32 s = 0;
  ALL for (int k = 0; k < 16; k++)
    if (b + k < n) s = s * 31 + a[b + k];
  q[ROW] = s;
}
// Unsigned, 64 bits, pointers; what has been loaded first is used behind.
// CASE: kept few load=exchange full with=m=0,1,12,13,383,384,385,700 -- rand:{4*m+4} zero:{4*T} i32:{m}
KERNEL kept(const u32 *a, u32 *q, unsigned n) {
  u32 b = ROW * 12, x[12];
  if (b < n) {
    ALL for (int k = 0; k < 12; k++) x[k] = b + k < n ? a[b + k] : 9;
    q[ROW] = mixed(x) ^ x[0];
  }
}
// CASE: pointers few load=exchange full with=m=0,1,12,13,383,384,385,700 -- rand:{8*m+8} zero:{8*T} i64:{m}
KERNEL pointers(const u64 *a, u64 *q, long long m) {
  const u64 *p = a + ROW * 12ll, *end = a + m;
  if (p >= end) return;
  u64 x[12];
  ALL for (int k = 0; k < 12; k++) x[k] = p + k < end ? p[k] : 5;
  q[ROW] = mixed(x);
}
// In steps of the grid that are counted in rows: the loop's condition asks for the first word.
// CASE: rounds few load=exchange full with=m=0,1,16,512,513,2500,5000 -- rand:{4*m+4} zero:{4*T} i32:{m} i32:{T}
KERNEL rounds(const u32 *a, u32 *q, int n, int all) {
  u32 s = 0;
  for (int t = ROW; t * 16 < n; t += all) {
    u32 x[16];
    ALL for (int k = 0; k < 16; k++) x[k] = t * 16 + k < n ? a[t * 16 + k] : k;
    s = s * 37 + mixed(x);
  }
  q[ROW] = s;
}
// Stores beside them; arrays that begin in the middle of each other.
// CASE: map few load=exchange store=exchange plain:load=widen plain:store=exchange full with=m=0,1,7,8,9,511,512,513,1000 -- rand:{32*T+32} rand:{32*T+32} i32:{m}
// CASE: map few full with=m=0,1,7,8,9,511,512,1000 -- rand:{32*T+32} ref:0+0 i32:{m}
KERNEL map(u32 *q, const u32 *a, int n) {
  int i = ROW * 8;
  if (i >= n) return;
  ALL for (int k = 0; k < 8; k++)
    if (i + k < n) q[i + k] = a[i + k] * 3 + 1;
}
// CASE: near few load=exchange store=exchange full with=m=1,511,512,2000 with=S=0,4,16,28,32 -- rand:{64*T+64} ref:0+{S} i32:{m}
// CASE: near few full with=m=1,511,512,2000 with=S=4,16,28,32 -- ref:1+{S} rand:{64*T+64} i32:{m}
KERNEL near(u32 *q, const u32 *a, int n) {
  int i = ROW * 16;
  if (i >= n) return;
  ALL for (int k = 0; k < 8; k++)
    if (i + k < n) q[i + k] = a[i + k] * 3 + 1;
}
// What is loaded first decides about the others.
// CASE: decided few full with=m=0,16,513,2500 -- rand:{4*m+64} zero:{4*T} i32:{m}
KERNEL decided(const u32 *a, u32 *q, int n) {
  int b = ROW * 16;
  if (b >= n) return;
  u32 s = a[b], t = s;
  ALL for (int k = 1; k < 16; k++)
    if (b + k < n && t >> k & 1) s = s * 31 + a[b + k];
  q[ROW] = s;
}
// Something else is stored behind the first load.
// CASE: between few full with=m=0,16,513,2500 -- rand:{4*m+64} zero:{4*T} zero:{4*T} i32:{m}
KERNEL between(const u32 *a, u32 *q, u32 *r, int n) {
  int b = ROW * 16;
  if (b >= n) return;
  u32 s = a[b];
  r[ROW] = s;
  ALL for (int k = 1; k < 16; k++)
    if (b + k < n) s = s * 31 + a[b + k];
  q[ROW] = s;
}
