// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -nocudainc -nocudalib -O3 -I%S/../gen %s -o %t.ll && %opt -passes='coalda' -S %t.ll -o - | %FileCheck %s
// A tile of indices, and then the data that they name: each thread reads the list for itself, so that the data's copies are asynchronous,
// and indices come a stage before them. The ways in which programs write that. Blocks that have fewer threads than the indices take the
// loop as it was, and so do lists that the loop writes.
// TEXT: levels=O3,O1 archs=sm_90 stages=2,5
#include "tiles.cuh"
enum { NAMES = 32 };
#define BARRIER __syncthreads()
#define USE(s) sum = sum * 31 + (s)[TILE - 1 - (TX & 63)] + 3 * (s)[(TX & 63) ^ 5]

// Rows of two words.
// CHECK-LABEL: define {{.*}} @rows(
// CHECK: load i32, {{.*}} !coalda.ahead
// CHECK: cp.async.ca.shared.global
// CASE: rows tile=pipelined block=64 full with=k=0,1,2,3,8,17 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
// CASE: rows tile=pipelined block=32 full with=k=0,1,5 -- rand:{max(4,4*4*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
// CASE: rows tile=pipelined block=256 full with=k=0,1,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
// CASE: rows tile=pipelined block=1024 few with=k=1,5 -- rand:{max(4,4*2*32*k)}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL rows(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = list[(BX % 2 * k + i) * NAMES + TX];
    BARRIER;
    if (TX < TILE) s[TX] = g[(ix[TX / 2] & 2047) * 2 + TX % 2];
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
