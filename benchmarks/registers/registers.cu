// Kernels whose rewrites take many registers, in blocks of 64, 256 and 1024 threads that no launch bounds speak of:
//   clang++ ... registers.cu -o registers; ./registers    prints kernel, threads, microseconds, a sum of the output's bits
// A launch that the registers do not allow prints `fails`.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

extern "C" __global__ void product(const float *A, const float *x, float *y, int rows, int n) {
  int i = THREAD;
  if (i >= rows) return;
  float s = 0;
  for (int j = 0; j < n; j++) s += A[(size_t)i * n + j] * x[j];
  y[i] = s;
}

extern "C" __global__ void two_products(const float *A, const float *B, const float *x, float *y, int rows, int n) {
  int i = THREAD;
  if (i >= rows) return;
  float s = 0, t = 0;
  for (int j = 0; j < n; j++) {
    s += A[(size_t)i * n + j] * x[j];
    t += B[(size_t)i * n + j] * x[j];
  }
  y[i] = 1.5f * s + 0.5f * t;
}

extern "C" __global__ void norm(float *A, int rows, int n) {
  int i = THREAD;
  if (i >= rows) return;
  float *row = A + (size_t)i * n, s = 0;
  for (int j = 0; j < n; j++) s += row[j] * row[j];
  float scale = rsqrtf(s + 1e-6f);
  for (int j = 0; j < n; j++) row[j] *= scale;
}

extern "C" __global__ void sweep(float *A, const float *c, int rows, int n) {
  int i = THREAD;
  if (i >= rows) return;
  float *x = A + (size_t)i * n;
  for (int j = 1; j < n; j++) x[j] -= x[j - 1] * c[j];
}

extern "C" __global__ void hash(const unsigned char *A, unsigned *y, int rows, int n) {
  int i = THREAD;
  if (i >= rows) return;
  unsigned h = 2166136261u;
  for (int j = 0; j < n; j++) h = (h ^ A[(size_t)i * n + j]) * 16777619u;
  y[i] = h;
}

enum { ROWS = 131072, COLUMNS = 2048, RUNS = 7 };

__global__ void fill(unsigned *a, size_t words, bool floats) {
  for (size_t i = THREAD; i < words; i += (size_t)gridDim.x * blockDim.x) {
    unsigned h = (unsigned)i * 2654435761u + (unsigned)(i >> 20);
    a[i] = floats ? __float_as_uint(float((h >> 9) & 1023) * 0.0009765625f - 0.5f) : h;
  }
}

__global__ void add_up(const unsigned *a, size_t words, unsigned long long *sum) {
  unsigned long long own = 0;
  for (size_t i = THREAD; i < words; i += (size_t)gridDim.x * blockDim.x) own += a[i] * (2 * i + 1);
  atomicAdd(sum, own);
}

static float *A, *B, *x;
static unsigned *y;

static void launch(int kernel, int threads) {
  int blocks = (ROWS + threads - 1) / threads;
  if (kernel == 0) product<<<blocks, threads>>>(A, x, (float *)y, ROWS, COLUMNS);
  if (kernel == 1) two_products<<<blocks, threads>>>(A, B, x, (float *)y, ROWS, COLUMNS);
  if (kernel == 2) norm<<<blocks, threads>>>(A, ROWS, COLUMNS);
  if (kernel == 3) sweep<<<blocks, threads>>>(A, x, ROWS, COLUMNS);
  if (kernel == 4) hash<<<blocks, threads>>>((const unsigned char *)A, y, ROWS, COLUMNS);
}

static void prepare(int kernel) {
  fill<<<1024, 256>>>((unsigned *)A, (size_t)ROWS * COLUMNS, kernel != 4);
  fill<<<1024, 256>>>((unsigned *)B, (size_t)ROWS * COLUMNS, true);
  fill<<<32, 256>>>((unsigned *)x, COLUMNS, true);
  cudaMemset(y, 0, ROWS * 4);
}

static unsigned long long sum_of(int kernel) {
  static unsigned long long *sum;
  unsigned long long host;
  if (!sum) cudaMalloc(&sum, 8);
  cudaMemset(sum, 0, 8);
  bool in_place = kernel == 2 || kernel == 3;
  add_up<<<1024, 256>>>(in_place ? (unsigned *)A : y, in_place ? (size_t)ROWS * COLUMNS : ROWS, sum);
  cudaMemcpy(&host, sum, 8, cudaMemcpyDeviceToHost);
  return host;
}

int main() {
  static const char *const names[] = {"product", "two_products", "norm", "sweep", "hash"};
  cudaMalloc(&A, (size_t)ROWS * COLUMNS * 4), cudaMalloc(&B, (size_t)ROWS * COLUMNS * 4);
  cudaMalloc(&x, COLUMNS * 4), cudaMalloc(&y, ROWS * 4);
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  for (int kernel = 0; kernel < 5; kernel++)
    for (int threads : {64, 256, 1024}) {
      prepare(kernel);
      launch(kernel, threads);
      if (cudaGetLastError() != cudaSuccess) {
        printf("%-14s %5d fails\n", names[kernel], threads);
        continue;
      }
      unsigned long long sum = sum_of(kernel);
      std::vector<float> times;
      for (int run = 0; run < RUNS; run++) {
        cudaEventRecord(begin);
        launch(kernel, threads);
        cudaEventRecord(end), cudaEventSynchronize(end);
        float ms;
        cudaEventElapsedTime(&ms, begin, end);
        times.push_back(ms * 1000);
      }
      std::sort(times.begin(), times.end());
      printf("%-14s %5d %9.1f us  %016llx\n", names[kernel], threads, times[RUNS / 2], sum);
    }
  return cudaDeviceSynchronize() != cudaSuccess;
}
