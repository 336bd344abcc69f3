// RUN: %rewritten %s --temp %t.d
// Shared arrays whose rows become longer, so that the threads of a warp want words of different banks; and arrays that must stay.
// TEXT: levels=O3,O1 archs=sm_75,sm_90
#include "records.cuh"

#define X threadIdx.x
#define Y threadIdx.y
#define HERE (Y * blockDim.x + X)
#define OUT ((blockIdx.x * blockDim.y + Y) * blockDim.x + X)
struct alignas(8) Two { float x, y; };
struct alignas(16) Four { u32 x, y, z, w; };

// ---- transposes ----

#define TRANSPOSE(name, type, N) \
  KERNEL name(const type *g, type *out) { \
    __shared__ type s[N][N]; \
    s[Y][X] = g[OUT]; \
    __syncthreads(); \
    out[OUT] = s[X][Y]; \
  }
// CASE: words padded=yes full block=32,32 grid=1 -- rand:{4*T} zero:{4*T}
TRANSPOSE(words, float, 32)
// CASE: longs padded=yes full block=32,32 grid=1 -- rand:{8*T} zero:{8*T}
TRANSPOSE(longs, double, 32)
// CASE: halves padded=yes full block=32,32 grid=1 -- rand:{2*T} zero:{2*T}
TRANSPOSE(halves, u16, 32)
// CASE: bytes full block=32,32 grid=1 -- rand:{T} zero:{T}
TRANSPOSE(bytes, u8, 32)
// CASE: pairs padded=yes full block=32,32 grid=1 -- rand:{8*T} zero:{8*T}
TRANSPOSE(pairs, Two, 32)
// CASE: small full block=16,16 -- rand:{4*T} zero:{4*T}
TRANSPOSE(small, float, 16)

// CASE: flat padded=yes full block=32,32 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL flat(const u32 *g, u32 *out) {
  __shared__ u32 s[1024];
  s[Y * 32 + X] = g[OUT];
  __syncthreads();
  out[OUT] = s[X * 32 + Y];
}

template <int TILE, int ROWS> __device__ void copied(const u32 *g, u32 *out) {
  __shared__ u32 s[TILE][TILE];
  for (int j = 0; j < TILE; j += ROWS) s[Y + j][X] = g[(Y + j) * TILE + X];
  __syncthreads();
  for (int j = 0; j < TILE; j += ROWS) out[(Y + j) * TILE + X] = s[X][Y + j];
}
// CASE: tile padded=yes full block=32,8 grid=1 -- rand:4096 zero:4096
KERNEL tile(const u32 *g, u32 *out) { copied<32, 8>(g, out); }
// CASE: wide_tile padded=yes full block=64,8 grid=1 -- rand:16384 zero:16384
KERNEL wide_tile(const u32 *g, u32 *out) { copied<64, 8>(g, out); }

// CASE: looped padded=yes full block=32,8 grid=1 -- rand:4096 zero:4096
KERNEL looped(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32];
#pragma unroll 1
  for (unsigned j = 0; j < 32; j += 8) s[Y + j][X] = g[(Y + j) * 32 + X];
  __syncthreads();
#pragma unroll 1
  for (long j = 0; j < 32; j += 8) out[(Y + j) * 32 + X] = s[X][Y + j];
}

// ---- others ----

// Each thread walks a row of its own.
// CASE: rows padded=yes full block=64 with=m=0,7,32 -- rand:16384 zero:{4*T} i32:{m}
KERNEL rows(const u32 *g, u32 *out, int m) {
  __shared__ u32 s[64][32];
  for (int r = 0; r < 64; r += 2) s[r + X / 32][X % 32] = g[blockIdx.x * 2048 + (r + X / 32) * 32 + X % 32];
  __syncthreads();
  u32 sum = 0;
  for (int k = 0; k < m; k++) sum = sum * 31 + s[X][k];
  out[ROW] = sum;
}
// Rows of no power of two.
// CASE: odd_rows padded=yes full block=96 -- rand:36864 zero:{4*T}
KERNEL odd_rows(const u32 *g, u32 *out) {
  __shared__ u32 s[48][48];
  for (unsigned r = X / 48; r < 48; r += 2) s[r][X % 48] = g[blockIdx.x * 2304 + r * 48 + X % 48];
  __syncthreads();
  u32 sum = 0;
  for (int k = 0; k < 48; k++) sum = sum * 31 + s[X % 48][k];
  out[ROW] = sum;
}
// Of two arrays one has no conflict; the other has three dimensions.
// CASE: several padded=yes full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL several(const u32 *g, u32 *out) {
  __shared__ u32 s[2][32][32], t[8][32];
  for (int k = 0; k < 2; k++) s[k][X][Y + 8 * k] = g[OUT] + k;
  t[Y][X] = g[OUT];
  __syncthreads();
  out[OUT] = s[1][X][Y + 8] * 3 + t[7 - Y][X] + s[0][31 - X][Y];
}
// Four words at a time: the pad is four words, too.
// CASE: fours full block=32,4 grid=1 -- rand:{16*T} zero:{16*T}
KERNEL fours(const Four *g, Four *out) {
  __shared__ Four s[32][8];
  s[X][Y] = g[OUT];
  __syncthreads();
  out[OUT] = s[31 - X][3 - Y];
}
// CASE: added padded=yes full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL added(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32];
  s[X][Y] = 0;
  __syncthreads();
  __atomic_fetch_add(&s[X][Y], g[OUT], __ATOMIC_RELAXED);
  __atomic_fetch_add(&s[X][(Y + 1) % 8], g[OUT] / 2, __ATOMIC_RELAXED);
  __syncthreads();
  out[OUT] = s[31 - X][Y];
}
// A column beyond its row is one of the next row: of an index that nobody bounds.
// CASE: beyond padded=yes full block=64,4 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL beyond(const u32 *g, u32 *out) {
  __shared__ u32 s[64][32];
  for (int r = 0; r < 8; r++) s[r * 8 + Y * 2][X] = g[OUT] + r;
  __syncthreads();
  out[OUT] = s[X][Y] + s[0][X * 32 + 31 - Y] + (&s[X][31])[-(int)Y];
}
// Columns in front of their row.
// CASE: before padded=yes full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL before(const u32 *g, u32 *out) {
  __shared__ u32 s[33][32];
  s[X + 1][(int)Y - 8] = g[OUT];
  __syncthreads();
  out[OUT] = s[32 - X][(int)Y - 8];
}
// Indices that wrap around on their way: 128 times 2^25 is 0.
// CASE: wrapped padded=yes full block=32,8 grid=1 -- rand:{4*T} zero:{4*T} i32:33554432
KERNEL wrapped(const u32 *g, u32 *out, u32 far) {
  __shared__ u32 s[1024];
  s[X * 32 + Y] = g[OUT];
  __syncthreads();
  out[OUT] = s[(31 - X) * 32 + Y] + s[X * 32 + 4 * far * 32 + Y] + s[(X + 4 * far) * 32 + Y];
}
// CASE: narrow padded=yes full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL narrow(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32];
  s[X][Y] = g[OUT];
  __syncthreads();
  out[OUT] = s[X][Y] + (&s[16][0])[(signed char)((X & 15) * 8 - 128) * 4 + (int)Y];
}
// ---- accesses that no unit holds, and their columns do ----

// A row is cleared at once.
// CASE: cleared padded=yes full block=64 with=m=0,5 -- rand:{4*T*5} zero:{4*T} i32:{m}
KERNEL cleared(const u32 *g, u32 *out, int m) {
  __shared__ u32 s[64][32];
  for (int k = 0; k < 32; k++) s[X][k] = 0;
  for (int i = 0; i < m; i++)
    for (int k = 0; k < 32; k++) s[X][k] += g[ROW * 5 + i] >> k & 1;
  __syncthreads();
  u32 sum = 0;
  for (int r = 0; r < 64; r++) sum = sum * 31 + s[r][X % 32];
  out[ROW] = sum;
}
// Half of one, the one or the other.
// CASE: half_cleared padded=yes full block=64 -- rand:{4*T} zero:{4*T}
KERNEL half_cleared(const u32 *g, u32 *out) {
  __shared__ u32 s[64][32];
  for (int k = 0; k < 32; k++) s[X][k] = g[ROW] + k;
  for (int k = 0; k < 16; k++) s[X][(X & 1) * 16 + k] = 0;
  __syncthreads();
  u32 sum = 0;
  for (int k = 0; k < 32; k++) sum = sum * 31 + s[63 - X][k];
  out[ROW] = sum;
}
// Where it begins nobody knows.
// CASE: cleared_from padded=no refuse=PadSplit full block=64 with=m=0,9,30 -- rand:{4*T} zero:{4*T} i32:{m}
KERNEL cleared_from(const u32 *g, u32 *out, int m) {
  __shared__ u32 s[65][32];
  for (int k = 0; k < 32; k++) s[X][k] = g[ROW] + k;
  __syncthreads();
  if (X == 7) __builtin_memset(&s[X][m], 1, 64);
  __syncthreads();
  u32 sum = 0;
  for (int k = 0; k < 32; k++) sum = sum * 31 + s[63 - X][k];
  out[ROW] = sum;
}
// Long words that are not aligned.
// CASE: loose padded=yes full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL loose(const u32 *g, u32 *out) {
  struct __attribute__((packed)) Loose { u64 v; };
  __shared__ u32 s[32][32];
  s[X][Y] = g[OUT];
  s[X][Y + 8] = g[OUT] * 3;
  __syncthreads();
  out[OUT] = s[31 - X][Y] + (u32)(((const volatile Loose *)&s[X][Y % 4 * 2 + 1])->v >> 32);
}
// Eight words at a time, out of a row and into one.
// CASE: eights full block=32 grid=1 -- rand:4096 zero:4096
KERNEL eights(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32];
  for (int k = 0; k < 4; k++) __builtin_memcpy(&s[X][k * 8], g + X * 32 + k * 8, 32);
  __syncthreads();
  for (int k = 0; k < 4; k++) __builtin_memcpy(out + X * 32 + k * 8, &s[31 - X][(3 - k) * 8], 32);
}

// ---- indices of all kinds ----

// 16-bit index arithmetic that wraps.
// CASE: short_index padded=yes full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL short_index(const u32 *g, u32 *out) {
  __shared__ u32 s[1024];
  s[X * 32 + Y] = g[OUT];
  __syncthreads();
  u16 i = (u16)(X * 32 + Y + 65536 - 0);
  u16 k = (u16)((u16)(X * 32u) * 2049u + Y);
  out[OUT] = s[i] + s[k & 1023 & ~24];
}
// Negative offsets from the end, in 64 bits, with pointers that leave the array on the way.
// CASE: outside full block=32,8 grid=1 -- rand:{4*T} zero:{4*T} i64:4611686018427387904
KERNEL outside(const u32 *g, u32 *out, u64 far) {
  __shared__ u32 s[32][32];
  s[X][Y] = g[OUT];
  __syncthreads();
  const u32 *end = &s[32][0];
  u64 at = (u64)X * 32 + Y + far;
  out[OUT] = end[-(long)(32 * (X + 1)) + (long)Y] + ((const u32 *)((const char *)s + (at - far) * 4))[0] + s[0][at + 3 * far];
}
// Bytes, halves and words of one array.
// CASE: mixed padded=yes full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL mixed(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32];
  s[X][Y] = g[OUT];
  __syncthreads();
  ((volatile u8 *)&s[X][Y])[3] = 7;
  __syncthreads();
  out[OUT] = s[31 - X][Y] + ((const u16 *)s)[64 * X + 2 * Y + 1] + ((const u8 *)&s[X][0])[4 * Y + 2];
}
// Signed divisions, columns of both signs, rows of no power of two, loops that count down in 64 bits.
// CASE: downward padded=yes full block=32,4 grid=1 with=m=0,1,11 -- rand:{4*T*12} zero:{4*T} i32:{m}
KERNEL downward(const u32 *g, u32 *out, int m) {
  __shared__ u32 s[32 * 48 + 48];
  for (long k = 11; k >= 0; k--) s[X * 48 + Y * 12 + k] = g[OUT * 12 + k];
  __syncthreads();
  u32 sum = 0;
  for (long k = m - 1; k >= 0; k--) sum = sum * 31 + s[(long)(X + 1) * 48 - (47 - (int)Y * 12) + k - 1];
  out[OUT] = sum;
}
// Exchanged by compare-and-swap, in a loop with two exits, with 8-byte values.
// CASE: swapped padded=yes full block=32,8 grid=1 -- rand:{8*T} zero:{8*T}
KERNEL swapped(const u64 *g, u64 *out) {
  __shared__ u64 s[32][16];
  s[X][Y] = 0;
  __syncthreads();
  u64 was = 0;
  while (!__atomic_compare_exchange_n(&s[X][Y], &was, was + g[OUT], false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) ;
  __syncthreads();
  out[OUT] = s[31 - X][7 - Y];
}
// Only some threads, under conditions; indices of boolean and of loaded values of another array.
// CASE: guarded refuse=PadData full block=64,4 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL guarded(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32];
  if (X < 32) s[X][Y] = g[OUT];
  __syncthreads();
  u32 v = 0;
  if (X < 32 && Y > 0) v = s[X - (X > 0)][Y - 1];
  if (X >= 32) v = s[X - 32][Y] * 3;
  out[OUT] = v;
}
// Two pads, of which one array is in a loop with barriers, and ping-pong of planes.
// CASE: planes padded=no full block=32,8 grid=1 with=m=1,2,5 -- rand:{4*T} zero:{4*T} i32:{m}
KERNEL planes(const u32 *g, u32 *out, int m) {
  __shared__ u32 s[2][32][8];
  s[0][X][Y] = g[OUT];
  for (int k = 0; k < m; k++) {
    __syncthreads();
    s[(k + 1) & 1][X][Y] = s[k & 1][31 - X][7 - Y] + k;
  }
  __syncthreads();
  out[OUT] = s[m & 1][X][7 - Y];
}

// ---- what stays ----

// CASE: product padded=no full block=16,16 grid=1 -- rand:{4*T} rand:{4*T} zero:{4*T}
KERNEL product(const u32 *a, const u32 *b, u32 *c) {
  __shared__ u32 s[16][16], t[16][16];
  s[Y][X] = a[OUT];
  t[Y][X] = b[OUT];
  __syncthreads();
  u32 sum = 0;
  for (int k = 0; k < 16; k++) sum += s[Y][k] * t[k][X];
  c[OUT] = sum;
}
// CASE: columns padded=no full block=32 -- rand:{128*T} zero:{4*T}
KERNEL columns(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32];
  for (int k = 0; k < 32; k++) s[k][X] = g[(blockIdx.x * 32 + k) * 32 + X];
  __syncthreads();
  u32 sum = 0;
  for (int k = 0; k < 32; k++) sum = sum * 31 + s[k][X];
  out[ROW] = sum;
}
// CASE: counted padded=no full block=64 -- rand:{4*T} zero:1024
KERNEL counted(const u32 *g, u32 *out) {
  __shared__ u32 s[256];
  for (unsigned i = X; i < 256; i += 64) s[i] = 0;
  __syncthreads();
  __atomic_fetch_add(&s[g[ROW] % 256], 1, __ATOMIC_RELAXED);
  __syncthreads();
  for (unsigned i = X; i < 256; i += 64) __atomic_fetch_add(&out[i], s[i], __ATOMIC_RELAXED);
}
// Which words the other access wants is known at run time alone.
// CASE: looked_up padded=no refuse=PadData full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL looked_up(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32];
  s[X][Y] = g[OUT];
  __syncthreads();
  out[OUT] = s[g[OUT] % 32][Y];
}
// An access that lies in two rows.
// CASE: crossing padded=no refuse=PadSplit full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL crossing(const u32 *g, u32 *out) {
  struct __attribute__((packed)) Loose { u64 v; };
  __shared__ __attribute__((aligned(16))) u32 s[32][32];
  s[X][Y] = g[OUT];
  s[X][31 - Y] = g[OUT] + 1;
  __syncthreads();
  out[OUT] = s[31 - X][Y] + (Y == 0 && X < 31 ? (u32)(((const volatile Loose *)&s[X][31])->v >> 32) : 0);
}
// CASE: called padded=no refuse=PadUsed full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
__device__ __attribute__((noinline)) u32 first_of(const u32 *row) { return row[0] + row[1] * 3; }
KERNEL called(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32];
  s[X][Y] = g[OUT];
  __syncthreads();
  out[OUT] = s[31 - X][Y] + first_of(&s[X][Y / 2]);
}
// CASE: chosen padded=no refuse=PadUsed full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL chosen(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32], t[32][32];
  s[X][Y] = g[OUT];
  t[X][Y] = g[OUT] * 5;
  __syncthreads();
  const volatile u32 *either = g[0] & 1 ? &s[31 - X][0] : &t[31 - X][0];
  out[OUT] = either[Y];
}
// CASE: numbered padded=no refuse=PadUsed full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL numbered(const u32 *g, u32 *out) {
  __shared__ u32 s[32][32];
  s[X][Y] = g[OUT];
  __syncthreads();
  u32 v;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(v) : "r"((u32)(u64)(__attribute__((address_space(3))) u32 *)&s[31 - X][Y]) : "memory");
  out[OUT] = v;
}
// CASE: rows_copied padded=no refuse=PadSplit full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL rows_copied(const u32 *g, u32 *out) {
  __shared__ u32 s[34][32];
  if (HERE == 0) __builtin_memset(&s[32][0], 7, 4 * 50);
  s[X][Y] = g[OUT];
  __syncthreads();
  out[OUT] = s[31 - X][Y] + s[32][Y] + s[33][Y];
}
// Another function has the array as well.
__device__ inline u32 (&shared_by_two())[32][32] {
  __shared__ u32 s[32][32];
  return s;
}
// CASE: shared_here padded=no refuse=PadElsewhere full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL shared_here(const u32 *g, u32 *out) {
  shared_by_two()[X][Y] = g[OUT];
  __syncthreads();
  out[OUT] = shared_by_two()[31 - X][Y];
}
// CASE: shared_there padded=no refuse=PadElsewhere full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL shared_there(const u32 *g, u32 *out) {
  shared_by_two()[X][Y] = g[OUT] * 3;
  __syncthreads();
  out[OUT] = shared_by_two()[31 - X][Y];
}
// 48 KB are all that a block has.
// CASE: full padded=no refuse=PadRoom full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL full(const u32 *g, u32 *out) {
  __shared__ u32 s[384][32];
  for (int k = 0; k < 12; k++) s[X + 32 * k][Y] = g[OUT] + k;
  __syncthreads();
  u32 sum = 0;
  for (int k = 0; k < 12; k++) sum = sum * 31 + s[31 - X + 32 * k][Y];
  out[OUT] = sum;
}
// And what the host asks for may be all that is left.
// CASE: beside_dynamic padded=no refuse=PadDynamic full block=32,8 grid=1 shared=1024 -- rand:{4*T} zero:{4*T}
KERNEL beside_dynamic(const u32 *g, u32 *out) {
  extern __shared__ u32 more[];
  __shared__ u32 s[32][32];
  s[X][Y] = g[OUT];
  more[HERE] = g[OUT];
  __syncthreads();
  out[OUT] = s[31 - X][Y] + more[255 - HERE];
}
// CASE: in_struct padded=no full block=32,8 grid=1 -- rand:{4*T} zero:{4*T}
KERNEL in_struct(const u32 *g, u32 *out) {
  struct Both { u32 s[32][32]; u32 t; };
  __shared__ Both b;
  b.s[X][Y] = g[OUT];
  __syncthreads();
  out[OUT] = b.s[31 - X][Y];
}
