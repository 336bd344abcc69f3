// RUN: %rewritten %s --temp %t.d
// Tile loops that copy by include/coalda.h: the plugin makes of its plain loops what it makes of any. Results are the same without it, at
// every level, and where copies cannot be asynchronous.
// TEXT: levels=O3,O1,O0 archs=sm_75,sm_90 stages=3
#include "tiles.cuh"
#include "coalda.h"
struct alignas(16) Four { u32 x, y, z, w; };
struct Three { u32 x, y, z; };

// ---- copies ----

// CASE: row tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4*4*T*k)} zero:{4*T} i32:{k}
KERNEL row(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy(s, g + (BX * k + i) * 4 * TILE, 4 * TILE);
    coalda::wait(f);
    sum = sum * 31 + s[TX] + s[4 * TILE - 1 - TX];
    coalda::done();
  }
  out[ROW] = sum;
}
// Sixteen bytes at a time, as promised; blocks of three dimensions, which are no multiple of a warp.
// CASE: promised tile=pipelined block=5,5,3 full with=k=0,1,5 -- rand:{max(16,4*4*64*2*k)} zero:{4*T} i32:{k}
// CASE: promised tile=pipelined block=64 full with=k=1,4 -- rand:{max(16,4*4*64*2*k)} zero:{4*T} i32:{k}
KERNEL promised(const u32 *g, u32 *out, int k) {
  __shared__ alignas(16) u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy<16>(s, g + (BX * k + i) * 4 * TILE, 4 * TILE);
    coalda::wait(f);
    sum = sum * 31 + s[rank_in_block()] + s[4 * TILE - 1 - rank_in_block()];
    coalda::done();
  }
  out[ALL] = sum;
}
// CASE: fours tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL fours(const Four *g, u32 *out, int k) {
  __shared__ Four s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy(s, g + (BX * k + i) * TILE, TILE);
    coalda::wait(f);
    sum = sum * 31 + s[TX].x + s[TILE - 1 - TX].w;
    coalda::done();
  }
  out[ROW] = sum;
}
// Records of twelve bytes, by words.
// CASE: threes tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(12,12*T*k)} zero:{4*T} i32:{k}
KERNEL threes(const Three *g, u32 *out, int k) {
  __shared__ Three s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy(s, g + (BX * k + i) * TILE, TILE);
    coalda::wait(f);
    sum = sum * 31 + s[TX].x + s[TILE - 1 - TX].z;
    coalda::done();
  }
  out[ROW] = sum;
}
// Sixteen bytes at a time, of elements of twelve: the bytes of all of them are a multiple.
// CASE: promised_threes tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,12*T*k)} zero:{4*T} i32:{k}
KERNEL promised_threes(const Three *g, u32 *out, int k) {
  __shared__ alignas(16) Three s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    coalda::wait(coalda::copy<16>(s, g + (BX * k + i) * TILE, TILE));
    Three last = s[TILE - 1 - TX];
    sum = sum * 31 + last.x + last.y * 3 + last.z * 5;
    coalda::done();
  }
  out[ROW] = sum;
}
// CASE: halves tile=none block=64 full with=k=1,3 -- rand:{2*T*k} zero:{4*T} i32:{k}
KERNEL halves(const u16 *g, u32 *out, int k) {
  __shared__ u16 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy(s, g + (BX * k + i) * TILE, TILE);
    coalda::wait(f);
    sum = sum * 31 + s[TX] + s[TILE - 1 - TX];
    coalda::done();
  }
  out[ROW] = sum;
}
// By eight bytes, as promised.
// CASE: promised_halves tile=pipelined block=64 full with=k=0,1,3 -- rand:{max(8,8*T*k)} zero:{4*T} i32:{k}
KERNEL promised_halves(const u16 *g, u32 *out, int k) {
  __shared__ alignas(8) u16 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy<8>(s, g + (BX * k + i) * 4 * TILE, 4 * TILE);
    coalda::wait(f);
    sum = sum * 31 + s[TX] + s[4 * TILE - 1 - TX];
    coalda::done();
  }
  out[ROW] = sum;
}
// The last tile is short.
// CASE: short_tile tile=pipelined block=64 full with=n=1,63,64,65,200 -- rand:{4*n} zero:{4*T} i32:{n}
KERNEL short_tile(const u32 *g, u32 *out, u32 n) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (u32 i = 0; i < n; i += TILE) {
    const u32 m = n - i < TILE ? n - i : TILE;
    auto f = coalda::copy(s, g + i, m);
    coalda::wait(f);
    for (u32 j = TX; j < m; j += TILE) sum = sum * 31 + s[j] + s[m - 1 - j];
    coalda::done();
  }
  out[ROW] = sum;
}
// CASE: rectangle tile=pipelined block=64 full with=k=0,1,4 -- rand:{max(4,4*16*16*k)} zero:{4*T} i32:{k}
KERNEL rectangle(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][20];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy_2d(&s[0][0], 20, g + i * 16, 16 * k, 16, 16);
    coalda::wait(f);
    sum = sum * 31 + s[TX % 16][TX / 16] + s[15 - TX / 16][TX % 16];
    coalda::done();
  }
  out[ROW] = sum;
}
// CASE: turned tile=pipelined block=64 full with=k=0,1,4 -- rand:{max(4,4*16*16*k)} zero:{4*T} i32:{k}
KERNEL turned(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][17];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy_transposed(&s[0][0], 17, g + i * 16, 16 * k, 16, 16);
    coalda::wait(f);
    sum = sum * 31 + s[TX % 16][TX / 16] * 3 + s[15 - TX / 16][TX % 16];
    coalda::done();
  }
  out[ROW] = sum;
}
// CASE: rows_named tile=pipelined block=64 full with=k=0,1,5 -- rand:{4*64*16} perm:{max(1,8*k)} zero:{4*T} i32:{k}
KERNEL rows_named(const u32 *g, const u32 *index, u32 *out, int k) {
  __shared__ u32 s[8 * 16];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::gather(s, g, index + i * 8, 8, 16);
    coalda::wait(f);
    sum = sum * 31 + s[TX] + s[127 - TX];
    coalda::done();
  }
  out[ROW] = sum;
}
// The first tile begins before the data, the last one ends behind it.
// CASE: padded tile=pipelined block=64 full with=k=0,1,4 with=n=0,1,63,64,200,256 -- rand:{max(4,4*n)} zero:{4*T} i32:{k} i32:{n}
KERNEL padded(const u32 *g, u32 *out, int k, int n) {
  __shared__ u32 s[TILE + 2];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy_padded(s, g, i * TILE - 1, TILE + 2, n, 0u);
    coalda::wait(f);
    sum = sum * 31 + s[TX] + s[TX + 1] * 3 + s[TX + 2] * 5;
    coalda::done();
  }
  out[ROW] = sum;
}

// The same, said of the copy: how much of the tile is data. Turned ones as well.
// CASE: said_padded tile=pipelined block=64 full with=k=0,1,4 with=n=0,1,63,64,200,256 -- rand:{max(4,4*n)} zero:{4*T} i32:{k} i32:{n}
KERNEL said_padded(const u32 *g, u32 *out, int k, int n) {
  __shared__ u32 s[TILE + 2];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    const int from = i > 0 ? i * TILE - 1 : 0, to = i * TILE + TILE + 1 < n ? i * TILE + TILE + 1 : n, m = from < to ? to - from : 0, lo = i == 0;
    auto f = coalda::copy(s, g + from, m, coalda::pad(lo, TILE + 2 - lo - m));
    coalda::wait(f);
    sum = sum * 31 + s[TX] + s[TX + 1] * 3 + s[TX + 2] * 5;
    coalda::done();
  }
  out[ROW] = sum;
}
// CASE: said_turned tile=pipelined block=64 full with=k=0,1,4 -- rand:{max(4,4*16*16*k)} zero:{4*T} i32:{k}
KERNEL said_turned(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[16][17];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy_2d(&s[0][0], 17, g + i * 16, 16 * k, 16, 16, coalda::transposed);
    coalda::wait(f);
    sum = sum * 31 + s[TX % 16][TX / 16] * 3 + s[15 - TX / 16][TX % 16];
    coalda::done();
  }
  out[ROW] = sum;
}

// Of another value than zero, the loop stays.
// CASE: padded_by_seven tile=none block=64 full with=k=0,1,4 with=n=0,200 -- rand:{max(4,4*n)} zero:{4*T} i32:{k} i32:{n}
KERNEL padded_by_seven(const u32 *g, u32 *out, int k, int n) {
  __shared__ u32 s[TILE + 2];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy_padded(s, g, i * TILE - 1, TILE + 2, n, 7u);
    coalda::wait(f);
    sum = sum * 31 + s[TX] + s[TX + 1] * 3 + s[TX + 2] * 5;
    coalda::done();
  }
  out[ROW] = sum;
}

// ---- memory that the header declares, what a wait returns ----

// CASE: placed tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4*4*T*k)} zero:{4*T} i32:{k}
KERNEL placed(const u32 *g, u32 *out, int k) {
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto tile = coalda::wait(coalda::copy(COALDA_BUFFER(u32, 4 * TILE), g + (BX * k + i) * 4 * TILE, 4 * TILE));
    sum = sum * 31 + tile[TX] + tile.span()[4 * TILE - 1 - TX];
    coalda::done();
  }
  out[ROW] = sum;
}
// A second array of the same line, in another instantiation.
template <class T> __device__ T reversed(const T *g) {
  auto f = coalda::copy(COALDA_BUFFER(T, TILE), g, TILE);
  coalda::wait(f);
  return f.data[TILE - 1 - TX];
}
// CASE: placed_twice block=64 full with=k=1,3 -- rand:{8*T*k} rand:{4*T*k} zero:{8*T} i32:{k}
KERNEL placed_twice(const u64 *g, const u32 *h, u64 *out, int k) {
  u64 sum = 0;
  for (int i = 0; i < k; i++) {
    sum = sum * 31 + reversed(g + (BX * k + i) * TILE) + reversed(h + (BX * k + i) * TILE);
    coalda::done();
  }
  out[ROW] = sum;
}
// Rows from the first to the last, as the list has them in the sum. It names each twice.
// CASE: in_order none block=64 full with=k=1,3 -- rand:{4*64*16} perm:{8*k} zero:{4*T} i32:{k}
KERNEL in_order(const u32 *g, const u32 *index, u32 *out, int k) {
  __shared__ coalda::order<u32, 8> o;
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    coalda::sorted(o, index + i * 8, 8);
    auto rows = coalda::wait(coalda::gather(COALDA_BUFFER(u32, 8 * 16), g, o.index, 8, 16));
    for (int j = 0; j < 8; j++) sum = sum * 31 + rows[o.place[j] * 16 + TX % 16];
    coalda::done();
  }
  out[ROW] = sum;
}

// ---- what is right is made, where cost says no ----

// CASE: priced load=exchange plain:load=none plain:store=none block=64 full -- rand:{12*T} zero:{12*T}
KERNEL priced(const Three *g, Three *out) {
  Three t = g[ROW];
  t.x += t.z;
  out[ROW] = t;
}
// CASE: asked_for plain:load=exchange plain:store=exchange block=64 full -- rand:{12*T} zero:{12*T}
extern "C" __global__ COALDA_ALWAYS void asked_for(const Three *g, Three *out) {
  Three t = g[ROW];
  t.x += t.z;
  out[ROW] = t;
}

// ---- several under way ----

// Each is waited for when it is used.
// CASE: one_after_the_other tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL one_after_the_other(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    auto a = coalda::copy(s, g + (BX * k + i) * TILE, TILE);
    auto b = coalda::copy(r, h + (BX * k + i) * TILE, TILE);
    coalda::wait(a);
    sum = sum * 31 + s[TILE - 1 - TX];
    coalda::wait(b);
    sum = sum * 31 + r[TILE - 1 - TX];
    coalda::done();
  }
  out[ROW] = sum;
}
// The program's own double buffer stays what it is.
// CASE: double_buffer none block=64 full with=k=1,2,5 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL double_buffer(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][TILE];
  u32 sum = 0;
  auto now = coalda::copy_async(s[0], g + BX * k * TILE, TILE), next = now;
  next.data = s[1];
  for (int i = 0; i < k - 1; i++) {
    next = coalda::copy_async(next.data, g + (BX * k + i + 1) * TILE, TILE);
    coalda::wait<1>(now);
    sum = sum * 31 + now.data[TILE - 1 - TX];
    coalda::done();
    coalda::swap(now, next);
  }
  coalda::wait(now);
  sum = sum * 31 + now.data[TILE - 1 - TX];
  out[ROW] = sum;
}
// Three buffers, which change places.
// CASE: three_buffers none block=64 full with=k=2,3,6 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL three_buffers(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[3][TILE];
  u32 sum = 0;
  g += BX * k * TILE;
  auto a = coalda::copy_async(s[0], g, TILE), b = coalda::copy_async(s[1], g + TILE, TILE), c = b;
  c.data = s[2];
  for (int i = 0; i < k; i++) {
    const u32 next = i + 2 < k ? i + 2 : k - 1; /* a copy an iteration, so that as many are under way */
    c = coalda::copy_async(c.data, g + next * TILE, TILE);
    coalda::wait<2>(a);
    sum = sum * 31 + a.data[TILE - 1 - TX];
    coalda::done();
    coalda::rotate(a, b, c);
  }
  coalda::wait(a, b, c);
  out[ROW] = sum;
}

// Of a rectangle and of named rows, under way while the thread adds; one waits for both. Of 64 bits.
// CASE: both_at_once none block=64 full with=k=1,3 -- rand:{8*16*16*k} rand:{8*64*16} perm:{8*k} zero:{8*T} i32:{k}
KERNEL both_at_once(const u64 *g, const u64 *h, const u32 *index, u64 *out, int k) {
  __shared__ u64 s[16][16], r[8 * 16];
  u64 sum = 0;
  for (int i = 0; i < k; i++) {
    auto a = coalda::copy_2d_async(&s[0][0], 16, g + i * 16, 16 * k, 16, 16);
    auto b = coalda::gather_async(r, h, index + 8 * i, 8, 16);
    sum = sum * 31 + TX;
    coalda::wait(a, b);
    sum = sum * 31 + s[TX % 16][TX / 16] * 3 + r[127 - TX];
    coalda::done();
  }
  out[ROW] = sum;
}

// ---- to global memory ----

// CASE: written_back tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4*T*k)} zero:{max(4,4*T*k)} i32:{k}
KERNEL written_back(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  for (int i = 0; i < k; i++) {
    auto f = coalda::copy(s, g + (BX * k + i) * TILE, TILE);
    coalda::wait(f);
    r[TX] = s[TX] * 3 + s[TILE - 1 - TX];
    auto o = coalda::after().store(out + (BX * k + i) * TILE, r, TILE);
    coalda::wait(o);
  }
}
// Rows go where the index says: backwards.
// CASE: scattered none block=64 grid=1 full -- rand:{4*128} zero:{4*128}
KERNEL scattered(const u32 *g, u32 *out) {
  __shared__ u32 s[128], index[8];
  if (TX < 8) index[TX] = 7 - TX;
  auto f = coalda::copy(s, g, 128);
  coalda::after(f).scatter(out, s, index, 8, 16);
}

// ---- records a whole block at a time ----

// Words of a thread lie 64 elements apart, whatever the launch's blocks are: four sectors a request.
// CASE: blocked_records none block=64 full -- rand:{4*6*128} zero:{4*6*128} i32:{n}
// CASE: blocked_records none block=48 grid=2 full -- rand:{4*6*128} zero:{4*6*128} i32:{n}
KERNEL blocked_records(u32 *g, u32 *out, int n) {
  coalda::blocked<u32, 6, 64> a(g, n), b(out, n);
  if (ROW < n)
    for (int k = 0; k < 6; k++) b[ROW][k] = a[ROW][5 - k] * 3;
}
