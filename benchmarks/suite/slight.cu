// Little to gain, and something to lose: rewrites that real programs paid for. Loops that take all the time beside them, tables that
// the cache holds, rows too short for a block, launches too small to fill the machine, blocks of a single thread.
#include "suite.h"

// Turned by an angle: the sine and the cosine of doubles read tables of 128 and 144 bytes.
extern "C" __global__ void polarise(const double *__restrict__ angle, const double *__restrict__ size, double2 *__restrict__ out,
                                    int n) {
  int i = THREAD;
  if (i >= n) return;
  double s, c;
  sincos(angle[i], &s, &c);
  out[i] = make_double2(size[i] * c, size[i] * s);
}

// Waves added up, another angle in each iteration.
extern "C" __global__ void add_waves(const double *__restrict__ x, double *__restrict__ out, int waves, int n) {
  for (int i = THREAD; i < n; i += gridDim.x * blockDim.x) {
    double sum = 0;
    for (int k = 1; k <= waves; k++) sum += sin(k * x[i]) * cos(x[i] / k);
    out[i] = sum;
  }
}

// Every star is pulled by all: one record in and one out around a loop over all of them.
struct Star { float x, y, z, mass, vx, vy, vz, age; };
static BOTH inline void pull(const Star &s, const Star &by, float (&a)[3]) {
  float dx = by.x - s.x, dy = by.y - s.y, dz = by.z - s.z;
  float r = 1 / sqrtf(dx * dx + dy * dy + dz * dz + 0.0625f), f = by.mass * r * r * r;
  a[0] += f * dx; a[1] += f * dy; a[2] += f * dz;
}
extern "C" __global__ void pull_stars(const Star *__restrict__ in, Star *__restrict__ out, int n, float dt) {
  int i = THREAD;
  if (i >= n) return;
  Star s = in[i];
  float a[3] = {};
  for (int j = 0; j < n; j++) pull(s, in[j], a);
  s.vx += dt * a[0]; s.vy += dt * a[1]; s.vz += dt * a[2];
  s.age += dt;
  out[i] = s;
}

// A tridiagonal system a thread, four rows of it at a time: the way there.
extern "C" __global__ void thomas_by_fours(const float4 *a, const float4 *b, const float4 *c, float4 *d, int fours, int systems) {
  int t = THREAD;
  if (t >= systems) return;
  a += (size_t)t * fours; b += (size_t)t * fours; c += (size_t)t * fours; d += (size_t)t * fours;
  float p = 0, q = 0;
  for (int j = 0; j < fours; j++) {
    float4 A = a[j], B = b[j], C = c[j], D = d[j];
    float m = 1 / (B.x - A.x * p); p = C.x * m; D.x = q = (D.x - A.x * q) * m;
    m = 1 / (B.y - A.y * p); p = C.y * m; D.y = q = (D.y - A.y * q) * m;
    m = 1 / (B.z - A.z * p); p = C.z * m; D.z = q = (D.z - A.z * q) * m;
    m = 1 / (B.w - A.w * p); p = C.w * m; D.w = q = (D.w - A.w * q) * m;
    d[j] = D;
  }
}

// Rows of vectors of four: a request takes half a sector of each.
extern "C" __global__ void rows_of_fours(const float4 *__restrict__ a, float *__restrict__ out, int fours, int rows) {
  int i = THREAD;
  if (i >= rows) return;
  float s = 0;
  for (int j = 0; j < fours; j++) {
    float4 v = a[(size_t)i * fours + j];
    s += v.x * v.y + v.z * v.w;
  }
  out[i] = s;
}

// The neighbours of a cell in a volume: 26 entries a row, too few for a block.
extern "C" __global__ void cell_product(const int *__restrict__ start, const int *__restrict__ column,
                                        const double *__restrict__ value, const double *__restrict__ x, double *__restrict__ y,
                                        int rows) {
  int i = THREAD;
  if (i >= rows) return;
  double sum = 0;
  for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
  y[i] = sum;
}

// What flows into a cell and out of it through its faces: two short lists.
extern "C" __global__ void face_flux(const int *__restrict__ lower, const int *__restrict__ upper, const int *__restrict__ cell,
                                     const float *__restrict__ in, const float *__restrict__ out, const float *__restrict__ x,
                                     float *__restrict__ y, int n) {
  int i = THREAD;
  if (i >= n) return;
  float sum = 0;
  for (int k = lower[i]; k < lower[i + 1]; k++) sum += in[k] * x[cell[k]];
  for (int k = upper[i]; k < upper[i + 1]; k++) sum -= out[k] * x[i];
  y[i] = sum;
}

// Three of four floats.
extern "C" __global__ void place_points(const float *__restrict__ x, const float *__restrict__ y, const float *__restrict__ z,
                                        float4 *__restrict__ out, int n) {
  int i = THREAD;
  if (i >= n) return;
  out[i].x = 2 * x[i];
  out[i].y = y[i] + 1;
  out[i].z = z[i] - 3;
}

// Four keys of each thread put in order.
static BOTH inline void order(unsigned &a, unsigned &b) {
  unsigned low = a < b ? a : b;
  b = a < b ? b : a;
  a = low;
}
extern "C" __global__ void order_fours(unsigned *keys, int n) {
  int i = THREAD;
  if (i >= n) return;
  unsigned a = keys[4 * i], b = keys[4 * i + 1], c = keys[4 * i + 2], d = keys[4 * i + 3];
  order(a, b); order(c, d); order(a, c); order(b, d); order(b, c);
  keys[4 * i] = a; keys[4 * i + 1] = b; keys[4 * i + 2] = c; keys[4 * i + 3] = d;
}

// Cells with water in them, of a map in blocks of 16 x 16.
struct Cell { float depth, u, v, bed, rough, slope, rain, soil, flow, load; };
extern "C" __global__ void wet_cells(const Cell *__restrict__ cell, const unsigned char *__restrict__ wet, float *__restrict__ speed,
                                     int edge) {
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  if (x >= edge || y >= edge) return;
  int i = y * edge + x;
  float s = 0;
  if (wet[i] & 15) {
    Cell c = cell[i];
    s = c.u * c.u + c.v * c.v + c.depth * c.bed * c.rough + c.slope * c.rain + c.soil * c.flow + c.load;
  }
  speed[i] = s;
}

// The first two of 384 complex numbers, 3 KB from those of the next thread.
enum { SPECTRUM = 384 };
extern "C" __global__ void first_butterfly(float2 *data, int rows) {
  int t = THREAD;
  if (t >= rows) return;
  float2 a = data[t * SPECTRUM], b = data[t * SPECTRUM + 1];
  data[t * SPECTRUM] = make_float2(a.x + b.x, a.y + b.y);
  data[t * SPECTRUM + 1] = make_float2(a.x - b.x, a.y - b.y);
}

// Blocks of a single thread.
extern "C" __global__ void __launch_bounds__(1) lone_rows(const float *__restrict__ a, float *__restrict__ out, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int j = 0; j < m; j++) s += a[(size_t)i * m + j];
  out[i] = s;
}

// Rows that their author has unrolled.
extern "C" __global__ void rows_by_hand(const float *__restrict__ a, float *__restrict__ out, int m, int rows) {
  int i = THREAD, j = 0;
  if (i >= rows) return;
  const float *row = a + (size_t)i * m;
  float s = 0, t = 0, u = 0, v = 0;
  for (; j + 4 <= m; j += 4) s += row[j], t += row[j + 1], u += row[j + 2], v += row[j + 3];
  for (; j < m; j++) s += row[j];
  out[i] = s + t + u + v;
}

// Searched for in a sorted list of records.
struct Mark { unsigned key, a, b, c, d, e, f, g; };
extern "C" __global__ void find_marks(const Mark *__restrict__ sorted, const unsigned *__restrict__ want, int *__restrict__ at,
                                      int marks, int n) {
  int i = THREAD;
  if (i >= n) return;
  int low = 0, high = marks;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle].key < want[i]) low = middle + 1;
    else high = middle;
  }
  at[i] = low;
}

// ---- trials -------------------------------------------------------------------------------------------------------

static void polarise_trial(Trial &t, size_t n) {
  auto angle = t.in(n, Doubles{1, 0, 4096}), size = t.in(n, Doubles{2, 0, 1});
  double2 *out = t.out<double2>(n);
  t.moved = 32 * n;
  t.launch = [=] { polarise<<<grid_of(n), BLOCK>>>(angle, size, out, (int)n); };
  t.expect((const double *)out, 2 * n, 1e-12, 1, [=](size_t w) {
    return size[w / 2] * (w % 2 ? sin(angle[w / 2]) : cos(angle[w / 2]));
  });
}

static void add_waves_trial(Trial &t, size_t n) {
  enum { WAVES = 8 };
  auto x = t.in(n, Doubles{1, 0, 64});
  double *out = t.out<double>(n);
  t.moved = 16 * n;
  t.launch = [=] { add_waves<<<132 * 4, BLOCK>>>(x, out, WAVES, (int)n); };
  t.expect(out, n, 1e-11, 1, [=](size_t i) {
    double sum = 0;
    for (int k = 1; k <= WAVES; k++) sum += sin(k * x[i]) * cos(x[i] / k);
    return sum;
  });
}

static void pull_stars_trial(Trial &t, size_t n) {
  auto in = t.in(8 * n, Floats{1, 0, 1});
  Star *out = t.out<Star>(n);
  t.operations = 20 * n * n;
  t.launch = [=] { pull_stars<<<grid_of(n), BLOCK>>>(in.as<const Star>(), out, (int)n, 0.001f); };
  t.expect((const float *)out, 8 * n, 1e-3, 1, [=](size_t w) {
    size_t i = w / 8, part = w % 8;
    if (part < 4 || part == 7) return (double)in[w] + (part == 7 ? 0.001 : 0);
    Star s = in.template record<Star>(i);
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
      float a[3] = {};
      pull(s, in.template record<Star>(j), a);
      sum += a[part - 4];
    }
    return in[w] + 0.001 * sum;
  });
}

static void thomas_by_fours_trial(Trial &t, size_t systems) {
  enum { LENGTH = 128 };
  size_t n = LENGTH * systems;
  auto a = t.in(n, Floats{1, 0, 1}), b = t.in(n, Floats{2, 4, 1}), c = t.in(n, Floats{3, 0, 1}), d = t.in(n, Floats{4, 0, 1});
  t.moved = 20 * n;
  t.launch = [=] {
    thomas_by_fours<<<grid_of(systems, 128), 128>>>(a.as<const float4>(), b.as<const float4>(), c.as<const float4>(), d.as<float4>(),
                                                    LENGTH / 4, (int)systems);
  };
  t.expect(d.at, n, 1e-5, 1, [=](size_t w) {
    double p = 0, q = 0;
    for (size_t k = w / LENGTH * LENGTH; k <= w; k++) {
      double m = 1 / (b[k] - a[k] * p);
      p = c[k] * m;
      q = (d[k] - a[k] * q) * m;
    }
    return q;
  });
}

static void rows_of_fours_trial(Trial &t, size_t rows) {
  enum { FOURS = 128 };
  auto a = t.in(4 * FOURS * rows, Floats{1, 0, 1});
  float *out = t.out<float>(rows);
  t.moved = (16 * FOURS + 4) * rows;
  t.launch = [=] { rows_of_fours<<<grid_of(rows), BLOCK>>>(a.as<const float4>(), out, FOURS, (int)rows); };
  t.expect(out, rows, 1e-5, 10, [=](size_t i) {
    double sum = 0;
    for (size_t k = 4 * FOURS * i; k < 4 * FOURS * (i + 1); k += 4) sum += (double)a[k] * a[k + 1] + (double)a[k + 2] * a[k + 3];
    return sum;
  });
}

// Where lists begin: so many numbers each, or a few more.
struct Begins {
  using T = int;
  uint32_t salt;
  int each, more;
  BOTH T value(size_t k) const { return each * (int)k + (more ? (int)(salted(salt, k) % (uint32_t)more) : 0); }
};

static void cell_product_trial(Trial &t, size_t rows) {
  enum { EACH = 26 };
  auto start = t.in(rows + 1, Begins{0, EACH, 0});
  auto column = t.in(EACH * rows, Ints{2, (uint32_t)rows});
  auto value = t.in(EACH * rows, Doubles{3, 0, 1}), x = t.in(rows, Doubles{4, 0, 1});
  double *y = t.out<double>(rows);
  t.moved = (12 * EACH + 20) * rows;
  t.launch = [=] { cell_product<<<grid_of(rows), BLOCK>>>(start, column, value, x, y, (int)rows); };
  t.expect(y, rows, 1e-12, 5, [=](size_t i) {
    double sum = 0;
    for (int k = start[i]; k < start[i + 1]; k++) sum += value[k] * x[column[k]];
    return sum;
  });
}

static void face_flux_trial(Trial &t, size_t n) {
  auto lower = t.in(n + 1, Begins{1, 3, 3}), upper = t.in(n + 1, Begins{2, 4, 4});
  auto cell = t.in(3 * n + 8, Ints{3, (uint32_t)n});
  auto in = t.in(3 * n + 8, Floats{4, 0, 1}), out = t.in(4 * n + 8, Floats{5, 0, 1}), x = t.in(n, Floats{6, 0, 1});
  float *y = t.out<float>(n);
  t.moved = 56 * n;
  t.launch = [=] { face_flux<<<grid_of(n, 64), 64>>>(lower, upper, cell, in, out, x, y, (int)n); };
  t.expect(y, n, 1e-5, 5, [=](size_t i) {
    double sum = 0;
    for (int k = lower[i]; k < lower[i + 1]; k++) sum += (double)in[k] * x[cell[k]];
    for (int k = upper[i]; k < upper[i + 1]; k++) sum -= (double)out[k] * x[i];
    return sum;
  });
}

static void place_points_trial(Trial &t, size_t n) {
  auto x = t.in(n, Floats{1, 0, 1}), y = t.in(n, Floats{2, 0, 1}), z = t.in(n, Floats{3, 0, 1}), out = t.in(4 * n, Floats{4, 0, 1});
  t.moved = 24 * n;
  t.launch = [=] { place_points<<<grid_of(n), BLOCK>>>(x, y, z, out.as<float4>(), (int)n); };
  t.expect(out.at, 4 * n, 1e-6, 1, [=](size_t w) {
    size_t i = w / 4, part = w % 4;
    return part == 0 ? 2.0 * x[i] : part == 1 ? y[i] + 1.0 : part == 2 ? z[i] - 3.0 : (double)out[w];
  });
}

static void order_fours_trial(Trial &t, size_t n) {
  auto keys = t.in(4 * n, Bits{1});
  t.moved = 32 * n;
  t.launch = [=] { order_fours<<<grid_of(n), BLOCK>>>(keys, (int)n); };
  t.expect(keys.at, 4 * n, 0, 1, [=](size_t w) {
    unsigned four[4];
    for (size_t k = 0; k < 4; k++) four[k] = keys[w / 4 * 4 + k];
    std::sort(four, four + 4);
    return four[w % 4];
  });
}

static void wet_cells_trial(Trial &t, size_t edge) {
  size_t n = edge * edge, words = sizeof(Cell) / 4;
  auto cell = t.in(words * n, Floats{1, 0, 1});
  auto wet = t.in(n, Bytes{2});
  float *speed = t.out<float>(n);
  t.moved = (sizeof(Cell) + 5) * n;
  dim3 grid(grid_of(edge, 16), grid_of(edge, 16));
  t.launch = [=] { wet_cells<<<grid, dim3(16, 16)>>>(cell.as<const Cell>(), wet, speed, (int)edge); };
  t.expect(speed, n, 1e-5, 1, [=](size_t i) {
    if (!(wet[i] & 15)) return 0.0;
    Cell c = cell.template record<Cell>(i);
    return (double)c.u * c.u + (double)c.v * c.v + (double)c.depth * c.bed * c.rough + (double)c.slope * c.rain +
           (double)c.soil * c.flow + c.load;
  });
}

static void first_butterfly_trial(Trial &t, size_t rows) {
  auto data = t.in(2 * SPECTRUM * rows, Floats{1, 0, 1});
  t.moved = 32 * rows;
  t.launch = [=] { first_butterfly<<<grid_of(rows, 64), 64>>>(data.as<float2>(), (int)rows); };
  t.expect(data.at, 2 * SPECTRUM * rows, 1e-6, 1, [=](size_t w) {
    size_t part = w % (2 * SPECTRUM);
    return part < 2 ? (double)data[w] + data[w + 2] : part < 4 ? (double)data[w - 2] - data[w] : (double)data[w];
  });
}

static void lone_rows_trial(Trial &t, size_t rows) {
  enum { LENGTH = 256 };
  auto a = t.in(LENGTH * rows, Floats{1, 0, 1});
  float *out = t.out<float>(rows);
  t.moved = (4 * LENGTH + 4) * rows;
  t.launch = [=] { lone_rows<<<rows, 1>>>(a, out, LENGTH); };
  t.expect(out, rows, 1e-5, 10, [=](size_t i) {
    double sum = 0;
    for (size_t k = LENGTH * i; k < LENGTH * (i + 1); k++) sum += a[k];
    return sum;
  });
}

static void rows_by_hand_trial(Trial &t, size_t rows) {
  enum { LENGTH = 1023 };
  auto a = t.in(LENGTH * rows, Floats{1, 0, 1});
  float *out = t.out<float>(rows);
  t.moved = (4 * LENGTH + 4) * rows;
  t.launch = [=] { rows_by_hand<<<grid_of(rows), BLOCK>>>(a, out, LENGTH, (int)rows); };
  t.expect(out, rows, 1e-5, 20, [=](size_t i) {
    double sum = 0;
    for (size_t k = LENGTH * i; k < LENGTH * (i + 1); k++) sum += a[k];
    return sum;
  });
}

// Every 8th number is a key, and larger than the one before.
struct Keys {
  using T = unsigned;
  BOTH T value(size_t k) const { return k % 8 ? (unsigned)k : (unsigned)(k / 8 * 16); }
};

static void find_marks_trial(Trial &t, size_t n) {
  enum { MARKS = 1 << 16 };
  auto sorted = t.in((size_t)8 * MARKS, Keys{});
  auto want = t.in(n, Below<unsigned>{2, 16 * MARKS});
  int *at = t.out<int>(n);
  t.moved = 8 * n;
  t.launch = [=] { find_marks<<<grid_of(n), BLOCK>>>(sorted.as<const Mark>(), want, at, MARKS, (int)n); };
  t.expect(at, n, 0, 1, [=](size_t i) { return (want[i] + 15) / 16; });
}

int main(int argc, char **argv) {
  return suite_main(argc, argv, {
    {"polarise", "gather", CONTROL, 1 << 16, 1 << 22, polarise_trial},
    {"add_waves", "gather", CONTROL, 1 << 15, 1 << 20, add_waves_trial},
    {"pull_stars", "struct, whole", CONTROL, 4096, 32768, pull_stars_trial},
    {"thomas_by_fours", "walk, symbolic", CONTROL, 1 << 10, 1 << 17, thomas_by_fours_trial},
    {"rows_of_fours", "walk, symbolic", CONTROL, 1 << 12, 1 << 18, rows_of_fours_trial},
    {"cell_product", "gather, rows", CONTROL, 1 << 13, 125000, cell_product_trial},
    {"face_flux", "gather, rows", CONTROL, 1 << 14, 1 << 21, face_flux_trial},
    {"place_points", "struct, part", CONTROL, 48 * 256, 1 << 24, place_points_trial},
    {"order_fours", "by hand, whole", CONTROL, 1 << 16, 1 << 24, order_fours_trial},
    {"wet_cells", "struct, whole", CONTROL, 256, 4096, wet_cells_trial},
    {"first_butterfly", "column", CONTROL, SPECTRUM, 1 << 16, first_butterfly_trial},
    {"lone_rows", "walk, symbolic", CONTROL, 1 << 11, 1 << 15, lone_rows_trial},
    {"rows_by_hand", "walk, symbolic", GAIN, 1 << 12, 1 << 17, rows_by_hand_trial},
    {"find_marks", "gather", CONTROL, 1 << 15, 1 << 22, find_marks_trial},
  });
}
