// Each call that roles need, left out once: the simulator says what comes of it.
// RUN: %clang-device -O1 -gline-tables-only -std=c++17 -I%source/include %s -o %t.ll
// RUN: %sim %t.ll --kernel right --grid 1 --block 96 --seeds 4 -- frand:2048 zero:2048 i32:6
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel no_wait --grid 1 --block 96 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=RACE
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel no_finish --grid 1 --block 96 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=DEADLOCK
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel no_start --grid 1 --block 96 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=RACE
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel no_end --grid 1 --block 96 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=DEADLOCK
// RACE: race: reads shared {{.*}}nothing orders the two
// DEADLOCK: deadlock: 64 of 96 threads wait at this barrier for threads that do not come
#include <coalda.h>
enum { B = 2, T = 64 };
#define BODY(W, F, S, G) \
  __shared__ float s[B][T]; \
  coalda::roles<1, B>( \
      [&](auto &compute) { for (unsigned i = 0; i < n; i++) { W; for (unsigned k = compute.rank(); k < T; k += compute.threads()) out[i * T + k] = s[i % B][k]; F; } }, \
      [&](auto &copy) { for (unsigned i = 0; i < n; i++) { S; copy.copy(s[i % B], g + i * T, T); G; } })
#define K extern "C" __global__
K void right(const float *g, float *out, unsigned n) { BODY(compute.wait(i), compute.finish(i), copy.start(i), copy.finish(i)); }
K void no_wait(const float *g, float *out, unsigned n) { BODY(, compute.finish(i), copy.start(i), copy.finish(i)); }
K void no_finish(const float *g, float *out, unsigned n) { BODY(compute.wait(i), , copy.start(i), copy.finish(i)); }
K void no_start(const float *g, float *out, unsigned n) { BODY(compute.wait(i), compute.finish(i), , copy.finish(i)); }
K void no_end(const float *g, float *out, unsigned n) { BODY(compute.wait(i), compute.finish(i), copy.start(i), ); }
