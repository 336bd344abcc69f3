// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o - | %FileCheck %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-without=whole -S %s -o - | %FileCheck %s --check-prefix=OFF
// Words of a struct that a loop asks for under a condition come with the one in front of it, if all threads load the same struct, it is aligned, and nothing writes in between.
// TEXT: levels=O3 archs=sm_90
// OFF-LABEL: .entry four(
// OFF-NOT: ld.global.v4
// OFF-LABEL: .entry two(
#include "records.cuh"
struct __attribute__((aligned(16))) Four { u32 a, b, c, d; };
struct __attribute__((aligned(8))) Two { u32 key; float gain; };
struct Loose { u32 a, b, c, d; };
struct __attribute__((aligned(8))) Halves { u32 a, b, c, d; };
#define LOOP(NAME, COUNTER, S, ...) \
  KERNEL NAME(const S *p, const u32 *q, u32 *out, int n, int m) { \
    int i = ROW; if (i >= n) return; \
    u32 k = q[i] & 255, s = 0; \
    for (COUNTER j = 0; j < m; j++) { __VA_ARGS__ } \
    out[i] = s; \
  }
// The last of them stays behind the branches: ptxas has the address in registers of the lane's own then.
// CHECK-LABEL: .entry four(
// CHECK: Loop Header
// CHECK: ld.global.v4
// CHECK-NEXT: ld.global.v4
// CHECK-NEXT: ld.global.v4
// CHECK-NOT: ld.global
// CHECK: bra
// CHECK: ld.global.v4
// CASE: four few with=m=0,1,5,16 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOOP(four, int, Four, Four v = p[j]; if ((v.a & 255) < k) s = (s ^ v.b) * v.c + v.d % 7;)
// CHECK-LABEL: .entry two(
// CHECK: ld.global.v2
// CASE: two few with=m=0,1,5,16 -- rand:{8*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOOP(two, long, Two, if ((p[j].key & 255) == k) s += (u32)(p[j].gain > 0.5f) % (k + 1);)
// A word in front of the first one is loaded where it stands.
// CASE: before few with=m=0,1,5,16 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOOP(before, int, Four, u32 t = p[j].b * k, a = p[j].a ^ t; if (a & 1) s = (s ^ t) + p[j].c % (k + 1);)
// CHECK-LABEL: .entry nested(
// CHECK: ld.global.v4
// CASE: nested few with=m=0,1,5,16 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOOP(nested, unsigned, Four, const Four *f = p + j; if (f->a % 200 < k) { s += f->b % (k + 3); if (f->b & 1) s ^= f->d; })
// CHECK-LABEL: .entry ways(
// CHECK: ld.global.v4
// CASE: ways few with=m=0,1,5,16 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOOP(ways, int, Four, if (p[j].a & k) s += p[j].b % (k + 1); else if (p[j].a & 1) s += p[j].b % (k + 3) + p[j].c;)
// What a thread loads for itself is as it was.
// CHECK-LABEL: .entry own(
// CHECK-NOT: ld.global.v4
// CHECK: ret;
// CASE: own few with=m=0,1,5 -- rand:{16*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOOP(own, int, Four, const Four *f = p + j * n + i; if ((f->a & 255) < k) s = s * 3 + f->b % (k + 1) + f->d;)
// Nobody knows that all of it is there.
// CHECK-LABEL: .entry loose(
// CHECK-NOT: ld.global.v4
// CHECK: ret;
// CASE: loose few none with=m=0,1,5 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOOP(loose, int, Loose, if ((p[j].a & 255) < k) s = s * 3 + p[j].b % (k + 1) + p[j].d;)
// CHECK-LABEL: .entry halves(
// CHECK-NOT: ld.global.v
// CHECK: ret;
// CASE: halves few none with=m=0,1,5 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOOP(halves, int, Halves, if ((p[j].a & 255) < k) s = s * 3 + p[j].d % (k + 1);)
// The first word is in the middle: how it is aligned is not known.
// CHECK-LABEL: .entry middle(
// CHECK-NOT: ld.global.v4
// CHECK: ret;
// CASE: middle few none with=m=0,1,5 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOOP(middle, int, Four, if ((p[j].b & 255) < k) s = s * 3 + p[j].c % (k + 1) + p[j].d;)
// What is written in between may be one of the words.
// CHECK-LABEL: .entry written(
// CHECK-NOT: ld.global.v4
// CHECK: ret;
// CASE: written few none with=m=0,1,5 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
KERNEL written(u32 *p, const u32 *q, u32 *out, int n, int m) {
  int i = ROW; if (i >= n || i) return;
  u32 k = q[i] & 255, s = 0;
  for (int j = 0; j < m; j++) {
    Four *f = (Four *)p + j;
    u32 a = f->a & 255;
    p[j * 4 + 1 + (k & 1)] = s;
    if (a < k) s = s * 3 + f->b % (k + 1) + f->c;
  }
  out[i] = s;
}
// One of two ways to the load writes.
// CHECK-LABEL: .entry merged(
// CHECK-NOT: ld.global.v4
// CHECK: ret;
// CASE: merged few none with=m=0,1,5 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
KERNEL merged(u32 *p, const u32 *q, u32 *out, int n, int m) {
  int i = ROW; if (i >= n || i) return;
  u32 k = q[i] & 255, s = 0;
  for (int j = 0; j < m; j++) {
    Four *f = (Four *)p + j;
    u32 a = f->a;
    if (a & 1) s += a % (k + 3); else { p[j * 4 + 1 + (k & 1)] = s; s ^= a % (k + 5); }
    s = s * 3 + f->b % (s + 1) + f->c;
  }
  out[i] = s;
}
// A volatile word is asked for where the program asks for it.
// CHECK-LABEL: .entry watched(
// CHECK-NOT: v4
// CHECK: ret;
// CASE: watched few none with=m=0,1,5 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
LOOP(watched, int, Four, if ((p[j].a & 255) < k) s = s * 3 + *(const volatile u32 *)&p[j].b % (k + 1);)
// Others may write before a barrier.
// CHECK-LABEL: .entry waits(
// CHECK-NOT: ld.global.v4
// CHECK: ret;
// CASE: waits few none with=m=0,1,5 -- rand:{16*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
KERNEL waits(const Four *p, const u32 *q, u32 *out, int n, int m) {
  u32 s = 0;
  for (int j = 0; j < m; j++) {
    u32 a = p[j].a & 255;
    __syncthreads();
    if (a < 100) s = s * 3 + p[j].b % (a + 1) + p[j].c;
  }
  int i = ROW; if (i < n) out[i] = s ^ q[i];
}
