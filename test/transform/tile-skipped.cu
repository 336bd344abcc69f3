// RUN: %rewritten %s --temp %t.d
// RUN: echo "FULL 0 threads" > %t.cost && echo "LONE_RUN 3072 bytes" >> %t.cost && echo "SKIP_TILES 1 iterations" >> %t.cost && echo "SKIP_BYTES 0 bytes" >> %t.cost
// RUN: %rewritten %s --temp %t.full --opt "%opt -coalda-cost=%t.cost"
// Loops that leave iterations out, of few iterations, stay as they were in a launch that fills the GPU, which each launch does under the
// second table.
// TEXT: levels=O3,O1 archs=sm_90
#include "skips.cuh"

// CASE: skipped tile=pipelined aside=yes block=64 full with=k=0,1,2,3,4,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL skipped(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) continue;
    BOTH(i);
  }
  out[ROW] = sum;
}
// A condition around the tile; unsigned, downwards.
// CASE: around tile=pipelined aside=yes block=64 full with=k=0,1,2,3,4,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL around(const u32 *g, const u32 *mask, u32 *out, unsigned k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (unsigned i = k; i > 0; i--)
    if (mask[i - 1] & 3) {
      BOTH(i - 1);
    }
  out[ROW] = sum;
}
// 64 bits; what has been summed is stored on the way, so that the fast version has a test of its own.
// CASE: stored tile=pipelined aside=yes block=64 full with=k=0,1,2,5,9,12 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{max(4,4*T*k)} i64:{k}
KERNEL stored(const u32 *g, const u32 *mask, u32 *w, long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (long i = 0; i < k; i++) {
    if (mask[i] % 3 == 0) continue;
    BOTH(i);
    KEEP(i);
  }
}
// Pointers.
// CASE: pointers tile=pipelined aside=yes block=64 full with=k=0,1,2,3,4,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL pointers(const u32 *g, const u32 *mask, u32 *out, int k) {
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
// In a loop of all threads.
// CASE: rows tile=held aside=yes block=64 full with=k=0,1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,12*k)} zero:{4*T} i32:{k}
KERNEL rows(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int r = 0; r < 3; r++) {
    sum ^= r;
    for (int i = 0; i < k; i++) {
      if (mask[r * k + i] & 1) continue;
      BOTH(i);
    }
  }
  out[ROW] = sum;
}
// Threads make different numbers of iterations, the last of which do nothing: of the second loop they would not be of one mind.
// CASE: uneven tile=held aside=yes block=64 grid=1 full with=k=1,2,3,4,9 -- rand:{4*T*k} rand:{4*k} zero:{4*T} i32:{k}
KERNEL uneven(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) continue;
    BOTH(i);
  }
  for (int i = 0; i < k + (int)TX / 8; i++) {
    if ((i & 31) >= k) continue; // of no stretch, as far as anybody knows
    BOTH(k - 1 - i);
  }
  out[ROW] = sum;
}
