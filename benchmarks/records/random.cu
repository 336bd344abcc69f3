// Records at random addresses: an index array holds a permutation of the records.
//   gather       out[i] = in[index[i]]          pick   reads a random record, stores one word
//   scatter      out[index[i]] = in[i]          drop   makes a record from i, stores it at a random place
#include "../bench.h"

#define RANDOM_SIZES(X) X(16) X(32) X(64) X(128)

// A permutation of 0 .. 2^bits - 1: odd factors and xor-shifts can be undone, so no two records meet.
struct Shuffle {
  unsigned bits;
  BOTH uint32_t operator()(uint32_t r) const {
    uint32_t mask = (1u << bits) - 1;
    r = r * 0x9e3779b1u & mask;
    r ^= r >> (bits / 2);
    r = r * 0x85ebca6bu & mask;
    r ^= r >> (bits / 2 + 1);
    return r * 0xc2b2ae35u & mask;
  }
};

struct Order : Straight<uint32_t> {
  Shuffle shuffle;
  BOTH Order(Shuffle s) : shuffle(s) {}
  BOTH uint32_t value(size_t i) const { return shuffle((uint32_t)i); }
};

static Shuffle shuffle_of(size_t n) {
  unsigned bits = 0;
  while ((size_t)2 << bits <= n) bits++;
  return {bits};
}
static void fill_index(const Arrays &a, size_t n) { fill((char *)a.index, 4 * n, Order(shuffle_of(n))); }

template <int M> __device__ uint32_t digest(const uint32_t (&v)[M], int first) {
  uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < M; k++) sum += (first + k + 1) * v[k];
  return sum;
}
BOTH inline uint32_t made(uint32_t record, uint32_t field) { return (record + field) * 2654435761u; }

#ifdef BENCH_EXPERT
// One thread for each 16 bytes: the threads of a record are neighbours, so a record is moved by one request.
#define HEAD(bytes) \
  enum { PIECES = bytes / 16 }; \
  int t = blockIdx.x * blockDim.x + threadIdx.x, i = t / PIECES, p = t % PIECES; \
  if (i >= n) return;
#define GATHER(bytes) \
  extern "C" __global__ void gather_##bytes(const Words<bytes / 4> *in, const uint32_t *index, Words<bytes / 4> *out, int n) { \
    HEAD(bytes) \
    ((uint4 *)out)[t] = ((const uint4 *)in)[(size_t)index[i] * PIECES + p]; \
  }
#define SCATTER(bytes) \
  extern "C" __global__ void scatter_##bytes(const Words<bytes / 4> *in, const uint32_t *index, Words<bytes / 4> *out, int n) { \
    HEAD(bytes) \
    ((uint4 *)out)[(size_t)index[i] * PIECES + p] = ((const uint4 *)in)[t]; \
  }
#define PICK(bytes) \
  extern "C" __global__ void pick_##bytes(const Words<bytes / 4> *in, const uint32_t *index, uint32_t *out, int n) { \
    HEAD(bytes) \
    uint4 v = ((const uint4 *)in)[(size_t)index[i] * PIECES + p]; \
    uint32_t sum = digest({v.x, v.y, v.z, v.w}, 4 * p); \
    for (int far = PIECES / 2; far; far /= 2) sum += __shfl_xor_sync(~0u, sum, far); \
    if (p == 0) out[i] = sum; \
  }
#define DROP(bytes) \
  extern "C" __global__ void drop_##bytes(const uint32_t *index, Words<bytes / 4> *out, int n) { \
    HEAD(bytes) \
    uint4 v = {made(i, 4 * p), made(i, 4 * p + 1), made(i, 4 * p + 2), made(i, 4 * p + 3)}; \
    ((uint4 *)out)[(size_t)index[i] * PIECES + p] = v; \
  }
static size_t threads_for(size_t n, int record) { return n * (record / 16); }
#else
#define HEAD \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return;
#define GATHER(bytes) \
  extern "C" __global__ void gather_##bytes(const Words<bytes / 4> *in, const uint32_t *index, Words<bytes / 4> *out, int n) { \
    HEAD \
    out[i] = in[index[i]]; \
  }
#define SCATTER(bytes) \
  extern "C" __global__ void scatter_##bytes(const Words<bytes / 4> *in, const uint32_t *index, Words<bytes / 4> *out, int n) { \
    HEAD \
    out[index[i]] = in[i]; \
  }
#define PICK(bytes) \
  extern "C" __global__ void pick_##bytes(const Words<bytes / 4> *in, const uint32_t *index, uint32_t *out, int n) { \
    HEAD \
    Words<bytes / 4> v = in[index[i]]; \
    out[i] = digest(v.w, 0); \
  }
#define DROP(bytes) \
  extern "C" __global__ void drop_##bytes(const uint32_t *index, Words<bytes / 4> *out, int n) { \
    HEAD \
    Words<bytes / 4> r; \
    _Pragma("unroll") for (int k = 0; k < bytes / 4; k++) r.w[k] = made(i, k); \
    out[index[i]] = r; \
  }
static size_t threads_for(size_t n, int) { return n; }
#endif
RANDOM_SIZES(GATHER)
RANDOM_SIZES(SCATTER)
RANDOM_SIZES(PICK)
RANDOM_SIZES(DROP)

// Where word w of the records in order stands among the shuffled records.
template <int M> struct Shuffled {
  using T = uint32_t;
  Shuffle shuffle;
  BOTH size_t away(size_t w) const { return (size_t)shuffle((uint32_t)(w / M)) * M + w % M; }
};
template <int M> struct Gathered : Shuffled<M> {
  BOTH size_t place(size_t w) const { return w; }
  BOTH uint32_t value(size_t w) const { return hash(this->away(w)); }
};
template <int M> struct Scattered : Shuffled<M> {
  BOTH size_t place(size_t w) const { return this->away(w); }
  BOTH uint32_t value(size_t w) const { return hash(w); }
};
template <int M> struct Dropped : Shuffled<M> {
  BOTH size_t place(size_t w) const { return this->away(w); }
  BOTH uint32_t value(size_t w) const { return made((uint32_t)(w / M), (uint32_t)(w % M)); }
};
template <int M> struct Picked : Shuffled<M> {
  BOTH size_t place(size_t i) const { return i; }
  BOTH uint32_t value(size_t i) const {
    uint32_t sum = 0;
    for (int k = 0; k < M; k++) sum += (k + 1) * hash((size_t)this->shuffle((uint32_t)i) * M + k);
    return sum;
  }
};

// The permutation depends on n, so the expectation is made when the check is.
template <class Expect> Check expects_shuffled(int per) {
  return [=](const Arrays &a, size_t n) {
    Expect expect;
    expect.shuffle = shuffle_of(n);
    return expects(expect, per)(a, n);
  };
}

template <int M> using Records = const Words<M> *;
template <int M> unsigned grid_for(size_t n) { return grid_of(threads_for(n, 4 * M)); }

template <int M, class Expect>
Work move_work(const char *name, const char *kind, void (*kernel)(Records<M>, const uint32_t *, Words<M> *, int)) {
  auto run = [=](const Arrays &a, size_t n) {
    kernel<<<grid_for<M>(n), BLOCK>>>((Records<M>)a.in, a.index, (Words<M> *)a.out, (int)n);
  };
  return {name, kind, 4 * M, 8 * M + 4, run, expects_shuffled<Expect>(M), 0, 0, false, false, fill_index};
}
template <int M> Work pick_work(const char *name, void (*kernel)(Records<M>, const uint32_t *, uint32_t *, int)) {
  auto run = [=](const Arrays &a, size_t n) {
    kernel<<<grid_for<M>(n), BLOCK>>>((Records<M>)a.in, a.index, (uint32_t *)a.out, (int)n);
  };
  return {name, "pick", 4 * M, 4 * M + 8, run, expects_shuffled<Picked<M>>(1), 4, 0, false, false, fill_index};
}
template <int M> Work drop_work(const char *name, void (*kernel)(const uint32_t *, Words<M> *, int)) {
  auto run = [=](const Arrays &a, size_t n) { kernel<<<grid_for<M>(n), BLOCK>>>(a.index, (Words<M> *)a.out, (int)n); };
  return {name, "drop", 4 * M, 4 * M + 4, run, expects_shuffled<Dropped<M>>(M), 0, 0, false, false, fill_index};
}

int main(int argc, char **argv) {
#define LIST_GATHER(b) move_work<b / 4, Gathered<b / 4>>("gather_" #b, "gather", gather_##b),
#define LIST_SCATTER(b) move_work<b / 4, Scattered<b / 4>>("scatter_" #b, "scatter", scatter_##b),
#define LIST_PICK(b) pick_work<b / 4>("pick_" #b, pick_##b),
#define LIST_DROP(b) drop_work<b / 4>("drop_" #b, drop_##b),
  return bench_main(argc, argv, {RANDOM_SIZES(LIST_GATHER) RANDOM_SIZES(LIST_SCATTER) RANDOM_SIZES(LIST_PICK) RANDOM_SIZES(LIST_DROP)});
}
