// RUN: %rewritten %s --temp %t.d
// Tile loops with conditions that all threads of the block share: where what they ask comes from, and how they are written.
// TEXT: levels=O3,O1,O0 archs=sm_75,sm_90 stages=2,5
#include "skips.cuh"

__device__ static inline int least(int a, int b) { return a < b ? a : b; }
__device__ static inline int most_of(int a, int b) { return a > b ? a : b; }

// ---- where it comes from ----

// CASE: from_shared tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} iota:{T//64} zero:{4*T} i32:{k}
KERNEL from_shared(const u32 *g, const int *limit, u32 *out, int k) {
  __shared__ u32 s[TILE];
  __shared__ int most;
  u32 sum = 0;
  if (TX == 0) most = limit[BX] + 1;
  __syncthreads();
  int hi = most;
  for (int i = 0; i < k; i++) {
    if (i > hi) break;
    if ((i ^ hi) & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
struct Window {
  int lo, hi, step;
  const u32 *mask;
};
// CASE: from_struct tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} struct:i32:1,i32:{5},i32:2,ref:3+0 zero:{4*T} rand:{max(4,4*k)} i32:{k}
KERNEL from_struct(const u32 *g, Window window, u32 *out, const u32 *unused, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i += window.step) {
    if (i < window.lo) continue;
    if (i > window.hi) break;
    if (window.mask[i] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
__constant__ int wanted[16] = {1, 0, 3, 1, 2, 0, 0, 5, 1, 4, 2, 3, 1, 1, 0, 0};
// CASE: from_constant tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL from_constant(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (wanted[i & 15] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// CASE: from_grid tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL from_grid(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int group = BX / (gridDim.x / 2 + 1), each = k / (int)gridDim.x;
  for (int i = 0; i < k; i++) {
    if (i / (each + 1) == group) continue;
    if (i % (int)gridDim.x > 5) break;
    BOTH(i);
  }
  out[ROW] = sum;
}
// CASE: sliding tile=pipelined block=64 full with=k=0,1,9 with=a=0,100,300 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{a} i32:{k}
KERNEL sliding(const u32 *g, u32 *out, int a, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int at = BX * TILE + a, lo = most_of(0, at - 100), hi = least(k * TILE, at + 70);
  for (int i = 0; i < k * TILE; i += TILE) {
    if (i + TILE <= lo) continue;
    if (i > hi) break;
    BOTH(i / TILE);
  }
  out[ROW] = sum;
}
// CASE: two_bounds tile=pipelined block=64 full with=k=1,2,9 -- rand:{max(4,4*T*k)} iota:{k+9} zero:{4*T} i32:{k}
KERNEL two_bounds(const u32 *g, const int *first, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int b = most_of(0, first[BX] - 1); b < least(k, first[BX + 1] + 3); b++) {
    BOTH(b);
  }
  out[ROW] = sum;
}

// ---- how it is written ----

// CASE: nested tile=pipelined block=64 full with=k=0,1,2,9 with=m=0,3 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL nested(const u32 *g, const u32 *mask, u32 *out, int m, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i >= m) {
      if (!(mask[i] & 4)) {
        BOTH(i);
      }
    }
  }
  out[ROW] = sum;
}
// CASE: endless tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL endless(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int i = 0;
  while (true) {
    if (i >= k) break;
    BOTH(i);
    i++;
  }
  out[ROW] = sum;
}
// CASE: endless_mask tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL endless_mask(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int i = -1;
  while (true) {
    i++;
    if (i >= k) break;
    if (mask[i] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// CASE: by_goto tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL by_goto(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int i = 0;
again:
  if (i >= k) goto done;
  if (mask[i] & 1) goto next;
  BOTH(i);
next:
  i++;
  goto again;
done:
  out[ROW] = sum;
}
// CASE: by_switch tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL by_switch(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    switch (mask[i] % 8) {
    case 1:
    case 4: continue;
    case 7: goto done;
    default: break;
    }
    BOTH(i);
  }
done:
  out[ROW] = sum;
}
// CASE: combined tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} rand:{max(4,4*k)}:7 zero:{4*T} i32:{k}
KERNEL combined(const u32 *g, const u32 *mask, const u32 *other, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if ((mask[i] & 1 && other[i] & 1) || (i > (int)BX && other[i] & 2)) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// CASE: carried_flag tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL carried_flag(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  bool on = true;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 4) on = !on;
    if (!on) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// CASE: do_while tile=pipelined block=64 full with=k=1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL do_while(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int i = 0;
  do {
    if (mask[i] & 1) continue;
    BOTH(i);
  } while (++i < k);
  out[ROW] = sum;
}
// CASE: all_of_it block=64 tile=pipelined full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL all_of_it(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    bool skip = mask[i] & 1;
    bool last = mask[i] % 16 == 6;
    if (!skip) {
      BOTH(i);
    }
    if (last) break;
  }
  out[ROW] = sum;
}

// ---- a barrier that the first or the last iteration leaves out ----

// CASE: first_int tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL first_int(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i > 0) __syncthreads();
    FILL(i);
    __syncthreads();
    USE;
  }
  out[ROW] = sum;
}
// CASE: last_long tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i64:{k}
KERNEL last_long(const u32 *g, u32 *out, long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (long i = 0; i < k; i++) {
    FILL(i);
    __syncthreads();
    USE;
    if (i != k - 1) __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: last_unsigned tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL last_unsigned(const u32 *g, u32 *out, unsigned k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (unsigned i = 0, last = k - 1; i < k; i++) {
    FILL(i);
    __syncthreads();
    USE;
    if (i < last) __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: last_pointer tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL last_pointer(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (const u32 *p = g + BX * k * TILE, *end = p + k * TILE; p != end; p += TILE) {
    s[TX] = p[TX];
    __syncthreads();
    USE;
    if (p + TILE != end) __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: first_pointer tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL first_pointer(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  const u32 *first = g + BX * k * TILE;
  for (const u32 *p = first; p < first + k * TILE; p += TILE) {
    if (p != first) __syncthreads();
    s[TX] = p[TX];
    __syncthreads();
    USE;
  }
  out[ROW] = sum;
}
// CASE: first_flag tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL first_flag(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  bool first = true;
  for (int i = 0; i < k; i++) {
    if (!first) __syncthreads();
    first = false;
    FILL(i);
    __syncthreads();
    USE;
  }
  out[ROW] = sum;
}
// CASE: first_of_parts tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,8*T*k)} zero:{4*T} i32:{k}
KERNEL first_of_parts(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int part = 0; part < 2; part++)
    for (int i = 0; i < k; i++) {
      if (i + part > 0) __syncthreads();
      FILL(i + part * k);
      __syncthreads();
      USE;
    }
  out[ROW] = sum;
}
// Of two tiles in turn, every other barrier.
// CASE: every_other tile=held block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL every_other(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[i & 1][TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[i & 1][TILE - 1 - TX];
    if (i & 1) __syncthreads();
  }
  out[ROW] = sum;
}
