// Tile loops of a known number of iterations are kept from being unrolled, where a ring will be made of them; others are not.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -DRING -fpass-plugin=%plugin -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=RING
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -DRING -fpass-plugin=%plugin -Rpass=coalda -S %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=SAID
// Nothing else is to be seen of the plugin where the ring would not pay, or the programmer has said how to unroll.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S -emit-llvm %s -o %t.plain.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: cmp %t.plain.ll %t.ll
// A loop of a function that is inlined where there shall be no ring: unrolled after all.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -DLATE -fpass-plugin=%plugin -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=LATE

template <int TRIPS> static __device__ float tiles(const float *a, int stride) {
  __shared__ float s[256];
  float sum = 0;
  for (int k = 0; k < TRIPS; k++) {
    s[threadIdx.x] = a[k * stride + threadIdx.x];
    __syncthreads();
    sum += s[255 - threadIdx.x] * s[threadIdx.x ^ 1];
    __syncthreads();
  }
  return sum;
}

#if defined(RING)
// RING: define {{.*}}@_Z6becomePKfPfi(
// RING: call void @llvm.nvvm.cp.async.wait.group
// RING-NOT: coalda.kept
// SAID: loop stages global memory {{.*}}; rewritten: asynchronous copies
__global__ void become(const float *a, float *out, int stride) { out[blockIdx.x * 256 + threadIdx.x] = tiles<16>(a, stride); }
#elif defined(LATE)
// LATE: define {{.*}}@_Z4leftPKfPfi(
// LATE-COUNT-16: call void @llvm.nvvm.barrier
// LATE-NOT: call void @llvm.nvvm.barrier
// LATE-NOT: coalda.kept
__attribute__((annotate("coalda.stages=0"))) __global__ void left(const float *a, float *out, int stride) {
  out[blockIdx.x * 256 + threadIdx.x] = tiles<8>(a, stride);
}
#else
// Hundreds of reads of each tile hide what a copy takes, which only some threads make.
__global__ void busy(const float *a, float *out) {
  __shared__ float s[256];
  float sum = 0;
  for (int k = 0; k < 4; k++) {
    if (threadIdx.x < 128) s[threadIdx.x] = a[k * 256 + threadIdx.x];
    __syncthreads();
    for (int i = 0; i < 256; i++) sum = sum * 0.5f + s[(i ^ threadIdx.x) & 127];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
__global__ void unrolled(const float *a, float *out) {
  __shared__ float s[256];
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 8; k++) {
    s[threadIdx.x] = a[k * 256 + threadIdx.x];
    __syncthreads();
    sum += s[255 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}
#endif
