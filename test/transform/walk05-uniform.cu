// RUN: %rewritten %s --temp %t.d
// What all lanes load beside a walk, the vector of a product, is loaded in wider pieces where its elements are less than a
// word and it is aligned: the test rides along with those of the walk.
// TEXT: levels=O3
#include "records.cuh"

typedef signed char s8;

// CASE: product load=exchange plain:load=exchange block=48 grid=1 full with=m=0,1,31,32,33,100 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL product(const u32 *a, const u32 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * x[j];
  q[i] = s;
}
// Every alignment of the vector.
// CASE: shifted load=widen plain:load=widen block=32 grid=1 full with=m=64,100 with=o=0..5,8,16 -- rand:{4*n*m} rand:{m+32} ref:1+{o} zero:{4*n} i32:{m} i32:{n}
KERNEL shifted(const u32 *a, const u8 *, const u8 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * x[j];
  q[i] = s;
}
// Bytes of both signs: cut out and extended at once.
// The sums are made four at a time.
// CASE: signed_bytes load=widen block=48 grid=1 full with=m=100,128,131,256 with=o=0,1,4 -- rand:{n*m+4} rand:{m+32} ref:1+{o} zero:{4*n} i32:{m} i32:{n}
KERNEL signed_bytes(const s8 *a, const s8 *, const s8 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  int s = 0;
  for (int j = 0; j < m; j++) s += a[i * m + j] * x[j];
  q[i] = (u32)s;
}
// CASE: mixed_bytes load=exchange block=48 grid=1 full with=m=128,200 -- rand:{n*m+4} rand:{m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL mixed_bytes(const u8 *a, const s8 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u8 b = a[i * m + j];
    s = s * 31 + b * x[j] + (u32)(s8)b;
  }
  q[i] = s;
}
// CASE: unsigned_bytes load=widen block=48 grid=1 full with=m=128,256 -- rand:{n*m+4} rand:{m+32} zero:{4*n} i32:{m} i32:{n}
KERNEL unsigned_bytes(const u8 *a, const s8 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 7;
  for (int j = 0; j < m; j++) s += (u32)(x[j] * a[i * m + j]);
  q[i] = s;
}
// Nearly such sums: bytes of different places, one left out, a sum used in between.
// CASE: no_dots load=widen block=48 grid=1 full with=m=128,256 -- rand:{n*m+16} rand:{m+32} zero:{12*n} i32:{m} i32:{n}
KERNEL no_dots(const s8 *a, const s8 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  int s = 0, t = 0, u = 0, v = 0;
  for (int j = 0; j < m; j += 4) {
    const s8 *p = a + i * m + j, *y = x + j;
    s = s + p[0] * y[1] + p[1] * y[0] + p[2] * y[2] + p[3] * y[3];
    t = t + p[0] * y[0] + p[1] * y[1] + p[2] * y[2];
    u = u + p[0] * y[0];
    v ^= u;
    u = u + p[1] * y[1] + p[2] * y[2] + p[3] * y[3];
  }
  q[3 * i] = (u32)s;
  q[3 * i + 1] = (u32)t;
  q[3 * i + 2] = (u32)(u ^ v);
}
// CASE: shorts load=widen block=48 grid=1 full with=m=63,64,65,130 -- rand:{2*n*m+4} rand:{2*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL shorts(const u16 *a, const u16 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + (u32)a[i * m + j] * x[j];
  q[i] = s;
}
// From the end.
// CASE: backward load=exchange block=48 grid=1 full with=m=32,64,100 -- rand:{4*n*m+4} rand:{m+8} zero:{4*n} i32:{m} i32:{n}
KERNEL backward(const u32 *a, const u8 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = m - 1; j >= 0; j--) s = s * 31 + a[i * m + j] * x[j];
  q[i] = s;
}
// Rows are written; the vector is read between their stores.
// CASE: scaled load=widen store=exchange block=48 grid=1 full with=m=8,32,33,100 -- rand:{4*n*m+4} rand:{m+4} i32:{m} i32:{n}
KERNEL scaled(u32 *a, const u8 *x, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) a[i * m + j] = a[i * m + j] * 31 + x[j];
}
// Two vectors, one of them in steps.
// CASE: two load=widen block=48 grid=1 full with=m=8,32,33,100 -- rand:{4*n*m+4} rand:{m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL two(const u32 *a, const u8 *x, const u16 *z, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * x[j] + z[2 * j];
  q[i] = s;
}
// The vector lies in shared memory: only its address is as far as the test goes.
// CASE: in_shared load=exchange block=48 grid=1 full with=m=8,33,100 -- rand:{4*n*m+4} rand:{400} zero:{4*n} i32:{m} i32:{n}
KERNEL in_shared(const u32 *a, const u32 *x, u32 *q, int m, int n) {
  __shared__ u32 copy[100];
  int i = ROW;
  for (int j = threadIdx.x; j < m; j += blockDim.x) copy[j] = x[j];
  __syncthreads();
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * copy[j];
  q[i] = s;
}
// Unsigned indices, whose sums may wrap: the first and the last of a piece are tested.
// CASE: unsigned_index load=exchange plain:load=exchange block=48 grid=1 with=m=31,32,33,100 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL unsigned_index(const u32 *a, const u32 *x, u32 *q, u32 m, u32 n) {
  u32 i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (u32 j = 0; j < m; j++) s = s * 31 + a[i * m + j] * x[j];
  q[i] = s;
}
// CASE: unsigned_backward load=exchange block=48 grid=1 with=m=31,33,100 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL unsigned_backward(const u32 *a, u32 *q, u32 m, u32 n) {
  u32 i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (u32 j = m; j-- > 0;) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: long_index load=exchange block=48 grid=1 with=m=31,32,33,100 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i64:{m} i64:{n}
KERNEL long_index(const u32 *a, const u32 *x, u32 *q, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (long j = 0; j < m; j++) s = s * 31 + a[i * m + j] * x[j];
  q[i] = s;
}
// Two pointers move.
// CASE: two_pointers load=exchange block=48 grid=1 full with=m=0,1,31,33,100 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL two_pointers(const u32 *a, const u32 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const u32 *p = a + (u64)i * m, *end = p + m;
  while (p < end) s = s * 31 + *p++ * *x++;
  q[i] = s;
}
// Rows of less than a word beside words that all lanes load: each lane loads some of these, and shuffles hand them out.
// CASE: narrow load=exchange load=widen plain:load=widen block=48 grid=1 full with=m=0,63,64,65,128,200 -- rand:{2*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL narrow(const u16 *a, const u32 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * x[j];
  q[i] = s;
}
// All lanes of a row of the block load the same, but a warp has two such rows.
// CASE: two_rows load=widen block=16,4 grid=1 full with=m=64,128 -- rand:{2*n*m+4} rand:{16*m+4} zero:{4*n} i32:{m}
// CASE: two_rows block=32,2 grid=1 full with=m=64,100 -- rand:{2*n*m+4} rand:{8*m+4} zero:{4*n} i32:{m}
__attribute__((annotate("coalda.straight"))) KERNEL two_rows(const u16 *a, const u32 *x, u32 *q, int m) {
  int i = rank_in_block(), r = threadIdx.y;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * x[r * m + j];
  q[i] = s;
}
// A copy of the words that each thread has of its own.
// CASE: of_its_own block=32 grid=1 full with=m=64 -- rand:{2*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m}
KERNEL of_its_own(const u16 *a, const u32 *x, u32 *q, int m) {
  u32 own[64];
  int i = ROW;
  for (int j = 0; j < 64; j++) own[j] = x[j] + i;
  const u32 *from = m > 3 ? own : x;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * from[j];
  q[i] = s;
}
// What a thread has just written is read by another lane on behalf of all.
// CASE: just_written block=32 grid=1 full with=m=64,128 -- rand:{2*n*m+4} rand:{4*m+4} zero:{4*n} i32:{m}
KERNEL just_written(const u16 *a, u32 *x, u32 *q, int m) {
  int i = ROW;
  for (int j = i; j < m; j += 32) x[j] += 7;
  __nvvm_bar_warp_sync(~0u);
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * x[j];
  q[i] = s;
}
