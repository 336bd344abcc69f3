// Heat in a block of material: explicit steps of a seven-point stencil, walls that are held, how far it is from steady.
//   heat [steps] [points a side]
#include "../common.h"

#include <utility>

static const float conductivity = 0.12f;

static __device__ size_t at(int x, int y, int z, int n) { return ((size_t)z * n + y) * n + x; }

__global__ void begin(float *t, float *k, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  for (int z = 0; z < n; z++) {
    size_t i = at(x, y, z, n);
    t[i] = uniform((uint32_t)i);
    k[i] = conductivity * (0.5f + 0.5f * uniform((uint32_t)i * 3 + 1));
  }
}

// A thread marches through the planes, and keeps what is below and above.
__global__ void step(const float *t, const float *k, float *next, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  float below = t[at(x, y, 0, n)], here = t[at(x, y, 1, n)];
  for (int z = 1; z < n - 1; z++) {
    size_t i = at(x, y, z, n);
    float above = t[i + (size_t)n * n];
    float sum = t[i - 1] + t[i + 1] + t[i - n] + t[i + n] + below + above - 6 * here;
    next[i] = here + k[i] * sum;
    below = here;
    here = above;
  }
}

// The floor is hot, the lid cold; the other walls let nothing through.
__global__ void walls(float *t, int n) {
  int a = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y * blockDim.y + threadIdx.y;
  if (a >= n || b >= n) return;
  t[at(a, b, 0, n)] = 1;
  t[at(a, b, n - 1, n)] = 0;
  if (a < 1 || b < 1 || a >= n - 1 || b >= n - 1) return;   // nothing looks at the edges
  t[at(a, 0, b, n)] = t[at(a, 1, b, n)];
  t[at(a, n - 1, b, n)] = t[at(a, n - 2, b, n)];
  t[at(0, a, b, n)] = t[at(1, a, b, n)];
  t[at(n - 1, a, b, n)] = t[at(n - 2, a, b, n)];
}

// The largest change of every row of points.
__global__ void change(const float *t, const float *next, float *row, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= n * n) return;
  float most = 0;
  for (int x = 0; x < n; x++) most = fmaxf(most, fabsf(next[(size_t)r * n + x] - t[(size_t)r * n + x]));
  row[r] = most;
}

int main(int argc, char **argv) {
  int steps = argument(argc, argv, 1, 2000), n = argument(argc, argv, 2, 258);
  size_t points = (size_t)n * n * n;
  float *t = device_array<float>(points), *next = device_array<float>(points), *k = device_array<float>(points);
  float *row = device_array<float>(n * n);
  dim3 block(32, 8), grid((n + 31) / 32, (n + 7) / 8);
  begin<<<grid, block>>>(t, k, n);
  walls<<<grid, block>>>(t, n);
  CUDA(cudaMemcpy(next, t, points * sizeof *t, cudaMemcpyDeviceToDevice));
  float least = 1e30f, last = 0;
  for (int s = 1; s <= steps; s++) {
    step<<<grid, block>>>(t, k, next, n);
    walls<<<grid, block>>>(next, n);
    if (s % 100 == 0) {
      change<<<(n * n + 127) / 128, 128>>>(t, next, row, n);
      last = 0;
      for (float most : to_host(row, n * n)) last = most > last ? most : last;
      least = last < least ? last : least;
    }
    std::swap(t, next);
  }
  CUDA(cudaGetLastError());
  std::vector<float> all = to_host(t, points);
  bool right = last <= 1.001f * least + 1e-6f;
  for (float v : all) right = right && v >= -1e-4f && v <= 1.0001f;
  return ended("heat", checksum(all), right);
}
