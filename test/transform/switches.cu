// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o - | %FileCheck %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-without=switches -S %s -o - | %FileCheck %s --check-prefix=OFF
// A few cases in a loop, of which lanes have different ones, are compared; where all have the same, there are many, or no loop is around them, they are looked up in a table.
// TEXT: levels=O3 archs=sm_90
// OFF-LABEL: .entry kinds(
// OFF: brx.idx
// OFF-LABEL: .entry bytes(
// OFF: brx.idx
#include "records.cuh"
#define FORM(NAME, COUNTER, T, KIND, ...) \
  KERNEL NAME(const T *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) { \
    int i = ROW; if (i >= n) return; \
    u32 s = i, t = 1, u = 2; \
    for (COUNTER k = 0; k < m; k++) switch (KIND) { __VA_ARGS__ } \
    out[i] = s ^ t * 3 ^ u; \
  }
#define FOUR case 0: s++; break; case 1: t += 2 + s; break; case 2: u ^= t; break; default: s += u;
// CHECK-LABEL: .entry kinds(
// CHECK-NOT: brx.idx
// CASE: kinds few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(kinds, int, u32, p[k * n + i] & 3, FOUR)
// CHECK-LABEL: .entry bytes(
// CHECK-NOT: brx.idx
// CASE: bytes few none with=m=0,1,5 -- rand:{n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(bytes, long, unsigned char, p[k * n + i] & 7, case 0: s++; break; case 1: t += s; break; case 2: u ^= t; break; case 3: s += u; break;)
// CHECK-LABEL: .entry states(
// CHECK-NOT: brx.idx
// CASE: states few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(states, unsigned, u32, (s ^ p[k * n + i]) & 7, case 0: s++; break; case 2: s ^= t; break; case 3: u += s; break; case 5: s = u; break; default: t++;)
// CHECK-LABEL: .entry program(
// CHECK: brx.idx
// CASE: program few none with=m=0,1,5 -- rand:{4*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(program, int, u32, p[k] & 3, FOUR)
// CHECK-LABEL: .entry many(
// CHECK: brx.idx
// CASE: many few none with=m=0,1,5 -- rand:{n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(many, int, unsigned char, p[k * n + i] & 7, case 0: s++; break; case 1: t += s; break; case 2: u ^= t; break; case 3: s += u; break; case 4: s *= 5;)
// CHECK-LABEL: .entry once(
// CHECK: brx.idx
// CASE: once few none -- rand:{4*n+16} rand:{4*n} zero:{4*n} i32:{n} i32:{n}
KERNEL once(const u32 *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  u32 s = i, t = 1, u = 2;
  switch (p[i] & 3) { FOUR }
  for (int k = 0; k < m; k++) s = s * 3 + q[(i + k) % n];
  out[i] = s ^ t * 3 ^ u;
}
