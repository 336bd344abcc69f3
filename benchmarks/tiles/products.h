// C = A B of square matrices whose edge is a multiple of the tile, in the forms that courses and blogs teach.
#pragma once

// One element a thread. The tiles are counted.
#define COUNTED(NAME, TILE) \
  extern "C" __global__ void NAME(const float *A, const float *B, float *C, int n) { \
    __shared__ float As[TILE][TILE]; \
    __shared__ float Bs[TILE][TILE]; \
    int tx = threadIdx.x, ty = threadIdx.y; \
    int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx; \
    float sum = 0; \
    for (int t = 0; t < n / TILE; ++t) { \
      As[ty][tx] = A[row * n + t * TILE + tx]; \
      Bs[ty][tx] = B[(t * TILE + ty) * n + col]; \
      __syncthreads(); \
      for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx]; \
      __syncthreads(); \
    } \
    C[row * n + col] = sum; \
  }

// One element a thread. Two offsets run through the matrices until one reaches its end.
#define WALKED(NAME, TILE) \
  extern "C" __global__ void NAME(const float *A, const float *B, float *C, int n) { \
    int tx = threadIdx.x, ty = threadIdx.y; \
    int aBegin = n * TILE * blockIdx.y, aEnd = aBegin + n - 1, aStep = TILE; \
    int bBegin = TILE * blockIdx.x, bStep = TILE * n; \
    float sum = 0; \
    for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) { \
      __shared__ float As[TILE][TILE]; \
      __shared__ float Bs[TILE][TILE]; \
      As[ty][tx] = A[a + n * ty + tx]; \
      Bs[ty][tx] = B[b + n * ty + tx]; \
      __syncthreads(); \
      for (int k = 0; k < TILE; ++k) sum += As[ty][k] * Bs[k][tx]; \
      __syncthreads(); \
    } \
    C[aBegin + bBegin + n * ty + tx] = sum; \
  }

#define PRODUCT_THREADS 256   // 16 x 16, in the blocked products

// PER x PER elements a thread, TILE = 16 PER. Every thread copies its share of both tiles.
#define PRODUCT(NAME, PER, STEP, COPY, UNROLL) \
  extern "C" __global__ void NAME(const float *A, const float *B, float *C, int n) { \
    const int TILE = 16 * PER; \
    __shared__ float As[TILE][STEP]; \
    __shared__ float Bs[STEP][TILE]; \
    int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx; \
    int row0 = blockIdx.y * TILE, col0 = blockIdx.x * TILE; \
    float acc[PER][PER] = {}; \
    for (int k0 = 0; k0 < n; k0 += STEP) { \
      COPY \
      __syncthreads(); \
      UNROLL for (int k = 0; k < STEP; k++) { \
        float a[PER], b[PER]; \
        for (int i = 0; i < PER; i++) a[i] = As[ty * PER + i][k]; \
        for (int j = 0; j < PER; j++) b[j] = Bs[k][tx * PER + j]; \
        for (int i = 0; i < PER; i++) \
          for (int j = 0; j < PER; j++) acc[i][j] += a[i] * b[j]; \
      } \
      __syncthreads(); \
    } \
    for (int i = 0; i < PER; i++) \
      for (int j = 0; j < PER; j++) C[(row0 + ty * PER + i) * n + col0 + tx * PER + j] = acc[i][j]; \
  }

#define COPY_IN_LOOPS(STEP) \
  for (int i = tid; i < TILE * STEP; i += PRODUCT_THREADS) As[i / STEP][i % STEP] = A[(row0 + i / STEP) * n + k0 + i % STEP]; \
  for (int i = tid; i < STEP * TILE; i += PRODUCT_THREADS) Bs[i / TILE][i % TILE] = B[(k0 + i / TILE) * n + col0 + i % TILE];

#define COPY_UNROLLED(STEP) \
  _Pragma("unroll") for (int s = 0; s < TILE * STEP / PRODUCT_THREADS; s++) { \
    int i = tid + s * PRODUCT_THREADS; \
    As[i / STEP][i % STEP] = A[(row0 + i / STEP) * n + k0 + i % STEP]; \
    Bs[i / TILE][i % TILE] = B[(k0 + i / TILE) * n + col0 + i % TILE]; \
  }

#define BLOCKED(NAME, PER, STEP) PRODUCT(NAME, PER, STEP, COPY_IN_LOOPS(STEP), )
// The same with loops that are unrolled by request, as tuned code has them.
#define UNROLLED(NAME, PER, STEP) PRODUCT(NAME, PER, STEP, COPY_UNROLLED(STEP), _Pragma("unroll"))

// 4 x 4 elements a thread, of matrices whose edge is any: what lies outside is not copied. Nobody reads it where the last tile is cut
// short, or zeros stand there.
#define OUTSIDE(NAME, BEFORE, STEPS) \
  extern "C" __global__ void NAME(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int n) { \
    __shared__ float As[64][17]; \
    __shared__ float Bs[16][64]; \
    int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx; \
    int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64; \
    float acc[4][4] = {}; \
    for (int k0 = 0; k0 < n; k0 += 16) { \
      _Pragma("unroll") for (int s = 0; s < 4; s++) { \
        float *a = &As[ty + 16 * s][tx], *b = &Bs[tid / 64 + 4 * s][tid % 64]; \
        int row = row0 + ty + 16 * s, k = k0 + tid / 64 + 4 * s, col = col0 + tid % 64; \
        BEFORE \
        if (row < n && k0 + tx < n) *a = A[(size_t)row * n + k0 + tx]; \
        if (k < n && col < n) *b = B[(size_t)k * n + col]; \
      } \
      __syncthreads(); \
      int steps = STEPS; \
      for (int k = 0; k < steps; k++) \
        _Pragma("unroll") for (int i = 0; i < 4; i++) \
          _Pragma("unroll") for (int j = 0; j < 4; j++) acc[i][j] += As[ty * 4 + i][k] * Bs[k][tx * 4 + j]; \
      __syncthreads(); \
    } \
    for (int i = 0; i < 4; i++) \
      for (int j = 0; j < 4; j++) { \
        int row = row0 + ty * 4 + i, col = col0 + tx * 4 + j; \
        if (row < n && col < n) C[(size_t)row * n + col] = acc[i][j]; \
      } \
  }

#ifndef BENCH_EXPERT
COUNTED(textbook_16, 16)
COUNTED(textbook_32, 32)
WALKED(textbook_walked_16, 16)
WALKED(textbook_walked_32, 32)
BLOCKED(product_64, 4, 16)
BLOCKED(product_128_k8, 8, 8)
BLOCKED(product_128_k16, 8, 16)
OUTSIDE(product_64_kept, , min(16, n - k0))
OUTSIDE(product_64_zeros, *a = 0; *b = 0;, 16)
UNROLLED(product_64_unrolled, 4, 16)
UNROLLED(product_128_unrolled, 8, 8)

// Copies of 16 bytes; the tile of A is turned on its way, so that a thread's column lies in one piece.
extern "C" __global__ void product_128_float4(const float *A, const float *B, float *C, int n) {
  __shared__ float As[8][128];
  __shared__ float Bs[8][128];
  int tx = threadIdx.x, ty = threadIdx.y, tid = ty * 16 + tx;
  int row0 = blockIdx.y * 128, col0 = blockIdx.x * 128;
  int aRow = tid / 2, aCol = tid % 2 * 4, bRow = tid / 32, bCol = tid % 32 * 4;
  float acc[8][8] = {};
  for (int k0 = 0; k0 < n; k0 += 8) {
    float4 v = *(const float4 *)&A[(row0 + aRow) * n + k0 + aCol];
    As[aCol + 0][aRow] = v.x;
    As[aCol + 1][aRow] = v.y;
    As[aCol + 2][aRow] = v.z;
    As[aCol + 3][aRow] = v.w;
    *(float4 *)&Bs[bRow][bCol] = *(const float4 *)&B[(k0 + bRow) * n + col0 + bCol];
    __syncthreads();
    for (int k = 0; k < 8; k++)
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) acc[i][j] += As[k][ty * 8 + i] * Bs[k][tx * 8 + j];
    __syncthreads();
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) C[(row0 + ty * 8 + i) * n + col0 + tx * 8 + j] = acc[i][j];
}
#endif
