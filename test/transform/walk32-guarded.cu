// RUN: %rewritten %s --temp %t.d
// Loops that an exit may end early, if what is known in front of them says so: its bound is chosen there, and they are counted.
// TEXT: levels=O3 pipeline=yes
#include "records.cuh"
#define REST __restrict__

// CASE: capped plain:load=exchange load=exchange fewer block=64 -- rand:{256*n} zero:{4*n} i32:{n} i32:64 i32:40 i32:1
// CASE: capped load=exchange few block=64 with=limit=0,1,63,64,70,-1 -- rand:{256*n} zero:{4*n} i32:{n} i32:64 i32:{limit} i32:1
// CASE: capped load=exchange few block=64 with=len=0,1,33 -- rand:{256*n} zero:{4*n} i32:{n} i32:{len} i32:20 i32:0
KERNEL capped(const u32 *REST a, u32 *REST o, u32 n, u32 len, u32 limit, int is_capped) {
  u32 t = ROW, s = 1;
  if (t >= n) return;
  for (u32 k = 0; k < len; k++) {
    if (is_capped && k >= limit) break;
    s = s * 31 + a[(unsigned long)t * len + k];
  }
  o[t] = s;
}
// Up to the diagonal; rows from the first that has no such end.
// CASE: causal load=exchange few block=64 with=flag=0,1 -- rand:{4*n*n} zero:{4*n} i32:{n} i32:{n} i32:{flag}
KERNEL causal(const u32 *REST a, u32 *REST o, int n, int len, int is_causal) {
  int t = ROW;
  u32 s = 1;
  if (t >= n) return;
  for (int k = 0; k < len; k++) {
    if (is_causal && k > t) break;
    s = s * 31 + a[t * len + k];
  }
  o[t] = s;
}
// A bound that nothing passes, asked about by > : no number lies behind it.
// CASE: passes_none load=exchange few block=64 with=limit=2147483647,2147483646,5,-2147483648 -- rand:{256*n} zero:{4*n} i32:{n} i32:64 i32:{limit} i32:1
KERNEL passes_none(const u32 *REST a, u32 *REST o, int n, int len, int limit, int is_capped) {
  int t = ROW;
  u32 s = 1;
  if (t >= n) return;
  for (int k = 0; k < len; k++) {
    if (is_capped && k > limit) break;
    s = s * 31 + a[t * len + k];
  }
  o[t] = s;
}
// The other exit comes first, or behind what the iteration does; either may be the flag's.
// CASE: goes_on load=exchange few block=64 with=limit=0,1,50,64,65 -- rand:{256*n} zero:{4*n} i32:{n} i32:64 i32:{limit} i32:0
// CASE: goes_on load=exchange few block=64 -- rand:{256*n} zero:{4*n} i32:{n} i32:64 i32:7 i32:1
KERNEL goes_on(const u32 *REST a, u32 *REST o, int n, int len, int limit, int is_free) {
  int t = ROW;
  u32 s = 1;
  if (t >= n) return;
  for (int k = 0; k < len && (is_free || k < limit); k++) s = s * 31 + a[t * len + k];
  o[t] = s;
}
// Each lane has a flag of its own.
// CASE: own_flags load=exchange few block=64 with=limit=0,1,40,64,80 -- rand:{256*n} zero:{4*n} i32:{n} i32:64 i32:{limit} rand:{4*n}
KERNEL own_flags(const u32 *REST a, u32 *REST o, int n, int len, int limit, const u32 *REST flags) {
  int t = ROW;
  u32 s = 1;
  if (t >= n) return;
  bool ends = flags[t] & 1;
  for (int k = 0; k != len; k++) {
    if (ends && k == limit) break;
    s = s * 31 + a[t * len + k];
  }
  o[t] = s;
}
// Two of them, and a row that is changed in place.
// CASE: two load=exchange store=exchange few block=64 with=one=0,1 -- rand:{256*n} i32:{n} i32:64 i32:40 i32:{one} i32:50 i32:1
// CASE: two load=exchange store=exchange few block=64 with=one=0,1 -- rand:{256*n} i32:{n} i32:64 i32:40 i32:{one} i32:50 i32:0
KERNEL two(u32 *REST a, int n, int len, int first, int one, int second, int other) {
  int t = ROW;
  if (t >= n) return;
  for (int k = 0; k < len; k++) {
    if ((one && k >= first) || (other && k >= second)) return;
    a[t * len + k] = a[t * len + k] * 31 + k;
  }
}
// What the flag is compared with is read in the loop: nobody knows how often that runs, and each lane loads pieces of its own row.
// CASE: by_data aside=yes few block=64 -- rand:{256*n} zero:{4*n} i32:{n} i32:64 i32:1
KERNEL by_data(const u32 *REST a, u32 *REST o, int n, int len, int ends) {
  int t = ROW;
  u32 s = 1;
  if (t >= n) return;
  for (int k = 0; k < len; k++) {
    u32 x = a[t * len + k];
    if (ends && x > 0xf0000000) break;
    s = s * 31 + x;
  }
  o[t] = s;
}
// The loop looks at what it ends by: that is as it was.
// CASE: inside refuse=WalkEnds few block=64 with=capped=0,1 -- rand:{256*n} zero:{4*n} zero:{4*n} i32:{n} i32:63 i32:7 i32:{capped} i32:100
// CASE: inside refuse=WalkEnds few block=64 -- rand:{256*n} zero:{4*n} zero:{4*n} i32:{n} i32:20 i32:30 i32:1 i32:100
KERNEL inside(const u32 *REST a, u32 *REST o, u32 *REST why, u32 n, u32 len, u32 limit, u32 capped, u32 last) {
  u32 t = ROW, s = 1, k = 0;
  if (t >= n) return;
  bool cut;
  do {
    s = s * 31 + a[t * 64 + k];
    k++;
    cut = ((capped != 0) & (k >= limit)) | (k == last);
    s += cut ? 77 : 5;
  } while (!(cut | (k >= len)));
  o[t] = s;
  why[t] = cut;
}
