// Sums in memory over regions whose bounds are rounded stay as they are: neither held in registers behind tests, nor four iterations at a time.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o /dev/null -fpass-plugin=%plugin -mllvm -coalda-trace 2> %t.log
// RUN: %FileCheck %s < %t.log && %FileCheck %s --check-prefix=NO < %t.log
// NO-NOT: back{{.*}}made: tally
// NO-NOT: pool{{.*}}made: tally
// NO-NOT: back{{.*}}side by side
// NO-NOT: pool{{.*}}side by side
__global__ void back(float *gi, const float *go, int n, int w, int k, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = i % w, a = fmaxf(0.f, ceilf((x - (float)k + 1) / s)), b = min(x / s, w / s - 1);
    for (int o = a; o <= b; o++)
        gi[i] += go[i / w * (w / s) + o] / k;
}
__global__ void pool(float *gi, const float *go, int n, int w, int h, float s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int y = (int)(i / w * s); y < (int)((i / w + 1) * s); y++)
        for (int x = (int)(i % w * s); x < (int)((i % w + 1) * s); x++)
            gi[i] += go[y * h + x];
}
// CHECK-DAG: added{{.*}}made: tally
__global__ void added(float *gi, const float *go, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    for (int x = 0; x < m; x++)
        gi[i] += go[x * n + i];
}
// How long a frame is was not rounded, wherever it begins.
// CHECK-DAG: frames{{.*}}side by side
__global__ void frames(const float *in, float *out, int n, float hop, int win)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int b = (int)(i * hop);
    float s = 0;
    for (int k = b; k < b + win; k++)
        s += in[k];
    out[i] = s;
}
// A number that a function of floats returns was not rounded, either.
// CHECK-DAG: called{{.*}}made: walk
__device__ __noinline__ int length(const float *a, float q, int n)
{
    int k = 0;
    while (k < n && a[k] != q)
        k++;
    return k;
}
__global__ void called(const float *a, float *o, float q, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = length(a + i * m, q, m);
    float s = 0;
    for (int j = 0; j < n; j++)
        s += a[i * m + j];
    o[i] = s;
}
