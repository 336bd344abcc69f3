// Rows that depend on themselves, as PolyBench has them, one thread a row: forward and backward sweeps, running sums, and rows
// met by each of four others. Prints microseconds, the median of five runs, and a digest of all that was written. From the root:
//
//     clang++ -x cuda --cuda-gpu-arch=sm_90 -O3 benchmarks/sweeps/sweeps.cu -o build/sweeps-plain
//         -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt -lpthread
//     the same with -fpass-plugin=build/coalda.so and -o build/sweeps-coalda
#include "../alone.h"

#define ROW_OF_THREAD \
    int i = blockIdx.x * blockDim.x + threadIdx.x; \
    if (i >= n) \
    return

extern "C" __global__ void adi_x(float *A, float *B, float *X, int n, int m)
{
    ROW_OF_THREAD;
    for (int j = 1; j < m; j++) {
        X[i*m + j] = X[i*m + j] - X[i*m + (j-1)] * A[i*m + j] / B[i*m + (j-1)];
        B[i*m + j] = B[i*m + j] - A[i*m + j] * A[i*m + j] / B[i*m + (j-1)];
    }
}

extern "C" __global__ void adi_restrict(const float *__restrict__ A, float *__restrict__ B, float *__restrict__ X, int n, int m)
{
    ROW_OF_THREAD;
    for (int j = 1; j < m; j++) {
        X[i*m + j] = X[i*m + j] - X[i*m + (j-1)] * A[i*m + j] / B[i*m + (j-1)];
        B[i*m + j] = B[i*m + j] - A[i*m + j] * A[i*m + j] / B[i*m + (j-1)];
    }
}

extern "C" __global__ void adi_back(float *A, float *B, float *X, int n, int m)
{
    ROW_OF_THREAD;
    for (int j = 0; j < m-2; j++)
        X[i*m + (m-j-2)] = (X[i*m + (m-2-j)] - X[i*m + (m-2-j-1)] * A[i*m + (m-j-3)]) / B[i*m + (m-3-j)];
}

extern "C" __global__ void sweep(float *A, float *B, float *X, int n, int m)
{
    ROW_OF_THREAD;
    for (int j = 1; j < m; j++)
        X[i*m + j] = X[i*m + j] - X[i*m + (j-1)] * B[j];
}

extern "C" __global__ void scan_into(float *A, float *B, float *X, int n, int m)
{
    ROW_OF_THREAD;
    for (int j = 1; j < m; j++)
        X[i*m + j] = X[i*m + (j-1)] + A[i*m + j];
}

extern "C" __global__ void syrk_rows(float *A, float *B, float *X, int n, int m)
{
    ROW_OF_THREAD;
    for (int r = 0; r < 4; r++) {
        X[r*n+i] *= 0.9f;
        for (int k = 0; k < m; k++)
            X[r*n+i] += 1.1f * B[r*m+k] * A[i*m+k];
    }
}

typedef void (*Kernel)(float *, float *, float *, int, int);

static const struct {
    const char *name;
    Kernel run;
} kernels[] = {
    {"adi_x", adi_x}, {"adi_restrict", (Kernel)adi_restrict}, {"adi_back", adi_back},
    {"sweep", sweep}, {"scan_into", scan_into},               {"syrk_rows", syrk_rows},
};

static const struct {
    int rows, elements;
} shapes[] = {{1024, 1024}, {4096, 4096}, {16384, 2048}, {131072, 512}, {1048576, 64}, {1048576, 20}};

int main()
{
    const size_t most = (size_t)1 << 28;
    const int runs = 5;
    float *A = filled(most, 0.1f), *B = filled(most, 4.0f), *X = filled(most, 1.0f);
    for (auto &kernel : kernels)
        for (auto &shape : shapes) {
            size_t words = (size_t)shape.rows * shape.elements;
            auto prepare = [&] {
                fill<<<1024, 256>>>(A, words, 0.1f);
                fill<<<1024, 256>>>(B, words, 4.0f);
                fill<<<1024, 256>>>(X, words, 1.0f);
            };
            auto launch = [&] { kernel.run<<<(shape.rows + 255) / 256, 256>>>(A, B, X, shape.rows, shape.elements); };
            float us = median_us(runs, prepare, launch);
            printf("%s %dx%d %.2f %016llx %s\n", kernel.name, shape.rows, shape.elements, us,
                   digest_of(X, words) + digest_of(B, words), last_error());
        }
}
