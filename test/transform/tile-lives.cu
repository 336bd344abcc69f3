// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -nocudainc -nocudalib -O3 -I%S/../gen %s -o %t.ll && %opt -passes='coalda<always>' -S %t.ll -o - | %FileCheck %s
// One array holds two tiles in an iteration, one after the other: each has an array of its own, and becomes a ring. The ways in which
// programs write that.
// TEXT: levels=O3,O1 archs=sm_90 stages=2,3,5
#include "tiles.cuh"

// Keys, then values.
// CHECK-LABEL: define {{.*}} @keys_values(
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 7)
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 7)
// CHECK-NOT: cp.async.wait
// CASE: keys_values tile=pipelined block=64 full with=k=0,1,2,3,4,5,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL keys_values(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Three tiles, a long counter that steps by tiles, and the barrier at the loop's beginning.
// CHECK-LABEL: define {{.*}} @three(
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 11)
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 11)
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 11)
// CHECK-NOT: cp.async.wait
// CASE: three tile=pipelined block=64 full with=k=0,1,2,4,7 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 rand:{max(4,4*T*k)}:6 zero:{4*T} i64:{k}
KERNEL three(const u32 *g, const u32 *h, const u32 *e, u32 *out, long long k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (long long i = BX * k * TILE; i < (BX + 1) * k * TILE; i += TILE) {
    __syncthreads();
    s[TX] = g[i + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[i + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
    s[TX] = e[i + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 5];
  }
  out[ROW] = sum;
}
// Pointers count.
// CHECK-LABEL: define {{.*}} @pointers(
// CASE: pointers tile=pipelined block=64 full with=k=0,1,2,4,7 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL pointers(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  const u32 *p = g + BX * k * TILE + TX, *q = h + BX * k * TILE + TX, *end = p + k * TILE;
  for (; p != end; p += TILE, q += TILE) {
    s[TX] = *p;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = *q;
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The last tile is short, and filled up with zeros; an unsigned counter.
// CASE: guarded tile=pipelined block=64 full with=m=0,1,63,64,65,250 -- rand:{max(4,4*m)} rand:{max(4,4*m)}:5 zero:{4*T} i32:{m}
KERNEL guarded(const u32 *g, const u32 *h, u32 *out, u32 m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (u32 i = 0; i < m; i += TILE) {
    s[TX] = i + TX < m ? g[i + TX] : 0;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    if (i + TX < m) s[TX] = h[i + TX];
    else s[TX] = 0;
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33] + BX;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Loops fill the array, of whatever length blocks are.
// CASE: filled_by_loops tile=pipelined full block=32 with=k=0,1,2,4 -- rand:{max(4,4*1024*2*k)} rand:{max(4,4*1024*2*k)}:5 zero:{4*T} i32:{k}
// CASE: filled_by_loops tile=pipelined full block=256 few with=k=0,1,4 -- rand:{max(4,4*1024*2*k)} rand:{max(4,4*1024*2*k)}:5 zero:{4*T} i32:{k}
// CASE: filled_by_loops tile=pipelined full block=1024 few with=k=0,1,3 -- rand:{max(4,4*1024*2*k)} rand:{max(4,4*1024*2*k)}:5 zero:{4*T} i32:{k}
KERNEL filled_by_loops(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[16][64];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int e = TX; e < 1024; e += blockDim.x) s[e / 64][e % 64] = g[(BX % 2 * k + i) * 1024 + e];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum = sum * 31 + s[j][(63 - TX) & 63];
    __syncthreads();
    for (int e = TX; e < 1024; e += blockDim.x) s[e / 64][e % 64] = h[(BX % 2 * k + i) * 1024 + e];
    __syncthreads();
    for (int j = 0; j < 16; j++) sum = sum * 31 + s[j][(TX & 63) ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A template fills and uses it, with rows of each thread, unrolled.
template <int ROWS> __device__ inline void fill(u32 (&s)[ROWS][TILE], const u32 *g) {
#pragma unroll
  for (int j = 0; j < ROWS; j++) s[j][TX] = g[j * TILE + TX];
  __syncthreads();
}
template <int ROWS> __device__ inline u32 use(const u32 (&s)[ROWS][TILE], u32 sum) {
  for (int j = 0; j < ROWS; j++) sum = sum * 31 + s[j][TX ^ 33];
  __syncthreads();
  return sum;
}
// CASE: by_templates tile=pipelined block=64 full with=k=0,1,2,4,7 -- rand:{max(4,4*3*T*k)} rand:{max(4,4*3*T*k)}:5 zero:{4*T} i32:{k}
KERNEL by_templates(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[3][TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    fill(s, g + (BX * k + i) * 3 * TILE);
    sum = use(s, sum);
    fill(s, h + (BX * k + i) * 3 * TILE);
    sum = use(s, sum);
  }
  out[ROW] = sum;
}
// Four words at a time, by half of the threads, of which the other half tells nothing.
struct alignas(16) Quad { u32 x, y, z, w; };
// CASE: wide_by_half tile=pipelined block=64 full with=k=0,1,2,4 -- rand:{max(16,8*T*k)} rand:{max(16,8*T*k)}:5 zero:{4*T} i32:{k}
KERNEL wide_by_half(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ __attribute__((aligned(16))) u32 s[2 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    if (TX < 32) *(Quad *)&s[4 * TX] = *(const Quad *)&g[(BX * k + i) * 2 * TILE + 4 * TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX] + s[TILE + TX];
    __syncthreads();
    if (TX < 32) *(Quad *)&s[4 * TX] = *(const Quad *)&h[(BX * k + i) * 2 * TILE + 4 * TX];
    __syncthreads();
    sum = sum * 31 + s[2 * TX] * s[(TX ^ 33) + TILE];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Floats, then numbers, in one buffer of bytes.
// CASE: buffer tile=pipelined block=64 full with=k=0,1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL buffer(const float *g, const u32 *h, u32 *out, int k) {
  __shared__ __attribute__((aligned(16))) unsigned char s[4 * TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    float *first = (float *)s;
    first[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + (first[TILE - 1 - TX] > first[TX]);
    __syncthreads();
    u32 *second = (u32 *)s;
    second[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + second[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A halo, of which some places never change: zeros from before the loop.
// CASE: halo tile=pipelined block=64 full with=k=0,1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL halo(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE + 2];
  u32 sum = 0;
  if (TX < 2) s[TX * (TILE + 1)] = TX + 7;
  for (int i = 0; i < k; i++) {
    s[TX + 1] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX] + 3 * s[TX + 2];
    __syncthreads();
    s[TX + 1] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX] + 5 * s[TX + 2];
    __syncthreads();
  }
  out[ROW] = sum;
}
// What is left is read behind the loop, and the array is used once more there.
// CASE: behind tile=pipelined block=64 full with=k=1,2,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL behind(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  sum += s[(TX + 5) % TILE];
  __syncthreads();
  s[TX] = sum;
  __syncthreads();
  out[ROW] = sum + s[TX ^ 1];
}
// In another loop, by runs of as many iterations.
// CASE: in_a_loop tile=pipelined block=64 full with=k=0,1,3,6 -- rand:{max(4,4*3*T*k)} rand:{max(4,4*3*T*k)}:5 zero:{4*T} i32:{k} i32:3
KERNEL in_a_loop(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < k; i++) {
      s[TX] = g[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
      s[TX] = h[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TX ^ 33];
      __syncthreads();
    }
  out[ROW] = sum;
}
// The array is a template's, which two kernels share.
template <class I> __device__ inline __attribute__((always_inline)) u32 both(const u32 *g, const u32 *h, I k) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (I i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  return sum;
}
// CHECK-LABEL: define {{.*}} @of_a_template(
// CHECK-COUNT-2: call void @llvm.nvvm.cp.async.wait.group
// CHECK-NOT: cp.async.wait
// CHECK-LABEL: define {{.*}} @of_a_template_too(
// CHECK-COUNT-2: call void @llvm.nvvm.cp.async.wait.group
// CASE: of_a_template tile=pipelined block=64 full with=k=0,1,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL of_a_template(const u32 *g, const u32 *h, u32 *out, int k) { out[ROW] = both(g, h, k); }
// CASE: of_a_template_too tile=pipelined block=64 full with=k=0,1,4 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL of_a_template_too(const u32 *g, const u32 *h, u32 *out, int k) { out[ROW] = both(g, h, k) + 1; }
// As many iterations as the compiler knows, of which it would have unrolled all.
// CASE: constant tile=pipelined block=64 full -- rand:{4*T*16} rand:{4*T*16}:5 zero:{4*T}
KERNEL constant(const u32 *g, const u32 *h, u32 *out) {
  __shared__ u32 s[TILE];
  u32 sum = 0;
  for (int i = 0; i < 16; i++) {
    s[TX] = g[(BX * 16 + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    s[TX] = h[(BX * 16 + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
