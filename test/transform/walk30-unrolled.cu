// RUN: %rewritten %s --temp %t.d
// Loops that are to be unrolled, by counters narrower than their bound: said not to wrap around before they are unrolled, they have one end then.
// TEXT: levels=O3 pipeline=yes
#include "records.cuh"
#define REST __restrict__

#define UNROLLED(NAME, BOUND, THREAD, N, COUNTER, PRAGMA, PITCH) \
  KERNEL NAME(const u32 *REST a, u32 *REST o, BOUND m, N n) { \
    THREAD t = ROW; \
    if (t >= n) return; \
    u32 s = 0; \
    PRAGMA for (COUNTER j = 0; j < m; j++) s = s * 31 + a[t * PITCH + j]; \
    o[t] = s; \
  }
// CASE: by_four plain:load=exchange load=exchange few block=64 with=m=0,1,3,4,33,67,130 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i32:{n}
UNROLLED(by_four, long, long, int, u32, _Pragma("unroll 4"), m)
// CASE: by_eight plain:load=exchange load=exchange few block=64 with=m=0,7,8,33,67,130 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i32:{n}
UNROLLED(by_eight, u64, u64, int, u32, _Pragma("unroll 8"), m)
// CASE: shorts plain:load=exchange load=exchange few block=64 with=m=0,1,33,67,130 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
UNROLLED(shorts, int, int, int, unsigned short, _Pragma("unroll 2"), m)
// CASE: all_of_32 plain:load=exchange load=exchange few block=64 with=m=0,1,33,67,130 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i32:{n}
UNROLLED(all_of_32, u64, u32, u32, u32, _Pragma("unroll 4"), (u32)m)
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
