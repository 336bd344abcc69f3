// RUN: %rewritten %s --temp %t.d
// Asynchronous copies of the program's own: where it waits for them at once, they become stages; where it has stages already, they stay.
// TEXT: levels=O3,O1 archs=sm_80,sm_90 stages=2,5
#include "tiles.cuh"
#define NUMBER(p) ((u32)(u64)(__attribute__((address_space(3))) const void *)(p))
#define COPY(to, from, bytes) \
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(NUMBER(to)), "l"(from), "n"(bytes), "n"(bytes) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n))
// CASE: waits_at_once tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL waits_at_once(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    COPY(&s[4 * TX], &g[((BX * k + i) * TILE + TX) * 4], 16);
    COMMIT();
    WAIT(0);
    __syncthreads();
    sum = sum * 31 + s[TX] + s[4 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// By an intrinsic, eight bytes at a time.
// CASE: by_intrinsic tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(8,8*T*k)} zero:{4*T} i32:{k}
KERNEL by_intrinsic(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    __nvvm_cp_async_ca_shared_global_8((__attribute__((address_space(3))) void *)&s[2 * TX],
                                       (__attribute__((address_space(1))) void *)&g[((BX * k + i) * TILE + TX) * 2]);
    __nvvm_cp_async_wait_all();
    __syncthreads();
    sum = sum * 31 + s[TX] + s[2 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Zeros behind the half that is there: as it was.
// CASE: brings_zeros none block=64 full with=k=1,5 -- rand:{max(16,8*T*k)} zero:{4*T} i32:{k}
KERNEL brings_zeros(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(NUMBER(&s[4 * TX])), "l"(&g[((BX * k + i) * TILE + TX) * 2]),
                 "n"(8), "n"(4) : "memory");
    COMMIT();
    WAIT(0);
    __syncthreads();
    sum = sum * 31 + s[4 * TX] + s[4 * (TILE - 1 - TX) + 1];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Stages of its own.
// CASE: waits_later none block=64 full with=k=1,2,5 -- rand:{max(4,4*T*(k+1))} zero:{4*T} i32:{k}
KERNEL waits_later(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][TILE];
  u32 sum = 0;
  COPY(&s[0][TX], &g[BX * k * TILE + TX], 4);
  COMMIT();
  for (int i = 0; i < k; i++) {
    COPY(&s[(i + 1) % 2][TX], &g[(BX * k + i + 1) * TILE + TX], 4);
    COMMIT();
    WAIT(1);
    __syncthreads();
    sum = sum * 31 + s[i % 2][TILE - 1 - TX];
    __syncthreads();
  }
  WAIT(0);
  out[ROW] = sum;
}

// Of two tiles, the second is under way while the first is used.
// CASE: waits_by_turns none block=64 full with=k=1,2,5 -- rand:{8*T*k} zero:{4*T} i32:{k}
KERNEL waits_by_turns(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    COPY(&s[TX], &g[(BX * k + i) * 2 * TILE + TX], 4);
    COMMIT();
    COPY(&r[TX], &g[(BX * k + i) * 2 * TILE + TILE + TX], 4);
    COMMIT();
    WAIT(1);
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    WAIT(0);
    __syncthreads();
    sum = sum * 31 + r[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A number of which nobody knows where it leads: the copy stays, and so does what waits for it.
// CASE: unknown_number none block=64 full with=k=1,5 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL unknown_number(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[4 * TILE], r[4 * TILE];
  u32 sum = 0, number;
  asm("{ .reg .u64 t; cvta.to.shared.u64 t, %1; cvt.u32.u64 %0, t; }" : "=r"(number) : "l"(r));
  asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(number + 16 * TX), "l"(&g[(BX * k * TILE + TX) * 4]) : "memory");
  COMMIT();
  WAIT(0);
  __syncthreads();
  sum = r[4 * TILE - 1 - TX];
  for (int i = 0; i < k; i++) {
    COPY(&s[4 * TX], &g[((BX * k + i) * TILE + TX) * 4], 16);
    COMMIT();
    WAIT(0);
    __syncthreads();
    sum = sum * 31 + s[TX] + s[4 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Begun in a function, and waited for here.
__device__ __noinline__ static void issue(u32 *r, const u32 *g) {
  COPY(&r[4 * TX], &g[4 * TX], 16);
  COMMIT();
}
// CASE: begun_elsewhere none block=64 full with=k=1,5 -- rand:{max(1024,16*T*k)} zero:{4*T} i32:{k}
KERNEL begun_elsewhere(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[4 * TILE], r[4 * TILE];
  u32 sum = 0;
  issue(r, g);
  WAIT(0);
  __syncthreads();
  sum = r[4 * TILE - 1 - TX];
  for (int i = 0; i < k; i++) {
    COPY(&s[4 * TX], &g[((BX * k + i) * TILE + TX) * 4], 16);
    COMMIT();
    WAIT(0);
    __syncthreads();
    sum = sum * 31 + s[TX] + s[4 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
