// cp.async: 4, 8, 16 bytes, ca and cg, with a source size (the rest is zero), groups and waits.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel sizes --grid 2 --block 64 --seeds 4 -- rand:2048:3 i32:7
// RUN: %sim %t0.ll --kernel sizes --grid 2 --block 64 --seeds 4 -- rand:2048:3 i32:7
// RUN: %sim %t3.ll --kernel builtins --grid 1 --block 64 --seeds 4 -- iota:256 buf:256
// RUN: %sim %t0.ll --kernel builtins --grid 1 --block 64 --seeds 4 -- iota:256 buf:256
// RUN: %sim %t3.ll --kernel groups --grid 1 --block 64 --seeds 8 -- iota:512 buf:256
// RUN: %sim %t0.ll --kernel groups --grid 1 --block 64 --seeds 8 -- iota:512 buf:256
// RUN: %sim %t3.ll --kernel pipeline --grid 2 --block 64 --seeds 4 -- iota:640 buf:512 i32:10
// RUN: %sim %t3.ll --kernel pipeline --grid 2 --block 64 --seeds 4 -- iota:1 buf:512 i32:0
// RUN: %sim %t3.ll --kernel pipeline --grid 2 --block 64 --seeds 4 -- iota:64 buf:512 i32:1
// RUN: %sim %t0.ll --kernel pipeline --grid 2 --block 64 --seeds 4 -- iota:192 buf:512 i32:3
#include "check.cuh"
#include <cuda_pipeline_primitives.h>

__device__ u32 smem(const void *p) { return (u32)__cvta_generic_to_shared(p); }
#define COPY(how, n, dst, src) asm volatile("cp.async." how ".shared.global [%0], [%1], " #n ";" ::"r"(smem(dst)), "l"(src) : "memory")
#define COPY_PART(how, n, dst, src, bytes) \
  asm volatile("cp.async." how ".shared.global [%0], [%1], " #n ", %2;" ::"r"(smem(dst)), "l"(src), "r"(bytes) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;" ::: "memory")
#define WAIT(n) asm volatile("cp.async.wait_group " #n ";" ::: "memory")
#define WAIT_ALL() asm volatile("cp.async.wait_all;" ::: "memory")

KERNEL sizes(const unsigned char *g, u32 most) {
  __shared__ __align__(16) unsigned char s[64 * 16];
  u32 t = threadIdx.x;
  const unsigned char *mine = g + 1024 * blockIdx.x + 16 * t;
  unsigned char *slot = s + 16 * t;
  COPY("ca", 4, slot, mine);
  COPY("ca", 8, slot + 8, mine + 8);
  WAIT_ALL();
  for (u32 j = 0; j < 4; j++) EXPECT(slot[j] == mine[j]);
  for (u32 j = 8; j < 16; j++) EXPECT(slot[j] == mine[j]);
  COPY("ca", 16, slot, mine);
  WAIT_ALL();
  for (u32 j = 0; j < 16; j++) EXPECT(slot[j] == mine[j]);
  for (u32 part = 0; part <= 16; part += 1) {
    if (part <= 4) {
      COPY_PART("ca", 4, slot, mine, part);
      WAIT_ALL();
      for (u32 j = 0; j < 4; j++) EXPECT(slot[j] == (j < part ? mine[j] : 0));
    }
    if (part <= 8) {
      COPY_PART("ca", 8, slot, mine, part);
      WAIT_ALL();
      for (u32 j = 0; j < 8; j++) EXPECT(slot[j] == (j < part ? mine[j] : 0));
    }
    COPY_PART("cg", 16, slot, mine, part);
    COMMIT();
    WAIT(0);
    for (u32 j = 0; j < 16; j++) EXPECT(slot[j] == (j < part ? mine[j] : 0));
  }
  // a predicate instead of the size, and hints behind it
  u32 drop = t & 1;
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; cp.async.ca.shared.global [%0], [%1], 8, p;}"
               ::"r"(smem(slot)), "l"(mine), "r"(drop) : "memory");
  asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; cp.async.ca.shared.global.L2::128B [%0], [%1], 4, !p;}"
               ::"r"(smem(slot + 8)), "l"(mine + 8), "r"(drop) : "memory");
  asm volatile("{.reg .b64 policy; createpolicy.fractional.L2::evict_first.b64 policy;"
               "cp.async.ca.shared.global.L2::cache_hint [%0], [%1], 4, %2, policy;}"
               ::"r"(smem(slot + 12)), "l"(mine + 12), "r"(drop) : "memory");
  WAIT_ALL();
  for (u32 j = 0; j < 8; j++) EXPECT(slot[j] == (drop ? 0 : mine[j]));
  for (u32 j = 8; j < 12; j++) EXPECT(slot[j] == (drop ? mine[j] : 0));
  for (u32 j = 12; j < 16; j++) EXPECT(slot[j] == (j - 12 < drop ? mine[j] : 0));
  COPY("cg", 16, slot, mine);
  WAIT_ALL();
  // a neighbour's copy needs the barrier
  __syncthreads();
  const unsigned char *other = g + 1024 * blockIdx.x + 16 * (63 - t);
  for (u32 j = 0; j < 16; j++) EXPECT(s[16 * (63 - t) + j] == other[j]);
  EXPECT(most == 7);
  __syncthreads();
  // the primitives of cuda_pipeline.h
  __pipeline_memcpy_async(slot, mine, 16);
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (u32 j = 0; j < 16; j++) EXPECT(slot[j] == mine[j]);
  __pipeline_memcpy_async(slot, mine, 8, 3);         // zeroes the last 3 of 8
  __pipeline_commit();
  __pipeline_wait_prior(0);
  for (u32 j = 0; j < 8; j++) EXPECT(slot[j] == (j < 5 ? mine[j] : 0));
}

// The builtins of clang.
KERNEL builtins(const u32 *g, u32 *out) {
  __shared__ __align__(16) u32 s[64][4];
  u32 t = threadIdx.x;
  typedef void __attribute__((address_space(3))) *Slot;
  typedef const void __attribute__((address_space(1))) *Source;
  Slot slot = (Slot)s[t];
  Source mine = (Source)(g + 4 * t);
  __nvvm_cp_async_cg_shared_global_16(slot, mine);
  __nvvm_cp_async_commit_group();
  __nvvm_cp_async_wait_group(0);
  EXPECT(s[t][3] == 4 * t + 3);
  __nvvm_cp_async_ca_shared_global_4(slot, mine, 2);
  __nvvm_cp_async_wait_all();
  EXPECT(s[t][0] == ((4 * t) & 0xffffu) && s[t][1] == 4 * t + 1);
  out[t] = s[t][0];
}

// wait_group N leaves the last N groups in flight; empty groups count.
KERNEL groups(const u32 *g, u32 *out) {
  __shared__ u32 s[5][64];
  u32 t = threadIdx.x;
  COPY("ca", 4, &s[0][t], &g[t]);
  COMMIT();
  COPY("ca", 4, &s[1][t], &g[64 + t]);
  COPY("ca", 4, &s[2][t], &g[128 + t]);
  COMMIT();
  COMMIT();                                          // empty
  COPY("ca", 4, &s[3][t], &g[192 + t]);
  COMMIT();
  WAIT(3);
  EXPECT(s[0][t] == t);
  WAIT(2);
  EXPECT(s[1][t] == 64 + t && s[2][t] == 128 + t);
  WAIT(1);
  COPY("ca", 4, &s[4][t], &g[256 + t]);              // in no group: wait_group 0 does not cover it, wait_all does
  WAIT(0);
  EXPECT(s[3][t] == 192 + t);
  WAIT_ALL();
  EXPECT(s[4][t] == 256 + t);
  out[t] = s[4][t];
}

// A ring of three slots.
KERNEL pipeline(const u32 *g, u32 *out, u32 trips) {
  __shared__ u32 s[3][64];
  u32 t = threadIdx.x, acc = 0;
  for (u32 p = 0; p < 2; p++) {
    if (p < trips) COPY("ca", 4, &s[p][t], &g[p * 64 + t]);
    COMMIT();
  }
  for (u32 p = 0; p < trips; p++) {
    WAIT(1);
    __syncthreads();
    if (p + 2 < trips) COPY("ca", 4, &s[(p + 2) % 3][t], &g[(p + 2) * 64 + t]);
    COMMIT();
    EXPECT(s[p % 3][63 - t] == p * 64 + 63 - t);
    acc += s[p % 3][63 - t];
  }
  WAIT(0);
  out[blockIdx.x * 64 + t] = acc;
}
