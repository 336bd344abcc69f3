// A fluid that flows past a cylinder: lattice Boltzmann of nine directions, the nine of a cell side by side.
//   lbm [steps] [width] [height]
#include "../common.h"

#include <utility>

enum { Q = 9 };
struct Cell { float f[Q]; };

__constant__ int ex[Q] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, ey[Q] = {0, 0, 1, 0, -1, 1, 1, -1, -1}, back[Q] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
__constant__ float weight[Q] = {4 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 9.f, 1 / 36.f, 1 / 36.f, 1 / 36.f, 1 / 36.f};
static const float inflow = 0.08f, omega = 1.7f;

static __device__ float equilibrium(int q, float rho, float ux, float uy) {
  float eu = ex[q] * ux + ey[q] * uy;
  return weight[q] * rho * (1 + 3 * eu + 4.5f * eu * eu - 1.5f * (ux * ux + uy * uy));
}

__global__ void begin(Cell *cell, unsigned char *solid, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int dx = x - w / 5, dy = y - h / 2, i = y * w + x;
  solid[i] = dx * dx + dy * dy < h * h / 81 || y == 0 || y == h - 1;
  for (int q = 0; q < Q; q++) cell[i].f[q] = equilibrium(q, 1, inflow, 0.001f * uniform(i));
}

__global__ void collide(Cell *cell, const unsigned char *solid, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || solid[i]) return;
  Cell c = cell[i];
  float rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < Q; q++) {
    rho += c.f[q];
    ux += ex[q] * c.f[q];
    uy += ey[q] * c.f[q];
  }
  ux /= rho;
  uy /= rho;
  for (int q = 0; q < Q; q++) c.f[q] += omega * (equilibrium(q, rho, ux, uy) - c.f[q]);
  cell[i] = c;
}

__global__ void stream(const Cell *from, Cell *to, const unsigned char *solid, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int i = y * w + x;
  if (solid[i]) return;
  for (int q = 0; q < Q; q++) {
    int sx = (x - ex[q] + w) % w, sy = min(max(y - ey[q], 0), h - 1), s = sy * w + sx;
    to[i].f[q] = solid[s] ? from[i].f[back[q]] : from[s].f[q];
  }
}

__global__ void open_ends(Cell *cell, int w, int h) {
  int y = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (y >= h - 1) return;
  for (int q = 0; q < Q; q++) {
    cell[y * w].f[q] = equilibrium(q, 1, inflow, 0);
    cell[y * w + w - 1].f[q] = cell[y * w + w - 2].f[q];
  }
}

__global__ void speeds(const Cell *cell, const unsigned char *solid, float *speed, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float rho = 0, ux = 0, uy = 0;
  for (int q = 0; q < Q; q++) {
    rho += cell[i].f[q];
    ux += ex[q] * cell[i].f[q];
    uy += ey[q] * cell[i].f[q];
  }
  speed[i] = solid[i] ? 0 : sqrtf(ux * ux + uy * uy) / rho;
}

int main(int argc, char **argv) {
  int steps = argument(argc, argv, 1, 5000), w = argument(argc, argv, 2, 3000), h = argument(argc, argv, 3, 1000), n = w * h;
  Cell *cell = device_array<Cell>(n), *next = device_array<Cell>(n);
  unsigned char *solid = device_array<unsigned char>(n);
  float *speed = device_array<float>(n);
  dim3 block(64, 4), grid((w + 63) / 64, (h + 3) / 4);
  begin<<<grid, block>>>(cell, solid, w, h);
  begin<<<grid, block>>>(next, solid, w, h);
  for (int s = 0; s < steps; s++) {
    collide<<<(n + 255) / 256, 256>>>(cell, solid, n);
    stream<<<grid, block>>>(cell, next, solid, w, h);
    open_ends<<<(h + 127) / 128, 128>>>(next, w, h);
    if (s % 20 == 0) speeds<<<(n + 255) / 256, 256>>>(next, solid, speed, n);
    std::swap(cell, next);
  }
  speeds<<<(n + 255) / 256, 256>>>(cell, solid, speed, n);
  CUDA(cudaGetLastError());
  std::vector<float> all = to_host(speed, n);
  bool right = true;
  for (float v : all) right = right && v >= 0 && v < 5 * inflow;
  return ended("lbm", checksum(all), right);
}
