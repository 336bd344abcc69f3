// A loop that moves a row along into itself, by a distance that run time knows, stays as it is: it is less than a piece as a rule. One known distance is
// a recurrence or none, and another array's row is another matter.
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -S %t.ll -o %t.out.ll
// RUN: %report %t.yaml --format=csv | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=MADE --input-file=%t.out.ll
#define ID (blockIdx.x * blockDim.x + threadIdx.x)
#define KERNEL extern "C" __global__ void

// CHECK-DAG: queue,{{.*}},load,{{.*}},WalkShift,
// MADE-LABEL: define{{.*}}@queue(
// MADE-NOT: shfl
KERNEL queue(float *q, int m, int k) {
  float *r = q + (long)ID * m;
#pragma unroll 1
  for (int j = 0; j < m - k; j++) r[j] = r[j + k];
}
// CHECK-DAG: state,{{.*}},load,{{.*}},WalkShift,
// MADE-LABEL: define{{.*}}@state(
// MADE-NOT: shfl
struct State { short *s; int rows, m; unsigned batch, step; };
KERNEL state(State p, int k) {
  short *r = p.s + blockIdx.x * p.batch + threadIdx.x * p.rows;
#pragma unroll 1
  for (int j = 0; j < p.m - k; j++) r[j] = r[j + k];
}
// CHECK-NOT: copied,{{.*}}WalkShift
// MADE-LABEL: define{{.*}}@copied(
// MADE: shfl
KERNEL copied(float *__restrict__ q, const float *__restrict__ p, int m, int k) {
  float *r = q + (long)ID * m;
  const float *from = p + (long)ID * m;
#pragma unroll 1
  for (int j = 0; j < m - k; j++) r[j] = from[j + k] + 1;
}
