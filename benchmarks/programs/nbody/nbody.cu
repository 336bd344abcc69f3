// Bodies that attract each other: all forces by tiles in shared memory, leapfrog, energy and centre of mass.
//   nbody [steps] [bodies]
#include "../common.h"

#include <cmath>

struct Body {
  float x, y, z;
  float vx, vy, vz;
  float mass;
};

enum { BLOCK = 256 };
static const float softening = 0.05f, dt = 0.001f;

__global__ void forces(const Body *body, float3 *force, int n) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Body me = body[min(i, n - 1)];
  float3 f = {0, 0, 0};
  for (int first = 0; first < n; first += BLOCK) {
    int j = first + threadIdx.x;
    tile[threadIdx.x] = j < n ? make_float4(body[j].x, body[j].y, body[j].z, body[j].mass) : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < BLOCK; k++) {
      float4 other = tile[k];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float r = rsqrtf(dx * dx + dy * dy + dz * dz + softening);
      float a = other.w * r * r * r;
      f.x += a * dx;
      f.y += a * dy;
      f.z += a * dz;
    }
    __syncthreads();
  }
  if (i < n) force[i] = f;
}

__global__ void kick(Body *body, const float3 *force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  body[i].vx += force[i].x * dt;
  body[i].vy += force[i].y * dt;
  body[i].vz += force[i].z * dt;
}

__global__ void drift(Body *body, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  body[i].x += body[i].vx * dt;
  body[i].y += body[i].vy * dt;
  body[i].z += body[i].vz * dt;
}

__global__ void momentum(const Body *body, float *part, int n) {
  __shared__ float sum[BLOCK];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  sum[threadIdx.x] = i < n ? body[i].mass * (fabsf(body[i].vx) + fabsf(body[i].vy) + fabsf(body[i].vz)) : 0;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) sum[threadIdx.x] += sum[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) part[blockIdx.x] = sum[0];
}

int main(int argc, char **argv) {
  int steps = argument(argc, argv, 1, 400), n = argument(argc, argv, 2, 40000);
  std::vector<Body> host(n);
  for (int i = 0; i < n; i++)
    host[i] = {uniform(7 * i) - 0.5f, uniform(7 * i + 1) - 0.5f, uniform(7 * i + 2) - 0.5f, 0, 0, 0, (0.5f + uniform(7 * i + 3)) / n};
  Body *body = device_array<Body>(n);
  float3 *force = device_array<float3>(n);
  int blocks = (n + BLOCK - 1) / BLOCK;
  float *part = device_array<float>(blocks);
  CUDA(cudaMemcpy(body, host.data(), n * sizeof(Body), cudaMemcpyHostToDevice));
  double most = 0;
  for (int s = 0; s < steps; s++) {
    forces<<<blocks, BLOCK>>>(body, force, n);
    kick<<<blocks, BLOCK>>>(body, force, n);
    drift<<<blocks, BLOCK>>>(body, n);
    if (s % 20 == 0) {
      momentum<<<blocks, BLOCK>>>(body, part, n);
      double sum = 0;
      for (float p : to_host(part, blocks)) sum += p;
      most = sum > most ? sum : most;
    }
  }
  CUDA(cudaGetLastError());
  std::vector<Body> end = to_host(body, n);
  double px = 0;
  for (const Body &b : end) px += b.mass * b.vx;   // what they pull at each other cancels out
  return ended("nbody", checksum(end), most > 0 && std::fabs(px) < 1e-3 * most);
}
