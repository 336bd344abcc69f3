// RUN: %python %S/launched.py --opt '%opt' --clang '%clang-device' --sim %sim --source %s --temp %t.d
// Launches that a profile has seen are priced: one and the same kernel is rewritten with one profile, and left alone with another. What is
// rewritten for them is right for all others.
#include "prelude.cuh"
#define KERNEL extern "C" __global__ void
#define ROW (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define BARRIER __syncthreads()
#define R __restrict__
extern "C" __device__ void __syncthreads(void);

KERNEL rows(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[(u64)i * m + j];
  q[i] = s;
}
KERNEL shelf(const u32 *a, const u32 *x, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s += a[(u64)i * m + j] * x[j];
  q[i] = s;
}
KERNEL swapped(const u32 *R p, u32 *R q, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  q[x * n + y] = p[x * n + y] * 3 + threadIdx.x;
}
KERNEL columns(const u32 *R p, u32 *R q) {
  __shared__ u32 s[32][32];
  s[threadIdx.x][threadIdx.y] = p[threadIdx.y * 32 + threadIdx.x];
  BARRIER;
  q[threadIdx.y * 32 + threadIdx.x] = s[threadIdx.x][31 - threadIdx.y];
}
KERNEL keeps(const u32 *R g, u32 *R q, int n, int m) {
  __shared__ u32 s[256];
  u32 sum = 0;
  s[threadIdx.x] = threadIdx.x;
  for (int j = 0; j < n; j++) {
    if (m >> ((j + threadIdx.x) & 7) & 1) s[threadIdx.x] = g[(blockIdx.x * n + j) * 256 + threadIdx.x];
    BARRIER;
    for (int k = 0; k < 4; k++) sum += s[(threadIdx.x + k * 3) & 255];
    BARRIER;
  }
  q[ROW] = sum;
}
KERNEL tiles(const u32 *R g, u32 *R q, int n) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = 0; j < n; j++) {
    s[threadIdx.x] = g[(blockIdx.x * n + j) * 256 + threadIdx.x];
    BARRIER;
    for (int k = 0; k < 4; k++) sum += s[(threadIdx.x + k * 3) & 255];
    BARRIER;
  }
  q[ROW] = sum;
}
KERNEL longer(const u32 *R g, u32 *R q, int n) {
  __shared__ u32 s[256];
  u32 sum = 0;
  for (int j = 0; j < n; j++) {
    s[threadIdx.x] = g[(blockIdx.x * n + j) * 256 + threadIdx.x];
    BARRIER;
    for (int k = 0; k < 24; k++) sum = sum * 3 + s[(threadIdx.x + k * 3) & 255];
    BARRIER;
  }
  q[ROW] = sum;
}
KERNEL nested(const u32 *R g, u32 *R q, int n, int rows) {
  __shared__ u32 s[256];
  for (int r = 0; r < rows; r++) {
    u32 sum = 0;
    for (int j = 0; j < n; j++) {
      s[threadIdx.x] = g[((blockIdx.x * rows + r) * n + j) * 256 + threadIdx.x];
      BARRIER;
      for (int k = 0; k < 4; k++) sum += s[(threadIdx.x + k * 3) & 255];
      BARRIER;
    }
    q[(blockIdx.x * rows + r) * 256 + threadIdx.x] = sum;
  }
}
struct Star { u32 w[8]; };
KERNEL stars(const Star *R p, const u32 *R all, Star *R q, int m) {
  int i = ROW;
  Star s = p[i];
  for (int j = 0; j < m; j++)
    for (int k = 0; k < 8; k++) s.w[k] = s.w[k] * 31 + (all[j] ^ s.w[(k + 1) & 7]);
  q[i] = s;
}
KERNEL weights(const u32 *R w, const u32 *R x, u32 *R o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s += w[j * K + k] * x[(u64)k * n + i];
    o[(u64)i * d + j] = s;
  }
}
KERNEL march(const u32 *R in, u32 *R out, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int z = 1; z < m + 1; z++)
    out[i + z * p] = in[i + z * p] * 7 + in[i + 1 + z * p] + in[i + 2 + z * p] * 3 + in[i + (z - 1) * p] * 5 + in[i + (z + 1) * p];
}
KERNEL apart(const u32 *in, u32 *out, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int z = 1; z < m + 1; z++)
    out[i + z * p] = in[i + z * p] * 7 + in[i + 1 + z * p] + in[i + 2 + z * p] * 3 + in[i + (z - 1) * p] * 5 + in[i + (z + 1) * p];
}
KERNEL box(const u32 *in, u32 *out, int radius, int width, int height) {
  int y = ROW;
  if (y >= height) return;
  const u32 *a = in + y * width;
  u32 sum = 0;
  for (int x = 0; x < radius; x++) sum += a[x];
  for (int x = 0; x < width; x++) {
    if ((x + radius) * (x + 1) < width) sum += a[x + radius]; // of no counter that goes on by a number
    if ((x - radius - 1) * (x + 1) >= 0) sum -= a[x - radius - 1];
    out[y * width + x] = sum * 3;
  }
}
KERNEL planes(const u32 *R g, u32 *R out, int n) {
  __shared__ u32 s[64];
  u32 below = g[threadIdx.x], here = g[64 + threadIdx.x];
  for (int z = 1; z < n - 1; z++) {
    u32 above = g[(z + 1) * 64 + threadIdx.x];
    BARRIER;
    s[threadIdx.x] = here;
    BARRIER;
    out[z * 64 + threadIdx.x] = below + above + s[(threadIdx.x + 1) % 64] - 3 * here;
    below = here;
    here = above;
  }
}
