// RUN: %rewritten %s --temp %t.d
// What a loop adds up in memory is held in a register while it runs, unless what it reads may lie there.
// TEXT: levels=O3,O1 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#include "records.cuh"
#define EACH(from, to, step) _Pragma("unroll 1") for (int j = from; j < to; j += step)

// Before: a store in every iteration. After: one behind the loop; and the loop as it was, which nobody looks at again.
// CHECK-LABEL: @sums(
// CHECK: call i1 @llvm.nvvm.vote.all.sync(
// CHECK: store i32 {{.*}}, !coalda.aside
// CHECK: store i32 {{.*}}, !coalda.tally
// CHECK: ret void
// CASE: sums tally=yes shelf=yes load=exchange block=64 full with=m=0,1,31,32,33,64,100 -- rand:{4*n*m+4} rand:{4*m+4} rand:{4*n} i32:{m} i32:{n}
// CASE: sums block=48 full with=m=33 -- rand:{4*n*m+4} rand:{4*m+4} rand:{4*n} i32:{m} i32:{n}
// CASE: sums with=m=33 -- rand:{4*n*m+4} rand:{4*m+4} rand:{4*n+4} i32:{m} i32:{n}
KERNEL sums(const u32 *a, const u32 *x, u32 *y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  EACH(0, m, 1) y[i] = y[i] * 31 + a[i * m + j] * x[j];
}
// The sum lies in the vector that all threads read, at its beginning, in it, at its end and behind it.
// CASE: among_x tally=yes block=32 grid=1 full with=m=5,40 with=k=0,3,4,39,40,41,44 -- rand:{4*n*m} rand:{4*m+4*n+256} i32:{k} i32:{m} i32:{n}
KERNEL among_x(const u32 *a, u32 *x, int k, int m, int n) {
  int i = ROW;
  if (i != 0) return;
  u32 *y = x + k;
  EACH(0, m, 1) *y = *y * 31 + a[i * m + j] * x[j];
}
// Each thread's sum lies in its own row, or right before or behind it.
// CASE: in_row tally=yes block=64 full with=m=32,40 with=k=-1,0,1,31,32,39,40 -- rand:{4*n*48+512} rand:{4*m+4} i32:{k} i32:{m} i32:{n}
KERNEL in_row(u32 *a, const u32 *x, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 *row = a + 48 * i + 4;
  EACH(0, m, 1) row[k] = row[k] * 31 + row[j] * x[j];
}
// CASE: in_row_down tally=yes block=64 full with=m=32,40 with=k=-1,0,1,31,32,39,40 -- rand:{4*n*48+512} rand:{4*m+4} i32:{k} i32:{m} i32:{n}
KERNEL in_row_down(u32 *a, const u32 *x, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 *row = a + 48 * i + 4;
  _Pragma("unroll 1") for (int j = m - 1; j >= 0; j--) row[k] = row[k] * 31 + row[j] * x[j];
}
// Some threads' sums lie where they read: their warp takes the old way, all of it.
// CASE: in_some_rows tally=yes block=64 full with=m=40 -- rand:{4*n*48+512} rand:{4*m+4} i32:{m} i32:{n}
KERNEL in_some_rows(u32 *a, const u32 *x, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 *row = a + 48 * i + 4, *y = row + (i % 5 == 3 ? 7 : 41);
  EACH(0, m, 1) *y = *y * 31 + row[j] * x[j];
}
// Two sums, which may be one.
// CASE: two_sums tally=yes block=64 full with=m=33 with=k=0,4 -- rand:{4*n*m+4} rand:{4*m+4} rand:{8*n} i32:{k} i32:{m} i32:{n}
KERNEL two_sums(const u32 *a, const u32 *x, char *q, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 *y = (u32 *)(q + 8 * i), *z = (u32 *)(q + 8 * i + k);
  EACH(0, m, 1) {
    *y = *y * 31 + a[i * m + j] * x[j];
    *z = *z * 17 + a[i * m + j] + x[j];
  }
}
// A sum of 8 bytes and one of 4 in it.
// CASE: halves tally=yes block=64 full with=m=33 with=k=0,4,8,12 -- rand:{4*n*m+4} rand:{16*n+64} i32:{k} i32:{m} i32:{n}
KERNEL halves(const u32 *a, char *q, int k, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u64 *y = (u64 *)(q + 16 * i);
  u32 *z = (u32 *)(q + 16 * i + k);
  EACH(0, m, 1) {
    *y = *y * 31 + a[i * m + j];
    *z = *z * 17 + a[i * m + j];
  }
}
// Only stored: the last value stays.
// CASE: last tally=yes block=64 full with=m=0,1,33 -- rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL last(const u32 *a, u32 *y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  EACH(0, m, 1) {
    s = s * 31 + a[i * m + j];
    y[i] = s;
  }
}
// Stored in some iterations, or read by others: stays where it is.
// CASE: sometimes tally=no block=64 full with=m=33 -- rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL sometimes(const u32 *a, u32 *y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  EACH(0, m, 1) if (a[i * m + j] & 1) y[i] = y[i] * 31 + a[i * m + j];
}
// CASE: beside_a_way tally=no block=64 full with=m=33 -- rand:{4*n*m+4} rand:{4*n} ref:1+0 rand:{4*n} i32:{m} i32:{n}
KERNEL beside_a_way(const u32 *a, u32 *y, const u32 *z, u32 *q, int m, int n) {
  int i = ROW;
  u32 s = 0;
  EACH(0, m, 1) {
    u32 v = a[i * m + j];
    y[i] = v;
    if (v % 3 == 1) s = s * 7 + z[i];
  }
  q[i] = s;
}
// CASE: watched tally=no block=64 full with=m=33 -- rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL watched(const u32 *a, volatile u32 *y, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  EACH(0, m, 1) y[i] = y[i] * 31 + a[i * m + j];
}
// CASE: awaited tally=no block=64 full with=m=33 -- rand:{4*n*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL awaited(const u32 *a, u32 *y, int m, int n) {
  int i = ROW;
  EACH(0, m, 1) {
    y[i] = y[i] * 31 + a[i * m + j];
    __syncthreads();
    u32 other = y[i ^ 1];
    __syncthreads();
    y[i] += other;
  }
}
// CASE: counted tally=no block=64 full with=m=33 -- rand:{4*n*m+4} rand:{4*n} zero:4 i32:{m} i32:{n}
KERNEL counted(const u32 *a, u32 *y, u32 *count, int m, int n) {
  int i = ROW;
  EACH(0, m, 1) {
    y[i] = y[i] * 31 + a[i * m + j];
    __nvvm_atom_add_gen_i((int *)count, 1);
  }
}
// Another store moves on: stays.
// CASE: moving tally=no block=64 full with=m=33 -- rand:{4*n*m+4} rand:{4*n} zero:{4*n*m+4} i32:{m} i32:{n}
KERNEL moving(const u32 *a, u32 *y, u32 *z, int m, int n) {
  int i = ROW;
  EACH(0, m, 1) {
    y[i] = y[i] * 31 + a[i * m + j];
    z[i * m + j] = j;
  }
}
// An index that wraps around comes to where the sum lies.
// CASE: wraps block=32 grid=1 full with=m=20 -- rand:1200 i32:{m} i32:{n}
KERNEL wraps(u32 *a, int m, int n) {
  int i = ROW;
  if (i != 0) return;
  u32 *y = a + 3;
  _Pragma("unroll 1") for (unsigned char j = 250; m > 0; m--, j++) *y = *y * 31 + a[j];
}
// Rows that come to few threads, and a loop around.
// CASE: again_and_again tally=yes block=64 full with=m=33 -- rand:{4*n*m*3+4} rand:{4*m+4} rand:{12*n} i32:{m} i32:{n}
KERNEL again_and_again(const u32 *a, const u32 *x, u32 *y, int m, int n) {
  int i = ROW;
  _Pragma("unroll 1") for (int c = 0; c < i % 4; c++)
    EACH(0, m, 1) y[3 * i + c] = y[3 * i + c] * 31 + a[(c * n + i) * m + j] * x[j];
}
// Neighbours read neighbours: nothing is exchanged, and the sum need not be stored all the same.
// CASE: columns tally=yes block=64 full with=m=0,1,33 -- rand:{4*n*m+4} rand:{4*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL columns(const u32 *a, const u32 *x, u32 *y, int m, int n) {
  int i = ROW;
  EACH(0, m, 1) y[i] = y[i] * 31 + a[j * n + i] * x[j];
}
// As the compiler unrolls it, and down.
// CASE: unrolled tally=yes block=64 full with=m=0,1,3,4,35,67 -- rand:{4*n*m+4} rand:{4*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL unrolled(const u32 *a, const u32 *x, u32 *y, int m, int n) {
  int i = ROW;
  for (int j = m - 1; j >= 0; j--) y[i] = y[i] * 31 + a[i * m + j] * x[j];
}
// The same, where the sum may be one of the elements that an iteration's last step reads.
// CASE: unrolled_row tally=yes block=64 full with=m=33,36 with=k=-1,0,1,3,31,32,33,35,36,37 -- rand:{4*n*48+512} rand:{4*m+4} i32:{k} i32:{m} i32:{n}
KERNEL unrolled_row(u32 *a, const u32 *x, int k, int m, int n) {
  int i = ROW;
  u32 *row = a + 48 * i + 4;
  _Pragma("unroll 4") for (int j = 0; j < m; j++) row[k] = row[k] * 31 + row[j] * x[j];
}
// Stored as a number and as a float: left alone.
// CASE: kinds tally=no block=64 full with=m=33 -- rand:{4*n*m+4} rand:{m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL kinds(const u32 *a, const unsigned char *b, void *y, int m, int n) {
  int i = ROW;
  EACH(0, m, 1) {
    ((u32 *)y)[i] = a[i * m + j];
    ((float *)y)[i] = (float)b[j];
  }
}
// In what a kernel calls.
__device__ __noinline__ void add_up(const u32 *row, const u32 *x, u32 *y, int m) {
  EACH(0, m, 1) *y = *y * 31 + row[j] * x[j];
}
// CASE: calls load=exchange store=keep block=64 full with=m=33 -- rand:{4*n*m+4} rand:{4*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL calls(const u32 *a, const u32 *x, u32 *y, int m, int n) {
  int i = ROW;
  add_up(a + i * m, x, y + i, m);
}
// Floats keep their order, and what is fused stays fused.
// CASE: floats tally=yes block=64 full with=m=70 -- rand:{4*n*m+4} rand:{4*m+4} rand:{4*n} i32:{m} i32:{n}
KERNEL floats(const float *a, const float *x, float *y, int m, int n) {
  int i = ROW;
  for (int j = 0; j < m; j++) y[i] += a[i * m + j] * x[j];
}
// The second loop is made longer, and is as it was again: it stores where it may have read. What the first one's sums have become
// stays as it is, and is not asked about a second time.
// CASE: then_undone tally=yes load=exchange block=64 full with=m=33 -- rand:{4*n*m+4} rand:{4*m+4} rand:{4*n} zero:{32*n} i32:{m} i32:{n}
KERNEL then_undone(const float *a, const float *x, float *y, u32 *q, int m, int n) {
  int i = ROW;
  EACH(0, m, 1) y[i] += a[i * m + j] * x[j];
  u32 f = 0;
  EACH(0, m, 1) {
    f += ((const u32 *)a)[i * m + j];
    q[8 * i + f % 8] = j;
  }
}
