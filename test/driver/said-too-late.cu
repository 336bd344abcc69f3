// What is said of a copy or a store after its call is told where it belongs, by every compiler.
// DEFINE: %{device} = %not %clang --cuda-gpu-arch=sm_90 --cuda-device-only -std=c++17 -I%source/include -S %s -o %t.s
// DEFINE: %{nvcc} = %not %cuda/bin/nvcc -arch=sm_90 -std=c++17 -I%source/include -ptx %s -o %t.ptx
// RUN: %{device} -DPAD 2>&1 | %FileCheck %s --check-prefix=PAD
// RUN: %{nvcc} -DPAD 2>&1 | %FileCheck %s --check-prefix=PAD
// RUN: %{device} -DTURN 2>&1 | %FileCheck %s --check-prefix=TURN
// RUN: %{nvcc} -DTURN 2>&1 | %FileCheck %s --check-prefix=TURN
// RUN: %{device} -DCHANNEL 2>&1 | %FileCheck %s --check-prefix=CHANNEL
// RUN: %{nvcc} -DCHANNEL 2>&1 | %FileCheck %s --check-prefix=CHANNEL
// RUN: %{device} -DAFTER 2>&1 | %FileCheck %s --check-prefix=AFTER
// RUN: %{nvcc} -DAFTER 2>&1 | %FileCheck %s --check-prefix=AFTER
// RUN: %{device} -DTWICE 2>&1 | %FileCheck %s --check-prefix=TWICE
// RUN: %{nvcc} -DTWICE 2>&1 | %FileCheck %s --check-prefix=TWICE
// PAD: a copy has begun when its call returns: write copy(s, g, n, coalda::pad(lo, hi, value))
// TURN: a copy has begun when its call returns: write copy_2d(s, pitch, g, gpitch, rows, cols, coalda::transposed)
// CHANNEL: a copy has begun when its call returns: write copy(s, g, n, coalda::pad(lo, hi, value))
// AFTER: a store has begun when its call returns: write store(g, s, n, coalda::after(f))
// TWICE: of rows is said coalda::pad(lo_rows, hi_rows, lo_cols, hi_cols, value), coalda::transposed, or both
#include <coalda.h>
__global__ void kernel(const float *g, float *out) {
  __shared__ float s[64];
#ifdef PAD
  auto f = coalda::copy(s, g, 60);
  f.pad(2, 2, 0.0f);
#elif defined TURN
  coalda::copy_2d_async(s, 8, g, 8, 8, 8).transposed();
#elif defined CHANNEL
  __shared__ coalda::channel memory[1];
  auto c = coalda::open(memory);
  auto f = c[0].copy(s, g, 60);
  f.pad(2, 2);
#elif defined AFTER
  auto f = coalda::copy(s, g, 64);
  auto o = coalda::store(out, s, 64);
  o.after(f);
#else
  auto f = coalda::copy_2d(s, 8, g, 8, 6, 6, coalda::pad(1, 1), coalda::transposed); // of a row alone
#endif
}
