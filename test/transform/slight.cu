// RUN: %rewritten %s --temp %t.d
// What is legal and gains nothing beside all that the kernel does, or beside what plain clang does by itself: left as it is.
#include "records.cuh"
struct __attribute__((aligned(16))) Four { u32 x, y, z, w; };
struct Eight { u32 w[8]; };

// An exchange around a loop over all: it saves a thousandth, and costs the loop registers.
// CASE: over_all few store=exchange plain:none plain:refuse=Slight -- rand:{16*n} rand:{32*n} i32:{n}
KERNEL over_all(const Four *__restrict__ all, Eight *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  Eight s = q[i];
  for (int j = 0; j < n; j++)
    for (int k = 0; k < 8; k++) s.w[k] = s.w[k] * 3 + (all[j].x ^ all[j].y * k ^ all[j].z * i ^ all[j].w);
  q[i] = s;
}
// The same without the loop, and with one of few iterations.
// CASE: alone few store=exchange plain:store=exchange -- rand:{16*n} rand:{32*n} i32:{n}
KERNEL alone(const Four *__restrict__ all, Eight *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  Eight s = q[i];
  for (int k = 0; k < 8; k++) s.w[k] = s.w[k] * 3 + all[i].x;
  q[i] = s;
}
// CASE: over_three few store=exchange plain:store=exchange -- rand:{16*n} rand:{32*n} i32:{n}
KERNEL over_three(const Four *__restrict__ all, Eight *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  Eight s = q[i];
#pragma unroll 1
  for (int j = 0; j < 3; j++)
    for (int k = 0; k < 8; k++) s.w[k] = s.w[k] * 3 + (all[j].x ^ all[j].y * k);
  q[i] = s;
}
// A way that hardly any warp goes.
// CASE: rare few load=exchange plain:none plain:refuse=Slight -- rand:{4*n} rand:{64*n} zero:{4*n} i32:{n}
KERNEL rare(const u32 *__restrict__ kind, const u32 *__restrict__ a, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = kind[i];
  if (__builtin_expect((s & 255) == 77, 0))
    for (int k = 0; k < 16; k++) s = s * 3 + a[16 * i + k];
  q[i] = s;
}
// CASE: frequent few load=exchange plain:load=exchange -- rand:{4*n} rand:{64*n} zero:{4*n} i32:{n}
KERNEL frequent(const u32 *__restrict__ kind, const u32 *__restrict__ a, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = kind[i];
  if ((s & 255) != 77)
    for (int k = 0; k < 16; k++) s = s * 3 + a[16 * i + k];
  q[i] = s;
}
// Records of 40 bytes, of which a fifth of the time is saved at best where each thread has loaded whether it has one: warps are seldom full.
// CASE: chosen few load=exchange plain:none plain:refuse=NoGain -- rand:{n} rand:{40*n} zero:{4*n} i32:{n}
KERNEL chosen(const unsigned char *__restrict__ wet, const u32 *__restrict__ a, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  if (wet[i] & 15)
    for (int k = 0; k < 10; k++) s = s * 3 + a[10 * i + k];
  q[i] = s;
}
// Where the number of the thread says so, or one word for all of them, they are.
// CASE: by_number few load=exchange plain:load=exchange -- rand:{40*n} zero:{4*n} i32:{n} i32:7
KERNEL by_number(const u32 *__restrict__ a, u32 *__restrict__ q, int n, int from) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  if (i > from)
    for (int k = 0; k < 10; k++) s = s * 3 + a[10 * i + k];
  q[i] = s;
}
// CASE: for_all few load=exchange plain:load=exchange -- rand:4 rand:{40*n} zero:{4*n} i32:{n}
KERNEL for_all(const u32 *__restrict__ on, const u32 *__restrict__ a, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  if (*on)
    for (int k = 0; k < 10; k++) s = s * 3 + a[10 * i + k];
  q[i] = s;
}
// A table of two lines, whoever reads which row of it.
__device__ u32 table[4][16] = {{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10}, {11}, {12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22}};
__device__ u32 larger[4096][16];
// CASE: tables few load=exchange plain:none plain:refuse=NoGain -- rand:{4*n} zero:{4*n} i32:{n}
KERNEL tables(const u32 *__restrict__ kind, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  const u32 *row = table[kind[i] & 3];
  u32 s = i;
  for (int k = 0; k < 16; k++) s = s * 3 + row[k];
  q[i] = s;
}
// CASE: larger_tables few load=exchange plain:load=exchange -- rand:{4*n} zero:{4*n} i32:{n}
KERNEL larger_tables(const u32 *__restrict__ kind, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  const u32 *row = larger[kind[i] & 4095];
  u32 s = i;
  for (int k = 0; k < 16; k++) s = s * 3 + row[k];
  q[i] = s;
}
// The backend makes one load of the fields of a vector, and a walk of those reaches what the memory gives.
// CASE: vectors load=exchange block=48 grid=1 full plain:none with=m=1,8,33 -- rand:{16*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL vectors(const Four *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + (a[i * m + j].x ^ a[i * m + j].y * 3 ^ a[i * m + j].z * 5 ^ a[i * m + j].w * 7);
  q[i] = s;
}
// Three words of four, and records of four words that are put in order.
// CASE: three_of_four few store=exchange plain:none plain:refuse=NoGain -- rand:{4*n} zero:{16*n} i32:{n}
KERNEL three_of_four(const u32 *__restrict__ a, Four *__restrict__ q, int n) {
  int i = ROW;
  if (i < n) q[i].x = a[i], q[i].y = a[i] * 3, q[i].z = a[i] + 1;
}
// CASE: sorted few store=widen plain:store=widen -- rand:{16*n} i32:{n}
KERNEL sorted(u32 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 a = v[4 * i], b = v[4 * i + 1], c = v[4 * i + 2], d = v[4 * i + 3], t;
  if (a > b) t = a, a = b, b = t;
  if (c > d) t = c, c = d, d = t;
  if (a > c) t = a, a = c, c = t;
  if (b > d) t = b, b = d, d = t;
  if (b > c) t = b, b = c, c = t;
  v[4 * i] = a, v[4 * i + 1] = b, v[4 * i + 2] = c, v[4 * i + 3] = d;
}
// A few words of rows that lie far apart, whatever their distance is called.
// CASE: heads few load=exchange plain:load=none with=m=64 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL heads(const u32 *__restrict__ a, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = i;
  for (int k = 0; k < 6; k++) s = s * 3 + a[i * m + k];
  q[i] = s;
}
// CASE: far few load=exchange plain:load=none -- rand:{768*n} zero:{4*n} i32:{n}
KERNEL far(const u32 *__restrict__ a, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = i;
  for (int k = 0; k < 9; k++) s = s * 3 + a[192 * i + k];
  q[i] = s;
}
// Blocks that never fill a warp.
// CASE: lonely block=16 grid=2 load=exchange plain:none plain:refuse=NoFullWarp -- rand:{64*n} zero:{4*n} i32:{n}
extern "C" __global__ void __attribute__((launch_bounds(16))) lonely(const u32 *__restrict__ a, u32 *__restrict__ q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = i;
  for (int k = 0; k < 16; k++) s = s * 3 + a[16 * i + k];
  q[i] = s;
}
// CASE: lonely_rows block=16 grid=2 load=exchange plain:none plain:refuse=NoFullWarp with=m=70 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
extern "C" __global__ void __attribute__((launch_bounds(16))) lonely_rows(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = i;
  for (int k = 0; k < m; k++) s = s * 3 + a[i * m + k];
  q[i] = s;
}
// CASE: full_warps block=32 grid=2 load=exchange plain:load=exchange with=m=70 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n}
extern "C" __global__ void __attribute__((launch_bounds(32))) full_warps(const u32 *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = i;
  for (int k = 0; k < m; k++) s = s * 3 + a[i * m + k];
  q[i] = s;
}
// Each load waits for what the one before it brought.
// CASE: bisect few load=exchange plain:load=none plain:refuse=Chased with=m=64 -- rand:{32*m} rand:{4*n} zero:{4*n} i32:{m} i32:{n}
KERNEL bisect(const Eight *__restrict__ sorted, const u32 *__restrict__ want, u32 *__restrict__ at, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  int low = 0, high = m;
  while (low < high) {
    int middle = (low + high) / 2;
    u32 s = 0;
    for (int k = 0; k < 8; k++) s = s * 3 + sorted[middle].w[k];
    if (s < want[i]) low = middle + 1; else high = middle;
  }
  at[i] = low;
}
// Rows of vectors, which the backend makes of their words by itself; a loop leaves up to three of them.
// CASE: rows_of_fours few load=exchange plain:none with=m=0,1,2,3,4,7,9 -- rand:{16*n*m+16} zero:{4*n} i32:{m} i32:{n}
KERNEL rows_of_fours(const Four *__restrict__ a, u32 *__restrict__ q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    Four v = a[(u64)i * m + j];
    s += v.x * v.y + v.z * v.w;
  }
  q[i] = s;
}
