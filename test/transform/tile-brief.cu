// RUN: %rewritten %s --temp %t.d
// RUN: echo "FULL 0 threads" > %t.cost && echo "LONE_RUN 2048 bytes" >> %t.cost
// RUN: echo "FULL_RUN 2048 bytes" >> %t.cost && echo "FULL_ROW 2048 bytes" >> %t.cost
// RUN: %rewritten %s --temp %t.full --opt "%opt -coalda-cost=%t.cost"
// Loops of few tiles run as they were: in any launch, and in one that fills the GPU, which each launch does under the second table.
// TEXT: levels=O3,O1 archs=sm_90
#include "tiles.cuh"
static __device__ inline void __syncwarp(u32 lanes = ~0u) { __nvvm_bar_warp_sync(lanes); }
#define USE sum = sum * 31 + s[(TX + 1) % TILE] + s[TX / 2]

// CASE: counted versions=yes block=64 full with=k=0,1,2,7,8,21 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL counted(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[BX * TILE + TX] = sum;
}
// The barrier in front, unsigned, at least one tile.
// CASE: freed_first versions=yes block=64 full with=k=1,2,7,8,21 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL freed_first(const u32 *g, u32 *out, unsigned k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  unsigned i = 0;
  do {
    __syncthreads();
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    USE;
  } while (++i < k);
  out[BX * TILE + TX] = sum;
}
// Pointers that run to an end, and counters that are long, run down, or step by two.
// CASE: pointers versions=yes block=64 full with=k=0,1,2,7,8,21 -- rand:{max(4,4*T*k)} zero:{4*T} i64:{k}
KERNEL pointers(const u32 *g, u32 *out, long long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (const u32 *p = g + BX * k * TILE, *end = p + k * TILE; p != end; p += TILE) {
    s[TX] = p[TX];
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[BX * TILE + TX] = sum;
}
// That they do not run past it, nobody says.
// CASE: below versions=no block=64 full with=k=0,1,2,7,8,21 -- rand:{max(4,4*T*k)} zero:{4*T} i64:{k}
KERNEL below(const u32 *g, u32 *out, long long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (const u32 *p = g + BX * k * TILE, *end = p + k * TILE; p < end; p += TILE) {
    s[TX] = p[TX];
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[BX * TILE + TX] = sum;
}
// CASE: down versions=yes block=64 full with=k=0,1,2,7,8,21 -- rand:{max(4,4*T*k)} zero:{4*T} i64:{k}
KERNEL down(const u32 *g, u32 *out, long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (long i = k - 1; i >= 0; i--) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[BX * TILE + TX] = sum;
}
// CASE: by_two versions=yes block=64 full with=k=0,1,2,14,15,16,31 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k} i32:16
KERNEL by_two(const u32 *g, u32 *out, int k, int most) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < (k < most ? k : most); i += 2) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[BX * TILE + TX] = sum;
}
// A template, of floats, whose products and sums are what they were in both versions.
template <class T> static __device__ inline T sum_of(const T *g, T *s, int k) {
  T sum = 0;
#pragma unroll 1
  for (int i = 0; i < k; ++i) {
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum += s[(TX + 1) % TILE] * s[TX / 2];
    __syncthreads();
  }
  return sum;
}
// CASE: inlined versions=yes block=64 full with=k=0,1,2,7,8,21 -- frand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL inlined(const float *g, float *out, int k) {
  __shared__ float s[TILE];
  out[BX * TILE + TX] = sum_of<float>(g + BX * k * TILE, s, k);
}
// How many is read; the last tile is short.
// CASE: bounds versions=yes block=64 full -- rand:4000 zero:{4*T} rand:{4*T}
KERNEL bounds(const u32 *__restrict__ g, u32 *__restrict__ out, const u32 *__restrict__ first) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (unsigned i = first[BX] % 8; i < first[BX + 1] % 16; i++) {
    s[TX] = i * TILE + TX < 14 * TILE + 9 ? g[i * TILE + TX] : 0;
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[BX * TILE + TX] = sum;
}
// Copies that go on into the next row: there are two versions of both loops.
// CASE: rows versions=yes runs=yes block=64 full with=m=0,1,5 with=k=0,1,2,7,8,21 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL rows(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += gridDim.x) {
    u32 sum = r;
    for (int i = 0; i < k; i++) {
      s[TX] = g[(r * k + i) * TILE + TX];
      __syncthreads();
      USE;
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
// A guard around both loops, barriers between two rows.
// CASE: reduced versions=yes runs=yes block=64 full with=m=0,1,5 with=k=1,2,7,8 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*m)} i32:{m} i32:{k} i32:1
KERNEL reduced(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k, int wanted) {
  __shared__ u32 s[TILE], red[TILE];
  if (!wanted) return;
  for (int r = BX; r < m; r += gridDim.x) {
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      s[TX] = g[(r * k + i) * TILE + TX];
      __syncthreads();
      USE;
      __syncthreads();
    }
    red[TX] = sum;
    __syncthreads();
    if (TX == 0) {
      for (int j = 1; j < TILE; j++) sum += red[j];
      out[r] = sum;
    }
    __syncthreads();
  }
}
// Each row begins anew, and is asked for by itself: they have 0 to 11 tiles.
// CASE: lengths versions=yes runs=no block=64 full with=m=0,1,3,9 -- rand:{max(4,4*64*m*12)} rand:{4*m+4} zero:{max(4,4*64*m)} i32:{m}
KERNEL lengths(const u32 *g, const u32 *__restrict__ length, u32 *out, int m) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += gridDim.x) {
    u32 sum = r;
    for (int i = 0; i < (int)(length[r] % 12); i++) {
      s[TX] = g[(r * 12 + i) * TILE + TX];
      __syncthreads();
      USE;
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
// Copies could go on, but nobody knows in front of both loops how long the rows are.
// CASE: lengths_ahead versions=yes runs=no block=64 full with=m=0,1,3,9 -- rand:{max(4,4*64*m*12)} rand:{4*m+4} zero:{max(4,4*64*m)} i32:{m}
KERNEL lengths_ahead(const u32 *__restrict__ g, const u32 *__restrict__ length, u32 *__restrict__ out, int m) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += gridDim.x) {
    u32 sum = r;
    for (int i = 0; i < (int)(length[r] % 12); i++) {
      s[TX] = g[(r * 12 + i) * TILE + TX];
      __syncthreads();
      USE;
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
// Two tiles, each before a barrier of its own: what both rings leave runs where there are few.
// CASE: keys_values versions=yes block=64 full with=k=0,1,2,7,8,21 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL keys_values(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], v[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    USE;
    __syncthreads();
    v[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + v[(TX + 1) % TILE];
    __syncthreads();
  }
  out[BX * TILE + TX] = sum;
}
// And in rows of 0 to 11 tiles, some of which take the one version and some the other.
// CASE: rows_of_both versions=yes block=64 full with=m=0,1,3,9 -- rand:{max(4,4*64*m*12)} rand:{4*m+4} zero:{max(4,4*64*m)} i32:{m}
KERNEL rows_of_both(const u32 *g, const u32 *__restrict__ length, u32 *out, int m) {
  __shared__ u32 s[TILE], v[TILE];
  for (int r = BX; r < m; r += gridDim.x) {
    u32 sum = r;
    for (int i = 0; i < (int)(length[r] % 12); i++) {
      s[TX] = g[(r * 12 + i) * TILE + TX];
      __syncthreads();
      USE;
      __syncthreads();
      v[TX] = g[(r * 12 + 11 - i) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + v[(TX + 1) % TILE];
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
// The other loop of two versions is not this one's: what it has left in the array is read here.
// CASE: two_loops versions=yes block=64 full with=k=1,2,7,8,21 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL two_loops(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], v[2 * TILE], w[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    USE;
    v[TILE + TX] = sum;
    __syncthreads();
  }
  for (int i = 0; i < k; i++) {
    w[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + w[(TX + 1) % TILE];
    __syncthreads();
    v[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + v[(TX + 1) % TILE] + v[TILE + (TX + 5) % TILE];
    __syncthreads();
  }
  out[BX * TILE + TX] = sum;
}
// Tiles of warps, of which each has another number.
// CASE: of_warps versions=yes block=64 full with=k=0,1,2,7,8,21 -- rand:{max(4,4*T*(k+1))} zero:{4*T} i32:{k}
KERNEL of_warps(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  int w = TX / 32, lane = TX % 32, many = k + w;
  u32 sum = 0;
  for (int i = 0; i < many; i++) {
    s[w][lane] = g[(BX * (k + 1) + i) * TILE + TX];
    __syncwarp();
    sum = sum * 31 + s[w][(lane + 1) % 32] + s[w][lane / 2];
    __syncwarp();
  }
  out[BX * TILE + TX] = sum;
}
// Numbers that the compiler knows.
// CASE: known versions=no block=64 full -- rand:{4*T*33} zero:{4*T}
KERNEL known(const u32 *g, u32 *out) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
#pragma unroll 1
  for (int i = 0; i < 33; i++) {
    s[TX] = g[(BX * 33 + i) * TILE + TX];
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[BX * TILE + TX] = sum;
}
// CASE: few_known versions=yes block=64 full -- rand:{4*T*4} zero:{4*T}
KERNEL few_known(const u32 *g, u32 *out) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
#pragma unroll 1
  for (int i = 0; i < 4; i++) {
    s[TX] = g[(BX * 4 + i) * TILE + TX];
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[BX * TILE + TX] = sum;
}
