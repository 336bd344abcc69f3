// RUN: %python %source/test/gen/rounds.py --plugin %plugin --keep %t --file %s --changes two_sums,branch,signs,nested,negated,complex_row,late,doubles,before
// RUN: %python %source/test/gen/rounds.py --plugin %plugin --keep %t.settled --file %s --settle --changes found_again
// What the backend rounds once, and what it makes of a NaN, is the same where code has moved: PTX is run with real fma (test/gen/ptx.py).
#include "prelude.cuh"
#define KERNEL extern "C" __global__ void
#define ROW (blockIdx.x * blockDim.x + threadIdx.x)

// A product of two sums: each takes it or not, by who else uses what.
// RUN-KERNEL: two_sums --grid 2 --block 64 -- rand:2560 rand:1024
KERNEL two_sums(const float *__restrict__ p, float *__restrict__ q) {
  const float *r = p + ROW * 5;
  float t = r[0] * r[1], first = t + r[2] * r[3], second = r[4] - t;
  q[ROW * 2] = first;
  q[ROW * 2 + 1] = second;
}
// The backend's own passes bring the sum in front of the branch.
// RUN-KERNEL: branch --grid 2 --block 64 -- rand:2560 rand:1536
KERNEL branch(const float *__restrict__ p, float *__restrict__ q) {
  const float *r = p + ROW * 5;
  float a = r[0], b = r[1], c = r[2], d = r[3], e = r[4], t = a * b;
  q[ROW * 3] = t;
  q[ROW * 3 + 1] = b;
  q[ROW * 3 + 2] = c;
  if (c > d) q[ROW * 3 + 1] = t + e;
}
// Signs of words that are only moved: there is but one NaN.
// RUN-KERNEL: signs --grid 2 --block 64 -- rand:1536 rand:1536
KERNEL signs(const float *__restrict__ p, float *__restrict__ q) {
  const float *r = p + ROW * 3;
  float a = -r[0], b = __builtin_fabsf(r[1]), c = __builtin_copysignf(r[2], r[0]);
  q[ROW * 3] = a;
  q[ROW * 3 + 1] = b;
  q[ROW * 3 + 2] = c;
}
// RUN-KERNEL: nested --grid 2 --block 64 -- rand:3072 rand:1024
KERNEL nested(const float *__restrict__ p, float *__restrict__ q) {
  const float *r = p + ROW * 6;
  float f = __builtin_fmaf(r[0], r[1], r[2] * r[3]), s = f + r[4], d = r[5] - f;
  q[ROW * 2] = s;
  q[ROW * 2 + 1] = d;
}
// The product is negated, and the negation used by others.
// RUN-KERNEL: negated --grid 2 --block 64 -- rand:2048 rand:1536
KERNEL negated(const float *__restrict__ p, float *__restrict__ q) {
  const float *r = p + ROW * 4;
  float n = -(r[0] * r[1]), s = n + r[2], m = r[3] - n;
  q[ROW * 3] = n;
  q[ROW * 3 + 1] = s;
  q[ROW * 3 + 2] = m;
}
// RUN-KERNEL: complex_row --grid 2 --block 64 -- rand:2048 rand:1024
KERNEL complex_row(const float *__restrict__ p, float *__restrict__ q) {
  const float *r = p + ROW * 4;
  float x = r[0] * r[2] - r[1] * r[3], y = r[0] * r[3] + r[1] * r[2];
  q[ROW * 2] = x;
  q[ROW * 2 + 1] = y;
}
// The other product is also one of another block.
// RUN-KERNEL: late --grid 2 --block 64 -- rand:2560 rand:1024
KERNEL late(const float *__restrict__ p, float *__restrict__ q) {
  const float *r = p + ROW * 5;
  float a = r[0], b = r[1], c = r[2], d = r[3], e = r[4], t = b * b, u = (a - e) * (a - e), x = t + u;
  if (c < b) x = d + b * b;
  q[ROW * 2] = x - u;
  q[ROW * 2 + 1] = e;
}
// RUN-KERNEL: doubles --grid 2 --block 64 -- rand:5120 rand:2048
KERNEL doubles(const double *__restrict__ p, double *__restrict__ q) {
  const double *r = p + ROW * 5;
  double t = r[0] * r[1], s = t + r[2], u = s - t * r[3];
  q[ROW * 2] = u + r[4];
  q[ROW * 2 + 1] = -t;
}
// Plain clang unrolls these loops, and what it multiplies at the end of an iteration meets the next one's sum, or that behind the loop.
// RUN-KERNEL: ends --grid 2 --block 64 -- rand:4096 rand:512 rand:4
KERNEL ends(const float *__restrict__ g, float *__restrict__ out, const float *__restrict__ k) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float p = out[ROW], w = k[0];
  for (int k = 0; k < 8; k++) {
    s[t] = g[blockIdx.x * 512 + k * 64 + t];
    __nvvm_bar_sync(0);
    for (int q = 0; q < 8; q++) p = (p - w) * s[(t + q) & 63];
    __nvvm_bar_sync(0);
  }
  out[ROW] = p + w;
}
// RUN-KERNEL: behind --grid 2 --block 64 -- rand:4096 rand:512 rand:4
KERNEL behind(const float *__restrict__ g, float *__restrict__ out, const float *__restrict__ k) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float p = 0, last = 0, w = k[0];
  for (int k = 0; k < 8; k++) {
    s[t] = g[blockIdx.x * 512 + k * 64 + t];
    __nvvm_bar_sync(0);
    last = s[t ^ 1] * w;
    for (int q = 0; q < 8; q++) p = p * w + s[(t + q) & 63];
    __nvvm_bar_sync(0);
  }
  out[ROW] = p + last;
}
// RUN-KERNEL: begins --grid 2 --block 64 -- rand:2048 rand:512 rand:4
KERNEL begins(const float *__restrict__ g, float *__restrict__ out, const float *__restrict__ k) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float p = g[t] * k[0];
  for (int k = 0; k < 4; k++) {
    s[t] = g[blockIdx.x * 256 + k * 64 + t];
    __nvvm_bar_sync(0);
    for (int q = 0; q < 2; q++) p += s[(t + q) & 63];
    __nvvm_bar_sync(0);
  }
  out[ROW] = p;
}
// A product that is added behind a block that it does not always come from: the backend makes the sum in front of that.
// RUN-KERNEL: before --grid 2 --block 64 -- rand:800 rand:4000 rand:4000 rand:4000 i32:100 i32:7
KERNEL before(const float *__restrict__ w, const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ o, int n, int K) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < 3; j++) {
    float s = 0, t = 0;
    for (int k = 0; k < K; k++) s += x[k * n + i], t -= w[j * K + k];
    o[i * 4 + j] = s * t + y[i];
  }
}
// A product that is made under a condition of the counter, and comes to the next iteration's sum behind a join: where iterations in which the
// condition holds run by themselves, nothing is between the two.
// RUN-KERNEL: joined --grid 1 --block 64 -- rand:35840 rand:35840 rand:512 i32:70 i32:0 i32:0
KERNEL joined(const double *__restrict__ a, double *__restrict__ b, double *__restrict__ out, int m, int d, int h) {
  int i = threadIdx.x;
  double s = out[i], p = s, t = s;
#pragma unroll 1
  for (int j = 0; j < m; j++) {
    int q = j - d;
    s -= p;
    if (q >= 0 && q < m && j > h) p = a[i * m + q] * t;
    else s += p * p;
    b[i * m + j] = s < t ? t : p;
  }
  out[i] = s;
}
// By four joins, each behind a condition of the counter that holds in the same iterations: further than products are followed where they are settled. In the
// same iteration, and by the head of the loop, of a product that is stored as well.
// RUN-KERNEL: four_joins --grid 1 --block 64 -- rand:35840 rand:35840 rand:512 i32:70 i32:3 i32:65 i32:66 i32:67
KERNEL four_joins(const double *__restrict__ a, double *__restrict__ b, double *__restrict__ out, int m, int h, int f, int g, int e) {
  int i = threadIdx.x;
  double s = out[i], t = s;
#pragma unroll 1
  for (int j = 0; j < m; j++) {
    double p = t;
    if (j > h) p = a[i * m + j] * t;
    if (j < f) b[i * m + j] = t;
    else p = s;
    if (j < g) b[i * m + j] = s;
    else p = t + 1;
    if (j < e) b[i * m + j] = 1;
    else p = 2;
    s += p;
  }
  out[i] = s;
}
// RUN-KERNEL: four_around --grid 1 --block 64 -- rand:35840 rand:35840 rand:512 i32:70 i32:3 i32:65 i32:66
KERNEL four_around(const double *__restrict__ a, double *__restrict__ b, double *__restrict__ out, int m, int h, int f, int g) {
  int i = threadIdx.x;
  double s = out[i], t = s, p = s;
#pragma unroll 1
  for (int j = 0; j < m; j++) {
    s -= p;
    p = t;
    if (j > h) {
      p = a[i * m + j] * t;
      b[i * m + j] = p;
    }
    if (j < f) b[i * m + j] = t;
    else p = s;
    if (j < g) b[i * m + j] = s;
    else p = t + 1;
  }
  out[i] = s;
}
// A sum with a product from another block and one by a phi, whose other way has its sum already: the backend makes it one with that product, there.
// RUN-KERNEL: by_phi --grid 1 --block 32 -- rand:8960 rand:280 rand:8960 rand:128 i32:70 i32:-2 i32:0
KERNEL by_phi(const float *a, const float *x, float *b, float *__restrict__ out, int m, int d, int h) {
  int i = threadIdx.x;
  float s = out[i], p = s, t = s;
  for (int j = 0; j < m; j++) {
    s += p;
    int q = j + d;
    if (q >= 0 && q < m && j <= i) {
      float v = a[i * m + q];
      p = v * t;
      b[i * m + q] = __builtin_fabsf(v);
    }
    b[i * m + j] = p + t * t;
  }
  out[i] = t * s - p * s;
}
// A product that the next iteration adds: as it is, and by two joins. Its iterations stand alone.
// RUN-KERNEL: returned --grid 1 --block 32 -- rand:10240 rand:5120 i32:40
KERNEL returned(const float *__restrict__ a, float *__restrict__ out, int m) {
  int i = threadIdx.x;
  float s = out[i], p = s;
  for (int j = 0; j < m; j++) {
    s -= p;
    float v = a[j * 32 + i];
    p = v * v;
    out[j * 32 + i] = s;
  }
}
// RUN-KERNEL: by_joins --grid 1 --block 32 -- rand:2432 rand:2432 rand:128 i32:19 i32:1
KERNEL by_joins(const float *a, float *b, float *__restrict__ out, int m, int h) {
  int i = threadIdx.x;
  float s = out[i], p = s, t = s;
  for (int j = 0; j < m; j++) {
    s -= p;
    int q = j - 1;
    if (q >= 0 && q < m && j <= i) {
      float v = a[i * m + q];
      p = v * v;
    }
    float x = t * p + p * t;
    if (j >= 0 && j < m && j > h) {
      float v = a[i * m + j], y = (v + s) * (v - s);
      b[i * m + j] = v - y * v;
    }
    if (q >= 0 && q < m) {
      float v = a[i * m + q];
      p = v * v;
      s += t;
    }
    s -= (x + t) * (x - t);
  }
}
// Of two products that a sum is made of, the backend has one from the block in front, where it stands as well.
// RUN-KERNEL: found_again --grid 1 --block 32 -- rand:5120 rand:128 i32:40 i32:2
KERNEL found_again(const float *a, float *__restrict__ out, int m, int d) {
  int i = threadIdx.x;
  float s = out[i], p = out[i], t = out[i], x = p * p;
  for (int j = 0; j < m; j++) {
    int q = j + -d;
    if (q >= 0 && q < m && j <= i) {
      float v = a[i * m + q];
      float y = x * t - v * x;
      float z = x - v;
      t = z * y;
    }
    int r = j + 0;
    if (r >= 0 && r < m) {
      float v = a[i * m + r];
      float w = t * x;
      s += v * w;
    }
  }
  out[i] = s + p * t;
}
