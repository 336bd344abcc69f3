// RUN: %rewritten %s --temp %t.d
// Hazard 17: barriers match by number, and not by instruction. Where threads of a block may wait for each other at different ones,
// a tile loop keeps as many as it has, and nothing moves over them.
// TEXT: levels=O3 archs=sm_75,sm_90 stages=3
#include "tiles.cuh"
#define LOW (TX < 64)
#define ARGS const u32 *g, u32 *out, int k

// One half of the block multiplies tiles, the other watches what it does, barrier by barrier.
__device__ static inline __attribute__((always_inline)) u32 tiles(const u32 *g, u32 *s, u32 *seen, int k) {
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    seen[TX] = sum;
  }
  return sum;
}
// CASE: watched tile=none block=128 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL watched(ARGS) {
  __shared__ u32 s[TILE], seen[TILE];
  u32 sum = 0;
  if (LOW) sum = tiles(g, s, seen, k);
  else
    for (int i = 0; i < k; i++) {
      __syncthreads();
      if (i) sum = sum * 7 + seen[TX - 64];
      __syncthreads();
    }
  out[ROW] = sum;
}
// The other way round, and what follows is done by all.
// CASE: watched_before tile=none block=128 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL watched_before(ARGS) {
  __shared__ u32 s[TILE], seen[2 * TILE];
  u32 sum = 0;
  if (!LOW)
    for (int i = 0; i < 2 * k; i++) {
      if (i % 2 && i > 1) sum = sum * 7 + seen[TX - 64];
      __syncthreads();
    }
  else sum = tiles(g, s, seen, k);
  __syncthreads();
  seen[TX] = sum;
  __syncthreads();
  out[ROW] = seen[127 - TX];
}
// A function of its own; a reduction; the text of inline assembly; a number that only run time knows: all meet barrier 0.
__device__ __noinline__ void wait_there() { __syncthreads(); }
#define MEETS(NAME, ...)                                       \
  KERNEL NAME(ARGS) {                                          \
    __shared__ u32 s[TILE], seen[TILE];                        \
    u32 sum = 0;                                               \
    if (LOW) sum = tiles(g, s, seen, k);                       \
    else                                                       \
      for (int i = 0; i < k; i++) {                            \
        __VA_ARGS__;                                           \
        if (i) sum = sum * 7 + seen[TX - 64];                  \
        __VA_ARGS__;                                           \
      }                                                        \
    out[ROW] = sum;                                            \
  }
// CASE: by_function tile=none block=128 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
MEETS(by_function, wait_there())
// CASE: unaligned tile=none block=128 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
MEETS(unaligned, __nvvm_barrier_sync(0))
// CASE: in_words tile=none block=128 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
MEETS(in_words, asm volatile("bar.sync 0;" ::: "memory"))
// CASE: in_register tile=none block=128 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
MEETS(in_register, asm volatile("bar.sync %0;" ::"r"(k >> 10) : "memory"))
// CASE: numbered tile=none block=128 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
MEETS(numbered, __nvvm_bar_sync(k >> 10))

// As many barriers in all, here more in the first loop and there in the second.
// CASE: uneven tile=none block=128 full with=k=2,3,6 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL uneven(ARGS) {
  __shared__ u32 s[2 * TILE], seen[2 * TILE];
  u32 sum = 0;
  int first = LOW ? k : k - 2;
  for (int i = 0; i < first; i++) {
    s[TX] = g[(BX * k + i) * 2 * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 1];
    __syncthreads();
  }
  seen[TX] = sum;
  if (!LOW)
    for (int i = 0; i < 4; i++) __syncthreads();
  __syncthreads();
  out[ROW] = seen[127 - TX];
}
// A part of the block has a barrier more, before the loop and behind it: each iteration meets the one before.
// CASE: shifted tile=none block=128 full with=k=2,3,6 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL shifted(ARGS) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  if (LOW) __syncthreads();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * 2 * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 1];
    __syncthreads();
  }
  if (!LOW) __syncthreads();
  out[ROW] = sum;
}

// By a condition that stands in the text alone.
// CASE: shifted_in_words tile=none block=128 full with=k=2,3,6 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL shifted_in_words(ARGS) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %0, 64; @p bar.sync 0; }" ::"r"(TX) : "memory");
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * 2 * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 1];
    __syncthreads();
  }
  asm volatile("{ .reg .pred p; setp.ge.u32 p, %0, 64; @p bar.sync 0; }" ::"r"(TX) : "memory");
  out[ROW] = sum;
}
// By a function that some of them leave sooner.
__device__ __noinline__ void wait_for_low() {
  if (!LOW) return;
  __syncthreads();
}
// CASE: shifted_by_function tile=none block=128 full with=k=2,3,6 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL shifted_by_function(ARGS) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  wait_for_low();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * 2 * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 1];
    __syncthreads();
  }
  if (!LOW) __syncthreads();
  out[ROW] = sum;
}
// How often the loop runs follows from the way that each thread has come; or was loaded before another one wrote it, or after.
__device__ static inline u32 some_rounds(const u32 *g, u32 *s, int k, int rounds) {
  u32 sum = 0;
  for (int i = 0; i < rounds; i++) {
    s[TX] = g[(BX * k + i) * 2 * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 1];
    __syncthreads();
  }
  for (int i = rounds; i < k; i++) {
    __syncthreads();
    __syncthreads();
  }
  return sum;
}
// CASE: merged tile=none block=128 full with=k=2,3,6 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL merged(ARGS) {
  __shared__ u32 s[2 * TILE];
  int rounds = k;
  if (!LOW) {
    out[ROW] = 1;
    rounds = k - 2;
  }
  out[ROW] += some_rounds(g, s, k, rounds);
}
// CASE: written_between tile=none block=128 grid=1 full with=k=2,3,6 -- rand:{4*T*k} zero:{4*T} zero:8 i32:{k}
KERNEL written_between(const u32 *g, u32 *out, u32 *words, int k) {
  __shared__ u32 s[2 * TILE];
  u32 *less = words, *arrived = words + 1;
  if (!LOW) {
    while (__scoped_atomic_load_n(arrived, __ATOMIC_ACQUIRE, __MEMORY_SCOPE_DEVICE) < 64) { }
    if (TX == 64) *less = 2;
    __nvvm_barrier_sync_cnt(1, 64);
  }
  int rounds = k - *less;
  if (LOW) __scoped_atomic_fetch_add(arrived, 1u, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);
  out[ROW] = some_rounds(g, s, k, rounds);
}

// ---- all threads that come to a barrier come to this one: rings as ever ----

// Who does not take part ends.
// CASE: some_end tile=pipelined block=128 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL some_end(ARGS) {
  __shared__ u32 s[TILE], seen[TILE];
  if (!LOW) {
    out[ROW] = 7;
    return;
  }
  out[ROW] = tiles(g, s, seen, k);
}
// Each half has barriers of its own.
// CASE: own_numbers tile=pipelined block=128 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL own_numbers(ARGS) {
  __shared__ u32 s[TILE], seen[TILE], r[TILE];
  u32 sum = 0;
  if (LOW) sum = tiles(g, s, seen, k);
  else
    for (int i = 0; i < k; i++) {
      r[TX - 64] = i * TX;
      __nvvm_barrier_sync_cnt(1, 64);
      sum = sum * 7 + r[127 - TX];
      asm volatile("bar.sync 2, 64;" ::: "memory");
    }
  out[ROW] = sum;
}
// All take one way, whichever it is.
// CASE: one_way tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL one_way(ARGS) {
  __shared__ u32 s[TILE], seen[TILE];
  u32 sum = 3;
  if (BX % 2) sum = tiles(g, s, seen, k);
  else
    for (int i = 0; i < k; i++) {
      s[TX] = i;
      __syncthreads();
      sum += s[TX ^ 1];
      __syncthreads();
    }
  __syncthreads();
  out[ROW] = sum;
}
// How often is loaded, or computed by ways that all take; barriers come behind.
// CASE: loaded tile=pipelined block=64 full -- rand:{28*T} zero:{4*T} rand:8
KERNEL loaded(const u32 *g, u32 *out, const u32 *ks) {
  __shared__ u32 s[TILE], seen[TILE];
  u32 sum = tiles(g, s, seen, ks[BX] % 7);
  __syncthreads();
  out[ROW] = sum + seen[TX ^ 1] * (ks[BX] % 7 > 0);
}
// CASE: handed_round tile=pipelined block=64 full -- rand:{28*T} zero:{4*T} rand:8
KERNEL handed_round(const u32 *g, u32 *out, const u32 *ks) {
  __shared__ u32 s[TILE], seen[TILE];
  __shared__ int rounds;
  if (TX == 0) rounds = ks[BX] % 7;
  __syncthreads();
  u32 sum = tiles(g, s, seen, rounds);
  __syncthreads();
  out[ROW] = sum + seen[TX ^ 1] * (ks[BX] % 7 > 0);
}
// CASE: bounded tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL bounded(ARGS) {
  __shared__ u32 s[TILE], seen[TILE];
  int rounds = k;
  if (BX == 1) {
    rounds = k / 2;
    if (k > 4) out[ROW] = 1;
  }
  u32 sum = tiles(g, s, seen, rounds);
  __syncthreads();
  out[ROW] = sum + seen[TX ^ 1] * (rounds > 0);
}
// The barrier itself says how it goes on.
// CASE: until_all tile=pipelined block=64 full with=k=1,2,5 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL until_all(ARGS) {
  __shared__ u32 s[TILE], seen[TILE];
  u32 sum = 0;
  int left = k + TX % 3;
  do {
    sum += tiles(g, s, seen, k);
    left -= 2;
  } while (__nvvm_bar0_or(left > 0));
  out[ROW] = sum;
}

// ---- members of a record on both sides ----

struct R { u32 a, b, c, d, e; };
// The others read behind their own barrier what these write before.
// CASE: read_there block=128 grid=1 full -- zero:{20*T} zero:{4*T}
KERNEL read_there(R *__restrict__ p, u32 *__restrict__ out) {
  if (LOW) {
    p[TX].a = TX + 1; p[TX].b = TX * 3;
    __syncthreads();
    p[TX].c = 3; p[TX].d = 4; p[TX].e = 5;
  } else {
    __syncthreads();
    out[TX] = p[TX - 64].a + 7 * p[TX - 64].b;
  }
}
// CASE: written_there block=128 grid=1 full -- rand:{20*T} zero:{4*T}
KERNEL written_there(R *__restrict__ p, u32 *__restrict__ out) {
  if (LOW) {
    u32 sum = p[TX].a + 3 * p[TX].b;
    __syncthreads();
    out[TX] = sum + 5 * p[TX].c + 7 * p[TX].d + 9 * p[TX].e;
  } else {
    p[TX - 64].c = 3; p[TX - 64].d = TX; p[TX - 64].e = 5;
    __syncthreads();
  }
}
// Named or counted: other barriers than 0 are met elsewhere.
// CASE: read_at_one block=128 grid=1 full -- zero:{20*T} zero:{4*T}
KERNEL read_at_one(R *__restrict__ p, u32 *__restrict__ out) {
  if (LOW) {
    p[TX].a = TX + 1; p[TX].b = TX * 3;
    __nvvm_bar_sync(1);
    p[TX].c = 3; p[TX].d = 4; p[TX].e = 5;
  } else {
    asm volatile("bar.sync 1;" ::: "memory");
    out[TX] = p[TX - 64].a + 7 * p[TX - 64].b;
  }
}
// CASE: read_by_count block=128 grid=1 full -- zero:{20*T} zero:{4*T}
KERNEL read_by_count(R *__restrict__ p, u32 *__restrict__ out) {
  if (LOW) {
    p[TX].a = TX + 1; p[TX].b = TX * 3;
    __nvvm_barrier_sync_cnt(1, 128);
    p[TX].c = 3; p[TX].d = 4; p[TX].e = 5;
  } else {
    __nvvm_barrier_sync_cnt(1, 128);
    out[TX] = p[TX - 64].a + 7 * p[TX - 64].b;
  }
}
// CASE: written_at_one block=128 grid=1 full -- rand:{20*T} zero:{4*T}
KERNEL written_at_one(R *__restrict__ p, u32 *__restrict__ out) {
  if (LOW) {
    u32 sum = p[TX].a + 3 * p[TX].b;
    __nvvm_bar_sync(1);
    out[TX] = sum + 5 * p[TX].c + 7 * p[TX].d + 9 * p[TX].e;
  } else {
    p[TX - 64].c = 3; p[TX - 64].d = TX; p[TX - 64].e = 5;
    asm volatile("bar.sync 1;" ::: "memory");
  }
}
// Two barriers, of which the others have one more: what is read there stands above in the text.
// CASE: read_above block=128 grid=1 full -- zero:{20*T} zero:{4*T}
KERNEL read_above(R *__restrict__ p, u32 *__restrict__ out) {
  if (!LOW) {
    __syncthreads();
    out[TX] = p[TX - 64].a + 7 * p[TX - 64].b;
  }
  R *r = p + TX;
  if (LOW) {
    r->a = TX + 1; r->b = TX * 3;
    __syncthreads();
    r->c = 3; r->d = 4; r->e = 5;
  }
}
// All come to one barrier: over that members move.
// CASE: met load=exchange store=exchange block=128 grid=2 full -- rand:{20*T} zero:{20*T}
KERNEL met(const R *__restrict__ p, R *__restrict__ q) {
  __shared__ u32 s[128];
  u32 sum = p[ROW].a + 3 * p[ROW].b, t = TX + 128 * BX;
  if (LOW) s[TX] = sum;
  q[t].a = TX; q[t].b = 2;
  __syncthreads();
  q[t].c = sum; q[t].d = 5 * p[ROW].c; q[t].e = s[TX % 64] + 7 * p[ROW].d + 9 * p[ROW].e;
}
