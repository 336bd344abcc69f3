// What memory can do at most, by pieces in PTX, and where records lie. Word w of the input is hash(w). Every thread folds what it has loaded into one
// word, which it writes.
#pragma once
#include "../../benchmarks/bench.h"

#define AS_IS __attribute__((annotate("coalda.off"))) __global__

enum { WARP = 32, WORD = 4, PIECE = 16, PIECE_WORDS = PIECE / WORD };
enum : uint32_t { FOLD_START = 17, FOLD_FACTOR = 0x9e3779b1u };

static inline __device__ uint4 load_piece(const uint32_t *p) {
  uint4 v;
  asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(v.x), "=r"(v.y), "=r"(v.z), "=r"(v.w) : "l"(p));
  return v;
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
// Record i is anywhere below 2^bits, as a list of the input's words says.
struct Anywhere {
  int bits;
  const uint32_t *list;
  BOTH size_t operator()(size_t i) const {
#ifdef __CUDA_ARCH__
    uint32_t word = list[i];
#else
    uint32_t word = hash(i);
#endif
    return word & ((1u << bits) - 1);
  }
};

// ---- limits: lanes side by side, 16 bytes each ---------------------------------------------------------------------------

enum { DEEP = 8 };   // pieces of a thread, each of them a request of the warp

static inline __device__ size_t wide_place(int k) {
  return (blockIdx.x * (size_t)DEEP * blockDim.x + k * blockDim.x + threadIdx.x) * PIECE_WORDS;
}

static AS_IS void wide_load(const uint32_t *in, uint32_t *out) {
  uint4 piece[DEEP];
  uint32_t sum = FOLD_START;
#pragma unroll
  for (int k = 0; k < DEEP; k++) piece[k] = load_piece(in + wide_place(k));
#pragma unroll
  for (int k = 0; k < DEEP; k++) sum = fold(sum, piece[k]);
  out[first_item()] = sum;
}

static AS_IS void wide_store(uint32_t *out) {
#pragma unroll
  for (int k = 0; k < DEEP; k++) {
    size_t at = wide_place(k);
    store_piece(out + at, {hash(at), hash(at + 1), hash(at + 2), hash(at + 3)});
  }
}

static AS_IS void wide_copy(const uint32_t *in, uint32_t *out) {
#pragma unroll
  for (int k = 0; k < DEEP; k++) store_piece(out + wide_place(k), load_piece(in + wide_place(k)));
}
