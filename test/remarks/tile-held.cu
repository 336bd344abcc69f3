// Loops of which neither asynchronous copies nor registers make anything are told of both; and once they are written as the remark says, their
// tiles wait in registers. (What keeps copies from being asynchronous: tile-remedies.cu.)
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O2 -std=c++17 -fpass-plugin=%plugin -Rpass-missed=coalda -Rpass=coalda -fsave-optimization-record -foptimization-record-file=%t.yaml -S %s -o %t.ptx 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=REST < %t.yaml
#define K extern "C" __global__ void __launch_bounds__(256)
#define TILES _Pragma("unroll 1") for (int k = 0; k < n; k++)

// TileRoom, and TileWords: too large for shared memory, and for the thread's registers.
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: two stages of the tile do not fit into shared memory; make the tile smaller
// REST-DAG: Rest: {{.*}}nor held in registers: a thread copies more than registers hold, or nobody knows how much; copy less, a known number of times
K large(const float *__restrict__ g, float *__restrict__ q, int n) {
  __shared__ float s[32][256];
  float sum = 0;
  TILES {
#pragma unroll
    for (int i = 0; i < 32; i++) s[i][threadIdx.x] = g[k * 8192 + i * 256 + threadIdx.x];
    __syncthreads();
    sum += s[k & 31][255 - threadIdx.x];
    __syncthreads();
  }
  q[threadIdx.x] = sum;
}
// CHECK-DAG: [[#@LINE+7]]:{{[0-9]+}}: remark: {{.*}}; rewritten: asynchronous copies run ahead
K small(const float *__restrict__ g, float *__restrict__ q, int n) {
  __shared__ float s[8][256];
  float sum = 0;
  TILES {
#pragma unroll
    for (int i = 0; i < 8; i++) s[i][threadIdx.x] = g[k * 2048 + i * 256 + threadIdx.x];
    __syncthreads();
    sum += s[k & 7][255 - threadIdx.x];
    __syncthreads();
  }
  q[threadIdx.x] = sum;
}

// TileWords alone: nobody knows how much a thread copies.
// CHECK-DAG: [[#@LINE+6]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: a copied value is changed on the way, or used elsewhere: the store in line [[#@LINE+6]]; convert it when it is read
// REST-DAG: Rest: {{.*}}nor held in registers: a thread copies more than registers hold, or nobody knows how much; copy less, a known number of times
K uncounted(const float *__restrict__ g, float *__restrict__ q, int n, int m) {
  __shared__ float s[1024];
  float sum = 0;
  TILES {
    for (int i = threadIdx.x; i < m; i += 256) s[i] = g[k * 1024 + i] * 2;
    __syncthreads();
    sum += s[255 - threadIdx.x];
    __syncthreads();
  }
  q[threadIdx.x] = sum;
}
// CHECK-DAG: [[#@LINE+6]]:{{[0-9]+}}: remark: {{.*}}; rewritten: 4 tiles ahead held
K counted(const float *__restrict__ g, float *__restrict__ q, int n) {
  __shared__ float s[1024];
  float sum = 0;
  TILES {
    for (int i = 0; i < 4; i++) s[i * 256 + threadIdx.x] = g[k * 1024 + i * 256 + threadIdx.x] * 2;
    __syncthreads();
    sum += s[255 - threadIdx.x];
    __syncthreads();
  }
  q[threadIdx.x] = sum;
}

// Converted on its way, and then stored where the next tile may be.
// CHECK-DAG: [[#@LINE+4]]:{{[0-9]+}}: remark: {{.*}}; not rewritten: a copied value is changed on the way, or used elsewhere: the store in line [[#@LINE+5]]; convert it when it is read
// REST-DAG: Rest: {{.*}}nor held in registers: a store of the loop may write what a later copy reads: the store in line [[#@LINE+6]]; mark the pointers __restrict__, or store after the loop
K converted(float *g, float *q, int n, const int *at) {
  __shared__ float s[256];
  TILES {
    s[threadIdx.x] = g[k * 256 + threadIdx.x] * 2;
    __syncthreads();
    q[at[k] + threadIdx.x] = s[255 - threadIdx.x];
    __syncthreads();
  }
}
// CHECK-DAG: [[#@LINE+5]]:{{[0-9]+}}: remark: {{.*}}; rewritten: 8 tiles ahead held
K converted_restricted(const float *__restrict__ g, float *__restrict__ q, int n, const int *__restrict__ at) {
  __shared__ float s[256];
  TILES {
    s[threadIdx.x] = g[k * 256 + threadIdx.x] * 2;
    __syncthreads();
    q[at[k] + threadIdx.x] = s[255 - threadIdx.x];
    __syncthreads();
  }
}
