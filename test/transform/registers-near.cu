// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin
// RUN: %FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: %ptxas -v -arch=sm_90 %t.ptx -o %t.cubin > %t.log 2>&1 && %FileCheck %s < %t.log
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_80 -O3 -std=c++17 -S %s -o %t.80.ptx -fpass-plugin=%plugin
// RUN: %ptxas -v -arch=sm_80 %t.80.ptx -o %t.cubin > %t.log 2>&1 && %FileCheck %s < %t.log
// Kernels of 32 to 64 registers, of which their records would make 70 and 72: blocks of 1024 threads are launched as before.
// CHECK-COUNT-5: Used {{([1-5]?[0-9]|6[0-4])}} registers
// CHECK-NOT: Used
// PTX-COUNT-5: .maxntid 1024
#include "products.cuh"

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

// Elements of less than a word: 70 registers for 52 with sm_90, ...
template <class T, int N> __global__ void sort_rows(T *rows, size_t n) {
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (i >= n) return;
  T v[N], *p = rows + i * N;
  for (int j = 0; j < N; j++) v[j] = p[j];
#pragma unroll
  for (int k = 2; k <= N; k <<= 1)
#pragma unroll
    for (int d = k >> 1; d > 0; d >>= 1)
#pragma unroll
      for (int j = 0; j < N; j++)
        if ((j ^ d) > j) {
          T a = v[j], b = v[j ^ d];
          bool swap = j & k ? a < b : b < a;
          v[j] = swap ? b : a, v[j ^ d] = swap ? a : b;
        }
  for (int j = 0; j < N; j++) p[j] = v[j];
}
template __global__ void sort_rows<unsigned short, 32>(unsigned short *, size_t);

// ... 72 for 32 with sm_80.
struct Rgb { unsigned char of[16][3]; };
struct Yuv { unsigned char y[16], u[4], v[4]; };
__global__ void colours(const Rgb *__restrict__ in, Yuv *__restrict__ out, int nx, int ny) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < nx && y < ny) {
    float r[16], g[16], b[16];
    for (int k = 0; k < 16; k++) r[k] = in[y * nx + x].of[k][0], g[k] = in[y * nx + x].of[k][1], b[k] = in[y * nx + x].of[k][2];
    Yuv o;
    for (int k = 0; k < 16; k++) o.y[k] = (unsigned char)(16.f + 0.257f * r[k] + 0.504f * g[k] + 0.098f * b[k] + 0.5f);
#pragma unroll
    for (int q = 0; q < 4; q++) {
      int p = (q >> 1) * 8 + (q & 1) * 2;
      float red = 0.25f * (r[p] + r[p + 1] + r[p + 4] + r[p + 5]);
      float green = 0.25f * (g[p] + g[p + 1] + g[p + 4] + g[p + 5]);
      float blue = 0.25f * (b[p] + b[p + 1] + b[p + 4] + b[p + 5]);
      o.u[q] = (unsigned char)(128.f - 0.148f * red - 0.291f * green + 0.439f * blue + 0.5f);
      o.v[q] = (unsigned char)(128.f + 0.439f * red - 0.368f * green - 0.071f * blue + 0.5f);
    }
    out[y * nx + x] = o;
  }
}
