// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s --check-prefix=MADE < %t.log
// RUN: %FileCheck %s < %t.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-without=batches -mllvm -coalda-trace -S %s -o - 2>&1 | %FileCheck %s --check-prefix=OFF
// Quotients and roots that are rounded have branches of the backend's own, in front of which it brings no load: the loads of several iterations in one
// body come before the first of them.
// TEXT: levels=O3 archs=sm_90
// OFF-NOT: in front of quotients
#include "records.cuh"
#define LOADS(NAME, COUNTER, T, ...) \
  KERNEL NAME(const T *p, const u32 *at, T *out, int n, int m) { \
    int i = ROW; if (i >= n) return; \
    T s = 0; \
    for (COUNTER k = 0; k < m; k++) { __VA_ARGS__; } \
    out[i] = s; \
  }
// CHECK-LABEL: .entry columns(
// CHECK: ld.global
// CHECK-NOT: {{div|rcp}}.rn
// CHECK: ld.global
// CHECK-NOT: {{div|rcp}}.rn
// CHECK: ld.global
// CHECK: {{div|rcp}}.rn
// MADE-DAG: columns: made: {{[0-9]+}} loads in front of quotients
// CASE: columns with=m=0,1,3,4,7,8,9,17 -- frand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOADS(columns, int, float, s += 1 / (p[k * n + i] + 2.5f))
// What loads lead to, of which the index comes too.
// MADE-DAG: listed: made: {{[0-9]+}} loads in front of quotients
// CASE: listed with=m=0,1,3,4,5,8,9 -- frand:{4*n+16} bits:{n*m+4}:3 zero:{4*n} i32:{n} i32:{m}
LOADS(listed, unsigned, float, s = (s + p[at[k * n + i] & 3]) / (p[i] + 1.5f))
// MADE-DAG: doubles: made: {{[0-9]+}} loads in front of quotients
// CASE: doubles with=m=0,1,3,4,5,8,9 -- drand:{8*n*m+16} rand:{4*n} zero:{8*n} i32:{n} i32:{m}
LOADS(doubles, long, double, s += 1 / (p[k * n + i] + 2.5))
// MADE-DAG: roots: made: {{[0-9]+}} loads in front of quotients
// CASE: roots with=m=0,1,3,4,5,8,9 -- frand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOADS(roots, int, float, s += __nvvm_sqrt_rn_f(p[k * n + i] * p[k * n + i] + 1))
// What lies in a line that a load in front has asked for is on its way.
// MADE-NOT: points: made: {{[0-9]+}} loads in front of quotients
// CASE: points plain:none with=m=0,1,3,4,8 -- drand:{32*n*m+64} rand:{4*n} zero:{8*n} i32:{n} i32:{m}
KERNEL points(const double *p, const u32 *at, double *out, int n, int m) {
  int i = ROW; if (i >= n) return;
  double x = 0, y = 0;
  _Pragma("unroll 1") for (int k = 0; k < m; k++) {
    const double *q = p + 4 * (k * n + i);
    double f = (q[0] + 0.5) / (q[1] + 2.5);
    x += f * q[2];
    y += f * q[3];
  }
  out[i] = x + y;
}
// Where what is loaded next hangs on the quotient.
// CASE: leads none with=m=0,1,3,4,5,8,9 -- frand:{16*n*m+64} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOADS(leads, int, float, s = 1 / (p[k * n + i + ((int)s & 3)] + 1.5f))
// A quotient that is no more than near, of a number that the backend multiplies by, or of numbers that come first.
// MADE-NOT: {{(near|halved|whole|stored|told|waits)}}: made: {{[0-9]+}} loads in front of quotients
// CASE: near none with=m=0,1,4,9 -- frand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOADS(near, int, float, s += __nvvm_div_approx_f(1, p[k * n + i] + 2.5f))
// CASE: halved none with=m=0,1,4,9 -- frand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOADS(halved, int, float, s += p[k * n + i] / 2)
// CASE: whole with=m=0,1,4,9 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOADS(whole, int, u32, s += p[k * n + i] / 7)
// What is stored in between may be what is loaded; nobody knows whether it is, or others wait for it.
// CASE: stored with=m=0,1,4,9 -- frand:{4*n*(m+1)+16} rand:{4*n} ref:0+{4*n} i32:{n} i32:{m}
KERNEL stored(float *p, const u32 *at, float *out, int n, int m) {
  int i = ROW; if (i >= n) return;
  for (int k = 0; k + 1 < m; k += 2) {
    out[k * n + i] = 1 / (p[k * n + i] + 2.5f);
    out[(k + 1) * n + i] = 1 / (p[(k + 1) * n + i] + 2.5f);
  }
}
// CASE: told none with=m=0,1,4,9 -- frand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
KERNEL told(const volatile float *p, float *out, int n, int m) {
  int i = ROW; if (i >= n) return;
  float s = 0;
  for (int k = 0; k < m; k++) s += 1 / (p[k * n + i] + 2.5f);
  out[i] = s;
}
// CASE: waits none with=m=0,1,4,5 -- frand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
KERNEL waits(const float *p, float *out, int n, int m) {
  int at = ROW, i = at < n ? at : 0;
  float s = 0;
  for (int k = 0; k + 1 < m; k += 2) { s += 1 / (p[k * n + i] + 2.5f); __syncthreads(); s += 1 / (p[(k + 1) * n + i] + 2.5f); }
  if (at < n) out[i] = s;
}
// An index in such a line comes all the same, with what it names.
// MADE-DAG: pairs: made: 1 loads in front of quotients
// CASE: pairs plain:none with=m=0,1,3,4,8 -- frand:{16} bits:{8*n*m+16}:3 zero:{4*n} i32:{n} i32:{m}
KERNEL pairs(const float *p, const u32 *at, float *out, int n, int m) {
  int i = ROW; if (i >= n) return;
  float s = 0;
  _Pragma("unroll 1") for (int k = 0; k < m; k++) {
    const u32 *q = at + 2 * (k * n + i);
    s += 1 / (p[q[0] & 3] + 2.5f);
    s += 1 / (p[q[1] & 3] + 1.5f);
  }
  out[i] = s;
}
