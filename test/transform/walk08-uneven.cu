// RUN: %rewritten %s --temp %t.d
// Rows of elements whose size does not divide a block: as many iterations move together as it holds, a power of two. 8 elements of
// 12 bytes are 96 bytes, whole sectors all the same.
// RUN: %clang-device -I %S/../gen -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// A block of 160 bytes would be moved in chunks of 128 and of 32: too few to pay. Half as much is moved then.
// RUN: %opt -passes=coalda -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %FileCheck %s --check-prefix=BYTES < %t.yaml
// BYTES-NOT: RecordBytes: {{.*}}160
// BYTES: RecordBytes: {{.*}}80
// BYTES-NOT: RecordBytes: {{.*}}160
// TEXT: levels=O3,O1
#include "records.cuh"

struct Point { u32 x, y, z; };
struct Sample { u32 v[5]; };
struct Colour { u8 r, g, b; };

// Of a row that is all that the loop reads, 16 elements: 192 bytes a thread, in pieces of 16.
// CHECK-LABEL: @points(
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK-COUNT-12: load <4 x i32>
// CASE: points load=exchange plain:load=exchange block=48 grid=1 with=m=0,1,7,8,9,16,40 -- rand:{12*n*m+12} zero:{4*n} i32:{m} i32:{n}
// CASE: points fewer block=64 grid=1 full with=m=40 -- rand:{12*n*m+12} zero:{4*n} i32:{m} i32:{n}
KERNEL points(const Point *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j].x + 3 * a[i * m + j].y + 5 * a[i * m + j].z;
  q[i] = s;
}
// The last element ends with the memory, rows from their ends.
// CASE: backward load=exchange block=48 grid=1 full with=m=1,31,32,33 -- rand:{20*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL backward(const Sample *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = m - 1; j >= 0; j--)
    for (int k = 0; k < 5; k++) s = s * 31 + a[i * m + j].v[k];
  q[i] = s;
}
// In place.
// CASE: moved load=exchange store=exchange plain:store=exchange block=48 grid=1 with=m=1,8,15,40 -- rand:{12*n*m+12} rand:{12*m+12}:3 i32:{m} i32:{n}
KERNEL moved(Point *a, const Point *by, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) {
    Point p = a[i * m + j];
    a[i * m + j] = Point{p.x + by[j].x, p.y ^ by[j].y, p.z * by[j].z};
  }
}
// Some fields only: what lies between them is not touched.
// CASE: two_of_three load=exchange block=48 grid=1 full with=m=9,40 -- rand:{12*n*m} zero:{4*n} i32:{m} i32:{n}
KERNEL two_of_three(const Point *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j].x * a[i * m + j].y;
  q[i] = s;
}
// Written, and the padding keeps what it held.
// CASE: padded store=exchange block=48 grid=1 full with=m=9,40 -- rand:{12*n*m} i32:{m} i32:{n}
KERNEL padded(Point *a, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  for (int j = 0; j < m; j++) {
    a[i * m + j].x = i * j;
    a[i * m + j].z = i - j;
  }
}
// Bytes: every alignment, every first element.
// CASE: colours load=exchange block=48 grid=1 full with=m=31,32,70 with=o=0,1,2,3 -- rand:{3*n*m+8} ref:0+{o} zero:{4*n} i32:{m} i32:{n}
KERNEL colours(const u8 *, const Colour *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j].r + 3 * a[i * m + j].g + 5 * a[i * m + j].b;
  q[i] = s;
}
// Rows of unequal length.
// CASE: unequal load=exchange block=48 grid=1 full with=m=5,8,20 -- rand:{12*n*(m+13)} zero:{4*n} i32:{m} i32:{n}
KERNEL unequal(const Point *a, u32 *q, int m, int n) {
  int i = ROW;
  if (i >= n) return;
  u32 s = 0;
  for (int j = 0; j < m + i % 13; j++) s = s * 31 + a[i * (m + 13) + j].x - 7 * a[i * (m + 13) + j].y + a[i * (m + 13) + j].z;
  q[i] = s;
}
