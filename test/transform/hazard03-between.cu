// RUN: %rewritten %s --temp %t.d
// Hazard 3: barriers, fences, atomics, calls, volatile and ordered accesses between the members.
#include "records.cuh"
struct R { u32 a, b, c, d, e, f, g, h; };

// All members on either side move together, never across: other threads change the record meanwhile.
#define PASSED_ON(NAME, BETWEEN) \
  KERNEL NAME(R *p, u32 *q) { \
    int i = ROW, j = i ^ 1; \
    u32 s = p[i].a + p[i].b * 3 + p[i].c * 5 + p[i].d * 7; \
    p[j].e = s; p[j].f = s + 1; p[j].g = s + 2; p[j].h = s + 3; \
    BETWEEN; \
    q[i] = p[i].e + p[i].f * 3 + p[i].g * 5 + p[i].h * 7; \
  }
// CASE: warp_barrier load=widen store=widen full block=64 -- rand:{32*T} zero:{4*T}
PASSED_ON(warp_barrier, __nvvm_bar_warp_sync(~0u))
// CASE: fenced load=widen store=widen full block=64 -- rand:{32*T} zero:{4*T}
PASSED_ON(fenced, (__nvvm_membar_gl(), __nvvm_bar_warp_sync(~0u)))

// Stores before a release and loads after an acquire stay there.
// CASE: published store=widen full block=64 -- zero:{32*T} zero:{4*T}
KERNEL published(R *p, u32 *flag) {
  int i = ROW;
  p[i].a = i; p[i].b = i + 1; p[i].c = i + 2; p[i].d = i + 3;
  __nvvm_membar_gl();
  __nvvm_atom_xchg_gen_i((int *)flag + i, 1);
  p[i].e = 4; p[i].f = 5; p[i].g = 6; p[i].h = 7;
}
// An atomic on the record itself between its loads, and between its stores.
// CASE: atomic_loads dims -- rand:{32*n} zero:{4*n} i32:{n}
KERNEL atomic_loads(R *p, u32 *q, int n) {
  int i = ALL;
  if (i >= n) return;
  u32 s = p[i].a + 3 * p[i].b + 5 * p[i].c + 7 * p[i].d;
  __nvvm_atom_add_gen_i((int *)&p[i].f, s);
  q[i] = s + p[i].e + 3 * p[i].f + 5 * p[i].g + 7 * p[i].h;
}
// CASE: atomic_stores dims -- rand:{32*n} i32:{n}
KERNEL atomic_stores(R *p, int n) {
  int i = ALL;
  if (i >= n) return;
  p[i].a = i; p[i].b = i + 1; p[i].c = i + 2; p[i].d = i + 3;
  __nvvm_atom_add_gen_i((int *)&p[i].b, 100);
  p[i].e = 4; p[i].f = 5; p[i].g = 6; p[i].h = 7;
}
// A volatile load between loads of the same bytes; volatile members are never moved.
// CASE: is_volatile load=none store=none dims -- rand:{32*n} zero:{4*n} i32:{n}
KERNEL is_volatile(volatile R *p, u32 *q, int n) {
  int i = ALL;
  if (i < n) q[i] = p[i].a + p[i].b + p[i].c + p[i].d + p[i].e;
}
// CASE: volatile_stores store=none dims -- rand:{32*n} i32:{n}
KERNEL volatile_stores(volatile R *p, int n) {
  int i = ALL;
  if (i < n) p[i].a = 1, p[i].b = 2, p[i].c = 3, p[i].d = 4, p[i].e = 5;
}
// CASE: atomic_members load=none dims -- rand:{32*n} zero:{4*n} i32:{n}
KERNEL atomic_members(R *p, u32 *q, int n) {
  int i = ALL;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < 5; k++) s += __atomic_load_n(&p[i].a + k, __ATOMIC_RELAXED);
  q[i] = s;
}
// A call that writes the record.
__device__ __noinline__ void touch(u32 *x) { *x = *x * 3 + 1; }
// CASE: called dims -- rand:{32*n} zero:{4*n} i32:{n}
KERNEL called(R *p, u32 *q, int n) {
  int i = ALL;
  if (i >= n) return;
  u32 s = p[i].a + 3 * p[i].b + 5 * p[i].c + 7 * p[i].d;
  touch(&p[i].f);
  touch(&p[i].b);
  q[i] = s + p[i].e + 3 * p[i].f + 5 * p[i].g + 7 * p[i].h + p[i].b;
}
// CASE: memory_clobber dims -- rand:{32*n} zero:{4*n} i32:{n}
KERNEL memory_clobber(R *p, u32 *q, int n) {
  int i = ALL;
  if (i >= n) return;
  u32 s = p[i].a + 3 * p[i].b + 5 * p[i].c + 7 * p[i].d;
  asm volatile("" ::: "memory");
  p[i].e = s; p[i].f = s + 1;
  asm volatile("" ::: "memory");
  q[i] = s + p[i].e + 3 * p[i].f + 5 * p[i].g + 7 * p[i].h;
}
// Loads on both sides of a barrier of the block: nothing writes, so they move together. With a store they must not.
// CASE: crossing load=exchange full -- rand:{32*T} zero:{4*T}
KERNEL crossing(const R *__restrict__ p, u32 *__restrict__ q) {
  __shared__ u32 s[1024];
  int i = ROW;
  s[threadIdx.x] = p[i].a + 3 * p[i].b + 5 * p[i].c + 7 * p[i].d;
  __syncthreads();
  u32 t = s[threadIdx.x ^ (blockDim.x % 2 ? 0 : 1)];
  __syncthreads();
  q[i] = t + p[i].e + 3 * p[i].f + 5 * p[i].g + 7 * p[i].h;
}
// CASE: written_across full -- rand:{32*T} zero:{4*T}
KERNEL written_across(R *p, u32 *q) {
  int i = ROW;
  u32 s = p[i].a + 3 * p[i].b + 5 * p[i].c + 7 * p[i].d;
  int left = blockIdx.x * blockDim.x + (threadIdx.x + 1) % blockDim.x;
  p[left].f = s;
  __syncthreads();
  q[i] = s + p[i].e + 3 * p[i].f + 5 * p[i].g + 7 * p[i].h;
}
// CASE: stored_across full -- zero:{32*T} zero:{4*T}
KERNEL stored_across(R *p, u32 *q) {
  int i = ROW;
  p[i].a = i; p[i].b = i + 1; p[i].c = i + 2; p[i].d = i + 3;
  __syncthreads();
  int left = blockIdx.x * blockDim.x + (threadIdx.x + 1) % blockDim.x;
  q[i] = p[left].b;
  __syncthreads();
  p[i].e = 4; p[i].f = 5; p[i].g = 6; p[i].h = 7;
}
// CASE: stored_apart store=widen full -- zero:{32*T}
KERNEL stored_apart(R *p) {
  int i = ROW;
  p[i].a = i; p[i].b = i + 1; p[i].c = i + 2; p[i].d = i + 3;
  __syncthreads();
  p[i].e = 4; p[i].f = 5; p[i].g = 6; p[i].h = 7;
}
// The barrier comes again: what follows it in the next round is before it, too.
// CASE: in_rounds full -- zero:{32*T} zero:{4*T}
KERNEL in_rounds(R *p, u32 *q) {
  int i = ROW, left = blockIdx.x * blockDim.x + (threadIdx.x + 1) % blockDim.x;
  u32 s = 0;
  #pragma clang loop unroll(disable)
  for (int k = 0; k < 3; k++) {
    p[i].a = i; p[i].b = i + k; p[i].c = i + 2; p[i].d = i + 3;
    __syncthreads();
    p[i].e = 4 + k; p[i].f = 5; p[i].g = 6; p[i].h = 7;
    __syncthreads();
    s += p[left].b + p[left].e;
    __syncthreads();
  }
  q[i] = s;
}
// The records of neighbours overlap; the barrier says who is last.
// CASE: overlapping full with=s=4 -- zero:{16*T+16} i32:{s}
KERNEL overlapping(u32 *p, int s) {
  u32 *r = p + blockIdx.x * blockDim.x * s + threadIdx.x * s;
  if (blockIdx.x) return;
  r[4] = 4; r[5] = 5; r[6] = 6; r[7] = threadIdx.x;
  __syncthreads();
  r[0] = 1; r[1] = threadIdx.x; r[2] = 2; r[3] = 3;
}
// The record's end is the beginning of one of the next layer: behind the barrier it is the layer before that writes it.
// CASE: rows_shared full block=32,1,2 -- zero:{32*T+64}
KERNEL rows_shared(u32 *p) {
  u32 *r = p + 8 * threadIdx.x + 4 * threadIdx.z;
  if (blockIdx.x) return;
  for (u32 k = 0; k < 4; k++) r[k] = 1000 + threadIdx.x + k;
  __syncthreads();
  r[4] = 9000 + threadIdx.x;
}
// And of threads two by two.
// CASE: rows_joined unverified full block=32,1,4 -- zero:{32*T+64}
KERNEL rows_joined(u32 *p) {
  u32 *r = p + 8 * threadIdx.x + 4 * (threadIdx.z / 2);
  if (blockIdx.x) return;
  for (u32 k = 0; k < 4; k++) r[k] = 1000 + threadIdx.x + k;
  __syncthreads();
  r[4] = 9000 + threadIdx.x;
}
// The last row is moved up by a bound, into the one before it.
// CASE: last_moved full block=33 -- zero:{32*T+64} i32:255
KERNEL last_moved(u32 *p, u32 most) {
  u32 at = 8 * threadIdx.x;
  u32 *r = p + (at < most ? at : most);
  if (blockIdx.x) return;
  for (u32 k = 0; k < 7; k++) r[k] = 1000 + threadIdx.x + k;
  __syncthreads();
  r[7] = 9000 + threadIdx.x;
}
// The same place in each half of the warp, and a record that is longer than the way to the next one.
// CASE: long_rows unverified full block=16,4 -- zero:{32*T+64}
KERNEL __attribute__((annotate("coalda.shape=16x4"))) long_rows(u32 *p) {
  u32 *r = p + 4 * threadIdx.x;
  if (blockIdx.x) return;
  for (u32 k = 0; k < 4; k++) r[k] = 1000 + threadIdx.x + k;
  __syncthreads();
  r[4] = 9000 + threadIdx.x;
}
// No thread's own accesses overlap, but the bytes behind its record are its neighbour's.
// CASE: neighbour_written full -- rand:{20*T+20} zero:{4*T}
KERNEL neighbour_written(u32 *p, u32 *q) {
  int i = ROW;
  if (blockIdx.x) return;
  u32 *r = p + 5 * i;
  u32 s = r[1] + 3 * r[2];
  r[5] = i;
  __syncthreads();
  q[i] = s + r[0] * 5 + r[3];
}
// CASE: neighbour_read full -- rand:{20*T+20} zero:{4*T}
KERNEL neighbour_read(u32 *p, u32 *q) {
  int i = ROW;
  if (blockIdx.x) return;
  u32 *r = p + 5 * i;
  r[0] = i; r[1] = 3 * i;
  __syncthreads();
  u32 s = r[5];
  __syncthreads();
  r[2] = 5 * i; r[3] = i ^ 2;
  q[i] = s;
}
// One call's promise that its two pointers lead to different places is one thread's.
__device__ void hand_on(u32 *__restrict__ next, const u32 *__restrict__ own, u32 *s, int i) {
  *s += own[1] + 3 * own[2];
  *next = i;
  __syncthreads();
  *s += own[0] * 5 + own[3];
}
// CASE: promised full -- rand:{20*T+20} zero:{4*T}
KERNEL promised(u32 *p, u32 *q) {
  int i = ROW;
  if (blockIdx.x) return;
  u32 s = 0;
  hand_on(p + 5 * (threadIdx.x + 1), p + 5 * i, &s, i);
  q[i] = s;
}
// Members that move over a barrier stand among those of another group, which do not.
// CASE: loads_among_stores load=exchange store=exchange full -- rand:{32*T} zero:{32*T}
KERNEL loads_among_stores(const R *__restrict__ p, R *__restrict__ q) {
  int i = ROW;
  u32 s = p[i].a + 3 * p[i].b;
  __syncthreads();
  q[i].a = s; q[i].b = s + 1;
  u32 t = p[i].c, v = p[i].d;
  q[i].c = t * v; q[i].d = t + s; q[i].e = v;
}
// CASE: stores_among_loads load=widen store=widen full -- rand:{32*T} zero:{32*T}
KERNEL stores_among_loads(const R *p, R *__restrict__ q) {
  int i = ROW;
  q[i].a = p[i].a * 7;
  q[i].b = p[i].b * 3 + p[i].c;
  u32 z = p[i].d;
  __syncthreads();
  q[i].c = z; q[i].d = z ^ 5;
}
// The first of the loads that would come together stands among stores that are moved, too.
// CASE: first_among_stores load=none store=exchange full -- rand:{32*T} zero:{32*T} zero:{4*T}
KERNEL first_among_stores(const R *__restrict__ p, R *__restrict__ q, u32 *__restrict__ out) {
  int i = ROW;
  q[i].a = i;
  u32 s = p[i].a + 3 * p[i].b;
  q[i].b = s; q[i].c = s ^ 1; q[i].d = s + 5; q[i].e = s * 7;
  __syncthreads();
  out[i] = s + p[i].c * 5 + p[i].d * 7;
}
// And the last of the stores, among loads.
// CASE: last_among_loads load=none store=exchange full -- rand:{32*T} zero:{32*T} zero:{4*T}
KERNEL last_among_loads(const R *__restrict__ p, R *__restrict__ q, u32 *__restrict__ out) {
  u64 i = blockIdx.x * (u64)blockDim.x + threadIdx.x;
  q[i].a = i; q[i].b = i * 3; q[i].c = i ^ 5;
  __syncthreads();
  u32 s = p[i].a + 3 * p[i].b;
  q[i].d = s;
  out[i] = s + p[i].c * 5 + p[i].d * 7;
}
// Loads on both sides of a barrier, one of them a copy whose other side moves where it stands: the copy is in one region alone.
// CASE: copied_behind few -- rand:{20*T}
KERNEL copied_behind(unsigned char *a) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned char *p = a + 20 * i;
  u32 v = p[16] + p[17] * 31u + p[15] * 57u;
  __syncthreads();
  v = v * 3u + a[20 * (i ^ 1u)];
  __syncthreads();
  __builtin_memmove(p + 5, p + 15, 5);
  __syncthreads();
  p[17] = v ^ (v >> 9);
}
