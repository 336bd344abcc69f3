// A tile that something else than loads reads: a call and tensor cores become part of the ring. What keeps a loop as it is, is told in true
// words, not "outside of the loop".
// RUN: %clang-device -O2 %s -o %t.ll && %opt -passes='coalda<always>' -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %FileCheck %s < %t.yaml
// RUN: %opt -passes='coalda<always;without=register-rings>' -pass-remarks-output=%t.2.yaml -disable-output %t.ll
// RUN: %FileCheck %s --check-prefix=TOLD < %t.2.yaml
// RUN: %FileCheck %s --check-prefix=CALLED < %t.yaml

static __device__ __noinline__ float last(const float *tile, int k) { return tile[(k * 7) & 63]; }
// CHECK: - Kernel: {{ *}}called
// CHECK: - Copies:
// CHECK: - Refusal: {{ *}}None
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
// CHECK: - Refusal: {{ *}}None
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
// CHECK: - Kernel: {{ *}}fenced
// CHECK: - Copies:
// CHECK: - Refusal: {{ *}}TileOrder
extern "C" __global__ void fenced(const float *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ float t[64];
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    t[threadIdx.x] = a[k * 64 + threadIdx.x];
    __syncthreads();
    s += t[(k * 7) & 63];
    __nvvm_membar_gl();
    __syncthreads();
  }
  q[threadIdx.x] = s;
}
// TOLD: - Kernel: {{ *}}told
// TOLD: - Copies:
// TOLD: - Refusal: {{ *}}TileUsed
// TOLD-NEXT: - Obstacle: {{ *}}''
extern "C" __global__ void told(const float *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ float t[64];
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    t[threadIdx.x] = a[k * 64 + threadIdx.x];
    __syncthreads();
    s += t[(k * 7) & 63] + (float)((unsigned long long)t >> 4);
    __syncthreads();
  }
  q[threadIdx.x] = s;
}
// A function that the loop calls fills the tile, and would not make a ring of it in the loop either.
static __device__ __noinline__ void fill_ahead(float *t, const float *a, int limit) {
  for (int i = threadIdx.x; i < 512; i += blockDim.x) t[i] = i < limit ? a[i] * 2 : 0;
}
// CALLED: - Kernel: {{ *}}filled_by_call
// CALLED: - Copies: {{ *}}'0'
// CALLED: - Converting: {{ *}}'1'
// CALLED: - Refusal: {{ *}}TileCalled
extern "C" __global__ void filled_by_call(const float *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ float t[512];
  float s = 0;
#pragma unroll 1
  for (int k = 0; k < n; k += 512) {
    fill_ahead(t, a + k, n - k);
    __syncthreads();
    s += t[(k * 7 + threadIdx.x) & 511];
    __syncthreads();
  }
  q[threadIdx.x] = s;
}
