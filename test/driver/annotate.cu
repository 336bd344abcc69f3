// Options of one kernel by annotate(); a wrong one is an error of the compilation that names the kernel.
// RUN: %clang-device -O1 %s -o %t.ll && %opt -passes='print<coalda>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %not %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O1 -DWRONG -fpass-plugin=%plugin -Rpass-analysis=coalda -S %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=WRONG
// A wrong flag of clang is one as well, and no fault of the compiler's own.
// RUN: %not %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O1 -fpass-plugin=%plugin -Xarch_device -mllvm=-coalda-block=5 -S %s -o %t.ptx > %t.flag 2>&1
// RUN: %FileCheck %s --check-prefix=FLAG < %t.flag
// FLAG-NOT: PLEASE
// FLAG: {{^}}error: coalda option 'block' takes 0, 32, 64, 128 or 256, not '5'
// FLAG-NOT: PLEASE
// CHECK-LABEL: square
// CHECK: load global 4 strided 4000 16 4
// CHECK-LABEL: any
// CHECK: load global 4 strided 4000 32 4
// WRONG: error: {{.*}}wrong{{.*}}: coalda option 'shape' takes
#ifdef WRONG
__attribute__((annotate("coalda.shape=nought"))) __global__ void wrong(const float *p, float *q) { q[threadIdx.x] = p[threadIdx.x]; }
#endif
__attribute__((annotate("coalda.shape=16x16"))) __global__ void square(const float *p, float *q) {
  q[threadIdx.y * 16 + threadIdx.x] = p[threadIdx.x * 1000 + threadIdx.y];
}
__global__ void any(const float *p, float *q) {
  q[threadIdx.y * 16 + threadIdx.x] = p[threadIdx.x * 1000 + threadIdx.y];
}
