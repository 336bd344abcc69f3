// Records in variables whose alignment is known: whether they are aligned is not asked, and the loads as they were go. Of less alignment, and
// of arguments, it is asked.
// RUN: %clang-device -O3 -ffp-contract=off %s -o %t.plain.ll
// RUN: %clang-device -O3 -ffp-contract=off %s -fpass-plugin=%plugin -o %t.ll
// RUN: %FileCheck %s < %t.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_80 -O1 -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %sim %t.plain.ll --kernel known --grid 2 --block 64 --seeds 3 --compare %t.ll -- zero:512
// RUN: %sim %t.plain.ll --kernel offset --grid 2 --block 64 --seeds 3 --compare %t.ll -- zero:512
// RUN: %sim %t.plain.ll --kernel loose --grid 2 --block 64 --seeds 3 --compare %t.ll -- zero:512
// RUN: %sim %t.plain.ll --kernel stored --grid 2 --block 64 --seeds 3 --compare %t.ll -- frand:512 zero:512
// RUN: %sim %t.plain.ll --kernel stored --grid 2 --block 50 --seeds 3 --compare %t.ll -- frand:400 zero:400
#define KERNEL extern "C" __global__ void
#define I (int)(blockIdx.x * blockDim.x + threadIdx.x)
struct Record {
  float a[8];
};
__device__ alignas(128) Record table[1 << 10] = {{1, 2, 3, 4, 5, 6, 7, 8}, {9, 10, 11, 12, 13, 14, 15, 16}};
__device__ Record loosely[1 << 10] = {{1, 2, 3, 4, 5, 6, 7, 8}};
__device__ alignas(128) float shifted[1 << 13] = {1, 2, 3, 4, 5, 6, 7, 8, 9};
__device__ alignas(128) Record kept[1 << 10];

// CHECK-LABEL: @known(
// CHECK-NOT: br i1 %
// CHECK: br i1 true
// CHECK-COUNT-2: load <4 x
// CHECK-NOT: br i1
// CHECK: ret void
// PTX-LABEL: .entry known(
// PTX-NOT: bra
// PTX: ret;
KERNEL known(float *__restrict__ out) {
  float sum = 0;
  for (int j = 0; j < 8; j++)
    sum = sum * 3 + table[I].a[j];
  out[I] = sum;
}
// One word off: not at multiples of the unit.
// CHECK-LABEL: @offset(
// CHECK-NOT: load <4 x {{.*}}@shifted
// CHECK: ret void
KERNEL offset(float *__restrict__ out) {
  float sum = 0;
  for (int j = 0; j < 8; j++)
    sum = sum * 3 + shifted[I * 8 + j + 1];
  out[I] = sum;
}
// CHECK-LABEL: @loose(
// CHECK: and i64 {{.*}}@loosely{{.*}}, 15
// CHECK: br i1 %
// CHECK: ret void
KERNEL loose(float *__restrict__ out) {
  float sum = 0;
  for (int j = 0; j < 8; j++)
    sum = sum * 3 + loosely[I].a[j];
  out[I] = sum;
}
// Whether all lanes are there is asked all the same.
KERNEL stored(const float *__restrict__ in, float *__restrict__ out) {
  float x = in[I];
  Record r;
  for (int j = 0; j < 8; j++)
    r.a[j] = x * j;
  kept[I] = r;
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < 8; j++)
    sum = sum * 3 + kept[I ^ 1].a[j];
  out[I] = sum;
}
