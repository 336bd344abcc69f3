// While longer walks are tried, the body as it was waits aside. Nobody who walks the uses of an argument may meet it there: in clang's
// pipeline its blocks bear the numbers of others, and a test that a first one seems to settle was folded away.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -ffp-contract=off -S -emit-llvm %s -o %t.plain.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -ffp-contract=off -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -mllvm -coalda-check -S -emit-llvm %s -o /dev/null
// RUN: %FileCheck %s < %t.ll
// RUN: %sim %t.plain.ll --kernel of_int --grid 2 --block 64 --compare %t.ll -- frand:32768 i32:0 zero:1024 i32:128
// RUN: %sim %t.plain.ll --kernel of_int --grid 2 --block 64 --compare %t.ll -- frand:32768 i32:1 zero:1024 i32:128
// RUN: %sim %t.plain.ll --kernel of_long --grid 2 --block 64 --compare %t.ll -- frand:32768 i64:0 zero:1024 i32:128
// RUN: %sim %t.plain.ll --kernel of_short --grid 2 --block 64 --compare %t.ll -- frand:32768 i32:0 zero:1024 i32:128
// RUN: %sim %t.plain.ll --kernel of_doubles --grid 2 --block 64 --compare %t.ll -- drand:65536 i32:0 zero:2048 i32:128
// RUN: %sim %t.plain.ll --kernel guarded --grid 2 --block 64 --compare %t.ll -- frand:32768 i32:0 zero:1024 i32:128
// RUN: %sim %t.plain.ll --kernel before --grid 2 --block 64 --compare %t.ll -- frand:32768 i64:0 zero:1024 i32:128
// The walk is a longer one: there was a trial.
// CHECK-LABEL: @_Z6of_intPKfiPfi(
// CHECK: shfl.sync

#define KERNEL(name, Element, Number, first, guard)                                                                    \
  __global__ void name(const Element *__restrict__ p, Number d, Element *__restrict__ q, int n) {                      \
    int t = blockIdx.x * blockDim.x + threadIdx.x;                                                                     \
    first guard {                                                                                                      \
      Element s = 0;                                                                                                   \
      for (int i = 0; i < 64; i++)                                                                                     \
        s = s * Element(0.5) + p[t * 64 + i];                                                                          \
      if (d > 0)                                                                                                       \
        q[t + n] = s;                                                                                                  \
      if (d == 0)                                                                                                      \
        q[t] = 5;                                                                                                      \
    }                                                                                                                  \
  }

KERNEL(of_int, float, int, , )
KERNEL(of_long, float, long long, , )
KERNEL(of_short, float, short, , )
KERNEL(of_doubles, double, int, , )
KERNEL(guarded, float, int, , if (t < n))
KERNEL(before, float, long long, if (n > 7) q[t] = 1;, )
