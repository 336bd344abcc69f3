// RUN: %rewritten %s --temp %t.d
// Loops whose iterations' loads come first: several iterations stand in one body, the stores behind their loads, where they are known to be
// apart or a test on entry says so.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
#define R __restrict__

// A march through planes: what the next plane loads again is loaded once.
// CHECK-LABEL: @march(
// CHECK-COUNT-12: load i32, {{.*}}, !coalda.batch
// CHECK-NOT: !coalda.batch
// CHECK: ret void
// CASE: march batch=yes few with=m=0,1,2,3,4,5,6,7,9 -- rand:{4*n*(m+3)+8} zero:{4*n*(m+3)} i32:{n} i32:{m}
KERNEL march(const u32 *R in, u32 *R out, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int z = 1; z < m + 1; z++)
    out[i + z * p] = in[i + z * p] * 7 + in[i + 1 + z * p] + in[i + 2 + z * p] * 3 + in[i + (z - 1) * p] * 5 + in[i + (z + 1) * p];
}
// Pointers that may meet: a test of all that is loaded and stored.
// CHECK-LABEL: @anywhere(
// CHECK-COUNT-10: load i32, {{.*}}, !coalda.batch
// CHECK-NOT: !coalda.batch
// CHECK: ret void
// CASE: anywhere batch=yes few with=m=0,1,4,9,16,17,33 -- rand:{4*n*(m+3)+8} zero:{4*n*(m+3)} i32:{n} i32:{m}
KERNEL anywhere(const u32 *in, u32 *out, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int z = 1; z < m + 1; z++)
    out[i + z * p] = in[i + z * p] * 7 + in[i + 1 + z * p] + in[i + 2 + z * p] * 3 + in[i + (z - 1) * p] * 5 + in[i + (z + 1) * p];
}
// Threads that share a row: with 512 of them rows are seldom so long that it is asked; with 128 they are.
// CHECK-LABEL: @shared512(
// CHECK-NOT: coalda.batch
// Of few words, it keeps to as many registers as leave room for all threads.
// CHECK: @shared128({{.*}} #[[SLIM:[0-9]+]]
// CHECK: load i32, {{.*}}, !coalda.batch
// CASE: shared512 batch=yes with=m=1,600,2000 -- rand:{4*2000+8} zero:{4*2000} i32:{m}
// CASE: shared128 batch=yes with=m=1,100,2000 -- rand:{4*2000+8} zero:{4*2000} i32:{m}
#define SHARED(N) \
  KERNEL shared##N(const u32 *in, u32 *out, int m) { \
    for (int c = threadIdx.x; c < m; c += N) out[c] = in[c] * 7 + in[c + 1]; \
  }
SHARED(512) SHARED(128)
// Steps that nobody knows, of a counter narrower than an address: of several iterations in one body it is not known how far they are
// apart. The loop stays as short as it was.
// CHECK-LABEL: @narrow(
// CHECK-COUNT-2: load i32
// CHECK-NOT: load i32
// CHECK: {{^[}]}}
// CASE: narrow batch=no with=m=1,100,2000 grid=1 block=64 -- rand:{4*2000} rand:{4*2000} i32:{m}
KERNEL narrow(u32 *x, u32 *y, int m) {
  for (int i = threadIdx.x; i < m; i += blockDim.x) x[i] = x[i] * 3 + 1, y[i] = y[i] * 5 + 7;
}
// In steps that are a number it stays known.
// Told that blocks have at most 1024 threads, ptxas keeps to the registers that such a block has: of several such loops of doubles it would take 78.
// CHECK-LABEL: @widened(
// CHECK-SAME: #[[BOUND:[0-9]+]]
// CHECK: load i32, {{.*}}, !coalda.batch
// CASE: widened batch=yes few with=m=1,4,9,33 -- rand:{4*n*m} rand:{4*n*m} i32:{n} i32:{m}
KERNEL widened(const u32 *x, u32 *y, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int r = 0; r < m; r++) y[(unsigned long long)r * p + i] += 3 * x[(unsigned long long)r * p + i];
}
// They do meet, by so many planes: the loop as it was.
// CASE: meets batch=yes few with=m=1,7,17,18 with=k=0,1,2,3,20 -- rand:{4*n*(m+23)+8} ref:0+{4*k*n} i32:{n} i32:{m}
KERNEL meets(const u32 *in, u32 *out, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int z = 1; z < m + 1; z++) out[i + z * p] = in[i + z * p] * 7 + in[i + (z - 1) * p] * 5 + in[i + (z + 1) * p];
}
// Indices of 64 bits: how far they are apart is the same in every iteration, and rows that lie apart may be of one array.
// CHECK-LABEL: @rows(
// CHECK: load i32, {{.*}}, !coalda.batch
// CHECK: ret void
// CASE: rows batch=yes few with=m=0,1,2,3,4,5,6,7,8,9,17 -- rand:{4*n*m+4} zero:{4*n*m+4} i64:{n} i64:{m}
KERNEL rows(const u32 *x, u32 *y, long long p, long long m) {
  long long i = ROW;
  if (i >= p) return;
  for (long long r = 0; r < m; r++) y[r * p + i] = x[r * p + i] * 3 + 1;
}
// In place: each row is read before it is written, and rows are apart unless p is 0.
// CASE: in_place batch=yes few with=m=0,1,4,9,17,34 with=p=1,0 -- rand:{4*n*(m*p+1)} i64:{n*p} i64:{m} i32:{n}
KERNEL in_place(u32 *x, long long p, long long m, int n) {
  long long i = ROW;
  if (i >= n) return;
  for (long long r = 0; r < m; r++) x[r * p + i] = x[r * p + i] * 3 + 1;
}
// A row or so behind: what an iteration stores, a later one loads.
// CASE: behind batch=yes few with=m=1,4,9,17,35 with=k=0,1,2,3,7 -- rand:{4*n*(m+8)} ref:0+{4*n*k} i64:{n} i64:{m}
KERNEL behind(const u32 *x, u32 *y, long long p, long long m) {
  long long i = ROW;
  if (i >= p) return;
  for (long long r = 0; r < m; r++) y[r * p + i] = x[r * p + i] * 3 + 1;
}
// By strides of their own: no distance is the same in every iteration, and all that the loop loads is told from all that it stores.
// CASE: strides batch=yes few with=m=17,64,68,101 with=k=0,2,3,5,9,70,100,203 grid=1 block=1 -- rand:{4*64*(2*m+k)+4} ref:0+{256*k} i64:{m}
KERNEL strides(const u32 *x, u32 *y, long long m) {
  long long i = ROW;
  for (long long r = 0; r < m; r++) y[r * 64 + i] = x[r * 128 + i] * 7 + 1;
}
// Bytes of a word that lies a few of them away.
// CASE: bytes batch=yes few with=m=1,4,9,36 with=k=0,1,3,4,5,6,7,8,13 grid=1 block=1 -- rand:{4*(m+8)} ref:0+{k} i64:{m}
KERNEL bytes(const u32 *x, unsigned char *y, long long m) {
  for (long long r = 0; r < m; r++) y[4 * r] = (unsigned char)(x[r] >> 5);
}
// Two loops, each of which asks: what is known under the second guard is found once all is made of the first loop.
// CHECK-LABEL: @two_counts(
// CHECK-COUNT-16: load i32, {{.*}}, !coalda.batch
// CASE: two_counts few with=m=1,5,9,33 with=k=0,4,17 block=1 grid=1 -- rand:{128*m+128*k+256} rand:{128*m+128*k+256} i32:{m} i32:{k}
KERNEL two_counts(u32 *a, u32 *b, int n, int k) {
  for (int i = 0; i < n; i++) {
    if (a[i * 32] & 1) b[i * 32] = i;
    a[i * 32] += b[i * 32];
  }
  for (int i = 0; i < k; i++) {
    if (a[i * 32] & 2) b[i * 32] = i;
    a[i * 32] += b[i * 32];
  }
}
// Iterations that take ways of their own.
// CHECK-LABEL: @ways(
// CHECK: load i32, {{.*}}, !coalda.batch
// CHECK: ret void
// CASE: ways batch=yes few with=m=0,1,2,3,4,5,9 -- rand:{4*n*m+4} rand:{4*m+4} zero:{4*n*m+4} i32:{n} i32:{m}
KERNEL ways(const u32 *R x, const u32 *R w, u32 *R y, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int r = 0; r < m; r++) {
    u32 v = x[(unsigned long long)r * p + i];
    if (v % 3 == 1) y[(unsigned long long)r * p + i] = v / (w[r] | 1);
    else if (v % 3 == 2) y[(unsigned long long)r * p + i] = v % (w[r] | 5) + 7;
    else y[(unsigned long long)r * p + i] = v ^ 77;
  }
}
// Under a condition of the iteration: that load stays where it is.
// CASE: guarded batch=yes few with=m=0,1,2,5,9 -- rand:{4*n*m+4} rand:{4*n+4} zero:{4*n*m+4} i32:{n} i32:{m}
KERNEL guarded(const u32 *R x, const u32 *R w, u32 *R y, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int r = 0; r < m; r++) {
    u32 v = x[(unsigned long long)r * p + i];
    if ((unsigned)r < 1) { v += w[i * (r + 1)]; y[(unsigned long long)r * p + i] = v; v += y[(unsigned long long)r * p + i] * 3; }
    y[(unsigned long long)r * p + i] = v;
  }
}
// A list that is left in the middle may end where the next element is not there.
// CASE: left batch=no few with=m=1,3,8 -- iota:{m} zero:{4*n*m} i32:{n} i32:{m}
KERNEL left(const u32 *R x, u32 *R y, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int r = 0;; r++) {
    u32 v = x[r];
    y[(unsigned long long)r * p + i] = v + i;
    if (v == (u32)m - 1) break;
  }
}
// Atomics, volatile accesses, fences and votes keep their place among loads.
// CASE: ordered batch=no few with=m=1,5 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{n} i32:{m}
KERNEL ordered(const u32 *x, u32 *y, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int r = 0; r < m; r++) {
    y[(unsigned long long)r * p + i] = x[(unsigned long long)r * p + i] * 3;
    __nvvm_membar_gl();
  }
}
// CASE: watched batch=no few with=m=1,5 -- rand:{4*n*m+4} zero:{4*n*m+4} i32:{n} i32:{m}
KERNEL watched(const volatile u32 *x, volatile u32 *y, int p, int m) {
  int i = ROW;
  if (i >= p) return;
  for (int r = 0; r < m; r++) y[(unsigned long long)r * p + i] = x[(unsigned long long)r * p + i] * 3;
}
// CHECK-DAG: attributes #[[SLIM]] = {{.*}}"nvvm.maxnreg"="32"
// CHECK-DAG: attributes #[[BOUND]] = {{.*}}"nvvm.maxntid"="1024"
// Sums in memory, and a word that data choose: the loads of one body come before its stores by tests of which place is which, whatever would be asked of
// several iterations in one body, of which too much is unknown.
// CASE: summed batch=yes few with=f=0,1,2,5,9 -- rand:{4*40*n} rand:{4*44} rand:{4*44} i32:{n} i32:{f} i32:31
KERNEL summed(u32 *R a, const u32 *R b, const u32 *R w, int n, int f, int m) {
  if (ROW >= n) return;
  u32 *p = a + ROW * 40;
  for (int j = 4; j < m; j++) {
    p[0] += b[j];
    p[f] += w[j];
    if (b[j] & 1) p[j] = 0;
  }
}
// The same where every iteration goes one way.
// CASE: summed_twice few with=f=0,1,2,5,9 -- rand:{4*40*n} rand:{4*44} rand:{4*44} i32:{n} i32:{f} i32:31
KERNEL summed_twice(u32 *R a, const u32 *R b, const u32 *R w, int n, int f, int m) {
  if (ROW >= n) return;
  u32 *p = a + ROW * 40;
  for (int j = 4; j < m; j++) {
    p[0] = p[0] * 3 + b[j] * w[j];
    p[f] = p[f] * 5 + p[j] * w[j];
    p[j] = 7;
  }
}
// A counter of 32 bits that moves by more than a word: that it does not wrap around is known under the guard of the loop alone, in front of which the tests stand.
// CASE: guarded_count few with=m=1,5,9,33 block=1 grid=1 -- rand:{128*m+256} rand:{128*m+256} i32:{m}
KERNEL guarded_count(u32 *a, u32 *b, int n) {
  for (int i = 0; i < n; i++) {
    if (a[i * 32] & 1) b[i * 32] = i;
    a[i * 32] += b[i * 32];
  }
}
// CASE: chosen_count few with=m=1,5,9,33 block=1 grid=1 -- rand:{128*m+512} rand:{128*m+512} i32:{m}
KERNEL chosen_count(u32 *a, u32 *b, int n) {
  for (unsigned short i = 0; i < n; i++) a[i * 32L] = b[(i + 3) * 32L] * 3;
}
