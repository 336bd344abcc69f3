// What somebody writes who knows the memory system: rings of stages that asynchronous copies of 16 bytes fill. Built by nvcc,
// in place of the plain kernels of the same names.
#pragma once
#include <cuda_pipeline.h>

enum { EXPERT_THREADS = 256 };

// bytes of 16-byte pieces, rows of PIECES pieces each `pitch` floats apart, into one row after the other.
template <int ROWS, int PIECES> __device__ void copy_rows(float *to, const float *from, int pitch) {
  for (int i = threadIdx.x + threadIdx.y * blockDim.x; i < ROWS * PIECES; i += EXPERT_THREADS)
    __pipeline_memcpy_async(to + 4 * i, from + i / PIECES * pitch + i % PIECES * 4, 16);
}

template <int PER, int STEP, int STAGES> __device__ void product_ring(const float *A, const float *B, float *C, int n) {
  enum { TILE = 16 * PER };
  __shared__ __align__(16) float As[STAGES][TILE][STEP];
  __shared__ __align__(16) float Bs[STAGES][STEP][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, trips = n / STEP;
  const float *a0 = A + blockIdx.y * TILE * n, *b0 = B + blockIdx.x * TILE;
  auto fetch = [&](int k, int slot) {
    if (k < trips) {
      copy_rows<TILE, STEP / 4>(&As[slot][0][0], a0 + k * STEP, n);
      copy_rows<STEP, TILE / 4>(&Bs[slot][0][0], b0 + k * STEP * n, n);
    }
    __pipeline_commit();   // empty groups too: the waits count them
  };
  for (int k = 0; k < STAGES - 1; k++) fetch(k, k);
  float acc[PER][PER] = {};
  int full = 0, free = STAGES - 1;
  for (int t = 0; t < trips; t++) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    fetch(t + STAGES - 1, free);
#pragma unroll
    for (int k = 0; k < STEP; k++)
#pragma unroll
      for (int i = 0; i < PER; i++)
#pragma unroll
        for (int j = 0; j < PER; j++) acc[i][j] += As[full][ty * PER + i][k] * Bs[full][k][tx * PER + j];
    full = full + 1 == STAGES ? 0 : full + 1;
    free = free + 1 == STAGES ? 0 : free + 1;
  }
  C += (blockIdx.y * TILE + ty * PER) * n + blockIdx.x * TILE + tx * PER;
  for (int i = 0; i < PER; i++)
    for (int j = 0; j < PER; j++) C[i * n + j] = acc[i][j];
}

#define PRODUCT_RING(NAME, PER, STEP, STAGES) \
  extern "C" __global__ void NAME(const float *A, const float *B, float *C, int n) { product_ring<PER, STEP, STAGES>(A, B, C, n); }
PRODUCT_RING(product_64, 4, 16, 3)
PRODUCT_RING(product_128_k8, 8, 8, 4)
PRODUCT_RING(product_128_k16, 8, 16, 2)

// Several tiles a stage: what counts is how many bytes are on their way.
template <int TILES, int STAGES> __device__ void stream_ring(const float *g, float *out, int tiles) {
  enum { PIECES = TILES * LINE / 4 };
  __shared__ __align__(16) float s[STAGES][TILES * LINE];
  int t = threadIdx.x, trips = (tiles + TILES - 1) / TILES;
  const float *mine = g + (size_t)blockIdx.x * tiles * LINE;
  auto fetch = [&](int k, int slot) {
    for (int i = t; i < PIECES; i += LINE)
      if (k * TILES + i / (LINE / 4) < tiles) __pipeline_memcpy_async(&s[slot][4 * i], mine + (size_t)k * TILES * LINE + 4 * i, 16);
    __pipeline_commit();
  };
  for (int k = 0; k < STAGES - 1; k++) fetch(k, k);
  float sum = 0;
  int full = 0, free = STAGES - 1;
  for (int k = 0; k < trips; k++) {
    __pipeline_wait_prior(STAGES - 2);
    __syncthreads();
    fetch(k + STAGES - 1, free);
#pragma unroll
    for (int q = 0; q < TILES; q++)
      if (k * TILES + q < tiles) sum += s[full][q * LINE + t] * 0.5f + s[full][q * LINE + LINE - 1 - t];
    full = full + 1 == STAGES ? 0 : full + 1;
    free = free + 1 == STAGES ? 0 : free + 1;
  }
  out[blockIdx.x * LINE + t] = sum;
}

#define STREAM_RING(NAME, TILES, STAGES) \
  extern "C" __global__ void NAME(const float *g, float *out, int tiles) { stream_ring<TILES, STAGES>(g, out, tiles); }
STREAM_RING(stream_132, 8, 5)
STREAM_RING(stream_264, 8, 5)
STREAM_RING(stream_1056, 4, 4)
