// Caches of elements of every size, in every layout, with one buffer and with two, of whole matrices and of bounded ones, show what the matrix has wherever
// blocks go: by less than they are long, back, and nowhere; in blocks of any shape and with every architecture's
// instructions. With -DDIRECT nothing is cached.
// DEFINE: %{made} = %clang-device -std=c++17 -gline-tables-only -I%source/include %s
// RUN: %{made} -O3 -DDIRECT -o %t.direct.ll
// RUN: %{made} -O3 -Wall -Wextra -Werror -Wno-unknown-cuda-version -o %t.plain.ll
// RUN: %{made} -O0 -o %t.slow.ll
// RUN: %{made} -O3 --cuda-gpu-arch=sm_70 --no-cuda-gpu-arch=sm_90 -o %t.70.ll
// RUN: %python %S/cached-types.py %sim %t
// RUN: %cuda/bin/nvcc -std=c++17 -arch=sm_90 -Werror all-warnings -I%source/include -c -o %t.o %s
#include <coalda.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>

struct Rgb { unsigned char r, g, b; };
struct Three { unsigned x, y, z; };
enum { ROWS = 13, COLS = 24, HIGH = 5, WIDE = 8 };
using Box = coalda::box<HIGH, WIDE>;
#ifdef DIRECT
using Space = coalda::direct;
#else
using Space = coalda::shared;
#endif

// Down by two, by one, by all, nowhere; up; right by three and by all; down and right at once; out of the matrix and back.
__device__ const signed char path[][2] = {{0, 0}, {2, 0}, {3, 0}, {8, 0}, {8, 0}, {6, 0}, {6, 3}, {6, 11}, {7, 12}, {0, 12}, {4, 12}, {4, 16}, {4, 15}};
__device__ const signed char outside[][2] = {{-2, -3}, {1, -3}, {5, -3}, {9, -3}, {20, -3}, {-9, 0}, {-4, 0}, {-4, 5}, {-4, 9}, {2, 19}, {2, 21}, {2, 40}, {2, 38}};
enum { STEPS = sizeof path / sizeof path[0] };

template <class T, class A> __device__ unsigned char *shown(unsigned char *out, const A &a) {
  for (unsigned k = coalda::detail::rank(); k < HIGH * WIDE; k += coalda::detail::threads()) {
    const T t = a.at(k / WIDE, k % WIDE);
    for (unsigned b = 0; b < sizeof(T); b++)
      out[k * sizeof(T) + b] = ((const unsigned char *)&t)[b];
  }
  return out + HIGH * WIDE * sizeof(T);
}

template <class T, class Layout, class M> __device__ __noinline__ unsigned char *walked(M m, const signed char (*to)[2], unsigned char *out) {
  __shared__ coalda::tile<T, Box, Layout> one;
  __shared__ coalda::tile<T, Box, Layout, 2> two;
  auto a = coalda::cached<Space, 64>(one, m);
  auto b = coalda::cached<Space, 64>(two, m);
  b.next(to[0][0], to[0][1]);
  for (int i = 0; i < STEPS; i++) {
    coalda::turn(b);
    if (i + 1 < STEPS)
      b.next(to[i + 1][0], to[i + 1][1]);
    auto f = a.move_to(to[i][0], to[i][1]);
    coalda::wait(f);
    out = shown<T>(shown<T>(out, a), b);
    coalda::done();
  }
  return out;
}

template <class T, class Layout> __device__ unsigned char *of_matrices(const unsigned char *in, unsigned char *out) {
  const T *g = (const T *)in;
  T value;
  for (unsigned b = 0; b < sizeof(T); b++)
    ((unsigned char *)&value)[b] = (unsigned char)(7 + b);
  out = walked<T, Layout>(coalda::matrix(g, (int)COLS), path, out);
  if constexpr (sizeof(T) == 4)
    out = walked<T, Layout>(coalda::matrix(g, (unsigned long)COLS), path, out);
  return walked<T, Layout>(coalda::bounded(g, (long)COLS, ROWS, COLS, value), outside, out);
}

#define TYPE(name, T) \
  extern "C" __global__ void of_##name(const unsigned char *in, unsigned char *out) { \
    out = of_matrices<T, coalda::row>(in, out); \
    out = of_matrices<T, coalda::column>(in, out); \
    out = of_matrices<T, coalda::padded>(in, out); \
    of_matrices<T, coalda::columns_padded<1>>(in, out); \
  }
TYPE(char, char)
TYPE(half, __half)
TYPE(bfloat16, __nv_bfloat16)
TYPE(half2, __half2)
TYPE(bfloat162, __nv_bfloat162)
TYPE(rgb, Rgb)
TYPE(float, float)
TYPE(double, double)
TYPE(three, Three)
TYPE(float4, float4)
