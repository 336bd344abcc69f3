// RUN: %rewritten %s --temp %t.d
// Loops whose iterations do something in one stretch of their counter alone make no others, and are copied ahead as any loop: pipelined
// without `always`. Where that cannot be told, each iteration is asked whether it does anything, and the tile waits in registers.
// TEXT: levels=O3,O1,O0 archs=sm_75,sm_90
#include "skips.cuh"
typedef int i32;

// ---- ends ----

// CASE: causal tile=pipelined plain:tile=pipelined block=64 grid=3 full with=k=0,1,2,5,9 with=c=-1,0,1,4,2147483647 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL causal(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i > c) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// Around the tile; less, not at most; 64 bits.
// CASE: around tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,2,5 with=c=-9223372036854775808,-1,0,3,9223372036854775807 -- rand:{max(4,4*T*k)} zero:{4*T} i64:{c} i64:{k}
KERNEL around(const u32 *g, u32 *out, long c, long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (long i = 0; i < k; i++)
    if (i < c) {
      BOTH(i);
    }
  out[ROW] = sum;
}
// Unsigned.
// CASE: unsigneds tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,2,5 with=c=0,1,3,4294967295 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL unsigneds(const u32 *g, u32 *out, u32 c, u32 k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (u32 i = 0; i < k; ++i) {
    if (i > c) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// The counter counts elements.
// CASE: elements tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,2,5 with=c=-1,0,63,64,255,300 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL elements(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int e = 0; e < k * TILE; e += TILE) {
    if (e > c) continue;
    BOTH(e / TILE);
  }
  out[ROW] = sum;
}
// What is compared is more than the counter: the last row of the tile.
// CASE: last_row tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,2,5 with=c=-1,0,15,16,40,2147483647 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL last_row(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i * 16 + 15 > c) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// Downwards: ends by what becomes too small.
// CASE: down tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,2,5 with=c=-1,0,1,3,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL down(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = k - 1; i >= 0; i--) {
    if (i < c) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// What is computed in front of the loop might not be computed just anywhere.
// CASE: divided tile=pipelined plain:tile=pipelined block=64 grid=3 full with=k=1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL divided(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i > (int)(BX % k)) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// Each row has its length.
// CASE: lengths tile=pipelined plain:tile=pipelined block=64 grid=3 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} perm:8 zero:{4*T} i32:{k}
KERNEL lengths(const u32 *__restrict__ g, const int *__restrict__ length, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i >= length[BX]) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}

// ---- begins, and windows ----

// CASE: later tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,2,5,9 with=c=-1,0,1,4,5,2147483647 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL later(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i < c) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// Not one iteration is behind the greatest number.
// CASE: never tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,5 with=c=-1,0,3,2147483647 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL never(const u32 *g, u32 *out, u32 c, u32 k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (u32 i = 0; i < k; i++) {
    if (i <= c * 2 + 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// CASE: window tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,5,9 with=c=0,1,4,12 with=w=0,1,3,2147483638 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{w} i32:{k}
// Beyond `c`, nobody asks for `i + w`, which is too large there.
// CASE: window tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,5,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:0 i32:2147483647 i32:{k}
KERNEL window(const u32 *g, u32 *out, int c, int w, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i > c || i + w <= c) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// Pointers and a second counter go along. What nobody asks for where no iteration is behind `c` may be too large.
// CASE: together tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,5,9 with=c=-3,0,1,4,2147483646 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL together(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, odd = 1;
  const u32 *p = g + BX * k * TILE;
  for (int i = 0; i < k; i++, p += TILE, odd += 2) {
    if (i < c || i > c + 3) continue;
    s[TX] = p[TX];
    __syncthreads();
    USE ^ odd;
    __syncthreads();
  }
  out[ROW] = sum;
}
// By elements, from above.
// CASE: down_later tile=pipelined plain:tile=pipelined block=64 full with=k=0,1,2,5 with=c=-1,0,63,64,130,400 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL down_later(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int e = (k - 1) * TILE; e >= 0; e -= TILE) {
    if (e >= c) continue;
    BOTH(e / TILE);
  }
  out[ROW] = sum;
}
// A stretch of which a mask leaves some out.
// CASE: masked tile=pipelined plain:tile=held block=64 full with=k=0,1,5,9 with=c=-1,0,4,12 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL masked(const u32 *__restrict__ g, const u32 *__restrict__ mask, u32 *__restrict__ out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i > c) continue;
    if (mask[i] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}

// ---- what looks like it ----

// The product may wrap: iterations behind the first that does nothing do something again.
// CASE: wraps tile=pipelined plain:tile=held block=64 full with=k=0,1,5,9 with=m=32,1073741824,2147483648 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL wraps(const u32 *g, u32 *out, u32 m, u32 k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (u32 i = 0; i < k; i++) {
    if (i * 1073741824u > m) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// One iteration, and all others.
// CASE: one tile=pipelined plain:tile=held block=64 full with=k=0,1,5 with=c=0,3,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL one(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i == c) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// One bound or the other.
// CASE: outside tile=pipelined plain:tile=held block=64 full with=k=0,1,5,9 with=c=0,2,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL outside(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i > c && i < c + 3) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// The bound moves.
// CASE: moving tile=pipelined plain:tile=held block=64 full with=k=0,1,5,9 with=c=0,2,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL moving(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    c = (c * 5 + 3) & 15;
    if (i > c) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// What moves on in iterations that do nothing has no formula.
// CASE: mixed tile=pipelined plain:tile=held block=64 full with=k=0,1,5,9 with=c=-1,0,2,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL mixed(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, x = 1;
  for (int i = 0; i < k; i++) {
    x = (x * 5 + 3) ^ x >> 7;
    if (i < c) continue;
    FILL(i);
    __syncthreads();
    USE ^ x;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Where the loop left off is told afterwards.
// CASE: told tile=none block=64 full with=k=0,1,5,9 with=c=-1,0,2,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL told(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, x = 7;
  for (int i = 0; i < k; i++) {
    x = x * 5 + 3;
    if (i > c) continue;
    BOTH(i);
  }
  out[ROW] = sum ^ x;
}
// Iterations that load nothing count.
// CASE: counted tile=none block=64 full with=k=0,1,5,9 with=c=-1,0,2,7 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL counted(const u32 *g, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i > c) {
      sum = sum * 3 + 1;
      continue;
    }
    BOTH(i);
  }
  out[ROW] = sum;
}
// In the first iteration, which nobody asks, what is compared has wrapped; in the last ones it has not.
// CASE: backwards tile=pipelined plain:tile=held block=64 full with=k=0,1,5 with=w=1,3,2147483646 -- rand:{max(4,4*T*k)} zero:{4*T} i32:1 i32:{w} i32:{k}
KERNEL backwards(const u32 *g, u32 *out, int c, int w, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = k - 1; i >= 0; i--) {
    if (i > c || i + w <= c) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
