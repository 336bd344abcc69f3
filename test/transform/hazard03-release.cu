// RUN: %rewritten %s --temp %t.d
// Hazard 3: a record on both sides of a barrier, and an order that goes beyond the block. What the block has written before the
// barrier, one thread releases for all of it behind; what one thread acquires before it, all of the block may read behind. A place
// that is ordered orders others, wherever it lies itself.
// TEXT: levels=O3
#include "records.cuh"
struct R { u32 a, b, c, d, e; };
#define DEVICE __MEMORY_SCOPE_DEVICE
#define ARGS R *__restrict__ p, u32 *__restrict__ flag, u32 *__restrict__ out

// Block 0 fills its records, says so in between, and goes on with the fields that nobody waits for.
template <typename Tell, typename Hear>
__device__ void hand_on(R *__restrict__ p, u32 *__restrict__ flag, u32 *__restrict__ out, Tell tell, Hear hear) {
  u32 t = threadIdx.x;
  if (blockIdx.x == 0) {
    p[t].a = t + 1; p[t].b = 2 * t + 1;
    __syncthreads();
    p[t].c = 3; p[t].d = 4; p[t].e = t;
    if (t == 0) tell(flag);
  } else {
    while (!hear(flag)) { }
    out[t] = p[t].a + 3 * p[t].b;
  }
}
__device__ bool acquires(u32 *flag) { return __scoped_atomic_load_n(flag, __ATOMIC_ACQUIRE, DEVICE); }

// CASE: stored block=64 grid=2 full -- zero:1280 zero:4 zero:256
KERNEL stored(ARGS) { hand_on(p, flag, out, [](u32 *f) { __scoped_atomic_store_n(f, 1u, __ATOMIC_RELEASE, DEVICE); }, acquires); }
// CASE: strongly block=64 grid=2 full -- zero:1280 zero:4 zero:256
KERNEL strongly(ARGS) { hand_on(p, flag, out, [](u32 *f) { __atomic_store_n(f, 1u, __ATOMIC_SEQ_CST); }, acquires); }
// CASE: added block=64 grid=2 full -- zero:1280 zero:4 zero:256
KERNEL added(ARGS) { hand_on(p, flag, out, [](u32 *f) { __scoped_atomic_fetch_add(f, 1u, __ATOMIC_RELEASE, DEVICE); }, acquires); }
// CASE: swapped block=64 grid=2 full -- zero:1280 zero:4 zero:256
KERNEL swapped(ARGS) {
  hand_on(p, flag, out, [](u32 *f) {
    u32 old = 0;
    __scoped_atomic_compare_exchange_n(f, &old, 1u, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED, DEVICE);
  }, acquires);
}
// CASE: fenced block=64 grid=2 full -- zero:1280 zero:4 zero:256
KERNEL fenced(ARGS) {
  hand_on(p, flag, out, [](u32 *f) {
    __nvvm_membar_gl();
    __scoped_atomic_store_n(f, 1u, __ATOMIC_RELAXED, DEVICE);
  }, acquires);
}
// CASE: as_volatile block=64 grid=2 full -- zero:1280 zero:4 zero:256
KERNEL as_volatile(ARGS) {
  hand_on(p, flag, out, [](u32 *f) {
    __nvvm_membar_gl();
    *(volatile u32 *)f = 1;
  }, acquires);
}
// CASE: in_words block=64 grid=2 full -- zero:1280 zero:4 zero:256
KERNEL in_words(ARGS) {
  hand_on(p, flag, out, [](u32 *f) { asm volatile("st.release.gpu.global.u32 [%0], 1;" ::"l"(f) : "memory"); }, acquires);
}
// CASE: reduced_in_words block=64 grid=2 full -- zero:1280 zero:4 zero:256
KERNEL reduced_in_words(ARGS) {
  hand_on(p, flag, out, [](u32 *f) { asm volatile("red.release.gpu.global.add.u32 [%0], 1;" ::"l"(f) : "memory"); }, acquires);
}
// CASE: fenced_in_words block=64 grid=2 full -- zero:1280 zero:4 zero:256
KERNEL fenced_in_words(ARGS) {
  hand_on(p, flag, out, [](u32 *f) {
    asm volatile("fence.acq_rel.gpu;" ::: "memory");
    asm volatile("st.relaxed.gpu.global.u32 [%0], 1;" ::"l"(f) : "memory");
  }, acquires);
}

// A relaxed atomic orders nothing but its own place.
// CASE: relaxed store=exchange block=64 grid=2 full -- zero:2560 zero:4 zero:256
KERNEL relaxed(ARGS) {
  u32 t = ROW;
  p[t].a = t + 1; p[t].b = 2 * t + 1;
  __syncthreads();
  p[t].c = 3; p[t].d = 4; p[t].e = t;
  if (threadIdx.x == 0) __scoped_atomic_fetch_add(flag, 1u, __ATOMIC_RELAXED, DEVICE);
}

// Blocks but the first wait for what block 0 writes: one thread of each, and the barrier tells the others.
template <typename Hear>
__device__ void wait_for(R *__restrict__ p, u32 *__restrict__ flag, u32 *__restrict__ out, Hear hear) {
  u32 t = threadIdx.x;
  if (blockIdx.x == 0) {
    p[t].c = 3 * t; p[t].d = 4 * t; p[t].e = t;
    __syncthreads();
    if (t == 0) __scoped_atomic_store_n(flag, 1u, __ATOMIC_RELEASE, DEVICE);
  } else {
    if (t == 0)
      while (!hear(flag)) { }
    u32 s = p[t].a + 3 * p[t].b;
    __syncthreads();
    out[t] = s + 5 * p[t].c + 7 * p[t].d + 9 * p[t].e;
  }
}
// CASE: heard block=64 grid=2 full -- rand:1280 zero:4 zero:256
KERNEL heard(ARGS) { wait_for(p, flag, out, acquires); }
// CASE: heard_swapped block=64 grid=2 full -- rand:1280 zero:4 zero:256
KERNEL heard_swapped(ARGS) {
  wait_for(p, flag, out, [](u32 *f) {
    u32 old = 1;
    return __scoped_atomic_compare_exchange_n(f, &old, 1u, false, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE, DEVICE);
  });
}
// CASE: heard_added block=64 grid=2 full -- rand:1280 zero:4 zero:256
KERNEL heard_added(ARGS) {
  wait_for(p, flag, out, [](u32 *f) { return __scoped_atomic_fetch_add(f, 0u, __ATOMIC_ACQUIRE, DEVICE) != 0; });
}
// CASE: heard_in_words block=64 grid=2 full -- rand:1280 zero:4 zero:256
KERNEL heard_in_words(ARGS) {
  wait_for(p, flag, out, [](u32 *f) {
    u32 v;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(v) : "l"(f) : "memory");
    return v != 0;
  });
}
// CASE: heard_and_fenced block=64 grid=2 full -- rand:1280 zero:4 zero:256
KERNEL heard_and_fenced(ARGS) {
  wait_for(p, flag, out, [](u32 *f) {
    if (!__scoped_atomic_load_n(f, __ATOMIC_RELAXED, DEVICE)) return false;
    __nvvm_membar_gl();
    return true;
  });
}
// CASE: heard_volatile block=64 grid=2 full -- rand:1280 zero:4 zero:256
KERNEL heard_volatile(ARGS) {
  wait_for(p, flag, out, [](u32 *f) {
    if (!*(volatile u32 *)f) return false;
    __nvvm_membar_gl();
    return true;
  });
}
