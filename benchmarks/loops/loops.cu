// Tiles that are copied in loops which step by what the launch says: streams of 1024 floats, whole and with a guard, rows of 64
// floats, and products of matrices in tiles of 32 x 32 and 64 x 64. Prints microseconds, the median of seven runs, and a digest of
// all that was written. From the root:
//
//     clang++ -x cuda --cuda-gpu-arch=sm_90 -O3 benchmarks/loops/loops.cu -o build/loops-plain
//         -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt -lpthread
//     the same with -fpass-plugin=build/coalda.so and -o build/loops-coalda
#include "../alone.h"

enum { TILE = 1024, EDGE = 32, WIDTH = 64, DEPTH = 16, PER = 4 };

#define STREAM(name, COPY) \
    extern "C" __global__ void name(const float *g, const float *, float *out, int tiles, int) \
    { \
        __shared__ float s[TILE]; \
        const float *mine = g + (size_t)blockIdx.x * tiles * TILE; \
        int n = tiles * TILE - 5; \
        float sum = 0; \
        for (int b = 0; b < n; b += TILE) { \
            for (int i = threadIdx.x; i < TILE; i += blockDim.x) \
                COPY; \
            __syncthreads(); \
            for (int i = threadIdx.x; i < TILE; i += blockDim.x) \
                sum += s[i] * 0.5f + s[TILE - 1 - i]; \
            __syncthreads(); \
        } \
        out[blockIdx.x * blockDim.x + threadIdx.x] = sum; \
    }

STREAM(whole, s[i] = mine[b + i])
STREAM(zeros, s[i] = b + i < n ? mine[b + i] : 0)

extern "C" __global__ void rows(const float *g, const float *, float *out, int tiles, int shift)
{
    __shared__ float s[EDGE][WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y;
    const float *mine = g + (size_t)blockIdx.x * tiles * EDGE * WIDTH + shift;
    float sum = 0;
    for (int k = 0; k < tiles; k++) {
        for (int r = ty; r < EDGE; r += blockDim.y)
            s[r][tx] = mine[k * EDGE * WIDTH + r * WIDTH + tx];
        __syncthreads();
        for (int r = ty; r < EDGE; r += blockDim.y)
            sum += s[r][WIDTH - 1 - tx] * 0.5f + s[EDGE - 1 - r][tx];
        __syncthreads();
    }
    out[(blockIdx.x * blockDim.y + ty) * WIDTH + tx] = sum;
}

// Blocks of 32 x 8 threads, four elements each.
extern "C" __global__ void product_32(const float *A, const float *B, float *C, int n, int pitch)
{
    __shared__ float As[EDGE][EDGE], Bs[EDGE][EDGE];
    int tx = threadIdx.x, ty = threadIdx.y, row0 = blockIdx.y * EDGE, col0 = blockIdx.x * EDGE;
    float acc[PER] = {};
    for (int k0 = 0; k0 < n; k0 += EDGE) {
        for (int r = ty; r < EDGE; r += blockDim.y) {
            As[r][tx] = A[(row0 + r) * pitch + k0 + tx];
            Bs[r][tx] = B[(k0 + r) * pitch + col0 + tx];
        }
        __syncthreads();
        for (int k = 0; k < EDGE; k++)
            for (int i = 0; i < PER; i++)
                acc[i] += As[ty + 8 * i][k] * Bs[k][tx];
        __syncthreads();
    }
    for (int i = 0; i < PER; i++)
        C[(row0 + ty + 8 * i) * pitch + col0 + tx] = acc[i];
}

// Blocks of 16 x 16 threads, 4 x 4 elements each.
extern "C" __global__ void product_64(const float *A, const float *B, float *C, int n, int pitch)
{
    __shared__ float As[WIDTH * DEPTH], Bs[DEPTH * WIDTH];
    int tx = threadIdx.x, ty = threadIdx.y, threads = blockDim.x * blockDim.y, t = ty * blockDim.x + tx;
    int row0 = blockIdx.y * WIDTH, col0 = blockIdx.x * WIDTH;
    float acc[PER][PER] = {};
    for (int k0 = 0; k0 < n; k0 += DEPTH) {
        for (int i = t; i < WIDTH * DEPTH; i += threads) {
            As[i] = A[(row0 + i / DEPTH) * pitch + k0 + i % DEPTH];
            Bs[i] = B[(k0 + i / WIDTH) * pitch + col0 + i % WIDTH];
        }
        __syncthreads();
        for (int k = 0; k < DEPTH; k++)
            for (int i = 0; i < PER; i++)
                for (int j = 0; j < PER; j++)
                    acc[i][j] += As[(ty * PER + i) * DEPTH + k] * Bs[k * WIDTH + tx * PER + j];
        __syncthreads();
    }
    for (int i = 0; i < PER; i++)
        for (int j = 0; j < PER; j++)
            C[(row0 + ty * PER + i) * pitch + col0 + tx * PER + j] = acc[i][j];
}

typedef void (*Kernel)(const float *, const float *, float *, int, int);

static const struct {
    const char *name;
    Kernel run;
    dim3 grid, block;
    int count, other; /* tiles and shift, or edge and pitch */
} works[] = {
    {"stream, 132 x 64", whole, 132, 64, 1984, 0},
    {"stream, 264 x 128", whole, 264, 128, 992, 0},
    {"stream, 1056 x 256", whole, 1056, 256, 248, 0},
    {"stream, 8448 x 256", whole, 8448, 256, 28, 0},
    {"guarded stream, 132 x 64", zeros, 132, 64, 1984, 0},
    {"guarded stream, 264 x 128", zeros, 264, 128, 992, 0},
    {"guarded stream, 1056 x 256", zeros, 1056, 256, 248, 0},
    {"guarded stream, 8448 x 256", zeros, 8448, 256, 28, 0},
    {"rows, 264 of 64 x 4", rows, 264, dim3(64, 4), 480, 0},
    {"rows, 264 of 64 x 4, not aligned", rows, 264, dim3(64, 4), 480, 1},
    {"rows, 1056 of 64 x 2", rows, 1056, dim3(64, 2), 120, 0},
    {"product, 32 x 32, n = 4096", product_32, dim3(128, 128), dim3(32, 8), 4096, 4096},
    {"product, 32 x 32, pitch 4097", product_32, dim3(128, 128), dim3(32, 8), 4096, 4097},
    {"product, 32 x 32, n = 512", product_32, dim3(16, 16), dim3(32, 8), 512, 512},
    {"product, 64 x 64, n = 4096", product_64, dim3(64, 64), dim3(16, 16), 4096, 4096},
    {"product, 64 x 64, pitch 4097", product_64, dim3(64, 64), dim3(16, 16), 4096, 4097},
};

int main()
{
    const size_t words = ((size_t)1 << 28) + 16, written = (size_t)4097 * 4097;
    const int runs = 7;
    float *A = filled(words, 0), *B = filled(words, 1), *C = filled(written, 0);
    for (auto &work : works) {
        auto prepare = [&] { cudaMemset(C, 0, written * sizeof *C); };
        auto launch = [&] { work.run<<<work.grid, work.block>>>(A, B, C, work.count, work.other); };
        float us = median_us(runs, prepare, launch);
        printf("%s | %.1f | %016llx | %s\n", work.name, us, digest_of(C, written), last_error());
    }
}
