// RUN: %rewritten %s --temp %t.d
// Tiles that each warp owns, between barriers of its lanes. Warps run the loop unsynchronised, so that what one of them fills is
// nobody else's; beside the forms stand those where it is, or where the lanes of a warp do not come to the loop together.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"
static __device__ inline void __syncwarp(u32 lanes = ~0u) { __nvvm_bar_warp_sync(lanes); }
#define WARP (TX / 32)
#define LANE (TX % 32)
#define WARPS (blockDim.x / 32)
#define NUMBER (BX * WARPS + WARP)
#define ALL for (int j = 0; j < 32; j++) sum = sum * 31 + s[WARP][(LANE + j) % 32]
struct alignas(16) Four { u32 x, y, z, w; };

// ---- forms ----

// CASE: rows tile=pipelined block=64 full with=k=9,0,1,2 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL rows(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[(NUMBER * k + i) * 32 + LANE];
    __syncwarp();
    ALL;
    __syncwarp();
  }
  out[ROW] = sum;
}
// In blocks of 48 threads, the second warp has 16 lanes, and takes the loop as it is.
// CASE: short_warp tile=pipelined block=48 full with=k=5,1 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL short_warp(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[48];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * 48 + TX];
    __syncwarp();
    for (int j = 0; j < 16; j++) sum = sum * 31 + s[TX / 16 * 16 + (TX + j) % 16];
    __syncwarp();
  }
  out[ROW] = sum;
}
// CASE: one_warp tile=pipelined block=32 full with=k=9,0,1,2 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL one_warp(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[32];
  u32 sum = 0;
  for (unsigned i = 0; i < (unsigned)k; i++) {
    s[TX] = g[(BX * k + i) * 32 + TX];
    __syncwarp();
    for (int j = 0; j < 32; j++) sum = sum * 31 + s[(TX + j) % 32];
    __syncwarp();
  }
  out[ROW] = sum;
}
// Two copies of a lane, a flat array.
// CASE: flat tile=pipelined block=64 full with=k=9,0,1,2 -- rand:{max(4,8*T*k)} zero:{4*T} i32:{k}
KERNEL flat(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2 * 64];
  u32 sum = 0, *mine = s + WARP * 64;
  for (long i = 0; i < k; i++) {
    mine[LANE] = g[(NUMBER * k + i) * 64 + LANE];
    mine[LANE + 32] = g[(NUMBER * k + i) * 64 + LANE + 32];
    __syncwarp();
    for (int j = 0; j < 64; j++) sum = sum * 31 + mine[(LANE + j) % 64];
    __syncwarp();
  }
  out[ROW] = sum;
}
// Two arrays, down to nothing.
// CASE: arrays tile=pipelined block=64 full with=k=9,0,1,2 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL arrays(const u32 *__restrict__ g, const u32 *__restrict__ h, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32], r[2][33];
  u32 sum = 0;
  for (int i = k - 1; i >= 0; i--) {
    s[WARP][LANE] = g[(NUMBER * k + i) * 32 + LANE];
    r[WARP][LANE] = h[(NUMBER * k + i) * 32 + LANE];
    __syncwarp();
    for (int j = 0; j < 32; j++) sum = sum * 31 + s[WARP][j] * r[WARP][(LANE + j) % 32];
    __syncwarp();
  }
  out[ROW] = sum;
}
// Records, by a pointer that differs from lane to lane: they leave the loop together all the same.
// CASE: records tile=pipelined block=64 full with=k=9,0,1,2 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL records(const Four *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ Four s[2][32];
  u32 sum = 0;
  for (const Four *p = g + NUMBER * k * 32 + LANE, *end = p + k * 32; p != end; p += 32) {
    s[WARP][LANE] = *p;
    __syncwarp();
    for (int j = 0; j < 32; j++) {
      Four f = s[WARP][(LANE + j) % 32];
      sum = sum * 31 + f.x + f.y * f.z - f.w;
    }
    __syncwarp();
  }
  out[ROW] = sum;
}
// Rows that are dealt out to warps, of lengths of their own; the last piece of a row is short.
// CASE: ragged tile=pipelined block=64 full with=k=1,3,7 -- rand:{4*64*k*k} rand:{4*k} zero:{4*32*k} i32:{k}
KERNEL ragged(const u32 *__restrict__ g, const u32 *__restrict__ length, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  for (int row = NUMBER; row < k; row += gridDim.x * WARPS) {
    u32 sum = 0;
    int n = length[row] % (64 * k);
    for (int i = 0; i < n; i += 32) {
      s[WARP][LANE] = i + (int)LANE < n ? g[row * 64 * k + i + LANE] : 0;
      __syncwarp();
      ALL;
      __syncwarp();
    }
    out[row * 32 + LANE] = sum;
  }
}
// Warps that have nothing to do go.
// CASE: early tile=pipelined block=64 full with=k=9,0,1 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k} i32:3
KERNEL early(const u32 *__restrict__ g, u32 *__restrict__ out, int k, int rows) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  if (NUMBER >= rows) return;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[(NUMBER * k + i) * 32 + LANE];
    __syncwarp();
    ALL;
    __syncwarp();
  }
  out[ROW] = sum;
}
// Counters that differ from lane to lane, and as many iterations for all.
// CASE: by_lane tile=pipelined block=64 full with=k=9,0,1,2 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{32*k}
KERNEL by_lane(const u32 *__restrict__ g, u32 *__restrict__ out, int n) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  for (int i = LANE; i < n; i += 32) {
    s[WARP][LANE] = g[NUMBER * n + i];
    __syncwarp();
    ALL;
    __syncwarp();
  }
  out[ROW] = sum;
}
// Nobody counts the iterations beforehand: the lanes have alike what they begin with.
// CASE: doubled tile=pipelined block=64 full with=k=9,0,1,2 -- rand:{max(4,4*T*(1<<k))} rand:8 zero:{4*T} i32:{k}
KERNEL doubled(const u32 *__restrict__ g, const u32 *__restrict__ first, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  for (u32 i = 1 + first[WARP] % 2; i < 1u << k; i = i * 2 + (i & 1)) {
    s[WARP][LANE] = g[(NUMBER << k) * 32 + i * 32 + LANE];
    __syncwarp();
    ALL;
    __syncwarp();
  }
  out[ROW] = sum;
}
// The same in the lanes of each half of a warp.
// CASE: doubled_apart tile=pipelined block=64 full with=k=4 -- rand:{max(4,4*T*(1<<k))} zero:{4*T} i32:{k}
KERNEL doubled_apart(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  u32 i = 1 + (LANE >= 16);
  for (; i < 1u << k; i = i * 2 + (i & 1)) {
    s[WARP][LANE] = g[(NUMBER << k) * 32 + i * 32 + LANE];
    __syncwarp();
    ALL;
    __syncwarp();
  }
  __syncwarp();
  __syncwarp();
  out[ROW] = sum;
}
// In a loop around, where barriers of the block part the runs, which all of its threads make alike.
// CASE: in_step tile=pipelined block=64 full with=k=5,1,2 -- rand:{4*T*k*3} zero:{4*T} i32:{k}
KERNEL in_step(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32], common[64];
  u32 sum = 0;
#pragma unroll 1
  for (int r = 0; r < 3; r++) {
    __syncthreads();
    common[TX] = sum;
    __syncthreads();
    sum += common[63 - TX];
    for (int i = 0; i < k; i++) {
      s[WARP][LANE] = g[((NUMBER * 3 + r) * k + i) * 32 + LANE];
      __syncwarp();
      ALL;
      __syncwarp();
    }
  }
  out[ROW] = sum;
}
// Barriers of the block before the loop, and behind it.
// CASE: between tile=pipelined block=64 full with=k=5,1,2 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL between(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32], common[64];
  common[TX] = g[ROW];
  __syncthreads();
  u32 sum = common[63 - TX];
  for (int i = 0; i < k + (int)WARP; i++) {
    s[WARP][LANE] = g[((NUMBER * k + i) * 32 + LANE) % (k * 64)];
    __syncwarp();
    ALL;
    __syncwarp();
  }
  __syncthreads();
  common[TX] = sum;
  __syncthreads();
  out[ROW] = common[63 - TX];
}
// Elements that are converted wait in registers.
// CASE: converted tile=held block=64 full with=k=9,0,1,2 -- rand:{max(4,T*k)} zero:{4*T} i32:{k}
KERNEL converted(const unsigned char *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[(NUMBER * k + i) * 32 + LANE] * 3 + 1;
    __syncwarp();
    ALL;
    __syncwarp();
  }
  out[ROW] = sum;
}
// Stores that may meet what is copied: the warp votes.
// CASE: stored tile=pipelined block=64 full with=k=9,1,2 -- rand:{4*T*k} zero:{4*T*k} i32:{k}
KERNEL stored(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][32];
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[(NUMBER * k + i) * 32 + LANE];
    __syncwarp();
    out[(NUMBER * k + i) * 32 + LANE] = s[WARP][31 - LANE] * 3;
    __syncwarp();
  }
}
// And do, where m is 1.
// CASE: stored_there tile=pipelined block=64 full with=k=9 with=m=0,1 -- rand:{4*T*(k+1)} zero:{4*T*(k+1)} i32:{k} i32:{m}
KERNEL stored_there(u32 *g, u32 *h, int k, int m) {
  __shared__ u32 s[2][32];
  u32 *out = m ? g + 32 : h;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[(NUMBER * (k + 1) + i) * 32 + LANE];
    __syncwarp();
    out[(NUMBER * (k + 1) + i) * 32 + LANE] = s[WARP][31 - LANE] * 3;
    __syncwarp();
  }
}
// What other lanes have written in front of the loop is copied behind the first barrier.
// CASE: awaited tile=pipelined block=64 full with=k=9,1,2 -- zero:{4*T} zero:{4*T} i32:{k}
KERNEL awaited(u32 *g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  g[ROW] = ROW * 7;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[NUMBER * 32 + (LANE + i) % 32];
    __syncwarp();
    ALL;
    __syncwarp();
  }
  out[ROW] = sum;
}

// The same, and a store of the loop that may meet what is copied.
// CASE: awaited_stored tile=pipelined block=64 full with=k=9,1,2 -- zero:{4*T} zero:{4*T*k} i32:{k}
KERNEL awaited_stored(u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][32];
  g[ROW] = ROW * 7;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[NUMBER * 32 + (LANE + i) % 32];
    __syncwarp();
    out[(NUMBER * k + i) * 32 + LANE] = s[WARP][31 - LANE] * 3;
    __syncwarp();
  }
}
// CASE: awaited_held tile=held block=64 full with=k=9,1,2 -- zero:{2*T} zero:{4*T*k} i32:{k}
KERNEL awaited_held(unsigned char *g, u32 *out, int k) {
  __shared__ u32 s[2][32];
  g[NUMBER * 64 + LANE] = ROW * 7;
  g[NUMBER * 64 + 32 + LANE] = ROW * 5;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[NUMBER * 64 + LANE + i] * 3 + 1;
    __syncwarp();
    out[(NUMBER * k + i) * 32 + LANE] = s[WARP][31 - LANE] * 3;
    __syncwarp();
  }
}
// Every iteration copies the same.
// CASE: same once=yes block=64 full with=k=9,0,1 -- rand:{4*T} zero:{4*T} i32:{k}
KERNEL same(const u32 *g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[NUMBER * 32 + LANE];
    __syncwarp();
    sum = sum * 31 + s[WARP][(LANE + i) % 32];
    __syncwarp();
  }
  out[ROW] = sum;
}
// As often as nobody needs to be told, in a loop that clang would unroll.
// CASE: sixteen tile=pipelined block=64 full -- rand:{4*T*16} zero:{4*T}
KERNEL sixteen(const u32 *__restrict__ g, u32 *__restrict__ out) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
#pragma unroll 1
  for (int i = 0; i < 16; i++) {
    s[WARP][LANE] = g[(NUMBER * 16 + i) * 32 + LANE];
    __syncwarp();
    ALL;
    __syncwarp();
  }
  out[ROW] = sum;
}
// The runs of the loop are as long as the warp likes.
// CASE: in_step_apart tile=pipelined block=64 full with=k=5,1 -- rand:{4*T*(k+1)*3} zero:{4*T} i32:{k}
KERNEL in_step_apart(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32], common[64];
  u32 sum = 0;
#pragma unroll 1
  for (int r = 0; r < 3; r++) {
    __syncthreads();
    common[TX] = sum;
    __syncthreads();
    sum += common[63 - TX];
    int i = 0, mine = k + (int)(r + WARP) % 2;
    do {
      s[WARP][LANE] = g[((NUMBER * 3 + r) * (k + 1) + i) * 32 + LANE];
      __syncwarp();
      ALL;
      __syncwarp();
    } while (++i < mine);
  }
  out[ROW] = sum;
}

// ---- lanes that do not come together ----

// Barriers of a warp do not ask where lanes come from: each of the one loop is met by one of the other.
// CASE: two_ways tile=pipelined block=32 full with=k=5,1,2 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL two_ways(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[16], r[16];
  u32 sum = 0;
  if (TX < 16) {
    for (int i = 0; i < k; i++) {
      s[TX] = g[(BX * k + i) * 32 + TX];
      __syncwarp();
      sum = sum * 31 + s[15 - TX] + r[TX];
      __syncwarp();
    }
  } else {
    for (int i = 0; i < k; i++) {
      r[TX - 16] = sum + i;
      __syncwarp();
      sum = sum * 17 + TX;
      __syncwarp();
    }
  }
  out[ROW] = sum;
}
// One barrier more in front of the loop would be one too many.
// CASE: two_ways_held tile=held block=32 full with=k=5,1,2 -- rand:{T*k+T} zero:{4*T} i32:{k}
KERNEL two_ways_held(unsigned char *g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[16], r[16];
  u32 sum = 0;
  g[BX * k * 32 + TX] = TX;
  if (TX < 16) {
    for (int i = 0; i < k; i++) {
      s[TX] = g[(BX * k + i) * 32 + TX] * 3 + 1;
      __syncwarp();
      sum = sum * 31 + s[15 - TX] + r[TX];
      __syncwarp();
    }
  } else {
    for (int i = 0; i < k; i++) {
      r[TX - 16] = sum + i;
      __syncwarp();
      sum = sum * 17 + TX;
      __syncwarp();
    }
  }
  out[ROW] = sum;
}
// Some lanes make fewer iterations, and wait for the others behind the loop.
// CASE: uneven tile=pipelined block=32 full with=k=5,1,2 -- rand:{4*T*k+128} zero:{4*T} i32:{k}
KERNEL uneven(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[32], r[32];
  u32 sum = 0;
  int mine = k + (TX < 16);
  for (int i = 0; i < mine; i++) {
    s[TX] = g[(BX * k + i) * 32 + TX];
    __syncwarp();
    sum = sum * 31 + s[TX < 16 ? 15 - TX : 47 - TX];
    __syncwarp();
  }
  if (TX >= 16) {
    __syncwarp();
    __syncwarp();
  }
  r[TX] = sum;
  __syncwarp();
  out[ROW] = r[31 - TX];
}
// Lanes that leave when they have found something.
// CASE: found tile=none block=32 full with=k=5,1 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL found(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[32];
  u32 sum = 0;
  int i = 0;
  bool again;
  do {
    s[TX] = g[(BX * k + i) * 32 + TX];
    __syncwarp();
    sum = sum * 31 + s[31 - TX];
    again = ++i < k && __nvvm_vote_any_sync(~0u, s[5] & 1);
    __syncwarp();
  } while (again);
  out[ROW] = sum;
}
// Where the next tile is was loaded: nothing says that the lanes have loaded the same.
// CASE: linked tile=held block=64 full -- rand:{4*T*16} zero:{4*T}
KERNEL linked(const u32 *g, u32 *__restrict__ out) {
  __shared__ u32 s[2][32];
  u32 sum = 0, at = 0;
  for (;;) {
    s[WARP][LANE] = g[(NUMBER * 16 + at) * 32 + LANE];
    u32 next = at + 2 + g[at] % 2 * 2;
    __syncwarp();
    sum = sum * 31 + s[WARP][LANE ^ 1];
    __syncwarp();
    if (next >= 14) break;
    at = next;
  }
  out[ROW] = sum;
}
// Some of the lanes alone.
// CASE: half tile=none block=32 full with=k=5,1 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL half(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[16];
  u32 sum = 0;
  if (TX < 16)
    for (int i = 0; i < k; i++) {
      s[TX] = g[(BX * k + i) * 32 + TX];
      __syncwarp(0xffff);
      sum = sum * 31 + s[15 - TX];
      __syncwarp(0xffff);
    }
  out[ROW] = sum;
}
// A barrier that some of the lanes come to, and others elsewhere.
// CASE: sometimes tile=none block=32 full with=k=5,1 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL sometimes(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[32], r[32];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * 32 + TX];
    if (TX < 16) {
      r[TX] = i + TX;
      __syncwarp();
    } else {
      __syncwarp();
      sum += r[TX - 16];
    }
    sum = sum * 31 + s[31 - TX];
    __syncwarp();
  }
  out[ROW] = sum;
}

// ---- other warps: registers may hold the next tile, where the tile itself stays as it is ----

// A warp that rests reads what the other has left in its tile the round before.
// CASE: rests tile=held block=64 full with=k=5,1,2 -- rand:{4*T*k*4} zero:{4*T} i32:{k}
KERNEL rests(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  s[WARP][LANE] = 0;
#pragma unroll 1
  for (int r = 0; r < 4; r++) {
    __syncthreads();
    int mine = (r + WARP) % 2 ? k : 0;
    for (int i = 0; i < mine; i++) {
      s[WARP][LANE] = g[((NUMBER * 4 + r) * k + i) * 32 + LANE];
      __syncwarp();
      sum = sum * 31 + s[WARP][31 - LANE] + s[!WARP][LANE];
      __syncwarp();
    }
  }
  out[ROW] = sum;
}
// The same, and nothing is stored before: the first round does not look.
// CASE: rests_unset tile=held block=64 full with=k=5,1,2 -- rand:{4*T*k*4} zero:{4*T} i32:{k}
KERNEL rests_unset(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
#pragma unroll 1
  for (int r = 0; r < 4; r++) {
    __syncthreads();
    int mine = (r + WARP) % 2 ? k : 0;
    for (int i = 0; i < mine; i++) {
      s[WARP][LANE] = g[((NUMBER * 4 + r) * k + i) * 32 + LANE];
      __syncwarp();
      sum = sum * 31 + s[WARP][31 - LANE];
      if (r) sum += s[!WARP][LANE];
      __syncwarp();
    }
  }
  out[ROW] = sum;
}
// The tile is read behind the loop, by another warp.
// CASE: behind tile=held block=64 full with=k=5,1,2 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL behind(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[(NUMBER * k + i) * 32 + LANE];
    __syncwarp();
    ALL;
    __syncwarp();
  }
  __syncthreads();
  out[ROW] = sum + s[!WARP][LANE];
}
// Flags in memory hand the tile on.
// CASE: flagged tile=held block=64 grid=1 full with=k=3,1 -- rand:{4*T*k*2} zero:{4*T} zero:8 i32:{k}
KERNEL flagged(const u32 *__restrict__ g, u32 *__restrict__ out, volatile u32 *flag, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
#pragma unroll 1
  for (int r = 0; r < 2; r++) {
    if (r != WARP) {
      if (r) {
        if (LANE == 0) while (!*flag) ;
        __nvvm_membar_gl();
        __syncwarp();
      }
      for (int i = 0; i < k; i++) {
        s[!WARP][LANE] = g[((NUMBER * 2 + r) * k + i) * 32 + LANE];
        __syncwarp();
        sum = sum * 31 + s[!WARP][31 - LANE];
        if (r) sum += s[WARP][LANE];
        __syncwarp();
      }
    }
    if (r == 0 && WARP == 1) {
      __nvvm_membar_gl();
      __syncwarp();
      if (LANE == 0) *flag = 1;
    }
  }
  out[ROW] = sum;
}
// Barriers of both kinds.
// CASE: mixed tile=none block=64 full with=k=3,1 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL mixed(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32], common[64];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[(NUMBER * k + i) * 32 + LANE];
    __syncwarp();
    ALL;
#pragma unroll 1
    for (int j = 0; j < k; j++) {
      __syncthreads();
      common[TX] = sum;
      __syncthreads();
      sum += common[63 - TX] + s[!WARP][LANE];
    }
    __syncthreads();
    __syncwarp();
  }
  out[ROW] = sum;
}
// Those of the block stand in a loop inside.
// CASE: mixed_inside tile=none block=64 full with=k=3,1 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL mixed_inside(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[2][32];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[WARP][LANE] = g[(NUMBER * k + i) * 32 + LANE];
    __syncwarp();
    ALL;
#pragma unroll 1
    for (int j = 0; j < k; j++) {
      __syncthreads();
      sum += s[!WARP][LANE];
      __syncthreads();
    }
    __syncwarp();
  }
  out[ROW] = sum;
}
