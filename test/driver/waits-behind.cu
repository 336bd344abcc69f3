// A wait that is missing behind a loop whose length run time knows: what the last iterations have begun to copy is read behind it, and the waits in
// the loop were for those before. Told at the line of the copy; nothing is said of programs that are right.
// RUN: %clang -Wno-pass-failed --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -gline-tables-only -std=c++17 -I%source/include -fpass-plugin=%plugin -S %s -o %t.ptx > %t.out 2>&1
// RUN: %FileCheck %s --implicit-check-not=warning: < %t.out
// RUN: %clang -Wno-pass-failed --cuda-device-only --cuda-gpu-arch=sm_80 -O1 -gline-tables-only -std=c++17 -I%source/include -fpass-plugin=%plugin -S %s -o %t.1.ptx > %t.1.out 2>&1
// RUN: %FileCheck %s --implicit-check-not=warning: < %t.1.out
#include <coalda.h>
#include <cuda_pipeline.h>
#define KERNEL extern "C" __global__ void
#define TX threadIdx.x
enum { T = 256 };
using coalda::copy_async, coalda::wait, coalda::done;
template <class F> __device__ inline float last_of(const F &f) { return f.data[T - 1 - TX]; }

// ---- wrong ----

KERNEL by_int(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_int copies to shared memory asynchronously: no thread waits
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
    f = h;
  }
  out[TX] = sum + s[n & 1][T - 1 - TX];
}
KERNEL by_unsigned(const float *g, float *out, unsigned n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (unsigned i = 0; i < n; i++) {
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_unsigned copies to shared memory asynchronously: no thread waits
    auto h = copy_async(s[(i + 1) % 2], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i % 2][T - 1 - TX];
    done();
    f = h;
  }
  out[TX] = sum + s[n % 2][T - 1 - TX];
}
template <class V, class N, unsigned B> __device__ void turns(const V *g, V *out, N n) {
  __shared__ V s[B][T]; V sum = 0;
  auto f = copy_async(s[0], g, T);
  for (N i = 0; i < n; i++) {
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_long copies to shared memory asynchronously: no thread waits
    auto h = copy_async(s[(i + 1) % B], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i % B][T - 1 - TX];
    done();
    f = h;
  }
  out[TX] = sum + s[n % B][T - 1 - TX];
}
KERNEL by_long(const double *g, double *out, unsigned long n) { turns<double, unsigned long, 2>(g, out, n); }
KERNEL by_waiting_first(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    wait(f);
    sum += s[i & 1][T - 1 - TX];
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_waiting_first copies to shared memory asynchronously: no thread waits
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  __syncthreads();
  out[TX] = sum + s[n & 1][T - 1 - TX];
}
KERNEL by_futures(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto now = copy_async(s[0], g, T), next = now; next.data = s[1];
  for (int i = 1; i < n; i++) {
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_futures copies to shared memory asynchronously: no thread waits
    next = copy_async(next.data, g + i * T, T);
    wait<1>(now);
    sum += now.data[T - 1 - TX];
    done();
    coalda::swap(now, next);
  }
  out[TX] = sum + now.data[T - 1 - TX];
}
KERNEL by_pointers(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1, sum = 0;
  auto f = copy_async(a, g, T);
  int i = 1;
  while (i < n) {
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_pointers copies to shared memory asynchronously: no thread waits
    f = copy_async(b, g + i * T, T);
    wait<1>(f);
    sum += a[T - 1 - TX];
    done();
    float *c = a; a = b; b = c;
    i++;
  }
  out[TX] = sum + a[T - 1 - TX];
}
KERNEL by_three(const float *g, float *out, int n) {
  __shared__ float s[3][T]; float sum = 0;
  auto f = copy_async(s[0], g, T), h = copy_async(s[1], g + T, T);
  for (int i = 0; i < n; i++) {
    wait<1>(f);
    sum += s[i % 3][T - 1 - TX];
    f = h;
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_three copies to shared memory asynchronously: no thread waits
    h = copy_async(s[(i + 2) % 3], g + (i + 2) * T, T);
  }
  wait<1>(f);
  out[TX] = sum + s[n % 3][T - 1 - TX] + s[(n + 1) % 3][T - 1 - TX];
}
KERNEL by_pipeline(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  __pipeline_memcpy_async(&s[0][TX % T], g + TX, 4);
  __pipeline_commit();
  for (int i = 0; i < n; i++) {
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_pipeline copies to shared memory asynchronously: no thread waits
    __pipeline_memcpy_async(&s[(i + 1) & 1][TX], g + (i + 1) * T + TX, 4);
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    sum += s[i & 1][TX ^ 32];
    __syncthreads();
  }
  out[TX] = sum + s[n & 1][TX ^ 32];
}
KERNEL by_do(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  int i = 0;
  do {
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_do copies to shared memory asynchronously: no thread waits
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
    f = h;
  } while (++i < n);
  out[TX] = sum + s[n & 1][T - 1 - TX];
}
KERNEL by_loop_behind(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_loop_behind copies to shared memory asynchronously: no thread waits
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
    f = h;
  }
  for (int k = 0; k < 64; k++) sum += s[n & 1][(TX + k) % T];
  out[TX] = sum;
}
KERNEL __launch_bounds__(256) by_function(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 1; i <= n; i++) {
// CHECK: waits-behind.cu:[[@LINE+1]]:{{[0-9]+}}: warning: by_function copies to shared memory asynchronously: no thread waits
    auto h = copy_async(s[i & 1], g + i * T, T);
    wait<1>(f);
    sum += last_of(f);
    done();
    f = h;
  }
  out[TX] = sum + last_of(f);
}

// ---- right ----

KERNEL r_int(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
    f = h;
  }
  wait(f);
  out[TX] = sum + s[n & 1][T - 1 - TX];
}
// The last but one is read, which was waited for.
KERNEL r_before(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
    f = h;
  }
  out[TX] = sum + s[(n - 1) & 1][T - 1 - TX];
}
// The host sees to it that n is even.
KERNEL r_even(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
    f = h;
  }
  out[TX] = sum + s[1][T - 1 - TX];
}
KERNEL r_first(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    wait(f);
    sum += s[i & 1][T - 1 - TX];
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  wait(f);
  out[TX] = sum + s[n & 1][T - 1 - TX];
}
// The last iteration copies nothing.
KERNEL r_last_copies_nothing(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    wait(f);
    if (i + 1 < n) f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    sum += s[i & 1][T - 1 - TX];
  }
  out[TX] = sum + s[(n - 1) & 1][T - 1 - TX];
}
KERNEL r_futures(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto now = copy_async(s[0], g, T), next = now; next.data = s[1];
  for (int i = 1; i < n; i++) {
    next = copy_async(next.data, g + i * T, T);
    wait<1>(now);
    sum += now.data[T - 1 - TX];
    done();
    coalda::swap(now, next);
  }
  wait(now);
  out[TX] = sum + now.data[T - 1 - TX];
}
KERNEL r_other_future(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto now = copy_async(s[0], g, T), next = now; next.data = s[1];
  for (int i = 1; i < n; i++) {
    next = copy_async(next.data, g + i * T, T);
    wait<1>(now);
    sum += now.data[T - 1 - TX];
    done();
    coalda::swap(now, next);
  }
  out[TX] = sum + (n > 1 ? next.data[T - 1 - TX] : 0);
}
KERNEL r_three(const float *g, float *out, int n) {
  __shared__ float s[3][T]; float sum = 0;
  auto f = copy_async(s[0], g, T), h = copy_async(s[1], g + T, T);
  for (int i = 0; i < n; i++) {
    wait<1>(f);
    sum += s[i % 3][T - 1 - TX];
    f = h;
    h = copy_async(s[(i + 2) % 3], g + (i + 2) * T, T);
  }
  wait<1>(f);
  sum += s[n % 3][T - 1 - TX];
  wait(h);
  out[TX] = sum + s[(n + 1) % 3][T - 1 - TX];
}
KERNEL r_left_by_data(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  int i = 0;
  for (; i < n; i++) {
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    if (g[i] < 0) { wait(h); break; }
    done();
    f = h;
  }
  if (i == n) wait(f);
  out[TX] = sum + s[n & 1][T - 1 - TX];
}
KERNEL r_wait_by_condition(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    if (i + 1 < n) wait<1>(f); else wait(f);
    sum += s[i & 1][T - 1 - TX];
    done();
  }
  out[TX] = sum + s[n & 1][T - 1 - TX];
}
KERNEL r_waits_in_loop_behind(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
  }
  for (int k = 0; k < 64; k++) {
    if (k == 0) wait(f);
    sum += s[n & 1][(TX + k) % T];
  }
  out[TX] = sum;
}
KERNEL r_other_array(const float *g, float *out, int n) {
  __shared__ float s[2][T], r[T]; float sum = 0;
  r[TX % T] = TX;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
  }
  out[TX] = sum + r[T - 1 - TX % T];
}
KERNEL r_pieces(const float *g, float *out, int n) {
  __shared__ float s[2 * T]; float sum = 0;
  auto f = copy_async(s, g, T);
  for (int i = 0; i < n; i++) {
    f = copy_async(s + T, g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[T - 1 - TX];
    done();
  }
  out[TX] = sum + s[(TX + 1) % T];
}

// ---- wrong, and not told ----

// One of the two loads is too early, whatever n is: which one, n tells.
KERNEL by_steps(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i += T) {
    f = copy_async(s[(i / T + 1) & 1], g + i + T, T);
    wait<1>(f);
    sum += s[i / T & 1][T - 1 - TX];
    done();
  }
  out[TX] = sum + s[0][T - 1 - TX] + s[1][T - 1 - TX];
}
// Two arguments tell how long the loop is.
KERNEL by_two(const float *g, float *out, int begin, int end) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[begin & 1], g + begin * T, T);
  for (int i = begin; i < end; i++) {
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
  }
  out[TX] = sum + s[end & 1][T - 1 - TX];
}
