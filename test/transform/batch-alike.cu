// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: grep -E 'made: (loads|[0-9] iter)' %t.log | %FileCheck %s
// Of words that all threads load alike, in loops whose iterations go different ways, few come first, and no long ones of what clang has in a body. Loops that store to an array of
// the thread's own are left.
// TEXT: levels=O3 archs=sm_90
#include "records.cuh"
struct Four { float x, y, z, w; };
struct Two { float x, y; };

// CHECK: forces: made: 4 iterations side by side
// CHECK-NEXT: forces: made: loads come first
// CASE: forces dims with=m=0,1,3,4,9,17 -- frand:272 frand:{4*T} zero:{4*T} i32:{m} i32:{n}
KERNEL forces(const Four *__restrict__ p, const float *__restrict__ at, float *__restrict__ f, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float x = at[i], s = 0, e = 0;
  for (int k = 0; k < m; k++) {
    float dx = x - p[k].x, dy = x - p[k].y, dz = x - p[k].z, r = dx * dx + dy * dy + dz * dz;
    if (r < 1.5f && k != i) {
      float q = 1 / (r + 0.1f), q6 = q * q * q, w = q6 * (q6 - 0.5f) * q;
      s += w * dx + w * dy - w * dz;
      e += q6 * (q6 - 1);
    }
  }
  f[i] = s * e;
}
// CHECK-NEXT: means: made: 4 iterations side by side
// CHECK-NOT: means: made: loads
// CASE: means dims with=m=0,1,3,4,9,17 -- frand:136 frand:{4*T} zero:{4*T} i64:{m} i32:{n}
KERNEL means(const Two *__restrict__ p, const float *__restrict__ at, float *__restrict__ o, unsigned long m, int n) {
  int i = ROW;
  if (i >= n) return;
  float x = at[i], s = 0, t = 0, w = 0;
  for (unsigned long k = 0; k < m; k++) {
    float dx = x - p[k].x, dy = x - p[k].y, d = dx * dx + dy * dy;
    if (d <= 0.8f) {
      float g = 1 / (1 + d * 0.1f + d * d);
      s += g * p[k].x; t += g * p[k].y; w += g;
    }
  }
  o[i] = s / w + t;
}
// CHECK-NOT: inside: made: loads
// CASE: inside dims with=m=0,1,3,4,9,17 -- drand:{16*m+32} drand:{16*m+32} drand:{8*T} zero:{4*T} i32:{m} i32:{n}
KERNEL inside(const double *__restrict__ px, const double *__restrict__ py, const double *__restrict__ at, u32 *__restrict__ o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  double x = at[i], y = x * 0.5;
  u32 in = 0;
  for (u32 r = 0; r < m; r++)
    for (u32 k = r; k < r + m; k++) {
      double x0 = px[k], y0 = py[k], x1 = px[k + 1], y1 = py[k + 1];
      if (((y0 <= y && y < y1) || (y1 <= y && y < y0)) && x < (x1 - x0) * (y - y0) / (y1 - y0) + x0) in = !in;
    }
  o[i] = in;
}
// CHECK-NOT: edits: made
// CASE: edits dims with=m=0,1,5,9 -- rand:40 rand:{8*T+8} zero:{4*T} i32:{m} i32:{n}
KERNEL edits(const char *word, const char *list, u32 *o, int m, int n) {
  int i = ROW, dp[10][9];
  if (i >= n) return;
  const char *mine = list + i * 8;
  int l = i % 8;
  for (int a = 0; a <= m; a++) dp[a][0] = a;
  for (int b = 0; b <= l; b++) dp[0][b] = b;
  for (int a = 1; a <= m; a++)
    for (int b = 1; b <= l; b++)
      if ((word[a - 1] & 3) == (mine[b - 1] & 3)) dp[a][b] = dp[a - 1][b - 1];
      else {
        int u = dp[a - 1][b], v = dp[a][b - 1], w = dp[a - 1][b - 1];
        dp[a][b] = 1 + (u < v ? u < w ? u : w : v < w ? v : w);
      }
  o[i] = dp[m][l];
}
