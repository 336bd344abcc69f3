// coalda-calibrate: measures the GPU and writes the cost table that -coalda-cost=FILE reads.
//
//   limits -> records -> rows -> exchange -> arithmetic -> rings -> table
//
// Everything that is timed was checked before, word by word. Where a number cannot be measured the built-in one is written.
#include <cerrno>
#include <cmath>
#include <ctime>
#include <utility>

#include "kernels.cuh"
#include "tiles.cuh"

// ---- experiments -------------------------------------------------------------------------------------------------------------

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

// Stores of records, in order, as clang leaves them and as the pass rewrites them.
template <int M> Pair store_pair(const Bench &b) {
  size_t n = b.records(M);
  unsigned grid = n / BLOCK;
  auto out = (Words<M> *)b.m.out;
  auto left = [&] { left_store<M><<<grid, BLOCK>>>(out); };
  auto rewritten = [&] { rewritten_store<M><<<grid, BLOCK>>>(out); };
  b.check("stores of structs", n * M, Input{}, left);
  b.check("stores of structs, rewritten", n * M, Input{}, rewritten);
  return {M, b.gbs(n * M * WORD, left), b.gbs(n * M * WORD, rewritten)};
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

static const Pair &pair_of(const std::vector<Pair> &pairs, int size) {
  for (const Pair &p : pairs) if (p.words == size) return p;
  stop("records of %d words were not measured", size);
}

// A warp's time for the words of a record, one request each, as clang leaves them, in bytes that memory could have moved meanwhile, over what each
// request touches.
static double time_of_touch(const Pair &pair, double limit, double touched_by_a_request, int others = 0) {
  double bytes = (double)WARP * (pair.words + others) * WORD;
  return bytes * limit / pair.plain / (pair.words * touched_by_a_request);
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

// ---- what is built in stands where it is as good --------------------------------------------------------------------------------

// A price of less than MARGIN more or less decides otherwise only where less than MARGIN is to be gained, and so much is asked of a rewrite.
static Number priced(const char *name, Number measured) {
  double known = builtin(name), apart = 1 + builtin("MARGIN") / 100;
  if (measured.value > known * apart || measured.value * apart < known) return measured;
  return {known, measured.origin + words("; as good as built in, %.4g measured", measured.value)};
}

// One price of all sizes, which lies among theirs.
static Number among(const char *name, double least, double most, const std::string &origin) {
  return {std::min(most, std::max(least, builtin(name))), origin + words(", %.4g and %.4g bytes of each sector; as built in where that is between them", least, most)};
}

// What a threshold decides: something of that size is rewritten, or left, and would be so many times as fast rewritten.
struct Decided { double gain; bool rewritten; };

static std::vector<Decided> decided(const std::vector<Pair> &pairs, double threshold, bool from) {
  std::vector<Decided> all;
  for (const Pair &p : pairs) all.push_back({p.gain(), from ? p.words * WORD >= threshold : p.words * WORD > threshold});
  return all;
}
static std::vector<Decided> decided(const Steps &steps, double threshold, int tiles) {
  std::vector<Decided> all;
  for (const Step &s : steps) all.push_back({s.gain(), tiles * s.count <= threshold});
  return all;
}

// Nothing that it rewrites loses more than runs of one kernel are apart, and nothing that it leaves would gain MARGIN, which is asked of a rewrite: then
// measuring tells nothing better, and one GPU's table does not decide otherwise than another's for nothing.
static bool serves(const std::vector<Decided> &all) {
  const double apart = 1.03;
  for (const Decided &d : all) if (d.rewritten ? d.gain * apart < 1 : d.gain > 1 + builtin("MARGIN") / 100) return false;
  return true;
}

// Number `name`, measured, or what is built in, if that serves.
static void add(Numbers &numbers, const char *name, Number measured, const std::vector<Decided> &by_what_is_built_in) {
  if (serves(by_what_is_built_in)) {
    if (measured.value != builtin(name)) measured.origin += words("; as good as built in, %g would be as well", measured.value);
    measured.value = builtin(name);
  }
  numbers[name] = measured;
}

static void add_rings(Numbers &numbers, const Rings &rings) {
  enum { TILES_OF_STAGE = 4 };
  const double least = 1.03;   // runs of one loop are 2% apart
  Number stage = turning(rings.stages, least, "gain of four tiles a stage over two, by instructions of one:");
  stage.value *= TILES_OF_STAGE;
  add(numbers, "LONG_STAGE", stage, decided(rings.stages, builtin("LONG_STAGE"), TILES_OF_STAGE));
  add(numbers, "LONG_USE", turning(rings.uses, least, "gain of a ring over a tile a barrier, by instructions:"),
      decided(rings.uses, builtin("LONG_USE"), 1));
}

struct Measured {
  Ceilings limit;
  std::vector<Pair> ordered, stored, random, compute;
  std::vector<Point> rows;   // long ones, by words of a piece
  double left;             // long rows, as clang leaves them
  Rates rates;
  Rings rings;             // where there are asynchronous copies
  double spread;
};

static Numbers numbers_of(const Measured &m) {
  Numbers numbers;
  auto line = [&](const Pair &p) { return time_of_touch(p, m.limit.read, p.words * WORD * WARP / 128.0, 1); };
  const Pair &load = pair_of(m.ordered, 16), &longer = pair_of(m.ordered, 32);
  auto sector = [&](const Pair &p) { return time_of_touch(p, m.limit.write, WARP * std::min(1.0, p.words * WORD / 32.0)); };
  const Pair &merged = pair_of(m.stored, 7), &apart = pair_of(m.stored, 16);
  double lost = 0;
  for (const Pair &p : m.compute) lost = std::max(lost, 100 * (1 / p.gain() - 1));
  if (lost > 100 * m.spread)   // else as built in: runs of one kernel are further apart
    numbers["OVERHEAD"] = {lost, words("records of 24 and 32 words computed anew at %.0f and %.0f GB/s, copied at %.0f",
                                     m.compute[0].exchanged, m.compute[1].exchanged, m.limit.copy)};
  numbers["LINE"] = priced("LINE", {(line(load) + line(longer)) / 2, words("16-word records are read at %.0f of %.0f GB/s, 32-word ones at %.0f",
                                                                          load.plain, m.limit.read, longer.plain)});
  numbers["WRITE"] = among("WRITE", sector(merged), sector(apart), words("7- and 16-word records are written at %.0f and %.0f of %.0f GB/s", merged.plain,
                                                                        apart.plain, m.limit.write));
  add(numbers, "CACHED", worthless(m.ordered, 1.02), decided(m.ordered, builtin("CACHED"), false));
  add(numbers, "MERGED", worthless(m.stored, 1.02), decided(m.stored, builtin("MERGED"), false));
  add(numbers, "SCATTERED", worthwhile(m.random, 1.02), decided(m.random, builtin("SCATTERED"), true));
  numbers["WALKED"] = shortest(m.rows, m.left);
  if (numbers["WALKED"].value < builtin("WALKED"))
    numbers["WALKED"] = {builtin("WALKED"), numbers["WALKED"].origin + "; as built in: shorter ones gain in long rows, and lose in short ones"};
  numbers["SLOT"] = priced("SLOT", {1e9 * m.limit.read / m.rates.instructions,
                                    words("%.0f products and sums of a warp a microsecond", m.rates.instructions / 1e6)});
  numbers["PASS"] = priced("PASS", {1e9 * m.limit.read / m.rates.passes, words("%.0f reads of a warp a microsecond", m.rates.passes / 1e6)});
  // As many clocks of an SM as built in: rewritten rows hand such words on by shuffles, so that nothing which the pass makes of ordinary rows shows them.
  double passes = builtin("REPLY") / builtin("PASS");
  numbers["REPLY"] = {numbers["PASS"].value * passes, words("not measured: %.3g passes, as built in", passes)};
  if (!m.rings.uses.empty()) add_rings(numbers, m.rings);
  return numbers;
}

// ---- the table ---------------------------------------------------------------------------------------------------------------

static void write_number(FILE *to, const char *name, double value, const char *unit, const std::string &origin, int digits = 4) {
  fprintf(to, "%-10s %7.*g %-12s # %s\n", name, digits, value, unit, origin.c_str());
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
    write_number(to, #name, built, unit, "not measured: as built in", 10);
#include "../../pass/base/cost.def"
#undef COST
}

// ---- main --------------------------------------------------------------------------------------------------------------------

struct Settings {
  int device = 0, repeat = 9;
  const char *path = nullptr;
};

static void progress(int step, const char *what) { fprintf(stderr, "[%d/6] %s\n", step, what); }

// Some records move faster than the stream that was meant to be the limit: then they are.
static double most(double limit, const std::vector<Pair> &pairs) {
  for (const Pair &p : pairs) limit = std::max({limit, p.plain, p.exchanged});
  return limit;
}

static Measured measure(const Bench &b) {
  enum { WAKE_RUNS = 200 };
  time_runs(WAKE_RUNS, 0, [&] { CUDA(cudaMemcpyAsync(b.m.out, b.m.in, b.m.bytes, cudaMemcpyDeviceToDevice)); });
  Measured m;
  progress(1, "limits");
  m.limit = limits(b);
  progress(2, "records as clang leaves them, and rewritten");
  m.ordered = {ordered_pair<4>(b), ordered_pair<6>(b), ordered_pair<8>(b), ordered_pair<10>(b), ordered_pair<12>(b),
               ordered_pair<14>(b), ordered_pair<16>(b), ordered_pair<32>(b)};
  m.stored = {store_pair<3>(b), store_pair<4>(b), store_pair<5>(b), store_pair<6>(b), store_pair<7>(b), store_pair<8>(b),
              store_pair<16>(b)};
  m.limit.read = most(m.limit.read, m.ordered);
  m.limit.write = most(m.limit.write, m.stored);
  m.random = {random_pair<4>(b), random_pair<8>(b), random_pair<16>(b), random_pair<32>(b)};
  progress(3, "rows as clang leaves them, and rewritten");
  m.left = row_gbs(b, left_row);
  m.rows = {{8, row_gbs(b, row_by_32)}, {16, row_gbs(b, row_by_64)}, {32, row_gbs(b, row_by_128)}};
  progress(4, "exchange");
  m.compute = {compute_pair<24>(b, m.limit.copy), compute_pair<32>(b, m.limit.copy)};
  progress(5, "instructions, and passes over shared memory");
  m.rates = measure_rates(b);
  progress(6, "rings of tiles");
  if (b.m.prop.major >= 8) m.rings = measure_rings(b);   // with asynchronous copies
  m.spread = b.spread;
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
