// RUN: %rewritten %s --temp %t.d
// Members in blocks that every thread comes through, with branches and loops beside them: written together behind the last.
#include "records.cuh"
#define TURNS(s) for (u32 h = 0; h < (s & 7); h++) s = s * 5 + (s >> 3)

// CASE: loops dims store=exchange plain:store=exchange fewer -- rand:{4*T} zero:{24*T} i32:{n}
KERNEL loops(const u32 *x, u32 *p, int n) {
  int i = ALL; if (i >= n) return;
  u32 s = x[i];
  TURNS(s); p[6 * i] = s;
  TURNS(s); p[6 * i + 1] = s;
  TURNS(s); p[6 * i + 2] = s;
  TURNS(s); p[6 * i + 3] = s;
  TURNS(s); p[6 * i + 4] = s;
  TURNS(s); p[6 * i + 5] = s;
}

// Two ways, and more than two.
#define WAYS(s) if (s & 4) s = s / 7; else { s ^= 5; TURNS(s); }
#define MORE(s) switch (s & 7) { case 0: s /= 7; break; case 1: TURNS(s); break; case 5: s *= 3; case 6: s %= 1000; default: s = ~s; }
// CASE: ways few store=exchange fewer -- rand:{4*T} zero:{24*T} i32:{n}
KERNEL ways(const u32 *x, u32 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  WAYS(s) p[6 * i] = s;
  MORE(s) p[6 * i + 1] = s;
  WAYS(s) p[6 * i + 2] = s;
  MORE(s) p[6 * i + 3] = s;
  WAYS(s) p[6 * i + 4] = s;
  MORE(s) p[6 * i + 5] = s;
}

// Each thread keeps to its own bytes where one piece is known to hold them all.
// CASE: piece few store=widen plain:store=widen fewer -- rand:{4*T} zero:{16*T} i32:{n}
KERNEL piece(const u32 *x, V4 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  TURNS(s); p[i].x = s;
  TURNS(s); p[i].y = s;
  WAYS(s) p[i].z = s;
  TURNS(s); p[i].w = s;
}

// Some members are under a condition as well: few of them, and the rest is stored as it was.
// CASE: both few with=S=0..3 store=exchange -- rand:{4*T} zero:{32*T} i32:{S} i32:{n}
KERNEL both(const u32 *x, u32 *p, int k, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  TURNS(s); p[8 * i] = s;
  TURNS(s); if ((s & 3) < k) p[8 * i + 1] = s;
  TURNS(s); if ((s & 3) < k) p[8 * i + 2] = s;
  TURNS(s); if ((s & 3) < k) p[8 * i + 3] = s;
  TURNS(s); if ((s & 3) < k) p[8 * i + 4] = s;
  TURNS(s); if ((s & 3) < k) p[8 * i + 5] = s;
  TURNS(s); p[8 * i + 6] = s;
  TURNS(s); if ((s & 3) < k) p[8 * i + 7] = s;
}

// What stands beside the chain is not moved: a member that some threads write on one way, and others on another.
// CASE: arms few store=exchange -- rand:{4*T} zero:{32*T} i32:{n}
KERNEL arms(const u32 *x, u32 *__restrict__ p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  TURNS(s); p[8 * i] = s;
  TURNS(s); p[8 * i + 1] = s;
  if (s & 2) { TURNS(s); p[8 * i + 6] = s; s = s / 3; } else { p[8 * i + 7] = s / 5; s ^= 9; }
  TURNS(s); p[8 * i + 2] = s;
  TURNS(s); p[8 * i + 3] = s;
  TURNS(s); p[8 * i + 4] = s;
  TURNS(s); p[8 * i + 5] = s;
}

// Some of the members are written together in their own block already.
// CASE: taken few store=exchange -- rand:{4*T} zero:{32*T} i32:{n}
KERNEL taken(const u32 *x, u32 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  p[8 * i] = s; p[8 * i + 1] = s + 1; p[8 * i + 2] = s + 2; p[8 * i + 3] = s * 3; p[8 * i + 4] = s * 4;
  TURNS(s); p[8 * i + 5] = s;
  TURNS(s); p[8 * i + 6] = s;
  TURNS(s); p[8 * i + 7] = s;
}

// Nor is there a third version of what has two already: loads that stand between members under conditions.
// CASE: within few load=exchange -- rand:{24*T} zero:{16*T} i32:{n}
KERNEL within(const u32 *__restrict__ x, u32 *__restrict__ p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = i * 77;
  if (s & 1) p[4 * i] = s;
  for (int k = 0; k < 6; k++) s += x[6 * i + k] * (k + 1);
  if (s & 2) p[4 * i + 1] = s;
  if (s & 4) p[4 * i + 2] = s + 2;
  if (s & 8) p[4 * i + 3] = s + 3;
}

// Entered from elsewhere: those threads have not come past the first members; nor may they come back to them.
// CASE: into few none -- rand:{4*T} zero:{8*T} i32:{n}
KERNEL into(const u32 *x, u32 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  if (s & 1) { s /= 3; goto inside; }
  p[2 * i] = s;
  if (s & 2) {
    s = s / 5;
  inside:
    TURNS(s);
  }
  p[2 * i + 1] = s;
}
// CASE: behind few none -- rand:{4*T} zero:{8*T} i32:{n}
KERNEL behind(const u32 *x, u32 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  if (s & 1) {
    p[2 * i] = s;
    TURNS(s);
  }
  p[2 * i + 1] = s;
}
// CASE: again few -- rand:{4*T} zero:{8*T} i32:{n}
KERNEL again(const u32 *x, u32 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  do { p[2 * i] = s; s = s * 5 + 1; } while (s & 8);
  p[2 * i + 1] = s;
}
// CASE: leaves few -- rand:{4*T} zero:{8*T} i32:{n}
KERNEL leaves(const u32 *x, u32 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  p[2 * i] = s;
  TURNS(s);
  if (s & 8) return;
  p[2 * i + 1] = s;
}

// What is read on the way may be the record, and then is read before it is written: same place, shifted by a word, apart.
// CASE: shifted few with=S=-4,0,4,24 store=exchange -- rand:{48*n+24} ref:0+{S+4} i32:{n}
KERNEL shifted(const u32 *x, u32 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = i;
  for (int c = 0; c < 6; c++) { s += x[12 * i + c + 1]; TURNS(s); p[12 * i + c] = s; }
}
// CASE: read_back few store=none refuse=Overlaps -- rand:{4*T} zero:{8*T} i32:{n}
KERNEL read_back(const u32 *x, u32 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  p[2 * i] = s;
  for (u32 h = 0; h < (s & 7); h++) s += p[2 * i + (h & 1) * (s & 1)] >> 3;
  p[2 * i + 1] = s;
}

// A fence and an atomic beside the chain order what stands before them.
__device__ static inline void fence() { __nvvm_membar_gl(); }
#define ORDERED(name, what) \
  KERNEL name(const u32 *x, u32 *p, u32 *q, int n) { \
    int i = ROW; if (i >= n) return; \
    u32 s = x[i]; \
    p[2 * i] = s; TURNS(s); \
    if (s & 1) { what; TURNS(s); } \
    p[2 * i + 1] = s; }
// CASE: fenced few none -- rand:{4*T} zero:{8*T} zero:{4} i32:{n}
ORDERED(fenced, fence())
// CASE: added few none -- rand:{4*T} zero:{8*T} zero:{4} i32:{n}
ORDERED(added, __nvvm_atom_add_gen_i((int *)q, 1))

// Arithmetic takes longer than the stores: of the chain's blocks, and of loops that run a known number of times.
// CASE: looped few store=exchange plain:store=none plain:refuse=Busy -- rand:{4*T} zero:{24*T} i32:{n}
KERNEL looped(const u32 *x, u32 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  #pragma unroll
  for (int c = 0; c < 6; c++) {
    #pragma clang loop unroll(disable)
    for (int r = 0; r < 400; r++) s = (s ^ s >> 7) * 5 + (s & r);
    p[6 * i + c] = s;
  }
}
// CASE: busy few store=exchange plain:store=none plain:refuse=Busy -- rand:{4*T} zero:{24*T} i32:{n}
#define LONG(s) if (s & 1) { _Pragma("unroll") for (int r = 0; r < 300; r++) s = (s ^ s >> 7) * 5 + (s & r); }
KERNEL busy(const u32 *x, u32 *p, int n) {
  int i = ROW; if (i >= n) return;
  u32 s = x[i];
  p[6 * i] = s;
  LONG(s) p[6 * i + 1] = s;
  LONG(s) p[6 * i + 2] = s;
  LONG(s) p[6 * i + 3] = s;
  LONG(s) p[6 * i + 4] = s;
  LONG(s) p[6 * i + 5] = s;
}
