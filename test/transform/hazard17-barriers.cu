// RUN: %rewritten %s --temp %t.d
// Hazard 17: the barriers around a tile protect something else too, and cannot be taken away with the tile.
// TEXT: levels=O3,O1 archs=sm_75,sm_90 stages=2,5
#include "tiles.cuh"

// The first barrier: another array in shared memory is written beside the tile.
// CASE: beside tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL beside(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    r[TX] = i * TX;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 3 * r[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The second barrier: what was written before it is read behind it.
// CASE: behind tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL behind(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    r[TX] = sum;
    __syncthreads();
    sum ^= r[TX ^ 33];
  }
  out[ROW] = sum;
}
// Both: each protects the array from the other half of the iteration.
// CASE: to_and_fro tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL to_and_fro(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  r[TX] = TX;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    u32 seen = r[TX ^ 33];
    __syncthreads();
    r[TX] = seen + s[TILE - 1 - TX];
    __syncthreads();
    sum = sum * 31 + seen;
  }
  out[ROW] = sum ^ r[TX ^ 1];
}
// Threads of the block talk through memory.
// CASE: through_memory block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} zero:{4*T} i32:{k}
KERNEL through_memory(const u32 *__restrict__ g, u32 *post, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + post[ROW ^ 33];
    __syncthreads();
    post[ROW] = sum;
  }
  out[ROW] = sum;
}
// The barrier counts.
// CASE: counting tile=none block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL counting(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    sum += __nvvm_bar0_popc(sum & 1);
  }
  out[ROW] = sum;
}
// The last barrier protects what comes after the loop.
// CASE: last_one tile=pipelined block=64 full with=k=1..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL last_one(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    if (i == k - 1) r[TX] = sum;
    __syncthreads();
  }
  out[ROW] = r[TX ^ 33];
}
// The first barrier of the loop protects what was written before the loop.
// CASE: first_one tile=pipelined block=64 full with=k=1..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL first_one(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  r[TX] = TX * 7;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + r[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A third barrier, in the middle.
// CASE: three tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL three(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    r[TX] = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    sum = r[TX ^ 33] + s[TX ^ 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The barrier that frees the tile comes first, and where the copy reads is computed above it.
// CASE: above tile=pipelined block=64 full with=k=0..9 -- rand:{4*T*(3*k+1)} zero:{4*T} i32:{k}
KERNEL above(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    int at = i * 3 * TILE;
    sum += at ^ 5;
    __syncthreads();
    s[TX] = g[at + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
  }
  out[ROW] = sum;
}
// CASE: above_converted tile=held block=64 full with=k=0..9 -- rand:{T*(3*k+1)} zero:{4*T} i32:{k}
KERNEL above_converted(const u8 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    int at = i * 3 * TILE;
    sum += at ^ 5;
    __syncthreads();
    s[TX] = g[at + TX] * 3;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
  }
  out[ROW] = sum;
}
// What is above it is loaded, in every iteration: an index.
// CASE: index_above tile=pipelined block=64 full with=k=0..5 -- rand:1024 perm:{max(1,T*k)} zero:{4*T} i32:{k}
KERNEL index_above(const u32 *g, const u32 *index, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    int at = index[(BX * k + i) * TILE + TX] & 255;
    sum += at ^ 5;
    __syncthreads();
    s[TX] = g[at];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
  }
  out[ROW] = sum;
}
// It is loaded for some threads alone.
// CASE: guarded_above tile=none block=64 full with=k=0..5 with=c=0,50,1000 -- rand:1024 perm:{max(1,T*k)} zero:{4*T} i32:{c} i32:{k}
KERNEL guarded_above(const u32 *g, const u32 *index, u32 *out, int c, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    int at = 7;
    if (i * TILE + TX < c) at = index[(BX * k + i) * TILE + TX] & 255;
    sum += at ^ 5;
    __syncthreads();
    s[TX] = g[at];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
  }
  out[ROW] = sum;
}
