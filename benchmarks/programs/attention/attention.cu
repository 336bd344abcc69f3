// A layer of a transformer in single precision: norm, three products, attention of every head, a product and what is added, an activation.
//   attention [layers] [tokens]
#include "../common.h"

#include <cmath>

enum { WIDTH = 512, HEADS = 8, HEAD = WIDTH / HEADS, TILE = 32 };

__global__ void begin(float *a, int n, float scale, uint32_t seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = scale * (uniform(i + seed) - 0.5f);
}

// A thread has one token.
__global__ void normalize(const float *x, const float *gain, float *y, int tokens) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= tokens) return;
  const float *row = x + (size_t)t * WIDTH;
  float sum = 0, squares = 0;
  for (int i = 0; i < WIDTH; i++) sum += row[i];
  float mean = sum / WIDTH;
  for (int i = 0; i < WIDTH; i++) squares += (row[i] - mean) * (row[i] - mean);
  float scale = rsqrtf(squares / WIDTH + 1e-5f);
  for (int i = 0; i < WIDTH; i++) y[(size_t)t * WIDTH + i] = (row[i] - mean) * scale * gain[i];
}

// c = a * b, of rows of k and k x n; all multiples of TILE
__global__ void product(const float *a, const float *b, float *c, int n, int k) {
  __shared__ float as[TILE][TILE], bs[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int t = 0; t < k; t += TILE) {
    as[y][x] = a[(size_t)row * k + t + x];
    bs[y][x] = b[(size_t)(t + y) * n + column];
    __syncthreads();
    for (int i = 0; i < TILE; i++) sum += as[y][i] * bs[i][x];
    __syncthreads();
  }
  c[(size_t)row * n + column] = sum;
}

// Scores of a head: every query with every key.
__global__ void scores(const float *q, const float *k, float *s, int tokens) {
  int key = blockIdx.x * blockDim.x + threadIdx.x, query = blockIdx.y, head = blockIdx.z;
  if (key >= tokens) return;
  float sum = 0;
  for (int i = 0; i < HEAD; i++) sum += q[(size_t)query * WIDTH + head * HEAD + i] * k[(size_t)key * WIDTH + head * HEAD + i];
  s[((size_t)head * tokens + query) * tokens + key] = sum * 0.125f;
}

__global__ void softmax(float *s, int rows, int n) {
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float *row = s + (size_t)r * n, most = row[0], sum = 0;
  for (int i = 1; i < n; i++) most = fmaxf(most, row[i]);
  for (int i = 0; i < n; i++) sum += row[i] = expf(row[i] - most);
  for (int i = 0; i < n; i++) row[i] /= sum;
}

__global__ void gather(const float *s, const float *v, float *out, int tokens) {
  int i = threadIdx.x, query = blockIdx.x * blockDim.y + threadIdx.y, head = blockIdx.y;
  float sum = 0;
  for (int key = 0; key < tokens; key++) sum += s[((size_t)head * tokens + query) * tokens + key] * v[(size_t)key * WIDTH + head * HEAD + i];
  out[(size_t)query * WIDTH + head * HEAD + i] = sum;
}

__global__ void add_active(float *x, const float *y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = y[i];
  x[i] += 0.5f * v * (1 + tanhf(0.79788456f * (v + 0.044715f * v * v * v)));
}

int main(int argc, char **argv) {
  int layers = argument(argc, argv, 1, 600), tokens = argument(argc, argv, 2, 1024), n = tokens * WIDTH;
  float *x = device_array<float>(n), *y = device_array<float>(n), *q = device_array<float>(n), *k = device_array<float>(n), *v = device_array<float>(n);
  float *gain = device_array<float>(WIDTH), *w[4], *s = device_array<float>((size_t)HEADS * tokens * tokens);
  begin<<<(n + 255) / 256, 256>>>(x, n, 2, 1);
  begin<<<2, 256>>>(gain, WIDTH, 2, 2);
  for (int i = 0; i < 4; i++) {
    w[i] = device_array<float>(WIDTH * WIDTH);
    begin<<<WIDTH * WIDTH / 256, 256>>>(w[i], WIDTH * WIDTH, 0.2f, 1000003 * (i + 3));
  }
  dim3 grid(WIDTH / TILE, tokens / TILE), block(TILE, TILE);
  for (int l = 0; l < layers; l++) {
    normalize<<<(tokens + 63) / 64, 64>>>(x, gain, y, tokens);
    product<<<grid, block>>>(y, w[0], q, WIDTH, WIDTH);
    product<<<grid, block>>>(y, w[1], k, WIDTH, WIDTH);
    product<<<grid, block>>>(y, w[2], v, WIDTH, WIDTH);
    scores<<<dim3((tokens + 127) / 128, tokens, HEADS), 128>>>(q, k, s, tokens);
    softmax<<<(HEADS * tokens + 127) / 128, 128>>>(s, HEADS * tokens, tokens);
    gather<<<dim3(tokens / 4, HEADS), dim3(HEAD, 4)>>>(s, v, y, tokens);
    product<<<grid, block>>>(y, w[3], q, WIDTH, WIDTH);
    add_active<<<(n + 255) / 256, 256>>>(x, q, n);
  }
  CUDA(cudaGetLastError());
  std::vector<float> out = to_host(x, n), rows = to_host(s, (size_t)HEADS * tokens * tokens);
  bool right = true;
  for (int r = 0; r < HEADS * tokens; r += 13) {   // each row of weights comes to one
    double sum = 0;
    for (int i = 0; i < tokens; i++) sum += rows[(size_t)r * tokens + i];
    right = right && std::fabs(sum - 1) < 1e-3;
  }
  for (float f : out) right = right && std::isfinite(f);
  return ended("attention", checksum(out), right);
}
