// RUN: %rewritten %s --temp %t.d
// Rows that are met again and are not held in registers: the loop around may change them, may not meet them, or lets some threads of
// a block wait for others.
// TEXT: levels=O3,O1
// RUN: %clang-device -nocudainc -nocudalib -w -I %S -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -w -I %S -I %S/../gen -O3 -fpass-plugin=%plugin -Rpass=coalda -Rpass-missed=coalda -Rpass-analysis=coalda -S %s -o %t.ptx 2>&1 | grep remark: > %t.told
// RUN: %FileCheck %s --check-prefix=TOLD < %t.told
#include "records.cuh"
#define ONE _Pragma("unroll 1")

// It may write the row, and here it does.
// CASE: written held=no load=exchange block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} ref:0 i32:{t} i32:{m} i32:{n}
KERNEL written(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  ONE for (int c = 0; c < times; c++) {
    u32 s = 0;
    // TOLD: :[[#@LINE+1]]:{{[0-9]+}}: remark: load of 4 bytes{{.*}}; rewritten, but not held in registers: the loop around may write the row, or orders memory; mark the pointers __restrict__
    ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
    q[i * m + c] = s;
  }
}
// The walk writes beside the row it reads.
// CASE: summed held=no block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n*m} i32:{t} i32:{m} i32:{n}
KERNEL summed(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  ONE for (int c = 0; c < times; c++)
    ONE for (int j = 0; j < m; j++) q[i * m + j] += a[i * m + j] * w[c * m + j];
}
// A barrier in the loop around lets other threads write the row.
// CASE: waits held=no block=64 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL waits(u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++) {
    ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
    __syncthreads();
  }
  q[i] = s;
}
// So does an atomic operation, by what it brings.
// CASE: counts held=no block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL counts(const u32 *a, const u32 *w, u32 *q, u32 *count, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++) {
    ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
    __nvvm_atom_add_gen_i((int *)count + i, 1);
  }
  q[i] = s;
}
// Some iterations of the loop around meet the row: that the first does is not known.
// CASE: some held=no load=exchange block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL some(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++)
    if (w[c] & 1)
      ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
  q[i] = s;
}
// One that changes from iteration to iteration says nothing of the next.
// CASE: every_other held=no load=exchange block=48 grid=1 full with=m=32,45 with=t=1,2 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL every_other(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++) {
    s = s * 5 + w[c];
    if (c & 1) {
      ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
      s ^= s >> 3;
    }
    s += 7;
  }
  q[i] = s;
}
// A way around the walk, or out of the loop, from where another way leads to it.
// CASE: leaves_out held=no load=exchange block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL leaves_out(const u32 *__restrict__ a, const u32 *__restrict__ w, u32 *__restrict__ q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++) {
    if (w[c] & 1) {
      s = s * 7 + w[c + 1];
      if (s & 2) continue;
      q[i] = s;
    }
    ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
  }
  q[i] = s;
}
// CASE: ends_perhaps held=no load=exchange block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL ends_perhaps(const u32 *__restrict__ a, const u32 *__restrict__ w, u32 *__restrict__ q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++) {
    if (w[c] & 1) {
      s = s * 7 + w[c + 1];
      if (s & 2) break;
      q[i] = s;
    }
    ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
  }
  q[i] = s;
}
// One that tells them apart would have them wait for each other.
// CASE: apart held=no block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL apart(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++) {
    s = s * 5 + w[c];
    if (i & 1) {
      ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
      s ^= s >> 3;
    }
    s += 7;
  }
  q[i] = s;
}
// So would rows of different lengths.
// CASE: lengths held=no block=48 grid=1 full with=m=64 with=t=1,3 -- rand:{4*n*m} rand:{4*t*m} rand:{4*n} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL lengths(const u32 *a, const u32 *w, const u32 *length, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  u32 k = (length[i] & 31) + 33;
  ONE for (int c = 0; c < times; c++)
    ONE for (u32 j = 0; j < k; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
  q[i] = s;
}
// CASE: ends_before held=no block=48 grid=1 with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL ends_before(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++) {
    if ((s ^ w[c]) & 1) break;
    ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
    s += 3;
  }
  q[i] = s;
}
// The walk may end early: as many elements are not certain to be there.
// CASE: stops held=no block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL stops(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++)
    ONE for (int j = 0; j < m; j++) {
      s = s * 31 + a[i * m + j] * w[c * m + j];
      if (s % 7 == 3) break;
    }
  q[i] = s;
}
// The row moves with the loop around, or its end does.
// CHECK-LABEL: @moves(
// CHECK-NOT: !coalda.original
// CHECK: ret void
// CASE: moves held=no load=exchange block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m+4*t} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL moves(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++)
    ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + c + j] * w[c * m + j];
  q[i] = s;
}
// CASE: triangle held=no load=exchange block=48 grid=1 full with=m=40 -- rand:{4*n*m} rand:{4*m*m} zero:{4*n} i32:{m} i32:{n}
KERNEL triangle(const u32 *a, const u32 *w, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < m; c++)
    ONE for (int j = 0; j <= c; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
  q[i] = s;
}
// CASE: bytes held=no load=exchange block=48 grid=1 full with=m=128,200 with=t=1,3 -- rand:{n*m} rand:{t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL bytes(const u8 *a, const u8 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++)
    ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
  q[i] = s;
}
// Two walks in one loop: each would need its own versions of it.
// CASE: two held=no load=exchange block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL two(const u32 *a, const u32 *b, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++) {
    ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
    ONE for (int j = 0; j < m; j++) s = s * 29 + b[i * m + j] * w[c * m + j];
  }
  q[i] = s;
}
// Two rows in one walk: what registers have room for is not worth it.
// CASE: both held=no load=exchange block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL both(const u32 *a, const u32 *b, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++)
    ONE for (int j = 0; j < m; j++) s = s * 31 + (a[i * m + j] ^ b[i * m + j]) * w[c * m + j];
  q[i] = s;
}
// A product of the loop around, and a sum behind the walk: with the walk's first iterations between them, not a jump, the backend
// would make them one. The cases are compiled without contraction, where nothing is made one.
// CHECK-LABEL: @crosses(
// CHECK-NOT: !coalda.again
// CHECK: ret void
// CASE: crosses held=yes load=exchange block=48 grid=1 full with=m=45 with=t=3 -- frand:{4*n*m} frand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL crosses(const float *a, const float *w, float *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float s = 0;
  ONE for (int c = 0; c < times; c++) {
    float p = w[c] * s;
    ONE for (int j = 0; j < m; j++) s = a[i * m + j] * w[c * m + j] + s * 0.25f;
    s = s + p;
  }
  q[i] = s;
}
