// Loops that leave iterations out, and fill their tiles in loops by constant steps: these are kept from being unrolled, as the tile loop is
// looked at as it will be. Its pragmas are heard then, too.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -fpass-plugin=%plugin -Rpass=coalda -Rpass-missed=coalda -S -emit-llvm %s -o %t.ll 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=LEFT < %t.ll
// LEFT-NOT: coalda.kept

#define LOOP(NAME, PRAGMA, WAY, BY)                                                                                      \
  __global__ void NAME(const float *g, float *out, int tiles, const int *wanted) {                                     \
    __shared__ float s[64][64];                                                                                        \
    int t = threadIdx.x;                                                                                               \
    float sum = 0;                                                                                                     \
    PRAGMA for (int j = 0; j < tiles; j++) {                                                                           \
      WAY                                                                                                              \
      for (int q = t; q < 4096; q += (BY)) s[q / 64][q % 64] = g[(long)j * 4096 + q];                                 \
      __syncthreads();                                                                                                 \
      for (int r = 0; r < 64; r++) sum += s[r][t & 63];                                                                \
      __syncthreads();                                                                                                 \
    }                                                                                                                  \
    out[blockIdx.x * blockDim.x + t] = sum;                                                                            \
  }

// CHECK-DAG: .cu:[[#@LINE+1]]:{{.*}}asynchronous copies run ahead in a ring
LOOP(causal, , if (j > (int)blockIdx.x) continue;, 256)
// CHECK-DAG: .cu:[[#@LINE+1]]:{{.*}}asynchronous copies run ahead in a ring
LOOP(masked, , if (wanted[j]) continue;, 256)
// CHECK-DAG: .cu:[[#@LINE+1]]:{{.*}}asynchronous copies run ahead in a ring
LOOP(ends, , if (j * 64 > (int)blockIdx.x * 64 + 63) break;, 256)
// CHECK-DAG: .cu:[[#@LINE+1]]:{{.*}}asynchronous copies run ahead in a ring of 2 stages
LOOP(two, _Pragma("clang loop pipeline_initiation_interval(2)"), if (j > (int)blockIdx.x) continue;, 256)
// CHECK-DAG: .cu:[[#@LINE+1]]:{{.*}}an option or a pragma leaves the loop as it is
LOOP(disabled, _Pragma("clang loop pipeline(disable)"), if (j > (int)blockIdx.x) continue;, 256)
// CHECK-DAG: .cu:[[#@LINE+1]]:{{.*}}an option or a pragma leaves the loop as it is
LOOP(disabled_of_block, _Pragma("clang loop pipeline(disable)"), if (j > (int)blockIdx.x) continue;, blockDim.x)
