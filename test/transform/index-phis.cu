// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s < %t.log
// Behind an exchange an index is computed again where what the versions had of the words is merged already: behind all merges.
// CHECK: knots: made: {{.*}}group
#include "records.cuh"

KERNEL knots(const float *__restrict__ x, const long *__restrict__ size, float *__restrict__ b, long *__restrict__ w, long n, long d) {
  long t = (long)blockIdx.x * blockDim.x + threadIdx.x, at = 0, off = 1;
  if (t >= n) return;
  float s = 1;
  for (long k = 0; k < d; k++) {
    float v = x[t * d + k];
    long m = size[k];
    v *= m;
    long i = (long)v;
    at += (i + k) % m * off;
    off *= m;
    v -= __builtin_floorf(v);
    s *= 0.5f * v * v - v + 0.5f;
  }
  b[t] = s, w[t] = at;
}
