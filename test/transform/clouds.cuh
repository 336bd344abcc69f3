// Columns of a thread's own, a record a level, which are changed in place between loads and quotients.
#pragma once
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
