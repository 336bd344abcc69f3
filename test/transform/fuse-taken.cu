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
// CHECK-LABEL: @first_of_two(
KERNEL beside(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * 5.3e-3, y = r.b * r.f, z = r.e;
  o[3 * ROW] = r.c - x;
  o[3 * ROW + 1] = r.c + y;
  MEANWHILE;
  o[3 * ROW + 2] = (y - x) / z;
}
// If both have, the first one, ...
// CHECK: [[PRODUCT:%.*]] = {{.*}}llvm.nvvm.mul.rn.d(double %{{.*}}, double 3.7
// CHECK-NOT: mul.rn
// CHECK: llvm.fma.f64(double %{{.*}}, double 5.3{{[^,]*}}, double [[PRODUCT]])
// CHECK-LABEL: @fewer_users(
KERNEL first_of_two(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * 5.3e-3, y = r.b * 3.7e-2, z = r.e;
  o[3 * ROW] = r.c - x;
  o[3 * ROW + 1] = r.c + y;
  MEANWHILE;
  o[3 * ROW + 2] = (x + y) / z;
}
// ... or that with fewer users, and the other one is rounded in all of its sums.
// CHECK: [[PRODUCT:%.*]] = {{.*}}llvm.nvvm.mul.rn.d(double %{{.*}}, double 5.3
// CHECK-NOT: mul.rn
// CHECK: llvm.fma.f64(double %{{.*}}, double 3.7{{[^,]*}}, double [[PRODUCT]])
// CHECK-LABEL: @on_a_way(
KERNEL fewer_users(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * 5.3e-3, y = r.b * 3.7e-2, z = r.e;
  o[4 * ROW] = r.c - x;
  o[4 * ROW + 1] = r.c + y;
  MEANWHILE;
  o[4 * ROW + 2] = (x + y) / z;
  o[4 * ROW + 3] = (x + z) / r.f;
}
// A product of registers is moved to its only user by LLVM, where that stands on a way of its own.
#define WAY(t) if (z > 0.7) { t = r.d - x; for (int k = 0; k < n; k++) t = t * 0.5 + z; }
// CHECK-NOT: mul.rn
// CHECK: llvm.nvvm.shfl
// CHECK-NOT: mul.rn
// CHECK-LABEL: @on_two_ways(
KERNEL on_a_way(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * r.b, z = r.e, t = 0;
  o[2 * ROW] = r.c - x;
  MEANWHILE;
  WAY(t)
  o[2 * ROW + 1] = t;
}
// CHECK: = fmul contract double
// CHECK-LABEL: @on_all_ways(
KERNEL on_two_ways(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * r.b, z = r.e, t = 0;
  o[3 * ROW] = r.c - x;
  MEANWHILE;
  WAY(t)
  o[3 * ROW + 1] = t;
  MEANWHILE;
  o[3 * ROW + 2] = x + z;
}
// CHECK: = fmul contract double
// CHECK-LABEL: @behind_loop(
KERNEL on_all_ways(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * r.b, z = r.e;
  o[2 * ROW] = r.c - x;
  MEANWHILE;
  o[2 * ROW + 1] = (r.d - x) / z;
}
// No loop stands on the way, or nothing is moved past it: ptxas is to find the two as they were.
// CHECK: [[PRODUCT:%.*]] = fmul contract double
// CHECK: fsub contract double {{.*}}, [[PRODUCT]]
// CHECK-LABEL: @compared(
KERNEL behind_loop(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * r.b, z = r.e, t = 0;
  o[2 * ROW] = r.c - x;
#pragma unroll 1
  do z = z * z + 0.25; while (z < 0.3);
  WAY(t)
  o[2 * ROW + 1] = t;
}
// What is compared with 0 is no sum that anybody knows of.
// CHECK: llvm.nvvm.mul.rn.d
// CHECK: ret void
KERNEL compared(const Cell *__restrict__ p, double *__restrict__ o, int n) {
  Cell r = p[ROW];
  double x = r.a * 5.3e-3, z = r.e;
  o[3 * ROW] = r.c - x;
  MEANWHILE;
  double d = r.d - x;
  o[3 * ROW + 1] = d < 0 ? z : d;
  o[3 * ROW + 2] = (r.f + x) / z;
}
