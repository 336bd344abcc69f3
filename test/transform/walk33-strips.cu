// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -w -std=c++17 -I%S/../gen -I%S -O3 -fpass-plugin=%plugin -S -emit-llvm %s -o - | %FileCheck %s
// Iterations that do something only if all lanes say so are found 32 at a time. `most` tells how many do: none, one in eight, half, seven in eight, all.
// Memory ends with the last word that one of them loads.
// TEXT: levels=O3 pipeline=yes
#include "records.cuh"
#define REST __restrict__

// CHECK-LABEL: @masked(
// CHECK: call i32 @llvm.nvvm.vote.ballot.sync
// CHECK: call i32 @llvm.nvvm.shfl.sync.bfly.i32
// CASE: masked aside=yes few block=64 with=m=0,1,32,33,34,65,100 with=most=0,536870912,-2147483648,-536870912,-1 -- rand:{4*n*m+4} rand:{4*m+4}:3 zero:{4*n} i32:{most} i32:{m} i32:{n}
// CASE: masked few block=48 grid=2 with=m=97 with=most=-536870912 -- rand:{4*n*m+4} rand:{4*m+4}:3 zero:{4*n} i32:{most} i32:{m} i32:{n}
KERNEL masked(const u32 *REST a, const u32 *REST use, u32 *REST o, u32 most, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (use[j] < most) s = s * 31 + (a[i * m + j] ^ use[j]);
  o[i] = s;
}
// Of longs, in doubles: half as many words of a row move at once. What is used besides is loaded under the condition.
// CHECK-LABEL: @longs(
// CHECK: call i32 @llvm.nvvm.vote.ballot.sync
// CASE: longs aside=yes few block=64 with=m=0,33,70 with=most=0,536870912,-2147483648,-536870912,-1 -- drand:{8*n*m+8} rand:{4*m+4}:3 drand:{8*m+8}:5 zero:{8*n} i32:{most} i64:{m} i64:{n}
KERNEL longs(const double *REST a, const u32 *REST use, const double *REST x, double *REST o, u32 most, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  double s = 0;
  for (long j = 0; j < m; j++) {
    if (use[j] >= most) continue;
    s += a[i * m + j] * x[j];
  }
  o[i] = s;
}
// Every row of its own beginning: they do not lie evenly, and no lane loads for another.
// CASE: apart aside=yes few block=64 with=m=33,70 with=most=536870912,-1 -- rand:{4*n*m} rand:{4*m}:3 perm:{n} zero:{4*n} i32:{most} i32:{m} i32:{n}
KERNEL apart(const u32 *REST a, const u32 *REST use, const u32 *REST row, u32 *REST o, u32 most, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  const u32 *r = a + (u64)row[i] * m;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (use[j] < most) s = s * 31 + r[j];
  o[i] = s;
}
// Counted by unsigned numbers, whose index may wrap around; two conditions; the largest, and where it is.
// CASE: wrapped aside=yes few block=64 with=m=33,70 with=most=536870912,-536870912,-1 -- rand:{4*n*m} rand:{4*m}:3 zero:{4*n} i32:{most} i32:{m} i32:{n}
KERNEL wrapped(const u32 *REST a, const u32 *REST use, u32 *REST o, u32 most, u32 m, u32 n) {
  u32 i = ROW;
  if (i >= n) return;
  u32 largest = 0, at = 0;
  for (u32 j = 0; j < m; j++)
    if (use[j] < most && j % 3 != 1) {
      u32 v = a[i * m + j];
      at = v >= largest ? j : at;
      largest = v >= largest ? v : largest;
    }
  o[i] = at + largest;
}
// By a pointer, from a column on; two rows.
// CASE: pointed aside=yes few block=64 with=m=40,70,101 -- rand:{4*n*m} rand:{4*n*m}:7 rand:{4*m}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL pointed(const u32 *REST a, const u32 *REST b, const u32 *REST use, u32 *REST o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  const u32 *p = a + (long)i * m + 3, *q = b + (long)i * m + 3;
  u32 s = 0;
  for (int j = 3; j < m; j++, p++, q++)
    if (use[j] & 4) s += *p ^ (*q * 3);
  o[i] = s;
}
// A row that is as long as its thread's number says: lanes leave one after the other.
// CASE: uneven aside=yes few block=64 with=m=100 with=most=536870912,-1 -- rand:{4*n*m} rand:{4*m}:3 zero:{4*n} i32:{most} i32:{m} i32:{n}
KERNEL uneven(const u32 *REST a, const u32 *REST use, u32 *REST o, u32 most, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  int end = i % m;
  u32 s = 0;
  for (int j = 0; j <= end; j++)
    if (use[j] < most) s = s * 31 + a[i * m + j];
  o[i] = s;
}
// The last word that is used is the last that there is: the one behind it is left out, and is not there, nor is the first of all.
// CASE: ends aside=yes few full block=64 grid=1 with=m=66 -- rand:{4*n*m-4} iota:{m} zero:{4*n} i32:{m-1} i32:{m} i32:{n}
KERNEL ends(const u32 *REST a, const u32 *REST use, u32 *REST o, u32 last, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (use[j] && use[j] < last) s = s * 31 + a[i * m + j - 1];
  o[i] = s;
}
// What each lane decides for itself, what counters alone decide, and what one iteration hands on whatever the condition says: they stay.
// CASE: own plain:none few block=64 with=m=40 -- rand:{4*n*m} rand:{4*m}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL own(const u32 *REST a, const u32 *REST use, u32 *REST o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (use[j] < (u32)i << 24) s = s * 31 + a[i * m + j];
  o[i] = s;
}
// CASE: counted plain:none few block=64 with=m=40 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL counted(const u32 *REST a, u32 *REST o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (j % 3 == 1) s = s * 31 + a[i * m + j];
  o[i] = s;
}
// CASE: handed plain:none few block=64 with=m=40 -- rand:{4*n*m} rand:{4*m}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL handed(const u32 *REST a, const u32 *REST use, u32 *REST o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    s = s * 31 + use[j];
    if (use[j] & 1) s += a[i * m + j];
  }
  o[i] = s;
}
// Around it lanes part, and come in one after the other, each to another run of it.
// CASE: parted aside=yes few block=64 with=m=40 -- rand:{4*n*m} rand:{8*4*m}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL parted(const u32 *REST a, const u32 *REST use, u32 *REST o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = i;
  for (int r = 0; r < 8; r++) {
    if ((s ^ r) & 1) continue;
    for (int j = 0; j < m; j++)
      if (use[r * m + j] & 1) s = s * 31 + a[i * m + j];
  }
  o[i] = s;
}
// Kept from being unrolled by the program.
// CASE: single aside=yes few block=64 with=m=33,70 -- rand:{4*n*m} rand:{4*m}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL single(const u32 *REST a, const u32 *REST use, u32 *REST o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
#pragma unroll 1
  for (int j = 0; j < m; j++)
    if (use[j] & 1) s = s * 31 + a[i * m + j];
  o[i] = s;
}
