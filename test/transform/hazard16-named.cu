// RUN: %rewritten %s --temp %t.d
// Hazard 16, of lists that threads read for themselves and not through the tile of their indices: the slot that is read was filled from the
// list in this iteration, by a thread that its number tells, and nobody writes the list meanwhile. Here that does not hold, or is asked
// on entry.
// TEXT: levels=O3 archs=sm_90 stages=2,3
#include "tiles.cuh"
enum { NAMES = 32 };
#define BARRIER __syncthreads()
#define DATA(j) g[((j) & 2047) * 2 + TX % 2]
#define USE(s) sum = sum * 31 + (s)[TILE - 1 - (TX & 63)] + 3 * (s)[(TX & 63) ^ 5]

// The loop writes the list's next indices, through the same pointer.
// CASE: written named=no tile=none block=64 full with=k=1,2,5 -- rand:{4*2*32*(k+1)}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL written(u32 *list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = list[(BX * (k + 1) + i) * NAMES + TX];
    BARRIER;
    s[TX] = DATA(ix[TX / 2]);
    BARRIER;
    USE(s);
    if (TX < NAMES) list[(BX * (k + 1) + i + 1) * NAMES + TX] += sum;
    BARRIER;
  }
  out[ROW] = sum;
}
// It writes the indices that it has read.
// CASE: cleared named=no block=64 full tile=none with=k=1,2,5 -- rand:{4*2*32*k}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL cleared(u32 *list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) {
      ix[TX] = list[(BX * k + i) * NAMES + TX];
      list[(BX * k + i) * NAMES + TX] = TX;
    }
    BARRIER;
    s[TX] = DATA(ix[TX / 2]);
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
// What the loop stores may be the list, and is: that is asked on entry.
// CASE: overlapping tile=pipelined named=yes block=64 grid=1 full with=k=1,2,5 -- rand:{4*T*(k+1)}:9 rand:16384 ref:0+0 i32:{k}
// CASE: overlapping tile=pipelined named=yes block=64 grid=1 full with=k=1,2,5 -- rand:{4*T*(k+1)}:9 rand:16384 ref:0+{4*32} i32:{k}
// CASE: overlapping tile=pipelined named=yes block=64 full with=k=1,2,5 -- rand:{4*T*(k+1)}:9 rand:16384 zero:{4*T*k} i32:{k}
KERNEL overlapping(const u32 *list, const u32 *__restrict__ g, u32 *out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = list[(BX * k + i) * TILE + TX];
    BARRIER;
    out[(BX * k + i) * TILE + TX] = sum;
    s[TX] = DATA(ix[TX / 2]);
    BARRIER;
    USE(s);
    BARRIER;
  }
}
// Each iteration fills the slots of the next one.
// CASE: filled_before named=no block=64 full with=k=1,2,5 -- rand:{4*2*32*(k+1)}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL filled_before(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  if (TX < NAMES) ix[TX] = list[BX * (k + 1) * NAMES + TX];
  BARRIER;
  for (int i = 0; i < k; i++) {
    s[TX] = DATA(ix[TX / 2]);
    BARRIER;
    if (TX < NAMES) ix[TX] = list[(BX * (k + 1) + i + 1) * NAMES + TX];
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
// The last tile fills some slots alone.
// CASE: partly named=no block=64 full with=m=1,31,32,33,100 -- rand:{4*m}:9 rand:16384 zero:{4*T} i32:{m}
KERNEL partly(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int m) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  if (TX < NAMES) ix[TX] = TX;
  for (int i = 0; i < m; i += NAMES) {
    BARRIER;
    if (TX < NAMES && i + TX < m) ix[TX] = list[i + TX];
    BARRIER;
    s[TX] = DATA(ix[TX / 2]);
    BARRIER;
    USE(s) + BX;
  }
  out[ROW] = sum;
}
// Half of what is read is filled; the other half stood there before.
// CASE: half named=no block=64 full with=k=1,2,5 -- rand:{4*2*32*k}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL half(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  if (TX < NAMES) ix[TX] = 3 * TX + 1;
  for (int i = 0; i < k; i++) {
    BARRIER;
    if (TX < NAMES / 2) ix[TX] = list[(BX * k + i) * NAMES / 2 + TX];
    BARRIER;
    s[TX] = DATA(ix[TX / 2]);
    BARRIER;
    USE(s);
  }
  out[ROW] = sum;
}
// A block has fewer threads than indices: the others stood there before. That is asked on entry.
// CASE: few_threads tile=pipelined named=yes block=16 full with=k=1,2,5 -- rand:{4*2*16*k}:9 rand:16384 zero:{4*T} i32:{k}
// CASE: few_threads tile=pipelined named=yes block=64 full with=k=1,2,5 -- rand:{4*2*64*k}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL few_threads(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  for (int j = TX; j < NAMES; j += blockDim.x) ix[j] = 3 * j + 1;
  for (int j = TX; j < TILE; j += blockDim.x) s[j] = j;
  for (int i = 0; i < k; i++) {
    BARRIER;
    if (TX < NAMES) ix[TX] = list[(BX * k + i) * (blockDim.x < 32 ? blockDim.x : 32) + TX];
    BARRIER;
    if (TX < TILE) s[TX] = DATA(ix[31 - TX % 64 / 2]);
    BARRIER;
    USE(s);
  }
  out[ROW] = sum;
}
// Two stores fill it.
// CASE: two_stores named=no block=64 full with=k=1,2,5 -- rand:{4*2*32*k}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL two_stores(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = list[(BX * k + i) * NAMES + TX];
    BARRIER;
    if (TX < 5) ix[TX] = TX;
    BARRIER;
    s[TX] = DATA(ix[TX / 2]);
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
// Turned round: the slot is not the thread's number.
// CASE: turned named=no block=64 full with=k=1,2,5 -- rand:{4*2*32*k}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL turned(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[(TX + 1) & 31] = list[(BX * k + i) * NAMES + TX];
    BARRIER;
    s[TX] = DATA(ix[TX / 2]);
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
// The second row of threads fills it; and what they store is told by their row.
// CASE: second_row named=no block=32,2 full with=k=1,2,5 -- rand:{4*4*32*(k+1)}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL second_row(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0, t = threadIdx.y * 32 + TX;
  for (int i = 0; i < k; i++) {
    if (threadIdx.y == 1) ix[TX] = list[(BX * k + i) * NAMES + NAMES * threadIdx.y + TX];
    BARRIER;
    s[t] = DATA(ix[t / 2]);
    BARRIER;
    sum = sum * 31 + s[TILE - 1 - t];
    BARRIER;
  }
  out[BX * 64 + t] = sum;
}
// The first row does.
// CASE: first_row tile=pipelined named=yes block=32,2 full with=k=1,2,5 -- rand:{4*4*32*k}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL first_row(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0, t = threadIdx.y * 32 + TX;
  for (int i = 0; i < k; i++) {
    if (threadIdx.y < 1) ix[TX] = list[(BX * k + i) * NAMES + TX];
    BARRIER;
    s[t] = DATA(ix[t / 2]);
    BARRIER;
    sum = sum * 31 + s[TILE - 1 - t];
    BARRIER;
  }
  out[BX * 64 + t] = sum;
}
// What is stored is made of a value that each thread has for itself.
// CASE: own_value named=no block=64 full with=k=1,2,5 -- rand:{4*2*32*k}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL own_value(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[NAMES], s[TILE];
  u32 sum = 0, own = g[TX];
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = list[(BX * k + i) * NAMES + TX] ^ own;
    BARRIER;
    s[TX] = DATA(ix[TX / 2]);
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
// Slots are as wide as what is read through them: halves of an index are not it.
// CASE: narrow named=no block=64 full with=k=1,2,5 -- rand:{4*2*64*k}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL narrow(const u32 *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[TILE], s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    ix[TX] = list[(BX * k + i) * TILE + TX];
    BARRIER;
    s[TX] = DATA(((const unsigned short *)ix)[TX]);
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
// Longs stay: they take twice the registers.
// CASE: longs named=no block=64 full with=k=1,2,5 -- rand:{8*2*32*k}:9 rand:16384 zero:{4*T} i32:{k}
KERNEL longs(const long long *__restrict__ list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ long long ix[NAMES];
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < NAMES) ix[TX] = list[(BX * k + i) * NAMES + TX];
    BARRIER;
    s[TX] = DATA(ix[TX / 2]);
    BARRIER;
    USE(s);
    BARRIER;
  }
  out[ROW] = sum;
}
// No barrier of the last iteration stands behind what reads the indices there: who writes the list afterwards waits for its filling alone.
// CASE: after_loop block=64 full with=k=1,5 -- rand:{4*32*2*k} rand:16384 zero:{4*T} i32:{k}
KERNEL after_loop(u32 *list, const u32 *__restrict__ g, u32 *__restrict__ out, int k) {
  __shared__ u32 ix[32], s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    __syncthreads();
    if (TX < 32) ix[TX] = list[(BX * k + i) * 32 + TX];
    __syncthreads();
    s[TX] = g[(ix[TX / 2] & 2047) * 2 + TX % 2];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + g[(ix[31 - TX / 2] & 2047) * 2 + TX % 2];
  }
  if (TX < 32) list[(BX * k + k - 1) * 32 + TX] = 7 + TX;
  out[ROW] = sum;
}
// Another block is let on once the tile is filled, and writes the list.
// CASE: released named=no block=64 grid=2 full with=k=1,5 -- rand:{4*32*k} rand:16384 zero:{4*T} i32:{k} zero:64
KERNEL released(u32 *list, const u32 *__restrict__ g, u32 *__restrict__ out, int k, int *flag) {
  __shared__ u32 ix[32], s[TILE];
  u32 sum = 0;
  if (BX == 0) {
    if (TX == 0)
      while (__atomic_load_n(flag, __ATOMIC_ACQUIRE) < k) {}
    __syncthreads();
    if (TX < 32) list[(k - 1) * 32 + TX] = 7 + TX;
    return;
  }
  for (int i = 0; i < k; i++) {
    if (TX < 32) ix[TX] = list[i * 32 + TX];
    __syncthreads();
    if (TX == 0) __atomic_fetch_add(flag, 1, __ATOMIC_RELEASE);
    s[TX] = g[(ix[TX / 2] & 2047) * 2 + TX % 2];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
