// A block of threads sweeps along memory, tile by tile. LINE: elements of a tile.
#pragma once
#include <cuda_fp16.h>

enum { LINE = 256, LONG = 1024, RADIUS = 3, STRIP = 32, DOWN = 8, RIM = 2, WINDOW = 5, TURN = 32, KNN = 16, NEAR = 1024, TRIPS = 16 };

// ---- what the checks need too --------------------------------------------------------------------------------------

#define WEIGHTS {1, 4, 7, 4, 1, 4, 16, 26, 16, 4, 7, 26, 41, 26, 7, 4, 16, 26, 16, 4, 1, 4, 7, 4, 1}
__constant__ float weights[WINDOW * WINDOW] = WEIGHTS;

// What body b does to a body at p.
static BOTH inline void pull(float4 p, float4 b, float *x, float *y, float *z) {
  float dx = b.x - p.x, dy = b.y - p.y, dz = b.z - p.z;
  float d = dx * dx + dy * dy + dz * dz + 1.0f;
  float f = b.w / (d * sqrtf(d));
  *x += dx * f;
  *y += dy * f;
  *z += dz * f;
}

// ---- streams: each block has `tiles` tiles of its own ---------------------------------------------------------------

#define STREAM(NAME) \
  extern "C" __global__ void NAME(const float *g, float *out, int tiles) { \
    __shared__ float s[LINE]; \
    int t = threadIdx.x; \
    const float *mine = g + (size_t)blockIdx.x * tiles * LINE; \
    float sum = 0; \
    for (int k = 0; k < tiles; k++) { \
      s[t] = mine[k * LINE + t]; \
      __syncthreads(); \
      sum += s[t] * 0.5f + s[LINE - 1 - t]; \
      __syncthreads(); \
    } \
    out[blockIdx.x * LINE + t] = sum; \
  }

#ifndef BENCH_EXPERT
STREAM(stream_132)
STREAM(stream_264)
STREAM(stream_1056)

// The compiler knows how many tiles there are, and that they are few: it would rather have no loop.
extern "C" __global__ void known_trips(const float *g, float *out) {
  __shared__ float s[LINE];
  int t = threadIdx.x;
  const float *mine = g + (size_t)blockIdx.x * TRIPS * LINE;
  float sum = 0;
  for (int k = 0; k < TRIPS; k++) {
    s[t] = mine[k * LINE + t];
    __syncthreads();
    sum += s[t] * 0.5f + s[LINE - 1 - t];
    __syncthreads();
  }
  out[blockIdx.x * LINE + t] = sum;
}

// The elements are narrower in memory than in the tile.
extern "C" __global__ void converted(const __half *g, float *out, int tiles) {
  __shared__ float s[LINE];
  int t = threadIdx.x;
  const __half *mine = g + (size_t)blockIdx.x * tiles * LINE;
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    s[t] = __half2float(mine[k * LINE + t]);
    __syncthreads();
    sum += s[t] * 0.5f + s[LINE - 1 - t];
    __syncthreads();
  }
  out[blockIdx.x * LINE + t] = sum;
}

// An index says where each element comes from.
extern "C" __global__ void gathered(const float *g, const int *index, float *out, int tiles) {
  __shared__ float s[LINE];
  int t = threadIdx.x;
  size_t first = (size_t)blockIdx.x * tiles * LINE;
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    s[t] = g[index[first + k * LINE + t]];
    __syncthreads();
    sum += s[t] * 0.5f + s[LINE - 1 - t];
    __syncthreads();
  }
  out[blockIdx.x * LINE + t] = sum;
}

// 16 bytes a thread.
extern "C" __global__ void float4_tiles(const float4 *g, float *out, int tiles) {
  __shared__ float4 s[LINE];
  int t = threadIdx.x;
  const float4 *mine = g + (size_t)blockIdx.x * tiles * LINE;
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    s[t] = mine[k * LINE + t];
    __syncthreads();
    sum += s[t].x * 0.5f + s[LINE - 1 - t].y;
    sum += s[t].z * 0.5f + s[LINE - 1 - t].w;
    __syncthreads();
  }
  out[blockIdx.x * LINE + t] = sum;
}

// Tiles longer than the block: an inner loop copies them.
extern "C" __global__ void inner_loop(const float *g, float *out, int tiles) {
  __shared__ float s[LONG];
  const float *mine = g + (size_t)blockIdx.x * tiles * LONG;
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    for (int i = threadIdx.x; i < LONG; i += blockDim.x) s[i] = mine[k * LONG + i];
    __syncthreads();
    for (int i = threadIdx.x; i < LONG; i += blockDim.x) sum += s[i] * 0.5f + s[LONG - 1 - i];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// ---- what does not come out even --------------------------------------------------------------------------------------

// The tiles are dealt out to the blocks, and the last is short.
extern "C" __global__ void ragged(const float *g, float *out, int n) {
  __shared__ float s[LINE];
  int t = threadIdx.x;
  float sum = 0;
  for (int base = blockIdx.x * LINE; base < n; base += gridDim.x * LINE) {
    s[t] = base + t < n ? g[base + t] : 0;
    __syncthreads();
    sum += s[t] * 0.5f + s[LINE - 1 - t];
    __syncthreads();
  }
  out[blockIdx.x * LINE + t] = sum;
}

// Each block walks along `tiles` tiles; a tile needs RADIUS neighbours on both sides.
extern "C" __global__ void stencil(const float *in, float *out, int tiles, int n) {
  __shared__ float s[LINE + 2 * RADIUS];
  int t = threadIdx.x;
  for (int k = 0; k < tiles; k++) {
    int i = (blockIdx.x * tiles + k) * LINE + t;
    s[t + RADIUS] = in[i];
    if (t < RADIUS) {
      s[t] = i < RADIUS ? 0 : in[i - RADIUS];
      s[t + LINE + RADIUS] = i + LINE < n ? in[i + LINE] : 0;
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j <= 2 * RADIUS; j++) sum += s[t + j];
    out[i] = sum;
    __syncthreads();
  }
}

// 5 x 5 windows: each block walks down a strip of the picture, DOWN rows at a time, and loads a rim of 2 around them.
extern "C" __global__ void convolution(const float *__restrict__ in, float *__restrict__ out, int width, int height, int rows) {
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

// Each block turns a row of tiles, padded so that no two threads want one bank.
extern "C" __global__ void transposed(const float *in, float *out, int width, int height) {
  __shared__ float s[TURN][TURN + 1];
  int tx = threadIdx.x, y0 = blockIdx.x * TURN;
  for (int x0 = 0; x0 < width; x0 += TURN) {
    for (int y = threadIdx.y; y < TURN; y += blockDim.y) s[y][tx] = in[(y0 + y) * width + x0 + tx];
    __syncthreads();
    for (int y = threadIdx.y; y < TURN; y += blockDim.y) out[(x0 + y) * height + y0 + tx] = s[tx][y];
    __syncthreads();
  }
}

// ---- pairs ------------------------------------------------------------------------------------------------------------

extern "C" __global__ void nbody(const float4 *body, float4 *force, int n) {
  __shared__ float4 s[LINE];
  int i = blockIdx.x * LINE + threadIdx.x;
  float4 p = body[i];
  float x = 0, y = 0, z = 0;
  for (int tile = 0; tile < n / LINE; tile++) {
    s[threadIdx.x] = body[tile * LINE + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < LINE; j++) pull(p, s[j], &x, &y, &z);
    __syncthreads();
  }
  force[i] = make_float4(x, y, z, 0);
}

// Squares of the distances between all queries and all points; each of `dims` coordinates is a row of `count` numbers.
extern "C" __global__ void knn(const float *query, const float *point, float *out, int count, int dims) {
  __shared__ float q[KNN][KNN], p[KNN][KNN];
  int tx = threadIdx.x, ty = threadIdx.y, q0 = blockIdx.y * KNN, p0 = blockIdx.x * KNN;
  float sum = 0;
  for (int d = 0; d < dims; d += KNN) {
    if (d + ty < dims) {
      q[ty][tx] = query[(d + ty) * count + q0 + tx];
      p[ty][tx] = point[(d + ty) * count + p0 + tx];
    } else {
      q[ty][tx] = 0;
      p[ty][tx] = 0;
    }
    __syncthreads();
    for (int k = 0; k < KNN; k++) {
      float difference = q[k][ty] - p[k][tx];
      sum += difference * difference;
    }
    __syncthreads();
  }
  out[(q0 + ty) * count + p0 + tx] = sum;
}
#endif
