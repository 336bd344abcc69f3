// Images: pixels of 3, 4 and 12 bytes, rows, channels.
#include "suite.h"

// Interleaved channels into planes, as networks want them: 8 channels.
enum { CHANNELS = 8 };

#ifdef BENCH_EXPERT
#include "expert.cuh"

using Pixel = Many<float, CHANNELS>;

extern "C" __global__ void channels_first(const float *in, float *out, int pixels) {
  __shared__ Stage<Pixel, BLOCK> stage;
  int i = THREAD;
  Pixel p = stage.load(in, pixels);
  if (i >= pixels) return;
#pragma unroll
  for (int c = 0; c < CHANNELS; c++) out[c * pixels + i] = p.v[c];
}

extern "C" __global__ void channels_last(const float *in, float *out, int pixels) {
  __shared__ Stage<Pixel, BLOCK> stage;
  int i = THREAD;
  Pixel p = {};
#pragma unroll
  for (int c = 0; c < CHANNELS; c++) p.v[c] = i < pixels ? in[c * pixels + i] : 0;
  stage.store(out, p, pixels);
}

#else

extern "C" __global__ void channels_first(const float *in, float *out, int pixels) {
  int i = THREAD;
  if (i >= pixels) return;
  for (int c = 0; c < CHANNELS; c++) out[c * pixels + i] = in[i * CHANNELS + c];
}

extern "C" __global__ void channels_last(const float *in, float *out, int pixels) {
  int i = THREAD;
  if (i >= pixels) return;
  for (int c = 0; c < CHANNELS; c++) out[i * CHANNELS + c] = in[c * pixels + i];
}
#endif

static void channels_first_trial(Trial &t, size_t n) {
  auto in = t.in(CHANNELS * n, Floats{1, 0, 1});
  float *out = t.out<float>(CHANNELS * n);
  t.moved = 8 * CHANNELS * n;
  t.launch = [=] { channels_first<<<grid_of(n), BLOCK>>>(in, out, (int)n); };
  t.expect(out, CHANNELS * n, 0, 1, [=](size_t w) { return in[w % n * CHANNELS + w / n]; });
}

static void channels_last_trial(Trial &t, size_t n) {
  auto in = t.in(CHANNELS * n, Floats{1, 0, 1});
  float *out = t.out<float>(CHANNELS * n);
  t.moved = 8 * CHANNELS * n;
  t.launch = [=] { channels_last<<<grid_of(n), BLOCK>>>(in, out, (int)n); };
  t.expect(out, CHANNELS * n, 0, 1, [=](size_t w) { return in[w % CHANNELS * n + w / CHANNELS]; });
}

#ifndef BENCH_EXPERT

// ---- the rest has no version by hand ------------------------------------------------------------------------------

extern "C" __global__ void grey(const uchar3 *in, uint8_t *out, int n) {
  int i = THREAD;
  if (i >= n) return;
  uchar3 p = in[i];
  out[i] = (uint8_t)((77 * p.x + 150 * p.y + 29 * p.z) >> 8);
}

extern "C" __global__ void blend(const uchar4 *__restrict__ front, uchar4 *__restrict__ back, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  uchar4 f = front[y * width + x], b = back[y * width + x];
  int a = f.w + (f.w >> 7);
  int left = 256 - a;
  back[y * width + x] = make_uchar4((f.x * a + b.x * left) >> 8, (f.y * a + b.y * left) >> 8, (f.z * a + b.z * left) >> 8, b.w);
}

extern "C" __global__ void tone(const float3 *in, float3 *out, float exposure, int n) {
  int i = THREAD;
  if (i >= n) return;
  float3 p = in[i];
  float light = 0.2126f * p.x + 0.7152f * p.y + 0.0722f * p.z, scale = exposure / (1 + exposure * light);
  out[i] = make_float3(p.x * scale, p.y * scale, p.z * scale);
}

// Six pixels' worth of colour for two: 4 bytes in, 6 out.
static BOTH inline uint8_t clamped(int v) { return (uint8_t)(v < 0 ? 0 : v > 255 ? 255 : v); }
extern "C" __global__ void yuyv_to_rgb(const uchar4 *in, uint8_t *out, int pairs) {
  int i = THREAD;
  if (i >= pairs) return;
  uchar4 p = in[i];
  int u = p.y - 128, v = p.w - 128;
  out[6 * i + 0] = clamped(p.x + (359 * v >> 8));
  out[6 * i + 1] = clamped(p.x - ((88 * u + 183 * v) >> 8));
  out[6 * i + 2] = clamped(p.x + (454 * u >> 8));
  out[6 * i + 3] = clamped(p.z + (359 * v >> 8));
  out[6 * i + 4] = clamped(p.z - ((88 * u + 183 * v) >> 8));
  out[6 * i + 5] = clamped(p.z + (454 * u >> 8));
}

// A pixel's 16 features weighed: one number out.
extern "C" __global__ void weigh_features(const float *feature, const float *weight, float bias, float *out, int n) {
  int i = THREAD;
  if (i >= n) return;
  float sum = bias;
  for (int c = 0; c < 16; c++) sum += feature[16 * i + c] * weight[c];
  out[i] = sum > 0 ? sum : 0.1f * sum;
}

// A box that slides along the row.
extern "C" __global__ void box_rows(const float *in, float *out, int radius, int width, int height) {
  int y = THREAD;
  if (y >= height) return;
  const float *a = in + y * width;
  float sum = 0, scale = 1.0f / (2 * radius + 1);
  for (int x = 0; x < radius; x++) sum += a[x];
  for (int x = 0; x < width; x++) {
    if (x + radius < width) sum += a[x + radius];
    if (x - radius - 1 >= 0) sum -= a[x - radius - 1];
    out[y * width + x] = sum * scale;
  }
}

// Sums along the rows: half of an integral image.
extern "C" __global__ void integral_rows(const uint8_t *in, unsigned *out, int width, int height) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  unsigned sum = 0;
  for (int x = 0; x < width; x++) {
    sum += in[y * width + x];
    out[y * width + x] = sum;
  }
}

// Half the size in both directions, each pixel from four: one thread for a row's pair of columns.
extern "C" __global__ void halve(const float *in, float *out, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width / 2 || y >= height / 2) return;
  const float *a = in + 2 * y * width + 2 * x;
  out[y * (width / 2) + x] = 0.25f * (a[0] + a[1] + a[width] + a[width + 1]);
}

// Turned about its middle: where a pixel comes from follows no stride.
extern "C" __global__ void rotate_nearest(const uchar4 *in, uchar4 *out, float cosine, float sine, int width, int height) {
  int i = THREAD;
  if (i >= width * height) return;
  int x = i % width, y = i / width;
  float dx = x - 0.5f * width, dy = y - 0.5f * height;
  int sx = (int)floorf(cosine * dx + sine * dy + 0.5f * width), sy = (int)floorf(cosine * dy - sine * dx + 0.5f * height);
  out[i] = sx >= 0 && sx < width && sy >= 0 && sy < height ? in[sy * width + sx] : make_uchar4(0, 0, 0, 255);
}

// How often each byte occurs.
extern "C" __global__ void histogram(const uint8_t *in, unsigned *bins, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = THREAD; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

static void grey_trial(Trial &t, size_t n) {
  auto in = t.in(3 * n, Bytes{1});
  uint8_t *out = t.out<uint8_t>(n);
  t.moved = 4 * n;
  t.launch = [=] { grey<<<grid_of(n), BLOCK>>>(in.as<const uchar3>(), out, (int)n); };
  t.expect(out, n, 0, 1, [=](size_t i) { return (77 * in[3 * i] + 150 * in[3 * i + 1] + 29 * in[3 * i + 2]) / 256; });
}

static void blend_trial(Trial &t, size_t edge) {
  size_t n = edge * edge;
  auto front = t.in(4 * n, Bytes{1}), back = t.in(4 * n, Bytes{2});
  t.moved = 12 * n;
  dim3 grid(grid_of(edge, 32), grid_of(edge, 8));
  t.launch = [=] { blend<<<grid, dim3(32, 8)>>>(front.as<const uchar4>(), back.as<uchar4>(), (int)edge, (int)edge); };
  t.expect(back.at, 4 * n, 0, 1, [=](size_t w) {
    int a = front[w / 4 * 4 + 3] + front[w / 4 * 4 + 3] / 128;
    return w % 4 == 3 ? back[w] : (front[w] * a + back[w] * (256 - a)) / 256;
  });
}

static void tone_trial(Trial &t, size_t n) {
  auto in = t.in(3 * n, Floats{1, 1, 1});
  float3 *out = t.out<float3>(n);
  t.moved = 24 * n;
  t.launch = [=] { tone<<<grid_of(n), BLOCK>>>(in.as<const float3>(), out, 1.25f, (int)n); };
  t.expect((float *)out, 3 * n, 1e-5, 0.1, [=](size_t w) {
    size_t i = w / 3 * 3;
    return in[w] * 1.25 / (1 + 1.25 * (0.2126 * in[i] + 0.7152 * in[i + 1] + 0.0722 * in[i + 2]));
  });
}

static void yuyv_to_rgb_trial(Trial &t, size_t n) {
  auto in = t.in(4 * n, Bytes{1});
  uint8_t *out = t.out<uint8_t>(6 * n);
  t.moved = 10 * n;
  t.launch = [=] { yuyv_to_rgb<<<grid_of(n), BLOCK>>>(in.as<const uchar4>(), out, (int)n); };
  t.expect(out, 6 * n, 0, 1, [=](size_t w) {
    double y = in[w / 6 * 4 + (w % 6 < 3 ? 0 : 2)], u = in[w / 6 * 4 + 1] - 128.0, v = in[w / 6 * 4 + 3] - 128.0;
    double red = floor(359 * v / 256), green = -floor((88 * u + 183 * v) / 256), blue = floor(454 * u / 256);
    return std::min(255.0, std::max(0.0, y + (w % 3 == 0 ? red : w % 3 == 1 ? green : blue)));
  });
}

static void weigh_features_trial(Trial &t, size_t n) {
  auto feature = t.in(16 * n, Floats{1, 0, 1}), weight = t.in(16, Floats{2, 0, 1});
  float *out = t.out<float>(n);
  t.moved = 68 * n;
  t.launch = [=] { weigh_features<<<grid_of(n), BLOCK>>>(feature, weight, 0.5f, out, (int)n); };
  t.expect(out, n, 1e-5, 1, [=](size_t i) {
    double sum = 0.5;
    for (size_t c = 0; c < 16; c++) sum += (double)feature[16 * i + c] * weight[c];
    return sum > 0 ? sum : 0.1 * sum;
  });
}

static void box_rows_trial(Trial &t, size_t height) {
  enum { WIDTH = 2048, RADIUS = 5 };
  auto in = t.in(WIDTH * height, Floats{1, 1, 1});
  float *out = t.out<float>(WIDTH * height);
  t.moved = 8 * WIDTH * height;
  t.launch = [=] { box_rows<<<grid_of(height, 64), 64>>>(in, out, RADIUS, WIDTH, (int)height); };
  t.expect(out, WIDTH * height, 1e-4, 1, [=](size_t w) {
    double sum = 0;
    for (long x = (long)(w % WIDTH) - RADIUS; x <= (long)(w % WIDTH) + RADIUS; x++)
      if (x >= 0 && x < WIDTH) sum += in[w / WIDTH * WIDTH + x];
    return sum / (2 * RADIUS + 1);
  });
}

static void integral_rows_trial(Trial &t, size_t height) {
  enum { WIDTH = 2048 };
  auto in = t.in(WIDTH * height, Bytes{1});
  unsigned *out = t.out<unsigned>(WIDTH * height);
  t.moved = 5 * WIDTH * height;
  t.launch = [=] { integral_rows<<<grid_of(height, 64), 64>>>(in, out, WIDTH, (int)height); };
  t.expect(out, WIDTH * height, 0, 1, [=](size_t w) {
    unsigned sum = 0;
    for (size_t k = w / WIDTH * WIDTH; k <= w; k++) sum += in[k];
    return sum;
  });
}

static void halve_trial(Trial &t, size_t edge) {
  auto in = t.in(edge * edge, Floats{1, 0, 1});
  size_t half = edge / 2;
  float *out = t.out<float>(half * half);
  t.moved = 5 * edge * edge;
  t.launch = [=] { halve<<<dim3(grid_of(half, 32), grid_of(half, 8)), dim3(32, 8)>>>(in, out, (int)edge, (int)edge); };
  t.expect(out, half * half, 1e-6, 1, [=](size_t w) {
    size_t at = w / half * 2 * edge + w % half * 2;
    return 0.25 * ((double)in[at] + in[at + 1] + in[at + edge] + in[at + edge + 1]);
  });
}

static void rotate_nearest_trial(Trial &t, size_t edge) {
  const float COSINE = 0.819152f, SINE = 0.573576f;   // 35 degrees
  size_t n = edge * edge;
  auto in = t.in(4 * n, Bytes{1});
  uchar4 *out = t.out<uchar4>(n);
  t.moved = 8 * n;
  t.launch = [=] { rotate_nearest<<<grid_of(n), BLOCK>>>(in.as<const uchar4>(), out, COSINE, SINE, (int)edge, (int)edge); };
  t.expect((uint8_t *)out, 4 * n, 0, 1, [=](size_t w) -> double {
    const double ROUNDING = 0.01;
    double half = 0.5 * edge, dx = w / 4 % edge - half, dy = w / 4 / edge - half;
    double x = COSINE * dx + SINE * dy + half, y = COSINE * dy - SINE * dx + half;
    for (double at : {x, y})
      if (fabs(at - nearbyint(at)) < ROUNDING) return NAN;
    if (x < 0 || x >= edge || y < 0 || y >= edge) return w % 4 == 3 ? 255 : 0;
    return in[4 * ((size_t)y * edge + (size_t)x) + w % 4];
  });
}

static void histogram_trial(Trial &t, size_t n) {
  auto in = t.in(n, Bytes{1});
  auto bins = t.in(256, Same<unsigned>{0});
  t.moved = n;
  t.launch = [=] { histogram<<<132 * 4, 256>>>(in, bins, (int)n); };
  auto want = std::make_shared<std::vector<unsigned>>();
  t.expect(bins.at, 256, 0, 1, [=](size_t bin) {
    if (want->empty()) {
      want->resize(256);
      for (size_t i = 0; i < n; i++) ++(*want)[in[i]];
    }
    return (*want)[bin];
  });
}
#endif

int main(int argc, char **argv) {
  return suite_main(argc, argv, {
    {"channels_first", "by hand, whole", CONTROL | HAND, 1 << 16, 1 << 23, channels_first_trial},
    {"channels_last", "by hand, whole", GAIN | HAND, 1 << 16, 1 << 23, channels_last_trial},
#ifndef BENCH_EXPERT
    {"grey", "struct, whole", CONTROL, 1 << 18, 1 << 26, grey_trial},
    {"blend", "coalesced", CONTROL, 512, 8192, blend_trial},
    {"tone", "struct, whole", CONTROL, 1 << 16, 1 << 24, tone_trial},
    {"yuyv_to_rgb", "by hand, whole", CONTROL, 1 << 17, 1 << 25, yuyv_to_rgb_trial},
    {"weigh_features", "by hand, whole", GAIN, 1 << 16, 1 << 22, weigh_features_trial},
    {"box_rows", "walk, symbolic", GAIN, 1080, 1 << 15, box_rows_trial},
    {"integral_rows", "walk, symbolic", GAIN, 1080, 1 << 15, integral_rows_trial},
    {"halve", "small stride", CONTROL, 1024, 8192, halve_trial},
    {"rotate_nearest", "not linear", CONTROL, 512, 4096, rotate_nearest_trial},
    {"histogram", "atomic", CONTROL, 1 << 20, 1 << 27, histogram_trial},
#endif
  });
}
