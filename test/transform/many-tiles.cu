// Whether a loop becomes a ring if LLVM leaves it as it is, is tried on a copy of the whole function: of one that has many such loops, some
// are tried, and the others are left to LLVM. A kernel of 72 took minutes.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -DMANY=1 -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: grep -c "tried: a loop kept" %t.log | %FileCheck %s --check-prefix=SOME
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -nocudainc -nocudalib -O3 -I%S -I%S/../gen -fpass-plugin=%plugin -mllvm -coalda-trace -S %s -o %t.ptx 2> %t.log
// RUN: grep -c "tried: a loop kept" %t.log | %FileCheck %s --check-prefix=ALL
// RUN: %FileCheck %s --check-prefix=RING < %t.ptx
#include "records.cuh"

// SOME: {{^[12][0-9]$}}
// ALL: {{^4$}}
// RING: cp.async.wait_group

__device__ inline float product(const float *a, const float *b, int m, float (&s)[16][16], float (&t)[16][16], float sum)
{
    int x = threadIdx.x, y = threadIdx.y;
    for (int q = 0; q < 8; q++) {
        s[y][x] = a[y * m + q * 16 + x];
        t[y][x] = b[(q * 16 + y) * m + x];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += s[y][i] * t[i][x];
        __syncthreads();
    }
    return sum;
}

__device__ inline float four(const float *a, const float *b, int m, float (&s)[16][16], float (&t)[16][16], float sum)
{
    sum = product(a, b, m, s, t, sum);
    sum = product(a + 128, b + 16, m, s, t, sum);
    sum = product(a + 256, b + 32, m, s, t, sum);
    return product(a + 384, b + 48, m, s, t, sum);
}

__global__ void many(float *o, const float *__restrict__ a, const float *__restrict__ b, int m)
{
    __shared__ float s[16][16], t[16][16];
    float sum = four(a, b, m, s, t, 0);
#ifdef MANY
    sum = four(a + 512, b + 64, m, s, t, sum);
    sum = four(a + 1024, b + 128, m, s, t, sum);
    sum = four(a + 1536, b + 192, m, s, t, sum);
    sum = four(a + 2048, b + 256, m, s, t, sum);
    sum = four(a + 2560, b + 320, m, s, t, sum);
    sum = four(a + 3072, b + 384, m, s, t, sum);
    sum = four(a + 3584, b + 448, m, s, t, sum);
#endif
    o[threadIdx.y * m + threadIdx.x] = sum;
}
