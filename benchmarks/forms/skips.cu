// Tile loops that leave iterations out: by a mask, by a count, by where the tile lies; `continue`, an `if` around the tile, a `break` in
// front of it; stored tiles, sums, tiles of float4, products of blocks. Built, run and read as forms.cu is: the sizes are blocks, and
// iterations of each.
#include "forms.h"
typedef unsigned u32;
enum { T = 256 };
#define USE(s) (s[(t + 1) % T] * s[(t + 2) % T])

__global__ void masked(const float *__restrict__ g, const int *__restrict__ mask, float *__restrict__ out, int n) {
    __shared__ float s[T];
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++) {
        if (!(mask[i] & 3)) continue;
        s[t] = g[((size_t)blockIdx.x * n + i) * T + t];
        __syncthreads();
        a += USE(s);
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a;
}
__global__ void stored(const float *__restrict__ g, const int *__restrict__ mask, float *__restrict__ w, int n) {
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
__global__ void counted(const float *g, float *out, int n) {
    __shared__ float s[T];
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++) {
        if ((i + blockIdx.x) % 3 == 0) continue;
        s[t] = g[((size_t)blockIdx.x * n + i) * T + t];
        __syncthreads();
        a += USE(s);
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a;
}
template <typename V, typename I> __global__ void __launch_bounds__(T) wide(const V *__restrict__ g, const u32 *__restrict__ mask, float *__restrict__ out, I n) {
    __shared__ V s[T];
    int t = threadIdx.x;
    float a = 0;
    for (I i = 0; i < n; i++)
        if (mask[i] % 3) {
            s[t] = g[(blockIdx.x * n + i) * T + t];
            __syncthreads();
            V u = s[(t + 1) % T], v = s[(t + 2) % T];
            a += u.x * v.y + v.x * u.y;
            __syncthreads();
        }
    out[blockIdx.x * T + t] = a;
}
// Each block goes as far as its own number says, and leaves every other tile out.
__global__ void ends(const float *__restrict__ g, float *__restrict__ out, int n) {
    __shared__ float s[T];
    int t = threadIdx.x;
    float a = 0;
    for (int i = 0; i < n; i++) {
        if (i > (int)(n / 2 + blockIdx.x % (n / 2 + 1))) break;
        if (i % 2) continue;
        s[t] = g[((size_t)blockIdx.x * n + i) * T + t];
        __syncthreads();
        a += USE(s);
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a;
}
// Keys, then values, as far as the block has come.
__global__ void causal(const float *k, const float *v, float *out, int n) {
    __shared__ float s[T], r[T];
    int t = threadIdx.x;
    float a = 0, b = 0;
    for (int i = 0; i < n; i++) {
        if (i > (int)(blockIdx.x % n)) continue;
        s[t] = k[((size_t)(blockIdx.x / n) * n + i) * T + t];
        r[t] = v[((size_t)(blockIdx.x / n) * n + i) * T + t];
        __syncthreads();
        a += USE(s);
        b += a * r[(t + 1) % T];
        __syncthreads();
    }
    out[blockIdx.x * T + t] = a + b;
}
// A product of matrices of which a mask says which tiles are not zero: n x n tiles of 32 x 32.
__global__ void blocks(const float *__restrict__ A, const float *__restrict__ B, const int *__restrict__ mask, float *__restrict__ C, int n) {
    __shared__ float a[32][32], b[32][32];
    int x = threadIdx.x % 32, y = threadIdx.x / 32;
    float sum[4] = {};
    for (int k = 0; k < n; k++) {
        if (!(mask[blockIdx.y * n + k] & 1)) continue;
        for (int j = 0; j < 4; j++) {
            a[y + 8 * j][x] = A[(size_t)(blockIdx.y * 32 + y + 8 * j) * n * 32 + k * 32 + x];
            b[y + 8 * j][x] = B[(size_t)(k * 32 + y + 8 * j) * n * 32 + blockIdx.x * 32 + x];
        }
        __syncthreads();
        for (int e = 0; e < 32; e++)
            for (int j = 0; j < 4; j++)
                sum[j] += a[y + 8 * j][e] * b[e][x];
        __syncthreads();
    }
    for (int j = 0; j < 4; j++)
        C[(size_t)(blockIdx.y * 32 + y + 8 * j) * n * 32 + blockIdx.x * 32 + x] = sum[j];
}
int main() {
    const size_t M = 1 << 25;
    std::vector<float> h(M);
    std::vector<int> hi(1 << 16);
    u32 s = 1;
    for (size_t i = 0; i < M; i++) {
        s = s * 1664525 + 1013904223;
        h[i] = (int)(s >> 20) / 4096.f - .5f;
        if (i < hi.size()) hi[i] = s >> 7;
    }
    float *a, *b, *c;
    int *mask;
    cudaMalloc(&a, 4 * M);
    cudaMalloc(&b, 4 * M);
    cudaMalloc(&c, 4 * M);
    cudaMalloc(&mask, 4 * hi.size());
    cudaMemcpy(a, h.data(), 4 * M, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h.data(), 4 * M, cudaMemcpyHostToDevice);
    cudaMemcpy(mask, hi.data(), 4 * hi.size(), cudaMemcpyHostToDevice);
    char t[64];
#define NAME(x, p, q) (snprintf(t, 64, "%s.%dx%d", x, p, q), t)
    for (int m : {132, 1056, 2112})
        for (int n : {4, 16, 31, 62, 992}) {
            if ((size_t)m * n * T > M) continue;
            size_t bytes = 4 * T * m;
            run(NAME("masked", m, n), c, bytes, [&] { masked<<<m, T>>>(a, mask, c, n); });
            run(NAME("stored", m, n), c, bytes * n, [&] { stored<<<m, T>>>(a, mask, c, n); });
            run(NAME("counted", m, n), c, bytes, [&] { counted<<<m, T>>>(a, c, n); });
            run(NAME("ends", m, n), c, bytes, [&] { ends<<<m, T>>>(a, c, n); });
            run(NAME("causal", m, n), c, bytes, [&] { causal<<<m, T>>>(a, b, c, n); });
            if ((size_t)m * n * T * 4 > M) continue;
            run(NAME("wide2", m, n), c, bytes, [&] { wide<<<m, T>>>((float2 *)a, (u32 *)mask, c, n); });
            run(NAME("wide4", m, n), c, bytes, [&] { wide<<<m, T>>>((float4 *)a, (u32 *)mask, c, (long)n); });
        }
    for (int n : {8, 32, 64, 128})
        run(NAME("blocks", n, n), c, 4096ull * n * n, [&] { blocks<<<dim3(n, n), T>>>(a, b, mask, c, n); });
}
