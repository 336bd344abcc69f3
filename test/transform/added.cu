// RUN: %rewritten %s --temp %t.d
// Atomic additions to the words of one record: as they are written, one reduction adds to two words or four.
// TEXT: archs=sm_90 ptx=88
#include "added.cuh"

// Scattered by a list, with collisions and without: three words of a padded struct, values computed first.
// CASE: listed added=yes -- zero:{16*(n+1)} rand:{4*n} rand:{12*n} i32:{n} i32:{n//3+1}
KERNEL listed(Padded *f, const u32 *idx, const u32 *v, int n, u32 m) {
  int i = ROW;
  if (i >= n) return;
  u32 j = idx[i] % m;
  float a = small(v[3 * i]), b = small(v[3 * i + 1]), c = small(v[3 * i + 2]);
  ADD(&f[j].x, a);
  ADD(&f[j].y, b);
  ADD(&f[j].z, c);
}
// The values are loaded between them, and nothing says that they lie elsewhere.
// CASE: between added=yes -- zero:{16*(n+1)} rand:{4*n} rand:{12*n} i32:{n} i32:{n//3+1}
KERNEL between(Padded *f, const u32 *idx, const u32 *v, int n, u32 m) {
  int i = ROW;
  if (i >= n) return;
  u32 j = idx[i] % m;
  ADD(&f[j].x, small(v[3 * i]));
  ADD(&f[j].y, small(v[3 * i + 1]));
  ADD(&f[j].z, small(v[3 * i + 2]));
}
// Rows of three floats: where pairs begin differs from row to row.
// CASE: rows added=yes -- zero:{12*n} rand:{12*n} i32:{n}
KERNEL rows(float *f, const u32 *R v, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 a[3] = {v[3 * i], v[3 * i + 1], v[3 * i + 2]};
  for (int k = 0; k < 3; k++) ADD(&f[3 * i + k], small(a[k]));
}
// The same in a struct, from the second word of the array on, by 64 bits.
// CASE: threes added=yes -- zero:{12*n+4} rand:{12*n} i64:{n}
KERNEL threes(float *f, const u32 *R v, long long n) {
  long long i = ROW;
  if (i >= n) return;
  Three *p = (Three *)(f + 1) + i;
  u32 a = v[3 * i], b = v[3 * i + 1], c = v[3 * i + 2];
  ADD(&p->x, small(a));
  ADD(&p->y, small(b));
  ADD(&p->z, small(c));
}
// By an index that might wrap around, for all that is known.
// CASE: wraps added=yes -- zero:{12*(n+1)} rand:{4*n} i32:{n} i32:{n//2+1}
KERNEL wraps(float *f, const u32 *R idx, u32 n, u32 m) {
  u32 i = ROW;
  if (i >= n) return;
  u32 j = idx[i] % m;
  ADD(&f[3 * j], small(i));
  ADD(&f[3 * j + 1], small(2 * i));
  ADD(&f[3 * j + 2], small(3 * i));
}
// Four, six and eight words.
// CASE: four added=yes -- zero:{16*(n+1)} rand:{4*n} rand:{16*n} i32:{n} i32:{n//4+1}
KERNEL four(Four *f, const u32 *idx, const V4 *v, int n, u32 m) {
  int i = ROW;
  if (i >= n) return;
  u32 j = idx[i] % m;
  V4 r = v[i];
  ADD(&f[j].x, small(r.x));
  ADD(&f[j].y, small(r.y));
  ADD(&f[j].z, small(r.z));
  ADD(&f[j].w, small(r.w));
}
// CASE: six added=yes -- zero:{24*(n+1)} rand:{4*n} i32:{n} i32:{n//4+1}
KERNEL six(Six *f, const u32 *R idx, int n, u32 m) {
  int i = ROW;
  if (i >= n) return;
  float *p = &f[idx[i] % m].x;
#pragma unroll
  for (int k = 0; k < 6; k++) ADD(p + k, small(i * (k + 1)));
}
// CASE: eight added=yes -- zero:{32*n} i32:{n}
KERNEL eight(Eight *f, int n) {
  int i = ROW;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < 8; k++) ADD(&f[i].a[k], small(i * (k + 3)));
}
// Five and seven words one behind the other.
// CASE: five added=yes -- zero:{20*n} i32:{n}
KERNEL five(float *f, int n) {
  int i = ROW;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < 5; k++) ADD(&f[5 * i + k], small(i * (k + 3)));
}
// CASE: seven added=yes -- zero:{28*n} i32:{n}
KERNEL seven(float *f, int n) {
  int i = ROW;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < 7; k++) ADD(&f[7 * i + k], small(i * (k + 3)));
}
// Four words that begin anywhere, as the list says: three are turned, and one is alone.
// CASE: anywhere added=yes -- zero:{4*n+16} perm:{n} i32:{n}
KERNEL anywhere(float *f, const u32 *R at, int n) {
  int i = ROW;
  if (i >= n) return;
  float *p = f + at[i];
#pragma unroll
  for (int k = 0; k < 4; k++) ADD(p + k, small(i * (k + 1)));
}
// Forces between pairs, in a loop, under a condition: two records, one behind the other.
// CASE: pairs added=yes -- zero:{16*32} rand:{8*n} i32:{n}
KERNEL pairs(Padded *f, const u32 *list, int m) {
  for (int k = ROW; k < m; k += gridDim.x * blockDim.x) {
    u32 i = list[2 * k] % 32, j = list[2 * k + 1] % 32;
    float x = small(i * 3 + j), y = small(i + j * 5), z = small(i ^ j);
    if (x > 20.0f) {
      ADD(&f[i].x, x);
      ADD(&f[i].y, y);
      ADD(&f[i].z, z);
      ADD(&f[j].x, -x);
      ADD(&f[j].y, -y);
      ADD(&f[j].z, -z);
    }
  }
}
// The same with the words by turns: i may be j.
// CASE: by_turns added=yes -- zero:{16*8} rand:{8*n} i32:{n}
KERNEL by_turns(Padded *f, const u32 *list, int n) {
  int k = ROW;
  if (k >= n) return;
  u32 i = list[2 * k] % 8, j = list[2 * k + 1] % 8;
  float x = small(i * 3 + j), y = small(i + j * 5);
  ADD(&f[i].x, x);
  ADD(&f[j].x, -x);
  ADD(&f[i].y, y);
  ADD(&f[j].y, -y);
}
// A template, an inline function, an array of its own for the values.
template <int N> __device__ static inline void add_all(float *p, const float (&v)[N]) {
#pragma unroll
  for (int k = 0; k < N; k++) ADD(p + k, v[k]);
}
// CASE: template4 added=yes -- zero:{16*n} i32:{n}
KERNEL template4(float *f, int n) {
  int i = ROW;
  if (i >= n) return;
  float v[4] = {small(i), small(i * 2), small(i * 3), small(i * 5)};
  add_all(f + 4 * i, v);
}
__device__ static inline void atomic_add_relaxed(float *p, float v) { __atomic_fetch_add(p, v, __ATOMIC_RELAXED); }
// CASE: wrapped added=yes -- zero:{16*n} i32:{n}
KERNEL wrapped(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  atomic_add_relaxed(&f[i].x, small(i));
  atomic_add_relaxed(&f[i].y, small(i * 2));
  atomic_add_relaxed(&f[i].z, small(i * 3));
  atomic_add_relaxed(&f[i].w, small(i * 7));
}
// Of a block, and of the system.
// CASE: of_block added=yes -- zero:{8*n} i32:{n}
KERNEL of_block(float *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD_IN_BLOCK(&f[2 * i], small(i));
  ADD_IN_BLOCK(&f[2 * i + 1], small(i * 3));
}
// CASE: of_system added=yes -- zero:{8*n} i32:{n}
KERNEL of_system(float *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD_IN_SYSTEM(&f[2 * i], small(i));
  ADD_IN_SYSTEM(&f[2 * i + 1], small(i * 3));
}
// In any order, and from the last word back; with a word left out.
// CASE: backward added=yes -- zero:{16*n} i32:{n}
KERNEL backward(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].w, small(i));
  ADD(&f[i].x, small(i * 2));
  ADD(&f[i].z, small(i * 3));
  ADD(&f[i].y, small(i * 7));
}
// CASE: gap added=yes -- zero:{16*n} i32:{n}
KERNEL gap(Four *f, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i * 2));
  ADD(&f[i].y, small(i * 7));
  ADD(&f[i].w, small(i));
}
// Behind a mass, as a struct of five words has its last four: pairs begin at the second and the fourth.
// CASE: behind added=yes -- zero:{32*n} i32:{n}
KERNEL behind(Eight *f, int n) {
  int i = ROW;
  if (i >= n) return;
#pragma unroll
  for (int k = 1; k < 5; k++) ADD(&f[i].a[k], small(i * k));
}
// Pairs of halves, as the toolkit's headers add them.
__device__ static inline u32 add_halves(u32 *p, u32 v) {
  u32 old;
  asm volatile("{ atom.add.noftz.f16x2 %0,[%1],%2; }\n" : "=r"(old) : "l"(p), "r"(v) : "memory");
  return old;
}
__device__ static inline u32 add_bfloats(u32 *p, u32 v) {
  u32 old;
  asm volatile("{ atom.add.noftz.bf16x2 %0,[%1],%2; }\n" : "=r"(old) : "l"(p), "r"(v) : "memory");
  return old;
}
__device__ static inline u32 halves(u32 x) { return (x & 1 ? 0x3c00 : 0x4000) | (x & 2 ? 0x3c000000 : 0x44000000); }
__device__ static inline u32 bfloats(u32 x) { return (x & 1 ? 0x3f80 : 0x4000) | (x & 2 ? 0x3f800000 : 0x40800000); }
// CASE: half2 added=yes -- zero:{8*(n+1)} rand:{4*n} i32:{n} i32:{n//3+1}
KERNEL half2(u32 *f, const u32 *idx, int n, u32 m) {
  int i = ROW;
  if (i >= n) return;
  u32 j = idx[i] % m;
  add_halves(&f[2 * j], halves(i));
  add_halves(&f[2 * j + 1], halves(i / 4));
}
// CASE: bfloat2 added=yes -- zero:{16*n} i32:{n}
KERNEL bfloat2(u32 *f, int n) {
  int i = ROW;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < 4; k++) add_bfloats(&f[4 * i + k], bfloats(i >> k));
}
// In a function that is called.
__device__ __noinline__ void add_here(Padded *f, float x, float y, float z) {
  ADD(&f->x, x);
  ADD(&f->y, y);
  ADD(&f->z, z);
}
// CASE: called added=no -- zero:{16*(n+1)} i32:{n}
KERNEL called(Padded *f, int n) {
  int i = ROW;
  if (i >= n) return;
  add_here(f + i / 2, small(i), small(i * 3), small(i * 7));
}
// What else the block does: integers that are counted, a store to shared memory.
// CASE: beside added=yes -- zero:{16*n} zero:{4*n} i32:{n}
KERNEL beside(Four *f, u32 *R count, int n) {
  __shared__ float s[1024];
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  __atomic_fetch_add(&count[i], 3u, __ATOMIC_RELAXED);
  ADD(&f[i].y, small(i * 3));
  s[threadIdx.x] = 5;
  ADD(&f[i].z, small(i * 7) + s[threadIdx.x ^ 0]);
  ADD(&f[i].w, small(i * 9));
}
// Two stretches: what the second adds, and where, is computed in the first, which is there twice.
// CASE: in_turn added=yes -- zero:{64*n} rand:{4*n} i32:{n}
KERNEL in_turn(float *f, const u32 *v, int n) {
  int i = ROW;
  if (i >= n) return;
  float *p = f + 16 * i;
  ADD(p, small(i));
  u32 x = v[i];
  float y = p[10];
  ADD(p + 1, small(x) + y);
  __nvvm_membar_gl();
  ADD(p + 10, small(x * 3));
  u32 z = v[i];
  ADD(p + 11, small(z) + small(x * 3));
}
// Two loads of one array stand between, and are used behind.
// CASE: used added=yes -- zero:{16*n} rand:{8*n} zero:{8*n} i32:{n}
KERNEL used(Four *f, const u32 *v, u32 *out, int n) {
  int i = ROW;
  if (i >= n) return;
  ADD(&f[i].x, small(i));
  u32 a = v[2 * i];
  ADD(&f[i].y, small(a));
  u32 b = v[2 * i + 1];
  ADD(&f[i].z, small(a ^ b));
  ADD(&f[i].w, small(i * 9));
  out[2 * i] = a;
  out[2 * i + 1] = a + b;
}
