// clang++ -fpass-plugin, no other flag needed: several architectures at once, host code untouched, a program linked.
// RUN: %clang --cuda-gpu-arch=sm_80 --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -Rpass-analysis=coalda -c %s -o %t.o 2>&1 | %FileCheck %s
// RUN: %clang --cuda-host-only -O3 -S %s -o %t.plain.s
// RUN: %clang --cuda-host-only -O3 -S %s -o %t.plugin.s -fpass-plugin=%plugin -Rpass-analysis=coalda 2>&1 | %FileCheck %s --check-prefix=HOST --allow-empty
// RUN: diff %t.plain.s %t.plugin.s
// RUN: %clang --cuda-gpu-arch=sm_90 -O0 -fpass-plugin=%plugin -Rpass-analysis=coalda -c %s -o %t.o0.o 2>&1 | %FileCheck %s --check-prefix=NONE
// One remark an access and architecture.
// CHECK-COUNT-2: clang.cu:[[#@LINE+9]]:{{[0-9]+}}: remark: load of 4 bytes in global memory, strided with stride 8: 8 sectors where 4 would do; consecutive threads skip the bytes between them; let consecutive threads
// CHECK-NOT: strided
// HOST-NOT: remark:
// Without optimization the same is said, of a promoted copy.
// NONE: remark: load of 4 bytes in global memory, strided with stride 8
#include <cstdio>
__global__ void kernel(const float *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    q[i] = p[2 * i];
}
int main() {
  int device = 0;
  printf("%d\n", cudaGetDeviceCount(&device) == cudaSuccess ? device : -1);
  if (device > 0)
    kernel<<<1, 32>>>(nullptr, nullptr, 0);
}
