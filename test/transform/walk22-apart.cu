// RUN: %rewritten %s --temp %t.d
// Loops that walk rows and store elsewhere, a step of nobody knows how many bytes an iteration: a test on entry finds all that they store
// apart from all that they load, or the original runs.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
#define EACH(m) _Pragma("unroll 1") for (int j = 0; j < m; j++)

// CHECK-LABEL: @columns(
// CHECK: call i1 @llvm.nvvm.vote.all.sync(
// CHECK: store i32 {{.*}}, !coalda.aside
// CHECK: ret void
// CASE: columns load=exchange plain:load=exchange block=48 grid=1 with=m=0,1,7,8,33,100 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL columns(const u32 *in, u32 *out, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) out[i + n * j] = in[i * m + j];
}
// CASE: of_64_bits load=exchange plain:load=exchange block=64 grid=1 full with=m=33 -- rand:{8*n*m+8} zero:{8*n*m+8} i64:{m} i64:{n}
KERNEL of_64_bits(const u64 *in, u64 *out, long m, long n) {
  long i = ROW;
  for (long j = 0; j < m; j++) out[i + n * j] = in[i * m + j] * 3;
}
// CASE: without_sign load=exchange plain:load=exchange block=64 grid=1 full with=m=33 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL without_sign(const u32 *in, u32 *out, u32 m, u32 n) {
  u32 i = ROW;
  for (u32 j = 0; j < m; j++) out[i + n * j] = in[i * m + j];
}
// CASE: pointers load=exchange plain:load=exchange block=64 grid=1 full with=m=1,33,70 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL pointers(const float *in, float *out, int m, int n) {
  const float *p = in + ROW * m, *e = p + m;
  float *q = out + ROW;
  for (; p != e; p++, q += n) *q = *p;
}
template <class T, int U> __device__ void turn_row(const T *in, T *out, int n, int m) {
#pragma unroll U
  for (int j = 0; j < m; j++) out[n * j] = in[j] + T(1);
}
// CASE: unrolled load=exchange block=64 grid=1 full with=m=3,35 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL unrolled(const int *in, int *out, int m, int n) { turn_row<int, 4>(in + ROW * m, out + ROW, n, m); }
// CASE: backward load=exchange block=64 grid=1 full with=m=3,35 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL backward(const u32 *in, u32 *out, int m, int n) {
  int i = ROW;
  for (int j = m - 1; j >= 0; j--) out[i + n * j] = in[i * m + j];
}
// CASE: two_stores load=exchange block=64 grid=1 full with=m=35 -- rand:{4*n*m+4} zero:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL two_stores(const u32 *in, u32 *out, u32 *q, int m, int n) {
  int i = ROW;
  u32 s = 0;
  EACH(m) {
    u32 v = in[i * m + j];
    q[i + n * j] = s;
    s += v;
    out[i + n * j] = v * 3;
  }
}
// CASE: with_vector load=exchange block=64 grid=1 full with=m=35 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL with_vector(const u32 *in, const u32 *w, u32 *out, int m, int n) {
  int i = ROW;
  EACH(m) out[i + n * j] = in[i * m + j] * w[j];
}
// CASE: some load=exchange block=64 grid=1 full with=m=35,64 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL some(const u32 *in, u32 *out, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 v = in[i * m + j];
    if (v & 1) out[i + n * j] = v * v / 3;
  }
}
// CASE: bytes load=exchange block=64 grid=1 full with=m=35,64 -- rand:{n*m+4} zero:{n*m+4} i32:{m} i32:{n}
KERNEL bytes(const unsigned char *in, unsigned char *out, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) out[i + n * j] = in[i * m + j];
}
// CASE: constant load=exchange block=64 grid=1 full -- rand:{4*n*64+4} zero:{4*n*64+4} i32:{n}
KERNEL constant(const u32 *in, u32 *out, int n) {
  int i = ROW;
  for (int j = 0; j < 64; j++) out[i + n * j] = in[i * 64 + j];
}
// ---- what is stored lies among what is loaded ---------------------------------------------------------------------------------

// Each thread has 160 words of its own; it loads m of them one by one and stores each s-th, from some place on: before the row, in it, at its
// end and behind it.
// CASE: meets load=exchange plain:load=exchange block=32 grid=1 full with=m=32,40 with=s=2 with=k=-1,0,1,20,39,40,41 -- rand:{640*n+640} ref:0+32 ref:0+{32+4*k} i32:{s} i32:{m} i32:{n}
KERNEL meets(const u32 *, const u32 *in, u32 *out, int s, int m, int n) {
  int i = ROW;
  EACH(m) out[i * 160 + s * j] = in[i * 160 + j] * 31 + 7;
}
// The row behind what is stored.
// CASE: meets_before load=exchange plain:load=exchange block=32 grid=1 full with=m=33 with=s=2 with=k=0,1,20,63,64,65,66 -- rand:{640*n+640} ref:0+{32+4*k} ref:0+32 i32:{s} i32:{m} i32:{n}
KERNEL meets_before(const u32 *, const u32 *in, u32 *out, int s, int m, int n) {
  int i = ROW;
  EACH(m) out[i * 160 + s * j] = in[i * 160 + j] * 31 + 7;
}
// Backwards through what is stored: the step is negative.
// CASE: meets_down load=exchange block=32 grid=1 full with=m=33 with=s=-1,-2 with=k=57,63,64,65,66,97 -- rand:{640*n+640} ref:0+32 ref:0+{32+4*k} i32:{s} i32:{m} i32:{n}
KERNEL meets_down(const u32 *, const u32 *in, u32 *out, int s, int m, int n) {
  int i = ROW;
  EACH(m) out[i * 160 + s * j] = in[i * 160 + j] * 31 + 7;
}
// As the compiler unrolls it, to and fro: what it stores first meets what an iteration loads last.
// CASE: meets_unrolled load=exchange block=32 grid=1 full with=m=32,35 with=k=27,28,29,30,31,32 -- rand:{640*n+640} ref:0+32 ref:0+{32+4*k} i64:2 i64:{m} i32:{n}
KERNEL meets_unrolled(const u32 *, const u32 *in, u32 *out, long s, long m, int n) {
  long i = ROW;
  for (long j = 0; j < m; j++) out[i * 160 + s * j] = in[i * 160 + j] * 31 + 7;
}
// CASE: meets_back load=exchange block=32 grid=1 full with=m=32,64 with=k=-62,-61,-60,-31,-30,-29,-28 -- rand:{640*n+1280} ref:0+512 ref:0+{512+4*k} i64:1 i64:{m} i32:{n}
KERNEL meets_back(const u32 *, const u32 *in, u32 *out, long s, long m, int n) {
  long i = ROW;
  for (long j = m - 1; j >= 0; j--) out[i * 160 + s * j] = in[i * 160 + j] * 31 + 7;
}
// In some threads alone: their warp takes the old way.
// CASE: meets_in_some load=exchange block=64 grid=1 full with=m=40 with=s=2 -- rand:{640*n+640} ref:0+0 i32:{s} i32:{m} i32:{n}
KERNEL meets_in_some(const u32 *in, u32 *out, int s, int m, int n) {
  int i = ROW;
  out += i % 37 == 3 ? 7 : 60;
  EACH(m) out[i * 160 + s * j] = in[i * 160 + j] * 31 + 7;
}
// Under a condition.
// CASE: meets_some load=exchange block=32 grid=1 full with=m=40 with=s=2 with=k=1,5,39,40 -- rand:{640*n+640} ref:0+{4*k} i32:{s} i32:{m} i32:{n}
KERNEL meets_some(const u32 *in, u32 *out, int s, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 v = in[i * 160 + j];
    if (v & 1) out[i * 160 + s * j] = v * v / 3;
  }
}
// More stretches than are tested: what each load alone may be asked, all of them are not.
// CASE: meets_many none refuse=WalkWritten block=32 grid=1 full with=m=40 with=p=45 with=k=1,5 -- rand:{4096*n+4096} ref:0+{4*k} zero:{4*n} i32:{p} i32:2 i32:{m} i32:{n}
KERNEL meets_many(const u32 *in, u32 *out, u32 *q, int p, int s, int m, int n) {
  u32 sum = 0;
  in += ROW * 1024, out += ROW * 1024;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) {
    u32 v = in[j], w = 0;
#pragma unroll
    for (int r = 1; r < 9; r++) w = w * 31 + in[r * p + j];
    sum = sum * 31 + w;
    if (v & 1)
#pragma unroll
      for (int r = 0; r < 9; r++) out[r * p + r + s * j] = w * 7 + r;
  }
  q[ROW] = sum;
}
// As the compiler unrolls it; one of two stores meets the row.
// CASE: meets_second load=exchange block=32 grid=1 full with=m=43 with=s=2 with=k=1,5,42,43 -- rand:{640*n+640} zero:{640*n} ref:0+{4*k} i32:{s} i32:{m} i32:{n}
KERNEL meets_second(const u32 *in, u32 *q, u32 *out, int s, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) {
    u32 v = in[i * 160 + j];
    q[i * 160 + s * j] = v;
    out[i * 160 + s * j] = v * 31 + 7;
  }
}
// The same by an index without a sign, which wraps around in every iteration.
// CASE: wraps load=exchange block=32 grid=1 full with=m=33 with=s=-1,-2 with=k=64,65,66,97 -- rand:{640*n+640} ref:0+32 ref:0+32 i32:{k} i32:{s} i32:{m} i32:{n}
KERNEL wraps(const u32 *, const u32 *in, u32 *out, u32 k, u32 s, u32 m, int n) {
  u32 i = ROW;
  _Pragma("unroll 1") for (u32 j = 0; j < m; j++) out[i * 160 + k + s * j] = in[i * 160 + j] * 31 + 7;
}
// Where data say: words come early all the same (walk41-doubted.cu).
// CASE: scattered load=exchange block=48 grid=1 full with=m=33 -- rand:{4*n*m+4} iota:{m} zero:{4*m*n} i32:{m} i32:{n}
KERNEL scattered(const u32 *in, const int *to, u32 *out, int m, int n) {
  int i = ROW;
  EACH(m) out[i * m + to[j]] = in[i * m + j];
}
// ---- left as they are ------------------------------------------------------------------------------------------------------

// Of one array.
// CASE: in_place plain:none block=32 grid=1 full with=m=33 -- rand:{8*n*m+400} i32:{m} i32:{n}
KERNEL in_place(u32 *a, int m, int n) {
  int i = ROW;
  EACH(m) a[n * m + i + n * j] = a[i * m + j];
}
