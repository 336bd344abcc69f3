// Windows whose sizes are members of a struct that is passed by value are known as such; rows of a matrix whose pitch and length are, are rows.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S %s -o /dev/null -fpass-plugin=%plugin -mllvm -coalda-trace 2> %t.log
// RUN: %FileCheck %s < %t.log && %FileCheck %s --check-prefix=NO < %t.log
struct Shape { int n, c, h, w, k, kh, kw, stride, pad, oh, ow, pitch; };
// NO-NOT: conv{{.*}}made: walk
__global__ void conv(const float *in, const float *weight, float *out, Shape s)
{
    int ox = blockIdx.x * blockDim.x + threadIdx.x, oy = blockIdx.y * blockDim.y + threadIdx.y, k = blockIdx.z % s.k, n = blockIdx.z / s.k;
    if (ox >= s.ow || oy >= s.oh)
        return;
    float acc = 0;
    for (int c = 0; c < s.c; c++)
        for (int fy = 0; fy < s.kh; fy++) {
            int iy = oy * s.stride - s.pad + fy;
            if (iy < 0 || iy >= s.h)
                continue;
            for (int fx = 0; fx < s.kw; fx++) {
                int ix = ox * s.stride - s.pad + fx;
                if (ix < 0 || ix >= s.w)
                    continue;
                acc += in[((n * s.c + c) * s.h + iy) * s.w + ix] * weight[((k * s.c + c) * s.kh + fy) * s.kw + fx];
            }
        }
    out[((n * s.k + k) * s.oh + oy) * s.ow + ox] = acc;
}
// CHECK-DAG: rows{{.*}}made: walk
__global__ void rows(const float *a, float *o, Shape s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, e = s.kw < s.w ? s.kw : s.w, b = s.pad > 0 ? s.pad : 0;
    float t = 0;
    for (int j = b; j < e; j++)
        t += a[i * s.pitch + j];
    o[i] = t;
}
// CHECK-DAG: chunks{{.*}}made: walk
__global__ void chunks(const float *a, float *o, Shape s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, b = i * s.kw, e = b + s.kw < s.w ? b + s.kw : s.w;
    float t = 0;
    for (int j = b; j < e; j++)
        t += a[j];
    o[i] = t;
}
