// RUN: %rewritten %s --temp %t.d
// Walks in code that was not optimized: the plugin puts locals into registers before it looks for them.
// TEXT: levels=O0
#include "records.cuh"

// CASE: sums load=exchange plain:load=exchange block=48 grid=1 with=m=0,31,33,100 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL sums(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}
// CASE: pointers load=exchange block=48 grid=1 full with=m=0,31,33,100 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL pointers(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  const u32 *p = a + (u64)i * m, *end = p + m;
  while (p != end) s = s * 31 + *p++;
  q[i] = s;
}
// CASE: sweep load=exchange block=48 grid=1 full with=m=0,32,33,100 -- rand:{4*n*m+4} rand:{4*m+4}:5 i32:{m} i32:{n}
KERNEL sweep(u32 *a, const u32 *c, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 1; j < m; j++) a[i * m + j] -= c[j] * a[i * m + j - 1];
}
// CASE: breaks aside=yes block=48 grid=1 full with=m=1,33,100 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL breaks(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    s = s * 31 + a[i * m + j];
    if ((s & 31) == 3) break;
  }
  q[i] = s;
}
