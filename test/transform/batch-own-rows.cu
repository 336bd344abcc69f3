// Two iterations stand in one body where threads march side by side; not where each changes a row of its own in place, less than a line at a time: stores would wait for loads of their line.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -g1 -S %s -o /dev/null -fpass-plugin=%plugin -Rpass=coalda -Rpass-missed=coalda 2>&1 | grep 'loads of the loop' | %FileCheck %s
// CHECK: left as it is: a warp stores where it loads
// CHECK: rewritten: {{[0-9]+}} loads come first
// CHECK: left as it is: a warp stores where it loads
// CHECK-NOT: loads of the loop

#include "clouds.cuh"

__global__ void planes(float *t, float *vapour, float *cloud, const float *pressure, float *fallen, int n, int levels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float flux = 0;
    for (int k = levels - 1; k >= 0; k--) {
        long at = (long)k * n + i;
        float more = (vapour[at] - pressure[at] / (t[at] - 30)) * 0.2f;
        vapour[at] -= more;
        cloud[at] += more + flux;
        t[at] += 0.1f * more;
        flux = cloud[at] * 0.1f;
    }
    fallen[i] += flux;
}
// A warp's row that begins anywhere says no for the loop, whatever other rows move by.
template <class One, class Other> __device__ void both(One *a, Other *b, long at, long beside)
{
    One x = a[at];
    Other y = b[beside];
    a[at] = x > 0 ? x * 2 + 1 : x;
    b[beside] = y * y + 3;
}
__global__ void mixed(float *__restrict__ a, double *__restrict__ b, int rows, int m)
{
    int w = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, l = threadIdx.x & 31;
    if (w < rows)
        for (int j = l; j < m; j += 32)
            both(a, b, (long)w * m + j, (long)w * 1024 + j);
}
