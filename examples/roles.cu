// Warps with roles: some of a block's warps copy tiles to shared memory, the others compute (include/coalda.h, docs/header.md). Any compiler
// takes them, and the plugin leaves their barriers alone.
#include <coalda.h>

enum { COPIERS = 2, BUFFERS = 3, TILE = 256, WIDTH = 64, ROWS = 16, RADIUS = 2 };

// y += a * x, a tile after the other; n is a multiple of TILE.
extern "C" __global__ void saxpy(float a, const float *__restrict__ x, float *__restrict__ y, unsigned n) {
  __shared__ alignas(16) float s[BUFFERS][TILE];
  const unsigned tiles = n / TILE > blockIdx.x ? (n / TILE - 1 - blockIdx.x) / gridDim.x + 1 : 0;
  auto tile = [&](unsigned i) { return (blockIdx.x + i * gridDim.x) * TILE; };
  coalda::roles<COPIERS, BUFFERS>(
      [&](auto &compute) {
        for (unsigned i = 0; i < tiles; i++) {
          compute.wait(i);
          for (unsigned k = compute.rank(); k < TILE; k += compute.threads())
            y[tile(i) + k] += a * s[i % BUFFERS][k];
          compute.finish(i);
        }
      },
      [&](auto &copy) {
        for (unsigned i = 0; i < tiles; i++) {
          copy.start(i);
          copy.template copy<16>(s[i % BUFFERS], x + tile(i), TILE);
          copy.finish(i);
        }
      });
}

// Sums of rows that a list names, ROWS of them at a time; a block for each list of k * ROWS, of any number of threads.
extern "C" __global__ void sum_named_rows(const float *__restrict__ table, const unsigned *__restrict__ list, float *__restrict__ out, int k) {
  __shared__ alignas(16) float s[BUFFERS][ROWS * WIDTH];
  __shared__ float sum[WIDTH];
  for (unsigned c = threadIdx.x; c < WIDTH; c += blockDim.x)
    sum[c] = 0;
  coalda::roles<COPIERS, BUFFERS>(
      k,
      [&](auto &self, unsigned i) {
        for (unsigned c = self.rank(); c < WIDTH; c += self.threads())
          for (int r = 0; r < ROWS; r++)
            sum[c] += s[i % BUFFERS][r * WIDTH + c];
      },
      [&](auto &self, unsigned i) { self.template gather<16>(s[i % BUFFERS], table, list + (blockIdx.x * k + i) * ROWS, ROWS, WIDTH); });
  for (unsigned c = threadIdx.x; c < WIDTH; c += blockDim.x)
    out[blockIdx.x * WIDTH + c] = sum[c];
}

// Two loops with roles, one after the other, and a barrier of the threads that compute: sums of neighbours, of tiles and then of sums.
extern "C" __global__ void two_stencils(const float *__restrict__ in, float *__restrict__ out, int k) {
  __shared__ float s[BUFFERS][TILE], sums[TILE];
  for (int pass = 0; pass < 2; pass++)
    coalda::roles<1, BUFFERS>(
        k,
        [&](auto &self, unsigned i) {
          for (unsigned c = self.rank(); c < TILE; c += self.threads())
            sums[c] = s[i % BUFFERS][c] + s[i % BUFFERS][(c + RADIUS) % TILE];
          self.sync();
          for (unsigned c = self.rank(); c < TILE; c += self.threads())
            out[(blockIdx.x * k + i) * TILE + c] += sums[(c + pass + 1) % TILE] + sums[c];
          self.sync();
        },
        [&](auto &self, unsigned i) { self.copy(s[i % BUFFERS], in + (blockIdx.x * k + i) * TILE, TILE); });
}
