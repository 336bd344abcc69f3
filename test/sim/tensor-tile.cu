// Tile loops with tensor cores, to be made asynchronous: each block of 128 threads computes 64 x 64 numbers of a product of halves, by
// tiles of 32 along k. `tile_mma` feeds mma.m16n8k16 by ldmatrix, `tile_wmma` does the same by nvcuda::wmma. Rows in shared memory
// are 8 halves longer than the tile's, and so begin in different banks. Each of the four warps sums up 32 x 32 numbers.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O1 %s -o %t1.ll
// RUN: %sim %t3.ll --kernel fill --grid 1 --block 128 --dump=0:%t.a --dump=1:%t.b -- buf:24576 buf:24576 i32:12288
// RUN: %sim %t3.ll --kernel tile_mma --grid 2,2 --block 128 --seeds 2 --dump=2:%t.mma -- file:%t.a file:%t.b buf:65536 i32:128 i32:96
// RUN: %sim %t3.ll --kernel tile_wmma --grid 2,2 --block 128 --seeds 2 --dump=2:%t.wmma -- file:%t.a file:%t.b buf:65536 i32:128 i32:96
// RUN: %sim %t3.ll --kernel plain --grid 1 --block 128 --dump=2:%t.plain -- file:%t.a file:%t.b buf:65536 i32:128 i32:96
// RUN: cmp %t.mma %t.plain
// RUN: cmp %t.wmma %t.plain
// RUN: %sim %t3.ll --kernel tile_mma --grid 2,2 --block 128 --compare %t1.ll -- file:%t.a file:%t.b buf:65536 i32:128 i32:96
// RUN: %sim %t3.ll --kernel tile_wmma --grid 2,2 --block 128 --compare %t1.ll -- file:%t.a file:%t.b buf:65536 i32:128 i32:96
#include "check.cuh"
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
enum { TILE = 64, DEPTH = 32, ROOM = 8, THREADS = 128, CHUNK = 8 };      // a chunk: 16 bytes, what a thread copies at once

// Small whole numbers: every order of adding gives the same.
KERNEL fill(half *a, half *b, u32 count) {
  for (u32 i = threadIdx.x; i < count; i += THREADS) {
    a[i] = __int2half_rn((int)(noise(i) & 15) - 7);
    b[i] = __int2half_rn((int)(noise(i + 99999) & 15) - 7);
  }
}
KERNEL plain(const half *a, const half *b, float *c, int n, int depth) {
  for (int i = threadIdx.x; i < n * n; i += THREADS) {
    float sum = 0;
    for (int k = 0; k < depth; k++) sum += __half2float(a[i / n * depth + k]) * __half2float(b[k * n + i % n]);
    c[i] = sum;
  }
}

// The next tiles: 64 x 32 of a, 32 x 64 of b, two chunks of each by every thread.
#define COPY_TILES                                                                                                  \
  for (int i = 0; i < TILE * DEPTH / CHUNK / THREADS; i++) {                                                        \
    int chunk = threadIdx.x + i * THREADS, row = chunk / (DEPTH / CHUNK), column = chunk % (DEPTH / CHUNK) * CHUNK; \
    *(uint4 *)&tile_a[row][column] = *(const uint4 *)&a[(blockIdx.y * TILE + row) * depth + k + column];            \
  }                                                                                                                 \
  for (int i = 0; i < TILE * DEPTH / CHUNK / THREADS; i++) {                                                        \
    int chunk = threadIdx.x + i * THREADS, row = chunk / (TILE / CHUNK), column = chunk % (TILE / CHUNK) * CHUNK;   \
    *(uint4 *)&tile_b[row][column] = *(const uint4 *)&b[(k + row) * n + blockIdx.x * TILE + column];                \
  }

__device__ void four_matrices(u32 (&r)[4], const half *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"((u32)__cvta_generic_to_shared(row)) : "memory");
}
__device__ void four_turned(u32 (&r)[4], const half *row) {
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"((u32)__cvta_generic_to_shared(row)) : "memory");
}
__device__ void multiply(float (&d)[4], const u32 (&a)[4], u32 b0, u32 b1) {
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

KERNEL __launch_bounds__(THREADS) tile_mma(const half *__restrict__ a, const half *__restrict__ b, float *__restrict__ c, int n, int depth) {
  __shared__ __align__(32) half tile_a[TILE][DEPTH + ROOM], tile_b[DEPTH][TILE + ROOM];
  int lane = threadIdx.x % 32, top = threadIdx.x / 64 * 32, left = threadIdx.x / 32 % 2 * 32;
  float sum[2][4][4] = {};
  for (int k = 0; k < depth; k += DEPTH) {
    COPY_TILES
    __syncthreads();
    for (int step = 0; step < DEPTH; step += 16) {
      u32 of_a[2][4], of_b[2][4];
      for (int i = 0; i < 2; i++) four_matrices(of_a[i], &tile_a[top + 16 * i + lane % 16][step + lane / 16 * 8]);
      for (int j = 0; j < 2; j++) four_turned(of_b[j], &tile_b[step + lane % 16][left + 16 * j + lane / 16 * 8]);
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++) multiply(sum[i][j], of_a[i], of_b[j / 2][j % 2 * 2], of_b[j / 2][j % 2 * 2 + 1]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 4; j++)
      for (int half = 0; half < 2; half++) {
        int row = blockIdx.y * TILE + top + 16 * i + 8 * half + lane / 4, column = blockIdx.x * TILE + left + 8 * j + lane % 4 * 2;
        *(float2 *)&c[row * n + column] = make_float2(sum[i][j][2 * half], sum[i][j][2 * half + 1]);
      }
}

KERNEL __launch_bounds__(THREADS) tile_wmma(const half *__restrict__ a, const half *__restrict__ b, float *__restrict__ c, int n, int depth) {
  __shared__ __align__(32) half tile_a[TILE][DEPTH + ROOM], tile_b[DEPTH][TILE + ROOM];
  int top = threadIdx.x / 64 * 32, left = threadIdx.x / 32 % 2 * 32;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum[2][2];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) wmma::fill_fragment(sum[i][j], 0.0f);
  for (int k = 0; k < depth; k += DEPTH) {
    COPY_TILES
    __syncthreads();
    for (int step = 0; step < DEPTH; step += 16) {
      wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> of_a[2];
      wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> of_b[2];
      for (int i = 0; i < 2; i++) wmma::load_matrix_sync(of_a[i], &tile_a[top + 16 * i][step], DEPTH + ROOM);
      for (int j = 0; j < 2; j++) wmma::load_matrix_sync(of_b[j], &tile_b[step][left + 16 * j], TILE + ROOM);
      for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) wmma::mma_sync(sum[i][j], of_a[i], of_b[j], sum[i][j]);
    }
    __syncthreads();
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++)
      wmma::store_matrix_sync(&c[(blockIdx.y * TILE + top + 16 * i) * n + blockIdx.x * TILE + left + 16 * j], sum[i][j], n,
                              wmma::mem_row_major);
}
