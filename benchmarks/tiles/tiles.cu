// Tile loops: global memory is staged in shared memory between barriers. Every output is computed anew without shared memory,
// and must be the same bit by bit; some elements are computed on the CPU as well, whose rounding is its own.
#include "../bench.h"

#include "products.h"
#include "sweeps.h"
#include "held.h"
#include "fills.h"
#ifdef BENCH_EXPERT
#include "expert.cuh"
#endif

// ---- what they read: the harness's numbers, from memory on the GPU and from their index on the CPU ----------------------

struct Floats {
  const float *in;
  size_t from = 0;
  BOTH float operator[](size_t k) const {
#ifdef __CUDA_ARCH__
    return in[from + k];
#else
    return hash_float(from + k);
#endif
  }
};

// Half of a float's bits: any of these is a number.
struct Halves {
  const __half *in;
  size_t from = 0;
  BOTH float operator[](size_t k) const {
#ifdef __CUDA_ARCH__
    return __half2float(in[from + k]);
#else
    uint16_t bits = (uint16_t)(float_bits(hash_float((from + k) / 2)) >> 16 * ((from + k) % 2));
    __half h;
    memcpy(&h, &bits, sizeof h);
    return __half2float(h);
#endif
  }
};

struct Bytes {
  const uint8_t *in;
  BOTH float operator[](size_t k) const {
#ifdef __CUDA_ARCH__
    return in[k];
#else
    return (uint8_t)(float_bits(hash_float(k / 4)) >> 8 * (k % 4));
#endif
  }
};

// Any order of the elements, but each within NEAR of its place.
BOTH inline size_t near(size_t k) { return (k & ~(size_t)(NEAR - 1)) | (hash(k) & (NEAR - 1)); }
struct Near : Straight<int> { BOTH int value(size_t k) const { return (int)near(k); } };
struct Gathered : Floats { BOTH float operator[](size_t k) const { return Floats::operator[](near(k)); } };

// ---- what must come out -------------------------------------------------------------------------------------------------

// An expectation of floats: at(w) computes the w-th, value(w) gives its bits.
template <class Self> struct Result : Straight<uint32_t> {
  BOTH uint32_t value(size_t w) const { return float_bits(static_cast<const Self *>(this)->at(w)); }
};

template <class In> struct Product : Result<Product<In>> {
  In a, b;
  size_t edge;
  BOTH float at(size_t w) const {
    float sum = 0;
    for (size_t k = 0; k < edge; k++) sum += a[w / edge * edge + k] * b[k * edge + w % edge];
    return sum;
  }
};

// A thread's part of a stream: tiles of LENGTH elements, in each of them one pair every `block` elements.
template <class In, int LENGTH> struct Stream : Result<Stream<In, LENGTH>> {
  In in;
  size_t tiles, block;
  BOTH float at(size_t w) const {
    float sum = 0;
    for (size_t k = w / block * tiles; k < (w / block + 1) * tiles; k++)
      for (size_t t = w % block; t < LENGTH; t += block) sum += in[k * LENGTH + t] * 0.5f + in[k * LENGTH + LENGTH - 1 - t];
    return sum;
  }
};

struct Wide : Result<Wide> {
  Floats in;
  size_t tiles;
  BOTH float at(size_t w) const {
    float sum = 0;
    for (size_t k = w / LINE * tiles; k < (w / LINE + 1) * tiles; k++) {
      size_t mine = 4 * (k * LINE + w % LINE), other = 4 * (k * LINE + LINE - 1 - w % LINE);
      sum += in[mine] * 0.5f + in[other + 1];
      sum += in[mine + 2] * 0.5f + in[other + 3];
    }
    return sum;
  }
};

struct Ragged : Result<Ragged> {
  Floats in;
  size_t n, blocks;
  BOTH float at(size_t w) const {
    float sum = 0;
    for (size_t base = w / LINE * LINE; base < n; base += blocks * LINE) {
      size_t mine = base + w % LINE, other = base + LINE - 1 - w % LINE;
      sum += (mine < n ? in[mine] : 0) * 0.5f + (other < n ? in[other] : 0);
    }
    return sum;
  }
};

struct Stencil : Result<Stencil> {
  Floats in;
  size_t n;
  BOTH float at(size_t w) const {
    float sum = 0;
    for (size_t j = 0; j <= 2 * RADIUS; j++) sum += w + j >= RADIUS && w + j - RADIUS < n ? in[w + j - RADIUS] : 0;
    return sum;
  }
};

static const float host_weights[] = WEIGHTS;
template <class In> struct Convolution : Result<Convolution<In>> {
  In in;
  long width, height;
  BOTH float pixel(long x, long y) const { return x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0; }
  BOTH float at(size_t w) const {
#ifdef __CUDA_ARCH__
    const float *weight = weights;
#else
    const float *weight = host_weights;
#endif
    float sum = 0;
    for (long j = 0; j < WINDOW; j++)
      for (long i = 0; i < WINDOW; i++) sum += weight[j * WINDOW + i] * pixel((long)w % width + i - RIM, (long)w / width + j - RIM);
    return sum;
  }
};

struct Transposed : Result<Transposed> {
  Floats in;
  size_t width, height;
  BOTH float at(size_t w) const { return in[w % height * width + w / height]; }
};

#ifndef BENCH_EXPERT
struct LookedUp : Result<LookedUp> {
  Floats in;
  BOTH float at(size_t w) const { return in[spread(w)]; }
};
#endif

struct Repeated : Result<Repeated> {
  Floats in;
  BOTH float at(size_t w) const {
    float sum = 0;
    for (size_t k = 0; k < TIMES; k++) sum += in[w / LINE * LINE + (w + k) % LINE] * 0.5f;
    return sum;
  }
};

struct Cubes : Result<Cubes> {
  Floats in;
  long edge;
  BOTH float point(long x, long y, long z) const {
    bool inside = x >= 0 && x < edge && y >= 0 && y < edge && z >= 0 && z < edge;
    return inside ? in[(z * edge + y) * edge + x] : 0;
  }
  BOTH float at(size_t w) const {
    long x = (long)w % edge, y = (long)w / edge % edge, z = (long)w / edge / edge;
    float sum = point(x, y, z);
    sum += point(x - 1, y, z);
    sum += point(x + 1, y, z);
    sum += point(x, y - 1, z);
    sum += point(x, y + 1, z);
    sum += point(x, y, z - 1);
    sum += point(x, y, z + 1);
    return sum;
  }
};

struct Forces : Result<Forces> {
  Floats in;
  size_t n;
  BOTH float4 body(size_t i) const { return make_float4(in[4 * i], in[4 * i + 1], in[4 * i + 2], in[4 * i + 3]); }
  BOTH float at(size_t w) const {
    float4 p = body(w / 4);
    float x = 0, y = 0, z = 0;
    for (size_t j = 0; j < n; j++) pull(p, body(j), &x, &y, &z);
    return w % 4 == 0 ? x : w % 4 == 1 ? y : w % 4 == 2 ? z : 0;
  }
};

struct Distances : Result<Distances> {
  Floats query, point;
  size_t count, dims;
  BOTH float at(size_t w) const {
    float sum = 0;
    for (size_t d = 0; d < dims; d++) {
      float difference = query[d * count + w / count] - point[d * count + w % count];
      sum += difference * difference;
    }
    return sum;
  }
};

// ---- the checks ---------------------------------------------------------------------------------------------------------

// The CPU rounds where the GPU fuses, and sums of thousands of terms differ by as much. `scale`: size of a term that matters.
template <class Expect> Tally sampled_near(const float *got, size_t n, Expect expect, double scale) {
  enum { SAMPLES = 24 };
  const double TOLERANCE = 1e-4;
  Tally found = {0, ~0ull};
  for (size_t k = 0; k < SAMPLES && n; k++) {
    size_t w = k == 0 ? 0 : k == 1 ? n - 1 : hash(k) % n;
    float value;
    CUDA(cudaMemcpy(&value, got + w, sizeof value, cudaMemcpyDeviceToHost));
    double want = expect.at(w);
    if (fabs(value - want) <= TOLERANCE * std::max(fabs(want), scale)) continue;
    found.wrong++;
    found.first = std::min<unsigned long long>(found.first, w);
  }
  return found;
}

// per: floats of a record. make: from the arrays to what they must hold.
template <class Make> Check expects_near(Make make, int per = 1, double scale = 1) {
  return [=](const Arrays &a, size_t n) {
    auto expect = make(a);
    Tally gpu = compare_all(a.out, n * per, expect), cpu = sampled_near((const float *)a.out, n * per, expect, scale);
    return Tally{gpu.wrong + cpu.wrong, std::min(gpu.first, cpu.first)};
  };
}

static Work tile_work(const char *name, std::function<Size(size_t)> sized, std::function<void(const Arrays &, size_t)> launch, Check check,
                      int record = 4) {
  Work work = {name, "tile", record, 0, launch, check};
  work.floats = true;
  work.sized = sized;
  return work;
}

// ---- products -------------------------------------------------------------------------------------------------------------

enum { LARGEST_EDGE = 4096 };

// Two matrices fit into the input.
static size_t product_edge(size_t bytes) {
  size_t edge = LARGEST_EDGE;
  while (2 * 4 * edge * edge > bytes) edge /= 2;
  return edge;
}

// The edge is a multiple of the tile, less what is missing.
template <class In, class Element>
Work product_of(const char *name, void (*kernel)(const Element *, const Element *, float *, int), int tile, int side, int shared = 0,
                int missing = 0) {
  auto edge_of = [=](size_t bytes) { return product_edge(bytes) - missing; };
  auto sized = [=](size_t bytes) {
    size_t edge = edge_of(bytes);
    return Size{edge * edge, (2 * sizeof(Element) + 4) * edge * edge, 2 * edge * edge * edge};
  };
  auto run = [=](const Arrays &a, size_t) {
    unsigned edge = (unsigned)edge_of(a.bytes), blocks = (edge + tile - 1) / tile;
    const Element *in = (const Element *)a.in;
    kernel<<<dim3(blocks, blocks), dim3(side, side), shared>>>(in, in + (size_t)edge * edge, (float *)a.out, (int)edge);
  };
  auto expect = [=](const Arrays &a) {
    Product<In> p;
    p.edge = edge_of(a.bytes);
    p.a.in = p.b.in = (const Element *)a.in;
    p.b.from = p.edge * p.edge;
    return p;
  };
  return tile_work(name, sized, run, [=](const Arrays &a, size_t n) { return expects_near(expect)(a, n); });
}

static Work product(const char *name, void (*kernel)(const float *, const float *, float *, int), int tile, int side, int shared = 0,
                    int missing = 0) {
  return product_of<Floats>(name, kernel, tile, side, shared, missing);
}

// ---- streams --------------------------------------------------------------------------------------------------------------

// How many tiles each block has of the input, when a tile takes so many bytes of it.
static size_t tiles_each(size_t bytes, int blocks, int tile_bytes) { return bytes / tile_bytes / blocks; }

static std::function<Size(size_t)> stream_size(int blocks, int threads, int tile_bytes, int index_bytes = 0) {
  return [=](size_t bytes) {
    size_t n = (size_t)blocks * threads;
    return Size{n, tiles_each(bytes, blocks, tile_bytes) * blocks * (tile_bytes + index_bytes) + 4 * n, 0};
  };
}

template <class In, class Element, int LENGTH>
Work stream_of(const char *name, void (*kernel)(const Element *, float *, int), int blocks, int threads, int shared = 0) {
  auto tiles = [=](const Arrays &a) { return tiles_each(a.bytes, blocks, LENGTH * sizeof(Element)); };
  auto run = [=](const Arrays &a, size_t) { kernel<<<blocks, threads, shared>>>((const Element *)a.in, (float *)a.out, (int)tiles(a)); };
  auto expect = [=](const Arrays &a) {
    Stream<In, LENGTH> s;
    s.in.in = (const Element *)a.in;
    s.tiles = tiles(a);
    s.block = threads;
    return s;
  };
  return tile_work(name, stream_size(blocks, threads, LENGTH * sizeof(Element)), run, expects_near(expect));
}

static Work stream(const char *name, void (*kernel)(const float *, float *, int), int blocks) {
  return stream_of<Floats, float, LINE>(name, kernel, blocks, LINE);
}

#ifndef BENCH_EXPERT
enum { BLOCKS = 264, INNER_THREADS = 128 };   // two blocks on each multiprocessor of an H200

static Work gathers() {
  // A tile's indices take as much of their array, a quarter of the input, as the tile takes of its own.
  auto tiles = [](size_t bytes) { return tiles_each(bytes / 4, BLOCKS, LINE * 4); };
  auto sized = [=](size_t bytes) { return Size{BLOCKS * LINE, tiles(bytes) * BLOCKS * LINE * 8 + 4 * BLOCKS * LINE, 0}; };
  auto run = [=](const Arrays &a, size_t) {
    gathered<<<BLOCKS, LINE>>>((const float *)a.in, (const int *)a.index, (float *)a.out, (int)tiles(a.bytes));
  };
  auto expect = [=](const Arrays &a) {
    Stream<Gathered, LINE> s;
    s.in.in = (const float *)a.in;
    s.tiles = tiles(a.bytes);
    s.block = LINE;
    return s;
  };
  Work work = tile_work("gathered", sized, run, expects_near(expect));
  work.indices = [](const Arrays &a, size_t) { fill((char *)a.index, a.bytes / 4, Near{}); };
  return work;
}

static Work known() {
  auto sized = [](size_t bytes) {
    size_t n = bytes / (TRIPS * LINE * 4) * LINE;
    return Size{n, 4 * n * TRIPS + 4 * n, 0};
  };
  auto run = [](const Arrays &a, size_t n) { known_trips<<<(unsigned)(n / LINE), LINE>>>((const float *)a.in, (float *)a.out); };
  auto expect = [](const Arrays &a) {
    Stream<Floats, LINE> s;
    s.in.in = (const float *)a.in;
    s.tiles = TRIPS;
    s.block = LINE;
    return s;
  };
  return tile_work("known_trips", sized, run, expects_near(expect));
}

static Work wide() {
  auto tiles = [](const Arrays &a) { return tiles_each(a.bytes, BLOCKS, LINE * 16); };
  auto run = [=](const Arrays &a, size_t) { float4_tiles<<<BLOCKS, LINE>>>((const float4 *)a.in, (float *)a.out, (int)tiles(a)); };
  auto expect = [=](const Arrays &a) {
    Wide s;
    s.in.in = (const float *)a.in;
    s.tiles = tiles(a);
    return s;
  };
  return tile_work("float4_tiles", stream_size(BLOCKS, LINE, LINE * 16), run, expects_near(expect));
}

static Work rag() {
  auto count = [](size_t bytes) { return bytes / 4 - 77; };   // the last tile is short
  auto sized = [=](size_t bytes) { return Size{BLOCKS * LINE, 4 * count(bytes) + 4 * BLOCKS * LINE, 0}; };
  auto run = [=](const Arrays &a, size_t) { ragged<<<BLOCKS, LINE>>>((const float *)a.in, (float *)a.out, (int)count(a.bytes)); };
  auto expect = [=](const Arrays &a) {
    Ragged s;
    s.in.in = (const float *)a.in;
    s.n = count(a.bytes);
    s.blocks = BLOCKS;
    return s;
  };
  return tile_work("ragged", sized, run, expects_near(expect));
}

// ---- neighbours -----------------------------------------------------------------------------------------------------------

static Size all_of(size_t bytes) { return {bytes / 4, 2 * bytes, 0}; }

static Work stencils() {
  enum { TILES = 32 };
  auto run = [](const Arrays &a, size_t n) {
    stencil<<<(unsigned)(n / LINE / TILES), LINE>>>((const float *)a.in, (float *)a.out, TILES, (int)n);
  };
  auto expect = [](const Arrays &a) {
    Stencil s;
    s.in.in = (const float *)a.in;
    s.n = a.bytes / 4;
    return s;
  };
  return tile_work("stencil", all_of, run, expects_near(expect));
}

enum { WIDTH = 8192, SECTIONS = 4 };

template <class In, class Element>
Work convolution_of(const char *name, void (*kernel)(const Element *, float *, int, int, int)) {
  auto sized = [](size_t bytes) { return Size{bytes / 4, bytes / 4 * (sizeof(Element) + 4), 0}; };
  auto run = [=](const Arrays &a, size_t n) {
    int height = (int)(n / WIDTH);
    kernel<<<dim3(WIDTH / STRIP, SECTIONS), dim3(STRIP, DOWN)>>>((const Element *)a.in, (float *)a.out, WIDTH, height, height / SECTIONS);
  };
  auto expect = [](const Arrays &a) {
    Convolution<In> s;
    s.in.in = (const Element *)a.in;
    s.width = WIDTH;
    s.height = (long)(a.bytes / 4 / WIDTH);
    return s;
  };
  return tile_work(name, sized, run, expects_near(expect));
}

static Work transpositions() {
  auto run = [](const Arrays &a, size_t n) {
    int height = (int)(n / WIDTH);
    transposed<<<height / TURN, dim3(TURN, 8)>>>((const float *)a.in, (float *)a.out, WIDTH, height);
  };
  auto expect = [](const Arrays &a) {
    Transposed s;
    s.in.in = (const float *)a.in;
    s.width = WIDTH;
    s.height = a.bytes / 4 / WIDTH;
    return s;
  };
  return tile_work("transposed", all_of, run, expects_near(expect));
}

// ---- once -----------------------------------------------------------------------------------------------------------------

static Work lookups() {
  auto sized = [](size_t bytes) { return Size{bytes / 4, bytes, 0}; };
  auto run = [](const Arrays &a, size_t n) {
    looked_up<<<(unsigned)(n / LINE / LOOKUPS), LINE>>>((const float *)a.in, (float *)a.out, TABLE);
  };
  auto expect = [](const Arrays &a) {
    LookedUp s;
    s.in.in = (const float *)a.in;
    return s;
  };
  return tile_work("looked_up", sized, run, expects_near(expect));
}

static Work repeats() {
  auto run = [](const Arrays &a, size_t n) {
    repeated<<<(unsigned)(n / LINE), LINE>>>((const float *)a.in, (float *)a.out, TIMES);
  };
  auto expect = [](const Arrays &a) {
    Repeated s;
    s.in.in = (const float *)a.in;
    return s;
  };
  return tile_work("repeated", all_of, run, expects_near(expect));
}

// As many segments as the input, or the part of it that has indices, is long.
template <class In, int LENGTH> Work segments_of(const char *name, int share, int index_bytes, std::function<void(const Arrays &, int)> launch) {
  auto count = [=](size_t bytes) { return bytes / share / 4 / LENGTH; };
  auto sized = [=](size_t bytes) { return Size{count(bytes) * LINE, count(bytes) * (LENGTH * (4 + index_bytes) + 4 * LINE), 0}; };
  auto run = [=](const Arrays &a, size_t) { launch(a, (int)count(a.bytes)); };
  auto expect = [](const Arrays &a) {
    Stream<In, LENGTH> s;
    s.in.in = (const float *)a.in;
    s.tiles = 1;
    s.block = LINE;
    return s;
  };
  Work work = tile_work(name, sized, run, expects_near(expect));
  if (index_bytes) work.indices = [](const Arrays &a, size_t) { fill((char *)a.index, a.bytes / 4, Near{}); };
  return work;
}

static Work segment_gathers() {
  return segments_of<Gathered, SEGMENT>("segments_gathered", 4, 4, [](const Arrays &a, int count) {
    segments_gathered<<<count, LINE>>>((const float *)a.in, (const int *)a.index, (float *)a.out, SEGMENT);
  });
}

template <int LENGTH> Work segment_sums(const char *name, void (*kernel)(const float *, float *, int)) {
  return segments_of<Floats, LENGTH>(name, 1, 0, [=](const Arrays &a, int count) {
    kernel<<<count, LINE>>>((const float *)a.in, (float *)a.out, LENGTH);
  });
}

static Work windows() {
  auto run = [](const Arrays &a, size_t n) {
    int height = (int)(n / WIDTH);
    squares<<<dim3(WIDTH / SQUARE, height / SQUARE), dim3(SQUARE, SQUARE)>>>((const float *)a.in, (float *)a.out, WIDTH, height);
  };
  auto expect = [](const Arrays &a) {
    Convolution<Floats> s;
    s.in.in = (const float *)a.in;
    s.width = WIDTH;
    s.height = (long)(a.bytes / 4 / WIDTH);
    return s;
  };
  return tile_work("squares", all_of, run, expects_near(expect));
}

static Work turns() {
  auto run = [](const Arrays &a, size_t n) {
    int height = (int)(n / WIDTH);
    turned<<<dim3(WIDTH / TURN, height / TURN), dim3(TURN, 8)>>>((const float *)a.in, (float *)a.out, WIDTH, height);
  };
  auto expect = [](const Arrays &a) {
    Transposed s;
    s.in.in = (const float *)a.in;
    s.width = WIDTH;
    s.height = a.bytes / 4 / WIDTH;
    return s;
  };
  return tile_work("turned", all_of, run, expects_near(expect));
}

static size_t cube_edge(size_t bytes) {
  size_t edge = CUBE;
  while (8 * 4 * edge * edge * edge <= bytes) edge *= 2;
  return edge;
}

static Work neighbours() {
  auto sized = [](size_t bytes) {
    size_t n = cube_edge(bytes) * cube_edge(bytes) * cube_edge(bytes);
    return Size{n, 8 * n, 0};
  };
  auto run = [](const Arrays &a, size_t) {
    unsigned edge = (unsigned)cube_edge(a.bytes), blocks = edge / CUBE;
    cubes<<<dim3(blocks, blocks, blocks), dim3(CUBE, CUBE, CUBE)>>>((const float *)a.in, (float *)a.out, (int)edge);
  };
  auto expect = [](const Arrays &a) {
    Cubes s;
    s.in.in = (const float *)a.in;
    s.edge = (long)cube_edge(a.bytes);
    return s;
  };
  return tile_work("cubes", sized, run, expects_near(expect));
}

// ---- pairs ----------------------------------------------------------------------------------------------------------------

static Work bodies() {
  enum { MOST = BLOCKS * LINE, SHARE = 32, FLOPS = 20 };   // operations of a pair, as is customary
  const double SCALE = 10;             // forces cancel out: what remains is held against the largest of them
  auto count = [](size_t bytes) { return std::min<size_t>(MOST, bytes / sizeof(float4) / SHARE / LINE * LINE); };
  auto sized = [=](size_t bytes) { return Size{count(bytes), 32 * count(bytes), FLOPS * count(bytes) * count(bytes)}; };
  auto run = [](const Arrays &a, size_t n) { nbody<<<(unsigned)(n / LINE), LINE>>>((const float4 *)a.in, (float4 *)a.out, (int)n); };
  auto expect = [=](const Arrays &a) {
    Forces s;
    s.in.in = (const float *)a.in;
    s.n = count(a.bytes);
    return s;
  };
  return tile_work("nbody", sized, run, expects_near(expect, 4, SCALE), 16);
}

static Work distances() {
  enum { MOST = 4096, DIMS = 500, FLOPS = 3 };   // 500 is no multiple of the tile
  auto count = [](size_t bytes) {
    size_t most = MOST;
    while (2 * 4 * most * std::max<size_t>(most, DIMS) > bytes) most /= 2;
    return most;
  };
  auto sized = [=](size_t bytes) {
    size_t c = count(bytes);
    return Size{c * c, 4 * (c * c + 2 * c * DIMS), FLOPS * c * c * DIMS};
  };
  auto run = [=](const Arrays &a, size_t) {
    size_t c = count(a.bytes);
    const float *in = (const float *)a.in;
    knn<<<dim3((unsigned)(c / KNN), (unsigned)(c / KNN)), dim3(KNN, KNN)>>>(in, in + c * DIMS, (float *)a.out, (int)c, DIMS);
  };
  auto expect = [=](const Arrays &a) {
    Distances s;
    s.count = count(a.bytes);
    s.dims = DIMS;
    s.query.in = s.point.in = (const float *)a.in;
    s.point.from = s.count * DIMS;
    return s;
  };
  return tile_work("knn", sized, run, expects_near(expect));
}
#endif

// ---- the list ---------------------------------------------------------------------------------------------------------------

int main(int argc, char **argv) {
  return bench_main(argc, argv, {
    stream("stream_132", stream_132, 132),
    stream("stream_264", stream_264, 264),
    stream("stream_1056", stream_1056, 1056),
    product("product_64", product_64, 64, 16),
    product("product_128_k8", product_128_k8, 128, 16),
    product("product_128_k16", product_128_k16, 128, 16),
#ifndef BENCH_EXPERT
    product("product_64_kept", product_64_kept, 64, 16, 0, 3),
    product("product_64_zeros", product_64_zeros, 64, 16, 0, 3),
    product("product_64_unrolled", product_64_unrolled, 64, 16),
    product("product_128_unrolled", product_128_unrolled, 128, 16),
    product("product_128_float4", product_128_float4, 128, 16),
    product("textbook_16", textbook_16, 16, 16),
    product("textbook_32", textbook_32, 32, 32),
    product("textbook_walked_16", textbook_walked_16, 16, 16),
    product("textbook_walked_32", textbook_walked_32, 32, 32),
    bodies(),
    distances(),
    convolution_of<Floats>("convolution", convolution),
    stencils(),
    transpositions(),
    rag(),
    gathers(),
    wide(),
    known(),
    stream_of<Floats, float, LONG>("inner_loop", inner_loop, BLOCKS, INNER_THREADS),
    stream_of<Halves, __half, LINE>("converted", converted, BLOCKS, LINE),
    stream_of<Bytes, uint8_t, LINE>("bytes_132", bytes_132, 132, LINE),
    stream_of<Bytes, uint8_t, LINE>("bytes_264", bytes_264, 264, LINE),
    stream_of<Bytes, uint8_t, LINE>("bytes_1056", bytes_1056, 1056, LINE),
    stream_of<Bytes, uint8_t, 4 * LINE>("bytes_by_4", bytes_by_4, BLOCKS, LINE),
    stream_of<Floats, float, LINE>("dynamic", dynamic, BLOCKS, LINE, LINE * sizeof(float)),
    convolution_of<Bytes>("convolution_bytes", convolution_bytes),
    product_of<Halves>("textbook_half_16", textbook_half_16, 16, 16),
    product_of<Halves>("textbook_half_32", textbook_half_32, 32, 32),
    product_of<Halves>("product_half_64", product_half_64, 64, 16),
    product_of<Halves>("product_half_128", product_half_128, 128, 16),
    product("product_turned_64", product_turned_64, 64, 16),
    product("product_turned_128", product_turned_128, 128, 16),
    lookups(),
    repeats(),
    segment_sums<SEGMENT>("segments", segments),
    segment_sums<SHORT_SEGMENT>("segments_short", segments_short),
    segment_sums<SEGMENT>("segments_stepped", segments_stepped),
    segment_gathers(),
    windows(),
    neighbours(),
    turns(),
    product("product_dynamic_64", product_dynamic_64, 64, 16, 2 * 16 * 64 * sizeof(float)),
#endif
  });
}
