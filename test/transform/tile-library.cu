// RUN: %rewritten %s --temp %t.d
// Tile loops that copy by CUDA's libraries, as those come to the compiler: cooperative_groups::memcpy_async asks into which memory its
// pointers lead, and copies one way or another; cuda::pipeline counts what it has begun and what it has awaited.
// TEXT: levels=O3,O1 archs=sm_80,sm_90 stages=2,5
#include "tiles.cuh"
#define NUMBER(p) ((u32)(u64)(__attribute__((address_space(3))) const void *)(p))
#define COPY(to, from, bytes) \
  asm volatile("cp.async.ca.shared.global [%0], [%1], %2, %3;" ::"r"(NUMBER(to)), "l"(from), "n"(bytes), "n"(bytes) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;")
#define WAIT(n) asm volatile("cp.async.wait_group %0;" ::"n"(n))
#define SHARED(p) __nvvm_isspacep_shared((const void *)(p))
#define GLOBAL(p) __nvvm_isspacep_global((const void *)(p))

// ---- groups ----

// By all threads of the block, whatever its shape.
__device__ static inline void copy_by_group(u32 *__restrict__ to, const u32 *__restrict__ from, u64 count) {
  u32 rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + TX, all = blockDim.x * blockDim.y * blockDim.z;
  if (!SHARED(to) || !GLOBAL(from))
    for (u64 k = rank; k < count; k += all) to[k] = from[k];
  else
    for (u64 k = rank; k < count; k += all) COPY(to + k, from + k, 4);
  COMMIT();
}
__device__ static inline void wait_by_group() {
  WAIT(0);
  __nvvm_barrier_sync(0);
}
// CASE: of_group tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,8*T*k)} zero:{4*T} i32:{k}
KERNEL of_group(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    copy_by_group(s, g + (BX * k + i) * 2 * TILE, 2 * TILE);
    wait_by_group();
    sum = sum * 31 + s[TX] + s[2 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The last tile is short.
// CASE: of_group_short tile=pipelined block=64 full with=n=1,100,128,300,577 -- rand:{4*n} zero:{4*T} i32:{n}
KERNEL of_group_short(const u32 *g, u32 *out, u32 n) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (u32 i = 0; i < n; i += 2 * TILE) {
    u32 left = n - i < 2 * TILE ? n - i : 2 * TILE;
    copy_by_group(s, g + i, left);
    wait_by_group();
    for (u32 j = TX; j < left; j += TILE) sum = sum * 31 + s[j] + s[left - 1 - j];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Into one of two arrays: which memory that is, is told for each.
// CASE: of_group_two tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL of_group_two(const u32 *a, const u32 *b, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    copy_by_group(s, a + (BX * k + i) * TILE, TILE);
    copy_by_group(r, b + (BX * k + i) * TILE, TILE);
    wait_by_group();
    sum = sum * 31 + s[TX] * r[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// In a function, which is told once it stands in the loop.
__device__ __noinline__ static void bring(u32 *to, const u32 *from) {
  copy_by_group(to, from, 2 * TILE);
  wait_by_group();
}
// CASE: of_group_called tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(4,8*T*k)} zero:{4*T} i32:{k}
KERNEL of_group_called(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    bring(s, g + (BX * k + i) * 2 * TILE);
    sum = sum * 31 + s[TX] + s[2 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What is asked of a pointer that may lead into either memory is found out when it runs, beside a ring.
// CASE: asked_of_either tile=pipelined block=64 full with=k=1,2,5 -- rand:{4*T*k} zero:{4*T} i32:{k}
KERNEL asked_of_either(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  r[TX] = TX;
  const u32 *either = k & 1 ? g : r;
  asm("" : "+l"(either));
  const u32 *chosen = TX & 1 ? g : r;
  for (int i = 0; i < k; i++) {
    copy_by_group(s, g + (BX * k + i) * TILE, TILE);
    wait_by_group();
    sum = sum * 31 + s[TILE - 1 - TX] + GLOBAL(either) + 2 * SHARED(either) + 4 * GLOBAL(chosen) + 8 * SHARED(chosen);
    __syncthreads();
  }
  out[ROW] = sum;
}
// A source that is a number by then.
// CASE: from_number tile=pipelined block=64 full with=k=0,1,5 -- rand:{max(16,16*T*k)} zero:{4*T} i32:{k}
KERNEL from_number(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    u64 from = (u64)(__attribute__((address_space(1))) const void *)&g[((BX * k + i) * TILE + TX) * 4];
    COPY(&s[4 * TX], from, 16);
    COMMIT();
    WAIT(0);
    __syncthreads();
    sum = sum * 31 + s[TX] + s[4 * TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- pipelines ----

struct Pipeline {
  u8 begun = 0, awaited = 0;
  __device__ void commit() {
    COMMIT();
    begun++;
  }
  __device__ void wait() {
    if (begun == awaited)
      return;
    u8 behind = begun - awaited - 1;
    if (behind == 0)
      WAIT(0);
    else if (behind == 1)
      WAIT(1);
    else
      WAIT(2);
    awaited++;
  }
};
__device__ static inline void copy_in(u32 *to, const u32 *from) {
  if (SHARED(to) && GLOBAL(from))
    COPY(to, from, 4);
  else
    *to = *from;
}
// CASE: of_pipeline tile=pipelined block=64 full with=k=0,1,5,300 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL of_pipeline(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  Pipeline pipe;
  for (int i = 0; i < k; i++) {
    copy_in(&s[TX], &g[(BX * k + i) * TILE + TX]);
    pipe.commit();
    pipe.wait();
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
  }
  out[ROW] = sum;
}
// In a nest, whose outer loop hands the counters on: one of them as a number of iterations, which is not the other's to be compared with.
// CASE: of_nest tile=none block=64 full with=k=0,1,5 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL of_nest(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  Pipeline pipe;
  for (int j = 0; j < 3; j++) {
    for (int i = 0; i < k; i++) {
      copy_in(&s[TX], &g[(BX * k + i) * TILE + TX]);
      pipe.commit();
      pipe.wait();
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
    }
    out[ROW] += sum;
  }
}
// Stages of its own: one is always under way.
// CASE: two_stages tile=none block=64 full with=k=1,2,5 -- rand:{4*T*(k+2)} zero:{4*T} i32:{k}
KERNEL two_stages(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][TILE];
  u32 sum = 0;
  Pipeline pipe;
  copy_in(&s[0][TX], &g[BX * k * TILE + TX]);
  pipe.commit();
  for (int i = 0; i < k; i++) {
    copy_in(&s[(i + 1) % 2][TX], &g[(BX * k + i + 1) * TILE + TX]);
    pipe.commit();
    pipe.wait();
    __syncthreads();
    sum = sum * 31 + s[i % 2][TILE - 1 - TX];
    __syncthreads();
  }
  WAIT(0);
  out[ROW] = sum;
}
// Counters that are equal for a while only, and others that always are, which make the copies known to be awaited.
// CASE: apart_later tile=pipelined block=64 full with=k=0,1,3,4,9 -- rand:{max(4,4*T*k)} zero:{4*T} i32:{k}
KERNEL apart_later(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0, a = 0, b = 0;
  Pipeline pipe;
  for (int i = 0; i < k; i++) {
    copy_in(&s[TX], &g[(BX * k + i) * TILE + TX]);
    pipe.commit();
    pipe.wait();
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + (a == b ? 5 : 7);
    a = a * 3 + 1;
    b = b * 3 + 1 + (i == 2);
    __syncthreads();
  }
  out[ROW] = sum;
}
