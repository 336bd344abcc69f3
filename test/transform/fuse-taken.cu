// RUN: %clang-device -O3 -ffp-contract=fast -fpass-plugin=%plugin -mllvm -coalda-always -o %t.ll %s && %FileCheck %s < %t.ll
// A product that a sum of its own block takes up, and a sum of another block adds: to ptxas the first one is no user of it.
#define KERNEL extern "C" __global__ void
#define ROW (blockIdx.x * blockDim.x + threadIdx.x)
struct Cell { double a, b, c, d, e, f; };
#define MEANWHILE for (int k = 0; k < n; k++) z = z * z + 0.25

// The backend has it in c - x, ptxas in d + x.
// CHECK-LABEL: @both_ways(
// CHECK-NOT: mul.rn
// CHECK-NOT: fmul contract double %{{.*}}, 5.3
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @addend(
KERNEL both_ways(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * 5.3e-3, z = r.e;
  o[2 * ROW] = r.c - x;
  MEANWHILE;
  o[2 * ROW + 1] = r.d + x + z;
}
// What is added to a product of its own block is one with that; what is added so is rounded for itself.
// CHECK: llvm.nvvm.mul.rn.d(double %{{.*}}, double 5.3
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @addend_behind(
KERNEL addend(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * 5.3e-3, z = r.e;
  o[2 * ROW] = r.c * r.f + x;
  MEANWHILE;
  o[2 * ROW + 1] = r.d + x + z;
}
// CHECK: llvm.nvvm.mul.rn.d(double %{{.*}}, double 5.3
// CHECK: llvm.nvvm.shfl
// CHECK-LABEL: @beside(
KERNEL addend_behind(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * 5.3e-3, z = r.e;
  o[2 * ROW] = r.c - x;
  MEANWHILE;
  o[2 * ROW + 1] = (x - r.f * z) + (r.d + x);
}
// Of two products of another block ptxas takes up the one that has a factor in no register, and the other one is rounded.
// CHECK: [[PRODUCT:%.*]] = {{.*}}llvm.nvvm.mul.rn.d(
// CHECK-NOT: mul.rn
// CHECK: llvm.fma.f64(double %{{.*}}, double 5.3{{[^,]*}}, double [[PRODUCT]])
// CHECK: ret void
KERNEL beside(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * 5.3e-3, y = r.b * r.f, z = r.e;
  o[3 * ROW] = r.c - x;
  o[3 * ROW + 1] = r.c + y;
  MEANWHILE;
  o[3 * ROW + 2] = (x + y) / z;
}
