// C = A B in half precision on tensor cores, tiles of both staged in shared memory between two barriers; eight warps a block.
// SIM: multiply --grid 2,1 --block 256 -- halves:4096 halves:8192 zero:32768 i32:64 i32:128 i32:64
#include "../example.h"

#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;

enum { TILE = 64, DEPTH = 32, PAD = 8, SIDE = 16, THREADS = 256 };

// m, n and k are multiples of TILE.
__global__ void multiply(const half *__restrict__ a, const half *__restrict__ b, float *__restrict__ c, int m, int n, int k) {
  __shared__ __align__(32) half tile_a[TILE][DEPTH + PAD], tile_b[DEPTH][TILE + PAD];
  const int row = blockIdx.y * TILE, column = blockIdx.x * TILE, warp = threadIdx.x / 32;
  const int at_row = warp / 4 * 2 * SIDE, at_column = warp % 4 * SIDE; // two squares of 16 x 16 below each other
  wmma::fragment<wmma::accumulator, SIDE, SIDE, SIDE, float> sum[2];
  wmma::fill_fragment(sum[0], 0.0f);
  wmma::fill_fragment(sum[1], 0.0f);
  for (int from = 0; from < k; from += DEPTH) {
    for (int i = threadIdx.x; i < TILE * DEPTH / 8; i += THREADS) { // eight numbers at a time
      *(int4 *)&tile_a[i / (DEPTH / 8)][i % (DEPTH / 8) * 8] = *(const int4 *)&a[(row + i / (DEPTH / 8)) * k + from + i % (DEPTH / 8) * 8];
      *(int4 *)&tile_b[i / (TILE / 8)][i % (TILE / 8) * 8] = *(const int4 *)&b[(from + i / (TILE / 8)) * n + column + i % (TILE / 8) * 8];
    }
    __syncthreads();
    for (int at = 0; at < DEPTH; at += SIDE) {
      wmma::fragment<wmma::matrix_b, SIDE, SIDE, SIDE, half, wmma::row_major> of_b;
      wmma::load_matrix_sync(of_b, &tile_b[at][at_column], TILE + PAD);
      for (int i = 0; i < 2; i++) {
        wmma::fragment<wmma::matrix_a, SIDE, SIDE, SIDE, half, wmma::row_major> of_a;
        wmma::load_matrix_sync(of_a, &tile_a[at_row + i * SIDE][at], DEPTH + PAD);
        wmma::mma_sync(sum[i], of_a, of_b, sum[i]);
      }
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; i++)
    wmma::store_matrix_sync(&c[(row + at_row + i * SIDE) * n + column + at_column], sum[i], n, wmma::mem_row_major);
}

int main() {
  const int m = 4096, n = 4096, k = 4096, checked = 1000;
  std::vector<half> a((size_t)m * k), b((size_t)k * n);
  for (size_t i = 0; i < a.size(); i++)
    a[i] = __float2half(uniform(i) - 0.5f);
  for (size_t i = 0; i < b.size(); i++)
    b[i] = __float2half(uniform(~i) - 0.5f);
  half *device_a = on_device(a), *device_b = on_device(b);
  float *device_c = on_device(std::vector<float>((size_t)m * n));
  dim3 grid(n / TILE, m / TILE);
  auto launch = [&] { multiply<<<grid, THREADS>>>(device_a, device_b, device_c, m, n, k); };
  float us = microseconds(launch);
  std::vector<float> c = on_host(device_c, (size_t)m * n);
  bool right = true;
  for (int t = 0; t < checked; t++) {
    const int i = (int)(uniform(2 * t) * m), j = (int)(uniform(2 * t + 1) * n);
    double sum = 0;
    for (int l = 0; l < k; l++)
      sum += (double)__half2float(a[(size_t)i * k + l]) * __half2float(b[(size_t)l * n + j]);
    right &= is_near(c[(size_t)i * n + j], sum, 1e-2);
  }
  return ended("matmul", right, us);
}
