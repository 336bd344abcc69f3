// RUN: %rewritten %s --temp %t.d
// RUN: %clang-device -nocudainc -nocudalib -O3 -I%S/../gen %s -o %t.ll && %opt -passes='coalda<always>' -S %t.ll -o - | %FileCheck %s
// Several tiles in one iteration, each with barriers of its own: a ring for each, which waits for its own copies alone, however
// often the loop runs. The ways in which programs write them.
// TEXT: levels=O3,O1 archs=sm_90 stages=2,3,5
#include "tiles.cuh"

// ---- what is waited for ----

// Of four stages ahead of each, the last three of both, and what of the other is younger than the fourth.
// CHECK-LABEL: define {{.*}} @keys_values(
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 7)
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 7)
// CHECK-NOT: cp.async.wait
// CASE: keys_values tile=pipelined block=64 full with=k=0,1,2,3,4,5,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL keys_values(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    r[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// Two barriers are enough for both.
// CHECK-LABEL: define {{.*}} @fewer_barriers(
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 [[FEW:[4-7]]])
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 [[FEW]])
// CHECK-NOT: cp.async.wait
// CASE: fewer_barriers tile=pipelined block=64 full with=k=0,1,2,3,4,5,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL fewer_barriers(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    r[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
  }
  out[ROW] = sum;
}
// Three of them.
// CHECK-LABEL: define {{.*}} @three(
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 11)
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 11)
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 11)
// CHECK-NOT: cp.async.wait
// CASE: three tile=pipelined block=64 full with=k=0,1,2,3,4,5,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 rand:{max(4,4*T*k)}:6 zero:{4*T} i32:{k}
KERNEL three(const u32 *g, const u32 *h, const u32 *e, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE], q[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    r[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
    __syncthreads();
    q[TX] = e[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + q[TX ^ 5];
    __syncthreads();
  }
  out[ROW] = sum;
}

// ---- how programs write them ----

// Tiles of different sizes and widths, and a long counter.
struct alignas(16) Quad { u32 x, y, z, w; };
// CHECK-LABEL: define {{.*}} @sizes(
// CASE: sizes tile=pipelined block=64 full with=k=0,1,2,4,7 -- rand:{max(4,4*T*k)} rand:{max(16,16*T*k)}:5 zero:{4*T} i64:{k}
KERNEL sizes(const u32 *g, const Quad *h, u32 *out, long long k) {
  __shared__ u32 s[TILE];
  __shared__ Quad r[TILE];
  u32 sum = 0;
  for (long long i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    r[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33].x + r[TX ^ 1].w;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Pointers count.
// CASE: pointers tile=pipelined block=64 full with=k=0,1,2,4,7 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL pointers(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  const u32 *p = g + BX * k * TILE + TX, *q = h + BX * k * TILE + TX, *end = p + k * TILE;
  for (; p != end; p += TILE, q += TILE) {
    s[TX] = *p;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    r[TX] = *q;
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// The last tile is short.
// CASE: guarded tile=pipelined block=64 full with=m=0,1,63,64,65,250 -- rand:{max(4,4*m)} rand:{max(4,4*m)}:5 zero:{4*T} i32:{m}
KERNEL guarded(const u32 *g, const u32 *h, u32 *out, int m) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < m; i += TILE) {
    s[TX] = i + TX < m ? g[i + TX] : 0;
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    r[TX] = i + TX < m ? h[i + TX] : 0;
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33] + BX;
    __syncthreads();
  }
  out[ROW] = sum;
}
// Loops fill them, by lanes that share 16 bytes.
// CASE: filled_by_loops tile=pipelined block=64 full with=k=0,1,2,4,7 -- rand:{max(4,4*4*T*k)} rand:{max(4,4*4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL filled_by_loops(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[4][TILE], r[4][TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    for (int e = TX; e < 4 * TILE; e += blockDim.x) s[e / TILE][e % TILE] = g[(BX * k + i) * 4 * TILE + e];
    __syncthreads();
    for (int j = 0; j < 4; j++) sum = sum * 31 + s[j][TILE - 1 - TX];
    __syncthreads();
    for (int e = TX; e < 4 * TILE; e += blockDim.x) r[e / TILE][e % TILE] = h[(BX * k + i) * 4 * TILE + e];
    __syncthreads();
    for (int j = 0; j < 4; j++) sum = sum * 31 + r[j][TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A template fills them, with rows of each thread.
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
// CASE: by_templates tile=pipelined block=64 full with=k=0,1,2,4,7 -- rand:{max(4,4*2*T*k)} rand:{max(4,4*3*T*k)}:5 zero:{4*T} i32:{k}
KERNEL by_templates(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[2][TILE], r[3][TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    fill(s, g + (BX * k + i) * 2 * TILE);
    sum = use(s, sum);
    fill(r, h + (BX * k + i) * 3 * TILE);
    sum = use(r, sum);
  }
  out[ROW] = sum;
}
// The loop runs several times: what the run before has left in flight counts as well.
// CHECK-LABEL: define {{.*}} @in_a_loop(
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 9)
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 9)
// CHECK-LABEL: define
// CASE: in_a_loop tile=pipelined block=64 full with=k=0,1,3,6 -- rand:{max(4,4*3*T*k)} rand:{max(4,4*3*T*k)}:5 zero:{4*T} i32:{k} i32:3
KERNEL in_a_loop(const u32 *g, const u32 *h, u32 *out, int k, int m) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int j = 0; j < m; j++)
    for (int i = 0; i < k; i++) {
      s[TX] = g[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
      r[TX] = h[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + r[TX ^ 33];
      __syncthreads();
    }
  out[ROW] = sum;
}
// Three loops that share both arrays.
// CASE: unrolled_loops tile=pipelined block=64 full with=k=0,1,3,6 -- rand:{max(4,4*3*T*k)} rand:{max(4,4*3*T*k)}:5 zero:{4*T} i32:{k}
KERNEL unrolled_loops(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int j = 0; j < 3; j++)
    for (int i = 0; i < k; i++) {
      s[TX] = g[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + s[TILE - 1 - TX];
      __syncthreads();
      r[TX] = h[((BX * k + i) * 3 + j) * TILE + TX];
      __syncthreads();
      sum = sum * 31 + r[TX ^ 33];
      __syncthreads();
    }
  out[ROW] = sum;
}
// A tile of a warp beside another of its own.
// CASE: of_warps tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL of_warps(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[2][32], r[2][32];
  u32 sum = 0, w = TX / 32, lane = TX % 32;
  for (int i = 0; i < k; i++) {
    s[w][lane] = g[(BX * k + i) * TILE + TX];
    __nvvm_bar_warp_sync(~0u);
    sum = sum * 31 + s[w][31 - lane];
    __nvvm_bar_warp_sync(~0u);
    r[w][lane] = h[(BX * k + i) * TILE + TX];
    __nvvm_bar_warp_sync(~0u);
    sum = sum * 31 + r[w][lane ^ 7];
    __nvvm_bar_warp_sync(~0u);
  }
  out[ROW] = sum;
}

// ---- where the count is another one ----

// What the loop writes may meet one of the two arrays: that ring alone has another version, of which the other ring knows.
// CASE: written tile=pipelined block=64 full with=k=0,1,3,6 -- rand:{4*T*(k+1)} rand:{max(4,4*T*k)}:5 rand:{4*T*(k+1)}:6 zero:{4*T} i32:{k}
// CASE: written tile=pipelined block=64 full with=k=0,1,3,6 -- rand:{4*T*(k+1)} rand:{max(4,4*T*k)}:5 ref:0+{4*T} zero:{4*T} i32:{k}
// CASE: written tile=pipelined block=64 full with=k=0,1,3,6 -- rand:{max(4,4*T*k)} rand:{4*T*(k+1)}:5 ref:1+{4*T} zero:{4*T} i32:{k}
KERNEL written(const u32 *g, const u32 *h, u32 *w, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(i * gridDim.x + BX) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    r[TX] = h[(i * gridDim.x + BX) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
    w[(i * gridDim.x + BX) * TILE + TX] = sum;
    __syncthreads();
  }
  out[ROW] = sum;
}
// A tile that leaves room for three stages alone, behind one with five.
// CASE: deep_and_shallow tile=pipelined block=64 full with=k=0,1,2,3,4,7 -- rand:{max(4,4*T*k)} rand:{max(4,4*48*T*k)}:5 zero:{4*T} i32:{k}
KERNEL deep_and_shallow(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[48][TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    for (int j = 0; j < 48; j++) r[j][TX] = h[((BX * k + i) * 48 + j) * TILE + TX];
    __syncthreads();
    for (int j = 0; j < 48; j++) sum = sum * 31 + r[j][TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// One of three comes once, in front of the loop, between the first tiles of the others.
// CASE: one_for_all tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{max(4,4*T*k)} rand:256 rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL one_for_all(const u32 *g, const u32 *e, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], q[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    q[TX] = e[TX];
    __syncthreads();
    sum = sum * 31 + q[TX ^ 5];
    __syncthreads();
    r[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
// A group of the user's, which nobody knows how to count.
// CHECK-LABEL: define {{.*}} @own_group(
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 3)
// CHECK: call void @llvm.nvvm.cp.async.wait.group(i32 3)
#define SHARED(p) ((void __attribute__((address_space(3))) *)(p))
#define GLOBAL(p) ((const void __attribute__((address_space(1))) *)(p))
// CASE: own_group tile=pipelined block=64 full with=k=0,1,2,5 -- rand:{4*T} rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL own_group(const u32 *e, const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE], once[TILE];
  u32 sum = 0;
  __nvvm_cp_async_ca_shared_global_4(SHARED(&once[TX]), GLOBAL(&e[ROW]));
  __nvvm_cp_async_commit_group();
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    r[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
    __syncthreads();
  }
  __nvvm_cp_async_wait_group(0);
  __syncthreads();
  out[ROW] = sum + once[TILE - 1 - TX];
}
// One of the two under a condition of the block: no ring, or none that is counted on.
// CASE: now_and_then block=64 full with=k=0,1,2,5,9 -- rand:{max(4,4*T*k)} rand:{max(4,4*T*k)}:5 zero:{4*T} i32:{k}
KERNEL now_and_then(const u32 *g, const u32 *h, u32 *out, int k) {
  __shared__ u32 s[TILE], r[TILE];
  u32 sum = 0;
  for (int i = 0; i < k; i++) {
    s[TX] = g[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + s[TILE - 1 - TX];
    __syncthreads();
    if (i % 2 == 0) r[TX] = h[(BX * k + i) * TILE + TX];
    __syncthreads();
    sum = sum * 31 + r[TX ^ 33];
    __syncthreads();
  }
  out[ROW] = sum;
}
