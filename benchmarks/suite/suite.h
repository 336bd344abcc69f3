// The harness of the suite: every program is a list of kernels and a main() that calls suite_main.
//
//   for each size: ask for arrays and fill them -> launch once -> compare a sample with the CPU -> digest every byte
//                  -> damage the outputs and see that the comparison notices -> fill anew -> time
//
// An input is a function of the index that CPU and GPU compute alike, so a reference never reads what a kernel could have spoilt.
// The digest covers every array and the guards around it: builds that wrote anything else anywhere differ in it.
#pragma once
#include "../bench.h"

#include <cmath>
#include <memory>

#define THREAD (int)(blockIdx.x * blockDim.x + threadIdx.x)

// Whether somebody who tunes by hand would make the kernel faster; and whether expert.cuh does.
enum Sort { CONTROL = 0, GAIN = 1, HAND = 2 };

// ---- what the arrays hold -----------------------------------------------------------------------------------------

// Arrays with different salts hold different numbers.
BOTH inline uint32_t salted(uint32_t salt, size_t k) { return hash((uint32_t)k ^ hash(salt)); }

// Numbers spread evenly over [middle - half, middle + half). With half a power of two, fused or not comes to the same bits.
template <class Number> struct Spread {
  using T = Number;
  uint32_t salt;
  double middle, half;
  BOTH T value(size_t k) const {
    return (T)middle + (T)half * ((T)(int32_t)salted(salt, k) * (T)(1.0 / (1u << 31)));
  }
};
using Floats = Spread<float>;
using Doubles = Spread<double>;

// Whole numbers from 0 to limit - 1.
template <class Number> struct Below {
  using T = Number;
  uint32_t salt, limit;
  BOTH T value(size_t k) const { return (T)((uint64_t)salted(salt, k) * limit >> 32); }
};
using Ints = Below<int>;

struct Bytes {
  using T = uint8_t;
  uint32_t salt;
  BOTH T value(size_t k) const { return (T)(salted(salt, k) >> 13); }
};
struct Bits {
  using T = uint32_t;
  uint32_t salt;
  BOTH T value(size_t k) const { return salted(salt, k); }
};

// The same value everywhere: counters and sums start so.
template <class Number> struct Same {
  using T = Number;
  T all;
  BOTH T value(size_t) const { return all; }
};

// Every number below a power of two once, in a random-looking order.
struct Permutation {
  using T = int;
  uint32_t mask;
  BOTH T value(size_t k) const {
    uint32_t x = (uint32_t)k & mask;
    x = (x * 0x9e3779b1u + 0x7f4a7c15u) & mask;
    x ^= x >> 7;
    x = (x * 0x85ebca6bu) & mask;
    return (int)(x ^ x >> 9);
  }
};

// A full input: the array for the kernel, its values for the reference.
template <class Gen> struct In {
  using T = typename Gen::T;
  T *at;
  Gen gen;
  T operator[](size_t k) const { return gen.value(k); }
  operator T *() const { return at; }
  template <class Record> Record *as() const { return (Record *)at; }
  // The k-th record, when the array is seen as an array of them.
  template <class Record> Record record(size_t k) const {
    enum { WORDS = sizeof(Record) / sizeof(T) };
    T word[WORDS];
    for (size_t w = 0; w < WORDS; w++) word[w] = gen.value(k * WORDS + w);
    Record r;
    memcpy(&r, word, sizeof r);
    return r;
  }
};

// The w-th number of a record.
template <class Number, class Record> Number word_of(const Record &r, size_t w) {
  Number value;
  memcpy(&value, (const char *)&r + w * sizeof value, sizeof value);
  return value;
}

// ---- one kernel at one size ---------------------------------------------------------------------------------------

template <class T, class Gen> HARNESS void harness_fill_with(T *a, size_t n, Gen gen) {
  for (size_t k = first_item(); k < n; k += item_step()) a[k] = gen.value(k);
}

enum : size_t { SUITE_GUARD = 4096 };
enum { SAMPLES = 96, LEAST_MICROSECONDS = 1000, MOST_LAUNCHES = 250, LAUNCH_NANOSECONDS = 8000 };

class Trial {
public:
  size_t moved = 0, operations = 0;   // bytes and floating-point operations of a launch, as the table counts them
  std::function<void()> launch;

  Trial() = default;
  Trial(const Trial &) = delete;
  ~Trial() {
    for (Block &b : blocks) cudaFree(b.at - SUITE_GUARD);
  }

  // Arrays live as long as the trial.
  template <class Gen> In<Gen> in(size_t n, Gen gen) {
    using T = typename Gen::T;
    T *at = (T *)add(n * sizeof(T), [=](char *to) {
      harness_fill_with<<<harness_grid(n), BLOCK>>>((T *)to, n, gen);
      CUDA(cudaGetLastError());
    });
    return {at, gen};
  }
  template <class T> T *out(size_t n) { return (T *)add(n * sizeof(T), nullptr); }

  // The n numbers at `at` must be value(w), within `tolerance` of the larger of it and `scale`. NaN: rounding decides, and
  // the reference cannot tell.
  template <class T, class F> void expect(const T *at, size_t n, double tolerance, double scale, F value) {
    std::vector<double> wants;   // computed once, when first asked for
    checks.push_back({(const char *)at, n * sizeof(T), [=]() mutable {
      int wrong = 0;
      for (size_t k = 0; k < SAMPLES; k++) {
        size_t w = k == 0 ? 0 : k == 1 ? n - 1 : (size_t)(((uint64_t)hash(k) << 32 | hash(~k)) % n);
        if (wants.size() == k) wants.push_back((double)value(w));
        if (std::isnan(wants[k])) continue;
        T got;
        CUDA(cudaMemcpy(&got, at + w, sizeof got, cudaMemcpyDeviceToHost));
        if (!(fabs((double)got - wants[k]) <= tolerance * std::max(fabs(wants[k]), scale)) && !wrong++)
          snprintf(first, sizeof first, "element %zu is %.9g, expected %.9g", w, (double)got, wants[k]);
      }
      return wrong;
    }});
  }

  void fill() {
    for (Block &b : blocks) {
      CUDA(cudaMemset(b.at - SUITE_GUARD, POISON & 0xff, b.bytes + 2 * SUITE_GUARD));
      if (b.fill) b.fill(b.at);
    }
  }

  // Empty when the sample is as it must be, else what is wrong.
  std::string verdict() {
    int wrong = 0;
    for (Expected &e : checks) wrong += e.wrong();
    if (!wrong) return "";
    return std::string(first) + "; " + std::to_string(wrong) + " of " + std::to_string(SAMPLES * checks.size());
  }

  // A check that sees nothing is worse than none: neither zeros nor what was never written may pass for a result.
  bool notices_damage() {
    for (int byte : {0, (int)(POISON & 0xff)})
      for (Expected &e : checks) {
        CUDA(cudaMemset((void *)e.at, byte, e.bytes));
        if (e.wrong() < SAMPLES / 4) return false;
      }
    return true;
  }

  unsigned long long digest() {
    unsigned long long all = 0;
    for (Block &b : blocks) all = all * 31 + digest_of(b.at - SUITE_GUARD, b.bytes + 2 * SUITE_GUARD);
    return all;
  }

private:
  struct Block { char *at; size_t bytes; std::function<void(char *)> fill; };
  struct Expected { const char *at; size_t bytes; std::function<int()> wrong; };
  std::vector<Block> blocks;
  std::vector<Expected> checks;
  char first[160] = "";

  char *add(size_t bytes, std::function<void(char *)> fill) {
    char *at;
    CUDA(cudaMalloc((void **)&at, bytes + 2 * SUITE_GUARD));
    blocks.push_back({at + SUITE_GUARD, bytes, fill});
    return at + SUITE_GUARD;
  }
};

// ---- the list -----------------------------------------------------------------------------------------------------

struct Entry {
  std::string name, family;   // of the kernel; what kind of access it is about
  int sort;                   // CONTROL, GAIN, GAIN | HAND
  size_t small, large;        // what set() makes of it is its own affair: threads, rows, an edge
  void (*set)(Trial &, size_t);
};

static inline void print_trial(const Entry &e, const char *size, const Trial &t, const std::string &wrong,
                               unsigned long long digest, const std::vector<float> &ms) {
  const char *name = e.name.c_str(), *gain = e.sort & GAIN ? "true" : "false";
  printf("{\"line\": \"kernel\", \"kind\": \"suite\", \"name\": \"%s.%s\", \"kernel\": \"%s\", \"size\": \"%s\", "
         "\"class\": \"%s\", \"gain\": %s, ", name, size, name, size, e.family.c_str(), gain);
  printf("\"bytes\": %zu, \"operations\": %zu, \"check\": \"%s\", \"digest\": \"%016llx\", ", t.moved, t.operations,
         wrong.empty() ? "ok" : wrong.c_str(), digest);
  print_ms("ms", ms);
  printf("}\n");
  fflush(stdout);
}

// Keeps the GPU busy until the host has queued what follows.
HARNESS void harness_wait(unsigned long long nanoseconds) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - start < nanoseconds);
}

// Short kernels are launched several times between two events, whose own grain is too coarse for them; all of these launches
// are queued before the first one starts, or the host's pace would be measured.
static inline std::vector<float> time_trial(Trial &t, int warm, int repeat) {
  float once = time_runs(warm, 1, t.launch)[0];
  int launches = std::min<int>(MOST_LAUNCHES, 1 + (int)(LEAST_MICROSECONDS / (1000 * once)));
  auto run = [&] { for (int k = 0; k < launches; k++) t.launch(); };
  auto queue = [&] { if (launches > 1) harness_wait<<<1, 1>>>((unsigned long long)launches * LAUNCH_NANOSECONDS); };
  std::vector<float> ms = time_runs(warm, repeat, run, queue);
  for (float &m : ms) m /= launches;
  return ms;
}

static inline bool run_trial(const Entry &e, const char *size, size_t n, const Options &o) {
  Trial t;
  e.set(t, n);
  t.fill();
  t.launch();
  CUDA(cudaGetLastError());
  CUDA(cudaDeviceSynchronize());
  std::string wrong = t.verdict();
  unsigned long long digest = t.digest();
  if (wrong.empty() && !t.notices_damage()) wrong = "the check does not notice damage";
  std::vector<float> ms;
  if (wrong.empty() && o.repeat) {
    t.fill();
    ms = time_trial(t, o.warm, o.repeat);
  }
  print_trial(e, size, t, wrong, digest, ms);
  return wrong.empty();
}

// Limits are sampled where the kernels of a program are, with the same clocks.
static inline int suite_main(int argc, char **argv, const std::vector<Entry> &all) {
  Options o = options_of(argc, argv);
  std::regex pattern(o.filter);
  bool once = o.bytes == ONCE_BYTES;
  Limits limits;
  Arrays a = {};
  int failed = 0;
  for (const Entry &e : all) {
#ifdef BENCH_EXPERT
    if (!(e.sort & HAND)) continue;
#endif
    bool asked = false;
    for (const char *size : {"small", "large"}) {
      if (!std::regex_search(e.name + "." + size, pattern) || ((once || o.size) && *size == 'l')) continue;
      if (o.list) { asked = true; continue; }
      if (!a.in) {
        print_device();
        a = arrays_new(LIMIT_BYTES, false);
        if (o.repeat) time_runs(WAKE_UP, 0, [&] { CUDA(cudaMemcpyAsync(a.out, a.in, a.bytes, cudaMemcpyDeviceToDevice)); });
      }
      failed += !run_trial(e, size, o.size ? o.size : *size == 's' ? e.small : e.large, o);
      if (o.repeat && *size == 'l') sample_limits(a, limits);
    }
    if (asked) printf("%s\n", e.name.c_str());
  }
  if (a.in && o.repeat) print_limits(a, limits);
  return failed ? 1 : 0;
}
