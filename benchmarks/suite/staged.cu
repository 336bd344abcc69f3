// Tiles: a block stages global memory in shared memory, waits, uses it, waits, and goes on.
#include "suite.h"

#ifdef BENCH_EXPERT
#include "expert.cuh"

enum { PRODUCT_EDGE = 64 };

// 64 x 64 elements a block, two tiles in turn: the next is on its way, in registers, while this one is used.
static __device__ void product_ahead(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[2][16][68], Bs[2][16][68];
  int t = threadIdx.y * blockDim.x + threadIdx.x, tx = t % 16, ty = t / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
  float a[4], b[4], sum[4][4] = {};
  auto fetch = [&](int k0) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      int r = row + ty + 16 * i, ka = k0 + tx, kb = k0 + t / 64 + 4 * i, c = column + t % 64;
      a[i] = r < M && ka < K ? A[r * K + ka] : 0.0f;
      b[i] = kb < K && c < N ? B[kb * N + c] : 0.0f;
    }
  };
  auto keep = [&](int slot) {
#pragma unroll
    for (int i = 0; i < 4; i++) As[slot][tx][ty + 16 * i] = a[i], Bs[slot][t / 64 + 4 * i][t % 64] = b[i];
  };
  fetch(0);
  keep(0);
  __syncthreads();
  for (int k0 = 0, slot = 0; k0 < K; k0 += 16, slot ^= 1) {
    if (k0 + 16 < K) fetch(k0 + 16);
#pragma unroll
    for (int k = 0; k < 16; k++) {
      float4 u = *(float4 *)&As[slot][k][ty * 4], v = *(float4 *)&Bs[slot][k][tx * 4];
      float us[4] = {u.x, u.y, u.z, u.w}, vs[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) sum[i][j] += us[i] * vs[j];
    }
    if (k0 + 16 < K) keep(slot ^ 1);
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++)
      if (row + ty * 4 + i < M && column + tx * 4 + j < N) C[(row + ty * 4 + i) * N + column + tx * 4 + j] = sum[i][j];
}

extern "C" __global__ void product_16(const float *A, const float *B, float *C, int n) { product_ahead(A, B, C, n, n, n); }
extern "C" __global__ void product_blocked(const float *A, const float *B, float *C, int M, int N, int K) {
  product_ahead(A, B, C, M, N, K);
}

// Nobody needs the tile: each thread reads the place that it wants, far ahead.
extern "C" __global__ void dot_tiles(const float *a, const float *b, float *partial, int tiles) {
  int at = blockIdx.x * tiles * 256 + 255 - (int)threadIdx.x;
  float sum = 0;
#pragma unroll 16
  for (int k = 0; k < tiles; k++) sum += a[at + k * 256] * b[at + k * 256];
  partial[blockIdx.x * 256 + threadIdx.x] = sum;
}

#else

enum { PRODUCT_EDGE = 16 };

// The textbook's product.
extern "C" __global__ void product_16(const float *A, const float *B, float *C, int n) {
  __shared__ float As[16][16], Bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int m = 0; m < n / 16; m++) {
    As[ty][tx] = A[row * n + m * 16 + tx];
    Bs[ty][tx] = B[(m * 16 + ty) * n + column];
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

// 64 x 64 elements a block, 4 x 4 a thread, for any shape: zeros stand where the matrices end.
extern "C" __global__ void product_blocked(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[16][64], Bs[16][64];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
  float sum[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = threadIdx.x; i < 64 * 16; i += 256) {
      int r = i / 16, k = i % 16;
      As[k][r] = row + r < M && k0 + k < K ? A[(row + r) * K + k0 + k] : 0.0f;
    }
    for (int i = threadIdx.x; i < 16 * 64; i += 256) {
      int k = i / 64, c = i % 64;
      Bs[k][c] = k0 + k < K && column + c < N ? B[(k0 + k) * N + column + c] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 16; k++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += As[k][ty * 4 + i] * Bs[k][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if (row + ty * 4 + i < M && column + tx * 4 + j < N) C[(row + ty * 4 + i) * N + column + tx * 4 + j] = sum[i][j];
}

// Each block adds up a stretch of two vectors' products, 512 at a time.
extern "C" __global__ void dot_tiles(const float *a, const float *b, float *partial, int tiles) {
  __shared__ float s[512];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < tiles; k++) {
    int base = (blockIdx.x * tiles + k) * 256;
    s[t] = a[base + t];
    s[256 + t] = b[base + t];
    __syncthreads();
    sum += s[255 - t] * s[256 + 255 - t];
    __syncthreads();
  }
  partial[blockIdx.x * 256 + t] = sum;
}
#endif

static void product_16_trial(Trial &t, size_t n) {
  auto A = t.in(n * n, Floats{1, 0, 1}), B = t.in(n * n, Floats{2, 0, 1});
  float *C = t.out<float>(n * n);
  t.operations = 2 * n * n * n;
  t.launch = [=] { product_16<<<dim3(n / PRODUCT_EDGE, n / PRODUCT_EDGE), dim3(16, 16)>>>(A, B, C, (int)n); };
  t.expect(C, n * n, 1e-5, 50, [=](size_t w) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += (double)A[w / n * n + k] * B[k * n + w % n];
    return sum;
  });
}

static void product_blocked_trial(Trial &t, size_t M) {
  size_t N = M + 24, K = M - 5;   // no multiples of the tile
  auto A = t.in(M * K, Floats{1, 0, 1}), B = t.in(K * N, Floats{2, 0, 1});
  float *C = t.out<float>(M * N);
  t.operations = 2 * M * N * K;
  t.launch = [=] { product_blocked<<<dim3(grid_of(N, 64), grid_of(M, 64)), 256>>>(A, B, C, (int)M, (int)N, (int)K); };
  t.expect(C, M * N, 1e-5, 50, [=](size_t w) {
    double sum = 0;
    for (size_t k = 0; k < K; k++) sum += (double)A[w / N * K + k] * B[k * N + w % N];
    return sum;
  });
}

static void dot_tiles_trial(Trial &t, size_t tiles) {
  enum { BLOCKS = 264 };
  size_t n = BLOCKS * 256 * tiles;
  auto a = t.in(n, Floats{1, 0, 1}), b = t.in(n, Floats{2, 0, 1});
  float *out = t.out<float>(BLOCKS * 256);
  t.moved = 8 * n;
  t.launch = [=] { dot_tiles<<<BLOCKS, 256>>>(a, b, out, (int)tiles); };
  t.expect(out, BLOCKS * 256, 1e-4, 1, [=](size_t w) {
    double sum = 0;
    for (size_t k = 0; k < tiles; k++) {
      size_t at = (w / 256 * tiles + k) * 256 + 255 - w % 256;
      sum += (double)a[at] * b[at];
    }
    return sum;
  });
}

#ifndef BENCH_EXPERT

// ---- the rest has no version by hand ------------------------------------------------------------------------------

// In double, B transposed, so that both tiles are rows.
extern "C" __global__ void product_transposed(const double *A, const double *B, double *C, int n) {
  __shared__ double As[16][17], Bs[16][17];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, column = blockIdx.x * 16 + tx;
  double sum = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    As[ty][tx] = A[row * n + k0 + tx];
    Bs[ty][tx] = B[(blockIdx.x * 16 + ty) * n + k0 + tx];
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += As[ty][k] * Bs[tx][k];
    __syncthreads();
  }
  C[row * n + column] = sum;
}

// Distances between all pairs of points: rows of coordinates, staged 16 x 16.
extern "C" __global__ void pair_distances(const float *points, float *distance, int dims, int n) {
  __shared__ float mine[16][16], other[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, i = blockIdx.y * 16, j = blockIdx.x * 16;
  float sum = 0;
  for (int d0 = 0; d0 < dims; d0 += 16) {
    mine[ty][tx] = points[(i + ty) * dims + d0 + tx];
    other[tx][ty] = points[(j + ty) * dims + d0 + tx];
    __syncthreads();
    for (int d = 0; d < 16; d++) {
      float off = mine[ty][d] - other[d][tx];
      sum += off * off;
    }
    __syncthreads();
  }
  distance[(i + ty) * n + j + tx] = sqrtf(sum);
}

// A block goes up through the planes of a volume; the plane that it is at stands in shared memory, with a rim.
extern "C" __global__ void stencil_planes(const float *in, float *out, int nx, int ny, int nz) {
  __shared__ float plane[10][34];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y, tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  int layer = nx * ny;
  bool inside = x > 0 && x < nx - 1 && y > 0 && y < ny - 1;
  int at = y * nx + x;
  for (int z = 1; z < nz - 1; z++) {
    int here = z * layer + at;
    plane[ty][tx] = in[here];
    if (threadIdx.x == 0 && x > 0) plane[ty][0] = in[here - 1];
    if (threadIdx.x == 31 && x < nx - 1) plane[ty][33] = in[here + 1];
    if (threadIdx.y == 0 && y > 0) plane[0][tx] = in[here - nx];
    if (threadIdx.y == 7 && y < ny - 1) plane[9][tx] = in[here + nx];
    __syncthreads();
    if (inside)
      out[here] = 0.5f * plane[ty][tx] + 0.0625f * (plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] + plane[ty + 1][tx])
                + 0.125f * (in[here - layer] + in[here + layer]);
    __syncthreads();
  }
}

// A block goes down a picture, strip by strip, for a 5 x 5 box; outside all is black.
extern "C" __global__ void box_strips(const float *in, float *out, int width, int height, int strips) {
  __shared__ float s[12][36];
  int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 8 * strips;
  for (int k = 0; k < strips; k++, y0 += 8) {
    for (int i = ty * 32 + tx; i < 12 * 36; i += 256) {
      int x = x0 + i % 36 - 2, y = y0 + i / 36 - 2;
      s[i / 36][i % 36] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < 5; i++) sum += s[ty + j][tx + i];
    out[(y0 + ty) * width + x0 + tx] = sum / 25;
    __syncthreads();
  }
}

// A layer of a network: 3 x 3 convolutions, over channels whose tiles are staged one by one.
extern "C" __global__ void convolve_channels(const float *in, const float *weight, float *out, int channels,
                                             int width, int height) {
  __shared__ float s[18][18], w[9];
  int tx = threadIdx.x, ty = threadIdx.y, t = ty * 16 + tx, x0 = blockIdx.x * 16, y0 = blockIdx.y * 16, made = blockIdx.z;
  float sum = 0;
  for (int c = 0; c < channels; c++) {
    for (int i = t; i < 18 * 18; i += 256) {
      int x = x0 + i % 18 - 1, y = y0 + i / 18 - 1;
      s[i / 18][i % 18] = x >= 0 && x < width && y >= 0 && y < height ? in[(c * height + y) * width + x] : 0.0f;
    }
    if (t < 9) w[t] = weight[(made * channels + c) * 9 + t];
    __syncthreads();
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++) sum += w[j * 3 + i] * s[ty + j][tx + i];
    __syncthreads();
  }
  out[(made * height + y0 + ty) * width + x0 + tx] = fmaxf(sum, 0.0f);
}

// Gravity, the other bodies staged a block at a time.
static BOTH inline void attract(const float4 &p, const float4 &b, float (&a)[3]) {
  float dx = b.x - p.x, dy = b.y - p.y, dz = b.z - p.z, d = dx * dx + dy * dy + dz * dz + 0.01f, f = b.w / (d * sqrtf(d));
  a[0] += dx * f, a[1] += dy * f, a[2] += dz * f;
}
extern "C" __global__ void bodies(const float4 *position, float4 *acceleration, int n) {
  __shared__ float4 s[256];
  int i = THREAD;
  float4 p = position[i];
  float a[3] = {0, 0, 0};
  for (int tile = 0; tile < n / 256; tile++) {
    s[threadIdx.x] = position[tile * 256 + threadIdx.x];
    __syncthreads();
    for (int k = 0; k < 256; k++) attract(p, s[k], a);
    __syncthreads();
  }
  acceleration[i] = make_float4(a[0], a[1], a[2], 0);
}

static void product_transposed_trial(Trial &t, size_t n) {
  auto A = t.in(n * n, Doubles{1, 0, 1}), B = t.in(n * n, Doubles{2, 0, 1});
  double *C = t.out<double>(n * n);
  t.operations = 2 * n * n * n;
  t.launch = [=] { product_transposed<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(A, B, C, (int)n); };
  t.expect(C, n * n, 1e-11, 10, [=](size_t w) {
    double sum = 0;
    for (size_t k = 0; k < n; k++) sum += A[w / n * n + k] * B[w % n * n + k];
    return sum;
  });
}

static void pair_distances_trial(Trial &t, size_t n) {
  enum { DIMS = 128 };
  auto p = t.in(n * DIMS, Floats{1, 0, 1});
  float *out = t.out<float>(n * n);
  t.operations = 3 * n * n * DIMS;
  t.launch = [=] { pair_distances<<<dim3(n / 16, n / 16), dim3(16, 16)>>>(p, out, DIMS, (int)n); };
  t.expect(out, n * n, 1e-5, 1, [=](size_t w) {
    double sum = 0;
    for (size_t d = 0; d < DIMS; d++) sum += pow((double)p[w / n * DIMS + d] - p[w % n * DIMS + d], 2);
    return sqrt(sum);
  });
}

static void stencil_planes_trial(Trial &t, size_t edge) {
  size_t layer = edge * edge, n = edge * layer;
  auto in = t.in(n, Floats{1, 0, 1}), out = t.in(n, Floats{2, 0, 1});
  t.moved = 8 * n;
  t.launch = [=] { stencil_planes<<<dim3(edge / 32, edge / 8), dim3(32, 8)>>>(in, out, (int)edge, (int)edge, (int)edge); };
  t.expect(out.at, n, 1e-5, 1, [=](size_t w) {
    for (size_t at : {w % edge, w / edge % edge, w / layer})
      if (at == 0 || at == edge - 1) return (double)out[w];
    double around = (double)in[w - 1] + in[w + 1] + in[w - edge] + in[w + edge];
    return 0.5 * in[w] + 0.0625 * around + 0.125 * ((double)in[w - layer] + in[w + layer]);
  });
}

static void box_strips_trial(Trial &t, size_t height) {
  enum { STRIPS = 16 };
  size_t width = height;
  auto in = t.in(width * height, Floats{1, 1, 1});
  float *out = t.out<float>(width * height);
  t.moved = 8 * width * height;
  dim3 grid(width / 32, height / 8 / STRIPS);
  t.launch = [=] { box_strips<<<grid, dim3(32, 8)>>>(in, out, (int)width, (int)height, STRIPS); };
  t.expect(out, width * height, 1e-5, 1, [=](size_t w) {
    double sum = 0;
    for (size_t y = w / width - 2; y != w / width + 3; y++)
      for (size_t x = w % width - 2; x != w % width + 3; x++) sum += x < width && y < height ? in[y * width + x] : 0;
    return sum / 25;
  });
}

static void convolve_channels_trial(Trial &t, size_t edge) {
  enum { CHANNELS = 48, MADE = 32 };
  size_t plane = edge * edge;
  auto in = t.in(CHANNELS * plane, Floats{1, 0, 1}), weight = t.in(MADE * CHANNELS * 9, Floats{2, 0, 0.5});
  float *out = t.out<float>(MADE * plane);
  t.operations = 18 * CHANNELS * MADE * plane;
  dim3 grid(edge / 16, edge / 16, MADE);
  t.launch = [=] { convolve_channels<<<grid, dim3(16, 16)>>>(in, weight, out, CHANNELS, (int)edge, (int)edge); };
  t.expect(out, MADE * plane, 1e-4, 5, [=](size_t w) {
    size_t made = w / plane, x = w % edge, y = w / edge % edge;
    double sum = 0;
    for (size_t c = 0; c < CHANNELS; c++)
      for (size_t j = 0; j < 3; j++)
        for (size_t i = 0; i < 3; i++)
          if (x + i - 1 < edge && y + j - 1 < edge)
            sum += (double)weight[(made * CHANNELS + c) * 9 + j * 3 + i] * in[c * plane + (y + j - 1) * edge + x + i - 1];
    return std::max(sum, 0.0);
  });
}

static void bodies_trial(Trial &t, size_t n) {
  auto p = t.in(4 * n, Floats{1, 1, 1});
  float4 *out = t.out<float4>(n);
  t.operations = 20 * n * n;
  t.launch = [=] { bodies<<<n / 256, 256>>>(p.as<const float4>(), out, (int)n); };
  t.expect((float *)out, 4 * n, 1e-3, 100, [=](size_t w) {
    if (w % 4 == 3) return 0.0;
    double a = 0;
    for (size_t k = 0; k < n; k++) {
      double d = 0.01;
      for (size_t c = 0; c < 3; c++) d += pow((double)p[4 * k + c] - p[w / 4 * 4 + c], 2);
      a += ((double)p[4 * k + w % 4] - p[w]) * p[4 * k + 3] / (d * sqrt(d));
    }
    return a;
  });
}
#endif

int main(int argc, char **argv) {
  return suite_main(argc, argv, {
    {"product_16", "tile loop", GAIN | HAND, 256, 2048, product_16_trial},
    {"product_blocked", "tile loop", GAIN | HAND, 300, 2100, product_blocked_trial},
    {"dot_tiles", "tile loop", GAIN | HAND, 16, 1 << 10, dot_tiles_trial},
#ifndef BENCH_EXPERT
    {"product_transposed", "tile loop", CONTROL, 256, 1536, product_transposed_trial},
    {"pair_distances", "tile loop", GAIN, 512, 4096, pair_distances_trial},
    {"stencil_planes", "tile loop", CONTROL, 64, 384, stencil_planes_trial},
    {"box_strips", "tile loop", GAIN, 512, 8192, box_strips_trial},
    {"convolve_channels", "tile loop", GAIN, 32, 256, convolve_channels_trial},
    {"bodies", "tile loop", CONTROL, 1 << 12, 1 << 15, bodies_trial},
#endif
  });
}
