// One side alone: each thread loads a record and stores one word, or makes a record from its index and stores it.
#include "../bench.h"
#include "sizes.h"

template <int M> __device__ uint32_t digest(const uint32_t (&v)[M]) {
  uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < M; k++) sum += (k + 1) * v[k];
  return sum;
}

BOTH inline uint32_t made(uint32_t record, uint32_t field, uint32_t seed) { return (record + field) * 2654435761u ^ seed; }

template <int M> __device__ void make(uint32_t (&r)[M], int i, uint32_t seed) {
#pragma unroll
  for (int k = 0; k < M; k++) r[k] = made(i, k, seed);
}

#ifdef BENCH_EXPERT
#include "expert.cuh"
enum { THREADS = EXPERT_BLOCK };
template <int M> __device__ void load_side(const Words<M> *in, uint32_t *out, int n) {
  __shared__ typename LoadWords<M>::TempStorage room;
  uint32_t v[M];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  load_records<M>(room, in->w, v, n);
  if (i < n) out[i] = digest(v);
}
template <int M> __device__ void store_side(Words<M> *out, uint32_t seed, int n) {
  __shared__ typename StoreWords<M>::TempStorage room;
  uint32_t r[M];
  make(r, blockIdx.x * blockDim.x + threadIdx.x, seed);
  store_records<M>(room, out->w, r, n);
}
#define LOAD(bytes) \
  extern "C" __global__ void load_##bytes(const Words<bytes / 4> *in, uint32_t *out, int n) { load_side(in, out, n); }
#define STORE(bytes) \
  extern "C" __global__ void store_##bytes(Words<bytes / 4> *out, uint32_t seed, int n) { store_side(out, seed, n); }
#else
enum { THREADS = BLOCK };
#define LOAD(bytes) \
  extern "C" __global__ void load_##bytes(const Words<bytes / 4> *in, uint32_t *out, int n) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= n) return; \
    Words<bytes / 4> v = in[i]; \
    out[i] = digest(v.w); \
  }
#define STORE(bytes) \
  extern "C" __global__ void store_##bytes(Words<bytes / 4> *out, uint32_t seed, int n) { \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= n) return; \
    Words<bytes / 4> r; \
    make(r.w, i, seed); \
    out[i] = r; \
  }
#endif
RECORD_SIZES(LOAD)
RECORD_SIZES(STORE)

enum : uint32_t { SEED = 0x5eed };
template <int M> struct Digests : Straight<uint32_t> {
  BOTH uint32_t value(size_t i) const {
    uint32_t sum = 0;
    for (int k = 0; k < M; k++) sum += (k + 1) * hash(i * M + k);
    return sum;
  }
};
template <int M> struct Made : Straight<uint32_t> {
  BOTH uint32_t value(size_t w) const { return made((uint32_t)(w / M), (uint32_t)(w % M), SEED); }
};

template <int M> Work load_work(const char *name, void (*kernel)(const Words<M> *, uint32_t *, int)) {
  auto run = [=](const Arrays &a, size_t n) {
    kernel<<<grid_of(n, THREADS), THREADS>>>((const Words<M> *)a.in, (uint32_t *)a.out, (int)n);
  };
  return {name, "load", 4 * M, 4 * M + 4, run, expects(Digests<M>{}, 1), 4};
}

template <int M> Work store_work(const char *name, void (*kernel)(Words<M> *, uint32_t, int)) {
  auto run = [=](const Arrays &a, size_t n) { kernel<<<grid_of(n, THREADS), THREADS>>>((Words<M> *)a.out, SEED, (int)n); };
  return {name, "store", 4 * M, 4 * M, run, expects(Made<M>{}, M)};
}

int main(int argc, char **argv) {
#define LIST_LOAD(bytes) load_work("load_" #bytes, load_##bytes),
#define LIST_STORE(bytes) store_work("store_" #bytes, store_##bytes),
  return bench_main(argc, argv, {RECORD_SIZES(LIST_LOAD) RECORD_SIZES(LIST_STORE)});
}
