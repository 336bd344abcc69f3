// RUN: %rewritten %s --temp %t.d
// Loops around others, each iteration of which moves one word of a row of the thread's own: several stand side by side.
// TEXT: levels=O3,O1
#include "records.cuh"
#define REST __restrict__
#define EACH(type, j, n) _Pragma("unroll 1") for (type j = 0; j < n; j++)

// ---- one word of the row stored by each iteration ----
// CASE: weights few with=d=0,1,7,8,9,16,19 with=K=0,1,4,7 -- frand:{4*d*K+4} frand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
// CASE: weights jam=yes plain:store=exchange store=exchange fewer few with=d=17 with=K=5 -- frand:{4*d*K+4} frand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL weights(const float *REST w, const float *REST x, float *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    float s = 0;
    for (int k = 0; k < K; k++) s += w[j * K + k] * x[(u64)k * n + i];
    o[(u64)i * d + j] = s;
  }
}
// CASE: unsigned_counters jam=yes fewer few with=d=8,11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL unsigned_counters(const u32 *REST w, const u32 *REST x, u32 *REST o, u32 n, u32 d, u32 K) {
  u32 i = ROW;
  if (i >= n) return;
  for (u32 j = 0; j < d; j++) {
    u32 s = 0;
    for (u32 k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[k * n + i]);
    o[i * d + j] = s;
  }
}
// CASE: long_counters jam=yes plain:store=exchange few with=d=8,11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} i64:{n} i64:{d} i64:{K}
KERNEL long_counters(const u32 *REST w, const u32 *REST x, u32 *REST o, long long n, long long d, long long K) {
  long long i = ROW;
  if (i < n)
    for (long long j = 0; j < d; j++) {
      u32 s = 0;
      for (long long k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[k * n + i]);
      o[i * d + j] = s;
    }
}
// A pointer is the counter.
// CASE: pointers jam=yes plain:store=exchange few with=d=8,11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL pointers(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  u32 *p = o + (u64)i * d, *end = p + d;
  for (; p != end; p++, w += K) {
    u32 s = 0;
    const u32 *v = x + i;
    for (int k = 0; k != K; k++, v += n) s = s * 31 + (w[k] ^ *v);
    *p = s;
  }
}
template <class T, class I> __device__ inline T product(const T *w, const T *x, I K, I n) {
  T s = 0;
  for (I k = 0; k < K; k++) s += w[k] * x[k * n];
  return s;
}
// Doubles, of which four fill a sector, by an inline function.
// CASE: doubles jam=yes plain:store=exchange few with=d=3,4,9 with=K=5 -- drand:{8*d*K+8} drand:{8*K*n+8} zero:{8*n*d+8} i32:{n} i32:{d} i32:{K}
KERNEL doubles(const double *REST w, const double *REST x, double *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) o[(long)i * d + j] = product<double, int>(w + (long)j * K, x + i, K, n);
}
// The largest of what differs from a word by which all lanes go.
// CASE: largest jam=yes few with=d=8,11 with=K=1,6 -- frand:{4*d*K+4} frand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL largest(const float *REST w, const float *REST x, float *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    float most = -1e30f;
    for (int k = 0; k < K; k++) {
      float v = x[(u64)k * n + i] - w[j * K + k];
      most = v > most ? v : most;
    }
    o[(u64)i * d + j] = most;
  }
}
// Two rows, and two loops inside, one behind the other.
// CASE: two_rows jam=yes few with=d=8,11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL two_rows(const u32 *REST w, const u32 *REST x, u32 *REST o, u32 *REST q, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = 0, t = 1;
    EACH(int, k, K) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    EACH(int, k, K) t = t * 17 + (w[j * K + k] & x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
    q[(u64)i * d + j] = t;
  }
}
// What was there is loaded, in front of the loop inside, and no other iteration writes it.
// CASE: adds_to jam=yes few with=d=8,11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n+4} rand:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL adds_to(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 s = o[(u64)i * d + j];
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// Several rows a thread, in steps of the grid.
// CASE: grid jam=yes plain:store=exchange few with=d=11 with=K=5 -- rand:{4*d*K+4} rand:{4*K*n*3+4} zero:{4*n*3*d+4} i32:{3*n} i32:{d} i32:{K}
KERNEL grid(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  for (int i = ROW; i < n; i += gridDim.x * blockDim.x)
    for (int j = 0; j < d; j++) {
      u32 s = 0;
      for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
      o[(u64)i * d + j] = s;
    }
}
// Rows of a number of words that the source says, which is not a multiple.
// CASE: known jam=yes plain:store=exchange few with=K=9 -- rand:{4*43*K+4} rand:{4*K*n+4} zero:{4*n*43+4} i32:{n} i32:{K}
KERNEL known(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  EACH(int, j, 43) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * 43 + j] = s;
  }
}
// And which is one.
// CASE: known_whole jam=yes plain:store=exchange few with=K=9 -- rand:{4*48*K+4} rand:{4*K*n+4} zero:{4*n*48+4} i32:{n} i32:{K}
KERNEL known_whole(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  EACH(int, j, 48) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * 48 + j] = s;
  }
}
// ---- one word of the row loaded by each iteration ----
// CASE: sums jam=yes few with=d=0,1,7,8,9,19 with=m=0,1,4,7 -- frand:{4*n*m*d+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{m}
KERNEL sums(const float *REST s, float *REST o, int n, int d, int m) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    float t = 0;
    for (int k = 0; k < m; k++) t += s[((u64)k * n + i) * d + j];
    o[(u64)j * n + i] = t;
  }
}
// Blocks of two dimensions.
// CASE: plane jam=yes block=32,4 grid=2 full with=d=8,13 with=m=5 -- frand:{4*n*m*d+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{m}
KERNEL plane(const float *REST s, float *REST o, int n, int d, int m) {
  int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    float t = 0;
    for (int k = 0; k < m; k++) t += s[((u64)k * n + i) * d + j];
    o[(u64)j * n + i] = t;
  }
}
// Down the row.
// CASE: backward jam=yes few with=d=8,13 with=m=5 -- rand:{4*n*m*d+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{m}
KERNEL backward(const u32 *REST s, u32 *REST o, int n, int d, int m) {
  int i = ROW;
  if (i >= n) return;
  for (int j = d - 1; j >= 0; j--) {
    u32 t = 0;
    for (int k = 0; k < m; k++) t = t * 31 + s[((u64)k * n + i) * d + j];
    o[(u64)j * n + i] = t;
  }
}
// The loop inside runs until it finds a zero, wherever the one around is.
// CASE: until_zero jam=yes few with=d=9,13 -- rand:{4*n*8*d+16} bits:8:5 zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL until_zero(const u32 *REST s, const u32 *REST stop, u32 *REST o, int n, int d) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++) {
    u32 t = 0;
    int k = 0;
    _Pragma("unroll 1") do t = t * 31 + s[((u64)k * n + i) * d + j];
    while (++k < 8 && stop[k]);
    o[(u64)j * n + i] = t;
  }
}
// What is added up is used behind the loop, and so is its counter.
// CASE: behind jam=yes few with=d=0,8,13 with=m=5 -- rand:{4*n*m*d+4} zero:{4*n*d+4} zero:{8*n} i32:{n} i32:{d} i32:{m}
KERNEL behind(const u32 *REST s, u32 *REST o, u32 *REST q, int n, int d, int m) {
  int i = ROW;
  if (i >= n) return;
  u32 last = 5;
  int j = 0;
  for (; j < d; j++) {
    u32 t = 0;
    for (int k = 0; k < m; k++) t = t * 31 + s[((u64)k * n + i) * d + j];
    o[(u64)j * n + i] = t;
    last = t + j;
  }
  q[2 * i] = last;
  q[2 * i + 1] = j;
}
// Three iterations, all of which stand side by side: none is left.
// CASE: three jam=yes few with=K=0,5 -- rand:{4*3*K+4} rand:{4*K*n+4} zero:{12*n+4} i32:{n} i32:{K}
KERNEL three(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  _Pragma("unroll 1") for (int j = 0; j < 3; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * 3 + j] = s;
  }
}
// The loop inside ends at a pointer that differs from iteration to iteration, by as much as where it begins: all run equally often.
// CASE: to_pointer jam=yes few with=d=8,11 with=K=0,5 -- rand:{4*d*K+4} rand:{4*K*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL to_pointer(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < d; j++, w += K) {
    u32 s = 0;
    const u32 *v = x + i;
    for (const u32 *k = w; k != w + K; k++, v += n) s = s * 31 + (*k ^ *v);
    o[(u64)i * d + j] = s;
  }
}
