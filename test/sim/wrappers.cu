// An access in a function of the toolkit's headers counts as the user's line that calls it, inlined or not.
// RUN: %clang-device -O3 -gline-tables-only %s -o %t3.ll
// RUN: %clang-device -O0 -gline-tables-only %s -o %t0.ll
// RUN: %sim %t3.ll --kernel wrapped --grid 1 --block 64 --stats=%t3.json -- zero:1024 zero:1024
// RUN: %sim %t0.ll --kernel wrapped --grid 1 --block 64 --stats=%t0.json -- zero:1024 zero:1024
// RUN: %python %S/wrappers.py %t3.json | %FileCheck %s
// RUN: %python %S/wrappers.py %t0.json | %FileCheck %s
extern "C" __global__ void wrapped(int *p, int *q) {
  // CHECK: [[#@LINE+1]]:3 atomic 2 requests 2 sectors
  atomicAdd(&p[threadIdx.x / 32], 1);
  // CHECK-NEXT: [[#@LINE+1]]:3 atomic 2 requests 16 sectors
  atomicAdd(&q[2 * threadIdx.x], 1);
  // CHECK-NEXT: [[#@LINE+2]]:28 store 2 requests 8 sectors
  // CHECK-NEXT: [[#@LINE+1]]:30 load 2 requests 8 sectors
  p[64 + (int)threadIdx.x] = __ldg(&q[threadIdx.x + 128]);
  // CHECK-NOT: {{.}}
}
