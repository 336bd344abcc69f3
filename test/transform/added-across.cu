// RUN: %rewritten %s --temp %t.d
// Atomic operations on the words of one record that have no vector form: the lanes of a full warp make them for each other, those side by side on neighbouring
// words.
// TEXT: archs=sm_80,sm_90 ptx=88
#include "added.cuh"
#define ATOMIC(name, p, v) __atomic_fetch_##name(p, v, __ATOMIC_RELAXED)
struct Count { u32 all, some; };
struct Fixed { u64 x, y, z; };
struct Wide { u32 a[8]; };
struct Node { double x, y; int tag, pad; };

// Two words, three, six and eight, of neighbours.
// CASE: two across=yes -- rand:{8*n} rand:{4*n} i32:{n}
KERNEL two(Count *f, const u32 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 x = v[i];
  ATOMIC(add, &f[i].all, 1u);
  ATOMIC(add, &f[i].some, x & 1);
}
// CASE: fixed across=yes -- rand:{24*n} rand:{8*n} i32:{n}
KERNEL fixed(Fixed *f, const u64 *v, unsigned n) {
  unsigned i = ROW;
  if (i >= n) return;
  u64 x = v[i];
  ATOMIC(add, &f[i].x, x);
  ATOMIC(add, &f[i].y, x * 3);
  ATOMIC(add, &f[i].z, x * 5);
}
// CASE: eight across=yes -- rand:{32*n+4} rand:{4*n} i64:{n}
KERNEL eight(u32 *f, const u32 *R v, long n) {
  long i = ROW;
  if (i >= n) return;
  Wide *w = (Wide *)(f + 1);
  for (int k = 0; k < 8; k++) ATOMIC(add, &w[i].a[k], v[i] + k);
}
// In a loop of the program, by a pointer that goes on.
// CASE: along across=yes -- rand:{12*5*n} rand:{4*n} i32:{n}
KERNEL along(u32 *f, const u32 *R v, int n) {
  int i = ROW;
  u32 *p = f + 3 * i;
  if (i >= n) return;
  _Pragma("unroll 1") for (int k = 0; k < 5; k++, p += 3 * n)
    for (int j = 0; j < 3; j++) ATOMIC(add, &p[j], v[i] * (j + k));
}
// Other operations, and sums of doubles, which are whole numbers.
// CASE: others across=yes -- rand:{8*n} rand:{8*n} rand:{8*n} rand:{8*n} i32:{n}
KERNEL others(u32 *a, int *b, u32 *c, u32 *d, int n) {
  int i = ROW;
  if (i >= n) return;
  ATOMIC(xor, &a[2 * i], 0x55u * i); ATOMIC(xor, &a[2 * i + 1], 0x33u * i);
  ATOMIC(max, &b[2 * i], i << 20); ATOMIC(max, &b[2 * i + 1], -i << 16);
  ATOMIC(min, &c[2 * i], i << 20); ATOMIC(min, &c[2 * i + 1], i << 22);
  ATOMIC(and, &d[2 * i], ~i); ATOMIC(and, &d[2 * i + 1], ~i << 3);
}
// CASE: doubles across=yes -- zero:{24*(n+1)} rand:{4*n} i32:{n} i32:{n//3+1}
KERNEL doubles(Node *f, const u32 *l, int n, u32 m) {
  int i = ROW;
  if (i >= n) return;
  u32 j = l[i] % m;
  ATOMIC(add, &f[j].x, (double)small(i));
  ATOMIC(add, &f[j].y, (double)small(3 * i));
}
// Scattered by a list, with collisions: four words of five, of which one is nobody's.
// CASE: scattered across=yes -- zero:{20*(n+1)} rand:{4*n} rand:{4*n} i32:{n} i32:{n//3+1}
KERNEL scattered(u32 *f, const u32 *l, const u32 *v, int n, u32 m) {
  int i = ROW;
  if (i >= n) return;
  u32 j = l[i] % m;
  ATOMIC(add, &f[5 * j], v[i]);
  ATOMIC(add, &f[5 * j + 1], v[i] >> 3);
  ATOMIC(add, &f[5 * j + 3], v[i] >> 6);
  ATOMIC(add, &f[5 * j + 4], 1u);
}
// Of a thread and its neighbour: twelve words, some of which two lanes add to.
template <class T> __device__ inline void pull(T *p, T v) { ATOMIC(add, p, v); ATOMIC(add, p + 1, 3 * v); ATOMIC(add, p + 2, 5 * v); }
// CASE: bonds across=yes -- rand:{24*(n+1)} rand:{8*n} i32:{n}
KERNEL bonds(Fixed *f, const u64 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 x = v[i];
  pull(&f[i].x, x);
  pull(&f[i + 1].x, -x);
}
// What the thread itself has stored there, and loads again.
// CASE: settles across=yes -- zero:{8*n} rand:{4*n} zero:{8*n} i32:{n}
KERNEL settles(u32 *f, const u32 *v, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 x = v[i];
  f[2 * i] = x; f[2 * i + 1] = x * 3;
  ATOMIC(add, &f[2 * i], 5u);
  ATOMIC(add, &f[2 * i + 1], 7u);
  q[2 * i] = f[2 * i]; q[2 * i + 1] = f[2 * i + 1] * 2;
}
// A test of each lane's own tells that what stands between lies elsewhere: where it fails in one, none of them goes that way.
// CASE: told across=yes with=k=0,1 -- rand:{8*n+4} ref:0+{4*k} rand:{4*n} i32:{n}
KERNEL told(u32 *f, const u32 *maybe, const u32 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  const u32 *p = i % 4 == 1 ? maybe + 2 * i : v + i;
  ATOMIC(add, &f[2 * i], 5u);
  ATOMIC(add, &f[2 * i + 1], *p);
}
// A record in shared or in global memory, and what is loaded in between from where it may be.
// CASE: in_either plain:none block=64 -- rand:{8*n} rand:{4*n} zero:{4*n} i32:{n}
KERNEL in_either(u32 *f, const u32 *v, u32 *q, int n) {
  __shared__ u32 own[128];
  int i = ROW, t = threadIdx.x;
  own[2 * t] = i; own[2 * t + 1] = 3;
  if (i >= n) return;
  u32 *p = v[i] % 2 ? own + 2 * t : f + 2 * i;
  ATOMIC(add, p, 1u);
  u32 y = own[2 * t];
  ATOMIC(add, p + 1, y);
  q[i] = y + own[2 * t + 1];
}
// Some lanes of a warp, by what they load: the others' words are not theirs to add to.
// CASE: chosen across=yes -- rand:{8*n} rand:{4*n} i32:{n}
KERNEL chosen(Count *f, const u32 *v, int n) {
  int i = ROW;
  if (i >= n || v[i] % 3 == 0) return;
  ATOMIC(add, &f[i].all, 1u);
  ATOMIC(add, &f[i].some, v[i]);
}
// ---- left as they are ----------------------------------------------------------------------------------------------------------

// All lanes add to the same words, of which ptxas makes one.
// CASE: shared_by_all across=no -- zero:8 rand:{4*n} i32:{n}
KERNEL shared_by_all(Count *f, const u32 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  ATOMIC(add, &f->all, 1u);
  ATOMIC(add, &f->some, v[i] & 1);
}
// CASE: far_apart across=no -- zero:{256*n} i32:{n}
KERNEL far_apart(u32 *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ATOMIC(add, &f[64 * i], 1u);
  ATOMIC(add, &f[64 * i + 32], 2u);
}
// CASE: mixed across=no -- rand:{8*n} rand:{4*n} i32:{n}
KERNEL mixed(u32 *f, const u32 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  ATOMIC(add, &f[2 * i], v[i]);
  ATOMIC(max, &f[2 * i + 1], v[i]);
}
// CASE: asked across=no -- zero:{8*n} zero:{4*n} i32:{n}
KERNEL asked(Count *f, u32 *q, int n) {
  int i = ROW;
  if (i >= n) return;
  q[i] = ATOMIC(add, &f[i].all, 1u);
  ATOMIC(add, &f[i].some, 2u);
}
// Words of 64 bits between which loads wait for what is stored, and additions ask whether they may be made behind that; words of 32; and by pointers that keep apart.
#define FEES(NAME, T, REST) \
  KERNEL NAME(T *REST p, const u32 *REST rate, const u32 *REST l, T *REST f, int n, u32 m) { \
    int i = ROW; \
    if (i >= n) return; \
    u32 r = l[i] % m; \
    for (int j = 0; j < 4; j++) { \
      T x = p[4 * i + j], fee = x * rate[j] / 1000; \
      p[4 * i + j] = x - fee; \
      ATOMIC(add, &f[4 * r + j], fee); \
    } \
  }
// CASE: longs across=no -- rand:{32*n} rand:16 rand:{4*n} zero:{32*(n+1)} i32:{n} i32:{n//3+1}
FEES(longs, u64, )
// CASE: words across=yes -- rand:{16*n} rand:16 rand:{4*n} zero:{16*(n+1)} i32:{n} i32:{n//3+1}
FEES(words, u32, )
// CASE: kept_apart across=yes -- rand:{32*n} rand:16 rand:{4*n} zero:{32*(n+1)} i32:{n} i32:{n//3+1}
FEES(kept_apart, u64, R)
