// Twenty tile loops as they stand in programs of every kind: products in seven ways, attention, stencils, sums, neighbours, tables.
// None was written for a rule of the plugin. Built, run and read as forms.cu is.
#include <cuda_fp16.h>
#include "forms.h"
// 1: textbook template product
template <int BS> __global__ void product_t(float *C, const float *A, const float *B, int wA, int wB) {
  int bx = blockIdx.x, by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y;
  int aBegin = wA * BS * by, aEnd = aBegin + wA - 1, aStep = BS, bBegin = BS * bx, bStep = BS * wB;
  float Csub = 0;
  for (int a = aBegin, b = bBegin; a <= aEnd; a += aStep, b += bStep) {
    __shared__ float As[BS][BS];
    __shared__ float Bs[BS][BS];
    As[ty][tx] = A[a + wA * ty + tx];
    Bs[ty][tx] = B[b + wB * ty + tx];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BS; ++k) Csub += As[ty][k] * Bs[k][tx];
    __syncthreads();
  }
  C[wB * BS * by + BS * bx + wB * ty + tx] = Csub;
}
template __global__ void product_t<32>(float *, const float *, const float *, int, int);
template __global__ void product_t<16>(float *, const float *, const float *, int, int);
// 2: copy loops of constant step
__global__ void __launch_bounds__(256) product_c(const float *A, const float *B, float *C, int n) {
  __shared__ float As[16][64], Bs[16][64];
  int t = threadIdx.x, tx = t % 16, ty = t / 16;
  float acc[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    for (int q = t; q < 1024; q += 256) {
      As[q % 16][q / 16] = A[(blockIdx.y * 64 + q / 16) * n + k + q % 16];
      Bs[q / 64][q % 64] = B[(k + q / 64) * n + blockIdx.x * 64 + q % 64];
    }
    __syncthreads();
    for (int kk = 0; kk < 16; kk++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += As[kk][ty * 4 + i] * Bs[kk][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) C[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = acc[i][j];
}
// 3: without launch bounds
__global__ void product_c2(const float *A, const float *B, float *C, int n) {
  __shared__ float As[64][17], Bs[16][64];
  int t = threadIdx.y * 16 + threadIdx.x, tx = threadIdx.x, ty = threadIdx.y;
  float acc[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    for (int i = t; i < 64 * 16; i += 256) As[i / 16][i % 16] = A[(blockIdx.y * 64 + i / 16) * n + k + i % 16];
    for (int i = t; i < 64 * 16; i += 256) Bs[i / 64][i % 64] = B[(k + i / 64) * n + blockIdx.x * 64 + i % 64];
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < 16; kk++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += As[ty * 4 + i][kk] * Bs[kk][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) C[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = acc[i][j];
}
// 4: rows by warps: r += 4 / r += 8
__global__ void rows_const(const float *in, float *out, int n) {
  __shared__ float s[64][64];
  int t = threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; k++) {
    for (int r = t / 64; r < 64; r += 4) s[r][t % 64] = in[((size_t)blockIdx.x * n + k) * 4096 + r * 64 + t % 64];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += s[(t + j) % 64][(t * 5 + j) % 64];
    __syncthreads();
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}
// 5: float4 casts
__global__ void product_v(const float *A, const float *B, float *C, int n) {
  __shared__ float As[64][16], Bs[16][64];
  int t = threadIdx.x, tx = t % 16, ty = t / 16;
  float acc[4][4] = {};
  for (int k = 0; k < n; k += 16) {
    *(float4 *)&As[t / 4][t % 4 * 4] = *(const float4 *)&A[(blockIdx.y * 64 + t / 4) * n + k + t % 4 * 4];
    *(float4 *)&Bs[t / 16][t % 16 * 4] = *(const float4 *)&B[(k + t / 16) * n + blockIdx.x * 64 + t % 16 * 4];
    __syncthreads();
    for (int kk = 0; kk < 16; kk++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) acc[i][j] += As[ty * 4 + i][kk] * Bs[kk][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) C[(blockIdx.y * 64 + ty * 4 + i) * n + blockIdx.x * 64 + tx * 4 + j] = acc[i][j];
}
// 6: guarded, naive any size
__global__ void product_g(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[32][32], Bs[32][32];
  int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  float acc = 0;
  for (int m = 0; m < (K + 31) / 32; m++) {
    if (row < M && m * 32 + threadIdx.x < K) As[threadIdx.y][threadIdx.x] = A[row * K + m * 32 + threadIdx.x];
    else As[threadIdx.y][threadIdx.x] = 0;
    if (col < N && m * 32 + threadIdx.y < K) Bs[threadIdx.y][threadIdx.x] = B[(m * 32 + threadIdx.y) * N + col];
    else Bs[threadIdx.y][threadIdx.x] = 0;
    __syncthreads();
    for (int k = 0; k < 32; k++) acc += As[threadIdx.y][k] * Bs[k][threadIdx.x];
    __syncthreads();
  }
  if (row < M && col < N) C[row * N + col] = acc;
}
// 7: n-body
__global__ void nbody(const float4 *p, float3 *a, int n) {
  __shared__ float4 s[256];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = p[i];
  float3 acc = {0, 0, 0};
  for (int tile = 0; tile < gridDim.x; tile++) {
    s[threadIdx.x] = p[tile * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < blockDim.x; j++) {
      float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z, d = dx * dx + dy * dy + dz * dz + 1e-6f;
      float inv = rsqrtf(d), w = s[j].w * inv * inv * inv;
      acc.x += dx * w, acc.y += dy * w, acc.z += dz * w;
    }
    __syncthreads();
  }
  a[i] = acc;
}
// 8: matrix-vector with x in a tile
__global__ void gemv(const float *A, const float *x, float *y, int n) {
  __shared__ float xs[256];
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < n; k += 256) {
    xs[threadIdx.x] = x[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < 256; j++) s += A[(size_t)(k + j) * n + r] * xs[j];
    __syncthreads();
  }
  y[r] = s;
}
// 9: attention: K then V
__global__ void attention(const float *Q, const float *K, const float *V, float *O, int n) {
  __shared__ float Ks[32][64], Vs[32][64];
  int t = threadIdx.x;
  float q[64], o[64] = {}, m = -1e30f, l = 0;
  int row = blockIdx.x * 128 + t;
  for (int d = 0; d < 64; d++) q[d] = Q[row * 64 + d];
  for (int j = 0; j < n; j += 32) {
    for (int e = t; e < 32 * 64; e += 128) {
      Ks[e / 64][e % 64] = K[j * 64 + e];
      Vs[e / 64][e % 64] = V[j * 64 + e];
    }
    __syncthreads();
    for (int i = 0; i < 32; i++) {
      float s = 0;
#pragma unroll
      for (int d = 0; d < 64; d++) s += q[d] * Ks[i][d];
      float mn = fmaxf(m, s), c = __expf(m - mn), p = __expf(s - mn);
      l = l * c + p, m = mn;
#pragma unroll
      for (int d = 0; d < 64; d++) o[d] = o[d] * c + p * Vs[i][d];
    }
    __syncthreads();
  }
  for (int d = 0; d < 64; d++) O[row * 64 + d] = o[d] / l;
}
// 10: reduction over tiles with tree
__global__ void tree(const float *in, float *out, int n) {
  __shared__ float s[256];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    s[threadIdx.x] = in[((size_t)blockIdx.x * n + i) * 256 + threadIdx.x];
    __syncthreads();
    for (int st = 128; st > 0; st >>= 1) {
      if (threadIdx.x < st) s[threadIdx.x] += s[threadIdx.x + st];
      __syncthreads();
    }
    sum += s[0];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}
// 11: halves converted
__global__ void halves(const __half *in, const float *w, float *out, int n) {
  __shared__ float s[256];
  float sum = 0;
  for (long i = 0; i < n; i++) {
    s[threadIdx.x] = __half2float(in[((size_t)blockIdx.x * n + i) * 256 + threadIdx.x]);
    __syncthreads();
    sum += s[255 - threadIdx.x] * s[threadIdx.x ^ 1];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
// 12: stencil through z with plane tile
__global__ void planes(const float *in, float *out, int nx, int ny, int nz) {
  __shared__ float s[10][34];
  int x = blockIdx.x * 32 + threadIdx.x + 1, y = blockIdx.y * 8 + threadIdx.y + 1;
  int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  for (int z = 1; z < nz - 1; z++) {
    const float *p = in + (size_t)z * nx * ny;
    s[ty][tx] = p[y * nx + x];
    if (threadIdx.x == 0) s[ty][0] = p[y * nx + x - 1];
    if (threadIdx.x == 31) s[ty][33] = p[y * nx + x + 1];
    if (threadIdx.y == 0) s[0][tx] = p[(y - 1) * nx + x];
    if (threadIdx.y == 7) s[9][tx] = p[(y + 1) * nx + x];
    __syncthreads();
    out[(size_t)z * nx * ny + y * nx + x] = s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4 * s[ty][tx];
    __syncthreads();
  }
}
// 13: convolution with filters by channel
__global__ void conv(const float *in, const float *w, float *out, int C, int W, int H) {
  __shared__ float s[18][18];
  __shared__ float f[9];
  int tx = threadIdx.x, ty = threadIdx.y;
  int x0 = blockIdx.x * 16, y0 = blockIdx.y * 16;
  float acc = 0;
  for (int c = 0; c < C; c++) {
    for (int i = ty * 16 + tx; i < 18 * 18; i += 256) {
      int yy = y0 + i / 18 - 1, xx = x0 + i % 18 - 1;
      s[i / 18][i % 18] = yy >= 0 && yy < H && xx >= 0 && xx < W ? in[(c * H + yy) * W + xx] : 0.f;
    }
    if (ty == 0 && tx < 9) f[tx] = w[(blockIdx.z * C + c) * 9 + tx];
    __syncthreads();
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) acc += s[ty + i][tx + j] * f[i * 3 + j];
    __syncthreads();
  }
  out[(blockIdx.z * H + y0 + ty) * W + x0 + tx] = acc;
}
// 14: pairwise distances, char data dp4a
__global__ void dist(const int *a, const int *b, int *out, int n, int k) {
  __shared__ int As[16][17], Bs[16][17];
  int acc = 0, tx = threadIdx.x, ty = threadIdx.y;
  for (int i = 0; i < k; i += 16) {
    As[ty][tx] = a[(blockIdx.y * 16 + ty) * k + i + tx];
    Bs[ty][tx] = b[(blockIdx.x * 16 + ty) * k + i + tx];
    __syncthreads();
#pragma unroll
    for (int j = 0; j < 16; j++) acc = __dp4a(As[ty][j], Bs[tx][j], acc);
    __syncthreads();
  }
  out[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = acc;
}
// 15: pointer counter, walking
__global__ void pointers(const float *A, const float *B, float *C, int n) {
  __shared__ float As[16 * 16], Bs[16 * 16];
  int tx = threadIdx.x, ty = threadIdx.y;
  const float *a = A + (blockIdx.y * 16 + ty) * n + tx, *e = a + n, *b = B + ty * n + blockIdx.x * 16 + tx;
  float acc = 0;
  for (; a < e; a += 16, b += 16 * n) {
    As[ty * 16 + tx] = *a;
    Bs[ty * 16 + tx] = *b;
    __syncthreads();
    for (int k = 0; k < 16; k++) acc += As[ty * 16 + k] * Bs[k * 16 + tx];
    __syncthreads();
  }
  C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = acc;
}
// 16: do-while with an unsigned counter; doubles
__global__ void doubles(const double *A, const double *B, double *C, unsigned n) {
  __shared__ double As[16][16], Bs[16][16];
  unsigned tx = threadIdx.x, ty = threadIdx.y, k = 0;
  double acc = 0;
  do {
    As[ty][tx] = A[(blockIdx.y * 16 + ty) * n + k + tx];
    Bs[ty][tx] = B[(k + ty) * n + blockIdx.x * 16 + tx];
    __syncthreads();
    for (unsigned q = 0; q < 16; q++) acc = fma(As[ty][q], Bs[q][tx], acc);
    __syncthreads();
    k += 16;
  } while (k < n);
  C[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = acc;
}
// 17: dynamic shared memory
__global__ void dynamic(const float *A, const float *B, float *C, int n) {
  extern __shared__ float m[];
  float *As = m, *Bs = m + 32 * 32;
  int tx = threadIdx.x, ty = threadIdx.y;
  float acc = 0;
  for (int k = 0; k < n; k += 32) {
    As[ty * 32 + tx] = A[(blockIdx.y * 32 + ty) * n + k + tx];
    Bs[ty * 32 + tx] = B[(k + ty) * n + blockIdx.x * 32 + tx];
    __syncthreads();
    for (int q = 0; q < 32; q++) acc += As[ty * 32 + q] * Bs[q * 32 + tx];
    __syncthreads();
  }
  C[(blockIdx.y * 32 + ty) * n + blockIdx.x * 32 + tx] = acc;
}
// 18: lookup: codes then table rows
__global__ void gather(const int *idx, const float *table, float *out, int n) {
  __shared__ int id[64];
  __shared__ float rows[64][32];
  int t = threadIdx.x;
  float s = 0;
  for (int i = 0; i < n; i++) {
    if (t < 64) id[t] = idx[(blockIdx.x * n + i) * 64 + t];
    __syncthreads();
    for (int r = t / 32; r < 64; r += 8) rows[r][t % 32] = table[id[r] * 32 + t % 32];
    __syncthreads();
    for (int j = 0; j < 8; j++) s += rows[(t / 32) * 8 + j][t % 32];
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = s;
}
// 19: knn: reference points, running minimum
__global__ void knn(const float *q, const float *r, int *best, int n, int dim) {
  __shared__ float s[128][3];
  int t = threadIdx.x;
  float x = q[(blockIdx.x * 128 + t) * 3], y = q[(blockIdx.x * 128 + t) * 3 + 1], z = q[(blockIdx.x * 128 + t) * 3 + 2], d = 1e30f;
  int b = -1;
  for (int i = 0; i < n; i += 128) {
    int m = min(128, n - i);
    if (t < m) {
      s[t][0] = r[(i + t) * 3], s[t][1] = r[(i + t) * 3 + 1], s[t][2] = r[(i + t) * 3 + 2];
    }
    __syncthreads();
    for (int j = 0; j < m; j++) {
      float e = (s[j][0] - x) * (s[j][0] - x) + (s[j][1] - y) * (s[j][1] - y) + (s[j][2] - z) * (s[j][2] - z);
      if (e < d) d = e, b = i + j;
    }
    __syncthreads();
  }
  best[blockIdx.x * 128 + t] = b;
}
// 20: inline device function that copies, class
struct Tile {
  float v[32][33];
  __device__ void load(const float *g, int ld, int r, int c) {
    for (int j = 0; j < 32; j += 8) v[threadIdx.y + j][threadIdx.x] = g[(size_t)(r + threadIdx.y + j) * ld + c + threadIdx.x];
  }
};
__global__ void __launch_bounds__(256) classes(const float *A, const float *B, float *C, int n) {
  __shared__ Tile a, b;
  float acc[4] = {};
  for (int k = 0; k < n; k += 32) {
    a.load(A, n, blockIdx.y * 32, k);
    b.load(B, n, k, blockIdx.x * 32);
    __syncthreads();
    for (int q = 0; q < 32; q++)
      for (int i = 0; i < 4; i++) acc[i] += a.v[threadIdx.y + 8 * i][q] * b.v[q][threadIdx.x];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++) C[(size_t)(blockIdx.y * 32 + threadIdx.y + 8 * i) * n + blockIdx.x * 32 + threadIdx.x] = acc[i];
}

static float *a, *b, *c;
static half *h;
static double *da, *db;
static int *ix;

static void fill(size_t count) {
  std::vector<float> f(count);
  std::vector<half> g(count);
  std::vector<int> n(count);
  std::vector<double> d(count);
  unsigned s = 1;
  for (size_t i = 0; i < count; i++) {
    s = s * 1664525 + 1013904223;
    f[i] = (int)(s >> 20) / 4096.f - .5f;
    g[i] = __float2half(f[i]);
    d[i] = f[i];
    n[i] = (s >> 8) % 262144;
  }
  cudaMalloc(&a, 4 * count), cudaMalloc(&b, 4 * count), cudaMalloc(&c, 8 * count);
  cudaMalloc(&h, 2 * count), cudaMalloc(&da, 8 * count), cudaMalloc(&db, 8 * count), cudaMalloc(&ix, 4 * count);
  cudaMemcpy(a, f.data(), 4 * count, cudaMemcpyHostToDevice), cudaMemcpy(b, f.data(), 4 * count, cudaMemcpyHostToDevice);
  cudaMemcpy(h, g.data(), 2 * count, cudaMemcpyHostToDevice), cudaMemcpy(ix, n.data(), 4 * count, cudaMemcpyHostToDevice);
  cudaMemcpy(da, d.data(), 8 * count, cudaMemcpyHostToDevice), cudaMemcpy(db, d.data(), 8 * count, cudaMemcpyHostToDevice);
}

int main() {
  const size_t M = 4096 * 4096;
  fill(M);
  for (int n : {4096, 1024}) {
    char t[64];
    int m = n * n;
#define RUN(NAME, GRID, BLOCK, ...) \
  snprintf(t, 64, "%s.%d", #NAME, n), run(t, c, 4 * M, [&] { NAME<<<GRID, BLOCK>>>(__VA_ARGS__); });
    RUN(product_t<32>, dim3(n / 32, n / 32), dim3(32, 32), c, a, b, n, n)
    RUN(product_t<16>, dim3(n / 16, n / 16), dim3(16, 16), c, a, b, n, n)
    RUN(product_c, dim3(n / 64, n / 64), 256, a, b, c, n)
    RUN(product_c2, dim3(n / 64, n / 64), dim3(16, 16), a, b, c, n)
    RUN(product_v, dim3(n / 64, n / 64), 256, a, b, c, n)
    RUN(product_g, dim3(n / 32, n / 32), dim3(32, 32), a, b, c, n, n, n)
    RUN(pointers, dim3(n / 16, n / 16), dim3(16, 16), a, b, c, n)
    RUN(doubles, dim3(n / 32, n / 32), dim3(16, 16), da, db, (double *)c, n / 2)
    snprintf(t, 64, "dynamic.%d", n);
    run(t, c, 4 * M, [&] { dynamic<<<dim3(n / 32, n / 32), dim3(32, 32), 8192>>>(a, b, c, n); });
    RUN(classes, dim3(n / 32, n / 32), dim3(32, 8), a, b, c, n)
    RUN(dist, dim3(n / 16, n / 16), dim3(16, 16), ix, ix + m / 2, (int *)c, n, n / 2)
    RUN(rows_const, n / 8, 256, a, c, (int)(M / 4096 / (n / 8)))
    RUN(gemv, n / 256, 256, a, b, c, n)
    RUN(attention, n / 32, 128, a, b, b + 64 * n, c, n)
    RUN(nbody, n / 32, 256, (const float4 *)a, (float3 *)c, n)
    RUN(tree, n / 8, 256, a, c, (int)(M / 256 / (n / 8)))
    RUN(halves, n / 8, 256, h, a, c, (int)(M / 256 / (n / 8)))
    RUN(planes, dim3(n / 128, n / 32), dim3(32, 8), a, c, n / 4 + 2, n / 4 + 2, 14)
    RUN(conv, dim3(n / 64, n / 64, 8), dim3(16, 16), a, b, c, 16, n / 4, n / 4)
    RUN(gather, n / 8, 256, ix, a, c, n / 64)
    RUN(knn, n / 32, 128, a, b, (int *)c, n, 3)
  }
}
