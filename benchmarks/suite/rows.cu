// A row a thread, from one end to the other.
#include "suite.h"

#ifdef BENCH_EXPERT
#include "expert.cuh"

enum { ROW_THREADS = WARP };

extern "C" __global__ void softmax_rows(const float *in, float *out, int rows, int columns) {
  int row = warp_row();
  if (row >= rows) return;
  const float *mine = in + row * columns;
  float top = -INFINITY, sum = 0;
#pragma unroll 8
  for (int j = lane(); j < columns; j += WARP) top = fmaxf(top, mine[j]);
  top = warp_reduce(top, [](float a, float b) { return fmaxf(a, b); });
#pragma unroll 8
  for (int j = lane(); j < columns; j += WARP) sum += expf(mine[j] - top);
  sum = warp_sum(sum);
#pragma unroll 8
  for (int j = lane(); j < columns; j += WARP) out[row * columns + j] = expf(mine[j] - top) / sum;
}

extern "C" __global__ void layer_norm(const float *__restrict__ x, const float *__restrict__ gamma,
                                      const float *__restrict__ beta, float *__restrict__ y, int rows, int columns) {
  int row = warp_row();
  if (row >= rows) return;
  const float *mine = x + (size_t)row * columns;
  float mean = 0, variance = 0;
#pragma unroll 8
  for (int j = lane(); j < columns; j += WARP) mean += mine[j];
  mean = warp_sum(mean) / columns;
#pragma unroll 8
  for (int j = lane(); j < columns; j += WARP) variance += (mine[j] - mean) * (mine[j] - mean);
  float scale = rsqrtf(warp_sum(variance) / columns + 1e-5f);
#pragma unroll 8
  for (int j = lane(); j < columns; j += WARP) y[(size_t)row * columns + j] = (mine[j] - mean) * scale * gamma[j] + beta[j];
}

// Eight threads for each point, 16 bytes each.
extern "C" __global__ void query_distance(const float *points, const float *query, float *distance, int n) {
  int part = threadIdx.x % 8;
  float4 q = ((const float4 *)query)[part];
  for (int k = 0; k < WARP; k += WARP / 8) {
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x / WARP * WARP) + k + lane() / 8;
    float4 p = i < n ? ((const float4 *)points)[8 * i + part] : q;
    float x = p.x - q.x, y = p.y - q.y, z = p.z - q.z, w = p.w - q.w, sum = warp_sum(x * x + y * y + z * z + w * w, 8);
    if (part == 0 && i < n) distance[i] = sqrtf(sum);
  }
}

#else

enum { ROW_THREADS = 1 };

extern "C" __global__ void softmax_rows(const float *in, float *out, int rows, int columns) {
  int row = THREAD;
  if (row >= rows) return;
  float top = in[row * columns], sum = 0;
  for (int j = 1; j < columns; j++) top = fmaxf(top, in[row * columns + j]);
  for (int j = 0; j < columns; j++) sum += expf(in[row * columns + j] - top);
  for (int j = 0; j < columns; j++) out[row * columns + j] = expf(in[row * columns + j] - top) / sum;
}

extern "C" __global__ void layer_norm(const float *__restrict__ x, const float *__restrict__ gamma,
                                      const float *__restrict__ beta, float *__restrict__ y, int rows, int columns) {
  int row = THREAD;
  if (row >= rows) return;
  const float *mine = x + (size_t)row * columns;
  float mean = 0, variance = 0;
  for (int j = 0; j < columns; j++) mean += mine[j];
  mean /= columns;
  for (int j = 0; j < columns; j++) variance += (mine[j] - mean) * (mine[j] - mean);
  float scale = rsqrtf(variance / columns + 1e-5f);
  for (int j = 0; j < columns; j++) y[(size_t)row * columns + j] = (mine[j] - mean) * scale * gamma[j] + beta[j];
}

// How far each point is from the query: 32 coordinates a point.
extern "C" __global__ void query_distance(const float *points, const float *query, float *distance, int n) {
  int i = THREAD;
  if (i >= n) return;
  float sum = 0;
  for (int d = 0; d < 32; d++) {
    float off = points[i * 32 + d] - query[d];
    sum += off * off;
  }
  distance[i] = sqrtf(sum);
}
#endif

static void softmax_rows_trial(Trial &t, size_t rows) {
  enum { COLUMNS = 1000 };
  auto in = t.in(rows * COLUMNS, Floats{1, 0, 4});
  float *out = t.out<float>(rows * COLUMNS);
  t.moved = 8 * COLUMNS * rows;
  t.launch = [=] { softmax_rows<<<grid_of(rows * ROW_THREADS, 128), 128>>>(in, out, (int)rows, COLUMNS); };
  t.expect(out, rows * COLUMNS, 1e-4, 1e-4, [=](size_t w) {
    double sum = 0;
    for (size_t j = 0; j < COLUMNS; j++) sum += exp((double)in[w / COLUMNS * COLUMNS + j]);
    return exp((double)in[w]) / sum;
  });
}

static void layer_norm_trial(Trial &t, size_t rows) {
  enum { COLUMNS = 768 };
  auto x = t.in(rows * COLUMNS, Floats{1, 1, 4});
  auto gamma = t.in(COLUMNS, Floats{2, 1, 0.5}), beta = t.in(COLUMNS, Floats{3, 0, 1});
  float *y = t.out<float>(rows * COLUMNS);
  t.moved = 8 * COLUMNS * rows;
  t.launch = [=] { layer_norm<<<grid_of(rows * ROW_THREADS, 128), 128>>>(x, gamma, beta, y, (int)rows, COLUMNS); };
  t.expect(y, rows * COLUMNS, 1e-4, 1, [=](size_t w) {
    size_t first = w / COLUMNS * COLUMNS;
    double mean = 0, variance = 0;
    for (size_t j = 0; j < COLUMNS; j++) mean += x[first + j];
    mean /= COLUMNS;
    for (size_t j = 0; j < COLUMNS; j++) variance += (x[first + j] - mean) * (x[first + j] - mean);
    return (x[w] - mean) / sqrt(variance / COLUMNS + 1e-5) * gamma[w - first] + beta[w - first];
  });
}

static void query_distance_trial(Trial &t, size_t n) {
  auto points = t.in(32 * n, Floats{1, 0, 1}), query = t.in(32, Floats{2, 0, 1});
  float *out = t.out<float>(n);
  t.moved = 132 * n;
  t.launch = [=] { query_distance<<<grid_of(n), BLOCK>>>(points, query, out, (int)n); };
  t.expect(out, n, 1e-5, 1, [=](size_t i) {
    double sum = 0;
    for (size_t d = 0; d < 32; d++) sum += pow((double)points[32 * i + d] - query[d], 2);
    return sqrt(sum);
  });
}

#ifndef BENCH_EXPERT

// ---- the rest has no version by hand ------------------------------------------------------------------------------

enum { TOP = 4 };
extern "C" __global__ void top_of_rows(const float *scores, float *best, int *where, int rows, int columns) {
  int row = THREAD;
  if (row >= rows) return;
  float value[TOP] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};
  int at[TOP] = {-1, -1, -1, -1};
  for (int j = 0; j < columns; j++) {
    float v = scores[row * columns + j];
    if (v <= value[TOP - 1]) continue;
    int k = TOP - 1;
#pragma unroll
    for (; k > 0 && v > value[k - 1]; k--) value[k] = value[k - 1], at[k] = at[k - 1];
    value[k] = v, at[k] = j;
  }
  for (int k = 0; k < TOP; k++) best[row * TOP + k] = value[k], where[row * TOP + k] = at[k];
}

// The nearest of some centres; the features of a point are read again for each.
extern "C" __global__ void nearest_centre(const float *feature, const float *centre, int *member, int points,
                                          int centres, int features) {
  int i = THREAD;
  if (i >= points) return;
  int nearest = 0;
  float least = 3.4e38f;
  for (int c = 0; c < centres; c++) {
    float sum = 0;
    for (int f = 0; f < features; f++) {
      float off = feature[i * features + f] - centre[c * features + f];
      sum += off * off;
    }
    if (sum < least) least = sum, nearest = c;
  }
  member[i] = nearest;
}

// One direction of an alternating implicit scheme: a tridiagonal system with constant coefficients in every row.
extern "C" __global__ void adi_rows(const double *u, double *v, double *p, double *q, double a, double b, double d, int n) {
  int i = THREAD;
  if (i < 1 || i >= n - 1) return;
  p[i * n] = 0.0;
  q[i * n] = 1.0;
  for (int j = 1; j < n - 1; j++) {
    p[i * n + j] = -a / (a * p[i * n + j - 1] + b);
    q[i * n + j] = (d * u[i * n + j] - a * q[i * n + j - 1]) / (a * p[i * n + j - 1] + b);
  }
  v[i * n + n - 1] = 1.0;
  for (int j = n - 2; j >= 1; j--) v[i * n + j] = p[i * n + j] * v[i * n + j + 1] + q[i * n + j];
}

// The same with coefficients of its own in every place, systems side by side (Thomas).
extern "C" __global__ void tridiagonal(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c,
                                       float *__restrict__ d, int systems, int n) {
  int i = THREAD;
  if (i >= systems) return;
  int first = i * n;
  float upper = c[first] / b[first], right = d[first] / b[first];
  c[first] = upper, d[first] = right;
  for (int j = first + 1; j < first + n; j++) {
    float r = 1.0f / (b[j] - a[j] * upper);
    upper = c[j] * r, right = (d[j] - a[j] * right) * r;
    c[j] = upper, d[j] = right;
  }
  for (int j = first + n - 2; j >= first; j--) d[j] = right = d[j] - c[j] * right;
}

extern "C" __global__ void running_sum(unsigned *data, int rows, int columns) {
  int row = THREAD;
  if (row >= rows) return;
  unsigned *mine = data + row * columns, sum = 0;
  for (int j = 0; j < columns; j++) {
    sum += mine[j];
    mine[j] = sum;
  }
}

// Words of 16 letters against a pattern, in which a dot stands for any letter.
extern "C" __global__ void match_words(const char *words, const char *pattern, int *matches, int length, int n) {
  int i = THREAD;
  if (i >= n) return;
  int same = 0;
  for (int k = 0; k < length; k++) {
    char p = pattern[k];
    if (p != '.' && words[i * length + k] != p) break;
    same++;
  }
  matches[i] = same;
}

static void top_of_rows_trial(Trial &t, size_t rows) {
  enum { COLUMNS = 512 };
  auto scores = t.in(rows * COLUMNS, Floats{1, 0, 1});
  float *best = t.out<float>(rows * TOP);
  int *where = t.out<int>(rows * TOP);
  t.moved = (4 * COLUMNS + 8 * TOP) * rows;
  t.launch = [=] { top_of_rows<<<grid_of(rows, 128), 128>>>(scores, best, where, (int)rows, COLUMNS); };
  auto sorted = [=](size_t row) {   // places of the row, best first; of equals the first
    std::vector<size_t> place(COLUMNS);
    for (size_t j = 0; j < COLUMNS; j++) place[j] = j;
    auto score = [&](size_t j) { return scores[row * COLUMNS + j]; };
    std::sort(place.begin(), place.end(), [&](size_t a, size_t b) { return score(a) != score(b) ? score(a) > score(b) : a < b; });
    return place;
  };
  t.expect(best, rows * TOP, 0, 1, [=](size_t w) { return scores[w / TOP * COLUMNS + sorted(w / TOP)[w % TOP]]; });
  t.expect(where, rows * TOP, 0, 1, [=](size_t w) { return sorted(w / TOP)[w % TOP]; });
}

static void nearest_centre_trial(Trial &t, size_t points) {
  enum { CENTRES = 6, FEATURES = 34 };
  auto feature = t.in(points * FEATURES, Floats{1, 0, 1}), centre = t.in(CENTRES * FEATURES, Floats{2, 0, 0.5});
  int *member = t.out<int>(points);
  t.moved = (4 * FEATURES + 4) * points;
  t.launch = [=] { nearest_centre<<<grid_of(points), BLOCK>>>(feature, centre, member, (int)points, CENTRES, FEATURES); };
  // Where two centres are as good as equally near, either will do: what is compared is how near.
  auto away = [=](size_t i, size_t c) {
    double sum = 0;
    for (size_t f = 0; f < FEATURES; f++) sum += pow((double)feature[i * FEATURES + f] - centre[c * FEATURES + f], 2);
    return sum;
  };
  t.expect(member, points, 0, 1, [=](size_t i) {
    int nearest = 0;
    for (int c = 1; c < CENTRES; c++)
      if (away(i, c) < away(i, nearest)) nearest = c;
    return nearest;
  });
}

static void adi_rows_trial(Trial &t, size_t n) {
  const double A = -0.5, B = 2, D = 0.75;
  auto u = t.in(n * n, Doubles{1, 0, 1}), v = t.in(n * n, Doubles{2, 0, 1});
  double *p = t.out<double>(n * n), *q = t.out<double>(n * n);
  t.moved = 8 * n * n * 6;
  t.launch = [=] { adi_rows<<<grid_of(n, 64), 64>>>(u, v, p, q, A, B, D, (int)n); };
  t.expect(v.at, n * n, 1e-10, 1, [=](size_t w) {
    size_t i = w / n, j = w % n;
    if (i == 0 || i == n - 1 || j == 0) return v[w];
    std::vector<double> ps(n, 0.0), qs(n, 1.0);
    for (size_t k = 1; k < n - 1; k++) {
      ps[k] = -A / (A * ps[k - 1] + B);
      qs[k] = (D * u[i * n + k] - A * qs[k - 1]) / (A * ps[k - 1] + B);
    }
    double value = 1;
    for (size_t k = n - 1; k-- > j;) value = ps[k] * value + qs[k];
    return value;
  });
}

static void tridiagonal_trial(Trial &t, size_t systems) {
  enum { N = 256 };
  auto a = t.in(systems * N, Floats{1, 0, 1}), b = t.in(systems * N, Floats{2, 4, 0.5});
  auto c = t.in(systems * N, Floats{3, 0, 1}), d = t.in(systems * N, Floats{4, 0, 1});
  t.moved = 4 * (4 + 2 + 2 + 1) * N * systems;
  t.launch = [=] { tridiagonal<<<grid_of(systems, 128), 128>>>(a, b, c, d, (int)systems, N); };
  t.expect(d.at, systems * N, 1e-4, 0.1, [=](size_t w) {
    size_t first = w / N * N;
    std::vector<double> upper(N), right(N);
    for (size_t j = 0; j < N; j++) {
      double r = 1 / (b[first + j] - (j ? a[first + j] * upper[j - 1] : 0));
      upper[j] = c[first + j] * r;
      right[j] = (d[first + j] - (j ? a[first + j] * right[j - 1] : 0)) * r;
    }
    for (size_t j = N - 1; j-- > w % N;) right[j] -= upper[j] * right[j + 1];
    return right[w % N];
  });
}

static void running_sum_trial(Trial &t, size_t rows) {
  enum { COLUMNS = 1024 };
  auto data = t.in(rows * COLUMNS, Below<unsigned>{1, 1000});
  t.moved = 8 * COLUMNS * rows;
  t.launch = [=] { running_sum<<<grid_of(rows, 128), 128>>>(data, (int)rows, COLUMNS); };
  t.expect(data.at, rows * COLUMNS, 0, 1, [=](size_t w) {
    long sum = 0;
    for (size_t k = w / COLUMNS * COLUMNS; k <= w; k++) sum += data[k];
    return sum;
  });
}

struct Letters {   // few kinds, so that words agree for a while
  using T = char;
  uint32_t salt;
  BOTH T value(size_t k) const { return "abc."[salted(salt, k) >> 9 & (salt & 1 ? 1 : 3)]; }
};

static void match_words_trial(Trial &t, size_t n) {
  enum { LENGTH = 16 };
  auto words = t.in(LENGTH * n, Letters{1});
  auto pattern = t.in(LENGTH, Letters{2});
  int *out = t.out<int>(n);
  t.moved = (LENGTH + 4) * n;
  t.launch = [=] { match_words<<<grid_of(n), BLOCK>>>(words, pattern, out, LENGTH, (int)n); };
  t.expect(out, n, 0, 1, [=](size_t i) {
    int same = 0;
    while (same < LENGTH && (pattern[same] == '.' || pattern[same] == words[LENGTH * i + same])) same++;
    return same;
  });
}
#endif

int main(int argc, char **argv) {
  return suite_main(argc, argv, {
    {"softmax_rows", "walk, symbolic", GAIN | HAND, 1 << 11, 1 << 16, softmax_rows_trial},
    {"layer_norm", "walk, symbolic", GAIN | HAND, 1 << 11, 1 << 16, layer_norm_trial},
    {"query_distance", "walk, constant", GAIN | HAND, 1 << 15, 1 << 21, query_distance_trial},
#ifndef BENCH_EXPERT
    {"top_of_rows", "walk, symbolic", GAIN, 1 << 11, 1 << 17, top_of_rows_trial},
    {"nearest_centre", "walk, symbolic", GAIN, 1 << 14, 1 << 20, nearest_centre_trial},
    {"adi_rows", "walk, symbolic", GAIN, 512, 4096, adi_rows_trial},
    {"tridiagonal", "walk, symbolic", GAIN, 1 << 12, 1 << 17, tridiagonal_trial},
    {"running_sum", "walk, symbolic", GAIN, 1 << 11, 1 << 16, running_sum_trial},
    {"match_words", "walk, symbolic", CONTROL, 1 << 15, 1 << 23, match_words_trial},
#endif
  });
}
