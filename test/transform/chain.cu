// RUN: %rewritten %s --temp %t.d
// Members each under a condition of its own: written together, every byte only where its own condition held.
#include "records.cuh"
#define BIT(k) (m >> (k) & 1)

// CASE: six dims load=none store=exchange fewer -- zero:{24*T} rand:{4*T} rand:{4*T} i32:{n}
KERNEL six(float *p, const float *x, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i]; float v = x[i];
  if (BIT(0)) p[6 * i] = v;
  if (BIT(1)) p[6 * i + 1] = v + 1;
  if (BIT(2)) p[6 * i + 2] = v * 2;
  if (BIT(3)) p[6 * i + 3] = v - 3;
  if (BIT(4)) p[6 * i + 4] = v;
  if (BIT(5)) p[6 * i + 5] = x[i] + 2;
}

// What all threads write, in front, in between and behind.
// CASE: between store=exchange -- zero:{32*T} rand:{4*T} i32:{n}
KERNEL between(u32 *p, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i];
  p[8 * i] = 1; if (BIT(0)) p[8 * i + 1] = m * 3; p[8 * i + 2] = m;
  if (BIT(1)) { p[8 * i + 3] = m + 1; p[8 * i + 4] = m + 2; p[8 * i + 5] = 9; }
  if (BIT(2)) p[8 * i + 6] = m * 5; p[8 * i + 7] = 7;
}

// No thread, one thread, some threads write: too little for an exchange, and just enough.
// CASE: sparse few with=S=0..6 store=exchange -- zero:{24*T} i32:{S} i32:{n}
KERNEL sparse(u32 *p, int s, int n) {
  int i = ROW; if (i >= n) return;
  u32 h = i * 2654435761u;
  if ((h & 63) < (1u << s) - 1) p[6 * i] = i;
  if ((h >> 6 & 63) < (1u << s) - 1) p[6 * i + 1] = i + 1;
  if ((h >> 12 & 63) < (1u << s) - 1) p[6 * i + 2] = i + 2;
  if ((h >> 18 & 63) < (1u << s) - 1) p[6 * i + 3] = i + 3;
  if (i == 5) p[6 * i + 4] = i + 4;
  if ((h >> 24 & 63) < (1u << s) - 1) p[6 * i + 5] = i + 5;
}

// Mixed sizes: no unit may lie on both sides of a condition.
struct Mixed { double d; u32 a; u16 b; u8 c, e; u64 f; };
// CASE: mixed store=exchange -- zero:{24*T} rand:{4*T} i32:{n}
KERNEL mixed(Mixed *p, const u32 *x, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = x[i];
  if (BIT(0)) p[i].d = m;
  if (BIT(1)) p[i].a = m;
  if (BIT(2)) p[i].b = m;
  if (BIT(3)) p[i].c = m;
  if (BIT(4)) p[i].e = m >> 8;
  if (BIT(5)) p[i].f = m * 3ull;
}

// Records that follow no stride, and gaps.
// CASE: scatter few store=exchange -- zero:{32*T} rand:{4*T} perm:{T} i32:{n}
KERNEL scatter(u32 *p, const u32 *c, const u32 *at, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i], j = at[i];
  if (BIT(0)) p[8 * j] = m;
  if (BIT(1)) p[8 * j + 1] = m + 1;
  if (BIT(2)) p[8 * j + 2] = m + 2;
  if (BIT(3)) p[8 * j + 3] = m + 3;
  if (BIT(4)) p[8 * j + 6] = m + 4;
  if (BIT(5)) p[8 * j + 7] = m + 5;
}

// The last two end a loop's body: the way back is not the chain's.
// CASE: loop few store=exchange -- zero:{48*T} rand:{8*T} i32:{2*n}
KERNEL loop(u32 *p, const u32 *c, int n) {
  for (int i = ROW; i < n; i += gridDim.x * blockDim.x) {
    u32 m = c[i];
    if (BIT(0)) p[6 * i] = m;
    if (BIT(1)) p[6 * i + 1] = m + 1;
    if (BIT(2)) p[6 * i + 2] = m + 2;
    if (BIT(3)) p[6 * i + 3] = m + 3;
    if (BIT(4)) p[6 * i + 4] = m + 4;
    if (BIT(5)) p[6 * i + 5] = m + 5;
  }
}

// What is computed on the way goes on behind it.
// CASE: beyond few store=exchange -- zero:{24*T} rand:{4*T} zero:{4*T} i32:{n}
KERNEL beyond(u32 *p, const u32 *c, u32 *q, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i], s = m;
  if (BIT(0)) { p[6 * i] = s; s += 3; }
  if (BIT(1)) { p[6 * i + 1] = s; s *= 5; }
  if (BIT(2)) { p[6 * i + 2] = s; s ^= 7; }
  if (BIT(3)) { p[6 * i + 3] = s; s += c[i] >> 3; }
  if (BIT(4)) { p[6 * i + 4] = s; s -= 3; }
  if (BIT(5)) { p[6 * i + 5] = s; s += 11; }
  q[i] = s;
}

// A place that is read on the way, in the record and maybe in it.
// CASE: read few store=exchange -- zero:{24*T} rand:{4*T} rand:{4*T} zero:{4*T} i32:{n}
KERNEL read(u32 *p, const u32 *c, const u32 *x, u32 *q, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i], s = 0;
  if (BIT(0)) p[6 * i] = m;
  s += x[i];
  if (BIT(1)) p[6 * i + 1] = s;
  if (BIT(2)) { p[6 * i + 2] = m + 2; s += x[i] * 5; }
  if (BIT(3)) p[6 * i + 3] = s;
  if (BIT(4)) p[6 * i + 4] = m + 4;
  if (BIT(5)) { p[6 * i + 5] = m + 5; s += x[n - 1]; }
  q[i] = s;
}
// CASE: alias few store=exchange -- zero:{24*T} rand:{4*T} i32:{n}
KERNEL alias(u32 *p, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i]; const u32 *x = p + 6 * (i & ~1);
  if (BIT(0)) p[6 * i] = m;
  if (BIT(1)) p[6 * i + 1] = m;
  if (BIT(2)) p[6 * i + 2] = m + x[6 * (i & 1)];
  if (BIT(3)) p[6 * i + 3] = m;
  if (BIT(4)) p[6 * i + 4] = m + 4;
  if (BIT(5)) p[6 * i + 5] = m;
}

// Read back behind the last store, under its condition: the others would come too late.
// CASE: back few store=none -- zero:{24*T} rand:{4*T} zero:{4*T} i32:{n}
KERNEL back(u32 *p, const u32 *c, u32 *q, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i];
  if (BIT(0)) p[6 * i] = m;
  if (BIT(1)) p[6 * i + 1] = m + 1;
  if (BIT(2)) p[6 * i + 2] = m + 2;
  if (BIT(3)) p[6 * i + 3] = m + 3;
  if (BIT(4)) { p[6 * i + 4] = m + 4; q[i] = p[6 * i]; }
}

// Two records by turns: one of them is written together.
// CASE: turns few store=exchange -- zero:{24*T} zero:{24*T} rand:{4*T} i32:{n}
KERNEL turns(u32 *p, u32 *q, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i];
  if (BIT(0)) p[6 * i] = m;
  if (BIT(1)) q[6 * i] = m + 1;
  if (BIT(2)) p[6 * i + 1] = m + 2;
  if (BIT(3)) q[6 * i + 1] = m + 3;
  if (BIT(4)) p[6 * i + 2] = m + 4;
  if (BIT(5)) q[6 * i + 2] = m + 5;
  if (BIT(6)) p[6 * i + 3] = m + 6;
  if (BIT(7)) q[6 * i + 3] = m + 7;
}

// A condition that two ways lead to, and conditions inside of conditions.
// CASE: either few store=exchange -- zero:{24*T} rand:{4*T} rand:{4*T} i32:{n}
KERNEL either(u32 *p, const u32 *c, const u32 *x, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i];
  if (BIT(0)) p[6 * i] = m;
  if (BIT(1) || x[i + (m & 0)] % 3) p[6 * i + 1] = m + 1;
  if (BIT(2)) p[6 * i + 2] = m + 2;
  if (BIT(3)) p[6 * i + 3] = m + 3;
  if (BIT(4)) p[6 * i + 4] = m + 4;
  if (BIT(5)) p[6 * i + 5] = m + 5;
}
// CASE: nested few store=exchange -- zero:{24*T} rand:{4*T} rand:{4*T} i32:{n}
KERNEL nested(u32 *p, const u32 *c, const u32 *x, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i];
  if (BIT(0)) { p[6 * i] = x[i]; if (BIT(1)) p[6 * i + 1] = m + 1; if (x[i] & 4) p[6 * i + 2] = m + 2; }
  if (BIT(3)) p[6 * i + 3] = m + 3;
  if (BIT(4)) p[6 * i + 4] = m + 4;
  if (BIT(5)) p[6 * i + 5] = m + 5;
}

// More words than a mask has bits.
// CASE: long33 few store=exchange -- zero:{132*T} rand:{4*T} i32:{n}
KERNEL long33(u32 *p, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i];
  #pragma unroll
  for (int k = 0; k < 33; k++) if (rot(m, k) & 2) p[33 * i + k] = m + k;
}

// One place under two conditions: which one wins, the exchange does not know.
// CASE: twice few store=exchange -- zero:{24*T} rand:{4*T} i32:{n}
KERNEL twice(u32 *p, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i];
  if (BIT(0)) p[6 * i] = m;
  if (BIT(1)) p[6 * i] = m * 3;
  if (BIT(2)) p[6 * i + 1] = m + 1;
  if (BIT(3)) p[6 * i + 2] = m + 2;
  if (BIT(4)) p[6 * i + 3] = m + 3;
}

// What must be apart from the record is known too late to test it.
// CASE: late few store=none refuse=Overlaps -- zero:{24*T} rand:{4*T} perm:{T} rand:{4*T} i32:{n}
KERNEL late(u32 *p, const u32 *c, const u32 *at, const u32 *x, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i];
  if (BIT(0)) p[6 * i] = m;
  if (BIT(1)) p[6 * i + 1] = x[at[i]];
  if (BIT(2)) p[6 * i + 2] = m + 2;
  if (BIT(3)) p[6 * i + 3] = m + 3;
  if (BIT(4)) p[6 * i + 4] = m + 4;
}

// Past the last record nothing may be touched.
// CASE: bounds full store=exchange -- zero:{24*T-4} i32:{T}
KERNEL bounds(u32 *p, int n) {
  int i = ROW, end = 6 * n - 1;
  if (6 * i < end) p[6 * i] = i;
  if (6 * i + 1 < end) p[6 * i + 1] = i;
  if (6 * i + 2 < end) p[6 * i + 2] = i;
  if (6 * i + 3 < end) p[6 * i + 3] = i;
  if (6 * i + 4 < end) p[6 * i + 4] = i;
  if (6 * i + 5 < end) p[6 * i + 5] = i;
}

// A fence, an atomic, a barrier and a volatile store stay where they are.
__device__ static inline void fence() { __nvvm_membar_gl(); }
#define GUARDED(name, what) \
  KERNEL name(u32 *p, const u32 *c, u32 *q, int n) { \
    int i = ROW; if (i >= n) return; \
    u32 m = c[i]; \
    if (BIT(0)) p[2 * i] = m; \
    if (BIT(1)) { p[2 * i + 1] = m + 1; what; } }
// CASE: fenced few none -- zero:{8*T} rand:{4*T} zero:{4} i32:{n}
GUARDED(fenced, fence())
// CASE: added few none -- zero:{8*T} rand:{4*T} zero:{4} i32:{n}
GUARDED(added, __nvvm_atom_add_gen_i(( int *)q, 1))
// CASE: volatile_store few none -- zero:{8*T} rand:{4*T} zero:{4} i32:{n}
GUARDED(volatile_store, *(volatile u32 *)q = 1)

// Short records are merged by the cache.
// CASE: pair few plain:none store=exchange -- zero:{8*T} rand:{4*T} i32:{n}
KERNEL pair(u32 *p, const u32 *c, int n) {
  int i = ROW; if (i >= n) return;
  u32 m = c[i];
  if (BIT(0)) p[2 * i] = m;
  if (BIT(1)) p[2 * i + 1] = m + 1;
}
