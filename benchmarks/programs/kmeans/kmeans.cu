// Lloyd's algorithm: points of several numbers each, one behind the other, as a library of machine learning has them.
//   kmeans [iterations] [points in thousands]
#include "../common.h"

enum { DIM = 12, CLUSTERS = 16, BLOCK = 256, CHUNK = 2048 };

__global__ void begin(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int c = scramble(i) % CLUSTERS;
  for (int d = 0; d < DIM; d++) x[(size_t)i * DIM + d] = 4 * uniform(c * DIM + d) + uniform(i * DIM + d);
}

__global__ void assign(const float *x, const float *centre, int *label, float *distance, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float best = 1e30f;
  int which = 0;
  for (int c = 0; c < CLUSTERS; c++) {
    float sum = 0;
    for (int d = 0; d < DIM; d++) {
      float t = x[(size_t)i * DIM + d] - centre[c * DIM + d];
      sum += t * t;
    }
    if (sum < best) {
      best = sum;
      which = c;
    }
  }
  label[i] = which;
  distance[i] = best;
}

// A block sums up a chunk of the points: a thread has one number of each cluster.
__global__ void partial(const float *x, const int *label, float *sums, int *counts, int n) {
  int d = threadIdx.x % DIM, c = threadIdx.x / DIM;
  int begin = blockIdx.x * CHUNK, end = min(begin + CHUNK, n);
  if (c >= CLUSTERS) return;
  float sum = 0;
  int count = 0;
  for (int i = begin; i < end; i++)
    if (label[i] == c) {
      sum += x[(size_t)i * DIM + d];
      count++;
    }
  sums[((size_t)blockIdx.x * CLUSTERS + c) * DIM + d] = sum;
  if (d == 0) counts[blockIdx.x * CLUSTERS + c] = count;
}

__global__ void move(const float *sums, const int *counts, float *centre, int chunks) {
  int d = threadIdx.x, c = blockIdx.x;
  float sum = 0;
  int count = 0;
  for (int b = 0; b < chunks; b++) {
    sum += sums[((size_t)b * CLUSTERS + c) * DIM + d];
    count += counts[b * CLUSTERS + c];
  }
  if (count) centre[c * DIM + d] = sum / count;
}

__global__ void inertia(const float *distance, double *part, int n) {
  __shared__ double s[BLOCK];
  double sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += distance[i];
  s[threadIdx.x] = sum;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) s[threadIdx.x] += s[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) part[blockIdx.x] = s[0];
}

int main(int argc, char **argv) {
  enum { PARTS = 256 };
  int iterations = argument(argc, argv, 1, 300), n = argument(argc, argv, 2, 2000) * 1000, chunks = (n + CHUNK - 1) / CHUNK;
  float *x = device_array<float>((size_t)n * DIM), *centre = device_array<float>(CLUSTERS * DIM), *distance = device_array<float>(n);
  float *sums = device_array<float>((size_t)chunks * CLUSTERS * DIM);
  int *label = device_array<int>(n), *counts = device_array<int>(chunks * CLUSTERS);
  double *part = device_array<double>(PARTS);
  int blocks = (n + BLOCK - 1) / BLOCK;
  begin<<<blocks, BLOCK>>>(x, n);
  CUDA(cudaMemcpy(centre, x, CLUSTERS * DIM * sizeof(float), cudaMemcpyDeviceToDevice));
  bool right = true;
  double before = 1e300;
  for (int i = 0; i < iterations; i++) {
    assign<<<blocks, BLOCK>>>(x, centre, label, distance, n);
    partial<<<chunks, BLOCK>>>(x, label, sums, counts, n);
    move<<<CLUSTERS, DIM>>>(sums, counts, centre, chunks);
    if (i % 10) continue;
    inertia<<<PARTS, BLOCK>>>(distance, part, n);
    double now = 0;
    for (double p : to_host(part, PARTS)) now += p;
    right = right && now <= before * 1.0001;
    before = now;
  }
  CUDA(cudaGetLastError());
  std::vector<int> labels = to_host(label, n);
  std::vector<float> centres = to_host(centre, CLUSTERS * DIM);
  return ended("kmeans", checksum(labels) ^ checksum(centres), right);
}
