// Products of other blocks, which LLVM does not see with the sums that add them, but ptxas does: where nothing but sums use one, and a
// factor is no register, all of them are one with it; else none is.
// RUN: %clang-device -O3 %s -o %t.ll
// RUN: %opt -passes='coalda<always>' -S %t.ll -o %t.out.ll
// RUN: %FileCheck %s < %t.out.ll
#define KERNEL extern "C" __global__ void
enum { TILE = 256 };
#define COPY s[threadIdx.x] = g[i + threadIdx.x]

// CHECK-LABEL: define{{.*}} void @in_front(
// CHECK-NOT: mul.rn
// CHECK-NOT: fmul
// CHECK-DAG: llvm.fma.f32(float %3,
// CHECK-DAG: cp.async
KERNEL in_front(const float *g, float *out, int n, float h) {
  __shared__ float s[TILE];
  float x = h * (float)(blockIdx.x * TILE + threadIdx.x), sum = 0;
  for (int i = 0; i < n; i += TILE) {
    COPY;
    __syncthreads();
    for (int k = 0; k < TILE; k++) { float d = x - s[k]; sum += d * d; }
    __syncthreads();
  }
  out[blockIdx.x * TILE + threadIdx.x] = sum;
}
// CHECK-LABEL: define{{.*}} void @doubles_in_front(
// CHECK-NOT: mul.rn
// CHECK-NOT: fmul
// CHECK: llvm.fma.f64(double %3,
KERNEL doubles_in_front(const double *g, double *out, unsigned long n, double h) {
  __shared__ double s[TILE];
  double x = h * g[threadIdx.x], y = h * g[threadIdx.x + 1], sum = 0;
  for (unsigned long i = 0; i < n; i += TILE) {
    COPY;
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum = (x - s[k]) * sum + (s[k] + y);
    __syncthreads();
  }
  out[blockIdx.x * TILE + threadIdx.x] = sum;
}
// Added behind the loop as well.
// CHECK-LABEL: define{{.*}} void @behind(
// CHECK-NOT: mul.rn
// CHECK-NOT: fmul
// CHECK: cp.async
// CHECK-LABEL: define{{.*}} void @stored(
// CHECK: llvm.nvvm.mul.rn.f
// CHECK: cp.async
KERNEL behind(const float *g, float *out, int n, float h) {
  __shared__ float s[TILE];
  float x = h * (float)(blockIdx.x * TILE + threadIdx.x), sum = 0;
  for (int i = 0; i < n; i += TILE) {
    COPY;
    __syncthreads();
    for (int k = 0; k < TILE; k++) { float d = x - s[k]; sum += d * d; }
    __syncthreads();
  }
  out[blockIdx.x * TILE + threadIdx.x] = sum / (x + g[n]);
}
KERNEL stored(const float *g, float *out, int n, float h) {
  __shared__ float s[TILE];
  float x = h * (float)(blockIdx.x * TILE + threadIdx.x), sum = 0;
  for (int i = 0; i < n; i += TILE) {
    COPY;
    __syncthreads();
    for (int k = 0; k < TILE; k++) { float d = x - s[k]; sum += d * d; }
    __syncthreads();
  }
  out[blockIdx.x * TILE + threadIdx.x] = sum / x;
}
// Nobody knows what ptxas makes of a factor in constant memory: it is to find what it found before.
__constant__ float known[4];
// CHECK-LABEL: define{{.*}} void @unknown(
// CHECK-NOT: mul.rn
// CHECK: fmul contract float
// CHECK-NOT: mul.rn
// CHECK: cp.async
// CHECK-LABEL: define{{.*}} void @unknown_behind(
KERNEL unknown(const float *g, float *out, int n) {
  __shared__ float s[TILE];
  float x = known[1] * (float)(blockIdx.x * TILE + threadIdx.x), sum = 0;
  for (int i = 0; i < n; i += TILE) {
    COPY;
    __syncthreads();
    for (int k = 0; k < TILE; k++) { float d = x - s[k]; sum += d * d; }
    __syncthreads();
  }
  out[blockIdx.x * TILE + threadIdx.x] = sum;
}
// Beside the loop as well: rewriting might bring the two into one block.
// CHECK: llvm.nvvm.mul.rn.f
KERNEL unknown_behind(const float *g, float *out, int n) {
  __shared__ float s[TILE];
  float x = known[1] * (float)(blockIdx.x * TILE + threadIdx.x), sum = 0;
  for (int i = 0; i < n; i += TILE) {
    COPY;
    __syncthreads();
    for (int k = 0; k < TILE; k++) { float d = x - s[k]; sum += d * d; }
    __syncthreads();
  }
  out[blockIdx.x * TILE + threadIdx.x] = sum / (x + g[n]);
}
// In another block of the loop that the product stands in.
// CHECK-LABEL: define{{.*}} void @in_loop(
// CHECK: llvm.nvvm.mul.rn.f
KERNEL in_loop(const float *g, float *out, int n, float h) {
  __shared__ float s[TILE];
  float sum = 0;
  for (int i = 0; i < n; i += TILE) {
    COPY;
    __syncthreads();
    float x = h * s[threadIdx.x ^ 1];
    if (s[5] > 0) sum = sum * 3 + s[threadIdx.x ^ 3] / (x + 1.f); else sum = x * x - sum;
    __syncthreads();
  }
  out[blockIdx.x * TILE + threadIdx.x] = sum;
}
