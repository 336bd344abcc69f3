// RUN: %rewritten %s --temp %t.d
// Rows that are walked beside silent atomics, of pointers that nothing tells apart: where the atomics add to places that are known on entry, a test there finds them
// apart from the rows, or the original runs; and shared memory is another place anyhow.
// TEXT: levels=O3,O1
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
#define ADD(p, v) __nvvm_atom_add_gen_i((int *)(p), (int)(v))

// CHECK-LABEL: @of_lanes(
// CHECK: call i1 @llvm.nvvm.vote.all.sync(
// CHECK: atomicrmw add {{.*}}, !coalda.aside
// CHECK: ret void
// CASE: of_lanes load=exchange plain:load=exchange block=48 grid=1 with=m=0,1,7,8,33,100 -- rand:{4*n*m+4} zero:{4*n*m+4} zero:1024 i32:{m} i32:{n}
KERNEL of_lanes(const u32 *in, u32 *out, u32 *count, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) {
    u32 v = in[i * m + j];
    if (v & 4) {
      ADD(&count[i & 255], 1);
      v = 7;
    }
    out[i * m + j] = v;
  }
}
// One counter, by long and a pointer.
// CASE: of_all load=exchange plain:load=exchange block=64 grid=1 full with=m=1,33,70 -- rand:{4*n*m+4} zero:4 i64:{m} i32:{n}
KERNEL of_all(const u32 *in, u32 *count, long m, int n) {
  const u32 *p = in + ROW * m, *e = p + m;
  for (; p != e; p++)
    if (*p & 1) ADD(count, *p >> 8);
}
// Each column's sum; without a sign.
// CASE: of_columns load=exchange block=64 grid=1 full with=m=1,33,70 -- rand:{4*n*m+4} zero:{4*m+4} i32:{m} i32:{n}
KERNEL of_columns(const u32 *in, u32 *sums, u32 m, int n) {
  u32 i = ROW;
  for (u32 j = 0; j < m; j++) ADD(sums + j, in[i * m + j]);
}
// A template, greatest values, downwards, in a loop by the whole grid.
template <class T> __device__ void raise(const T *row, T *most, int m) {
  for (int j = m - 1; j >= 0; j--) __nvvm_atom_max_gen_i(most + j, row[j]);
}
// CASE: raised load=exchange block=64 grid=1 with=m=33,64 -- rand:{4*n*m+4} zero:{4*m+4} i32:{m} i32:{n}
KERNEL raised(const int *in, int *most, int m, int n) {
  for (int i = ROW; i < n; i += 64) raise(in + i * m, most, m);
}
// Two counters, one of them 64 bits long.
// CASE: of_two load=exchange block=64 grid=1 full with=m=33,64 -- rand:{4*n*m+4} zero:8 zero:8 i32:{m} i32:{n}
KERNEL of_two(const u32 *in, u64 *sum, u32 *many, int m, int n) {
  int i = ROW;
#pragma unroll 2
  for (int j = 0; j < m; j++) {
    u32 v = in[i * m + j];
    __nvvm_atom_add_gen_ll((long long *)sum, v);
    if (v > 0x40000000) ADD(many, 1);
  }
}
// In shared memory, where data say; what is added up at the end may lie in the row.
// CASE: of_block load=exchange plain:load=exchange block=64 grid=2 full with=m=33,64 -- rand:{4*n*m+4} zero:256 i64:{m} i32:{n}
KERNEL of_block(const u32 *in, u32 *h, long m, int n) {
  __shared__ u32 own[64];
  int i = ROW;
  own[threadIdx.x & 63] = 0;
  __syncthreads();
  for (long j = 0; j < m; j++) ADD(own + (in[i * m + j] & 63), 1);
  __syncthreads();
  ADD(h + (threadIdx.x & 63), own[threadIdx.x & 63]);
}
// ---- what is added to lies among what is loaded -----------------------------------------------------------------------------------

// Each thread has 160 words of its own, and adds to one of them, before its row, in it and behind it.
// CASE: meets load=exchange block=32 grid=1 full with=m=32,40 with=k=-1,0,1,20,31,39,40 -- rand:{640*n+640} ref:0+32 ref:0+{32+4*k} i32:{m} i32:{n}
KERNEL meets(const u32 *, const u32 *in, u32 *count, int m, int n) {
  int i = ROW;
  _Pragma("unroll 1") for (int j = 0; j < m; j++)
    if (in[i * 160 + j] & 3) ADD(count + i * 160, 0x101);
}
// To every other one.
// CASE: meets_along load=exchange block=32 grid=1 full with=m=33 with=k=-70,-66,-64,-63,-20,0,1,31,32,33 -- rand:{1280*n+1280} ref:0+512 ref:0+{512+4*k} zero:{4*n} i32:2 i32:{m} i32:{n}
KERNEL meets_along(const u32 *, const u32 *in, u32 *count, u32 *out, int s, int m, int n) {
  int i = ROW;
  u32 sum = 0;
  for (int j = 0; j < m; j++) {
    u32 v = in[i * 320 + j];
    sum = sum * 31 + v;
    ADD(count + i * 320 + s * j, v | 1);
  }
  out[i] = sum;
}
// 64 bits of it, whose end alone reaches the row's first word.
// CASE: meets_end load=exchange block=32 grid=1 full with=m=33 with=k=-4,-2,0,32,34 -- rand:{640*n+640} ref:0+32 ref:0+{32+4*k} zero:{4*n} i32:{m} i32:{n}
KERNEL meets_end(const u32 *, const u32 *in, u64 *count, u32 *out, int m, int n) {
  int i = ROW;
  u32 sum = 0;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) {
    u32 v = in[i * 160 + j];
    sum = sum * 31 + v;
    if (v & 3) __nvvm_atom_add_gen_ll((long long *)(count + i * 80), 0x100000001);
  }
  out[i] = sum;
}
// An atomic and a store, of which the store meets the row, or the atomic does.
// CASE: meets_one load=exchange block=32 grid=1 full with=m=40 with=k=5,45 with=s=5,45 -- rand:{640*n+640} ref:0+{4*k} ref:0+{4*s} i32:{m} i32:{n}
KERNEL meets_one(const u32 *in, u32 *out, u32 *count, int m, int n) {
  int i = ROW;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) {
    u32 v = in[i * 160 + j];
    if (v & 1) out[i * 160 + 2 * j] = v * 31 + 7;
    if (v & 2) ADD(count + i * 160, v);
  }
}
// ---- left as they are -------------------------------------------------------------------------------------------------------------

// What was there is asked for.
// CASE: asked none refuse=WalkOrder block=32 grid=1 full with=m=33 -- rand:{4*n*m+4} zero:4 zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL asked(const u32 *in, u32 *count, u32 *out, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++)
    if (in[i * m + j] & 1) out[i * m + ADD(count, 1) % m] = 1;
}
// A fence between tells others that the loads before are done.
// CASE: fenced none refuse=WalkOrder block=32 grid=1 full with=m=33 -- rand:{4*n*m+4} zero:4 zero:{4*n} i32:{m} i32:{n}
KERNEL fenced(const u32 *in, u32 *count, u32 *out, int m, int n) {
  int i = ROW;
  u32 sum = 0;
  for (int j = 0; j < m; j++) {
    sum = sum * 31 + in[i * m + j];
    __nvvm_membar_gl();
    ADD(count, 1);
  }
  out[i] = sum;
}
