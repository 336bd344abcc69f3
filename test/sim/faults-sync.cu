// Barriers, masks and deadlocks. Each kernel is clean with bad = 0.
// RUN: %clang-device -O1 -gline-tables-only %s -o %t.ll
// RUN: %sim %t.ll --kernel divergent --grid 1 --block 64 --seeds 4 -- i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel divergent --grid 1 --block 64 --seeds 4 -- i32:1 | %FileCheck %s
// RUN: %sim %t.ll --kernel part --grid 1 --block 64 --seeds 4 -- i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel part --grid 1 --block 64 --seeds 4 -- i32:1 | %FileCheck %s
// RUN: %sim %t.ll --kernel mask --grid 1 --block 32 --seeds 4 -- i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel mask --grid 1 --block 32 --seeds 4 -- i32:1 | %FileCheck %s --check-prefix=MASK
// RUN: %sim %t.ll --kernel missing --grid 1 --block 32 --seeds 4 -- i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel missing --grid 1 --block 32 --seeds 4 --limit 1000000 -- i32:1
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel forever --grid 1 --block 32 --limit 100000 -- zero:4
// CHECK: {{barrier|deadlock}}
// MASK: mask
#include "check.cuh"
KERNEL divergent(u32 bad) {
  if (bad ? threadIdx.x < 16 : true) __syncthreads();
  else asm volatile("bar.sync 1;" ::: "memory");
}
KERNEL part(u32 bad) {                  // half of the block waits for a count that never comes
  if (threadIdx.x < 32) asm volatile("bar.sync 1, %0;" ::"r"(bad ? 64 : 32) : "memory");
}
KERNEL mask(u32 bad) {
  if (threadIdx.x < 16) {
    u32 v = __shfl_sync(bad ? 0xffff0000u : 0x0000ffffu, threadIdx.x, 0);
    if (v == 99) __trap();
  }
}
KERNEL missing(u32 bad) {               // lanes of the mask that never come
  if (threadIdx.x < 16) __syncwarp(bad ? ~0u : 0xffffu);
  else if (bad) while (true) __nanosleep(1);
}
KERNEL forever(volatile u32 *p) {
  while (*p == 0) {
  }
}
