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
