// RUN: %rewritten %s --temp %t.d
// Tile loops that store what is known in front of them: LLVM has loaded or computed it there already, as it does where it knows that
// nothing writes it. It is stored there as well. Beside each stands what looks like it and must stay.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"
#define SUM(place) sum = sum * 31 + s[(TX + (place)) % TILE]

// CASE: same once=yes block=64 full with=k=0..4 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL same(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[ROW];
    __syncthreads();
    SUM(i);
    __syncthreads();
  }
  out[ROW] = sum;
}
// The barrier stands in front of the copies, and the loop runs at least once.
// CASE: freed_first once=yes block=64 full with=k=0..4 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL freed_first(const u32 *__restrict__ g, u32 *__restrict__ out, unsigned k) {
  __shared__ u32 s[TILE];
  s[TILE - 1 - TX] = TX;
  __syncthreads();
  u32 sum = s[TX / 2];
  unsigned i = 0;
  do {
    __syncthreads();
    s[TX] = g[ROW];
    __syncthreads();
    SUM(i);
  } while (++i < k);
  out[ROW] = sum;
}
// Computed on the way, of less than a word, of 16 bytes.
// CASE: converted once=yes block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i64:{k}
KERNEL converted(const u8 *__restrict__ g, u32 *__restrict__ out, long long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (long long i = 0; i < k; i++) {
    s[TX] = 3 * g[ROW] + 1;
    __syncthreads();
    SUM(i);
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: bytes once=yes block=64 full with=k=0,1,3 -- rand:{T} zero:{4*T} i32:{k}
KERNEL bytes(const u8 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u8 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[ROW];
    __syncthreads();
    SUM(i);
    __syncthreads();
  }
  out[ROW] = sum;
}
struct alignas(16) Four { u32 x, y, z, w; };
// CASE: fours once=yes block=64 full with=k=0,1,3 -- rand:{16*T} zero:{4*T} i32:{k}
KERNEL fours(const Four *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ Four s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[ROW];
    __syncthreads();
    Four v = s[(TX + i) % TILE];
    sum = sum * 31 + (v.x ^ v.y) + (v.z ^ v.w);
    __syncthreads();
  }
  out[ROW] = sum;
}
// Zeros, or nothing, where a condition that does not change says so.
// CASE: padded once=yes block=64 full with=k=0,1,3 with=w=0,50,128 -- rand:{4*T} zero:{4*T} i32:{k} i32:{w}
KERNEL padded(const u32 *__restrict__ g, u32 *__restrict__ out, int k, int w) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = (int)ROW < w ? g[ROW] : 0;
    __syncthreads();
    SUM(i);
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: halo once=yes block=64 full with=k=0,1,3 -- rand:{4*T+4} zero:{4*T} i32:{k}
KERNEL halo(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE + 1];
  u32 sum = 0, mine = g[ROW], last = g[BX * TILE + TILE];
  for (int i = 0; i < k; i++) {
    s[TX] = mine;
    if (TX == 0) s[TILE] = last;
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % (TILE + 1)];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two arrays; one of two moves on, in the same phase (then it stays), and in one of its own; the same array in part.
// CASE: both once=yes block=64 full with=k=0,1,3 -- rand:{4*T} rand:{4*T} zero:{4*T} i32:{k}
KERNEL both(const u32 *__restrict__ g, const u32 *__restrict__ h, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[ROW];
    r[TX] = h[TX];
    __syncthreads();
    SUM(i + r[TILE - 1 - TX]);
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: beside once=no block=64 full with=k=0,1,3,7 -- rand:{max(4,4*T*k)} rand:{4*T} zero:{4*T} i32:{k}
KERNEL beside(const u32 *__restrict__ g, const u32 *__restrict__ h, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    r[TX] = h[TX];
    __syncthreads();
    SUM(i + r[TILE - 1 - TX]);
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: in_turn once=yes block=64 full with=k=0,1,3,7 -- rand:{max(4,4*T*k)} rand:{4*T} zero:{4*T} i32:{k}
KERNEL in_turn(const u32 *__restrict__ g, const u32 *__restrict__ h, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    r[TX] = h[TX];
    __syncthreads();
    sum += r[(TX + i) % TILE];
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    SUM(i);
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: half_moves once=no block=64 full with=k=0,1,3 -- rand:{max(8,8*T*k)} zero:{4*T} i32:{k}
KERNEL half_moves(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[ROW];
    s[TILE + TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[(TX * 5 + i) % (2 * TILE)];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The loop around it moves on, and has a barrier of its own.
// CASE: around once=yes block=64 full with=k=0,1,3 with=m=1,3 -- rand:{4*3*T} zero:{4*T} i32:{k} i32:{m}
KERNEL around(const u32 *__restrict__ g, u32 *__restrict__ out, int k, int m) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
#pragma unroll 1
  for (int j = 0; j < m; j++) {
#pragma unroll 1
    for (int i = 0; i < k; i++) {
      s[TX] = g[(j * 2 + BX) * TILE + TX];
      __syncthreads();
      SUM(i);
      __syncthreads();
    }
    r[TX] = sum;
    __syncthreads();
    sum += r[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Another array is written on the way: the barrier that lets it be written again stays.
// CASE: passes_on once=yes block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL passes_on(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  r[TX] = TX;
  for (int i = 0; i < k; i++) {
    s[TX] = g[ROW];
    __syncthreads();
    sum = sum * 31 + s[(TX + i) % TILE] + r[TILE - 1 - TX];
    __syncthreads();
    r[TX] = sum;
  }
  out[ROW] = sum;
}
// Behind the loop the array is filled with something else.
// CASE: filled_after once=yes block=64 full with=k=1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL filled_after(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[ROW];
    __syncthreads();
    SUM(i);
    __syncthreads();
  }
  s[TILE - 1 - TX] = sum;
  __syncthreads();
  out[ROW] = s[TX ^ 1];
}
// Tiles of a warp.
// CASE: of_warp once=yes block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL of_warp(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX / 32][TX % 32] = g[ROW];
    __nvvm_bar_warp_sync(~0u);
    sum = sum * 31 + s[TX / 32][(TX + i) % 32];
    __nvvm_bar_warp_sync(~0u);
  }
  out[ROW] = sum;
}
// What the next iteration stores is another value; what stands there has been changed; it goes to another place; or not always.
// CASE: passed_on once=no block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL passed_on(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, mine = g[ROW];
  for (int i = 0; i < k; i++) {
    s[TX] = mine;
    __syncthreads();
    mine = s[(TX + i) % TILE] + 1;
    sum = sum * 31 + mine;
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: overwritten once=no block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL overwritten(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[ROW];
    __syncthreads();
    SUM(i);
    __syncthreads();
    s[TX] = sum;
    __syncthreads();
    SUM(i);
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: elsewhere once=no block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL elsewhere(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = 7;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[(TX / 2 + i) % TILE] = g[BX * TILE + TX / 2];
    __syncthreads();
    SUM(i);
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: at_times once=no block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL at_times(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, mine = g[ROW];
  s[TX] = 7;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if ((TX + i) % 3 == 0) s[TX] = mine;
    __syncthreads();
    SUM(i);
    __syncthreads();
  }
  out[ROW] = sum;
}
// It is read in front of the barrier: what the iteration before has left.
// CASE: read_before once=no block=64 full with=k=0,1,3 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL read_before(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, mine = g[ROW];
  s[TX] = 7;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    SUM(i);
    __syncthreads();
    s[TX] = mine;
    __syncthreads();
    SUM(i);
  }
  out[ROW] = sum;
}
