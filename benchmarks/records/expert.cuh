// What somebody writes who knows the memory system: CUB's warp transposition where records are computed on, one thread
// for each 16 bytes where they are only moved. Built by nvcc, in place of the plain kernels of the same names.
#pragma once
#include <cub/block/block_load.cuh>
#include <cub/block/block_store.cuh>

enum { EXPERT_BLOCK = 128 };   // keeps the shared memory of 128-byte records at 17 kB a block

template <int M> using LoadWords = cub::BlockLoad<uint32_t, EXPERT_BLOCK, M, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
template <int M> using StoreWords = cub::BlockStore<uint32_t, EXPERT_BLOCK, M, cub::BLOCK_STORE_WARP_TRANSPOSE>;

template <int M> __device__ int words_left(int n) { return min(n - (int)(blockIdx.x * EXPERT_BLOCK), (int)EXPERT_BLOCK) * M; }

// The block's records, one a thread. The last block is short.
template <int M> __device__ void load_records(typename LoadWords<M>::TempStorage &room, const uint32_t *in, uint32_t (&v)[M], int n) {
  int left = words_left<M>(n);
  in += (size_t)blockIdx.x * EXPERT_BLOCK * M;
  if (left == EXPERT_BLOCK * M) LoadWords<M>(room).Load(in, v);
  else LoadWords<M>(room).Load(in, v, left, 0u);
}

template <int M> __device__ void store_records(typename StoreWords<M>::TempStorage &room, uint32_t *out, uint32_t (&v)[M], int n) {
  int left = words_left<M>(n);
  out += (size_t)blockIdx.x * EXPERT_BLOCK * M;
  if (left == EXPERT_BLOCK * M) StoreWords<M>(room).Store(out, v);
  else StoreWords<M>(room).Store(out, v, left);
}

// 16 bytes a thread, whatever the records are. What is left of the end, under 16 bytes, goes word by word.
static inline __device__ void copy_pieces(const void *in, void *out, size_t bytes) {
  size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x, pieces = bytes / 16;
  if (at < pieces) ((uint4 *)out)[at] = ((const uint4 *)in)[at];
  else if (at == pieces)
    for (size_t w = 4 * pieces; w < bytes / 4; w++) ((uint32_t *)out)[w] = ((const uint32_t *)in)[w];
}
