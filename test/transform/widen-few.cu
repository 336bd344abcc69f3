// Stores of a row become wider ones where half of them are gone then. Where they are three and become two, all of them would wait for the last one, and for what is loaded in between.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o - -fpass-plugin=%plugin | %FileCheck %s
// CHECK-LABEL: .entry _Z4rainP5LevelPfii(
// CHECK-NOT: st.global.v
// CHECK-LABEL: .entry _Z6turnedPfPKfii(
// CHECK: st.global.v

#include "clouds.cuh"

__global__ void turned(float *rows, const float *angles, int n, int m)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float *row = rows + (size_t)i * m;
#pragma unroll 4
    for (int j = 0; j < m; j += 2) {
        float s, c, x = row[j], y = row[j + 1];
        sincosf(angles[j / 2], &s, &c);
        row[j] = x * c - y * s;
        row[j + 1] = x * s + y * c;
    }
}
