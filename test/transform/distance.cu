// Offsets of a walk's piece: proved where an index that wraps is poison, for then the access may do anything. Else the first
// and the last of them are tested: those in between wrap only if one of these does.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='coalda<block=128;without=shelves>' -S %t.ll -o %t.out.ll
// RUN: %FileCheck %s < %t.out.ll
// Where pieces of 16 bytes pay.
// RUN: echo 'WALKED 16' > %t.cost
// RUN: %opt -passes='coalda<cost=%t.cost>' -S %t.ll | %FileCheck %s --check-prefix=SHORT
typedef unsigned u32;

// Its tests: all lanes, the alignment, the row's distance.
// CHECK-LABEL: @exact(
// CHECK: activemask
// CHECK-NEXT: icmp eq i32
// CHECK-NOT: icmp eq
// CHECK: %[[LOW:[0-9]+]] = and i64 %{{[0-9]+}}, 15
// CHECK-NEXT: icmp eq i64 %[[LOW]], 0
// CHECK-NOT: vote.all
// CHECK: icmp eq
// CHECK-NOT: icmp eq
// CHECK: vote.all
extern "C" __global__ void exact(const u32 *a, u32 *q, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  u32 s = 0;
#pragma unroll 1
  for (int j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}

// One offset besides.
// CHECK-LABEL: @may_wrap(
// CHECK: activemask
// CHECK-NEXT: icmp eq i32
// CHECK-NOT: icmp eq
// CHECK: %[[FIRST:[0-9]+]] = add i64 %{{[0-9]+}}, 124
// CHECK-NEXT: icmp eq i64 %{{[0-9]+}}, %[[FIRST]]
// CHECK-NOT: vote.all
// CHECK: %[[LOW:[0-9]+]] = and i64 %{{[0-9]+}}, 15
// CHECK: icmp eq i64 %[[LOW]], 0
// CHECK: icmp eq
// CHECK-NOT: icmp eq
// CHECK: vote.all
extern "C" __global__ void may_wrap(const u32 *a, u32 *q, u32 m) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  u32 s = 0;
#pragma unroll 1
  for (u32 j = 0; j < m; j++) s = s * 31 + a[i * m + j];
  q[i] = s;
}

// Two indices may wrap, each by itself: two offsets of three are tested.
// SHORT-LABEL: @two_wrap(
// SHORT-NOT: activemask
// SHORT-NOT: icmp eq
// SHORT: %[[LAST:[0-9]+]] = add i64 %{{[0-9]+}}, 8
// SHORT-NEXT: icmp eq i64 %{{[0-9]+}}, %[[LAST]]
// SHORT-NOT: icmp eq
// SHORT: %[[LAST:[0-9]+]] = add i64 %{{[0-9]+}}, 12
// SHORT-NEXT: icmp eq i64 %{{[0-9]+}}, %[[LAST]]
// SHORT: and i64 %{{[0-9]+}}, 15
extern "C" __global__ void two_wrap(const u32 *a, u32 *q, u32 m, u32 k) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  const u32 *p = a + m * i + (unsigned long)(k * i);
  q[i] = p[0] + a[(unsigned long)(m * i + 1) + k * i] + a[m * i + (unsigned long)(k * i + 2)] + a[(unsigned long)(m * i + 3) + k * i];
}
