// RUN: %rewritten %s --temp %t.d
// Loops that fill a tile, and leave places as they are under a condition that changes: zeros that stand there, or what the last
// copy brought. c is the number of elements, k that of tiles, some behind the last element.
// TEXT: levels=O3 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"
#define TY threadIdx.y
#define KEY (TY * blockDim.x + TX)
#define OUT out[blockIdx.x * blockDim.x * blockDim.y + KEY]

// The usual last tile. In blocks of several rows, threads share their places.
// CASE: last tile=pipelined block=64 grid=1 full with=c=1,63,64,255,256,1000 -- rand:{4*c} zero:{4*T} i32:{c}
// CASE: last tile=pipelined block=48 grid=1 full with=c=1,300,1000 -- rand:{4*c} zero:{4*T} i32:{c}
// CASE: last tile=pipelined block=32,2 grid=1 full with=c=1,300,1000 -- rand:{4*c} zero:{4*T} i32:{c}
KERNEL last(const u32 *__restrict__ g, u32 *__restrict__ out, int c) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < c; i += 256) {
    for (int j = TX; j < 256; j += blockDim.x)
      if (i + j < c) s[j] = g[i + j];
    __syncthreads();
    for (int j = 0; j < 256 && i + j < c; j++) sum = sum * 31 + s[j];
    __syncthreads();
  }
  OUT = sum;
}
// Every tile is looked at as a whole, whatever its iteration brought; what was there in front of the loop counts as well.
// CASE: seen tile=pipelined block=64 grid=2 full with=k=1,2,9 with=m=1,2,3 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k} i32:{m}
// CASE: seen tile=pipelined block=48 grid=1 full with=k=9 with=m=3 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k} i32:{m}
// CASE: seen tile=pipelined block=16,4 grid=1 full with=k=9 with=m=3 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k} i32:{m}
KERNEL seen(const u32 *__restrict__ g, u32 *__restrict__ out, int k, int m) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = KEY; j < 256; j += blockDim.x * blockDim.y) s[j] = 7 * j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    for (int j = KEY; j < 256; j += blockDim.x * blockDim.y)
      if ((i + j) % m == 0) s[j] = g[i * 256 + j];
    __syncthreads();
    for (int j = 0; j < 256; j += 5) sum = sum * 31 + s[(j + TX) % 256];
    __syncthreads();
  }
  OUT = sum + s[255 - KEY];
}
// The next run of the loop begins with the tile that the one before ended with.
// CASE: runs tile=pipelined block=64 grid=2 full with=k=1,3 with=m=1,4 -- rand:{4*256*10} zero:{4*T} i32:{k} i32:{m}
KERNEL runs(const u32 *__restrict__ g, u32 *__restrict__ out, int k, int m) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int run = 0; run < 3; run++)
    for (int i = 0; i < k; i++) {
      for (int j = TX; j < 256; j += 64)
        if ((run == 0 && i == 0) || (i + run + j) % m == 1) s[j] = g[(3 * run + i) * 256 + j];
      __syncthreads();
      for (int j = 0; j < 256; j += 5) sum = sum * 31 + s[(j + TX) % 256];
      __syncthreads();
    }
  OUT = sum;
}
// Threads of several rows share their places, and each tile is another row's: who did not fill it may not touch it.
// CASE: shared_place tile=pipelined block=32,4 grid=1 full with=k=1,2,3,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
// CASE: shared_place tile=pipelined block=32 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL shared_place(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x)
      if (i % blockDim.y == TY) s[j] = g[i * 256 + j];
    __syncthreads();
    for (int j = 0; j < 256; j += 5) sum = sum * 31 + s[(j + TX) % 256];
    __syncthreads();
  }
  OUT = sum;
}
// Steps of a number: in blocks that are longer, one thread's second place is another one's first.
// CASE: short_steps tile=pipelined block=64 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
// CASE: short_steps tile=pipelined block=128 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL short_steps(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += 64)
      if ((i + TX / 64) % 2 == 0) s[j] = g[i * 256 + j];
    __syncthreads();
    if (i) for (int j = 0; j < 256; j += 5) sum = sum * 31 + s[(j + TX) % 256];
    __syncthreads();
  }
  OUT = sum;
}
// By steps of the block's width, each row goes over the places of those behind it.
// CASE: over_others tile=pipelined block=32,2 grid=1 full with=k=1,2,3,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
// CASE: over_others tile=pipelined block=64 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL over_others(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = KEY; j < 256; j += blockDim.x * blockDim.y) s[j] = 7 * j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    for (int j = KEY; j < 256; j += blockDim.x)
      if (i % blockDim.y == TY) s[j] = g[i * 256 + j];
    __syncthreads();
    for (int j = 0; j < 256; j += 5) sum = sum * 31 + s[(j + TX) % 256];
    __syncthreads();
  }
  OUT = sum;
}
// Two arrays, of places that are each thread's own; the condition tells of indices behind the tile.
// CASE: two_arrays tile=pipelined block=64 grid=1 full with=c=1,200,700 -- rand:{4*c} rand:{4*c}:3 zero:{4*T} i32:{c}
KERNEL two_arrays(const u32 *__restrict__ g, const u32 *__restrict__ h, u32 *__restrict__ out, int c) {
  __shared__ u32 s[200], behind[64], r[200];
  u32 sum = 0;
  behind[TX] = TX;
  for (int i = 0; i < c; i += 200) {
    for (int j = TX; j < 256; j += blockDim.x)
      if (j < 200 && i + j < c) s[j] = g[i + j], r[j] = h[i + j];
    __syncthreads();
    for (int j = 0; j < 200 && i + j < c; j++) sum = sum * 31 + s[j] + r[j] * 3;
    __syncthreads();
  }
  OUT = sum + behind[63 - TX];
}
// What the condition says of the index changes from tile to tile: places behind the tile are nobody's, or another array's.
// CASE: beyond tile=pipelined block=64 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL beyond(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[200], r[200];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x)
      if (j + i % 3 < 200) s[j] = g[i * 256 + j];
    for (int j = TX; j < 200; j += blockDim.x) r[199 - j] = g[i * 256 + j];
    __syncthreads();
    for (int j = 0; j < 200; j++) sum = sum * 31 + s[j] + 3 * r[j];
    __syncthreads();
  }
  OUT = sum;
}
// Only where it may be filled is a place aligned: m is 0.
// CASE: aligned tile=pipelined block=64 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k} i32:0
typedef u32 Four __attribute__((ext_vector_type(4)));
KERNEL aligned(const u32 *__restrict__ g, u32 *__restrict__ out, int k, int m) {
  __shared__ Four s[160];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 128; j += blockDim.x)
      if ((5 * j + (i & m)) % 4 == 0) *(Four *)((u32 *)s + 5 * j) = *(const Four *)(g + i * 256 + j);
    __syncthreads();
    for (int j = 0; j < 128; j += 4) sum = sum * 31 + s[j / 4 * 5].x + 3 * s[j / 4 * 5].w;
    __syncthreads();
  }
  OUT = sum;
}
// Rows of a padded tile, in two loops; conditions of either index, which the block's shape does not keep from reaching across.
// CASE: rows tile=pipelined block=16,4 grid=1 full with=c=1,16,60 with=m=5,16,40 -- rand:{4*c*m} zero:{4*T} i32:{c} i32:{m}
// CASE: rows tile=pipelined block=32,2 grid=1 full with=c=60 with=m=40 -- rand:{4*c*m} zero:{4*T} i32:{c} i32:{m}
// CASE: rows tile=pipelined block=5,3,2 grid=1 full with=c=60 with=m=40 -- rand:{4*c*m} zero:{4*T} i32:{c} i32:{m}
KERNEL rows(const u32 *__restrict__ g, u32 *__restrict__ out, int c, int m) {
  __shared__ u32 s[16][17];
  u32 sum = 0;
  for (int i = 0; i < c; i += 16) {
    for (int y = TY; y < 16; y += blockDim.y)
      for (int x = TX; x < 16; x += blockDim.x)
        if (i + y < c && x < m) s[y][x] = g[(i + y) * m + x];
    __syncthreads();
    for (int y = 0; y < 16 && i + y < c; y++)
      for (int x = 0; x < 16 && x < m; x++) sum = sum * 31 + s[y][x];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x * blockDim.y * blockDim.z + threadIdx.z * blockDim.x * blockDim.y + KEY] = sum;
}
// A number, cut into rows.
// CASE: cut_number tile=pipelined block=64 grid=1 full with=c=1,20,60 -- rand:{4*c*16} zero:{4*T} i32:{c}
// CASE: cut_number tile=pipelined block=64,2 grid=1 full with=c=60 -- rand:{4*c*16} zero:{4*T} i32:{c}
KERNEL cut_number(const u32 *__restrict__ g, u32 *__restrict__ out, int c) {
  __shared__ u32 s[16][17];
  u32 sum = 0;
  for (int i = 0; i < c; i += 16) {
    for (int j = TX; j < 256; j += blockDim.x)
      if (i + j / 16 < c && (i + TY) % blockDim.y == 0) s[j / 16][j % 16] = g[i * 16 + j];
    __syncthreads();
    for (int j = 0; j < 256 && i + j / 16 < c; j++) sum = sum * 31 + s[j / 16][j % 16];
    __syncthreads();
  }
  OUT = sum;
}
// The steps are numbers, so that rows are the threads' own, and columns are.
// CASE: cut_steps tile=pipelined block=16,4 grid=1 full with=c=1,20,60 -- rand:{4*c*16} zero:{4*T} i32:{c}
// CASE: cut_steps tile=pipelined block=32,2 grid=1 full with=c=60 -- rand:{4*c*16} zero:{4*T} i32:{c}
// CASE: cut_steps tile=pipelined block=16,8 grid=1 full with=c=60 -- rand:{4*c*16} zero:{4*T} i32:{c}
// CASE: cut_steps tile=pipelined block=16,4,2 grid=1 full with=c=60 -- rand:{4*c*16} zero:{4*T} i32:{c}
KERNEL cut_steps(const u32 *__restrict__ g, u32 *__restrict__ out, int c) {
  __shared__ u32 s[16][17];
  u32 sum = 0, layer = blockDim.x * blockDim.y;
  if (threadIdx.z == 0)
    for (int j = KEY; j < 16 * 17; j += layer) s[j / 17][j % 17] = 7 * j;
  __syncthreads();
  for (int i = 0; i < c; i += 16) {
    for (int j = TY * 16 + TX; j < 256; j += 64)
      if (i + j / 16 < c && i / 16 % (int)(layer * blockDim.z / 64) == (int)(TX / 16 + TY / 4 + threadIdx.z)) s[j / 16][j % 16] = g[i * 16 + j];
    __syncthreads();
    for (int j = 0; i > 16 && j < 256 && i + j / 16 < c; j++) sum = sum * 31 + s[j / 16][j % 16];
    __syncthreads();
  }
  out[blockIdx.x * layer * blockDim.z + threadIdx.z * layer + KEY] = sum;
}
// CASE: cut_line tile=pipelined block=64 grid=1 full with=c=1,20,60 -- rand:{4*c*16} zero:{4*T} i32:{c}
// CASE: cut_line tile=pipelined block=128 grid=1 full with=c=60 -- rand:{4*c*16} zero:{4*T} i32:{c}
// CASE: cut_line tile=pipelined block=64,2 grid=1 full with=c=60 -- rand:{4*c*16} zero:{4*T} i32:{c}
KERNEL cut_line(const u32 *__restrict__ g, u32 *__restrict__ out, int c) {
  __shared__ u32 s[16][17];
  u32 sum = 0;
  for (int i = 0; i < c; i += 16) {
    for (int j = TX; j < 256; j += 64)
      if (i + j / 16 < c && i / 16 % (int)(blockDim.x * blockDim.y / 64) == (int)(TX / 64 + TY)) s[j / 16][j % 16] = g[i * 16 + j];
    __syncthreads();
    for (int j = 0; i > 16 && j < 256 && i + j / 16 < c; j++) sum = sum * 31 + s[j / 16][j % 16];
    __syncthreads();
  }
  OUT = sum;
}
// Pieces of 16 bytes.
// CASE: wide_pieces tile=pipelined block=64 grid=1 full with=c=1,63,64,200,500 -- rand:{16*c} zero:{4*T} i32:{c}
KERNEL wide_pieces(const Four *__restrict__ g, u32 *__restrict__ out, int c) {
  __shared__ Four s[128];
  u32 sum = 0;
  for (int i = 0; i < c; i += 128) {
    for (int j = TX; j < 128; j += blockDim.x)
      if (i + j < c) s[j] = g[i + j];
    __syncthreads();
    for (int j = 0; j < 128 && i + j < c; j++) sum = sum * 31 + s[j].x + 3 * s[j].y + 5 * s[j].z + 7 * s[j].w;
    __syncthreads();
  }
  OUT = sum;
}
// Zeros come first, or else.
// CASE: zeros tile=pipelined block=64 grid=1 full with=k=1,2,5 with=c=1,300,1000 -- rand:{4*c} rand:{4*c}:3 zero:{4*T} i32:{c} i32:{k}
KERNEL zeros(const u32 *__restrict__ g, const u32 *__restrict__ h, u32 *__restrict__ out, int c, int k) {
  __shared__ u32 s[256], r[256], p[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x) {
      s[j] = 0;
      if (i * 256 + j < c) s[j] = g[i * 256 + j];
    }
    for (int j = TX; j < 256; j += blockDim.x)
      if (i * 256 + j < c) {
        r[j] = g[i * 256 + j];
        p[255 - j] = h[i * 256 + j];
      } else {
        r[j] = 0;
        p[255 - j] = 0;
      }
    __syncthreads();
    for (int j = 0; j < 256; j++) sum = sum * 31 + s[j] + 3 * r[j] + 5 * p[j];
    __syncthreads();
  }
  OUT = sum;
}
// Now zeros, now an element, now what was there.
// CASE: three_ways tile=pipelined block=64 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL three_ways(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x) {
      if ((i + j) % 3 == 1 || i == 0) s[j] = 0;
      if ((i + j) % 4 == 1) s[j] = g[i * 256 + j];
    }
    __syncthreads();
    for (int j = 0; j < 256; j++) sum = sum * 31 + s[j];
    __syncthreads();
  }
  OUT = sum;
}
// Only some places are ever filled, by a condition that does not change; the others hold what they did.
// CASE: some_places tile=pipelined block=64 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL some_places(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = TX; j < 256; j += blockDim.x) s[j] = 7 * j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x)
      if (j % 3 && (i + j) % 4 == 1) s[j] = g[i * 256 + j];
    __syncthreads();
    for (int j = 0; j < 256; j++) sum = sum * 31 + s[j];
    __syncthreads();
  }
  OUT = sum;
}
// The loop stops at the last element.
// CASE: stops tile=pipelined block=64 grid=1 full with=c=1,63,64,255,256,1000 -- rand:{4*c} zero:{4*T} i32:{c}
// CASE: stops tile=pipelined block=48 grid=1 full with=c=1,300,1000 -- rand:{4*c} zero:{4*T} i32:{c}
KERNEL stops(const u32 *__restrict__ g, u32 *__restrict__ out, int c) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < c; i += 256) {
    int most = c - i < 256 ? c - i : 256;
    for (int j = TX; j < most; j += blockDim.x) s[j] = g[i + j];
    __syncthreads();
    for (int j = 0; j < most; j++) sum = sum * 31 + s[j];
    __syncthreads();
  }
  OUT = sum;
}
// It goes now farther, now less far, and every tile is looked at as a whole; some of it is left as it is by a condition as well.
// CASE: now_farther tile=pipelined block=64 grid=2 full with=k=1,2,3,12 with=m=1,3 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k} i32:{m}
// CASE: now_farther tile=pipelined block=48 grid=1 full with=k=12 with=m=3 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k} i32:{m}
KERNEL now_farther(const u32 *__restrict__ g, u32 *__restrict__ out, int k, int m) {
  __shared__ u32 s[256], r[256];
  u32 sum = 0;
  for (int j = KEY; j < 256; j += blockDim.x * blockDim.y) s[j] = r[j] = 7 * j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    u32 most = (i * 91u + 37) % 257;
    for (u32 j = TX; j < most; j += blockDim.x) s[j] = g[i * 256 + j];
    for (u32 j = TX; j < 256 - most; j += blockDim.x)
      if ((i + j) % m == 0) r[j] = g[i * 256 + j];
    __syncthreads();
    for (int j = 0; j < 256; j++) sum = sum * 31 + s[j] + 3 * r[(j + TX) % 256];
    __syncthreads();
  }
  OUT = sum + s[255 - KEY];
}
// Two copies at each step, and a step that is a number.
// CASE: by_twos tile=pipelined block=64 grid=1 full with=k=1,2,12 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
// CASE: by_twos tile=pipelined block=128 grid=1 full with=k=12 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL by_twos(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = TX; j < 256; j += blockDim.x) s[j] = 7 * j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    u32 most = (i * 51u + 37) % 129;
    for (int j = TX; TX / 64 == i % (blockDim.x / 64) && j < most; j += 64) {
      s[2 * j] = g[i * 256 + 2 * j];
      s[2 * j + 1] = g[i * 256 + 255 - 2 * j];
    }
    __syncthreads();
    for (int j = 0; j < 256; j++) sum = sum * 31 + s[j];
    __syncthreads();
  }
  OUT = sum;
}
// The loop does not run in every iteration.
// CASE: loop_left_out tile=pipelined block=64 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL loop_left_out(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i % 2 == 0)
      for (int j = TX; j < 256; j += blockDim.x)
        if ((i + j) % 4 != 1) s[j] = g[i * 256 + j];
    __syncthreads();
    if (i > 3) for (int j = 0; j < 256; j++) sum = sum * 31 + s[j];
    __syncthreads();
  }
  OUT = sum;
}
// It is left in its midst.
// CASE: left_early tile=none block=64 grid=1 full with=k=1,2,9 -- rand:{4*256*(k+1)} zero:{4*T} i32:{k}
KERNEL left_early(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = TX; j < 256; j += blockDim.x) s[j] = 7 * j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 256; j += blockDim.x) {
      if ((i + j) % 4 != 1) s[j] = g[i * 256 + j];
      if (j > 100 && TX % 7 == 3) break;
      sum += j;
    }
    __syncthreads();
    for (int j = 0; j < 256; j++) sum = sum * 31 + s[j];
    __syncthreads();
  }
  OUT = sum;
}
