// Streams of tiles whose copies depend on more than a counter: keys and values, indices, masks, rows that a block takes one after the
// other; lists that a warp walks; rows whose loops leave in the middle, records with a guard for each word. Built, run and read as
// forms.cu is: the sizes are blocks, and tiles of a block or of a row.
#include "forms.h"
typedef unsigned u32;
enum { T = 256 };
__global__ void keys_values(const float *k, const float *v, float *out, int n) {
    __shared__ float s[T], r[T];
    int t = threadIdx.x;
    float a = 0, b = 0;
    for (int i = 0; i < n; i++) {
        s[t] = k[((size_t)blockIdx.x * n + i) * T + t];
        __syncthreads();
        a += s[(t + 1) % T] * s[(t + 2) % T];
        __syncthreads();
        r[t] = v[((size_t)blockIdx.x * n + i) * T + t];
        __syncthreads();
        b += a * r[(t + 1) % T];
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a + b;
}
__global__ void through_indices(const int *ix, const float *g, float *out, int n) {
    __shared__ float s[T];
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++) {
        s[t] = g[ix[((size_t)blockIdx.x * n + i) * T + t]];
        __syncthreads();
        a += s[(t + 1) % T] * s[(t + 2) % T];
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a;
}
__global__ void masked(const float *g, const int *mask, float *w, int n) {
    __shared__ float s[T];
    int t = threadIdx.x;
    for (int i = 0; i < n; i++) {
        if (!(mask[i] & 3)) continue;
        size_t at = ((size_t)blockIdx.x * n + i) * T;
        s[t] = g[at + t];
        __syncthreads();
        w[at + t] = s[(t + 255) % T] + 2 * s[t] + s[(t + 1) % T];
        __syncthreads();
    }
}
// Rows of n tiles, dealt out to the blocks by turns.
__global__ void rows(const float *g, float *out, int many, int n) {
    __shared__ float s[T];
    int t = threadIdx.x;
    for (int r = blockIdx.x; r < many; r += gridDim.x) {
        float a = 0;
        for (int i = 0; i < n; i++) {
            s[t] = g[((size_t)r * n + i) * T + t];
            __syncthreads();
            a += s[(t + 1) % T] * s[(t + 2) % T];
            __syncthreads();
        }
        out[(size_t)r * T + t] = a;
    }
}
// Both factors turned on their way into the tile.
__global__ void product_turned(const float *A, const float *B, float *C, int n) {
    __shared__ float As[16][64], Bs[16][64];
    int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
    float sum[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        for (int i = 0; i < 4; i++) {
            As[t % 16][t / 16 + 16 * i] = A[(blockIdx.y * 64 + t / 16 + 16 * i) * n + k + t % 16];
            Bs[t % 16][t / 16 + 16 * i] = B[(blockIdx.x * 64 + t / 16 + 16 * i) * n + k + t % 16];
        }
        __syncthreads();
        for (int e = 0; e < 16; e++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    sum[i][j] += As[e][y + i] * Bs[e][x + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            C[(blockIdx.y * 64 + y + i) * n + blockIdx.x * 64 + x + j] = sum[i][j];
}
// A warp weighs the rows that its list names by how near they are to its own.
__global__ void near(const int *list, const float *x, float *out, int m) {
    int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, l = threadIdx.x % 32;
    float me = x[w % 4096 * 32 + l], sum = 0;
    for (int j = 0; j < m; j++) {
        float it = x[(list[w * m + j] & 0xffff) * 32 + l], d = me * it;
        for (int k = 16; k; k /= 2)
            d += __shfl_xor_sync(~0u, d, k);
        sum += d * it;
    }
    out[w * 32 + l] = sum;
}
template <int N, int U> __global__ void scaled(float *a, const float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
#pragma unroll U
    for (int j = 0; j < N; j++)
        a[(size_t)i * N + j] = a[(size_t)i * N + j] * 0.5f + x[i];
}
__global__ void guarded_16(const float *a, float *q, int n) {
    float x[16], s = 0;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int k = 0; k < 16; k++) {
        x[k] = 0;
        if (i * 16 + k < n) x[k] = a[i * 16 + k];
    }
#pragma unroll
    for (int k = 0; k < 16; k++)
        s = s * 3.f + x[k];
    q[i] = s;
}
int main() {
    const size_t M = 1 << 24;
    std::vector<float> h(M);
    std::vector<int> hi(M);
    u32 s = 1;
    for (size_t i = 0; i < M; i++) {
        s = s * 1664525 + 1013904223;
        h[i] = (int)(s >> 20) / 4096.f - .5f;
        hi[i] = (s >> 7) % M;
    }
    for (size_t i = 0; i + 1024 < M; i += 1024) // runs of neighbours, as lists have
        for (int k = 0; k < 1024; k++)
            hi[i + k] = (hi[i] & ~31) % (int)(M - 1024) + k;
    float *a, *b, *c;
    int *ix;
    cudaMalloc(&a, 4 * M);
    cudaMalloc(&b, 4 * M);
    cudaMalloc(&c, 4 * M);
    cudaMalloc(&ix, 4 * M);
    cudaMemcpy(a, h.data(), 4 * M, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h.data(), 4 * M, cudaMemcpyHostToDevice);
    cudaMemcpy(ix, hi.data(), 4 * M, cudaMemcpyHostToDevice);
    char t[64];
#define NAME(x, p, q) (snprintf(t, 64, "%s.%dx%d", x, p, q), t)
    for (int blocks : {132, 264, 1056})
        for (int n : {(int)(M / T) / blocks, 16}) {
            run(NAME("keys_values", blocks, n), c, 4 * T * blocks, [&] { keys_values<<<blocks, T>>>(a, b, c, n); });
            run(NAME("through_indices", blocks, n), c, 4 * T * blocks, [&] { through_indices<<<blocks, T>>>(ix, a, c, n); });
            run(NAME("masked", blocks, n), c, 4 * M, [&] { masked<<<blocks, T>>>(a, ix, c, n); });
        }
    for (int blocks : {132, 264, 1056})
        for (int n : {1, 4, 8, 16, 64})
            run(NAME("rows", blocks, n), c, 4 * M / n, [&] { rows<<<blocks, T>>>(a, c, (int)(M / T / n), n); });
    for (int n : {4096, 1024})
        run(NAME("product_turned", n, n), c, 4ull * n * n, [&] { product_turned<<<dim3(n / 64, n / 64), T>>>(a, b, c, n); });
    for (int warps : {132, 1056, 8448})
        for (int m : {3, 20, 100})
            run(NAME("near", warps, m), c, 128ull * warps, [&] { near<<<warps / 4, 128>>>(ix, a, c, m); });
    for (int n : {2048, 65536}) {
        run(NAME("scaled", n, 91), c, 364ull * n, [&] { scaled<91, 8><<<n / 256, 256>>>(c, a, n); });
        run(NAME("guarded", n * 8, 16), c, 32ull * n, [&] { guarded_16<<<n * 8 / 256, 256>>>(a, c, n * 128 - 5); });
    }
}
