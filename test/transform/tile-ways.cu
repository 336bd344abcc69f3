// RUN: %rewritten %s --temp %t.d
// Tile loops of which some iterations do nothing, that end before their end, or whose last iteration leaves a barrier out.
// Beside each stands what looks like it and must stay.
// TEXT: levels=O3,O1,O0 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"
#define FILL(place) s[TX] = g[(BX * k + (place)) * TILE + TX]
#define USE sum = sum * 31 + s[TILE - 1 - TX]

// ---- continue, and conditions around the tile ----

// CASE: causal tile=pipelined block=64 full with=k=0,1,2,5 with=m=0,1,4 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL causal(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i % 3 == m) continue;
    FILL(i);
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: around tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL around(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (unsigned i = 0; i < (unsigned)k; i++) {
    if ((i ^ BX) & 1) {
      FILL(i);
      __syncthreads();
      USE;
      __syncthreads();
    }
  }
  out[ROW] = sum;
}
// CASE: masked tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL masked(const u32 *__restrict__ g, const u32 *__restrict__ mask, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[ROW] = sum;
}
// The mask is written in the loop.
// CASE: mask_written tile=none block=64 grid=1 full with=k=1,2,5 -- rand:{max(4,4*T*k)} zero:{4*k+4} zero:{4*T} i32:{k}
KERNEL mask_written(const u32 *__restrict__ g, u32 *mask, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    if (TX == 0) mask[i + 1] = s[5];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Iterations that do nothing with the tile count.
// CASE: counted tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL counted(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i % 3 == 1) {
      sum += i;
      continue;
    }
    FILL(i);
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[ROW] = sum;
}
// What goes on in every iteration is told behind the loop.
// CASE: told_behind tile=none block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL told_behind(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, last = 99;
  for (int i = 0; i < k; i++) {
    last = last * 5 + 1;
    if ((i ^ BX) & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[ROW] = sum + last;
}
// CASE: several tile=pipelined block=64 full with=k=0,1,6 with=m=0,2 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL several(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (long i = 0; i < k; i++) {
    if (i < m) continue;
    if (i * i > 17 && (i & 1)) continue;
    FILL((int)i);
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: pointers tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL pointers(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, number = 0;
  for (const u32 *p = g + BX * k * TILE, *end = p + k * TILE; p != end; p += TILE) {
    if (number++ % 4 == BX) continue;
    s[TX] = p[TX];
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two values that go on in every iteration, another one where the tile is used alone.
// CASE: counters tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL counters(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, hash = 7, used = 0;
  for (int i = k - 1; i >= 0; i--) {
    hash = hash * 5 + 3;
    if (hash & 4) continue;
    FILL(i);
    __syncthreads();
    USE + used++;
    __syncthreads();
  }
  out[ROW] = sum + used;
}
// In a loop of blocks of rows, as products of sparse blocks are.
// CASE: nested tile=pipelined block=64 full with=k=0,1,4 -- rand:{max(4,4*T*k)} rand:{max(4,16*k)} zero:{4*T} i32:{k}
KERNEL nested(const u32 *__restrict__ g, const u32 *__restrict__ mask, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
#pragma unroll 1
  for (int row = 0; row < 3; row++)
    for (int i = 0; i < k; i++) {
      if (!(mask[row * k + i] & 2)) continue;
      FILL(i);
      __syncthreads();
      USE;
      __syncthreads();
    }
  out[ROW] = sum;
}

// ---- break ----

// CASE: left_early tile=pipelined block=64 full with=k=0,1,5 with=m=-1,0,200 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL left_early(const u32 *__restrict__ g, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i * TILE > m) break;
    FILL(i);
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: until_told tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL until_told(const u32 *__restrict__ g, const u32 *__restrict__ end, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (end[i] % 4 == 3) break;
    if (end[i] % 4 == 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[ROW] = sum;
}
// What was computed decides: nobody knows of a next tile.
// CASE: until_done tile=none block=64 full with=k=0,1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL until_done(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    FILL(i);
    __syncthreads();
    USE;
    if (__nvvm_bar0_and((sum & 3) == 1)) break;
  }
  out[ROW] = sum;
}

// At most so many tiles are used.
// CASE: limited tile=pipelined block=64 full with=k=0,5,9 with=m=0,3 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL limited(const u32 *__restrict__ g, const u32 *__restrict__ mask, u32 *__restrict__ out, int m, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int used = 0;
  for (int i = 0; i < k && used < m; i++) {
    if (mask[i] & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    __syncthreads();
    used++;
  }
  out[ROW] = sum;
}
// How far the next one is, is another number after each tile that is used.
// CASE: by_turns block=64 full with=k=0,5,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL by_turns(const u32 *__restrict__ g, const u32 *__restrict__ mask, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int step = 1;
  for (int i = 0; i < k; i += step) {
    if (mask[i] & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    __syncthreads();
    step = 3 - step;
  }
  out[ROW] = sum;
}

// ---- a barrier that is left out ----

// CASE: last_left_out tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL last_left_out(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    FILL(i);
    __syncthreads();
    USE;
    if (i + 1 < k) __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: first_left_out tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL first_left_out(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i) __syncthreads();
    FILL(i);
    __syncthreads();
    USE;
  }
  out[ROW] = sum;
}
// The other warp comes to as many barriers elsewhere: one more would leave this one waiting.
// CASE: others_count tile=none block=64 full with=k=1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL others_count(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  if (TX < 32) {
    for (int i = 0; i < k; i++) {
      FILL(i);
      __syncthreads();
      sum = sum * 31 + s[31 - TX];
      if (i + 1 < k) __syncthreads();
    }
  } else {
#pragma unroll 1
    for (int i = 0; i < 2 * k - 1; i++) __syncthreads();
  }
  out[ROW] = sum;
}
// Warps come to barriers in turn, in a loop beside: the one of the first loop moves alone.
// CASE: beside_turns tile=none block=64 full with=k=2,6 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL beside_turns(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE], q[TILE];
  u32 sum = 0, w = TX >> 5;
  q[TX] = 0;
  for (int i = 0; i < k; i++) {
    FILL(i);
    __syncthreads();
    USE;
    if (i + 1 < k) __syncthreads();
  }
  __syncthreads();
  for (int i = 0; i < 2 * k; i++) {
    if ((i ^ w) & 1) __syncthreads();
    if (!(i & 1)) {
      if (w == 0)
        q[TX] = i;
      else
        sum = sum * 7 + q[TX - 32];
    }
    __syncthreads();
  }
  out[ROW] = sum;
}
// Each warp leaves out another iteration, once.
// CASE: rounds tile=none block=64 full with=k=2 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL rounds(const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
#pragma unroll 1
  for (int r = 0; r < 4; r++)
    for (int i = 0; i < k; i++) {
      if ((i * 3 + r ^ (TX >> 5) * 2) == 1 - (TX >> 5)) continue;
      FILL(i);
      __syncthreads();
      sum = sum * 31 + s[TX ^ 32] * i;
      __syncthreads();
    }
  out[ROW] = sum;
}
