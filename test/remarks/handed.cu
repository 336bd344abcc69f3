// A load of what the thread has stored before is handed on in a register: it is told so, not as a row that is walked in vain.
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %report %t.yaml --format=csv | %FileCheck %s

// CHECK-NOT: WalkApart
// CHECK: load,global,8,{{.*}},exchange,{{.*}},HandedOn,
// CHECK-NOT: WalkApart
extern "C" __global__ void adi_rows(const double *__restrict__ a, double *x, double *b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int j = 1; j < n; j++) {
    x[i * n + j] -= x[i * n + j - 1] * a[i * n + j] / b[i * n + j - 1];
    b[i * n + j] -= a[i * n + j] * a[i * n + j] / b[i * n + j - 1];
  }
}
