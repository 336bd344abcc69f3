// What include/coalda.h can say, a kernel for each. Any compiler takes them: docs/header.md tells what the plugin makes of them.
//
//     nvcc -std=c++17 -arch=sm_90 -Iinclude -c examples/header.cu
//     clang++-22 -x cuda --cuda-gpu-arch=sm_90 -O3 -std=c++17 -Iinclude -fpass-plugin=build/coalda.so -c examples/header.cu
#include <coalda.h>

enum { TILE = 256, RADIUS = 2, WIDTH = 64, ROWS = 16, EDGE = 32 };

// y += a * x, a tile after the other: both tiles are under way while the one before is used. n is a multiple of TILE.
extern "C" __global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y, unsigned n) {
  __shared__ alignas(16) float sx[TILE];
  for (unsigned i = blockIdx.x * TILE; i < n; i += gridDim.x * TILE) {
    auto f = coalda::copy(sx, x + i, TILE);
    coalda::wait(f);
    for (unsigned k = threadIdx.x; k < TILE; k += blockDim.x)
      y[i + k] += a * sx[k];
    coalda::done();
  }
}

// Sums of 2 * RADIUS + 1 neighbours; zeros stand where there are none.
extern "C" __global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[TILE + 2 * RADIUS];
  for (int i = blockIdx.x * TILE; i < n; i += gridDim.x * TILE) {
    auto f = coalda::copy_padded(s, in, i - RADIUS, TILE + 2 * RADIUS, n, 0.0f);
    coalda::wait(f);
    for (int k = threadIdx.x; k < TILE && i + k < n; k += blockDim.x) {
      float sum = 0;
      for (int r = 0; r <= 2 * RADIUS; r++)
        sum += s[k + r];
      out[i + k] = sum;
    }
    coalda::done();
  }
}

// Sums of rows of a table that a list names, ROWS of them at a time; a block for each list of k * ROWS. WIDTH threads or more.
extern "C" __global__ void sum_named_rows(const float *__restrict__ table, const unsigned *__restrict__ list, float *__restrict__ out, int k) {
  __shared__ alignas(16) float s[ROWS * WIDTH];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::gather<16>(s, table, list + (blockIdx.x * k + i) * ROWS, ROWS, WIDTH);
    coalda::wait(f);
    for (int r = 0; threadIdx.x < WIDTH && r < ROWS; r++)
      sum += s[r * WIDTH + threadIdx.x];
    coalda::done();
  }
  if (threadIdx.x < WIDTH)
    out[blockIdx.x * WIDTH + threadIdx.x] = sum;
}

// b = a turned, of n x n elements, n a multiple of EDGE; a block for each row of tiles.
extern "C" __global__ void turn(const float *__restrict__ a, float *__restrict__ b, unsigned n) {
  __shared__ float s[EDGE][EDGE + 1];
  for (unsigned i = 0; i < n / EDGE; i++) {
    auto f = coalda::copy_transposed(&s[0][0], EDGE + 1, a + blockIdx.x * EDGE * n + i * EDGE, n, EDGE, EDGE);
    coalda::wait(f);
    for (unsigned k = threadIdx.x; k < EDGE * EDGE; k += blockDim.x)
      b[(i * EDGE + k / EDGE) * n + blockIdx.x * EDGE + k % EDGE] = s[k / EDGE][k % EDGE];
    coalda::done();
  }
}

// Two buffers of the program's own: the next tile comes while this one is used, with every compiler. k tiles a block, k > 0; TILE threads.
extern "C" __global__ void two_buffers(const float *__restrict__ g, float *__restrict__ out, int k) {
  __shared__ float s[2][TILE];
  const float *tiles = g + blockIdx.x * k * TILE;
  float sum = 0;
  auto now = coalda::copy_async(s[0], tiles, TILE), next = now;
  next.data = s[1];
  for (int i = 1; i < k; i++) {
    next = coalda::copy_async(next.data, tiles + i * TILE, TILE);
    coalda::wait<1>(now);
    sum += now.data[TILE - 1 - threadIdx.x];
    coalda::done();
    coalda::swap(now, next);
  }
  coalda::wait(now);
  out[blockIdx.x * TILE + threadIdx.x] = sum + now.data[TILE - 1 - threadIdx.x];
}

// The largest of each thread's 8 numbers, which lie in blocks: neighbours read neighbouring words.
extern "C" __global__ void largest(float *numbers, float *out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  auto mine = coalda::blocked<float, 8>(numbers, n)[i];
  float most = mine[0];
  for (int k = 1; k < 8; k++)
    most = mine[k] > most ? mine[k] : most;
  out[i] = most;
}

// Left as it is, byte for byte, and with a ring of four stages.
extern "C" __global__ COALDA_OFF void left(const float *__restrict__ g, float *__restrict__ out, int k) {
  __shared__ float s[TILE];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    coalda::wait(coalda::copy(s, g + (blockIdx.x * k + i) * TILE, TILE));
    sum += s[TILE - 1 - threadIdx.x];
    coalda::done();
  }
  out[blockIdx.x * TILE + threadIdx.x] = sum;
}
extern "C" __global__ COALDA_STAGES(4) void four_stages(const float *__restrict__ g, float *__restrict__ out, int k) {
  __shared__ float s[TILE];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    coalda::wait(coalda::copy(s, g + (blockIdx.x * k + i) * TILE, TILE));
    sum += s[TILE - 1 - threadIdx.x];
    coalda::done();
  }
  out[blockIdx.x * TILE + threadIdx.x] = sum;
}
