// shfl.sync up, down, bfly, idx: every width, lane distance 0..40 (b is taken modulo 32), the clamp and the predicate.
// The reference is the pseudocode of the PTX manual, over values that each lane can compute for every other lane.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel modes --grid 1 --block 64 --seeds 2 -- i32:41
// RUN: %sim %t0.ll --kernel modes --grid 1 --block 32 -- i32:12
// RUN: %sim %t3.ll --kernel wrappers --grid 1 --block 64 --seeds 2 -- i32:1
// RUN: %sim %t0.ll --kernel wrappers --grid 1 --block 64 -- i32:1
// RUN: %sim %t3.ll --kernel parts --grid 1 --block 32 --seeds 4 -- i32:1
// RUN: %sim %t0.ll --kernel parts --grid 1 --block 32 --seeds 4 -- i32:1
#include "check.cuh"

enum { UP, DOWN, BFLY, IDX };

// PTX: shfl.sync. Gives the source lane; *in says whether it lies in range.
__device__ u32 source(int mode, u32 lane, u32 b, u32 c, bool *in) {
  u32 bval = b & 31, cval = c & 31, segment = c >> 8 & 31;
  int max = (lane & segment) | (cval & ~segment), min = lane & segment, j;
  switch (mode) {
  case UP: j = (int)lane - (int)bval; *in = j >= max; break;
  case DOWN: j = lane + bval; *in = j <= max; break;
  case BFLY: j = lane ^ bval; *in = j <= max; break;
  default: j = min | (bval & ~segment); *in = j <= max;
  }
  return *in ? j : lane;
}

#define SHFL(op)                                                                                              \
  {                                                                                                           \
    u32 got, p;                                                                                               \
    asm volatile("{.reg .pred q; shfl.sync." op ".b32 %0|q, %2, %3, %4, 0xffffffff; selp.u32 %1, 1, 0, q;}"   \
                 : "=r"(got), "=r"(p) : "r"(noise(lane)), "r"(b), "r"(c));                                    \
    EXPECT(got == noise(want) && p == in);                                                                    \
  }

KERNEL modes(u32 most) {
  u32 lane = threadIdx.x & 31;
  bool in;
  u32 want;
  for (u32 b = 0; b < most; b++)
    for (u32 log = 0; log <= 5; log++) {
      u32 c = (32 - (1u << log)) << 8 | 31, up = (32 - (1u << log)) << 8;
      want = source(DOWN, lane, b, c, &in);
      EXPECT(__nvvm_shfl_sync_down_i32(~0u, noise(lane), b, c) == (int)noise(want));
      SHFL("down")
      want = source(BFLY, lane, b, c, &in);
      EXPECT(__nvvm_shfl_sync_bfly_i32(~0u, noise(lane), b, c) == (int)noise(want));
      SHFL("bfly")
      want = source(IDX, lane, b, c, &in);
      EXPECT(__nvvm_shfl_sync_idx_i32(~0u, noise(lane), b, c) == (int)noise(want));
      SHFL("idx")
      {
        u32 c = up;
        want = source(UP, lane, b, c, &in);
        EXPECT(__nvvm_shfl_sync_up_i32(~0u, noise(lane), b, c) == (int)noise(want));
        SHFL("up")
      }
    }
  for (u32 clamp = 0; clamp < 32; clamp += 7) {      // clamp values that no CUDA wrapper makes
    u32 b = 3, c = clamp | 16 << 8;
    want = source(DOWN, lane, b, c, &in);
    SHFL("down")
    want = source(UP, lane, b, c, &in);
    SHFL("up")
    want = source(IDX, lane, b, c, &in);
    SHFL("idx")
  }
}

KERNEL wrappers(u32 one) {
  u32 lane = threadIdx.x & 31;
  EXPECT(__shfl_sync(~0u, noise(lane), 5) == noise(5));
  EXPECT(__shfl_sync(~0u, noise(lane), 37) == noise(5));
  EXPECT(__shfl_sync(~0u, noise(lane), 1, 8) == noise((lane & 24) + 1));
  EXPECT(__shfl_up_sync(~0u, (int)lane, one) == (lane ? (int)lane - 1 : 0));
  EXPECT(__shfl_down_sync(~0u, lane, 4 * one, 16) == ((lane & 15) < 12 ? lane + 4 : lane));
  EXPECT(__shfl_xor_sync(~0u, lane, 9 * one) == (lane ^ 9));
  EXPECT(__shfl_xor_sync(~0u, (float)lane, 1) == (float)(lane ^ 1));
  EXPECT(__shfl_xor_sync(~0u, (double)lane + 0.25, 2) == (double)(lane ^ 2) + 0.25);
  u64 wide = (u64)lane << 40 | lane;
  EXPECT(__shfl_sync(~0u, wide, (lane + 1) & 31) == ((u64)((lane + 1) & 31) << 40 | ((lane + 1) & 31)));
  EXPECT(__shfl_down_sync(~0u, (long long)wide, 16) == (long long)(lane < 16 ? (u64)(lane + 16) << 40 | (lane + 16) : wide));
}

// Two halves of a warp shuffle by themselves, on two sides of a branch.
KERNEL parts(u32 one) {
  u32 lane = threadIdx.x;
  if (lane < 16) {
    u32 v = __shfl_sync(0x0000ffffu, noise(lane), 15 - lane);
    EXPECT(v == noise(15 - lane));
  } else {
    u32 v = __shfl_xor_sync(0xffff0000u, noise(lane), one);
    EXPECT(v == noise(lane ^ 1));
  }
  __syncwarp();
  if (lane & 1) EXPECT(__shfl_sync(0xaaaaaaaau, lane * 3, (lane + 2) & 31) == ((lane + 2) & 31) * 3);
}
