// Kernels as they were stand beside those whose walks meet rows again, for launches of few threads, and beside marches whose iterations stand side by side, for launches of many.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.plain.ptx
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.ptx -fpass-plugin=%plugin -mllvm -coalda-spares
// RUN: %python %S/spare.py %t.plain.ptx %t.ptx > %t.out && %FileCheck %s < %t.out && %FileCheck %s --check-prefix=NO < %t.out
// RUN: echo 'FEW 0 threads' > %t.cost && echo 'BATCH_THIN 4 words' >> %t.cost && echo 'SHELF_FULL 0 threads' >> %t.cost
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o %t.none.ptx -fpass-plugin=%plugin -mllvm -coalda-spares -mllvm -coalda-cost=%t.cost
// RUN: %python %S/spare.py %t.plain.ptx %t.none.ptx > %t.none && %not grep -E 'few|full' %t.none
#include "near.cuh"

// lags: sums of products with what lies a few words further. No number of iterations is told.
// CHECK-DAG: _Z4lagsPKfPfi$coalda1$few128_odd256_of132_arg2_u32_by4: as it was
// nearest: the row itself, by a long and a template; registers hold those that are shorter.
// CHECK-DAG: _Z7nearestPKfS0_Pill$coalda1$arg3_u64_below_16$few128_odd256_of132_arg3_u64_by4_unless_arg3_u64_below_64: as it was
// What is stored may lie in the row: none is held.
// CHECK-DAG: _Z6layersPKfS0_Pfjj$coalda1$arg3_u32_below_16$few128_odd256_of132_arg3_u32_by4: as it was
__global__ void layers(const float *x, const float *w, float *o, unsigned m, unsigned k)
{
    I;
    for (unsigned q = 0; q < k; q++)
        o[i * k + q] = product(x + i * m, w + q * m, m);
}
// Rows that lie further apart than they are long; downwards.
// CHECK-DAG: _Z5pitchPKfPfii$coalda1$arg2_u32_below_32_or_arg3_u32_below_16_odd25_by8$few128_odd256_of132_arg3_u32_by4: as it was
__global__ void pitch(const float *__restrict__ c, float *__restrict__ o, int m, int pitch)
{
    I;
    float z = 0.3f;
#pragma unroll 1
    for (int n = 0; n < 50; n++) {
        float p = 0;
        for (int k = m - 1; k >= 0; k--)
            p = p * z + c[i * pitch + k];
        z -= 0.01f * p;
    }
    o[i] = z;
}
// known: numbers that are, an odd one, one of 16 bytes, of 64; and none of a line.
// CHECK-DAG: _Z5knownILi101EEvPKfPfif$coalda1$few256_odd256_of132: as it was
template __global__ void known<101>(const float *, float *, int, float);
// CHECK-DAG: _Z5knownILi1001EEvPKfPfif$coalda1$few128_odd128_of132: as it was
template __global__ void known<1001>(const float *, float *, int, float);
// CHECK-DAG: _Z5knownILi100EEvPKfPfif$coalda1$few128_odd128_of132: as it was
template __global__ void known<100>(const float *, float *, int, float);
// CHECK-DAG: _Z5knownILi112EEvPKfPfif$coalda1$few64_odd64_of132: as it was
template __global__ void known<112>(const float *, float *, int, float);
// NO-NOT: knownILi128
template __global__ void known<128>(const float *, float *, int, float);
// A loop that is unrolled away, and four by hand; but two loops along a row are few.
// CHECK-DAG: _Z5powerPKfPfi$coalda1$arg2_u32_below_32$few128_odd256_of132_arg2_u32_by4: as it was
__global__ void power(const float *__restrict__ x, float *__restrict__ o, int m)
{
    I;
    float z = 0.5f;
    for (int n = 0; n < 5; n++) {
        float s = 0;
        for (int k = 0; k < m; k++)
            s = s * z + x[i * m + k];
        z = s;
    }
    o[i] = z;
}
// NO-NOT: variance{{.*}}few
__global__ void variance(const float *__restrict__ x, float *__restrict__ o, int m)
{
    I;
    float s = 0, q = 0;
    for (int k = 0; k < m; k++)
        s += x[i * m + k];
    for (int k = 0; k < m; k++)
        q += (x[i * m + k] - s) * (x[i * m + k] - s);
    o[i] = q;
}
// Another row each time; a row that is stored; bytes; a walk of other rows that stands in as many loops.
// NO-NOT: others{{.*}}few
__global__ void others(const float *__restrict__ x, float *__restrict__ o, int m, int n)
{
    I;
    float s = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
            s = s * 0.5f + x[(i * n + j) * m + k];
    o[i] = s;
}
// NO-NOT: relaxed{{.*}}few
__global__ void relaxed(float *x, int m, int n)
{
    I;
    for (int j = 0; j < n; j++)
        for (int k = 1; k < m; k++)
            x[i * m + k] = x[i * m + k] * 0.5f + 1;
}
// NO-NOT: counts{{.*}}few
__global__ void counts(const unsigned char *__restrict__ x, int *__restrict__ o, int m, int n)
{
    I;
    int s = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
            s = s * 31 + x[i * m + k];
    o[i] = s;
}
// NO-NOT: twice{{.*}}few
__global__ void twice(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ o, int m, int n)
{
    I;
    float s = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
            s = s * 0.5f + x[i * m + k];
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
            s = s * 0.5f + y[(i * n + j) * m + k];
    o[i] = s;
}
// A row that is stored, in front or behind, gains.
// NO-NOT: written{{.*}}few
__global__ void written(const float *__restrict__ x, float *__restrict__ o, int m, int n)
{
    I;
    float s = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
            s = s * 0.5f + x[i * m + k];
    for (int k = 0; k < m; k++)
        o[i * m + k] = s += 1;
}
// Local memory wants the cache as well.
// NO-NOT: local{{.*}}few
__global__ void local(const float *__restrict__ x, const int *__restrict__ at, float *__restrict__ o, int m, int n)
{
    I;
    float own[150], s = 0;
    for (int j = 0; j < 150; j++)
        own[j] = at[j] * o[i];
    for (int j = 0; j < n; j++)
        for (int k = 0; k < m; k++)
            s = s * own[(at[j] + k) % 150] + x[i * m + k];
    o[i] = s;
}
// The same place, told by a counter that is narrower than the address and goes down.
// CHECK-DAG: _Z4downPKfPfli$coalda1${{.*}}few128_odd256_of132_arg2_u64_by4: as it was
__global__ void down(const float *__restrict__ c, float *__restrict__ o, long m, int last)
{
    I;
    float z = 0.3f;
#pragma unroll 1
    for (int n = 0; n < 50; n++) {
        float p = 0;
        for (int k = last; k >= 0; k--)
            p = p * z + c[i * m + k];
        z -= 0.01f * p;
    }
    o[i] = z;
}
// Rows that are clamped, not guarded.
// CHECK-DAG: _Z7clampedPKfPfiiii$coalda1${{.*}}few128_odd256_of132_arg2_u32_by4_unless_arg2_u32_below_64: as it was
__global__ void clamped(const float *__restrict__ x, float *__restrict__ o, int m, int rows, int n, int from)
{
    I;
    int r = min(i, rows - 1);
    float s = 0;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < m; k++)
            s = s * 0.5f + x[r * m + k];
        s = sqrtf(s);
    }
    o[i] = s;
}
// Rows that lie as far apart as two numbers say.
// NO-NOT: unlike{{.*}}few
__global__ void unlike(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ o, int m, int n, int p)
{
    I;
    float s = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k + j < m; k++)
            s = s * 0.5f + x[i * m + k];
    for (int j = 0; j < n; j++)
        for (int k = 0; k + j < m; k++)
            s = s * 0.5f + y[i * p + k];
    o[i] = s;
}
// A walk in front or behind is no matter: the loops inside of others take the time.
// CHECK-DAG: _Z5firstPKfS0_Pfii$coalda1$few128_odd256_of132_arg3_u32_by4: as it was
__global__ void first(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ o, int m, int n)
{
    I;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += y[i * n + k];
    for (int j = 0; j < n; j++)
        for (int k = 0; k + j < m; k++)
            s = s * 0.5f + x[i * m + k];
    o[i] = s;
}
// CHECK-DAG: _Z4lastPKfS0_Pfii$coalda1$few128_odd256_of132_arg3_u32_by4: as it was
__global__ void last(const float *__restrict__ x, const float *__restrict__ y, float *__restrict__ o, int m, int n)
{
    I;
    float s = 0;
    for (int j = 0; j < n; j++)
        for (int k = 0; k + j < m; k++)
            s = s * 0.5f + x[i * m + k];
    for (int k = 0; k < n; k++)
        s += y[i * n + k];
    o[i] = s;
}
// Downwards, by a loop that is unrolled away: what an unrolled one leaves over is walked in front of it, of each row alike.
// CHECK-DAG: _Z6newtonPKfPfii$coalda1$arg3_u32_below_32$few128_odd256_of132_arg3_u32_by4: as it was
__global__ void newton(const float *__restrict__ c, float *__restrict__ o, int n, int m)
{
    I;
    float z = 0.3f;
    for (int step = 0; step < 12; step++) {
        float p = 0, d = 0;
        for (int k = m - 1; k >= 0; k--)
            d = d * z + p, p = p * z + c[(size_t)i * m + k];
        z -= 0.01f * p / (d * d + 1);
    }
    o[i] = z;
}
// Rows that begin a member of a struct behind each other are different ones.
struct Parts { long a, b, c, d; };
__device__ float reckoned(const float *r, int m, float z) { float s = 0; for (int k = 0; k < m; k++) s = s * z + r[k]; return s; }
// NO-NOT: members{{.*}}few
__global__ void members(const float *__restrict__ x, float *__restrict__ o, int m, Parts p)
{
    I;
    const float *r = x + (size_t)i * m;
    float z = reckoned(r + p.a, m, 0.5f);
    z = reckoned(r + p.b, m, z);
    z = reckoned(r + p.c, m, z);
    o[i] = reckoned(r + p.d, m, z);
}

// heat: a march through planes, of those that hold few words.
// CHECK-DAG: _Z4heatPKfPfiiif$coalda1$full_from_130000: as it was
// A warp a row is none, however much it loads.
// NO-NOT: wide{{.*}}full
__global__ void wide(const float *a, const float *b, const float *c, const float *d, const float *e, float *o, long m)
{
    long w = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
    for (long j = threadIdx.x % 32; j < m; j += 32)
        o[w * m + j] = a[w * m + j] * b[w * m + j] + c[w * m + j] * d[w * m + j] - e[w * m + j];
}
