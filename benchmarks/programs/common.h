// What every program of this folder says: a failed call ends it, numbers that look random, a sum over bytes of what came out.
#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA(call)                                                                                 \
  do {                                                                                             \
    cudaError_t code = (call);                                                                     \
    if (code != cudaSuccess) {                                                                     \
      fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorString(code));     \
      exit(2);                                                                                     \
    }                                                                                              \
  } while (0)

static inline __host__ __device__ uint32_t scramble(uint32_t x) {
  x = (x ^ x >> 16) * 0x7feb352du;
  x = (x ^ x >> 15) * 0x846ca68bu;
  return x ^ x >> 16;
}
// From 0 to 1.
static inline __host__ __device__ float uniform(uint32_t i) { return (float)(scramble(i + 0x9e3779b9u) >> 8) / (1 << 24); }

template <class T> T *device_array(size_t n) {
  T *p;
  CUDA(cudaMalloc((void **)&p, n * sizeof(T)));
  CUDA(cudaMemset(p, 0, n * sizeof(T)));
  return p;
}
template <class T> std::vector<T> to_host(const T *p, size_t n) {
  std::vector<T> a(n);
  CUDA(cudaMemcpy(a.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
  return a;
}

// FNV-1a by words.
template <class T> uint64_t checksum(const std::vector<T> &a) {
  uint64_t sum = 0xcbf29ce484222325u;
  const unsigned char *byte = (const unsigned char *)a.data();
  for (size_t i = 0; i + 4 <= a.size() * sizeof(T); i += 4) {
    uint32_t word = byte[i] | byte[i + 1] << 8 | byte[i + 2] << 16 | (uint32_t)byte[i + 3] << 24;
    sum = (sum ^ word) * 0x100000001b3u;
  }
  return sum;
}

static inline int argument(int argc, char **argv, int i, int otherwise) { return argc > i ? atoi(argv[i]) : otherwise; }

static inline int ended(const char *name, uint64_t sum, bool right) {
  printf("%s: checksum %016llx, %s\n", name, (unsigned long long)sum, right ? "right" : "WRONG");
  return !right;
}
