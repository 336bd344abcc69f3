// RUN: %rewritten %s --temp %t.d
// Threads that carry much from tile to tile, and copy it word by word: the next tile waits in registers, where shared memory would keep
// other blocks away.
// TEXT: levels=O3,O1 archs=sm_80,sm_75
#include "tiles.cuh"

// CASE: guarded plain:tile=held block=256 grid=1 full -- rand:10000 rand:10000 zero:10000 i32:50 i32:50 i32:37
extern "C" __global__ void guarded(const u32 *A, const u32 *B, u32 *C, int M, int N, int K) {
  __shared__ u32 As[16][64], Bs[16][64];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
  u32 sum[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = threadIdx.x; i < 64 * 16; i += 256) {
      int r = i / 16, k = i % 16;
      As[k][r] = row + r < M && k0 + k < K ? A[(row + r) * K + k0 + k] : 0;
    }
    for (int i = threadIdx.x; i < 16 * 64; i += 256) {
      int k = i / 64, c = i % 64;
      Bs[k][c] = k0 + k < K && column + c < N ? B[(k0 + k) * N + column + c] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; k++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += As[k][ty * 4 + i] * Bs[k][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if (row + ty * 4 + i < M && column + tx * 4 + j < N) C[(row + ty * 4 + i) * N + column + tx * 4 + j] = sum[i][j];
}
// Next to nothing is held, and the use of a tile is short, and counted.
// CASE: edge plain:tile=held block=16,16 grid=2 full with=k=0,1,16,37 -- rand:{max(4,4*30*k)} rand:{max(4,4*30*k)} zero:3600 i32:30 i32:{k}
extern "C" __global__ void edge(const u32 *A, const u32 *B, u32 *C, int n, int K) {
  __shared__ u32 As[16][16], Bs[16][16];
  unsigned x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 16 + y, column = blockIdx.x * 16 + x;
  u32 sum = 0;
  for (long m = 0; m < (K + 15) / 16; m++) {
    As[y][x] = row < n && m * 16 + x < K ? A[row * K + m * 16 + x] : 0;
    Bs[y][x] = column < n && m * 16 + y < K ? B[(m * 16 + y) * n + column] : 0;
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += As[y][k] * Bs[k][x];
    __syncthreads();
  }
  if (row < n && column < n) C[row * n + column] = sum;
}

// ---- one tile in front of a long use ----

struct alignas(16) Words { u32 x, y, z, w; };
// Four words of every thread; and of some, which is not worth it.
// CASE: before_long plain:tile=held tile=pipelined block=64 full few with=k=0,1,3 -- rand:{max(16,1024*k)} zero:{4*T} i32:{k}
KERNEL before_long(const Words *g, u32 *out, int k) {
  __shared__ Words s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    for (int j = 0; j < 64; j++)
      for (int n = 0; n < 12; n++) sum = (sum ^ s[j].x) * (s[j].y | 1) + (sum >> 3 ^ s[j].z) * s[j].w;
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: before_long_some plain:tile=none tile=pipelined block=64 full few with=k=0,1,3 -- rand:{max(16,512*k)} zero:{4*T} i32:{k}
KERNEL before_long_some(const Words *g, u32 *out, int k) {
  __shared__ Words s[TILE / 2];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < TILE / 2) s[TX] = g[i * TILE / 2 + TX];
    __syncthreads();
    for (int j = 0; j < 32; j++)
      for (int n = 0; n < 24; n++) sum = (sum ^ s[j].x) * (s[j].y | 1) + (sum >> 3 ^ s[j].z) * s[j].w;
    __syncthreads();
  }
  out[ROW] = sum;
}
