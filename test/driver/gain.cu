// Which rings pay: a barrier for each tile, and many reads of it, are worth it where the copy takes longer than these.
// RUN: %clang-device -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -pass-remarks=coalda -pass-remarks-missed=coalda -disable-output %t.ll 2>&1 | %FileCheck %s

// A box of 5 x 5, each tile filled in two rounds, with zeros outside.
// CHECK: loop stages {{.*}}; rewritten: asynchronous copies
__global__ void box(const float *__restrict__ in, float *__restrict__ out, int width, int height, int strips) {
  __shared__ float s[12][36];
  int tx = threadIdx.x, ty = threadIdx.y, x0 = blockIdx.x * 32, y0 = blockIdx.y * 8 * strips;
  for (int k = 0; k < strips; k++, y0 += 8) {
    for (int i = ty * 32 + tx; i < 12 * 36; i += 256) {
      int x = x0 + i % 36 - 2, y = y0 + i / 36 - 2;
      s[i / 36][i % 36] = x >= 0 && x < width && y >= 0 && y < height ? in[y * width + x] : 0.0f;
    }
    __syncthreads();
    float sum = 0;
    for (int j = 0; j < 5; j++)
      for (int i = 0; i < 5; i++) sum += s[ty + j][tx + i];
    out[(y0 + ty) * width + x0 + tx] = sum / 25;
    __syncthreads();
  }
}

// As many reads of tiles that one line copies: one word waits in a register.
// CHECK: loop stages {{.*}}; rewritten: 1 tile ahead held in registers
__global__ void sums(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[256];
  for (int k = 0; k < tiles; k++) {
    s[threadIdx.x] = in[k * 256 + threadIdx.x];
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < 25; i++) sum += s[threadIdx.x + i & 255];
    out[k * 256 + threadIdx.x] = sum;
    __syncthreads();
  }
}

// What its tile holds was loaded an iteration before: the user's own way of copying ahead.
// CHECK: loop stages {{.*}}; not rewritten: what is stored in the tile was loaded an iteration before; load and store each tile in one iteration
__global__ void fetches(const float *__restrict__ in, float *__restrict__ out, int tiles) {
  __shared__ float s[256];
  float sum = 0, next = in[threadIdx.x];
  for (int k = 0; k < tiles; k++) {
    s[threadIdx.x] = next;
    __syncthreads();
    if (k + 1 < tiles) next = in[(k + 1) * 256 + threadIdx.x];
    sum += s[threadIdx.x] * s[255 - threadIdx.x];
    __syncthreads();
  }
  out[threadIdx.x] = sum;
}

// The last tile is cut short. Where much is read of each, guarded copies, which each lane makes alone, cost more than they save.
// CHECK: loop stages {{.*}}; not rewritten: a ring of stages would not be faster
__global__ void bodies(const float4 *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float4 s[256];
  float sum = 0;
  for (int k = 0; k < n; k += 256) {
    if (k + threadIdx.x < n) s[threadIdx.x] = in[k + threadIdx.x];
    __syncthreads();
    for (int j = 0; j < min(256, n - k); j++) sum += s[j].w * rsqrtf(s[j].x + s[j].y * threadIdx.x);
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}
// Streams of such copies run ahead.
// CHECK: loop stages {{.*}}; rewritten: asynchronous copies run ahead in a ring of 5 stages of 8 tiles
__global__ void pairs(const float *__restrict__ in, float *__restrict__ out, int n) {
  __shared__ float s[256];
  float sum = 0;
  for (int k = 0; k < n; k += 256) {
    if (k + threadIdx.x < n) s[threadIdx.x] = in[blockIdx.x * n + k + threadIdx.x];
    __syncthreads();
    if (k + 255 - threadIdx.x < n) sum += s[threadIdx.x] * s[255 - threadIdx.x];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = sum;
}

// How much of a tile is filled is the host's affair; its slots would keep blocks away all the same.
// CHECK: loop stages {{.*}}; not rewritten: a ring of stages would not be faster
__global__ void rows(const float *__restrict__ in, float *__restrict__ out, int rows, int n) {
  __shared__ float s[2048];
  for (int row = blockIdx.x; row < rows; row += gridDim.x) {
    for (int j = threadIdx.x; j < n; j += blockDim.x) s[j] = in[row * n + j];
    __syncthreads();
    float most = s[0];
    for (int j = 1; j < n; j++) most = fmaxf(most, s[j]);
    out[row * blockDim.x + threadIdx.x] = most;
    __syncthreads();
  }
}

// Each word is read 16 times; patches of an image, zeros around it, are gathered word by word, and wait in registers.
// CHECK: loop stages {{.*}}; rewritten: 1 tile ahead held in registers, 2 words
__global__ void patches(const float *__restrict__ in, const float *__restrict__ weight, float *__restrict__ out, int channels,
                        int height, int width) {
  __shared__ float a[16][16], b[16][16];
  int x = threadIdx.x, y = threadIdx.y, p = blockIdx.x * 16 + x, q = blockIdx.y * 16 + y, py = p / width, px = p % width;
  float sum = 0;
  for (int k = 0; k < channels * 9; k += 16) {
    int c = (k + y) / 9, r = (k + y) % 9, yy = py + r / 3 - 1, xx = px + r % 3 - 1;
    b[y][x] = k + y < channels * 9 && yy >= 0 && yy < height && xx >= 0 && xx < width ? in[(c * height + yy) * width + xx] : 0.0f;
    a[y][x] = k + x < channels * 9 ? weight[q * channels * 9 + k + x] : 0.0f;
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += a[y][j] * b[j][x];
    __syncthreads();
  }
  out[q * height * width + p] = sum;
}
