// Kernels with one load and one store of interest each, to hold the report's sectors against a GPU's counters.
// scripts/ncu-join reads the report of this file and Nsight Compute's counters of its run, and joins them.
#include <cstdio>
#include <cstdlib>

#define TID (blockIdx.x * blockDim.x + threadIdx.x)
struct Three { float x, y, z; };
struct Six { float f[6]; };

__global__ void unit1(const char *p, char *q) { q[TID] = p[TID]; }
__global__ void unit2(const short *p, short *q) { q[TID] = p[TID]; }
__global__ void unit4(const float *p, float *q) { q[TID] = p[TID]; }
__global__ void unit8(const double *p, double *q) { q[TID] = p[TID]; }
__global__ void shifted1(const float *p, float *q) { q[TID + 1] = p[TID + 1]; }
__global__ void shifted8(const float *p, float *q) { q[TID + 8] = p[TID + 8]; }
__global__ void backward(const float *p, float *q) { q[1 << 20] = 0; q[100000 - TID] = p[100000 - TID]; }
__global__ void stride2(const float *p, float *q) { q[2 * TID] = p[2 * TID]; }
__global__ void stride3(const float *p, float *q) { q[3 * TID] = p[3 * TID]; }
__global__ void stride5(const float *p, float *q) { q[5 * TID] = p[5 * TID]; }
__global__ void stride8(const float *p, float *q) { q[8 * TID] = p[8 * TID]; }
__global__ void stride7bytes(const char *p, char *q) { q[7 * TID] = p[7 * TID]; }
__global__ void stride17(const float *p, float *q) { q[17 * TID] = p[17 * TID]; }
__global__ void stride2double(const double *p, double *q) { q[2 * TID] = p[2 * TID]; }
__global__ void uniform(const float *p, float *q) { q[blockIdx.x] = p[blockIdx.x + 7]; }
__global__ void halves(const float *p, float *q) { q[TID / 2] = p[TID / 2]; }
__global__ void flipped(const float *p, float *q) { q[TID ^ 1] = p[TID ^ 1]; }
__global__ void few(const float *p, float *q) { if (threadIdx.x < 8) q[TID] = p[TID]; }
__global__ void even(const float *p, float *q) { if (threadIdx.x % 2 == 0) q[TID] = p[TID]; }
__global__ void record3(const Three *p, float *q) { Three v = p[TID]; q[TID] = v.x + v.y + v.z; }
__global__ void record6(const Six *p, float *q) { Six v = p[TID]; q[TID] = v.f[0] + v.f[2] + v.f[5]; }
__global__ void fields(const float *p, Three *q) { q[TID].x = p[TID]; q[TID].z = p[TID]; }
__global__ void swapped(const float *p, float *q) { q[threadIdx.y * 32 + threadIdx.x] = p[threadIdx.x * 1000 + threadIdx.y]; }
__global__ void halfrows(const float *p, float *q) {
  q[(threadIdx.x / 16) * 1000 + threadIdx.x % 16] = p[(threadIdx.x % 16) * 1000 + threadIdx.x / 16]; }
__global__ void rows1001(const float *p, float *q) { q[blockIdx.x * 1001 + threadIdx.x] = p[blockIdx.x * 1001 + threadIdx.x]; }
__global__ void walk(const float *p, float *q) { float s = 0;
#pragma unroll 1
  for (int j = 0; j < 16; j++) s += p[TID * 16 + j];
  q[TID] = s; }
__global__ void window(const float *p, float *q) { float s = 0;
#pragma unroll 1
  for (int j = 0; j < 64; j++) s += p[TID + j];
  q[TID] = s; }
__global__ void vector_copy(const float4 *p, float4 *q) { q[TID] = p[TID]; }
__attribute__((annotate("coalda.shape=16x16"))) __global__ void block16(const float *p, float *q) {
  q[threadIdx.y * 100 + threadIdx.x] = p[threadIdx.x * 100 + threadIdx.y]; }
__attribute__((annotate("coalda.shape=48x4"))) __global__ void block48(const float *p, float *q) {
  q[threadIdx.y * 100 + threadIdx.x] = p[threadIdx.y * 48 + threadIdx.x]; }

#define RUN(kernel, grid, block) kernel<<<grid, block>>>((decltype(first(kernel)))p, (decltype(second(kernel)))q)
template <class A, class B> A first(void (*)(A, B));
template <class A, class B> B second(void (*)(A, B));

int main() {
  enum { BYTES = 64 << 20, BLOCKS = 64, THREADS = 256 };
  void *p, *q;
  if (cudaMalloc(&p, BYTES) != cudaSuccess || cudaMalloc(&q, BYTES) != cudaSuccess) return 1;
  cudaMemset(p, 1, BYTES);
#define PLAIN(kernel) RUN(kernel, BLOCKS, THREADS)
  PLAIN(unit1); PLAIN(unit2); PLAIN(unit4); PLAIN(unit8); PLAIN(shifted1); PLAIN(shifted8); PLAIN(backward);
  PLAIN(stride2); PLAIN(stride3); PLAIN(stride5); PLAIN(stride8); PLAIN(stride7bytes); PLAIN(stride17);
  PLAIN(stride2double); PLAIN(uniform); PLAIN(halves); PLAIN(flipped); PLAIN(few); PLAIN(even); PLAIN(record3);
  PLAIN(record6); PLAIN(fields); PLAIN(rows1001); PLAIN(walk); PLAIN(window); PLAIN(vector_copy);
  RUN(swapped, BLOCKS, dim3(32, 8));
  RUN(halfrows, BLOCKS, THREADS);
  RUN(block16, BLOCKS, dim3(16, 16));
  RUN(block48, BLOCKS, dim3(48, 4));
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  puts("ran");
}
