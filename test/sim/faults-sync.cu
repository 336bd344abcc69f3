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
// RUN: %sim %t.ll --kernel lanes --grid 1 --block 64 --seeds 4 -- i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel lanes --grid 1 --block 64 --seeds 4 -- i32:1 | %FileCheck %s --check-prefix=LANES
// RUN: %sim %t.ll --kernel fewer --grid 1 --block 64 --seeds 4 -- i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel fewer --grid 1 --block 64 --seeds 4 -- i32:1 | %FileCheck %s --check-prefix=FEWER
// RUN: %sim %t.ll --kernel count --grid 1 --block 64 --seeds 4 -- i32:64 i32:64 i32:1
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel count --grid 1 --block 64 -- i32:48 i32:48 i32:1 | %FileCheck %s --check-prefix=COUNT
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel count --grid 1 --block 64 -- i32:0 i32:0 i32:1 | %FileCheck %s --check-prefix=COUNT
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel count --grid 1 --block 64 -- i32:64 i32:96 i32:1 | %FileCheck %s --check-prefix=COUNTS
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel count --grid 1 --block 64 -- i32:96 i32:96 i32:1 | %FileCheck %s --check-prefix=FEWER
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel count --grid 1 --block 64 -- i32:64 i32:64 i32:16 | %FileCheck %s --check-prefix=NUMBER
// RUN: %sim %t.ll --kernel reduces --grid 1 --block 64 --seeds 4 -- i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel reduces --grid 1 --block 64 -- i32:1 | %FileCheck %s --check-prefix=REDUCES
// RUN: %sim %t.ll --kernel together --grid 1 --block 64 -- i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel together --grid 1 --block 64 -- i32:40 | %FileCheck %s --check-prefix=TOGETHER
// TOGETHER: lanes are missing from an instruction of the whole warp
// LANES: lanes of one warp wait at different barriers
// FEWER: threads wait at this barrier for threads that do not come
// COUNT: is no multiple of 32
// COUNTS: is used with
// NUMBER: there is no barrier 16
// REDUCES: reduces for some of its threads alone
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
KERNEL lanes(u32 bad) {                 // one barrier, at two instructions of a warp
  if (threadIdx.x < (bad ? 16 : 32)) __syncthreads();
  else asm volatile("bar.sync 0;" ::: "memory");
}
KERNEL fewer(u32 bad) {                 // branches with as many barriers, or with one more
  if (threadIdx.x < 32) for (u32 k = 0; k < 3; k++) __syncthreads();
  else for (u32 k = 0; k < 3 + bad; k++) __syncthreads();
  if (bad && threadIdx.x < 32) asm volatile("bar.sync 2, 64;" ::: "memory");
}
KERNEL count(u32 low, u32 high, u32 number) {
  if (threadIdx.x < 32) asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(low) : "memory");
  else asm volatile("bar.sync %0, %1;" ::"r"(number), "r"(high) : "memory");
}
KERNEL reduces(u32 bad) {
  if (threadIdx.x < 32 || !bad) __syncthreads_count(threadIdx.x & 1);
  else __syncthreads();
}
KERNEL together(u32 gone) {
  if (threadIdx.x < gone) return;
  int x, y;
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%2}, {%2, %2};" : "=r"(x), "=r"(y) : "r"(0));
}
