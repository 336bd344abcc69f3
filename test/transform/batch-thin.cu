// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -S -I%S -I%S/../gen -fpass-plugin=%plugin %s -o %t.ptx
// RUN: grep -E 'maxnreg|maxntid|^.visible .entry' %t.ptx | %FileCheck %s
// Marches whose iterations go different ways by a word or two keep to 32 registers, as ptxas can make them of more words than that: where grids fill the GPU, more would take what
// they gain.
// TEXT: levels=O3 archs=sm_90
#include "records.cuh"

// CHECK: .entry squares(
// CHECK-NEXT: .maxnreg 32
// CASE: squares batch=yes with=m=5,6,9,12 with=k=1,3,5 -- frand:{4*n*m+16} zero:{4*n*(m+k)} i32:{m} i32:{k} i32:{n}
KERNEL squares(const float *in, float *out, int m, int wide, int n) {
  for (int i = ROW; i < n; i += blockDim.x * gridDim.x) {
    const float *a = in + i;
    float *o = out + i, s = 0;
    int head = 0, post = wide - (wide - 1) / 2 - 1;
    while (head < post && head < m) { s += a[head * n] * a[head * n]; ++head; }
    while (head < m) {
      s += a[head * n] * a[head * n];
      if (head - wide >= 0) s -= a[(head - wide) * n] * a[(head - wide) * n];
      o[(head - post) * n] = 1 + s * 0.25f;
      ++head;
    }
    while (head < m + post) {
      if (head - wide >= 0) s -= a[(head - wide) * n] * a[(head - wide) * n];
      o[(head - post) * n] = 1 + s * 0.25f;
      ++head;
    }
  }
}
// CHECK-NEXT: .entry clipped(
// CHECK-NEXT: .maxnreg 32
// CASE: clipped batch=yes with=m=0,1,3,4,9 -- frand:{4*n*m+16} zero:{4*n*m+4} zero:{4*n} i32:{m} i32:{n}
KERNEL clipped(const float *x, float *o, int *count, int m, int n) {
  int i = ROW, c = 0;
  if (i >= n) return;
  for (int k = 0; k < m; k++) {
    float v = x[(unsigned long)k * n + i];
    if (v < -0.5f) {
      v = -0.5f;
      c++;
    } else if (v > 0.5f) {
      v = 0.5f;
      c++;
    }
    o[(unsigned long)k * n + i] = v;
  }
  count[i] = c;
}
