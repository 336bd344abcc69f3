// RUN: %rewritten %s --temp %t.d
// Tile loops whose copies lead where only a pointer says: pointers into the tile that count its copies, pointers that were loaded,
// pointers to what may not be aligned as the copy is long, rows by a step that is an argument. k is the number of tiles.
// TEXT: levels=O3,O1 archs=sm_75,sm_80 stages=2,3
#include "tiles.cuh"
#define TY threadIdx.y
#define TILES u32 sum = 0; for (int i = 0; i < k; i++) {
#define FILLED __syncthreads();
#define FREED __syncthreads(); } out[(BX * blockDim.y + TY) * blockDim.x + TX] = sum;
#define SUM_UP(array, words) for (int j = 0; j < (words); j += 7) sum = sum * 31 + (array)[(j + TX) % (words)]

// ---- a pointer into the tile is the counter of its copies ----

// CASE: by_pointer tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k}
KERNEL by_pointer(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[256];
  TILES
    const u32 *q = g + i * 256 + TX;
    for (u32 *p = s + TX; p < s + 256; p += 64, q += 64) *p = *q;
  FILLED
    SUM_UP(s, 256);
  FREED
}
// The step is the block's, the end is met, not passed.
// CASE: by_pointer_block tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k}
KERNEL by_pointer_block(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[256];
  TILES
    const u32 *q = g + i * 256 + TX;
    for (u32 *p = s + TX, *end = p + 256; p != end; p += blockDim.x, q += blockDim.x) *p = *q;
  FILLED
    SUM_UP(s, 256);
  FREED
}
// Backwards.
// CASE: by_pointer_down tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k}
KERNEL by_pointer_down(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[256];
  TILES
    const u32 *q = g + i * 256 + 192 + TX;
    for (u32 *p = s + 192 + TX; p >= s; p -= 64, q -= 64) *p = *q;
  FILLED
    SUM_UP(s, 256);
  FREED
}
// Of longer elements, through a cast.
// CASE: by_pointer_cast tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,2048*k)} zero:{4*T} i32:{k}
struct alignas(16) Four { u32 x, y, z, w; };
KERNEL by_pointer_cast(const Four *g, u32 *out, int k) {
  __shared__ alignas(16) u32 s[512];
  TILES
    Four *p = (Four *)s + TX;
    const Four *q = g + i * 128 + TX;
    do { *p = *q; p += 64; q += 64; } while (p < (Four *)(s + 512));
  FILLED
    SUM_UP(s, 512);
  FREED
}
// A row of a counter inside of a row's.
// CASE: by_pointer_rows tile=pipelined block=16,4 full with=k=0,1,5 -- rand:{max(4,2048*k)} zero:{4*T} i32:{k}
KERNEL by_pointer_rows(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][33];
  TILES
    const u32 *from = g + i * 512 + TY * 32;
    for (u32 (*row)[33] = s + TY; row < s + 16; row += 4, from += 128) {
      const u32 *q = from + TX;
      for (u32 *p = *row + TX; p < *row + 32; p += 16, q += 16) *p = *q;
    }
  FILLED
    for (int r = 0; r < 16; r++) sum = sum * 31 + s[r][(TX + TY) % 32];
  FREED
}
// The tile loop's own counter, which comes back to where it began.
// CASE: by_pointer_slots block=64 full with=k=0,1,5 -- rand:{max(4,512*k)} zero:{4*T} i32:{k}
KERNEL by_pointer_slots(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[128];
  u32 *p = s;
  TILES
    p[TX] = g[i * 128 + TX];
    p[TX + 64] = g[i * 128 + 64 + TX];
  FILLED
    SUM_UP(p, 128);
    p += k < 0;
  FREED
}
// One of two arrays: no counter of one.
// CASE: by_pointer_either tile=none block=64 full with=k=5,6 -- rand:{1024*k} zero:{4*T} i32:{k}
KERNEL by_pointer_either(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[256], r[256];
  s[TX] = r[TX] = s[TX + 64] = r[TX + 64] = s[TX + 128] = r[TX + 128] = s[TX + 192] = r[TX + 192] = 0;
  __syncthreads();
  TILES
    const u32 *q = g + i * 256 + TX;
    u32 *begin = k & 1 ? s : r;
    for (u32 *p = begin + TX; p < begin + 256; p += 64, q += 64) *p = *q;
  FILLED
    SUM_UP(s, 256);
    SUM_UP(r, 256);
  FREED
}
// Two iterations fill one place: the last counts.
// CASE: by_pointer_twice tile=none block=64 full with=k=5 -- rand:{1024*k+1024} zero:{4*T} i32:{k}
KERNEL by_pointer_twice(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[256];
  TILES
    const u32 *q = g + i * 256 + TX;
    for (u32 *p = s + TX; p < s + 256; p += q - g - i * 256 - TX == 64 ? 0 : 64, q += 64) *p = *q;
  FILLED
    SUM_UP(s, 256);
  FREED
}

// ---- pointers that were loaded ----

// CASE: loaded tile=pipelined block=64 grid=2 full with=k=0,1,5 -- rand:{max(4,256*k)} struct:ref:0+0,ref:0+0 zero:{4*T} i32:{k}
// CASE: loaded tile=pipelined block=64 grid=2 full with=k=7 -- rand:{512*k+16} struct:ref:0+0,ref:0+{256*k+8} zero:{4*T} i32:{k}
KERNEL loaded(const u32 *unused, const u32 *const *lists, u32 *out, int k) {
  __shared__ u32 s[TILE];
  const u32 *g = lists[BX];
  TILES
    s[TX] = g[i * TILE + TX];
  FILLED
    sum = sum * 31 + s[TILE - 1 - TX];
  FREED
}
// The pointer steps on.
// CASE: loaded_steps tile=pipelined block=64 grid=2 full with=k=0,1,5 -- rand:{max(4,256*k)} struct:ref:0+0,ref:0+0 zero:{4*T} i32:{k}
KERNEL loaded_steps(const u32 *unused, const u32 *const *lists, u32 *out, int k) {
  __shared__ u32 s[TILE];
  const u32 *g = lists[BX] + TX;
  TILES
    s[TX] = *g;
    g += TILE;
  FILLED
    sum = sum * 31 + s[TILE - 1 - TX];
  FREED
}
// Two arrays of a struct in memory, whose pointers each iteration reads: stores to the tile may write them, for all that is known.
struct Net { const u32 *weights; const Four *inputs; };
// CASE: loaded_struct tile=held block=64 grid=2 full with=k=0,1,5 -- rand:{max(16,1024*k)} struct:ref:0+0,ref:0+0 zero:{4*T} i32:{k}
KERNEL loaded_struct(const u32 *unused, const Net *net, u32 *out, int k) {
  __shared__ u32 s[128];
  __shared__ Four r[64];
  TILES
    for (int j = TX; j < 128; j += blockDim.x) s[j] = net->weights[i * 128 + j];
    r[TX] = net->inputs[i * 64 + TX];
  FILLED
    SUM_UP(s, 128);
    sum = sum * 31 + r[63 - TX].y;
  FREED
}
// They are read once.
// CASE: loaded_members tile=pipelined block=64 grid=2 full with=k=0,1,5 -- rand:{max(16,1024*k)} struct:ref:0+0,ref:0+0 zero:{4*T} i32:{k}
KERNEL loaded_members(const u32 *unused, const Net *net, u32 *out, int k) {
  __shared__ u32 s[128];
  __shared__ Four r[64];
  const u32 *weights = net->weights;
  const Four *inputs = net->inputs;
  TILES
    for (int j = TX; j < 128; j += blockDim.x) s[j] = weights[i * 128 + j];
    r[TX] = inputs[i * 64 + TX];
  FILLED
    SUM_UP(s, 128);
    sum = sum * 31 + r[63 - TX].y;
  FREED
}
// It leads into shared memory, in one block: the test says no.
// CASE: loaded_shared block=64 grid=2 full with=k=0,1,5 -- rand:{max(4,256*k)} zero:{4*T} i32:{k}
KERNEL loaded_shared(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], other[TILE], *volatile where;
  other[TX] = TX * 77;
  where = other;
  __syncthreads();
  const u32 *from = BX ? where : g;
  TILES
    s[TX] = from[BX ? (TX + i) % TILE : i * TILE + TX];
  FILLED
    sum = sum * 31 + s[TILE - 1 - TX];
  FREED
}
// The tile's own array: what is copied is what the iteration before left there.
// CASE: loaded_tile tile=none block=64 grid=1 full with=k=0,1,5 -- rand:4 zero:{4*T} i32:{k}
KERNEL loaded_tile(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2 * TILE], *volatile where;
  s[TX] = TX * 77;
  where = s;
  __syncthreads();
  const u32 *from = where;
  TILES
    s[TX + TILE] = from[(TX + i) % TILE];
  FILLED
    sum = sum * 31 + s[2 * TILE - 1 - TX];
  FREED
}
// Known in the iteration alone: which list is its own.
// CASE: loaded_each tile=none block=64 grid=2 full with=k=0,1,5 -- rand:{max(4,256*8)} struct:ref:0+0,ref:0+256,ref:0+512,ref:0+768,ref:0+0 zero:{4*T} i32:{k}
KERNEL loaded_each(const u32 *unused, const u32 *const *lists, u32 *out, int k) {
  __shared__ u32 s[TILE];
  TILES
    s[TX] = lists[i][TX];
  FILLED
    sum = sum * 31 + s[TILE - 1 - TX];
  FREED
}

// ---- elements that are longer than they are aligned ----

struct Vector { u32 v[4]; };
// CASE: unaligned tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,1024*k)} ref:0+0 zero:{4*T} i32:{k}
// CASE: unaligned block=64 full with=k=5 with=o=4,8,12 -- rand:{1024*k+16} ref:0+{o} zero:{4*T} i32:{k}
KERNEL unaligned(const u32 *unused, const Vector *g, u32 *out, int k) {
  __shared__ Vector s[TILE];
  TILES
    s[TX] = g[i * TILE + TX];
  FILLED
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[TILE - 1 - TX].v[j];
  FREED
}
// Nobody says that it is aligned at all.
// CASE: unaligned_bytes tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,1024*k)} ref:0+0 zero:{4*T} i32:{k}
// CASE: unaligned_bytes block=64 full with=k=5 with=o=1,4,8 -- rand:{1024*k+16} ref:0+{o} zero:{4*T} i32:{k}
KERNEL unaligned_bytes(const u32 *unused, const unsigned char *g, u32 *out, int k) {
  __shared__ Vector s[TILE];
  TILES
    __builtin_memcpy(&s[TX], g + (i * TILE + TX) * 16, 16);
  FILLED
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[TILE - 1 - TX].v[j];
  FREED
}
// Aligned in some iterations alone: the step is the launch's.
// CASE: unaligned_step tile=pipelined block=64 full with=k=1,5 with=m=4,6 -- rand:{256*k*m+1024} zero:{4*T} i32:{k} i32:{64*m}
// CASE: unaligned_step block=64 full with=k=5 with=m=257,258 -- rand:{4*k*m+1024} zero:{4*T} i32:{k} i32:{m}
KERNEL unaligned_step(const u32 *g, u32 *out, int k, int step) {
  __shared__ Vector s[TILE];
  TILES
    s[TX] = *(const Vector *)(g + i * step + 4 * TX);
  FILLED
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[TILE - 1 - TX].v[j];
  FREED
}
// Some threads' sources are aligned.
// CASE: unaligned_lanes block=64 full with=k=0,1,5 -- rand:{max(16,1280*k+64)} zero:{4*T} i32:{k}
KERNEL unaligned_lanes(const u32 *g, u32 *out, int k) {
  __shared__ Vector s[TILE];
  TILES
    s[TX] = *(const Vector *)(g + i * 256 + 5 * TX);
  FILLED
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[TILE - 1 - TX].v[j];
  FREED
}

// ---- rows by a step that is an argument ----

// CASE: rows_by tile=pipelined plain:tile=none block=32,4 full with=k=0,1,5 with=r=4,8 -- rand:{max(4,2048*k)} zero:{4*T} i32:{k} i32:{r}
KERNEL rows_by(const u32 *g, u32 *out, int k, int rows) {
  __shared__ u32 s[16][33];
  for (int j = TY; j < 16; j += 4) s[j][TX] = 0;
  __syncthreads();
  TILES
    for (int r = TY; r < 16; r += rows) s[r][TX] = g[(i * 16 + r) * 32 + TX];
  FILLED
    for (int r = 0; r < 16; r++) sum = sum * 31 + s[r][(TX + TY) % 32];
  FREED
}
// Unsigned: of an index that wraps around, the array would be left first.
// CASE: columns_by tile=pipelined block=64 full with=k=0,1,5 with=r=64 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k} i32:{r}
KERNEL columns_by(const u32 *g, u32 *out, int k, u32 step) {
  __shared__ u32 s[256];
  TILES
    for (u32 j = TX; j < 256; j += step) s[j] = g[i * 256 + j];
  FILLED
    SUM_UP(s, 256);
  FREED
}
// Backwards, by a step that is negative.
// CASE: rows_down tile=pipelined block=32,4 full with=k=0,1,5 with=r=-4 -- rand:{max(4,2048*k)} zero:{4*T} i32:{k} i32:{r}
KERNEL rows_down(const u32 *g, u32 *out, int k, int rows) {
  __shared__ u32 s[16][33];
  TILES
    for (int r = 12 + (int)TY; r >= 0; r += rows) s[r][TX] = g[(i * 16 + r) * 32 + TX];
  FILLED
    for (int r = 0; r < 16; r++) sum = sum * 31 + s[r][(TX + TY) % 32];
  FREED
}
// A count ends the loop, not the step: a step of 0 fills one place again and again, in the order of the iterations.
// CASE: rows_counted tile=held block=32,1 full with=k=0,1,5 with=r=0,4 -- rand:{max(4,2048*k)} zero:{4*T} i32:{k} i32:{r}
KERNEL rows_counted(const u32 *g, u32 *out, int k, int rows) {
  __shared__ u32 s[16][33];
  for (int j = 0; j < 16; j++) s[j][TX] = 0;
  __syncthreads();
  TILES
    for (int c = 0; c < 4; c++) s[c * rows][TX] = g[(i * 16 + c * 4) * 32 + TX];
  FILLED
    for (int r = 0; r < 16; r++) sum = sum * 31 + s[r][(TX + TY) % 32];
  FREED
}

// ---- pointers that run to ends of their own ----

// CASE: ends_of_own tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL ends_of_own(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[64];
  u32 sum = 0;
  const u32 *p = g + BX * k * 64 + TX, *end = p + k * 64;
  for (; p < end; p += 64) {
    s[TX] = *p;
    __syncthreads();
    SUM_UP(s, 64);
    __syncthreads();
  }
  out[ROW] = sum;
}
// Down, by an unsigned length, the end is met.
// CASE: ends_down tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL ends_down(const u32 *g, u32 *out, unsigned k) {
  __shared__ u32 s[64];
  u32 sum = 0;
  const u32 *end = g + BX * k * 64 + TX;
  for (const u32 *p = end + k * 64; p != end;) {
    p -= 64;
    s[TX] = *p;
    __syncthreads();
    SUM_UP(s, 64);
    __syncthreads();
  }
  out[ROW] = sum;
}
// Warps run unequally far: what those that are gone have left is read by the others.
// CASE: ends_uneven tile=held block=64 grid=1 full with=k=6 -- rand:{256*k} iota:8 zero:{4*T}
KERNEL ends_uneven(const u32 *__restrict__ g, const u32 *__restrict__ most, u32 *__restrict__ out) {
  __shared__ u32 s[64];
  u32 sum = 0;
  const u32 *p = g + TX, *end = p + most[2 + TX / 32 * 3] * 64;
  for (; p < end; p += 64) {
    s[TX] = *p;
    __syncthreads();
    SUM_UP(s, 64);
    __syncthreads();
  }
  out[ROW] = sum;
}
