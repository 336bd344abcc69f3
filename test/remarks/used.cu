// A tile that something else than loads reads, and why that keeps its loop as it is: true words, not "outside of the loop".
// RUN: %clang-device -O2 %s -o %t.ll && %opt -passes='coalda<always>' -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %FileCheck %s < %t.yaml

static __device__ __noinline__ float last(const float *tile, int k) { return tile[(k * 7) & 63]; }
// CHECK: - Kernel: {{ *}}called
// CHECK: - Copies:
// CHECK: - Refusal: {{ *}}TileOrder
extern "C" __global__ void called(const float *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ float t[64];
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    t[threadIdx.x] = a[k * 64 + threadIdx.x];
    __syncthreads();
    s += last(t, k);
    __syncthreads();
  }
  q[threadIdx.x] = s;
}
// CHECK: - Kernel: {{ *}}fragments
// CHECK: - Copies:
// CHECK: - Refusal: {{ *}}TileUsed
extern "C" __global__ void fragments(const int *__restrict__ a, int *__restrict__ q, int n) {
  __shared__ int t[128];
  int s[8] = {};
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    t[threadIdx.x] = a[k * 128 + threadIdx.x];
    __syncthreads();
    int f[8];
    __hmma_m16n16k16_ld_a(f, t, 16, 0);
    for (int i = 0; i < 8; i++) s[i] += f[i];
    __syncthreads();
  }
  for (int i = 0; i < 8; i++) q[threadIdx.x * 8 + i] = s[i];
}
