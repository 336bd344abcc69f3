// The toolkit's own asynchronous copies, as clang compiles them: __pipeline_memcpy_async, cooperative groups, cuda::pipeline of a thread
// and of a block (with and without roles), cuda::barrier.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -S -emit-llvm -O3 %s -o %t3.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -S -emit-llvm -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel primitives --grid 1 --block 128 --seeds 8 -- iota:512
// RUN: %sim %t0.ll --kernel primitives --grid 1 --block 128 --seeds 2 -- iota:512
// RUN: %sim %t3.ll --kernel group --grid 1 --block 128 --seeds 8 -- iota:512
// RUN: %sim %t0.ll --kernel group --grid 1 --block 128 -- iota:512
// RUN: %sim %t3.ll --kernel of_thread --grid 1 --block 128 --seeds 8 -- iota:512
// RUN: %sim %t0.ll --kernel of_thread --grid 1 --block 128 -- iota:512
// RUN: %sim %t3.ll --kernel of_block --grid 1 --block 128 --seeds 8 -- iota:512
// RUN: %sim %t0.ll --kernel of_block --grid 1 --block 128 -- iota:512
// RUN: %sim %t3.ll --kernel roles --grid 1 --block 128 --seeds 8 -- iota:512
// RUN: %sim %t0.ll --kernel roles --grid 1 --block 128 -- iota:512
// RUN: %sim %t3.ll --kernel barrier --grid 1 --block 128 --seeds 8 -- iota:512
// RUN: %sim %t0.ll --kernel barrier --grid 1 --block 128 -- iota:512
// RUN: %sim %t3.ll --kernel single --grid 1 --block 128 --seeds 8 -- iota:512
// RUN: %sim %t0.ll --kernel single --grid 1 --block 128 -- iota:512
// RUN: %sim %t3.ll --kernel later --grid 1 --block 64 --seeds 8 -- iota:512
// RUN: %sim %t3.ll --kernel first --grid 1 --block 96 --seeds 8 -- iota:512 i32:0
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel first --grid 1 --block 96 --seed 1 -- iota:512 i32:1 | %FileCheck %s
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel first --grid 1 --block 96 --seed 2 -- iota:512 i32:1 | %FileCheck %s
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel first --grid 1 --block 96 --seed 3 -- iota:512 i32:1 | %FileCheck %s
// CHECK: race
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_pipeline.h>
#include <cuda/pipeline>
#include <cuda/barrier>
#include "check.cuh"
namespace cg = cooperative_groups;
// clang has no constructors of shared variables.
#define SHARED(name, ...)                                                                  \
  __shared__ __align__(alignof(__VA_ARGS__)) char name##_bytes[sizeof(__VA_ARGS__)];       \
  __VA_ARGS__ &name = *reinterpret_cast<__VA_ARGS__ *>(name##_bytes)
KERNEL primitives(const int *in) {
  __shared__ __align__(16) int s[2][128];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4);
  __pipeline_commit();
  __pipeline_memcpy_async(&s[1][t], &in[128 + t], 4);
  __pipeline_commit();
  __pipeline_wait_prior(1);
  __syncthreads();
  EXPECT(s[0][127 - t] == in[127 - t]);
  __pipeline_wait_prior(0);
  __syncthreads();
  EXPECT(s[1][127 - t] == in[255 - t]);
}
KERNEL group(const int *in) {
  __shared__ __align__(16) int s[256];
  cg::thread_block block = cg::this_thread_block();
  cg::memcpy_async(block, s, in, sizeof s);
  cg::wait(block);
  EXPECT(s[threadIdx.x] == in[threadIdx.x]);
  block.sync();
  cg::memcpy_async(block, s, in + 32, cuda::aligned_size_t<16>(512));
  cg::wait(block);
  EXPECT(s[127 - threadIdx.x] == in[32 + 127 - threadIdx.x]);
}
KERNEL of_thread(const int *in) {
  __shared__ __align__(16) int s[2][128];
  auto pipe = cuda::make_pipeline();
  int t = threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(&s[0][t], &in[t], cuda::aligned_size_t<4>(4), pipe);
  pipe.producer_commit();
  for (int i = 0; i < 4; i++) {
    if (i < 3) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[(i + 1) % 2][t], &in[128 * (i + 1) + t], cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
      cuda::pipeline_consumer_wait_prior<1>(pipe);
    } else cuda::pipeline_consumer_wait_prior<0>(pipe);
    __syncthreads();
    EXPECT(s[i % 2][127 - t] == in[128 * i + 127 - t]);
    pipe.consumer_release();
    __syncthreads();
  }
}
KERNEL of_block(const int *in) {
  __shared__ __align__(16) int s[2][128];
  SHARED(state, cuda::pipeline_shared_state<cuda::thread_scope_block, 2>);
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  int t = threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(block, s[0], in, cuda::aligned_size_t<16>(512), pipe);
  pipe.producer_commit();
  for (int i = 0; i < 4; i++) {
    if (i < 3) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[(i + 1) % 2], in + 128 * (i + 1), cuda::aligned_size_t<16>(512), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    EXPECT(s[i % 2][127 - t] == in[128 * i + 127 - t]);
    pipe.consumer_release();
  }
}
KERNEL roles(const int *in) {
  __shared__ __align__(16) int s[2][128];
  SHARED(state, cuda::pipeline_shared_state<cuda::thread_scope_block, 2>);
  auto block = cg::this_thread_block();
  bool produces = threadIdx.x < 64;
  auto pipe = cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int t = threadIdx.x % 64;
  for (int i = 0; i < 4; i++) {
    if (produces) {
      pipe.producer_acquire();
      cuda::memcpy_async(&s[i % 2][t], &in[128 * i + t], cuda::aligned_size_t<4>(4), pipe);
      cuda::memcpy_async(&s[i % 2][t + 64], &in[128 * i + t + 64], cuda::aligned_size_t<4>(4), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      EXPECT(s[i % 2][127 - t] == in[128 * i + 127 - t]);
      pipe.consumer_release();
    }
  }
}
KERNEL barrier(const int *in) {
  __shared__ __align__(16) int s[128];
  SHARED(bar, cuda::barrier<cuda::thread_scope_block>);
  auto block = cg::this_thread_block();
  if (threadIdx.x == 0) {
    init(&bar, blockDim.x);
    asm volatile("fence.proxy.async;" ::: "memory");    // the copy is one of cp.async.bulk
  }
  block.sync();
  for (int i = 0; i < 4; i++) {
    cuda::memcpy_async(block, s, in + 128 * i, cuda::aligned_size_t<16>(512), bar);
    bar.arrive_and_wait();
    EXPECT(s[127 - threadIdx.x] == in[128 * i + 127 - threadIdx.x]);
    bar.arrive_and_wait();
  }
}
KERNEL single(const int *in) {
  __shared__ __align__(16) int s[128];
  SHARED(bar, cuda::barrier<cuda::thread_scope_block>);
  if (threadIdx.x == 0) init(&bar, blockDim.x);
  __syncthreads();
  int t = threadIdx.x;
  for (int i = 0; i < 4; i++) {
    cuda::memcpy_async(&s[t], &in[128 * i + t], 4, bar);
    auto token = bar.arrive();
    bar.wait(std::move(token));
    EXPECT(s[127 - t] == in[128 * i + 127 - t]);
    bar.arrive_and_wait();
  }
}
// Two rows, the copies of each told to an mbarrier of its own.
__device__ void two_copies(const int *in, int (*s)[32], u32 first, u32 second) {
  u32 t = threadIdx.x;
  __pipeline_memcpy_async(&s[0][t], &in[t], 4);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(first) : "memory");
  __pipeline_memcpy_async(&s[1][t], &in[32 + t], 4);
  asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(second) : "memory");
}
__device__ void wait(u32 bar) {
  u32 done = 0;
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done) : "r"(bar) : "memory");
}
#define TWO_BARRIERS                                                                                       \
  __shared__ __align__(16) int s[2][32];                                                                   \
  __shared__ __align__(8) unsigned long long bar[2];                                                       \
  u32 t = threadIdx.x, lane = t % 32, first = (u32)__cvta_generic_to_shared(&bar[0]), second = first + 8;  \
  if (t < 2) asm volatile("mbarrier.init.shared.b64 [%0], 32;" ::"r"(first + 8 * t) : "memory");           \
  __syncthreads();

// Half of the block waits at the second of two mbarriers, which is told of all that was copied before.
KERNEL later(const int *in) {
  TWO_BARRIERS
  if (t < 32) {
    two_copies(in, s, first, second);
    return;
  }
  wait(second);
  EXPECT(s[0][31 - lane] == in[31 - lane] && s[1][31 - lane] == in[63 - lane]);
}

// The first tells nothing of what was copied behind it, though that is here as well: another warp has seen it.
KERNEL first(const int *in, u32 bad) {
  __shared__ int seen;
  if (threadIdx.x == 0) seen = 0;
  TWO_BARRIERS
  if (t < 32) {
    two_copies(in, s, first, second);
  } else if (t < 64) {
    wait(second);
    asm volatile("red.relaxed.cta.shared.add.u32 [%0], 1;" ::"r"((u32)__cvta_generic_to_shared(&seen)));
  } else {
    int all = 0;
    while (all < 32) asm volatile("ld.relaxed.cta.shared.u32 %0, [%1];" : "=r"(all) : "r"((u32)__cvta_generic_to_shared(&seen)));
    wait(first);
    EXPECT(s[bad][31 - lane] == in[32 * bad + 31 - lane]);
  }
}
