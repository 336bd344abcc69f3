// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -O3 -nocudainc -nocudalib -I%S/../gen -I%S -ffp-contract=fast -fpass-plugin=%plugin %s -o %t.fast.ll
// RUN: %FileCheck %s < %t.fast.ll
// RUN: %clang-device -O3 -nocudainc -nocudalib -I%S/../gen -I%S -ffp-contract=on -fpass-plugin=%plugin %s -o %t.on.ll
// RUN: %FileCheck %s --check-prefix=ON < %t.on.ll
// Rows of which products and sums come together where iterations do. Where the compiler may not fuse what it was not written to be, ptxas
// may not either, and they move; where it may, only products that nothing is added to, and those of which it is known whether ptxas fuses
// them: it does where nothing but sums use the product, and one of its factors is no register.
// TEXT: levels=O3
#include "records.cuh"

// In front of the loop, where each sum is one with it.
// ON-LABEL: @in_front(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @in_front(
// CHECK-NOT: fmul
// CHECK-NOT: mul.rn
// CHECK: llvm.fma.f32(float %{{.*}}, float {{.*}}, float
// CHECK: llvm.nvvm.shfl
// CHECK: ret void
// CASE: in_front load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} f32:1.5 i32:{m} i32:{n}
KERNEL in_front(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float x = h * i, s = 0;
  for (int j = 0; j < m; j++) {
    float d = x - a[i * m + j];
    s += d * d;
  }
  q[i] = s;
}
// The sums begin with a product, which no sum takes up: the phi is in between.
// ON-LABEL: @begins(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @begins(
// CHECK: llvm.nvvm.mul.rn.f
// CHECK: llvm.nvvm.shfl
// CHECK: ret void
// CASE: begins load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} frand:{4*n} f32:1.5 i64:{m} i32:{n}
KERNEL begins(const float *a, float *q, float h, long m, int n) {
  long i = ROW;
  if (i >= n) return;
  float s = q[i] * h;
  for (long j = 0; j < m; j++) s += a[i * m + j];
  q[i] = s;
}
// A product of the iteration before.
// ON-LABEL: @carried(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @carried(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
// CASE: carried load=exchange plain:load=exchange block=64 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} f32:0.5 i32:{m} i32:{n}
KERNEL carried(const float *a, float *q, float h, unsigned m, unsigned n) {
  unsigned i = ROW;
  if (i >= n) return;
  float s = 1;
  for (unsigned j = 0; j < m; j++) s = (s + a[i * m + j]) * h;
  q[i] = s;
}
// By a pointer, with doubles.
// CASE: pointer load=exchange plain:load=exchange block=32 grid=1 with=m=1,16,40 -- frand:{8*n*m+8} zero:{8*n} i32:{m} i32:{n}
KERNEL pointer(const double *a, double *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  double s = 1, w = 1.5;
  for (const double *p = a + i * m, *end = p + m; p < end; p++) s = (s - *p) * w;
  q[i] = s;
}
// A product that is stored behind the loop, and one that is compared, or divides, with a sign: nothing adds it.
// CHECK-LABEL: @stored(
// CHECK: llvm.nvvm.shfl
// CASE: stored load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL stored(const float *a, float *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) s = s * a[i * m + j];
  q[i] = s;
}
// CHECK-LABEL: @compared(
// CHECK: llvm.nvvm.shfl
// CASE: compared load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} f32:1.25 i32:{m} i32:{n}
KERNEL compared(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) s = s * a[i * m + j];
  q[i] = s > h ? 3 / -s : s * h;
}
// Added behind it: the next iteration has it as well.
// ON-LABEL: @added(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @added(
// CHECK: llvm.nvvm.mul.rn.f
// CHECK: llvm.nvvm.shfl
// CHECK: ret void
// CASE: added load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} f32:1.25 i32:{m} i32:{n}
KERNEL added(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) s = s * a[i * m + j];
  q[i] = (s > h ? -s : s) + h;
}
// Of two registers each sum would hold both where it holds one.
// CHECK-LABEL: @of_registers(
// CHECK: llvm.nvvm.mul.rn.f
// CHECK: llvm.nvvm.shfl
// CASE: of_registers load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} frand:{4*n} i32:{m} i32:{n}
KERNEL of_registers(const float *a, float *q, const float *x, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float c = x[i] * x[0], s = 0;
  for (int j = 0; j < m; j++) {
    float d = c - a[i * m + j];
    s += d * d;
  }
  q[i] = s;
}
// Something else uses it: none is one with it.
// CHECK-LABEL: @mean(
// CHECK: llvm.nvvm.mul.rn.d
// CHECK: llvm.nvvm.shfl
// CASE: mean load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{8*n*m+8} zero:{16*n} f64:0.03125 i32:{m} i32:{n}
KERNEL mean(const double *__restrict__ a, double *__restrict__ q, double h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  double s = 0, v = 0;
  for (int j = 0; j < m; j++) s += a[i * m + j];
  double mean = s * h;
  for (int j = 0; j < m; j++) {
    double d = a[i * m + j] - mean;
    v += d * d;
  }
  q[i] = v;
  q[i + n] = mean;
}
// A sum that is compared with 0: ptxas compares what it adds.
// CHECK-LABEL: @of_sizes(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL of_sizes(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float c = h * i, s = 0;
  for (int j = 0; j < m; j++) {
    float d = c - a[i * m + j];
    s += d < 0 ? -d : d;
  }
  q[i] = s;
}
// Around the loop goes what each iteration stores; what is stored behind it is not stored by all that ptxas makes of one.
// CHECK-LABEL: @running(
// CHECK: llvm.nvvm.mul.rn.f
// CHECK: llvm.nvvm.shfl
// CASE: running load=exchange store=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n*m+4} f32:0.5 i32:{m} i32:{n}
KERNEL running(const float *__restrict__ a, float *__restrict__ q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) {
    s = (s + a[i * m + j]) * h;
    q[i * m + j] = s;
  }
}
// A factor that may lie among the constants, or in a register.
__constant__ float known[8];
struct Given { float a, b; };
// CHECK-LABEL: @of_constants(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL of_constants(const float *a, float *q, const float *x, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float c = x[i] * known[1], s = 0;
  for (int j = 0; j < m; j++) {
    float d = c - a[i * m + j];
    s += d * d;
  }
  q[i] = s;
}
// CHECK-LABEL: @of_structs(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL of_structs(const float *a, float *q, const float *x, int m, int n, Given given) {
  int i = ROW;
  if (i >= n) return;
  float c = x[i] * given.b, s = 0;
  for (int j = 0; j < m; j++) {
    float d = c - a[i * m + j];
    s += d * d;
  }
  q[i] = s;
}
// As a function's parameter may, which a register holds where it is called.
// CHECK-LABEL: @of_parameters(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret
extern "C" __device__ __attribute__((noinline)) float of_parameters(const float *row, float x, float h, int m) {
  float c = x * h, s = 0;
  for (int j = 0; j < m; j++) {
    float d = c - row[j];
    s += d * d;
  }
  return s;
}
KERNEL calls(const float *a, float *q, const float *x, int m, int n) {
  int i = ROW;
  if (i < n) q[i] = of_parameters(a + i * m, x[i], x[0], m);
}
// Its sign, or its size, might be taken of a factor, and the rest be sums.
// CHECK-LABEL: @of_size(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL of_size(const float *a, float *q, float h, float g, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float c = h * g, s = 0;
  for (int j = 0; j < m; j++) {
    float d = c - a[i * m + j];
    s += d * d;
  }
  q[i] = s + __builtin_fabsf(c);
}
// Two of them meet in one sum, which stands beside the second one and takes that up: the first is rounded.
// CHECK-LABEL: @of_two(
// CHECK: llvm.nvvm.mul.rn.f
// CHECK: llvm.nvvm.shfl
// CHECK: ret void
KERNEL of_two(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float c = h * i, b = h * m, s = 0;
  for (int j = 0; j < m; j++) {
    float d = c - a[i * m + j];
    s += d * d;
  }
  q[i] = s / (c + b);
}
// A loop of known length might be unrolled to its end, and then no phi is in between.
// CHECK-LABEL: @known_length(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL known_length(const float *a, float *q, float h, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = q[i] * h;
  for (int j = 0; j < 512; j++) s += a[i * 512 + j];
  q[i] = s;
}
// Handed to a function that nobody knows, where the next iteration has it as well.
__device__ __attribute__((noinline)) float plus(float s, float h) { return s + h; }
// CHECK-LABEL: @given(
// CHECK: llvm.nvvm.shfl
KERNEL given(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) s = s * a[i * m + j];
  q[i] = plus(s, h);
}
// Stored behind the loop alone, which is not left before an iteration is made.
// CHECK-LABEL: @once(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL once(const float *a, float *q, float h, int m, int n) {
  int i = ROW, j = 0;
  if (i >= n) return;
  float s = 1;
#pragma unroll 1
  do s = (s + a[i * m + j]) * h;
  while (++j < m);
  q[i] = s;
}
// The last iteration's, which nothing else uses.
// CHECK-LABEL: @last(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL last(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0, p = 1;
  for (int j = 0; j < m; j++) {
    p = a[i * m + j] * h;
    s = __builtin_fmaxf(s, p);
  }
  q[i] = s * (p + h);
}
// CHECK-LABEL: @last_given(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL last_given(const float *a, float *q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0, p = 1;
  for (int j = 0; j < m; j++) {
    p = a[i * m + j] * h;
    s = __builtin_fmaxf(s, p);
  }
  q[i] = s * plus(p, h);
}
// Whatever the source says of one function, the compiler fuses all under -ffp-contract=fast.
// CHECK-LABEL: @told(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
KERNEL told(const float *a, float *q, float h, int m, int n) {
#pragma clang fp contract(off)
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int j = 0; j < m; j++) s = (s + a[i * m + j]) * h;
  q[i] = s;
}
// Under a condition of the counter: it moves where the sum takes the product up, and stays where the product meets its sum behind the condition.
// ON-LABEL: @triangle(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @triangle(
// CHECK: llvm.nvvm.shfl
// CHECK: ret void
// CASE: triangle load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} frand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL triangle(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++)
    if (j <= i + 20) s += a[i * m + j] * x[j];
  q[i] = s;
}
// ON-LABEL: @met_behind(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @met_behind(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
// CASE: met_behind load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} frand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL met_behind(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++) {
    float p = 0;
    if (j <= i + 20) p = a[i * m + j] * x[j];
    s += p;
  }
  q[i] = s;
}
// The product comes from in front of the loop, which stays whole: what its sums stand in would be other blocks.
// ON-LABEL: @met_front(
// ON: llvm.nvvm.shfl
// CHECK-LABEL: @met_front(
// CHECK-NOT: llvm.nvvm.shfl
// CHECK: ret void
// CASE: met_front load=exchange plain:load=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n} f32:1.5 i32:{m} i32:{n}
KERNEL met_front(const float *__restrict__ a, float *__restrict__ q, float h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float x = h * i, s = 0;
  for (int j = 0; j < m; j++)
    if (j <= i + 20) {
      float d = a[i * m + j] - x;
      s += d * d;
    }
  q[i] = s;
}
