// RUN: %rewritten %s --temp %t.d
// Rows of bytes and halves that are stored move in long pieces where they are aligned, 32 elements at a time however they lie, and what remains of that one by one.
// TEXT: levels=O3,O1
#include "records.cuh"
#define ROWS(TO, BODY)                \
  int i = ROW;                        \
  if (i >= n) return;                 \
  a += (long)i * m;                   \
  TO *o = q + (long)i * m;            \
  BODY
// CASE: shorts_of_bytes with=m=0,1,31,33,64,65,100,128,131,203 -- rand:{n*m} zero:{2*n*m} i32:{m} i32:{n}
KERNEL shorts_of_bytes(const u8 *a, u16 *q, int m, int n) {
  ROWS(u16, u32 s = 0; for (int j = 0; j < m; j++) { s += a[j]; o[j] = s >> 3; })
}
// CASE: bytes_of_bytes with=m=1,31,32,63,129,160,255 -- rand:{n*m} zero:{n*m} i32:{m} i32:{n}
KERNEL bytes_of_bytes(const u8 *a, u8 *q, int m, int n) {
  ROWS(u8, u32 s = 1; for (int j = 0; j < m; j++) { s = s * 31 + a[j]; o[j] = s; })
}
// CASE: shorts with=m=1,32,33,64,96,97,130,200 -- rand:{2*n*m} zero:{2*n*m} i64:{m} i32:{n}
KERNEL shorts(const u16 *a, u16 *q, long m, int n) {
  ROWS(u16, u32 s = 9; for (long j = 0; j < m; j++) { s += a[j] - (s >> 2); o[j] = s; })
}
// In place, by a pointer; two rows of bytes; neighbours; from the second element on.
// CASE: in_place with=m=1,33,64,100,131 -- rand:{2*n*m} i32:{m} i32:{n}
KERNEL in_place(u16 *q, u32 m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (u16 *p = q + (long)i * m, *e = p + m; p != e; p++) s = s * 5 + *p, *p = s >> 1;
}
// CASE: two_rows with=m=1,33,64,100,131 -- rand:{n*m} rand:{n*m} zero:{2*n*m} i32:{m} i32:{n}
KERNEL two_rows(const u8 *a, const u8 *b, u16 *q, int m, int n) {
  ROWS(u16, b += (long)i * m; u32 s = 0; for (int j = 0; j < m; j++) { s = (s + a[j] - b[j]) / 2; o[j] = s; })
}
// CASE: neighbours with=m=3,34,66,101,133 -- rand:{2*n*m} zero:{2*n*m} i32:{m} i32:{n}
KERNEL neighbours(const u16 *a, u16 *q, int m, int n) {
  ROWS(u16, for (int j = 1; j < m - 1; j++) o[j] = a[j + 1] - a[j - 1];)
}
