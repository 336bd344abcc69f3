// Each thread loads a record, computes every field anew from two of the old ones, and stores the record.
#include "../bench.h"
#include "sizes.h"

// New field k of a record of M words.
template <int M> __device__ void step(const uint32_t (&v)[M], uint32_t (&r)[M]) {
#pragma unroll
  for (int k = 0; k < M; k++) r[k] = v[k] * 3 + v[(k + 1) % M];
}

#ifdef BENCH_EXPERT
#include "expert.cuh"
enum { THREADS = EXPERT_BLOCK };
template <int M> __device__ void compute(const Words<M> *in, Words<M> *out, int n) {
  __shared__ union {
    typename LoadWords<M>::TempStorage load;
    typename StoreWords<M>::TempStorage store;
  } room;
  uint32_t v[M], r[M];
  load_records<M>(room.load, in->w, v, n);
  step(v, r);
  __syncthreads();
  store_records<M>(room.store, out->w, r, n);
}
#define COMPUTE(bytes) \
  extern "C" __global__ void compute_##bytes(const Words<bytes / 4> *in, Words<bytes / 4> *out, int n) { compute(in, out, n); }
#else
enum { THREADS = BLOCK };
#define COMPUTE(bytes) \
  extern "C" __global__ void compute_##bytes(const Words<bytes / 4> *in, Words<bytes / 4> *out, int n) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= n) return; \
    Words<bytes / 4> v = in[i], r; \
    step(v.w, r.w); \
    out[i] = r; \
  }
#endif
RECORD_SIZES(COMPUTE)

template <int M> struct Stepped : Straight<uint32_t> {
  BOTH uint32_t value(size_t w) const {
    size_t next = w % M == M - 1 ? w - (M - 1) : w + 1;
    return 3 * hash(w) + hash(next);
  }
};

template <int M> Work work(const char *name, void (*kernel)(const Words<M> *, Words<M> *, int)) {
  auto run = [=](const Arrays &a, size_t n) {
    kernel<<<grid_of(n, THREADS), THREADS>>>((const Words<M> *)a.in, (Words<M> *)a.out, (int)n);
  };
  return {name, "compute", 4 * M, 8 * M, run, expects(Stepped<M>{}, M)};
}

int main(int argc, char **argv) {
#define LIST(bytes) work("compute_" #bytes, compute_##bytes),
  return bench_main(argc, argv, {RECORD_SIZES(LIST)});
}
