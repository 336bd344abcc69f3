// RUN: %rewritten %s --temp %t.d
// Room for a ring beside arrays whose alignment takes more of shared memory than their bytes: ptxas refuses what does not fit.
// TEXT: levels=O3 archs=sm_90 stages=2,5
#include "tiles.cuh"

// 40 KB, and four words, each of which begins at a multiple of so many bytes: of 48 KB there remain 8, 7.5 and 4.
#define BESIDE(NAME, ALIGNMENT)                                                                                         \
  KERNEL NAME(const u32 *g, u32 *out, int k) {                                                                         \
    __shared__ u32 s[TILE], table[10240];                                                                               \
    __shared__ __attribute__((aligned(ALIGNMENT))) u32 a[1], b[1], c[1], d[1];                                          \
    u32 sum = 0;                                                                                                        \
    if (TX == 0) a[0] = k, b[0] = k + 1, c[0] = k + 2, d[0] = k + 3;                                                    \
    for (int i = TX; i < 10240; i += 64) table[i] = i * i;                                                              \
    for (int i = 0; i < k; i++) {                                                                                       \
      s[TX] = g[(BX * k + i) * TILE + TX];                                                                              \
      __syncthreads();                                                                                                  \
      sum = sum * 31 + s[TILE - 1 - TX] + a[0] + b[0] + c[0] + d[0] + table[(TX * 37 + i) % 10240];                     \
      __syncthreads();                                                                                                  \
    }                                                                                                                   \
    out[ROW] = sum;                                                                                                     \
  }
// CASE: words tile=pipelined block=64 grid=2 full with=k=0,20 -- rand:{max(4,4*64*2*k)} zero:{4*T} i32:{k}
BESIDE(words, 4)
// CASE: lines tile=pipelined block=64 grid=2 full with=k=20 -- rand:{max(4,4*64*2*k)} zero:{4*T} i32:{k}
BESIDE(lines, 128)
// CASE: pages tile=pipelined block=64 grid=2 full with=k=20 -- rand:{max(4,4*64*2*k)} zero:{4*T} i32:{k}
BESIDE(pages, 1024)
