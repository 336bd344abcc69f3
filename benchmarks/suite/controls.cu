// Nothing to gain: neighbours read and write neighbours, or hardly anybody reads anything.
#include "suite.h"

extern "C" __global__ void saxpy(float a, const float *x, float *y, int n) {
  int i = THREAD;
  if (i < n) y[i] = a * x[i] + y[i];
}

extern "C" __global__ void triad(const double *__restrict__ b, const double *__restrict__ c, double *__restrict__ a,
                                 double scale, int n) {
  for (int i = THREAD; i < n; i += gridDim.x * blockDim.x) a[i] = b[i] + scale * c[i];
}

// Heat in a volume, straight from memory.
extern "C" __global__ void heat(const float *in, float *out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  int at = (z * ny + y) * nx + x;
  out[at] = 0.4f * in[at] + 0.1f * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - nx * ny] + in[at + nx * ny]);
}

// A sum by halves, in shared memory.
extern "C" __global__ void block_sums(const float *in, float *out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * 512 + t;
  s[t] = (i < n ? in[i] : 0) + (i + 256 < n ? in[i + 256] : 0);
  __syncthreads();
  for (int half = 128; half > 0; half >>= 1) {
    if (t < half) s[t] += s[t + half];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// The price of an option, from arrays.
static __device__ float gaussian(float d) { return 0.5f * erfcf(-d * 0.70710678f); }
extern "C" __global__ void black_scholes(float *call, float *put, const float *price, const float *strike, const float *years,
                                         float rate, float volatility, int n) {
  int i = THREAD;
  if (i >= n) return;
  float root = sqrtf(years[i]), drift = rate + 0.5f * volatility * volatility;
  float d1 = (logf(price[i] / strike[i]) + drift * years[i]) / (volatility * root);
  float d2 = d1 - volatility * root, now = strike[i] * expf(-rate * years[i]);
  call[i] = price[i] * gaussian(d1) - now * gaussian(d2);
  put[i] = now * gaussian(-d2) - price[i] * gaussian(-d1);
}

extern "C" __global__ void mandelbrot(unsigned short *out, int width, int height, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float cx = 3.0f * x / width - 2, cy = 2.0f * y / height - 1, zx = 0, zy = 0;
  int k = 0;
  for (; k < most && zx * zx + zy * zy < 4; k++) {
    float next = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = next;
  }
  out[y * width + x] = (unsigned short)k;
}

extern "C" __global__ void transpose_tiles(const float *in, float *out, int n) {
  __shared__ float s[32][33];
  int x = blockIdx.x * 32, y = blockIdx.y * 32;
  for (int j = threadIdx.y; j < 32; j += 8) s[j][threadIdx.x] = in[(y + j) * n + x + threadIdx.x];
  __syncthreads();
  for (int j = threadIdx.y; j < 32; j += 8) out[(x + j) * n + y + threadIdx.x] = s[threadIdx.x][j];
}

extern "C" __global__ void normalise(float4 *v, int n) {
  int i = THREAD;
  if (i >= n) return;
  float4 a = v[i];
  float scale = rsqrtf(a.x * a.x + a.y * a.y + a.z * a.z + a.w * a.w + 1e-6f);
  v[i] = make_float4(a.x * scale, a.y * scale, a.z * scale, a.w * scale);
}

extern "C" __global__ void gather_numbers(const double *in, const int *from, double *out, int n) {
  int i = THREAD;
  if (i < n) out[i] = in[from[i]];
}

// Darts thrown at a quarter of a circle.
extern "C" __global__ void darts(unsigned *hits, int throws, int n) {
  int i = THREAD;
  if (i >= n) return;
  unsigned state = hash(i), in = 0;
  for (int k = 0; k < throws; k++) {
    state = state * 1664525u + 1013904223u;
    unsigned x = state >> 17;
    state = state * 1664525u + 1013904223u;
    unsigned y = state >> 17;
    in += x * x + y * y < 1u << 30;
  }
  hits[i] = in;
}

static void saxpy_trial(Trial &t, size_t n) {
  auto x = t.in(n, Floats{1, 0, 1}), y = t.in(n, Floats{2, 0, 1});
  t.moved = 12 * n;
  t.launch = [=] { saxpy<<<grid_of(n), BLOCK>>>(1.5f, x, y, (int)n); };
  t.expect(y.at, n, 1e-6, 1, [=](size_t i) { return 1.5 * x[i] + y[i]; });
}

static void triad_trial(Trial &t, size_t n) {
  auto b = t.in(n, Doubles{1, 0, 1}), c = t.in(n, Doubles{2, 0, 1});
  double *a = t.out<double>(n);
  t.moved = 24 * n;
  t.launch = [=] { triad<<<132 * 8, BLOCK>>>(b, c, a, 3.0, (int)n); };
  t.expect(a, n, 1e-14, 1, [=](size_t i) { return b[i] + 3 * c[i]; });
}

static void heat_trial(Trial &t, size_t edge) {
  size_t layer = edge * edge, n = edge * layer;
  auto in = t.in(n, Floats{1, 0, 1}), out = t.in(n, Floats{2, 0, 1});
  t.moved = 8 * n;
  dim3 grid(grid_of(edge, 32), grid_of(edge, 8), edge);
  t.launch = [=] { heat<<<grid, dim3(32, 8)>>>(in, out, (int)edge, (int)edge, (int)edge); };
  t.expect(out.at, n, 1e-5, 1, [=](size_t w) {
    for (size_t at : {w % edge, w / edge % edge, w / layer})
      if (at == 0 || at == edge - 1) return (double)out[w];
    return 0.4 * in[w] + 0.1 * ((double)in[w - 1] + in[w + 1] + in[w - edge] + in[w + edge] + in[w - layer] + in[w + layer]);
  });
}

static void block_sums_trial(Trial &t, size_t n) {
  size_t blocks = grid_of(n, 512);
  auto in = t.in(n, Floats{1, 0, 1});
  float *out = t.out<float>(blocks);
  t.moved = 4 * n;
  t.launch = [=] { block_sums<<<blocks, 256>>>(in, out, (int)n); };
  t.expect(out, blocks, 1e-5, 5, [=](size_t block) {
    double sum = 0;
    for (size_t k = 512 * block; k < 512 * block + 512 && k < n; k++) sum += in[k];
    return sum;
  });
}

static void black_scholes_trial(Trial &t, size_t n) {
  const double RATE = 0.02f, VOLATILITY = 0.3f;
  auto price = t.in(n, Floats{1, 20, 16}), strike = t.in(n, Floats{2, 50, 32}), years = t.in(n, Floats{3, 5, 4});
  float *call = t.out<float>(n), *put = t.out<float>(n);
  t.moved = 20 * n;
  t.launch = [=] {
    black_scholes<<<grid_of(n), BLOCK>>>(call, put, price, strike, years, (float)RATE, (float)VOLATILITY, (int)n);
  };
  auto worth = [=](size_t i, int sign) {
    double root = sqrt(years[i]), drift = RATE + 0.5 * VOLATILITY * VOLATILITY;
    double d1 = (log((double)price[i] / strike[i]) + drift * years[i]) / (VOLATILITY * root);
    auto below = [&](double d) { return 0.5 * erfc(-sign * d / sqrt(2.0)); };
    return sign * (price[i] * below(d1) - strike[i] * exp(-RATE * years[i]) * below(d1 - VOLATILITY * root));
  };
  t.expect(call, n, 1e-4, 10, [=](size_t i) { return worth(i, 1); });
  t.expect(put, n, 1e-4, 10, [=](size_t i) { return worth(i, -1); });
}

enum { MOST_STEPS = 200 };

static int orbit(double cx, double cy) {
  double zx = 0, zy = 0;
  int k = 0;
  for (; k < MOST_STEPS && zx * zx + zy * zy < 4; k++) {
    double next = zx * zx - zy * zy + cx;
    zy = 2 * zx * zy + cy;
    zx = next;
  }
  return k;
}

static void mandelbrot_trial(Trial &t, size_t edge) {
  unsigned short *out = t.out<unsigned short>(edge * edge);
  t.operations = 10 * MOST_STEPS * edge * edge / 4;
  dim3 grid(grid_of(edge, 32), grid_of(edge, 8));
  t.launch = [=] { mandelbrot<<<grid, dim3(32, 8)>>>(out, (int)edge, (int)edge, MOST_STEPS); };
  t.expect(out, edge * edge, 0, 1, [=](size_t w) -> double {
    const double ROUNDING = 1e-6;
    double cx = 3.0 * (w % edge) / edge - 2, cy = 2.0 * (w / edge) / edge - 1;
    int steps = orbit(cx, cy);
    for (double off : {-ROUNDING, ROUNDING})
      if (orbit(cx + off, cy) != steps || orbit(cx, cy + off) != steps) return NAN;
    return steps;
  });
}

static void transpose_tiles_trial(Trial &t, size_t n) {
  auto in = t.in(n * n, Floats{1, 0, 1});
  float *out = t.out<float>(n * n);
  t.moved = 8 * n * n;
  t.launch = [=] { transpose_tiles<<<dim3(n / 32, n / 32), dim3(32, 8)>>>(in, out, (int)n); };
  t.expect(out, n * n, 0, 1, [=](size_t w) { return in[w % n * n + w / n]; });
}

static void normalise_trial(Trial &t, size_t n) {
  auto v = t.in(4 * n, Floats{1, 0, 1});
  t.moved = 32 * n;
  t.launch = [=] { normalise<<<grid_of(n), BLOCK>>>(v.as<float4>(), (int)n); };
  t.expect(v.at, 4 * n, 1e-5, 0.1, [=](size_t w) {
    double square = 1e-6;
    for (size_t k = w / 4 * 4; k < w / 4 * 4 + 4; k++) square += (double)v[k] * v[k];
    return v[w] / sqrt(square);
  });
}

static void gather_numbers_trial(Trial &t, size_t n) {
  auto in = t.in(n, Doubles{1, 0, 1});
  auto from = t.in(n, Ints{2, (uint32_t)n});
  double *out = t.out<double>(n);
  t.moved = 20 * n;
  t.launch = [=] { gather_numbers<<<grid_of(n), BLOCK>>>(in, from, out, (int)n); };
  t.expect(out, n, 0, 1, [=](size_t i) { return in[from[i]]; });
}

static void darts_trial(Trial &t, size_t n) {
  enum { THROWS = 256 };
  unsigned *hits = t.out<unsigned>(n);
  t.operations = 4 * THROWS * n;
  t.launch = [=] { darts<<<grid_of(n), BLOCK>>>(hits, THROWS, (int)n); };
  t.expect(hits, n, 0, 1, [=](size_t i) {
    uint32_t state = hash(i);
    int in = 0;
    for (int k = 0; k < THROWS; k++) {
      uint64_t x = (state = state * 1664525u + 1013904223u) >> 17, y = (state = state * 1664525u + 1013904223u) >> 17;
      in += x * x + y * y < 1ull << 30;
    }
    return in;
  });
}

int main(int argc, char **argv) {
  return suite_main(argc, argv, {
    {"saxpy", "coalesced", CONTROL, 1 << 18, 1 << 26, saxpy_trial},
    {"triad", "coalesced", CONTROL, 1 << 17, 1 << 25, triad_trial},
    {"heat", "coalesced", CONTROL, 64, 400, heat_trial},
    {"block_sums", "coalesced", CONTROL, 100003, (1 << 26) + 7, block_sums_trial},
    {"black_scholes", "coalesced", CONTROL, 1 << 16, 1 << 24, black_scholes_trial},
    {"mandelbrot", "coalesced", CONTROL, 512, 4096, mandelbrot_trial},
    {"transpose_tiles", "coalesced", CONTROL, 512, 8192, transpose_tiles_trial},
    {"normalise", "coalesced", CONTROL, 1 << 16, 1 << 24, normalise_trial},
    {"gather_numbers", "gather", CONTROL, 1 << 16, 1 << 24, gather_numbers_trial},
    {"darts", "coalesced", CONTROL, 1 << 14, 1 << 20, darts_trial},
  });
}
