// RUN: %rewritten %s --temp %t.d
// Tiles that no asynchronous copy brings: their loads run ahead and wait in registers. Buffers end with the last tile, so a load
// too many is a fault.
// TEXT: levels=O3,O1,O0 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// ---- converted on the way ----

// CASE: bytes tile=held block=64 full with=k=0..9 -- rand:{max(1,T*k)} zero:{4*T} i32:{k}
KERNEL bytes(const u8 *g, float *out, int k) {
  __shared__ float s[TILE];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 0.5f + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: halves tile=held block=64 full with=k=0..4,7 -- rand:{max(2,2*T*k)} zero:{4*T} i32:{k}
KERNEL halves(const _Float16 *g, float *out, int k) {
  __shared__ float s[TILE];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    _Float16 h = g[(BX * k + i) * TILE + TX];
    s[TX] = h == h ? (float)h : 0.0f;
    __syncthreads();
    sum = sum * 0.25f + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum == sum ? sum : 0.0f;
}
// Scaled, negated and chosen; the factor is the kernel's.
// CASE: scaled tile=held block=64 full with=k=0..4,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k} i32:3
KERNEL scaled(const int *g, float *out, int k, int factor) {
  __shared__ float s[TILE];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    int v = g[(BX * k + i) * TILE + TX];
    s[TX] = v < 0 ? -(float)v : (float)(v >> 8) * factor;
    __syncthreads();
    sum = sum * 0.5f + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What is made of the element depends on the iteration, and on what the last tile summed to.
// CASE: mixed tile=held block=64 full with=k=0..4,7 -- rand:{max(2,2*T*k)} zero:{4*T} i32:{k}
KERNEL mixed(const u16 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX] * (i + 3) + (sum & 7);
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// ---- turned, narrow, of the host's size ----

// 16 bytes go to four places of the tile.
// CASE: turned tile=held block=64 full with=k=0..4,7 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL turned(const V4 *g, u32 *out, int k) {
  __shared__ u32 s[4][TILE + 1];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    V4 v = g[(BX * k + i) * TILE + TX];
    s[0][TX] = v.x;
    s[1][TX] = v.y;
    s[2][TX] = v.z * 3;
    s[3][TX] = v.w;
    __syncthreads();
    sum = sum * 31 + s[TX & 3][TILE - 1 - TX] + s[TX >> 4][TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
extern __shared__ __attribute__((aligned(16))) u32 given[];
// CASE: given_size tile=held shared=256 block=64 full with=k=0..4,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL given_size(const u32 *g, u32 *out, int k) {
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    given[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + given[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// 16 bytes and 12 bytes, which are copies of memory; 8 bytes that lie at a multiple of 4.
struct Triple { u32 x, y, z; };
// CASE: pieces tile=held shared=2304 block=64 full with=k=0..4,7 -- rand:{max(16,16*T*k)} rand:{max(12,12*T*k)}:5 rand:{8*T*k+8}:6 zero:{4*T} i32:{k}
KERNEL pieces(const V4 *g, const Triple *h, const u32 *w, u32 *out, int k) {
  V4 *a = (V4 *)given;
  Triple *b = (Triple *)(given + 4 * TILE);
  V2 *c = (V2 *)(given + 7 * TILE);
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 at = (BX * k + i) * TILE + TX;
    a[TX] = g[at];
    b[TX] = h[at];
    __builtin_memcpy(&c[TX], w + 2 * at + 1, 8);
    __syncthreads();
    V4 v = a[TILE - 1 - TX];
    sum = sum * 31 + v.x + 3 * v.y + 5 * v.z + 7 * v.w + b[TX ^ 5].y + 11 * b[TX ^ 9].z + c[TX ^ 1].x + 3 * c[TX].y;
    __syncthreads();
  }
  out[ROW] = sum;
}
// ---- guards ----

// CASE: zero_filled tile=held block=64 grid=1 full with=k=0,2,5 with=c=1,64,65,100,200 -- rand:{c} zero:{4*T} i32:{c} i32:{k}
KERNEL zero_filled(const u8 *g, float *out, int c, int k) {
  __shared__ float s[TILE];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = i * TILE + TX < c ? g[i * TILE + TX] * 0.5f : 0.0f;
    __syncthreads();
    sum = sum * 0.5f + s[TILE - 1 - TX] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}
// What is not loaded keeps what the tile before had, and another condition says so in every iteration.
// CASE: kept tile=held block=64 full with=m=0,5,11,65535 with=k=0,1,2,7 -- rand:{max(1,T*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL kept(const u8 *g, u32 *out, u32 mask, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = TX;
  for (int i = 0; i < k; i++) {
    if (mask >> ((i + TX) & 7) & 1) s[TX] = g[(BX * k + i) * TILE + TX] + i;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Whether it is loaded is what the tile before said: nobody knows ahead.
// CASE: told_by_tile tile=none block=64 full with=k=0..5 -- rand:{max(1,T*k)} zero:{4*T} i32:{k}
KERNEL told_by_tile(const u8 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = TX;
  for (int i = 0; i < k; i++) {
    if (sum & 1) s[TX] = g[(BX * k + i) * TILE + TX] + i;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}
// ---- loops of other forms ----

// The step is the kernel's: nobody knows the trip count.
// CASE: stepped tile=held block=64 grid=1 full with=k=0,1,2,3,7 with=d=1,64 -- rand:{T+d*k} zero:{4*T} i32:{d} i32:{d*k-1}
KERNEL stepped(const u8 *g, u32 *out, int step, int end) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int a = 0; a <= end; a += step) {
    s[TX] = g[a + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two slots by hand, one barrier.
// CASE: two_slots tile=held block=64 full with=k=0..4,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL two_slots(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[i & 1][TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[i & 1][TILE - 1 - TX];
  }
  out[ROW] = sum;
}
// Loaded before the barrier that frees the tile, stored behind it.
// CASE: loaded_early tile=held block=64 full with=k=0..4,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL loaded_early(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 v = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    s[TX] = v;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
  }
  out[ROW] = sum;
}
// The tile of the next iteration is copied at the end of this one.
// CASE: at_the_end block=64 full with=k=0..4,7 -- rand:{T*(k+1)} zero:{4*T} i32:{k}
KERNEL at_the_end(const u8 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  const u8 *mine = g + BX * (k + 1) * TILE;
  s[TX] = mine[TX];
  __syncthreads();
  for (int i = 0; i < k; i++) {
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = mine[(i + 1) * TILE + TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// An inner loop of four, which is unrolled; one of as many as the block leaves, which is not, nor one of too many.
#define COPIES(NAME, ELEMENTS, THREADS) \
  KERNEL NAME(const u8 *g, u32 *out, int k) { \
    __shared__ u32 s[ELEMENTS]; \
    u32 sum = 0; \
    for (int i = 0; i < k; i++) { \
      _Pragma("unroll 1") for (int c = 0; c < ELEMENTS / THREADS; c++) \
        s[c * THREADS + TX] = g[(BX * k + i) * ELEMENTS + c * THREADS + TX] * 5; \
      __syncthreads(); \
      for (int c = 0; c < 4; c++) sum = sum * 31 + s[(TX * 37 + c * 101) % ELEMENTS]; \
      __syncthreads(); \
    } \
    out[ROW] = sum; \
  }
// CASE: inner_four tile=held block=64 full with=k=0..4 -- rand:{max(1,4*64*2*k)} zero:{4*T} i32:{k}
COPIES(inner_four, 4 * TILE, TILE)
// CASE: inner_many tile=none block=64 full with=k=0..2 -- rand:{max(1,20*64*2*k)} zero:{4*T} i32:{k}
COPIES(inner_many, 20 * TILE, TILE)
// CASE: inner_unknown tile=none block=64 full with=k=0..2 -- rand:{max(1,4*64*2*k)} zero:{4*T} i32:{k}
COPIES(inner_unknown, 4 * TILE, blockDim.x)
// Several arrays, one through an index.
// CASE: several tile=held block=64 full with=k=0..4,7 -- rand:{max(1,T*k)} rand:512:5 perm:{max(1,T*k)} rand:{max(16,16*T*k)}:6 zero:{4*T} i32:{k}
KERNEL several(const u8 *g, const u16 *h, const u32 *index, const V4 *q, u32 *out, int k) {
  __shared__ u32 a[TILE], b[TILE], c[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 at = (BX * k + i) * TILE + TX;
    V4 v = q[at];
    a[TX] = g[at];
    b[TX] = h[index[at] & 255] + 1;
    c[TX] = v.x ^ v.y;
    c[TILE + TX] = v.z;
    c[2 * TILE + TX] = v.w;
    c[3 * TILE + TX] = v.y;
    __syncthreads();
    sum = sum * 31 + a[TILE - 1 - TX] + 3 * b[TX ^ 9] + 5 * c[TX * 4 % (4 * TILE)] + 7 * c[TX ^ 77];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two loops in a row and one around another share a tile.
// CASE: shared_tile tile=held block=64 full with=m=0,1,3 with=k=0,1,3 -- rand:{max(1,T*k)} rand:{max(1,T*m)}:5 zero:{4*T} i32:{m} i32:{k}
KERNEL shared_tile(const u8 *g, const u8 *h, u32 *out, int m, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    for (int j = 0; j < m; j++) {
      s[TX] = h[(BX * m + j) * TILE + TX] + i;
      __syncthreads();
      sum = sum * 31 + s[TX ^ 33];
      __syncthreads();
    }
  }
  for (int j = 0; j < m; j++) {
    s[TX] += h[(BX * m + j) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 21];
    __syncthreads();
  }
  out[ROW] = sum;
}
// ---- what may be written, or may not be passed ----

// CASE: next_tile tile=none block=64 full with=k=0,1,2,3,5 -- rand:{2*T*(k+1)} zero:{4*T} i32:{k}
KERNEL next_tile(u16 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  u16 *mine = g + BX * (k + 1) * TILE;
  for (int i = 0; i < k; i++) {
    s[TX] = mine[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    mine[(i + 1) * TILE + TX] ^= sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Where the next 12 bytes lie stands in the ones before.
// CASE: copied_index tile=none shared=768 block=64 full with=k=0,1,2,5 -- rand:{12*64*(k+1)} zero:{4*T} i32:{k}
KERNEL copied_index(const Triple *g, u32 *out, int k) {
  Triple *s = (Triple *)given;
  u32 sum = 0;
  s[TX] = g[TX];
  for (int i = 0; i < k; i++) {
    s[TX] = g[(s[TX].x & 63) + 64 * (i + 1)];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX].y;
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: counted tile=none block=64 full with=k=0,1,2,5 -- rand:{4*T*(k+1)} zero:{4*T} i32:{k}
KERNEL counted(u32 *g, float *out, int k) {
  __shared__ float s[TILE];
  float sum = 0;
  u32 *mine = g + BX * (k + 1) * TILE;
  for (int i = 0; i < k; i++) {
    s[TX] = mine[i * TILE + TX] >> 8;
    __syncthreads();
    sum = sum * 0.5f + s[TILE - 1 - TX];
    __nvvm_atom_add_gen_i((int *)&mine[(i + 1) * TILE + (TX & 7)], TX);
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: volatile_source tile=none block=64 full with=k=0,1,2 -- rand:{max(1,T*k)} zero:{4*T} i32:{k}
KERNEL volatile_source(const volatile u8 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
