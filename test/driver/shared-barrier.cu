// Barriers and states of pipelines in __shared__, which clang alone refuses: with CUDA's own headers, by whatever way a source is compiled.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include/coalda/cccl -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: %sim %t.ll --kernel alone --grid 2 --block 64 --seeds 3 --dump=0:%t.alone -- zero:1024
// RUN: %python -c "import sys, array; a = array.array('i', open(sys.argv[1], 'rb').read()); assert list(a) == [3 * (i ^ 1) for i in range(128)] * 2, a" %t.alone
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include/coalda/cccl -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s --check-prefixes=CHECK,HOPPER < %t.ptx && %ptxas -arch=sm_90 %t.ptx -o /dev/null
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_80 -O3 -std=c++17 -I%source/include/coalda/cccl -fpass-plugin=%plugin -S %s -o %t.80.ptx
// RUN: %FileCheck %s --check-prefixes=CHECK,AMPERE < %t.80.ptx && %ptxas -arch=sm_80 %t.80.ptx -o /dev/null
// Whether or not anything is rewritten, and without optimization.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include/coalda/cccl -fpass-plugin=%plugin -mllvm -coalda-off -S %s -o %t.off.ptx
// RUN: %FileCheck %s --check-prefixes=CHECK,HOPPER < %t.off.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O0 -std=c++17 -I%source/include/coalda/cccl -fpass-plugin=%plugin -S %s -o %t.O0.ptx
// RUN: grep -c mbarrier.inval %t.O0.ptx | grep -qx 1 && %ptxas -arch=sm_90 %t.O0.ptx -o /dev/null
// Where no plugin puts the bodies of destructors back, calls of them are errors; what calls none is compiled.
// RUN: %not %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include/coalda/cccl -S %s -o /dev/null 2>&1 | %FileCheck %s --check-prefix=BARE
// BARE-COUNT-3: error: call to {{.*}}~barrier()' declared with 'error' attribute: the destructor of cuda::barrier needs the COALDA plugin
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include/coalda/cccl -DNONE -S %s -o /dev/null
// RUN: env COALDA_PLUGIN=%built %source/scripts/coalda-nvcc -arch=sm_80 %s -o %t.nvcc && %t.nvcc
// RUN: env COALDA_PLUGIN=%built %source/scripts/coalda-clang -std=c++17 -O2 %s -o %t.clang && %t.clang
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#define KERNEL extern "C" __global__ void
typedef cuda::barrier<cuda::thread_scope_block> Barrier;
struct Pair { Barrier full, empty; int n; };
template <class T> __device__ T *shared_bars() {
  __shared__ T bars[4];
  return bars;
}
__shared__ Barrier of_the_file;

KERNEL alone(int *p) {
  __shared__ Barrier bar;
  __shared__ Pair pair;
  __shared__ int s[64];
  Barrier *more = shared_bars<Barrier>();
  if (threadIdx.x == 0) init(&bar, 64), init(&pair.full, 64), init(&of_the_file, 64), init(more + 2, 64), pair.n = 3;
  __syncthreads();
  s[threadIdx.x] = blockIdx.x * 64 + threadIdx.x;
  bar.arrive_and_wait();
  int v = s[threadIdx.x ^ 1] * pair.n;
  pair.full.wait(pair.full.arrive());
  s[threadIdx.x] = v;
  more[2].arrive_and_wait();
  p[blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
  of_the_file.arrive_and_wait();
  p[128 + blockIdx.x * 64 + threadIdx.x] = s[threadIdx.x];
}
// CHECK-LABEL: .entry alone(
// CHECK-NOT: mbarrier.inval
// CHECK: ret;

#ifndef NONE
// The bytes are used for something else: the barrier is invalidated, once.
// CHECK-LABEL: .entry ended(
// HOPPER: isspacep.shared s, [[AT:%rd[0-9]+]];{{.*}} @s mbarrier.inval.shared.b64 [b]; isspacep.shared::cluster c, [[AT]]; not.pred s, s; and.pred c, c, s; @c trap;
// AMPERE: isspacep.shared s, {{%rd[0-9]+}};{{.*}} @s mbarrier.inval.shared.b64 [b]; }
// CHECK-NOT: mbarrier.inval
// CHECK: ret;
KERNEL ended(int *p) {
  extern __shared__ int raw[];
  Barrier *bar = (Barrier *)raw;
  if (threadIdx.x == 0) init(bar, blockDim.x);
  __syncthreads();
  p[threadIdx.x] = threadIdx.x;
  bar->arrive_and_wait();
  if (threadIdx.x == 0) bar->~Barrier();
  __syncthreads();
  raw[threadIdx.x] = p[threadIdx.x ^ 1];
  __syncthreads();
  p[threadIdx.x] += raw[threadIdx.x ^ 2];
}

// A pipeline ends its barriers itself.
// CHECK-LABEL: .entry piped(
// CHECK: mbarrier.inval
// CHECK: ret;
KERNEL piped(const int *p, int *q, int n) {
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  __shared__ int s[2][64];
  auto block = cooperative_groups::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  for (int i = 0; i <= n; i++) {
    if (i < n) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, s[i & 1], p + i * 64, sizeof s[0], pipe);
      pipe.producer_commit();
    }
    if (i == 0) continue;
    pipe.consumer_wait();
    q[(i - 1) * 64 + threadIdx.x] = s[(i - 1) & 1][63 - threadIdx.x];
    pipe.consumer_release();
  }
}
#endif
int main() {
  Barrier bar(1);
  bar.arrive_and_wait();
}
