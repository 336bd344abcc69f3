// Off, by every way there is: no remark, and the same bytes as without the plugin.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o %t.plain.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o %t.on.ptx -fpass-plugin=%plugin -Rpass-analysis=coalda 2>&1 | %FileCheck %s --check-prefix=ON
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o %t.off.ptx -fpass-plugin=%plugin -mllvm -coalda-off -Rpass-analysis=coalda 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// RUN: diff %t.plain.ptx %t.off.ptx
// RUN: %clang-device -O2 %s -o %t.ll && %opt-plain -passes=verify %t.ll -o %t.plain.bc
// RUN: %opt -passes='coalda<off>' %t.ll -o %t.off.bc && cmp %t.plain.bc %t.off.bc
// RUN: %opt -passes='print<coalda>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=TABLE

// ON: remark: load of 4 bytes in global memory, strided with stride 8
// OFF-NOT: remark:
// TABLE-NOT: quiet
// TABLE: loud
// TABLE-NOT: quiet
__global__ void loud(const float *p, float *q) { q[threadIdx.x] = p[2 * threadIdx.x]; }
__attribute__((annotate("coalda.off"))) __global__ void quiet(const float *p, float *q) {
  q[threadIdx.x] = p[3 * threadIdx.x];
}
