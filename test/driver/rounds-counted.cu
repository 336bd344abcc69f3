// Numbers made of a counter are constants where LLVM makes straight code of both loops, and are rounded when it is compiled: such loops are not kept for iterations
// side by side, which would add the products unrounded.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o %t.ptx -fpass-plugin=%plugin
// RUN: %FileCheck %s < %t.ptx
// CHECK-LABEL: .entry counted(
// CHECK-NOT: fma.rn
// CHECK: .entry doubled(
// CHECK-NOT: fma.rn
// CHECK: .entry known(
extern "C" __global__ void counted(const float *__restrict__ x, float *__restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float y = x[i];
  for (int j = 0; j < 18; j++) {
    float s = y;
    for (int k = j; k < 18; k++) s += 0.3f * k;
    o[(long)i * 18 + j] = s;
  }
}
extern "C" __global__ void doubled(const double *__restrict__ x, double *__restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double y = x[i];
  for (int j = 0; j < 17; j++) {
    double s = y;
    for (int k = j; k < 17; k++) s -= 0.1 * (j * k);
    o[(long)i * 17 + j] = s;
  }
}
extern "C" __global__ void known(int *o) { *o = 1; }
