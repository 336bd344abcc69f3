// A wait for asynchronous copies that has nothing to wait for is a warning at its line; so is a copy that fills, an iteration later, what other
// threads may still be reading. Nothing is said of programs that are right.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -gline-tables-only -std=c++17 -I%source/include -fpass-plugin=%plugin -S %s -o %t.ptx > %t.out 2>&1
// RUN: %FileCheck %s --implicit-check-not=warning: < %t.out
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O1 -gline-tables-only -std=c++17 -I%source/include -fpass-plugin=%plugin -S %s -o %t.ptx > %t.1.out 2>&1
// RUN: %FileCheck %s --implicit-check-not=warning: < %t.1.out
#include <coalda.h>
#define KERNEL extern "C" __global__ void
#define TX threadIdx.x
enum { T = 256 };
using coalda::copy_async, coalda::wait, coalda::done;

// ---- awaited twice ----

KERNEL twice(const float *g, float *out) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  wait(f);
  out[TX] = s[T - 1 - TX];
// CHECK: awaited-twice.cu:[[@LINE+1]]:{{[0-9]+}}: warning: twice waits for copies to shared memory: no copy has begun since the last wait; wait once for a copy; where a barrier is meant: coalda::done()
  wait(f);
  out[T + TX] = s[TX / 2];
}
KERNEL twice_on_both_ways(const float *g, float *out, int n) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  if (n > 3) {
    wait(f);
    out[TX] = s[T - 1 - TX];
  } else
    wait(f);
// CHECK: awaited-twice.cu:[[@LINE+1]]:{{[0-9]+}}: warning: twice_on_both_ways waits
  wait(f);
  out[T + TX] = s[TX / 2];
}
KERNEL in_each_iteration(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  auto f = copy_async(s, g, T);
  for (int i = 0; i < n; i++) {
// CHECK: awaited-twice.cu:[[@LINE+1]]:{{[0-9]+}}: warning: in_each_iteration waits
    wait(f);
    sum += s[(TX + i) % T];
  }
  out[TX] = sum;
}
KERNEL before_any(const float *g, float *out) {
  __shared__ float s[T];
// CHECK: awaited-twice.cu:[[@LINE+1]]:{{[0-9]+}}: warning: before_any waits
  asm volatile("cp.async.wait_all;" ::: "memory");
  auto f = copy_async(s, g, T);
  wait(f);
  out[TX] = s[T - 1 - TX];
}

// ---- filled too early ----

KERNEL not_done(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: awaited-twice.cu:[[@LINE+1]]:{{[0-9]+}}: warning: not_done copies to shared memory asynchronously: it fills again what threads may still be reading: no barrier stands between; __syncthreads() when all is read; or coalda::done()
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL not_done_of_n(const float *g, float *out, int n, int m) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: awaited-twice.cu:[[@LINE+1]]:{{[0-9]+}}: warning: not_done_of_n copies
    auto f = copy_async(s, g + i * m, m);
    wait(f);
    for (int k = 0; k < m; k++) sum = sum * 3 + s[k];
  }
  out[TX] = sum;
}

// ---- right ----

KERNEL right(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[T - 1 - TX];
    done();
  }
  out[TX] = sum;
}
// Each of them has something to wait for, on one way at least.
KERNEL on_one_way(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  auto f = copy_async(s[0], g, T);
  wait(f);
  if (n > 3) f = copy_async(s[1], g + T, T);
  out[TX] = s[0][T - 1 - TX];
  wait(f);
  out[T + TX] = f.data[TX / 2];
}
KERNEL several_groups(const float *g, float *out) {
  __shared__ float s[2][T];
  auto f = copy_async(s[0], g, T), h = copy_async(s[1], g + T, T);
  wait<1>(f);
  out[TX] = s[0][T - 1 - TX];
  wait(h);
  out[T + TX] = s[1][T - 1 - TX];
}
// The last iteration waits for nothing, and it is unrolled.
KERNEL unrolled(const float *g, float *out) {
  __shared__ float s[2][T];
  float sum = 0;
  auto f = copy_async(s[0], g, T);
  wait(f);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    if (i < 3) f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    sum += s[i & 1][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL every_other(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % 2 == 0) {
      auto f = copy_async(s, g + i * T, T);
      (void)f;
    }
    wait(coalda::async_future<float>{s});
    sum += s[T - 1 - TX];
    done();
  }
  out[TX] = sum;
}
__device__ __noinline__ void begin_there(float *s, const float *g) { auto f = copy_async(s, g, T); (void)f; }
KERNEL begun_there(const float *g, float *out, int n) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  wait(f);
  out[TX] = s[T - 1 - TX];
  done();
  begin_there(s, g + T);
  wait(f);
  out[T + TX] = s[T - 1 - TX];
}
// A template may be so for one of its arguments alone.
template <bool Two> __global__ void of_template(const float *g, float *out) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  wait(f);
  out[TX] = s[T - 1 - TX];
  done();
  if constexpr (Two) f = copy_async(s, g + T, T);
  wait(f);
  out[T + TX] = s[TX / 2];
}
template __global__ void of_template<false>(const float *, float *);
template __global__ void of_template<true>(const float *, float *);
// Plain copies: a wait is a barrier.
KERNEL plain(const float *g, float *out) {
  __shared__ float s[T];
  auto f = coalda::copy(s, g, T);
  wait(f);
  out[TX] = s[T - 1 - TX];
  wait(f);
  s[TX] = out[TX];
  wait(f);
  out[TX] = s[TX / 2];
}
// Two buffers, by turns, of which one is read while the other one is filled; one barrier is enough for both.
KERNEL by_turns(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s[i & 1], g + i * T, T);
    wait(f);
    sum += s[i & 1][T - 1 - TX];
  }
  out[TX] = sum;
}
// Each thread reads what it fills itself.
KERNEL own(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[TX];
  }
  out[TX] = sum;
}
// Not read by all: the thread that fills the place, perhaps.
KERNEL of_one(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    if (TX == 0) sum += s[0];
  }
  out[TX] = sum;
}
KERNEL stored_by_one(const float *g, float *out, int n) {
  __shared__ float s[T];
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    if (TX == 0) out[i] = s[0];
  }
}
// Read once, when all has come.
KERNEL in_the_last(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    if (i == n - 1) sum += s[T - 1 - TX];
  }
  out[TX] = sum;
}
// Of what is read only the last is used, and nobody fills that again.
KERNEL kept_for_the_end(const float *g, float *out, int n, int m) {
  __shared__ float s[T];
  float last = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    last = 0;
    for (int k = 0; k < m; k++) last = last * 3 + s[k];
  }
  out[TX] = last;
}
// The loop fills a part, and reads another one.
KERNEL other_part(const float *g, float *out, int n) {
  __shared__ float s[2 * T];
  float sum = 0;
  auto h = copy_async(s + T, g, T);
  wait(h);
  for (int i = 1; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[2 * T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL first_part(const float *g, float *out, int n) {
  __shared__ float s[2 * T];
  float sum = 0;
  auto h = copy_async(s, g, T);
  wait(h);
  for (int i = 1; i < n; i++) {
    auto f = copy_async(s + T, g + i * T, T);
    wait(f);
    sum += s[T - 1 - TX];
  }
  out[TX] = sum;
}
// Shorter from iteration to iteration: what is read is not filled again.
KERNEL shorter(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < T - 1; i++) {
    auto f = copy_async(s, g + i * T, T - i);
    wait(f);
    sum += s[T - 1 - i];
  }
  out[TX] = sum;
}
KERNEL shorter_by_hand(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < T - 1; i++) {
    unsigned k = TX;
    do {
      coalda::detail::begin_async<4>(&s[k], &g[i * T + k]);
      k += blockDim.x;
    } while (k < T - i);
    coalda::detail::commit();
    wait(coalda::async_future<float>{s});
    sum += s[T - 1 - i];
  }
  out[TX] = sum;
}
// A barrier on the way, of another kind.
KERNEL met(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[T - 1 - TX];
    asm volatile("barrier.sync 3;" ::: "memory");
  }
  out[TX] = sum;
}
KERNEL counted(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[T - 1 - TX];
    if (!__syncthreads_or(sum < 100)) break;
  }
  out[TX] = sum;
}
// One warp is a block: its lanes go along together.
KERNEL __launch_bounds__(32) of_warp(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL once(const float *g, float *out) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < 1; i++) {
    auto f = copy_async(s, g, T);
    wait(f);
    sum += s[T - 1 - TX];
  }
  out[TX] = sum;
}
