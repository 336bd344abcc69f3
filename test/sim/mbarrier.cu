// mbarrier: init, arrive, expect_tx, test_wait, try_wait, phases; cp.async.bulk into shared memory and back.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel phases --grid 2 --block 64 --seeds 4 -- i32:5
// RUN: %sim %t0.ll --kernel phases --grid 2 --block 64 --seeds 4 -- i32:5
// RUN: %sim %t3.ll --kernel states --grid 1 --block 32 --seeds 4 -- i32:5
// RUN: %sim %t3.ll --kernel async_arrive --grid 1 --block 64 --seeds 4 -- iota:64
// RUN: %sim %t3.ll --kernel bulk_in --grid 2 --block 64 --seeds 4 -- iota:2048 buf:512
// RUN: %sim %t0.ll --kernel bulk_in --grid 2 --block 64 --seeds 4 -- iota:2048 buf:512
// RUN: %sim %t3.ll --kernel bulk_out --grid 3 --block 64 --seeds 4 --dump=0:%t.out -- buf:768
// RUN: %sim %t0.ll --kernel bulk_out --grid 3 --block 64 --seeds 4 -- buf:768
// RUN: %python -c "import sys,struct; d=open(sys.argv[1],'rb').read(); assert list(struct.unpack('<192I',d))==[3*i+1 for i in range(192)]" %t.out
#include "check.cuh"

__device__ u32 smem(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void init(u64 *bar, u32 count) { asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(count) : "memory"); }
__device__ u64 arrive(u64 *bar) {
  u64 state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(smem(bar)) : "memory");
  return state;
}
__device__ void arrive_expect(u64 *bar, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes) : "memory");
}
__device__ bool try_wait(u64 *bar, u32 parity) {
  u32 done;
  asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
               : "=r"(done) : "r"(smem(bar)), "r"(parity) : "memory");
  return done;
}
__device__ bool test_wait(u64 *bar, u64 state) {
  u32 done;
  asm volatile("{.reg .pred p; mbarrier.test_wait.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
               : "=r"(done) : "r"(smem(bar)), "l"(state) : "memory");
  return done;
}
__device__ void wait(u64 *bar, u32 parity) {
  while (!try_wait(bar, parity)) {
  }
}

KERNEL phases(u32 rounds) {
  __shared__ u64 bar;
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  for (u32 j = 0; j < rounds; j++) {
    s[t] = t + j;
    arrive(&bar);
    wait(&bar, (2 * j) & 1);
    EXPECT(s[63 - t] == 63 - t + j);
    arrive(&bar);
    wait(&bar, (2 * j + 1) & 1);
  }
}

// The phase completes at the last arrival and not before.
KERNEL states(u32 count) {
  __shared__ u64 bar;
  if (threadIdx.x) return;
  init(&bar, count);
  u64 state = 0;
  for (u32 round = 0; round < 3; round++)
    for (u32 j = 0; j < count; j++) {
      state = arrive(&bar);
      EXPECT(test_wait(&bar, state) == (j == count - 1));
    }
  EXPECT(!try_wait(&bar, 1) && try_wait(&bar, 0));   // phase 3 is incomplete; phase 2 (parity 0) complete
  arrive_expect(&bar, 0);
  asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(smem(&bar)) : "memory");
}

// cp.async.mbarrier.arrive.noinc: the arrival comes when this thread's copies have landed.
KERNEL async_arrive(const u32 *g) {
  __shared__ u64 bar;
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  if (t == 0) init(&bar, 64);
  __syncthreads();
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(smem(&s[t])), "l"(&g[t]) : "memory");
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(smem(&bar)) : "memory");
  wait(&bar, 0);
  EXPECT(s[63 - t] == 63 - t);
}

KERNEL bulk_in(const u32 *g, u32 *out) {
  __shared__ __align__(128) u32 s[2][256];
  __shared__ u64 bar[2];
  u32 t = threadIdx.x, acc = 0;
  if (t == 0) {
    init(&bar[0], 1);
    init(&bar[1], 1);
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  }
  __syncthreads();
  for (u32 j = 0; j < 8; j++) {
    u32 slot = j & 1;
    if (t == 0) {
      arrive_expect(&bar[slot], 1024);
      asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
                   ::"r"(smem(s[slot])), "l"(g + 256 * j), "r"(1024), "r"(smem(&bar[slot])) : "memory");
    }
    wait(&bar[slot], j / 2 & 1);
    for (u32 c = t; c < 256; c += 64) {
      EXPECT(s[slot][c] == 256 * j + c);
      acc += s[slot][c];
    }
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = acc;
}

KERNEL bulk_out(u32 *g) {
  __shared__ __align__(128) u32 s[64];
  u32 t = threadIdx.x;
  s[t] = 3 * (blockIdx.x * 64 + t) + 1;
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
  __syncthreads();
  if (t == 0) {
    asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(g + 64 * blockIdx.x), "r"(smem(s)), "r"(256) : "memory");
    asm volatile("cp.async.bulk.commit_group;" ::: "memory");
    asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
    for (u32 j = 0; j < 64; j++) EXPECT(g[64 * blockIdx.x + j] == 3 * (blockIdx.x * 64 + j) + 1);
  }
}
