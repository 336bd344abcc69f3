// A block of threads fills a shared array once, and then uses it.
#pragma once

enum { TABLE = 4096, LOOKUPS = 16, SEGMENT = 2048, SHORT_SEGMENT = 512, TIMES = 32, CUBE = 8, SQUARE = 16 };

#ifndef BENCH_EXPERT
// Any element of the table, a different one for neighbours.
BOTH inline unsigned spread(size_t k) { return (unsigned)(k * 2654435761u) >> 20; }
static_assert(1u << 12 == TABLE, "spread has as many values as the table");

// Every block has a copy of the table.
extern "C" __global__ void looked_up(const float *g, float *out, int n) {
  __shared__ float s[TABLE];
  for (int k = threadIdx.x; k < n; k += blockDim.x) s[k] = g[k];
  __syncthreads();
  for (int k = 0; k < LOOKUPS; k++) {
    size_t i = ((size_t)blockIdx.x * LOOKUPS + k) * LINE + threadIdx.x;
    out[i] = s[spread(i)];
  }
}

#define SEGMENTS(NAME, LENGTH, STEP, PLACE, ...) \
  extern "C" __global__ void NAME(const float *g, ##__VA_ARGS__, float *out, int length) { \
    __shared__ float s[LENGTH]; \
    size_t first = (size_t)blockIdx.x * length; \
    float sum = 0; \
    for (int k = threadIdx.x; k < length; k += STEP) s[k] = g[PLACE]; \
    __syncthreads(); \
    for (int k = threadIdx.x; k < length; k += blockDim.x) sum += s[k] * 0.5f + s[length - 1 - k]; \
    out[(size_t)blockIdx.x * blockDim.x + threadIdx.x] = sum; \
  }

// Every block has a segment of its own, in order or through indices; or the step of the loops is a number.
SEGMENTS(segments, SEGMENT, blockDim.x, first + k)
SEGMENTS(segments_short, SHORT_SEGMENT, blockDim.x, first + k)
SEGMENTS(segments_stepped, SEGMENT, LINE, first + k)
SEGMENTS(segments_gathered, SEGMENT, blockDim.x, index[first + k], const int *index)

// The tile is the same in every iteration.
extern "C" __global__ void repeated(const float *g, float *out, int times) {
  __shared__ float s[LINE];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < times; k++) {
    s[t] = g[(size_t)blockIdx.x * LINE + t];
    __syncthreads();
    sum += s[(t + k) % LINE] * 0.5f;
    __syncthreads();
  }
  out[(size_t)blockIdx.x * LINE + t] = sum;
}

// 5 x 5 windows, a rim of 2 around a square of the picture, which the threads fill a square at a time.
extern "C" __global__ void squares(const float *in, float *out, int width, int height) {
  __shared__ float s[SQUARE + 2 * RIM][SQUARE + 2 * RIM];
  int x0 = blockIdx.x * blockDim.x, y0 = blockIdx.y * blockDim.y;
  for (int j = threadIdx.y; j < SQUARE + 2 * RIM; j += blockDim.y)
    for (int i = threadIdx.x; i < SQUARE + 2 * RIM; i += blockDim.x) {
      int x = x0 + i - RIM, y = y0 + j - RIM;
      s[j][i] = x >= 0 && x < width && y >= 0 && y < height ? in[(size_t)y * width + x] : 0;
    }
  __syncthreads();
  float sum = 0;
  for (int j = 0; j < WINDOW; j++)
    for (int i = 0; i < WINDOW; i++) sum += weights[j * WINDOW + i] * s[threadIdx.y + j][threadIdx.x + i];
  out[(size_t)(y0 + threadIdx.y) * width + x0 + threadIdx.x] = sum;
}

// Seven points: the threads at the faces of a cube also copy the neighbours outside of it.
extern "C" __global__ void cubes(const float *in, float *out, int edge) {
  __shared__ float s[CUBE + 2][CUBE + 2][CUBE + 2];
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1, tz = threadIdx.z + 1, page = edge * edge;
  int x = blockIdx.x * CUBE + threadIdx.x, y = blockIdx.y * CUBE + threadIdx.y, z = blockIdx.z * CUBE + threadIdx.z;
  const float *g = in + (size_t)z * page + y * edge + x;
  s[tz][ty][tx] = *g;
  if (tx == 1) s[tz][ty][0] = x > 0 ? g[-1] : 0;
  if (tx == CUBE) s[tz][ty][CUBE + 1] = x < edge - 1 ? g[1] : 0;
  if (ty == 1) s[tz][0][tx] = y > 0 ? g[-edge] : 0;
  if (ty == CUBE) s[tz][CUBE + 1][tx] = y < edge - 1 ? g[edge] : 0;
  if (tz == 1) s[0][ty][tx] = z > 0 ? g[-page] : 0;
  if (tz == CUBE) s[CUBE + 1][ty][tx] = z < edge - 1 ? g[page] : 0;
  __syncthreads();
  float sum = s[tz][ty][tx];
  sum += s[tz][ty][tx - 1];
  sum += s[tz][ty][tx + 1];
  sum += s[tz][ty - 1][tx];
  sum += s[tz][ty + 1][tx];
  sum += s[tz - 1][ty][tx];
  sum += s[tz + 1][ty][tx];
  out[(size_t)z * page + y * edge + x] = sum;
}

// Each block turns one square of a matrix.
extern "C" __global__ void turned(const float *in, float *out, int width, int height) {
  __shared__ float s[TURN][TURN + 1];
  int tx = threadIdx.x, x0 = blockIdx.x * TURN, y0 = blockIdx.y * TURN;
  for (int y = threadIdx.y; y < TURN; y += blockDim.y) s[y][tx] = in[(size_t)(y0 + y) * width + x0 + tx];
  __syncthreads();
  for (int y = threadIdx.y; y < TURN; y += blockDim.y) out[(size_t)(x0 + y) * height + y0 + tx] = s[tx][y];
}
#endif
