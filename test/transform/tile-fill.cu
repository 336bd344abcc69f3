// RUN: %rewritten %s --temp %t.d
// Loops that fill a tile: which of them fill every place once, so that the copies may be asynchronous.
// TEXT: levels=O3,O1 archs=sm_90 stages=2,5
#include "tiles.cuh"

enum { WIDE = 9, HIGH = 20, COUNT = WIDE * HIGH }; // neither of them a divisor of the block
#define AT(LENGTH) (((int)BX * k + i) * (LENGTH)) // where the tile begins
#define ROLLED _Pragma("clang loop unroll(disable)")

// ---- one number is cut into rows ----

// CASE: rows tile=pipelined block=64 full with=k=0,1,2,6 -- rand:{max(4,4*180*G*k)} zero:{4*T} i32:{k}
KERNEL rows(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[HIGH][WIDE + 1];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < COUNT; c += 64) s[c / WIDE][c % WIDE] = g[(BX * k + i) * COUNT + c];
    __syncthreads();
    sum = sum * 31 + s[TX % HIGH][TX % WIDE] + 5 * s[(TX + 7) % HIGH][(TX + 2) % WIDE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Four rows of a thread: the number that is cut is the thread's, and the loop counts rows.
// CASE: rows_of_thread tile=pipelined block=64 full with=k=0,1,6 -- rand:{4+4*256*G*k} zero:{4*T} i32:{k}
KERNEL rows_of_thread(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][16];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < 256; c += 64) s[c / 16][c % 16] = g[(BX * k + i) * 256 + c];
    __syncthreads();
    sum = sum * 31 + s[TX % 16][TX / 16] + 5 * s[(TX + 7) % 16][(TX + 2) / 8];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Rows one behind the other: the place is the number.
// CASE: rows_of_block tile=pipelined block=48 full with=k=0,1,6 -- rand:{max(4,4*180*G*k)} zero:{4*T} i32:{k}
KERNEL rows_of_block(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[HIGH][WIDE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < COUNT; c += blockDim.x) s[c / WIDE][c % WIDE] = g[(BX * k + i) * COUNT + c];
    __syncthreads();
    sum = sum * 31 + s[TX % HIGH][TX % WIDE] + 5 * s[(TX + 7) % HIGH][(TX + 2) % WIDE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Rows of a power of two, longer by one than what is copied; zeros behind the end.
// CASE: masked_rows tile=pipelined block=48 full with=k=0,1,6 with=n=100,4000 -- rand:{max(4,4*n)} zero:{4*T} i32:{n} i32:{k}
KERNEL masked_rows(const u32 *g, u32 *out, u32 n, int k) {
  __shared__ u32 s[8][17];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < 128; c += blockDim.x) {
      u32 at = (BX * k + i) * 128 + c;
      s[c >> 4][c & 15] = at < n ? g[at] : 0;
    }
    __syncthreads();
    sum = sum * 31 + s[TX % 8][TX % 16] + 5 * s[(TX + 7) % 8][(TX + 3) % 16];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two arrays, each with numbers of its own; the first with a frame that stays as it is.
// CASE: framed_rows tile=pipelined block=64 full with=k=0,1,6 -- rand:{4+4*180*G*k} rand:{4+4*64*G*k}:3 zero:{4*T} i32:{k}
KERNEL framed_rows(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[HIGH + 2][WIDE + 2], r[TILE];
  u32 sum = 0;
  for (int c = TX; c < (HIGH + 2) * (WIDE + 2); c += 64) s[c / (WIDE + 2)][c % (WIDE + 2)] = 1000 + c;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < COUNT; c += 64) s[c / WIDE + 1][c % WIDE + 1] = g[(BX * k + i) * COUNT + c];
    r[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    for (int y = 0; y < 3; y++) sum = sum * 31 + s[TX % HIGH + y][TX % WIDE + 2] + 3 * s[TX % HIGH + y][TX % WIDE] + r[TX ^ 9];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Rows of a flat array, with a gap behind each.
// CASE: with_gaps tile=pipelined block=48 full with=k=0,1,6 -- rand:{max(4,4*180*G*k)} zero:{4*T} i32:{k}
KERNEL with_gaps(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[COUNT + HIGH];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < COUNT; c += blockDim.x) s[c + c / WIDE] = g[(BX * k + i) * COUNT + c];
    __syncthreads();
    sum = sum * 31 + s[3 * TX + 3 * TX / WIDE] + 5 * s[TX + TX / WIDE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Columns first: a column has room for as many rows as there are.
// CASE: columns tile=pipelined block=48 full with=k=0,1,6 -- rand:{max(4,4*180*G*k)} zero:{4*T} i32:{k}
KERNEL columns(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[WIDE][HIGH + 1];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < COUNT; c += blockDim.x) s[c % WIDE][c / WIDE] = g[(BX * k + i) * COUNT + c];
    __syncthreads();
    sum = sum * 31 + s[TX % WIDE][TX % HIGH] + 5 * s[(TX + 7) % WIDE][(TX + 2) % HIGH];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- rows and columns have counters of their own ----

// CASE: bricks tile=pipelined block=16,4 full with=k=0,1,2,6 -- rand:{max(4,4*180*G*k)} zero:{4*T} i32:{k}
KERNEL bricks(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[WIDE][HIGH];
  u32 sum = 0, t = threadIdx.y * 16 + TX;
  for (int i = 0; i < k; i++) {
    for (int y = threadIdx.y; y < WIDE; y += blockDim.y)
      for (int x = TX; x < HIGH; x += blockDim.x) s[y][x] = g[(BX * k + i) * COUNT + y * HIGH + x];
    __syncthreads();
    sum = sum * 31 + s[t % WIDE][t % HIGH] + 5 * s[(t + 7) % WIDE][(t + 2) % HIGH];
    __syncthreads();
  }
  out[BX * 64 + t] = sum;
}
// CASE: bricks_of_16 tile=pipelined block=16,4 full with=k=0,1,6 -- rand:{max(4,4*180*G*k)} zero:{4*T} i32:{k}
KERNEL bricks_of_16(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[WIDE][HIGH + 1];
  u32 sum = 0, t = threadIdx.y * 16 + TX;
  for (int i = 0; i < k; i++) {
    for (int y = threadIdx.y; y < WIDE; y += 4)
      for (int x = TX; x < HIGH; x += 16) s[y][x] = g[(BX * k + i) * COUNT + y * HIGH + x];
    __syncthreads();
    sum = sum * 31 + s[t % WIDE][t % HIGH] + 5 * s[(t + 7) % WIDE][(t + 2) % HIGH];
    __syncthreads();
  }
  out[BX * 64 + t] = sum;
}

// ---- places that are filled twice, by one thread, which has an order that asynchronous copies have not ----

// Rows that are longer than the way to the next one.
// CASE: short_rows tile=none block=64 full with=k=0,1,5 -- rand:{max(4,4*8*T*k)} zero:{4*T} i32:6 i32:{k}
KERNEL short_rows(const u32 *g, u32 *out, int m, int k) {
  __shared__ u32 s[8 * TILE];
  u32 sum = 0;
  long t = TX;
  for (int i = 0; i < k; i++) {
    ROLLED for (long c = 0; c < m; c++) s[8 * t + c / 3 * 2 + c % 3] = g[AT(8 * TILE) + c * TILE + t];
    __syncthreads();
    for (long c = 0; c < 5; c++) sum = sum * 31 + s[8 * (TILE - 1 - t) + c];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Columns that are longer than there is room.
// CASE: short_columns tile=none block=64 full with=k=0,1,5 -- rand:{max(4,4*8*T*k)} zero:{4*T} i32:6 i32:{k}
KERNEL short_columns(const u32 *g, u32 *out, int m, int k) {
  __shared__ u32 s[8 * TILE];
  u32 sum = 0;
  long t = TX;
  for (int i = 0; i < k; i++) {
    ROLLED for (long c = 0; c < m; c++) s[8 * t + c % 3 + c / 3] = g[AT(8 * TILE) + c * TILE + t];
    __syncthreads();
    for (long c = 0; c < 4; c++) sum = sum * 31 + s[8 * (TILE - 1 - t) + c];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A number that begins again behind its 8 bits.
// CASE: cut_off tile=none block=64 full with=k=0,1,5 -- rand:{max(4,4*8*T*k)} zero:{4*T} i32:512 i32:{k}
KERNEL cut_off(const u32 *g, u32 *out, int m, int k) {
  __shared__ u32 s[86 * 4];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    ROLLED for (int c = TX; c < m; c += 128) {
      u8 number = (u8)c;
      s[number / 3 * 4 + number % 3] = g[(BX * k + i) * 8 * TILE + c];
    }
    __syncthreads();
    sum = sum * 31 + s[(TILE - 1 - TX) / 3 * 4 + (TILE - 1 - TX) % 3];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The inner counter goes farther than a step of the outer one.
// CASE: short_steps tile=none block=64 full with=k=0,1,5 -- rand:{max(4,4*16*T*k)} zero:{4*T} i32:3 i32:{k}
KERNEL short_steps(const u32 *g, u32 *out, int m, int k) {
  __shared__ u32 s[16 * TILE];
  u32 sum = 0;
  int t = TX;
  for (int i = 0; i < k; i++) {
    ROLLED for (int y = 0; y < m; y++)
      ROLLED for (int x = 0; x < 5; x++) s[16 * t + 4 * y + x] = g[AT(16 * TILE) + (5 * y + x) * TILE + t];
    __syncthreads();
    for (int c = 0; c < 13; c++) sum = sum * 31 + s[16 * (TILE - 1 - t) + c];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What the second copy fills, the first fills again in the next iteration.
// CASE: overtaken tile=none block=64 full with=k=0,1,5 -- rand:{4+32*T*k} rand:{4+32*T*k}:5 zero:{4*T} i32:4 i32:{k}
KERNEL overtaken(const u32 *g, const u32 *h, u32 *out, int m, int k) {
  __shared__ u32 s[8 * TILE];
  u32 sum = 0;
  int t = TX;
  for (int i = 0; i < k; i++) {
    ROLLED for (int c = 0; c < m; c++) {
      s[c * TILE + t] = g[AT(8 * TILE) + c * TILE + t];
      s[c * TILE + TILE + t] = h[AT(8 * TILE) + c * TILE + t];
    }
    __syncthreads();
    for (int c = 0; c < m; c++) sum = sum * 31 + s[c * TILE + TILE - 1 - t];
    __syncthreads();
  }
  out[ROW] = sum;
}
// And an iteration of the loop around later.
// CASE: overtaken_around tile=none block=64 full with=k=0,1,5 -- rand:{4+32*T*k} rand:{4+32*T*k}:5 zero:{4*T} i32:3 i32:{k}
KERNEL overtaken_around(const u32 *g, const u32 *h, u32 *out, int m, int k) {
  __shared__ u32 s[8 * TILE];
  u32 sum = 0;
  int t = TX;
  for (int i = 0; i < k; i++) {
    ROLLED for (int y = 0; y < 2; y++)
      ROLLED for (int x = 0; x < m; x++) {
        s[8 * t + 2 * x + y] = g[AT(8 * TILE) + (2 * x + y) * TILE + t];
        s[8 * t + 2 * x + y + 1] = h[AT(8 * TILE) + (2 * x + y) * TILE + t];
      }
    __syncthreads();
    for (int c = 0; c < 2 * m; c++) sum = sum * 31 + s[8 * (TILE - 1 - t) + c];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The same of copies that stay out of each other's way.
// CASE: abreast_around tile=pipelined block=64 full with=k=0,1,5 -- rand:{4+36*T*k} rand:{4+36*T*k}:5 zero:{4*T} i32:{k}
KERNEL abreast_around(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[32 * TILE];
  u32 sum = 0;
  int t = TX;
  for (int i = 0; i < k; i++) {
    ROLLED for (int y = 0; y < 3; y++)
      ROLLED for (int x = 0; x < 3; x++) {
        s[32 * t + 8 * y + 2 * x] = g[AT(9 * TILE) + (3 * y + x) * TILE + t];
        s[32 * t + 8 * y + 2 * x + 1] = h[AT(9 * TILE) + (3 * y + x) * TILE + t];
      }
    __syncthreads();
    for (int c = 0; c < 22; c++) sum = sum * 31 + (c % 8 < 6 ? s[32 * (TILE - 1 - t) + c] : 0);
    __syncthreads();
  }
  out[ROW] = sum;
}
// The same of numbers.
// CASE: overtaken_rows tile=none block=64 full with=k=0,1,5 -- rand:{4+32*T*k} rand:{4+32*T*k}:5 zero:{4*T} i32:4 i32:{k}
KERNEL overtaken_rows(const u32 *g, const u32 *h, u32 *out, int m, int k) {
  __shared__ u32 s[8 * TILE];
  u32 sum = 0;
  long t = TX;
  for (int i = 0; i < k; i++) {
    ROLLED for (long c = 0; c < m; c++) {
      s[8 * t + c / 3 * 4 + c % 3] = g[AT(8 * TILE) + c * TILE + t];
      s[8 * t + (c + 1) / 3 * 4 + (c + 1) % 3] = h[AT(8 * TILE) + c * TILE + t];
    }
    __syncthreads();
    for (long c = 0; c < m; c++) sum = sum * 31 + s[8 * (TILE - 1 - t) + c / 3 * 4 + c % 3];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two at a time, which never meet.
// CASE: in_pairs tile=pipelined block=64 full with=k=0,1,5 -- rand:{4+32*T*k} rand:{4+32*T*k}:5 zero:{4*T} i32:4 i32:{k}
KERNEL in_pairs(const u32 *g, const u32 *h, u32 *out, int m, int k) {
  __shared__ u32 s[8 * TILE];
  u32 sum = 0;
  int t = TX;
  for (int i = 0; i < k; i++) {
    ROLLED for (int c = 0; c < m; c++) {
      s[2 * c * TILE + t] = g[AT(8 * TILE) + c * TILE + t];
      s[2 * c * TILE + TILE + t] = h[AT(8 * TILE) + c * TILE + t];
    }
    __syncthreads();
    for (int c = 0; c < 2 * m; c++) sum = sum * 31 + s[c * TILE + TILE - 1 - t];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two halves of the tile, by one loop that its bound keeps in the first of them.
// CASE: in_halves tile=pipelined block=48 full with=k=0,1,5 -- rand:{4+1024*G*k} rand:{4+1024*G*k}:5 zero:{4*T} i32:{k}
KERNEL in_halves(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[8 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    ROLLED for (int c = TX; c < 4 * TILE; c += blockDim.x) {
      s[c] = g[(BX * k + i) * 4 * TILE + c];
      s[4 * TILE + c] = h[(BX * k + i) * 4 * TILE + c];
    }
    __syncthreads();
    for (int c = 0; c < 8; c++) sum = sum * 31 + s[c * TILE + TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
