// RUN: %rewritten %s --temp %t.d
// Tile loops that must stay as they are, each for one reason that no other check sees, and their likes that need not.
// TEXT: levels=O3,O1 archs=sm_90 stages=2,5
#include "tiles.cuh"

// ---- barriers ----

// One in the middle that some iterations pass and some do not: memory says which.
// CASE: sometimes tile=none block=64 full with=k=0,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL sometimes(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 m = g[i] & 1;
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    r[TX] = s[TILE - 1 - TX];
    if (m) __syncthreads();
    sum = sum * 31 + r[m ? TX ^ 33 : TX] + s[TX ^ 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Those of a loop inside come more than once.
// CASE: more_than_once tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL more_than_once(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    #pragma clang loop unroll(disable)
    for (int c = 0; c < 3; c++) {
      r[TX] = sum + s[(TX + c) % TILE];
      __syncthreads();
      sum = sum * 31 + r[TX ^ 33];
      __syncthreads();
    }
  }
  out[ROW] = sum;
}
// The tile is filled behind the last one, for the next iteration.
// CASE: copied_last tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL copied_last(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    __syncthreads();
    if (i > 0) sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = g[(BX * k + i) * TILE + TX];
  }
  out[ROW] = sum;
}
// Threads read what they wrote themselves: one barrier will do, and it is filled and freed at once.
// CASE: own_element tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL own_element(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX];
  }
  out[ROW] = sum;
}
// Fetched before the barrier that frees the tile.
// CASE: fetched_early tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL fetched_early(const u32 *g, u32 *out, int k) {
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

// ---- what is copied ----

// As many bytes as the host says.
// CASE: sized none block=64 full with=k=0,1,3 with=m=4,16 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL sized(const V4 *g, u32 *out, int m, int k) {
  __shared__ V4 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    __builtin_memcpy(&s[TX], &g[(BX * k + i) * TILE + TX], m);
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX].x;
    __syncthreads();
  }
  out[ROW] = sum;
}
// What is copied, or zero, goes into the sum as well.
// CASE: zero_too tile=held block=64 grid=1 full with=k=0,2,5 with=c=1,100,200 -- rand:{4*c} zero:{4*T} i32:{c} i32:{k}
KERNEL zero_too(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 v = i * TILE + TX < c ? g[i * TILE + TX] : 0;
    s[TX] = v;
    sum ^= v << (i & 7);
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Fetched once, before the loop; there is another value in memory since: what was fetched is stored once.
// CASE: fetched_once once=yes block=64 full with=k=0,1,2,5 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL fetched_once(u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, v = g[ROW];
  g[ROW] = 7;
  for (int i = 0; i < k; i++) {
    s[TX] = v;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Stores that the programmer wants to be made as written.
// CASE: volatile_tile tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL volatile_tile(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    *(volatile u32 *)&s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Pieces of 16 bytes that only the one side is aligned to.
struct alignas(4) Quad { u32 x, y, z, w; };
// CASE: to_words tile=pipelined block=64 full with=k=0,1,3 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL to_words(const V4 *g, u32 *out, int k) {
  __shared__ u32 s[4 * TILE + 1];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    __builtin_memcpy(&s[4 * TX + 1], &g[(BX * k + i) * TILE + TX], 16);
    __syncthreads();
    sum = sum * 31 + s[4 * (TILE - 1 - TX) + 3];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: from_words tile=pipelined block=64 full with=k=0,1,3 -- rand:{16*T*k+16} ref:0+4 zero:{4*T} i32:{k}
KERNEL from_words(const u32 *, const u32 *g, u32 *out, int k) {
  __shared__ V4 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    __builtin_memcpy(&s[TX], &g[4 * ((BX * k + i) * TILE + TX)], 16);
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX].z;
    __syncthreads();
  }
  out[ROW] = sum;
}
// One and a half of them: what lies behind is filled by another copy.
struct alignas(16) Long { u32 w[6], kept[2]; };
// CASE: one_and_a_half tile=pipelined block=64 full with=k=0,1,3 -- rand:{max(32,32*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL one_and_a_half(const Long *g, const u32 *h, u32 *out, int k) {
  __shared__ Long s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    __builtin_memcpy(&s[TX], &g[(BX * k + i) * TILE + TX], 24);
    s[TX].kept[0] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX].w[0] + 3 * s[TX ^ 1].w[5] + 5 * s[TX ^ 2].kept[0];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Some threads fill in zeros, the same ones every time.
// CASE: zero_half tile=pipelined block=64 full with=k=0,1,9,24 with=c=0,5,64 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL zero_half(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = TX < c ? g[(BX * k + i) * TILE + TX] : 0;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Fetched by all, and by some for nothing.
// CASE: zero_chosen tile=pipelined block=64 full with=k=0,1,9 with=c=0,5,64 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL zero_chosen(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 v = g[(BX * k + i) * TILE + TX];
    s[TX] = TX < c ? v : 0;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 1;
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- what must be known ahead ----

// Fetched always, and kept where the tile before says so.
// CASE: kept_by_tile tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL kept_by_tile(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u32 v = g[(BX * k + i) * TILE + TX];
    s[TX] = sum & 1 ? 0 : v;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// How often a loop counts on the way to the address is told by the tile before.
#define COUNTED(OF, UPTO) u32 c = 0; _Pragma("clang loop unroll(disable)") for (u32 x = OF; x > UPTO; x = x * 5 / 7) c++
// CASE: counted_by_tile tile=none block=64 grid=1 full with=k=0,1,2,5 -- rand:{4*64*32} zero:{4*T} i32:{k}
KERNEL counted_by_tile(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 5;
  for (int i = 0; i < k; i++) {
    COUNTED((sum & 31), 3);
    s[TX] = g[(i + c) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The place in memory is told by another lane.
// CASE: told_by_lane tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL told_by_lane(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + __nvvm_shfl_sync_bfly_i32(~0u, TX + 64 * (i & 1), 1, 31) % TILE];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A list: each tile's number is read when the one before is known, and there is none behind the last.
// CASE: linked tile=pipelined block=64 grid=1 full with=k=1,2,7,8,9,24 -- rand:{4*64*k} iota:{k} zero:{4*T} i32:{k}
KERNEL linked(const u32 *g, const u32 *link, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, at = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[at * TILE + TX];
    at = link[at] + 1;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- which places are filled ----

// Where to is read from memory: the iterations fill unlike places, and what one leaves the next one sees.
// CASE: scattered tile=held block=64 full with=k=1,2,5 -- rand:{4*T*k} iota:{k+1} zero:{4*T} i32:{k}
KERNEL scattered(const u32 *g, const u32 *place, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[(place[i] & 1) * TILE + TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The iterations take turns.
// CASE: in_turns tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL in_turns(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[(i & 1) * TILE + TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Each run of the loop fills a part of its own, and reads those of the runs before.
// CASE: part_by_part tile=held block=64 full with=k=1,2,5 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL part_by_part(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  #pragma clang loop unroll(disable)
  for (int j = 0; j < 4; j++)
    for (int i = 0; i < k; i++) {
      s[j * TILE + TX] = g[(BX * k + i) * TILE + TX] + 0;
      __syncthreads();
      sum = sum * 31 + s[i % (j + 1) * TILE + (TX ^ 33)];
      __syncthreads();
    }
  out[ROW] = sum;
}
// The place is counted by a loop that runs longer in some iterations.
// CASE: counted_place tile=held block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:5 i32:{k}
KERNEL counted_place(const u32 *g, u32 *out, int m, int k) {
  __shared__ u32 s[8 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    COUNTED((u32)(i % 3 * m), 3);
    s[c * TILE + TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A function of two callers: what the one reads is global memory, and what the other reads is shared.
__device__ __noinline__ static u32 staged(const u32 *g, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  return sum;
}
// CASE: from_global tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL from_global(const u32 *g, u32 *out, int k) { out[ROW] = staged(g + BX * k * TILE, k); }
// CASE: from_shared none block=64 full with=k=0,1,2 -- zero:{4*T} i32:{k}
KERNEL from_shared(u32 *out, int k) {
  __shared__ u32 r[2 * TILE];
  r[TX] = TX; r[TX + TILE] = 3 * TX;
  __syncthreads();
  out[ROW] = staged(r, k);
}
// A look at the last tile when the loop, which always runs, is done.
// CASE: after_four tile=pipelined block=64 full -- rand:{16*T} zero:{4*T}
KERNEL after_four(const u32 *g, u32 *out) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  #pragma clang loop unroll(disable)
  for (int i = 0; i < 4; i++) {
    s[TX] = g[(BX * 4 + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum + 7 * s[TX ^ 1];
}
// A look at the tile before, at what the thread is about to overwrite.
// CASE: looked_early tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL looked_early(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i > 0) sum ^= s[TX] << (i & 7);
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A function looks at the tile when all is done.
__shared__ static u32 looked_at[TILE];
__device__ __noinline__ static u32 look(u32 i) { return looked_at[i]; }
// CASE: seen_by_function tile=pipelined block=64 full with=k=1,2,5 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL seen_by_function(const u32 *g, u32 *out, int k) {
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    looked_at[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + looked_at[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum + look(TX ^ 1);
}
// The address of the one tile or of the other.
// CASE: either_tile tile=held block=64 full with=k=0,1,2,5 with=m=0,1 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL either_tile(const u32 *g, u32 *out, int m, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0, *tile = m ? s : r;
  for (int i = 0; i < k; i++) {
    tile[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + tile[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- places that are filled twice: the later copy wins, and asynchronous ones have no order ----

// CASE: filled_twice tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL filled_twice(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    if (TX < TILE / 2) s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: filled_again tile=held block=64 full with=k=0,1,2,5 with=d=0,64 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{d} i32:{k}
KERNEL filled_again(const u32 *g, const u32 *h, u32 *out, int d, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    s[TX + d] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A bound that one thread reaches: there its second place is its first.
// CASE: clamped tile=held block=64 full with=k=0,1,2,5 with=d=5,200 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{d} i32:{k}
KERNEL clamped(const u32 *g, const u32 *h, u32 *out, u32 d, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0, place = TX + TILE < d ? TX + TILE : d;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    if (TX == 5) s[place] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A loop that fills one and the same place: where the factor is 0.
// CASE: unmoved tile=held block=64 full with=k=0,1,2,5 with=d=0,64 -- rand:{max(4,4*3*T*k)} zero:{4*T} i64:{d} i32:{k}
KERNEL unmoved(const u32 *g, u32 *out, u64 d, int k) {
  __shared__ u32 s[3 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    #pragma clang loop unroll(disable)
    for (u64 c = 0; c < 3; c++) s[c * d + TX] = g[((BX * k + i) * 3 + c) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A bound that the loop comes to.
// CASE: bounded_loop tile=held block=64 full with=k=0,1,2,5 with=d=80,200 -- rand:{max(4,4*3*T*k)} zero:{4*T} i32:{d} i32:{k}
KERNEL bounded_loop(const u32 *g, u32 *out, u32 d, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX >= TILE - 1)
      #pragma clang loop unroll(disable)
      for (int c = 0; c < 3; c++) {
        u32 place = c * TILE + TX;
        s[place < d ? place : d] = g[((BX * k + i) * 3 + c) * TILE + TX];
      }
    __syncthreads();
    sum = sum * 31 + s[TILE - 1] + (d < 3 * TILE - 1 ? s[d] : 0);
    __syncthreads();
  }
  out[ROW] = sum;
}
// Pieces of 8 bytes, 4 bytes apart.
struct Pair { u32 x, y; };
// CASE: overlapped tile=none block=64 full with=k=0,1,2,5 -- rand:{max(8,8*3*T*k)} zero:{4*T} i32:3 i32:{k}
KERNEL overlapped(const Pair *g, u32 *out, int m, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int c = 0; c < m; c++) __builtin_memcpy(&s[4 * TX + c], &g[((BX * k + i) * 3 + c) * TILE + TX], 8);
    __syncthreads();
    sum = sum * 31 + s[4 * (TILE - 1 - TX)] + 3 * s[4 * (TX ^ 1) + 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two copies in a loop of their own: the second fills what the first does an iteration later.
// CASE: overtaken tile=none block=64 full with=k=0,1,2,5 with=m=1,2,3 -- rand:{max(4,8*T*k)} rand:{max(4,8*T*k)}:5 zero:{4*T} i32:{k} i32:{m}
KERNEL overtaken(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < TILE * m; j += TILE) {
      s[j] = g[i * TILE + j];
      s[j + TILE] = h[i * TILE + j];
    }
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 3 * s[TX + m * TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The same, each in its own half of what an iteration fills; in the second the halves share a word with the next.
// CASE: abreast tile=pipelined block=64 full with=k=0,1,2,5 with=m=1,2 -- rand:{max(4,12*T*k)} rand:{max(4,12*T*k)}:5 zero:{4*T} i32:{k} i32:{m}
KERNEL abreast(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < 2 * TILE * m; j += 2 * TILE) {
      s[j] = g[i * TILE + j];
      s[j + TILE] = h[i * TILE + j];
    }
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 3 * s[TX + TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: astride tile=none block=64 full with=k=0,1,2,5 with=m=2,3 -- rand:{max(4,32*T*k)} rand:{max(8,32*T*k)}:5 zero:{4*T} i32:{k} i32:{m}
KERNEL astride(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[16 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = 2 * TX; j < 2 * TILE * m; j += 2 * TILE) {
      __builtin_memcpy(&s[j + 2 * TILE - 1], &h[i * TILE + j], 8);
      s[j] = g[i * TILE + j];
    }
    __syncthreads();
    sum = sum * 31 + s[2 * (TX ^ 1)] + 3 * s[2 * (TX ^ 1) + 2 * TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The loop around the one that copies comes to the same places again.
// CASE: refilled tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*4*T*k)} zero:{4*T} i32:{k}
KERNEL refilled(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    #pragma clang loop unroll(disable)
    for (int r = 0; r < 2; r++)
      #pragma clang loop unroll(disable)
      for (int c = 0; c < 2; c++) s[c * TILE + TX] = g[(((BX * k + i) * 2 + r) * 2 + c) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- loops in loops ----

// The first barrier frees the tile, also the one of the run before.
// CASE: freed_first tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL freed_first(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  #pragma clang loop unroll(disable)
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < k; i++) {
      __syncthreads();
      s[TX] = g[(BX * k + i) * TILE + TX];
      __syncthreads();
      u32 much = TX / 32 * 9;
      for (u32 c = 0; c <= much; c++) sum = sum * 31 + s[(TX * 5 + c) % TILE];
    }
  out[ROW] = sum;
}

// As many steps as the row is long, of the block's width each: nobody says that the sum of them does not wrap around.
// CASE: by_width tile=pipelined block=64 full with=k=0,1,2,5 with=d=0,1,64,200 -- rand:{max(4,4*d*k*2)} zero:{4*T} i32:{d} i32:{k}
KERNEL by_width(const u32 *__restrict__ g, u32 *__restrict__ out, int d, int k) {
  __shared__ u32 s[200];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = TX; j < d; j += blockDim.x) s[j] = g[(BX * k + i) * d + j];
    __syncthreads();
    for (int j = 0; j < d; j++) sum = sum * 31 + s[j];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- stages ----

// Two tiles make a stage, which is too few for copies of 16 bytes made of four tiles.
// CASE: pairs_of_tiles tile=pipelined block=1024 grid=1 full with=k=1,2,5 -- rand:{8*T*k} zero:{4*T} i32:{k}
KERNEL pairs_of_tiles(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2048];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[i * 2048 + TX];
    s[TX + 1024] = g[i * 2048 + 1024 + TX];
    __syncthreads();
    sum = sum * 31 + s[2047 - TX] + 3 * s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// 24 blocks are to be on an SM: there is room for one tile of each.
// CASE: many_blocks tile=none block=64 full with=k=0,1,2,5 -- rand:{max(16,128*T*k)} zero:{4*T} i32:{k}
KERNEL __launch_bounds__(64, 24) many_blocks(const V4 *g, u32 *out, int k) {
  __shared__ V4 s[8 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    #pragma clang loop unroll(full)
    for (int j = 0; j < 8; j++) s[j * TILE + TX] = g[((BX * k + i) * 8 + j) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[8 * TILE - 1 - TX].x;
    __syncthreads();
  }
  out[ROW] = sum;
}
