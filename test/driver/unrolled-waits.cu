// Pointers that change places between several arrays, and waits that leave the groups of copies under way which are read: in the same iteration, in
// the next one, and in loops that are unrolled. Told at the line of the copy; nothing is said of programs that are right.
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
template <int N = 0, class F> __device__ void wait_own(const F &) { asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory"); }
template <class V> __device__ V at(const V *s, unsigned i) { return s[i]; }
__device__ inline auto fill(float *s, const float *g) { return copy_async(s, g, T); }
template <class V, int N> __device__ void swapped(const V *g, V *out, int n) {
  __shared__ V p0[N], p1[N]; V *a = p0, *b = p1, sum = 0;
  wait(copy_async(a, g, N));
  for (unsigned long i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * N, N);
    sum += a[N - 1 - TX];
    wait_own(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}

// ---- wrong ----

KERNEL sw_next_int(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: sw_next_int copies to shared memory asynchronously: it fills again
    auto f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    wait_own(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL sw_next_unsigned(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (unsigned i = 1; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: sw_next_unsigned copies to shared memory asynchronously: it fills again
    auto f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    wait_own(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL sw_next_long(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (long i = 1; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: sw_next_long copies to shared memory asynchronously: it fills again
    auto f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    wait_own(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL sw_unwaited(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: sw_unwaited copies to shared memory asynchronously: no thread waits
    auto f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    __syncthreads();
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL sw_early(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: sw_early copies to shared memory asynchronously: no thread waits
    auto f = copy_async(b, g + i * T, T);
    sum += b[T - 1 - TX];
    wait(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL sw_same(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
    sum += a[T - 1 - TX];
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: sw_same copies to shared memory asynchronously: it fills again
    auto f = copy_async(a, g + i * T, T);
    wait(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL sw_while(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  int i = 1;
  while (i < n) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: sw_while copies to shared memory asynchronously: it fills again
    auto f = copy_async(b, g + i * T, T);
    sum += a[(TX + 32) % T];
    wait_own(f);
    float *c = a; a = b; b = c;
    i++;
  }
  out[TX] = sum;
}
KERNEL sw_pipe(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  __pipeline_memcpy_async(a + TX, g + TX, 4);
  __pipeline_commit(); __pipeline_wait_prior(0); __syncthreads();
  for (int i = 1; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: sw_pipe copies to shared memory asynchronously: it fills again
    __pipeline_memcpy_async(b + TX, g + i * T + TX, 4);
    __pipeline_commit();
    sum += a[TX ^ 32];
    __pipeline_wait_prior(0);
    float *c = a; a = b; b = c;
  }
  out[TX] = sum;
}
KERNEL sw_future(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float sum = 0;
  auto now = copy_async(p0, g, T), next = now; next.data = p1;
  wait(now);
  for (int i = 1; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: sw_future copies to shared memory asynchronously: it fills again
    next = copy_async(next.data, g + i * T, T);
    sum += now.data[T - 1 - TX];
    wait_own(next);
    coalda::swap(now, next);
  }
  out[TX] = sum;
}
KERNEL rot_wrong(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T], p2[T]; float *a = p0, *b = p1, *c = p2; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: rot_wrong copies to shared memory asynchronously: no thread waits
    auto f = copy_async(c, g + i * T, T);
    sum += c[T - 1 - TX] + b[TX];
    wait(f);
    coalda::rotate(a, b, c);
  }
  out[TX] = sum;
}
KERNEL rot_back(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T], p2[T]; float *a = p0, *b = p1, *c = p2; float sum = 0;
  auto f = copy_async(a, g, T), h = copy_async(b, g + T, T);
  for (int i = 2; i < n; i++) {
    wait<1>(f);
    sum += a[T - 1 - TX];
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: rot_back copies to shared memory asynchronously: it fills again
    f = copy_async(a, g + i * T, T);
    coalda::rotate(a, b, c);
  }
  wait(f);
  out[TX] = sum;
}
KERNEL rot_two_only(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  auto f = copy_async(a, g, T);
  for (int i = 1; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: rot_two_only copies to shared memory asynchronously: it fills again
    auto h = copy_async(b, g + i * T, T);
    wait_own<1>(f);
    sum += a[(TX + 32) % T];
    f = h;
    coalda::swap(a, b);
  }
  wait(f);
  out[TX] = sum;
}
// CHECK: unrolled-waits.cu:[[@LINE-161]]:{{[0-9]+}}: warning: tmpl copies to shared memory asynchronously: it fills again
KERNEL tmpl(const float *g, float *out, int n) {
  swapped<float, T>(g, out, n);
}
KERNEL sizes(const float *g, float *out, int n) {
  __shared__ float p0[T]; __shared__ float p1[2 * T]; float *a = p0, *b = p1 + T; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: sizes copies to shared memory asynchronously: it fills again
    auto f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    wait_own(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
// CHECK: unrolled-waits.cu:[[@LINE-182]]:{{[0-9]+}}: warning: inl copies to shared memory asynchronously: it fills again
KERNEL inl(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
    auto f = fill(b, g + i * T);
    sum += at(a, T - 1 - TX);
    wait_own(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL u4_lastmissed(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    wait(f);
    sum += s[i & 1][T - 1 - TX];
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u4_lastmissed copies to shared memory asynchronously: no thread waits
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  out[TX] = sum + s[4 & 1][T - 1 - TX];
}
KERNEL u4_behind(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u4_behind copies to shared memory asynchronously: no thread waits
    auto f = copy_async(s[i & 1], g + i * T, T);
    sum += s[i & 1][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL u4_wrongone(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u4_wrongone copies to shared memory asynchronously: no thread waits
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u4_wrongone copies to shared memory asynchronously: no thread waits
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u4_twowrong(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 4; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u4_twowrong copies to shared memory asynchronously: no thread waits
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[(i + 1) & 1][T - 1 - TX];
    done();
    f = h;
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u4_fill(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u4_fill copies to shared memory asynchronously: it fills again
    auto f = copy_async(s[i & 1], g + i * T, T);
    wait(f);
    sum += s[i & 1][T - 1 - TX] + s[1 - (i & 1)][T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL u2_behind(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll 2
  for (int i = 0; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u2_behind copies to shared memory asynchronously: no thread waits
    auto f = copy_async(s[i & 1], g + i * T, T);
    sum += s[i & 1][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL u2_wrongone(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll 2
  for (int i = 0; i < n; i++) {
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u2_wrongone copies to shared memory asynchronously: no thread waits
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u2_twowrong(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll 2
  for (int i = 0; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u2_twowrong copies to shared memory asynchronously: no thread waits
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[(i + 1) & 1][T - 1 - TX];
    done();
    f = h;
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u2_fill(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll 2
  for (int i = 0; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u2_fill copies to shared memory asynchronously: it fills again
    auto f = copy_async(s[i & 1], g + i * T, T);
    wait(f);
    sum += s[i & 1][T - 1 - TX] + s[1 - (i & 1)][T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL u1_behind(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u1_behind copies to shared memory asynchronously: no thread waits
    auto f = copy_async(s[i & 1], g + i * T, T);
    sum += s[i & 1][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL u1_wrongone(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u1_wrongone copies to shared memory asynchronously: no thread waits
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u1_twowrong(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll 1
  for (int i = 0; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u1_twowrong copies to shared memory asynchronously: no thread waits
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[(i + 1) & 1][T - 1 - TX];
    done();
    f = h;
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u1_fill(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u1_fill copies to shared memory asynchronously: it fills again
    auto f = copy_async(s[i & 1], g + i * T, T);
    wait(f);
    sum += s[i & 1][T - 1 - TX] + s[1 - (i & 1)][T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL u3_lastmissed(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 3; i++) {
    wait(f);
    sum += s[i & 1][T - 1 - TX];
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u3_lastmissed copies to shared memory asynchronously: no thread waits
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  out[TX] = sum + s[3 & 1][T - 1 - TX];
}
KERNEL u3_behind(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll
  for (int i = 0; i < 3; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u3_behind copies to shared memory asynchronously: no thread waits
    auto f = copy_async(s[i & 1], g + i * T, T);
    sum += s[i & 1][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL u3_wrongone(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u3_wrongone copies to shared memory asynchronously: no thread waits
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 3; i++) {
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u3_wrongone copies to shared memory asynchronously: no thread waits
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u3_twowrong(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 3; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u3_twowrong copies to shared memory asynchronously: no thread waits
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[(i + 1) & 1][T - 1 - TX];
    done();
    f = h;
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u3_fill(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll
  for (int i = 0; i < 3; i++) {
// CHECK: unrolled-waits.cu:[[@LINE+1]]:{{[0-9]+}}: warning: u3_fill copies to shared memory asynchronously: it fills again
    auto f = copy_async(s[i & 1], g + i * T, T);
    wait(f);
    sum += s[i & 1][T - 1 - TX] + s[1 - (i & 1)][T - 1 - TX];
  }
  out[TX] = sum;
}

// ---- right ----

KERNEL sw_right_int(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    wait(f);
    coalda::swap(a, b);
  }
  out[TX] = sum + a[T - 1 - TX];
}
KERNEL sw_right_unsigned(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (unsigned i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    wait(f);
    coalda::swap(a, b);
  }
  out[TX] = sum + a[T - 1 - TX];
}
KERNEL sw_right_long(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (long i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    wait(f);
    coalda::swap(a, b);
  }
  out[TX] = sum + a[T - 1 - TX];
}
KERNEL sw_done(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
    sum += a[T - 1 - TX];
    done();
    auto f = copy_async(a, g + i * T, T);
    wait(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL sw_while_right(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  int i = 1;
  while (i < n) {
    auto f = copy_async(b, g + i * T, T);
    sum += a[(TX + 32) % T];
    wait_own(f);
    __syncthreads();
    float *c = a; a = b; b = c;
    i++;
  }
  out[TX] = sum;
}
KERNEL sw_own(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  for (int k = TX; k < T; k += blockDim.x) __pipeline_memcpy_async(a + k, g + k, 4);
  __pipeline_commit(); __pipeline_wait_prior(0);
  for (int i = 1; i < n; i++) {
    for (int k = TX; k < T; k += blockDim.x) __pipeline_memcpy_async(b + k, g + i * T + k, 4);
    __pipeline_commit();
    for (int k = TX; k < T; k += blockDim.x) sum += a[k];
    __pipeline_wait_prior(0);
    float *c = a; a = b; b = c;
  }
  out[TX] = sum;
}
KERNEL sw_future_right(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float sum = 0;
  auto now = copy_async(p0, g, T), next = now; next.data = p1;
  for (int i = 1; i < n; i++) {
    wait(now);
    next = copy_async(next.data, g + i * T, T);
    sum += now.data[T - 1 - TX];
    coalda::swap(now, next);
  }
  wait(now);
  out[TX] = sum + now.data[T - 1 - TX];
}
KERNEL rot_right(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T], p2[T]; float *a = p0, *b = p1, *c = p2; float sum = 0;
  auto f = copy_async(a, g, T), h = copy_async(b, g + T, T);
  for (int i = 2; i < n; i++) {
    wait<1>(f);
    f = copy_async(c, g + i * T, T);
    sum += a[T - 1 - TX];
    coalda::rotate(a, b, c);
  }
  wait(f);
  out[TX] = sum + a[TX ^ 1] + b[TX ^ 1];
}
KERNEL warp(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    sum += a[TX];
    wait_own(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL disjoint(const float *g, float *out, int n) {
  __shared__ float p0[2 * T], p1[2 * T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
    auto f = copy_async(b + T, g + i * T, T);
    sum += a[T - 1 - TX];
    wait_own(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL cond(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    if (i & 1) wait(f); else wait(f);
    coalda::swap(a, b);
  }
  out[TX] = sum;
}
KERNEL noswap(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    wait(f);
    done();
    sum += b[TX ^ 1];
    done();
  }
  out[TX] = sum;
}
KERNEL u4_right(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll
  for (int i = 0; i < 4; i++) {
    auto f = copy_async(s[i & 1], g + i * T, T);
    if (i) sum += s[1 - (i & 1)][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL u4_lastright(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    wait(f);
    sum += s[i & 1][T - 1 - TX];
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  wait(f);
  out[TX] = sum + s[4 & 1][T - 1 - TX];
}
KERNEL u4_two(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
    f = h;
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u4_outside(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    wait(f);
    if (i + 1 < 4) f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    sum += s[i & 1][T - 1 - TX];
    done();
  }
  out[TX] = sum;
}
KERNEL u2_right(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll 2
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s[i & 1], g + i * T, T);
    if (i) sum += s[1 - (i & 1)][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL u2_lastright(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll 2
  for (int i = 0; i < n; i++) {
    wait(f);
    sum += s[i & 1][T - 1 - TX];
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  wait(f);
  out[TX] = sum + s[n & 1][T - 1 - TX];
}
KERNEL u2_two(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll 2
  for (int i = 0; i < n; i++) {
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
    f = h;
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u2_outside(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll 2
  for (int i = 0; i < n; i++) {
    wait(f);
    if (i + 1 < n) f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    sum += s[i & 1][T - 1 - TX];
    done();
  }
  out[TX] = sum;
}
KERNEL u1_right(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s[i & 1], g + i * T, T);
    if (i) sum += s[1 - (i & 1)][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL u1_lastright(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    wait(f);
    sum += s[i & 1][T - 1 - TX];
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  wait(f);
  out[TX] = sum + s[n & 1][T - 1 - TX];
}
KERNEL u1_two(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
    f = h;
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u1_outside(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll 1
  for (int i = 0; i < n; i++) {
    wait(f);
    if (i + 1 < n) f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    sum += s[i & 1][T - 1 - TX];
    done();
  }
  out[TX] = sum;
}
KERNEL u3_right(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
#pragma unroll
  for (int i = 0; i < 3; i++) {
    auto f = copy_async(s[i & 1], g + i * T, T);
    if (i) sum += s[1 - (i & 1)][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL u3_lastright(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 3; i++) {
    wait(f);
    sum += s[i & 1][T - 1 - TX];
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
  }
  wait(f);
  out[TX] = sum + s[3 & 1][T - 1 - TX];
}
KERNEL u3_two(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 3; i++) {
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    done();
    f = h;
  }
  wait(f);
  out[TX] = sum;
}
KERNEL u3_outside(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
#pragma unroll
  for (int i = 0; i < 3; i++) {
    wait(f);
    if (i + 1 < 3) f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    sum += s[i & 1][T - 1 - TX];
    done();
  }
  out[TX] = sum;
}
// rings with counted groups, two, three, four
template <int S> __device__ void ring(const float *g, float *out, int n) {
  __shared__ float s[S][T]; float sum = 0; coalda::async_future<float> f;
  for (int i = 0; i < S - 1; i++) f = copy_async(s[i], g + i * T, i < n ? T : 0);
  for (int i = 0; i < n; i++) {
    wait<S - 2>(f);
    f = copy_async(s[(i + S - 1) % S], g + (i + S - 1) * T, i + S - 1 < n ? T : 0);
    sum += s[i % S][T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL r2(const float *g, float *out, int n) { ring<2>(g, out, n); }
KERNEL r3(const float *g, float *out, int n) { ring<3>(g, out, n); }
KERNEL r4(const float *g, float *out, int n) { ring<4>(g, out, n); }
// raw pipelines
template <int S, class I> __device__ void pipe(const float *g, float *out, I n) {
  __shared__ float s[S][T]; float sum = 0;
  for (I i = 0; i < S - 1; i++) { if (i < n) __pipeline_memcpy_async(&s[i][TX], g + i * T + TX, 4); __pipeline_commit(); }
  for (I i = 0; i < n; i++) {
    if (i + S - 1 < n) __pipeline_memcpy_async(&s[(i + S - 1) % S][TX], g + (i + S - 1) * T + TX, 4);
    __pipeline_commit();
    __pipeline_wait_prior(S - 1);
    __syncthreads();
    sum += s[i % S][TX ^ 33];
    __syncthreads();
  }
  out[TX] = sum;
}
KERNEL p2(const float *g, float *out, int n) { pipe<2, int>(g, out, n); }
KERNEL p3(const float *g, float *out, int n) { pipe<3, unsigned>(g, out, n); }
KERNEL p4(const float *g, float *out, int n) { pipe<4, long>(g, out, n); }
// two arrays, a group each, waits of one
KERNEL two_groups(const float *g, const float *h, float *out, int n) {
  __shared__ float a[T], b[T]; float sum = 0;
  auto f = copy_async(a, g, T); auto e = copy_async(b, h, T);
  for (int i = 1; i <= n; i++) {
    wait<1>(f); sum += a[TX ^ 32]; done();
    if (i < n) f = copy_async(a, g + i * T, T); else asm volatile("cp.async.commit_group;");
    wait<1>(e); sum += b[TX ^ 32]; done();
    if (i < n) e = copy_async(b, h + i * T, T); else asm volatile("cp.async.commit_group;");
  }
  out[TX] = sum;
}
// first iteration has nothing
KERNEL late(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  for (int i = 0; i <= n; i++) {
    coalda::async_future<float> f;
    if (i < n) f = copy_async(s[i & 1], g + i * T, T);
    else asm volatile("cp.async.commit_group;");
    if (i > 0) { wait<1>(f); sum += s[(i - 1) & 1][TX ^ 32]; done(); }
  }
  out[TX] = sum;
}
KERNEL only_first(const float *g, float *out, int n) {
  __shared__ float s[T]; float sum = 0;
  wait(copy_async(s, g, T));
  for (int i = 0; i < n; i++) {
    if (i == 0) sum += s[TX ^ 32];
    __syncthreads();
    auto f = copy_async(s, g + i * T, T);
    out[TX + i * T] = sum + i;
    if (i == n - 1) { wait(f); sum += s[TX ^ 64]; }
  }
  out[TX] = sum;
}
KERNEL chosen_first(const float *g, float *out, int n) {
  __shared__ float s[16 * T]; float sum = 0;
  wait(copy_async(s + T, g, T));
  for (int i = 0; i < n; i++) {
    if (i == 0) sum += s[T + 5];
    __syncthreads();
    auto f = copy_async(s + (i + 1) * T, g + i * T, T);
    out[TX + i * T] = sum + i;
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  out[TX] = sum + s[n * T + (TX ^ 64)];
}
KERNEL swap3(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T], p2[T]; float *a = p0, *b = p1, *c = p2; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    sum += a[TX ^ 32];
    wait(f);
    float *t = a; a = b; b = c; c = t;
  }
  out[TX] = sum + a[TX ^ 32];
}
KERNEL rot3nobarrier(const float *g, float *out, int n) { 
  __shared__ float p0[T], p1[T], p2[T]; float *a = p0, *b = p1, *c = p2; float sum = 0;
  wait(copy_async(a, g, T)); wait(copy_async(b, g, T));
  for (int i = 1; i < n; i++) {
    sum += a[TX ^ 32];
    __syncthreads();
    auto f = copy_async(a, g + i * T, T);
    sum += b[TX ^ 32];
    wait(f);
    float *t = a; a = b; b = t;
  }
  out[TX] = sum + a[TX ^ 32];
}
KERNEL pick(const float *g, float *out, int n) {
  __shared__ float p0[T], p1[T]; float sum = 0;
  for (int i = 0; i < n; i++) {
    float *a = i & 1 ? p1 : p0, *b = i & 1 ? p0 : p1;
    auto f = copy_async(a, g + i * T, T);
    if (i) sum += b[TX ^ 32];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL swap_cond(const float *g, float *out, int n, int m) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    sum += a[TX ^ 32];
    wait(f);
    if (i % m) coalda::swap(a, b);
    else done();
  }
  out[TX] = sum;
}
KERNEL swap_inner(const float *g, float *out, int n, int m) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  wait(copy_async(a, g, T));
  for (int j = 0; j < m; j++)
    for (int i = 1; i < n; i++) {
      auto f = copy_async(b, g + i * T, T);
      for (int k = 0; k < 4; k++) sum += a[(TX + k * 32) % T];
      wait(f);
      float *t = a; a = b; b = t;
    }
  out[TX] = sum;
}
KERNEL swap_outer(const float *g, float *out, int n, int m) {
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  for (int j = 0; j < m; j++) {
    auto f = copy_async(b, g + j * T, T);
    for (int i = 1; i < n; i++) sum += a[TX ^ 32] * i;
    wait(f);
    float *t = a; a = b; b = t;
  }
  out[TX] = sum;
}
KERNEL store_swap(const float *g, float *out, int n) { // written by stores as well
  __shared__ float p0[T], p1[T]; float *a = p0, *b = p1; float sum = 0;
  a[TX] = 0;
  __syncthreads();
  for (int i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    sum += a[TX ^ 32];
    wait(f);
    b[TX] += sum;
    __syncthreads();
    float *t = a; a = b; b = t;
  }
  out[TX] = sum;
}
KERNEL prefetch_wrap(const float *g, float *out, int n) {
  __shared__ float s[2][T]; float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (unsigned i = 0; i < n; ++i) {
    wait(f);
    f = copy_async(s[(i + 1) % 2], g + ((i + 1) % n) * T, T);
    sum += s[i % 2][TX ^ 32];
  }
  wait(f);
  out[TX] = sum;
}
KERNEL unroll_wait1(const float *g, float *out) {
  __shared__ float s[3][T]; float sum = 0;
  coalda::async_future<float> f = copy_async(s[0], g, T);
  f = copy_async(s[1], g + T, T);
#pragma unroll
  for (int i = 0; i < 8; i++) {
    if (i < 7) wait<1>(f); else wait(f);
    if (i + 2 < 8) f = copy_async(s[(i + 2) % 3], g + (i + 2) * T, T);
    sum += s[i % 3][TX ^ 32];
  }
  out[TX] = sum;
}
