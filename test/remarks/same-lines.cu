// A warp that changes rows in place, of which some may begin within a line, has one iteration in a body as before; one that stores elsewhere, whose rows
// begin with lines, or that goes on by more than it covers has several, with their loads first.
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -S %t.ll -o %t.out.ll
// RUN: %FileCheck %s --input-file=%t.out.ll
#define KERNEL extern "C" __global__ void
#define ROW ((blockIdx.x * blockDim.x + threadIdx.x) / 32)
#define LANE (threadIdx.x % 32)

// CHECK-LABEL: define{{.*}}@added(
// CHECK-COUNT-1: store float
// CHECK-NOT: store float
KERNEL added(const float *x, float *y, int rows, int m, float a) {
  int r = ROW;
  if (r >= rows) return;
  for (int j = LANE; j < m; j += 32) y[(size_t)r * m + j] += a * x[(size_t)r * m + j];
}
// CHECK-LABEL: define{{.*}}@scaled(
// CHECK-COUNT-1: store float
// CHECK-NOT: store float
KERNEL scaled(float *__restrict__ y, const float *__restrict__ g, int m) {
  float *p = y + (long)ROW * m, s = g[ROW];
  for (int j = LANE; j < m; j += 32) p[j] = p[j] * s + g[j];
}
// CHECK-LABEL: define{{.*}}@doubles(
// CHECK-COUNT-1: store double
// CHECK-NOT: store double
KERNEL doubles(double *y, const double *x, long m) {
  for (long j = LANE; j < m; j += 32) y[ROW * m + j] -= x[j];
}
// CHECK-LABEL: define{{.*}}@listed(
// CHECK-COUNT-1: store float
// CHECK-NOT: store float
KERNEL listed(float *v, const int *rp, const float *d) {
  unsigned r = ROW, end = rp[r + 1];
  for (unsigned j = rp[r] + LANE; j < end; j += 32) v[j] = v[j] * d[j];
}
// CHECK-LABEL: define{{.*}}@elsewhere(
// CHECK-COUNT-4: store float
KERNEL elsewhere(const float *x, const float *g, float *y, int m) {
  int r = ROW;
  for (int j = LANE; j < m; j += 32) y[(size_t)r * m + j] = g[j] * x[(size_t)r * m + j];
}
// CHECK-LABEL: define{{.*}}@even(
// CHECK-COUNT-4: store float
KERNEL even(const float *x, float *y, int rows, int m, float a) {
  int r = ROW;
  if (r >= rows) return;
  for (int j = LANE; j < m; j += 32) y[(size_t)r * 1024 + j] += a * x[(size_t)r * m + j];
}
