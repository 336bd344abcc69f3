// RUN: %rewritten %s --temp %t.d
// Which places the copies of a tile fill: bits that are crossed against conflicts of banks, steps that only the launch knows, two copies
// beside each other. Beside each stands what looks like it and fills one place twice, where the last copy counts.
// TEXT: levels=O3 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"
#define TY threadIdx.y
struct alignas(16) Four { u32 x, y, z, w; };
#define TILES u32 sum = 0; for (int i = 0; i < k; i++) {
#define FILLED __syncthreads();
#define FREED __syncthreads(); } out[(BX * blockDim.y + TY) * blockDim.x + TX] = sum;
#define ALL(array, words) for (int j = 0; j < (words); j += 7) sum = sum * 31 + (array)[(j + TX) % (words)]

// ---- bits that are crossed ----

// CASE: crossed tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,4096*k)} zero:{4*T} i32:{k}
KERNEL crossed(const Four *g, u32 *out, int k) {
  __shared__ Four s[256];
  TILES
    _Pragma("unroll") for (int q = 0; q < 4; q++) {
    int j = TX + q * 64, r = j / 8, c = j % 8;
    s[r * 8 + (c ^ (r & 7))] = g[i * 256 + j];
  }
  FILLED
    ALL((const u32 *)s, 1024);
  FREED
}
// Elements of 16 bytes in a loop of its own, the step the block's; in blocks of 48, warps meet in a row of 8.
// CASE: crossed_loop tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,4096*k)} zero:{4*T} i32:{k}
// CASE: crossed_loop tile=pipelined block=48 full with=k=5 -- rand:{max(16,4096*k)} zero:{4*T} i32:{k}
KERNEL crossed_loop(const Four *g, u32 *out, int k) {
  __shared__ Four s[256];
  TILES
    _Pragma("unroll 1") for (int j = TX; j < 256; j += blockDim.x) {
    int r = j / 8, c = j % 8;
    s[r * 8 + (c ^ (r & 7))] = g[i * 256 + j];
  }
  FILLED
    ALL((const u32 *)s, 1024);
  FREED
}
// CASE: crossed_number tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4096*k)} zero:{4*T} i32:{k}
KERNEL crossed_number(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[1024];
  TILES
    _Pragma("unroll 1") for (unsigned j = TX; j < 1024; j += 64) s[j ^ (j >> 5 & 31)] = g[i * 1024 + j];
  FILLED
    ALL(s, 1024);
  FREED
}
// By bytes, as descriptions of swizzles say it.
// CASE: crossed_bytes tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,4096*k)} zero:{4*T} i32:{k}
KERNEL crossed_bytes(const Four *g, u32 *out, int k) {
  __shared__ __attribute__((aligned(128))) u32 s[1024];
  TILES
    _Pragma("unroll") for (int q = 0; q < 4; q++) {
    u32 b = (TX + q * 64) * 16;
    *(Four *)((char *)s + (b ^ (b >> 3 & 0x70))) = g[i * 256 + q * 64 + TX];
  }
  FILLED
    ALL(s, 1024);
  FREED
}
// Of eight bytes, single.
// CASE: crossed_pairs tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(8,512*k)} zero:{4*T} i32:{k}
KERNEL crossed_pairs(const u64 *g, u32 *out, int k) {
  __shared__ u64 s[8][8];
  TILES
    s[TX / 8][TX % 8 ^ TX / 8] = g[i * 64 + TX];
  FILLED
    for (int q = 0; q < 8; q++) sum = sum * 31 + (u32)s[q][TX % 8];
  FREED
}
// A matrix that is to be turned: the column is as wide as the block, whatever that is.
// CASE: crossed_rows tile=pipelined block=32,2 full with=k=0,1,5 -- rand:{max(4,4096*k)} zero:{4*T} i32:{k}
KERNEL crossed_rows(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[32][32];
  TILES
    for (int r = TY; r < 32; r += 2) s[r][TX ^ r] = g[i * 1024 + r * 32 + TX];
  FILLED
    for (int q = TY; q < 32; q += 2) sum = sum * 31 + s[TX][q ^ TX];
  FREED
}
// A thread fills a row, from another column on.
// CASE: own_row tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,8192*k)} zero:{4*T} i32:{k}
KERNEL own_row(const Four *g, u32 *out, int k) {
  __shared__ Four s[64][8];
  TILES
    _Pragma("unroll 1") for (int c = 0; c < 8; c++) s[TX][c ^ (TX & 7)] = g[(i * 64 + TX) * 8 + c];
  FILLED
    ALL((const u32 *)s, 2048);
  FREED
}
// CASE: own_row_unrolled tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,8192*k)} zero:{4*T} i32:{k}
KERNEL own_row_unrolled(const Four *g, u32 *out, int k) {
  __shared__ Four s[64][8];
  TILES
    _Pragma("unroll") for (int c = 0; c < 8; c++) s[TX][c ^ (TX & 7)] = g[(i * 64 + TX) * 8 + c];
  FILLED
    ALL((const u32 *)s, 2048);
  FREED
}
// What an iteration leaves out stays as it was: threads must not meet. In blocks of two rows they do.
// CASE: crossed_rest tile=pipelined block=64 full with=k=1,2,5 with=c=1,300,1000 -- rand:{4*c} zero:{4*T} i32:{k} i32:{c}
// CASE: crossed_rest tile=pipelined block=48 full with=k=5 with=c=1000 -- rand:{4*c} zero:{4*T} i32:{k} i32:{c}
// CASE: crossed_rest tile=pipelined block=32,2 grid=1 full with=k=5 with=c=1000 -- rand:{4*c} zero:{4*T} i32:{k} i32:{c}
KERNEL crossed_rest(const u32 *g, u32 *out, int k, int c) {
  __shared__ u32 s[256];
  for (int j = TY * blockDim.x + TX; j < 256; j += blockDim.x * blockDim.y) s[j] = j;
  __syncthreads();
  TILES
    _Pragma("unroll 1") for (int j = TX; j < 256; j += blockDim.x)
      if (i * 256 + j < c) s[j / 8 * 8 + (j % 8 ^ (j / 8 & 7))] = g[i * 256 + j];
  FILLED
    ALL(s, 256);
  FREED
}

// Two numbers, one place.
// CASE: crossed_away tile=held block=64 full with=k=1,5 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k}
KERNEL crossed_away(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE][4];
  TILES
    _Pragma("unroll 1") for (int c = 0; c < 4; c++) s[TX][(c ^ c >> 1 ^ TX) & 1] = g[(i * 64 + TX) * 4 + c];
  FILLED
    sum = sum * 31 + s[TX][0] * 3 + s[TX][1];
  FREED
}
// Rows that are shorter than what is crossed within them.
// CASE: crossed_over tile=held block=64 full with=k=1,5 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k}
KERNEL crossed_over(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE][12];
  for (int j = 0; j < 12; j++) s[TX][j] = j;
  TILES
    _Pragma("unroll 1") for (int r = 0; r < 4; r++) s[TX][r + ((TX ^ r) & 7)] = g[(i * 64 + TX) * 4 + r];
  FILLED
    for (int j = 0; j < 12; j++) sum = sum * 31 + s[TX][j];
  FREED
}
// Crossed in two ways.
// CASE: crossed_apart tile=held block=64 full with=k=1,5 -- rand:{max(4,512*k)} zero:{4*T} i32:{k}
KERNEL crossed_apart(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE][4];
  TILES
    s[TX][TX & 3 ^ 1] = g[(i * 2) * 64 + TX]; s[TX][(TX ^ TX >> 1) & 3] = g[(i * 2 + 1) * 64 + TX];
  FILLED
    sum = sum * 31 + s[TX][TX & 3 ^ 1];
  FREED
}

// Numbers that are added with a carry, that repeat, places that reach into the next, two copies that change places.
// CASE: crossed_carry tile=held block=64 full with=k=1,5 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k}
KERNEL crossed_carry(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE][4];
  for (int j = 0; j < 4; j++) s[TX][j] = j;
  TILES
    _Pragma("unroll 1") for (int c = 0; c < 4; c++) s[TX][(c + (c >> 1)) & 3] = g[(i * 64 + TX) * 4 + c];
  FILLED
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[TX][j];
  FREED
}
// CASE: crossed_thirds tile=held block=64 full with=k=1,5 -- rand:{max(4,2304*k)} zero:{4*T} i32:{k}
KERNEL crossed_thirds(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE][4];
  for (int j = 0; j < 4; j++) s[TX][j] = j;
  TILES
    _Pragma("unroll 1") for (unsigned c = 0; c < 9; c++) s[TX][c / 3 ^ (TX & 3)] = g[(i * 64 + TX) * 9 + c];
  FILLED
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[TX][j];
  FREED
}
// CASE: crossed_clamped tile=held block=64 full with=k=1,5 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k} i32:2
KERNEL crossed_clamped(const u32 *g, u32 *out, int k, int m) {
  __shared__ u32 s[TILE][4];
  for (int j = 0; j < 4; j++) s[TX][j] = j;
  TILES
    _Pragma("unroll 1") for (int c = 0; c < 4; c++) s[TX][(c < m ? c : m) & 3 ^ (TX & 3)] = g[(i * 64 + TX) * 4 + c];
  FILLED
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[TX][j];
  FREED
}
// CASE: crossed_halves tile=held block=64 full with=k=1,5 -- rand:{max(16,1024*(k+1))} zero:{4*T} i32:{k}
KERNEL crossed_halves(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE][16];
  for (int j = 0; j < 16; j++) s[TX][j] = j;
  TILES
    _Pragma("unroll 1") for (int c = 0; c < 4; c++) __builtin_memcpy(&s[TX][2 * c + (c & 1)], &g[(i * 64 + TX) * 4 + c], 8);
  FILLED
    for (int j = 0; j < 16; j++) sum = sum * 31 + s[TX][j];
  FREED
}
// CASE: crossed_twice tile=held block=64 full with=k=1,5 -- rand:{max(4,2048*k)} zero:{4*T} i32:{k}
KERNEL crossed_twice(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE][4];
  TILES
    _Pragma("unroll 1") for (int c = 0; c < 4; c++) {
      s[TX][c ^ (TX & 3)] = g[(i * 64 + TX) * 8 + c];
      s[TX][c ^ 1 ^ (TX & 3)] = g[(i * 64 + TX) * 8 + 4 + c];
    }
  FILLED
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[TX][j];
  FREED
}
// Threads of one place, which fill it in turns.
// CASE: crossed_turns tile=pipelined block=64 full with=k=1,2,5 -- rand:{1024*(k+1)} zero:{4*T} i32:{k}
// CASE: crossed_turns tile=pipelined block=32,2 grid=1 full with=k=1,2,5 -- rand:{1024*(k+1)} zero:{4*T} i32:{k}
KERNEL crossed_turns(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[256];
  for (int j = TY * blockDim.x + TX; j < 256; j += blockDim.x * blockDim.y) s[j] = j;
  __syncthreads();
  TILES
    _Pragma("unroll 1") for (int j = TX; j < 256; j += blockDim.x)
      if ((i + TY) % 2 == 0) s[j / 8 * 8 + (j % 8 ^ (j / 8 & 7))] = g[i * 256 + j];
  FILLED
    ALL(s, 256);
  FREED
}
// CASE: crossed_shared tile=held block=64 full with=k=1,2,5 -- rand:{256*(k+1)} zero:{4*T} i32:{k}
KERNEL crossed_shared(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[32];
  if (TX < 32) s[TX] = TX;
  __syncthreads();
  TILES
    if ((i + TX / 32) % 2 == 0) s[(TX ^ TX / 8) & 31] = g[i * 64 + TX];
  FILLED
    ALL(s, 32);
  FREED
}

// ---- steps that the launch knows ----

// CASE: by_warps tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,2048*k)} zero:{4*T} i32:{k}
// CASE: by_warps tile=pipelined block=128 full with=k=5 -- rand:{max(4,2048*k)} zero:{4*T} i32:{k}
KERNEL by_warps(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][33];
  int lane = TX % 32, warp = TX / 32, warps = blockDim.x / 32;
  TILES
    for (int r = warp; r < 16; r += warps) s[r][lane] = g[i * 512 + r * 32 + lane];
  FILLED
    for (int r = 0; r < 16; r++) sum = sum * 31 + s[r][lane];
  FREED
}
// CASE: by_warps_and_lanes tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4096*k)} zero:{4*T} i32:{k}
KERNEL by_warps_and_lanes(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][64];
  unsigned lane = TX & 31, warp = TX >> 5, warps = blockDim.x >> 5;
  TILES
    for (unsigned r = warp; r < 16; r += warps)
         for (unsigned c = lane; c < 64; c += 32) s[r][c] = g[i * 1024 + r * 64 + c];
  FILLED
    for (int r = 0; r < 16; r++) sum = sum * 31 + s[r][TX % 64];
  FREED
}
// Where lanes of a last warp are missing, warps meet.
// CASE: by_warps_rest tile=pipelined block=64 full with=k=1,2,5 with=c=1,600,2000 -- rand:{4*c} zero:{4*T} i32:{k} i32:{c}
// CASE: by_warps_rest tile=pipelined block=96 full with=k=5 with=c=2000 -- rand:{4*c} zero:{4*T} i32:{k} i32:{c}
// CASE: by_warps_rest tile=pipelined block=48 grid=1 full with=k=5 with=c=2000 -- rand:{4*c} zero:{4*T} i32:{k} i32:{c}
KERNEL by_warps_rest(const u32 *g, u32 *out, int k, int c) {
  __shared__ u32 s[16][32];
  int lane = TX % 32, warp = TX / 32, warps = blockDim.x / 32;
  for (int j = TX; j < 512; j += blockDim.x) s[0][j] = j;
  __syncthreads();
  TILES
    for (int r = warp; r < 16; r += warps)
         if (i * 512 + r * 32 + lane < c) s[r][lane] = g[i * 512 + r * 32 + lane];
  FILLED
    for (int r = 0; r < 16; r++) sum = sum * 31 + s[r][lane];
  FREED
}
// CASE: by_warps_turns tile=pipelined block=64 full with=k=1,2,5 -- rand:{2048*(k+1)} zero:{4*T} i32:{k}
// CASE: by_warps_turns tile=pipelined block=48 grid=1 full with=k=1,2,5 -- rand:{2048*(k+1)} zero:{4*T} i32:{k}
KERNEL by_warps_turns(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][32];
  int lane = TX % 32, warp = TX / 32, warps = blockDim.x / 32;
  for (int j = TX; j < 512; j += blockDim.x) s[0][j] = j;
  __syncthreads();
  TILES
    for (int r = warp; r < 16; r += warps)
      if ((i + warp) % 2 == 0) s[r][lane] = g[i * 512 + r * 32 + lane];
  FILLED
    for (int r = 0; r < 16; r++) sum = sum * 31 + s[r][lane];
  FREED
}
// The loop ends by something else: steps of nothing fill one place again and again.
// CASE: no_steps tile=held block=64 full with=k=1,5 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k}
KERNEL no_steps(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE * 5];
  TILES
    int r = TX; _Pragma("unroll 1") for (int n = 0; n < 4; n++, r += blockDim.x / 128 * 64) s[r] = g[i * 256 + n * 64 + TX];
  FILLED
    sum = sum * 31 + s[TX];
  FREED
}

// ---- two copies ----

// CASE: turned tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,512*k)} zero:{4*T} i32:{k}
KERNEL turned(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  TILES
    int t = TX;
    s[2 * t] = g[i * 128 + t];
    s[127 - 2 * t] = g[i * 128 + 64 + t];
  FILLED
    sum = sum * 31 + s[TX] * 3 + s[127 - TX];
  FREED
}
// CASE: around tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,512*k)} zero:{4*T} i32:{k}
KERNEL around(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  TILES
    s[2 * TX] = g[i * 128 + TX]; s[(2 * TX + 5) & 127] = g[i * 128 + 64 + TX];
  FILLED
    sum = sum * 31 + s[TX] * 3 + s[127 - TX];
  FREED
}
// CASE: halo tile=pipelined block=8,8 full with=k=0,1,5 -- rand:{max(4,512*k)} zero:{4*T} i32:{k}
KERNEL halo(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[10][10];
  const u32 *p = g + TY * 8 + TX;
  if (TX < 2 && TY < 2) s[9 * TY][9 * TX] = 0;
  TILES
    s[TY + 1][TX + 1] = p[i * 128];
       if (TX < 2) s[TY + 1][9 * TX] = p[i * 128 + 1];
       if (TY < 2) s[9 * TY][TX + 1] = p[i * 128 + 2];
  FILLED
    sum = sum * 31 + s[TY][TX] * 3 + s[TY + 2][TX + 1] * 5 + s[TY + 1][TX + 2];
  FREED
}
// One thread fills the other's place once more.
// CASE: turned_back tile=held block=64 full with=k=1,5 -- rand:{max(4,512*k)} zero:{4*T} i32:{k}
KERNEL turned_back(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE + 2];
  TILES
    s[TX + 1] = g[i * 128 + TX]; if (TX == 31) s[63 - TX] = g[i * 128 + 64 + TX];
  FILLED
    sum = sum * 31 + s[TX + 1];
  FREED
}
// Corners of conditions: only the threads at an edge fill what lies beyond it.
// CASE: edges tile=held block=8,8 full with=k=0,1,5 -- rand:{max(4,1024*(k+1))} zero:{4*T} i32:{k}
KERNEL edges(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[10][10];
  const u32 *p = g + TY * 8 + TX;
  if (TX < 2 && TY < 2) s[9 * TY][9 * TX] = 0;
  TILES
    s[TY + 1][TX + 1] = p[i * 128];
    if (TX == 0) s[TY + 1][0] = p[i * 128 + 1];
    if (TX == 7) s[TY + 1][9] = p[i * 128 + 2];
    if (TY == 0) s[0][TX + 1] = p[i * 128 + 3];
    if (TY == 7) s[9][TX + 1] = p[i * 128 + 4];
  FILLED
    sum = sum * 31 + s[TY][TX] * 3 + s[TY + 2][TX + 1] * 5 + s[TY + 1][TX + 2];
  FREED
}
// CASE: edges_both tile=held block=8,8 full with=k=0,1,5 -- rand:{max(4,1024*(k+1))} zero:{4*T} i32:{k}
KERNEL edges_both(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[10][10];
  const u32 *p = g + TY * 8 + TX;
  if (TX < 2 && TY < 2) s[9 * TY][9 * TX] = 0;
  TILES
    s[TY + 1][TX + 1] = p[i * 128];
    if (TX < 1) s[TY + 1][0] = p[i * 128 + 1], s[TY + 1][9] = p[i * 128 + 2];
    if (TY < 1) s[0][TX + 1] = p[i * 128 + 3], s[9][TX + 1] = p[i * 128 + 4];
  FILLED
    sum = sum * 31 + s[TY][TX] * 3 + s[TY + 2][TX + 1] * 5 + s[TY + 1][TX + 2];
  FREED
}
// One place, and never one thread.
// CASE: roles tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,512*(k+1))} zero:{4*T} i32:{k}
KERNEL roles(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  int t = TX;
  TILES
    if (t < 32) s[2 * t] = g[i * 128 + t];
    if (t >= 32) s[127 - 2 * t] = g[i * 128 + t + 1];
  FILLED
    sum = sum * 31 + s[63 - t];
  FREED
}
// The thread in the corner fills it twice: what the second brings counts.
// CASE: corner tile=held block=8,8 full with=k=1,5 -- rand:{max(4,1024*(k+1))} zero:{4*T} i32:{k}
KERNEL corner(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[10][10];
  const u32 *p = g + TY * 8 + TX;
  TILES
    s[TY + 1][TX + 1] = p[i * 128];
    if (TX == 0) s[TY][0] = p[i * 128 + 1];
    if (TY == 0) s[0][TX] = p[i * 128 + 3];
  FILLED
    sum = sum * 31 + s[TY + 1][TX + 1] * 3 + (TY ? 0 : s[0][TX]);
  FREED
}
// CASE: edge_of_two tile=held block=8,8 full with=k=1,5 -- rand:{max(4,1024*(k+1))} zero:{4*T} i32:{k}
KERNEL edge_of_two(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[10][10];
  const u32 *p = g + TY * 8 + TX;
  TILES
    if (TX <= 1) s[TY + 1][2 * TX] = p[i * 128 + 1];
    if (TX >= 1) s[TY + 1][TX + 1] = p[i * 128 + 4];
  FILLED
    sum = sum * 31 + s[TY + 1][TX < 2 ? 2 * TX : TX + 1];
  FREED
}
// Elements of 8 bytes that begin in each other.
// CASE: half_behind tile=held block=64 full with=k=1,5 -- rand:{max(16,2048*k)} zero:{4*T} i32:{k}
KERNEL half_behind(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE * 4];
  int t = TX;
  TILES
    __builtin_memcpy(&s[4 * t], &g[i * 512 + 4 * t], 8);
    if (t == 7) __builtin_memcpy(&s[29], &g[i * 512 + 256 + t], 8);
  FILLED
    sum = sum * 31 + s[4 * t] + s[4 * t + 1] * 3;
  FREED
}
// CASE: half_before tile=held block=64 full with=k=1,5 -- rand:{max(16,2048*k)} zero:{4*T} i32:{k}
KERNEL half_before(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE * 4];
  int t = TX;
  TILES
    __builtin_memcpy(&s[4 * t], &g[i * 512 + 4 * t], 8);
    if (t == 8) __builtin_memcpy(&s[31], &g[i * 512 + 256 + t], 8);
  FILLED
    sum = sum * 31 + s[4 * t] + s[4 * t + 1] * 3;
  FREED
}
// Behind a loop, its counter is where the loop left it.
// CASE: left_behind tile=none block=64 full with=k=1,5 -- rand:{4096*(k+1)} zero:{4*T} i32:{k} i32:400
KERNEL left_behind(const u32 *g, u32 *out, int k, int c) {
  __shared__ u32 s[1024];
  for (int j = TX; j < 1024; j += 64) s[j] = j;
  __syncthreads();
  TILES
    int r = TX + 128;
    _Pragma("unroll 1") do { s[2 * r] = g[i * 1024 + r]; r += 64; } while (r < c);
    r -= 128;
    _Pragma("unroll 1") for (int q = 0; q < 2; q++) s[2 * r + q] = g[i * 1024 + 512 + TX + q];
  FILLED
    for (int j = 0; j < 512; j += 64) sum = sum * 31 + s[2 * (j + TX)] + s[2 * (j + TX) + 1];
  FREED
}
// Three threads go one way.
// CASE: three_edges tile=held block=64 full with=k=1,5 -- rand:{max(16,512*k)} zero:{4*T} i32:{k}
KERNEL three_edges(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[768];
  int t = TX;
  TILES
    s[t + 91] = g[i * 128 + t];
    if (t == 9 || t == 11 || t == 14) s[100 + (t - 9) * 128] = g[i * 128 + 64 + t];
  FILLED
    sum = sum * 31 + s[t + 91];
  FREED
}
