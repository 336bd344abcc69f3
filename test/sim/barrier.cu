// Block barriers: plain, with a count, with reductions, by number; warp barriers.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel reverse --grid 3 --block 100 --seeds 4 -- buf:1200
// RUN: %sim %t0.ll --kernel reverse --grid 3 --block 100 --seeds 4 -- buf:1200
// RUN: %sim %t3.ll --kernel reductions --grid 2 --block 77 --seeds 4 -- i32:77
// RUN: %sim %t0.ll --kernel reductions --grid 2 --block 77 --seeds 4 -- i32:77
// RUN: %sim %t3.ll --kernel halves --grid 2 --block 128 --seeds 4 -- i32:0
// RUN: %sim %t0.ll --kernel halves --grid 2 --block 128 --seeds 4 -- i32:0
// RUN: %sim %t3.ll --kernel producer --grid 2 --block 64 --seeds 4 -- buf:256
// RUN: %sim %t3.ll --kernel warps --grid 2 --block 70 --seeds 4 -- i32:3
// RUN: %sim %t0.ll --kernel warps --grid 2 --block 70 --seeds 4 -- i32:3
// RUN: %sim %t3.ll --kernel exited --grid 1 --block 96 --seeds 4 -- i32:40
// RUN: %sim %t3.ll --kernel branches --grid 2 --block 128 --seeds 8 -- i32:5
// RUN: %sim %t0.ll --kernel branches --grid 2 --block 128 --seeds 8 -- i32:5
// RUN: %sim %t3.ll --kernel written --grid 2 --block 96 --seeds 8 -- i32:5
// RUN: %sim %t0.ll --kernel written --grid 2 --block 96 --seeds 8 -- i32:5
// RUN: %sim %t3.ll --kernel counted --grid 2 --block 128 --seeds 8 -- i32:3
// RUN: %sim %t0.ll --kernel counted --grid 2 --block 128 --seeds 8 -- i32:3
// RUN: %sim %t3.ll --kernel reduced --grid 2 --block 128 --seeds 8 -- i32:7
// RUN: %sim %t0.ll --kernel reduced --grid 2 --block 128 --seeds 8 -- i32:7
#include "check.cuh"

KERNEL reverse(u32 *out) {
  __shared__ u32 s[100];
  u32 t = threadIdx.x;
  for (u32 round = 0; round < 4; round++) {
    s[t] = t * 7 + round;
    __syncthreads();
    EXPECT(s[99 - t] == (99 - t) * 7 + round);
    __syncthreads();
  }
  out[blockIdx.x * 100 + t] = s[99 - t];
}

KERNEL reductions(u32 n) {
  u32 t = threadIdx.x;
  u32 odd = 0, any = 0;
  for (u32 j = 0; j < n; j++) odd += noise(j) & 1;
  for (u32 j = 0; j < n; j++) any |= j == 50;
  EXPECT(__syncthreads_count(noise(t) & 1) == (int)odd);
  EXPECT(__syncthreads_count(0) == 0 && __syncthreads_count(5) == (int)n);
  EXPECT(!!__syncthreads_or(t == 50) == any && !__syncthreads_or(0));
  EXPECT(__syncthreads_and(t < n) && !__syncthreads_and(t != 50));
}

// Barriers 1 and 2 each synchronize one half of the block, a different number of times.
KERNEL halves(u32 zero) {
  __shared__ u32 s[128];
  u32 t = threadIdx.x, half = t / 64;
  for (u32 round = 0; round < 2 + half + zero; round++) {
    s[t] = t + round;
    asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
    EXPECT(s[t ^ 63] == (t ^ 63) + round);
    asm volatile("bar.sync %0, 64;" ::"r"(1 + half) : "memory");
  }
  __syncthreads();
  EXPECT(s[127 - t] == (127 - t) + 1 + (127 - t) / 64);
}

// bar.arrive does not wait; bar.sync on the same number does.
KERNEL producer(u32 *out) {
  __shared__ u32 s[32];
  u32 t = threadIdx.x;
  if (t < 32) {
    s[t] = t * t;
    __threadfence_block();
    asm volatile("bar.arrive 3, 64;" ::: "memory");
  } else {
    asm volatile("bar.sync 3, 64;" ::: "memory");
    EXPECT(s[63 - t] == (63 - t) * (63 - t));
    out[blockIdx.x * 32 + t - 32] = s[t - 32];
  }
}

KERNEL warps(u32 rounds) {
  __shared__ u32 s[96];
  u32 t = threadIdx.x, base = t & ~31u, width = 70 - base < 32 ? 70 - base : 32;
  u32 mask = width == 32 ? ~0u : (1u << width) - 1;
  for (u32 j = 0; j < rounds; j++) {
    s[t] = t + j;
    __syncwarp(mask);
    u32 other = base + (t - base + 1) % width;
    EXPECT(s[other] == other + j);
    __syncwarp(mask);
  }
  if (t < 32) {                         // half a warp at a time
    u32 half = t & 16;
    s[t] = t + 100;
    if (half) {
      __syncwarp(0xffff0000u);
      EXPECT(s[t ^ 5] == (t ^ 5) + 100);
    } else {
      __syncwarp(0x0000ffffu);
      EXPECT(s[t ^ 6] == (t ^ 6) + 100);
    }
  }
}

// Threads that have left do not count at a barrier of the whole block.
KERNEL exited(u32 stay) {
  __shared__ u32 s[96];
  u32 t = threadIdx.x;
  if (t >= 64) return;
  s[t] = t;
  __syncthreads();
  EXPECT(s[63 - t] == 63 - t && stay == 40);
}

// Barriers match by number: the warps of one block stand at other instructions, and meet.
KERNEL branches(u32 rounds) {
  __shared__ u32 s[128];
  u32 t = threadIdx.x;
  if (t < 64) {
    for (u32 k = 0; k < rounds; k++) {
      s[t] = t + k;
      __syncthreads();
      EXPECT(s[127 - t] == 3 * (127 - t) + k);
      __syncthreads();
    }
  } else {
    for (u32 k = 0; k < 2 * rounds; k++) {
      if (k % 2) EXPECT(s[127 - t] == 127 - t + k / 2);
      else s[t] = 3 * t + k / 2;
      __syncthreads();
    }
  }
}
// Two warps meet in pairs, at numbers and counts that only run time knows, and all of them at the end, each where it stands.
KERNEL counted(u32 rounds) {
  __shared__ u32 s[128];
  u32 t = threadIdx.x, pair = t / 64;
  for (u32 k = 0; k < rounds + pair; k++) {
    s[t] = t + k;
    if (t & 32) asm volatile("bar.sync %0, 64;" ::"r"(1 + pair) : "memory");
    else __nvvm_barrier_sync_cnt(1 + pair, 64);
    EXPECT(s[t ^ 32] == (t ^ 32) + k);
    __nvvm_barrier_sync_cnt(1 + pair, 64);
  }
  s[t] = t;
  if (pair) __nvvm_bar_sync(5);
  else asm volatile("bar.sync 5;" ::: "memory");
  EXPECT(s[127 - t] == 127 - t);
}
// All forms of the text.
KERNEL written(u32 rounds) {
  __shared__ u32 s[96];
  u32 t = threadIdx.x;
  for (u32 k = 0; k < rounds; k++) {
    s[t] = t + k;
    if (t < 32) asm volatile("bar.cta.sync 0;" ::: "memory");
    else if (t < 64) asm volatile("barrier.sync 0;" ::: "memory");
    else asm volatile("barrier.cta.sync.aligned 0;" ::: "memory");
    EXPECT(s[95 - t] == 95 - t + k);
    if (t < 32) asm volatile("barrier.cta.arrive.aligned 1, 96;" ::: "memory");
    else if (t < 64) asm volatile("barrier.arrive 1, 96;" ::: "memory");
    else asm volatile("barrier.sync.aligned 1, 96;" ::: "memory");
    if (t >= 64) s[t - 64] = s[t - 32] = 7 * k;
    __syncthreads();
    EXPECT(s[t % 64] == 7 * k);
    __syncthreads();
  }
}
// One reduction by several instructions.
KERNEL reduced(u32 odd) {
  u32 t = threadIdx.x, all, any, count = 0;
  if (t < 64)
    asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, %2; barrier.cta.red.popc.aligned.u32 %0, 0, p; }"
                 : "=r"(count) : "r"(t), "r"(odd));
  else count = __syncthreads_count(t == 100);
  EXPECT(count == odd + 1);
  asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 5; barrier.red.and.pred p, 3, 128, p; selp.u32 %0, 1, 0, p; }"
               : "=r"(all) : "r"(t));
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 5; bar.cta.red.or.pred p, 3, 128, p; selp.u32 %0, 1, 0, p; }"
               : "=r"(any) : "r"(t));
  EXPECT(!all && any);
}
