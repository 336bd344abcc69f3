// RUN: %clang-device -O3 -ffp-contract=fast -o %t.ll %s
// RUN: %opt -passes='coalda<settle>' -S %t.ll -o %t.before.ll
// RUN: %opt -passes='coalda<always>' -S %t.ll -o %t.after.ll
// RUN: %FileCheck %s < %t.before.ll
// RUN: %sim %t.before.ll --kernel sums --grid 2 --block 64 --compare %t.after.ll -- frand:2560 zero:1024
// RUN: %not %sim %t.ll --kernel sums --grid 2 --block 64 --compare %t.after.ll -- frand:2560 zero:1024
// What is rounded once stands in the rewritten module, and is written down in the original too before the two are compared.
// CHECK: call contract float @llvm.fma
// CHECK-NOT: llvm.nvvm.shfl
#define ROW (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void sums(const float *__restrict__ p, float *__restrict__ q) {
  const float *r = p + ROW * 5;
  float t = r[0] * r[1], first = t + r[2] * r[3], second = r[4] - t;
  q[ROW * 2] = first;
  q[ROW * 2 + 1] = second;
}
