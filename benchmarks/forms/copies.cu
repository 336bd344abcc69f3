// Tiles that loops of a constant step copy, and that each thread then reads in part, in a loop of its own: float4, counters of 64 bits,
// turned, guarded, by memcpy, two arrays; tiles that each thread reads whole. Built, run and read as forms.cu is: the sizes are blocks,
// and tiles of each.
#include "forms.h"
typedef unsigned u32;
enum { T = 256, M = 4096 };

__global__ void vectors(const float4 *g, float *out, int n, int m) {
    __shared__ float s[M];
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++) {
        for (int q = t; q < M / 4; q += T) ((float4 *)s)[q] = g[((size_t)blockIdx.x * n + i) * (M / 4) + q];
        __syncthreads();
        for (int e = 0; e < m; e++) a += s[(t + e * 67) % M];
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a;
}
__global__ void longs(const float *g, float *out, size_t n, size_t m) {
    __shared__ float s[M];
    size_t t = threadIdx.x;
    float a = 0;
    for (size_t i = 0; i < n; i++) {
        for (size_t q = t; q < M; q += T) s[q] = g[(blockIdx.x * n + i) * M + q];
        __syncthreads();
        for (size_t e = 0; e < m; e++) a += s[(t + e * 67) % M];
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a;
}
__global__ void turned(const float *g, float *out, int n, int m) {
    __shared__ float s[64][65];
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++) {
        for (int q = t; q < M; q += T) s[q % 64][q / 64] = g[((size_t)blockIdx.x * n + i) * M + q];
        __syncthreads();
        for (int e = 0; e < m; e++) a += s[e % 64][t % 64] * s[t / 4][e % 64];
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a;
}
__global__ void guarded(const float *g, float *out, int n, int m, size_t end) {
    __shared__ float s[M];
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++) {
        size_t at = ((size_t)blockIdx.x * n + i) * M;
        for (int q = t; q < M; q += T) s[q] = at + q < end ? g[at + q] : 0.f;
        __syncthreads();
        for (int e = 0; e < m; e++) a += s[(t + e * 67) % M];
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a;
}
struct Point { float x, y, z, w; };
template <int N> __global__ void __launch_bounds__(T) points(const Point *__restrict__ g, float *__restrict__ out, long n, int m) {
    __shared__ Point s[N];
    float a = 0, b = threadIdx.x * .01f;
    for (long i = blockIdx.x * n; i < (blockIdx.x + 1) * n; i++) {
#pragma unroll
        for (int q = threadIdx.x; q < N; q += T) s[q] = g[i * N + q];
        __syncthreads();
        for (int e = 0; e < m; e++) {
            Point p = s[(threadIdx.x + e) % N];
            a += p.x * b + p.y - p.z * p.w;
        }
        __syncthreads();
    }
    out[blockIdx.x * T + threadIdx.x] = a;
}
// Each thread meets every point of the tile: much use for what is copied.
__global__ void all(const float4 *__restrict__ g, float *out, int n) {
    __shared__ float4 s[T];
    int t = threadIdx.x;
    float a = 0, b = t * .01f;
    for (int i = 0; i < n; i++) {
        s[t] = g[((size_t)blockIdx.x % 16 * n + i) * T + t];
        __syncthreads();
        for (int e = 0; e < T; e++) {
            float4 p = s[e];
            float x = p.x - b, y = p.y - b, z = p.z - b;
            a += p.w * rsqrtf(x * x + y * y + z * z + .01f);
        }
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a;
}
// Scores of a query a thread against tiles of 32 keys of 64.
__global__ void scores(const float *__restrict__ k, const float *__restrict__ q, float *out, int n) {
    __shared__ float s[32][64];
    int t = threadIdx.x;
    float r[64], most = -1e30f;
#pragma unroll
    for (int e = 0; e < 64; e++) r[e] = q[((size_t)blockIdx.x * 64 + e) * T + t];
    for (int i = 0; i < n; i++) {
        for (int j = t; j < 2048; j += T) s[j / 64][j % 64] = k[((size_t)blockIdx.x % 32 * n + i) * 2048 + j];
        __syncthreads();
        for (int j = 0; j < 32; j++) {
            float sum = 0;
#pragma unroll
            for (int e = 0; e < 64; e++) sum += r[e] * s[j][e];
            most = fmaxf(most, sum);
        }
        __syncthreads();
    }
    out[blockIdx.x * T + t] = most;
}
int main() {
    const size_t A = 1 << 26;
    std::vector<float> h(A);
    u32 s = 1;
    for (size_t i = 0; i < A; i++) {
        s = s * 1664525 + 1013904223;
        h[i] = (int)(s >> 20) / 4096.f - .5f;
    }
    float *a, *b, *c;
    cudaMalloc(&a, 4 * A);
    cudaMalloc(&b, 4 * A);
    cudaMalloc(&c, 4 * T * 4224);
    cudaMemcpy(a, h.data(), 4 * A, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h.data(), 4 * A, cudaMemcpyHostToDevice);
    char t[64];
#define NAME(x, p, q, r) (snprintf(t, 64, "%s%d.%dx%d", x, r, p, q), t)
    for (int m : {132, 1056, 4224})
        for (int n : {3, 15, 124}) {
            if ((size_t)m * n * M > A) continue;
            size_t bytes = 4 * T * m;
            for (int e : {16, 64, 256}) {
                run(NAME("vectors", m, n, e), c, bytes, [&] { vectors<<<m, T>>>((float4 *)a, c, n, e); });
                run(NAME("longs", m, n, e), c, bytes, [&] { longs<<<m, T>>>(a, c, n, e); });
                run(NAME("turned", m, n, e), c, bytes, [&] { turned<<<m, T>>>(a, c, n, e); });
                run(NAME("guarded", m, n, e), c, bytes, [&] { guarded<<<m, T>>>(a, c, n, e, A - 5); });
                run(NAME("points", m, n, e), c, bytes, [&] { points<1024><<<m, T>>>((Point *)a, c, n, e); });
            }
            run(NAME("all", m, n, 0), c, bytes, [&] { all<<<m, T>>>((float4 *)a, c, n); });
            run(NAME("scores", m, n, 0), c, bytes, [&] { scores<<<m, T>>>(a, b, c, n); });
        }
}
