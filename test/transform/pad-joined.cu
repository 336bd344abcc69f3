// RUN: %rewritten %s --temp %t.d
// Longer rows of arrays whose neighbours the backend moves at once: pieces stay whole, and what is said of their alignment holds.
// TEXT: levels=O3,O1 archs=sm_75,sm_90
#include "records.cuh"

#define X threadIdx.x
#define Y threadIdx.y
#define OUT ((blockIdx.x * blockDim.y + Y) * blockDim.x + X)

// ---- a factor that is turned on its way: its columns are stored, and read four words at a time ----

template <typename INT> __device__ inline void turned(const u32 *a, const u32 *b, u32 *c, INT n) {
  __shared__ u32 s[16][64], t[16][64];
  INT at = X, tx = at % 16, ty = at / 16;
  u32 sum[4][4] = {};
  for (INT k = 0; k < n; k += 16) {
    for (INT q = at; q < 1024; q += 256) {
      s[q % 16][q / 16] = a[q / 16 * n + k + q % 16];
      t[q / 64][q % 64] = b[(k + q / 64) * 64 + q % 64];
    }
    __syncthreads();
    for (INT r = 0; r < 16; r++)
      for (INT i = 0; i < 4; i++)
        for (INT j = 0; j < 4; j++) sum[i][j] += s[r][ty * 4 + i] * t[r][tx * 4 + j];
    __syncthreads();
  }
  for (INT i = 0; i < 4; i++)
    for (INT j = 0; j < 4; j++) c[(ty * 4 + i) * 64 + tx * 4 + j] = sum[i][j];
}
// CASE: ints full few block=256 grid=1 with=n=16,48 -- rand:{256*n} rand:{256*n} zero:16384 i32:{n}
KERNEL ints(const u32 *a, const u32 *b, u32 *c, int n) { turned<int>(a, b, c, n); }
// CASE: unsigneds padded=yes full few block=256 grid=1 with=n=32 -- rand:{256*n} rand:{256*n} zero:16384 i32:{n}
KERNEL unsigneds(const u32 *a, const u32 *b, u32 *c, unsigned n) { turned<unsigned>(a, b, c, n); }
// CASE: longs padded=yes full few block=256 grid=1 with=n=32 -- rand:{256*n} rand:{256*n} zero:16384 i64:{n}
KERNEL longs(const u32 *a, const u32 *b, u32 *c, long n) { turned<long>(a, b, c, n); }
// CASE: bounded full few block=256 grid=1 with=n=32 -- rand:{256*n} rand:{256*n} zero:16384 i32:{n}
KERNEL __launch_bounds__(256) bounded(const u32 *a, const u32 *b, u32 *c, int n) { turned<int>(a, b, c, n); }

// By float2, through a cast: rows become 8 bytes longer, or 16.
// CASE: pairs padded=yes full few block=256 grid=1 -- rand:8192 zero:2048
KERNEL __launch_bounds__(256) pairs(const u32 *g, u64 *out) {
  __shared__ u32 s[32][64];
  for (int q = X; q < 2048; q += 256) s[q % 32][q / 32] = g[q];
  __syncthreads();
  u64 sum = 0;
  for (int r = 0; r < 32; r++) sum = sum * 31 + *(const u64 *)&s[r][X % 32 * 2];
  out[X] = sum;
}
// Doubles, two of which are one access.
// CASE: doubles padded=yes full few block=64 grid=1 -- rand:8192 zero:512
KERNEL doubles(const u64 *g, u64 *out) {
  __shared__ u64 s[64][16];
  for (unsigned q = X; q < 1024; q += 64) s[q / 16][q % 16] = g[q];
  __syncthreads();
  u64 sum = 0;
#pragma unroll
  for (int k = 0; k < 16; k++) sum = sum * 31 + s[X][k];
  out[X] = sum;
}

// ---- rows that threads walk by pieces ----

// CASE: fours padded=yes full few block=64 grid=1 with=m=0,4,32 -- rand:8192 zero:256 i32:{m}
KERNEL fours(const u32 *g, u32 *out, int m) {
  __shared__ u32 s[64][32];
  for (int r = 0; r < 64; r += 2) s[r + X / 32][X % 32] = g[(r + X / 32) * 32 + X % 32];
  __syncthreads();
  u32 sum = 0;
  for (int k = 0; k < m; k += 4) sum = (sum * 31 + s[X][k]) * (s[X][k + 1] - s[X][k + 2]) + s[X][k + 3];
  out[X] = sum;
}
// And written back.
// CASE: back padded=yes full few block=64 grid=1 with=m=0,5,8 -- rand:8192 zero:8192 i32:{m}
KERNEL back(const u32 *g, u32 *out, unsigned m) {
  __shared__ u32 s[2048];
  for (unsigned q = X; q < 2048; q += 64) s[q] = g[q];
  __syncthreads();
  for (unsigned k = 0; k < m; k++) {
    u32 *p = s + X * 32 + k * 4, a = p[0], b = p[1], c = p[2], d = p[3];
    p[0] = a + 3 * b, p[1] = b + 3 * c, p[2] = c + 3 * d, p[3] = d + 3 * a;
  }
  __syncthreads();
  for (unsigned q = X; q < 2048; q += 64) out[q] = s[q];
}
// A pointer that walks is kept, and where it leads nobody knows.
// CASE: walking padded=no full few block=64 grid=1 with=m=0,5,8 -- rand:8192 zero:256 i32:{m}
KERNEL walking(const u32 *g, u32 *out, unsigned m) {
  __shared__ u32 s[2048];
  for (unsigned q = X; q < 2048; q += 64) s[q] = g[q];
  __syncthreads();
  u32 sum = 0;
  for (u32 *p = s + X * 32, *end = p + 4 * m; p < end; p += 4) sum = sum * 31 + p[0] * p[1] + p[2] - p[3];
  out[X] = sum;
}
// Pieces that begin anywhere: a column beyond its row is one of the next row, and four words may lie in two.
// CASE: anywhere padded=yes full few block=32 grid=1 with=m=0,1,30,31,32,33,60 -- rand:8192 zero:128 i32:{m}
KERNEL anywhere(const u32 *g, u32 *out, int m) {
  __shared__ u32 s[64][32];
  for (int r = 0; r < 64; r++) s[r][X] = g[r * 32 + X];
  __syncthreads();
  const u32 *p = &s[X][m];
  u32 sum = p[0] + 3 * p[1] + 5 * p[2] + 7 * p[3];
#pragma unroll
  for (int k = 0; k < 32; k++) sum = sum * 31 + s[X][k];
  out[X] = sum;
}
// The same by fours, which lie in one row, in front of it too.
// CASE: aligned padded=yes full few block=32 grid=1 with=m=0,1,7,8,9,15,-1,-8 -- rand:8192 zero:128 i32:{m}
KERNEL aligned(const u32 *g, u32 *out, int m) {
  __shared__ u32 s[64][32];
  for (int r = 0; r < 64; r++) s[r][X] = g[r * 32 + X];
  __syncthreads();
  const u32 *p = &s[X + 8][m * 4];
  u32 sum = p[0] + 3 * p[1] + 5 * p[2] + 7 * p[3] + 9 * p[-1] + 11 * p[-2];
#pragma unroll
  for (int k = 0; k < 32; k++) sum = sum * 31 + s[X][k];
  out[X] = sum;
}
// Of a piece one word is not touched, or between barriers; nothing wrong is told of the others.
// CASE: three padded=yes full few block=64 grid=1 -- rand:8192 zero:256
KERNEL three(const u32 *g, u32 *out) {
  __shared__ u32 s[64][32];
  for (int r = 0; r < 64; r += 2) s[r + X / 32][X % 32] = g[(r + X / 32) * 32 + X % 32];
  __syncthreads();
  u32 sum = 0;
  for (int k = 1; k < 32; k += 4) sum = sum * 31 + s[X][k] * 3 + s[X][k + 1] * 5 + s[X][k + 2];
  __syncthreads();
  s[63 - X][0] = sum;
  __syncthreads();
  out[X] = s[X][0] + sum;
}
// The array lies behind one that ends anywhere.
// CASE: behind padded=yes full few block=32 grid=1 -- rand:4096 zero:128
KERNEL behind(const u32 *g, u32 *out) {
  __shared__ u8 odd[37];
  __shared__ u32 s[32][32];
  odd[X + 3] = (u8)g[X];
  for (int r = 0; r < 32; r++) s[r][X] = g[r * 32 + X];
  __syncthreads();
  u32 sum = odd[34 - X];
#pragma unroll
  for (int k = 0; k < 32; k++) sum = sum * 31 + s[X][k];
  out[X] = sum;
}
// Rows of 17 words: four of them are 17 pieces.
// CASE: four_rows full few block=16,16 grid=1 -- rand:4096 zero:1024
KERNEL four_rows(const u32 *g, u32 *out) {
  __shared__ u32 s[64][17];
  for (int q = Y * 16 + X; q < 1024; q += 256) s[q / 16][q % 16] = g[q];
  __syncthreads();
  u32 sum = 0;
#pragma unroll
  for (int k = 0; k < 16; k++)
    for (int i = 0; i < 4; i++) sum = sum * 31 + s[Y * 4 + i][k] * X;
  out[OUT] = sum;
}
// CASE: no_room padded=no refuse=PadRoom full few block=32 grid=1 -- rand:4096 zero:128
KERNEL no_room(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32], rest[12288 - 1024 - 20];
  for (int r = 0; r < 32; r++) s[r][X] = g[r * 32 + X];
  for (int k = X; k < 12288 - 1024 - 20; k += 32) rest[k] = k * X;
  __syncthreads();
  u32 sum = rest[sizeof rest / 4 - 1 - X];
#pragma unroll
  for (int k = 0; k < 32; k++) sum = sum * 31 + s[X][k];
  out[X] = sum;
}
// An array that is aligned better may not begin where the one before ends.
// CASE: spare full few block=32 grid=1 -- rand:4096 zero:128
KERNEL spare(const u32 *g, u32 *out) {
  __shared__ u8 odd[1];
  __shared__ u32 rest[11134], s[1025];
  odd[0] = 7;
  for (int r = 0; r < 32; r++) s[r * 32 + X] = g[r * 32 + X];
  for (int k = X; k < 11134; k += 32) rest[k] = k * X;
  __syncthreads();
  u32 sum = rest[11133 - X] + odd[0];
#pragma unroll
  for (int k = 0; k < 32; k++) sum = sum * 31 + s[X * 32 + k];
  out[X] = sum;
}
