// RUN: %rewritten %s --temp %t.d
// RUN: echo "FULL 0 threads" > %t.cost
// RUN: %rewritten %s --temp %t.full --opt "%opt -coalda-cost=%t.cost"
// Loops that leave iterations out, and end nobody knows when, stay as they were in a launch that fills the GPU, which each launch does under
// the second table, if a thread moves little in them.
// TEXT: levels=O3,O1 archs=sm_90
#include "skips.cuh"

// Nobody knows beforehand how many iterations there are: the launch alone is asked for.
// CASE: ends tile=pipelined aside=yes block=64 full with=k=0,1,2,3,4,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{4*T} i32:{k}
KERNEL ends(const u32 *g, const u32 *mask, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) break;
    BOTH(i);
  }
  out[ROW] = sum;
}
// Threads that move more than a word a tile are asked nothing then.
// CASE: ends_stored tile=pipelined aside=no block=64 full with=k=0,1,2,3,4,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*k)} zero:{max(4,8*T*k)} i32:{k}
KERNEL ends_stored(const u32 *__restrict__ g, const u32 *__restrict__ mask, unsigned long long *__restrict__ w, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (mask[i] & 1) break;
    BOTH(i);
    KEEP(i);
  }
}
// A list that ends itself.
// CASE: until tile=pipelined aside=yes block=64 full with=k=1,2,5,9 -- rand:{4*T*k} iota:{k} zero:{4*T} i32:{k}
KERNEL until(const u32 *__restrict__ g, const u32 *__restrict__ list, u32 *__restrict__ out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; list[i] != k - 1; i++) {
    if (list[i] % 3 == 1) continue;
    BOTH(list[i]);
  }
  out[ROW] = sum;
}
