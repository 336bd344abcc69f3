// RUN: %rewritten %s --temp %t.d
// Loops around others that run a known number of times: LLVM would unroll them away, and have their iterations one behind the other with a
// loop in each. They are kept from that where several of them will stand side by side: all, or as many as leave none over.
// TEXT: levels=O3,O1 pipeline=yes
#include "records.cuh"
#define REST __restrict__

template <int D> __device__ inline __attribute__((always_inline)) void product(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < D; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * D + j] = s;
  }
}
// CASE: three jam=yes few with=K=0,1,5 -- rand:{12*K+4} rand:{4*K*n+4} zero:{12*n} i32:{n} i32:{K}
KERNEL three(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) { product<3>(w, x, o, n, K); }
// CASE: four jam=yes few with=K=0,1,5 -- rand:{16*K+4} rand:{4*K*n+4} zero:{16*n} i32:{n} i32:{K}
KERNEL four(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) { product<4>(w, x, o, n, K); }
// CASE: six jam=yes few with=K=0,1,5 -- rand:{24*K+4} rand:{4*K*n+4} zero:{24*n} i32:{n} i32:{K}
KERNEL six(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) { product<6>(w, x, o, n, K); }
// CASE: seven jam=yes few with=K=0,1,5 -- rand:{28*K+4} rand:{4*K*n+4} zero:{28*n} i32:{n} i32:{K}
KERNEL seven(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) { product<7>(w, x, o, n, K); }
// CASE: eight jam=yes few with=K=0,1,5 -- rand:{32*K+4} rand:{4*K*n+4} zero:{32*n} i32:{n} i32:{K}
KERNEL eight(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) { product<8>(w, x, o, n, K); }
// Eight, and three are left.
// CASE: eleven jam=yes few with=K=0,1,5 -- rand:{44*K+4} rand:{4*K*n+4} zero:{44*n} i32:{n} i32:{K}
KERNEL eleven(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) { product<11>(w, x, o, n, K); }
// Six, and six again.
// CASE: twelve jam=yes few with=K=0,1,5 -- rand:{48*K+4} rand:{4*K*n+4} zero:{48*n} i32:{n} i32:{K}
KERNEL twelve(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) { product<12>(w, x, o, n, K); }
// A word of the row is loaded in each iteration.
// CASE: sums jam=yes few with=m=0,1,5 -- rand:{4*m*n*4+16} zero:{16*n} i32:{n} i32:{m}
KERNEL sums(const u32 *REST s, u32 *REST o, int n, int m) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < 4; j++) {
    u32 t = 0;
    for (int k = 0; k < m; k++) t = t * 31 + s[((u64)k * n + i) * 4 + j];
    o[(u64)j * n + i] = t;
  }
}
// Doubles, of which four fill a sector, to a pointer that moves on; while, downwards.
// CASE: doubles jam=yes few with=K=0,1,5 -- drand:{48*K+8} drand:{8*K*n+8} zero:{48*n} i32:{n} i32:{K}
KERNEL doubles(const double *REST w, const double *REST x, double *REST o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  double *p = o + (u64)i * 6;
  for (unsigned j = 6; j-- > 0;) {
    double s = 0;
    for (int k = 0; k < K; k++) s += w[j * K + k] * x[(u64)k * n + i];
    p[j] = s;
  }
}
// What is added in front, and what is made of it.
// CASE: biased jam=yes few with=K=0,1,5 -- rand:{20*K+4} rand:{20} rand:{4*K*n+4} zero:{20*n} i32:{n} i32:{K}
KERNEL biased(const u32 *REST w, const u32 *REST b, const u32 *REST x, u32 *REST o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < 5; j++) {
    u32 s = b[j];
    for (int k = 0; k < K; k++) s += w[j * K + k] * x[(u64)k * n + i];
    o[(u64)i * 5 + j] = s > 1u << 31 ? s : 0;
  }
}
// Arrays that may overlap are asked about on entry.
// CASE: apart jam=yes few with=K=1,5 -- rand:{16*K+4} rand:{4*K*n+4} zero:{16*n} i32:{n} i32:{K}
KERNEL apart(const u32 *w, const u32 *x, u32 *o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < 4; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * 4 + j] = s;
  }
}

// ---- loops that are unrolled as ever ----

// A place in a thread's own array, which lies in registers only then.
// CASE: own_array jam=no few with=K=1,5 -- rand:{16*K+4} rand:{4*K*n+4} zero:{20*n} i32:{n} i32:{K}
KERNEL own_array(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  u32 r[4];
  for (int j = 0; j < 4; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    r[j] = s;
    o[(u64)i * 5 + j] = s;
  }
  o[(u64)i * 5 + 4] = r[K & 3];
}
// One iteration goes on from the last.
// CASE: goes_on jam=no few with=K=1,5 -- rand:{16*K+4} rand:{4*K*n+4} zero:{16*n} i32:{n} i32:{K}
KERNEL goes_on(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < 4; j++) {
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * 4 + j] = s;
  }
}
// The programmer has said how it is to be unrolled.
// CASE: as_told jam=no few with=K=1,5 -- rand:{16*K+4} rand:{4*K*n+4} zero:{16*n} i32:{n} i32:{K}
KERNEL as_told(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
#pragma unroll
  for (int j = 0; j < 4; j++) {
    u32 s = 0;
    for (int k = 0; k < K; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * 4 + j] = s;
  }
}
// The loop inside runs as often as the counter says.
// CASE: triangle jam=no few with=K=1,5 -- rand:{16*K+64} rand:{4*(K+8)*n+4} zero:{16*n} i32:{n} i32:{K}
KERNEL triangle(const u32 *REST w, const u32 *REST x, u32 *REST o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < 4; j++) {
    u32 s = 0;
    for (int k = 0; k < K + j; k++) s = s * 31 + (w[j * K + k] ^ x[(u64)k * n + i]);
    o[(u64)i * 4 + j] = s;
  }
}
