// RUN: %rewritten %s --temp %t.d
// Lists that a warp walks together, with shuffles in every iteration: four iterations stand in one body, the indices of the next four are
// loaded ahead, and what remains is done by the loop as it was.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// RUN: %opt -passes='coalda<always>' -S %t.ll | %FileCheck %s --check-prefix=ALWAYS
#include "records.cuh"
#define R __restrict__
#define LANE (threadIdx.x % 32)
__device__ static inline u32 across(u32 mask, u32 v, int lanes) { return (u32)__nvvm_shfl_sync_bfly_i32(mask, (int)v, lanes, 31); }

// CHECK-LABEL: @of_warp(
// CHECK-COUNT-8: load i32, {{.*}}, !coalda.ahead
// CHECK-NOT: !coalda.ahead
// CHECK-LABEL: @of_group(
// CASE: of_warp ahead=yes block=64 full with=m=0,1,3,4,5,7,8,9,13 -- perm:{n//32*m+1} rand:{128*(n//32*m+1)} zero:{4*n} i32:{m}
KERNEL of_warp(const int *R col, const u32 *R x, u32 *R y, int m) {
  int w = ROW / 32;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 v = x[col[w * m + j] * 32 + LANE];
    v += across(~0u, v, 16) * 3;
    v += across(~0u, v, 5) * 7;
    s = s * 31 + v;
  }
  y[ROW] = s;
}
// Eight lanes have a list; those of a warp differ in length.
// CASE: of_group ahead=yes block=64 full with=m=0,3,7,12 -- perm:{2*n} rand:{64*n} zero:{4*n} i32:{m}
KERNEL of_group(const int *R col, const u32 *R x, u32 *R y, unsigned m) {
  unsigned g = ROW / 8, lane = ROW % 8, length = (m + g) % 16;
  u32 s = 0, mask = 255u << (LANE & 24);
  for (unsigned j = 0; j < length; j++) {
    u32 v = x[col[g * 16 + j] * 8 + lane];
    s = s * 31 + across(mask, v, 4) * 5 + across(mask, s, 3);
  }
  y[ROW] = s;
}
// Backwards, by 64 bits, with votes.
// CASE: of_votes ahead=yes block=64 full with=m=0,1,4,6,9 -- perm:{n//32*m+1} rand:{128*(n//32*m+1)} zero:{4*n} i64:{m}
KERNEL of_votes(const int *R col, const u32 *R x, u32 *R y, long long m) {
  long long w = ROW / 32;
  u32 s = 0;
  for (long long j = m - 1; j >= 0; j--) {
    u32 v = x[col[w * m + j] * 32 + LANE];
    s = s * 31 + __nvvm_vote_ballot_sync(~0u, v & 1) + v;
  }
  y[ROW] = s;
}
// By pointers, of two tables; results are stored on the way.
// CASE: of_pointers ahead=yes block=64 full with=m=0,1,4,6,9 -- perm:{n//32*m+1} perm:{n//32*m+1} rand:{128*(n//32*m+1)} zero:{4*n*m+4} i32:{m}
KERNEL of_pointers(const int *R a, const int *R p, const u32 *R x, u32 *R y, int m) {
  u32 *to = y + ROW / 32 * m * 32 + LANE;
  for (const int *q = a + ROW / 32 * m, *end = q + m; q != end; q++, to += 32) {
    u32 v = x[p[*q] * 32 + LANE];
    *to = v + across(~0u, v, 1) * 3;
  }
}
// Where an iteration loads so much that four of them would keep other warps away, two stand in one body.
// CHECK-LABEL: @of_many(
// CHECK-COUNT-4: load i32, {{.*}}, !coalda.ahead
// CHECK-NOT: !coalda.ahead
// CHECK-LABEL: @of_wide(
// CHECK-COUNT-4: load i32, {{.*}}, !coalda.ahead
// CHECK-NOT: !coalda.ahead
// CHECK-LABEL: @now_and_then(
// CASE: of_many ahead=yes block=64 full with=m=0,1,2,3,4,5,9 -- perm:{n//32*m+1} rand:{512*(n//32*m+1)} zero:{4*n} i32:{m}
KERNEL of_many(const int *R col, const u32 *R x, u32 *R y, int m) {
  int w = ROW / 32;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    const u32 *k = x + col[w * m + j] * 128 + LANE;
    u32 v = k[0] * 3 + k[32] * 5;
    v += across(~0u, v, 16) * 3;
    s = s * 31 + v * k[64] + k[96];
  }
  y[ROW] = s;
}
// CASE: of_wide ahead=yes block=64 full with=m=0,1,2,3,4,5,9 -- perm:{n//32*m+1} rand:{512*(n//32*m+1)} zero:{4*n} i64:{m}
KERNEL of_wide(const int *R col, const V4 *R x, u32 *R y, unsigned long long m) {
  u32 s = 0;
  for (unsigned long long j = 0, from = ROW / 32 * m; j < m; j++) {
    V4 k = x[col[from + j] * 32 + LANE];
    s = s * 31 + across(~0u, k.x ^ k.y >> 7, 8) + k.z * k.w;
  }
  y[ROW] = s;
}
// A shuffle that not every iteration comes to: lanes that meet there may make unequally many, and the loop stays as long as it is.
// ALWAYS-LABEL: @now_and_then(
// ALWAYS-COUNT-2: load i32, {{.*}}, !coalda.ahead
// ALWAYS-NOT: !coalda.ahead
// CASE: now_and_then ahead=yes block=64 full with=m=0,1,4,6 -- perm:{n*(m+3)} rand:{4*n*(m+3)} zero:{4*n} i32:{m} i32:{n}
KERNEL now_and_then(const int *R col, const u32 *R x, u32 *R y, int m, int n) {
  int i = ROW, length = m + (i & 3);
  u32 s = 0;
  for (int j = 0; j < length; j++) {
    u32 v = x[col[j * n + i]];
    if (j < m) v += across(~0u, v, 16) * 3;
    s = s * 31 + v;
  }
  y[i] = s;
}
