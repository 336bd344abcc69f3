// RUN: %rewritten %s --temp %t.d
// Tile loops that hold the next tile in registers while this one is used: each iteration loads its own, and copies run ahead.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// CASE: guarded tile=pipelined plain:tile=none block=64 full with=k=0,1,2,5,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL guarded(const u32 *__restrict__ g, u32 *__restrict__ out, int n) {
  __shared__ u32 s[TILE];
  const u32 *p = g + BX * n * TILE + TX;
  u32 sum = 0, v = n > 0 ? p[0] : 0;
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    if (k + 1 < n) v = p[(k + 1) * TILE];
    sum = sum * 31 + s[TILE - 1 - TX] + s[TX ^ 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Stages are asked for.
// CASE: staged tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,5,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
extern "C" __global__ __attribute__((annotate("coalda.stages=4"))) void staged(const u32 *__restrict__ g, u32 *__restrict__ out, int n) {
  __shared__ u32 s[TILE];
  const u32 *p = g + BX * n * TILE + TX;
  u32 sum = 0, v = n > 0 ? p[0] : 0;
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    if (k + 1 < n) v = p[(k + 1) * TILE];
    sum = sum * 31 + s[TILE - 1 - TX] + s[TX ^ 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// By a pointer, and at the end of the body; the counter has other types.
#define STEPPED(name, I) \
  KERNEL name(const u32 *__restrict__ g, u32 *__restrict__ out, int n) { \
    __shared__ u32 s[TILE]; \
    const u32 *p = g + BX * n * TILE + TX; \
    u32 sum = 0, v = n > 0 ? *p : 0; \
    for (I k = 0; k < (I)n; k++) { \
      s[TX] = v; \
      __syncthreads(); \
      sum = sum * 31 + s[TILE - 1 - TX] + s[TX ^ 1]; \
      p += TILE; \
      if (k + 1 < (I)n) v = *p; \
      __syncthreads(); \
    } \
    out[ROW] = sum; \
  }
// Pointers that step; counted by unsigned numbers the loop stays.
// CASE: by_int tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
// CASE: by_unsigned tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
// CASE: by_long tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
STEPPED(by_int, int)
STEPPED(by_unsigned, unsigned)
STEPPED(by_long, long long)
// One tile more than is stored is there, and is loaded.
// CASE: unguarded tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{4*T*(k+1)} zero:{4*T} i32:{k}
KERNEL unguarded(const u32 *__restrict__ g, u32 *__restrict__ out, int n) {
  __shared__ u32 s[TILE];
  const u32 *p = g + BX * n * TILE + TX;
  u32 sum = 0, v = p[0];
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    v = p[(k + 1) * TILE];
    sum = sum * 31 + s[TILE - 1 - TX] + s[TX ^ 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Products of matrices, whose edge is a multiple of 8, in steps of 8.
// CASE: product tile=pipelined block=8,8 grid=2 full -- rand:{4*8*16} rand:{4*16*16} zero:{4*8*16} i32:16
KERNEL product(const u32 *__restrict__ a, const u32 *__restrict__ b, u32 *__restrict__ c, int n) {
  __shared__ u32 as[8][8], bs[8][9];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = BX * 8 + x;
  u32 va = a[row * n + x], vb = b[y * n + column], sum = 0;
  for (int k = 0; k < n; k += 8) {
    as[y][x] = va;
    bs[y][x] = vb;
    __syncthreads();
    if (k + 8 < n) va = a[row * n + k + 8 + x], vb = b[(k + 8 + y) * n + column];
    for (int j = 0; j < 8; j++) sum += as[y][j] * bs[j][x];
    __syncthreads();
  }
  c[row * n + column] = sum;
}
// What the loop writes may be what it reads: it stays.
// CASE: may_meet tile=none block=64 grid=1 full with=k=0,1,2,5 -- rand:{max(4,4*64*k)} zero:{max(4,4*64*k)} i32:{k}
// CASE: may_meet block=64 grid=1 full with=k=3,5 -- rand:{4*64*(k+2)} ref:0+256 i32:{k}
KERNEL may_meet(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[TILE];
  u32 v = n > 0 ? g[TX] : 0;
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    if (k + 1 < n) v = g[(k + 1) * TILE + TX];
    out[k * TILE + TX] = s[TILE - 1 - TX] * 3;
    __syncthreads();
  }
}

// ---- which stay ----

// The first tile is another one's.
// CASE: other_first tile=none block=64 full with=k=1,2,5 -- rand:{4*T*k} rand:{4*T} zero:{4*T} i32:{k}
KERNEL other_first(const u32 *__restrict__ g, const u32 *__restrict__ h, u32 *__restrict__ out, int n) {
  __shared__ u32 s[TILE];
  const u32 *p = g + BX * n * TILE + TX;
  u32 sum = 0, v = h[ROW];
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    if (k + 1 < n) v = p[(k + 1) * TILE];
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Not by one step.
// CASE: two_steps tile=none block=64 full with=k=1,2,5 -- rand:{4*T*k*2} zero:{4*T} i32:{k}
KERNEL two_steps(const u32 *__restrict__ g, u32 *__restrict__ out, int n) {
  __shared__ u32 s[TILE];
  const u32 *p = g + BX * n * TILE + TX;
  u32 sum = 0, v = p[TILE / 2];
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    if (k + 1 < n) v = p[(k + 1) * TILE];
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The last tile but one is used twice.
// CASE: ends_sooner tile=none block=64 full with=k=1,2,5 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL ends_sooner(const u32 *__restrict__ g, u32 *__restrict__ out, int n) {
  __shared__ u32 s[TILE];
  const u32 *p = g + BX * n * TILE + TX;
  u32 sum = 0, v = p[0];
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    if (k + 2 < n) v = p[(k + 1) * TILE];
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Data say which tile is loaded.
// CASE: by_data tile=none block=64 full with=k=1,2,5 -- rand:{4*T*k} rand:{4*k} zero:{4*T} i32:{k}
KERNEL by_data(const u32 *__restrict__ g, const u32 *__restrict__ on, u32 *__restrict__ out, int n) {
  __shared__ u32 s[TILE];
  const u32 *p = g + BX * n * TILE + TX;
  u32 sum = 0, v = p[0];
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    if (k + 1 < n && on[k] & 1) v = p[(k + 1) * TILE];
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The tile that comes next is written by this iteration, behind its load.
// CASE: written tile=none block=64 grid=1 full with=k=1,2,5 -- rand:{4*64*(k+1)} i32:{k}
KERNEL written(u32 *g, int n) {
  __shared__ u32 s[TILE];
  u32 v = g[TX];
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    if (k + 1 < n) v = g[(k + 1) * TILE + TX];
    g[(k + 1) * TILE + TX] = s[TILE - 1 - TX] * 3;
    __syncthreads();
  }
}
// The first tile is written between its load and the loop.
// CASE: written_before tile=none block=64 grid=1 full with=k=1,2,5 -- rand:{4*64*k} zero:{4*T} i32:{k}
KERNEL written_before(u32 *g, u32 *out, int n) {
  __shared__ u32 s[TILE];
  u32 sum = 0, v = g[TX];
  g[TX] = 7;
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    if (k + 1 < n) v = g[(k + 1) * TILE + TX];
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Places that wrap around in 16 bits.
// CASE: wraps block=64 full with=k=1,5,9 -- rand:{4*64*8*2} zero:{4*T} i32:{k}
KERNEL wraps(const u32 *__restrict__ g, u32 *__restrict__ out, int n) {
  __shared__ u32 s[TILE];
  const u32 *p = g + BX * 512 + TX;
  u32 sum = 0, v = p[0];
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    if (k + 1 < n) v = p[(u16)((k + 1) * 8192) / 128];
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What is held is used itself.
// CASE: used tile=none block=64 full with=k=1,2,5 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL used(const u32 *__restrict__ g, u32 *__restrict__ out, int n) {
  __shared__ u32 s[TILE];
  const u32 *p = g + BX * n * TILE + TX;
  u32 sum = 0, v = p[0];
  for (int k = 0; k < n; k++) {
    s[TX] = v;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + v;
    if (k + 1 < n) v = p[(k + 1) * TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
