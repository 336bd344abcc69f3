// RUN: %rewritten %s --temp %t.d
// Words of rows that some iterations leave out are loaded in all of them, where each page that a row has a part of has a word that an iteration
// loads. All rows end with the memory here, and the words that are left out are there.
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// TEXT: levels=O3,O1
#include "records.cuh"

// CHECK-LABEL: @others(
// CHECK: call i32 @llvm.nvvm.activemask()
// CASE: others load=exchange plain:load=exchange aside=yes block=48 grid=1 with=m=0,1,2,31,33,48,100 -- rand:{4*n*m+4} rand:{4*m+4}:3 zero:{4*n} i32:{m} i32:{n}
// CASE: others fewer full block=64 grid=1 with=m=1088,2113 -- rand:{4*n*m} rand:{4*m}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL others(const u32 *__restrict__ a, const u32 *__restrict__ x, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (j != i) s += a[i * m + j] * x[j];
  o[i] = s;
}
// Longs, and left out by `continue`.
// CASE: skipped load=exchange plain:load=exchange aside=yes block=48 grid=1 with=m=0,1,2,31,33,48,100 -- rand:{4*n*m+4} zero:{4*n} i64:{m} i64:{n}
KERNEL skipped(const u32 *__restrict__ a, u32 *__restrict__ o, long m, long n) {
  long i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (long j = 0; j < m; j++) {
    if (j == i) continue;
    s = s * 31 + a[i * m + j];
  }
  o[i] = s;
}
// What is left out decides about more than a sum.
// CASE: nearest load=exchange plain:load=exchange aside=yes block=48 grid=1 with=m=0,1,2,31,33,48,100 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL nearest(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 least = ~0u, at = 0;
  for (int j = 0; j < m; j++) {
    if (j == i) continue;
    u32 v = a[i * m + j];
    if (v < least) {
      least = v;
      at = j;
    }
  }
  o[i] = at;
}
// A mask of all, or of the row's own. Where it holds nowhere, or nowhere on a page, nothing is read there.
// CASE: masked load=exchange block=48 grid=1 with=m=0,1,2,31,33,48,100 -- rand:{4*n*m+4} rand:{4*m+4}:2 zero:{4*n} i32:{m} i32:{n}
KERNEL masked(const u32 *__restrict__ a, const u32 *__restrict__ use, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (use[j] & 1) s += a[i * m + j] ^ j;
  o[i] = s;
}
// CASE: nothing load=exchange block=48 grid=1 with=m=0,1,31,40,100 -- rand:4 zero:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL nothing(const u32 *__restrict__ a, const u32 *__restrict__ use, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (use[j]) s += a[i * m + j];
  o[i] = s;
}
// What the loop stores may be what decides: the last word of all, which is not there, is left out by then.
// CASE: overwritten load=none plain:load=none block=33 grid=1 full with=m=33 -- rand:{4*n*m-4} zero:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL overwritten(const u32 *__restrict__ a, u32 *use, u32 *o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    if (!(use[i * m + j] & 1)) s += a[i * m + j];
    use[i * m + m - 1 - j] = 1;
  }
  o[i] = s;
}
// Products are fused as they were; rows of two arrays, of which one is left out.
// CASE: floats load=exchange plain:load=exchange aside=yes block=48 grid=1 with=m=0,1,2,31,33,48,100 -- frand:{4*n*m+4} frand:{4*n*m+4}:2 frand:{4*m+4}:3 zero:{4*n} i32:{m} i32:{n}
KERNEL floats(const float *a, const float *b, const float *x, float *o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = x[0];
  for (int j = 0; j < m; j++) {
    float v = b[i * m + j];
    if (j != i) s -= (a[i * m + j] + v) * x[j];
  }
  o[i] = s;
}
// One iteration alone loads: it stays.
// CASE: only load=none plain:load=none block=48 grid=1 with=m=1,40 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL only(const u32 *__restrict__ a, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s += j == i ? a[i * m + j] : j;
  o[i] = s;
}
// The last word of all is left out, and is not there: it begins a sector of its own, so that nobody knows of it.
// CASE: last_out load=exchange block=33 grid=1 full with=m=33 -- rand:{4*n*m-4} zero:{4*n} i32:{m-1} i32:{m} i32:{n}
KERNEL last_out(const u32 *__restrict__ a, u32 *__restrict__ o, int out, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (j != out) s = s * 31 + a[i * m + j];
  o[i] = s;
}
// So is the first one here, which would lie in front of the memory.
// CASE: first_out load=exchange block=33 grid=1 full with=m=33 -- rand:{4*n*m-4} zero:{4*n} i32:0 i32:{m} i32:{n}
KERNEL first_out(const u32 *__restrict__ a, u32 *__restrict__ o, int out, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++)
    if (j != out) s = s * 31 + a[i * m + j - 1];
  o[i] = s;
}
// A word that is aligned to less than its size may end in the sector behind, of which nothing is known: these rows end with a page, and with the memory.
// CASE: loose load=exchange plain:none grid=1 block=32 with=m=48 -- rand:{8*32*m} zero:{8*n} i32:{m-1} i32:{m} i32:{n}
typedef unsigned long long __attribute__((aligned(4))) Loose;
KERNEL loose(const Loose *__restrict__ a, unsigned long long *__restrict__ o, int out, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  a = (const Loose *)((const char *)a + 4);
  unsigned long long s = 0;
  for (int j = 0; j < m; j++)
    if (j != out) s = s * 31 + a[i * m + j];
  o[i] = s;
}
