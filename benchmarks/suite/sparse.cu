// Sparse matrices, graphs, meshes: where to read stands in memory.
#include "suite.h"

// ---- rows of different length, with columns near the diagonal and far from it -------------------------------------

enum { AVERAGE = 24, SLACK = 33 };   // entries of a row: 2 to 46
struct Starts {
  using T = int;
  BOTH T value(size_t row) const { return (int)(row * AVERAGE + salted(1, row) % SLACK * 7 / 10); }
};
struct Columns {
  using T = int;
  size_t rows;
  BOTH T value(size_t k) const {
    uint32_t h = salted(2, k);
    return (int)(h % 4 ? (k / AVERAGE + (h >> 8) % 512) % rows : (h >> 3) % rows);
  }
};

struct Csr {
  In<Starts> start;
  In<Columns> column;
  Csr(Trial &t, size_t rows) : start(t.in(rows + 1, Starts{})), column(t.in(AVERAGE * rows + SLACK, Columns{rows})) {}
};

#ifdef BENCH_EXPERT
#include "expert.cuh"

enum { ROW_THREADS = 8 };

// Eight threads for each row.
extern "C" __global__ void csr_product(const int *start, const int *column, const float *value, const float *x, float *y,
                                       int rows) {
  int row = THREAD / ROW_THREADS, part = threadIdx.x % ROW_THREADS;
  float dot = 0;
  if (row < rows)
    for (int k = start[row] + part; k < start[row + 1]; k += ROW_THREADS) dot += value[k] * x[column[k]];
  dot = warp_sum(dot, ROW_THREADS);
  if (row < rows && part == 0) y[row] += dot;
}

// Four threads for each row, 16 bytes each.
extern "C" __global__ void embed(const float *table, const int *word, float *out, int n) {
  for (int k = 0; k < 4; k++) {
    int at = 4 * (int)(blockIdx.x * blockDim.x) + k * (int)blockDim.x + (int)threadIdx.x;
    if (at / 4 < n) ((float4 *)out)[at] = ((const float4 *)table)[4 * word[at / 4] + at % 4];
  }
}

extern "C" __global__ void stiffness(const float *corners, float *K, float young, int elements) {
  __shared__ Stage<Many<float, 12>, BLOCK> stage;
  int e = THREAD;
  Many<float, 12> out = {};
  if (e < elements) {
    float x[3], y[3];
    for (int k = 0; k < 3; k++) x[k] = corners[6 * e + 2 * k], y[k] = corners[6 * e + 2 * k + 1];
    float area = 0.5f * ((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]));
    float scale = young / (4 * fabsf(area) + 0.25f);
#pragma unroll
    for (int k = 0; k < 3; k++) {
      float b = y[(k + 1) % 3] - y[(k + 2) % 3], c = x[(k + 2) % 3] - x[(k + 1) % 3];
      out.v[4 * k] = scale * (b * b + 0.4f * c * c);
      out.v[4 * k + 1] = out.v[4 * k + 2] = scale * 0.7f * b * c;
      out.v[4 * k + 3] = scale * (c * c + 0.4f * b * b);
    }
  }
  stage.store(K, out, elements);
}

#else

enum { ROW_THREADS = 1 };

extern "C" __global__ void csr_product(const int *start, const int *column, const float *value, const float *x, float *y,
                                       int rows) {
  int row = blockDim.x * blockIdx.x + threadIdx.x;
  if (row < rows) {
    float dot = 0;
    int row_start = start[row], row_end = start[row + 1];
    for (int k = row_start; k < row_end; k++) dot += value[k] * x[column[k]];
    y[row] += dot;
  }
}

// Rows of 16 numbers out of a table.
extern "C" __global__ void embed(const float *table, const int *word, float *out, int n) {
  int i = THREAD;
  if (i >= n) return;
  for (int k = 0; k < 16; k++) out[16 * i + k] = table[16 * word[i] + k];
}

// The stiffness of a triangle between three nodes that two numbers each describe: 6 x 6, of which the diagonal blocks are kept.
extern "C" __global__ void stiffness(const float *corners, float *K, float young, int elements) {
  int e = THREAD;
  if (e >= elements) return;
  float x[3], y[3];
  for (int k = 0; k < 3; k++) x[k] = corners[6 * e + 2 * k], y[k] = corners[6 * e + 2 * k + 1];
  float area = 0.5f * ((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0])), scale = young / (4 * fabsf(area) + 0.25f);
  for (int k = 0; k < 3; k++) {
    float b = y[(k + 1) % 3] - y[(k + 2) % 3], c = x[(k + 2) % 3] - x[(k + 1) % 3];
    K[12 * e + 4 * k] = scale * (b * b + 0.4f * c * c);
    K[12 * e + 4 * k + 1] = scale * 0.7f * b * c;
    K[12 * e + 4 * k + 2] = scale * 0.7f * b * c;
    K[12 * e + 4 * k + 3] = scale * (c * c + 0.4f * b * b);
  }
}
#endif

static void csr_product_trial(Trial &t, size_t rows) {
  Csr a(t, rows);
  auto value = t.in(AVERAGE * rows + SLACK, Floats{3, 0, 1}), x = t.in(rows, Floats{4, 0, 1}), y = t.in(rows, Floats{5, 0, 1});
  t.moved = (8 * AVERAGE + 16) * rows;
  t.launch = [=] { csr_product<<<grid_of(rows * ROW_THREADS, 128), 128>>>(a.start, a.column, value, x, y, (int)rows); };
  t.expect(y.at, rows, 1e-5, 5, [=](size_t row) {
    double sum = y[row];
    for (int k = a.start[row]; k < a.start[row + 1]; k++) sum += (double)value[k] * x[a.column[k]];
    return sum;
  });
}

static void embed_trial(Trial &t, size_t n) {
  auto table = t.in(16 * n, Floats{1, 0, 1});
  auto word = t.in(n, Ints{2, (uint32_t)n});
  float *out = t.out<float>(16 * n);
  t.moved = 132 * n;
  t.launch = [=] { embed<<<grid_of(n), BLOCK>>>(table, word, out, (int)n); };
  t.expect(out, 16 * n, 0, 1, [=](size_t w) { return table[(size_t)16 * word[w / 16] + w % 16]; });
}

static void stiffness_trial(Trial &t, size_t n) {
  auto corners = t.in(6 * n, Floats{1, 0, 1});
  float *K = t.out<float>(12 * n);
  t.moved = 72 * n;
  t.launch = [=] { stiffness<<<grid_of(n), BLOCK>>>(corners, K, 2, (int)n); };
  t.expect(K, 12 * n, 1e-4, 1, [=](size_t w) {
    size_t e = w / 12, k = w % 12 / 4;
    auto x = [&](size_t c) { return (double)corners[6 * e + 2 * (c % 3)]; };
    auto y = [&](size_t c) { return (double)corners[6 * e + 2 * (c % 3) + 1]; };
    double area = ((x(1) - x(0)) * (y(2) - y(0)) - (x(2) - x(0)) * (y(1) - y(0))) / 2, scale = 2 / (4 * fabs(area) + 0.25);
    double b = y(k + 1) - y(k + 2), c = x(k + 2) - x(k + 1);
    return scale * (w % 4 == 0 ? b * b + 0.4 * c * c : w % 4 == 3 ? c * c + 0.4 * b * b : 0.7 * b * c);
  });
}

#ifndef BENCH_EXPERT

// ---- the rest has no version by hand ------------------------------------------------------------------------------

// Rows of equal length, one after the other; and side by side, as they should be.
extern "C" __global__ void ell_rows(const int *column, const double *value, const double *x, double *y, int width, int rows) {
  int row = THREAD;
  if (row >= rows) return;
  double dot = 0;
  for (int k = 0; k < width; k++) {
    int c = column[row * width + k];
    if (c >= 0) dot += value[row * width + k] * x[c];
  }
  y[row] = dot;
}
extern "C" __global__ void ell_columns(const int *column, const double *value, const double *x, double *y, int width, int rows) {
  int row = THREAD;
  if (row >= rows) return;
  double dot = 0;
  for (int k = 0; k < width; k++) {
    int c = column[k * rows + row];
    if (c >= 0) dot += value[k * rows + row] * x[c];
  }
  y[row] = dot;
}

extern "C" __global__ void coo_product(const int *row, const int *column, const float *value, const float *x, float *y, int n) {
  int i = THREAD;
  if (i < n) atomicAdd(&y[row[i]], value[i] * x[column[i]]);
}

// Blocks of 4 x 4: a thread for each block row.
extern "C" __global__ void bsr_product(const int *start, const int *column, const float *block, const float *x, float *y,
                                       int rows) {
  int row = THREAD;
  if (row >= rows) return;
  float sum[4] = {0, 0, 0, 0};
  for (int k = start[row]; k < start[row + 1]; k++) {
    const float *b = block + 16 * k, *v = x + 4 * column[k];
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) sum[i] += b[4 * i + j] * v[j];
  }
  for (int i = 0; i < 4; i++) y[4 * row + i] = sum[i];
}

// What a page's neighbours give it.
extern "C" __global__ void page_rank(const int *start, const int *neighbour, const float *share, float *rank, float damping,
                                     int pages) {
  int page = THREAD;
  if (page >= pages) return;
  float sum = 0;
  for (int k = start[page]; k < start[page + 1]; k++) sum += share[neighbour[k]];
  rank[page] = (1 - damping) / pages + damping * sum;
}

// One level of a breadth-first search: few threads have anything to do.
extern "C" __global__ void search_level(const int *start, const int *neighbour, int *level, int now, int nodes) {
  int node = THREAD;
  if (node >= nodes || level[node] != now) return;
  for (int k = start[node]; k < start[node + 1]; k++) {
    int to = neighbour[k];
    if (level[to] > now + 1) level[to] = now + 1;
  }
}

// The volume of hexahedra's corners: nodes by index, three coordinates each, eight results a hexahedron.
extern "C" __global__ void hexahedra(const int *node, const float *coordinate, float *volume, int elements) {
  int e = THREAD;
  if (e >= elements) return;
  float x[8], y[8], z[8];
  for (int k = 0; k < 8; k++) {
    int at = node[8 * e + k];
    x[k] = coordinate[3 * at], y[k] = coordinate[3 * at + 1], z[k] = coordinate[3 * at + 2];
  }
  for (int k = 0; k < 8; k++) {
    int a = k ^ 1, b = k ^ 2, c = k ^ 4;
    float ax = x[a] - x[k], ay = y[a] - y[k], az = z[a] - z[k], bx = x[b] - x[k], by = y[b] - y[k], bz = z[b] - z[k];
    float nx = ay * bz - az * by, ny = az * bx - ax * bz, nz = ax * by - ay * bx;
    volume[8 * e + k] = nx * (x[c] - x[k]) + ny * (y[c] - y[k]) + nz * (z[c] - z[k]);
  }
}

// Springs between two points each: forces go to both ends.
extern "C" __global__ void springs(const int *ends, const float *point, float *force, float length, int n) {
  int s = THREAD;
  if (s >= n) return;
  int a = ends[2 * s], b = ends[2 * s + 1];
  float d[3], square = 0.01f;
  for (int k = 0; k < 3; k++) d[k] = point[3 * b + k] - point[3 * a + k], square += d[k] * d[k];
  float pull = 1 - length * rsqrtf(square);
  for (int k = 0; k < 3; k++) {
    atomicAdd(&force[3 * a + k], pull * d[k]);
    atomicAdd(&force[3 * b + k], -pull * d[k]);
  }
}

enum { WIDTH = 32 };
struct EllColumns {   // of every eight places one is empty; `across`: rows, where they lie side by side
  using T = int;
  size_t rows, across;
  BOTH T value(size_t k) const {
    uint32_t h = salted(3, k);
    size_t row = across ? k % across : k / WIDTH;
    return h % 8 == 0 ? -1 : (int)((row + (h >> 8) % 1024) % rows);
  }
};

using Ell = void(const int *, const double *, const double *, double *, int, int);
static void ell_trial(Trial &t, size_t rows, bool across, Ell *kernel) {
  auto column = t.in(WIDTH * rows, EllColumns{rows, across ? rows : 0});
  auto value = t.in(WIDTH * rows, Doubles{4, 0, 1}), x = t.in(rows, Doubles{5, 0, 1});
  double *y = t.out<double>(rows);
  t.moved = (12 * WIDTH + 16) * rows;
  t.launch = [=] { kernel<<<grid_of(rows, 128), 128>>>(column, value, x, y, WIDTH, (int)rows); };
  t.expect(y, rows, 1e-12, 5, [=](size_t row) {
    double sum = 0;
    for (size_t k = 0; k < WIDTH; k++) {
      size_t at = across ? k * rows + row : row * WIDTH + k;
      if (column[at] >= 0) sum += value[at] * x[column[at]];
    }
    return sum;
  });
}
static void ell_rows_trial(Trial &t, size_t rows) { ell_trial(t, rows, false, ell_rows); }
static void ell_columns_trial(Trial &t, size_t rows) { ell_trial(t, rows, true, ell_columns); }

struct Rows {
  using T = int;
  BOTH T value(size_t k) const { return (int)(k / 8); }
};

// Whole numbers, so that the order of the sum does not matter.
static void coo_product_trial(Trial &t, size_t n) {
  auto row = t.in(n, Rows{});
  auto column = t.in(n, Ints{2, (uint32_t)n / 8});
  auto value = t.in(n, Below<float>{3, 100}), x = t.in(n / 8, Below<float>{4, 100}), y = t.in(n / 8, Below<float>{5, 100});
  t.moved = 16 * n;
  t.launch = [=] { coo_product<<<grid_of(n), BLOCK>>>(row, column, value, x, y, (int)n); };
  t.expect(y.at, n / 8, 0, 1, [=](size_t i) {
    double sum = y[i];
    for (size_t k = 8 * i; k < 8 * i + 8; k++) sum += (double)value[k] * x[column[k]];
    return sum;
  });
}

static void bsr_product_trial(Trial &t, size_t rows) {
  Csr a(t, rows);
  auto block = t.in(16 * (AVERAGE * rows + SLACK), Floats{3, 0, 1}), x = t.in(4 * rows, Floats{4, 0, 1});
  float *y = t.out<float>(4 * rows);
  t.moved = (AVERAGE * 68 + 36) * rows;
  t.launch = [=] { bsr_product<<<grid_of(rows, 128), 128>>>(a.start, a.column, block, x, y, (int)rows); };
  t.expect(y, 4 * rows, 1e-5, 5, [=](size_t w) {
    double sum = 0;
    for (int k = a.start[w / 4]; k < a.start[w / 4 + 1]; k++)
      for (int j = 0; j < 4; j++) sum += (double)block[16 * (size_t)k + 4 * (w % 4) + j] * x[4 * (size_t)a.column[k] + j];
    return sum;
  });
}

static void page_rank_trial(Trial &t, size_t pages) {
  Csr a(t, pages);
  auto share = t.in(pages, Floats{3, 1, 0.5});
  float *rank = t.out<float>(pages);
  t.moved = (4 * AVERAGE + 12) * pages;
  t.launch = [=] { page_rank<<<grid_of(pages, BLOCK), BLOCK>>>(a.start, a.column, share, rank, 0.85f, (int)pages); };
  t.expect(rank, pages, 1e-5, 5, [=](size_t page) {
    double sum = 0;
    for (int k = a.start[page]; k < a.start[page + 1]; k++) sum += share[a.column[k]];
    return 0.15 / pages + 0.85 * sum;
  });
}

struct Levels {
  using T = int;
  BOTH T value(size_t node) const { return salted(6, node) % 64 == 0 ? 3 : 9; }
};

// Level 1 is made of level 0, a sixteenth of the nodes; whoever is a neighbour of it, unless at 0 already.
static void search_level_trial(Trial &t, size_t nodes) {
  Csr a(t, nodes);
  auto level = t.in(nodes, Levels{});
  t.moved = (4 + AVERAGE / 8) * nodes;
  t.launch = [=] { search_level<<<grid_of(nodes), BLOCK>>>(a.start, a.column, level, 3, (int)nodes); };
  auto want = std::make_shared<std::vector<int>>();
  t.expect(level.at, nodes, 0, 1, [=](size_t node) {
    if (want->empty()) {
      for (size_t i = 0; i < nodes; i++) want->push_back(level[i]);
      for (size_t i = 0; i < nodes; i++)
        for (int k = a.start[i]; level[i] == 3 && k < a.start[i + 1]; k++)
          if ((*want)[a.column[k]] == 9) (*want)[a.column[k]] = 4;
    }
    return (*want)[node];
  });
}

struct Corners {   // of a mesh whose elements were made one after the other
  using T = int;
  size_t nodes;
  BOTH T value(size_t k) const { return (int)((k / 8 + (k & 1) + (k & 2) * 64 + (k & 4) * 2048 + salted(7, k) % 3) % nodes); }
};

static void hexahedra_trial(Trial &t, size_t n) {
  auto node = t.in(8 * n, Corners{n});
  auto coordinate = t.in(3 * n, Floats{2, 0, 1});
  float *out = t.out<float>(8 * n);
  t.moved = 76 * n;
  t.launch = [=] { hexahedra<<<grid_of(n, 128), 128>>>(node, coordinate, out, (int)n); };
  t.expect(out, 8 * n, 1e-5, 1, [=](size_t w) {
    auto place = [&](size_t corner, size_t d) { return (double)coordinate[3 * node[w / 8 * 8 + corner] + d]; };
    auto edge = [&](size_t to, size_t d) { return place(to, d) - place(w % 8, d); };
    size_t a = w % 8 ^ 1, b = w % 8 ^ 2, c = w % 8 ^ 4;
    double sum = 0;
    for (size_t d = 0; d < 3; d++)
      sum += (edge(a, (d + 1) % 3) * edge(b, (d + 2) % 3) - edge(a, (d + 2) % 3) * edge(b, (d + 1) % 3)) * edge(c, d);
    return sum;
  });
}

struct Chain {
  using T = int;
  BOTH T value(size_t k) const { return (int)(k / 2 + k % 2); }
};

// A chain: point p is the end of spring p - 1 and the start of spring p, so a sum has two terms in whatever order.
static void springs_trial(Trial &t, size_t n) {
  auto ends = t.in(2 * n, Chain{});
  auto point = t.in(3 * (n + 1), Floats{1, 0, 1});
  auto force = t.in(3 * (n + 1), Same<float>{0});
  t.moved = 32 * n;
  t.launch = [=] { springs<<<grid_of(n), BLOCK>>>(ends, point, force, 0.5f, (int)n); };
  t.expect(force.at, 3 * (n + 1), 1e-4, 1, [=](size_t w) {
    double sum = 0;
    for (size_t s : {w / 3 - 1, w / 3}) {
      if (s >= n) continue;
      double d[3], square = 0.01;
      for (size_t k = 0; k < 3; k++) d[k] = (double)point[3 * s + 3 + k] - point[3 * s + k], square += d[k] * d[k];
      sum += (s == w / 3 ? 1 : -1) * (1 - 0.5 / sqrt(square)) * d[w % 3];
    }
    return sum;
  });
}
#endif

int main(int argc, char **argv) {
  return suite_main(argc, argv, {
    {"csr_product", "gather, rows", GAIN | HAND, 1 << 14, 1 << 20, csr_product_trial},
    {"embed", "gather, records", GAIN | HAND, 1 << 15, 1 << 22, embed_trial},
    {"stiffness", "by hand, whole", GAIN | HAND, 1 << 15, 1 << 22, stiffness_trial},
#ifndef BENCH_EXPERT
    {"ell_rows", "gather, rows", GAIN, 1 << 14, 1 << 20, ell_rows_trial},
    {"ell_columns", "gather", CONTROL, 1 << 14, 1 << 20, ell_columns_trial},
    {"coo_product", "atomic", CONTROL, 1 << 16, 1 << 24, coo_product_trial},
    {"bsr_product", "gather, rows", GAIN, 1 << 12, 1 << 17, bsr_product_trial},
    {"page_rank", "gather, rows", GAIN, 1 << 14, 1 << 20, page_rank_trial},
    {"search_level", "gather, scatter", CONTROL, 1 << 16, 1 << 22, search_level_trial},
    {"hexahedra", "gather, records", GAIN, 1 << 15, 1 << 22, hexahedra_trial},
    {"springs", "gather, atomic", CONTROL, 1 << 15, 1 << 22, springs_trial},
#endif
  });
}
