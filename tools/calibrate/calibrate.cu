// coalda-calibrate: measures the GPU and writes the cost table that -coalda-cost=FILE reads.
//
//   limits -> loads -> stores -> records -> rows -> exchange -> arithmetic -> rings -> table
//
// Everything that is timed was checked before, word by word. Where a number cannot be measured the built-in one is written.
#include <cerrno>
#include <cmath>
#include <ctime>
#include <utility>

#include "kernels.cuh"
#include "tiles.cuh"

// ---- experiments -------------------------------------------------------------------------------------------------------------

template <int M> Point load_point(const Bench &b) {
  size_t n = b.records(M);
  unsigned grid = n / BLOCK;
  InOrder place;
  b.check("loads of records", n, folded_records(M, place), [&] { plain_load<M><<<grid, BLOCK>>>(b.m.in, place, b.m.out); });
  return {M, b.gbs(n * (M + 1) * WORD, [&] { plain_load<M><<<grid, BLOCK>>>(b.m.in, place, b.m.out); })};
}

template <int M> Point store_point(const Bench &b) {
  size_t n = b.records(M);
  unsigned grid = n / BLOCK;
  b.check("stores of records", n * M, Input{}, [&] { plain_store<M><<<grid, BLOCK>>>(b.m.out); });
  return {M, b.gbs(n * M * WORD, [&] { plain_store<M><<<grid, BLOCK>>>(b.m.out); })};
}

// Loads of records as clang leaves them and as the pass rewrites them.
template <int M, class Place> Pair load_pair(const Bench &b, size_t n, Place place, int listed) {
  unsigned grid = n / BLOCK;
  auto in = (const Words<M> *)b.m.in;
  auto expect = folded_records(M, place);
  auto left = [&] { left_load<M><<<grid, BLOCK>>>(in, place, b.m.out); };
  auto rewritten = [&] { rewritten_load<M><<<grid, BLOCK>>>(in, place, b.m.out); };
  b.check("loads of structs", n, expect, left);
  b.check("loads of structs, rewritten", n, expect, rewritten);
  size_t bytes = n * (M + listed + 1) * WORD;
  return {M, b.gbs(bytes, left), b.gbs(bytes, rewritten)};
}
template <int M> Pair ordered_pair(const Bench &b) { return load_pair<M>(b, b.records(M), InOrder{}, 0); }
template <int M> Pair random_pair(const Bench &b) {
  size_t n = b.m.words() / M;
  return load_pair<M>(b, n, Anywhere{(int)std::log2((double)n), b.m.in}, 1);
}

enum { LONG_ROW = 512 };
using Row = void (*)(const uint32_t *, int, uint32_t *);

static double row_gbs(const Bench &b, Row kernel) {
  size_t n = b.records(LONG_ROW);
  unsigned grid = n / BLOCK;
  auto run = [&] { kernel<<<grid, BLOCK>>>(b.m.in, LONG_ROW, b.m.out); };
  b.check("rows", n, folded_records(LONG_ROW, InOrder{}), run);
  return b.gbs(n * (LONG_ROW + 1) * WORD, run);
}

template <int M> Pair compute_pair(const Bench &b, double copy) {
  size_t n = b.records(M);
  unsigned grid = n / BLOCK;
  auto run = [&] { rewritten_compute<M><<<grid, BLOCK>>>((const Words<M> *)b.m.in, (Words<M> *)b.m.out); };
  b.check("records computed anew", n * M, Mixed(M), run);
  return {M, copy, b.gbs(2 * n * M * WORD, run)};
}

static Ceilings limits(const Bench &b) {
  size_t threads = b.m.words() / (DEEP * PIECE_WORDS);
  unsigned grid = threads / BLOCK;
  Folded<WordsOfStream> expect(DEEP * PIECE_WORDS, WordsOfStream{});
  b.check("wide loads", threads, expect, [&] { wide_load<<<grid, BLOCK>>>(b.m.in, b.m.out); });
  double read = b.gbs(b.m.bytes + threads * WORD, [&] { wide_load<<<grid, BLOCK>>>(b.m.in, b.m.out); });
  b.check("wide stores", b.m.words(), Input{}, [&] { wide_store<<<grid, BLOCK>>>(b.m.out); });
  double write = b.gbs(b.m.bytes, [&] { wide_store<<<grid, BLOCK>>>(b.m.out); });
  b.check("wide copy", b.m.words(), Input{}, [&] { wide_copy<<<grid, BLOCK>>>(b.m.in, b.m.out); });
  return {read, write, b.gbs(2 * b.m.bytes, [&] { wide_copy<<<grid, BLOCK>>>(b.m.in, b.m.out); })};
}

// ---- from measurements to numbers -------------------------------------------------------------------------------------------

static double builtin(const char *name) {
#define COST(known, built, least, most, unit, why) if (!strcmp(name, #known)) return built;
#include "../../pass/base/cost.def"
#undef COST
  stop("there is no cost %s", name);
}

static double gbs_at(const std::vector<Point> &curve, int size) {
  for (const Point &p : curve) if (p.words == size) return p.gbs;
  stop("records of %d words were not measured", size);
}

// A warp's time for `size` requests, in bytes that memory could have moved meanwhile, over what each of them touches.
static double time_of_touch(const std::vector<Point> &curve, int size, double limit, double touched_by_a_request,
                            int others = 0) {
  double bytes = (double)WARP * (size + others) * WORD;
  return bytes * limit / gbs_at(curve, size) / (size * touched_by_a_request);
}

// The longest records up to which nothing is to be gained at the margin: the warp would move them no faster.
static Number served(const std::vector<Point> &curve, double limit, double overhead, const char *what) {
  double least = limit / ((1 + overhead / 100) * (1 + builtin("MARGIN") / 100));
  const Point &first = curve[0];
  Number number = {0, words("records of %d words are %s at %.0f of %.0f GB/s already", first.words, what, first.gbs, limit)};
  for (const Point &p : curve) {
    if (p.gbs < least) {
      number.origin += words(", %d words at %.0f", p.words, p.gbs);
      break;
    }
    number = {(double)p.words * WORD, words("records of %d words are %s at %.0f of %.0f GB/s", p.words, what, p.gbs, limit)};
  }
  return number;
}

// The shortest from which on all gain so much; one byte more than the longest where none does.
static Number worthwhile(const std::vector<Pair> &pairs, double least) {
  Number number = {pairs.back().words * WORD + 1.0, ""};
  for (size_t k = pairs.size(); k-- > 0 && pairs[k].gain() >= least;) number.value = pairs[k].words * WORD;
  for (const Pair &p : pairs)
    number.origin += words("%s%d words %.0f to %.0f GB/s", number.origin.empty() ? "" : ", ", p.words, p.plain, p.exchanged);
  return number;
}

// The shortest pieces that gain so much that they do where not all rows of a warp have one.
static Number shortest(const std::vector<Point> &rows, double left) {
  double least = left * (1 + builtin("CHOSEN") / 100);
  Number number = {rows.back().words * WORD + 1.0, words("rows at %.0f GB/s, rewritten", left)};
  for (size_t k = rows.size(); k-- > 0 && rows[k].gbs >= least;) number.value = rows[k].words * WORD;
  for (const Point &p : rows) number.origin += words("%s by %d words %.0f", &p == &rows[0] ? "" : ",", p.words, p.gbs);
  return number;
}

// The longest up to which none gains so much.
static Number worthless(const std::vector<Pair> &pairs, double least) {
  Number number = worthwhile(pairs, least);
  number.value = 0;
  for (size_t k = 0; k < pairs.size() && pairs[k].gain() < least; k++) number.value = pairs[k].words * WORD;
  return number;
}

// Where the gain ends: the least count from which on none of the steps gains so much; one more than the last where that is none.
static Number turning(const Steps &steps, double least, const char *what) {
  Number number = {steps.back().count + 1.0, what};
  for (size_t k = steps.size(); k-- > 0 && steps[k].gain() < least;) number.value = steps[k].count;
  for (const Step &s : steps) number.origin += words("%s %d %.3fx", &s == &steps[0] ? "" : ",", s.count, s.gain());
  return number;
}

static void add_rings(Numbers &numbers, const Rings &rings) {
  enum { TILES_OF_STAGE = 4 };
  const double least = 1.03;   // runs of one loop are 2% apart
  numbers["LONG_USE"] = turning(rings.uses, least, "gain of a ring over a tile a barrier, by instructions:");
  numbers["LONG_STAGE"] = turning(rings.stages, least, "gain of four tiles a stage over two, by instructions of one:");
  numbers["LONG_STAGE"].value *= TILES_OF_STAGE;
}

struct Measured {
  Ceilings limit;
  std::vector<Point> loads, stores;
  std::vector<Pair> ordered, random, compute;
  std::vector<Point> rows;   // long ones, by words of a piece
  double left;             // long rows, as clang leaves them
  Rates rates;
  Rings rings;             // where there are asynchronous copies
  double spread;
  int multiprocessors;
};


static Numbers numbers_of(const Measured &m) {
  Numbers numbers;
  auto line = [&](int size) { return time_of_touch(m.loads, size, m.limit.read, size * WORD * WARP / 128.0, 1); };
  auto sector = [&](int size) { return time_of_touch(m.stores, size, m.limit.write, WARP * std::min(1.0, size * WORD / 32.0)); };
  double lost = 0;
  for (const Pair &p : m.compute) lost = std::max(lost, 100 * (1 / p.gain() - 1));
  if (lost > 100 * m.spread)   // else as built in: runs of one kernel are further apart
    numbers["OVERHEAD"] = {lost, words("records of 24 and 32 words computed anew at %.0f and %.0f GB/s, copied at %.0f",
                                     m.compute[0].exchanged, m.compute[1].exchanged, m.limit.copy)};
  numbers["LINE"] = {(line(16) + line(32)) / 2, words("16-word records are read at %.0f of %.0f GB/s, 32-word ones at %.0f",
                                                      gbs_at(m.loads, 16), m.limit.read, gbs_at(m.loads, 32))};
  numbers["WRITE"] = {(sector(6) + sector(7) + sector(8)) / 3,
                      words("6-, 7- and 8-word records are written at %.0f, %.0f and %.0f of %.0f GB/s", gbs_at(m.stores, 6),
                            gbs_at(m.stores, 7), gbs_at(m.stores, 8), m.limit.write)};
  numbers["CACHED"] = worthless(m.ordered, 1.02);
  numbers["MERGED"] = served(m.stores, m.limit.write, lost, "stored");
  numbers["SCATTERED"] = worthwhile(m.random, 1.02);
  numbers["WALKED"] = shortest(m.rows, m.left);
  numbers["SLOT"] = {1e9 * m.limit.read / m.rates.instructions,
                     words("%.0f products and sums of a warp a microsecond", m.rates.instructions / 1e6)};
  numbers["PASS"] = {1e9 * m.limit.read / m.rates.passes, words("%.0f reads of a warp a microsecond", m.rates.passes / 1e6)};
  if (!m.rings.uses.empty()) add_rings(numbers, m.rings);
  return numbers;
}

// ---- the table ---------------------------------------------------------------------------------------------------------------

static void write_number(FILE *to, const char *name, double value, const char *unit, const std::string &origin) {
  fprintf(to, "%-10s %7.4g %-12s # %s\n", name, value, unit, origin.c_str());
}

static void write_table(FILE *to, const Bench &b, const Measured &m) {
  int driver, runtime;
  char day[16];
  time_t now = time(nullptr);
  CUDA(cudaDriverGetVersion(&driver));
  CUDA(cudaRuntimeGetVersion(&runtime));
  strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
  fprintf(to, "# %s (sm_%d%d), %s; CUDA %d.%d, driver for %d.%d; written by coalda-calibrate for -coalda-cost=FILE\n",
          b.m.prop.name, b.m.prop.major, b.m.prop.minor, day, runtime / 1000, runtime % 1000 / 10, driver / 1000, driver % 1000 / 10);
  fprintf(to, "# arrays of %zu MiB, medians of %d runs; read limit %.0f GB/s, write limit %.0f, copy %.0f\n", b.m.bytes >> 20,
          b.repeat, m.limit.read, m.limit.write, m.limit.copy);
  Numbers numbers = numbers_of(m);
  auto found = [&](const char *name) { auto n = numbers.find(name); return n == numbers.end() ? nullptr : &n->second; };
#define COST(name, built, least, most, unit, why)                                                                             \
  if (const Number *n = found(#name))                                                                                         \
    write_number(to, #name, std::min<double>(most, std::max<double>(least, n->value)), unit, n->origin);                      \
  else                                                                                                                        \
    write_number(to, #name, built, unit, "not measured: as built in");
#include "../../pass/base/cost.def"
#undef COST
}

// ---- main --------------------------------------------------------------------------------------------------------------------

struct Settings {
  int device = 0, repeat = 9;
  const char *path = nullptr;
};

static void progress(int step, const char *what) { fprintf(stderr, "[%d/8] %s\n", step, what); }

// Some records move faster than the stream that was meant to be the limit: then they are.
static double most(double limit, const std::vector<Point> &curve) {
  for (const Point &p : curve) limit = std::max(limit, p.gbs);
  return limit;
}

static Measured measure(const Bench &b) {
  enum { WAKE_RUNS = 200 };
  time_runs(WAKE_RUNS, 0, [&] { CUDA(cudaMemcpyAsync(b.m.out, b.m.in, b.m.bytes, cudaMemcpyDeviceToDevice)); });
  Measured m;
  progress(1, "limits");
  m.limit = limits(b);
  progress(2, "loads of records");
  m.loads = {load_point<4>(b), load_point<5>(b), load_point<6>(b), load_point<7>(b), load_point<8>(b), load_point<10>(b),
             load_point<12>(b), load_point<14>(b), load_point<16>(b), load_point<24>(b), load_point<32>(b)};
  progress(3, "stores of records");
  m.stores = {store_point<3>(b), store_point<4>(b), store_point<5>(b), store_point<6>(b), store_point<7>(b), store_point<8>(b)};
  m.limit.read = most(m.limit.read, m.loads);
  m.limit.write = most(m.limit.write, m.stores);
  progress(4, "records as clang leaves them, and rewritten");
  m.ordered = {ordered_pair<4>(b), ordered_pair<6>(b), ordered_pair<8>(b), ordered_pair<10>(b), ordered_pair<12>(b),
               ordered_pair<14>(b), ordered_pair<16>(b)};
  m.random = {random_pair<4>(b), random_pair<8>(b), random_pair<16>(b), random_pair<32>(b)};
  progress(5, "rows as clang leaves them, and rewritten");
  m.left = row_gbs(b, left_row);
  m.rows = {{8, row_gbs(b, row_by_32)}, {16, row_gbs(b, row_by_64)}, {32, row_gbs(b, row_by_128)}};
  progress(6, "exchange");
  m.compute = {compute_pair<24>(b, m.limit.copy), compute_pair<32>(b, m.limit.copy)};
  progress(7, "instructions, and passes over shared memory");
  m.rates = measure_rates(b);
  progress(8, "rings of tiles");
  if (b.m.prop.major >= 8) m.rings = measure_rings(b);   // with asynchronous copies
  m.spread = b.spread;
  m.multiprocessors = b.m.prop.multiProcessorCount;
  return m;
}

static int help(FILE *to, int status) {
  fprintf(to, "usage: coalda-calibrate [-o FILE] [--device N] [--repeat N]\n"
              "Measures the GPU, in less than two minutes, and writes its cost table for -coalda-cost=FILE.\n"
              "  -o FILE     instead of standard output\n"
              "  --device N  which GPU (0)\n"
              "  --repeat N  timed runs of each kernel (9)\n"
              "Exit status 2: something is wrong with the command, the GPU or the file.\n");
  return status;
}

static int number_of(const char *text, int least) {
  char *end;
  long number = strtol(text, &end, 10);
  if (*end || end == text || number < least || number > 1000) stop("'%s' is no number from %d to 1000", text, least);
  return (int)number;
}

static Settings settings_of(int argc, char **argv) {
  Settings s;
  for (int k = 1; k < argc; k++) {
    std::string arg = argv[k];
    bool more = k + 1 < argc;
    if (arg == "--help") exit(help(stdout, 0));
    else if (arg == "-o" && more) s.path = argv[++k];
    else if (arg == "--device" && more) s.device = number_of(argv[++k], 0);
    else if (arg == "--repeat" && more) s.repeat = number_of(argv[++k], 1);
    else exit(help(stderr, 2));
  }
  return s;
}

int main(int argc, char **argv) {
  Settings s = settings_of(argc, argv);
  Bench b = {machine_open(s.device), s.repeat, 0};
  Measured measured = measure(b);
  FILE *to = s.path ? fopen(s.path, "w") : stdout;
  if (!to) stop("%s: %s", s.path, strerror(errno));
  write_table(to, b, measured);
  if (fclose(to)) stop("cannot write the table: %s", strerror(errno));
}
