// Tile loops in forms that programs write: tensor cores fed by ldmatrix and by wmma, the program's own asynchronous copies, copies
// through float4, keys and then values of attention, functions that fill the tile, rows by index. Each launch prints its name and
// size, microseconds (the median of fifteen runs) and a digest of all that was written. From the root:
//
//     clang++ -x cuda --cuda-gpu-arch=sm_90 -O3 -std=c++17 benchmarks/forms/forms.cu -o build/forms-plain
//         -isystem /usr/local/cuda/include/cccl -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt -lpthread
//     the same with -fpass-plugin=build/coalda.so and -o build/forms-coalda
//     nvcc -O3 -std=c++17 -arch=sm_90 benchmarks/forms/forms.cu -o build/forms-nvcc
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda_fp16.h>
#include <cuda_pipeline.h>
#include <mma.h>
#include "forms.h"
using namespace nvcuda;
typedef unsigned u32;
__device__ inline void ldm4(u32 *r, const void *p) {
    u32 a = (u32)__cvta_generic_to_shared(p);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(a));
}
__device__ inline void ldm4t(u32 *r, const void *p) {
    u32 a = (u32)__cvta_generic_to_shared(p);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(a));
}
__device__ inline void mma(float *d, const u32 *a, u32 b0, u32 b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}
// 128 x 128 x 32, 256 threads, 8 warps of 64 x 32
__global__ void __launch_bounds__(256) product_mma(const half *a, const half *b, float *c, int n) {
    __shared__ __align__(16) half As[128][40], Bs[32][136];
    int t = threadIdx.x, l = t % 32, w = t / 32, top = w / 4 * 64, left = w % 4 * 32;
    float s[4][4][4] = {};
    for (int k = 0; k < n; k += 32) {
        for (int i = 0; i < 2; i++) {
            int q = t + i * 256;
            *(uint4 *)&As[q / 4][q % 4 * 8] = *(const uint4 *)&a[(size_t)(blockIdx.y * 128 + q / 4) * n + k + q % 4 * 8];
        }
        for (int i = 0; i < 2; i++) {
            int q = t + i * 256;
            *(uint4 *)&Bs[q / 16][q % 16 * 8] = *(const uint4 *)&b[(size_t)(k + q / 16) * n + blockIdx.x * 128 + q % 16 * 8];
        }
        __syncthreads();
        for (int e = 0; e < 32; e += 16) {
            u32 fa[4][4], fb[2][4];
            for (int i = 0; i < 4; i++)
                ldm4(fa[i], &As[top + 16 * i + l % 16][e + l / 16 * 8]);
            for (int j = 0; j < 2; j++)
                ldm4t(fb[j], &Bs[e + l % 16][left + 16 * j + l / 16 * 8]);
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    mma(s[i][j], fa[i], fb[j / 2][j % 2 * 2], fb[j / 2][j % 2 * 2 + 1]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int h = 0; h < 2; h++)
                *(float2 *)&c[(size_t)(blockIdx.y * 128 + top + 16 * i + 8 * h + l / 4) * n + blockIdx.x * 128 + left + 8 * j +
                              l % 4 * 2] = make_float2(s[i][j][2 * h], s[i][j][2 * h + 1]);
}
__global__ void product_wmma(const half *a, const half *b, float *c, int n) {
    __shared__ half As[64 * 40], Bs[32 * 72];
    int t = threadIdx.x, top = t / 64 * 32, left = t / 32 % 2 * 32;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> s[2][2];
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::fill_fragment(s[i][j], 0.f);
    for (int k = 0; k < n; k += 32) {
        for (int i = 0; i < 2; i++) {
            int q = t + i * 128;
            *(float4 *)&As[q / 4 * 40 + q % 4 * 8] = *(const float4 *)&a[(size_t)(blockIdx.y * 64 + q / 4) * n + k + q % 4 * 8];
        }
        for (int i = 0; i < 2; i++) {
            int q = t + i * 128;
            *(float4 *)&Bs[q / 8 * 72 + q % 8 * 8] = *(const float4 *)&b[(size_t)(k + q / 8) * n + blockIdx.x * 64 + q % 8 * 8];
        }
        __syncthreads();
        for (int e = 0; e < 32; e += 16) {
            wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa[2];
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> fb[2];
            for (int i = 0; i < 2; i++)
                wmma::load_matrix_sync(fa[i], &As[(top + 16 * i) * 40 + e], 40);
            for (int j = 0; j < 2; j++)
                wmma::load_matrix_sync(fb[j], &Bs[e * 72 + left + 16 * j], 72);
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 2; j++)
                    wmma::mma_sync(s[i][j], fa[i], fb[j], s[i][j]);
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++)
            wmma::store_matrix_sync(&c[(size_t)(blockIdx.y * 64 + top + 16 * i) * n + blockIdx.x * 64 + left + 16 * j], s[i][j], n,
                                    wmma::mem_row_major);
}
// the program's own copies, waited for at once: 64 x 64 x 16 of floats, 4 x 4 a thread
__global__ void __launch_bounds__(256) product_async(const float *a, const float *b, float *c, int n) {
    __shared__ __align__(16) float As[16][64], Bs[16][64];
    int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
    float s[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        __pipeline_memcpy_async(&As[t / 16][t % 16 * 4], &a[(size_t)(k + t / 16) * n + blockIdx.y * 64 + t % 16 * 4], 16);
        __pipeline_memcpy_async(&Bs[t / 16][t % 16 * 4], &b[(size_t)(k + t / 16) * n + blockIdx.x * 64 + t % 16 * 4], 16);
        __pipeline_commit();
        __pipeline_wait_prior(0);
        __syncthreads();
#pragma unroll
        for (int e = 0; e < 16; e++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    s[i][j] += As[e][y + i] * Bs[e][x + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(size_t)(blockIdx.y * 64 + y + i) * n + blockIdx.x * 64 + x + j] = s[i][j];
}
// float4 casts
__global__ void __launch_bounds__(256) product_float4(const float *a, const float *b, float *c, int n) {
    __shared__ float As[16][64], Bs[16][64];
    int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
    float s[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        *(float4 *)&As[t / 16][t % 16 * 4] = *(const float4 *)&a[(size_t)(k + t / 16) * n + blockIdx.y * 64 + t % 16 * 4];
        *(float4 *)&Bs[t / 16][t % 16 * 4] = *(const float4 *)&b[(size_t)(k + t / 16) * n + blockIdx.x * 64 + t % 16 * 4];
        __syncthreads();
#pragma unroll
        for (int e = 0; e < 16; e++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    s[i][j] += As[e][y + i] * Bs[e][x + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(size_t)(blockIdx.y * 64 + y + i) * n + blockIdx.x * 64 + x + j] = s[i][j];
}
// attention of one head: 64 queries a block, keys and then values
__global__ void __launch_bounds__(64) attention(const float *Q, const float *K, const float *V, float *O, int n) {
    __shared__ float Ks[32][64], Vs[32][64];
    int t = threadIdx.x;
    float q[64], o[64], sum = 0;
#pragma unroll
    for (int d = 0; d < 64; d++) {
        q[d] = Q[(size_t)d * n + blockIdx.x * 64 + t];
        o[d] = 0;
    }
    for (int j0 = 0; j0 < n; j0 += 32) {
#pragma unroll 4
        for (int i = 0; i < 32; i++)
            Ks[i][t] = K[(size_t)(j0 + i) * 64 + t];
        __syncthreads();
        float p[32];
#pragma unroll
        for (int j = 0; j < 32; j++) {
            float a = 0;
#pragma unroll
            for (int d = 0; d < 64; d++)
                a += q[d] * Ks[j][d];
            p[j] = __expf(a * 0.125f);
            sum += p[j];
        }
#pragma unroll 4
        for (int i = 0; i < 32; i++)
            Vs[i][t] = V[(size_t)(j0 + i) * 64 + t];
        __syncthreads();
#pragma unroll
        for (int j = 0; j < 32; j++) {
#pragma unroll
            for (int d = 0; d < 64; d++)
                o[d] += p[j] * Vs[j][d];
        }
        __syncthreads();
    }
#pragma unroll
    for (int d = 0; d < 64; d++)
        O[(size_t)d * n + blockIdx.x * 64 + t] = o[d] / sum;
}
// functions that fill and read the tile
__device__ __noinline__ void fill(float *s, const float *g) {
    s[threadIdx.x] = g[threadIdx.x];
    s[threadIdx.x + 256] = g[threadIdx.x + 256];
}
__global__ void __launch_bounds__(256) filled_by_call(const float *g, float *c, int n) {
    __shared__ float s[512];
    float m = 0;
    const float *from = g + (size_t)blockIdx.x * n * 512;
    for (int i = 0; i < n; i++) {
        fill(s, from + i * 512);
        __syncthreads();
        m += s[511 - threadIdx.x] * s[threadIdx.x];
        __syncthreads();
    }
    c[blockIdx.x * 256 + threadIdx.x] = m;
}
// rows by index, several tiles
__global__ void __launch_bounds__(256) rows_by_index(const int *index, const float *x, float *c, int n) {
    __shared__ int is[64];
    __shared__ float s[64][64];
    int t = threadIdx.x;
    float m = 0;
    for (int j = 0; j < n; j += 64) {
        if (t < 64)
            is[t] = index[blockIdx.x * n + j + t];
        __syncthreads();
        for (int i = t / 64; i < 64; i += 4)
            s[i][t % 64] = x[(size_t)is[i] * 64 + t % 64];
        __syncthreads();
        for (int i = t / 64; i < 64; i += 4)
            m += s[i][t % 64] * s[63 - i][t % 64];
        __syncthreads();
    }
    c[blockIdx.x * 256 + t] = m;
}
// products of blocks that are there: half of the tiles of a row are left out, as the mask says
__global__ void __launch_bounds__(256) sparse_blocks(const float *__restrict__ a, const float *__restrict__ b, const int *__restrict__ mask,
                                                     float *__restrict__ c, int n) {
    __shared__ float As[16][64], Bs[16][64];
    int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
    float s[4][4] = {};
    for (int k = 0; k < n; k += 16) {
        if (mask[blockIdx.y * (n / 16) + k / 16] & 1)
            continue;
        *(float4 *)&As[t / 16][t % 16 * 4] = *(const float4 *)&a[(size_t)(k + t / 16) * n + blockIdx.y * 64 + t % 16 * 4];
        *(float4 *)&Bs[t / 16][t % 16 * 4] = *(const float4 *)&b[(size_t)(k + t / 16) * n + blockIdx.x * 64 + t % 16 * 4];
        __syncthreads();
#pragma unroll
        for (int e = 0; e < 16; e++)
            for (int i = 0; i < 4; i++)
                for (int j = 0; j < 4; j++)
                    s[i][j] += As[e][y + i] * Bs[e][x + j];
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            c[(size_t)(blockIdx.y * 64 + y + i) * n + blockIdx.x * 64 + x + j] = s[i][j];
}
// sums of the tiles in front of the block's own: the others are left out by the loop's condition, and no barrier follows the last one
__global__ void causal_sums(const float *__restrict__ g, float *__restrict__ c, int n) {
    __shared__ float s[256];
    float m = 0;
    for (int k = 0; k < n; k++) {
        if (k % 4 == blockIdx.x % 4)
            continue;
        s[threadIdx.x] = g[((size_t)blockIdx.x * n + k) * 256 + threadIdx.x];
        __syncthreads();
        m += s[255 - threadIdx.x] * s[threadIdx.x];
        __syncthreads();
    }
    c[blockIdx.x * 256 + threadIdx.x] = m;
}
__global__ void last_left_out(const float *__restrict__ g, float *__restrict__ c, int n) {
    __shared__ float s[256];
    float m = 0;
    for (int k = 0; k < n; k++) {
        s[threadIdx.x] = g[((size_t)blockIdx.x * n + k) * 256 + threadIdx.x];
        __syncthreads();
        m += s[255 - threadIdx.x] * s[threadIdx.x];
        if (k + 1 < n)
            __syncthreads();
    }
    c[blockIdx.x * 256 + threadIdx.x] = m;
}
// columns that are crossed with rows, so that no two threads want one bank
__global__ void __launch_bounds__(256) crossed(const float *__restrict__ g, float *__restrict__ c, int n) {
    __shared__ float s[32][32];
    int t = threadIdx.x, x = t % 32, y = t / 32;
    float m = 0;
    for (int k = 0; k < n; k++) {
        for (int r = y; r < 32; r += 8)
            s[r][x ^ r] = g[(((size_t)blockIdx.x * n + k) * 32 + r) * 32 + x];
        __syncthreads();
        for (int r = y; r < 32; r += 8)
            m += s[x][r ^ x] * (r + 1);
        __syncthreads();
    }
    c[blockIdx.x * 256 + t] = m;
}
// copies by cooperative groups, waited for at once
__global__ void __launch_bounds__(256) by_group(const float *__restrict__ g, float *__restrict__ c, int n) {
    __shared__ float s[512];
    auto block = cooperative_groups::this_thread_block();
    float m = 0;
    for (int k = 0; k < n; k++) {
        cooperative_groups::memcpy_async(block, s, g + ((size_t)blockIdx.x * n + k) * 512, sizeof s);
        cooperative_groups::wait(block);
        m += s[511 - threadIdx.x] * s[threadIdx.x];
        block.sync();
    }
    c[blockIdx.x * 256 + threadIdx.x] = m;
}
// a tile for each warp, between barriers of its lanes
__global__ void __launch_bounds__(256) warp_tiles(const float *__restrict__ g, float *__restrict__ c, int n) {
    __shared__ float s[8][64];
    int w = threadIdx.x / 32, l = threadIdx.x % 32;
    float m = 0;
    for (int k = 0; k < n; k++) {
        size_t at = (((size_t)blockIdx.x * 8 + w) * n + k) * 64;
        s[w][l] = g[at + l];
        s[w][l + 32] = g[at + l + 32];
        __syncwarp();
        for (int j = 0; j < 8; j++)
            m += s[w][(l * 2 + j * 5) % 64] * (j + 1);
        __syncwarp();
    }
    c[blockIdx.x * 256 + threadIdx.x] = m;
}
int main() {
    size_t N = 4096, M = N * N;
    std::vector<float> h(M);
    unsigned s = 1;
    for (auto &x : h) {
        s = s * 1664525 + 1013904223;
        x = (int)(s >> 20) / 4096.f - .5f;
    }
    std::vector<half> hh(M);
    for (size_t i = 0; i < M; i++)
        hh[i] = __float2half(h[i]);
    float *a, *b, *c;
    half *ha;
    int *ix;
    cudaMalloc(&a, 4 * M);
    cudaMalloc(&b, 4 * M);
    cudaMalloc(&c, 4 * M);
    cudaMalloc(&ha, 2 * M);
    cudaMalloc(&ix, 4 * M);
    cudaMemcpy(a, h.data(), 4 * M, cudaMemcpyHostToDevice);
    cudaMemcpy(b, h.data(), 4 * M, cudaMemcpyHostToDevice);
    cudaMemcpy(ha, hh.data(), 2 * M, cudaMemcpyHostToDevice);
    std::vector<int> hi(M);
    for (auto &x : hi) {
        s = s * 1664525 + 1013904223;
        x = (s >> 8) % 262144;
    }
    cudaMemcpy(ix, hi.data(), 4 * M, cudaMemcpyHostToDevice);
    for (int n : {4096, 1024}) {
        char t[64];
#define NAME(x) (snprintf(t, 64, "%s.%d", x, n), t)
        run(NAME("mma"), c, 4 * M, [&] { product_mma<<<dim3(n / 128, n / 128), 256>>>(ha, ha, c, n); });
        run(NAME("wmma"), c, 4 * M, [&] { product_wmma<<<dim3(n / 64, n / 64), 128>>>(ha, ha, c, n); });
        run(NAME("pipe"), c, 4 * M, [&] { product_async<<<dim3(n / 64, n / 64), 256>>>(a, b, c, n); });
        run(NAME("cast"), c, 4 * M, [&] { product_float4<<<dim3(n / 64, n / 64), 256>>>(a, b, c, n); });
        run(NAME("attention"), c, 4 * M, [&] { attention<<<n / 64, 64>>>(a, b, b + 64 * n, c, n); });
        run(NAME("call"), c, 4 * M, [&] { filled_by_call<<<n / 8, 256>>>(a, c, (int)(M / 512 / (n / 8))); });
        run(NAME("sparse"), c, 4 * M, [&] { sparse_blocks<<<dim3(n / 64, n / 64), 256>>>(a, b, ix, c, n); });
        run(NAME("causal"), c, 4 * M, [&] { causal_sums<<<n / 8, 256>>>(a, c, (int)(M / 256 / (n / 8))); });
        run(NAME("last"), c, 4 * M, [&] { last_left_out<<<n / 8, 256>>>(a, c, (int)(M / 256 / (n / 8))); });
        run(NAME("crossed"), c, 4 * M, [&] { crossed<<<n / 8, 256>>>(a, c, (int)(M / 1024 / (n / 8))); });
        run(NAME("group"), c, 4 * M, [&] { by_group<<<n / 8, 256>>>(a, c, (int)(M / 512 / (n / 8))); });
        run(NAME("warps"), c, 4 * M, [&] { warp_tiles<<<n / 8, 256>>>(a, c, (int)(M / 512 / (n / 8))); });
        run(NAME("named"), c, 4 * M, [&] { rows_by_index<<<n / 8, 256>>>(ix, a, c, 1024); });
    }
}
