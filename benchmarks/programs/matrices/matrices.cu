// Many small matrices, one a thread: products, Cholesky, solutions, and a turn of points by transforms, as filters and animations have it.
//   matrices [times] [matrices in thousands]
#include "../common.h"

#include <cmath>
#include <utility>

enum { N = 6, BLOCK = 128 };
struct Matrix { float a[N][N]; };
struct Vector { float v[N]; };
struct Transform { float m[3][4]; };

__global__ void begin(Matrix *m, Vector *b, Transform *t, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int r = 0; r < N; r++) {
    for (int c = 0; c < N; c++) m[i].a[r][c] = uniform((i * N + r) * N + c) - 0.5f;
    b[i].v[r] = uniform(i * N + r + 77);
  }
  for (int r = 0; r < 3; r++)
    for (int c = 0; c < 4; c++) t[i].m[r][c] = (r == c) + 0.01f * uniform((i * 3 + r) * 4 + c);
}

// s = m * transposed m, and more on the diagonal
__global__ void square(const Matrix *m, Matrix *s, float more, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int r = 0; r < N; r++)
    for (int c = 0; c < N; c++) {
      float sum = r == c ? more : 0;
      for (int k = 0; k < N; k++) sum += m[i].a[r][k] * m[i].a[c][k];
      s[i].a[r][c] = sum;
    }
}

__global__ void cholesky(Matrix *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Matrix l = s[i];
  for (int c = 0; c < N; c++) {
    for (int k = 0; k < c; k++)
      for (int r = c; r < N; r++) l.a[r][c] -= l.a[r][k] * l.a[c][k];
    float d = sqrtf(l.a[c][c]);
    for (int r = c; r < N; r++) l.a[r][c] /= d;
  }
  s[i] = l;
}

__global__ void solve(const Matrix *l, const Vector *b, Vector *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Vector y;
  for (int r = 0; r < N; r++) {
    float sum = b[i].v[r];
    for (int k = 0; k < r; k++) sum -= l[i].a[r][k] * y.v[k];
    y.v[r] = sum / l[i].a[r][r];
  }
  for (int r = N - 1; r >= 0; r--) {
    float sum = y.v[r];
    for (int k = r + 1; k < N; k++) sum -= l[i].a[k][r] * y.v[k];
    y.v[r] = sum / l[i].a[r][r];
  }
  x[i] = y;
}

__global__ void turn(const Transform *t, const float3 *in, float3 *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Transform m = t[i];
  float3 p = in[i];
  out[i] = make_float3(m.m[0][0] * p.x + m.m[0][1] * p.y + m.m[0][2] * p.z + m.m[0][3],
                       m.m[1][0] * p.x + m.m[1][1] * p.y + m.m[1][2] * p.z + m.m[1][3],
                       m.m[2][0] * p.x + m.m[2][1] * p.y + m.m[2][2] * p.z + m.m[2][3]);
}

int main(int argc, char **argv) {
  int times = argument(argc, argv, 1, 1000), n = argument(argc, argv, 2, 500) * 1000, blocks = (n + BLOCK - 1) / BLOCK;
  Matrix *m = device_array<Matrix>(n), *s = device_array<Matrix>(n);
  Vector *b = device_array<Vector>(n), *x = device_array<Vector>(n);
  Transform *t = device_array<Transform>(n);
  float3 *p = device_array<float3>(n), *q = device_array<float3>(n);
  float last = 0;
  begin<<<blocks, BLOCK>>>(m, b, t, n);
  for (int k = 0; k < times; k++) {
    square<<<blocks, BLOCK>>>(m, s, last = 1 + k % 7, n);
    cholesky<<<blocks, BLOCK>>>(s, n);
    solve<<<blocks, BLOCK>>>(s, b, x, n);
    turn<<<blocks, BLOCK>>>(t, p, q, n);
    std::swap(p, q);
  }
  CUDA(cudaGetLastError());
  std::vector<Vector> solved = to_host(x, n), given = to_host(b, n);
  std::vector<float3> points = to_host(p, n);
  std::vector<Matrix> some = to_host(m, 1000);
  bool right = true;
  for (int i = 0; i < 1000; i++)
    for (int r = 0; r < N; r++) {
      double sum = last * solved[i].v[r];
      for (int c = 0; c < N; c++)
        for (int k = 0; k < N; k++) sum += (double)some[i].a[r][k] * some[i].a[c][k] * solved[i].v[c];
      right = right && std::fabs(sum - given[i].v[r]) < 1e-3 * (1 + std::fabs(given[i].v[r]));
    }
  return ended("matrices", checksum(solved) ^ checksum(points), right);
}
