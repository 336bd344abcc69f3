// The harness of the benchmarks: every program is a list of Work and a main() that calls bench_main.
//
//   fill the input with random-looking words -> poison the output -> launch once -> compare every byte -> time
//
// Input word w is hash(w), so a check computes what must stand in the output from hash() alone and never reads the input.
// Around both arrays lie guards; whatever a kernel has no business with must still hold the poison (or the input) afterwards.
// The harness's own kernels are kept from the plugin: the rewrite that is under test must not touch what tests it.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <regex>
#include <string>
#include <vector>

#ifdef __clang__
#define HARNESS __attribute__((annotate("coalda.off"))) __global__
#else
#define HARNESS __global__
#endif
#define BOTH __host__ __device__

#define CUDA(call) cuda_check((call), #call, __LINE__)
static inline void cuda_check(cudaError_t code, const char *what, int line) {
  if (code == cudaSuccess) return;
  fprintf(stderr, "line %d: %s: %s\n", line, what, cudaGetErrorString(code));
  exit(2);
}

enum : size_t { GUARD = 64 << 10, MIN_BYTES = 1 << 20 };
enum : uint32_t { POISON = 0xa5a5a5a5u };
enum { BLOCK = 256, LIMIT_SAMPLES = 5 };
enum : size_t { ONCE_BYTES = 4 << 20, LIMIT_BYTES = 512 << 20 };   // of --once; of the arrays of programs that bring their own
enum { WAKE_UP = 200 };   // copies before the first timing, about 0.1 s: an idle GPU's clocks take that long to rise

// A record of 4-byte words, as a user's struct of plain fields would be: 4-byte aligned, whatever its size.
template <int M> struct Words { uint32_t w[M]; };

// ---- what the arrays hold -------------------------------------------------------------------------------------------

// The 32-bit finalizer "lowbias32": every bit of the index reaches every bit of the word.
BOTH inline uint32_t hash(size_t word) {
  uint32_t x = (uint32_t)word + 0x9e3779b9u;
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}
BOTH inline uint8_t hash_byte(size_t byte) { return (uint8_t)(hash(byte / 4) >> 8 * (byte % 4)); }

// Where floats are computed with, the inputs are whole numbers so small that every result is exact.
BOTH inline float hash_float(size_t word) { return (float)(hash(word) >> 20); }
BOTH inline uint32_t float_bits(float f) {
  uint32_t bits;
  memcpy(&bits, &f, sizeof bits);
  return bits;
}

// An expectation says at which element of the output its w-th value must stand, and what it is. T: element compared.
template <class Element> struct Straight {
  using T = Element;
  BOTH size_t place(size_t w) const { return w; }
};
struct Input : Straight<uint32_t> { BOTH uint32_t value(size_t w) const { return hash(w); } };
struct InputFloats : Straight<uint32_t> { BOTH uint32_t value(size_t w) const { return float_bits(hash_float(w)); } };
struct Poisoned : Straight<uint8_t> { BOTH uint8_t value(size_t) const { return (uint8_t)POISON; } };

// ---- kernels of the harness -------------------------------------------------------------------------------------------

static inline __device__ size_t first_item() { return blockIdx.x * (size_t)blockDim.x + threadIdx.x; }
static inline __device__ size_t item_step() { return gridDim.x * (size_t)blockDim.x; }

template <class Expect> HARNESS void harness_fill(typename Expect::T *a, size_t n, Expect expect) {
  for (size_t w = first_item(); w < n; w += item_step()) a[w] = expect.value(w);
}

struct Tally { unsigned long long wrong, first; };

template <class Expect> HARNESS void harness_compare(const typename Expect::T *got, size_t n, Expect expect, Tally *tally) {
  for (size_t w = first_item(); w < n; w += item_step())
    if (got[expect.place(w)] != expect.value(w)) {
      atomicAdd(&tally->wrong, 1ull);
      atomicMin(&tally->first, (unsigned long long)w);
    }
}

// A number that any change of any byte changes: builds are held against each other by it.
HARNESS void harness_digest(const uint8_t *a, size_t n, unsigned long long *digest) {
  unsigned long long sum = 0;
  for (size_t k = first_item(); k < n; k += item_step()) sum += hash(k * 256 + a[k]);
  atomicAdd(digest, sum);
}

// The read limit: 16 bytes a thread and step. In PTX, so that it is the same code in every build.
HARNESS void harness_read(const uint4 *a, size_t n, uint32_t *sink) {
  enum { DEEP = 4 };
  size_t at = blockIdx.x * (size_t)(DEEP * BLOCK) + threadIdx.x;
  uint32_t sum = 0;
#pragma unroll
  for (int k = 0; k < DEEP; k++, at += BLOCK) {
    if (at >= n) break;
    uint32_t x, y, z, w;
    asm volatile("ld.global.v4.u32 {%0,%1,%2,%3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(a + at));
    sum += x ^ y ^ z ^ w;
  }
  if (sum == 0x600dcafe) *sink = sum;   // keeps the loads alive; as good as never true
}

// ---- one benchmark ----------------------------------------------------------------------------------------------------

struct Arrays {
  char *in, *out;      // 1 GiB each, 256-byte aligned, guards around them
  uint32_t *index;     // what Work::indices asks for
  size_t bytes;        // of in and of out
};

using Check = std::function<Tally(const Arrays &, size_t n)>;

// What one launch does: how many records it makes, the bytes that count as moved, floating-point operations if those are counted.
struct Size { size_t n, bytes, operations; };

struct Work {
  std::string name;    // of the kernel, and of the result
  std::string kind;    // copy, compute, load, store, ...: the row of the table it belongs to
  int record;          // bytes of one record
  size_t moved;        // bytes read and written for one record: what the bandwidth counts
  std::function<void(const Arrays &, size_t n)> launch;
  Check check;         // of the output's records, front to back
  int written = 0;     // bytes that the output holds for one record; 0: as many as the record
  int shift = 0;       // bytes that both arrays are shifted by
  bool in_place = false;                        // the output array starts as the input
  bool floats = false;                          // inputs are floats
  std::function<void(const Arrays &, size_t n)> indices = nullptr;   // fills index
  std::function<Size(size_t bytes)> sized = nullptr;                 // for arrays of so many bytes; else all of them are used

  int out_bytes() const { return written ? written : record; }
  Size size(size_t bytes) const {
    size_t n = (bytes - shift) / std::max(record, out_bytes());
    return sized ? sized(bytes) : Size{n, n * moved, 0};
  }
};

static inline unsigned grid_of(size_t threads, int block = BLOCK) { return (unsigned)((threads + block - 1) / block); }
static inline unsigned harness_grid(size_t n) { return (unsigned)std::min<size_t>((n + BLOCK - 1) / BLOCK + 1, 132 * 32); }

static inline Tally *tally_new() {
  static Tally *tally;
  if (!tally) CUDA(cudaMalloc((void **)&tally, sizeof *tally));
  CUDA(cudaMemset(tally, 0, sizeof *tally));
  CUDA(cudaMemset(&tally->first, 0xff, sizeof tally->first));
  return tally;
}

// Compares n elements that start at `at`, all of them on the GPU.
template <class Expect> Tally compare_all(const void *at, size_t n, Expect expect) {
  Tally *tally = tally_new(), found;
  harness_compare<<<harness_grid(n), BLOCK>>>((const typename Expect::T *)at, n, expect, tally);
  CUDA(cudaGetLastError());
  CUDA(cudaMemcpy(&found, tally, sizeof found, cudaMemcpyDeviceToHost));
  return found;
}

// Compares the first, the last and some other elements on the CPU: the GPU's comparison is not trusted alone.
template <class Expect> Tally compare_sample(const void *at, size_t n, Expect expect) {
  enum { ENDS = 32, OTHERS = 192 };
  Tally found = {0, ~0ull};
  auto look = [&](size_t w) {
    typename Expect::T got;
    CUDA(cudaMemcpy(&got, (const typename Expect::T *)at + expect.place(w), sizeof got, cudaMemcpyDeviceToHost));
    if (got == expect.value(w)) return;
    found.wrong++;
    found.first = std::min<unsigned long long>(found.first, w);
  };
  for (size_t k = 0; k < ENDS && k < n; k++) look(k), look(n - 1 - k);
  for (size_t k = 0; k < OTHERS && n; k++) look(hash(k) % n);
  return found;
}

// The check of an output that holds what Expect says; per: elements of a record.
template <class Expect> Check expects(Expect expect, int per) {
  return [=](const Arrays &a, size_t n) {
    Tally gpu = compare_all(a.out, n * per, expect), cpu = compare_sample(a.out, n * per, expect);
    return Tally{gpu.wrong + cpu.wrong, std::min(gpu.first, cpu.first)};
  };
}

static inline unsigned long long digest_of(const char *at, size_t bytes) {
  Tally *tally = tally_new();
  unsigned long long digest;
  harness_digest<<<harness_grid(bytes), BLOCK>>>((const uint8_t *)at, bytes, &tally->wrong);
  CUDA(cudaGetLastError());
  CUDA(cudaMemcpy(&digest, &tally->wrong, sizeof digest, cudaMemcpyDeviceToHost));
  return digest;
}

// ---- checking and timing ----------------------------------------------------------------------------------------------

template <class Expect> void fill(char *at, size_t bytes, Expect expect) {
  size_t n = bytes / sizeof(typename Expect::T);
  harness_fill<<<harness_grid(n), BLOCK>>>((typename Expect::T *)at, n, expect);
  CUDA(cudaGetLastError());
}
static inline void fill_input(const Work &work, char *at, size_t bytes) {
  work.floats ? fill(at, bytes, InputFloats{}) : fill(at, bytes, Input{});
}

static inline void prepare(const Work &work, const Arrays &a, size_t n) {
  CUDA(cudaMemset(a.in - GUARD, POISON & 0xff, a.bytes + 2 * GUARD));
  CUDA(cudaMemset(a.out - GUARD, POISON & 0xff, a.bytes + 2 * GUARD));
  fill_input(work, a.in, a.bytes);
  if (work.in_place) fill_input(work, a.out, n * work.record);
  if (work.indices) work.indices(a, n);
}

static inline std::string complaint(const char *what, const Tally &t) {
  return std::string(what) + ": " + std::to_string(t.wrong) + " wrong, the first is " + std::to_string(t.first);
}

// Empty when all is as it must be, else what is wrong.
static inline std::string verdict(const Work &work, const Arrays &a, size_t n) {
  const char *end = a.out + work.shift + n * work.out_bytes();
  Tally t = work.check({a.in + work.shift, a.out + work.shift, a.index, a.bytes}, n);
  if (t.wrong) return complaint("output", t);
  t = compare_all(a.out - GUARD, GUARD + work.shift, Poisoned{});
  if (t.wrong) return complaint("bytes before the output", t);
  t = compare_all(end, a.out + a.bytes + GUARD - end, Poisoned{});
  if (t.wrong) return complaint("bytes after the output", t);
  t = work.floats ? compare_all(a.in, a.bytes / 4, InputFloats{}) : compare_all(a.in, a.bytes / 4, Input{});
  if (t.wrong) return complaint("input", t);
  return "";
}

static inline void launch(const Work &work, const Arrays &a, size_t n) {
  work.launch({a.in + work.shift, a.out + work.shift, a.index, a.bytes}, n);
  CUDA(cudaGetLastError());
}

static inline std::string run_checked(const Work &work, const Arrays &a, size_t n) {
  prepare(work, a, n);
  launch(work, a, n);
  CUDA(cudaDeviceSynchronize());
  return verdict(work, a, n);
}

// A check that sees nothing is worse than none: damages one byte at a time, at four places, and looks whether it is noticed.
static inline bool check_notices(const Work &work, const Arrays &a, size_t n) {
  char *end = a.out + work.shift + n * work.out_bytes();
  for (char *at : {a.out + work.shift, end - 1, end, a.out - 1}) {
    uint8_t byte;
    CUDA(cudaMemcpy(&byte, at, 1, cudaMemcpyDeviceToHost));
    CUDA(cudaMemset(at, byte ^ 1, 1));
    if (verdict(work, a, n).empty()) return false;
    CUDA(cudaMemset(at, byte, 1));
  }
  return verdict(work, a, n).empty();
}

// Milliseconds of each of `repeat` runs, after `warm` that are not counted; before() is done ahead of each, and not timed.
template <class F> std::vector<float> time_runs(int warm, int repeat, F run, const std::function<void()> &before = [] {}) {
  std::vector<cudaEvent_t> marks(2 * repeat);
  for (auto &mark : marks) CUDA(cudaEventCreate(&mark));
  for (int k = 0; k < warm; k++) run();
  for (int k = 0; k < repeat; k++) {
    before();
    CUDA(cudaEventRecord(marks[2 * k]));
    run();
    CUDA(cudaEventRecord(marks[2 * k + 1]));
  }
  CUDA(cudaDeviceSynchronize());
  std::vector<float> ms(repeat);
  for (int k = 0; k < repeat; k++) CUDA(cudaEventElapsedTime(&ms[k], marks[2 * k], marks[2 * k + 1]));
  for (auto &mark : marks) CUDA(cudaEventDestroy(mark));
  return ms;
}

// ---- limits -----------------------------------------------------------------------------------------------------------

struct Limits { std::vector<float> memcpy_ms, read_ms, memset_ms; };

static inline void append(std::vector<float> &all, const std::vector<float> &more) {
  all.insert(all.end(), more.begin(), more.end());
}

// Sampled after every kernel, so that the limits see the same clocks and temperatures as the kernels.
static inline void sample_limits(const Arrays &a, Limits &limits) {
  size_t n = a.bytes / sizeof(uint4);
  append(limits.memcpy_ms, time_runs(1, LIMIT_SAMPLES, [&] { CUDA(cudaMemcpyAsync(a.out, a.in, a.bytes, cudaMemcpyDeviceToDevice)); }));
  append(limits.read_ms, time_runs(1, LIMIT_SAMPLES, [&] { harness_read<<<grid_of(n, 4 * BLOCK), BLOCK>>>((const uint4 *)a.in, n, (uint32_t *)a.out); }));
  append(limits.memset_ms, time_runs(1, LIMIT_SAMPLES, [&] { CUDA(cudaMemsetAsync(a.out, POISON & 0xff, a.bytes)); }));
}

// ---- results: one JSON object a line ------------------------------------------------------------------------------------

static inline void print_ms(const char *key, const std::vector<float> &ms) {
  printf("\"%s\": [", key);
  for (size_t k = 0; k < ms.size(); k++) printf("%s%.6f", k ? ", " : "", ms[k]);
  printf("]");
}

static inline void print_device() {
  cudaDeviceProp prop;
  int driver, runtime, clock = 0, memory_clock = 0;
  CUDA(cudaGetDeviceProperties(&prop, 0));
  CUDA(cudaDriverGetVersion(&driver));
  CUDA(cudaRuntimeGetVersion(&runtime));
  CUDA(cudaDeviceGetAttribute(&clock, cudaDevAttrClockRate, 0));
  CUDA(cudaDeviceGetAttribute(&memory_clock, cudaDevAttrMemoryClockRate, 0));
  printf("{\"line\": \"device\", \"name\": \"%s\", \"sm\": \"%d.%d\", \"multiprocessors\": %d, \"l2_bytes\": %d, "
         "\"cuda_driver\": %d, \"cuda_runtime\": %d, \"clock_khz\": %d, \"memory_clock_khz\": %d}\n",
         prop.name, prop.major, prop.minor, prop.multiProcessorCount, prop.l2CacheSize, driver, runtime, clock, memory_clock);
}

static inline void print_result(const Work &work, const Size &size, const std::string &wrong, unsigned long long digest,
                                const std::vector<float> &ms) {
  printf("{\"line\": \"kernel\", \"name\": \"%s\", \"kind\": \"%s\", \"record\": %d, \"records\": %zu, \"bytes\": %zu, "
         "\"operations\": %zu, \"check\": \"%s\", \"digest\": \"%016llx\", ", work.name.c_str(), work.kind.c_str(), work.record,
         size.n, size.bytes, size.operations, wrong.empty() ? "ok" : wrong.c_str(), digest);
  print_ms("ms", ms);
  printf("}\n");
  fflush(stdout);
}

static inline void print_limits(const Arrays &a, const Limits &limits) {
  printf("{\"line\": \"limits\", \"bytes\": %zu, ", a.bytes);
  print_ms("memcpy_ms", limits.memcpy_ms);
  printf(", ");
  print_ms("read_ms", limits.read_ms);
  printf(", ");
  print_ms("memset_ms", limits.memset_ms);
  printf("}\n");
  fflush(stdout);
}

// ---- main -------------------------------------------------------------------------------------------------------------

struct Options {
  std::string filter = "";
  size_t bytes = (size_t)1 << 30;
  size_t size = 0;   // of the suite's kernels in place of the small one; 0: as they are listed
  int repeat = 11, warm = 2;
  bool list = false;
};

static inline void usage(const char *program, FILE *to) {
  fprintf(to, "usage: %s [--filter REGEX] [--repeat N] [--bytes N] [--size N] [--once REGEX] [--list]\n"
              "  --filter REGEX  only kernels whose name matches\n"
              "  --repeat N      timed runs of a kernel (11); 0 checks only\n"
              "  --bytes N       bytes of each array (1 GiB), rounded down to a power of two\n"
              "  --size N        of the suite, instead of small and large: in what each kernel counts, threads, rows or an edge\n"
              "  --once REGEX    launch matching kernels once, on 4 MiB, checked and not timed: for profilers\n"
              "  --list          print the kernels' names; needs no GPU\n", program);
}

// The permutations of random.cu need a power of two.
static inline size_t power_below(size_t n) {
  size_t power = 1;
  while (power <= n / 2) power *= 2;
  return power;
}

static inline Options options_of(int argc, char **argv) {
  Options o;
  auto value = [&](int &k) -> const char * {
    if (k + 1 < argc) return argv[++k];
    usage(argv[0], stderr);
    exit(2);
  };
  for (int k = 1; k < argc; k++) {
    std::string arg = argv[k];
    if (arg == "--filter") o.filter = value(k);
    else if (arg == "--repeat") o.repeat = atoi(value(k));
    else if (arg == "--bytes") o.bytes = power_below(strtoull(value(k), nullptr, 0));
    else if (arg == "--size") o.size = strtoull(value(k), nullptr, 0);
    else if (arg == "--once") o.filter = value(k), o.bytes = ONCE_BYTES, o.repeat = 0;
    else if (arg == "--list") o.list = true;
    else { usage(argv[0], arg == "--help" ? stdout : stderr); exit(arg == "--help" ? 0 : 2); }
  }
  if (o.bytes < MIN_BYTES || o.repeat < 0) { usage(argv[0], stderr); exit(2); }
  return o;
}

static inline Arrays arrays_new(size_t bytes, bool indices) {
  Arrays a = {nullptr, nullptr, nullptr, bytes};
  CUDA(cudaMalloc((void **)&a.in, bytes + 2 * GUARD));
  CUDA(cudaMalloc((void **)&a.out, bytes + 2 * GUARD));
  if (indices) CUDA(cudaMalloc((void **)&a.index, bytes / 4));
  a.in += GUARD;
  a.out += GUARD;
  return a;
}

static inline int bench_main(int argc, char **argv, const std::vector<Work> &all) {
  Options o = options_of(argc, argv);
  std::vector<Work> works;
  std::regex pattern(o.filter);
  for (const Work &work : all)
    if (std::regex_search(work.name, pattern)) works.push_back(work);
  if (o.list) {
    for (const Work &work : works) printf("%s\n", work.name.c_str());
    return 0;
  }
  if (works.empty()) return 0;

  print_device();
  bool indices = std::any_of(works.begin(), works.end(), [](const Work &work) { return (bool)work.indices; });
  Arrays a = arrays_new(o.bytes, indices);
  Limits limits;
  int failed = 0;
  if (o.repeat) time_runs(WAKE_UP, 0, [&] { CUDA(cudaMemcpyAsync(a.out, a.in, a.bytes, cudaMemcpyDeviceToDevice)); });
  for (size_t k = 0; k < works.size(); k++) {
    Size size = works[k].size(a.bytes);
    size_t n = size.n;
    std::string wrong = run_checked(works[k], a, n);
    if (k == 0 && wrong.empty() && !check_notices(works[k], a, n)) wrong = "the check does not notice damage";
    unsigned long long digest = digest_of(a.out + works[k].shift, n * works[k].out_bytes());
    std::vector<float> ms;
    if (wrong.empty() && o.repeat) {
      ms = time_runs(o.warm, o.repeat, [&] { launch(works[k], a, n); });
      sample_limits(a, limits);
    }
    failed += !wrong.empty();
    print_result(works[k], size, wrong, digest, ms);
  }
  if (o.repeat) print_limits(a, limits);
  return failed ? 1 : 0;
}
