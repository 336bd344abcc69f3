// RUN: %clang-device -O3 -fpass-plugin=%plugin -o %t.ll %s && %FileCheck %s < %t.ll
// Loops whose threads share what they go through, by as many as there are: they seldom have iterations enough for several in one body, and to ask how many
// there are takes a quotient. Their loads would pass stores that are to be apart from them.
#define KERNEL extern "C" __global__ void

// By the threads of a block.
// CHECK-LABEL: @rows(
// CHECK-NOT: udiv
// CHECK-LABEL: @pointers(
KERNEL rows(const float *x, float *y, long d) {
  for (long j = threadIdx.x; j < d; j += blockDim.x) y[blockIdx.x * d + j] = x[blockIdx.x * d + j] * 2;
}
// CHECK-NOT: udiv
// CHECK-LABEL: @grid(
KERNEL pointers(const float *x, float *y, int d) {
  const float *p = x + threadIdx.x, *e = x + d;
  for (float *q = y + threadIdx.x; p < e; p += blockDim.x, q += blockDim.x) *q += *p * 0.5f;
}
// By those of the grid.
// CHECK-NOT: udiv
// CHECK-LABEL: @apart(
KERNEL grid(const float *x, float *y, long n) {
  for (long i = blockIdx.x * (long)blockDim.x + threadIdx.x; i < n; i += (long)blockDim.x * gridDim.x) y[i] = x[i] * 2;
}
// CHECK-NOT: udiv
// CHECK-LABEL: @ways(
KERNEL apart(const float *__restrict__ x, const float *__restrict__ v, float *__restrict__ y, unsigned long n) {
  for (unsigned long i = blockIdx.x * (unsigned long)blockDim.x + threadIdx.x; i < n; i += (unsigned long)blockDim.x * gridDim.x) y[i] = x[i] * v[i] + y[i];
}
// Iterations that go different ways.
// CHECK-NOT: udiv
// CHECK-LABEL: @known(
KERNEL ways(float *v, float *u, const float *a, const float *b, const float *in, const float *most, float *last, const float *rest, float now, float step, unsigned long n) {
  long i = threadIdx.x + blockIdx.x * blockDim.x;
  while (i < n) {
    float more = 0.04f * v[i] * v[i] + 5 * v[i] + 140 - u[i] + in[i];
    v[i] += step * more;
    u[i] += step * (a[i] * (b[i] * v[i] - u[i]));
    if (v[i] >= most[i]) {
      v[i] = rest[i];
      last[i] = now;
    }
    i += blockDim.x * gridDim.x;
  }
}
// As many as is known: eight of them.
// CHECK-COUNT-8: load float
// CHECK: store float
// CHECK-LABEL: @columns(
KERNEL known(const float *x, float *y, long d) {
  for (long j = threadIdx.x % 32; j < d; j += 32) y[blockIdx.x * d + j] = x[blockIdx.x * d + j] * 2;
}
// Each thread has a column for itself.
// CHECK-COUNT-8: load float
// CHECK: store float
// CHECK: ret void
KERNEL columns(const float *x, float *y, long rows, long d) {
  long c = blockIdx.x * (long)blockDim.x + threadIdx.x;
  if (c >= d) return;
  for (long j = 0; j < rows; j++) y[j * d + c] = x[j * d + c] * 2;
}
