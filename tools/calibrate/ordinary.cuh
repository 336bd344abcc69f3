// Ordinary code, which the plugin compiles: each kernel stands there twice, as clang leaves it and as the pass rewrites it. So what is
// measured has all the tests, shuffles and shelves that a rewrite has in a program.
#pragma once
#include "kernels.cuh"

#define REWRITTEN __attribute__((annotate("coalda.always"))) __global__

// ---- records --------------------------------------------------------------------------------------------------------------

template <int M, class Place> __device__ void load_record(const Words<M> *in, Place place, uint32_t *out) {
  Words<M> r = in[place(first_item())];
  uint32_t sum = FOLD_START;
#pragma unroll
  for (int k = 0; k < M; k++) sum = fold(sum, r.w[k]);
  out[first_item()] = sum;
}
template <int M, class Place> AS_IS void left_load(const Words<M> *in, Place place, uint32_t *out) { load_record<M>(in, place, out); }
template <int M, class Place> REWRITTEN void rewritten_load(const Words<M> *in, Place place, uint32_t *out) { load_record<M>(in, place, out); }

template <int M> __device__ void store_record(Words<M> *out) {
  Words<M> r;
#pragma unroll
  for (int k = 0; k < M; k++) r.w[k] = hash(first_item() * M + k);
  out[first_item()] = r;
}
template <int M> AS_IS void left_store(Words<M> *out) { store_record<M>(out); }
template <int M> REWRITTEN void rewritten_store(Words<M> *out) { store_record<M>(out); }

// New words from two old ones, of a record that is exchanged on its way in and on its way out.
BOTH inline uint32_t mixed(uint32_t w, uint32_t next) { return w ^ next * FOLD_FACTOR; }

template <int M> __device__ void compute_record(const Words<M> *in, Words<M> *out) {
  Words<M> r = in[first_item()], s;
#pragma unroll
  for (int k = 0; k < M; k++) s.w[k] = mixed(r.w[k], r.w[(k + 1) % M]);
  out[first_item()] = s;
}
template <int M> REWRITTEN void rewritten_compute(const Words<M> *in, Words<M> *out) { compute_record<M>(in, out); }

// ---- rows: as many bytes at a time as `block` says ---------------------------------------------------------------------------

static __device__ void fold_row(const uint32_t *in, int length, uint32_t *out) {
  const uint32_t *row = in + first_item() * (size_t)length;
  uint32_t sum = FOLD_START;
  for (int k = 0; k < length; k++) sum = fold(sum, row[k]);
  out[first_item()] = sum;
}
static AS_IS void left_row(const uint32_t *in, int length, uint32_t *out) { fold_row(in, length, out); }
static REWRITTEN __attribute__((annotate("coalda.block=32"))) void row_by_32(const uint32_t *in, int length, uint32_t *out) {
  fold_row(in, length, out);
}
static REWRITTEN __attribute__((annotate("coalda.block=64"))) void row_by_64(const uint32_t *in, int length, uint32_t *out) {
  fold_row(in, length, out);
}
static REWRITTEN __attribute__((annotate("coalda.block=128"))) void row_by_128(const uint32_t *in, int length, uint32_t *out) {
  fold_row(in, length, out);
}
