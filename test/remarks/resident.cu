// Blocks that an SM holds at once, before and after, as far as shared memory and launch bounds say.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -fpass-plugin=%plugin -foptimization-record-file=%t.yaml -fsave-optimization-record -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.yaml
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_86 -O2 -fpass-plugin=%plugin -foptimization-record-file=%t.86.yaml -fsave-optimization-record -S %s -o %t.ptx
// RUN: %FileCheck %s --check-prefix=SM86 < %t.86.yaml

template <int THREADS> static __device__ float sum_of(const float *a, int n) {
  __shared__ float t[THREADS];
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    t[threadIdx.x] = a[k * THREADS + threadIdx.x];
    __syncthreads();
    s += t[THREADS - 1 - threadIdx.x];
    __syncthreads();
  }
  return s;
}

// 2 KB of shared memory, of 228 KB; nothing is known of the threads. 5 stages of 4 tiles.
// CHECK-LABEL: Function: {{ *}}_Z7unknownPKfPfi
// CHECK: - String: {{.*}}loop stages global memory
// CHECK: - ResidentBefore: {{ *}}'32'
// CHECK-NEXT: - ResidentAfter: {{ *}}'5'
__global__ void unknown(const float *a, float *y, int n) { y[threadIdx.x] = sum_of<512>(a, n); }

// 2048 threads; on sm_86 1536.
// CHECK: Function: {{ *}}_Z7boundedPKfPfi
// CHECK: - String: {{.*}}loop stages global memory
// CHECK: - ResidentBefore: {{ *}}'4'
// CHECK-NEXT: - ResidentAfter: {{ *}}'4'
// SM86: Function: {{ *}}_Z7boundedPKfPfi
// SM86: - String: {{.*}}loop stages global memory
// SM86: - ResidentBefore: {{ *}}'3'
__global__ void __launch_bounds__(512) bounded(const float *a, float *y, int n) { y[threadIdx.x] = sum_of<512>(a, n); }

// Registers hold the tile: shared memory is as it was, and what registers leave room for is the backend's affair.
// CHECK: Function: {{ *}}_Z4heldPKfPfi
// CHECK: - String: {{.*}}held in registers
// CHECK-NOT: Resident
__global__ void held(const float *a, float *y, int n) {
  __shared__ double t[256];
  double s = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    t[threadIdx.x] = a[k * 256 + threadIdx.x];
    __syncthreads();
    s += t[255 - threadIdx.x];
    __syncthreads();
  }
  y[threadIdx.x] = s;
}
