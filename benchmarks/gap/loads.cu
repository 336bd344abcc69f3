// Loops that wait for what they load, as users write them: each iteration could have its loads under way with those of others.
#include "gap.h"

__global__ void product_naive(const float *A, const float *B, float *C, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float s = 0;
    for (int k = 0; k < n; k++)
        s += A[y * n + k] * B[k * n + x];
    C[y * n + x] = s;
}

__global__ void tile_loop(const float *in, float *out, int n)
{
    __shared__ float tile[256];
    float s = 0;
    for (int t = 0; t < n; t += 256) {
        tile[threadIdx.x] = in[blockIdx.x * n + t + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < 256; k++)
            s += tile[k] * (k ^ threadIdx.x);
        __syncthreads();
    }
    out[blockIdx.x * 256 + threadIdx.x] = s;
}

__global__ void attention(const float *Q, const float *K, const float *V, float *out, int keys)
{
    int q = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float query[16], sum[16], most = -1e30f, norm = 0;
    for (int d = 0; d < 16; d++) {
        query[d] = Q[d * all + q];
        sum[d] = 0;
    }
    for (int j = 0; j < keys; j++) {
        float s = 0;
        for (int d = 0; d < 16; d++)
            s += query[d] * K[j * 16 + d];
        float m = fmaxf(most, s), old = __expf(most - m), now = __expf(s - m);
        norm = norm * old + now;
        for (int d = 0; d < 16; d++)
            sum[d] = sum[d] * old + now * V[j * 16 + d];
        most = m;
    }
    for (int d = 0; d < 16; d++)
        out[d * all + q] = sum[d] / norm;
}

__global__ void bezier(const float3 *control, float3 *out, int nu, int nv, int size)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float u = x / (float)(size - 1), v = y / (float)(size - 1);
    float3 p = make_float3(0, 0, 0);
    float bu = 1;
    for (int i = 0; i <= nu; i++) {
        float bv = 1;
        for (int j = 0; j <= nv; j++) {
            float3 c = control[i * (nv + 1) + j];
            float w = bu * bv;
            p.x += c.x * w;
            p.y += c.y * w;
            p.z += c.z * w;
            bv *= v * (nv - j) / (j + 1);
        }
        bu *= u * (nu - i) / (i + 1);
    }
    out[y * size + x] = p;
}

__global__ void in_polygon(const float2 *point, const float2 *polygon, int corners, int *out)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float2 p = point[i];
    int inside = 0;
    for (int j = 0, k = corners - 1; j < corners; k = j++) {
        float2 a = polygon[j], b = polygon[k];
        if ((a.y > p.y) != (b.y > p.y) && p.x < (b.x - a.x) * (p.y - a.y) / (b.y - a.y) + a.x)
            inside = !inside;
    }
    out[i] = inside;
}

__global__ void rays(const float4 *sphere, int spheres, float *out, int width)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float dx = x * 0.001f - 0.5f, dy = y * 0.001f - 0.5f, dz = 1, nearest = 1e30f;
    for (int i = 0; i < spheres; i++) {
        float4 s = sphere[i];
        float b = s.x * dx + s.y * dy + s.z * dz, a = dx * dx + dy * dy + dz * dz;
        float c = s.x * s.x + s.y * s.y + s.z * s.z - s.w * 0.01f, d = b * b - a * c;
        if (d > 0) {
            float t = (b - sqrtf(d)) / a;
            if (t > 0 && t < nearest)
                nearest = t;
        }
    }
    out[y * width + x] = nearest;
}

__global__ void columns(const float *in, float *out, int rows)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, width = gridDim.x * blockDim.x;
    float s = 0, most = -1e30f, least = 1e30f, squares = 0;
    for (int y = 0; y < rows; y++) {
        float v = in[y * width + x];
        s += v;
        squares += v * v;
        most = fmaxf(most, v);
        least = fminf(least, v);
    }
    out[x] = s;
    out[x + width] = squares;
    out[x + 2 * width] = most - least;
}

__global__ void table_walk(const float *table, const float *at, float *out, int steps)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, all = gridDim.x * blockDim.x;
    float s = 0;
    for (int k = 0; k < steps; k++) {
        float x = (at[k * all + i] + 1) * 500;
        int low = (int)x;
        float f = x - low;
        s += table[low] * (1 - f) + table[low + 1] * f;
    }
    out[i] = s;
}

__global__ void bilateral(const float *in, float *out, int w, int h, int radius)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < radius || y < radius || x >= w - radius || y >= h - radius)
        return;
    float here = in[y * w + x], s = 0, norm = 0;
    for (int dy = -radius; dy <= radius; dy++)
        for (int dx = -radius; dx <= radius; dx++) {
            float v = in[(y + dy) * w + x + dx], d = v - here;
            float weight = __expf(-0.02f * (dx * dx + dy * dy) - 4 * d * d);
            s += v * weight;
            norm += weight;
        }
    out[y * w + x] = s / norm;
}

int main()
{
    return gap_main({
        {"product_naive", [](const GapArrays &g) { product_naive<<<dim3(64, 128), dim3(32, 16)>>>(g.a, g.b, g.out, 2048); }},
        {"tile_loop", [](const GapArrays &g) { tile_loop<<<528, 256>>>(g.a, g.out, 8192); }},
        {"attention", [](const GapArrays &g) { attention<<<512, 128>>>(g.a, g.b, g.c, g.out, 1024); }},
        {"bezier", [](const GapArrays &g) { bezier<<<dim3(32, 128), dim3(32, 8)>>>((const float3 *)g.a, (float3 *)g.out, 15, 15, 1024); }},
        {"in_polygon", [](const GapArrays &g) { in_polygon<<<4096, 256>>>((const float2 *)g.a, (const float2 *)g.b, 200, (int *)g.out); }},
        {"rays", [](const GapArrays &g) { rays<<<dim3(32, 128), dim3(32, 8)>>>((const float4 *)g.b, 200, g.out, 1024); }},
        {"columns", [](const GapArrays &g) { columns<<<32, 256>>>(g.a, g.out, 1024); }},
        {"columns_many", [](const GapArrays &g) { columns<<<2048, 256>>>(g.a, g.out, 16); }},
        {"columns_short", [](const GapArrays &g) { columns<<<4096, 256>>>(g.a, g.out, 5); }},
        {"table_many", [](const GapArrays &g) { table_walk<<<2048, 256>>>(g.c, g.a, g.out, 16); }},
        {"table_walk", [](const GapArrays &g) { table_walk<<<64, 256>>>(g.c, g.a, g.out, 256); }},
        {"bilateral", [](const GapArrays &g) { bilateral<<<dim3(64, 256), dim3(32, 8)>>>(g.a, g.out, 2048, 2048, 4); }},
    });
}
