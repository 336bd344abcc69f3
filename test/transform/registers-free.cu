// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin
// RUN: %ptxas -v -arch=sm_90 %t.ptx -o %t.cubin > %t.log 2>&1 && %FileCheck %s < %t.log && %FileCheck %s --check-prefix=LESS < %t.log && %FileCheck %s --check-prefix=PTX < %t.ptx
// Kernels of which nobody knows how many registers they need as they are: nothing keeps the backend to any number, and what is rewritten takes no more. Blocks
// of 512 threads, which have 128 for each, are launched as before.
#include "products.cuh"

#define FACTOR \
  for (int k = 0; k < N * N; k++) m[k] = a[k]; \
  for (int k = 0; k < N - 1; k++) \
    for (int r = k + 1; r < N; r++) { \
      m[r * N + k] /= m[k * N + k]; \
      for (int c = k + 1; c < N; c++) m[r * N + c] -= m[r * N + k] * m[k * N + c]; \
    }
template <int N, class T, class I> __device__ void factor(const T *a, T *m) { FACTOR }
template <int N, class T, class I> __global__ void factors(const T *in, T *out, I n) {
  I i = blockIdx.x * (I)blockDim.x + threadIdx.x;
  if (i < n) factor<N, T, I>(in + i * N * N, out + i * N * N);
}
template <int N, class T, class I> __global__ void in_place(const T *in, T *out, I n) {
  I i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const T *a = in + (size_t)i * N * N;
    T *m = out + (size_t)i * N * N;
    FACTOR
  }
}
// Sums of a product (products.cuh) grow while two records are held. Rows of a block matrix, in place: 48 registers as they are, 90 where the records are moved.
struct BlockRow { double lower[9], diag[9], upper[9], rhs[3]; };
__device__ void inverse(const double *m, double *o) {
  double c0 = m[4] * m[8] - m[5] * m[7], c1 = m[5] * m[6] - m[3] * m[8], c2 = m[3] * m[7] - m[4] * m[6];
  double d = 1.0 / (m[0] * c0 + m[1] * c1 + m[2] * c2);
  o[0] = c0 * d, o[1] = (m[2] * m[7] - m[1] * m[8]) * d, o[2] = (m[1] * m[5] - m[2] * m[4]) * d;
  o[3] = c1 * d, o[4] = (m[0] * m[8] - m[2] * m[6]) * d, o[5] = (m[2] * m[3] - m[0] * m[5]) * d;
  o[6] = c2 * d, o[7] = (m[1] * m[6] - m[0] * m[7]) * d, o[8] = (m[0] * m[4] - m[1] * m[3]) * d;
}
__device__ void multiply(const double *a, const double *b, double *c) {
  for (int r = 0; r < 3; r++)
    for (int k = 0; k < 3; k++) c[r * 3 + k] = a[r * 3] * b[k] + a[r * 3 + 1] * b[3 + k] + a[r * 3 + 2] * b[6 + k];
}
__global__ void scale_rows(BlockRow *rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  BlockRow &row = rows[i];
  double inv[9], t[9], lower[9], upper[9], b[3];
  inverse(row.diag, inv);
  for (int k = 0; k < 9; k++) lower[k] = row.lower[k], upper[k] = row.upper[k];
  for (int k = 0; k < 3; k++) b[k] = row.rhs[k];
  multiply(inv, lower, t);
  for (int k = 0; k < 9; k++) row.lower[k] = t[k];
  multiply(inv, upper, t);
  for (int k = 0; k < 9; k++) row.upper[k] = t[k];
  for (int k = 0; k < 3; k++) row.rhs[k] = inv[3 * k] * b[0] + inv[3 * k + 1] * b[1] + inv[3 * k + 2] * b[2];
  for (int k = 0; k < 9; k++) row.diag[k] = k % 4 == 0;
}
// CHECK-COUNT-8: Used {{([0-9]?[0-9]|1[01][0-9]|12[0-8])}} registers
// One record fits beside what the kernel holds, in no more than it had.
// LESS-COUNT-5: Used {{[0-9][0-9]}} registers
// PTX: .entry _Z7factorsILi7EdiE
// PTX-NOT: shfl
// PTX: .entry _Z8in_placeILi7EdiE
// PTX: shfl.sync
template __global__ void factors<7, double, int>(const double *, double *, int);
template __global__ void factors<7, double, long>(const double *, double *, long);
template __global__ void factors<6, long long, int>(const long long *, long long *, int);
template __global__ void in_place<7, double, int>(const double *, double *, int);
template __global__ void in_place<7, double, unsigned>(const double *, double *, unsigned);
template __global__ void in_place<6, double, long>(const double *, double *, long);
template __global__ void products<5, double, long>(const double *, const double *, double *, long);
