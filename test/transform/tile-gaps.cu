// RUN: %rewritten %s --temp %t.d
// Places that an iteration may leave as they are: zeros that stand there, or what the last copy brought. c is the number of
// elements, k that of tiles, some behind the last element.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"
#define TY threadIdx.y
#define KEY (TY * blockDim.x + TX)

// The usual last tile: what is missing is not looked at.
// CASE: last tile=pipelined block=64 grid=1 full with=c=1,63,64,65,300 -- rand:{4*c} zero:{4*T} i32:{c}
KERNEL last(const u32 *__restrict__ g, u32 *__restrict__ out, int c) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < c; i += TILE) {
    if (i + (int)TX < c) s[TX] = g[i + TX];
    __syncthreads();
    int most = TILE < c - i ? (int)TILE : c - i;
    for (int j = 0; j < most; j++) sum = sum * 31 + s[j];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Every tile is looked at as a whole: also what its iteration did not bring, and nobody else did either.
// CASE: seen tile=pipelined block=64 grid=2 full with=k=1,2,7 with=m=1,2,3 -- rand:{4*64*(k+1)} zero:{4*T} i32:{k} i32:{m}
KERNEL seen(const u32 *__restrict__ g, u32 *__restrict__ out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i == 0 || (i + TX) % m == 0) s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Before the first element comes, the tile holds what it did in front of the loop; behind it, what came last.
// CASE: around tile=pipelined block=64 grid=1 full with=k=0,1,6 with=m=0,2,3 -- rand:{4*64*(k+1)} zero:{4*T} i32:{k} i32:{m}
KERNEL around(const u32 *__restrict__ g, u32 *__restrict__ out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = 7 * TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if (i + (int)TX % 3 == m) s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum + s[TX ^ 1];
}
// The next run of the loop begins with the tile that the one before ended with.
// CASE: runs tile=pipelined block=64 grid=2 full with=k=1,3 with=m=1,4 -- rand:{4*64*20} zero:{4*T} i32:{k} i32:{m}
KERNEL runs(const u32 *__restrict__ g, u32 *__restrict__ out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int run = 0; run < 3; run++)
    for (int i = 0; i < k; i++) {
      if ((run == 0 && i == 0) || (i + run + TX) % m == 1) s[TX] = g[(3 * run + i) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
    }
  out[ROW] = sum;
}
// In blocks of several rows, threads share a place, and each tile is another one's: who brought an old element may not bring it
// again. In blocks of one row, the place is the thread's own.
// CASE: shared_place tile=pipelined block=64,4 grid=1 full with=k=1,2,3,9 -- rand:{4*64*(k+1)} zero:{4*T} i32:{k}
// CASE: shared_place block=64 grid=1 full with=k=1,2,9 -- rand:{4*64*(k+1)} zero:{4*T} i32:{k}
KERNEL shared_place(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i % blockDim.y == TY) s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x * blockDim.y + KEY] = sum;
}
// Rows that reach into the next ones where the block is wider than they are: then places are shared.
// CASE: rows_of_sixteen tile=pipelined block=16,4 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
// CASE: rows_of_sixteen block=32,4 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
// CASE: rows_of_sixteen block=4,4,4 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL rows_of_sixteen(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[8][16];
  u32 sum = 0, key = (threadIdx.z * blockDim.y + TY) * blockDim.x + TX;
  for (int i = 0; i < k; i++) {
    bool mine = i % 2 == TX / 16 && i % (int)blockDim.z == threadIdx.z && (i < 2 || (i + TY) % 3);
    if (mine) (&s[0][0])[TY * 16 + TX] = g[i * 256 + TY * 16 + TX];
    __syncthreads();
    if (i > 4) sum = sum * 31 + s[TY][TX % 16 % blockDim.x];
    __syncthreads();
  }
  out[key] = sum;
}
// The same of threads that change places: the rows are still as wide as the block is along x.
// CASE: rows_turned tile=pipelined block=16,4 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
// CASE: rows_turned block=32,4 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL rows_turned(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[8][16];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i % 2 == TX / 16 && (i < 2 || (i + TY) % 3)) (&s[0][0])[TY * 16 + TX] = g[i * 256 + TX * 8 + TY];
    __syncthreads();
    if (i > 4) sum = sum * 31 + s[TY][TX % 16 % blockDim.x];
    __syncthreads();
  }
  out[TX * blockDim.y + TY] = sum;
}
// Numbered by the block's own width; two elements a thread, beside each other or half a tile apart.
// CASE: numbered tile=pipelined block=16,4 grid=1 full with=c=1,60,127,128,333 -- rand:{4*c} zero:{4*T} i32:{c}
// CASE: numbered tile=pipelined block=64 grid=1 full with=c=1,60,127,128,333 -- rand:{4*c} zero:{4*T} i32:{c}
KERNEL numbered(const u32 *__restrict__ g, u32 *__restrict__ out, int c) {
  __shared__ u32 s[2 * TILE], r[2 * TILE];
  u32 sum = 0;
  int key = KEY;
  for (int i = 0; i < c; i += 2 * TILE) {
    if (i + key < c) s[key] = g[i + key];
    if (i + key + TILE < c) s[key + TILE] = g[i + key + TILE];
    if (i + 2 * key < c) r[2 * key] = g[i + 2 * key];
    if (i + 2 * key + 1 < c) r[2 * key + 1] = g[i + 2 * key + 1];
    __syncthreads();
    for (int j = 0; j < 2 * TILE && i + j < c; j++) sum = sum * 31 + s[j] + r[j] * 3;
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x * blockDim.y + key] = sum;
}
// Zeros come first.
// CASE: zeros_first tile=pipelined block=64 grid=1 full with=k=1,2,5 with=c=1,100,200 -- rand:{4*c} zero:{4*T} i32:{c} i32:{k}
KERNEL zeros_first(const u32 *__restrict__ g, u32 *__restrict__ out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = 0;
    if (i * TILE + (int)TX < c) s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Zeros or a copy, by halves of the block; in blocks of several rows too, all of which fill the same.
// CASE: zeros_else tile=pipelined block=64 grid=1 full with=k=1,2,5 with=c=1,100,200 -- rand:{4*c} rand:{4*c}:3 zero:{4*T} i32:{c} i32:{k}
// CASE: zeros_else tile=pipelined block=64,2 grid=1 full with=k=2,5 with=c=100 -- rand:{4*c} rand:{4*c}:3 zero:{4*T} i32:{c} i32:{k}
KERNEL zeros_else(const u32 *__restrict__ g, const u32 *__restrict__ h, u32 *__restrict__ out, int c, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TY == 0 && i * TILE + (int)TX < c) {
      s[TX] = g[i * TILE + TX];
      r[TX ^ 1] = h[i * TILE + TX];
    } else if (TY == 0) {
      s[TX] = 0;
      r[TX ^ 1] = 0;
    }
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 3 * r[TX];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x * blockDim.y + KEY] = sum;
}
// Now zeros, now an element, now what was there.
// CASE: three_ways tile=pipelined block=64 grid=1 full with=k=1,2,9 -- rand:{4*64*(k+1)} zero:{4*T} i32:{k}
KERNEL three_ways(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if ((i + TX) % 3 == 1 || i == 0) s[TX] = 0;
    if ((i + TX) % 4 == 1) s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Zeros beside a copy: none of its own.
// CASE: zeros_beside tile=held block=64 grid=1 full with=k=1,2,5 -- rand:{4*64*(k+1)} zero:{4*T} i32:{k}
KERNEL zeros_beside(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = 0;
    if ((i + TX) % 3) s[TX + TILE] = g[i * TILE + TX];
    __syncthreads();
    if (i > 2) sum = sum * 31 + s[TX] + s[2 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What was copied is written behind its use: the old element is not the one that was brought.
// CASE: written_again tile=none block=64 grid=1 full with=k=1,2,5 -- rand:{4*64*(k+1)} zero:{4*T} i32:{k}
KERNEL written_again(u32 *g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i == 0 || (i + TX) % 3 == 0) s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    g[i * TILE + TX] = sum;
  }
  out[ROW] = sum;
}
// The thread's number is cut into rows; in blocks of several layers, threads share their number.
// CASE: cut_number tile=pipelined block=64 grid=1 full with=c=1,60,127,128,333 -- rand:{4*c} zero:{4*T} i32:{c}
// CASE: cut_number tile=pipelined block=64,3 grid=1 full with=c=1,60,128,333 -- rand:{4*c} zero:{4*T} i32:{c}
KERNEL cut_number(const u32 *__restrict__ g, u32 *__restrict__ out, int c) {
  __shared__ u32 s[8][17];
  u32 sum = 0;
  int row = TX / 16, column = TX % 16;
  for (int i = 0; i < c; i += 2 * TILE) {
    if (i / TILE % (int)blockDim.y == TY && i + (int)TX < c) s[row][column] = g[i + TX];
    if (i / TILE % (int)blockDim.y == TY && i + (int)TX + TILE < c) s[row + 4][column] = g[i + TX + TILE];
    __syncthreads();
    if (i > 3 * TILE)
      for (int j = 0; j < 2 * TILE && i + j < c; j++) sum = sum * 31 + s[j / 16][j % 16];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x * blockDim.y + KEY] = sum;
}
// A thread's second element is the first one of the next row where the block is wider than a row has room.
// CASE: crossing_rows tile=pipelined block=64 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
// CASE: crossing_rows tile=pipelined block=32 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL crossing_rows(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[128];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i % 2 == 0 && TX < 32 + i) s[TX] = g[i * 256 + TX];
    if (i % 2 == 1 && TX < 32 + i) s[TX + 32] = g[i * 256 + 128 + TX];
    __syncthreads();
    if (i > 1) sum = sum * 31 + s[TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The number is the thread's own, the place is not.
// CASE: cut_and_shifted tile=held block=64 grid=1 full with=k=1,2,9 -- rand:{4*64*(k+1)} zero:{4*T} i32:{k}
KERNEL cut_and_shifted(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[6 * 17];
  u32 sum = 0;
  int place = TX / 16 * 17 + TX % 16 + (TX & 32 ? 0 : 34);
  for (int i = 0; i < k; i++) {
    if (i % 2 == TX / 32) s[place] = g[i * 64 + TX];
    __syncthreads();
    if (i > 1) sum = sum * 31 + s[TX % 32 / 16 * 17 + TX % 16 + 34];
    __syncthreads();
  }
  out[ROW] = sum;
}
