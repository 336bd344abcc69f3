// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -w -std=c++17 -I%S/../gen -I%S -O3 -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='coalda<without=shelves>' -coalda-trace=queries -disable-output %t.ll 2>&1 | %FileCheck %s
// Rows that a division tells: of images with their channels last, of arrays of four and five indices that one number runs through. Each
// thread has a row of its own; where all that a quotient tells of a thread is its row, it is its neighbours' as well, and stays.
// TEXT: levels=O3
#include "records.cuh"
#define REST __restrict__

// The longest pieces, of 256 bytes: their step is longer than a walk's.
// CASE: channels_last plain:load=exchange load=exchange fewer few block=64 with=C=64,70 with=W=10 -- rand:{4*n*C+4} zero:{4*n} i32:{C} i32:{3} i32:{W} i32:{n}
// CASE: channels_last few with=C=0,1,7,33,130 with=W=1,5 -- rand:{4*n*C+4} zero:{4*n} i32:{C} i32:{3} i32:{W} i32:{n}
KERNEL channels_last(const u32 *REST a, u32 *REST o, int C, int H, int W, int n) {
  int t = ROW;
  if (t >= n) return;
  int x = t % W, y = t / W % H, b = t / (W * H);
  u32 s = 0;
  for (int c = 0; c < C; c++) s = s * 31 + a[((b * H + y) * W + x) * C + c];
  o[t] = s;
}
// CASE: unsigned_numbers plain:load=exchange load=exchange few block=64 with=C=64,70 with=W=10 -- rand:{4*n*C+4} zero:{4*n} i32:{C} i32:{3} i32:{W} i32:{n}
KERNEL unsigned_numbers(const u32 *REST a, u32 *REST o, u32 C, u32 H, u32 W, u32 n) {
  u32 t = ROW;
  if (t >= n) return;
  u32 x = t % W, y = t / W % H, b = t / (W * H), s = 0;
  for (u32 c = 0; c < C; c++) s = s * 31 + a[((b * H + y) * W + x) * C + c];
  o[t] = s;
}
// CASE: long_numbers plain:load=exchange load=exchange few block=64 with=C=64,70 with=W=10 -- rand:{4*n*C+4} zero:{4*n} i64:{C} i64:{3} i64:{W} i64:{n}
KERNEL long_numbers(const u32 *REST a, u32 *REST o, long C, long H, long W, long n) {
  long t = ROW;
  if (t >= n) return;
  long x = t % W, y = t / W % H, b = t / (W * H);
  u32 s = 0;
  for (long c = 0; c < C; c++) s = s * 31 + a[((b * H + y) * W + x) * C + c];
  o[t] = s;
}
// In place, through a pointer to the pixel.
// CASE: in_place plain:load=exchange plain:store=exchange load=exchange store=exchange few block=64 with=C=64,70 with=W=10 -- rand:{4*n*C+4} i32:{C} i32:{3} i32:{W} i32:{n}
KERNEL in_place(u32 *a, int C, int H, int W, int n) {
  int t = ROW;
  if (t >= n) return;
  int x = t % W, y = t / W % H, b = t / (W * H);
  u32 *p = a + ((b * H + y) * W + x) * C;
  for (int c = 0; c < C; c++) p[c] = p[c] * 3 + 1;
}
// Stored alone.
// CASE: stored plain:store=exchange store=exchange few block=64 with=C=64,70 with=W=10 -- zero:{4*n*C+4} i32:{C} i32:{3} i32:{W} i32:{n}
KERNEL stored(u32 *REST a, int C, int H, int W, int n) {
  int t = ROW;
  if (t >= n) return;
  int x = t % W, y = t / W % H, b = t / (W * H);
  for (int c = 0; c < C; c++) a[((b * H + y) * W + x) * C + c] = (u32)(c * 31 + x);
}
#define A(i, j, k, l, m) a[((((i) * N + (j)) * N + (k)) * N + (l)) * M + (m)]
// CASE: five plain:load=exchange load=exchange few block=64 with=M=64,70 -- rand:{4*n*M+4} zero:{4*n} i32:{3} i32:{M} i32:{n}
KERNEL five(const u32 *REST a, u32 *REST o, int N, int M, int n) {
  int t = ROW;
  if (t >= n) return;
  int l = t % N, k = t / N % N, j = t / (N * N) % N, i = t / (N * N * N);
  u32 s = 0;
  for (int m = 0; m < M; m++) s = s * 31 + A(i, j, k, l, m);
  o[t] = s;
}
// A row of a slice, whose slices lie farther apart than their rows are long.
// CASE: slices plain:load=exchange load=exchange few block=64 with=m=64,70 with=w=7 -- rand:{4*(n+8)*(m+3)+400} zero:{4*n} i32:{w} i32:{m} i32:{w*m+5} i32:{n}
KERNEL slices(const u32 *REST a, u32 *REST o, int w, int m, int far, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[t / w * far + t % w * m + j];
  o[t] = s;
}
// Numbers that go round.
// CASE: around plain:load=exchange load=exchange few block=64 with=m=64,70 -- rand:{4*n*m+4} zero:{4*n} i32:{5} i32:{m} i32:{n}
KERNEL around(const u32 *REST a, u32 *REST o, int d, int m, int n) {
  int t = ROW;
  if (t >= n) return;
  int q = (t + d) % n;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[q * m + j];
  o[t] = s;
}
// The weights of a channel are those of most of a warp's threads.
// CASE: weights plain:load=none few block=64 with=K=18,64 with=W=10 -- rand:{4*(n+8)*K+4} rand:{4*n} zero:{4*n} i32:{K} i32:{W} i32:{n}
KERNEL weights(const u32 *REST w, const u32 *REST x, u32 *REST o, int K, int W, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = x[t];
  for (int k = 0; k < K; k++) s = s * 31 + w[t / W * K + k];
  o[t] = s;
}
// Of two rows, that of the quotient stays, and leaves the other one as many registers as a row alone has.
// CHECK: queries: made: walk, {{.*}}, 16 times as long
// CASE: queries plain:load=exchange load=exchange few block=64 with=D=64,70 with=T=10 -- rand:{4*(n+8)*D+4} rand:{4*(n+8)*D+4} zero:{4*n} i32:{T} i32:{D} i32:{n}
KERNEL queries(const u32 *REST q, const u32 *REST k, u32 *REST o, int T, int D, int n) {
  int t = ROW;
  if (t >= n) return;
  int j = t % T, i = t / T;
  u32 s = 0;
  for (int d = 0; d < D; d++) s = s * 31 + (q[i * D + d] ^ k[j * D + d]);
  o[t] = s;
}
// What a quotient names, and what a remainder of a quotient does.
// CASE: named plain:load=none few block=64 with=K=18,64 with=W=10 -- bits:{n}:2 rand:{4*(n+8)*K+4} rand:{4*n} zero:{4*n} i32:{K} i32:{W} i32:{n}
KERNEL named(const u32 *REST list, const u32 *REST w, const u32 *REST x, u32 *REST o, int K, int W, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = x[t];
  for (int k = 0; k < K; k++) s = s * 31 + w[(list[t / W] + t / W % 3) * K + k];
  o[t] = s;
}
// The same of a record, without a loop.
// CASE: named_record plain:load=none few block=64 with=W=10 -- bits:{n}:2 rand:{4*16*(n+8)} zero:{4*n} i32:{W} i32:{n}
KERNEL named_record(const u32 *REST list, const u32 *REST w, u32 *REST o, int W, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = 0;
  for (int k = 0; k < 16; k++) s = s * 31 + w[list[t / W] * 16 + k];
  o[t] = s;
}
// Lists that a quotient names. clang unrolls their loop, and what that leaves over stands in front: where a list goes on, two ways meet,
// which are its neighbours' as well.
// CASE: lists plain:load=none few block=64 with=m=18,64 with=W=10 -- iota:{n+8} rand:{4*(n+8)*m+4} rand:{4*(n+8)*m+4} rand:{4*n} zero:{4*n} i32:{m} i32:{W} i32:{n}
KERNEL lists(const int *REST rp, const u32 *REST v, const u32 *REST w, const u32 *REST x, u32 *REST o, int m, int W, int n) {
  int t = ROW;
  if (t >= n) return;
  int r = t / W;
  u32 s = x[t];
  for (int e = rp[r] * m; e < rp[r + 1] * m; e++) s += v[e] ^ w[e] * 3;
  o[t] = s;
}
// CASE: unsigned_lists plain:load=none few block=64 with=m=18,64 with=W=10 -- iota:{n+8} rand:{4*(n+8)*m+4} rand:{4*(n+8)*m+4} rand:{4*n} zero:{4*n} i64:{m} i32:{W} i32:{n}
KERNEL unsigned_lists(const u32 *REST rp, const u32 *REST v, const u32 *REST w, const u32 *REST x, u32 *REST o, u64 m, u32 W, u32 n) {
  u32 t = ROW;
  if (t >= n) return;
  const u32 *p = rp + t / W;
  u32 s = x[t], e = p[0] * m;
  while (e != p[1] * m) s += v[e] ^ w[e] * 3, e++;
  o[t] = s;
}
// A list of the thread's own, which begins at one of two places.
// CASE: own_lists load=exchange few block=64 with=m=18,64 with=W=10 -- iota:{n+8} rand:{4*(n+8)*m+4} rand:{4*(n+8)*m+4} rand:{4*n} zero:{4*n} i32:{m} i32:{W} i32:{n}
KERNEL own_lists(const int *REST rp, const u32 *REST v, const u32 *REST w, const u32 *REST x, u32 *REST o, int m, int W, int n) {
  int t = ROW;
  if (t >= n) return;
  u32 s = x[t];
  for (int e = rp[t] * m; e < rp[t + 1] * m; e++) s += v[e] ^ w[e] * 3;
  o[t] = s;
}
