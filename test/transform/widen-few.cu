// Stores of a row become wider ones where half of them are gone then. Where they are three and become two, all of them would wait for the last one, and for what is loaded in between.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o - -fpass-plugin=%plugin | %FileCheck %s
// CHECK-LABEL: .entry _Z4rainP5LevelPfii(
// CHECK-NOT: st.global.v
// CHECK-LABEL: .entry _Z6turnedPfPKfii(
// CHECK: st.global.v

struct Level { float t, vapour, cloud, drops, pressure, height; };

__global__ void rain(Level *columns, float *fallen, int n, int levels)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    Level *column = columns + (size_t)i * levels;
    float flux = 0;
    for (int k = levels - 1; k >= 0; k--) {
        float more = (column[k].vapour - column[k].pressure / (column[k].t - 30)) * 0.2f;
        if (more > 0) {
            column[k].vapour -= more;
            column[k].cloud += more;
            column[k].t += 0.1f * more;
        } else {
            float less = fminf(-more, column[k].cloud);
            column[k].cloud -= less;
            column[k].vapour += less;
            column[k].t -= 0.1f * less;
        }
        float grown = fmaxf(column[k].cloud - 0.001f, 0) * 0.001f;
        column[k].cloud -= grown;
        column[k].drops += grown + flux / (1 + column[k].height);
        flux = column[k].drops * 0.1f;
        column[k].drops -= flux;
    }
    fallen[i] += flux;
}

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
