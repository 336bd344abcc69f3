// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -nocudainc -nocudalib -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_90 %t.ptx -o /dev/null
// Rows that threads walk alone by loads and stores which tell the caches something: what they tell goes along.
// TEXT: levels=O3,O1
#include "hints.cuh"

// CHECK-LABEL: .entry sum(
// CHECK-NOT: ld.global.{{[bfuv]}}
// CHECK: ld.global.cs.v4.b32
// CHECK-NOT: ld.global.{{[bfuv]}}
// CHECK: ret;
// CASE: sum load=exchange plain:load=exchange block=48 grid=1 with=m=0,1,7,31,32,33,100 -- frand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL sum(const float *a, float *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++) s += cs(&a[i * m + j]);
  q[i] = s;
}
// CASE: doubles load=exchange plain:load=exchange block=64 grid=1 with=m=1,16,33,64 -- frand:{8*n*m+8} zero:{8*n} i64:{m} i32:{n}
KERNEL doubles(const double *a, double *q, long m, int n) {
  long i = ROW;
  if (i >= n) return;
  double s = 0;
  for (long j = 0; j < m; j++) s += cg(&a[i * m + j]);
  q[i] = s;
}
// CASE: pointer load=exchange plain:load=exchange block=32 grid=2 with=m=1,32,65 -- rand:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL pointer(const u32 *a, u32 *q, unsigned m, unsigned n) {
  unsigned i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (const u32 *p = a + i * m, *end = p + m; p != end; p++) s = s * 31 + cg(p);
  q[i] = s;
}
// CASE: bytes load=exchange plain:load=exchange block=48 grid=1 with=m=1,64,200 -- rand:{n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL bytes(const signed char *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + (u32)cs(&a[i * m + j]);
  q[i] = s;
}
// CASE: shorts load=exchange plain:load=exchange block=1024 grid=1 few with=m=1,64,100 -- rand:{2*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL shorts(const u16 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + ca(&a[i * m + j]);
  q[i] = s;
}
// CASE: fours load=exchange block=48 grid=1 with=m=1,8,17,32 -- frand:{16*n*m+16} zero:{4*n} i32:{m} i32:{n}
KERNEL fours(const float4 *a, float *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++) {
    float4 v = cs(&a[i * m + j]);
    s += v.x - v.y + v.z - v.w;
  }
  q[i] = s;
}
// A row, and a vector that all threads read alike, by plain loads: on the shelf where there is one.
// CASE: product load=exchange block=64 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} frand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL product(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++) s += cs(&a[i * m + j]) * x[j];
  q[i] = s;
}
// Rows that are written.
// CHECK-LABEL: .entry scaled(
// CHECK: ld.global.cs.v4.b32
// CHECK: st.global.cs.v4.b32
// CHECK: ret;
// CASE: scaled load=exchange store=exchange plain:store=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL scaled(const float *__restrict__ a, float *__restrict__ b, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) scs(&b[i * m + j], cs(&a[i * m + j]) * 3.0f);
}
// In place, and where the arrays may overlap: what one thread stores is loaded by another lane for a third.
// CASE: swept block=48 grid=1 full with=m=2,33,64 -- frand:{4*n*m} i32:{m} i32:{n}
KERNEL swept(float *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 1; j < m; j++) scg(&a[i * m + j], cg(&a[i * m + j]) - cg(&a[i * m + j - 1]) * 0.5f);
}
// __ldlu as the toolkit's headers write it, which claim that memory may change; and each of the rows has a hint of its own.
__device__ inline float last_use(const float *p) { float v; asm("ld.global.lu.f32 %0, [%1];" : "=f"(v) : "l"(p) : "memory"); return v; }
// CASE: heated plain:load=exchange plain:store=exchange block=48 grid=1 with=m=1,32,70 -- frand:{4*n*m+4} frand:{4*n*m+4} frand:{4*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL heated(const float *warmth, float *heat, const float *depth, float *total, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < m; k++) {
    float more = cg(&warmth[i * m + k]) * depth[k], old = last_use(&heat[i * m + k]);
    scs(&heat[i * m + k], old + more);
    sum += more;
  }
  total[i] = sum;
}
// Rows of unequal length, a template, a guard in the loop.
template <class T> __device__ inline T at(const T *p, int i) { return cs(p + i); }
// CASE: lists load=exchange block=48 grid=1 full -- frand:{4*67*n} zero:{4*n} i32:{n}
KERNEL lists(const float *a, float *q, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < 40 + i % 27; j++) {
    float v = at(a, i * 67 + j);
    s += v > 0 ? v : 0;
  }
  q[i] = s;
}
// A row whose words are wanted for the last time, as a program says it itself, beside words that a table holds.
__device__ inline int last(const int *p) { int v; asm volatile("ld.global.lu.s32 %0, [%1];" : "=r"(v) : "l"(p) : "memory"); return v; }
// CASE: deltas load=exchange plain:load=exchange block=64 grid=1 full with=m=1,32,65 -- rand:{4*n*m+4} rand:4096 zero:{4*n} i32:{m} i32:{n}
KERNEL deltas(const int *a, const u32 *table, u32 *q, int m, int n) {
  int i = ROW;
  u32 s = 0, at = 0;
  for (int j = 0; j < m; j++) {
    at += last(a + (unsigned long)i * m + j);
    s = s * 31 + table[at & 1023];
  }
  q[i] = s;
}
