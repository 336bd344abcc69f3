// What no asynchronous copy brings: elements that are converted, narrower than a word or turned on their way, and tiles whose
// size is the host's affair.
#pragma once
#include <cuda_fp16.h>

#ifndef BENCH_EXPERT

// ---- streams --------------------------------------------------------------------------------------------------------------

#define BYTES(NAME) \
  extern "C" __global__ void NAME(const uint8_t *g, float *out, int tiles) { \
    __shared__ float s[LINE]; \
    int t = threadIdx.x; \
    const uint8_t *mine = g + (size_t)blockIdx.x * tiles * LINE; \
    float sum = 0; \
    for (int k = 0; k < tiles; k++) { \
      s[t] = mine[k * LINE + t]; \
      __syncthreads(); \
      sum += s[t] * 0.5f + s[LINE - 1 - t]; \
      __syncthreads(); \
    } \
    out[blockIdx.x * LINE + t] = sum; \
  }
BYTES(bytes_132)
BYTES(bytes_264)
BYTES(bytes_1056)

// Four bytes at a time become four floats.
extern "C" __global__ void bytes_by_4(const uint8_t *g, float *out, int tiles) {
  __shared__ float s[4 * LINE];
  int t = threadIdx.x;
  const uchar4 *mine = (const uchar4 *)g + (size_t)blockIdx.x * tiles * LINE;
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    uchar4 v = mine[k * LINE + t];
    s[4 * t] = v.x;
    s[4 * t + 1] = v.y;
    s[4 * t + 2] = v.z;
    s[4 * t + 3] = v.w;
    __syncthreads();
    for (int i = 0; i < 4; i++) sum += s[i * LINE + t] * 0.5f + s[4 * LINE - 1 - (i * LINE + t)];
    __syncthreads();
  }
  out[blockIdx.x * LINE + t] = sum;
}

extern __shared__ float given[];   // as much as the launch says

extern "C" __global__ void dynamic(const float *g, float *out, int tiles) {
  int t = threadIdx.x;
  const float *mine = g + (size_t)blockIdx.x * tiles * LINE;
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    given[t] = mine[k * LINE + t];
    __syncthreads();
    sum += given[t] * 0.5f + given[LINE - 1 - t];
    __syncthreads();
  }
  out[blockIdx.x * LINE + t] = sum;
}

// 5 x 5 windows over a picture of bytes; each block walks down a strip of it, as in `convolution`.
extern "C" __global__ void convolution_bytes(const uint8_t *__restrict__ in, float *__restrict__ out, int width, int height, int rows) {
  __shared__ float s[DOWN + 2 * RIM][STRIP + 2 * RIM];
  int tx = threadIdx.x, ty = threadIdx.y, tid = ty * STRIP + tx;
  int x0 = blockIdx.x * STRIP, top = blockIdx.y * rows;
  for (int y0 = top; y0 < top + rows; y0 += DOWN) {
    for (int i = tid; i < (DOWN + 2 * RIM) * (STRIP + 2 * RIM); i += STRIP * DOWN) {
      int row = i / (STRIP + 2 * RIM), col = i % (STRIP + 2 * RIM), x = x0 + col - RIM, y = y0 + row - RIM;
      s[row][col] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < WINDOW; j++)
      for (int i = 0; i < WINDOW; i++) sum += weights[j * WINDOW + i] * s[ty + j][tx + i];
    out[(y0 + ty) * width + x0 + tx] = sum;
    __syncthreads();
  }
}

// ---- products -------------------------------------------------------------------------------------------------------------

#define TEXTBOOK_HALF(NAME, TILE) \
  extern "C" __global__ void NAME(const __half *A, const __half *B, float *C, int n) { \
    __shared__ float As[TILE][TILE]; \
    __shared__ float Bs[TILE][TILE]; \
    int tx = threadIdx.x, ty = threadIdx.y; \
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx; \
    float sum = 0; \
    for (int t = 0; t < n / TILE; ++t) { \
      As[ty][tx] = __half2float(A[row * n + t * TILE + tx]); \
      Bs[ty][tx] = __half2float(B[(t * TILE + ty) * n + col]); \
      __syncthreads(); \
      for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx]; \
      __syncthreads(); \
    } \
    C[row * n + col] = sum; \
  }
TEXTBOOK_HALF(textbook_half_16, 16)
TEXTBOOK_HALF(textbook_half_32, 32)

#define PRODUCT_HALF(NAME, PER, STEP) \
  extern "C" __global__ void NAME(const __half *A, const __half *B, float *C, int n) { \
    const int TILE = 16 * PER; \
    __shared__ float As[STEP][TILE]; \
    __shared__ float Bs[STEP][TILE]; \
    int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx; \
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE; \
    float acc[PER][PER] = {}; \
    for (int k0 = 0; k0 < n; k0 += STEP) { \
      for (int s = 0; s < TILE * STEP / PRODUCT_THREADS; s++) { \
        int i = tid + s * PRODUCT_THREADS; \
        As[i % STEP][i / STEP] = __half2float(A[(row0 + i / STEP) * n + k0 + i % STEP]); \
        Bs[i / TILE][i % TILE] = __half2float(B[(k0 + i / TILE) * n + col0 + i % TILE]); \
      } \
      __syncthreads(); \
      _Pragma("unroll") for (int k = 0; k < STEP; k++) { \
        float a[PER], b[PER]; \
        for (int i = 0; i < PER; i++) a[i] = As[k][ty * PER + i]; \
        for (int j = 0; j < PER; j++) b[j] = Bs[k][tx * PER + j]; \
        for (int i = 0; i < PER; i++) \
          for (int j = 0; j < PER; j++) acc[i][j] += a[i] * b[j]; \
      } \
      __syncthreads(); \
    } \
    for (int i = 0; i < PER; i++) \
      for (int j = 0; j < PER; j++) C[(row0 + ty * PER + i) * n + col0 + tx * PER + j] = acc[i][j]; \
  }
PRODUCT_HALF(product_half_64, 4, 16)
PRODUCT_HALF(product_half_128, 8, 8)

// A float4 of A becomes a column of its tile; tiles in static memory, and in memory of the host's choice.
#define PRODUCT_TURNED(NAME, PER, STEP, TILES) \
  extern "C" __global__ void NAME(const float *A, const float *B, float *C, int n) { \
    const int TILE = 16 * PER, QUADS = STEP / 4; \
    TILES \
    int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx; \
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE; \
    int aRow = tid / QUADS, aCol = tid % QUADS * 4, bRow = tid / (TILE / 4), bCol = tid % (TILE / 4) * 4; \
    float acc[PER][PER] = {}; \
    for (int k0 = 0; k0 < n; k0 += STEP) { \
      float4 a4 = *(const float4 *)&A[(row0 + aRow) * n + k0 + aCol]; \
      As[(aCol + 0) * TILE + aRow] = a4.x; \
      As[(aCol + 1) * TILE + aRow] = a4.y; \
      As[(aCol + 2) * TILE + aRow] = a4.z; \
      As[(aCol + 3) * TILE + aRow] = a4.w; \
      *(float4 *)&Bs[bRow * TILE + bCol] = *(const float4 *)&B[(k0 + bRow) * n + col0 + bCol]; \
      __syncthreads(); \
      _Pragma("unroll") for (int k = 0; k < STEP; k++) { \
        float a[PER], b[PER]; \
        for (int i = 0; i < PER; i++) a[i] = As[k * TILE + ty * PER + i]; \
        for (int j = 0; j < PER; j++) b[j] = Bs[k * TILE + tx * PER + j]; \
        for (int i = 0; i < PER; i++) \
          for (int j = 0; j < PER; j++) acc[i][j] += a[i] * b[j]; \
      } \
      __syncthreads(); \
    } \
    for (int i = 0; i < PER; i++) \
      for (int j = 0; j < PER; j++) C[(row0 + ty * PER + i) * n + col0 + tx * PER + j] = acc[i][j]; \
  }
#define IN_STATIC(STEP) \
  __shared__ __align__(16) float As[STEP * TILE]; \
  __shared__ __align__(16) float Bs[STEP * TILE];
#define IN_GIVEN(STEP) float *As = given, *Bs = given + STEP * TILE;
PRODUCT_TURNED(product_turned_64, 4, 16, IN_STATIC(16))
PRODUCT_TURNED(product_turned_128, 8, 8, IN_STATIC(8))
PRODUCT_TURNED(product_dynamic_64, 4, 16, IN_GIVEN(16))
#endif
