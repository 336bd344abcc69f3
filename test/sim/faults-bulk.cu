// What a pipeline of bulk copies and mbarriers can get wrong. Each kernel is clean with bad = 0.
// RUN: %clang-device -O1 -gline-tables-only %s -o %t.ll
// RUN: %python %S/faults.py %sim %t.ll %source/tools/sim/parts.h %s | %FileCheck %s
// CHECK: 23 faults, 0 wrong
#include "check.cuh"

__device__ u32 smem(const void *p) { return (u32)__cvta_generic_to_shared(p); }
__device__ void init(u64 *bar, u32 count) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(smem(bar)), "r"(count) : "memory");
}
__device__ void inval(u64 *bar) { asm volatile("mbarrier.inval.shared::cta.b64 [%0];" ::"r"(smem(bar)) : "memory"); }
__device__ void arrive(u64 *bar) {
  u64 state;
  asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(smem(bar)) : "memory");
}
__device__ void arrive_expect(u64 *bar, u32 bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(smem(bar)), "r"(bytes) : "memory");
}
__device__ void wait(u64 *bar, u32 parity) {
  u32 done;
  do {
    asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p;}"
                 : "=r"(done) : "r"(smem(bar)), "r"(parity) : "memory");
  } while (!done);
}
__device__ void fence_init() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }
__device__ void fence_async() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }
__device__ void bulk_in(void *to, const void *from, u32 bytes, u64 *bar) {
  asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
               ::"r"(smem(to)), "l"(from), "r"(bytes), "r"(smem(bar)) : "memory");
}
__device__ void bulk_out(void *to, const void *from, u32 bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(smem(from)), "r"(bytes) : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}
#define BULK_WAIT() asm volatile("cp.async.bulk.wait_group 0;" ::: "memory")
#define BULK_WAIT_READ() asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory")
__device__ void copy(u32 *to, const u32 *from) {
  asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(smem(to)), "l"(from) : "memory");
}
__device__ void copies_arrive(u64 *bar) {
  asm volatile("cp.async.mbarrier.arrive.noinc.shared::cta.b64 [%0];" ::"r"(smem(bar)) : "memory");
}
#define TILE(s) __shared__ __align__(128) u32 s[64]
#define BARRIER(bar, count) \
  __shared__ u64 bar; \
  if (threadIdx.x == 0) { init(&bar, count); fence_init(); } \
  __syncthreads()

// FAULT ASYNC: unawaited --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL unawaited(const u32 *g, u32 *out, u32 bad) {       // a barrier is no wait
  TILE(s);
  BARRIER(bar, 1);
  u32 t = threadIdx.x;
  if (t == 0) { arrive_expect(&bar, 256); bulk_in(s, g, 256, &bar); }
  if (!bad) wait(&bar, 0);
  __syncthreads();
  out[t] = s[t];
}
// FAULT RACE: others --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL others(const u32 *g, u32 *out, u32 bad) {          // only one thread waits, and what it then says orders nothing
  TILE(s);
  __shared__ u32 flag;
  u32 t = threadIdx.x;
  if (t == 0) flag = 0;
  BARRIER(bar, 1);
  if (t == 0) {
    arrive_expect(&bar, 256);
    bulk_in(s, g, 256, &bar);
    wait(&bar, 0);
    if (!bad) __threadfence_block();
    atomicExch(&flag, 1);
  }
  while (!atomicAdd(&flag, 0)) {
  }
  if (!bad) __threadfence_block();
  out[t] = s[t];
}
// FAULT RACE: late --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL late(const u32 *g, u32 *out, u32 bad) {            // the copy's end says nothing of what its thread did meanwhile
  TILE(s);
  __shared__ u32 word;
  BARRIER(bar, 1);
  u32 t = threadIdx.x;
  if (t == 0) {
    if (!bad) word = 5;
    arrive_expect(&bar, 256);
    bulk_in(s, g, 256, &bar);
    if (bad) word = 5;
  }
  wait(&bar, 0);
  out[t] = s[t] + word;
}
// FAULT RACE: late_arrive --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL late_arrive(const u32 *g, u32 *out, u32 bad) {     // the same with the copies of each thread
  __shared__ u32 s[64], word[64];
  BARRIER(bar, 64);
  u32 t = threadIdx.x;
  copy(&s[t], &g[t]);
  if (!bad) word[t] = t;
  copies_arrive(&bar);
  if (bad) word[t] = t;
  wait(&bar, 0);
  out[t] = s[63 - t] + word[63 - t];
}
// FAULT RACE: parity --grid 1 --block 64 --seeds 4 -- buf:256 i32:0 | buf:256 i32:1
KERNEL parity(u32 *out, u32 bad) {                        // the phase before is over: the wait is none
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  s[t] = 0;
  BARRIER(bar, 64);
  s[t] = t;
  arrive(&bar);
  wait(&bar, bad);
  out[t] = s[63 - t];
}
// FAULT RACE: refill --grid 1 --block 64 --seeds 4 -- iota:128 buf:256 i32:0 | iota:128 buf:256 i32:1
KERNEL refill(const u32 *g, u32 *out, u32 bad) {          // refilled while slower threads still read
  TILE(s);
  BARRIER(bar, 1);
  u32 t = threadIdx.x, acc = 0;
  for (u32 j = 0; j < 2; j++) {
    if (t == 0) { arrive_expect(&bar, 256); bulk_in(s, g + 64 * j, 256, &bar); }
    wait(&bar, j);
    acc += s[63 - t];
    if (!bad) __syncthreads();
    else if (t / 32 == 0) __syncwarp();
  }
  out[t] = acc;
}
// FAULT ASYNC: written --grid 1 --block 64 --seeds 4 -- buf:256 i32:0 | buf:256 i32:1
KERNEL written(u32 *out, u32 bad) {                       // a store that the asynchronous proxy need not see
  TILE(s);
  u32 t = threadIdx.x;
  s[t] = t;
  if (!bad) fence_async();
  __syncthreads();
  if (t == 0) { bulk_out(out, s, 256); BULK_WAIT(); }
}
// FAULT ASYNC: overwritten --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL overwritten(const u32 *g, u32 *out, u32 bad) {     // a store before the copy into the same bytes
  TILE(s);
  BARRIER(bar, 1);
  u32 t = threadIdx.x;
  s[t] = 0;
  if (!bad) fence_async();
  __syncthreads();
  if (t == 0) { arrive_expect(&bar, 256); bulk_in(s, g, 256, &bar); }
  wait(&bar, 0);
  out[t] = s[t];
}
// FAULT ASYNC: made --grid 1 --block 64 --seeds 4 -- buf:256 buf:256 i32:0 | buf:256 buf:256 i32:1
KERNEL made(u32 *g, u32 *out, u32 bad) {                  // and one to global memory
  TILE(s);
  BARRIER(bar, 1);
  u32 t = threadIdx.x;
  g[t] = t;
  if (!bad) asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (t == 0) { arrive_expect(&bar, 256); bulk_in(s, g, 256, &bar); }
  wait(&bar, 0);
  out[t] = s[t];
}
// FAULT MBARRIER: unseen --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL unseen(const u32 *g, u32 *out, u32 bad) {          // an mbarrier that the asynchronous proxy need not see
  TILE(s);
  __shared__ u64 bar;
  u32 t = threadIdx.x;
  if (t == 0) { init(&bar, 1); if (!bad) fence_init(); }
  __syncthreads();
  if (t == 0) { arrive_expect(&bar, 256); bulk_in(s, g, 256, &bar); }
  wait(&bar, 0);
  out[t] = s[t];
}
// FAULT ASYNC: reused --grid 1 --block 64 --seeds 4 -- buf:512 i32:0 | buf:512 i32:1
KERNEL reused(u32 *out, u32 bad) {                        // the source of a copy out is written before that has read it
  TILE(s);
  u32 t = threadIdx.x;
  for (u32 j = 0; j < 2; j++) {
    s[t] = t + j;
    fence_async();
    __syncthreads();
    if (t == 0) { bulk_out(out + 64 * j, s, 256); if (!bad) BULK_WAIT_READ(); }
    __syncthreads();
  }
  if (t == 0) BULK_WAIT();
}
// FAULT ASYNC: unwritten --grid 1 --block 64 --seeds 4 -- buf:256 buf:256 i32:0 | buf:256 buf:256 i32:1
KERNEL unwritten(u32 *g, u32 *out, u32 bad) {             // wait_group.read waits for the source alone
  TILE(s);
  u32 t = threadIdx.x;
  s[t] = t;
  fence_async();
  __syncthreads();
  if (t) return;
  bulk_out(g, s, 256);
  if (bad) BULK_WAIT_READ();
  else BULK_WAIT();
  for (u32 j = 0; j < 64; j++) out[j] = g[j];
}
// FAULT MBARRIER: again --grid 1 --block 1 -- i32:0 | i32:1
KERNEL again(u32 bad) {                                   // init of an mbarrier in use
  __shared__ u64 bar;
  init(&bar, 1);
  arrive(&bar);
  if (!bad) inval(&bar);
  init(&bar, 1);
}
// FAULT MBARRIER: stored --grid 1 --block 1 -- i32:0 | i32:1
KERNEL stored(u32 bad) {                                  // an mbarrier's bytes are its own
  __shared__ u64 bar;
  init(&bar, 1);
  if (!bad) inval(&bar);
  *(volatile u64 *)&bar = 0;
}
// FAULT MBARRIER: many --grid 1 --block 32 -- iota:64 i32:0 | iota:64 i32:1
KERNEL many(const u32 *g, u32 bad) {                      // more arrivals than the phase has room for
  TILE(s);
  BARRIER(bar, 1);
  if (threadIdx.x == 0) arrive_expect(&bar, 256);
  __syncthreads();
  if (threadIdx.x == 0 && bad) arrive(&bar);
  if (threadIdx.x == 0) bulk_in(s, g, 256, &bar);
  wait(&bar, 0);
}
// FAULT ALIGN: apart --grid 1 --block 1 -- iota:128 i32:0 | iota:128 i32:1
KERNEL apart(const u32 *g, u32 bad) {                     // 16-byte alignment
  TILE(s);
  BARRIER(bar, 1);
  arrive_expect(&bar, 128);
  bulk_in(s, g + bad, 128, &bar);
  if (!bad) wait(&bar, 0);
}
// FAULT DEADLOCK: few --grid 1 --block 32 -- iota:128 i32:0 | iota:128 i32:4
KERNEL few(const u32 *g, u32 bad) {                       // more bytes announced than come
  TILE(s);
  BARRIER(bar, 1);
  if (threadIdx.x == 0) { arrive_expect(&bar, 128 + 4 * bad); bulk_in(s, g, 128, &bar); }
  wait(&bar, 0);
}
// FAULT ASYNC: gone --grid 1 --block 32 --seeds 4 -- iota:64 i32:0 | iota:64 i32:1
KERNEL gone(const u32 *g, u32 bad) {                      // shared memory is somebody else's when the bytes come
  TILE(s);
  BARRIER(bar, 1);
  if (threadIdx.x == 0) { arrive_expect(&bar, 256); bulk_in(s, g, 256, &bar); }
  if (!bad) wait(&bar, 0);
}
// FAULT ASYNC: left --grid 1 --block 32 --seeds 4 -- buf:256 i32:0 | buf:256 i32:1
KERNEL left(u32 *out, u32 bad) {                          // a copy out still reads it
  TILE(s);
  s[threadIdx.x] = s[threadIdx.x + 32] = threadIdx.x;
  fence_async();
  __syncthreads();
  if (threadIdx.x == 0) { bulk_out(out, s, 256); if (!bad) BULK_WAIT_READ(); }
}
// FAULT RACE: relaxed --grid 1 --block 64 --seeds 4 -- buf:256 i32:0 | buf:256 i32:1
KERNEL relaxed(u32 *out, u32 bad) {                       // an arrival that releases nothing
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  s[t] = 0;
  BARRIER(bar, 64);
  s[t] = t;
  if (bad) asm volatile("mbarrier.arrive.relaxed.cta.shared::cta.b64 _, [%0];" ::"r"(smem(&bar)) : "memory");
  else arrive(&bar);
  wait(&bar, 0);
  out[t] = s[63 - t];
}
// FAULT ASYNC: half --grid 1 --block 1 -- iota:64 i32:16 | iota:64 i32:8
KERNEL half(const u32 *g, u32 bytes) {                    // a multiple of 16 bytes
  TILE(s);
  BARRIER(bar, 1);
  arrive_expect(&bar, bytes);
  bulk_in(s, g, bytes, &bar);
  wait(&bar, 0);
}
// FAULT RACE: own --grid 1 --block 64 --seeds 4 -- iota:64 buf:256 i32:0 | iota:64 buf:256 i32:1
KERNEL own(const u32 *g, u32 *out, u32 bad) {             // copies that arrive at an mbarrier, and a wait of one's own for them
  __shared__ u32 s[64];
  u32 t = threadIdx.x;
  s[t] = 0;
  BARRIER(bar, 64);
  copy(&s[t], &g[t]);
  copies_arrive(&bar);
  asm volatile("cp.async.wait_all;" ::: "memory");
  out[t] = s[bad ? 63 - t : t];
}
// FAULT UNDEF_ADDRESS: unknown --grid 1 --block 1 -- iota:64 zero:4 i32:0 | iota:64 buf:4 i32:0
KERNEL unknown(const u32 *g, const u32 *bytes, u32 bad) { // a size that was never written
  TILE(s);
  BARRIER(bar, 1);
  bulk_in(s, g, *bytes & 16, &bar);
}
