// What programs do wrong with futures of asynchronous copies: the simulator says so at run time.
// RUN: %clang-device -O1 -gline-tables-only -std=c++17 -I%source/include %s -o %t.ll
// RUN: %sim %t.ll --kernel awaited --grid 1 --block 64 --seeds 4 -- frand:256 zero:256
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel never --grid 1 --block 64 --seeds 4 -- frand:256 zero:256 | %FileCheck %s --check-prefix=NEVER
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel early --grid 1 --block 64 --seeds 4 -- frand:256 zero:256 | %FileCheck %s --check-prefix=EARLY
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel too_few --grid 1 --block 64 --seeds 4 -- frand:512 zero:256 | %FileCheck %s --check-prefix=EARLY
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel refilled --grid 1 --block 64 --seeds 4 -- frand:512 zero:256 | %FileCheck %s --check-prefix=REFILLED
// NEVER: asynchronous copy: reads shared {{.*}}while the copy of thread {{.*}}futures.cu:[[#]]:{{.*}}is in flight
// EARLY: asynchronous copy: reads shared {{.*}}is in flight
// REFILLED: race: reads shared {{.*}}nothing orders the two
#include <coalda.h>
#define KERNEL extern "C" __global__
enum { T = 64 };
KERNEL void awaited(const float *g, float *out) {
  __shared__ float s[T];
  auto f = coalda::copy_async(s, g, T);
  coalda::wait(f);
  out[threadIdx.x] = s[T - 1 - threadIdx.x];
}
KERNEL void never(const float *g, float *out) {
  __shared__ float s[T];
  auto f = coalda::copy_async(s, g, T);
  __syncthreads();
  out[threadIdx.x] = f.data[T - 1 - threadIdx.x];
}
KERNEL void early(const float *g, float *out) {
  __shared__ float s[T];
  auto f = coalda::copy_async(s, g, T);
  out[threadIdx.x] = s[threadIdx.x];
  coalda::wait(f);
}
// One copy more has begun than is left under way.
KERNEL void too_few(const float *g, float *out) {
  __shared__ float s[2][T];
  auto f = coalda::copy_async(s[0], g, T);
  auto next = coalda::copy_async(s[1], g + T, T);
  coalda::wait<1>(next);
  out[threadIdx.x] = next.data[T - 1 - threadIdx.x] + f.data[threadIdx.x];
}
// Nobody says that s may be filled again.
KERNEL void refilled(const float *g, float *out) {
  __shared__ float s[T];
  float sum = 0;
  for (int i = 0; i < 2; i++) {
    auto f = coalda::copy_async(s, g + i * T, T);
    coalda::wait(f);
    sum += s[T - 1 - threadIdx.x];
  }
  out[threadIdx.x] = sum;
}
