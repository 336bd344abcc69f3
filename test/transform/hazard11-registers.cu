// RUN: %rewritten %s --temp %t.d
// Hazard 11: an exchange holds its words in registers: long records go in pieces of 128 bytes, and nothing is spilled.
// RUN: %clang-device -nocudainc -nocudalib -I%S -I%S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes='coalda<always>' -S %t.ll -o %t.out.ll
// RUN: %llc -mcpu=sm_90 %t.out.ll -o %t.ptx && %ptxas -v -arch=sm_90 %t.ptx -o %t.cubin > %t.log 2>&1
// RUN: %FileCheck %s < %t.log
// RUN: %FileCheck %s --check-prefix=PARTS < %t.out.ll
// CHECK-NOT: {{[1-9][0-9]*}} bytes spill
#include "records.cuh"
template <int N> struct Words { u32 w[N]; };
#define LONG(N) \
  KERNEL store##N(Words<N> *q, u32 x, int n) { \
    int i = ROW; if (i >= n) return; \
    _Pragma("unroll") for (int k = 0; k < N; k++) q[i].w[k] = x * k + i; \
  } \
  KERNEL both##N(const Words<N> *__restrict__ p, Words<N> *__restrict__ q, int n) { \
    int i = ROW; if (i >= n) return; \
    _Pragma("unroll") for (int k = 0; k < N; k++) q[i].w[k] = p[i].w[k] * 3 + k; \
  }
// CASE: store32 few store=exchange fewer -- zero:{128*n} i32:3 i32:{n}
// CASE: store64 few store=exchange fewer -- zero:{256*n} i32:3 i32:{n}
// CASE: store100 few store=exchange -- zero:{400*n} i32:3 i32:{n}
// CASE: both32 few load=exchange store=exchange fewer -- rand:{128*n} zero:{128*n} i32:{n}
// CASE: both33 few load=exchange store=exchange -- rand:{132*n} zero:{132*n} i32:{n}
// CASE: both64 few load=exchange store=exchange fewer -- rand:{256*n} zero:{256*n} i32:{n}
LONG(32) LONG(33) LONG(64) LONG(100)
// A copy of more bytes than one group may hold is left alone.
// CASE: copy65 few none -- rand:{260*n} zero:{260*n} i32:{n}
KERNEL copy65(const Words<65> *__restrict__ p, Words<65> *__restrict__ q, int n) { int i = ROW; if (i < n) q[i] = p[i]; }
// A whole group in the smallest units.
// CASE: from_local few store=exchange with=k=0,4 -- ref:3+{k} i32:5 i32:{n} zero:{256*n+k}
KERNEL from_local(Words<64> *q, u32 x, int n, void *) {
  int i = ROW;
  if (i >= n) return;
  Words<64> r;
  #pragma clang loop unroll(disable)
  for (u32 k = 0; k < 64; k++) r.w[k * x & 63] = k + i;
  q[i] = r;
}
// And in the largest ones: two parts of 128 bytes, each with the three steps of eight pieces of 16. Four would cost more.
// CASE: from_local_wide few store=exchange -- i32:5 i32:{n} zero:{256*n}
// PARTS-LABEL: @from_local_wide(
// PARTS: shfl.sync.bfly.i32(i32 -1, i32 %{{[0-9]+}}, i32 4, i32 31)
// PARTS-NOT: shfl.sync.bfly.i32(i32 -1, i32 %{{[0-9]+}}, i32 8, i32 31)
// PARTS: ret void
struct alignas(16) Wide { u32 w[64]; };
KERNEL from_local_wide(u32 x, int n, Wide *q) {
  int i = ROW;
  if (i >= n) return;
  Wide r;
  #pragma clang loop unroll(disable)
  for (u32 k = 0; k < 64; k++) r.w[k * x & 63] = k + i;
  q[i] = r;
}
