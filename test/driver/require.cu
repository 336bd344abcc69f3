// COALDA_REQUIRE: what a kernel requires and what is not made of it is an error at its line, which says what stands in the way and what helps.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include -DMET -fpass-plugin=%plugin -S %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=MET --allow-empty
// MET-NOT: error
// RUN: %not %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -gline-tables-only -std=c++17 -I%source/include -DMISSED -fpass-plugin=%plugin -S %s -o %t.ptx > %t.missed 2>&1
// RUN: %FileCheck %s --check-prefix=MISSED < %t.missed
// Without debug information, at the kernel.
// RUN: %not %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include -DMISSED -fpass-plugin=%plugin -S %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=KERNEL
// RUN: %not %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include -DUNKNOWN -fpass-plugin=%plugin -S %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: error: unknown: coalda option 'require': there is no requirement 'rings'; there are ring, fill, coalesced, banks, registers
// Of all kernels, by a flag; and a kernel that is off is asked nothing.
// RUN: %not %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include -DPLAIN -fpass-plugin=%plugin -Xarch_device -mllvm=-coalda-require=ring -S %s -o %t.ptx > %t.flag 2>&1
// RUN: %FileCheck %s --check-prefix=FLAG < %t.flag
// FLAG: error: plain requires 'ring': no loop stages global memory in shared memory; copy, __syncthreads()
// FLAG-NOT: error: off
// Nothing to the host, to code that is to be debugged, and to compilers without the plugin.
// RUN: %clang --cuda-host-only -O3 -std=c++17 -I%source/include -DMISSED -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O0 -std=c++17 -I%source/include -DMISSED -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -Wall -Werror -Wno-unknown-cuda-version -std=c++17 -I%source/include -DMISSED -DUNKNOWN -S %s -o %t.ptx
// RUN: %cuda/bin/nvcc -std=c++17 -arch=sm_90 -I%source/include -DMISSED -DUNKNOWN -ptx -o %t.ptx %s
#include "coalda.h"
#define KERNEL extern "C" __global__
#ifdef MET
// Both; a second run of the plugin, of what is rewritten by now, finds nothing missing either.
// RUN: %clang-device -O3 -std=c++17 -I%source/include -DMET -fpass-plugin=%plugin -S %s -o %t.once.ll && %opt -passes=coalda -disable-output %t.once.ll
KERNEL COALDA_REQUIRE("ring") COALDA_REQUIRE("coalesced+banks") void ring(const float *__restrict__ g, float *__restrict__ out, int k) {
  __shared__ float s[256];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy(s, g + (blockIdx.x * k + i) * 256, 256);
    coalda::wait(f);
    sum += s[255 - threadIdx.x];
    coalda::done();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
struct Record { float x[12]; };
KERNEL COALDA_REQUIRE("coalesced") void records(const Record *__restrict__ g, Record *__restrict__ out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Record r = g[i];
  for (int k = 0; k < 12; k++) r.x[k] *= 2;
  out[i] = r;
}
KERNEL COALDA_REQUIRE("registers") void held(const float *__restrict__ g, float *__restrict__ out, int n) {
  float v[8];
  for (int k = 0; k < 8; k++) v[k] = g[k * n + threadIdx.x];
  float sum = 0;
  for (int k = 0; k < 8; k++) sum += v[k] * v[7 - k];
  out[threadIdx.x] = sum;
}
KERNEL COALDA_REQUIRE("fill") void filled(const float *__restrict__ g, float *__restrict__ out) {
  __shared__ float s[8192];
  for (unsigned k = threadIdx.x; k < 8192; k += blockDim.x) s[k] = g[blockIdx.x * 8192 + k];
  __syncthreads();
  float sum = 0;
  for (unsigned k = 0; k < 64; k++) sum += s[(threadIdx.x * 67 + k * 129) % 8192];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
#endif
#ifdef MISSED
KERNEL COALDA_REQUIRE("ring") void no_ring(const float *__restrict__ g, float *__restrict__ out, int k) {
// KERNEL: require.cu:[[@LINE-1]]:{{[0-9]+}}: error: no_ring requires 'ring': loop stages global memory
  __shared__ float s[256];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = g[(blockIdx.x * k + i) * 256 + threadIdx.x];
    __syncthreads();
    if (s[0] < 0) break;
// MISSED: require.cu:[[@LINE-1]]:{{[0-9]+}}: error: no_ring requires 'ring': loop stages global memory in shared memory; not rewritten: the loop does not run from barrier to barrier with one way in and one way out{{.*}}; leave it by its condition alone
    sum += s[255 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
KERNEL COALDA_REQUIRE("coalesced") void strided(const float *__restrict__ g, float *__restrict__ out, int n) {
// MISSED: require.cu:[[@LINE+1]]:{{[0-9]+}}: error: strided requires 'coalesced': load of 4 bytes in global memory, strided with stride 400{{.*}}: 32 sectors where 4 would do; {{.*}}; let consecutive threads touch consecutive elements
  out[blockIdx.x * blockDim.x + threadIdx.x] = g[threadIdx.x * 100];
}
KERNEL COALDA_REQUIRE("banks") void conflicts(const float *__restrict__ g, float *__restrict__ out, int n) {
  extern __shared__ float d[];
  d[threadIdx.x] = g[threadIdx.x];
  __syncthreads();
// MISSED: require.cu:[[@LINE+1]]:{{[0-9]+}}: error: conflicts requires 'banks': load of 4 bytes in shared memory{{.*}}the host says how much shared memory there is; give the arrays constant sizes
  out[threadIdx.x] = d[threadIdx.x * 32];
}
KERNEL COALDA_REQUIRE("registers") void chosen(const float *__restrict__ g, float *__restrict__ out, const int *__restrict__ which) {
  float v[64];
  for (int k = 0; k < 64; k++) v[k] = g[k * 256 + threadIdx.x];
// MISSED: require.cu:{{[0-9]+}}:{{[0-9]+}}: error: chosen requires 'registers': data choose the elements of an array in local memory; compare with each index
  out[threadIdx.x] = v[which[threadIdx.x] & 63];
}
#endif
#ifdef UNKNOWN
KERNEL COALDA_REQUIRE("rings") void unknown(float *out) { out[threadIdx.x] = 1; }
#endif
#ifdef PLAIN
KERNEL void plain(float *out) { out[threadIdx.x] = 1; }
KERNEL COALDA_OFF void off(float *out) { out[threadIdx.x] = 1; }
#endif
