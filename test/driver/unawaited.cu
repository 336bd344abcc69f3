// A copy that nobody waits for before what it fills is read is a warning, at the program's own line, whether remarks are wanted or not; and a
// future that is thrown away is one of the compiler's.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -gline-tables-only -std=c++17 -I%source/include -fpass-plugin=%plugin -S %s -o %t.ptx > %t.out 2>&1
// RUN: %FileCheck %s --implicit-check-not=warning: < %t.out
// RUN: %not %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -Werror -Wno-unused-result -std=c++17 -I%source/include -fpass-plugin=%plugin -S %s -o %t.ptx > %t.error 2>&1
// RUN: %FileCheck %s --check-prefix=ERROR < %t.error
// ERROR: error: never copies to shared memory asynchronously
#include <coalda.h>
#define KERNEL extern "C" __global__
enum { T = 64 };
// CHECK: unawaited.cu:[[@LINE+1]]:{{[0-9]+}}: warning: ignoring return value of function declared with 'nodiscard' attribute
KERNEL void thrown_away(const float *g, float *out) { __shared__ float s[T]; coalda::copy(s, g, T); coalda::done(); out[threadIdx.x] = s[T - 1 - threadIdx.x]; }
KERNEL void never(const float *g, float *out) {
  __shared__ float s[T];
// CHECK: unawaited.cu:[[@LINE+1]]:{{[0-9]+}}: warning: never copies to shared memory asynchronously: no thread waits for it before its data are read; wait first
  auto f = coalda::copy_async(s, g, T);
  __syncthreads();
  out[threadIdx.x] = f.data[T - 1 - threadIdx.x];
}
KERNEL void early(const float *g, float *out) {
  __shared__ float s[T];
// CHECK: unawaited.cu:[[@LINE+1]]:{{[0-9]+}}: warning: early copies to shared memory asynchronously
  auto f = coalda::copy_async(s, g, T);
  out[threadIdx.x] = s[threadIdx.x];
  coalda::wait(f);
}
// Waited for; and one of two, as far as anybody knows.
KERNEL void awaited(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  auto now = coalda::copy_async(s[0], g, T), next = now;
  next.data = s[1];
  float sum = 0;
  for (int i = 1; i < n; i++) {
    next = coalda::copy_async(next.data, g + i * T, T);
    coalda::wait<1>(now);
    sum += now.data[T - 1 - threadIdx.x];
    coalda::done();
    coalda::swap(now, next);
  }
  coalda::wait(now);
  out[threadIdx.x] = sum + now.data[T - 1 - threadIdx.x];
}
// Nobody reads it.
KERNEL void unread(const float *g, float *out) {
  __shared__ float s[T];
  auto f = coalda::copy_async(s, g, T);
  out[threadIdx.x] = (float)(f.data == s);
}
