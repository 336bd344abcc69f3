// As many words cost the same, to the last bit, whatever the price of one: all prices in another unit decide as before, here for words that all lanes
// are given, singly or several at once, beside two rows that each thread walks.
// RUN: %clang-device -O3 %s -o %t.ll && %opt -passes=coalda -S %t.ll -o %t.builtin
// RUN: printf 'REPLY 28.42\n' > %t.other && %opt -passes='coalda<cost=%t.other>' -S %t.ll | diff %t.builtin -
// RUN: printf 'REPLY 12.3\n' > %t.less && %opt -passes='coalda<cost=%t.less>' -S %t.ll | diff %t.builtin -
// RUN: printf 'REPLY 0.1\n' > %t.least && %opt -passes='coalda<cost=%t.least>' -S %t.ll | diff %t.builtin -
// RUN: %FileCheck %s < %t.builtin
// CHECK: shfl
__global__ void two(const float *A, const float *B, const float *x, float *y, int rows, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows) return;
  float a = 0, b = 0;
  for (int j = 0; j < n; j++) {
    a += A[(long)i * n + j] * x[j];
    b += B[(long)i * n + j] * x[j];
  }
  y[i] = 0.5f * a + 0.25f * b;
}
