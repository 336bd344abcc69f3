// Conjugate gradients for a sparse symmetric matrix in rows (CSR): what a finite-element code of linear elasticity on a grid solves.
//   cg [loads] [points a side]
#include "../common.h"

#include <cmath>
#include <utility>

enum { BLOCK = 256, PARTS = 512, ITERATIONS = 80 };

struct Matrix {
  int rows;
  int *first, *column;
  double *value;
};

__global__ void begin(const double *load, double *x, double *r, double *p, double times, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  x[i] = 0;
  r[i] = p[i] = times * load[i];
}

__global__ void multiply(Matrix a, const double *x, double *y) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= a.rows) return;
  double sum = 0;
  for (int k = a.first[r]; k < a.first[r + 1]; k++) sum += a.value[k] * x[a.column[k]];
  y[r] = sum;
}

__global__ void dot(const double *x, const double *y, double *part, int n) {
  __shared__ double s[BLOCK];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += x[i] * y[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) part[blockIdx.x] = s[0];
}

__global__ void add_parts(const double *part, double *sum) {
  double s = 0;
  for (int i = 0; i < PARTS; i++) s += part[i];
  *sum = s;
}

// x += alpha * p, r -= alpha * q, of alpha = rr / pq
__global__ void advance(double *x, double *r, const double *p, const double *q, const double *rr, const double *pq, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double alpha = *rr / *pq;
  x[i] += alpha * p[i];
  r[i] -= alpha * q[i];
}

__global__ void turn(double *p, const double *r, const double *now, const double *before, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = r[i] + *now / *before * p[i];
}

// A point and its 26 neighbours.
static void assemble(int n, std::vector<int> &first, std::vector<int> &column, std::vector<double> &value) {
  for (int z = 0; z < n; z++)
    for (int y = 0; y < n; y++)
      for (int x = 0; x < n; x++) {
        first.push_back((int)column.size());
        for (int c = z - 1; c <= z + 1; c++)
          for (int b = y - 1; b <= y + 1; b++)
            for (int a = x - 1; a <= x + 1; a++) {
              if (a < 0 || b < 0 || c < 0 || a >= n || b >= n || c >= n) continue;
              column.push_back((c * n + b) * n + a);
              value.push_back(a == x && b == y && c == z ? 26.5 : -1.0);
            }
      }
  first.push_back((int)column.size());
}

template <class T> static T *to_device(const std::vector<T> &a) {
  T *p = device_array<T>(a.size());
  CUDA(cudaMemcpy(p, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}

int main(int argc, char **argv) {
  int loads = argument(argc, argv, 1, 40), side = argument(argc, argv, 2, 96), n = side * side * side;
  std::vector<int> first, column;
  std::vector<double> value, b(n);
  assemble(side, first, column, value);
  for (int i = 0; i < n; i++) b[i] = uniform(i) - 0.5;
  Matrix a = {n, to_device(first), to_device(column), to_device(value)};
  double *x = device_array<double>(n), *r = device_array<double>(n), *p = device_array<double>(n), *q = device_array<double>(n);
  double *load = to_device(b);
  double *part = device_array<double>(PARTS), *rr = device_array<double>(1), *now = device_array<double>(1), *pq = device_array<double>(1);
  int blocks = (n + BLOCK - 1) / BLOCK;
  auto dot_of = [&](const double *one, const double *other, double *sum) {
    dot<<<PARTS, BLOCK>>>(one, other, part, n);
    add_parts<<<1, 1>>>(part, sum);
  };
  for (int l = 1; l <= loads; l++) {
    begin<<<blocks, BLOCK>>>(load, x, r, p, l, n);
    dot_of(r, r, rr);
    for (int i = 0; i < ITERATIONS; i++) {
      multiply<<<blocks, BLOCK>>>(a, p, q);
      dot_of(p, q, pq);
      advance<<<blocks, BLOCK>>>(x, r, p, q, rr, pq, n);
      dot_of(r, r, now);
      turn<<<blocks, BLOCK>>>(p, r, now, rr, n);
      std::swap(rr, now);
    }
  }
  CUDA(cudaGetLastError());
  std::vector<double> solved = to_host(x, n);
  double left = 0, all = 0;
  for (int i = 0; i < n; i++) {
    double sum = loads * b[i];
    for (int k = first[i]; k < first[i + 1]; k++) sum -= value[k] * solved[column[k]];
    left += sum * sum;
    all += loads * b[i] * loads * b[i];
  }
  return ended("cg", checksum(solved), std::sqrt(left / all) < 1e-4);
}
