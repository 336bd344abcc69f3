// A radix sort of keys with values, four bits at a time: counts of each thread, a scan of them, and places that follow from it.
//   sort [times] [keys in thousands]
#include "../common.h"

#include <utility>

struct Item { uint32_t key, value; };

enum { BLOCK = 256, DIGITS = 16, BITS = 4, EACH = 16, SCAN = 1024 };

__global__ void begin(Item *item, int n, uint32_t seed) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) item[i] = {scramble(i * 2 + seed), (uint32_t)i};
}

// A thread has EACH items one behind the other.
__global__ void count(const Item *item, int *counts, int n, int shift) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  __shared__ int mine[DIGITS][BLOCK];
  for (int d = 0; d < DIGITS; d++) mine[d][threadIdx.x] = 0;
  for (int k = 0; k < EACH; k++) {
    int i = t * EACH + k;
    if (i < n) mine[item[i].key >> shift & (DIGITS - 1)][threadIdx.x]++;
  }
  for (int d = 0; d < DIGITS; d++) counts[d * threads + t] = mine[d][threadIdx.x];
}

// Sums in front of each, within SCAN of them; and of all of those.
__global__ void scan(int *a, int *sums, int n) {
  __shared__ int s[SCAN];
  int i = blockIdx.x * SCAN + threadIdx.x, own = i < n ? a[i] : 0;
  s[threadIdx.x] = own;
  __syncthreads();
  for (int d = 1; d < SCAN; d *= 2) {
    int v = threadIdx.x >= d ? s[threadIdx.x - d] : 0;
    __syncthreads();
    s[threadIdx.x] += v;
    __syncthreads();
  }
  if (i < n) a[i] = s[threadIdx.x] - own;
  if (threadIdx.x == SCAN - 1 && sums) sums[blockIdx.x] = s[SCAN - 1];
}

__global__ void add(int *a, const int *sums, int n) {
  int i = blockIdx.x * SCAN + threadIdx.x;
  if (i < n) a[i] += sums[blockIdx.x];
}

__global__ void place(const Item *item, Item *sorted, const int *counts, int n, int shift) {
  int t = blockIdx.x * blockDim.x + threadIdx.x, threads = gridDim.x * blockDim.x;
  __shared__ int next[DIGITS][BLOCK];
  for (int d = 0; d < DIGITS; d++) next[d][threadIdx.x] = counts[d * threads + t];
  for (int k = 0; k < EACH; k++) {
    int i = t * EACH + k;
    if (i < n) {
      Item it = item[i];
      sorted[next[it.key >> shift & (DIGITS - 1)][threadIdx.x]++] = it;
    }
  }
}

static int blocks_of(int n, int each) { return (n + each - 1) / each; }

static void scan_all(int *a, int n, int **level) {
  int blocks = blocks_of(n, SCAN);
  scan<<<blocks, SCAN>>>(a, blocks > 1 ? level[0] : nullptr, n);
  if (blocks == 1) return;
  scan_all(level[0], blocks, level + 1);
  add<<<blocks, SCAN>>>(a, level[0], n);
}

int main(int argc, char **argv) {
  int times = argument(argc, argv, 1, 40), n = argument(argc, argv, 2, 16000) * 1000;
  Item *item = device_array<Item>(n), *sorted = device_array<Item>(n);
  int blocks = blocks_of(n, BLOCK * EACH), counters = DIGITS * blocks * BLOCK;
  int *counts = device_array<int>(counters), *level[4];
  for (int l = 0, size = counters; l < 4; l++) level[l] = device_array<int>(size = blocks_of(size, SCAN));
  for (int round = 0; round < times; round++) {
    begin<<<blocks_of(n, BLOCK), BLOCK>>>(item, n, round);
    for (int shift = 0; shift < 32; shift += BITS) {
      count<<<blocks, BLOCK>>>(item, counts, n, shift);
      scan_all(counts, counters, level);
      place<<<blocks, BLOCK>>>(item, sorted, counts, n, shift);
      std::swap(item, sorted);
    }
  }
  CUDA(cudaGetLastError());
  std::vector<Item> all = to_host(item, n);
  bool right = true;
  for (int i = 1; i < n; i++) right = right && all[i - 1].key <= all[i].key;
  for (int i = 0; i < n; i += 1001) right = right && all[i].key == scramble(all[i].value * 2 + times - 1);
  return ended("sort", checksum(all), right);
}
