// A few bytes that data let a lane store are left, wherever they lie: knowing who stores takes longer than the stores. More of them move together.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o - -fpass-plugin=%plugin | %FileCheck %s
// CHECK-LABEL: .entry _Z6maskedIsEvPKT_PS0_ii(
// CHECK: shfl
// CHECK-LABEL: .entry _Z6maskedIhEvPKT_PS0_ii(
// CHECK-NOT: shfl

template <class T> __global__ void masked(const T *from, T *to, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
#pragma unroll
    for (int j = 0; j < 4; j++)
        if (from[(size_t)i * m + j] > 100)
            to[(size_t)i * m + j] = 100;
}
template __global__ void masked(const short *, short *, int, int);
template __global__ void masked(const unsigned char *, unsigned char *, int, int);
