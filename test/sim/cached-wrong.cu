// What programs do wrong with caches: blocks that are larger than their budget are an error of the compilation, and of the rest the simulator
// says at run time which thread reads what another one may not have written yet, or writes what another one may still read.
// RUN: %clang-device -O1 -gline-tables-only -std=c++17 -I%source/include %s -o %t.ll
// RUN: %sim %t.ll --kernel turned --grid 1 --block 64 --seeds 4 -- frand:2048 zero:256
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel never_waited_for --grid 1 --block 64 --seeds 4 -- frand:2048 zero:256 | %FileCheck %s --check-prefix=RACE
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel never_done --grid 1 --block 64 --seeds 4 -- frand:2048 zero:256 | %FileCheck %s --check-prefix=RACE
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel twice_ahead --grid 1 --block 64 --seeds 4 -- frand:2048 zero:256 | %FileCheck %s --check-prefix=FILLED
// RUN: %not %clang-device -O1 -std=c++17 -DBUDGET=63 -I%source/include %s -o %t.none.ll 2>&1 | %FileCheck %s --check-prefix=BUDGET
// RUN: %not %clang-device -O1 -std=c++17 -DFIT=7 -I%source/include %s -o %t.none.ll 2>&1 | %FileCheck %s --check-prefix=FIT
// RUN: %sim %t.ll --kernel above --grid 1 --block 64 --seeds 4 -- frand:2048 zero:256
// RUN: %sim %t.ll --kernel written_by_others --grid 1 --block 64 --seeds 4 -- zero:256
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel few --grid 1 --block 64 --seeds 1 -- frand:2048 zero:256 | %FileCheck %s --check-prefix=STOPPED
// STOPPED: trap
// RACE: race: reads shared {{.*}}nothing orders the two
// FILLED: {{race|asynchronous copy}}:
// BUDGET: the block is larger than the budget
// FIT: no box has as few elements as the budget
#include <coalda.h>
#define KERNEL extern "C" __global__
#ifndef BUDGET
#define BUDGET 64
#endif
#ifndef FIT
#define FIT 16
#endif
static_assert(coalda::fitting<FIT, coalda::box<4, 8>, coalda::box<4, 4>, coalda::box<4, 2>>::cols == (FIT < 16 ? 2 : 4), "the first that fits");
enum { T = 64 };
KERNEL void turned(const float *g, float *out) {
  __shared__ coalda::tile<float, coalda::box<1, T>, coalda::row, 2> s;
  auto a = coalda::cached<coalda::shared, BUDGET>(s, coalda::matrix(g, T));
  float sum = 0;
  a.next(0, 0);
  for (int i = 0; i < 4; i++) {
    coalda::turn(a);
    a.next(i + 1, 0);
    sum += a(i, T - 1 - threadIdx.x);
  }
  out[threadIdx.x] = sum;
}
KERNEL void never_waited_for(const float *g, float *out) {
  __shared__ coalda::tile<float, coalda::box<1, T>> s;
  auto a = coalda::cached<coalda::shared, BUDGET>(s, coalda::matrix(g, T));
  auto f = a.move_to(0, 0);
  out[threadIdx.x] = f.data[T - 1 - threadIdx.x];
}
KERNEL void never_done(const float *g, float *out) {
  __shared__ coalda::tile<float, coalda::box<1, T>> s;
  auto a = coalda::cached<coalda::shared, BUDGET>(s, coalda::matrix(g, T));
  float sum = 0;
  for (int i = 0; i < 2; i++) {
    auto f = a.move_to(i, 0);
    coalda::wait(f);
    sum += a(i, T - 1 - threadIdx.x);
  }
  out[threadIdx.x] = sum;
}
// The second block takes the place of the first one, which nobody has seen.
KERNEL void twice_ahead(const float *g, float *out) {
  __shared__ coalda::tile<float, coalda::box<1, T>, coalda::row, 2> s;
  auto a = coalda::cached<coalda::shared, BUDGET>(s, coalda::matrix(g, T));
  a.next(0, 0);
  a.turn();
  a.next(1, 0);
  out[threadIdx.x] = a(0, T - 1 - threadIdx.x);
}
// What is right: blocks that begin in front of the matrix, and elements that other threads wrote than store them.
KERNEL void above(const float *g, float *out) {
  __shared__ coalda::tile<float, coalda::box<4, 16>, coalda::row, 2> s;
  auto a = coalda::cached<coalda::shared, BUDGET>(s, coalda::bounded(g, 16, 32, 16));
  a.next(-2, 0);
  coalda::turn(a);
  out[threadIdx.x] = a.at(threadIdx.x / 16, threadIdx.x % 16);
}
KERNEL void written_by_others(float *out) {
  __shared__ coalda::tile<float, coalda::box<1, T>> s;
  auto a = coalda::cached<coalda::shared, BUDGET>(s, coalda::matrix(out, T));
  a.begin(0, 0);
  a.at(0, T - 1 - threadIdx.x) = threadIdx.x;
  a.flush();
}
// The block has more threads than it says.
KERNEL void few(const float *g, float *out) {
  __shared__ coalda::tile<float, coalda::box<1, T>> s;
  auto a = coalda::cached<coalda::shared, BUDGET, 0, T / 2>(s, coalda::matrix(g, T));
  auto f = a.move_to(0, 0);
  coalda::wait(f);
  out[threadIdx.x] = a.at(0, threadIdx.x);
}
