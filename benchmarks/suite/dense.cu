// Dense matrices, as textbooks and benchmark collections write them first: a thread for each row, column or element.
#include "suite.h"

#ifdef BENCH_EXPERT
#include "expert.cuh"

enum { ROW_THREADS = WARP };

extern "C" __global__ void atax_rows(const float *A, const float *x, float *tmp, int rows, int columns) {
  int row = warp_row();
  if (row >= rows) return;
  float sum = dot_of_row(A + row * columns, x, columns);
  if (lane() == 0) tmp[row] = sum;
}

extern "C" __global__ void bicg_rows(const double *__restrict__ A, const double *__restrict__ p, double *__restrict__ q,
                                     int rows, int columns) {
  int row = warp_row();
  if (row >= rows) return;
  double sum = dot_of_row(A + row * columns, p, columns);
  if (lane() == 0) q[row] = sum;
}

extern "C" __global__ void gesummv(const float *A, const float *B, const float *x, float *y, float alpha, float beta, int n) {
  int row = warp_row();
  if (row >= n) return;
  float a = dot_of_row(A + row * n, x, n), b = dot_of_row(B + row * n, x, n);
  if (lane() == 0) y[row] = alpha * a + beta * b;
}

// A tile of 32 x 32 in shared memory, for each fourth of the blocks of 32 x 8.
extern "C" __global__ void transpose_plain(const float *in, float *out, int width, int height) {
  __shared__ float s[32][33];
  if (blockIdx.y % 4) return;
  int x0 = blockIdx.x * 32, y0 = blockIdx.y * 8, tx = threadIdx.x, ty = threadIdx.y;
#pragma unroll
  for (int k = ty; k < 32; k += 8)
    if (x0 + tx < width && y0 + k < height) s[k][tx] = in[(y0 + k) * width + x0 + tx];
  __syncthreads();
#pragma unroll
  for (int k = ty; k < 32; k += 8)
    if (x0 + k < width && y0 + tx < height) out[(x0 + k) * height + y0 + tx] = s[tx][k];
}

#else

enum { ROW_THREADS = 1 };

// tmp = A x, the first half of A^T (A x).
extern "C" __global__ void atax_rows(const float *A, const float *x, float *tmp, int rows, int columns) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < rows) {
    tmp[i] = 0;
    for (int j = 0; j < columns; j++) tmp[i] += A[i * columns + j] * x[j];
  }
}

// q = A p, of the biconjugate gradient method.
extern "C" __global__ void bicg_rows(const double *__restrict__ A, const double *__restrict__ p, double *__restrict__ q,
                                     int rows, int columns) {
  int i = THREAD;
  if (i >= rows) return;
  double sum = 0;
  for (int j = 0; j < columns; j++) sum += A[i * columns + j] * p[j];
  q[i] = sum;
}

// y = alpha A x + beta B x.
extern "C" __global__ void gesummv(const float *A, const float *B, const float *x, float *y, float alpha, float beta, int n) {
  int i = THREAD;
  if (i >= n) return;
  float a = 0, b = 0;
  for (int j = 0; j < n; j++) {
    a += A[i * n + j] * x[j];
    b += B[i * n + j] * x[j];
  }
  y[i] = alpha * a + beta * b;
}

extern "C" __global__ void transpose_plain(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[x * height + y] = in[y * width + x];
}
#endif

static void atax_rows_trial(Trial &t, size_t rows) {
  enum { COLUMNS = 1024 };
  auto A = t.in(rows * COLUMNS, Floats{1, 0, 1}), x = t.in(COLUMNS, Floats{2, 0, 1});
  float *tmp = t.out<float>(rows);
  t.moved = 4 * COLUMNS * rows;
  t.launch = [=] { atax_rows<<<grid_of(rows * ROW_THREADS, 128), 128>>>(A, x, tmp, (int)rows, COLUMNS); };
  t.expect(tmp, rows, 1e-5, 10, [=](size_t i) {
    double sum = 0;
    for (size_t j = 0; j < COLUMNS; j++) sum += (double)A[i * COLUMNS + j] * x[j];
    return sum;
  });
}

static void bicg_rows_trial(Trial &t, size_t rows) {
  enum { COLUMNS = 1000 };
  auto A = t.in(rows * COLUMNS, Doubles{1, 0, 1}), p = t.in(COLUMNS, Doubles{2, 0, 1});
  double *q = t.out<double>(rows);
  t.moved = 8 * COLUMNS * rows;
  t.launch = [=] { bicg_rows<<<grid_of(rows * ROW_THREADS, 128), 128>>>(A, p, q, (int)rows, COLUMNS); };
  t.expect(q, rows, 1e-11, 10, [=](size_t i) {
    double sum = 0;
    for (size_t j = 0; j < COLUMNS; j++) sum += A[i * COLUMNS + j] * p[j];
    return sum;
  });
}

static void gesummv_trial(Trial &t, size_t n) {
  auto A = t.in(n * n, Floats{1, 0, 1}), B = t.in(n * n, Floats{2, 0, 1}), x = t.in(n, Floats{3, 0, 1});
  float *y = t.out<float>(n);
  t.moved = 8 * n * n;
  t.launch = [=] { gesummv<<<grid_of(n * ROW_THREADS, 64), 64>>>(A, B, x, y, 1.5f, 0.75f, (int)n); };
  t.expect(y, n, 1e-5, 50, [=](size_t i) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) sum += (1.5 * A[i * n + j] + 0.75 * B[i * n + j]) * x[j];
    return sum;
  });
}

static void transpose_plain_trial(Trial &t, size_t edge) {
  size_t width = edge, height = edge - 40;
  auto in = t.in(width * height, Floats{1, 0, 1});
  float *out = t.out<float>(width * height);
  t.moved = 8 * width * height;
  dim3 grid(grid_of(width, 32), grid_of(height, 8));
  t.launch = [=] { transpose_plain<<<grid, dim3(32, 8)>>>(in, out, (int)width, (int)height); };
  t.expect(out, width * height, 0, 1, [=](size_t w) { return in[w % height * width + w / height]; });
}

#ifndef BENCH_EXPERT

// ---- the rest has no version by hand ------------------------------------------------------------------------------

// x1 += A y, summed up in memory.
extern "C" __global__ void mvt_rows(float *A, float *x1, float *y1, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++) x1[i] += A[i * n + j] * y1[j];
  }
}

// x2 += A^T y: neighbours read neighbours already.
extern "C" __global__ void mvt_columns(float *A, float *x2, float *y2, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    for (int j = 0; j < n; j++) x2[i] += A[j * n + i] * y2[j];
  }
}

// C = alpha A A^T + beta C.
extern "C" __global__ void syrk(const float *A, float *C, float alpha, float beta, int n, int m) {
  int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < n && j < n) {
    float sum = 0;
    for (int k = 0; k < m; k++) sum += A[i * m + k] * A[j * m + k];
    C[i * n + j] = beta * C[i * n + j] + alpha * sum;
  }
}

// A thread makes a row of the symmetric result, and its mirror image.
extern "C" __global__ void covariance(const float *data, float *symmetric, int m, int n) {
  int j1 = blockIdx.x * blockDim.x + threadIdx.x;
  if (j1 < m) {
    for (int j2 = j1; j2 < m; j2++) {
      float sum = 0;
      for (int i = 0; i < n; i++) sum += data[i * m + j1] * data[i * m + j2];
      symmetric[j1 * m + j2] = sum;
      symmetric[j2 * m + j1] = sum;
    }
  }
}

// One step of Gaussian elimination, x going down and y across.
extern "C" __global__ void gauss_step(const float *m, float *a, int size, int step) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= size - 1 - step || y >= size - step) return;
  a[size * (x + 1 + step) + (y + step)] -= m[size * (x + 1 + step) + step] * a[size * step + (y + step)];
}

// The plain product: neighbours read neighbours, and everybody's row of A is the same.
extern "C" __global__ void product_plain(const double *A, const double *B, double *C, int n) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= n || column >= n) return;
  double sum = 0;
  for (int k = 0; k < n; k++) sum += A[row * n + k] * B[k * n + column];
  C[row * n + column] = sum;
}

static void mvt_rows_trial(Trial &t, size_t n) {
  auto A = t.in(n * n, Floats{1, 0, 1}), x = t.in(n, Floats{2, 0, 1}), y = t.in(n, Floats{3, 0, 1});
  t.moved = 4 * n * n;
  t.launch = [=] { mvt_rows<<<grid_of(n, 64), 64>>>(A, x, y, (int)n); };
  t.expect(x.at, n, 1e-5, 50, [=](size_t i) {
    double sum = x[i];
    for (size_t j = 0; j < n; j++) sum += (double)A[i * n + j] * y[j];
    return sum;
  });
}

static void mvt_columns_trial(Trial &t, size_t n) {
  auto A = t.in(n * n, Floats{1, 0, 1}), x = t.in(n, Floats{2, 0, 1}), y = t.in(n, Floats{3, 0, 1});
  t.moved = 4 * n * n;
  t.launch = [=] { mvt_columns<<<grid_of(n, 64), 64>>>(A, x, y, (int)n); };
  t.expect(x.at, n, 1e-5, 50, [=](size_t i) {
    double sum = x[i];
    for (size_t j = 0; j < n; j++) sum += (double)A[j * n + i] * y[j];
    return sum;
  });
}

static void syrk_trial(Trial &t, size_t n) {
  size_t m = 512;
  auto A = t.in(n * m, Floats{1, 0, 1}), C = t.in(n * n, Floats{2, 0, 1});
  t.operations = 2 * n * n * m;
  t.launch = [=] { syrk<<<dim3(grid_of(n, 32), grid_of(n, 8)), dim3(32, 8)>>>(A, C, 0.5f, 0.75f, (int)n, (int)m); };
  t.expect(C.at, n * n, 1e-5, 50, [=](size_t w) {
    double sum = 0;
    for (size_t k = 0; k < m; k++) sum += (double)A[w / n * m + k] * A[w % n * m + k];
    return 0.75 * C[w] + 0.5 * sum;
  });
}

static void covariance_trial(Trial &t, size_t m) {
  size_t n = 512;
  auto data = t.in(n * m, Floats{1, 0, 1});
  float *out = t.out<float>(m * m);
  t.operations = m * m * n;
  t.launch = [=] { covariance<<<grid_of(m, 64), 64>>>(data, out, (int)m, (int)n); };
  t.expect(out, m * m, 1e-5, 50, [=](size_t w) {
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += (double)data[i * m + w / m] * data[i * m + w % m];
    return sum;
  });
}

static void gauss_step_trial(Trial &t, size_t n) {
  enum { STEP = 7 };
  auto m = t.in(n * n, Floats{1, 0, 0.5}), a = t.in(n * n, Floats{2, 0, 1});
  t.moved = 8 * (n - STEP) * (n - STEP);
  t.launch = [=] { gauss_step<<<dim3(grid_of(n, 16), grid_of(n, 16)), dim3(16, 16)>>>(m, a, (int)n, STEP); };
  t.expect(a.at, n * n, 1e-6, 1, [=](size_t w) {
    size_t row = w / n, column = w % n;
    return row > STEP && column >= STEP ? a[w] - (double)m[row * n + STEP] * a[STEP * n + column] : a[w];
  });
}

static void product_plain_trial(Trial &t, size_t n) {
  auto A = t.in(n * n, Doubles{1, 0, 1}), B = t.in(n * n, Doubles{2, 0, 1});
  double *C = t.out<double>(n * n);
  t.operations = 2 * n * n * n;
  t.launch = [=] { product_plain<<<dim3(grid_of(n, 32), grid_of(n, 8)), dim3(32, 8)>>>(A, B, C, (int)n); };
  t.expect(C, n * n, 1e-11, 10, [=](size_t w) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += A[w / n * n + k] * B[k * n + w % n];
    return sum;
  });
}
#endif

int main(int argc, char **argv) {
  return suite_main(argc, argv, {
    {"atax_rows", "walk, symbolic", GAIN | HAND, 1 << 11, 1 << 17, atax_rows_trial},
    {"bicg_rows", "walk, symbolic", GAIN | HAND, 1 << 11, 1 << 16, bicg_rows_trial},
    {"gesummv", "walk, symbolic", GAIN | HAND, 1024, 8192, gesummv_trial},
    {"transpose_plain", "column", GAIN | HAND, 512, 8192, transpose_plain_trial},
#ifndef BENCH_EXPERT
    {"mvt_rows", "walk, symbolic", GAIN, 1024, 16384, mvt_rows_trial},
    {"mvt_columns", "coalesced", CONTROL, 1024, 16384, mvt_columns_trial},
    {"syrk", "walk, symbolic", GAIN, 256, 2048, syrk_trial},
    {"covariance", "column", CONTROL, 256, 1024, covariance_trial},
    {"gauss_step", "swapped", GAIN, 512, 8192, gauss_step_trial},
    {"product_plain", "coalesced", CONTROL, 256, 1536, product_plain_trial},
#endif
  });
}
