// RUN: %rewritten %s --temp %t.d
// Rows of which data tell the words that are wanted: where many are, as a warp sees on entry, every word is loaded, if each end of each row is there, or lies between
// what the warp's first and last lane load. All rows end with the memory here, and what the original leaves out at either end of it is not there.
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// TEXT: levels=O3,O1
#include "records.cuh"
typedef unsigned char u8;

// Each lane looks at four words in another place; what else is asked, and the first and last words, only where enough lanes have seen one that is wanted. Of the loop as it was four
// iterations stand in one body.
// CHECK-LABEL: @masked(
// CHECK: mul i32 {{%[0-9]+}}, -1640531527
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK: call i32 @llvm.nvvm.vote.ballot.sync(
// CHECK: mul{{.*}} i32 {{%[0-9]+}}, 55
// CHECK: call i1 @llvm.nvvm.vote.all.sync(
// CASE: masked load=exchange plain:load=exchange aside=yes block=48 grid=1 with=m=0,1,31,128,131 with=k=0,1,5,11,16 few -- rand:{4*n*m+4} rand:{4*m+4}:3 zero:{4*n} i32:{k} i32:{m} i32:{n}
// CASE: masked fewer full block=64 grid=1 few with=m=128,160 -- rand:{4*n*m} rand:{4*m}:3 zero:{4*n} i32:13 i32:{m} i32:{n}
KERNEL masked(const u32 *__restrict__ a, const u32 *__restrict__ use, u32 *__restrict__ o, u32 k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if ((use[j] & 15) < k) s = s * 31 + a[(long)i * m + j];
  o[i] = s;
}
// By pointers that move, of floats: products are fused as they were.
// CASE: pointers load=exchange plain:load=exchange aside=yes block=48 grid=1 with=m=128,135,256,263 few -- frand:{4*n*m+4} frand:{4*m}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL pointers(const float *a, const float *w, float *o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  const float *p = a + (long)i * m, *e = p + m, *q = w;
  float s = 0;
  for (; p != e; p++, q++)
    if (*q > 0) s += *p * *q;
  o[i] = s;
}
// Each lane wants the words of its own class: ends of rows are those of other lanes' as well.
// CASE: classes load=exchange plain:load=exchange aside=yes block=48 grid=1 with=m=256,260 with=c=0,1,3,7 few -- rand:{4*n*m+4} rand:{4*m+4}:3 rand:{4*n+4}:4 zero:{4*n} i32:{c} i64:{m} i64:{n}
KERNEL classes(const u32 *a, const u32 *of, const u32 *own, u32 *o, u32 bits, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  u32 mine = own[i] & bits, s = 0;
  for (long j = 0; j < m; j++) {
    if ((of[j] & bits) != mine) continue;
    s += a[i * m + j];
  }
  o[i] = s;
}
// The first words of the first row, and the last ones of the last, are left out and are not there: a whole sector, or a part of one.
// CASE: ends load=exchange plain:load=exchange block=33 grid=1 full few with=m=136 with=f=0,5,8,13 with=l=0,3,8,11 -- rand:{(4*n*m-4*f-4*l+31)//32*32} zero:{4*n} i32:0 i32:{f} i32:{l} i32:{m} i32:{n}
template <class T> __device__ T least(T a, T b) { return a < b ? a : b; }
KERNEL ends(const u32 *__restrict__ a, u32 *__restrict__ o, int none, int first, int last, int m, int n) {
  __shared__ u8 use[256];
  int i = ROW;
  if (threadIdx.x == 0)
    for (int j = 0; j < m; j++) use[j] = j >= first && j < m - last && none == 0;
  __syncthreads();
  if (i >= n) return;
  u32 s = ~0u;
  for (int j = 0; j < m; j++)
    if (use[j]) s = least(s, a[i * m + j - first]);
  o[i] = s;
}
// Of each sector, two words are wanted: the sixth and the last.
// CASE: sparse fewer full block=64 grid=1 few with=m=136 -- rand:{4*n*m} zero:{4*n} i32:160 i32:{m} i32:{n}
KERNEL sparse(const u32 *__restrict__ a, u32 *__restrict__ o, u32 bits, int m, int n) {
  __shared__ u8 use[256];
  int i = ROW;
  if (threadIdx.x == 0)
    for (int j = 0; j < m; j++) use[j] = bits >> (j & 7) & 1;
  __syncthreads();
  if (i >= n) return;
  u32 s = ~0u;
  for (int j = 0; j < m; j++)
    if (use[j]) s = least(s, a[i * m + j]);
  o[i] = s;
}
// Of all rows but those of the warp's first lane and its last one, the ends are left out: either tells the others of one end.
// CASE: between fewer full block=64 grid=1 few with=m=256 -- rand:{4*n*m} zero:{4*n} i32:9 i32:{m} i32:{n}
KERNEL between(const u32 *__restrict__ a, u32 *__restrict__ o, int out, int m, int n) {
  __shared__ u8 use[256];
  int i = ROW;
  if (threadIdx.x == 0)
    for (int j = 0; j < m; j++) use[j] = j >= out && j < m - out ? 3 : 2;
  __syncthreads();
  if (i >= n) return;
  u32 mine = (threadIdx.x & 31) % 31 ? 1 : 2, s = ~0u;
  for (int j = 0; j < m; j++)
    if (use[j] & mine) s = least(s, a[i * m + j]);
  o[i] = s;
}
// Rows that run the other way through memory from lane to lane: the last lane's is the first there.
// CASE: turned load=exchange block=33 grid=1 full few with=m=136 with=f=0,8 with=l=0,8 -- rand:{(4*n*m-4*f-4*l+31)//32*32} rand:{4*n+4}:3 zero:{4*n} i32:{f} i32:{l} i32:{m} i32:{n}
KERNEL turned(const u32 *__restrict__ a, const u32 *__restrict__ x, u32 *__restrict__ o, int first, int last, int m, int n) {
  __shared__ u8 use[256];
  int i = ROW;
  if (threadIdx.x == 0)
    for (int j = 0; j < m; j++) use[j] = j >= first && j < m - last;
  __syncthreads();
  if (i >= n) return;
  u32 s = x[i];
  for (int j = 0; j < m; j++)
    if (use[j]) s = s * 31 + a[(n - 1 - i) * m + j - first];
  o[i] = s;
}
// What decides is of rows as well, which move whatever it says.
// CASE: beside load=exchange plain:load=exchange aside=no block=48 grid=1 with=m=128,135 with=k=0,8,15,16 few -- rand:{4*n*m+4} rand:{4*n*m+4}:2 zero:{4*n} i32:{k} i32:{m} i32:{n}
KERNEL beside(const u32 *__restrict__ a, const u32 *__restrict__ b, u32 *__restrict__ o, u32 k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if ((b[i * m + j] & 15) < k) s = s * 31 + a[i * m + j];
  o[i] = s;
}
// The most of those that count, and where it is; two rows under one condition; stores beside them.
// CASE: most load=exchange plain:load=exchange aside=yes block=48 grid=1 with=m=128,133 with=k=8,16 few -- frand:{4*n*m+4} frand:{4*n*m+4}:2 rand:{4*m+4}:3 zero:{4*n} zero:{4*n} zero:{4*n*m} i32:{k} i32:{m} i32:{n}
KERNEL most(const float *__restrict__ a, const float *__restrict__ b, const u32 *__restrict__ use, float *__restrict__ o, int *__restrict__ at, u32 *__restrict__ p, u32 k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float best = -1e30f;
  int where = -1;
  for (int j = 0; j < m; j++) {
    u32 u = use[j] & 15;
    if (u < k) {
      float v = a[i * m + j] - b[i * m + j];
      if (v > best) {
        best = v;
        where = j;
      }
    }
    p[j * n + i] = u;
  }
  o[i] = best;
  at[i] = where;
}
// A loop inside of another one, whose rows are others in each of its runs.
// CASE: inside load=exchange plain:load=exchange aside=yes block=33 grid=1 with=m=128,130 few -- rand:{12*n*m+4} rand:{12*m+4}:3 zero:{4*n} i32:3 i32:{m} i32:{n}
KERNEL inside(const u32 *__restrict__ a, const u32 *__restrict__ use, u32 *__restrict__ o, int r, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < r; k++)
    for (int j = 0; j < m; j++)
      if (use[k * m + j] & 3) s = s * 31 + a[((long)k * n + i) * m + j];
  o[i] = s;
}
// What is done with a word takes longer than the word: only what is wanted is done.
// CASE: costly load=exchange plain:load=none block=33 grid=1 with=m=128 few -- frand:{4*n*m+4} rand:{4*m+4}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL costly(const float *__restrict__ a, const u32 *__restrict__ use, float *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++)
    if (use[j] & 3) s += 1 / (1 + a[i * m + j] * a[i * m + j]) / (2 + a[i * m + j]);
  o[i] = s;
}
// Launch bounds leave 32 registers.
// CASE: bounded load=exchange plain:load=none block=64 grid=1 with=m=128 few -- rand:{4*n*m+4} rand:{4*m+4}:3 zero:{4*n} i32:{m} i32:{n}
extern "C" __global__ void __launch_bounds__(1024, 2) bounded(const u32 *__restrict__ a, const u32 *__restrict__ use, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (use[j] & 3) s += a[i * m + j];
  o[i] = s;
}
// What decides is loaded under a condition itself, behind which it is not there: in words that are wanted for nothing else, from the second sector to the last but one.
// CASE: nested load=exchange plain:load=exchange aside=yes block=33 grid=1 few with=m=136 with=f=0,8 with=l=0,8 with=k=0,6,8 -- rand:{4*n*m} rand:{4*m}:3 rand:{4*m-4*f-4*l}:5 zero:{4*n} i32:{f} i32:{l} i32:{k} i32:{m} i32:{n}
KERNEL nested(const u32 *__restrict__ a, const u32 *__restrict__ use, const u32 *__restrict__ too, u32 *__restrict__ o, int first, int last, u32 k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (j >= first && j < m - last && (use[j] & 7) < k)
      if ((too[j - first] & 7) < k) s = s * 31 + a[i * m + j];
  o[i] = s;
}
// CASE: behind load=exchange plain:load=exchange aside=yes block=48 grid=1 few with=m=128,135 with=k=0,7,8 -- frand:{4*n*m+4} rand:{4*m+4}:3 frand:{4*m+4}:5 zero:{4*n} i32:{k} i64:{m} i64:{n}
KERNEL behind(const float *a, const u32 *use, const float *x, float *o, u32 k, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  float s = 0;
  for (long j = 0; j < m; j++)
    if ((use[j] & 7) < k && x[j] > -0.5f && j != i) s += a[i * m + j] * x[j];
  o[i] = s;
}
// A lane that wants nothing of its row says nothing of how it is aligned: one row of all begins within a word.
// CASE: astray load=exchange plain:load=exchange aside=yes block=48 grid=1 few with=m=136,256 with=k=14,16 -- rand:{4*n*m+32} rand:{4*m+4}:3 zero:{4*n} i32:{k} i32:{m} i32:{n}
KERNEL astray(const char *__restrict__ a, const u32 *__restrict__ use, u32 *__restrict__ o, u32 k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  bool none = i == 5;
  const u32 *p = (const u32 *)(a + (long)i * m * 4 + (none ? 1 : 0));
  u32 s = 0, own = none ? 0 : k;
  for (int j = 0; j < m; j++)
    if ((use[j] & 15) < own) s = s * 31 + p[j];
  o[i] = s;
}
// Words of two bytes' distance, of which data want every other one: those between them are not aligned.
// CASE: halfway load=none plain:load=none block=32 grid=1 full few with=m=256 -- rand:{2*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL halfway(const char *__restrict__ a, u32 *__restrict__ o, int m, int n) {
  __shared__ u8 use[256];
  int i = ROW;
  if (threadIdx.x == 0)
    for (int j = 0; j < m; j++) use[j] = j % 2;
  __syncthreads();
  if (i >= n) return;
  u32 s = 0;
#pragma unroll 1
  for (int j = 0; j < m; j++)
    if (use[j]) s = s * 31 + *(const u32 *)(a + (i * m + j - 1) * 2);
  o[i] = s;
}
// Nine such loops in one kernel: none is made.
// CASE: many load=exchange plain:load=none block=33 grid=1 few with=m=128 -- rand:{4*n*m+4} rand:{36*m+4}:3 zero:{36*n} i32:{m} i32:{n}
template <int K> __device__ void sum(const u32 *row, const u32 *use, u32 *o, int m) {
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (use[K * m + j] & 7) s = s * (K + 3) + row[j];
  o[K] = s;
}
KERNEL many(const u32 *__restrict__ a, const u32 *__restrict__ use, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  const u32 *row = a + (long)i * m;
  u32 s[9];
  sum<0>(row, use, s, m), sum<1>(row, use, s, m), sum<2>(row, use, s, m), sum<3>(row, use, s, m), sum<4>(row, use, s, m);
  sum<5>(row, use, s, m), sum<6>(row, use, s, m), sum<7>(row, use, s, m), sum<8>(row, use, s, m);
  for (int k = 0; k < 9; k++) o[k * n + i] = s[k];
}
// The loop writes what decides.
// CASE: written load=none plain:load=none block=33 grid=1 with=m=128 full -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL written(const u32 *__restrict__ a, u32 *use, u32 *o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    if (use[i * m + j] & 3) s += a[i * m + j];
    use[i * m + m - 1 - j] = 1;
  }
  o[i] = s;
}
// Bytes: rows that begin anywhere stay, as their elements would come one by one, wanted or not.
// CHECK-LABEL: @narrow(
// CHECK-NOT: vote.all
// CHECK: and i64 {{%[0-9]+}}, 15
// CHECK: call i1 @llvm.nvvm.vote.all.sync(
// CASE: narrow load=exchange plain:load=exchange block=64 grid=1 few full with=m=256,1024,261 -- rand:{n*m} rand:{4*m}:3 zero:{4*n} i32:{m} i32:{n}
// CASE: narrow fewer full block=64 grid=1 with=m=512 -- rand:{n*m} rand:{4*m}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL narrow(const u8 *__restrict__ a, const u32 *__restrict__ w, u32 *__restrict__ o, int m, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (w[j] & 7) s = s * 31 + a[t * m + j];
  o[t] = s;
}
