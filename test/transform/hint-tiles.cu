// RUN: %rewritten %s --temp %t.d
// Tiles that are loaded past the first-level cache: rings like any others. What is held in registers tells the caches what its loads told.
// TEXT: levels=O3,O1
// RUN: %clang-device -O3 -nocudainc -nocudalib -I%S/../gen -I%S %s -o %t.ll
// RUN: %opt -passes='coalda<always>' -S %t.ll -o - | %FileCheck %s
#include "hints.cuh"

// CHECK-LABEL: @words(
// CHECK: call void @llvm.nvvm.cp.async.
// CASE: words tile=pipelined block=64 full with=k=0,1,2,5 -- frand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL words(const float *g, float *q, int k) {
  __shared__ float s[64];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = cg(&g[(i * gridDim.x + blockIdx.x) * 64 + threadIdx.x]);
    __syncthreads();
    sum += s[63 - threadIdx.x] * 2;
    __syncthreads();
  }
  q[ROW] = sum;
}
// A vector that is taken apart waits in registers.
// CHECK-LABEL: @vectors(
// CHECK: asm "ld.global.cs.v4.f32
// CASE: vectors tile=held block=64 full with=k=0,1,2,5 -- frand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL vectors(const float4 *g, float *q, int k) {
  __shared__ float4 s[64];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = cs(&g[(i * gridDim.x + blockIdx.x) * 64 + threadIdx.x]);
    __syncthreads();
    sum += s[63 - threadIdx.x].x - s[threadIdx.x ^ 1].w;
    __syncthreads();
  }
  q[ROW] = sum;
}
// Converted on the way, under a condition.
// CHECK-LABEL: @guarded(
// CHECK: asm "ld.global.cs.s32
// CASE: guarded tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL guarded(const int *g, float *q, int k) {
  __shared__ float s[64];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = threadIdx.x % 3 ? (float)cs(&g[(i * gridDim.x + blockIdx.x) * 64 + threadIdx.x]) : 0;
    __syncthreads();
    sum += s[63 - threadIdx.x] * 2;
    __syncthreads();
  }
  q[ROW] = sum;
}
// The tile comes from an array that the loop writes by such stores.
// CASE: written tile=none block=64 full grid=1 with=k=1,2,5 -- frand:{4*T*(k+1)} i32:{k}
KERNEL written(float *g, int k) {
  __shared__ float s[64];
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = cg(&g[i * 64 + threadIdx.x]);
    __syncthreads();
    wt(&g[(i + 1) * 64 + threadIdx.x], s[63 - threadIdx.x] * 2);
    __syncthreads();
  }
}
// As often as the source says: the compiler would unroll the loop, and is kept from it, where that makes a ring.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -nocudainc -nocudalib -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s --check-prefix=KEPT < %t.ptx
// KEPT-LABEL: .entry eight(
// KEPT: cp.async.c
// KEPT: ret;
// CASE: eight tile=pipelined block=64 full -- frand:{4*T*8} zero:{4*T}
KERNEL eight(const float *g, float *q) {
  __shared__ float s[64];
  float sum = 0;
  for (int i = 0; i < 8; i++) {
    s[threadIdx.x] = cs(&g[(i * gridDim.x + blockIdx.x) * 64 + threadIdx.x]);
    __syncthreads();
    for (int k = 0; k < 64; k++) sum += s[k] * s[63 - threadIdx.x];
    __syncthreads();
  }
  q[ROW] = sum;
}
