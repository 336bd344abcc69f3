// The GPU, its two arrays, and how a kernel is checked and timed on them.
#pragma once
#include <cstdarg>
#include <map>

#include "ordinary.cuh"

// ---- the machine -----------------------------------------------------------------------------------------------------------

enum : size_t { MOST_BYTES = (size_t)1 << 30, SPARE_BYTES = 64 << 20, CACHES = 4 };

struct Machine {
  cudaDeviceProp prop;
  size_t bytes;              // of each array: a power of two
  uint32_t *in, *out;
  size_t words() const { return bytes / WORD; }
};

[[noreturn]] static void stop(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("coalda-calibrate: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(2);
}

// As large as there is room for, and so large that caches hold next to nothing of it.
static size_t array_bytes(const cudaDeviceProp &prop) {
  size_t available, total, bytes = MOST_BYTES;
  CUDA(cudaMemGetInfo(&available, &total));
  while (2 * bytes + SPARE_BYTES > available) bytes /= 2;
  size_t needed = CACHES * (size_t)prop.l2CacheSize;
  if (bytes < needed)
    stop("too little memory: %zu MiB are free on %s, two arrays of %zu MiB are needed", available >> 20, prop.name,
         needed >> 20);
  return bytes;
}

static Machine machine_open(int device) {
  Machine m = {};
  int devices = 0;
  cudaError_t code = cudaGetDeviceCount(&devices);
  if (code != cudaSuccess) stop("no GPU: %s", cudaGetErrorString(code));
  if (devices == 0) stop("no GPU: the driver names none");
  if (device >= devices) stop("there is no GPU %d, the last is %d", device, devices - 1);
  CUDA(cudaSetDevice(device));
  CUDA(cudaGetDeviceProperties(&m.prop, device));
  m.bytes = array_bytes(m.prop);
  CUDA(cudaMalloc((void **)&m.in, m.bytes));
  CUDA(cudaMalloc((void **)&m.out, m.bytes));
  fill((char *)m.in, m.bytes, Input{});
  return m;
}

// ---- one measurement -------------------------------------------------------------------------------------------------------

struct Bench {
  Machine m;
  int repeat;
  mutable double spread = 0;   // most that runs of one kernel were apart, as a part of their median; the two outermost left out

  template <class F> double gbs(size_t bytes, F run) const {
    enum { WARM = 2 };
    std::vector<float> ms = time_runs(WARM, repeat, run);
    CUDA(cudaGetLastError());
    std::sort(ms.begin(), ms.end());
    float median = ms[ms.size() / 2];
    if (ms.size() > 2) spread = std::max<double>(spread, (ms[ms.size() - 2] - ms[1]) / median);
    return bytes / (median * 1e6);
  }
  // The output must be as expected after one run on an output that holds something else.
  template <class Expect, class F> void check(const char *what, size_t n, Expect expect, F run) const {
    CUDA(cudaMemset(m.out, POISON & 0xff, m.bytes));
    run();
    CUDA(cudaGetLastError());
    Tally found = compare_all(m.out, n, expect), sample = compare_sample(m.out, n, expect);
    if (found.wrong + sample.wrong)
      stop("%s: %llu of %zu words are wrong, so no figure of this GPU would mean anything", what, found.wrong + sample.wrong, n);
  }
  // Records of M words in whole blocks of threads.
  size_t records(int words) const { return m.words() / words / BLOCK * BLOCK; }
};

// Gives the fold of the words that value(i, k) names, k < count.
template <class Words> struct Folded : Straight<uint32_t> {
  int count;
  Words words;
  Folded(int count, Words words) : count(count), words(words) {}
  BOTH uint32_t value(size_t i) const {
    uint32_t sum = FOLD_START;
    for (int k = 0; k < count; k++) sum = fold(sum, hash(words(i, k)));
    return sum;
  }
};

template <class Place> struct WordsOfRecord {
  int size;
  Place place;
  BOTH size_t operator()(size_t i, int k) const { return place(i) * size + k; }
};
template <class Place> static Folded<WordsOfRecord<Place>> folded_records(int size, Place place) { return {size, {size, place}}; }

struct Mixed : Straight<uint32_t> {
  size_t size;
  explicit Mixed(size_t size) : size(size) {}
  BOTH uint32_t value(size_t w) const { return mixed(hash(w), hash(w % size + 1 < size ? w + 1 : w + 1 - size)); }
};

// Pieces that lie as the threads of a block lie side by side.
struct WordsOfStream {
  BOTH size_t operator()(size_t i, int k) const {
    size_t block = i / BLOCK, thread = i % BLOCK;
    return ((block * DEEP + k / PIECE_WORDS) * BLOCK + thread) * PIECE_WORDS + k % PIECE_WORDS;
  }
};

// ---- what comes of it ------------------------------------------------------------------------------------------------------

struct Point { int words; double gbs; };
struct Pair { int words; double plain, exchanged; double gain() const { return exchanged / plain; } };
struct Ceilings { double read, write, copy; };
struct Number { double value; std::string origin; };
using Numbers = std::map<std::string, Number>;

static std::string words(const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  return text;
}
