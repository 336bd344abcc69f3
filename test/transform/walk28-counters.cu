// RUN: %rewritten %s --temp %t.d
// Counters that are narrower than their bound: LLVM takes them for ones that wrap around before they come to it, where the loop would never end.
#include "records.cuh"
#define REST __restrict__

// CASE: unsigned_below_long plain:load=exchange load=exchange fewer few block=64 with=m=67 -- rand:{4*n*m} zero:{4*n} i64:{m} i32:{n}
// CASE: unsigned_below_long few with=m=0,1,33 -- rand:{max(4,4*n*m)} zero:{4*n} i64:{m} i32:{n}
KERNEL unsigned_below_long(const u32 *REST a, u32 *REST o, long m, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (u32 j = 0; j < m; j++) s = s * 31 + a[t * m + j];
  o[t] = s;
}
// CASE: bytes_below_size plain:load=exchange load=exchange few block=64 with=m=1,131 -- rand:{n*m} zero:{4*n} i64:{m} i32:{n}
KERNEL bytes_below_size(const unsigned char *REST a, u32 *REST o, u64 m, u32 n) {
  u32 t = ROW;
  if (t >= n) return;
  u32 s = 17;
  for (u32 j = 0; j < m; ++j) s = s * 31 + a[t * m + j];
  o[t] = s;
}
// CASE: up_to_size plain:load=exchange load=exchange few block=64 with=m=0,66 -- rand:{4*n*(m+1)} zero:{4*n} i64:{m} i32:{n}
KERNEL up_to_size(const u32 *REST a, u32 *REST o, u64 m, int n) {
  u64 t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (u32 j = 0; j <= m; j++) s = s * 31 + a[t * (m + 1) + j];
  o[t] = s;
}
// CASE: short_below_int plain:load=exchange load=exchange few block=64 with=m=0,67 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
KERNEL short_below_int(const u32 *REST a, u32 *REST o, int m, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (unsigned short j = 0; j < m; j++) s = s * 31 + a[t * m + j];
  o[t] = s;
}
// CASE: by_twos plain:load=exchange load=exchange few block=64 with=m=0,68 -- rand:{max(4,4*n*m)} zero:{4*n} i64:{m} i32:{n}
KERNEL by_twos(const u32 *REST a, u32 *REST o, u64 m, int n) {
  u64 t = ROW;
  if (t >= n) return;
  u32 s = 0, q = 1;
  for (u32 j = 0; j < m; j += 2) s += a[t * m + j], q = q * 31 + a[t * m + j + 1];
  o[t] = s ^ q;
}
// From where another counter is, which the test in front of the loop tells to be below the bound.
// CASE: from_row plain:load=exchange load=exchange few block=64 with=m=140 -- rand:{4*n*(n+m)} zero:{4*n} i64:{n+m} i32:{n}
KERNEL from_row(const u32 *REST a, u32 *REST o, u64 m, u32 n) {
  u32 t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (u32 j = t; j < m; j++) s = s * 31 + a[t * m + j];
  o[t] = s;
}
// CASE: stored plain:store=exchange store=exchange few block=64 with=m=0,67 -- zero:{max(4,4*n*m)} i64:{m} i32:{n}
KERNEL stored(u32 *REST a, u64 m, int n) {
  u64 t = ROW;
  if (t >= n) return;
  for (u32 j = 0; j < m; j++) a[t * m + j] = j * 31 + (u32)t;
}
// From a number that more bits have told than the counter has; the wider counter begins as the narrower one, of which it is not known what one more
// is in more bits.
#define LIST(NAME, WIDE, NARROW) \
  KERNEL NAME(const u32 *REST v, u32 *REST o, WIDE first, WIDE m, int n) { \
    int t = ROW; \
    if (t >= n) return; \
    WIDE begin = first + t * m, end = begin + m; \
    u32 s = 0; \
    for (NARROW j = begin; j < end; j++) s = s * 31 + v[j]; \
    o[t] = s; \
  }
// CASE: list_of_longs plain:load=exchange load=exchange few block=64 with=m=0,1,33,67 with=first=0,3 -- rand:{4*n*m+16} zero:{4*n} i64:{first} i64:{m} i32:{n}
LIST(list_of_longs, long, int)
// CASE: list_of_sizes plain:load=exchange load=exchange few block=64 with=m=0,1,33,67 with=first=0,3 -- rand:{4*n*m+16} zero:{4*n} i64:{first} i64:{m} i32:{n}
LIST(list_of_sizes, u64, u32)
// CASE: unsigned_of_longs plain:load=exchange load=exchange few block=64 with=m=0,1,33,67 -- rand:{4*n*m+16} zero:{4*n} i64:{0} i64:{m} i32:{n}
LIST(unsigned_of_longs, long, u32)
// The row begins at a number of 32 bits, which is made in front of the question whether there is any.
// CASE: offset_first plain:load=exchange load=exchange few block=64 with=m=0,1,33,67 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i32:{n}
KERNEL offset_first(const u32 *REST a, u32 *REST o, u64 m, u32 n) {
  u32 t = ROW;
  if (t >= n) return;
  u32 begin = t * m, s = 0;
  for (u32 j = 0; j < m; j++) s = s * 31 + a[begin + j];
  o[t] = s;
}
// One that wraps around, and ends then: from the last number, the first that is asked for is 0; and another way leads out of the loop. By threes:
// walk28-threes.ll.
// CASE: from_last plain:load=none load=none few block=64 with=first=0,255 -- rand:{256*n} zero:{4*n} i32:{5} i32:{first} i32:{n}
KERNEL from_last(const unsigned char *REST a, u32 *REST o, int m, int first, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  unsigned char j = (unsigned char)first;
  do s = s * 31 + a[t * 256 + j];
  while (++j < m);
  o[t] = s;
}
// CASE: left_early plain:load=none load=none few block=64 -- rand:{256*n} zero:{4*n} i32:{300} i32:{n}
KERNEL left_early(const unsigned char *REST a, u32 *REST o, int m, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0, more = 0;
  for (unsigned char j = 0; j < m; j++) {
    s = s * 31 + a[t * 256 + j];
    if (++more == 400) break;
  }
  o[t] = s;
}
// Several at a time, as far as they are there: a sum of the counter is asked, which may wrap around as well.
#define SUM(J) s = s * 31 + a[t * m + (J)]
// CASE: fours plain:load=exchange load=exchange few block=64 with=m=0,3,4,67,96 -- rand:{max(4,4*n*m)} zero:{4*n} i32:{m} i32:{n}
KERNEL fours(const u32 *REST a, u32 *REST o, int m, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (u32 j = 0; j + 4 <= m; j += 4) SUM(j), SUM(j + 1), SUM(j + 2), SUM(j + 3);
  o[t] = s;
}
// CASE: eights plain:load=exchange load=exchange few block=64 with=m=0,7,75,96 -- rand:{max(4,4*n*m)} zero:{4*n} i64:{m} i32:{n}
KERNEL eights(const u32 *REST a, u32 *REST o, u64 m, u32 n) {
  u32 t = ROW;
  if (t >= n) return;
  u32 s = 0;
  u64 j = 0;
  while (m >= j + 8) {
    for (u32 k = 0; k < 8; k++) SUM(j + k);
    j += 8;
  }
  for (; j < m; j++) s ^= a[t * m + j];
  o[t] = s;
}
// CASE: stored_fours plain:store=exchange store=exchange few block=64 with=m=0,5,67 -- rand:{max(4,4*n*m)} zero:{max(4,4*n*m)} i32:{m} i32:{n}
KERNEL stored_fours(const u32 *REST a, u32 *REST o, u32 m, u32 n) {
  u32 t = ROW;
  if (t >= n) return;
  u32 j = 0;
  for (; j + 4 <= m; j += 4)
    for (u32 k = 0; k < 4; k++) o[(u64)t * m + j + k] = a[(u64)t * m + j + k] * (k + 3);
  for (; j < m; j++) o[(u64)t * m + j] = 7;
}
// It begins so far ahead that the first sum wraps around, and ends.
// CASE: from_behind few block=64 with=b=0,4294967294,2147483646 with=m=70 -- rand:{320*n} zero:{4*n} i32:{m} i32:{b} i32:{n}
KERNEL from_behind(const u32 *REST a, u32 *REST o, u32 m, u32 b, u32 n) {
  u32 t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (u32 j = b; j + 4 <= m; j += 4)
    for (u32 k = 0; k < 4; k++) s = s * 31 + a[t * 80ull + (j - b) + k];
  o[t] = s;
}
