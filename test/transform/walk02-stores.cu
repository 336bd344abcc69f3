// RUN: %rewritten %s --temp %t.d
// Walks that write: alone, beside loads, in place with recurrences forward and backward, and with arrays that overlap.
// TEXT: levels=O3
#include "records.cuh"

// CASE: fill fewer store=exchange plain:store=exchange block=48 grid=1 with=m=100,0,1,8,31,32,33 -- zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL fill(u32 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) a[i * m + j] = i * 1000 + j;
}
// CASE: fill_shifted store=exchange block=32 grid=1 full with=m=100 with=o=0,1,2,5,7 -- zero:{4*n*m+32} ref:0+{4*o} i32:{m} i32:{n}
KERNEL fill_shifted(u32 *, u32 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) a[i * m + j] = i * 1000 + j;
}
// CASE: fill_bytes store=exchange block=48 grid=1 full with=m=0,100,127,128,131 -- zero:{n*m+4} i32:{m} i32:{n}
KERNEL fill_bytes(u8 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) a[i * m + j] = i * 7 + j;
}
// CASE: fill_eights store=exchange block=48 grid=1 full with=m=0,15,16,17,33 -- zero:{8*n*m+8} i32:{m} i32:{n}
KERNEL fill_eights(u64 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) a[i * m + j] = (u64)i << 32 | j;
}
// CASE: copy load=exchange store=exchange block=48 grid=1 with=m=33,100 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL copy(const u32 *__restrict__ a, u32 *__restrict__ b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) b[i * m + j] = a[i * m + j] * 3 + 1;
}
// May overlap, for all that the compiler knows; here they do not, and there they do, shifted by up to two rows.
// CASE: woven load=exchange store=exchange block=48 grid=1 full with=m=33,100 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL woven(const u32 *a, u32 *b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) b[i * m + j] = a[i * m + j] * 3 + 1;
}
// One thread: nobody else's row is touched, and every shift has one outcome.
// CASE: overlap load=exchange store=exchange block=1 grid=1 full with=o=0,1,2,7 with=m=100 -- rand:{4*m+80} ref:0+{4*o} i32:{m} i32:{n}
// CASE: overlap load=exchange store=exchange block=1 grid=1 full with=o=31..34 with=m=100 -- rand:{4*m+160} ref:0+{4*o} i32:{m} i32:{n}
KERNEL overlap(const u32 *a, u32 *b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) b[i * m + j] = a[i * m + j] * 3 + 1;
}
// Both walk one array of wide rows, the write some places before or behind the read: a warp of them, each in its own row.
// CASE: same_row load=exchange store=exchange block=64 full with=o=0..3,31,32,33 with=m=100 -- rand:{4*n*140+160} ref:0+{4*o} i32:140 i32:{m} i32:{n}
KERNEL same_row(const u32 *a, u32 *b, int w, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) b[i * w + j] = a[i * w + j] * 3 + 1;
}
// CASE: swapped load=exchange store=exchange block=48 grid=1 full with=m=33,100 -- rand:{4*n*m+4} rand:{4*n*m+4}:7 i32:{m} i32:{n}
KERNEL swapped(u32 *__restrict__ a, u32 *__restrict__ b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) { u32 t = a[i * m + j]; a[i * m + j] = b[i * m + j]; b[i * m + j] = t; }
}
// CASE: bump load=exchange store=exchange block=48 grid=1 with=m=0,32,100 -- rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL bump(u32 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) a[i * m + j] += j;
}
// CASE: sweep fewer load=exchange store=exchange block=48 grid=1 full with=m=100,0,1,7,8,31,32,33,34 -- rand:{4*n*m+4} rand:{4*m+4}:5 i32:{m} i32:{n}
KERNEL sweep(u32 *a, const u32 *c, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 1; j < m; j++) a[i * m + j] -= c[j] * a[i * m + j - 1];
}
// CASE: sweep_back load=exchange store=exchange block=48 grid=1 full with=m=0,33,100 -- rand:{4*n*m+4} rand:{4*m+4}:5 i32:{m} i32:{n}
KERNEL sweep_back(u32 *a, const u32 *c, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = m - 2; j >= 0; j--) a[i * m + j] -= c[j] * a[i * m + j + 1];
}
// Forward, then backward, what the one wrote the other reads.
// CASE: both_ways load=exchange store=exchange block=48 grid=1 full with=m=2,33,34,100 -- frand:{4*n*m+4} frand:{4*m+4}:5 i32:{m} i32:{n}
KERNEL both_ways(float *__restrict__ a, const float *__restrict__ c, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 1; j < m; j++) a[i * m + j] -= c[j] * a[i * m + j - 1];
  for (int j = m - 2; j >= 0; j--) a[i * m + j] -= c[j] * a[i * m + j + 1];
}
// A recurrence over more than an iteration: what the second step reads the first wrote.
// CASE: fibonacci load=exchange store=exchange block=48 grid=1 full with=m=2,33,34,100 -- rand:{4*n*m+8} i32:{m} i32:{n}
KERNEL fibonacci(u32 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 2; j < m; j++) a[i * m + j] = a[i * m + j - 1] + a[i * m + j - 2];
}
// Rows that all threads share are read beside rows of their own that are written.
// CASE: outer store=exchange block=48 grid=1 full with=m=33,100 -- rand:{4*n} rand:{4*m}:3 zero:{4*n*m} i32:{m} i32:{n}
KERNEL outer(const u32 *x, const u32 *y, u32 *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 t = x[i];
  for (int j = 0; j < m; j++) a[i * m + j] = t * y[j];
}
// Prefix sums: a loop-carried value and a store.
// CASE: prefix load=exchange store=exchange block=48 grid=1 full with=m=33,100 -- rand:{4*n*m} zero:{4*n*m} i32:{m} i32:{n}
KERNEL prefix(const u32 *__restrict__ a, u32 *__restrict__ b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) b[i * m + j] = s += a[i * m + j];
}
// Fewer bytes out than in, walks of two steps.
// CASE: narrow load=exchange store=exchange block=48 grid=1 full with=m=7,32,33,128 -- rand:{4*n*m} zero:{n*m} i32:{m} i32:{n}
KERNEL narrow(const u32 *__restrict__ a, u8 *__restrict__ b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) b[i * m + j] = a[i * m + j] >> 24;
}
