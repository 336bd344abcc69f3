// What an SM does beside waiting for memory: instructions, passes over its banks, and loops that stage tiles in shared memory,
// plain or in a ring of asynchronous copies.
//
//     plain   copy a tile, barrier, use it, barrier, copy the next ...
//     ring    copies of the next stages run while one is used; one barrier a stage; 16 bytes a copy where a stage has several
//             tiles, else a word
#pragma once
#include "machine.cuh"

enum { TILE = BLOCK, TILES = 96, CONFLICT_FREE = 33 };   // a tile is a word a thread; its reads go once around the banks

template <int BYTES> static __device__ void copy_ahead([[maybe_unused]] uint32_t *to, [[maybe_unused]] const uint32_t *from) {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"((uint32_t)__cvta_generic_to_shared(to)), "l"(from), "n"(BYTES)
               : "memory");
#endif
}
static inline __device__ void close_stage() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}
template <int LEFT> static __device__ void await_stages() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(LEFT) : "memory");
#endif
}

// Each of READS words of the tile is folded REPEAT times.
template <int READS_, int REPEAT_> struct Use {
  enum { READS = READS_, REPEAT = REPEAT_, FOLDS = READS * REPEAT };
  // As the pass counts them: a read is an address and a load, a fold an exclusive or and a product.
  static constexpr int instructions() { return 2 * READS + 2 * FOLDS; }
  static __device__ void of(const uint32_t *tile, uint32_t &sum) {
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

template <class U> AS_IS void __launch_bounds__(TILE) plain_tiles(const uint32_t *in, uint32_t *out) {
  __shared__ uint32_t tile[TILE];
  const uint32_t *from = in + blockIdx.x * (size_t)TILES * TILE + threadIdx.x;
  uint32_t sum = FOLD_START;
#pragma unroll 1
  for (int t = 0; t < TILES; t++) {
    tile[threadIdx.x] = load_word(from + t * TILE);
    __syncthreads();
    U::of(tile, sum);
    __syncthreads();
  }
  out[first_item()] = sum;
}

template <class U, int BATCH> AS_IS void __launch_bounds__(TILE) ring_tiles(const uint32_t *in, uint32_t *out) {
  enum { STAGES = 3, STEPS = TILES / BATCH };
  enum { COPIED = BATCH > 1 ? PIECE_WORDS : 1, COPIES = BATCH * TILE / COPIED };   // words at a time
  __shared__ alignas(PIECE) uint32_t ring[STAGES][BATCH * TILE];
  const uint32_t *from = in + blockIdx.x * (size_t)TILES * TILE;
  uint32_t sum = FOLD_START;
  auto fetch = [&](int step) {
    for (int k = threadIdx.x; k < COPIES && step < STEPS; k += TILE)
      copy_ahead<COPIED * WORD>(&ring[step % STAGES][k * COPIED], from + step * BATCH * TILE + k * COPIED);
    close_stage();
  };
  for (int step = 0; step < STAGES - 1; step++) fetch(step);
#pragma unroll 1
  for (int step = 0; step < STEPS; step++) {
    await_stages<STAGES - 2>();
    __syncthreads();   // the stage is there for all, and all are done with the one before it, which is filled next
    fetch(step + STAGES - 1);
#pragma unroll
    for (int b = 0; b < BATCH; b++) U::of(&ring[step % STAGES][b * TILE], sum);
  }
  out[first_item()] = sum;
}

// ---- experiments: each SM holds as many threads as it can ------------------------------------------------------------------

template <class U> unsigned tile_blocks(const Machine &m) {
  int held;
  CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&held, plain_tiles<U>, TILE, 0));
  unsigned most = (unsigned)(m.words() / (TILES * TILE));
  return std::min(most, (unsigned)(held * m.prop.multiProcessorCount));
}

template <class U, class F> double tiles_gbs(const Bench &b, F run) {
  size_t threads = (size_t)tile_blocks<U>(b.m) * TILE;
  Folded<WordsOfTiles<U>> expect(TILES * U::FOLDS, {});
  b.check("tiles", threads, expect, run);
  return b.gbs(threads * TILES * WORD, run);
}
template <class U> double plain_gbs(const Bench &b) {
  return tiles_gbs<U>(b, [&] { plain_tiles<U><<<tile_blocks<U>(b.m), TILE>>>(b.m.in, b.m.out); });
}
template <class U, int BATCH> double ring_gbs(const Bench &b) {
  return tiles_gbs<U>(b, [&] { ring_tiles<U, BATCH><<<tile_blocks<U>(b.m), TILE>>>(b.m.in, b.m.out); });
}

// What is counted, and how fast it goes without and with.
struct Step { int count; double without, with; double gain() const { return with / without; } };
using Steps = std::vector<Step>;

template <class U> Step long_use(const Bench &b) { return {U::instructions(), plain_gbs<U>(b), ring_gbs<U, 4>(b)}; }
template <class U> Step long_stage(const Bench &b) { return {U::instructions(), ring_gbs<U, 2>(b), ring_gbs<U, 4>(b)}; }

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
