// RUN: %rewritten %s --temp %t.d
// A thread's own record that nobody promises to be aligned: one wide piece where it is, which the thread asks for itself; no lane moves what is another's.
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_75 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
typedef unsigned char u8;
typedef unsigned short u16;
struct F4 { u32 x, y, z, w; };
struct F2 { u32 x, y; };
struct H4 { u16 x, y, z, w; };
struct B4 { u8 r, g, b, a; };
struct B8 { u8 v[8]; };

// CHECK-LABEL: @four(
// CHECK-NOT: activemask
// CHECK: and i64 %{{.*}}, 15
// CHECK: load <4 x i32>
// CHECK: store <4 x i32>
// CASE: four plain:load=widen plain:store=widen with=o=0,4,8,16 -- rand:{16*n+32} ref:0+{o} zero:{16*n+32} ref:2+{16-o} i32:{n}
// CASE: four block=7 grid=3 full with=o=0,4 -- rand:{16*n+32} ref:0+{o} zero:{16*n+32} ref:2+{o} i32:{n}
KERNEL four(const void *, const F4 *p, const void *, F4 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  F4 a = p[i];
  a.x += a.y; a.y *= 3; a.z ^= a.w; a.w = i;
  q[i] = a;
}
// In place.
// CASE: place plain:load=widen plain:store=widen with=o=0,4 -- rand:{16*n+32} ref:0+{o} i32:{n}
KERNEL place(void *, F4 *p, int n) {
  int i = ROW;
  if (i >= n) return;
  F4 a = p[i];
  a.x += a.y; a.y *= 3; a.z ^= a.w; a.w = i;
  p[i] = a;
}
// Bytes and halves, which LLVM may have put together already.
// CASE: halves plain:store=widen with=o=0,2,4,8 -- rand:{8*n+32} ref:0+{o} zero:{8*n+32} ref:2+{8-o} i32:{n}
KERNEL halves(const void *, const H4 *p, const void *, H4 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  H4 a = p[i];
  a.x += a.y; a.y *= 3; a.z ^= a.w; a.w = i;
  q[i] = a;
}
// CASE: pixels plain:store=widen with=o=0,1,2,4 -- rand:{4*n+32} ref:0+{o} zero:{4*n+32} ref:2+{4-o} i32:{n}
KERNEL pixels(const void *, const B4 *p, const void *, B4 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  B4 a = p[i];
  a.r += a.g; a.g *= 3; a.b ^= a.a; a.a = i;
  q[i] = a;
}
// CASE: eight plain:store=widen with=o=0,1,4,8 -- rand:{8*n+32} ref:0+{o} zero:{8*n+32} ref:2+{8-o} i32:{n}
template <class T> static __device__ T changed(T a) {
  for (int k = 0; k < 8; k++) a.v[k] += k;
  return a;
}
KERNEL eight(const void *, const B8 *p, const void *, B8 *q, int n) {
  int i = ROW;
  if (i < n) q[i] = changed(p[i]);
}
// Records of no power of two, which no exchange would move faster: four pixels of three bytes, ten bytes, six halves.
#define MAPPED(NAME, T, N) \
  KERNEL NAME(const void *, const T *__restrict__ p, const void *, T *__restrict__ q, int n) { \
    int i = ROW; \
    if (i >= n) return; \
    T a[N]; \
    for (int k = 0; k < N; k++) a[k] = p[i * N + k] * 3 + k; \
    for (int k = 0; k < N; k++) q[i * N + k] = a[k]; \
  }
// CASE: twelve plain:load=widen plain:store=widen with=o=0,1,2,4 -- rand:{12*n+32} ref:0+{o} zero:{12*n+32} ref:2+{4-o} i32:{n}
MAPPED(twelve, u8, 12)
// CASE: ten plain:store=widen with=o=0,1,2 -- rand:{10*n+32} ref:0+{o} zero:{10*n+32} ref:2+{2-o} i32:{n}
MAPPED(ten, u8, 10)
// CASE: six plain:store=widen with=o=0,2,4 -- rand:{12*n+32} ref:0+{o} zero:{12*n+32} ref:2+{4-o} i32:{n}
MAPPED(six, u16, 6)
// Six bytes would not gain.
// CASE: few_bytes plain:store=none with=o=0,2 -- rand:{6*n+32} ref:0+{o} zero:{6*n+32} ref:2+{2-o} i32:{n}
MAPPED(few_bytes, u8, 6)
// At places that a list names; under conditions that differ from lane to lane; in a loop; by a pointer that moves.
// CASE: scattered plain:store=widen with=o=0,4 -- rand:{16*n+32} ref:0+{o} zero:{16*n+32} ref:2+{o} perm:{n} i32:{n}
KERNEL scattered(const void *, const F4 *p, const void *, F4 *q, const u32 *at, int n) {
  int i = ROW;
  if (i >= n) return;
  F4 a = p[i];
  a.x += a.y; a.y *= 3;
  q[at[i]] = a;
}
// What is added to the array's beginning keeps its alignment: that is asked for, as often as not outside of the loop. Of what does not, each record is asked.
// CHECK-LABEL: @looked_up(
// CHECK: ptrtoint ptr %3 to i64
// CHECK-NEXT: and i64 %{{.*}}, 7
// CASE: looked_up plain:store=widen with=o=0,4,8 -- rand:{32*n+32} ref:0+{o} zero:{32*n+32} ref:2+{o} perm:{4*n} i32:{4*n}
KERNEL looked_up(const void *, const F2 *p, const void *, F2 *q, const u32 *at, int n) {
  int i = ROW;
#pragma unroll 1
  for (int k = 0; k < 4; k++)
    if (4 * i + k < n) {
      F2 a = p[4 * i + k];
      a.x += a.y; a.y *= 3;
      q[at[4 * i + k]] = a;
    }
}
// CASE: odd_places plain:store=exchange with=o=0,4 -- rand:{8*n+32} ref:0+{o} zero:{12*n+32} ref:2+{o} perm:{n} i32:{n}
KERNEL odd_places(const void *, const F2 *p, const void *, u32 *q, const u32 *at, int n) {
  int i = ROW;
  if (i >= n) return;
  F2 a = p[i];
  a.x += a.y; a.y *= 3;
  *(F2 *)(q + 3 * at[i]) = a;
}
// CASE: some plain:store=widen with=o=0,4 -- rand:{16*n+32} ref:0+{o} zero:{16*n+32} ref:2+{o} i32:{n}
KERNEL some(const void *, const F4 *p, const void *, F4 *q, int n) {
  int i = ROW;
  if (i >= n || (p[i].x & 1)) return;
  F4 a = p[i];
  a.x += a.y; a.y *= 3;
  q[i] = a;
}
// CASE: stride plain:store=widen with=o=0,4 -- rand:{48*n+32} ref:0+{o} zero:{48*n+32} ref:2+{o} i32:{3*n}
KERNEL stride(const void *, const F4 *__restrict__ p, const void *, F4 *__restrict__ q, int n) {
#pragma unroll 1
  for (int i = ROW; i < n; i += gridDim.x * blockDim.x) {
    F4 a = p[i];
    a.x += a.y; a.y *= 3; a.z ^= a.w; a.w = i;
    q[i] = a;
  }
}
// CASE: words plain:store=widen with=o=0,4 -- rand:{16*n+32} ref:0+{o} zero:{16*n+32} ref:2+{o} i64:{n}
KERNEL words(const void *, const u32 *__restrict__ p, const void *, u32 *__restrict__ q, long n) {
  long i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < 4; k++) q[4 * i + k] = s += p[4 * i + k];
}
// What is stored in between may be read again; a word of it may be stored twice; or only some of them.
// CASE: between with=o=0,4 -- rand:{16*n+64} ref:0+{o} i32:{n}
KERNEL between(void *, u32 *p, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 *q = p + 4 * i, *r = p + (p[4 * i + 3] & 3) + 4 * i;
  q[0] = 1;
  u32 a = *r;
  q[1] = 2 + a;
  u32 b = *r;
  q[2] = 3 + b;
  q[3] = 4 + *r;
}
// CASE: holes with=o=0,4 -- rand:{16*n+32} ref:0+{o} i32:{n}
KERNEL holes(void *, F4 *p, int n) {
  int i = ROW;
  if (i >= n) return;
  p[i].x = i;
  p[i].y = 2 * i;
  p[i].w = 3 * i;
}
// Loads and stores by turns, of places that may meet.
// CASE: turns with=o=0,4,8,16 -- rand:{16*n+64} ref:0+{o} i32:{n}
KERNEL turns(const u32 *p, u32 *q, int n) {
  int i = ROW;
  if (i >= n || (i & 1)) return;
  u32 s = 0;
#pragma unroll
  for (int k = 0; k < 4; k++) q[4 * i + k] = s += p[4 * i + k];
}
// A word that this thread has stored is read before the others are stored, and given on.
// CASE: given with=o=0,4 -- rand:{16*n+64} ref:0+{o} zero:{4*n+4} i32:{n}
KERNEL given(void *, u32 *__restrict__ p, u32 *__restrict__ s, int n) {
  int i = ROW;
  if (i >= n) return;
  p[4 * i] = i;
  p[4 * i + 1] = 2 * i;
  s[i] = p[4 * i] + p[4 * i + 1];
  p[4 * i + 2] = 3 * i;
  p[4 * i + 3] = 4 * i;
}
// Loads alone, of up to 32 bytes: in two pieces; at places that a list names; where some lanes are missing.
struct H16 { u16 v[16]; };
struct B32 { u8 v[32]; };
template <class T> static __device__ u32 digest(const T &a) {
  u32 s = 0;
#pragma unroll
  for (u32 k = 0; k < sizeof a.v / sizeof *a.v; k++) s = s * 31 + a.v[k];
  return s;
}
// CASE: digest_halves plain:load=widen with=o=0,2,8,16 -- rand:{32*n+32} ref:0+{o} zero:{4*n+4} i32:{n}
KERNEL digest_halves(const void *, const H16 *__restrict__ p, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i < n) q[i] = digest(p[i]);
}
// CASE: digest_bytes with=o=0,1,4,16 -- rand:{32*n+32} ref:0+{o} perm:{n} zero:{4*n+4} i64:{n}
KERNEL digest_bytes(const void *, const B32 *__restrict__ p, const u32 *__restrict__ at, u32 *__restrict__ q, long n) {
  long i = ROW;
  if (i < n && at[i] % 3) q[i] = digest(p[at[i]]);
}
// A word is stored where it may be read again.
// CASE: read_again with=o=0,4,16 with=d=0,1,2,3 -- rand:{16*n+64} ref:0+{o} ref:0+{4*d} zero:{4*n+4} i32:{n}
KERNEL read_again(void *, const u32 *p, u32 *r, u32 *__restrict__ s, int n) {
  int i = ROW;
  if (i >= n || (i & 1)) return;
  u32 a = p[4 * i], b = p[4 * i + 1];
  r[4 * i] = a * 3;
  s[i] = a + b * 5 + p[4 * i + 2] * 7 + p[4 * i + 3] * 11;
}
// Pieces in another order than the lanes that write them: what `t / 8` and `t % 8` say of the alignment, they say together.
// CHECK-LABEL: @crossed(
// CHECK-NOT: activemask
// CHECK: store <4 x i32>
// CASE: crossed block=32 full plain:store=widen with=o=0,2,4,8 -- rand:{2*T} zero:{16*T+32} ref:1+{o}
KERNEL crossed(const u16 *p, const void *, u16 *q) {
  u32 t = threadIdx.x;
  u16 *o = q + blockIdx.x * 256 + 32 * (t % 8) + 8 * (t / 8), w = p[ROW];
  for (u32 j = 0; j < 8; j++) o[j] = w * (j + 1);
}
