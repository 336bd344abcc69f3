// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin
// RUN: %ptxas -v -arch=sm_90 %t.ptx -o %t.cubin > %t.log 2>&1 && %FileCheck %s < %t.log && %FileCheck %s --check-prefix=LESS < %t.log && %FileCheck %s --check-prefix=PTX < %t.ptx
// Kernels of which nobody knows how many registers they need as they are: nothing keeps the backend to any number, and what is rewritten takes no more. Blocks
// of 512 threads, which have 128 for each, are launched as before.
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
// CHECK-COUNT-6: Used {{([0-9]?[0-9]|1[01][0-9]|12[0-8])}} registers
// One record fits beside what the kernel holds, in no more than it had.
// LESS-COUNT-3: Used {{[0-9][0-9]}} registers
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
