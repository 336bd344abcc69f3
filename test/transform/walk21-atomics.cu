// RUN: %rewritten %s --temp %t.d
// Rows that are walked beside atomics on other arrays: loads of what nobody writes come first all the same; what the kernel may write stays
// in its place, and so do stores.
// TEXT: levels=O3,O1
#include "records.cuh"
#define ADD(p, v) __nvvm_atom_add_gen_i((int *)(p), (int)(v))

// A histogram in global memory.
// CASE: bins load=exchange plain:load=exchange block=48 grid=1 with=m=0,1,7,8,33,100 -- rand:{4*n*m+4} zero:1024 i32:{m} i32:{n}
KERNEL bins(const u32 *__restrict__ a, u32 *__restrict__ h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) ADD(h + (a[i * m + j] & 255), 1);
}
// In shared memory, of rows that nothing says is not written, but nothing writes; 64-bit counters.
// CASE: shared_bins load=exchange plain:load=exchange block=64 grid=2 full with=m=33,64 -- rand:{4*n*m+4} zero:1024 i64:{m} i32:{n}
KERNEL shared_bins(const u32 *a, u32 *__restrict__ h, long m, int n) {
  __shared__ u32 own[64];
  int i = ROW;
  own[threadIdx.x & 63] = 0;
  __syncthreads();
  for (long j = 0; j < m; j++) ADD(own + (a[i * m + j] & 63), 1);
  __syncthreads();
  ADD(h + (threadIdx.x & 63), own[threadIdx.x & 63]);
}
// Nothing of global memory is written.
// CASE: unpromised load=exchange plain:load=exchange block=64 grid=1 full with=m=33,64 -- rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL unpromised(const u32 *a, int m, int n) {
  __shared__ u32 own[64];
  int i = ROW;
  for (int j = 0; j < m; j++) ADD(own + (a[i * m + j] & 63), 1);
}
// Bytes, with a counter that has no sign.
// CASE: of_bytes load=exchange block=64 grid=1 full with=m=33,256 -- rand:{n*m+4} zero:1024 i32:{m} i32:{n}
KERNEL of_bytes(const unsigned char *__restrict__ a, u32 *__restrict__ h, unsigned m, int n) {
  unsigned i = ROW;
  for (unsigned j = 0; j < m; j++) ADD(h + a[i * m + j], 1);
}
// What all threads may load by the cache of what is never written; elements of 8 bytes.
// CASE: by_ldg load=exchange block=64 grid=1 full with=m=33 -- rand:{8*n*m+8} zero:1024 i32:{m} i32:{n}
KERNEL by_ldg(const double *a, u32 *h, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) ADD(h + (__builtin_bit_cast(u64, __nvvm_ldg_d(a + i * m + j)) & 255), 1);
}
// A pointer that counts, a template, maxima.
template <class T> __device__ void higher(T *h, T v) { __nvvm_atom_max_gen_i(h + (v & 63), v); }
// CASE: pointers load=exchange block=64 grid=1 full with=m=1,33,70 -- rand:{4*n*m+4} zero:256 i32:{m} i32:{n}
KERNEL pointers(const int *__restrict__ a, int *__restrict__ h, int m, int n) {
  const int *p = a + ROW * m, *end = p + m;
  while (p != end) higher(h, *p++);
}
// Down, as the source unrolls it.
// CASE: downwards load=exchange block=64 grid=1 full with=m=3,33,70 -- rand:{4*n*m+4} zero:1024 i32:{m} i32:{n}
KERNEL downwards(const u32 *__restrict__ a, u32 *__restrict__ h, int m, int n) {
  int i = ROW;
#pragma unroll 4
  for (int j = m - 1; j >= 0; j--) ADD(h + (a[i * m + j] & 255), 1);
}
// Some iterations reserve a place, and are told which: those of a warp are numbered by what it adds up.
// CASE: reserved load=exchange block=32 grid=1 full with=m=33,64 -- rand:{4*n*m+4} zero:{4*n} zero:{4*n*m} i32:{m} i32:{n}
KERNEL reserved(const u32 *__restrict__ a, u32 *__restrict__ count, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * m + j];
    if (v & 1) q[i * m + ADD(count + i, 1)] = v;
  }
}
// Of the block, or as the language says it; a struct's fields with one between them.
// CASE: scoped load=exchange block=64 grid=1 full with=m=33 -- rand:{4*n*m+4} zero:1024 i32:{m} i32:{n}
KERNEL scoped(const u32 *__restrict__ a, u32 *__restrict__ h, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * m + j];
    __nvvm_atom_cta_add_gen_i((int *)h + (v & 127), 1);
    __scoped_atomic_fetch_add(h + 128 + (v >> 8 & 127), 1, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE);
  }
}
struct Edge { u32 from, to, weight; };
// CASE: fields fewer load=exchange block=64 grid=1 full -- rand:{12*n} zero:1024 i32:{n}
KERNEL fields(const Edge *__restrict__ e, u32 *__restrict__ h, int n) {
  int i = ROW;
  ADD(h + (e[i].from & 255), 1);
  ADD(h + (e[i].to & 255), 2);
  ADD(h + (e[i].weight & 255), 3);
}
// A row that the loop around meets again.
// CASE: again held=yes block=64 grid=1 full with=m=32 with=c=3 -- rand:{4*n*m+4} rand:{4*c*m} zero:256 i32:{c} i32:{m} i32:{n}
KERNEL again(const u32 *__restrict__ a, const u32 *__restrict__ w, u32 *__restrict__ h, int c, int m, int n) {
  int i = ROW;
  for (int k = 0; k < c; k++) {
    u32 s = 0;
    for (int j = 0; j < m; j++) s = s * 31 + (a[i * m + j] ^ w[k * m + j]);
    ADD(h + (s & 63), 1);
  }
}
// ---- left as they are ------------------------------------------------------------------------------------------------------

// What an atomic has made of the next element is read by the next iteration.
// CASE: passed_on none refuse=WalkOrder block=48 grid=1 full with=m=33 -- rand:{4*n*(m+1)} i32:{m} i32:{n}
KERNEL passed_on(u32 *a, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) ADD(a + i * (m + 1) + j + 1, a[i * (m + 1) + j]);
}
// The same of a promise that is given for another array: the bins lie among the rows, whose words are loaded again once that is seen.
// CASE: among load=exchange block=48 grid=1 full with=m=33 -- rand:{4*n*m} rand:{4*n*m} ref:0+0 i32:{m} i32:{n}
KERNEL among(const u32 *a, const u32 *__restrict__ b, u32 *h, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) ADD(h + i * m + ((a[i * m + j] ^ b[j]) % m), 1);
}
// The same, where iterations take different ways.
// CASE: some_passed_on none refuse=WalkOrder block=48 grid=1 full with=m=33 -- rand:{4*n*(m+1)} zero:{4*n} i32:{m} i32:{n}
KERNEL some_passed_on(u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * (m + 1) + j];
    if (v & 3) ADD(a + i * (m + 1) + j + 1, v / 2);
    else s = s * 31 + v;
  }
  q[i] = s;
}
// Of two rows, one that atomics change: its loads stay where they are.
// CASE: some_of_two load=exchange block=48 grid=1 full with=m=33 -- rand:{4*n*(m+1)} rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL some_of_two(u32 *a, const u32 *__restrict__ b, u32 *q, int m, int n) {
  int i = ROW;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * (m + 1) + j], w = b[i * m + j];
    s = s * 31 + w;
    if (v & 3) ADD(a + i * (m + 1) + j + 1, v / 2);
    else s += v;
  }
  q[i] = s;
}
// Fields of one struct, of which an atomic changes one before it is read.
// CASE: changed refuse=Ordered block=64 grid=1 full -- rand:{12*n} zero:{4*n} i32:{n}
KERNEL changed(Edge *e, u32 *q, int n) {
  int i = ROW;
  u32 v = e[i].from;
  ADD(&e[i].to, v);
  q[i] = v * 31 + e[i].to * 7 + e[i].weight;
}
// A row that is stored stays behind what an atomic adds to it.
// CASE: stored load=exchange block=64 grid=1 full with=m=33 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL stored(const u32 *__restrict__ a, u32 *q, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * m + j];
    q[i * m + j] = v;
    ADD(q + i * m + (v % (j + 1)), v);
  }
}
// An atomic that is asked what was there may wait for others, where no promise is given.
// CASE: asked none refuse=WalkOrder block=32 grid=1 full with=m=33 -- rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL asked(const u32 *a, int m, int n) {
  __shared__ u32 own[64], last[64];
  int i = ROW;
  own[threadIdx.x] = own[threadIdx.x + 32] = 0;
  __syncthreads();
  for (int j = 0; j < m; j++) last[threadIdx.x] = ADD(own + (a[i * m + j] & 63), 1);
  if (last[threadIdx.x] == 12345678) __builtin_trap();
}
// What acquires, or a fence.
// CASE: acquires none refuse=WalkOrder block=64 grid=1 full with=m=33 -- rand:{4*n*m+4} zero:1024 i32:{m} i32:{n}
KERNEL acquires(const u32 *__restrict__ a, u32 *__restrict__ h, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) __atomic_fetch_add(h + (a[i * m + j] & 255), 1, __ATOMIC_ACQUIRE);
}
// CASE: fenced none refuse=WalkOrder block=64 grid=1 full with=m=33 -- rand:{4*n*m+4} zero:1024 i32:{m} i32:{n}
KERNEL fenced(const u32 *__restrict__ a, u32 *__restrict__ h, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    ADD(h + (a[i * m + j] & 255), 1);
    __nvvm_membar_gl();
  }
}
