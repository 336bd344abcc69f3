// RUN: %rewritten %s --temp %t.d
// Loops around others that run unequally often in their iterations: as often as all of them do side by side, the rest one by one.
// TEXT: levels=O3,O1 pipeline=yes
#include "records.cuh"
#define REST __restrict__
#define WHERE int i = ROW; if (i >= n) return;

// CASE: lower jam=yes few with=d=0,1,7,8,9,16,19 -- frand:{4*d*d+4} frand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL lower(const float *REST w, const float *REST x, float *REST o, int n, int d) {
  WHERE
  for (int j = 0; j < d; j++) {
    float s = 0;
    for (int k = 0; k <= j; k++) s += w[j * d + k] * x[(u64)k * n + i];
    o[(u64)i * d + j] = s;
  }
}
// CASE: strictly_lower jam=yes few with=d=0,1,7,8,9,16,19 -- frand:{4*d*d+4} frand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL strictly_lower(const float *REST w, const float *REST x, float *REST o, int n, int d) {
  WHERE
  for (int j = 0; j < d; j++) {
    float s = 1;
    for (int k = 0; k < j; k++) s += w[j * d + k] * x[(u64)k * n + i];
    o[(u64)i * d + j] = s;
  }
}
// CASE: upper jam=yes few with=d=0,1,7,8,9,16,19 -- frand:{4*d*d+4} frand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL upper(const float *REST w, const float *REST x, float *REST o, int n, int d) {
  WHERE
  for (int j = 0; j < d; j++) {
    float s = 0;
    for (int k = j; k < d; k++) s += w[j * d + k] * x[(u64)k * n + i];
    o[(u64)i * d + j] = s;
  }
}
// CASE: strictly_upper jam=yes few with=d=8,11,16 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL strictly_upper(const u32 *REST w, const u32 *REST x, u32 *REST o, u32 n, u32 d) {
  u32 i = ROW;
  if (i >= n) return;
  for (u32 j = 0; j < d; j++) {
    u32 s = 7;
    for (u32 k = j + 1; k < d; k++) s = s * 31 + (w[j * d + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// From the diagonal down to the first.
// CASE: down jam=yes few with=d=8,11,16 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL down(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 7;
    for (int k = j; k >= 0; k--) s = s * 31 + (w[j * d + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// Lists of lengths that are the same for all threads, some of them empty.
// CASE: lengths jam=yes few with=d=0,8,11,17 with=K=6 -- bits:{4*d+4}:3 rand:{4*d*K+4} rand:{32*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL lengths(const int *REST len, const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 7;
    for (int k = 0; k < (len[j] & 7) % K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// A band: both ends differ, and may lie apart.
// CASE: band jam=yes few with=d=8,11,17,24 with=K=0,1,3,9 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL band(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 7;
    int end = j + K < d ? j + K : d;
    for (int k = j > K ? j - K : 0; k < end; k++) s = s * 31 + (w[j * d + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// CASE: longs jam=yes few with=d=8,11,17 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} i64:{n} i64:{d}
KERNEL longs(const u32 *REST w, const u32 *REST x, u32 *REST o, long long n, long long d) {
  long long i = ROW;
  if (i >= n) return;
  for (long long j = 0; j < d; j++) {
    u32 s = 7;
    for (long long k = 0; k <= j; k++) s = s * 31 + (w[j * d + k] ^ x[k * n + i]);
    o[i * d + j] = s;
  }
}
// CASE: pointers jam=yes few with=d=8,11,17 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL pointers(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d) {
  WHERE
  u32 *p = o + (u64)i * d;
  for (int j = 0; j < d; j++, w += d) {
    u32 s = 7;
    const u32 *v = x + i;
    for (int k = 0; k <= j; k++, v += n) s = s * 31 + (w[k] ^ *v);
    *p++ = s;
  }
}
template <class T, class I> __device__ inline T part(const T *w, const T *x, I from, I to, I n) {
  T s = 0;
  for (I k = from; k < to; k++) s += w[k] * x[(u64)k * n];
  return s;
}
// CASE: doubles jam=yes few with=d=3,4,9,16 -- drand:{8*d*d+8} drand:{8*d*n+8} zero:{8*n*d+8} i32:{n} i32:{d}
KERNEL doubles(const double *REST w, const double *REST x, double *REST o, int n, int d) {
  WHERE
  for (int j = 0; j < d; j++) o[(long)i * d + j] = part<double, int>(w + (long)j * d, x + i, 0, j + 1, n);
}
// CASE: largest jam=yes few with=d=8,11 -- frand:{4*d*d+4} frand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL largest(const float *REST w, const float *REST x, float *REST o, int n, int d) {
  WHERE
  for (int j = 0; j < d; j++) {
    float most = -1e30f;
    for (int k = 0; k <= j; k++) {
      float v = x[(u64)k * n + i] - w[j * d + k];
      most = v > most ? v : most;
    }
    o[(u64)i * d + j] = most;
  }
}
// Two loops, one of either kind, and two sums in one of them.
// CASE: two_loops jam=yes few with=d=8,11,17 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL two_loops(const u32 *REST w, const u32 *REST x, u32 *REST o, u32 *REST q, int n, int d) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 7, t = 1, m = 0;
    for (int k = 0; k < j; k++) s = s * 31 + (w[j * d + k] ^ x[(u64)k * n + i]), m = m * 5 + s;
    for (int k = j; k < d; k++) t = t * 17 + (w[j * d + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s + m;
    q[(u64)i * d + j] = t;
  }
}
// No further than K, by launch bounds, unrolled by hand's hint.
// CASE: bounded jam=yes few with=d=8,11,17 with=K=0,1,5,30 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
extern "C" __global__ __launch_bounds__(256) void bounded(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 7;
    _Pragma("unroll 1") for (int k = 0; k < (j < K ? j : K); k++) s = s * 31 + (w[j * d + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// Bounds that wrap around: the last of eight begin anew, and end behind where the first begin.
// CASE: wraps jam=yes few with=d=8,16 with=K=4294967290,3,4294967295 -- rand:{4*d*8+64} rand:{4*8*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K} i32:5
KERNEL wraps(const u32 *REST w, const u32 *REST x, u32 *REST o, u32 n, u32 d, u32 K, u32 m) {
  u32 i = ROW;
  if (i >= n) return;
  for (u32 j = 0; j < d; j++) {
    u32 s = 7, end = K + 3 * j + m;
    for (u32 k = K + j; k != end; k++) s = s * 31 + (w[(k & 7) + j] ^ x[(u64)(k & 7) * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// A way of its own inside.
// CASE: chooses jam=no few with=d=8,11,17 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL chooses(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 7;
    _Pragma("unroll 1") for (int k = 0; k <= j; k++) {
      u32 v = w[j * d + k];
      if (v & 1) s = s * 31 + (v ^ x[(u64)k * n + i]);
    }
    o[(u64)i * d + j] = s;
  }
}
// What an empty list does not have is not loaded for it.
// CASE: offsets jam=no few with=d=8,16 with=K=6 -- bits:{4*d+4}:2 rand:4 rand:{4*d*K+4} rand:{32*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:0
KERNEL offsets(const int *REST len, const u32 *REST off, const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int most) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 7;
    for (int k = 0; k < (len[j] < most ? len[j] : most); k++) s = s * 31 + (w[off[j] + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// Without __restrict__, where o may lie among x, they stay.
// CASE: apart jam=no few with=d=8,11,17 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL apart(const u32 *w, const u32 *x, u32 *o, int n, int d) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 7;
    for (int k = 0; k <= j; k++) s = s * 31 + (w[j * d + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// What it stores is loaded by later ones.
// CASE: substitutes jam=no few with=d=8,11,17 -- rand:{4*d*d+4} rand:{4*d*n+4} zero:{4*n*d+4} i32:{n} i32:{d}
KERNEL substitutes(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = x[(u64)j * n + i];
    for (int k = 0; k < j; k++) s = s * 31 + (w[j * d + k] ^ o[(u64)i * d + k]);
    o[(u64)i * d + j] = s;
  }
}
// Lists of the thread's own: each of the eight parts would wait for another thread.
// CASE: own_lengths jam=no few with=d=8,11,17 with=K=6 -- bits:{4*n*d+4}:3 rand:{4*d*K+4} rand:{32*n+4} zero:{4*n*d+4} i32:{n} i32:{d} i32:{K}
KERNEL own_lengths(const int *REST len, const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int K) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 7;
    for (int k = 0; k < (len[(u64)j * n + i] & 7) % K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// Ends and begins that are loaded: any of those side by side may end before another one begins.
// CASE: ragged jam=yes few with=d=8,11,17,24,32 -- rand:{4*d*16+64} rand:{4*16*n+64} zero:{4*n*d+4} i32:{n} i32:{d} rand:{4*d+4} rand:{4*d+4}
KERNEL ragged(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, const int *REST first, const int *REST end) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 7;
    int last = end[j] & 15;
    for (int k = first[j] & 7; k < last; k++) s = s * 31 + (w[j * 16 + k] ^ x[(u64)k * n + i]);
    o[(u64)i * d + j] = s;
  }
}
// Where the guard keeps a loop from running its begin wraps around, and is poison; that of the others is not.
// CASE: begins_poisoned jam=yes few with=d=8,21,24 -- rand:{4*d+64} rand:{4*16*n+64} zero:{4*n*d+4} i32:{n} i32:{d} i32:2147483640
KERNEL begins_poisoned(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int d, int big) {
  WHERE
  for (int j = 0; j < d; j++) {
    u32 s = 3;
    if (j < 6)
      for (int k = big + j; k > big; k--) s = s * 31 + (w[k - big + j] ^ x[(u64)(k - big) * n + i]);
    o[(u64)i * d + j] = s;
  }
}
