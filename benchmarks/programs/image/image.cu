// Pictures of three bytes a pixel: levels, a blur in two directions, edges in grey, half the size, a histogram.
//   image [frames] [width] [height]
#include "../common.h"

enum { RADIUS = 3, LEVELS = 256 };
__constant__ float weight[2 * RADIUS + 1] = {0.03f, 0.11f, 0.22f, 0.28f, 0.22f, 0.11f, 0.03f};

__global__ void frame(uchar3 *p, int w, int h, uint32_t seed) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  uint32_t noise = scramble((y / 8) * w + x / 8 + seed);
  p[y * w + x] = make_uchar3(noise & 255, (noise >> 8 & 127) + x % 128, (noise >> 16 & 127) + y % 128);
}

__global__ void levels(const uchar3 *in, uchar3 *out, const unsigned char *table, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  uchar3 p = in[i];
  out[i] = make_uchar3(table[p.x], table[p.y], table[p.z]);
}

static __device__ unsigned char rounded(float v) { return (unsigned char)fminf(255, fmaxf(0, v + 0.5f)); }

__global__ void blur_rows(const uchar3 *in, uchar3 *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float r = 0, g = 0, b = 0;
  for (int d = -RADIUS; d <= RADIUS; d++) {
    uchar3 p = in[y * w + min(max(x + d, 0), w - 1)];
    r += weight[d + RADIUS] * p.x;
    g += weight[d + RADIUS] * p.y;
    b += weight[d + RADIUS] * p.z;
  }
  out[y * w + x] = make_uchar3(rounded(r), rounded(g), rounded(b));
}

__global__ void blur_columns(const uchar3 *in, uchar3 *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float r = 0, g = 0, b = 0;
  for (int d = -RADIUS; d <= RADIUS; d++) {
    uchar3 p = in[min(max(y + d, 0), h - 1) * w + x];
    r += weight[d + RADIUS] * p.x;
    g += weight[d + RADIUS] * p.y;
    b += weight[d + RADIUS] * p.z;
  }
  out[y * w + x] = make_uchar3(rounded(r), rounded(g), rounded(b));
}

__global__ void grey(const uchar3 *in, unsigned char *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = rounded(0.299f * in[i].x + 0.587f * in[i].y + 0.114f * in[i].z);
}

__global__ void edges(const unsigned char *in, unsigned char *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  const unsigned char *p = in + y * w + x;
  int gx = p[1 - w] + 2 * p[1] + p[1 + w] - p[-1 - w] - 2 * p[-1] - p[-1 + w];
  int gy = p[w - 1] + 2 * p[w] + p[w + 1] - p[-w - 1] - 2 * p[-w] - p[-w + 1];
  out[y * w + x] = min(255, (abs(gx) + abs(gy)) / 4);
}

__global__ void half_size(const uchar3 *in, uchar3 *out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w / 2 || y >= h / 2) return;
  uchar3 a = in[2 * y * w + 2 * x], b = in[2 * y * w + 2 * x + 1], c = in[(2 * y + 1) * w + 2 * x], d = in[(2 * y + 1) * w + 2 * x + 1];
  out[y * (w / 2) + x] = make_uchar3((a.x + b.x + c.x + d.x + 2) / 4, (a.y + b.y + c.y + d.y + 2) / 4, (a.z + b.z + c.z + d.z + 2) / 4);
}

__global__ void histogram(const unsigned char *in, unsigned *bins, int n) {
  __shared__ unsigned mine[LEVELS];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) atomicAdd(&mine[in[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

int main(int argc, char **argv) {
  int frames = argument(argc, argv, 1, 2000), w = argument(argc, argv, 2, 3840), h = argument(argc, argv, 3, 2160), n = w * h;
  uchar3 *a = device_array<uchar3>(n), *b = device_array<uchar3>(n), *small = device_array<uchar3>(n / 4);
  unsigned char *g = device_array<unsigned char>(n), *e = device_array<unsigned char>(n), *table = device_array<unsigned char>(LEVELS);
  unsigned *bins = device_array<unsigned>(LEVELS);
  unsigned char host[LEVELS];
  for (int i = 0; i < LEVELS; i++) host[i] = (unsigned char)(255 * (1 - (1 - i / 255.0) * (1 - i / 255.0)));
  CUDA(cudaMemcpy(table, host, LEVELS, cudaMemcpyHostToDevice));
  dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8), half((w / 2 + 31) / 32, (h / 2 + 7) / 8);
  for (int f = 0; f < frames; f++) {
    if (f % 10 == 0) frame<<<grid, block>>>(a, w, h, f);
    levels<<<(n + 255) / 256, 256>>>(a, b, table, n);
    blur_rows<<<grid, block>>>(b, a, w, h);
    blur_columns<<<grid, block>>>(a, b, w, h);
    grey<<<(n + 255) / 256, 256>>>(b, g, n);
    edges<<<grid, block>>>(g, e, w, h);
    half_size<<<half, block>>>(b, small, w, h);
    histogram<<<264, LEVELS>>>(e, bins, n);
  }
  CUDA(cudaGetLastError());
  std::vector<unsigned> counts = to_host(bins, LEVELS);
  uint64_t all = 0;
  for (unsigned count : counts) all += count;
  std::vector<uchar3> end = to_host(small, n / 4);
  return ended("image", checksum(end) ^ checksum(counts), (uint32_t)all == (uint32_t)((uint64_t)frames * n));
}
