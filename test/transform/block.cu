// How much of a row moves at a time can be said for one kernel and for all.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='coalda<always;without=shelves>' -S %t.ll | %FileCheck %s --check-prefixes=CHECK,DEFAULT
// RUN: %opt -passes='coalda<always;block=64>' -S %t.ll | %FileCheck %s --check-prefixes=CHECK,FOUR
// RUN: %opt -coalda-block=0 -passes='coalda<always>' -S %t.ll | %FileCheck %s --check-prefixes=NONE
#define ROW \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  float s = 0; \
  _Pragma("unroll 1") for (int j = 0; j < m; j++) s += a[i * m + j]; \
  y[i] = s;

// A single row moves 256 bytes at a time, sixteen loads of 16; 64 are four.
// CHECK-LABEL: @unsaid(
// DEFAULT-COUNT-16: load <4 x i32>
// FOUR-COUNT-4: load <4 x i32>
// CHECK-NOT: load <4 x i32>
// NONE-LABEL: @unsaid(
// NONE-NOT: load <4 x i32>
extern "C" __global__ void unsaid(const float *a, float *y, int m) { ROW }

// CHECK-LABEL: @thirty_two(
// CHECK-COUNT-2: load <4 x i32>
// CHECK-NOT: load <4 x i32>
// NONE-LABEL: @thirty_two(
// NONE: load <4 x i32>
extern "C" __global__ __attribute__((annotate("coalda.block=32"))) void thirty_two(const float *a, float *y, int m) { ROW }

// CHECK-LABEL: @nothing(
// CHECK-NOT: load <4 x i32>
// CHECK: ret void
extern "C" __global__ __attribute__((annotate("coalda.block=0"))) void nothing(const float *a, float *y, int m) { ROW }

// Each of two loops moves 128 bytes at a time, eight loads of 16: both would pay for more in code. What a loop that is unrolled by hand leaves
// over is no second loop.
// DEFAULT-LABEL: @twice(
// DEFAULT-COUNT-16: load <4 x i32>
// DEFAULT-NOT: load <4 x i32>
extern "C" __global__ void twice(const float *a, float *y, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0, most = 0;
  _Pragma("unroll 1") for (int j = 0; j < m; j++) most = fmaxf(most, a[i * m + j]);
  _Pragma("unroll 1") for (int j = 0; j < m; j++) s += a[i * m + j] - most;
  y[i] = s;
}

// DEFAULT-LABEL: @by_hand(
// DEFAULT-COUNT-15: load <4 x i32>
extern "C" __global__ void by_hand(const float *__restrict__ a, float *__restrict__ y, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, j = 0;
  const float *row = a + (size_t)i * m;
  float s = 0, t = 0, u = 0, v = 0;
  for (; j + 4 <= m; j += 4) s += row[j], t += row[j + 1], u += row[j + 2], v += row[j + 3];
  for (; j < m; j++) s += row[j];
  y[i] = s + t + u + v;
}
