// Loops that march: through planes of memory, along rows that are a stride apart, through planes in shared memory; tiles that are filled by rows
// and read by columns; rows and records whose loads tell the caches something. Built, run and read as forms.cu is: the sizes are threads or
// blocks, and iterations.
#include "forms.h"
#define R __restrict__
#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

// ---- loads first ----

template <class In, class Out> __device__ void seven_points(In in, Out out, int nx, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, p = nx * nx, i = y * nx + x;
    if (x < 1 || y < 1 || x >= nx - 1 || y >= nx - 1)
        return;
    for (int z = 1; z < nz - 1; z++) {
        int at = i + z * p;
        out[at] = 0.5f * in[at] + 0.1f * (in[at - 1] + in[at + 1] + in[at - nx] + in[at + nx] + in[at - p] + in[at + p]);
    }
}
__global__ void march(const float *R in, float *R out, int nx, int nz) { seven_points<const float *R, float *R>(in, out, nx, nz); }
__global__ void march_plain(const float *in, float *out, int nx, int nz) { seven_points<const float *, float *>(in, out, nx, nz); }
__global__ void running(const float *x, float *y, int n, int m) {
    float s = 0;
    const float *p = x + THREAD;
    float *q = y + THREAD;
    for (int r = 0; r < m; r++, p += n, q += n) {
        s = s * 0.9f + *p;
        *q = s;
    }
}
__global__ void added(const float *x, float *y, int n, int m) {
    int i = THREAD;
    for (int r = 0; r < m; r++)
        y[(size_t)r * n + i] += 0.5f * x[(size_t)r * n + i];
}
__global__ void branches(const float *R x, float *R y, int n, int m) {
    int i = THREAD;
    for (int r = 0; r < m; r++) {
        float v = x[(size_t)r * n + i];
        if (v > 0.25f)
            v = __expf(v) * 3;
        else if (v > .1f)
            v = sqrtf(v) / (v + 2);
        y[(size_t)r * n + i] = v;
    }
}

// ---- planes in shared memory ----

__global__ __launch_bounds__(256) void planes(const float *R in, float *R out, int blocks, int n) {
    __shared__ float s[10][34];
    int tx = threadIdx.x % 32, ty = threadIdx.x / 32;
    size_t p = (size_t)256 * blocks, at = THREAD;
    if (ty == 0)
        s[0][tx + 1] = s[9][tx + 1] = 0;
    if (threadIdx.x < 10)
        s[threadIdx.x][0] = s[threadIdx.x][33] = 0;
    float below = in[at], here = in[at + p];
    for (int z = 1; z < n - 1; z++) {
        float above = in[at + (z + 1) * p];
        s[ty + 1][tx + 1] = here;
        __syncthreads();
        out[at + z * p] = below + above + s[ty][tx + 1] + s[ty + 2][tx + 1] + s[ty + 1][tx] + s[ty + 1][tx + 2] - 6 * here;
        __syncthreads();
        below = here, here = above;
    }
}

// ---- columns ----

template <class T, int W> __global__ __launch_bounds__(W *W) void columns(const T *R a, T *R out, int blocks, int n) {
    __shared__ T s[W][W];
    T sum = 0;
    int tx = threadIdx.x % W, ty = threadIdx.x / W;
    for (int i = 0; i < n; i++) {
        s[ty][tx] = a[(size_t)(i * W + ty) * blocks * W + blockIdx.x * W + tx];
        __syncthreads();
        for (int k = 0; k < W; k++)
            sum += s[tx][k] * s[ty][k];
        __syncthreads();
    }
    out[THREAD] = sum;
}
__global__ __launch_bounds__(128) void walked(const float *R a, float *R out, int, int n) {
    __shared__ float s[128 * 32];
    float sum = 0;
    for (int i = 0; i < n; i++) {
        for (int q = threadIdx.x; q < 128 * 32; q += 128)
            s[q] = a[((size_t)blockIdx.x * n + i) * 4096 + q];
        __syncthreads();
        for (int k = 0; k < 32; k++)
            sum = sum * 0.5f + s[threadIdx.x * 32 + k];
        __syncthreads();
    }
    out[THREAD] = sum;
}
__global__ __launch_bounds__(256) void rows_by_rows(const float *R a, const float *R b, float *R c, int n) {
    __shared__ float as[16][16], bs[16][16];
    int tx = threadIdx.x % 16, ty = threadIdx.x / 16;
    float sum = 0;
    for (int m = 0; m < n; m += 16) {
        as[ty][tx] = a[(blockIdx.y * 16 + ty) * n + m + tx];
        bs[ty][tx] = b[(blockIdx.x * 16 + ty) * n + m + tx];
        __syncthreads();
        for (int k = 0; k < 16; k++)
            sum += as[ty][k] * bs[tx][k];
        __syncthreads();
    }
    c[(blockIdx.y * 16 + ty) * n + blockIdx.x * 16 + tx] = sum;
}

// ---- hints ----

__global__ void hinted_sums(const float *R a, float *R out, int, int m) {
    float s = 0;
    for (int j = 0; j < m; j++)
        s += __ldcs(a + (size_t)THREAD * m + j);
    out[THREAD] = s;
}
template <int WORDS> __global__ void hinted_records(const float *R a, float *R out, int, int) {
    float v[WORDS];
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        v[k] = __ldcg(a + (size_t)THREAD * WORDS + k);
#pragma unroll
    for (int k = 0; k < WORDS; k++)
        out[(size_t)THREAD * WORDS + k] = v[WORDS - 1 - k] * 2;
}

int main() {
    const size_t M = 1 << 26;
    std::vector<float> h(M);
    unsigned s = 1;
    for (size_t i = 0; i < M; i++) {
        s = s * 1664525 + 1013904223;
        h[i] = (int)(s >> 20) / 4096.f - .5f;
    }
    float *a, *c;
    cudaMalloc(&a, 4 * M);
    cudaMalloc(&c, 4 * M);
    cudaMemcpy(a, h.data(), 4 * M, cudaMemcpyHostToDevice);
    char t[64];
#define NAMED(name, f, grid, threads, p, q, bytes) \
    (snprintf(t, 64, "%s.%dx%d", name, p, q), run(t, c, bytes, [&] { f<<<grid, threads>>>(a, c, p, q); }))
#define RUN(f, ...) NAMED(#f, f, __VA_ARGS__)
    auto columns16 = columns<float, 16>, columns32 = columns<float, 32>;
    auto columns_double = columns<double, 16>;
    auto records6 = hinted_records<6>, records16 = hinted_records<16>;
    for (int n : {66, 130, 258})
        for (int d : {6, 66, 130}) {
            dim3 grid((n + 31) / 32, (n + 7) / 8), threads(32, 8);
            RUN(march, grid, threads, n, d, (size_t)4 * n * n * d);
            RUN(march_plain, grid, threads, n, d, (size_t)4 * n * n * d);
        }
    for (int n : {4096, 65536, 1 << 20})
        for (int m : {7, 64}) {
            RUN(running, n / 128, 128, n, m, (size_t)4 * n * m);
            RUN(added, n / 128, 128, n, m, (size_t)4 * n * m);
            RUN(branches, n / 128, 128, n, m, (size_t)4 * n * m);
        }
    for (int blocks : {132, 528, 2112})
        for (int n : {3, 16, 64}) {
            RUN(planes, blocks, 256, blocks, n, (size_t)4 * 256 * blocks * n);
        }
    for (int blocks : {132, 1056}) {
        int n = blocks == 132 ? 256 : 32;
        RUN(columns16, blocks, 256, blocks, n, (size_t)4 * 256 * blocks);
        RUN(columns32, blocks, 1024, blocks, n, (size_t)4 * 1024 * blocks);
        snprintf(t, 64, "columns_double.%dx%d", blocks, n);
        run(t, c, (size_t)8 * 256 * blocks, [&] { columns_double<<<blocks, 256>>>((double *)a, (double *)c, blocks, n); });
        RUN(walked, blocks, 128, blocks, n / 4, (size_t)4 * 128 * blocks);
    }
    for (int n : {512, 2048}) {
        snprintf(t, 64, "rows_by_rows.%dx%d", n, n);
        run(t, c, (size_t)4 * n * n, [&] { rows_by_rows<<<dim3(n / 16, n / 16), 256>>>(a, a + n * n, c, n); });
    }
    for (int n : {16384, 1 << 20}) {
        RUN(hinted_sums, n / 128, 128, n, 64, (size_t)4 * n);
        RUN(records6, n / 128, 128, n, 6, (size_t)24 * n);
        RUN(records16, n / 128, 128, n, 16, (size_t)64 * n);
    }
}
