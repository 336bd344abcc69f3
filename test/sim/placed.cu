// Memory that the header declares, spans, what a wait returns, hints for the caches, and lists in order: the same bytes as plain loops, with and without
// the plugin, with every architecture's instructions. A wait for what has been waited for is an error of the compilation.
// DEFINE: %{made} = %clang-device -std=c++17 -gline-tables-only -I%source/include %s
// RUN: %{made} -O3 -DBY_LOOPS -o %t.loops.ll
// RUN: %{made} -O3 -Wall -Wextra -Werror -Wno-unknown-cuda-version -o %t.plain.ll
// RUN: %{made} -O3 -fpass-plugin=%plugin -o %t.made.ll
// RUN: %{made} -O0 -o %t.slow.ll
// RUN: %{made} -O3 --cuda-gpu-arch=sm_80 --no-cuda-gpu-arch=sm_90 -o %t.80.ll
// RUN: %{made} -O3 --cuda-gpu-arch=sm_60 --no-cuda-gpu-arch=sm_90 -o %t.60.ll
// RUN: %python %S/placed.py %sim %t
// RUN: %cuda/bin/nvcc -std=c++17 -arch=sm_90 -Werror all-warnings -I%source/include -c -o %t.o %s
// RUN: %cuda/bin/nvcc -std=c++17 -arch=sm_80 -I%source/include -ptx -o %t.ptx %s
// RUN: %cuda/bin/nvcc -std=c++17 -arch=sm_75 -I%source/include -ptx -o %t.ptx %s
// RUN: %FileCheck %s --check-prefix=HINTS --input-file=%t.plain.ll
// HINTS-DAG: ld.global.nc.L1::evict_first.v4.u32
// HINTS-DAG: ld.global.nc.L1::no_allocate.u32
// HINTS-DAG: createpolicy.fractional.L2::evict_last.b64
// HINTS-DAG: cp.async.cg.shared.global.L2::cache_hint
// The next load of a thread stands in front of a long body that needs this one's, whatever the body calls.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include -S %s -o %t.s && %FileCheck %s --check-prefix=AHEAD --input-file=%t.s
// AHEAD-LABEL: .entry ahead(
// AHEAD: ld.global.nc.b32 [[NEXT:%r[0-9]+]], [
// AHEAD: ld.global.nc.b32 [[NEXT]], [
// AHEAD: ld.local
// AHEAD: ret;
// RUN: %not %{made} -O1 -DTWICE -o %t.no.ll 2>&1 | %FileCheck %s --check-prefix=TWICE
// TWICE: this copy has been waited for: it is what a wait returned
// RUN: %not %{made} -O1 -DPLACE -o %t.no.ll 2>&1 | %FileCheck %s --check-prefix=PLACE
// PLACE: what is waited for is a future, as copies and stores return them, or a channel
#include <coalda.h>
#define KERNEL extern "C" __global__ void
#define TX threadIdx.x

struct Three { unsigned x, y, z; };
struct Rgb { unsigned char r, g, b; };

// ---- sums in the order of the list ----

template <class I> __device__ void of_list(const float *g, const I *index, float *out, unsigned n) {
  float sum = 0;
#ifdef BY_LOOPS
  for (unsigned j = 0; j < n; j++) sum = sum * 0.5f + g[index[j] * 16 + TX % 16];
#else
  auto &o = COALDA_SHARED(coalda::order<I, 70>);
  coalda::sorted(o, index, n);
  auto rows = coalda::wait(coalda::gather<16>(COALDA_BUFFER(float, 70 * 16), g, o.index, n, 16));
  for (unsigned j = 0; j < n; j++) sum = sum * 0.5f + rows[o.place[j] * 16 + TX % 16];
  bool rises = rows.span().size == n * 16;
  for (unsigned j = 1; j < n; j++) rises &= o.index[j - 1] <= o.index[j];
  if (!rises) sum = -1;
#endif
  out[blockIdx.x * blockDim.x + TX] = sum;
}
KERNEL of_ints(const float *g, const int *index, float *out, unsigned n) { of_list(g, index, out, n); }
// Every number three times.
KERNEL of_longs(const float *g, const int *index, float *out, unsigned n) {
  __shared__ long long list[70];
  for (unsigned k = TX; k < n; k += blockDim.x) list[k] = index[k / 3];
  __syncthreads();
  of_list(g, list, out, n);
}

// ---- spans: from the first place to the last one ----

#ifdef BY_LOOPS
#define SIZE(call, expected) out[at++] = (expected);
#else
#define SIZE(call, expected) \
  { \
    auto f = call; \
    coalda::wait(f); \
    out[at++] = f.span().size; \
    if (f.data != s || f.span().begin() != s || f.span().end() != s + f.size || &f.span()[1] != s + 1) out[at - 1] = 999; \
  }
#endif
KERNEL sizes(const int *g, const int *index, unsigned *out, unsigned rows, unsigned cols) {
  int *s = COALDA_BUFFER(int, 1024);
  const unsigned n = rows * cols, pitch = cols + 3, last = n ? (rows - 1) * pitch + cols : 0;
  unsigned at = 0;
  (void)s, (void)g, (void)index, (void)pitch, (void)last;
#ifndef BY_LOOPS
  auto c = coalda::open(COALDA_SHARED(coalda::channel[1]));
#endif
  SIZE(coalda::copy(s, g, n), n)
  SIZE(coalda::copy_async(s, g, n), n)
  SIZE(coalda::copy(s, g, n, coalda::pad(2, 3)), n + 5)
  SIZE(coalda::copy_async(s, g, n, coalda::pad(1, 0, 7)), n + 1)
  SIZE(coalda::copy_2d(s, pitch, g, cols, rows, cols), last)
  SIZE(coalda::copy_2d_async(s, pitch, g, cols, rows, cols), last)
  SIZE(coalda::copy_2d(s, pitch, g, cols, rows, cols, coalda::pad(1, 1, 1, 1)), (rows + 1) * pitch + cols + 2)
  SIZE(coalda::copy_2d(s, rows + 1, g, cols, rows, cols, coalda::transposed), n ? (cols - 1) * (rows + 1) + rows : 0)
  SIZE(coalda::copy_transposed(s, rows + 1, g, cols, rows, cols), n ? (cols - 1) * (rows + 1) + rows : 0)
  SIZE(coalda::gather(s, g, index, rows, cols), n)
  SIZE(coalda::gather_async(s, g, index, rows, cols, coalda::pad(0, 1, 0, 2)), (rows + 1) * (cols + 2))
  SIZE(coalda::copy_padded(s, g, -1, n, n, 5), n)
  SIZE(c[0].copy(s, g, n), n)
  SIZE(c[0].copy_2d(s, pitch, g, cols, rows, cols), last)
  SIZE(c[0].gather(s, g, index, rows, cols, coalda::transposed), n)
}

// ---- memory of its own ----

template <class T> __device__ T summed(const T *g, int k) {
  T sum = 0;
#ifdef BY_LOOPS
  for (int i = 0; i < k; i++)
    for (unsigned j = 0; j < 100; j++) sum = sum * 3 + g[i * 100 + j];
#else
  auto &s = COALDA_BUFFERS(T, 100, 3);
  if ((unsigned long long)&s[1][0] % 16 || (unsigned long long)&s[2][0] % 16) return 0;
  coalda::async_future<T> a = coalda::copy_async(s[0], g, 100), b = coalda::copy_async(s[1], g + 100, 100);
  for (int i = 0; i < k; i++) {
    const int next = i + 2 < k ? i + 2 : k - 1;
    auto c = coalda::copy_async(s[(i + 2) % 3], g + next * 100, 100);
    auto now = coalda::wait<2>(a);
    for (T v : now.span()) sum = sum * 3 + v;
    coalda::done();
    a = b, b = c;
  }
  coalda::wait(a);
#endif
  return sum;
}
KERNEL stages(const unsigned *g, unsigned long long *out, int k) {
  out[TX] = summed(g, k) + 5 * summed((const unsigned long long *)g, k / 2) + summed((const unsigned char *)g, k);
}
// Of a loop that the plugin makes a ring of.
KERNEL ring(const float *g, float *out, int k) {
  float sum = 0;
  for (int i = 0; i < k; i++) {
    const float *from = g + (blockIdx.x * k + i) * 256;
#ifdef BY_LOOPS
    sum = sum * 0.5f + from[TX] + from[255 - TX];
#else
    auto tile = coalda::wait(coalda::copy<16, coalda::evict_first>(COALDA_BUFFER(float, 256), from, 256));
    sum = sum * 0.5f + tile[TX] + tile[255 - TX];
    coalda::done();
#endif
  }
  out[blockIdx.x * blockDim.x + TX] = sum;
}

// Two registers, by turns; and a block that is read once and so lies nowhere.
KERNEL ahead(const float *__restrict__ g, float *out, int k) {
  float sum = 0;
#ifdef BY_LOOPS
  for (int i = 0; i < k; i++) sum += sinf(g[i * 64 + TX]) * cosf(sum);
#else
  coalda::tile<float, coalda::box<1, 1>, coalda::row, 2> memory;
  auto a = coalda::cached<coalda::registers, 1>(memory, coalda::matrix(g + TX, 64));
  if (k > 0) a.next(0, 0);
  for (int i = 0; i < k; i++) {
    coalda::turn(a);
    if (i + 1 < k) a.next(i + 1, 0);
    sum += sinf(a.at(0, 0)) * cosf(sum);
  }
#endif
  out[TX] = sum;
}
template <unsigned Reads> __device__ float summed_tiles(const float *g, int k) {
  float sum = 0;
#ifdef BY_LOOPS
  for (int i = 0; i < k; i++)
    for (unsigned j = 0; j < Reads; j++) sum = sum * 0.5f + g[i * 64 + (TX + j) % 64];
#else
  auto a = coalda::cached<coalda::thrifty<coalda::shared, Reads>, 64>(COALDA_SHARED(coalda::tile<float, coalda::box<1, 64>>), coalda::matrix(g, 64));
  static_assert(decltype(a)::is_shared == (Reads > 1), "what is read once lies nowhere");
  for (int i = 0; i < k; i++) {
    coalda::wait(a.move_to(i, 0));
    for (unsigned j = 0; j < Reads; j++) sum = sum * 0.5f + a.at(0, (TX + j) % 64);
    coalda::done();
  }
#endif
  return sum;
}
KERNEL thrifty(const float *g, float *out, int k) { out[TX] = summed_tiles<1>(g, k) + 3 * summed_tiles<2>(g, k); }

// ---- hints ----

template <class T> __device__ unsigned char *shown(unsigned char *out, const T *s, unsigned n) {
  __syncthreads();
  for (unsigned k = coalda::detail::rank(); k < n * sizeof(T); k += coalda::detail::threads()) out[k] = ((const unsigned char *)s)[k];
  __syncthreads();
  return out + n * sizeof(T);
}
template <class T, unsigned Aligned, coalda::hint Hint> __device__ unsigned char *hinted(T (*s)[128], const T *g, const int *index, unsigned char *out) {
#ifdef BY_LOOPS
  for (unsigned k = coalda::detail::rank(); k < 128; k += coalda::detail::threads()) {
    s[0][k] = s[1][k] = g[k];
    s[2][k] = g[k / 16 * 32 + k % 16];
    s[3][k] = g[index[k / 16] * 16 + k % 16];
  }
#else
  auto a = coalda::copy<Aligned, Hint>(s[0], g, 128);
  auto b = coalda::copy_async<Aligned, Hint>(s[1], g, 128);
  auto c = coalda::copy_2d<Aligned, Hint>(s[2], 16, g, 32, 8, 16);
  auto d = coalda::gather_async<Aligned, Hint>(s[3], g, index, 8, 16);
  coalda::wait(a, b, c, d);
#endif
  return shown(out, s[0], 4 * 128);
}
template <class T> __device__ void all_hints(const T *g, const int *index, unsigned char *out) {
  __shared__ alignas(16) T s[4][128];
  out = hinted<T, 0, coalda::evict_first>(s, g, index, out);
  out = hinted<T, 0, coalda::evict_last>(s, g, index, out);
  out = hinted<T, 0, coalda::no_allocate>(s, g, index, out);
  out = hinted<T, 16, coalda::evict_first>(s, g, index, out);
  out = hinted<T, 16, coalda::evict_last>(s, g, index, out);
  out = hinted<T, 16, coalda::no_allocate>(s, g, index, out);
  hinted<T, 16, coalda::evict_normal>(s, g, index, out);
}
#define HINTED(T) KERNEL hints_##T(const T *g, const int *index, unsigned char *out) { all_hints(g, index, out); }
HINTED(char)
HINTED(float)
HINTED(double)
HINTED(Three)
HINTED(Rgb)
HINTED(uint4)

#ifdef TWICE
KERNEL twice(const float *g, float *out) {
  auto tile = coalda::wait(coalda::copy_async(COALDA_BUFFER(float, 64), g, 64));
  coalda::wait(tile);
  out[TX] = tile[TX];
}
#endif
#ifdef PLACE
KERNEL place(const float *g, float *out) {
  auto f = coalda::copy(COALDA_BUFFER(float, 64), g, 64);
  coalda::wait(f.data);
  out[TX] = f.data[TX];
}
#endif
