// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin
// RUN: %FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %ptxas -v -arch=sm_90 %t.ptx -o %t.cubin > %t.log 2>&1 && %FileCheck %s < %t.log
// Kernels of 40 and of 64 registers, of which their records would make 72: blocks of 1024 threads are launched as before.
// CHECK-COUNT-3: Used {{([1-5]?[0-9]|6[0-4])}} registers
// CHECK-NOT: Used
// PTX-COUNT-3: .maxntid 1024
template <int N, class T, class I> __global__ void products(const T *__restrict__ a, const T *__restrict__ b, T *__restrict__ c, I n) {
  I i = blockIdx.x * (I)blockDim.x + threadIdx.x;
  if (i >= n) return;
  T s[N][N] = {};
  for (int k = 0; k < N; k++)
    for (int r = 0; r < N; r++)
      for (int j = 0; j < N; j++) s[r][j] += a[i * N * N + r * N + k] * b[i * N * N + k * N + j];
  for (int r = 0; r < N; r++)
    for (int j = 0; j < N; j++) c[i * N * N + r * N + j] = s[r][j];
}
template __global__ void products<6, float, unsigned>(const float *, const float *, float *, unsigned);
template __global__ void products<6, float, int>(const float *, const float *, float *, int);

struct Vertex { float3 place, normal; float4 tangent; unsigned char bone[4]; float weight[4]; };
struct Bone { float4 x, y, z; };
__device__ float3 turned(const float *m, float3 v) {
  return make_float3(m[0] * v.x + m[1] * v.y + m[2] * v.z, m[4] * v.x + m[5] * v.y + m[6] * v.z, m[8] * v.x + m[9] * v.y + m[10] * v.z);
}
__device__ float3 unit(float3 v) {
  float s = rsqrtf(v.x * v.x + v.y * v.y + v.z * v.z);
  return make_float3(v.x * s, v.y * s, v.z * s);
}
__global__ void skin(Vertex *vertices, const Bone *__restrict__ bones, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    Vertex v = vertices[i];
    float m[12] = {};
#pragma unroll
    for (int k = 0; k < 4; k++) {
      const Bone b = bones[v.bone[k]];
      const float *row = (const float *)&b;
      for (int c = 0; c < 12; c++) m[c] += v.weight[k] * row[c];
    }
    float3 p = turned(m, v.place), t = unit(turned(m, make_float3(v.tangent.x, v.tangent.y, v.tangent.z)));
    v.place = make_float3(p.x + m[3], p.y + m[7], p.z + m[11]);
    v.normal = unit(turned(m, v.normal));
    v.tangent = make_float4(t.x, t.y, t.z, v.tangent.w);
    vertices[i] = v;
  }
}
