// Stages of one tile loop, by clang's loop pragmas: heard before the options of the kernel and of the command.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -foptimization-record-file=%t.yaml -fsave-optimization-record -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.yaml
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -mllvm -coalda-stages=0 -foptimization-record-file=%t.yaml -fsave-optimization-record -S %s -o %t.ptx
// RUN: %FileCheck %s --check-prefix=OFF < %t.yaml

#define KERNEL(NAME, PRAGMA)                                                                                           \
  __global__ void NAME(const float *a, float *y, int n) {                                                              \
    __shared__ float t[256];                                                                                           \
    float s = 0;                                                                                                       \
    _Pragma(PRAGMA) for (int k = 0; k < n; k++) {                                                                      \
      t[threadIdx.x] = a[k * 256 + threadIdx.x];                                                                       \
      __syncthreads();                                                                                                 \
      s += t[255 - threadIdx.x];                                                                                       \
      __syncthreads();                                                                                                 \
    }                                                                                                                  \
    y[threadIdx.x] = s;                                                                                                \
  }

// CHECK: {{loop stages.*ring of 5 stages}}
// OFF: {{loop stages.*an option or a pragma leaves the loop}}
KERNEL(plain, "clang loop vectorize(enable)")
// CHECK: {{loop stages.*ring of 3 stages}}
// OFF: {{loop stages.*ring of 3 stages}}
KERNEL(three, "clang loop pipeline_initiation_interval(3)")
// CHECK: {{loop stages.*ring of 6 stages}}
// OFF: {{loop stages.*ring of 6 stages}}
__attribute__((annotate("coalda.stages=4"))) KERNEL(six, "clang loop pipeline_initiation_interval(6)")
// CHECK: {{loop stages.*an option or a pragma leaves the loop}}
// CHECK: Refusal: {{ *}}TileUnwanted
KERNEL(one, "clang loop pipeline_initiation_interval(1)")
// CHECK: {{loop stages.*an option or a pragma leaves the loop}}
// CHECK: Refusal: {{ *}}TileUnwanted
__attribute__((annotate("coalda.stages=4"))) KERNEL(disabled, "clang loop pipeline(disable)")
