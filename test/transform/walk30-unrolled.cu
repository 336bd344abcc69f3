// RUN: %rewritten %s --temp %t.d
// Loops that are to be unrolled, by counters narrower than their bound: said not to wrap around before they are unrolled, they have one end then.
// TEXT: levels=O3 pipeline=yes
#include "records.cuh"
#define REST __restrict__

// CASE: by_four plain:load=exchange load=exchange few block=64 with=m=0,1,3,4,33,67,130 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i32:{n}
KERNEL by_four(const u32 *REST a, u32 *REST o, long m, int n) {
  long t = ROW;
  if (t >= n) return;
  u32 s = 0;
  _Pragma("unroll 4") for (u32 j = 0; j < m; j++) s = s * 31 + a[t * m + j];
  o[t] = s;
}
// CASE: by_eight plain:load=exchange load=exchange few block=64 with=m=0,7,8,33,67,130 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i32:{n}
KERNEL by_eight(const u32 *REST a, u32 *REST o, u64 m, int n) {
  u64 t = ROW;
  if (t >= n) return;
  u32 s = 0;
  _Pragma("unroll 8") for (u32 j = 0; j < m; j++) s = s * 31 + a[t * m + j];
  o[t] = s;
}
// CASE: shorts plain:load=exchange load=exchange few block=64 with=m=0,1,33,67,130 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL shorts(const u32 *REST a, u32 *REST o, int m, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  _Pragma("unroll 2") for (unsigned short j = 0; j < m; j++) s = s * 31 + a[t * m + j];
  o[t] = s;
}
// CASE: all_of_32 plain:load=exchange load=exchange few block=64 with=m=0,1,33,67,130 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i32:{n}
KERNEL all_of_32(const u32 *REST a, u32 *REST o, u64 m, u32 n) {
  u32 t = ROW;
  if (t >= n) return;
  u32 s = 0;
  _Pragma("unroll 4") for (u32 j = 0; j < m; j++) s = s * 31 + a[t * (u32)m + j];
  o[t] = s;
}
// One that wraps around.
// CASE: from_last plain:load=none load=none few block=64 with=first=0,255 -- rand:{256*n} zero:{4*n} i32:{5} i32:{first} i32:{n}
KERNEL from_last(const unsigned char *REST a, u32 *REST o, int m, int first, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  unsigned char j = (unsigned char)first;
  _Pragma("unroll 4") do s = s * 31 + a[t * 256 + j];
  while (++j < m);
  o[t] = s;
}
