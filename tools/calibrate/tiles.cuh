// What an SM does beside waiting for memory: instructions, passes over its banks, and loops that stage tiles in shared memory, as clang leaves them
// and as the rings that the pass makes of them.
#pragma once
#include "machine.cuh"

enum { TILE = BLOCK, TILES = 96, CONFLICT_FREE = 33 };   // a tile is a word a thread; its reads go once around the banks

// Each of READS words of the tile is folded REPEAT times.
template <int READS_, int REPEAT_> struct Use {
  enum { READS = READS_, REPEAT = REPEAT_, FOLDS = READS * REPEAT };
  // As the pass counts them: a read is an address and a load, a fold an exclusive or and a product.
  static constexpr int instructions() { return 2 * READS + 2 * FOLDS; }
  static __forceinline__ __device__ void of(const uint32_t *tile, uint32_t &sum) {
#pragma unroll
    for (int k = 0; k < READS; k++) {
      uint32_t w = tile[(threadIdx.x + k * CONFLICT_FREE) % TILE];
#pragma unroll
      for (int r = 0; r < REPEAT; r++) sum = fold(sum, w);
    }
  }
};

// Fold k of a thread.
template <class U> struct WordsOfTiles {
  BOTH size_t operator()(size_t thread, int k) const {
    int t = k / U::FOLDS, read = k % U::FOLDS / U::REPEAT;
    return (thread / TILE * TILES + t) * TILE + (thread + read * CONFLICT_FREE) % TILE;
  }
};

// Copy a tile, barrier, use it, barrier, copy the next ...
template <class U> static __forceinline__ __device__ void use_tiles(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t tile[TILE];
  const uint32_t *from = in + blockIdx.x * (size_t)TILES * TILE + threadIdx.x;
  uint32_t sum = FOLD_START;
#pragma unroll 1
  for (int t = 0; t < TILES; t++) {
    tile[threadIdx.x] = from[t * TILE];
    __syncthreads();
    U::of(tile, sum);
    __syncthreads();
  }
  out[first_item()] = sum;
}
template <class U> AS_IS void __launch_bounds__(TILE) left_tiles(const uint32_t *in, uint32_t *out) { use_tiles<U>(in, out); }
// With so many tiles in a stage.
template <class U> REWRITTEN __attribute__((annotate("coalda.batch=2"))) void __launch_bounds__(TILE) ring_by_2(const uint32_t *in, uint32_t *out) {
  use_tiles<U>(in, out);
}
template <class U> REWRITTEN __attribute__((annotate("coalda.batch=4"))) void __launch_bounds__(TILE) ring_by_4(const uint32_t *in, uint32_t *out) {
  use_tiles<U>(in, out);
}

// ---- experiments: each SM holds as many threads as it can ------------------------------------------------------------------

using Tiles = void (*)(const uint32_t *, uint32_t *);

template <class U> unsigned tile_blocks(const Machine &m) {
  int held;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, left_tiles<U>, TILE, 0));
  unsigned most = (unsigned)(m.words() / (TILES * TILE));
  return std::min(most, (unsigned)(held * m.prop.multiProcessorCount));
}

template <class U> double tiles_gbs(const Bench &b, Tiles kernel) {
  unsigned blocks = tile_blocks<U>(b.m);
  size_t threads = (size_t)blocks * TILE;
  auto run = [&] { kernel<<<blocks, TILE>>>(b.m.in, b.m.out); };
  b.check("tiles", threads, Folded<WordsOfTiles<U>>(TILES * U::FOLDS, {}), run);
  return b.gbs(threads * TILES * WORD, run);
}

// What is counted, and how fast it goes without and with.
struct Step { int count; double without, with; double gain() const { return with / without; } };
using Steps = std::vector<Step>;

template <class U> Step long_use(const Bench &b) { return {U::instructions(), tiles_gbs<U>(b, left_tiles<U>), tiles_gbs<U>(b, ring_by_4<U>)}; }
template <class U> Step long_stage(const Bench &b) { return {U::instructions(), tiles_gbs<U>(b, ring_by_2<U>), tiles_gbs<U>(b, ring_by_4<U>)}; }

struct Rings { Steps uses, stages; };

// Uses of tiles of which few words are read, by themselves and several in a stage.
static Rings measure_rings(const Bench &b) {
  return {{long_use<Use<4, 8>>(b), long_use<Use<4, 32>>(b), long_use<Use<4, 64>>(b), long_use<Use<4, 128>>(b),
           long_use<Use<4, 256>>(b), long_use<Use<4, 512>>(b)},
          {long_stage<Use<4, 8>>(b), long_stage<Use<4, 32>>(b), long_stage<Use<4, 64>>(b), long_stage<Use<4, 128>>(b),
           long_stage<Use<4, 256>>(b), long_stage<Use<4, 512>>(b)}};
}

// ---- instructions and passes -------------------------------------------------------------------------------------------------

enum { CHAINS = 8, ROUNDS = 1024 };

static inline __device__ float fused(float a, float b, float c) {
  float r;
  asm volatile("fma.rn.f32 %0, %1, %2, %3;" : "=f"(r) : "f"(a), "f"(b), "f"(c));
  return r;
}

// Chains of products and sums: an SM starts no instruction faster.
static AS_IS void instructions(float one, uint32_t *out) {
  float sum[CHAINS];
#pragma unroll
  for (int c = 0; c < CHAINS; c++) sum[c] = (float)(first_item() % TILE);
#pragma unroll 16
  for (int r = 0; r < ROUNDS; r++) {
#pragma unroll
    for (int c = 0; c < CHAINS; c++) sum[c] = fused(sum[c], one, one);
  }
#pragma unroll
  for (int c = 1; c < CHAINS; c++) sum[0] += sum[c];
  out[first_item()] = float_bits(sum[0]);
}
struct Counted : Straight<uint32_t> {
  BOTH uint32_t value(size_t i) const { return float_bits((float)(CHAINS * (ROUNDS + i % TILE))); }
};

// Reads of shared memory, each a pass over all banks.
static AS_IS void passes(uint32_t *out) {
  __shared__ uint32_t tile[TILE];
  uint32_t sum = 0, at = (uint32_t)__cvta_generic_to_shared(tile);
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
#pragma unroll 16
  for (int r = 0; r < ROUNDS; r++) {
#pragma unroll
    for (int c = 0; c < CHAINS; c++) {
      uint32_t w;
      asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(w) : "r"(at + (threadIdx.x + c * WARP) % TILE * WORD));
      sum += w;
    }
  }
  out[first_item()] = sum;
}
struct Passed : Straight<uint32_t> {   // TILE = CHAINS * WARP: each thread reads one word of every warp's
  BOTH uint32_t value(size_t i) const { return ROUNDS * (CHAINS * (uint32_t)(i % WARP) + WARP * CHAINS * (CHAINS - 1) / 2); }
};
static_assert(TILE == CHAINS * WARP, "the words that a thread reads");

// How many a second, of all warps.
template <class Expect, class F> double each_second(const Bench &b, const char *what, unsigned blocks, Expect expect, F run) {
  b.check(what, (size_t)blocks * TILE, expect, run);
  double warps = (double)blocks * TILE / WARP;
  return 1e9 * b.gbs((size_t)(warps * CHAINS * ROUNDS), run);
}

struct Rates { double instructions, passes; };

static Rates measure_rates(const Bench &b) {
  unsigned blocks = (unsigned)(b.m.prop.multiProcessorCount * b.m.prop.maxThreadsPerMultiProcessor / TILE);
  return {each_second(b, "products and sums", blocks, Counted{}, [&] { instructions<<<blocks, TILE>>>(1, b.m.out); }),
          each_second(b, "shared memory", blocks, Passed{}, [&] { passes<<<blocks, TILE>>>(b.m.out); })};
}
