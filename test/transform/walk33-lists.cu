// RUN: %rewritten %s --temp %t.d
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S -emit-llvm -I%S -I%S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// Lists whose lengths are loaded, and which clang has unrolled: two iterations move at once where all lanes have as many, and what is left goes in a loop of
// single ones. Such a kernel keeps to the registers that hold its words.
// TEXT: levels=O3
#include "records.cuh"

template <typename V, typename I> __device__ static inline V product(const V *v, const u32 *at, const V *x, I from, I to) {
  V s = 0;
  for (I j = from; j < to; j++) s = s * 31 + v[j] * x[at[j] % 64];
  return s;
}
#define LENGTH (count[i] % (u32)(most + 1))

// CHECK: define{{.*}} @words({{.*}} #[[SLIM:[0-9]+]]
// CHECK: call i1 @llvm.nvvm.vote.all.sync
// CHECK: phi i32
// CHECK: load i32, {{.*}}!coalda.rest
// CHECK-LABEL: @rows(
// CASE: words plain:load=exchange load=exchange block=64 grid=1 full with=most=0,3,4,7,8,9,17,40 -- rand:{4*n} rand:{4*n*most+4} rand:{4*n*most+4}:3 rand:256 zero:{4*n} i32:{most} i32:{n}
// CASE: words load=exchange block=48 grid=1 with=most=9,40 -- rand:{4*n} rand:{4*n*most+4} rand:{4*n*most+4}:3 rand:256 zero:{4*n} i32:{most} i32:{n}
KERNEL words(const u32 *count, const u32 *v, const u32 *at, const u32 *x, u32 *q, int most, int n) {
  int i = ROW;
  if (i < n) q[i] = product<u32, int>(v, at, x, i * most, i * most + (int)LENGTH);
}
// Row pointers, all lists as long as each other, and longer than any piece.
// CASE: rows plain:load=exchange load=exchange block=64 grid=1 full with=k=1,8,12,19,33 -- iota:{n+1} rand:{4*n*k+4} rand:{4*n*k+4}:3 rand:256 zero:{4*n} i32:{k} i32:{n}
KERNEL rows(const int *start, const u32 *__restrict__ v, const u32 *__restrict__ at, const u32 *__restrict__ x, u32 *__restrict__ q, int k, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = start[i] * k; j < start[i + 1] * k; j++) s = s * 31 + v[j] * x[at[j] % 64];
  q[i] = s;
}
// CASE: longs plain:load=exchange load=exchange block=64 grid=1 full with=most=3,8,17,40 -- rand:{4*n} rand:{8*n*most+8} rand:{4*n*most+4}:3 rand:512 zero:{8*n} i64:{most} i64:{n}
KERNEL longs(const u32 *count, const u64 *v, const u32 *at, const u64 *x, u64 *q, long most, long n) {
  long i = ROW;
  if (i < n) q[i] = product<u64, long>(v, at, x, i * most, i * most + (long)LENGTH);
}
// CASE: unsigneds plain:load=exchange load=exchange block=64 grid=1 full with=most=3,8,17,40 -- rand:{4*n} rand:{4*n*most+4} rand:{4*n*most+4}:3 rand:256 zero:{4*n} i32:{most} i32:{n}
KERNEL unsigneds(const u32 *__restrict__ count, const u32 *__restrict__ v, const u32 *__restrict__ at, const u32 *__restrict__ x, u32 *__restrict__ q, u32 most, u32 n) {
  u32 i = ROW;
  if (i < n) q[i] = product<u32, u32>(v, at, x, i * most, i * most + LENGTH);
}
// Two lists of a thread, and one whose entry decides what becomes of it.
// CASE: both plain:load=exchange load=exchange block=64 grid=1 full with=most=3,8,17,40 -- rand:{4*n} rand:{4*n*most+4} rand:{4*n*most+4}:3 rand:256 zero:{4*n} i32:{most} i32:{n}
KERNEL both(const u32 *count, const u32 *v, const u32 *at, const u32 *x, u32 *q, int most, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = product<u32, int>(v, at, x, i * most, i * most + (int)LENGTH), t = 1;
  for (int j = 0; j < (int)(count[i] / 64 % (u32)(most + 1)); j++) t = at[i * most + j] % 64 == (u32)i ? t : t ^ v[i * most + j] * x[at[i * most + j] % 64];
  q[i] = s ^ t;
}
// Launch bounds say how many registers there are.
// CHECK: define{{.*}} @bounded({{.*}} #[[BOUNDED:[0-9]+]]
// CASE: bounded plain:load=exchange load=exchange block=64 grid=1 full with=most=3,17,40 -- rand:{4*n} rand:{4*n*most+4} rand:{4*n*most+4}:3 rand:256 zero:{4*n} i32:{most} i32:{n}
KERNEL __launch_bounds__(64) bounded(const u32 *count, const u32 *v, const u32 *at, const u32 *x, u32 *q, int most, int n) {
  int i = ROW;
  if (i < n) q[i] = product<u32, int>(v, at, x, i * most, i * most + (int)LENGTH);
}
// A row of known length beside it: registers are the row's.
// CHECK: define{{.*}} @beside({{.*}} #[[MANY:[0-9]+]]
// CASE: beside plain:load=exchange load=exchange block=64 grid=1 full with=most=3,17,40 -- rand:{4*n} rand:{4*n*most+4} rand:{4*n*most+4}:3 rand:256 zero:{4*n} i32:{most} i32:{n}
KERNEL beside(const u32 *count, const u32 *v, const u32 *at, const u32 *x, u32 *q, int most, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = product<u32, int>(v, at, x, i * most, i * most + (int)LENGTH);
  for (int j = 0; j < most; j++) s = s * 31 + v[i * most + j];
  q[i] = s;
}
// CHECK: attributes #[[SLIM]] = {{{.*}}"nvvm.maxnreg"="40"
// CHECK-NOT: attributes #[[BOUNDED]] = {{{.*}}"nvvm.maxnreg"
// CHECK: attributes #[[MANY]] = {{{.*}}"nvvm.maxnreg"="64"
