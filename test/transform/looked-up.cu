// RUN: %rewritten %s --temp %t.d
// TEXT: archs=sm_80
// Records and rows that lanes look up, and may share: where a warp has few of them, the original runs. Of records whose distance is known by how far apart they lie, of rows by how many neighbours are elsewhere.
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -nocudainc -nocudalib -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_75 -S -emit-llvm -nocudainc -nocudalib -I %S/../gen %s -o %t.75.ll
// RUN: %opt -passes=coalda -S %t.75.ll | %FileCheck %s --check-prefix=OLD
// OLD: shfl
// OLD-NOT: redux
#include "records.cuh"
template <int N> struct Rec { u32 v[N]; };
template <int N> __device__ u32 mixed(const Rec<N> &r) {
  u32 h = 1;
#pragma unroll
  for (int k = 0; k < N; k++) h = h * 31 + r.v[k];
  return h;
}

// CHECK-LABEL: @records(
// CHECK: redux.sync.umax
// CHECK: redux.sync.umin
// CHECK: icmp uge i32 %{{[0-9]+}}, 1120
// CASE: records plain:load=exchange with=m=0,1,7,13,14,15,31,255 -- rand:{80*256} rand:{4*n+4} zero:{4*n+4} i32:{n} i32:{m}
// CASE: records with=m=7,255 few block=48 -- rand:{80*256} rand:{4*n+4} zero:{4*n+4} i32:{n} i32:{m}
KERNEL records(const Rec<20> *__restrict__ table, const int *__restrict__ which, u32 *__restrict__ out, int n, int mask) {
  int i = ROW;
  if (i < n) out[i] = mixed(table[which[i] & mask]);
}
// Whose words lie in the same banks: six of them.
// CHECK-LABEL: @banks(
// CHECK: redux.sync.umax
// CHECK: icmp uge i32 %{{[0-9]+}}, 768
// CASE: banks plain:load=exchange with=m=0,3,7,255 -- rand:{128*256} rand:{4*n+4} zero:{4*n+4} i64:{n} i32:{m}
KERNEL banks(const Rec<32> *__restrict__ table, const int *__restrict__ which, u32 *__restrict__ out, long n, int mask) {
  long i = ROW;
  if (i < n) out[i] = mixed(table[which[i] & mask]);
}
// Short ones are not worth asking.
// CHECK-LABEL: @little(
// CHECK-NOT: redux
// CASE: little with=m=0,7,255 -- rand:{48*256} rand:{4*n+4} zero:{4*n+4} i32:{n} i32:{m}
KERNEL little(const Rec<12> *__restrict__ table, const int *__restrict__ which, u32 *__restrict__ out, int n, int mask) {
  int i = ROW;
  if (i < n) out[i] = mixed(table[which[i] & mask]);
}
// Nor are those that are stored elsewhere, each to a place of its own.
// CHECK-LABEL: @copied(
// CHECK-NOT: redux
// CASE: copied plain:load=copy with=m=0,7,255 -- rand:{80*256} rand:{4*n+4} zero:{80*n+80} i32:{n} i32:{m}
KERNEL copied(const Rec<20> *__restrict__ table, const int *__restrict__ which, Rec<20> *__restrict__ out, int n, int mask) {
  int i = ROW;
  if (i < n) out[i] = table[which[i] & mask];
}
// Rows by their numbers: counted by neighbours. Some lanes share a row, in order or not, in rows that are a multiple of 64 bytes and others.
// CHECK-LABEL: @rows(
// CHECK: call i32 @llvm.ctpop
// CASE: rows plain:load=exchange with=m=0,1,7,255 with=w=32,35,37 -- rand:{4*256*w} rand:{4*n+4} zero:{4*n+4} i32:{n} i32:{m} i32:{w} i32:0
// CASE: rows with=s=0,1,2,3,5 with=w=32,64,67 -- rand:{4*256*w} zero:{4*n+4} zero:{4*n+4} i32:{n} i32:255 i32:{w} i32:{s}
KERNEL rows(const u32 *__restrict__ table, const int *__restrict__ which, u32 *__restrict__ out, int n, int mask, int w, int shift) {
  int i = ROW;
  if (i >= n) return;
  const u32 *row = table + (long)((which[i] + (i >> shift)) & mask) * w;
  u32 h = 1;
  for (int j = 0; j < w; j++) h = h * 31 + row[j];
  out[i] = h;
}
// Neighbours of one place are many, however near: a warp's own tile, slots of a cell. By two indices it is the smaller step that counts.
// CHECK-LABEL: @tiles(
// CHECK-NOT: redux
// CASE: tiles plain:load=exchange with=m=0,7 -- rand:{80*256} rand:{4*n+4} zero:{4*n+4} i32:{n} i32:{m}
KERNEL tiles(const Rec<20> *__restrict__ table, const int *__restrict__ which, u32 *__restrict__ out, int n, int mask) {
  int i = ROW;
  if (i < n) out[i] = mixed(table[(which[i / 32] & mask) * 32 + (i & 31)]);
}
// CHECK-LABEL: @slots(
// CHECK: redux.sync.umax
// CHECK: icmp uge i32 %{{[0-9]+}}, 1120
// CASE: slots plain:load=exchange with=m=0,7 -- rand:{80*256} rand:{4*n+4} zero:{4*n+4} i32:{n} i32:{m}
KERNEL slots(const Rec<20> *__restrict__ table, const int *__restrict__ which, u32 *__restrict__ out, int n, int mask) {
  int i = ROW;
  if (i < n) out[i] = mixed(table[(which[i / 2] & mask) * 32 + (which[i] >> 8 & 31)]);
}
// Nothing has many of records that are larger than tables.
// CHECK-LABEL: @huge(
// CHECK-NOT: redux
// CASE: huge few -- rand:80 rand:{4*n+4} zero:{4*n+4} i32:{n} i32:0
KERNEL huge(const Rec<20> *__restrict__ table, const int *__restrict__ which, u32 *__restrict__ out, int n, int mask) {
  int i = ROW;
  if (i < n) out[i] = mixed(*(const Rec<20> *)((const char *)table + ((long)(which[i] & mask) << 40)));
}
// Lists begin where a number says.
// CHECK-LABEL: @lists(
// CHECK-NOT: call i32 @llvm.ctpop
// CASE: lists with=m=0,7,255 -- rand:{4*512} rand:{4*n+4} zero:{4*n+4} i32:{n} i32:{m} i32:40
KERNEL lists(const u32 *__restrict__ table, const int *__restrict__ which, u32 *__restrict__ out, int n, int mask, int w) {
  int i = ROW;
  if (i >= n) return;
  const u32 *row = table + (which[i] & mask);
  u32 h = 1;
  for (int j = 0; j < w; j++) h = h * 31 + row[j];
  out[i] = h;
}
// As far apart as the program says.
// CHECK-LABEL: @tenth(
// CHECK-NOT: redux
// CASE: tenth with=m=0 -- rand:{80*n+160} zero:{4*n+4} i32:{n}
KERNEL tenth(const u32 *__restrict__ x, u32 *__restrict__ out, int n) {
  int i = ROW;
  if (i < n) out[i] = mixed(*(const Rec<20> *)(x + i * 20));
}
// Windows as far apart as a number says that launches are given: those that begin near each other the cache hands out, and records that overlap nowhere are moved.
// So are those that are no multiple of a sector apart, a little further.
// CHECK-LABEL: @peaks(
// CHECK: redux.sync.umax
// CHECK: [[APART:%.*]] = sub i32
// CHECK: [[WITHIN:%.*]] = and i32 [[APART]], 31
// CHECK: [[EVEN:%.*]] = icmp eq i32 [[WITHIN]], 0
// CHECK: [[FAR:%.*]] = select i1 [[EVEN]], i32 1984, i32 3100
// CHECK: icmp uge i32 [[APART]], [[FAR]]
// CASE: peaks plain:load=exchange with=m=0,1,5,15,16,17,24,25,33,40 -- rand:{4*n*m+160} zero:{4*n+4} i32:{n} i32:{m}
// CASE: peaks with=m=1,16 few block=48 -- rand:{4*n*m+160} zero:{4*n+4} i32:{n} i32:{m}
KERNEL peaks(const int *x, int *out, unsigned n, unsigned hop) {
  for (unsigned i = ROW; i < n; i += gridDim.x * blockDim.x) {
    const int *p = x + i * hop;
    int most = 0;
#pragma unroll
    for (int k = 0; k < 33; k++) most = p[k] > most ? p[k] : p[k] < -most ? -p[k] : most;
    out[i] = most;
  }
}
// Pieces of rows, which a loop goes along, and which registers hold here, are none: nobody asks.
// CHECK-LABEL: @centres(
// CHECK: shfl
// CHECK-NOT: redux
// CASE: centres with=m=0,3,8,12,16,33 -- frand:{4*n*m+64} frand:{4*9*m+64} zero:{4*n} i32:{n} i32:{m} i32:9
KERNEL centres(const float *__restrict__ x, const float *__restrict__ c, int *__restrict__ out, int n, int m, int many) {
  int i = ROW, at = 0;
  if (i >= n) return;
  float best = 1e30f;
  for (int k = 0; k < many; k++) {
    float s = 0;
    for (int j = 0; j < m; j++) s += (x[i * m + j] - c[k * m + j]) * (x[i * m + j] - c[k * m + j]);
    if (s < best) best = s, at = k;
  }
  out[i] = at;
}
// CHECK-LABEL: @taps(
// CHECK: redux.sync.umax
// CHECK: select i1 %{{[0-9]+}}, i32 1984, i32 3968
// CASE: taps plain:load=exchange with=m=0,2,8,9,17,19 -- rand:{8*n*m+160} zero:{8*n+8} i64:{n} i64:{m}
KERNEL taps(const u64 *__restrict__ x, u64 *__restrict__ out, u64 n, u64 hop) {
  u64 i = ROW, s = 0;
  if (i >= n) return;
#pragma unroll
  for (int k = 0; k < 16; k++) s = s * 3 + x[i * hop + k];
  out[i] = s;
}
