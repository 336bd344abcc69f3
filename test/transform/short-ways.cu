// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s < %t.log
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-without=switches -mllvm -coalda-trace -S %s -o %t.ptx 2>&1 | %FileCheck %s --check-prefix=OFF --allow-empty
// OFF-NOT: switches whose ways
// Switches of loops whose ways are short are choices; not where a way stores, or is longer, where all lanes have the same case, there are many, it divides, or sums and products might come together.
// TEXT: levels=O3 archs=sm_90
#include "records.cuh"
#define FORM(NAME, COUNTER, T, OUT, KIND, ...) \
  KERNEL NAME(const T *__restrict__ p, const u32 *__restrict__ q, OUT *__restrict__ out, int n, int m) { \
    int i = ROW; if (i >= n) return; \
    OUT s = i, t = 1, u = 2; \
    for (COUNTER k = 0; k < m; k++) switch (KIND) { __VA_ARGS__ } \
    out[i] = s ^ t * 3 ^ u; \
  }
// CHECK-DAG: depth: made: {{.*}} switches whose ways are short
// CASE: depth few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(depth, int, u32, u32, p[k * n + i] & 3, case 1: s++; break; case 2: s--; break;)
// CHECK-DAG: turns: made: {{.*}} switches whose ways are short
// CASE: turns few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(turns, unsigned, u32, u32, p[k * n + i] & 3, case 0: s++; break; case 1: s--; break; case 2: t++; break; case 3: t--; break;)
// CHECK-DAG: both: made: {{.*}} switches whose ways are short
// CASE: both few none with=m=0,1,5 -- rand:{n*m+16} rand:{4*n} zero:{8*n} i32:{n} i32:{m}
FORM(both, long, unsigned char, u64, p[k * n + i] & 3, case 0: s++; t++; break; case 1: s++; break; case 2: t += s; break;)
// CHECK-DAG: states: made: {{.*}} switches whose ways are short
// CASE: states few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(states, int, u32, u32, (s ^ p[k * n + i]) & 7, case 0: s = u; break; case 1: s += 4; t++; break; case 5: s = t; break; default: s += 3;)
// CHECK-NOT: {{stored|many|alike|product|longer|once|quotient}}: made: {{.*}} switches
// CASE: stored few with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(stored, int, u32, u32, p[k * n + i] & 3, case 1: s++; break; case 2: out[i] = s--; break;)
// CASE: many few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(many, int, u32, u32, p[k * n + i] & 7, case 1: s++; break; case 2: s--; break; case 3: s ^= t; break; case 4: t++; break; case 5: t--; break; case 6: t ^= u;)
// CASE: alike few none with=m=0,1,5 -- rand:{4*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(alike, int, u32, u32, p[k] & 3, case 1: s++; break; case 2: s--; break;)
// CASE: longer few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(longer, int, u32, u32, p[k * n + i] & 3, case 1: s = (s * 5 ^ t) * 7 + u; t = s * 3 + u; break; case 2: u = (u * 3 ^ s) * 9 + t; break;)
// CASE: product few with=m=0,1,5 -- frand:{4*n*m+16} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
KERNEL product(const float *__restrict__ p, const u32 *__restrict__ q, float *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  float s = 0, t = 1;
  for (int k = 0; k < m; k++) { float x = p[k * n + i]; switch (q[k * n + i] & 3) { case 1: s += x; break; case 2: t = x * x; break; } s -= t; }
  out[i] = s;
}
// CASE: once few none -- rand:{4*n} rand:{4*n} zero:{4*n} i32:{n} i32:{n}
KERNEL once(const u32 *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  u32 s = q[i], t = i;
  switch (p[i] & 3) { case 1: s++; break; case 2: s -= t; break; }
  out[i] = s;
}
// CASE: quotient few none with=m=0,1,5 -- frand:{4*n*m+16} rand:{4*n*m+16} zero:{4*n} i32:{n} i32:{m}
KERNEL quotient(const float *__restrict__ p, const u32 *__restrict__ q, float *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  float s = 0, t = 1;
  for (int k = 0; k < m; k++) { float x = p[k * n + i]; switch (q[k * n + i] & 3) { case 1: s += x; break; case 2: t = x / s; break; } }
  out[i] = s + t;
}
