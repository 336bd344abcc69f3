// A kernel of many registers becomes a ring where launch bounds say how large its blocks are, or where its own places do: a larger
// block would write behind its arrays. Where neither does, a block that launches now might not launch with more registers.
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %FileCheck %s < %t.yaml
#define TX threadIdx.x
// 80 sums, which go round the loop.
#define SUMS(TILE, WORDS) _Pragma("unroll") for (int i = 0; i < 80; i++) s[i] = s[i] * TILE[(TX + i) % (WORDS)] + TILE[i];
#define WRITE _Pragma("unroll") for (int i = 0; i < 80; i++) q[(blockIdx.x * 80 + i) * blockDim.x + TX] = s[i];

// CHECK: - Kernel: {{ *}}unknown
// CHECK: - Refusal: {{ *}}TileRegisters
extern "C" __global__ void unknown(const float *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ float t[1024];
  float s[80] = {};
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    for (int i = TX; i < 1024; i += blockDim.x) t[i] = a[k * 1024 + i];
    __syncthreads();
    SUMS(t, 1024)
    __syncthreads();
  }
  WRITE
}
// CHECK: - Kernel: {{ *}}bounded
// CHECK: - Refusal: {{ *}}None
extern "C" __global__ void __launch_bounds__(256) bounded(const float *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ float t[1024];
  float s[80] = {};
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    for (int i = TX; i < 1024; i += blockDim.x) t[i] = a[k * 1024 + i];
    __syncthreads();
    SUMS(t, 1024)
    __syncthreads();
  }
  WRITE
}
// 256 threads fill it, and one more would write behind it; nobody asks for y or z.
// CHECK: - Kernel: {{ *}}filled
// CHECK: - Refusal: {{ *}}None
extern "C" __global__ void filled(const float *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ float t[256];
  float s[80] = {};
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    t[TX] = a[k * 256 + TX];
    __syncthreads();
    SUMS(t, 256)
    __syncthreads();
  }
  WRITE
}
// Read so far alone: element 255 of the last of four rows.
// CHECK: - Kernel: {{ *}}read
// CHECK: - Refusal: {{ *}}None
extern "C" __global__ void read(const float *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ float t[4][256];
  float s[80] = {}, sum = 0;
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    for (int i = TX; i < 1024; i += blockDim.x) t[i / 256][i % 256] = a[k * 1024 + i];
    __syncthreads();
#pragma unroll 1
    for (int r = 0; r < 4; r++) sum += t[r][TX];
    SUMS(t[0], 256)
    __syncthreads();
  }
  s[0] += sum;
  WRITE
}
// Copied sixteen bytes at a time, to halves.
// CHECK: - Kernel: {{ *}}copied
// CHECK: - Refusal: {{ *}}None
struct alignas(16) Four { float x, y, z, w; };
extern "C" __global__ void copied(const Four *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ short t[2048];
  float s[80] = {};
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    *(Four *)&t[TX * 8] = a[k * 256 + TX];
    __syncthreads();
    SUMS(t, 256)
    __syncthreads();
  }
  WRITE
}
// Four layers of a block may fill it, as far as anybody knows: the kernel asks for y.
// CHECK: - Kernel: {{ *}}layers
// CHECK: - Refusal: {{ *}}TileRegisters
extern "C" __global__ void layers(const float *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ float t[256];
  float s[80] = {};
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    if (threadIdx.y == 0) t[TX] = a[k * 256 + TX];
    __syncthreads();
    SUMS(t, 256)
    __syncthreads();
  }
  q += threadIdx.y * gridDim.x * 80;
  WRITE
}
// Some threads alone fill it: what the others would do there is not asked.
// CHECK: - Kernel: {{ *}}guarded
// CHECK: - Refusal: {{ *}}TileRegisters
extern "C" __global__ void guarded(const float *__restrict__ a, float *__restrict__ q, int n) {
  __shared__ float t[256];
  float s[80] = {};
#pragma unroll 1
  for (int k = 0; k < n; k++) {
    if (TX < 256) t[TX] = a[k * 256 + TX];
    __syncthreads();
    SUMS(t, 256)
    __syncthreads();
  }
  WRITE
}
// What an unrolled loop computes again for each iteration, in front of the tile loop, takes no register more.
// CHECK: - Kernel: {{ *}}again
// CHECK: - Refusal: {{ *}}None
extern "C" __global__ void again(const float *A, const float *B, float *C, int n) {
  __shared__ float s[16 * 16], r[16 * 16];
  int x = TX, y = threadIdx.y;
  const float *a = A + (blockIdx.y * 16 + y) * n + x, *e = a + n, *b = B + y * n + blockIdx.x * 16 + x;
  float sum = 0;
  for (; a < e; a += 16, b += 16 * n) {
    s[y * 16 + x] = *a;
    r[y * 16 + x] = *b;
    __syncthreads();
    for (int k = 0; k < 16; k++) sum += s[y * 16 + k] * r[k * 16 + x];
    __syncthreads();
  }
  C[(blockIdx.y * 16 + y) * n + blockIdx.x * 16 + x] = sum;
}
