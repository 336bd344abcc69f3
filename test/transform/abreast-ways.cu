// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: %FileCheck %s --check-prefix=MADE < %t.log
// RUN: %FileCheck %s < %t.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-without=abreast -mllvm -coalda-trace -S %s -o - 2>&1 | %FileCheck %s --check-prefix=OFF
// Loops that load and do not store, whose iterations go different ways: the loads of all iterations of a body stand in front of its first branch.
// TEXT: levels=O3 archs=sm_90
// OFF-NOT: made: loads come first
#include "records.cuh"
typedef signed char i8;
#define FORM(NAME, COUNTER, T, ...) \
  KERNEL NAME(const T *p, const T *q, u32 *out, int n, int m) { \
    int i = ROW; if (i >= n) return; \
    u32 s = 0, t = 1; \
    for (COUNTER k = 0; k < m; k++) { __VA_ARGS__; } \
    out[i] = s ^ t * 3; \
  }
// CHECK-LABEL: .entry chain(
// CHECK: ld.global
// CHECK-NOT: bra
// CHECK: ld.global
// CHECK-NOT: bra
// CHECK: ld.global
// CHECK-NOT: bra
// CHECK: ld.global
// CHECK: bra
// MADE-DAG: chain: made: loads come first
// CASE: chain few with=m=0,1,3,4,7,8,9,17 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(chain, int, u32, u32 v = p[k * n + i]; if (v & 1) s += v % 7; else if (v & 2) t = t / 3 + v; else if (v & 4) s = t; else t ^= s >> 3)
// MADE-DAG: counts: made: loads come first
// CASE: counts few with=m=0,1,3,4,5,8,9 -- rand:{n*m+16} rand:{n} zero:{4*n} i32:{n} i32:{m}
FORM(counts, unsigned, unsigned char, unsigned v = p[k * n + i] & 3; if (v == 0) s++; else if (v == 1) { s += 7; t ^= s; } else t += s)
// MADE-DAG: states: made: loads come first
// CASE: states few with=m=0,1,3,4,5,8,9 -- rand:{n*m+16} rand:{n} zero:{4*n} i32:{n} i32:{m}
FORM(states, long, i8, int v = p[k * n + i]; if (s == 0) { if (v > 50) s = 1; } else if (s == 1) { t++; if (v < 0) s = 2; } else if (v & 1) s = 0)
// MADE-DAG: skips: made: loads come first
// CASE: skips few with=m=0,1,3,4,5,8,9,17 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(skips, int, u32, u32 v = p[k * n + i]; if (v & 1) continue; if (v & 2) { s += v % 5; continue; } t = t * 5 + v; if (t & 8) s ^= t)
// Two arrays of eight bytes each: those that clang has in a body, and no more.
// MADE-DAG: pairs: made: loads come first
// CASE: pairs few with=m=0,1,3,4,5,8,9 -- rand:{8*n*m+16} rand:{8*n*m+16} zero:{4*n} i32:{n} i32:{m}
FORM(pairs, int, u64, u64 v = p[k * n + i], w = q[k * n + i]; if (v > w) s += (u32)v % 9; else if (w & 1) t = t / 5 + (u32)w; else s ^= t)
// Rows that all threads share, as a warp has them.
// MADE-DAG: rows: made: loads come first
// CASE: rows few with=m=0,1,3,4,5,8,9 -- rand:{4*m+64} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(rows, int, u32, u32 v = p[k]; if (v > t) t += v % 11; else if (v & i) s += t; else s ^= v)
// What only some iterations load ptxas has under way with the rest, as long as nothing stands between: such loops stay as they are.
// MADE-NOT: some: made: loads come first
// CASE: some batch=no few none with=m=1,3,4,7,8,9 -- bits:{n*m}:1 rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(some, int, u32, u32 v = p[k * n + i]; if (v) s += q[i + v - 1] * v)
// Of two short ways ptxas makes one by itself.
// MADE-NOT: fields: made: loads come first
// CASE: fields plain:none few with=m=0,1,3,4,7,8,9 -- rand:{n*m+16} rand:{n} zero:{4*n} i32:{n} i32:{m}
FORM(fields, unsigned, unsigned char, unsigned v = p[k * n + i]; if (v < 40) { s += t; t = 0; } else t = t * 10 + v)
// Each iteration waits for the others, or asks for what it loads anew each time, or may be the last thing that is done.
// MADE-NOT: {{(waits|anew|stops)}}: made: {{(loads come first|.* side by side)}}
// CASE: waits batch=no few none with=m=0,1,4,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
KERNEL waits(const u32 *p, const u32 *q, u32 *out, int n, int m) {
  int at = ROW, i = at < n ? at : n - 1;
  u32 s = 0, t = 1;
  for (int k = 0; k < m; k++) { __syncthreads(); u32 v = p[k * n + i]; if (v & 1) s += v % 7; else if (v & 2) t = t / 3 + v; else s = t; }
  if (at < n) out[i] = s ^ t;
}
// CASE: anew batch=no few with=m=0,1,4,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(anew, int, volatile u32, u32 v = p[k * n + i]; if (v & 1) s += v % 7; else if (v & 2) t = t / 3 + v; else s = t)
// CASE: stops batch=no few with=m=0,1,4,5 -- rand:{4*n*m+16} rand:{4*n} zero:{4*n} i32:{n} i32:{m}
FORM(stops, int, u32, if (k * n + i >= n * m) __builtin_trap(); u32 v = p[k * n + i]; if (v & 1) s += v % 7; else if (v & 2) t = t / 3 + v; else s = t)
