// RUN: %rewritten %s --temp %t.d
// Hazard 14: waits count the groups of one thread. The user's own groups must not be mixed with ours, and threads that copy
// nothing must count as those that do.
// TEXT: levels=O3,O1 archs=sm_90 stages=2,5
#include "tiles.cuh"
#define SHARED(p) ((void __attribute__((address_space(3))) *)(p))
#define GLOBAL(p) ((const void __attribute__((address_space(1))) *)(p))

// A second array comes by the user's own asynchronous copies, one tile ahead.
// CASE: own_groups tile=none block=64 full with=k=0..5 -- rand:{4*T*(k+1)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL own_groups(const u32 *h, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], ring[2][TILE];
  u32 sum = 0;
  const u32 *mine = h + BX * (k + 1) * TILE;
  __nvvm_cp_async_ca_shared_global_4(SHARED(&ring[0][TX]), GLOBAL(&mine[TX]));
  __nvvm_cp_async_commit_group();
  for (int i = 0; i < k; i++) {
    __nvvm_cp_async_ca_shared_global_4(SHARED(&ring[(i + 1) & 1][TX]), GLOBAL(&mine[(i + 1) * TILE + TX]));
    __nvvm_cp_async_commit_group();
    s[TX] = g[(BX * k + i) * TILE + TX];
    __nvvm_cp_async_wait_group(1);
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + 3 * ring[i & 1][TILE - 1 - TX];
    __syncthreads();
  }
  __nvvm_cp_async_wait_all();
  out[ROW] = sum;
}
// A group of the user's is on its way when the loop begins, and is waited for behind it.
// CASE: around block=64 full with=k=0..5 -- rand:{4*T} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL around(const u32 *h, const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], once[TILE];
  u32 sum = 0;
  __nvvm_cp_async_ca_shared_global_4(SHARED(&once[TX]), GLOBAL(&h[ROW]));
  __nvvm_cp_async_commit_group();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  __nvvm_cp_async_wait_group(0);
  __syncthreads();
  out[ROW] = sum + once[TILE - 1 - TX];
}
// Half of the threads copy: all must commit and wait alike.
// CASE: half_copies tile=pipelined block=64 full with=k=0..9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL half_copies(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < TILE / 2) {
      s[2 * TX] = g[(BX * k + i) * TILE + 2 * TX];
      s[2 * TX + 1] = g[(BX * k + i) * TILE + 2 * TX + 1];
    }
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Threads copy unequal numbers of elements, and some none.
// CASE: uneven tile=pipelined block=64 full with=k=0..5 with=m=1,63,65,100,200 -- rand:{max(4,4*2*m*k)} zero:{4*T} i32:{m} i32:{k}
KERNEL uneven(const u32 *g, u32 *out, int m, int k) {
  __shared__ u32 s[200];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int c = TX; c < m; c += TILE) s[c] = g[(BX * k + i) * m + c];
    __syncthreads();
    sum = sum * 31 + s[(3 * TX) % m];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two arrays of unequal sizes: one group a stage, or two, but always as many.
// CASE: two_arrays tile=pipelined block=64 full with=k=0..9 -- rand:{max(16,16*T*k)} rand:{max(4,4*2*k)}:5 zero:{4*T} i32:{k}
KERNEL two_arrays(const V4 *g, const u32 *h, u32 *out, int k) {
  __shared__ V4 s[TILE];
  __shared__ u32 scale;
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    if (TX == 7) scale = h[BX * k + i];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX].x * scale + s[TX ^ 9].w;
    __syncthreads();
  }
  out[ROW] = sum;
}
