// Kernels of about as many words as there are registers for blocks of 1024 are kept to these, as plain clang may have been; and so are their spares, which are launched where the
// kernel would be by whoever has asked what it takes.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S %s -o - -fpass-plugin=%plugin -mllvm -coalda-spares | %FileCheck %s
// CHECK: .entry near(
// CHECK: .maxntid 1024
// CHECK: .entry few(
// CHECK: .maxnreg 64
// CHECK: .entry near$coalda1$arg3_u32_below_32(
// CHECK: .maxntid 1024
// CHECK: .entry few$coalda1$arg3_u32_below_32(
// CHECK-NOT: .maxn
template <int N> __device__ void sums(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ o, int m)
{
    long i = blockIdx.x * blockDim.x + threadIdx.x;
    const float *r = a + i * m;
    float s = 0, t = 0, held[N];
#pragma unroll
    for (int k = 0; k < N; k++)
        held[k] = x[k * 1024 + i];
    for (int j = 0; j < m; j++)
        s += r[j];
    for (int j = 0; j < m; j++)
        t += r[j] * s;
#pragma unroll
    for (int k = 0; k < N; k++)
        o[k * 1024 + i] = held[k] * s + held[N - 1 - k] * t;
}
extern "C" __global__ void near(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ o, int m) { sums<46>(a, x, o, m); }
extern "C" __global__ void few(const float *__restrict__ a, const float *__restrict__ x, float *__restrict__ o, int m) { sums<4>(a, x, o, m); }
