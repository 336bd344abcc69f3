// RUN: %rewritten %s --temp %t.d
// Loops that are left by what they load of rows: where the rows of all lanes begin with a piece of 16 bytes, each lane loads such pieces of its own.
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// TEXT: levels=O3,O1
#include "records.cuh"
typedef unsigned char u8;
typedef unsigned short u16;

// A piece is asked for where four iterations are left, each of which may leave; the last one asks for the end.
// CHECK-LABEL: @first_above(
// CHECK: and i64 {{%[0-9]+}}, 15
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK: call i1 @llvm.nvvm.vote.all.sync(
// CHECK: icmp uge i32 {{%[0-9]+}}, 3
// CHECK: load <4 x i32>, ptr {{%[0-9]+}}, align 16
// CHECK-NOT: load i32
// CHECK: {{^[}]}}
// Words are below 2^32: with limits from small to large rows are left at once, anywhere, and never.
// CASE: first_above aside=yes with=m=0,1,3,4,5,7,8,9,12,15,20,40 few block=48 grid=1 -- rand:{4*n*m} zero:{4*n} zero:{4*n} i32:{m} i32:{n} i32:-2000 i32:0 i32:0
// CASE: first_above with=m=4,12,40,64 with=l=0,1,2,3,4 few -- rand:{4*n*m} zero:{4*n} zero:{4*n} i32:{m} i32:{n} i32:{(5,1000000000,-800000000,-80000000,-1)[l]} i32:0 i32:0
// CASE: first_above fewer full block=64 grid=1 with=m=64 -- rand:{4*n*m} zero:{4*n} zero:{4*n} i32:{m} i32:{n} i32:-1 i32:0 i32:0
// CASE: first_above fewer full block=64 grid=1 with=m=63 -- rand:{4*n*m} zero:{4*n} zero:{4*n} i32:{m} i32:{n} i32:-1 i32:0 i32:0
// CASE: first_above same full block=64 grid=1 with=m=21 -- rand:{4*n*m} zero:{4*n} zero:{4*n} i32:{m} i32:{n} i32:-1 i32:0 i32:0
// Rows that begin elsewhere, for all lanes or for the last of each eight.
// CASE: first_above with=m=8,40 with=o=1,2,4,7 with=p=0,1 few block=33 grid=2 -- rand:{4*n*m+4*o+4} zero:{4*n} zero:{4*n} i32:{m} i32:{n} i32:-9000000 i32:{o} i32:{p}
KERNEL first_above(const u32 *a, u32 *when, u32 *sum, int m, int n, u32 limit, int from, int more) {
  int i = ROW;
  if (i >= n) return;
  a += from + (i % 8 == 7 ? more : 0);
  u32 s = 0;
  int k = 0;
  for (; k < m; k++) {
    u32 v = a[(long)i * m + k];
    s = s * 31 + v;
    if (v > limit) break;
  }
  when[i] = k;
  sum[i] = s;
}
// Exits at every place of a piece: what is asked for comes in each row, at r of eight, or of 32, and nobody counts.
// CHECK-LABEL: @sentinel(
// CHECK: load <4 x i32>
// CHECK-NOT: icmp uge
// CHECK: {{^[}]}}
// CASE: sentinel aside=yes fewer full block=64 grid=1 with=r=7 -- iota:{64*n} zero:{4*n} i32:64 i32:{n} i32:7 i32:{r}
// CASE: sentinel full block=32 grid=1 few with=r=0,1,2,3,4,5,6,7 -- iota:{16*n} zero:{4*n} i32:16 i32:{n} i32:7 i32:{r}
// CASE: sentinel full block=32 grid=1 few with=r=0,7,8,15,16,30,31 -- iota:{40*n} zero:{4*n} i32:32 i32:{n} i32:31 i32:{r}
// CASE: sentinel full block=32 grid=1 few with=r=5 -- iota:{33*n+32} zero:{4*n} i32:33 i32:{n} i32:31 i32:{r}
KERNEL sentinel(const u32 *a, u32 *at, int m, int n, u32 mask, u32 wanted) {
  int i = ROW;
  if (i >= n) return;
  const u32 *p = a + (long)i * m;
  while ((*p & mask) != wanted) ++p;
  at[i] = (u32)(p - a);
}
// Two ends, of two rows of bytes, one of which the counter has a part in: pieces of 16 bytes.
// CHECK-LABEL: @compare(
// CHECK: and i64 {{%[0-9]+}}, 15
// CHECK: and i64 {{%[0-9]+}}, 15
// CHECK: load <4 x i32>
// CHECK: load <4 x i32>
// CHECK: {{^[}]}}
// CASE: compare aside=yes with=m=0,1,15,16,17,33,48,64 few block=48 grid=1 -- zero:{n*m} zero:{n*m} zero:{4*n} i32:{m} i32:{n} i32:1
// CASE: compare with=m=16,48 few block=48 grid=1 with=s=1,2 -- rand:{n*m}:{s} rand:{n*m}:{s} zero:{4*n} i32:{m} i32:{n} i32:0
KERNEL compare(const u8 *a, const u8 *b, int *q, int m, int n, int end) {
  int i = ROW;
  if (i >= n) return;
  const u8 *x = a + (long)i * m, *y = b + (long)i * m;
  int r = 0, k = 0;
  for (; k < m; k++) {
    if (x[k] != y[k]) {
      r = x[k] < y[k] ? -1 : 1;
      break;
    }
    if (x[k] + 1 == end + 5) break;
  }
  q[i] = r * 1000 + k;
}
// A flag that the condition asks for, and unsigned longs.
// CASE: flagged aside=yes with=m=0,1,3,4,5,12,20 few block=48 grid=1 -- rand:{8*n*m} zero:{8*n} i64:{m} i64:{n} i32:4
// CASE: flagged with=m=12,32 few block=48 grid=1 with=b=1,31 -- rand:{8*n*m} zero:{8*n} i64:{m} i64:{n} i32:{b}
KERNEL flagged(const unsigned long *a, unsigned long *q, unsigned long m, unsigned long n, int bit) {
  unsigned long i = ROW;
  if (i >= n) return;
  bool found = false;
  unsigned long k = 0, s = 0;
  while (!found && k < m) {
    unsigned long v = a[i * m + k];
    found = (v >> bit & 63) < 5;
    s += v;
    k++;
  }
  q[i] = s + k;
}
// Floats: no product is added otherwise than before. The path ends when it falls below.
// CASE: path aside=yes with=m=8,24,40 with=l=0,1,2 few block=48 grid=1 -- frand:{4*n*m} zero:{4*n} f32:{(0.1,0.9,2)[l]} i32:{m} i32:{n}
KERNEL path(const float *z, float *q, float low, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 1;
  for (int k = 0; k < m; k++) {
    s *= 1.0f + z[i * m + k] * 0.25f;
    if (s < low) {
      q[i] = -s;
      return;
    }
  }
  q[i] = s;
}
// Two words of a struct, and a row that is asked for behind the first way out: its pieces come there.
struct Entry {
  u32 key, value;
};
// CASE: entries aside=yes with=m=0,3,4,8,20 few block=48 grid=1 -- rand:{8*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n} i32:-200000000
KERNEL entries(const Entry *a, const u32 *w, u32 *q, int m, int n, u32 limit) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < m; k++) {
    Entry e = a[i * m + k];
    if (e.key > limit) break;
    s += e.value;
    if ((s & 63) == 5) break;
    s ^= w[i * m + k];
  }
  q[i] = s;
}
// What LLVM has unrolled by eight: each iteration loads a piece.
// CHECK-LABEL: @eights(
// CHECK: load <4 x i32>
// CHECK-NOT: load <4 x i32>
// CHECK: load <4 x i32>
// CHECK-NOT: load <4 x i32>
// CHECK: {{^[}]}}
// CASE: eights aside=yes few block=48 with=l=0,1,2 -- rand:{4*n*64} zero:{4*n} i32:{n} i32:{(-1,-100000000,5)[l]}
KERNEL eights(const u32 *a, u32 *q, int n, u32 limit) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  int k = 0;
  _Pragma("unroll 8") for (; k < 64; k++) {
    u32 v = a[i * 64 + k];
    s = s * 31 + v;
    if (v > limit) break;
  }
  q[i] = s + k;
}
// Downwards, by a pointer: a piece is the one that ends with the word that comes first.
// CASE: downwards aside=yes with=m=1,7,8,9,16,40 few block=48 grid=1 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n} i32:-200000000
// CASE: downwards full block=1 grid=1 with=m=5,9,13 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n} i32:-20000
KERNEL downwards(const u32 *a, u32 *q, int m, int n, u32 limit) {
  int i = ROW;
  if (i >= n) return;
  const u32 *begin = a + (long)i * m, *p = begin + m;
  u32 s = 0;
  do {
    u32 v = *--p;
    s = s * 31 + v;
    if (v > limit) break;
  } while (p != begin);
  q[i] = s;
}
// Neighbours: where the row stops rising. It begins with the word in front.
// CASE: rising aside=yes with=m=2,8,9,17,40 few block=48 grid=1 -- iota:{n*m+1} zero:{4*n} i32:{m} i32:{n} i32:0
// CASE: rising with=m=16,40 few block=48 grid=1 with=s=1,2 -- rand:{4*n*m}:{s} zero:{4*n} i32:{m} i32:{n} i32:1
KERNEL rising(const u32 *a, u32 *q, int m, int n, u32 by) {
  int i = ROW;
  if (i >= n) return;
  int k = 1;
  for (; k < m; k++)
    if (a[(long)i * m + k - 1] > (a[(long)i * m + k] | by << 31)) break;
  q[i] = k;
}
// Stores to another array, several ways out, and ways inside that meet again.
// CASE: copied aside=yes with=m=0,7,8,24,40 few block=48 grid=1 -- rand:{4*n*m} zero:{4*n*m} zero:{4*n} i32:{m} i32:{n} i32:-200000000
KERNEL copied(const u32 *__restrict__ a, u32 *__restrict__ o, u32 *__restrict__ q, int m, int n, u32 limit) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < m; k++) {
    u32 v = a[(long)i * m + k];
    if (v > limit) break;
    if (v & 1)
      s += v;
    else
      o[(long)i * m + k] = v;
    if (s % 61 == 7) {
      s = 1;
      break;
    }
  }
  q[i] = s;
}
// What may be the next word is loaded when it is there.
// CASE: written refuse=WalkEnds none few block=48 grid=1 with=m=8,24 -- rand:{4*n*m+64} ref:0+4 zero:{4*n} i32:{m} i32:{n} i32:-200000000
KERNEL written(const u32 *a, u32 *o, u32 *q, int m, int n, u32 limit) {
  int i = ROW;
  if (i >= n) return;
  int k = 0;
  for (; k < m - 1; k++) {
    u32 v = a[(long)i * m + k];
    if (v > limit) break;
    o[(long)i * m + k] = v * 3;
  }
  q[i] = k;
}
// Of one iteration it is promised that the two are apart, and what it stores is the next one's word.
static __device__ inline __attribute__((always_inline)) u32 hand_on(const u32 *__restrict__ from, u32 *__restrict__ to) {
  u32 v = *from;
  *to += v;
  return v;
}
// CASE: handed aside=no few block=48 grid=1 with=m=8,24 -- rand:{4*n*m+64} zero:{4*n} i32:{m} i32:{n} i32:-1000000
KERNEL handed(u32 *a, u32 *q, int m, int n, u32 limit) {
  int i = ROW;
  if (i >= n) return;
  int k = 0;
  for (; k < m - 1; k++)
    if (hand_on(a + (long)i * m + k, a + (long)i * m + k + 1) > limit) break;
  q[i] = k;
}
// Of one iteration it is promised that what it stores and what it loads are apart; the next one loads what this one has stored.
static __device__ inline __attribute__((always_inline)) u32 push(const u32 *__restrict__ from, u32 *__restrict__ to) {
  *to = *from + 3;
  return *from;
}
// CASE: promised aside=yes few block=48 grid=1 with=m=8,20 -- rand:{4*n*m} rand:{4*n*(m+1)} zero:{4*n} i32:{m} i32:{n} i32:-100000000
KERNEL promised(const u32 *__restrict__ a, u32 *__restrict__ o, u32 *q, int m, int n, u32 limit) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  int k = 0;
  for (; k < m; k++) {
    u32 v = a[(long)i * m + k];
    s = s * 31 + push(o + (long)i * (m + 1) + k, o + (long)i * (m + 1) + k + 1) + v;
    if (v > limit) break;
  }
  q[i] = s + k;
}
// A row that some iterations ask for alone: its next word may not be there.
// CASE: sometimes aside=yes few block=48 grid=1 with=m=8,20 -- rand:{4*n*m} rand:{4*n*m} zero:{4*n} i32:{m} i32:{n} i32:-100000000
KERNEL sometimes(const u32 *a, const u32 *b, u32 *q, int m, int n, u32 limit) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  int k = 0;
  for (; k < m; k++) {
    u32 v = a[(long)i * m + k];
    if (v & 1) s = s * 31 + b[(long)i * m + k];
    if (v > limit) break;
    s ^= v;
  }
  q[i] = s + k;
}
// Others may change what is volatile, or what a barrier or an atomic stands in front of.
// CASE: watched refuse=WalkEnds none few block=48 grid=1 with=m=8,24 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n} i32:-1000000
KERNEL watched(const volatile u32 *a, u32 *q, int m, int n, u32 limit) {
  int i = ROW;
  if (i >= n) return;
  int k = 0;
  for (; k < m; k++)
    if (a[(long)i * m + k] > limit) break;
  q[i] = k;
}
// CASE: counted refuse=WalkEnds none few block=48 grid=1 with=m=8,24 -- rand:{4*n*m} zero:{4*n} zero:4 i32:{m} i32:{n} i32:-1000000
KERNEL counted(const u32 *a, u32 *q, u32 *all, int m, int n, u32 limit) {
  int i = ROW;
  if (i >= n) return;
  int k = 0;
  for (; k < m; k++) {
    if (a[(long)i * m + k] > limit) break;
    __nvvm_atom_add_gen_i((int *)all, 1);
  }
  q[i] = k;
}
// Indices of 32 bits without a sign: it is asked on entry that they do not wrap around.
// CASE: wraps aside=yes with=m=1,4,7,20 few block=48 grid=1 -- rand:{4*n*m} zero:{4*n} i32:{m} i32:{n} i32:-200000000
KERNEL wraps(const u32 *a, u32 *q, unsigned m, unsigned n, u32 limit) {
  unsigned i = ROW;
  if (i >= n) return;
  u32 s = 0;
  unsigned k = 0;
  for (; k < m; k++) {
    u32 v = a[i * m + k];
    s = s * 31 + v;
    if (v > limit) break;
  }
  q[i] = s + k;
}
// Those of 16 bits do, in the middle of a row.
// CASE: narrow aside=no with=m=4,20 with=f=0,400,436,437 few block=48 grid=1 -- rand:262144 zero:{4*n} i32:{m} i32:{n} i32:{65536-f} i32:-200000000
KERNEL narrow(const u32 *a, u32 *q, unsigned m, unsigned n, unsigned from, u32 limit) {
  unsigned i = ROW;
  if (i >= n) return;
  u32 s = 0;
  unsigned k = 0;
  for (; k < m; k++) {
    u32 v = a[(u16)(from + i * m + k)];
    s = s * 31 + v;
    if (v > limit) break;
  }
  q[i] = s + k;
}
// Rows of the one around begin a word further each time: no pieces.
// CASE: within aside=no few block=48 grid=1 with=m=8,20 -- rand:{4*n*m} rand:{4*m} zero:{4*n} i32:{m} i32:{n}
KERNEL within(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int k = 0; k < m - 3; k++) {
    int j = 0;
    while (j < 3 + (w[0] & 3) - 3 && (a[(long)i * m + k + j] & 3) == (w[j] & 3)) j++;
    s = s * 31 + j;
  }
  q[i] = s;
}
// What the first search makes of its own iterations is more than can be looked through from the second one's row: that stays as it is.
// CASE: two_searches aside=yes with=m=4,20 with=l=0,1 few block=48 grid=1 -- rand:{4*n*m} rand:{4*n*m+80} rand:{4*m+4}:3 zero:{4*n} i32:{(-1,1000000)[l]} i32:7 i32:{m} i32:{n}
#define STEP(bits, factor) x = (x ^ (x >> bits)) * factor##u;
KERNEL two_searches(const u32 *__restrict__ a, const u32 *__restrict__ b, const u32 *__restrict__ w, u32 *__restrict__ q, u32 limit, u32 key, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0, x = w[0];
  for (int k = 0; k < m; k++) {
    s += a[(long)i * m + k];
    x ^= w[k];
    STEP(3, 2654435761) STEP(4, 2654435763) STEP(5, 2654435765) STEP(6, 2654435767) STEP(7, 2654435769) STEP(8, 2654435771) STEP(9, 2654435773)
    STEP(10, 2654435775) STEP(11, 2654435777) STEP(12, 2654435779) STEP(13, 2654435781) STEP(14, 2654435783) STEP(15, 2654435785)
    STEP(3, 2654435787) STEP(4, 2654435789) STEP(5, 2654435791)
    if (x > limit) break;
  }
  int j = 0;
  long at = (long)(x & 3) * 4;
  for (; j < m; j++)
    if (b[(long)i * m + at + j] == key) break;
  q[i] = s + j;
}
// A struct of which the second member is asked for: no such row begins with a piece.
// CHECK-LABEL: @member(
// CHECK-NOT: llvm.nvvm.vote
// CHECK: {{^[}]}}
// CASE: member plain:none with=m=4,20 few block=48 grid=1 -- rand:{16*n*m} zero:{4*n} i32:5 i32:{m} i32:{n}
struct Bucket { u32 flags, key, value, next; };
KERNEL member(const Bucket *a, u32 *q, u32 key, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  int k = 0;
  for (; k < m; k++)
    if (((a[(long)i * m + k].key ^ a[(long)i * m + k].value) & 7) == key) break;
  q[i] = k;
}
