// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S %s -o - | %FileCheck %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-without=searches -S %s -o - | %FileCheck %s --check-prefix=OFF
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -S %s -o - | %FileCheck %s --check-prefix=OFF
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -S -emit-llvm %s -o %t.plain.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -S -emit-llvm %s -o %t.coalda.ll
// RUN: %sim %t.plain.ll --kernel bytes --grid 2 --block 64 --compare %t.coalda.ll -- rand:256 rand:256 zero:512
// RUN: %sim %t.plain.ll --kernel keys --grid 2 --block 64 --compare %t.coalda.ll -- rand:256 rand:256 zero:512
// RUN: %sim %t.plain.ll --kernel text --grid 2 --block 64 --compare %t.coalda.ll -- rand:256 zero:64 zero:512
// RUN: %sim %t.plain.ll --kernel stores --grid 1 --block 64 --compare %t.coalda.ll -- rand:4096 zero:4096
// A loop that ends by what it loads, after so many iterations at most, is unrolled away: its last place is a constant behind a pointer, and there is no branch back. What stores,
// computes with floats, moves on by what run time knows, or is told how to be unrolled stays as LLVM has it.
// OFF-LABEL: .entry bytes(
// OFF-NOT: +31]
// OFF: Loop Header
// OFF: ret;
#include "records.cuh"
// CHECK-LABEL: .entry bytes(
// CHECK-NOT: Loop Header
// CHECK: +31]
// CHECK-NOT: Loop Header
// CHECK: ret;
KERNEL bytes(const unsigned char *a, const unsigned char *b, u32 *out) {
  int i = ROW, n = 0;
  while (n < 32 && (a[i + n] & 3) == (b[i + n] & 3)) n++;
  out[i] = n;
}
// CHECK-LABEL: .entry keys(
// CHECK-NOT: Loop Header
// CHECK: +23]
// CHECK-NOT: Loop Header
// CHECK: ret;
KERNEL keys(const char *a, const char *b, u32 *out) {
  int i = ROW, order = 0;
  const char *p = a + i, *q = b + (i & 1);
  for (unsigned k = 0; k < 24; k++) { int d = (p[k] & 3) - (q[k] & 3); if (d) { order = d; break; } }
  out[i] = order;
}
template <typename C> static __device__ inline long ends(const C *p, const C *mark) { long n = 0; for (; n != 28; ++n) { if (p[n] % 5 == mark[n]) break; } return n; }
// CHECK-LABEL: .entry text(
// CHECK-NOT: Loop Header
// CHECK: +27]
// CHECK-NOT: Loop Header
// CHECK: ret;
KERNEL text(const unsigned char *a, const unsigned char *b, u32 *out) { int i = ROW; out[i] = ends(a + i, b); }
// CHECK-LABEL: .entry back(
// CHECK-NOT: Loop Header
// CHECK: +-62]
// CHECK-NOT: Loop Header
// CHECK: ret;
KERNEL back(const short *a, const short *b, u32 *out) {
  int i = ROW; const short *p = a + i; long n = 0;
  do { if ((p[-n] & 1) != (b[n] & 1)) break; n++; } while (n < 32);
  out[i] = n;
}
// Data tell where the rest is.
// CHECK-LABEL: .entry rows(
// CHECK: Loop Header
// CHECK: ret;
KERNEL rows(const u32 *a, u32 *out, int stride) {
  int i = ROW, n = 0;
  for (; n < 45; n++) if (a[n * stride + i] & 1) break;
  out[i] = n;
}
// CHECK-LABEL: .entry stores(
// CHECK: Loop Header
// CHECK: ret;
KERNEL stores(const u32 *a, u32 *out) {
  int i = ROW;
  for (int n = 0; n < 32; n++) { out[i * 4 + (n & 3)] = n; if (a[i * 4 + n] % 3 == 0) break; }
}
// CHECK-LABEL: .entry rounds(
// CHECK: Loop Header
// CHECK: ret;
KERNEL rounds(const float *a, float *out, float by) {
  int i = ROW; float x = i * by;
  for (int n = 0; n < 40; n++) { if (a[i + n] > x) break; x += by; }
  out[i] = x;
}
// CHECK-LABEL: .entry told(
// CHECK: Loop Header
// CHECK: ret;
KERNEL told(const u32 *a, u32 *out) {
  int i = ROW, n = 0;
#pragma unroll 2
  for (; n < 32; n++) if (a[i + n] % 7 == 0) break;
  out[i] = n;
}
// CHECK-LABEL: .entry long_ones(
// CHECK: Loop Header
// CHECK: ret;
KERNEL long_ones(const u32 *a, u32 *out) {
  int i = ROW, n = 0;
  for (; n < 256; n++) if (a[i + n] % 7 == 0) break;
  out[i] = n;
}
// CHECK-LABEL: .entry watched(
// CHECK: Loop Header
// CHECK: ret;
KERNEL watched(const volatile u32 *a, u32 *out) {
  int i = ROW, n = 0;
  for (; n < 45; n++) if (a[i + n] & 1) break;
  out[i] = n;
}
