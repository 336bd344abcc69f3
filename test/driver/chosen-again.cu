// Records of a row that the loop around meets again, in an iteration that data choose, are in the first-level cache, and lanes come to them apart: they stay as they are. The keys
// are walked.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o /dev/null -fpass-plugin=%plugin -Rpass=coalda -Rpass-missed=coalda 2> %t.log
// RUN: %FileCheck %s < %t.log && %FileCheck %s --check-prefix=NO < %t.log
// NO-NOT: 3 loads of 4 bytes{{.*}}; rewritten
// CHECK: 2 loads of 4 bytes, walk{{.*}}; rewritten
__global__ void smooth(const float *key, const float *rec, float *o, int rows, int m, float cut)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    for (int p = 0; p < m; p++) {
        float c = key[i * m + p], s0 = 0, s1 = 0, s2 = 0, w = 0;
        for (int j = 0; j < m; j++) {
            float d = fabsf(c - key[i * m + j]);
            if (d > cut)
                continue;
            float g = 1 / (1 + d);
            s0 += g * rec[(i * m + j) * 3];
            s1 += g * rec[(i * m + j) * 3 + 1];
            s2 += g * rec[(i * m + j) * 3 + 2];
            w += g;
        }
        float *q = o + (i * m + p) * 3;
        if (w > 1e-6f)
            q[0] = s0 / w, q[1] = s1 / w, q[2] = s2 / w;
    }
}
__global__ void pairs(const float *key, const float *rec, float *o, int rows, int m, float cut)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows)
        return;
    float e = 0;
    const float *k = key + i * m, *r = rec + i * m * 3;
    for (int p = 0; p < m; p++)
        for (int j = 0; j < p; j++)
            if (k[j] != k[p] && k[j] < cut * 3) {
                float x = r[3 * p] - r[3 * j], y = r[3 * p + 1] - r[3 * j + 1], z = r[3 * p + 2] - r[3 * j + 2];
                e += 1 / (x * x + y * y + z * z + 0.1f);
            }
    o[i] = e;
}
// Nor do a few words of records that data choose, for which a warp asks who stores; more of them do.
struct Five { float x, y, z, w; int kind; };
struct Eight { float x, y, z, u, v, w, mass; int kind; };
__global__ void few(Five *p, int n, float g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || p[i].kind % 3 == 0)
        return;
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: remark: 4 stores of 4 bytes{{.*}}; not rewritten
    p[i].x = g, p[i].y = g * 2, p[i].z = g * 3, p[i].w = g * 4;
}
__global__ void more(Eight *p, int n, float g)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n || p[i].kind % 3 == 0)
        return;
    // CHECK: [[#@LINE+1]]:{{[0-9]+}}: remark: 6 stores of 4 bytes{{.*}}; rewritten
    p[i].x = g, p[i].y = g * 2, p[i].z = g * 3, p[i].u = g * 4, p[i].v = g * 5, p[i].w = g * 6;
}
