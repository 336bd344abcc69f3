// Loops that end behind their tile, by what all threads have found in it, stay as they are and are told why.
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %FileCheck %s < %t.yaml

// CHECK: Name: TileLoop
// CHECK: Function: until_done
// CHECK: the loop may end behind a barrier of its own
extern "C" __global__ void until_done(const int *g, int *out, int k) {
  __shared__ int s[64];
  int sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = g[(blockIdx.x * k + i) * 64 + threadIdx.x];
    __syncthreads();
    sum = sum * 31 + s[63 - threadIdx.x];
    if (__syncthreads_and(sum % 4 == 1)) break;
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
// CHECK: Name: TileLoop
// CHECK: Function: until_told
// CHECK: the loop may end behind a barrier of its own
extern "C" __global__ void until_told(const int *g, int *out, int k) {
  __shared__ int s[64], done;
  int sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = g[(blockIdx.x * k + i) * 64 + threadIdx.x];
    __syncthreads();
    sum = sum * 31 + s[63 - threadIdx.x];
    if (threadIdx.x == 0) done = sum % 4 == 1;
    __syncthreads();
    if (done) break;
  }
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}
