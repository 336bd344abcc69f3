// RUN: %rewritten %s --temp %t.d
// A row that the loop around its walk meets again in each iteration: what comes first of it, 128, 64 or 32 bytes, is loaded in front
// of both loops and held in registers. Shorter rows, and loops that may change the row or may not meet it, go on as they did.
// TEXT: levels=O3,O1
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// RUN: %opt '-passes=coalda<block=256>' -S %t.ll -o %t.256.ll
// RUN: %FileCheck %s --check-prefix=MOST < %t.256.ll
// RUN: %sim %t.ll --kernel nearest --grid 1 --block 64 --compare %t.256.ll -- frand:33280 frand:1560 zero:256 i32:3 i32:130 i32:64
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -w -I %S -I %S/../gen -O3 -fpass-plugin=%plugin -Rpass=coalda -Rpass-missed=coalda -Rpass-analysis=coalda -S %s -o %t.ptx 2>&1 | grep remark: > %t.told
// RUN: %FileCheck %s --check-prefix=TOLD < %t.told
#include "records.cuh"
#define ONE _Pragma("unroll 1")
// Five versions of the loop around: for rows of 64 words and more, of which nothing is held, so that as many threads wait side by
// side as before; of 32, 16 and 8, which move together, or, where the warp is not full, alone; and the original.
// CHECK-LABEL: @nearest(
// CHECK: icmp uge i32 %{{.*}}, 63
// CHECK: icmp uge i32 %{{.*}}, 31
// CHECK: icmp uge i32 %{{.*}}, 15
// CHECK: icmp uge i32 %{{.*}}, 7
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK-COUNT-8: load float, {{.*}}!coalda.again
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK-COUNT-16: load float, {{.*}}!coalda.again
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK-COUNT-32: load float, {{.*}}!coalda.again
// CHECK-NOT: !coalda.again
// CHECK-LABEL: @unrolled(
// Where they are asked for, 64 words.
// MOST-LABEL: @nearest(
// MOST-COUNT-8: load float, {{.*}}!coalda.again
// MOST-COUNT-16: load float, {{.*}}!coalda.again
// MOST-COUNT-32: load float, {{.*}}!coalda.again
// MOST-COUNT-64: load float, {{.*}}!coalda.again
// MOST-NOT: !coalda.again
// MOST-LABEL: @unrolled(
// CASE: nearest held=yes load=exchange plain:load=exchange block=48 grid=1 with=m=0,8,17,31,33,64,130 with=t=0,2 -- frand:{4*n*m+4} frand:{4*t*m+4} zero:{4*n} i32:{t} i32:{m} i32:{n}
// CASE: nearest fewer block=64 grid=1 full with=m=40 with=t=3 -- frand:{4*n*m+4} frand:{4*t*m+4} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL nearest(const float *a, const float *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  float best = 1e30f;
  u32 at = 0;
  ONE for (int c = 0; c < times; c++) {
    float s = 0;
    // TOLD: :[[#@LINE+2]]:{{[0-9]+}}: remark: load of 4 bytes{{.*}}; rewritten: {{.*}}, and are held in registers
    // TOLD-NEXT: :[[#@LINE+5]]:{{[0-9]+}}: remark: store of 4 bytes
    ONE for (int j = 0; j < m; j++) s += (a[i * m + j] - w[c * m + j]) * (a[i * m + j] - w[c * m + j]);
    // TOLD-NEXT: :[[#@LINE-1]]:{{[0-9]+}}: remark: load of 4 bytes{{.*}}, uniform
    if (s < best) best = s, at = c;
  }
  q[i] = at;
}
// As the compiler unrolls it: walks of four iterations, and what is left.
// CASE: unrolled held=yes load=exchange block=48 grid=1 full with=m=19,67 with=t=3 -- rand:{4*n*m+4} rand:{4*t*m+4} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL unrolled(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int c = 0; c < times; c++)
    for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
  q[i] = s;
}
// The loop around writes elsewhere, as its pointers promise.
// CASE: layer held=yes load=exchange block=48 grid=1 full with=m=45 with=t=3 -- frand:{4*n*m} frand:{4*t*m} zero:{4*n*t} i32:{t} i32:{m} i32:{n}
KERNEL layer(const float *__restrict__ a, const float *__restrict__ w, float *__restrict__ q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  ONE for (int c = 0; c < times; c++) {
    float s = 0;
    ONE for (int j = 0; j < m; j++) s += a[i * m + j] * w[c * m + j];
    q[c * n + i] = s;
  }
}
// A condition that all threads share is asked once.
// CASE: asked held=yes block=48 grid=1 full with=m=45 with=t=1,3 with=o=0,1 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{o} i32:{t} i32:{m} i32:{n}
KERNEL asked(const u32 *a, const u32 *w, u32 *q, int odd, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++) {
    s = s * 5 + w[c];
    if (odd) {
      ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
      s ^= s >> 3;
    }
    s += 7;
  }
  q[i] = s;
}
// The loop around may end early: behind the walk, whose first round has come by then. Before it, nobody knows.
// CASE: ends held=yes block=48 grid=1 full with=m=45 with=t=3 -- rand:{4*n*m} rand:{4*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL ends(const u32 *a, const u32 *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++) {
    ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
    if (s & 1) break;
    s += 3;
  }
  q[i] = s;
}
// Elements of 8 and of 12 bytes, from their ends, and of less than a word: those would take a register each.
// CASE: doubles held=yes load=exchange block=48 grid=1 full with=m=9,33 with=t=3 -- drand:{8*n*m} drand:{8*t*m} zero:{8*n} i32:{t} i32:{m} i32:{n}
KERNEL doubles(const double *a, const double *w, double *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  double s = 0;
  ONE for (int c = 0; c < times; c++)
    ONE for (int j = 0; j < m; j++) s += a[i * m + j] * w[c * m + j];
  q[i] = s;
}
struct Point { u32 x, y, z; };
// CASE: points held=yes load=exchange block=48 grid=1 full with=m=5,20 with=t=3 -- rand:{12*n*m} rand:{12*t*m} zero:{4*n} i32:{t} i32:{m} i32:{n}
KERNEL points(const Point *a, const Point *w, u32 *q, int times, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++)
    ONE for (int j = m - 1; j >= 0; j--) {
      const Point &p = a[i * m + j], &o = w[c * m + j];
      s = s * 31 + p.x * o.x + p.y * o.y + p.z * o.z;
    }
  q[i] = s;
}
// As many iterations as are known: all of the row, and no loop is left.
// CASE: all held=yes fewer load=exchange block=64 grid=1 with=t=3 -- rand:{4*n*32} rand:{4*t*32} zero:{4*n} i32:{t} i32:{n}
KERNEL all(const u32 *a, const u32 *w, u32 *q, int times, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  ONE for (int c = 0; c < times; c++)
    ONE for (int j = 0; j < 32; j++) s = s * 31 + a[i * 32 + j] * w[c * 32 + j];
  q[i] = s;
}
// In a loop over rows.
// CASE: strides held=yes load=exchange block=48 grid=1 full with=m=17 with=t=3 -- rand:{4*3*n*m} rand:{4*t*m} zero:{4*3*n} i32:{t} i32:{m} i32:{3*n}
KERNEL strides(const u32 *a, const u32 *w, u32 *__restrict__ q, int times, int m, int n) {
  ONE for (int i = ROW; i < n; i += blockDim.x * gridDim.x) {
    u32 s = 0;
    ONE for (int c = 0; c < times; c++)
      ONE for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j] * w[c * m + j];
    q[i] = s;
  }
}
