// RUN: %rewritten %s --temp %t.d
// One byte all over a stretch of a record: a member like any other.
#include "records.cuh"
struct State { float v[12]; u32 a, b; };

// CASE: zeros dims store=exchange plain:store=exchange fewer -- rand:{56*T} i32:{n}
KERNEL zeros(State *p, int n) {
  int i = ALL; if (i >= n) return;
  p[i] = State{};
}
// CASE: begun few store=exchange plain:store=exchange fewer -- rand:{56*T} i32:{n}
KERNEL begun(State *p, int n) {
  int i = ROW; if (i >= n) return;
  State s{};
  s.a = i; s.v[3] = 1;
  p[i] = s;
}

// A byte that nobody knows, in records of no whole words.
#define BYTES(name, size, count) \
  KERNEL name(u8 *p, int n) { \
    int i = ROW; if (i >= n) return; \
    __builtin_memset(p + size * i, i * 7, count); }
// CASE: odd51 store=exchange fewer -- rand:{51*T} i32:{n}
BYTES(odd51, 51, 51)
// CASE: odd50 few store=exchange fewer -- rand:{52*T} i32:{n}
BYTES(odd50, 52, 50)
// CASE: odd3 few store=exchange -- rand:{5*T} i32:{n}
BYTES(odd3, 5, 3)
// CASE: even34 few store=exchange fewer -- rand:{64*T} i32:{n}
BYTES(even34, 64, 34)

// The last one wins; what is loaded in between lies elsewhere, next to it, or in it.
// CASE: over few with=S=0,40,64 store=exchange -- rand:{128*n+64} ref:0+{S} i32:{n}
KERNEL over(u8 *p, const u8 *q, int n) {
  int i = ROW; if (i >= n) return;
  p += 128 * i; q += 128 * i;
  __builtin_memset(p, 0, 40);
  u8 a = q[8];
  *(Own32 *)(p + 8) = a * 3u;
  __builtin_memset(p + 20, a, 20);
  p[33] = q[10];
}
