// Arrays that stay in a thread's memory: ptxas may hold what is loaded there in registers that nobody has counted, and took 72 for 32 once the rows were exchanged, so that blocks
// of 1024 could not be launched. It is told to keep to 64.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o %t.ptx -fpass-plugin=%plugin
// RUN: %FileCheck %s < %t.ptx
// CHECK-LABEL: .entry rows(
// CHECK: .maxnreg 64
// A small one is left to ptxas.
// CHECK-LABEL: .entry few(
// CHECK-NOT: .maxnreg
// CHECK: ret;
extern "C" __global__ void rows(const unsigned *__restrict__ in, unsigned *__restrict__ o, int f) {
  int t = threadIdx.x;
  double v[24], u[24];
  for (int i = 0; i < 24; i++) v[i] = in[t * 64 + i], u[i] = in[4096 + t * 64 + i];
  unsigned sum = in[t];
  v[f] = 1;
  u[f] = 2;
  for (int i = 0; i < 24; i++) sum = sum * 3 ^ (unsigned)__double_as_longlong(u[i]);
  for (int i = 0; i < 24; i++) o[t * 64 + i] = (unsigned)__double_as_longlong(v[i]);
  for (int i = 0; i < 24; i++) o[4096 + i * 64 + t] = (unsigned)__double_as_longlong(u[i]);
  o[8192 + t] = sum;
}
extern "C" __global__ void few(const unsigned *__restrict__ in, unsigned *__restrict__ o, int f) {
  int t = threadIdx.x;
  unsigned v[8];
  for (int i = 0; i < 8; i++) v[i] = in[t * 8 + i];
  v[f & 7] = 1;
  for (int i = 0; i < 8; i++) o[t * 8 + i] = v[i];
}
