// What is said of copies (pad, transposed), channels and asynchronous stores, of types of any size and alignment, from places of any alignment: the same
// bytes as plain loops, with every architecture's instructions, in blocks of any shape.
// DEFINE: %{made} = %clang-device -std=c++17 -gline-tables-only -I%source/include %s
// RUN: %{made} -O3 -DBY_LOOPS -o %t.loops.ll
// RUN: %{made} -O3 -Wall -Wextra -Werror -Wno-unknown-cuda-version -o %t.plain.ll
// RUN: %{made} -O3 -fpass-plugin=%plugin -o %t.made.ll
// RUN: %{made} -O0 -o %t.slow.ll
// RUN: %{made} -O3 --cuda-gpu-arch=sm_80 --no-cuda-gpu-arch=sm_90 -o %t.80.ll
// RUN: %{made} -O3 --cuda-gpu-arch=sm_70 --no-cuda-gpu-arch=sm_90 -o %t.70.ll
// RUN: %python %S/said.py %sim %t
// RUN: %cuda/bin/nvcc -std=c++17 -arch=sm_90 -Werror all-warnings -I%source/include -c -o %t.o %s
// RUN: %cuda/bin/nvcc -std=c++17 -arch=sm_80 -I%source/include -ptx -o %t.ptx %s
// RUN: %cuda/bin/nvcc -std=c++17 -arch=sm_75 -I%source/include -ptx -o %t.ptx %s
#include <coalda.h>

struct Pair { unsigned x, y; };           // 8 bytes that lie at any word
struct Three { unsigned x, y, z; };
struct Rgb { unsigned char r, g, b; };    // at any byte
struct alignas(8) Wide { unsigned x[6]; };
struct Letters { char c[4]; };
template <class T> __device__ T made(unsigned k) {
  T t;
  for (unsigned j = 0; j < sizeof(T); j++)
    ((unsigned char *)&t)[j] = (unsigned char)(k * 7 + j);
  return t;
}

// What the calls are to do, by loops.
template <class T> __device__ void row_by_loop(T *s, const T *g, unsigned n, unsigned lo, unsigned hi, T value) {
  if (coalda::detail::rank() == 0)
    for (unsigned k = 0; k < lo + n + hi; k++)
      s[k] = k >= lo && k - lo < n ? g[k - lo] : value;
  __syncthreads();
}
template <class T, class Place>
__device__ void rows_by_loop(Place place, const T *const *begin, unsigned rows, unsigned cols, unsigned top, unsigned bottom, unsigned left, unsigned right, T value) {
  if (coalda::detail::rank() == 0)
    for (unsigned i = 0; i < top + rows + bottom; i++)
      for (unsigned j = 0; j < left + cols + right; j++)
        *place(i, j) = i >= top && i - top < rows && j >= left && j - left < cols ? begin[i - top][j - left] : value;
  __syncthreads();
}
// All bytes go to the output.
template <class T> __device__ unsigned char *shown(unsigned char *out, const T *s, unsigned n) {
  __syncthreads();
  for (unsigned k = coalda::detail::rank(); k < n * sizeof(T); k += coalda::detail::threads())
    out[k] = ((const unsigned char *)s)[k];
  __syncthreads();
  return out + n * sizeof(T);
}
template <class T> __device__ void cleared(T *s, unsigned n) {
  for (unsigned k = coalda::detail::rank(); k < n; k += coalda::detail::threads())
    s[k] = T();
  __syncthreads();
}

#define EACH(X) X(char) X(short) X(float) X(double) X(Pair) X(Three) X(Rgb) X(Wide) X(Letters) X(uint4)

// Rows: elements at..at + n of g, to place `to` of s, between lo and hi values.
template <class T> __device__ void rows(const unsigned char *in, unsigned char *out, unsigned at, unsigned to, unsigned n, unsigned lo, unsigned hi) {
  enum { MOST = 200 };
  __shared__ alignas(16) T s[MOST], r[MOST], q[MOST];
  const T *g = (const T *)in + at;
  const T value = made<T>(3);
  cleared(s, MOST), cleared(r, MOST), cleared(q, MOST);
#ifdef BY_LOOPS
  row_by_loop(s + to, g, n, lo, hi, value);
  row_by_loop(r + to, g, n, lo, hi, T());
  row_by_loop(q + to, g, n, 0, 0, value);
#else
  auto f = coalda::copy(s + to, g, n, coalda::pad(lo, hi, value));
  auto h = coalda::copy_async(r + to, g, n, coalda::pad(lo, hi));
  auto o = coalda::copy_async(q + to, g, n);
  coalda::wait(f, h, o);
#endif
  out = shown(shown(shown(out, s, MOST), r, MOST), q, MOST);
  cleared(s, MOST), cleared(r, MOST), cleared(q, MOST);
#ifdef BY_LOOPS
  row_by_loop(s + to, g, n, lo, hi, value);
  row_by_loop(r + to, g, n, lo, hi, T());
  row_by_loop(q + to, g, n, 0, 0, value);
#else
  __shared__ coalda::channel memory[3];
  auto c = coalda::open(memory);
  auto a = c[0].copy(s + to, g, n, coalda::pad(lo, hi, value));
  auto b = c[1].copy(r + to, g, n, coalda::pad(lo, hi));
  auto d = c[2].copy(q + to, g, n);
  coalda::wait(b);
  coalda::wait(d, a);
#endif
  out = shown(shown(shown(out, s, MOST), r, MOST), q, MOST);
#ifdef BY_LOOPS
  row_by_loop(s, g, n, 0, 0, value);
  row_by_loop((T *)out + at, s, n, 0, 0, value);
#else
  for (int k = 0; k < 3; k++) { // one after the other, the same bytes: the channel's phases change
    coalda::wait(c[0].copy(s, g, n));
    coalda::done();
  }
  auto t = coalda::store_async((T *)out + at, s, n);
  coalda::wait(t);
  coalda::landed(t);
#endif
}

// Rectangles and named rows, padded, turned and both.
template <class T> __device__ void tiles(const unsigned char *in, const int *index, unsigned char *out, unsigned rows, unsigned cols, unsigned pitch, unsigned a, unsigned b) {
  enum { MOST = 520 };
  __shared__ alignas(16) T s[MOST], r[MOST];
  const T *g = (const T *)in;
  const T value = made<T>(5);
  const unsigned width = cols + 2 * b + 1, height = rows + a;
  const T *begin[8], *named[8];
  for (unsigned k = 0; k < rows; k++)
    begin[k] = g + k * pitch, named[k] = g + index[k] * cols;
  (void)value, (void)begin, (void)named;
#ifdef BY_LOOPS
#define FRAMED(call, begin, place, top, bottom, left, right) rows_by_loop([&](unsigned i, unsigned j) { return place; }, begin, rows, cols, top, bottom, left, right, value)
#else
#define FRAMED(call, ...) coalda::wait(call)
  __shared__ coalda::channel memory[1];
  auto c = coalda::open(memory);
#endif
#define SHOWN out = shown(shown(out, s, MOST), r, MOST)
#define CLEARED cleared(s, MOST), cleared(r, MOST)
  CLEARED;
  FRAMED(coalda::copy_2d(s, width, g, pitch, rows, cols, coalda::pad(a, 0, b, b, value)), begin, &s[i * width + j], a, 0, b, b);
  FRAMED(coalda::copy_2d_async(r, height, g, pitch, rows, cols, coalda::transposed), begin, &r[j * height + i], 0, 0, 0, 0);
  SHOWN; CLEARED;
  FRAMED(coalda::gather(s, g, index, rows, cols, coalda::transposed, coalda::pad(0, a, b, b + 1, value)), named, &s[j * height + i], 0, a, b, b + 1);
  FRAMED(coalda::gather_async(r, g, index, rows, cols, coalda::pad(a, 0, b, b, value)), named, &r[i * (cols + 2 * b) + j], a, 0, b, b);
  SHOWN; CLEARED;
  FRAMED(c[0].copy_2d(s, width, g, pitch, rows, cols), begin, &s[i * width + j], 0, 0, 0, 0);
  FRAMED(c[0].copy_2d(r, height, g, pitch, rows, cols, coalda::pad(a, 0, b, b, value), coalda::transposed), begin, &r[j * height + i], a, 0, b, b);
  SHOWN; CLEARED;
  FRAMED(c[0].gather(s, g, index, rows, cols), named, &s[i * cols + j], 0, 0, 0, 0);
  FRAMED(c[0].gather(r, g, index, rows, cols, coalda::pad(a, 0, b, b, value)), named, &r[i * (cols + 2 * b) + j], a, 0, b, b);
  SHOWN;
#ifdef BY_LOOPS
  const T *own[8];
  for (unsigned k = 0; k < rows; k++)
    own[k] = s + k * cols;
  rows_by_loop([&](unsigned i, unsigned j) { return (T *)out + i * pitch + j; }, own, rows, cols, 0, 0, 0, 0, value);
  rows_by_loop([&](unsigned i, unsigned j) { return (T *)out + 1024 + index[i] * cols + j; }, own, rows, cols, 0, 0, 0, 0, value);
#else
  auto p = coalda::store_2d((T *)out, pitch, s, cols, rows, cols, coalda::after());
  auto q = coalda::scatter((T *)out + 1024, s, index, rows, cols, coalda::after(p));
  coalda::wait(q);
#endif
}

#define KERNELS(T) \
  extern "C" __global__ void rows_##T(const unsigned char *in, unsigned char *out, unsigned at, unsigned to, unsigned n, unsigned lo, unsigned hi) { \
    rows<T>(in, out, at, to, n, lo, hi); \
  } \
  extern "C" __global__ void tiles_##T(const unsigned char *in, const int *index, unsigned char *out, unsigned rows, unsigned cols, unsigned pitch, unsigned a, unsigned b) { \
    tiles<T>(in, index, out, rows, cols, pitch, a, b); \
  }
EACH(KERNELS)
