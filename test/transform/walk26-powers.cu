// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -w -std=c++17 -I%S/../gen -I%S -O3 -fpass-plugin=%plugin -S -emit-llvm %s -o - | %FileCheck %s
// Rows whose length is a power of two, and whose words are found by joining bits: LLVM knows no more of the power than its exponent.
// TEXT: levels=O3 pipeline=yes
#include "records.cuh"
#define REST __restrict__

// CHECK-LABEL: @signed_numbers(
// CHECK: or disjoint
// CASE: signed_numbers plain:load=exchange load=exchange fewer few block=64 with=g=6 -- rand:{4*(n<<g)} zero:{4*n} i32:{g} i32:{n}
// CASE: signed_numbers few with=g=0,1,3,5 -- rand:{4*(n<<g)} zero:{4*n} i32:{g} i32:{n}
KERNEL signed_numbers(const u32 *REST a, u32 *REST o, int g, int n) {
  int t = ROW, len = 1 << g;
  if (t >= n) return;
  u32 s = 0;
  for (int i = 0; i < len; i++) s = s * 31 + a[(t << g) | i];
  o[t] = s;
}
// Of these LLVM asks whether the counter has bits from g on.
// CHECK-LABEL: @unsigned_numbers(
// CASE: unsigned_numbers plain:load=exchange load=exchange few block=64 with=g=6 -- rand:{4*(n<<g)} zero:{4*n} i32:{g} i32:{n}
// CASE: unsigned_numbers few with=g=0,1,3,5 -- rand:{4*(n<<g)} zero:{4*n} i32:{g} i32:{n}
KERNEL unsigned_numbers(const u32 *REST a, u32 *REST o, u32 g, u32 n) {
  u32 t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (u32 i = 0; i < (1u << g); i++) s = s * 31 + a[i | (t << g)];
  o[t] = s;
}
// CASE: long_numbers plain:load=exchange load=exchange few block=64 with=g=0,6 -- rand:{4*(n<<g)} zero:{4*n} i32:{g} i32:{n}
KERNEL long_numbers(const u32 *REST a, u32 *REST o, int g, int n) {
  u64 t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (u64 i = 0; i < ((u64)1 << g); i++) s = s * 31 + a[(t << g) | i];
  o[t] = s;
}
// CASE: mixed_numbers plain:load=exchange load=exchange few block=64 with=g=0,6 -- rand:{4*(n<<g)} zero:{4*n} i32:{g} i32:{n}
KERNEL mixed_numbers(const u32 *REST a, u32 *REST o, int g, int n) {
  u64 t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (int i = 0; i < (1 << g); i++) s = s * 31 + a[(t << g) | i];
  o[t] = s;
}
// CASE: stored plain:store=exchange store=exchange few block=64 with=g=0,6 -- zero:{4*(n<<g)} i32:{g} i32:{n}
KERNEL stored(u32 *REST a, int g, int n) {
  for (int t = ROW; t < n; t += (int)(gridDim.x * blockDim.x))
    for (int i = 0; i < (1 << g); i++) a[t << g | i] = (u32)(i * 31 + t);
}
// Longer than the power by which the row is shifted, or by one: bits are joined that meet.
// CASE: longer plain:load=none few block=64 with=g=1,5 -- rand:{4*(n<<g)+512} zero:{4*n} i32:{g} i32:{6} i32:{n}
KERNEL longer(const u32 *REST a, u32 *REST o, int g, int h, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (int i = 0; i < (1 << h); i++) s = s * 31 + a[(t << g) | i];
  o[t] = s;
}
// CASE: one_more plain:load=none few block=64 with=g=1,5 -- rand:{4*(n<<g)+512} zero:{4*n} i32:{g} i32:{n}
KERNEL one_more(const u32 *REST a, u32 *REST o, int g, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (int i = 0; i <= (1 << g); i++) s = s * 31 + a[(t << g) | i];
  o[t] = s;
}
// CASE: later plain:load=none few block=64 with=g=1,5 -- rand:{4*(n<<g)+512} zero:{4*n} i32:{g} i32:{3} i32:{n}
KERNEL later(const u32 *REST a, u32 *REST o, int g, int first, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (int i = 0; i < (1 << g); i++) s = s * 31 + a[(t << g) | (i + first)];
  o[t] = s;
}
// The bound of the counter outside.
// CASE: bound_outside plain:load=none few block=64 with=g=1,3 -- rand:{4*(n<<g)+512} zero:{4*n} i32:{g} i32:{n}
KERNEL bound_outside(const u32 *REST a, u32 *REST o, int g, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (int i = 0; i < (1 << g); i++)
    for (int j = 0; j < 40; j++) s = (s * 31 + a[(t << g) | j]) ^ (s >> i);
  o[t] = s;
}
// An iteration that is made before anything is asked, from a number that may be too large.
// CHECK-LABEL: @asked_late(
// CHECK-NOT: or disjoint
// CHECK: {{^}}}
// CASE: asked_late plain:load=none few block=64 with=g=1,5 -- rand:{4*(n<<g)+512} zero:{4*n} i32:{g} i32:{n}
KERNEL asked_late(const u32 *REST a, u32 *REST o, int g, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0, i = 3;
  do {
    s = s * 31 + a[(t << g) | i];
    if (s % 16 == 5 || i == 9) break;
  } while (++i != (1u << g));
  o[t] = s;
}
