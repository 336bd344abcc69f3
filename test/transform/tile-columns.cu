// RUN: %rewritten %s --temp %t.d
// Tiles of rings whose rows become longer before the ring is made, as their threads want words of one bank. Beside them tiles that keep
// their rows.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"
#define TY threadIdx.y
struct alignas(16) float4 {
  float x, y, z, w;
};

// Each thread walks a row; the block copies 32 of them.
// CASE: walks padded=yes tile=pipelined wide block=32 full with=k=7,1,0 -- rand:{max(4,2*4*1024*k)} zero:{4*T} i32:{k}
KERNEL walks(const float *__restrict__ g, float *__restrict__ out, int k) {
  __shared__ float s[32][32];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    for (int q = TX; q < 1024; q += 32) s[q / 32][q % 32] = g[(BX * k + i) * 1024 + q];
    __syncthreads();
    for (int c = 0; c < 32; c++) sum = sum * 0.5f + s[TX][c];
    __syncthreads();
  }
  out[ROW] = sum;
}
// By columns, a part of them a row of threads; an unsigned counter, and a copy loop whose step the block has.
// CASE: down padded=yes tile=pipelined block=32,8 grid=2 full with=k=0,1,2,5 -- rand:{max(4,4*64*32*k)} zero:{4*T} i32:{k} i32:64
KERNEL down(const float *__restrict__ g, float *__restrict__ out, unsigned k, unsigned w) {
  __shared__ float s[32][32];
  float sum = 0;
  for (unsigned i = 0; i < k; i++) {
    for (unsigned r = TY; r < 32; r += 8) s[r][TX] = g[(i * 32 + r) * w + BX * 32 + TX];
    __syncthreads();
    for (unsigned c = TY; c < 32; c += 8) sum += s[TX][c] * (c + 1);
    __syncthreads();
  }
  out[(BX * 8 + TY) * 32 + TX] = sum;
}
// Threads whose number no row bounds: half of them go on in the next one.
// CASE: beyond padded=yes tile=pipelined block=64,16 grid=1 few full with=k=0,1,2,5 -- rand:{max(4,4*1024*k)} zero:{4*T} i32:{k}
KERNEL __launch_bounds__(1024) beyond(const float *__restrict__ g, float *__restrict__ out, int k) {
  __shared__ float s[32][32];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[2 * TY][TX] = g[i * 1024 + TY * 64 + TX];
    __syncthreads();
    sum = sum * 0.5f + s[TX % 32][TY + TX / 32 * 16];
    __syncthreads();
  }
  out[TY * 64 + TX] = sum;
}
// In a template, of doubles; in an inline function, of halves.
template <typename T, int R> __device__ inline void turned(const T *g, T *out, long k) {
  __shared__ T s[R][R];
  T sum = 0;
  for (long i = 0; i < k; i++) {
    s[TX / R][TX % R] = g[(BX * k + i) * R * R + TX];
    __syncthreads();
#pragma unroll
    for (int c = 0; c < R; c++) sum += s[TX % R][c] * s[TX / R][c];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: doubles padded=yes tile=pipelined block=256 grid=2 few full with=k=0,1,2,5 -- drand:{max(8,8*T*k)} zero:{8*T} i64:{k}
KERNEL __launch_bounds__(256) doubles(const double *__restrict__ g, double *__restrict__ out, long k) { turned<double, 16>(g, out, k); }
// CASE: words padded=yes tile=pipelined block=256 grid=2 few full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i64:{k}
KERNEL __launch_bounds__(256) words(const u32 *__restrict__ g, u32 *__restrict__ out, long k) { turned<u32, 16>(g, out, k); }
// A pointer that moves, a guard.
// CASE: moves padded=yes tile=pipelined block=32,32 grid=1 few full with=k=0,1,2,5 -- rand:{max(4,4*1024*k)} zero:{4*T} i32:{k} i32:31
KERNEL moves(const float *__restrict__ g, float *__restrict__ out, int k, int w) {
  __shared__ float s[32][32];
  float sum = 0;
  const float *p = g + TY * 32 + TX;
  for (const float *e = p + k * 1024; p < e; p += 1024) {
    s[TY][TX] = TX < w ? *p : 0;
    __syncthreads();
    for (int c = 0; c < 32; c++) sum += s[TX][c] * c;
    __syncthreads();
  }
  out[TY * 32 + TX] = sum;
}
// Four words at once: rows of eight of them.
// CASE: fours padded=yes tile=pipelined block=32 full with=k=0,1,2,5 -- rand:{max(16,2*4096*k)} zero:{4*T} i32:{k}
KERNEL fours(const float4 *__restrict__ g, float *__restrict__ out, int k) {
  __shared__ float4 s[32][8];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    for (int q = TX; q < 256; q += 32) s[q / 8][q % 8] = g[(BX * k + i) * 256 + q];
    __syncthreads();
    for (int c = 0; c < 8; c++) {
      float4 v = s[TX][c];
      sum = sum * 0.5f + v.x + v.y * v.z + v.w;
    }
    __syncthreads();
  }
  out[ROW] = sum;
}
// A product with the rows of both factors, and its padded twin, which stays.
#define PRODUCT(name, R) \
  KERNEL __launch_bounds__(256) name(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ out, int k) { \
    __shared__ float as[16][16], bs[16][R]; \
    float sum = 0; \
    for (int i = 0; i < k; i += 16) { \
      as[TY][TX] = a[TY * k + i + TX]; \
      bs[TY][TX] = b[TY * k + i + TX]; \
      __syncthreads(); \
      for (int c = 0; c < 16; c++) sum += as[TY][c] * bs[TX][c]; \
      __syncthreads(); \
    } \
    out[TY * 16 + TX] = sum; \
  }
// CASE: product tile=pipelined block=16,16 grid=1 few full with=k=0,16,80 -- rand:{max(4,64*k)} rand:{max(4,64*k)} zero:1024 i32:{k}
PRODUCT(product, 16)
// CASE: by_hand padded=no tile=pipelined block=16,16 grid=1 few full with=k=0,16,80 -- rand:{max(4,64*k)} rand:{max(4,64*k)} zero:1024 i32:{k}
PRODUCT(by_hand, 17)
// No threads of a warp want one bank.
// CASE: along padded=no tile=pipelined block=32,8 grid=1 full with=k=0,1,4 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k}
KERNEL along(const float *__restrict__ g, float *__restrict__ out, int k) {
  __shared__ float s[8][32];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[TY][TX] = g[i * 256 + TY * 32 + TX];
    __syncthreads();
    sum = sum * 0.5f + s[7 - TY][TX];
    __syncthreads();
  }
  out[TY * 32 + TX] = sum;
}
// Longer rows would leave no ring: where a copy goes is told in 64 bits, and divided in them.
// CASE: far tile=pipelined block=32 full with=k=0,1,2,5 -- rand:{max(4,2*4*1024*k)} zero:{4*T} i32:{k} i64:32
KERNEL far(const float *__restrict__ g, float *__restrict__ out, int k, long w) {
  __shared__ float s[1024];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    for (long q = TX; q < 1024; q += w) s[q] = g[(BX * k + i) * 1024 + q];
    __syncthreads();
    for (int c = 0; c < 32; c++) sum = sum * 0.5f + s[TX * 32 + c];
    __syncthreads();
  }
  out[ROW] = sum;
}
