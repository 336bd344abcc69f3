// RUN: %rewritten %s --temp %t.d
// Rows that are walked while the loop adds, or stores, to where data say, by pointers that nothing tells apart: their words come early, and once more where they were
// when something has been written to the row.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
#define ADD(p, v) __nvvm_atom_add_gen_i((int *)(p), (int)(v))

// CHECK-LABEL: @bins(
// CHECK: load <4 x i32>
// CHECK: atomicrmw add
// CHECK: icmp ult i64
// CHECK: load i32, ptr {{.*}}, !coalda.doubt
// CHECK: ret void
// CASE: bins load=exchange plain:load=exchange block=48 grid=1 with=m=0,1,7,8,33,100 -- rand:{4*n*m+4} zero:1024 i32:{m} i32:{n}
KERNEL bins(const u32 *in, u32 *h, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) ADD(h + (in[i * m + j] & 255), 1);
}
// By a pointer, elements of 64 bits.
// CASE: pointers load=exchange plain:load=exchange block=64 grid=1 full with=m=1,33,70 -- rand:{8*n*m+8} zero:512 i64:{m} i32:{n}
KERNEL pointers(const u64 *in, u64 *h, long m, int n) {
  const u64 *p = in + ROW * m, *e = p + m;
  while (p != e) {
    u64 v = *p++;
    __nvvm_atom_add_gen_ll((long long *)h + (v & 63), v >> 8);
  }
}
// Scattered, each thread within its own part; a template, down, unrolled by pragma.
template <class T> __device__ void scatter(const T *row, const int *to, T *out, int m) {
#pragma unroll 2
  for (int j = m - 1; j >= 0; j--) out[to[j]] = row[j] * 3 + 1;
}
// CASE: scattered load=exchange block=64 grid=1 full with=m=33,64 -- rand:{4*n*m+4} iota:{m} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL scattered(const u32 *in, const int *to, u32 *out, int m, int n) { scatter(in + ROW * m, to, out + ROW * m, m); }
// In place, where a table says what becomes of a word, and counted; some iterations do neither.
// CASE: mapped load=exchange plain:load=exchange block=64 grid=1 full with=m=1,33,64 -- rand:{4*n*m+4} rand:1024 zero:1024 i32:{m} i32:{n}
KERNEL mapped(u32 *row, const u32 *map, u32 *count, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 v = row[i * m + j];
    if (v & 1) continue;
    u32 w = map[v >> 2 & 255];
    row[i * m + j] = w;
    ADD(count + (w & 255), 1);
  }
}
// In place, nothing counted.
// CASE: in_place load=exchange plain:load=exchange block=64 grid=1 full with=m=1,33,64 -- rand:{4*n*m+4} i32:{m} i32:{n}
KERNEL in_place(u32 *row, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 v = row[i * m + j];
    if (v & 1) row[i * m + j] = v * v / 3;
  }
}
// Two rows, in a loop by the whole grid.
// CASE: two_rows load=exchange block=64 grid=1 with=m=33,64 -- rand:{4*n*m+4} rand:{4*n*m+4} zero:1024 i32:{m} i32:{n}
KERNEL two_rows(const u32 *a, const u32 *b, u32 *h, int m, int n) {
  for (int i = ROW; i < n; i += 64)
    for (int j = 0; j < m; j++) ADD(h + (a[i * m + j] & 255), b[i * m + j]);
}
// ---- what is written lies among what is loaded -------------------------------------------------------------------------------------

// Each thread has 160 words of its own, of which it walks m, and adds to one of 64, from some place on.
// CASE: meets load=exchange plain:load=exchange block=32 grid=1 full with=m=32,40 with=k=-63,-20,0,1,20,39,40 -- rand:{640*n+1280} ref:0+512 ref:0+{512+4*k} zero:{4*n} i32:{m} i32:{n}
KERNEL meets(const u32 *, const u32 *in, u32 *h, u32 *out, int m, int n) {
  int i = ROW;
  u32 sum = 0;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) {
    u32 v = in[i * 160 + j];
    sum = sum * 31 + v;
    ADD(h + i * 160 + (v >> 3 & 63), v | 1);
  }
  out[i] = sum;
}
// As the compiler unrolls it.
// CASE: meets_unrolled load=exchange block=32 grid=1 full with=m=32,43 with=k=-63,-20,0,1,20,42 -- rand:{640*n+1280} ref:0+512 ref:0+{512+4*k} zero:{4*n} i64:{m} i32:{n}
KERNEL meets_unrolled(const u32 *, const u32 *in, u32 *h, u32 *out, long m, int n) {
  long i = ROW;
  u32 sum = 0;
  for (long j = 0; j < m; j++) {
    u32 v = in[i * 160 + j];
    sum = sum * 31 + v;
    ADD(h + i * 160 + (v >> 3 & 63), v | 1);
  }
  out[i] = sum;
}
// Down, by stores, in some iterations.
// CASE: meets_down load=exchange block=32 grid=1 full with=m=32,43 with=k=-63,-20,0,1,20,42 -- rand:{640*n+1280} ref:0+512 ref:0+{512+4*k} zero:{4*n} i64:{m} i32:{n}
KERNEL meets_down(const u32 *, const u32 *in, u32 *to, u32 *out, long m, int n) {
  long i = ROW;
  u32 sum = 0;
  for (long j = m - 1; j >= 0; j--) {
    u32 v = in[i * 160 + j];
    sum = sum * 31 + v;
    if (v & 4) to[i * 160 + (v >> 3 & 63)] = sum;
  }
  out[i] = sum;
}
// Words of 64 bits are written, of which one half alone may lie in the row: its last word, or its first.
// CASE: meets_end load=exchange block=32 grid=1 full with=m=33 with=k=-126,-64,0,16,32 -- rand:{1280*n+1280} ref:0+512 ref:0+{512+4*k} zero:{4*n} i32:{m} i32:{n}
KERNEL meets_end(const u32 *, const u32 *in, u64 *h, u32 *out, int m, int n) {
  int i = ROW;
  u32 sum = 0;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) {
    u32 v = in[i * 320 + j];
    sum = sum * 31 + v;
    __nvvm_atom_add_gen_ll((long long *)h + i * 160 + (v >> 3 & 63), 0x100000001);
  }
  out[i] = sum;
}
// Bytes by bytes.
// CASE: meets_bytes block=32 grid=1 full with=m=64,100 with=k=-40,0,1,63 -- rand:{640*n+1280} ref:0+512 ref:0+{512+k} zero:{4*n} i32:{m} i32:{n}
KERNEL meets_bytes(const unsigned char *, const unsigned char *in, unsigned char *to, u32 *out, int m, int n) {
  int i = ROW;
  u32 sum = 0;
  for (int j = 0; j < m; j++) {
    u32 v = in[i * 256 + j];
    sum = sum * 31 + v;
    to[i * 256 + (v >> 1 & 63)] = sum;
  }
  out[i] = sum;
}
// The first of two writes meets the row of the second load, and the other way round.
// CASE: meets_one load=exchange block=32 grid=1 full with=m=40 with=k=0,5440 with=s=0,5440 -- rand:{1280*n+2560} rand:{1280*n+2560} ref:0+{4*k} ref:1+{4*s} zero:{4*n} i32:{m} i32:{n}
KERNEL meets_one(u32 *a, u32 *b, u32 *p, u32 *q, u32 *out, int m, int n) {
  int i = ROW;
  u32 sum = 0;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) {
    u32 v = a[i * 160 + j], w = b[i * 160 + j];
    sum = (sum * 31 + v) * 31 + w;
    if (v & 1) p[i * 160 + (w & 63)] = v;
    if (v & 2) ADD(q + i * 160 + (v >> 3 & 63), w);
  }
  out[i] = sum;
}
// One place alone is written, near the row's first word, its last ones, and behind it.
// CASE: meets_at load=exchange block=32 grid=1 full with=m=32 with=k=-1,0,8,24,25,30,31,32 -- rand:{640*n+1280} ref:0+512 ref:0+512 zero:{4*m} zero:{4*n} i64:{k} i64:{m} i32:{n}
KERNEL meets_at(const u32 *, const u32 *in, u32 *h, const int *to, u32 *out, long k, long m, int n) {
  long i = ROW;
  u32 sum = 0;
  for (long j = 0; j < m; j++) {
    u32 v = in[i * 160 + j];
    sum = sum * 31 + v;
    ADD(h + i * 160 + to[j] + k, v | 1);
  }
  out[i] = sum;
}
// The end of 64 bits reaches the row's first word, which is walked last; the beginning its last one.
// CASE: meets_half load=exchange block=32 grid=1 full with=m=32,64 with=k=-1,0,16,32 -- rand:{1280*n+1280} ref:0+516 ref:0+512 zero:{4*m} zero:{4*n} i32:{k} i32:{m} i32:{n}
KERNEL meets_half(const u32 *, const u32 *in, u64 *h, const int *to, u32 *out, int k, int m, int n) {
  int i = ROW;
  u32 sum = 0;
  _Pragma("unroll 1") for (int j = m - 1; j >= 0; j--) {
    u32 v = in[i * 320 + j];
    sum = sum * 31 + v;
    __nvvm_atom_add_gen_ll((long long *)h + i * 160 + to[j] + k, 0x100000001);
  }
  out[i] = sum;
}
// An index without a sign that wraps around: where the row lies nobody knows on entry.
// CASE: wraps load=exchange block=32 grid=1 full with=m=33 with=k=32,40 -- rand:{640*n+640} ref:0+0 zero:{4*m} zero:{4*n} i32:{k} i32:{m} i32:{n}
KERNEL wraps(const u32 *in, u32 *h, const int *to, u32 *out, u32 k, u32 m, int n) {
  u32 i = ROW, sum = 0;
  _Pragma("unroll 1") for (u32 j = 0; j < m; j++) {
    u32 v = in[i * 160 + k - j];
    sum = sum * 31 + v;
    ADD(h + i * 160 + to[j] + 3, v | 1);
  }
  out[i] = sum;
}
// In a function of its own, of which nobody knows whose arrays it is given.
__device__ __attribute__((noinline)) u32 work(const u32 *p, u32 *h, int m) {
  u32 sum = 0;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) {
    u32 v = p[j];
    sum = sum * 31 + v;
    ADD(h + (v & 31), sum);
  }
  return sum;
}
// CASE: called none block=32 grid=1 full with=m=40 -- rand:{160*n+160} zero:{160*n+160} zero:{4*n} i32:{m} i32:{n}
KERNEL called(const u32 *in, u32 *h, u32 *out, int m, int n) {
  int i = ROW;
  out[i] = work(in + i * 40, h + i * 40, m);
}
// ---- left as they are -------------------------------------------------------------------------------------------------------------

// Of one array: it would meet the rows more often than not.
// CASE: permuted none plain:none block=32 grid=1 full with=m=33 -- rand:{4*n*64+4} i32:{m} i32:{n}
KERNEL permuted(u32 *a, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * 64 + j];
    if (v & 1) a[i * 64 + (v >> 1 & 63)] = v;
  }
}
// To the next word, which the next iteration loads.
// CASE: passed_on none plain:none block=48 grid=1 full with=m=33 -- rand:{4*n*(m+1)} zero:1024 i32:{m} i32:{n}
KERNEL passed_on(u32 *a, u32 *h, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 v = a[i * (m + 1) + j];
    if (v & 1) a[i * (m + 1) + j + 1] = v / 2;
    ADD(h + (v & 255), 1);
  }
}
// To the word, before it is loaded.
// CASE: before none plain:none block=48 grid=1 full with=m=33 -- rand:{4*n*m} rand:{4*m} zero:1024 i32:{m} i32:{n}
KERNEL before(u32 *a, const u32 *w, u32 *h, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 k = w[j];
    if (k & 1) a[i * m + j] = k;
    ADD(h + (a[i * m + j] & 255), 1);
  }
}
// To shared memory, counted from its beginning, where the row may lie as well.
// CASE: of_block block=32 grid=1 full with=m=70,96 with=k=0,1 -- rand:{640*n+1280} zero:{4*n} i32:{k} i32:{m} i32:{n}
KERNEL of_block(const u32 *in, u32 *out, int k, int m, int n) {
  __shared__ u32 own[32 * 100];
  int i = ROW;
  for (int j = 0; j < 100; j++) own[i * 100 + j] = in[i * 100 + j];
  const u32 *p = k ? own : in;
  auto *q = (__attribute__((address_space(3))) u32 *)own;
  u32 sum = 0;
  asm("" : "+l"(q));
  _Pragma("unroll 1") for (int j = 0; j < m; j++) {
    q[i * 100 + ((j + (sum >> 4 & 1)) & 63)] = sum;
    u32 v = p[i * 100 + j];
    sum = sum * 31 + v;
  }
  out[i] = sum;
}
