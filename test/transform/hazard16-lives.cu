// RUN: %rewritten %s --temp %t.d
// Hazard 16, of arrays that hold two tiles in an iteration, one after the other: an array for each may be had where what is read was
// written for the same tile, or stood there before the loop. Here it was not, or the order is another one.
// TEXT: levels=O3 archs=sm_90 stages=2,3
#include "tiles.cuh"

// Of the second tile half is filled; what is read there besides is the first one's.
// CASE: half tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL half(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    if (TX < 32) s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The other half of the threads fills it.
// CASE: other_half tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL other_half(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = TX;
  for (int i = 0; i < k; i++) {
    if (TX < 32) s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    if (TX >= 32) s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The second tile stands one place farther on.
// CASE: moved tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL moved(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE + 1];
  u32 sum = 0;
  if (TX == 0) s[TILE] = 5;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX + 1];
    __syncthreads();
    s[TX + 1] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The second tile is of narrower elements.
// CASE: narrow tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL narrow(const u32 *g, const unsigned short *h, u32 *out, int k) {
  __shared__ __attribute__((aligned(16))) unsigned char s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    *(u32 *)&s[4 * TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + *(u32 *)&s[4 * (TILE - 1 - TX)];
    __syncthreads();
    *(unsigned short *)&s[4 * TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + *(u32 *)&s[4 * (TX ^ 33)];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Places that are filled change from iteration to iteration: the last tile leaves what stood there.
// CASE: shorter tile=none block=64 full with=m=1,63,64,65,250 -- rand:{max(4,4*m)} rand:{max(4,4*m)}:5 zero:{4*T} i32:{m}
KERNEL shorter(const u32 *g, const u32 *h, u32 *out, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = TX;
  __syncthreads();
  for (int i = 0; i < m; i += TILE) {
    if (i + TX < m) s[TX] = g[i + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    if (i + TX < m) s[TX] = h[i + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// They move with the iterations.
// CASE: moves tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL moves(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE + 8];
  u32 sum = 0;
  for (int j = TX; j < TILE + 8; j += TILE) s[j] = j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX + i] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX + i] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Or with the runs of the loop, ...
// CASE: by_run tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*3*T*k)} rand:{max(4,4*3*T*k)}:5 zero:{4*T} i32:{k} i32:3
KERNEL by_run(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[TILE + 8];
  u32 sum = 0;
  for (int j = TX; j < TILE + 8; j += TILE) s[j] = j;
  __syncthreads();
  for (int j = 0; j < m; j++)
    for (int i = 0; i < k; i++) {
      s[TX + j] = g[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
      s[TX + j] = h[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TX ^ 33];
      __syncthreads();
    }
  out[ROW] = sum;
}
// ... which a condition does as well.
// CASE: by_condition tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*3*T*k)} rand:{max(4,4*3*T*k)}:5 zero:{4*T} i32:{k} i32:3
KERNEL by_condition(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = TX;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < k; i++) {
      if (TX > 20 * j) s[TX] = g[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
      if (TX > 20 * j) s[TX] = h[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TX ^ 33];
      __syncthreads();
    }
  out[ROW] = sum;
}
// Loops fill the array, one of them not to its end; and one of them rows that are longer.
// CASE: fewer_rows tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*256*2*k)} rand:{max(4,4*256*2*k)}:5 zero:{4*T} i32:{k}
KERNEL fewer_rows(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int e = TX; e < 256; e += blockDim.x) s[e] = g[(BX * k + i) * 256 + e];
    __syncthreads();
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[j * 64 + 63 - TX];
    __syncthreads();
    for (int e = TX; e < 192; e += blockDim.x) s[e] = h[(BX * k + i) * 256 + e];
    __syncthreads();
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[j * 64 + (TX ^ 33)];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: longer_rows tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*256*2*k)} rand:{max(4,4*256*2*k)}:5 zero:{4*T} i32:{k}
KERNEL longer_rows(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[320];
  u32 sum = 0;
  for (int j = TX; j < 320; j += TILE) s[j] = j;
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < k; i++) {
#pragma unroll 1
    for (int e = 0; e < 4; e++) s[e * 64 + TX] = g[((BX * k + i) * 4 + e) * 64 + TX];
    __syncthreads();
    for (int j = 0; j < 5; j++) sum = sum * 31 + s[j * 64 + 63 - TX];
    __syncthreads();
#pragma unroll 1
    for (int e = 0; e < 4; e++) s[e * 80 + TX] = h[((BX * k + i) * 4 + e) * 64 + TX];
    __syncthreads();
    for (int j = 0; j < 5; j++) sum = sum * 31 + s[j * 64 + (TX ^ 33)];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The rows begin elsewhere in each iteration.
// CASE: rows_move tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*256*2*k)} rand:{max(4,4*256*2*k)}:5 zero:{4*T} i32:{k}
KERNEL rows_move(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[320];
  u32 sum = 0;
  for (int j = TX; j < 320; j += TILE) s[j] = j;
  __syncthreads();
#pragma unroll 1
  for (int i = 0; i < k; i++) {
#pragma unroll 1
    for (int e = 0; e < 4; e++) s[e * 64 + i + TX] = g[((BX * k + i) * 4 + e) * 64 + TX];
    __syncthreads();
    for (int j = 0; j < 5; j++) sum = sum * 31 + s[j * 64 + 63 - TX];
    __syncthreads();
#pragma unroll 1
    for (int e = 0; e < 4; e++) s[e * 64 + i + TX] = h[((BX * k + i) * 4 + e) * 64 + TX];
    __syncthreads();
    for (int j = 0; j < 5; j++) sum = sum * 31 + s[j * 64 + (TX ^ 33)];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The second tile is used in the next iteration: what comes first reads what the one before has left. The first one has an array of its own.
// CASE: over_the_edge tile=pipelined block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL over_the_edge(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  s[TX] = h[TX];
  for (int i = 0; i < k; i++) {
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[(BX * k + i) * TILE + TX];
  }
  __syncthreads();
  out[ROW] = sum + s[TX ^ 1];
}
// Each thread reads and fills its own place in one breath.
// CASE: between tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL between(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    u32 there = s[TILE - 1 - TX];
    __syncthreads();
    sum = sum * 31 + s[TX] + there;
    s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The loop ends between the two tiles, and what is read behind it is the first one.
// CASE: ends_between tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*T*(k+1))} rand:{max(4,4*T*(k+1))}:5 zero:{4*T} i32:{k}
KERNEL ends_between(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0;; i++) {
    s[TX] = g[(i * 2 + BX) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    if (i == k / 2) break;
    s[TX] = h[(i * 2 + BX) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum + s[TX ^ 1];
}
// A pointer that may lead to either of two arrays.
// CASE: either tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL either(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  r[TX] = TX;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    const u32 *p = i % 3 ? s : r;
    sum = sum * 31 + p[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Another tile loop in front of it fills the array, behind which the places that this one does not fill are read.
// CASE: loop_before tile=pipelined block=64 full with=k=1,2,4 -- rand:{max(4,8*T*k)} rand:{max(4,8*T*k)}:5 zero:{4*T} i32:{k}
KERNEL loop_before(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[2 * TX] = g[(BX * k + i) * TILE + TX];
    s[2 * TX + 1] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + s[TILE + TX];
    __syncthreads();
    s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33] + s[TILE + TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What the loop around stores to places that the lives do not fill, each time anew, all arrays are to hold.
// CASE: stored_around tile=pipelined block=64 full with=k=1,2,4 -- rand:{max(4,4*3*T*k)} rand:{max(4,4*3*T*k)}:5 zero:{4*T} i32:{k} i32:3
KERNEL stored_around(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int j = 0; j < m; j++) {
    s[TILE + TX] = TX * 5 + j;
    for (int i = 0; i < k; i++) {
      s[TX] = g[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX] + s[2 * TILE - 1 - TX];
      __syncthreads();
      s[TX] = h[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TX ^ 33] + 7 * s[TILE + TX];
      __syncthreads();
    }
    sum += s[TX ^ 3];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The second tile is longer than the first, which reads what that left in the iteration before; and the other way round.
// CASE: more tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,8*T*k)}:5 zero:{4*T} i32:{k}
KERNEL more(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  s[TILE + TX] = TX;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33] + s[2 * TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[(BX * k + i) * 2 * TILE + TX];
    s[TX + TILE] = h[(BX * k + i) * 2 * TILE + TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33] + 5 * s[2 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: less tile=none block=64 full with=k=1,2,4 -- rand:{max(4,8*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL less(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * 2 * TILE + TX];
    s[TX + TILE] = g[(BX * k + i) * 2 * TILE + TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33] + s[2 * TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33] + 5 * s[2 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Some threads are in the first run of the loop alone: what they have left there is the second tile's.
// CASE: not_all tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*3*T*k)} rand:{max(4,4*3*T*k)}:5 zero:{4*T} i32:{k} i32:3
KERNEL not_all(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int j = 0; j < m; j++)
    if (TX < 32 || j == 0)
      for (int i = 0; i < k; i++) {
        s[TX] = g[((BX * k + i) * 3 + j) * TILE + TX];
        __syncthreads();
        sum = sum * 31 + s[TILE - 1 - TX];
        __syncthreads();
        s[TX] = h[((BX * k + i) * 3 + j) * TILE + TX];
        __syncthreads();
        sum = sum * 31 + s[TX ^ 33];
        __syncthreads();
      }
  out[ROW] = sum;
}
// Two arrays of that length are more than a block has, and the second tile, which is the same every time, asks for no room: it stays.
// CASE: too_long tile=none block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:256 zero:{4*T} i32:{k}
KERNEL too_long(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[7000];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two arrays: the lives of one fill the same places each time, those of the other, from which no ring is made, others in each iteration.
// CASE: beside tile=pipelined block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL beside(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE + 8];
  u32 sum = 0;
  for (int j = TX; j < TILE + 8; j += TILE) r[j] = j;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    r[TX + i] = sum;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + r[TX ^ 33];
    __syncthreads();
    s[TX] = h[(BX * k + i) * TILE + TX];
    r[TX + i] = sum;
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33] + r[TX ^ 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
