// RUN: %rewritten %s --temp %t.d
// Tile loops in another loop: copies go on into the next run. Beside each form stands what looks like it and begins anew.
// TEXT: levels=O3,O1 archs=sm_90 stages=2,5
#include "tiles.cuh"
#define GX gridDim.x
#define USE sum = sum * 31 + s[(TX + 1) % TILE] + s[TX / 2]

// CASE: rows runs=yes block=64 full with=m=0,1,2,5 with=k=0,1,2,7,21 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL rows(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += GX) {
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
// The barrier in front; unsigned counters, while loops, a sum that goes on from row to row.
// CASE: freed_first runs=yes block=64 full with=m=0,1,2,5 with=k=1,2,9 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL freed_first(const u32 *__restrict__ g, u32 *__restrict__ out, unsigned m, unsigned k) {
  __shared__ u32 s[TILE];
  unsigned r = BX;
  u32 sum = 7;
  while (r < m) {
    unsigned i = 0;
    do {
      __syncthreads();
      s[TX] = g[(r * k + i) * TILE + TX];
      __syncthreads();
      USE;
    } while (++i < k);
    out[r * TILE + TX] = sum;
    r += GX;
  }
}
// A pointer that moves, long counters.
// CASE: pointers runs=yes block=64 full with=m=0,1,2,5 with=k=0,1,2,9 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*64*m)} i64:{m} i64:{k}
KERNEL pointers(const u32 *__restrict__ g, u32 *__restrict__ out, long long m, long long k) {
  __shared__ u32 s[TILE];
  for (long long r = BX; r < m; r += GX) {
    const u32 *p = g + r * k * TILE, *end = p + k * TILE;
    u32 sum = 0;
    for (; p != end; p += TILE) {
      s[TX] = p[TX];
      __syncthreads();
      USE;
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
// Where it goes on after a run is what the loop has made of it.
// CASE: goes_on runs=no block=64 full with=m=0,1,2,5 with=k=0,1,2,9 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*64*m)} i64:{m} i64:{k}
KERNEL goes_on(const u32 *__restrict__ g, u32 *__restrict__ out, long long m, long long k) {
  __shared__ u32 s[TILE];
  const u32 *p = g + BX * k * TILE + TX;
  for (long long r = BX; r < m; r += GX, p += (GX - 1) * k * TILE) {
    u32 sum = 0;
    for (long long i = 0; i < k; i++, p += TILE) {
      s[TX] = *p;
      __syncthreads();
      USE;
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
// A template, which is inlined.
template <int STEP> static __device__ inline u32 sum_of(const u32 *__restrict__ g, u32 *s, u32 sum, int k) {
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * STEP * TILE + TX];
    __syncthreads();
    USE;
    __syncthreads();
  }
  return sum;
}
// CASE: inlined runs=yes block=64 full with=m=0,1,2,5 with=k=0,1,2,9 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL inlined(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += GX) out[r * TILE + TX] = sum_of<1>(g + r * k * TILE, s, r, k);
}
// The lengths of rows are loaded, some are empty.
// CASE: lengths runs=no block=64 full with=m=0,1,3,9 -- rand:{max(4,4*64*m*4)} rand:{4*m+4} zero:{max(4,4*64*m)} i32:{m}
KERNEL lengths(const u32 *__restrict__ g, const u32 *__restrict__ length, u32 *__restrict__ out, int m) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += GX) {
    u32 sum = r;
    for (int i = 0; i < (int)(length[r] % 4); i++) {
      s[TX] = g[(r * 4 + i) * TILE + TX];
      __syncthreads();
      USE;
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
// Barriers and shared memory between two runs; rows that are left out.
// CASE: reduced runs=yes block=64 full with=m=0,1,2,5 with=k=1,2,9 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*m)} i32:{m} i32:{k}
KERNEL reduced(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE], red[TILE];
  for (int r = BX; r < m; r += GX) {
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
// CASE: left_out runs=yes block=64 full with=m=0,1,2,5,9 with=k=1,2,9 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL left_out(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += GX) {
    if (r % 3 == 1) continue;
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      s[TX] = g[(r * k + i) * TILE + TX];
      __syncthreads();
      USE;
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
// Tiles of a product: the number of one is divided; a constant number of iterations; copies in a loop of their own.
// CASE: product runs=yes block=64 full with=m=0,1,4,6 with=w=1,2,3 -- rand:{4*64*12} zero:{max(4,4*64*m)} i32:{m} i32:{w}
KERNEL product(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int w) {
  __shared__ u32 s[TILE], t[TILE];
  for (int tile = BX; tile < m; tile += GX) {
    int y = tile / w, x = tile % w;
    u32 sum = 0;
#pragma unroll 1
    for (int k = 0; k < 4; k++) {
      s[TX] = g[(y + k) * TILE + TX];
      t[TX] = g[(x + 2 * k) * TILE + TX];
      __syncthreads();
      USE *t[TILE - 1 - TX];
      __syncthreads();
    }
    out[tile * TILE + TX] = sum;
  }
}
// CASE: looped runs=yes block=64 full with=m=0,1,2,5 with=k=0,1,2,9 -- rand:{max(4,4*256*m*k)} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL looped(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[4 * TILE];
  for (int r = BX; r < m; r += GX) {
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      for (int j = TX; j < 4 * TILE; j += blockDim.x) s[j] = g[(r * k + i) * 4 * TILE + j];
      __syncthreads();
      sum = sum * 31 + s[4 * TX] + s[TX + 1];
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
// Zeros outside; 16 bytes; three loops.
// CASE: padded runs=yes block=64 full with=m=0,1,2,5 with=k=1,2,9 with=n=100,2000 -- rand:{max(4,4*64*m*k,4*n)} zero:{max(4,4*64*m)} i32:{m} i32:{k} i32:{n}
KERNEL padded(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k, int n) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += GX) {
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      int at = (r * k + i) * TILE + TX;
      s[TX] = at < n ? g[at] : 0;
      __syncthreads();
      USE;
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
struct alignas(16) Four { u32 x, y, z, w; };
// CASE: fours runs=yes block=64 full with=m=0,1,2,5 with=k=0,1,2,9 -- rand:{max(16,16*64*m*k)} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL fours(const Four *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ Four s[TILE];
  for (int r = BX; r < m; r += GX) {
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      s[TX] = g[(r * k + i) * TILE + TX];
      __syncthreads();
      Four v = s[TILE - 1 - TX];
      sum = sum * 31 + (v.x ^ v.y) + (v.z ^ v.w);
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
  }
}
// CASE: three runs=yes block=64 full with=m=0,1,2,3 with=k=1,2,9 -- rand:{max(4,4*64*m*k*3)} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL three(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += GX) {
    u32 sum = 0;
#pragma unroll 1
    for (int q = 0; q < 3; q++) {
      for (int i = 0; i < k; i++) {
        s[TX] = g[((r * 3 + q) * k + i) * TILE + TX];
        __syncthreads();
        USE;
        __syncthreads();
      }
      sum ^= q;
    }
    out[r * TILE + TX] = sum;
  }
}
// What is copied may be written between two runs; which run follows depends on what was computed, and so does where it begins.
// CASE: written runs=no block=64 grid=1 full with=m=0,1,2,5 with=k=1,2 -- rand:{max(4,4*64*(m+1)*k)} i32:{m} i32:{k}
KERNEL written(u32 *g, int m, int k) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += GX) {
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      s[TX] = g[(r * k + i) * TILE + TX];
      __syncthreads();
      USE;
      __syncthreads();
    }
    g[(r + 1) * k * TILE + TX] += sum;
    __syncthreads();
  }
}
// CASE: until runs=no block=64 full with=m=0,1,2,5 with=k=1,2 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL until(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += GX) {
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      s[TX] = g[(r * k + i) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[0] + s[TILE - 1];
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
    if (sum % 2) break;
  }
}
// CASE: leads_on runs=no block=64 full with=m=0,1,2,5 with=k=1,2 -- rand:{4*64*64} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL leads_on(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  u32 from = BX;
  for (int r = BX; r < m; r += GX) {
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      s[TX] = g[((from + i) % 64) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[0] + s[TILE - 1];
      __syncthreads();
    }
    out[r * TILE + TX] = sum;
    from = sum % 50;
  }
}
// Threads of other blocks may be told between two runs.
// CASE: told runs=no block=64 full with=m=0,1,2,5 with=k=1,2 -- rand:{max(4,4*64*m*k)} zero:4 zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL told(const u32 *__restrict__ g, u32 *flag, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += GX) {
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      s[TX] = g[(r * k + i) * TILE + TX];
      __syncthreads();
      USE;
      __syncthreads();
    }
    if (__nvvm_atom_add_gen_i((int *)flag, 0) == 5) sum++;
    out[r * TILE + TX] = sum;
  }
}
// The tile is used between two runs.
// CASE: used_between runs=no block=64 full with=m=0,1,2,5 with=k=1,2 -- rand:{max(4,4*64*m*k)} zero:{max(4,4*64*m)} i32:{m} i32:{k}
KERNEL used_between(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  for (int r = BX; r < m; r += GX) {
    u32 sum = 0;
    for (int i = 0; i < k; i++) {
      s[TX] = g[(r * k + i) * TILE + TX];
      __syncthreads();
      USE;
      __syncthreads();
    }
    out[r * TILE + TX] = sum + s[TX ^ 1];
    __syncthreads();
  }
}
