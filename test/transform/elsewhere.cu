// Functions of other modules may have shared memory of their own, of which nobody knows before all is linked: no ring is made beside
// them that would take more than the tile did.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -fgpu-rdc -O3 -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='coalda<always>' -S %t.ll -o - 2>&1 | %FileCheck %s

extern __device__ float other(float x);
extern __device__ float (*chosen)(float x);

static __device__ __noinline__ float through(float x) { return other(x) + 1; }
static __device__ __noinline__ float own(float x) { return x * x + 1; }

// A tile loop that calls; `use` is what it does with an element. The call stands outside of the loop, too.
#define TILES(name, use)                                                                                               \
  __global__ void name(const float *__restrict__ g, float *__restrict__ out, int n) {                                 \
    __shared__ float s[256];                                                                                           \
    float sum = 0;                                                                                                     \
    for (int k = 0; k < n; k++) {                                                                                      \
      s[threadIdx.x] = g[k * 256 + threadIdx.x];                                                                       \
      __syncthreads();                                                                                                 \
      for (int e = 0; e < 16; e++)                                                                                     \
        sum += s[(threadIdx.x * 37 + e) & 255];                                                                        \
      __syncthreads();                                                                                                 \
    }                                                                                                                  \
    out[threadIdx.x] = use(sum);                                                                                       \
  }

// CHECK-NOT: .ring
// CHECK: @{{.*}}alone{{.*}}.ring = internal addrspace(3) global
// CHECK-NOT: .ring
// CHECK: define
TILES(direct, other)
TILES(indirect, through)
TILES(pointed, chosen)
TILES(alone, own)
