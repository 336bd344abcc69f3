// What every program of this folder needs around its kernel: numbers to work on, the time that a launch takes, and a last line.
#pragma once
#include <cuda_runtime.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

inline void must(cudaError_t code) {
  if (code == cudaSuccess)
    return;
  fprintf(stderr, "%s\n", cudaGetErrorString(code));
  exit(2);
}

// From 0 to 1, the same in every run.
inline float uniform(unsigned i) {
  i = (i ^ i >> 16) * 0x7feb352du;
  i = (i ^ i >> 15) * 0x846ca68bu;
  return (float)((i ^ i >> 16) >> 8) / (1 << 24);
}

template <class T> T *on_device(const std::vector<T> &a) {
  T *p;
  must(cudaMalloc((void **)&p, a.size() * sizeof(T)));
  must(cudaMemcpy(p, a.data(), a.size() * sizeof(T), cudaMemcpyHostToDevice));
  return p;
}
template <class T> std::vector<T> on_host(const T *p, size_t n) {
  std::vector<T> a(n);
  must(cudaMemcpy(a.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
  return a;
}

// The median of 21 launches, after three that nobody looks at.
template <class Launch> float microseconds(Launch launch) {
  cudaEvent_t from, to;
  must(cudaEventCreate(&from));
  must(cudaEventCreate(&to));
  std::vector<float> times;
  for (int i = 0; i < 24; i++) {
    float ms;
    must(cudaEventRecord(from));
    launch();
    must(cudaEventRecord(to));
    must(cudaEventSynchronize(to));
    must(cudaGetLastError());
    must(cudaEventElapsedTime(&ms, from, to));
    if (i >= 3)
      times.push_back(1000 * ms);
  }
  std::nth_element(times.begin(), times.begin() + times.size() / 2, times.end());
  return times[times.size() / 2];
}

inline bool is_near(double a, double b, double tolerance) { return std::fabs(a - b) <= tolerance * (1 + std::fabs(b)); }

// The status of the program.
inline int ended(const char *name, bool right, float us) {
  printf("%s: %s, %.1f us\n", name, right ? "right" : "WRONG", us);
  return !right;
}
