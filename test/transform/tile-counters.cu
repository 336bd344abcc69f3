// RUN: %rewritten %s --temp %t.d
// Loops of their own that copy a tile and may stop sooner than in the tile before: of what they count, only what the place in shared
// memory is made of must be known where they begin (late.c). The rest may follow from the tile loop's own counter.
// TEXT: levels=O3 archs=sm_90 stages=3
#include "tiles.cuh"

// n is the number of elements; 64 threads fill 256 places.
#define COPY(name, Number, LOOP, BODY)                                                                                  \
  KERNEL name(const u32 *__restrict__ g, u32 *__restrict__ out, Number n) {                                            \
    __shared__ u32 s[256];                                                                                              \
    Number t = TX;                                                                                                      \
    u32 sum = 0;                                                                                                        \
    for (int i = 0; i < 4; i++) s[TX + 64 * i] = 0;                                                                     \
    __syncthreads();                                                                                                    \
    for (Number k = 0; k < n; k += 256) {                                                                               \
      for LOOP { BODY; }                                                                                                \
      __syncthreads();                                                                                                  \
      for (int i = 0; i < 256; i++) sum = sum * 31 + s[(i + TX) % 256];                                                 \
      __syncthreads();                                                                                                  \
    }                                                                                                                   \
    out[ROW] = sum;                                                                                                     \
  }

// CASE: follows block=64 grid=1 full with=n=1,255,256,300,1000 -- rand:{4*(n+512)} zero:{4*T} i32:{n}
COPY(follows, int, (int j = t, p = k + t; j < 256 && p < n; j += blockDim.x, p = j + k), s[j] = g[p])
// CASE: follows_wide block=64 grid=1 full with=n=1,300,1000 -- rand:{4*(n+512)} zero:{4*T} i64:{n}
COPY(follows_wide, long long, (long long j = t, p = k + t; j < 256 && p < n; j += blockDim.x, p = j + k), s[j] = g[p])
// CASE: follows_unsigned block=64 grid=1 full with=n=1,300,1000 -- rand:{4*(n+512)} zero:{4*T} i32:{n}
COPY(follows_unsigned, unsigned, (unsigned j = t, p = k + t; j < 256 && p < n; j += blockDim.x, p = j + k), s[j] = g[p])
// CASE: beside block=64 grid=1 full with=n=1,300,1000 -- rand:{4*(n+512)} zero:{4*T} i32:{n}
COPY(beside, int, (int j = t, p = k + t; j < 256 && p < n; j += blockDim.x, p += blockDim.x), s[j] = g[p])
// CASE: crosswise block=64 grid=1 full with=n=1,300,1000 -- rand:{4*(n+512)} zero:{4*T} i32:{n}
COPY(crosswise, int, (int j = t, p = k + t; j < 256 && p < n; p = j + k + 64, j += 64), s[j] = g[p])
// CASE: by_place none tile=none block=64 grid=1 full with=n=1,300,1000 -- rand:{4*(n+512)} zero:{4*T} i32:{n}
COPY(by_place, int, (int p = k + t; p < k + 256 && p < n; p += 64), s[p - k] = g[p])
// CASE: by_pointer block=64 grid=1 full with=n=1,300,1000 -- rand:{4*(n+512)} zero:{4*T} i32:{n}
COPY(by_pointer, int, (const u32 *p = g + k + t; p < g + k + 256 && p < g + n; p += 64), s[p - g - k] = *p)
// CASE: three block=64 grid=1 full with=n=1,300,1000 -- rand:{4*(n+512)} zero:{4*T} i32:{n}
COPY(three, int, (int j = t, p = k + t, q = n - k; j < 256 && j < q; j += 64, p = j + k, q = n - p + j), s[j] = g[p])
// CASE: by_steps block=64 grid=1 full with=n=1,300,1000 -- rand:{4*(n+512)} zero:{4*T} i32:{n}
COPY(by_steps, int, (int j = t, p = k + t, w = 1; j < 256 && p < n; j += 64, p = k + 64 * w + t, w++), s[j] = g[p])
// CASE: one_of_two block=64 grid=1 full with=n=1,300,1000 -- rand:{8*(n+512)} zero:{4*T} i32:{n}
COPY(one_of_two, int, (int j = t, p = 2 * (k + t); j < 256 && p < 2 * n; j += 64, p = 2 * (j + k)), s[j] = g[p])
