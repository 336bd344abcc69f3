// Copies and stores that are under way while the block computes, and are waited for by name (include/coalda.h, docs/header.md): bulk copies from
// sm_90 on, the same results on every GPU before. Any compiler takes them.
//
//     nvcc -std=c++17 -arch=sm_90 -Iinclude -c examples/bulk.cu
#include <coalda.h>

enum { TILE = 256, RADIUS = 4, WIDTH = 64, ROWS = 16 };

__device__ inline unsigned rank() { return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x; }
__device__ inline unsigned threads() { return blockDim.x * blockDim.y * blockDim.z; }
__device__ inline unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

// y += a * x, of any n: while a tile is used the next one comes, by the other channel. The last tile may be short.
extern "C" __global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y, unsigned n) {
  __shared__ alignas(16) float s[2][TILE];
  __shared__ coalda::channel memory[2];
  auto c = coalda::open(memory);
  const unsigned step = gridDim.x * TILE;
  auto fetch = [&](unsigned i, unsigned at) { return c[i].copy(s[i], x + at, at < n ? least(TILE, n - at) : 0); };
  auto now = fetch(0, blockIdx.x * TILE), next = now;
  for (unsigned at = blockIdx.x * TILE, i = 0; at < n; at += step, i ^= 1) {
    next = fetch(i ^ 1, at + step);
    coalda::wait(now);
    for (unsigned k = rank(); k < TILE && at + k < n; k += threads())
      y[at + k] += a * now.data[k];
    coalda::done();
    now = next;
  }
  coalda::wait(now);
}

// Each row's product with a vector, which comes by a channel of its own, and is waited for behind the first row's sum. A block for each k rows of WIDTH
// elements, k > 0.
extern "C" __global__ void rows_times_vector(const float *__restrict__ rows, const float *__restrict__ v, float *__restrict__ out, int k) {
  __shared__ alignas(16) float s[2][WIDTH], sv[WIDTH];
  __shared__ coalda::channel memory[3];
  auto c = coalda::open(memory);
  const float *row = rows + blockIdx.x * k * WIDTH;
  auto vector = c[2].copy<16>(sv, v, WIDTH);
  auto now = c[0].copy<16>(s[0], row, WIDTH), next = now;
  for (int i = 0; i < k; i++) {
    if (i + 1 < k)
      next = c[(i + 1) % 2].copy<16>(s[(i + 1) % 2], row + (i + 1) * WIDTH, WIDTH);
    coalda::wait(now);
    float sum = 0, product = 0;
    for (int j = 0; j < WIDTH; j++)
      sum += now.data[j];
    if (i == 0)
      coalda::wait(vector);
    for (int j = 0; j < WIDTH; j++)
      product += now.data[j] * sv[j];
    if (rank() == 0)
      out[blockIdx.x * k + i] = product / sum;
    coalda::done();
    now = next;
  }
}

// Sums of 2 * RADIUS + 1 neighbours; ones stand where there are none. A halo of four floats is 16 bytes: its tiles are bulk copies.
extern "C" __global__ void stencil(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ alignas(16) float s[2][TILE + 2 * RADIUS];
  __shared__ coalda::channel memory[2];
  auto c = coalda::open(memory);
  const int step = gridDim.x * TILE;
  auto fetch = [&](int i, int at) {
    const int from = at < RADIUS ? 0 : at - RADIUS, to = at + TILE + RADIUS < n ? at + TILE + RADIUS : n, count = from < to ? to - from : 0;
    const int lo = from - (at - RADIUS);
    return c[i].copy(s[i], in + from, count, coalda::pad(lo, TILE + 2 * RADIUS - lo - count, 1));
  };
  auto now = fetch(0, blockIdx.x * TILE), next = now;
  for (int at = blockIdx.x * TILE, i = 0; at < n; at += step, i ^= 1) {
    if (at + step < n)
      next = fetch(i ^ 1, at + step);
    coalda::wait(now);
    for (int k = rank(); k < TILE && at + k < n; k += threads()) {
      float sum = 0;
      for (int r = 0; r <= 2 * RADIUS; r++)
        sum += now.data[k + r];
      out[at + k] = sum;
    }
    coalda::done();
    now = next;
  }
  coalda::wait(now);
}

// Sums of rows of a table that a list names, ROWS of them at a time; a block for each list of k * ROWS, k > 0.
extern "C" __global__ void sum_named_rows(const float *__restrict__ table, const unsigned *__restrict__ list, float *__restrict__ out, int k) {
  __shared__ alignas(16) float s[2][ROWS * WIDTH];
  __shared__ float sum[WIDTH];
  __shared__ coalda::channel memory[2];
  auto c = coalda::open(memory);
  list += blockIdx.x * k * ROWS;
  auto now = c[0].gather<16>(s[0], table, list, ROWS, WIDTH), next = now;
  for (unsigned j = rank(); j < WIDTH; j += threads())
    sum[j] = 0;
  for (int i = 0; i < k; i++) {
    if (i + 1 < k)
      next = c[(i + 1) % 2].gather<16>(s[(i + 1) % 2], table, list + (i + 1) * ROWS, ROWS, WIDTH);
    coalda::wait(now);
    for (unsigned j = rank(); j < WIDTH; j += threads())
      for (int r = 0; r < ROWS; r++)
        sum[j] += now.data[r * WIDTH + j];
    coalda::done();
    now = next;
  }
  for (unsigned j = rank(); j < WIDTH; j += threads())
    out[blockIdx.x * WIDTH + j] = sum[j];
}

// out[i] = in[i] * in[i] + 1: two tiles come, two go, and the block computes meanwhile. k tiles a block, k > 0.
extern "C" __global__ void squares(const float *__restrict__ in, float *__restrict__ out, int k) {
  __shared__ alignas(16) float s[2][TILE], r[2][TILE];
  __shared__ coalda::channel memory[2];
  auto c = coalda::open(memory);
  in += blockIdx.x * k * TILE, out += blockIdx.x * k * TILE;
  coalda::async_stored<float> o = {};
  auto now = c[0].copy<16>(s[0], in, TILE), next = now;
  for (int i = 0; i < k; i++) {
    if (i + 1 < k)
      next = c[(i + 1) % 2].copy<16>(s[(i + 1) % 2], in + (i + 1) * TILE, TILE);
    coalda::wait(now);
    coalda::wait<1>(o); // the store before the last one has read r[i % 2]
    for (unsigned j = rank(); j < TILE; j += threads())
      r[i % 2][j] = now.data[j] * now.data[j] + 1;
    o = coalda::store_async<16>(out + i * TILE, r[i % 2], TILE); // all threads have used s, too, and meet in here
    now = next;
  }
  coalda::wait(o);
}
