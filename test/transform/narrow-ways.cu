// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -coalda-trace -disable-output %t.ll 2> %t.trace && %FileCheck %s < %t.trace && %FileCheck %s --check-prefix=WORDS < %t.trace
// WORDS-NOT: widened: plan: group {{[0-9]+}} of 32 loads
// Rows of halves begin anywhere more often than not: a warp that cannot move them stays in the longer loop, where their loads come side by side, and does not go on in the rest. Where such rows
// are stored as well, or words that they become, and of words, it does.
#include "records.cuh"
// CHECK-DAG: trace: halves: plan: region of group {{[0-9]+}}, from block {{[0-9]+}}, instruction {{[0-9]+}} to block {{[0-9]+}}, instruction {{[0-9]+$}}
// CHECK-DAG: trace: words: plan: region of group {{.*}}, with a way out
// CHECK-DAG: trace: stored: plan: region of group{{.*}}, with a way out
// What it goes on in moves 32 of them at a time, however they lie, where all of them are narrow:
// CHECK-DAG: trace: summed: plan: group {{[0-9]+}} of 64 stores
// CHECK-DAG: trace: summed: plan: group {{[0-9]+}} of 32 stores
// CHECK-DAG: trace: widened: plan: region of group{{.*}}, with a way out
KERNEL halves(const u16 *a, u32 *q, long m) {
  long i = ROW;
  u32 s = 0;
  for (const u16 *p = a + i * m, *e = p + m; p != e; p++) s = s * 31 + *p;
  q[i] = s;
}
KERNEL words(const u32 *a, u32 *q, long m) {
  long i = ROW;
  u32 s = 0;
  for (const u32 *p = a + i * m, *e = p + m; p != e; p++) s = s * 31 + *p;
  q[i] = s;
}
KERNEL stored(const u16 *__restrict__ a, u16 *__restrict__ q, int m) {
  int i = ROW;
  for (int j = 0; j < m; j++) q[i * m + j] = a[i * m + j] >> 1;
}
KERNEL widened(const u8 *a, u32 *q, int m) {
  int i = ROW;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    s += a[i * m + j];
    q[i * m + j] = s;
  }
}
KERNEL summed(const u16 *a, u16 *q, int m) {
  int i = ROW;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    s += a[i * m + j];
    q[i * m + j] = s >> 2;
  }
}
