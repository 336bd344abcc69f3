// RUN: %clang-device -O3 -fpass-plugin=%plugin -o %t.ll %s && %FileCheck %s < %t.ll
// What an exchange would save is hidden by what else the kernel does, or by the first-level cache.
#define KERNEL extern "C" __global__ void
#define ROW (blockIdx.x * blockDim.x + threadIdx.x)

struct Five { float v[5]; };
struct Eight { float v[8]; };
struct Particle { float x, y, z, density, u, v, w, fx, fy, fz, more[5]; };

__device__ inline float hard(float x, float y) {
  for (int k = 0; k < 12; k++) x = x * y + y / (x + 3);
  return x;
}

// Stores of a few words, behind loads and much arithmetic.
// CHECK-LABEL: @computed(
// CHECK-NOT: shfl
// CHECK-LABEL: @easy(
KERNEL computed(const float *__restrict__ a, Five *__restrict__ q, int n) {
  long i = ROW;
  if (i >= n) return;
  float x = a[i], s = hard(x, a[i + 1]);
  q[i] = {s, s + x, s - x, s * x, x};
}
// Little is computed.
// CHECK: shfl
// CHECK-LABEL: @alone(
KERNEL easy(const float *__restrict__ a, Five *__restrict__ q, int n) {
  long i = ROW;
  if (i >= n) return;
  float x = a[i], s = x + a[i + 1];
  q[i] = {s, s + x, s - x, s * x, x};
}
// Nothing is loaded: all warps store at once.
// CHECK: shfl
// CHECK-LABEL: @longer(
KERNEL alone(Five *__restrict__ q, int n) {
  long i = ROW;
  if (i >= n) return;
  float x = i & 63, s = hard(x, 2);
  q[i] = {s, s + x, s - x, s * x, x};
}
// The cache does not merge the words of longer records.
// CHECK: shfl
// CHECK-LABEL: @beside(
KERNEL longer(const float *__restrict__ a, Eight *__restrict__ q, int n) {
  long i = ROW;
  if (i >= n) return;
  float x = a[i], s = hard(x, a[i + 1]);
  q[i] = {s, s + x, s - x, s * x, x, 1, s, x};
}
// Other records of the kernel are exchanged in any case.
// CHECK-COUNT-80: shfl
// CHECK-LABEL: @moved(
KERNEL beside(const Particle *__restrict__ a, Five *__restrict__ q, int n) {
  long i = ROW;
  if (i >= n) return;
  Particle p = a[i];
  float x = p.x + p.y + p.z + p.density + p.u + p.v + p.w + p.fx + p.fy + p.fz, s = hard(x, p.more[0] + p.more[1] + p.more[2] + p.more[3] + p.more[4]);
  q[i] = {s, s + x, s - x, s * x, x};
}
// It moves so much that the arithmetic is little beside it.
// CHECK: shfl
// CHECK-LABEL: @seldom(
KERNEL moved(const float *__restrict__ a, Five *__restrict__ q, int n) {
  long i = ROW;
  if (i >= n) return;
  float x = 0;
  for (int k = 0; k < 96; k++) x += a[i + (long)k * n];
  float s = hard(x, a[i + 1]);
  q[i] = {s, s + x, s - x, s * x, x};
}

// In half of the cases at most.
// CHECK: shfl
// CHECK-LABEL: @pairs(
KERNEL seldom(const float *__restrict__ a, Five *__restrict__ q, int n) {
  long i = ROW;
  if (i >= n) return;
  float x = a[i], s = x;
  if (x > 100) s = hard(x, a[i + 1]);
  q[i] = {s, s + x, s - x, s * x, x};
}

// Each thread's own record, which it loads again for each of the others, as it stores to it: the first-level cache has it.
// CHECK-NOT: shfl
// CHECK-LABEL: @once(
KERNEL pairs(Particle *p, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < n; j++) {
    float x = p[i].x - p[j].x, y = p[i].y - p[j].y, z = p[i].z - p[j].z, u = p[i].u - p[j].u, v = p[i].v - p[j].v, w = p[i].w - p[j].w, r = x * x + y * y + z * z;
    if (r > 1) continue;
    p[i].fx += x / r + u;
    p[i].fy += y / r + v;
    p[i].fz += z / r + w;
  }
}
// Loaded once.
// CHECK: shfl
// CHECK-LABEL: @field(
KERNEL once(const Particle *__restrict__ p, Particle *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  Particle m = p[i];
  m.fx += m.x + m.u, m.fy += m.y + m.v, m.fz += m.z + m.w;
  q[i] = m;
}

// Neighbours in a field, at places that are computed from floats: lanes that are neighbours come to neighbours.
// CHECK-NOT: shfl
// CHECK-LABEL: @field_of_eight(
KERNEL field(const Five *__restrict__ p, const float *__restrict__ u, float *__restrict__ q, int w) {
  int x = threadIdx.x + blockIdx.x * 32, y = blockIdx.y, i = y * w + x, at = (int)(y - u[i]) * w + (int)(x - u[i]);
  float s = 0;
  for (int k = 0; k < 5; k++) s += p[at].v[k] * k + p[at + 1].v[k];
  q[i] = s;
}
// Wide pieces gain all the same.
// CHECK: shfl
// CHECK-LABEL: @listed(
KERNEL field_of_eight(const Eight *__restrict__ p, const float *__restrict__ u, float *__restrict__ q, int w) {
  int x = threadIdx.x + blockIdx.x * 32, y = blockIdx.y, i = y * w + x, at = (int)(y - u[i]) * w + (int)(x - u[i]);
  float s = 0;
  for (int k = 0; k < 8; k++) s += p[at].v[k] * k + p[at + 1].v[k];
  q[i] = s;
}
// A list may lead anywhere.
// CHECK: shfl
// CHECK: ret void
KERNEL listed(const Five *__restrict__ p, const int *__restrict__ list, float *__restrict__ q) {
  int i = ROW, at = list[i];
  float s = 0;
  for (int k = 0; k < 5; k++) s += p[at].v[k] * k + p[at + 1].v[k];
  q[i] = s;
}
