// RUN: %rewritten %s --temp %t.d
// Tile loops with conditions that all threads of the block share, read from memory that nobody promised to leave alone: masks, lists, row
// pointers and limits. The next iteration is asked for ahead, so that its loads pass what the loop writes: where that may be what they
// read, a test on entry finds out.
// TEXT: levels=O3,O1,O0 archs=sm_75,sm_90 stages=2,5
#include "skips.cuh"

// ---- nothing is written in the loop ----

// CASE: plain_mask tile=pipelined block=64 full with=k=0,1,2,5,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL plain_mask(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// By bits, of an unsigned counter.
// CASE: mask_bits tile=pipelined block=64 full with=k=0,1,2,33 -- rand:{max(4,4*T*k)} rand:{max(4,8*k)} zero:{4*T} i32:{k}
KERNEL mask_bits(const u32 *g, const u32 *mask, u32 *out, unsigned k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (unsigned i = 0; i < k; i++)
    if (mask[BX * ((k + 31) / 32) + i / 32] >> (i % 32) & 1) {
      BOTH(i);
    }
  out[ROW] = sum;
}
// Bytes, of a long counter.
// CASE: mask_bytes tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i64:{k}
KERNEL mask_bytes(const u32 *g, const unsigned char *mask, u32 *out, long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (long i = 0; i < k; i++) {
    if (mask[i] < 100) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// Two pointers walk.
// CASE: mask_pointer tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL mask_pointer(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  const u32 *p = g + BX * k * TILE;
  for (const u32 *m = mask; m != mask + k; m++, p += TILE) {
    if (*m & 1) continue;
    s[TX] = p[TX];
    __syncthreads();
    USE;
    __syncthreads();
  }
  out[ROW] = sum;
}
// CASE: list tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} iota:{max(1,k)} zero:{4*T} i32:{k}
KERNEL list(const u32 *g, const int *index, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    int j = index[i];
    if (j % 3 == 1) continue;
    BOTH(j);
  }
  out[ROW] = sum;
}
// CASE: chain tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} iota:{max(1,k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL chain(const u32 *g, const int *index, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    int j = index[i];
    if (mask[j] & 1) continue;
    BOTH(j);
  }
  out[ROW] = sum;
}
// CASE: plain_break tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL plain_break(const u32 *g, const u32 *end, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (end[i] % 8 == 3) break;
    if (end[i] % 8 == 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
__device__ u32 table[16] = {1, 0, 3, 1, 2, 0, 0, 5, 1, 4, 2, 3, 1, 1, 0, 0};
// CASE: device_array tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL device_array(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (table[i % 16] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
template <class T> __device__ inline bool wanted(const T *mask, int i) { return mask[i] % 3 != 1; }
// CASE: by_template tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL by_template(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  #pragma unroll 1
  for (int i = 0; i < k; i++) {
    if (!wanted(mask, i)) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// CASE: shared_mask tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(256,4*k)} zero:{4*T} i32:{k}
KERNEL shared_mask(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE], own[TILE];
  u32 sum = 0;
  own[TX] = mask[TX];
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if (own[i] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}

// ---- the loop writes ----

// Apart; the mask itself, its end, its beginning, and in front of it: there the loop stays as it was.
// CASE: streams tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{max(4,4*T*k)} zero:{4*T} i32:{k}
// CASE: streams tile=pipelined block=64 grid=1 full with=k=5 with=o=-256,-4,-1,0,1,4,5 -- rand:{4*T*k} ref:2+{4*(64*k+o)} rand:{4*T*(2*k+2)} zero:{4*T} i32:{k}
// CASE: streams tile=pipelined block=64 grid=1 full with=k=9 with=o=-640,-64,-9,-1,0 -- rand:{4*T*k} rand:{4*T*(2*k+2)} ref:1+{4*(64*k+64+o)} zero:{4*T} i32:{k}
KERNEL streams(const u32 *g, const u32 *mask, u32 *w, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    KEEP(i);
    __syncthreads();
  }
  out[ROW] = sum;
}
// Of two counters, the second says where it stores.
// CASE: two_counters tile=pipelined block=64 grid=1 full with=k=1,2,5 -- rand:{4*T*k} rand:{4*k} zero:{4*T*(3*k+1)} i32:{k}
// CASE: two_counters tile=pipelined block=64 grid=1 full with=k=5 with=o=2,3 -- rand:{4*T*k} ref:2+{4*64*o*k+8} rand:{4*T*(3*k+1)} i32:{k}
KERNEL two_counters(const u32 *__restrict__ g, const u32 *mask, u32 *w, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0, j = 3 * k; i < k; i++, j -= 2) {
    if (mask[i] & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    w[j * TILE + TX] = sum;
    __syncthreads();
  }
}
// The index of the mask wraps around.
// CASE: wraps tile=pipelined block=64 grid=1 full with=k=6 with=o=132,140,150,161 -- rand:{4*T*k} ref:2+{4*o} rand:{4*T*k+2048} i32:{k}
KERNEL wraps(const u32 *__restrict__ g, const u32 *mask, u32 *w, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[(unsigned char)(i - 4)] & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    KEEP(i);
    __syncthreads();
  }
}
// What is copied is promised, the mask is not.
// CASE: streams_long tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{max(4,4*T*k)} i64:{k}
// CASE: streams_long tile=pipelined block=64 grid=1 full with=k=5 with=o=-4,-1,0,1,4,5 -- rand:{4*T*k} ref:2+{4*(64*k+o)} rand:{4*T*(2*k+2)} i64:{k}
KERNEL streams_long(const u32 *__restrict__ g, const u32 *mask, u32 *w, long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (long i = 0; i < k; i++) {
    if (mask[i] & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    KEEP(i);
    __syncthreads();
  }
}
// CASE: streams_down tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{max(4,4*T*k)} i32:{k}
// CASE: streams_down tile=pipelined block=64 grid=1 full with=k=5 with=o=-4,-1,0,1,4,5 -- rand:{4*T*k} ref:2+{4*o+4*64} rand:{4*T*(2*k+2)} i32:{k}
KERNEL streams_down(const u32 *g, const u32 *mask, u32 *w, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = k - 1; i >= 0; i--) {
    if (mask[i] & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    KEEP(i);
    __syncthreads();
  }
}
// How far the loop goes is read in every iteration.
// CASE: limit tile=pipelined block=64 full with=k=1,2,9 -- rand:{4*T*k} iota:{k+1} zero:{4*T*k} i32:{k}
// CASE: limit tile=pipelined block=64 grid=1 full with=k=5 with=o=0,64,100,300 -- rand:{4*T*k} ref:2+{4*o} iota:{T*(k+2)} i32:{k}
KERNEL limit(const u32 *g, const int *most, u32 *w, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < most[k - 1] && i < k; i++) {
    FILL(i);
    __syncthreads();
    USE;
    KEEP(i);
    __syncthreads();
  }
}
// Where a row of blocks ends is read in every iteration.
// CASE: rows_of_blocks tile=pipelined block=64 full with=k=1,2,9 -- rand:{4*T*k} iota:{k+1} iota:{k+1} zero:{4*T} i32:{k}
KERNEL rows_of_blocks(const u32 *g, const int *first, const int *column, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int b = first[BX % k]; b < first[BX % k + 1]; b++) {
    int c = column[b];
    BOTH(c);
  }
  out[ROW] = sum;
}
// How far the stores go is read from what they may lie over: nobody can test it on entry.
// CASE: rows_stored tile=none block=64 full with=k=1,2,9 -- rand:{4*T*k} iota:{k+1} zero:{4*T*k} i32:{k}
KERNEL rows_stored(const u32 *g, const int *first, u32 *w, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int b = first[BX % k]; b < first[BX % k + 1]; b++) {
    FILL(b);
    __syncthreads();
    USE;
    KEEP(b);
    __syncthreads();
  }
}
// The mask is written in the loop, by the thread that reads it next, or by another.
// CASE: written tile=none block=64 grid=1 full with=k=1,2,5 -- rand:{max(4,4*T*k)} zero:{4*k+4} zero:{4*T} i32:{k}
KERNEL written(const u32 *__restrict__ g, u32 *mask, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) continue;
    FILL(i);
    __syncthreads();
    USE;
    if (TX == 5) mask[i + 1] = s[5];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Written in front of the loop, for iterations behind its first barrier.
// CASE: written_before tile=pipelined block=64 grid=1 full with=k=1,2,5,9 -- rand:{max(4,4*T*k)} zero:{4*k+4} zero:{4*T} i32:{k}
KERNEL written_before(const u32 *__restrict__ g, u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  if (TX > 0 && TX < k) mask[TX] = g[TX];
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// Each warp asks a place of its own: it holds what it loads itself.
// CASE: own_place tile=held block=64 grid=1 full with=k=0 -- rand:{max(4,4*T*k)} zero:{4*T} zero:{4*T} i32:{k}
KERNEL own_place(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[TX / 32 + i] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// The list in shared memory is written in the loop.
// CASE: shared_written tile=none block=64 full with=k=1,2,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL shared_written(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], own[TILE];
  u32 sum = 0;
  own[TX] = TX + 1;
  __syncthreads();
  for (int i = 0; i < k; i++) {
    if (own[i] % 3 == 0) continue;
    FILL(i);
    __syncthreads();
    USE;
    if (TX == 7) own[i + 1] = s[3];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Warps are ordered by more than barriers: each may have read another mask.
// CASE: ordered_otherwise tile=held block=64 grid=1 full with=k=1,5 -- rand:{max(4,4*T*k)} rand:{4*k} zero:4 zero:{4*T} i32:{k}
KERNEL ordered_otherwise(const u32 *g, const u32 *mask, u32 *count, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
  __nvvm_atom_add_gen_i((int *)count, 1) == 77 ? out[ROW] = 5 : 0;
}
// A warp makes fewer iterations, and what it has copied last stays in the tile.
// CASE: left_sooner tile=held block=64 grid=1 full with=k=6 -- rand:{4*T*k} iota:8 zero:{4*T} i32:{k}
KERNEL left_sooner(const u32 *__restrict__ g, const u32 *__restrict__ most, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  int last = most[2 + TX / 32 * 3];
  for (int i = 0; i < last; i++) {
    BOTH(i);
  }
  out[ROW] = sum;
}
// Weights.
// CASE: floats tile=pipelined block=64 full with=k=0,1,2,9 -- rand:{max(4,4*T*k)} frand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL floats(const u32 *g, const float *weight, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (weight[i] < 0.5f) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
