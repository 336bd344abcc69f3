// RUN: %rewritten %s --temp %t.d
// What does not pay is left alone: short records are read at full speed as they are, and written by a cache that merges.
#include "records.cuh"
template <int N> struct Words { u32 w[N]; };
#define LOADS(N) \
  KERNEL load##N(const Words<N> *p, u32 *q, int n) { \
    int i = ROW; u32 s = 0; if (i >= n) return; for (int k = 0; k < N; k++) s = s * 3 + p[i].w[k]; q[i] = s; } \
  KERNEL store##N(Words<N> *q, u32 x, int n) { int i = ROW; if (i < n) for (int k = 0; k < N; k++) q[i].w[k] = x * k + i; } \
  KERNEL gather##N(const u32 *at, const Words<N> *p, u32 *q, int n) { \
    int i = ROW; u32 s = 0; if (i >= n) return; for (int k = 0; k < N; k++) s = s * 3 + p[at[i]].w[k]; q[i] = s; }
// CASE: load3 few load=exchange plain:load=none plain:refuse=NoGain -- rand:{12*n} zero:{4*n} i32:{n}
// CASE: load4 few plain:load=none -- rand:{16*n} zero:{4*n} i32:{n}
// CASE: load16 few plain:load=exchange fewer -- rand:{64*n} zero:{4*n} i32:{n}
// CASE: load32 few plain:load=exchange fewer -- rand:{128*n} zero:{4*n} i32:{n}
// CASE: store3 few store=exchange plain:store=none plain:refuse=NoGain -- zero:{12*n} i32:3 i32:{n}
// CASE: store4 few plain:store=widen fewer -- zero:{16*n} i32:3 i32:{n}
// CASE: store7 few plain:store=exchange fewer -- zero:{28*n} i32:3 i32:{n}
// CASE: store16 few plain:store=exchange fewer -- zero:{64*n} i32:3 i32:{n}
// CASE: gather4 few load=widen plain:load=none plain:refuse=NoGain -- perm:{n} rand:{16*n} zero:{4*n} i32:{n}
// CASE: gather16 few plain:load=exchange -- perm:{n} rand:{64*n} zero:{4*n} i32:{n}
LOADS(3) LOADS(4) LOADS(7) LOADS(16) LOADS(32)
