// Rows that depend on themselves, as PolyBench has them, one thread a row: forward and backward sweeps, running sums, and rows met by
// each of four others. Prints microseconds, the median of five runs, and a digest of all that was written.
//
//     clang++ -x cuda --cuda-gpu-arch=sm_90 -O3 sweeps.cu -o plain -lcudart_static -ldl -lrt -lpthread
//     clang++ -x cuda --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=build/coalda.so sweeps.cu -o coalda -lcudart_static -ldl -lrt -lpthread
#include <cstdio>
#include <vector>
#include <algorithm>
#define ROW_OF_THREAD int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return
extern "C" __global__ void adi_x(float *A, float *B, float *X, int n, int m) { ROW_OF_THREAD;
  for (int j = 1; j < m; j++) { X[i*m + j] = X[i*m + j] - X[i*m + (j-1)] * A[i*m + j] / B[i*m + (j-1)];
    B[i*m + j] = B[i*m + j] - A[i*m + j] * A[i*m + j] / B[i*m + (j-1)]; } }
extern "C" __global__ void adi_restrict(const float *__restrict__ A, float *__restrict__ B, float *__restrict__ X, int n, int m) { ROW_OF_THREAD;
  for (int j = 1; j < m; j++) { X[i*m + j] = X[i*m + j] - X[i*m + (j-1)] * A[i*m + j] / B[i*m + (j-1)];
    B[i*m + j] = B[i*m + j] - A[i*m + j] * A[i*m + j] / B[i*m + (j-1)]; } }
extern "C" __global__ void adi_back(float *A, float *B, float *X, int n, int m) { ROW_OF_THREAD;
  for (int j = 0; j < m-2; j++) X[i*m + (m-j-2)] = (X[i*m + (m-2-j)] - X[i*m + (m-2-j-1)] * A[i*m + (m-j-3)]) / B[i*m + (m-3-j)]; }
extern "C" __global__ void sweep(float *A, float *B, float *X, int n, int m) { ROW_OF_THREAD;
  for (int j = 1; j < m; j++) X[i*m + j] = X[i*m + j] - X[i*m + (j-1)] * B[j]; }
extern "C" __global__ void scan_into(float *A, float *B, float *X, int n, int m) { ROW_OF_THREAD;
  for (int j = 1; j < m; j++) X[i*m + j] = X[i*m + (j-1)] + A[i*m + j]; }
extern "C" __global__ void syrk_rows(float *A, float *B, float *X, int n, int m) { ROW_OF_THREAD;
  for (int r = 0; r < 4; r++) { X[r*n+i] *= 0.9f; for (int k = 0; k < m; k++) X[r*n+i] += 1.1f * B[r*m+k] * A[i*m+k]; } }
__global__ void fill(float *p, size_t n, float lo) { for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) { unsigned h = (unsigned)i * 2654435761u; h ^= h >> 15; p[i] = lo + (h & 1023) / 1024.0f; } }
__global__ void sum(const unsigned *p, size_t n, unsigned long long *r) { unsigned long long s = 0; for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) s += (unsigned long long)p[i] * (unsigned)(i * 40503u + 1); atomicAdd(r, s); }
int main() {
  float *A, *B, *X; unsigned long long *R; size_t most = (size_t)1 << 28;
  cudaMalloc(&A, most * 4); cudaMalloc(&B, most * 4); cudaMalloc(&X, most * 4); cudaMalloc(&R, 8);
  typedef void (*K)(float *, float *, float *, int, int);
  struct { const char *name; K k; } ks[] = {{"adi_x", adi_x}, {"adi_restrict", (K)adi_restrict}, {"adi_back", adi_back}, {"sweep", sweep}, {"scan_into", scan_into}, {"syrk_rows", syrk_rows}};
  int shapes[][2] = {{1024, 1024}, {4096, 4096}, {16384, 2048}, {131072, 512}, {1048576, 64}, {1048576, 20}};
  for (auto &k : ks) for (auto &s : shapes) { int n = s[0], m = s[1]; size_t words = (size_t)n * m;
    std::vector<float> t; unsigned long long d = 0;
    for (int r = 0; r < 6; r++) {
      fill<<<1024, 256>>>(A, words, 0.1f); fill<<<1024, 256>>>(B, words, 4.0f); fill<<<1024, 256>>>(X, words, 1.0f);
      cudaEvent_t a, b; cudaEventCreate(&a); cudaEventCreate(&b);
      cudaEventRecord(a); k.k<<<(n + 255) / 256, 256>>>(A, B, X, n, m); cudaEventRecord(b); cudaEventSynchronize(b);
      float ms; cudaEventElapsedTime(&ms, a, b); t.push_back(ms); cudaEventDestroy(a); cudaEventDestroy(b);
      if (!r) { cudaMemset(R, 0, 8); sum<<<1024, 256>>>((unsigned *)X, words, R); sum<<<1024, 256>>>((unsigned *)B, words, R); cudaMemcpy(&d, R, 8, cudaMemcpyDeviceToHost); } }
    std::sort(t.begin() + 1, t.end());
    printf("%s %dx%d %.2f %016llx %s\n", k.name, n, m, 1000 * t[3], d, cudaGetErrorString(cudaGetLastError())); } }
