// Copies that are read before any thread has waited for them, and copies that fill what threads of other warps may still be reading: told by where
// each thread of a block writes and reads, whichever way the program says it. Nothing is said of programs that are right.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -gline-tables-only -std=c++17 -I%source/include -fpass-plugin=%plugin -S %s -o %t.ptx > %t.out 2>&1
// RUN: %FileCheck %s --implicit-check-not=warning: < %t.out
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_80 -O1 -gline-tables-only -std=c++17 -I%source/include -fpass-plugin=%plugin -S %s -o %t.1.ptx > %t.1.out 2>&1
// RUN: %FileCheck %s --implicit-check-not=warning: < %t.1.out
#include <coalda.h>
#define KERNEL extern "C" __global__ void
#define TX threadIdx.x
enum { T = 256 };
using coalda::copy_async, coalda::wait, coalda::done;
struct Stage {
  coalda::async_future<float> f;
  float s[T];
};
__device__ __noinline__ float use(const float *s) { return s[T - 1 - TX] * 3; }
__device__ __noinline__ float use_deep(const float *s) { return use(s + 1); }
__device__ __noinline__ float use_sync(const float *s) {
  float x = s[T - 1 - TX] * 3;
  __syncthreads();
  return x;
}
__device__ __noinline__ float wait_and_use(const float *s) {
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  return s[T - 1 - TX] * 3;
}
template <class V> __device__ V at(const V *s, unsigned i) { return s[i]; }

// ---- wrong ----

// never awaited
KERNEL n_extern(const float *g, float *out) {
  extern __shared__ float raw[];
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_extern copies to shared memory asynchronously: no thread waits
  auto f = copy_async(raw, g, T);
  __syncthreads();
  out[TX] = f.data[T - 1 - TX];
}
KERNEL n_offset(const float *g, float *out) {
  extern __shared__ char raws[];
  float *a = (float *)raws, *b = a + T;
// CHECK: threads-meet.cu:[[@LINE+2]]:{{[0-9]+}}: warning: n_offset copies to shared memory asynchronously: no thread waits
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_offset copies to shared memory asynchronously: no thread waits
  auto f = copy_async(a, g, T), h = copy_async(b, g + T, T);
  __syncthreads();
  out[TX] = f.data[T - 1 - TX] + h.data[TX];
}
KERNEL n_offset_stored(const float *g, float *out) {
  extern __shared__ char raws[];
  float *a = (float *)raws, *b = a + T;
  b[TX] = out[TX];
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_offset_stored copies to shared memory asynchronously: no thread waits
  auto f = copy_async(a, g, T);
  __syncthreads();
  out[TX] = f.data[T - 1 - TX] + b[T - 1 - TX];
}
KERNEL n_struct(const float *g, float *out) {
  __shared__ Stage m;
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_struct copies to shared memory asynchronously: no thread waits
  m.f = copy_async(m.s, g, T);
  __syncthreads();
  out[TX] = m.f.data[T - 1 - TX];
}
KERNEL n_struct_direct(const float *g, float *out) {
  __shared__ Stage m;
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_struct_direct copies to shared memory asynchronously: no thread waits
  m.f = copy_async(m.s, g, T);
  __syncthreads();
  out[TX] = m.s[T - 1 - TX];
}
KERNEL n_array_of_futures(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  coalda::async_future<float> f[2];
  float sum = 0;
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_array_of_futures copies to shared memory asynchronously: no thread waits
  f[0] = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_array_of_futures copies to shared memory asynchronously: no thread waits
    f[(i + 1) & 1] = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    done();
    sum += f[i & 1].data[T - 1 - TX];
    done();
  }
  out[TX] = sum;
}
KERNEL n_reader(const float *g, float *out) {
  __shared__ float s[T + 1];
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_reader copies to shared memory asynchronously: no thread waits
  auto f = copy_async(s, g, T + 1);
  __syncthreads();
  out[TX] = use(s);
}
KERNEL n_reader_deep(const float *g, float *out) {
  __shared__ float s[T + 1];
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_reader_deep copies to shared memory asynchronously: no thread waits
  auto f = copy_async(s, g, T + 1);
  __syncthreads();
  out[TX] = use_deep(f.data);
}
KERNEL n_swap(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
// CHECK-DAG: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_swap copies to shared memory asynchronously: no thread waits
  auto now = copy_async(s[0], g, T), next = now;
  next.data = s[1];
  for (int i = 1; i < n; i++) {
// CHECK-DAG: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_swap copies to shared memory asynchronously: no thread waits
    next = copy_async(next.data, g + i * T, T);
    done();
    sum += now.data[T - 1 - TX];
    done();
    coalda::swap(now, next);
  }
  out[TX] = sum;
}
KERNEL n_select(const float *g, float *out, int n) {
  __shared__ float s[T], r[T];
  float *p = n & 1 ? s : r;
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: n_select copies to shared memory asynchronously: no thread waits
  auto f = copy_async(p, g, T);
  __syncthreads();
  out[TX] = f.data[T - 1 - TX];
}
// used early in a noinline
KERNEL e_reader(const float *g, float *out) {
  __shared__ float s[T];
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: e_reader copies to shared memory asynchronously: no thread waits
  auto f = copy_async(s, g, T);
  float x = use(s);
  wait(f);
  out[TX] = x;
}
// refilled
KERNEL r_mod(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_mod copies to shared memory asynchronously: it fills again
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[(TX + 1) % T];
  }
  out[TX] = sum;
}
KERNEL r_xor(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_xor copies to shared memory asynchronously: it fills again
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[TX ^ 32];
  }
  out[TX] = sum;
}
KERNEL __launch_bounds__(256) r_17(const float *g, float *out, int n) {
  __shared__ float s[16][17];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_17 copies to shared memory asynchronously: it fills again
    auto f = coalda::copy_2d_async(&s[0][0], 17, g + i * T, 16, 16, 16);
    wait(f);
    sum += s[TX % 16][TX / 16];
  }
  out[TX] = sum;
}
KERNEL r_17_2d(const float *g, float *out, int n) {
  __shared__ float s[16][17];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_17_2d copies to shared memory asynchronously: it fills again
    auto f = coalda::copy_2d_async(&s[0][0], 17, g + i * T, 16, 16, 16);
    wait(f);
    for (int k = 0; k < 16; k++)
      sum = sum * 3 + s[threadIdx.y][k] * s[k][TX];
  }
  out[TX + threadIdx.y * 16] = sum;
}
KERNEL r_straight(const float *g, float *out) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  wait(f);
  float x = s[T - 1 - TX];
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_straight copies to shared memory asynchronously: it fills again
  f = copy_async(s, g + T, T);
  wait(f);
  out[TX] = x + s[T - 1 - TX];
}
KERNEL r_straight_16(const float *g, float *out) {
  __shared__ alignas(16) float s[1024];
  auto f = copy_async<16>(s, g, 1024);
  wait(f);
  float x = s[1023 - TX];
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_straight_16 copies to shared memory asynchronously: it fills again
  f = copy_async<16>(s, g + 1024, 1024);
  wait(f);
  out[TX] = x + s[1023 - TX];
}
KERNEL r_two_copies(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+2]]:{{[0-9]+}}: warning: r_two_copies copies to shared memory asynchronously: it fills again
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_two_copies copies to shared memory asynchronously: it fills again
    auto f = copy_async(s[0], g + i * T, T), h = copy_async(s[1], g + i * T + 4096, T);
    wait(f, h);
    sum += s[0][T - 1 - TX] * s[1][T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL r_prologue(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  auto f = copy_async(s, g, T);
  for (int i = 1; i < n; i++) {
    wait(f);
    sum += s[T - 1 - TX];
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_prologue copies to shared memory asynchronously: it fills again
    f = copy_async(s, g + i * T, T);
  }
  wait(f);
  out[TX] = sum + s[T - 1 - TX];
}
KERNEL r_extern(const float *g, float *out, int n) {
  extern __shared__ float raw[];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_extern copies to shared memory asynchronously: it fills again
    auto f = copy_async(raw, g + i * T, T);
    wait(f);
    sum += raw[T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL r_reader(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_reader copies to shared memory asynchronously: it fills again
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += use(s);
  }
  out[TX] = sum;
}
KERNEL two_missing(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: two_missing copies to shared memory asynchronously: it fills again
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    f = h;
  }
  wait(f);
  out[TX] = sum;
}
KERNEL two_missing_if(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto f = copy_async(s[0], g, T), h = f;
  for (int i = 0; i < n; i++) {
    if (i + 1 < n)
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: two_missing_if copies to shared memory asynchronously: it fills again
      h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    else
      coalda::detail::commit();
    wait<1>(f);
    sum += s[i & 1][T - 1 - TX];
    f = h;
  }
  wait(f);
  out[TX] = sum;
}
KERNEL three_late(const float *g, float *out, int n) {
  __shared__ float s[3][T];
  float sum = 0;
  coalda::async_future<float> f[3];
  for (int k = 0; k < 2; k++)
    f[k] = copy_async(s[k], g + k * T, T);
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: three_late copies to shared memory asynchronously: it fills again
    f[(i + 2) % 3] = copy_async(s[(i + 2) % 3], g + (i + 2) * T, T);
    wait<2>(f[i % 3]);
    sum += s[i % 3][T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL same_buffer(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    wait(f);
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: same_buffer copies to shared memory asynchronously: no thread waits
    f = copy_async(s[i & 1], g + (i + 1) * T, T);
    sum += s[i & 1][T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL two_loops(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: two_loops copies to shared memory asynchronously: it fills again
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    for (int k = 0; k < T; k++)
      sum = sum * 3 + s[k];
  }
  out[TX] = sum;
}
KERNEL vec4(const float4 *g, float4 *out, int n) {
  __shared__ float4 s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: vec4 copies to shared memory asynchronously: it fills again
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += at(s, (TX + 33) % T).x;
  }
  out[TX].x = sum;
}
KERNEL stencil(const float *g, float *out, int n) {
  __shared__ float s[T + 2];
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: stencil copies to shared memory asynchronously: it fills again
    auto f = copy_async(s, g + i * T, T + 2);
    wait(f);
    out[i * T + TX] = s[TX] + s[TX + 1] + s[TX + 2];
  }
}
KERNEL ty16(const float *g, float *out, int n) {
  __shared__ float s[16][16];
  float sum = 0;
  unsigned tx = threadIdx.x, ty = threadIdx.y;
  for (int k = 0; k < n; k += 16) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: ty16 copies to shared memory asynchronously: it fills
    coalda::detail::begin_async<4>(&s[ty][tx], g + ty * n + k + tx);
    coalda::detail::commit();
    coalda::detail::await<0>();
    __syncthreads();
    for (int j = 0; j < 16; j++) sum += s[ty][j] * s[j][tx];
  }
  out[ty * n + tx] = sum;
}
KERNEL e_wait1(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: e_wait1 copies to shared memory asynchronously: no thread waits
    auto f = copy_async(s[i & 1], g + i * T, T);
    sum += s[i & 1][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
KERNEL e_next(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto f = copy_async(s[0], g, T);
  wait(f);
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: e_next copies to shared memory asynchronously: no thread waits
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    __syncthreads();
    sum += s[(i + 1) & 1][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}

KERNEL r_mod_dim(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_mod_dim copies to shared memory asynchronously: it fills again
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[(TX + 1) % blockDim.x];
  }
  out[TX] = sum;
}
KERNEL e_mod_dim(const float *g, float *out) {
  __shared__ float s[T];
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: e_mod_dim copies to shared memory asynchronously: no thread waits
  auto f = copy_async(s, g, T);
  __syncthreads();
  out[TX] = s[(TX + blockDim.x / 2) % blockDim.x];
  wait(f);
}
KERNEL r_mod_condition(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_mod_condition copies to shared memory asynchronously: it fills again
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    if ((TX + 5) % blockDim.x < 48)
      sum += s[T - 1 - TX];
  }
  out[TX] = sum;
}
// some of the warps read
KERNEL r_half(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_half copies to shared memory asynchronously: it fills again
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    if (TX < T / 2)
      sum += s[T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL r_half_of_block(const float *g, float *out, int n) {
  __shared__ float s[T];
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_half_of_block copies to shared memory asynchronously: it fills again
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    if (TX < blockDim.x / 2)
      out[i * T + TX] = s[T - 1 - TX] * 3;
  }
}
KERNEL __launch_bounds__(256) r_half_two_buffers(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_half_two_buffers copies to shared memory asynchronously: it fills again
    auto h = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f);
    if (TX < 64)
      sum += s[i & 1][T - 1 - TX] * 2;
    f = h;
  }
  wait(f);
  out[TX] = sum;
}

// pointers change places
KERNEL r_swap(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto now = copy_async(s[0], g, T), next = now;
  next.data = s[1];
  for (int i = 1; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_swap copies to shared memory asynchronously: it fills again
    next = copy_async(next.data, g + i * T, T);
    wait<1>(now);
    sum += now.data[T - 1 - TX];
    coalda::swap(now, next);
  }
  wait(now);
  out[TX] = sum + now.data[T - 1 - TX];
}
KERNEL e_swap(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0, *a = s[0], *b = s[1];
  auto f = copy_async(a, g, T);
  for (int i = 1; i < n; i++) {
    wait(f);
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: e_swap copies to shared memory asynchronously: no thread waits
    f = copy_async(b, g + i * T, T);
    sum += b[T - 1 - TX];
    coalda::swap(a, b);
  }
  wait(f);
  out[TX] = sum;
}
KERNEL r_rotate(const float *g, float *out, int n) {
  __shared__ float s[3][T];
  float sum = 0, *a = s[0], *b = s[1], *c = s[2];
  auto f = copy_async(a, g, T), h = copy_async(b, g + T, T);
  for (int i = 0; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_rotate copies to shared memory asynchronously: it fills again
    auto k = copy_async(c, g + (i + 2) * T, T);
    wait<2>(f);
    sum += a[T - 1 - TX];
    f = h, h = k;
    coalda::rotate(a, b, c);
  }
  wait(f);
  out[TX] = sum;
}

// ---- right ----

KERNEL swap_done(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto now = copy_async(s[0], g, T), next = now;
  next.data = s[1];
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
// The wait at the begin of an iteration stands between both.
KERNEL swap_waits_first(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0, *a = s[0], *b = s[1];
  auto f = copy_async(a, g, T);
  for (int i = 1; i < n; i++) {
    wait(f);
    f = copy_async(b, g + i * T, T);
    sum += a[T - 1 - TX];
    coalda::swap(a, b);
  }
  wait(f);
  out[TX] = sum + a[T - 1 - TX];
}
KERNEL rotate_waits_first(const float *g, float *out, int n) {
  __shared__ float s[3][T];
  float sum = 0, *a = s[0], *b = s[1], *c = s[2];
  auto f = copy_async(a, g, T), h = copy_async(b, g + T, T);
  for (int i = 0; i < n; i++) {
    wait<1>(f);
    auto k = copy_async(c, g + (i + 2) * T, T);
    sum += a[T - 1 - TX];
    f = h, h = k;
    coalda::rotate(a, b, c);
  }
  wait(f);
  out[TX] = sum;
}
// Pointers that data choose, and that step on and begin anew.
KERNEL chosen_pointers(const float *g, float *out, const int *list, int n) {
  __shared__ float s[4][T];
  float sum = 0, *a = s[0], *b = s[1];
  for (int i = 0; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    wait(f);
    sum += a[T - 1 - TX];
    b = s[list[i] & 1 ? 1 : 2];
  }
  out[TX] = sum;
}
KERNEL stepping_pointer(const float *g, float *out, int n) {
  __shared__ float s[4][T];
  float sum = 0, *a = s[0];
  for (int i = 0; i < n; i++) {
    auto f = copy_async(a, g + i * T, T);
    wait(f);
    sum += a[T - 1 - TX];
    a = a == s[3] ? s[0] : a + T;
  }
  out[TX] = sum;
}
// Each has a half of its own.
KERNEL swap_apart(const float *g, float *out, int n) {
  __shared__ float s[4][T];
  float sum = 0, *a = s[0], *b = s[1];
  s[2][TX % T] = s[3][TX % T] = 1;
  __syncthreads();
  for (int i = 1; i < n; i++) {
    auto f = copy_async(b, g + i * T, T);
    sum += (a + 2 * T)[T - 1 - TX];
    wait(f);
    out[TX] += b[TX];
    coalda::swap(a, b);
  }
  out[TX] += sum;
}

KERNEL half_done(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    if (TX < T / 2)
      sum += s[T - 1 - TX];
    done();
  }
  out[TX] = sum;
}
// Each warp reads what it has copied.
KERNEL half_own(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (TX < T) coalda::detail::begin_async<4>(&s[TX], g + i * T + TX);
    coalda::detail::commit();
    coalda::detail::await<0>();
    __syncwarp();
    if (TX < T / 2)
      sum += s[TX ^ 31];
    __syncwarp();
  }
  out[TX] = sum;
}
KERNEL mod_own(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (TX < T) {
      coalda::detail::begin_async<4>(&s[TX], g + i * T + TX);
      coalda::detail::commit();
      coalda::detail::await<0>();
      sum += s[TX % blockDim.x];
    }
  }
  out[TX] = sum;
}
// A barrier at the begin of each iteration.
KERNEL half_waits_first(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  auto f = copy_async(s, g, T);
  for (int i = 1; i < n; i++) {
    wait(f);
    if (TX < T / 2)
      sum += s[T - 1 - TX];
    __syncthreads();
    f = copy_async(s, g + i * T, T);
  }
  wait(f);
  out[TX] = sum;
}
// By turns: one half of the iterations read, the others fill.
KERNEL half_by_turns(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (i & 1) {
      __syncthreads();
      if (TX < T / 2)
        sum += s[T - 1 - TX];
      __syncthreads();
    } else {
      auto f = copy_async(s, g + i * T, T);
      wait(f);
    }
  }
  out[TX] = sum;
}

KERNEL a1(const float *g, float *out) {
  extern __shared__ float raw[];
  auto f = copy_async(raw, g, T);
  wait(f);
  out[TX] = f.data[T - 1 - TX];
}
KERNEL a2(const float *g, float *out) {
  extern __shared__ char raws[];
  float *a = (float *)raws, *b = a + T;
  auto f = copy_async(a, g, T), h = copy_async(b, g + T, T);
  wait<1>(f);
  out[TX] = f.data[T - 1 - TX];
  wait(h);
  out[TX] += h.data[TX];
}
KERNEL a3(const float *g, float *out) {
  extern __shared__ char raws[];
  float *a = (float *)raws, *b = a + T;
  b[TX] = out[TX];
  auto f = copy_async(a, g, T);
  __syncthreads();
  float x = b[T - 1 - TX];
  wait(f);
  out[TX] = f.data[T - 1 - TX] + x;
}
KERNEL a4(const float *g, float *out) {
  __shared__ Stage m;
  m.f = copy_async(m.s, g, T);
  wait(m.f);
  out[TX] = m.f.data[T - 1 - TX];
}
KERNEL a5(const float *g, float *out) {
  __shared__ Stage m[2];
  m[0].f = copy_async(m[0].s, g, T);
  m[1].f = copy_async(m[1].s, g + T, T);
  wait<1>(m[0].f);
  out[TX] = m[0].s[T - 1 - TX];
  wait(m[1].f);
  out[TX + T] = m[1].s[T - 1 - TX];
}
KERNEL a6(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  coalda::async_future<float> f[2];
  float sum = 0;
  f[0] = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    f[(i + 1) & 1] = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    wait<1>(f[i & 1]);
    sum += f[i & 1].data[T - 1 - TX];
    done();
  }
  wait(f[0]);
  out[TX] = sum;
}
KERNEL a7(const float *g, float *out) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  wait(f);
  out[TX] = use(s);
}
KERNEL a8(const float *g, float *out) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  out[TX] = wait_and_use(s);
}
KERNEL a9(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += use(s);
    done();
  }
  out[TX] = sum;
}
KERNEL a10(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += use_sync(s);
  }
  out[TX] = sum;
}
KERNEL b1(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[(TX + 1) % T];
    done();
  }
  out[TX] = sum;
}
// own places
KERNEL b2(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[TX % T];
  }
  out[TX] = sum;
}
// lanes of one warp: 32 by 32
KERNEL __launch_bounds__(256) b3(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[TX ^ 1];
  }
  out[TX] = sum;
}
KERNEL b4(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[TX / 32 * 32 + (TX + 1) % 32];
  }
  out[TX] = sum;
}
// two buffers by turns, right, one barrier
KERNEL b5(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    wait(f);
    if (i + 1 < n)
      f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    sum += s[i & 1][T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL b6(const float *g, float *out, int n) {
  __shared__ float s[3][T];
  float sum = 0;
  coalda::async_future<float> f[3];
  for (int k = 0; k < 2; k++)
    f[k] = copy_async(s[k], g + k * T, T);
  for (int i = 0; i < n; i++) {
    wait<1>(f[i % 3]);
    f[(i + 2) % 3] = copy_async(s[(i + 2) % 3], g + (i + 2) * T, T);
    sum += s[i % 3][T - 1 - TX];
  }
  out[TX] = sum;
}
KERNEL b7(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto f = copy_async(s[0], g, T);
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
// straight
KERNEL c1(const float *g, float *out) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  wait(f);
  float x = s[T - 1 - TX];
  done();
  f = copy_async(s, g + T, T);
  wait(f);
  out[TX] = x + s[T - 1 - TX];
}
KERNEL c2(const float *g, float *out) {
  __shared__ float s[2][T];
  auto f = copy_async(s[0], g, T);
  wait(f);
  float x = s[0][T - 1 - TX];
  f = copy_async(s[1], g + T, T);
  wait(f);
  out[TX] = x + s[1][T - 1 - TX];
}
KERNEL c3(const float *g, float *out) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  wait(f);
  float x = s[TX];
  f = copy_async(s, g + T, T);
  wait(f);
  out[TX] = x + s[T - 1 - TX];
}
KERNEL c4(const float *g, float *out) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  wait(f);
  float x = s[T - 1 - TX];
  if (__syncthreads_or(x > 0)) {
    f = copy_async(s, g + T, T);
    wait(f);
  }
  out[TX] = x + s[T - 1 - TX];
}
// halves: the first half is read while the second one is filled
KERNEL c5(const float *g, float *out) {
  __shared__ float s[2 * T];
  auto f = copy_async(s, g, T);
  wait(f);
  float x = s[T - 1 - TX % T];
  f = copy_async(s + T, g + T, T);
  out[TX] = x + s[TX % T];
  wait(f);
  out[TX] += s[T + TX % T];
}
// every warp its own tile
KERNEL __launch_bounds__(256) c6(const float *g, float *out, int n) {
  __shared__ float s[8][64];
  float sum = 0;
  unsigned w = TX / 32, l = TX % 32;
  for (int i = 0; i < n; i++) {
    coalda::detail::begin_async<4>(&s[w][l], g + i * 512 + w * 64 + l);
    coalda::detail::begin_async<4>(&s[w][l + 32], g + i * 512 + w * 64 + l + 32);
    coalda::detail::commit();
    coalda::detail::await<0>();
    __syncwarp();
    sum += s[w][63 - l];
    __syncwarp();
  }
  out[TX] = sum;
}
KERNEL __launch_bounds__(256) c7(const float *g, float *out, int n) {
  __shared__ float s[8][64];
  float sum = 0;
  unsigned w = TX / 32, l = TX % 32;
  for (int i = 0; i < n; i++) {
    coalda::detail::begin_async<4>(&s[w][l], g + i * 512 + w * 64 + l);
    coalda::detail::begin_async<4>(&s[w][l + 32], g + i * 512 + w * 64 + l + 32);
    coalda::detail::commit();
    coalda::detail::await<0>();
    sum += s[w][63 - l];
  }
  out[TX] = sum;
}
// rows of a 2-D block: each row of threads its own row of the tile
KERNEL c8(const float *g, float *out, int n) {
  __shared__ float s[8][33];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    coalda::detail::begin_async<4>(&s[threadIdx.y][TX], g + i * 256 + threadIdx.y * 32 + TX);
    coalda::detail::commit();
    coalda::detail::await<0>();
    __syncwarp();
    for (int k = 0; k < 32; k++)
      sum = sum * 3 + s[threadIdx.y][k];
    __syncwarp();
  }
  out[TX] = sum;
}
// copies by some, reads by others, of other places
KERNEL c9(const float *g, float *out, int n) {
  __shared__ float s[2 * T];
  float sum = 0;
  if (TX < 32)
    for (int k = TX; k < 2 * T; k += 32)
      coalda::detail::begin_async<4>(&s[k], g + k);
  coalda::detail::commit();
  coalda::detail::await<0>();
  __syncthreads();
  for (int i = 0; i < n; i++) {
    sum += s[(i * 32 + TX) % (2 * T)];
  }
  out[TX] = sum;
}
// the first iteration alone copies
KERNEL d1(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (i == 0) {
      auto f = copy_async(s, g, T);
      wait(f);
    }
    sum += s[(TX + i) % T];
  }
  out[TX] = sum;
}
KERNEL d2(const float *g, float *out, int n, int m) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (i % m == 0) {
      done();
      auto f = copy_async(s, g + i, T);
      wait(f);
    }
    sum += s[(TX + i) % T];
  }
  out[TX] = sum;
}
KERNEL d3(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int j = 0; j < n; j++) {
    done();
    for (int i = 0; i < 4; i++) {
      if (i == 0) {
        auto f = copy_async(s, g + j * T, T);
        wait(f);
      }
      sum += s[(TX + i) % T];
    }
  }
  out[TX] = sum;
}
// barrier by hand
KERNEL d4(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[(TX + 1) % T];
    asm volatile("bar.sync 1, 256;" ::: "memory");
  }
  out[TX] = sum;
}
// last read before the loop ends only
KERNEL d5(const float *g, float *out, int n) {
  __shared__ float s[T];
  float x = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    x = s[(TX + 1) % T];
  }
  out[TX] = x;
}
// waits in the iteration before
KERNEL d6(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto f = copy_async(s[0], g, T);
  wait(f);
  for (int i = 0; i < n; i++) {
    f = copy_async(s[~i & 1], g + i * T, T);
    sum += s[i & 1][T - 1 - TX];
    wait(f);
  }
  out[TX] = sum;
}
// by pipelines of CUDA's header style
KERNEL d7(const float *g, float *out, int n) {
  __shared__ float s[4][T];
  float sum = 0;
  for (int k = 0; k < 3; k++) {
    if (k < n)
      coalda::detail::row<true, 0>(s[k], g + k * T, T);
    coalda::detail::commit();
  }
  for (int i = 0; i < n; i++) {
    coalda::detail::await<2>();
    __syncthreads();
    if (i + 3 < n)
      coalda::detail::row<true, 0>(s[(i + 3) % 4], g + (i + 3) * T, T);
    coalda::detail::commit();
    sum += s[i % 4][T - 1 - TX];
  }
  out[TX] = sum;
}
// the host knows: one buffer per block parity
KERNEL d8(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float *a = s[n & 1], *b = s[~n & 1];
  auto f = copy_async(a, g, T);
  wait(f);
  float x = a[T - 1 - TX];
  f = copy_async(b, g + T, T);
  wait(f);
  out[TX] = x + b[T - 1 - TX];
}
// copies and reads under opposite conditions
KERNEL d9(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (i & 1)
      sum += s[(TX + 1) % T];
    else {
      auto f = copy_async(s, g + i * T, T);
      wait(f);
    }
    __syncthreads();
  }
  out[TX] = sum;
}
KERNEL e1(const float *g, float *out, int n) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  if (n > 3)
    wait(f);
  else {
    wait(f);
    out[TX] = 1;
  }
  out[TX] += s[T - 1 - TX];
}
KERNEL e2(const float *g, float *out, int n) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  if (n > 3) {
    wait(f);
    out[TX] += s[T - 1 - TX];
  }
}
KERNEL e3(const float *g, float *out, int n) {
  __shared__ float s[T];
  if (n > 3)
    coalda::detail::row<true, 0>(s, g, T);
  else
    s[TX % T] = 1;
  coalda::detail::commit();
  if (n > 3)
    coalda::detail::await<0>();
  __syncthreads();
  out[TX] += s[T - 1 - TX % T];
}
KERNEL e4(const float *g, float *out, int n) {
  __shared__ float s[T];
  bool is = g[TX] > 0;
  if (is)
    coalda::detail::begin_async<4>(&s[TX], &g[TX]);
  else
    s[TX] = 0;
  coalda::detail::commit();
  if (is)
    coalda::detail::await<0>();
  out[TX] = s[TX];
}
KERNEL e5(const float *g, float *out, int n) {
  __shared__ float s[T];
  if (n & 1) {
    coalda::detail::row<true, 0>(s, g, T);
    coalda::detail::commit();
  }
  if (n & 1) {
    coalda::detail::await<0>();
  } else
    s[TX % T] = 3;
  __syncthreads();
  out[TX] = s[T - 1 - TX % T];
}
// written over
KERNEL e6(const float *g, float *out) {
  __shared__ float s[T];
  s[TX % T] = 3;
  __syncthreads();
  float x = s[T - 1 - TX % T];
  __syncthreads();
  auto f = copy_async(s, g, T);
  wait(f);
  out[TX] = x + s[T - 1 - TX % T];
}
// One warp is the whole block: nothing else fits.
KERNEL of_32(const float *g, float *out, int n) {
  __shared__ float s[32];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * 32, 32);
    wait(f);
    sum += s[31 - TX];
  }
  out[TX] = sum;
}
// One warp copies, the others read, by barriers with numbers.
KERNEL __launch_bounds__(256) by_roles(const float *g, float *out, int n) {
  __shared__ float s[224];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (TX < 32) {
      for (int k = TX; k < 224; k += 32) coalda::detail::begin_async<4>(&s[k], g + i * 224 + k);
      coalda::detail::commit();
      coalda::detail::await<0>();
      asm volatile("bar.arrive 1, 256;" ::: "memory");
      asm volatile("bar.sync 2, 256;" ::: "memory");
    } else {
      asm volatile("bar.sync 1, 256;" ::: "memory");
      sum += s[255 - TX];
      asm volatile("bar.arrive 2, 256;" ::: "memory");
    }
  }
  out[TX] = sum;
}
KERNEL left_before(const float *g, float *out) {
  __shared__ float s[T];
  for (int i = 0;; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    out[i * T + TX] = s[T - 1 - TX];
    if (s[0] > 0) break;
    done();
  }
}
// Never both.
KERNEL by_mode(const float *g, float *out, int mode) {
  __shared__ float s[T];
  if (mode == 0) {
    s[TX % T] = 1;
    __syncthreads();
    out[TX] = s[T - 1 - TX % T];
  }
  if (mode == 1) {
    auto f = copy_async(s, g, T);
    wait(f);
    out[TX] = s[T - 1 - TX];
  }
}
// What nobody reads any more is under way when the loop is left.
KERNEL one_too_many(const float *g, float *out, int n) {
  __shared__ float s[2][T];
  float sum = 0;
  auto f = copy_async(s[0], g, T);
  for (int i = 0; i < n; i++) {
    wait(f);
    f = copy_async(s[(i + 1) & 1], g + (i + 1) * T, T);
    sum += s[i & 1][T - 1 - TX];
  }
  out[TX] = sum;
}
// Each iteration around waits behind the last use.
KERNEL inside(const float *g, float *out, int n, int m) {
  __shared__ float s[T];
  float sum = 0;
  for (int j = 0; j < n; j++) {
    auto f = copy_async(s, g + j * T, T);
    wait(f);
    for (int i = 0; i < m; i++) sum += s[(TX + i) % T];
    done();
  }
  out[TX] = sum;
}
// A part that no thread copies is written by all, and read meanwhile.
KERNEL beside(const float *g, float *out, int n) {
  __shared__ float s[T + 32];
  float sum = 0;
  s[T + TX % 32] = TX % 32;
  __syncthreads();
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    sum += s[T + (TX + i) % 32];
    wait(f);
    sum += s[T - 1 - TX];
    done();
  }
  out[TX] = sum;
}
// The host chooses the same buffer, or another one.
KERNEL chosen(const float *g, float *out, int a, int b) {
  extern __shared__ float raw[];
  auto f = copy_async(raw + a, g, T);
  wait(f);
  float x = raw[a + T - 1 - TX];
  f = copy_async(raw + b, g + T, T);
  wait(f);
  out[TX] = x + raw[b + T - 1 - TX];
}
// Rows of threads that stay in their warp.
KERNEL __launch_bounds__(128) of_rows(const float *g, float *out, int n) {
  __shared__ float s[4][32];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    coalda::detail::begin_async<4>(&s[TX / 32][TX % 32], g + i * 128 + TX);
    coalda::detail::commit();
    coalda::detail::await<0>();
    sum += s[TX / 32][31 - TX % 32];
  }
  out[TX] = sum;
}
// A loop around both that is run once.
KERNEL run_once(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 1; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    sum += s[(TX + 1) % T];
  }
  out[TX] = sum;
}
// Whether the load is made is up to data; so is whether the copy is.
KERNEL by_data(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    bool fills = g[i] > 0;
    if (fills) {
      done();
      auto f = copy_async(s, g + i * T, T);
      wait(f);
    } else
      sum += s[(TX + 1) % T];
  }
  out[TX] = sum;
}
// Never both, though the load may be made before the choice.
KERNEL either(const float *g, float *out, int n) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  wait(f);
  float x = 0;
  if (n > 3)
    x = s[0];
  else {
    f = copy_async(s, g + T, T);
    wait(f);
    x = s[T - 1 - TX];
  }
  out[TX] = x;
}
// Nobody reads what is copied; what is read is chosen.
KERNEL unread(const float *g, float *out, int n) {
  __shared__ float s[T], r[T], q[T];
  r[TX % T] = q[TX % T] = out[TX];
  auto f = copy_async(s, g, T);
  float *p = n & 1 ? r : q;
  __syncthreads();
  out[TX] = p[T - 1 - TX] + (float)(f.data == r);
}
// Every other iteration reads, and the others copy.
KERNEL by_turns(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (i & 1) {
      auto f = copy_async(s, g + i * T, T);
      wait(f);
    } else if (i & 2)
      __syncthreads();
    if (!(i & 1)) {
      sum += s[(TX + 1) % T];
      done();
    }
  }
  out[TX] = sum;
}
// Threads that read are those that copy.
KERNEL first_half(const float *g, float *out, int n) {
  __shared__ float s[64];
  float sum = 0;
  for (int i = 0; i < n; i++) {
    if (TX < 32) {
      coalda::detail::begin_async<4>(&s[TX], g + i * 64 + TX);
      coalda::detail::begin_async<4>(&s[TX + 32], g + i * 64 + TX + 32);
      coalda::detail::commit();
      coalda::detail::await<0>();
      sum += s[63 - TX];
    }
  }
  out[TX] = sum;
}
// Threads that a list names, in pairs of their own.
KERNEL by_list(const float *g, float *out, const int *list, int n) {
  __shared__ float s[T];
  s[TX % T] = 1;
  __syncthreads();
  for (int i = 0; i < n; i++)
    if (list[TX]) {
      coalda::detail::begin_async<4>(&s[TX], g + i * T + TX);
      coalda::detail::commit();
      coalda::detail::await<0>();
      out[i * T + TX] = s[TX ^ 32];
    }
}
// What the loop of copies fills last is behind a barrier in it.
KERNEL parted(const float *g, float *out) {
  __shared__ float s[2 * T];
  auto f = copy_async(s, g, 2 * T);
  wait(f);
  float x = s[T + (TX + 1) % T];
#pragma unroll 1
  for (int k = 0; k < 2; k++) {
    coalda::detail::begin_async<4>(&s[k * T + TX % T], g + k * T + TX);
    coalda::detail::commit();
    wait(f);
  }
  out[TX] = x + s[TX % T];
}
KERNEL by_lists(const float *g, float *out, const int *list, const int *more, int n) {
  __shared__ float s[T];
  s[TX % T] = 1;
  __syncthreads();
  for (int i = 0; i < n; i++)
    if (list[TX] || more[more[TX]]) {
      coalda::detail::begin_async<4>(&s[TX], g + i * T + TX);
      coalda::detail::commit();
      coalda::detail::await<0>();
      out[i * T + TX] = s[TX ^ 32];
    }
}

// ---- wrong, of two arrays ----

KERNEL r_swap_arrays(const float *g, float *out, int n) {
  __shared__ float s[T], r[T];
  float sum = 0;
  auto now = copy_async(s, g, T), next = now;
  next.data = r;
  for (int i = 1; i < n; i++) {
// CHECK: threads-meet.cu:[[@LINE+1]]:{{[0-9]+}}: warning: r_swap_arrays copies to shared memory asynchronously: it fills again
    next = copy_async(next.data, g + i * T, T);
    wait<1>(now);
    sum += now.data[T - 1 - TX];
    coalda::swap(now, next);
  }
  wait(now);
  out[TX] = sum + now.data[T - 1 - TX];
}

// ---- wrong, and not told ----

KERNEL r_straight_if(const float *g, float *out, int n) {
  __shared__ float s[T];
  auto f = copy_async(s, g, T);
  wait(f);
  float x = s[T - 1 - TX];
  if (n > 3) {
    f = copy_async(s, g + T, T);
    wait(f);
    x += s[T - 1 - TX];
  }
  out[TX] = x;
}
KERNEL i_unrolled(const float *g, float *out) {
  __shared__ float s[T];
  float sum = 0;
  auto f = copy_async(s, g, T);
#pragma unroll
  for (int i = 0; i < 4; i++) {
    wait(f);
    sum += s[(TX + i) % T];
  }
  out[TX] = sum;
}
// Blocks of 64 threads are right.
KERNEL halves_of_warps(const float *g, float *out, int n) {
  __shared__ float s[T];
  float sum = 0;
  unsigned w = TX / 32;
  for (int i = 0; i < n; i++) {
    auto f = copy_async(s, g + i * T, T);
    wait(f);
    if (w < 4)
      sum += s[(TX + 64) % T];
  }
  out[TX] = sum;
}
