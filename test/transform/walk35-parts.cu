// RUN: %rewritten %s --temp %t.d
// Iterations in which conditions of counters hold run by themselves, and move rows. The arrays end where the conditions say.
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// TEXT: levels=O3,O1
#include "records.cuh"

// CHECK-LABEL: @box(
// CHECK: call i64 @llvm.smax.i64(
// CHECK: [[FIRST:%[0-9]+]] = freeze i64
// CHECK: call i64 @llvm.smin.i64(
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK: icmp eq i64 [[FIRST]], 0
// CASE: box load=exchange store=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=1,31,64,101 with=r=0,5 -- frand:{4*n*m} zero:{4*n*m} i32:{r} i32:{m} i32:{n}
// CASE: box block=33 grid=1 few with=m=40,100 with=r=0,1,2,3 -- frand:{4*n*m} zero:{4*n*m} i32:{(39,64,200,2147483500)[r]} i32:{m} i32:{n}
// CASE: box fewer full block=64 grid=1 with=m=1088 with=r=5 -- frand:{4*n*m} zero:{4*n*m} i32:{r} i32:{m} i32:{n}
KERNEL box(const float *in, float *out, int radius, int width, int height) {
  int y = ROW;
  if (y >= height) return;
  const float *a = in + y * width;
  float sum = 0;
  for (int x = 0; x < width; x++) {
    if (x + radius < width) sum += a[x + radius];
    if (x - radius - 1 >= 0) sum -= a[x - radius - 1];
    out[y * width + x] = sum * 0.25f;
  }
}
// Triangles: each lane has as many words as it says, from its row's begin or to its end.
// CASE: lower load=exchange plain:load=exchange aside=yes few block=48 grid=2 with=m=0,31,133 -- frand:{4*n*m} frand:{4*m+4}:2 zero:{4*n} i32:{m} i32:{n}
// CASE: lower fewer full block=64 grid=4 with=m=256 -- frand:{4*n*m} frand:{4*m+4}:2 zero:{4*n} i32:{m} i32:{n}
KERNEL lower(const float *__restrict__ l, const float *__restrict__ x, float *__restrict__ y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++)
    if (j <= i) s += l[(long)i * m + j] * x[j];
  y[i] = s;
}
// CASE: upper load=exchange plain:load=exchange aside=yes few block=48 grid=2 with=m=0,31,133 -- frand:{8*n*m} zero:{8*n} i64:{m} i64:{n}
KERNEL upper(const double *__restrict__ u, double *__restrict__ y, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  double s = 0;
  for (long j = 0; j < m; j++) {
    if (j <= i) continue;
    s += u[i * m + j];
  }
  y[i] = s;
}
// Neighbours, with nothing beside the row or with its ends.
// CASE: stencil load=exchange store=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=0,2,31,133 -- frand:{4*n*m} zero:{4*n*m} i32:{m} i32:{n}
KERNEL stencil(const float *__restrict__ a, float *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  a += (u64)i * m;
  o += (u64)i * m;
  for (int j = 0; j < m; j++) {
    float s = 0;
    for (int k = -2; k <= 2; k++) {
      int q = j + k;
      if (q >= 0 && q < m) s += a[q] * (k + 3);
    }
    o[j] = s;
  }
}
// CASE: clamped load=exchange store=exchange plain:load=exchange few block=48 grid=1 with=m=0,2,31,133 with=d=0,1,2 -- rand:{4*n*m} zero:{4*n*m} i32:{m} i32:{n} i32:{(0,7,-5)[d]}
KERNEL clamped(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n, int d) {
  int i = ROW;
  if (i >= n) return;
  a += (u64)i * m;
  o += (u64)i * m;
  for (int j = 0; j < m; j++) {
    int k = j + d, low = k < 0 ? 0 : k;
    u32 v = a[low < m ? low : m - 1];
    if (k > 3) v += a[j];
    o[j] = v;
  }
}
// Unsigned numbers, which wrap around below 0 and above.
// CASE: inner load=exchange store=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=0,2,3,31,133 -- rand:{4*n*m} zero:{4*n*m} i32:{m} i32:{n}
KERNEL inner(const u32 *__restrict__ a, u32 *__restrict__ o, u32 m, u32 n) {
  u32 i = ROW;
  if (i >= n) return;
  a += (u64)i * m;
  o += (u64)i * m;
  for (u32 j = 0; j < m; j++)
    if (j >= 1 && j < m - 1) o[j] = a[j - 1] * 3 + a[j + 1];
}
// CASE: within load=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=0,31,133 with=d=0,1,2,3,4,5,6 -- rand:{2*n*m} zero:{4*n} i32:{m} i32:{n} i32:{(0,9,-9,1000,-1000,2147483600,-2147483648)[d]}
KERNEL within(const short *__restrict__ a, int *__restrict__ o, int m, int n, int d) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 k = (u32)j + (u32)d;
    s = s * 3 + (k < (u32)m ? a[(u64)i * m + k] : 0);
  }
  o[i] = s;
}
// CASE: behind_head load=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=0,31,133 with=h=0,1,2,3,4 -- rand:{4*n*m} zero:{4*n} i64:{m} i64:{n} i64:{(0,3,64,1<<40,-1)[h]}
KERNEL behind_head(const u32 *__restrict__ a, u32 *__restrict__ o, u64 m, u64 n, u64 head) {
  u64 i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (u64 j = 0; j < m; j++)
    if (j >= head) s = s * 31 + a[i * m + j];
  o[i] = s;
}
// A bound that is none as a signed number; numbers that wrap around in one iteration of many.
// CASE: large_head load=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=1,70 with=h=0,1,2 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n} i32:{(5,-16,2147483647)[h]}
KERNEL large_head(const u32 *__restrict__ a, u32 *__restrict__ o, u32 m, u32 n, u32 head) {
  u32 i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (u32 j = 0; j < m; j++)
    if (j >= head) s = s * 31 + a[i * m + j];
  o[i] = s;
}
// CASE: behind_end load=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=0,31,133 with=h=0,1,2 -- rand:{4*n*m} zero:{4*n} i64:{m} i64:{n} i64:{(3,(1<<63)-1,-5)[h]}
KERNEL behind_end(const u32 *__restrict__ a, u32 *__restrict__ o, long m, long n, long head) {
  long i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (long j = 0; j < m; j++)
    if (j > head) s = s * 31 + a[i * m + j];
  o[i] = s;
}
// CASE: wraps load=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=70 with=d=0,1,2,3 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n} i32:{(3,-7,2147483600,-2147483648)[d]}
KERNEL wraps(const u32 *__restrict__ a, u32 *__restrict__ o, u32 m, u32 n, u32 d) {
  u32 i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (u32 j = 0; j < m; j++)
    if ((int)(j + d) > 2) s = s * 31 + a[i * m + j];
  o[i] = s;
}
// Pointers, and downwards.
// CASE: pointers load=exchange plain:load=exchange few block=48 grid=1 with=m=0,31,133 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL pointers(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const u32 *b = a + (u64)i * m, *e = b + m;
  for (const u32 *p = b; p != e; p++)
    if (p > b + 3) s += p[0] * p[-4];
  o[i] = s;
}
// CASE: downwards load=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=0,31,133 with=k=0,1,2 -- rand:{4*n*m+8} zero:{4*n} i32:{m} i32:{n} i32:{(0,7,-2)[k]}
KERNEL downwards(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n, int k) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = m - 1; j >= 0; j--)
    if (j + k < m) s = s * 5 + a[(u64)i * m + j + (k < 0 ? 0 : k)];
  o[i] = s;
}
// A band along the diagonal; a copy with empty margins; steps of three.
// CASE: band load=exchange few block=48 grid=2 with=m=0,1,96,133 with=k=0,3,40 -- frand:{4*n*m} frand:{4*m+4}:2 zero:{4*n} i32:{m} i32:{k} i32:{n}
KERNEL band(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ o, int m, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++)
    if (j >= i - k && j <= i + k) s += a[(u64)i * m + j] * x[j];
  o[i] = s;
}
// CASE: padded load=exchange store=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=0,31,133 with=p=0,5 -- rand:{4*n*m} zero:{4*n*(m+2*p)} i32:{m} i32:{n} i32:{p}
KERNEL padded(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n, int pad) {
  int i = ROW;
  if (i >= n) return;
  u32 *r = o + (u64)i * (m + 2 * pad);
  for (int j = 0; j < m + 2 * pad; j++) r[j] = j >= pad && j < m + pad ? a[(u64)i * m + j - pad] : ~0u;
}
// CASE: threes load=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=0,1,31,192,301 with=h=0,5,100 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n} i32:{h}
KERNEL threes(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n, int h) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j + 2 < m; j += 3)
    if (j > h) s = s * 7 + a[i * m + j] + a[i * m + j + 1] * a[i * m + j + 2];
  o[i] = s;
}
// Neighbours that are chosen: kept within bounds beside rows that move without this, which the first-level cache has; kept within bounds alone; the other
// end's; downwards by one that stops at 0.
// CASE: kept_in load=none store=exchange plain:load=none block=48 grid=1 few with=m=64 with=d=0,2 -- rand:{4*n*m+4} zero:{4*n*m} i32:{m} i32:{n} i32:{(0,7,40,200)[d]}
KERNEL kept_in(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n, int d) {
  int i = ROW;
  if (i >= n) return;
  a += (u64)i * m;
  o += (u64)i * m;
  for (int j = 0; j < m; j++) o[j] = a[j + d < m - 1 ? j + d : m - 1];
}
// CASE: both_ends load=exchange plain:load=exchange aside=yes few block=48 grid=1 with=m=0,2,31,133 with=d=0,1,2,3,4 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n} i32:{(0,7,-9,300,-300)[d]}
KERNEL both_ends(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n, int d) {
  int i = ROW;
  if (i >= n) return;
  a += (u64)i * m;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    int k = j + d < m - 1 ? j + d : m - 1;
    s = s * 3 + a[k > 0 ? k : 0];
  }
  o[i] = s;
}
// CASE: around load=exchange store=exchange plain:load=exchange few block=48 grid=1 with=m=0,2,3,31,133 -- rand:{4*n*m+4} zero:{4*n*m} i32:{m} i32:{n}
KERNEL around(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  a += (u64)i * m;
  o += (u64)i * m;
  for (int j = 0; j < m; j++) {
    int l = j == 0 ? m - 1 : j - 1, r = j + 1 == m ? 0 : j + 1;
    o[j] = a[l] * 3 + a[r];
  }
}
// CASE: ends_again load=exchange store=exchange plain:load=exchange few block=48 grid=1 with=m=0,2,3,31,133 -- rand:{4*n*m+4} zero:{4*n*m} i64:{m} i32:{n}
KERNEL ends_again(const u32 *__restrict__ a, u32 *__restrict__ o, u64 m, u32 n) {
  u32 i = ROW;
  if (i >= n) return;
  a += i * m;
  o += i * m;
  for (u64 j = 0; j < m; j++) o[j] = a[j > 0 ? j - 1 : 0] * 3 + a[j < m - 1 ? j + 1 : j];
}
