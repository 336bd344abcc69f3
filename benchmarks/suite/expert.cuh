// What the versions by hand are made of. Built by nvcc; they stand in place of the plain kernels of the same names.
#pragma once

// A block's records go through shared memory, so that neighbours move neighbouring words. An odd pitch keeps banks apart.
template <class Record, int THREADS> struct Stage {
  enum { WORDS = sizeof(Record) / 4, PITCH = WORDS | 1 };
  uint32_t word[THREADS * PITCH];

  static __device__ int words_of_block(int n) { return min(n - (int)(blockIdx.x * THREADS), (int)THREADS) * WORDS; }
  __device__ uint32_t &at(int w) { return word[w / WORDS * PITCH + w % WORDS]; }

  // The calling thread's record; every thread of the block must call, those past the end get anything.
  __device__ Record load(const void *records, int n) {
    const uint32_t *from = (const uint32_t *)records + (size_t)blockIdx.x * THREADS * WORDS;
    int words = words_of_block(n);
#pragma unroll 8
    for (int w = threadIdx.x; w < words; w += THREADS) at(w) = from[w];
    __syncthreads();
    union { Record r; uint32_t w[WORDS]; } mine;
#pragma unroll
    for (int k = 0; k < WORDS; k++) mine.w[k] = word[threadIdx.x * PITCH + k];
    return mine.r;
  }

  __device__ void store(void *records, const Record &r, int n) {
    uint32_t *to = (uint32_t *)records + (size_t)blockIdx.x * THREADS * WORDS;
    int words = words_of_block(n);
    union { Record r; uint32_t w[WORDS]; } mine;
    mine.r = r;
    __syncthreads();   // the room may hold what was loaded
#pragma unroll
    for (int k = 0; k < WORDS; k++) word[threadIdx.x * PITCH + k] = mine.w[k];
    __syncthreads();
#pragma unroll 8
    for (int w = threadIdx.x; w < words; w += THREADS) to[w] = at(w);
  }
};

template <class T, int N> struct Many { T v[N]; };

// A warp for each row.
enum { WARP = 32 };
static __device__ inline int warp_row() { return (int)((blockIdx.x * blockDim.x + threadIdx.x) / WARP); }
static __device__ inline int lane() { return threadIdx.x % WARP; }

template <class T, class Op> __device__ T warp_reduce(T v, Op op, int lanes = WARP) {
  for (int half = lanes / 2; half > 0; half /= 2) v = op(v, __shfl_xor_sync(~0u, v, half));
  return v;
}
template <class T> __device__ T warp_sum(T v, int lanes = WARP) {
  return warp_reduce(v, [](T a, T b) { return a + b; }, lanes);
}

template <class T> __device__ T dot_of_row(const T *row, const T *x, int columns) {
  T sum = 0;
#pragma unroll 8
  for (int j = lane(); j < columns; j += WARP) sum += row[j] * x[j];
  return warp_sum(sum);
}
