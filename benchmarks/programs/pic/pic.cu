// Particles in cells: charge is deposited on a grid, the field follows from it, and pushes the particles.
//   pic [steps] [particles in thousands]
#include "../common.h"

#include <utility>

struct Particle {
  float x, y, z;
  float vx, vy, vz;
  float charge;
  int cell;
};
struct Field { float x, y, z; };

enum { SIDE = 64, CELLS = SIDE * SIDE * SIDE, BLOCK = 256 };

static __device__ int cell_of(int x, int y, int z) { return ((z & (SIDE - 1)) * SIDE + (y & (SIDE - 1))) * SIDE + (x & (SIDE - 1)); }

__global__ void begin(Particle *p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  p[i].x = SIDE * uniform(6 * i);
  p[i].y = SIDE * uniform(6 * i + 1);
  p[i].z = SIDE * ((float)i / n);
  p[i].vx = 0.1f * (uniform(6 * i + 2) - 0.5f);
  p[i].vy = 0.1f * (uniform(6 * i + 3) - 0.5f);
  p[i].vz = 0.1f * (uniform(6 * i + 4) - 0.5f);
  p[i].charge = i % 2 ? 1 : -1;
  p[i].cell = cell_of((int)p[i].x, (int)p[i].y, (int)p[i].z);
}

// In whole units, so that the order in which they are added does not matter.
__global__ void deposit(const Particle *p, int *rho, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = (int)p[i].x, y = (int)p[i].y, z = (int)p[i].z;
  float fx = p[i].x - x, fy = p[i].y - y, fz = p[i].z - z;
  for (int c = 0; c < 8; c++) {
    float share = (c & 1 ? fx : 1 - fx) * (c & 2 ? fy : 1 - fy) * (c & 4 ? fz : 1 - fz);
    atomicAdd(&rho[cell_of(x + (c & 1), y + (c >> 1 & 1), z + (c >> 2))], (int)rintf(share * p[i].charge * 1024));
  }
}

__global__ void relax(const float *phi, float *next, const int *rho) {
  int x = threadIdx.x, y = blockIdx.x % SIDE, z = blockIdx.x / SIDE;
  float sum = phi[cell_of(x - 1, y, z)] + phi[cell_of(x + 1, y, z)] + phi[cell_of(x, y - 1, z)] + phi[cell_of(x, y + 1, z)] +
              phi[cell_of(x, y, z - 1)] + phi[cell_of(x, y, z + 1)];
  next[cell_of(x, y, z)] = (sum + rho[cell_of(x, y, z)] / 65536.f) / 6;
}

__global__ void gradient(const float *phi, Field *e) {
  int x = threadIdx.x, y = blockIdx.x % SIDE, z = blockIdx.x / SIDE;
  Field *to = &e[cell_of(x, y, z)];
  to->x = 0.5f * (phi[cell_of(x - 1, y, z)] - phi[cell_of(x + 1, y, z)]);
  to->y = 0.5f * (phi[cell_of(x, y - 1, z)] - phi[cell_of(x, y + 1, z)]);
  to->z = 0.5f * (phi[cell_of(x, y, z - 1)] - phi[cell_of(x, y, z + 1)]);
}

static __device__ float wrapped(float v) { return v < 0 ? v + SIDE : v >= SIDE ? v - SIDE : v; }

__global__ void push(Particle *p, const Field *e, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Particle me = p[i];
  Field f = e[me.cell];
  me.vx += 0.02f * me.charge * f.x;
  me.vy += 0.02f * me.charge * f.y;
  me.vz += 0.02f * me.charge * f.z;
  me.x = wrapped(me.x + me.vx);
  me.y = wrapped(me.y + me.vy);
  me.z = wrapped(me.z + me.vz);
  me.cell = cell_of((int)me.x, (int)me.y, (int)me.z);
  p[i] = me;
}

__global__ void energy(const Particle *p, double *part, int n) {
  __shared__ double s[BLOCK];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += p[i].vx * p[i].vx + p[i].vy * p[i].vy + p[i].vz * p[i].vz;
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) part[blockIdx.x] = s[0];
}

int main(int argc, char **argv) {
  enum { PARTS = 256, SWEEPS = 8 };
  int steps = argument(argc, argv, 1, 1000), n = argument(argc, argv, 2, 4000) * 1000, blocks = (n + BLOCK - 1) / BLOCK;
  Particle *p = device_array<Particle>(n);
  int *rho = device_array<int>(CELLS);
  float *phi = device_array<float>(CELLS), *next = device_array<float>(CELLS);
  Field *e = device_array<Field>(CELLS);
  double *part = device_array<double>(PARTS), moving = 0;
  begin<<<blocks, BLOCK>>>(p, n);
  for (int s = 0; s < steps; s++) {
    CUDA(cudaMemsetAsync(rho, 0, CELLS * sizeof *rho));
    deposit<<<blocks, BLOCK>>>(p, rho, n);
    for (int k = 0; k < SWEEPS; k++) {
      relax<<<SIDE * SIDE, SIDE>>>(phi, next, rho);
      std::swap(phi, next);
    }
    gradient<<<SIDE * SIDE, SIDE>>>(phi, e);
    push<<<blocks, BLOCK>>>(p, e, n);
    if (s % 10) continue;
    energy<<<PARTS, BLOCK>>>(p, part, n);
    moving = 0;
    for (double d : to_host(part, PARTS)) moving += d;
  }
  CUDA(cudaGetLastError());
  std::vector<Particle> all = to_host(p, n);
  bool right = moving > 0;
  for (const Particle &a : all) right = right && a.x >= 0 && a.x <= SIDE && a.cell >= 0 && a.cell < CELLS;
  return ended("pic", checksum(all), right);
}
