// RUN: %rewritten %s --temp %t.d
// Loops whose bound is loaded again in each iteration, because what they store is of its type: it is loaded once where a test on entry finds
// it apart from all that the loop stores, if more is made of the loop then; else the original runs.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"

// A list of each thread's own, added up in memory.
// CHECK-LABEL: @lists(
// CHECK: load i32, {{.*}}, !coalda.aside
// CHECK: store i32 {{.*}}, !coalda.tally
// CHECK: ret void
// CASE: lists load=exchange tally=yes block=64 full with=m=0,1,7,33,70 -- iota:{n+1} rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL lists(const int *rp, const u32 *v, u32 *o, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = rp[i] * m; j < rp[i + 1] * m; j++) o[i] = o[i] * 31 + v[j];
}
// CASE: of_64_bits load=exchange tally=yes block=64 full with=m=33 -- rand:{8*n} rand:{8*n*m+8} rand:{8*n} i64:{m} i32:{n}
KERNEL of_64_bits(long *len, const u64 *v, u64 *o, long m, int n) {
  long i = ROW;
  len[i] = m - i % 3;
  for (long j = 0; j < len[i]; j++) o[i] += v[i * m + j];
}
// CASE: without_sign load=exchange tally=yes block=64 full with=m=33 -- iota:{n+1} rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL without_sign(const u32 *rp, const u32 *v, u32 *o, u32 m, u32 n) {
  u32 i = ROW;
  for (u32 j = rp[i] * m; j < rp[i + 1] * m; ++j) o[i] ^= v[j] + (o[i] >> 3);
}
// What is stored is a row as well.
// CASE: copied load=exchange store=exchange block=64 full with=m=33 -- iota:{n+1} rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL copied(const int *rp, const u32 *v, u32 *o, int m, int n) {
  int i = ROW;
  for (int j = rp[i] * m; j < rp[i + 1] * m; j++) o[j] = v[j] * 3;
}
// Columns: the bound of all threads, and a test for the row on top.
// CASE: turned load=exchange block=64 full with=m=33 -- iota:{m+1} ref:0+{4*m} rand:{4*n*m+4} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL turned(const int *, const int *len, const u32 *v, u32 *o, int m, int n) {
  int i = ROW;
  for (int j = 0; j < *len; j++) o[i + n * j] = v[i * m + j];
}
template <class T> __device__ void add_up(const T *b, const T *e, T m, const u32 *v, u32 *o) {
  for (T j = *b * m; j < *e * m; j++) *o += v[j];
}
struct Graph { const int *rp; const u32 *v; u32 *o; };
// CASE: inlined load=exchange tally=yes block=64 full with=m=33 -- iota:{n+1} rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL inlined(const int *rp, const u32 *v, u32 *o, int m, int n) { Graph g = {rp, v, o}; int i = ROW; add_up(g.rp + i, g.rp + i + 1, m, g.v, g.o + i); }
// CASE: downwards load=exchange tally=yes block=64 full with=m=33 -- iota:{n+1} rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL downwards(const int *rp, const u32 *v, u32 *o, int m, int n) {
  int i = ROW;
  for (int j = rp[i + 1] * m - 1; j >= rp[i] * m; j--) o[i] = o[i] * 31 + v[j];
}
// CASE: while_unlike load=exchange tally=yes block=64 full with=m=33 -- iota:{n+1} rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL while_unlike(const int *rp, const u32 *v, u32 *o, int m, int n) {
  int i = ROW, j = rp[i] * m;
  while (j != rp[i + 1] * m) { o[i] = o[i] > v[j] ? o[i] : v[j]; j++; }
}
// A bound of another kind.
// CASE: of_floats load=exchange tally=yes block=64 full with=m=33 -- rand:{4*n} rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL of_floats(u32 *limit, const u32 *v, u32 *o, int m, int n) {
  int i = ROW;
  limit[i] = m * 4 - 3;
  for (u32 j = 0; j < (limit[i] + 3) / 4; j++) o[i] = o[i] * 31 + v[i * m + j];
}
// What asks whether the loop is entered has loaded the bound: whoever has a list has not been chosen by that.
// CASE: asked plain:load=exchange plain:store=exchange block=64 full -- iota:{n+1} rand:{132*n+4} zero:{132*n+4} rand:{4*n} i32:{n}
KERNEL asked(const int *rp, const u32 *col, u32 *out, const u32 *shift, int n) {
  int i = ROW;
  if (i < n)
    for (int j = rp[i] * 33; j < rp[i + 1] * 33; j++) {
      u32 c = col[j] + shift[i];
      out[j] = c >= 1000 ? c - 1000 : c;
    }
}
// CASE: in_place plain:load=exchange plain:store=exchange block=64 full -- iota:{n+1} rand:{132*n+4} i32:{n}
KERNEL in_place(const int *rp, u32 *col, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = rp[i] * 33; j < rp[i + 1] * 33; ++j) col[j] = col[j] * 31 + 1;
}
// CASE: backwards plain:load=exchange plain:store=exchange block=64 full -- iota:{n+1} rand:{264*n+8} i32:{n}
KERNEL backwards(const int *rp, u64 *col, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = rp[i + 1] * 33 - 1; j >= rp[i] * 33; --j) col[j] = col[j] * 3 + i;
}
// Behind another loop, which stores nothing.
// CASE: twice plain:load=exchange plain:store=exchange block=64 full -- iota:{n+1} rand:{132*n+4} zero:{132*n+4} i32:{n}
KERNEL twice(const int *rp, const u32 *v, u32 *o, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 most = 0;
  for (int j = rp[i] * 33; j < rp[i + 1] * 33; ++j) most = v[j] > most ? v[j] : most;
  for (int j = rp[i] * 33; j < rp[i + 1] * 33; ++j) o[j] = most - v[j];
}
// Where rows begin is loaded again as well, by itself, beside their length, and where another list says.
// CASE: begins plain:load=exchange plain:store=exchange block=64 full with=m=33 -- iota:{n+1} rand:{132*n+4} zero:{132*n+4} i32:{m} i32:{n}
KERNEL begins(const int *first, const u32 *v, u32 *o, int m, int n) {
  int i = ROW;
  if (i < n) for (int k = 0; k < m; k++) o[first[i] * 33 + k] = v[first[i] * 33 + k] * 3;
}
struct Segment { int first, count; };
// CASE: segments plain:load=exchange plain:store=exchange block=64 full -- iota:{2*n} rand:{160*n+300} zero:{160*n+300} i32:{n}
KERNEL segments(Segment *s, const u32 *v, u32 *o, int n) {
  int i = ROW;
  if (i >= n) return;
  s[i].count = 40;
  for (int k = 0; k < s[i].count; k++) o[s[i].first * 20 + k] = v[s[i].first * 20 + k] + k;
}
// CASE: named plain:load=exchange plain:store=exchange block=64 full -- iota:{n} iota:{n+1} rand:{132*n+4} zero:{132*n+4} i32:{n}
KERNEL named(const int *perm, const int *rp, const u32 *v, u32 *o, int n) {
  int i = ROW;
  if (i < n) for (int j = rp[perm[i]] * 33; j < rp[perm[i] + 1] * 33; j++) o[j] = v[j] ^ 1;
}
template <class I> __device__ inline void shift_row(const I *p, I *q, const I *b, I d) {
  for (I j = b[0] * 33; j < b[1] * 33; j++) q[j] = p[j] + d;
}
// CASE: in_a_grid plain:load=exchange plain:store=exchange block=64 full -- iota:{n+1} rand:{132*n+4} zero:{132*n+4} i32:{n}
KERNEL in_a_grid(const u32 *rp, const u32 *p, u32 *q, u32 n) {
  for (u32 i = ROW; i < n; i += 128) shift_row<u32>(p, q, rp + i, i);
}
// ---- what is stored lies where the bound is -----------------------------------------------------------------------------------

// Each thread has 128 words of its own; the bound lies in the 40th. What is stored there ends the loop earlier, or lets it go on.
// CASE: ends_early block=32 grid=1 full with=m=33 with=k=6,7,8,9,30,40,41 -- rand:{512*n} i32:{k} i32:{m} i32:{n}
KERNEL ends_early(int *a, int k, int m, int n) {
  int *row = a + 128 * ROW;
  row[40] = m;
  _Pragma("unroll 1") for (int j = 0; j < row[40]; j++) row[k + j] = j / 2;
}
// CASE: goes_on block=32 grid=1 full with=m=33 with=k=6,7,8,9,30,40,41 -- rand:{512*n} i32:{k} i32:{m} i32:{n}
KERNEL goes_on(int *a, int k, int m, int n) {
  int *row = a + 128 * ROW;
  row[40] = m;
  _Pragma("unroll 1") for (int j = 0; j < row[40]; j++) row[k + j] = 70 - (j & 1);
}
// Of a sum, which comes to be the bound.
// CASE: adds_to_it tally=yes block=32 grid=1 full with=m=33 with=k=38,39,40,41 -- rand:{512*n} rand:512 i32:{k} i32:{m} i32:{n}
KERNEL adds_to_it(int *a, const int *v, int k, int m, int n) {
  int *row = a + 128 * ROW;
  row[40] = m;
  _Pragma("unroll 1") for (int j = 0; j < row[40]; j++) row[k] = (int)(((u32)row[k] + (u32)v[j]) & 63);
}
// In some threads alone.
// CASE: of_some block=32 grid=1 full with=m=33 -- rand:{512*n} i32:{m} i32:{n}
KERNEL of_some(int *a, int m, int n) {
  int i = ROW, *row = a + 128 * i, k = i % 7 == 3 ? 10 : 41;
  row[40] = m;
  _Pragma("unroll 1") for (int j = 0; j < row[40]; j++) row[k + j] = j / 2;
}
// A second store, from above.
// CASE: two_stores block=32 grid=1 full with=m=33 with=k=36,39,40,41,60,72,73,74 -- rand:{512*n} zero:{512*n} i32:{k} i32:{m} i32:{n}
KERNEL two_stores(int *a, int *q, int k, int m, int n) {
  int *row = a + 128 * ROW;
  row[40] = m;
  q += 128 * ROW;
  _Pragma("unroll 1") for (int j = 0; j < row[40]; j++) { q[j] = row[j]; row[k - j] = j / 2; }
}
// What has been loaded before the loop may have changed since.
// CASE: changed block=32 grid=1 full with=k=0,1,2 -- iota:{2*n} ref:0+4 rand:{264*n} zero:{264*n} i32:{k}
KERNEL changed(const int *rp, int *again, const u32 *v, u32 *o, int k) {
  int i = 2 * ROW, j = rp[i] * 33;
  if (j >= rp[i + 1] * 33) return;
  again[i] = i + k;
  do o[j] = v[j] ^ 1; while (++j < rp[i + 1] * 33);
}
// Where a row begins is stored to by the loop itself.
// CASE: moves_begin block=32 grid=1 full with=k=0,1,40 -- rand:{512*n} rand:{512*n} i32:{k} i32:{n}
KERNEL moves_begin(int *a, const int *v, int k, int n) {
  int i = ROW, *row = a + 128 * i;
  row[40] = k;
  for (int j = 0; j < 33; j++) row[row[40] + j] = v[i * 128 + row[40] + j] & 31;
}
// Where a row begins is not loaded by whoever leaves the loop before.
// CASE: left_first plain:none block=64 full with=m=1,33 -- iota:{n*(m-1)//32} rand:{132*n} rand:{132*n} zero:{132*n} i32:{m}
KERNEL left_first(const int *first, const u32 *v, u32 *o, u32 *q, int m) {
  int i = ROW;
  _Pragma("unroll 1") for (int j = 0;; j++) {
    u32 h = v[i * 33 + j];
    _Pragma("unroll") for (int k = 1; k < 8; k++) h = (h ^ h >> k) * 0x9e3779b1u;
    o[i * 33 + j] = h;
    if (j == m - 1) break;
    q[first[i] * 33 + j] = j;
  }
}
// Loops that end by what they store to the bound alone, and would go on for ever by the one that they begin with.
// CASE: not_even block=32 grid=1 full with=k=30,38,40 with=m=1,3,7 -- rand:{512*n} i32:{k} i32:{m} i32:{n}
KERNEL not_even(int *a, int k, int m, int n) {
  int *row = a + 128 * ROW;
  row[40] = m;
  _Pragma("unroll 1") for (int j = 0; j != row[40]; j += 2) row[k + j] = 44;
}
// CASE: up_to block=32 grid=1 full with=k=30,38,40 with=m=-1,1 -- rand:{512*n} i32:{k} i32:{m} i32:{n}
KERNEL up_to(u32 *a, int k, u32 m, int n) {
  u32 *row = a + 128 * ROW;
  row[40] = m;
  _Pragma("unroll 1") for (u32 j = 0; j <= row[40]; j++) row[k + j] = 44;
}
// Where the bound lies is known when the first iteration has stored.
// CASE: chain plain:none tally=no block=32 grid=1 full with=k=0,1 with=m=3,5 -- rand:{512*n} iota:64 i32:{k} i32:{m} i32:{n}
KERNEL chain(int *a, const int *rp, int k, int m, int n) {
  int *row = a + 128 * ROW;
  int j = 0;
  _Pragma("unroll 1") do { row[k + j] = m; row[j] = m; } while (++j < rp[row[0]]);
}
// ---- left as they are ------------------------------------------------------------------------------------------------------

// Nothing is made of it, and it is there once.
// CHECK-LABEL: @alone(
// CHECK-NOT: coalda.aside
// CHECK: ret void
// CASE: alone plain:none tally=no block=64 full with=m=33 -- rand:{4*n*m+4} iota:{m+1} ref:1+{4*m} i32:{m} i32:{n}
KERNEL alone(int *o, const int *, const int *len, int m, int n) {
  int i = ROW;
  _Pragma("unroll 1") for (int j = 0; j < *len; j++) o[i + n * j] = j;
}
// Where data say.
// CASE: scattered plain:refuse=WalkEnds tally=no block=64 grid=1 full with=m=33 -- iota:{m+1} ref:0+{4*m} rand:{4*n*m+4} zero:{256*n} i32:{m} i32:{n}
KERNEL scattered(const int *, const int *len, const u32 *v, u32 *o, int m, int n) {
  int i = ROW;
  for (int j = 0; j < *len; j++) o[i * 64 + (v[i * m + j] & 63)]++;
}
