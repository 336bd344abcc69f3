// RUN: %rewritten %s --temp %t.d
// Loops that fill shared memory from global memory become loops of asynchronous copies, which the thread waits for once: before
// whatever must find them done. The reference machine lands a copy as late as it may.
// TEXT: levels=O3,O1 archs=sm_75,sm_90
#include "tiles.cuh"

// ---- the plain case, and what it is made of ----

// CASE: plain fill=async plain:fill=FillNoGain block=64 full with=m=0,1,63,64,65,300 -- rand:{max(4,4*m)} zero:{4*T} i32:{m}
KERNEL plain(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  __syncthreads();
  out[ROW] = n ? s[(TX * 37 + 11) % n] : 7;
}
// A part of the source for each block, and any part of it.
// CASE: segment fill=async plain:fill=async block=64 full with=m=1,64,65,300 -- rand:{8*m} zero:{4*T} i32:{m}
KERNEL segment(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[BX * n + k];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// CASE: wide fill=async block=64 full with=m=1,63,64,65,200 -- rand:{16*m} zero:{4*T} i32:{m}
KERNEL wide(const V4 *g, u32 *out, int n) {
  __shared__ V4 s[256];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n].w;
}
// 12 bytes, copied in three pieces of four.
struct Three { u32 x, y, z; };
// CASE: threes fill=async block=64 full with=m=1,64,200 -- rand:{12*m} zero:{4*T} i32:{m}
KERNEL threes(const Three *g, u32 *out, int n) {
  __shared__ Three s[256];
  for (int k = TX; k < n; k += blockDim.x) __builtin_memcpy(&s[k], &g[k], 12);
  __syncthreads();
  Three t = s[(TX * 37 + 11) % n];
  out[ROW] = t.x + 3 * t.y + 5 * t.z;
}
// CASE: through_indices fill=async plain:fill=async block=64 full with=m=1,64,200 -- rand:{4*256} rand:{4*m}:5 zero:{4*T} i32:{m}
KERNEL through_indices(const u32 *g, const int *at, u32 *out, int n) {
  __shared__ u32 s[256];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[at[k] & 255];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// Zeros outside: the source is chosen, and its size.
// CASE: padded fill=async block=64 full with=m=1,64,200 with=w=0,1,100 -- rand:{max(4,4*w)} zero:{4*T} i32:{m} i32:{w}
KERNEL padded(const u32 *g, u32 *out, int n, int w) {
  __shared__ u32 s[256];
  for (int k = TX; k < n; k += blockDim.x) s[k] = k >= 5 && k - 5 < w ? g[k - 5] : 0;
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// CASE: masked fill=async block=64 full with=m=1,64,200 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL masked(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[256];
  for (int k = TX; k < n; k += blockDim.x) {
    u32 v = g[k];
    s[k] = k % 3 ? v : 0;
  }
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// Any other number than zero is stored as ever.
// CASE: padded_otherwise fill=none block=64 full with=m=64,200 with=w=0,100 -- rand:{max(4,4*w)} zero:{4*T} i32:{m} i32:{w}
KERNEL padded_otherwise(const u32 *g, u32 *out, int n, int w) {
  __shared__ u32 s[256];
  for (int k = TX; k < n; k += blockDim.x) s[k] = k < w ? g[k] : 7;
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// Two dimensions: a row is waited for before the next one begins.
// CASE: rows fill=async block=16,4 grid=2 full with=w=16,17,40 -- rand:{4*48*w} zero:{4*T} i32:{w}
KERNEL rows(const u32 *g, u32 *out, int w) {
  __shared__ u32 s[12][48];
  for (int j = threadIdx.y; j < 12; j += blockDim.y)
    for (int i = TX; i < w; i += blockDim.x) s[j][i] = g[j * w + i];
  __syncthreads();
  out[(BX * 4 + threadIdx.y) * 16 + TX] = s[TX % 12][(TX * 5 + threadIdx.y) % w];
}
// With padding, and a place of the host's choice.
// CASE: squares fill=async block=8,8 grid=2 full with=d=0,5 -- rand:{4*1024} zero:{4*T} i32:{d}
KERNEL squares(const u32 *g, u32 *out, int d) {
  __shared__ u32 s[20][21];
  for (int j = threadIdx.y; j < 20; j += blockDim.y)
    for (int i = TX; i < 20; i += blockDim.x) s[j][i] = j >= d && i < 20 - d ? g[j * 32 + i] : 0;
  __syncthreads();
  out[(BX * 8 + threadIdx.y) * 8 + TX] = s[TX * 2 + d / 2][threadIdx.y + d] + 3 * s[19 - TX][2 * threadIdx.y];
}
// Columns that reach into the next row, which fills them again, as one thread alone would see.
// CASE: overlapping_rows fill=async block=1 grid=2 full with=w=20,27 -- rand:{4*1024} zero:{4*T} i32:{w}
KERNEL overlapping_rows(const u32 *g, u32 *out, int w) {
  __shared__ u32 s[24][20];
#pragma unroll 1
  for (int j = 0; j < 20; j++)
#pragma unroll 1
    for (int i = 0; i < w; i++) s[j][i] = g[j * 32 + i];
  __syncthreads();
  out[ROW] = s[3][5] + 3 * s[7][0];
}
// Rows that meet: the loop around moves on by less than a row.
// CASE: half_rows fill=async block=1 grid=2 full with=m=1,5 -- rand:{4*1024} zero:{4*T} i32:{m}
KERNEL half_rows(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[64 * 8];
#pragma unroll 1
  for (int j = 0; j < n; j++)
#pragma unroll 1
    for (int i = 0; i < 64; i++) s[32 * j + i] = g[64 * j + i];
  __syncthreads();
  out[ROW] = s[40] + 3 * s[5];
}
// Another copy of the loop fills the row that comes next.
// CASE: next_row fill=async block=1 grid=2 full with=m=1,5 -- rand:{4*1024} rand:{4*1024}:5 zero:{4*T} i32:{m}
KERNEL next_row(const u32 *g, const u32 *h, u32 *out, int n) {
  __shared__ u32 s[12][15];
#pragma unroll 1
  for (int j = 0; j < n; j++)
#pragma unroll 1
    for (int i = 0; i < 7; i++) {
      s[j][2 * i] = g[8 * j + i];
      s[j + 1][2 * i] = h[8 * j + i];
    }
  __syncthreads();
  out[ROW] = s[1][4] + 3 * s[0][2] + 5 * s[n][2];
}
// One number, divided into row and column.
// CASE: divided fill=async block=64 full with=m=17,100,400 -- rand:{4*400} zero:{4*T} i32:{m}
KERNEL divided(const u32 *g, u32 *out, u32 n) {
  __shared__ u32 s[20][21];
  for (u32 k = TX; k < n; k += blockDim.x) s[k / 20][k % 20] = g[k];
  __syncthreads();
  u32 at = (TX * 37 + 11) % n;
  out[ROW] = s[at / 20][at % 20];
}
// CASE: divided_short fill=async block=8,8 grid=2 full -- rand:{4*400} zero:{4*T}
KERNEL divided_short(const u32 *g, u32 *out) {
  __shared__ u32 s[20][21];
  for (int k = threadIdx.y * blockDim.x + TX; k < 400; k += blockDim.x * blockDim.y) s[k / 20][k % 20] = g[k];
  __syncthreads();
  u32 at = (TX * 37 + threadIdx.y) % 400;
  out[(BX * 8 + threadIdx.y) * 8 + TX] = s[at / 20][at % 20];
}
// CASE: halved fill=async block=64 full with=m=17,100,400 -- rand:{4*400} zero:{4*T} i32:{m}
KERNEL halved(const u32 *g, u32 *out, u32 n) {
  __shared__ u32 s[26][17];
  for (u32 k = TX; k < n; k += blockDim.x) s[k / 16][k % 16] = g[k];
  __syncthreads();
  u32 at = (TX * 37 + 11) % n;
  out[ROW] = s[at / 16][at % 16];
}
// By different numbers, which do not tell it.
// CASE: divided_twice fill=FillPlace block=1 full with=m=64,300 -- rand:{4*400} zero:{4*T} i32:{m}
KERNEL divided_twice(const u32 *g, u32 *out, u32 n) {
  __shared__ u32 s[20][21];
  for (u32 k = TX; k < n; k += blockDim.x) s[k / 32][k % 16] = g[k];
  __syncthreads();
  out[ROW] = s[1][3] + 3 * s[0][5];
}
// CASE: divided_apart fill=FillPlace block=1 full with=m=64,300 -- rand:{4*400} zero:{4*T} i32:{m}
KERNEL divided_apart(const u32 *g, u32 *out, u32 n) {
  __shared__ u32 s[26][21];
  for (u32 k = 0; k < n; k++) s[k / 16][(k / 2) % 16] = g[k];
  __syncthreads();
  out[ROW] = s[1][9] + 3 * s[0][5];
}
// CASE: divided_thrice fill=FillPlace block=1 full with=m=64,300 -- rand:{4*400} zero:{4*T} i32:{m}
KERNEL divided_thrice(const u32 *g, u32 *out, u32 n) {
  __shared__ u32 s[40][21];
  for (u32 k = 0; k < n; k++) s[k / 20][k % 10] = g[k];
  __syncthreads();
  out[ROW] = s[1][3] + 3 * s[0][5];
}
// Cut to 8 bits first.
// CASE: divided_cut fill=FillPlace block=1 full with=m=300,600 -- rand:{4*600} zero:{4*T} i32:{m}
KERNEL divided_cut(const u32 *g, u32 *out, u32 n) {
  __shared__ u32 s[20][21];
#pragma unroll 1
  for (u32 k = 0; k < n; k++) {
    u8 cut = k;
    s[cut / 20][cut % 20] = g[k];
  }
  __syncthreads();
  out[ROW] = s[1][3] + 3 * s[0][5];
}
// Elements of two words where a column is one.
// CASE: long_elements fill=async block=1 full with=m=4,5 -- rand:{4*1024} zero:{4*T} i32:{m}
KERNEL long_elements(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[8][20];
#pragma unroll 1
  for (int j = 0; j < n; j++)
#pragma unroll 1
    for (int i = j & 1; i < 20; i += 2) __builtin_memcpy(&s[j][i], &g[32 * j + i], 8);
  __syncthreads();
  out[ROW] = s[n - 1][2] + 3 * s[n / 2][0] + 5 * s[n / 2][1];
}
// Rows shorter than the divisor.
// CASE: divided_beyond fill=FillPlace block=1 full with=m=52,60 -- rand:{4*400} zero:{4*T} i32:{m}
KERNEL divided_beyond(const u32 *g, u32 *out, u32 n) {
  __shared__ u32 s[40][12];
  for (u32 k = 0; k < n; k++) s[k / 20][k % 20] = g[k];
  __syncthreads();
  out[ROW] = s[1][2] + s[2][1] * 3;
}
// Every row is written over the one before.
// CASE: over_each_other fill=async block=64 full with=r=1,2,5 -- rand:{4*64*5} zero:{4*T} i32:{r} i32:64
KERNEL over_each_other(const u32 *g, u32 *out, int r, int n) {
  __shared__ u32 s[64];
  for (int j = 0; j < r; j++)
    for (int k = TX; k < n; k += blockDim.x) s[k] = g[j * 64 + k];
  __syncthreads();
  out[ROW] = s[63 - TX];
}
// ---- shared memory of the host's size ----

// CASE: dynamic fill=async block=64 shared=2048 full with=m=1,64,300 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL dynamic(const u32 *g, u32 *out, int n) {
  extern __shared__ u32 buffer[];
  for (int k = TX; k < n; k += blockDim.x) buffer[k] = g[k];
  __syncthreads();
  out[ROW] = buffer[(TX * 37 + 11) % n];
}
// Two names of one place: the second loop waits for the first.
// CASE: two_names fill=async block=64 shared=2048 full with=m=64,300 -- rand:{4*m} rand:{4*m}:5 zero:{4*T} i32:{m}
KERNEL two_names(const u32 *g, const u32 *h, u32 *out, int n) {
  extern __shared__ u32 first_name[];
  extern __shared__ float second_name[];
  for (int k = TX; k < n; k += blockDim.x) first_name[k] = g[k];
  for (int k = TX; k < n; k += blockDim.x) second_name[k] = __builtin_bit_cast(float, h[k]);
  __syncthreads();
  out[ROW] = first_name[(TX * 37 + 11) % n];
}
// ---- what must find the copies done ----

// Its own element, without a barrier.
// CASE: own_element fill=async block=64 full with=m=64,300 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL own_element(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  out[ROW] = s[TX];
}
// The same in a loop, which is waited for once.
// CASE: own_elements fill=async block=64 full with=m=64,300 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL own_elements(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  u32 sum = 0;
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  for (int k = TX; k < n; k += blockDim.x) sum = sum * 31 + s[k];
  out[ROW] = sum;
}
// CASE: read_at_once fill=FillUsed block=64 full with=m=64,300 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL read_at_once(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  u32 sum = 0;
  for (int k = TX; k < n; k += blockDim.x) {
    s[k] = g[k];
    sum = sum * 31 + s[k & ~256];
  }
  __syncthreads();
  out[ROW] = sum + s[63 - TX];
}
// Another store to the same place, before the barrier: it has the last word.
// CASE: overwritten fill=async block=64 full with=m=64,300 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL overwritten(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  s[TX] = 5 * TX;
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// CASE: written_beside fill=async block=64 full with=m=64,300 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL written_beside(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[512], r[64];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  r[TX] = 5 * TX;
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n] + r[63 - TX];
}
// Two copies of one loop: the second fills in one iteration what the first does in the next.
// CASE: overtaken fill=none block=64 full with=m=64,128,256 -- rand:{4*m} rand:{4*m}:5 zero:{4*T} i32:{m}
KERNEL overtaken(const u32 *g, const u32 *h, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += 64) {
    s[k] = g[k];
    s[k + 64] = h[k];
  }
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// CASE: abreast fill=async block=64 full with=m=64,128,256 -- rand:{8*m} rand:{8*m}:5 zero:{4*T} i32:{m}
KERNEL abreast(const u32 *g, const u32 *h, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += 128) {
    s[k] = g[k];
    s[k + 64] = h[k];
  }
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// Places are filled again: the last copy counts.
// CASE: round_and_round fill=FillPlace block=64 full with=m=64,128,256 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL round_and_round(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[128];
  for (int k = TX; k < n; k += blockDim.x) s[k & 127] = g[k];
  __syncthreads();
  out[ROW] = s[63 - TX];
}
// A narrow index wraps within the array.
// CASE: wraps fill=FillPlace block=64 full with=m=0,4,5,9 -- rand:{4*64*m} zero:{4*T} i32:{m}
KERNEL wraps(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[256];
#pragma unroll 1
  for (int k = 0; k < n; k++) s[(u8)(TX + 64 * k)] = g[64 * k + TX];
  __syncthreads();
  out[ROW] = n ? s[63 - TX] : 0;
}
// An index that wraps, of places filled under a condition, comes back.
// CASE: wraps_unseen fill=FillPlace block=64 full with=m=1,2,3,4 -- rand:{4*64*4} zero:{4*T} i32:{m}
KERNEL wraps_unseen(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[64];
  u32 place = TX;
  s[TX] = 3;
#pragma unroll 1
  for (int k = 0; k < 2 * n; k++, place += 1u << 30)
    if (place < 64) s[place] = g[(64 * k + TX) & 255];
  __syncthreads();
  out[ROW] = s[63 - TX];
}
// Pieces of 8 bytes, 4 bytes apart.
struct Pair { u32 x, y; };
// CASE: overlapping fill=FillPlace block=64 full with=m=1,2,4 -- rand:{8*64*m} zero:{4*T} i32:{m}
KERNEL overlapping(const Pair *g, u32 *out, int n) {
  __shared__ u32 s[64 * 8];
  for (int k = 0; k < n; k++) __builtin_memcpy(&s[8 * TX + k], &g[64 * k + TX], 8);
  __syncthreads();
  out[ROW] = s[8 * (63 - TX)] + 3 * s[8 * (TX ^ 1) + n];
}
// ---- what still has to be read ----

// The source is written before the barrier.
// CASE: source_written fill=async block=64 grid=1 full with=m=64,300 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL source_written(u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  g[TX] = 9;
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// CASE: source_written_inside fill=FillUsed block=64 grid=1 full with=m=64,256 -- rand:{8*m} zero:{4*T} i32:{m}
KERNEL source_written_inside(u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += blockDim.x) {
    s[k] = g[k];
    g[k] = 9;
  }
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// The loaded value is stored only behind a store to where it came from.
// CASE: stored_late fill=FillUsed block=64 grid=1 full with=m=64,256 -- rand:{8*m} zero:{4*T} i32:{m}
KERNEL stored_late(u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += blockDim.x) {
    u32 v = g[k];
    g[k] = 9;
    s[k] = v;
  }
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// The result goes where another array is copied from: one of the two names may be the other.
// CASE: meets fill=async block=64 grid=1 full with=m=64,300 with=o=0,64,1024 -- rand:{4*m+4096} ref:0+{4*o} zero:{4*T} i32:{m}
KERNEL meets(const u32 *g, u32 *h, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  h[TX] = 9;
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// ---- other threads ----

// Passed on within the warp, without a barrier of the block.
// CASE: warp_alone fill=async block=64 full with=m=1,2,5 -- rand:{4*64*m} zero:{4*T} i32:{m}
KERNEL warp_alone(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = 0; k < n; k++) s[64 * k + TX] = g[64 * k + TX];
  __nvvm_bar_warp_sync(~0u);
  out[ROW] = s[64 * (n - 1) + (TX ^ 1)];
}
// The loop synchronizes itself.
// CASE: stepwise block=64 full with=m=1,2,5 -- rand:{4*64*m} zero:{4*T} i32:{m}
KERNEL stepwise(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  u32 sum = 0;
  for (int k = 0; k < n; k++) {
    s[64 * k + TX] = g[64 * k + TX];
    __syncthreads();
    sum += s[64 * k + (TX ^ 1)];
  }
  out[ROW] = sum;
}
// Some threads leave before the barrier of the others.
// CASE: leaves fill=async block=64 full with=m=64,300 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL leaves(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  if (g[0] & 1) return;
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// ---- two arrays ----

// Both are under way at once.
// CASE: both fill=async block=64 full with=m=64,200 -- rand:{4*m} rand:{4*m}:5 zero:{4*T} i32:{m}
KERNEL both(const u32 *g, const u32 *h, u32 *out, int n) {
  __shared__ u32 s[256], r[256];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  for (int k = TX; k < n; k += blockDim.x) r[k] = h[k];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n] + 3 * r[(TX * 29 + 5) % n];
}
// The second loop fills a part of the same array again.
// CASE: again fill=async block=64 full with=m=64,200 -- rand:{4*m} rand:{4*m}:5 zero:{4*T} i32:{m}
KERNEL again(const u32 *g, const u32 *h, u32 *out, int n) {
  __shared__ u32 s[256];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  for (int k = TX; k < n / 2; k += blockDim.x) s[k] = h[k];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// ---- what is no copy ----

// CASE: scaled fill=none block=64 full with=m=64,200 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL scaled(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[256];
  for (int k = TX; k < n; k += blockDim.x) s[k] = 3 * g[k];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// CASE: halves fill=TileSize block=64 full with=m=64,200 -- rand:{2*m} zero:{4*T} i32:{m}
KERNEL halves(const u16 *g, u32 *out, int n) {
  __shared__ u16 s[256];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// CASE: from_shared fill=none block=64 full with=m=64,200 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL from_shared(const u32 *g, u32 *out, int n) {
  __shared__ u32 s[256], r[256];
  for (int k = TX; k < 256; k += blockDim.x) r[k] = 3 * g[k % n];
  __syncthreads();
  for (int k = TX; k < n; k += blockDim.x) s[k] = r[255 - k];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// CASE: volatile_tile fill=none block=64 full with=m=64,200 -- rand:{4*m} zero:{4*T} i32:{m}
KERNEL volatile_tile(const u32 *g, u32 *out, int n) {
  __shared__ volatile u32 s[256];
  for (int k = TX; k < n; k += blockDim.x) s[k] = g[k];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}

// ---- steps that may be 0, for all that LLVM knows: there the loop would never end ----

// A row for each warp. Blocks of fewer than 32 threads do not come here.
// CASE: rows_by_warps fill=async plain:fill=async block=64 full with=m=1,2,3,15 -- rand:{4*32*64} perm:64 zero:{4*T} i32:{m}
// CASE: rows_by_warps fill=async block=32 full with=m=1,7 -- rand:{4*32*64} perm:64 zero:{4*T} i32:{m}
KERNEL rows_by_warps(const u32 *g, const int *at, u32 *out, int n) {
  __shared__ u32 s[16 * 32];
  for (int e = TX / 32; e < n; e += blockDim.x / 32) s[e * 32 + TX % 32] = g[at[BX * n + e] * 32 + TX % 32];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % (n * 32)];
}
// CASE: rows_by_shifts fill=async block=96 full with=m=1,4,16 -- rand:{16*32*64} perm:64 zero:{4*T} i32:{m}
KERNEL rows_by_shifts(const V4 *g, const u32 *at, u32 *out, u32 n) {
  __shared__ V4 s[16][32];
  const u32 warps = blockDim.x >> 5, lane = TX & 31;
  for (u32 e = TX >> 5; e < n; e += warps) s[e][lane] = g[(long long)at[BX * n + e] * 32 + lane];
  __syncthreads();
  out[ROW] = s[n - 1][TX * 5 & 31].x + s[0][TX & 31].w;
}
// By an argument; and backwards.
// CASE: by_argument fill=async block=64 full with=m=64,200 -- rand:{8*m} zero:{4*T} i32:{m} i32:64
KERNEL by_argument(const u32 *g, u32 *out, int n, int step) {
  __shared__ u32 s[512];
  for (int k = TX; k < n; k += step) s[k] = g[BX * n + k];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// CASE: backwards_by_argument fill=async block=64 full with=m=64,200 -- rand:{8*m} zero:{4*T} i32:{m} i32:64
KERNEL backwards_by_argument(const u32 *g, u32 *out, int n, int step) {
  __shared__ u32 s[512];
  for (int k = n - 1 - TX; k >= 0; k -= step) s[k] = g[BX * n + k];
  __syncthreads();
  out[ROW] = s[(TX * 37 + 11) % n];
}
// It ends by what is loaded: of a step of 0 each iteration fills the same place.
// CASE: ends_by_data fill=FillPlace block=64 full -- rand:{4*64*8} zero:8 zero:{4*T} i32:0
KERNEL ends_by_data(const u32 *g, const char *on, u32 *out, int step) {
  __shared__ u32 s[64];
  int k = TX, i = 0;
  do s[k] = g[i * 64 + TX], k += step;
  while (on[i++]);
  __syncthreads();
  out[ROW] = s[TX ^ 1];
}
// The place moves by another number than the one that ends the loop.
// CASE: by_two_numbers fill=FillPlace block=64 full -- rand:{4*64*8} zero:{4*T} i32:0 i32:1
KERNEL by_two_numbers(const u32 *g, u32 *out, int step, int by) {
  __shared__ u32 s[64];
  int k = TX;
  for (int i = 0; i < 8; i += by, k += step) s[k] = g[i * 64 + TX];
  __syncthreads();
  out[ROW] = s[TX ^ 1];
}
