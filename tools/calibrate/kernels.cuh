// What is timed: each kernel is spelled out as it is run, plain or exchanged by hand, with loads and stores in PTX, which no
// compiler merges or widens. Word w of the input is hash(w). Every thread folds what it has loaded into one word, which it
// writes.
#pragma once
#include "../../benchmarks/bench.h"

enum { WARP = 32, WORD = 4, PIECE = 16, PIECE_WORDS = PIECE / WORD };
enum : uint32_t { FOLD_START = 17, FOLD_FACTOR = 0x9e3779b1u };

static inline __device__ uint32_t load_word(const uint32_t *p) {
  uint32_t w;
  asm volatile("ld.global.u32 %0, [%1];" : "=r"(w) : "l"(p));
  return w;
}
static inline __device__ uint4 load_piece(const uint32_t *p) {
  uint4 v;
  asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
  return v;
}
static inline __device__ void store_word(uint32_t *p, uint32_t w) {
  asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(w) : "memory");
}
static inline __device__ void store_piece(uint32_t *p, uint4 v) {
  asm volatile("st.global.v4.u32 [%0], {%1,%2,%3,%4};" ::"l"(p), "r"(v.x), "r"(v.y), "r"(v.z), "r"(v.w) : "memory");
}

// Words in another order, or other words, give another fold.
BOTH inline uint32_t fold(uint32_t sum, uint32_t w) { return (sum ^ w) * FOLD_FACTOR; }
static inline __device__ uint32_t fold(uint32_t sum, uint4 v) { return fold(fold(fold(fold(sum, v.x), v.y), v.z), v.w); }

// ---- where the records lie -------------------------------------------------------------------------------------------

// Record i is the i-th.
struct InOrder {
  BOTH size_t operator()(size_t i) const { return i; }
};
// Record i is anywhere: a permutation of the numbers below 2^bits.
struct Anywhere {
  int bits;
  BOTH size_t operator()(size_t i) const {
    uint32_t mask = (1u << bits) - 1, x = (uint32_t)i;
    for (int round = 0; round < 3; round++) {
      x = (x * 0x2c1b3c6du + 0x297a2d39u) & mask;
      x ^= x >> (bits / 2 + 1);
    }
    return x;
  }
};

// ---- plain: each thread moves a record of its own, word by word --------------------------------------------------------

template <int M, class Place> __global__ void plain_load(const uint32_t *in, Place place, uint32_t *out) {
  const uint32_t *record = in + place(first_item()) * M;
  uint32_t w[M], sum = FOLD_START;
#pragma unroll
  for (int k = 0; k < M; k++) w[k] = load_word(record + k);
#pragma unroll
  for (int k = 0; k < M; k++) sum = fold(sum, w[k]);
  out[first_item()] = sum;
}

template <int M> __global__ void plain_store(uint32_t *out) {
  size_t record = first_item();
#pragma unroll
  for (int k = 0; k < M; k++) store_word(out + record * M + k, hash(record * M + k));
}

// A row a thread, as a compiler leaves the loop: the loads of some iterations under way together.
enum { TOGETHER = 4 };
template <int PIECE_OF_ROW> __global__ void plain_walk(const uint32_t *in, int pieces, uint32_t *out) {
  const uint32_t *row = in + first_item() * PIECE_OF_ROW * pieces;
  uint32_t sum = FOLD_START;
  for (int k = 0; k < PIECE_OF_ROW * pieces; k += TOGETHER) {
    uint32_t w[TOGETHER];
#pragma unroll
    for (int j = 0; j < TOGETHER; j++) w[j] = load_word(row + k + j);
#pragma unroll
    for (int j = 0; j < TOGETHER; j++) sum = fold(sum, w[j]);
  }
  out[first_item()] = sum;
}

// ---- exchanged: Q lanes load one record of Q pieces together, and shuffles bring the pieces to their owners ---------------

static inline __device__ uint4 shuffle_piece(uint4 v, int lanes) {
  return {__shfl_xor_sync(~0u, v.x, lanes), __shfl_xor_sync(~0u, v.y, lanes), __shfl_xor_sync(~0u, v.z, lanes),
          __shfl_xor_sync(~0u, v.w, lanes)};
}

static inline __device__ uint4 choose(bool first, uint4 a, uint4 b) {
  return {first ? a.x : b.x, first ? a.y : b.y, first ? a.z : b.z, first ? a.w : b.w};
}

// Piece r of lane l goes to place l of lane r, in every group of Q lanes: a butterfly.
template <int Q> __device__ void transpose(uint4 (&piece)[Q]) {
#pragma unroll
  for (int bit = 1; bit < Q; bit *= 2) {
    bool upper = threadIdx.x & bit;
#pragma unroll
    for (int r = 0; r < Q; r++) {
      if (r & bit) continue;
      uint4 got = shuffle_piece(choose(upper, piece[r], piece[r | bit]), bit);
      piece[r] = choose(upper, got, piece[r]);
      piece[r | bit] = choose(upper, piece[r | bit], got);
    }
  }
}

// The word where the lane's share of the r-th record of its group starts; `record` is the word where its own record starts.
template <int Q> __device__ size_t share_of(size_t record, int r) {
  int lane = threadIdx.x % WARP, place = lane % Q;
  return (size_t)__shfl_sync(~0u, (unsigned long long)record, lane - place + r) + place * PIECE_WORDS;
}

// What a rewrite must ask at run time: is the whole warp here, and do all its pointers lead to global memory, aligned?
static inline __device__ bool may_exchange(const uint32_t *p) {
  return __activemask() == ~0u && __all_sync(~0u, __isGlobal(p) && (uintptr_t)p % PIECE == 0);
}

template <int Q> __device__ void load_exchanged(const uint32_t *in, size_t record, uint4 (&piece)[Q]) {
  if (may_exchange(in + record)) {
#pragma unroll
    for (int r = 0; r < Q; r++) piece[r] = load_piece(in + share_of<Q>(record, r));
    transpose(piece);
  } else {
#pragma unroll
    for (int q = 0; q < Q; q++) {
      const uint32_t *p = in + record + q * PIECE_WORDS;
      piece[q] = {load_word(p), load_word(p + 1), load_word(p + 2), load_word(p + 3)};
    }
  }
}

template <int M, class Place> __global__ void exchanged_load(const uint32_t *in, Place place, uint32_t *out) {
  uint4 piece[M / PIECE_WORDS];
  uint32_t sum = FOLD_START;
  load_exchanged(in, place(first_item()) * M, piece);
#pragma unroll
  for (int q = 0; q < M / PIECE_WORDS; q++) sum = fold(sum, piece[q]);
  out[first_item()] = sum;
}

// REPLIES: words of a table that all lanes are given, for each piece.
template <int PIECE_OF_ROW, int REPLIES> __global__ void exchanged_walk(const uint32_t *in, int pieces, uint32_t *out) {
  size_t row = first_item() * PIECE_OF_ROW * pieces;
  uint32_t sum = FOLD_START;
#pragma unroll 1
  for (int p = 0; p < pieces; p++) {
    uint4 piece[PIECE_OF_ROW / PIECE_WORDS];
    load_exchanged(in, row + p * PIECE_OF_ROW, piece);
#pragma unroll
    for (int q = 0; q < PIECE_OF_ROW / PIECE_WORDS; q++) sum = fold(sum, piece[q]);
#pragma unroll
    for (int w = 0; w < REPLIES; w++) sum = fold(sum, load_word(in + p * REPLIES + w));
  }
  out[first_item()] = sum;
}

// New words from two old ones, of a record that is exchanged on its way in and on its way out.
BOTH inline uint32_t mixed(uint32_t w, uint32_t next) { return w ^ next * FOLD_FACTOR; }

template <int M> __global__ void exchanged_compute(const uint32_t *in, uint32_t *out) {
  enum { Q = M / PIECE_WORDS };
  uint4 piece[Q];
  size_t record = first_item() * M;
  load_exchanged(in, record, piece);
  uint32_t first = piece[0].x;
#pragma unroll
  for (int q = 0; q < Q; q++) {
    uint4 v = piece[q];
    piece[q] = {mixed(v.x, v.y), mixed(v.y, v.z), mixed(v.z, v.w), mixed(v.w, q + 1 < Q ? piece[(q + 1) % Q].x : first)};
  }
  transpose(piece);
#pragma unroll
  for (int r = 0; r < Q; r++) store_piece(out + share_of<Q>(record, r), piece[r]);
}

// ---- limits: lanes side by side, 16 bytes each ---------------------------------------------------------------------------

enum { DEEP = 8 };   // pieces of a thread, each of them a request of the warp

static inline __device__ size_t wide_place(int k) {
  return (blockIdx.x * (size_t)DEEP * blockDim.x + k * blockDim.x + threadIdx.x) * PIECE_WORDS;
}

static __global__ void wide_load(const uint32_t *in, uint32_t *out) {
  uint4 piece[DEEP];
  uint32_t sum = FOLD_START;
#pragma unroll
  for (int k = 0; k < DEEP; k++) piece[k] = load_piece(in + wide_place(k));
#pragma unroll
  for (int k = 0; k < DEEP; k++) sum = fold(sum, piece[k]);
  out[first_item()] = sum;
}

static __global__ void wide_store(uint32_t *out) {
#pragma unroll
  for (int k = 0; k < DEEP; k++) {
    size_t at = wide_place(k);
    store_piece(out + at, {hash(at), hash(at + 1), hash(at + 2), hash(at + 3)});
  }
}

static __global__ void wide_copy(const uint32_t *in, uint32_t *out) {
#pragma unroll
  for (int k = 0; k < DEEP; k++) store_piece(out + wide_place(k), load_piece(in + wide_place(k)));
}
