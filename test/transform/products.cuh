// A product of small matrices in each thread.
#pragma once
template <int N, class T, class I> __global__ void products(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c, I n) {
  I i = blockIdx.x * (I)blockDim.x + threadIdx.x;
  if (i >= n) return;
  T s[N][N] = {};
  for (int k = 0; k < N; k++)
    for (int r = 0; r < N; r++)
      for (int j = 0; j < N; j++) s[r][j] += a[i * N * N + r * N + k] * b[i * N * N + k * N + j];
  for (int r = 0; r < N; r++)
    for (int j = 0; j < N; j++) c[i * N * N + r * N + j] = s[r][j];
}
