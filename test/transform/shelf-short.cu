// RUN: %rewritten %s --temp %t.d
// Rows of a constant length that is too short for a shelf go by shuffles.
// TEXT: levels=O3 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s --implicit-check-not=short_sums.shelf
#include "records.cuh"
#define SUMS(M)                                            \
  int i = ROW;                                                               \
  if (i >= n) return;                                                        \
  u32 s = 0, t = 1;                                        \
  _Pragma("unroll 4") for (int j = 0; j < M; j++) s = s * 31 + a[i * M + j]; \
  _Pragma("unroll 4") for (int j = 0; j < M; j++) t = t * s + a[i * M + j];  \
  q[i] = t;

// CHECK: @long_sums.shelf = internal addrspace(3) global
// CASE: short_sums load=exchange -- rand:{4*n*48} zero:{4*n} i32:{n}
KERNEL short_sums(const u32 *__restrict__ a, u32 *__restrict__ q, int n) { SUMS(48) }
// CASE: long_sums load=exchange -- rand:{4*n*200} zero:{4*n} i32:{n}
KERNEL long_sums(const u32 *__restrict__ a, u32 *__restrict__ q, int n) { SUMS(200) }
