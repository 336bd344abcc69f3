// RUN: %rewritten %s --temp %t.d
// Stores of a tile loop, and sources of its copies that move in no regular step: whether they are apart is tested by bounds of
// all numbers on the way. One block writes what a later tile of its own reads, where the arrays meet.
// TEXT: levels=O3,O1 archs=sm_90 stages=2,5
#include "tiles.cuh"

enum { ACROSS = 16, DOWN = 4, RIM = 2 };

// A box, whose tile is cut out of a picture; outside all is zero. `out` begins o elements behind `in`.
#define BOX(in, out) \
  __shared__ u32 s[DOWN + 2 * RIM][ACROSS + 2 * RIM]; \
  int tx = TX, ty = threadIdx.y, x0 = BX * ACROSS + RIM, y0 = RIM; \
  for (int k = 0; k < strips; k++, y0 += DOWN) { \
    for (int c = ty * ACROSS + tx; c < (DOWN + 2 * RIM) * (ACROSS + 2 * RIM); c += blockDim.x * blockDim.y) { \
      int x = x0 + c % (ACROSS + 2 * RIM) - RIM, y = y0 + c / (ACROSS + 2 * RIM) - RIM; \
      s[c / (ACROSS + 2 * RIM)][c % (ACROSS + 2 * RIM)] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0; \
    } \
    __syncthreads(); \
    u32 sum = 0; \
    for (int j = 0; j <= 2 * RIM; j++) \
      for (int i = 0; i <= 2 * RIM; i++) sum = sum * 3 + s[ty + j][tx + i]; \
    out[(y0 + ty) * width + x0 + tx] = sum; \
    __syncthreads(); \
  }

// CASE: box tile=pipelined block=16,4 grid=2 full with=k=0,1,6 -- rand:{160*(4*k+9)} zero:{160*(4*k+9)} i32:40 i32:{4*k+9} i32:{k}
KERNEL box(const u32 *in, u32 *out, int width, int height, int strips) { BOX(in, out) }
// CASE: met tile=pipelined block=16,4 grid=1 full with=k=6 with=o=0,100,200,400,700,2048 -- rand:16384 ref:0+{4*o} i32:24 i32:30 i32:{k}
KERNEL met(const u32 *in, u32 *out, int width, int height, int strips) { BOX(in, out) }

// A product that wraps around in 32 bits, for the larger m, and leads to places before `in`, where `out` may be.
// CASE: wrapped tile=pipelined block=64 grid=1 full with=k=0,1,6 with=m=1,536870911 with=o=0,860 -- rand:8192 ref:0+{4*o} ref:0+4096 i32:{m} i32:{k}
KERNEL wrapped(const u32 *, u32 *out, const u32 *in, u32 m, int k) {
  __shared__ u32 s[TILE];
  for (int i = 0; i < k; i++) {
    s[TX] = in[(int)(8u * ((TX + i) / 3) * m)];
    __syncthreads();
    out[TX] = s[TILE - 1 - TX] + 3 * s[TX];
    __syncthreads();
  }
}
// Numbers below zero are large ones when they are divided.
// CASE: below_zero tile=pipelined block=64 grid=1 full with=k=0,1,6 with=o=30,600 -- rand:4096 ref:0+{4*o} i32:{k}
KERNEL below_zero(const u32 *in, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  for (int i = 0; i < k; i++) {
    for (int c = (int)TX - TILE; c < TILE; c += (int)blockDim.x) s[c + TILE] = in[(u8)c / 3 + i];
    __syncthreads();
    out[TX] = s[2 * TILE - 1 - TX] + 3 * s[TX];
    __syncthreads();
  }
}
