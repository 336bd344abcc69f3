// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o - | %FileCheck %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-without=counts -S %s -o - | %FileCheck %s --check-prefix=OFF
// A number that goes on by a constant under a condition is chosen: ptxas makes one instruction of it. What goes on by what run time chooses, by 64 bits or anew in each iteration is added to.
// TEXT: levels=O3 archs=sm_90
// OFF-LABEL: .entry below(
// OFF: selp.b32 {{.*}}, 1, 0
#include "records.cuh"
#define FORM(NAME, COUNTER, T, OUT, ...) \
  KERNEL NAME(const T *__restrict__ p, const T *__restrict__ q, OUT *__restrict__ out, int n, int m) { \
    int i = ROW; if (i >= n) return; \
    OUT s = 0, t = 0; T k = q[i]; \
    for (COUNTER j = 0; j < m; j++) { T v = p[j * n + i]; __VA_ARGS__ } \
    out[i] = s ^ t * 3; \
  }
// CHECK-LABEL: .entry below(
// CHECK: add.s32 [[NEXT:%r[0-9]+]], [[NUMBER:%r[0-9]+]], 1;
// CHECK-NEXT: selp.b32 {{.*}}, [[NEXT]], [[NUMBER]],
// CASE: below few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(below, int, int, u32, s += v < k;)
// CHECK-LABEL: .entry both(
// CHECK: add.s32 [[B:%r[0-9]+]], [[A:%r[0-9]+]], 1;
// CHECK: selp.b32 {{.*}}, [[B]], [[A]],
// CASE: both few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(both, long, u32, u32, s += (v < k) + (v > 2 * k); t -= v == k;)
// CHECK-LABEL: .entry fives(
// CHECK: add.s32 [[D:%r[0-9]+]], [[C:%r[0-9]+]], 5;
// CHECK: selp.b32 {{.*}}, [[D]], [[C]],
// CASE: fives few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(fives, unsigned, u32, u32, s += v < k ? 5 : 0; t += v < 2 * k ? 0 : 1u << 31;)
// CHECK-LABEL: .entry parity(
// CHECK: xor.b32 [[F:%r[0-9]+]], [[E:%r[0-9]+]], 1;
// CHECK: selp.b32 {{.*}}, [[F]], [[E]],
// CASE: parity few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(parity, int, u32, u32, s ^= (u32)(v < k); t += (v < k) != (j & 1);)
// CHECK-LABEL: .entry bytes(
// CASE: bytes few load=exchange with=m=0,1,5,300 -- rand:{n*m+16} rand:{n} zero:{n} i32:{n} i32:{m}
FORM(bytes, int, unsigned char, unsigned char, s += v < k; t += v == k;)
// CHECK-LABEL: .entry several(
// CHECK-NOT: selp.b32 {{.*}}, %r{{[0-9]+}}, %r
// CHECK: selp.b32 {{.*}}, 1, 0
// CHECK-NOT: selp.b32 {{.*}}, %r{{[0-9]+}}, %r
// CASE: several few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(several, int, u32, u32, s += v < k && v > 9;)
// CHECK-LABEL: .entry longs(
// CHECK-NOT: selp.b64 {{.*}}, %rd{{[0-9]+}}, %rd
// CHECK: selp.b64 {{.*}}, 1, 0
// CHECK-NOT: selp.b64 {{.*}}, %rd{{[0-9]+}}, %rd
// CASE: longs few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{8*n} i32:{n} i32:{m}
FORM(longs, int, u32, u64, s += v < k;)
// CHECK-LABEL: .entry varied(
// CHECK: selp.b32 {{.*}}, 0, %p
// CASE: varied few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(varied, int, u32, u32, s += v < k ? v >> 3 : 0;)
// CHECK-LABEL: .entry anew(
// CHECK-NOT: selp.b32 {{.*}}, %r{{[0-9]+}}, %r
// CHECK: selp.b32 {{.*}}, 1, 0
// CHECK-NOT: selp.b32 {{.*}}, %r{{[0-9]+}}, %r
// CASE: anew few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(anew, int, u32, u32, s = s * 3 + (v < k);)
// CHECK-LABEL: .entry behind(
// CHECK-NOT: selp.b32 {{.*}}, %r{{[0-9]+}}, %r
// CHECK: selp.b32 {{.*}}, 1, 0
// CHECK-NOT: selp.b32 {{.*}}, %r{{[0-9]+}}, %r
// CASE: behind few none with=m=0,1,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
KERNEL behind(const u32 *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s += p[j * n + i];
  out[i] = s + (q[i] < 9);
}
// CHECK-LABEL: .entry once(
// CHECK: selp.b32 {{.*}}, 1, 0
// CASE: once few none -- rand:{4*n} rand:{4*n} zero:{4*n} i32:{n} i32:{n}
KERNEL once(const u32 *__restrict__ p, const u32 *__restrict__ q, u32 *__restrict__ out, int n, int m) {
  int i = ROW; if (i >= n) return;
  u32 v = p[i], s = v < 9 ? v : q[i];
  out[i] = s + (v < q[i]);
}
