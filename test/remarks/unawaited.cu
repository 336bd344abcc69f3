// Asynchronous copies that nobody waits for before what they fill is read are told of, once each place; and no others are.
// RUN: %clang-device -O3 -I%S/../gen %s -o %t.ll && %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %FileCheck %s --implicit-check-not=CopyUnawaited < %t.yaml
typedef unsigned u32;
typedef unsigned long long u64;
#define KERNEL extern "C" __global__ void
#define TX threadIdx.x
#define NUMBER(p) ((u32)(u64)(__attribute__((address_space(3))) const void *)(p))
#define COPY(to, from) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(NUMBER(to)), "l"(from) : "memory")
#define COMMIT() asm volatile("cp.async.commit_group;")
#define WAIT() asm volatile("cp.async.wait_group 0;" ::: "memory")
#define SHARED(p) __nvvm_isspacep_shared((const void *)(p))
#define GLOBAL(p) __nvvm_isspacep_global((const void *)(p))

// ---- told ----

// CHECK: Name: {{ *}}Copying
// CHECK: - Kernel: {{ *}}never{{$}}
// CHECK-NEXT: - Refusal: {{ *}}CopyUnawaited
KERNEL never(const u32 *g, u32 *out) {
  __shared__ u32 s[64];
  COPY(&s[TX], &g[TX]);
  COMMIT();
  __syncthreads();
  out[TX] = s[63 - TX];
}
// CHECK: Name: {{ *}}Copying
// CHECK: - Kernel: {{ *}}never_in_loop{{$}}
// CHECK-NEXT: - Refusal: {{ *}}CopyUnawaited
KERNEL never_in_loop(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[64];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    COPY(&s[TX], &g[i * 64 + TX]);
    COMMIT();
    __syncthreads();
    sum = sum * 31 + s[63 - TX];
    __syncthreads();
  }
  out[TX] = sum;
}
// CHECK: Name: {{ *}}Copying
// CHECK: - Kernel: {{ *}}too_early{{$}}
// CHECK-NEXT: - Refusal: {{ *}}CopyUnawaited
KERNEL too_early(const u32 *g, u32 *out) {
  __shared__ u32 s[64];
  COPY(&s[TX], &g[TX]);
  COMMIT();
  __syncthreads();
  u32 early = s[63 - TX];
  WAIT();
  out[TX] = early;
}
// The wait comes behind the use, in each iteration, and so is too late for what the next one copies to the same place.
// CHECK: Name: {{ *}}Copying
// CHECK: - Kernel: {{ *}}too_early_in_loop{{$}}
// CHECK-NEXT: - Refusal: {{ *}}CopyUnawaited
KERNEL too_early_in_loop(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[64];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    COPY(&s[TX], &g[i * 64 + TX]);
    COMMIT();
    __syncthreads();
    sum = sum * 31 + s[63 - TX];
    WAIT();
    __syncthreads();
  }
  out[TX] = sum;
}
// CHECK: Name: {{ *}}Copying
// CHECK: - Kernel: {{ *}}too_early_inside{{$}}
// CHECK-NEXT: - Refusal: {{ *}}CopyUnawaited
KERNEL too_early_inside(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[64];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int j = 0; j < k; j++) {
      COPY(&s[TX], &g[(i * k + j) * 64 + TX]);
      COMMIT();
      __syncthreads();
      if (j != i) sum = sum * 31 + s[63 - TX];
      __syncthreads();
    }
    WAIT();
  }
  out[TX] = sum;
}
// As a library asks where its pointers lead, and would store otherwise.
// CHECK: Name: {{ *}}Copying
// CHECK: - Kernel: {{ *}}asked{{$}}
// CHECK-NEXT: - Refusal: {{ *}}CopyUnawaited
KERNEL asked(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[64];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (SHARED(&s[TX]) && GLOBAL(&g[i * 64 + TX])) COPY(&s[TX], &g[i * 64 + TX]);
    else s[TX] = g[i * 64 + TX];
    COMMIT();
    __syncthreads();
    sum = sum * 31 + s[63 - TX];
    __syncthreads();
  }
  out[TX] = sum;
}

// ---- not told ----

KERNEL awaited(const u32 *g, u32 *out) {
  __shared__ u32 s[64];
  COPY(&s[TX], &g[TX]);
  COMMIT();
  WAIT();
  __syncthreads();
  out[TX] = s[63 - TX];
}
// The wait of one iteration is for what the next one reads.
KERNEL awaited_around(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][64];
  u32 sum = 0;
  for (int i = 0; i <= k; i++) {
    if (i < k) COPY(&s[i % 2][TX], &g[i * 64 + TX]);
    COMMIT();
    if (i) sum = sum * 31 + s[(i + 1) % 2][63 - TX];
    WAIT();
    __syncthreads();
  }
  out[TX] = sum;
}
// What is read is what the iteration before has copied, and waited for.
KERNEL awaited_before(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[64];
  u32 sum = 0;
  for (int i = 0; i <= k; i++) {
    if (i) sum = sum * 31 + s[63 - TX];
    __syncthreads();
    if (i < k) COPY(&s[TX], &g[i * 64 + TX]);
    COMMIT();
    WAIT();
    __syncthreads();
  }
  out[TX] = sum;
}
// Two places, by turns: each is waited for while the other one is on its way.
KERNEL awaited_by_turns(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][64];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    COPY(&s[1][TX], &g[i * 128 + TX]);
    COMMIT();
    if (i) sum = sum * 31 + s[0][63 - TX];
    WAIT();
    __syncthreads();
    COPY(&s[0][TX], &g[i * 128 + 64 + TX]);
    COMMIT();
    sum = sum * 31 + s[1][63 - TX];
    WAIT();
    __syncthreads();
  }
  out[TX] = sum;
}
// What each iteration copies lies elsewhere than what it reads.
KERNEL awaited_elsewhere(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[2][64];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    COPY(&s[i % 2][TX], &g[i * 64 + TX]);
    COMMIT();
    sum = sum * 31 + s[(i + 1) % 2][63 - TX];
    WAIT();
    __syncthreads();
  }
  out[TX] = sum;
}
// Not every iteration copies.
KERNEL awaited_sometimes(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[64];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (i % 4 == 0) COPY(&s[TX], &g[i * 64 + TX]);
    COMMIT();
    __syncthreads();
    if (i % 4 == 1) sum = sum * 31 + s[63 - TX];
    WAIT();
    __syncthreads();
  }
  out[TX] = sum;
}
// The first of two copies is awaited, and what is read may be its.
KERNEL awaited_first(const u32 *g, u32 *out) {
  __shared__ u32 s[128];
  COPY(&s[TX], &g[TX]);
  COMMIT();
  WAIT();
  __syncthreads();
  COPY(&s[64 + TX], &g[64 + TX]);
  COMMIT();
  out[TX] = s[63 - TX];
}
// What is read was stored.
KERNEL stored(const u32 *g, u32 *out) {
  __shared__ u32 s[128];
  s[64 + TX] = TX;
  COPY(&s[TX], &g[TX]);
  COMMIT();
  __syncthreads();
  out[TX] = s[127 - TX];
}
__device__ __noinline__ static void wait_there() { WAIT(); }
KERNEL awaited_there(const u32 *g, u32 *out) {
  __shared__ u32 s[64];
  COPY(&s[TX], &g[TX]);
  COMMIT();
  wait_there();
  __syncthreads();
  out[TX] = s[63 - TX];
}
// A barrier in memory is told when the copies have come.
KERNEL handed_over(const u32 *g, u32 *out) {
  __shared__ u32 s[64];
  __shared__ u64 barrier;
  COPY(&s[TX], &g[TX]);
  asm volatile("cp.async.mbarrier.arrive.shared.b64 [%0];" ::"r"(NUMBER(&barrier)) : "memory");
  __syncthreads();
  out[TX] = s[63 - TX];
}
// No way leads from the copy to what is read.
KERNEL other_way(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[64];
  if (k) {
    COPY(&s[TX], &g[TX]);
    COMMIT();
    __syncthreads();
    out[TX] = 0;
  } else
    out[TX] = s[TX];
}
// Arrays of the host's size lie one upon the other.
extern __shared__ u32 as_words[];
extern __shared__ u64 as_longs[];
KERNEL host_size(const u32 *g, u32 *out) {
  COPY(&as_words[TX], &g[TX]);
  COMMIT();
  as_longs[64 + TX] = TX;
  __syncthreads();
  out[TX] = as_words[128 + TX];
}
// Assembly may write what it is given.
KERNEL given_away(const u32 *g, u32 *out) {
  __shared__ u32 s[128];
  COPY(&s[TX], &g[TX]);
  COMMIT();
  asm volatile("st.shared.u32 [%0], 7;" ::"r"(NUMBER(&s[64 + TX])));
  __syncthreads();
  out[TX] = s[127 - TX];
}
// A way that no pointer takes is not the only one to the store.
KERNEL stored_as_well(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[128];
  if (GLOBAL(g)) {
    COPY(&s[TX], &g[TX]);
    out[TX + 64] = 1;
    if (k != 3) goto stored;
  }
  s[64 + TX] = TX;
stored:
  COMMIT();
  __syncthreads();
  out[TX] = s[127 - TX];
}
// Of a pointer to either, both ways may be taken.
KERNEL asked_of_either(const u32 *g, u32 *out, int k) {
  __shared__ u32 s[128], r[64];
  const u32 *from = k & 1 ? g : r;
  if (GLOBAL(from)) COPY(&s[TX], from);
  else s[64 + TX] = from[TX];
  COMMIT();
  __syncthreads();
  out[TX] = s[127 - TX];
}
