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
// A wait that leaves it under way: as many groups end behind it, on any way, as the wait leaves.
KERNEL void left_under_way(const float *g, float *out) {
  __shared__ float s[T];
// CHECK: unawaited.cu:[[@LINE+1]]:{{[0-9]+}}: warning: left_under_way copies
  auto f = coalda::copy_async(s, g, T);
  coalda::wait<1>(f);
  out[threadIdx.x] = s[T - 1 - threadIdx.x];
}
KERNEL void second_left(const float *g, float *out) {
  __shared__ float s[T], r[T];
  auto f = coalda::copy_async(s, g, T);
// CHECK: unawaited.cu:[[@LINE+1]]:{{[0-9]+}}: warning: second_left copies
  auto h = coalda::copy_async(r, g + T, T);
  coalda::wait<1>(f);
  out[threadIdx.x] = s[T - 1 - threadIdx.x] + r[T - 1 - threadIdx.x];
  coalda::wait(h);
}
// What iterations before have waited for is filled anew.
KERNEL void early_in_each(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: unawaited.cu:[[@LINE+1]]:{{[0-9]+}}: warning: early_in_each copies
    auto f = coalda::copy_async(s, g + i * T, T);
    sum += s[T - 1 - threadIdx.x];
    coalda::wait(f);
    coalda::done();
  }
  out[threadIdx.x] = sum;
}
KERNEL void left_in_each(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: unawaited.cu:[[@LINE+1]]:{{[0-9]+}}: warning: left_in_each copies
    auto f = coalda::copy_async(s, g + i * T, T);
    coalda::wait<1>(f);
    sum += s[T - 1 - threadIdx.x];
    coalda::done();
  }
  out[threadIdx.x] = sum;
}
// Enough groups end behind it: of the same loop, of a condition, of nothing at all, of the next iteration.
KERNEL void enough(const float *g, float *out, int n) {
  __shared__ float s[T], r[T];
  auto f = coalda::copy_async(s, g, T), h = coalda::copy_async(r, g + T, T);
  coalda::wait<1>(f);
  out[threadIdx.x] = s[T - 1 - threadIdx.x];
  if (n > 3) h = coalda::copy_async(r, g, T);
  else coalda::detail::commit();
  coalda::wait(h);
  out[threadIdx.x] += r[T - 1 - threadIdx.x];
}
KERNEL void by_a_condition(const float *g, float *out, int n) {
  __shared__ float s[T], r[T];
  auto f = coalda::copy_async(s, g, T);
  if (n > 3) f = coalda::copy_async(r, g, T);
  coalda::wait<1>(f);
  out[threadIdx.x] = s[T - 1 - threadIdx.x];
}
__device__ __noinline__ void end_groups() { coalda::detail::commit(), coalda::detail::commit(); }
KERNEL void ended_there(const float *g, float *out) {
  __shared__ float s[T];
  auto f = coalda::copy_async(s, g, T);
  end_groups();
  coalda::wait<2>(f);
  out[threadIdx.x] = s[T - 1 - threadIdx.x];
}
KERNEL void ended_in_a_loop(const float *g, float *out, int n) {
  __shared__ float s[T];
  auto f = coalda::copy_async(s, g, T);
  for (int i = 0; i < n; i++) coalda::detail::commit();
  coalda::wait<2>(f);
  out[threadIdx.x] = s[T - 1 - threadIdx.x];
}
// Not in each iteration, or not the same bytes: what was waited for is read.
KERNEL void every_other(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % 2 == 0) {
      auto f = coalda::copy_async(s, g + i * T, T);
      (void)f;
    } else {
      sum += s[T - 1 - threadIdx.x];
    }
    coalda::wait(coalda::async_future<float>{s});
  }
  out[threadIdx.x] = sum;
}
KERNEL void by_turns(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = coalda::copy_async(s[i & 1], g + i * T, T);
    sum += s[~i & 1][T - 1 - threadIdx.x];
    coalda::wait(f);
  }
  out[threadIdx.x] = sum;
}
KERNEL void by_stages(const float *g, float *out, int n) {
  __shared__ float s[3][T];
  coalda::async_future<float> f[3];
  float sum = 0;
  for (int k = 0; k < 2; k++) f[k] = coalda::copy_async(s[k], g + k * T, T);
  for (int i = 0; i < n; i++) {
    coalda::wait<1>(f[i % 3]);
    f[(i + 2) % 3] = coalda::copy_async(s[(i + 2) % 3], g + (i + 2) * T, T);
    sum += s[i % 3][T - 1 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
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
