// Particles that fall into a box and bounce off its walls; an array of structs, as one writes it first.
// SIM: step --grid 8 --block 64 -- frand:14336 f32:0.01 i32:500
#include "../example.h"

struct Particle {
  float x, y, z;
  float vx, vy, vz;
  float mass;
};

__host__ __device__ inline void bounce(float &x, float &v) {
  if (x < 0) {
    x = -x;
    v = -v;
  } else if (x > 1) {
    x = 2 - x;
    v = -v;
  }
}

__host__ __device__ inline void move(Particle &p, float dt) {
  p.vy -= 9.81f * dt;
  p.x += p.vx * dt;
  p.y += p.vy * dt;
  p.z += p.vz * dt;
  bounce(p.x, p.vx);
  bounce(p.y, p.vy);
  bounce(p.z, p.vz);
}

__global__ void step(Particle *particles, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  Particle p = particles[i];
  move(p, dt);
  particles[i] = p;
}

int main() {
  const int n = 1 << 22;
  const float dt = 1e-3f;
  std::vector<Particle> particles(n);
  for (int i = 0; i < n; i++) {
    float *number = &particles[i].x;
    for (int k = 0; k < 7; k++)
      number[k] = uniform(7 * i + k);
  }
  Particle *device = on_device(particles);
  step<<<(n + 255) / 256, 256>>>(device, dt, n);
  std::vector<Particle> moved = on_host(device, n);
  bool right = true;
  for (int i = 0; i < n; i++) {
    move(particles[i], dt);
    for (int k = 0; k < 7; k++)
      right &= is_near((&moved[i].x)[k], (&particles[i].x)[k], 1e-5);
  }
  return ended("particles", right, microseconds([&] { step<<<(n + 255) / 256, 256>>>(device, dt, n); }));
}
