// RUN: %rewritten %s --temp %t.d
// Tile loops that copy 16 bytes at a time, in loops of their own or not, from where nobody says how it is aligned: memcpy, structs of words.
// A test on entry asks whether all that moves a copy moves it by multiples. And memory set to zero, where nothing is copied. k is the
// number of tiles.
// TEXT: levels=O3,O1 archs=sm_75,sm_80 stages=2,3
#include "tiles.cuh"
#define TILES u32 sum = 0; for (int i = 0; i < k; i++) {
#define FILLED __syncthreads();
#define FREED __syncthreads(); } out[ROW] = sum;
#define SUM_UP for (int j = 0; j < 512; j += 61) sum = sum * 31 + s[(j + TX) % 512]

// ---- copy loops ----

// CASE: by_words tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,2048*k)} ref:0+0 zero:{4*T} i32:{k}
// CASE: by_words block=64 full with=k=5 with=o=4,8,12 -- rand:{2048*k+16} ref:0+{o} zero:{4*T} i32:{k}
KERNEL by_words(const u32 *unused, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[512];
  TILES
    for (int q = 4 * TX; q < 512; q += 256) __builtin_memcpy(&s[q], &g[i * 512 + q], 16);
  FILLED
    SUM_UP;
  FREED
}
// Nobody says that they are words.
// CASE: by_bytes tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,2048*k)} ref:0+0 zero:{4*T} i32:{k}
// CASE: by_bytes block=64 full with=k=5 with=o=1,2,4,8 -- rand:{2048*k+16} ref:0+{o} zero:{4*T} i32:{k}
KERNEL by_bytes(const u32 *unused, const unsigned char *g, u32 *out, int k) {
  __shared__ u32 s[512];
  TILES
    for (unsigned q = 4 * TX; q < 512; q += 4 * blockDim.x) __builtin_memcpy(s + q, g + 4 * (i * 512u + q), 16);
  FILLED
    SUM_UP;
  FREED
}
// Half words, a long counter, a loop that counts the copies of a thread.
// CASE: by_halves tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,2048*k)} ref:0+0 zero:{4*T} i64:{k}
// CASE: by_halves block=64 full with=k=5 with=o=2,8 -- rand:{2048*k+16} ref:0+{o} zero:{4*T} i64:{k}
KERNEL by_halves(const u32 *unused, const unsigned short *g, u32 *out, long k) {
  __shared__ unsigned short s[1024];
  u32 sum = 0;
  for (long i = 0; i < k; i++) {
    _Pragma("unroll 1") for (int c = 0; c < 2; c++) __builtin_memcpy(s + c * 512 + TX * 8, g + i * 1024 + c * 512 + TX * 8, 16);
  FILLED
    for (int j = 0; j < 1024; j += 61) sum = sum * 31 + s[(j + TX) % 1024];
  FREED
}
// Words, whose step is the block's.
struct Vector { u32 v[4]; };
// CASE: by_structs tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,2048*k)} ref:0+0 zero:{4*T} i32:{k}
// CASE: by_structs block=64 full with=k=5 with=o=4,8,12 -- rand:{2048*k+16} ref:0+{o} zero:{4*T} i32:{k}
KERNEL by_structs(const u32 *unused, const Vector *g, u32 *out, int k) {
  __shared__ Vector s[128];
  TILES
    for (int q = TX; q < 128; q += blockDim.x) s[q] = g[i * 128 + q];
  FILLED
    for (int j = 0; j < 128; j += 61) sum = sum * 31 + s[(j + TX) % 128].v[j % 4];
  FREED
}
// A patch of a matrix, whose rows are as long as the host says.
// CASE: patch tile=pipelined block=64 full with=k=0,1,4 with=m=64,68 -- rand:{max(4,128*m)} zero:{4*T} i32:{k} i32:{m}
// CASE: patch block=64 full with=k=4 with=m=65,66 -- rand:{max(4,128*m)} zero:{4*T} i32:{k} i32:{m}
KERNEL patch(const u32 *g, u32 *out, int k, int width) {
  __shared__ u32 s[512];
  TILES
    for (int q = TX; q < 128; q += 64) __builtin_memcpy(&s[q * 4], &g[q / 4 * width + i * 16 + q % 4 * 4], 16);
  FILLED
    SUM_UP;
  FREED
}
// By a pointer that moves on, and rows that begin where the host says.
// CASE: patch_pointer tile=pipelined block=64 full with=k=0,1,4 with=m=256 -- rand:{max(4,8192*k+4*m)} zero:{4*T} i32:{k} i64:{m}
// CASE: patch_pointer block=64 full with=k=4 with=m=3,257,258 -- rand:{max(4,8192*k+4*m)} zero:{4*T} i32:{k} i64:{m}
KERNEL patch_pointer(const u32 *g, u32 *out, int k, long row) {
  __shared__ u32 s[512];
  const u32 *p = g;
  u32 sum = 0;
  for (int i = 0; i < k; i++, p += 512) {
    const u32 *r = p + 4 * TX;
    for (int q = 4 * TX; q < 512; q += 256, r += row) __builtin_memcpy(&s[q], r, 16);
  FILLED
    SUM_UP;
  FREED
}
// Guarded, word for word as memory ends.
// CASE: to_the_end tile=pipelined block=64 full with=k=0,1,5 with=m=0,4,252,256,508,512 -- rand:{max(4,2048*k)} zero:{4*T} i32:{k} i32:{512*(k-1)+m}
KERNEL to_the_end(const u32 *g, u32 *out, int k, int n) {
  __shared__ u32 s[512];
  TILES
    for (int q = 4 * TX; q < 512; q += 256)
      if (i * 512 + q + 3 < n) __builtin_memcpy(&s[q], &g[i * 512 + q], 16);
      else __builtin_memset(&s[q], 0, 16);
  FILLED
    SUM_UP;
  FREED
}

// ---- hazards ----

// The step of the copy loop is no multiple, whoever launches it; nor what the tile loop moves by.
// CASE: odd_step tile=none block=64 full with=k=1,5 -- rand:{max(4,8192*k)} ref:0+0 zero:{4*T} i32:{k} i32:2
KERNEL odd_step(const u32 *unused, const unsigned char *g, u32 *out, int k, int rows) {
  __shared__ u32 s[512];
  TILES
    for (int q = 0; q < rows; q++) __builtin_memcpy(&s[q * 256 + 4 * TX], g + i * 4096 + TX * 16 + q * 1026, 16);
  FILLED
    SUM_UP;
  FREED
}
// CASE: odd_tile tile=none block=64 full with=k=1,5 -- rand:{max(4,8192*k)} ref:0+0 zero:{4*T} i32:{k}
KERNEL odd_tile(const u32 *unused, const unsigned char *g, u32 *out, int k) {
  __shared__ u32 s[512];
  TILES
    for (int q = 4 * TX; q < 512; q += 256) __builtin_memcpy(&s[q], g + i * 2050 + q * 4, 16);
  FILLED
    SUM_UP;
  FREED
}
// By the host's step.
// CASE: host_step tile=pipelined block=64 full with=k=1,5 with=m=512 -- rand:{8*k*m+4096} zero:{4*T} i32:{k} i32:{m}
// CASE: host_step block=64 full with=k=5 with=m=1,2,513 -- rand:{8*k*m+4096} zero:{4*T} i32:{k} i32:{m}
KERNEL host_step(const u32 *g, u32 *out, int k, int step) {
  __shared__ u32 s[512];
  TILES
    for (int q = 4 * TX; q < 512; q += 256) __builtin_memcpy(&s[q], &g[i * step + q], 16);
  FILLED
    SUM_UP;
  FREED
}
// Of some threads alone; no thread may take the ring then.
// CASE: some_threads tile=pipelined block=64 full with=k=1,5 with=m=0 -- rand:{2048*k+4096} zero:{4*T} i32:{k} i32:{m}
// CASE: some_threads block=64 full with=k=5 with=m=1,32 -- rand:{2048*k+4096} zero:{4*T} i32:{k} i32:{m}
KERNEL some_threads(const u32 *g, u32 *out, int k, int odd) {
  __shared__ u32 s[512];
  TILES
    for (int q = 4 * TX; q < 512; q += 256) __builtin_memcpy(&s[q], &g[i * 512 + q + (TX & odd ? 1 : 0)], 16);
  FILLED
    SUM_UP;
  FREED
}
// Where it is, memory alone says, in each iteration.
// CASE: loaded block=64 full with=k=1,5 with=m=1,4 -- rand:{2048*k+4096} iota:8 zero:{4*T} i32:{k} i32:{m}
KERNEL loaded(const u32 *g, const u32 *at, u32 *out, int k, int m) {
  __shared__ u32 s[512];
  TILES
    for (int q = 4 * TX; q < 512; q += 256) __builtin_memcpy(&s[q], &g[at[i] * m + q], 16);
  FILLED
    SUM_UP;
  FREED
}
// An index of 32 bits wraps around, between multiples.
// CASE: wraps block=64 full with=k=1,5 -- rand:{2048*k+8192} zero:{4*T} i32:{k} i32:{-1024}
KERNEL wraps(const u32 *g, u32 *out, int k, unsigned from) {
  __shared__ u32 s[512];
  TILES
    for (int q = 4 * TX; q < 512; q += 256) __builtin_memcpy(&s[q], &g[from + 1024u + i * 512u + q], 16);
  FILLED
    SUM_UP;
  FREED
}

// ---- memory that is set ----

// CASE: set tile=pipelined block=64 full with=k=0,1,5 with=m=0,4,252,256 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k} i32:{256*(k-1)+m}
KERNEL set(const u32 *g, u32 *out, int k, int n) {
  __shared__ u32 s[256];
  TILES
    if (i * 256 + 4 * TX + 3 < n) __builtin_memcpy(&s[4 * TX], &g[i * 256 + 4 * TX], 16);
    else __builtin_memset(&s[4 * TX], 0, 16);
  FILLED
    for (int j = 0; j < 256; j += 61) sum = sum * 31 + s[(j + TX) % 256];
  FREED
}
// Before it, in all iterations.
// CASE: set_before tile=pipelined block=64 full with=k=0,1,5 with=m=0,4,252,256 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k} i32:{256*(k-1)+m}
KERNEL set_before(const u32 *g, u32 *out, int k, int n) {
  __shared__ u32 s[256];
  TILES
    __builtin_memset(&s[4 * TX], 0, 16);
    if (i * 256 + 4 * TX + 3 < n) __builtin_memcpy(&s[4 * TX], &g[i * 256 + 4 * TX], 16);
  FILLED
    for (int j = 0; j < 256; j += 61) sum = sum * 31 + s[(j + TX) % 256];
  FREED
}
// To another number; half of it; more than it: no copy brings that, and registers hold what is copied.
// CASE: set_to_ones tile=held block=64 full with=k=1,5 with=m=0,252 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k} i32:{256*(k-1)+m}
KERNEL set_to_ones(const u32 *g, u32 *out, int k, int n) {
  __shared__ u32 s[256];
  TILES
    if (i * 256 + 4 * TX + 3 < n) __builtin_memcpy(&s[4 * TX], &g[i * 256 + 4 * TX], 16);
    else __builtin_memset(&s[4 * TX], 1, 16);
  FILLED
    for (int j = 0; j < 256; j += 61) sum = sum * 31 + s[(j + TX) % 256];
  FREED
}
// CASE: set_half tile=held block=64 full with=k=1,5 with=m=0,252 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k} i32:{256*(k-1)+m}
KERNEL set_half(const u32 *g, u32 *out, int k, int n) {
  __shared__ u32 s[256];
  for (int j = TX; j < 256; j += blockDim.x) s[j] = j;
  __syncthreads();
  TILES
    if (i * 256 + 4 * TX + 3 < n) __builtin_memcpy(&s[4 * TX], &g[i * 256 + 4 * TX], 16);
    else __builtin_memset(&s[4 * TX], 0, 12);
  FILLED
    for (int j = 0; j < 256; j += 61) sum = sum * 31 + s[(j + TX) % 256];
  FREED
}
// CASE: set_more tile=held block=32 full with=k=1,5 with=m=0,252 -- rand:{max(4,1024*k)} zero:{4*T} i32:{k} i32:{256*(k-1)+m}
KERNEL set_more(const u32 *g, u32 *out, int k, int n) {
  __shared__ u32 s[512];
  for (int j = TX; j < 512; j += blockDim.x) s[j] = j;
  __syncthreads();
  TILES
    if (i * 256 + 8 * TX + 3 < n) __builtin_memcpy(&s[8 * TX], &g[i * 256 + 8 * TX], 16);
    else __builtin_memset(&s[8 * TX], 0, 32);
  FILLED
    for (int j = 0; j < 256; j += 61) sum = sum * 31 + s[(j + TX) % 256];
  FREED
}
