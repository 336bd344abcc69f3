// Quotients that may be products: of several by one divisor the backend makes products. They are left to the kernel.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -ffast-math -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares && grep entry %t.ptx | %FileCheck %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o %t.exact.ptx -fpass-plugin=%plugin -mllvm -coalda-spares && grep entry %t.exact.ptx | %FileCheck %s --check-prefix=EXACT
// Blocks of 1024 threads launch as they did, whatever registers the work of several takes:
// RUN: %FileCheck %s --check-prefix=BOUND < %t.exact.ptx
// BOUND: .entry {{.*}}quotients{{.*}}coalda1$blocks4
// BOUND: .maxntid 1024
// BOUND: .entry {{.*}}told{{.*}}coalda1$blocks4
// BOUND: .maxntid 256
// CHECK-NOT: quotients{{.*}}coalda1
// CHECK: products{{.*}}coalda1$blocks4
// CHECK-NOT: quotients{{.*}}coalda1
// EXACT: quotients{{.*}}coalda1$blocks4
__global__ void quotients(const float *a, float *o, float s, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = a[i] / s; }
__global__ void products(const float *a, float *o, float s, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = a[i] * s; }
__global__ void __launch_bounds__(256) told(const float *a, float *o, float s, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) o[i] = a[i] - s; }
