// Each call that channels and asynchronous stores need, left out once, and each fence that the header makes: the simulator says what comes of it.
// RUN: %clang-device -O1 -gline-tables-only -std=c++17 -I%source/include %s -o %t.ll
// RUN: %sim %t.ll --kernel right --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6
// RUN: %sim %t.ll --kernel stores --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6
// RUN: %sim %t.ll --kernel written_before --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6
// RUN: %sim %t.ll --kernel read_again --grid 1 --block 64 --seeds 4 -- zero:2048 zero:256
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel no_wait --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=FLIGHT
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel other_wait --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=FLIGHT
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel no_done --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=RACE
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel behind --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 | %FileCheck %s --check-prefix=LATE
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel closed --grid 1 --block 64 -- frand:2048 zero:2048 | %FileCheck %s --check-prefix=CLOSED
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel at_the_end --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 | %FileCheck %s --check-prefix=END
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel no_wait_for_stores --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=SOURCE
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel one_too_few --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=SOURCE
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel stored_at_the_end --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=READS
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel not_landed --grid 1 --block 64 --seeds 4 -- zero:2048 zero:256 | %FileCheck %s --check-prefix=FLIGHT
// RUN: sed 's/^COALDA_INLINE void fence_async() { asm.*$/COALDA_INLINE void fence_async() {}/' %source/include/coalda.h > %t.unfenced.h
// RUN: %clang-device -O1 -gline-tables-only -std=c++17 -DHEADER='"%t.unfenced.h"' %s -o %t.unfenced.ll
// RUN: %python %S/exit.py 2 %sim %t.unfenced.ll --kernel stores --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=FENCE
// RUN: %python %S/exit.py 2 %sim %t.unfenced.ll --kernel written_before --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=FENCE
// RUN: sed 's/^COALDA_INLINE void fence_\(init\|async\)() { asm.*$/COALDA_INLINE void fence_\1() {}/' %source/include/coalda.h > %t.unfenced.h
// RUN: %clang-device -O1 -gline-tables-only -std=c++17 -DHEADER='"%t.unfenced.h"' %s -o %t.uninit.ll
// RUN: %python %S/exit.py 2 %sim %t.uninit.ll --kernel right --grid 1 --block 64 --seeds 4 -- frand:2048 zero:2048 i32:6 | %FileCheck %s --check-prefix=INIT
// FLIGHT: {{is in flight|this thread has not waited for}}
// RACE: race: {{.*}}nothing orders the two
// LATE: {{deadlock|race}}:
// CLOSED: mbarrier: {{.*}}is no initialized mbarrier
// END: the block ends while this copy writes its shared memory
// SOURCE: asynchronous copy: writes the source
// READS: the block ends while this copy reads its shared memory
// INIT: no fence.mbarrier_init or fence.proxy.async after the init
// FENCE: with no fence.proxy.async since
#ifdef HEADER
#include HEADER
#else
#include <coalda.h>
#endif
#define KERNEL extern "C" __global__
enum { T = 64 };

// ---- copies ----

#define COPIES(WAIT, DONE) \
  __shared__ alignas(16) float s[2][T]; \
  __shared__ coalda::channel memory[2]; \
  auto c = coalda::open(memory); \
  auto now = c[0].copy<16>(s[0], g, T), next = now; \
  for (unsigned i = 0; i < n; i++) { \
    next = c[(i + 1) % 2].copy<16>(s[(i + 1) % 2], g + (i + 1) * T, i + 1 < n ? T : 0); \
    WAIT; \
    out[i * T + threadIdx.x] = now.data[T - 1 - threadIdx.x]; \
    DONE; \
    now = next; \
  } \
  coalda::wait(now)
KERNEL void right(const float *g, float *out, unsigned n) { COPIES(coalda::wait(now), coalda::done()); }
KERNEL void no_wait(const float *g, float *out, unsigned n) { COPIES(, coalda::done()); }
KERNEL void other_wait(const float *g, float *out, unsigned n) { COPIES(coalda::wait(next), coalda::done()); }
KERNEL void no_done(const float *g, float *out, unsigned n) { COPIES(coalda::wait(c[i % 2]), ); }
// The block has not met between two copies by the channel: threads that come late wait for a phase that is two behind.
KERNEL void behind(const float *g, float *out) {
  __shared__ alignas(16) float s[3][T];
  __shared__ coalda::channel memory[1];
  auto c = coalda::open(memory);
  for (int i = 0; i < 3; i++)
    coalda::wait(c[0].copy<16>(s[i], g + i * T, i == 0 ? T : 0));
  out[threadIdx.x] = s[0][threadIdx.x];
}
KERNEL void closed(const float *g, float *out) { // never opened
  __shared__ alignas(16) float s[T];
  __shared__ coalda::channel memory[1];
  coalda::channels<1> c(memory);
  coalda::wait(c[0].copy<16>(s, g, T));
  out[threadIdx.x] = s[threadIdx.x];
}
KERNEL void at_the_end(const float *g, float *out) {
  __shared__ alignas(16) float s[T];
  __shared__ coalda::channel memory[1];
  auto c = coalda::open(memory);
  auto f = c[0].copy<16>(s, g, T);
  out[threadIdx.x] = f.parity;
}
// A buffer that threads have written is filled: the header makes the fence.
KERNEL void written_before(const float *g, float *out, unsigned n) { COPIES(coalda::wait(now), now.data[T - 1 - threadIdx.x] = 1; coalda::done()); }

// ---- stores ----

#define STORES(WAIT, WAIT_AT_LAST) \
  __shared__ alignas(16) float r[2][T]; \
  coalda::async_stored<float> o = {}; \
  for (unsigned i = 0; i < n; i++) { \
    WAIT; \
    r[i % 2][threadIdx.x] = g[i * T + threadIdx.x] * 2; \
    o = coalda::store_async<16>(out + i * T, r[i % 2], T); \
  } \
  WAIT_AT_LAST
KERNEL void stores(const float *g, float *out, unsigned n) { STORES(coalda::wait<1>(o), coalda::wait(o)); }
KERNEL void no_wait_for_stores(const float *g, float *out, unsigned n) { STORES(, coalda::wait(o)); }
KERNEL void one_too_few(const float *g, float *out, unsigned n) { STORES(coalda::wait<2>(o), coalda::wait(o)); }
KERNEL void stored_at_the_end(const float *g, float *out, unsigned n) { STORES(coalda::wait<1>(o), ); }
#define READ_AGAIN(WAIT) \
  __shared__ alignas(16) float r[T]; \
  r[threadIdx.x] = threadIdx.x; \
  auto o = coalda::store_async<16>(g, r, T); \
  WAIT; \
  out[threadIdx.x] = g[T - 1 - threadIdx.x]
KERNEL void read_again(float *g, float *out) { READ_AGAIN(coalda::wait(o); coalda::landed(o)); }
KERNEL void not_landed(float *g, float *out) { READ_AGAIN(coalda::wait(o)); }
