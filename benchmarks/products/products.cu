// Products of rows with a vector, one thread a row, where rows are few, and where they are many.
//
// Prints for each "name, threads | us | digest of all that is written | error"; what clang, COALDA and nvcc make of it writes the same.
//
//     clang++ -x cuda --cuda-gpu-arch=sm_90 -O3 benchmarks/products/products.cu -o build/products-plain
//         -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt -lpthread
//     the same with -fpass-plugin=build/coalda.so and -o build/products-coalda
#include "../alone.h"

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

template <class T> __device__ T product(const T *row, const T *x, int n)
{
    T s = 0;
    for (int j = 0; j < n; j++)
        s += row[j] * x[j];
    return s;
}

extern "C" __global__ void floats(const float *A, const float *, const float *x, float *y, int rows, int n)
{
    if (THREAD < rows)
        y[THREAD] = product(A + (size_t)THREAD * n, x, n);
}

extern "C" __global__ void doubles(const float *A, const float *, const float *x, float *y, int rows, int n)
{
    if (THREAD < rows)
        ((double *)y)[THREAD] = product((const double *)A + (size_t)THREAD * n, (const double *)x, n);
}

extern "C" __global__ void two(const float *A, const float *B, const float *x, float *y, int rows, int n)
{
    if (THREAD >= rows)
        return;
    float a = 0, b = 0;
    for (int j = 0; j < n; j++) {
        a += A[(size_t)THREAD * n + j] * x[j];
        b += B[(size_t)THREAD * n + j] * x[j];
    }
    y[THREAD] = 0.5f * a + 0.25f * b;
}

// No block has more threads, so that each warp of it has a shelf.
extern "C" __global__ void __launch_bounds__(256) bounded(const float *A, const float *, const float *x, float *y, int rows, int n)
{
    if (THREAD < rows)
        y[THREAD] = product(A + (size_t)THREAD * n, x, n);
}

typedef void (*Kernel)(const float *, const float *, const float *, float *, int, int);

static const struct {
    const char *name;
    Kernel run;
    int threads;
} kernels[] = {{"floats", floats, 32}, {"floats", floats, 64}, {"floats", floats, 128}, {"floats", floats, 256}, {"floats, bounded", bounded, 256},
               {"doubles", doubles, 64}, {"doubles", doubles, 128}, {"doubles", doubles, 256}, {"two matrices", two, 64},
               {"two matrices", two, 128}, {"two matrices", two, 256}};

static const struct {
    int rows, n;
} shapes[] = {{1024, 1024},  {2048, 1000},   {4096, 4096},  {8192, 8192},   {16384, 8192},
              {65536, 1024}, {131072, 1000}, {131072, 999}, {1048576, 100}, {1048576, 16}};

int main()
{
    const size_t words = (size_t)1 << 28, written = (size_t)1 << 21;
    const int runs = 11;
    float *A = filled(words + 16, 0.5f), *B = filled(words + 16, 1), *x = filled(1 << 20, 0.5f), *y = filled(written, 0);
    for (auto &kernel : kernels)
        for (auto &shape : shapes) {
            int blocks = (shape.rows + kernel.threads - 1) / kernel.threads;
            auto prepare = [&] { cudaMemset(y, 0, written * sizeof *y); };
            auto launch = [&] { kernel.run<<<blocks, kernel.threads>>>(A, B, x, y, shape.rows, shape.n); };
            float us = median_us(runs, prepare, launch);
            printf("%s %d x %d, %d | %.1f | %016llx | %s\n", kernel.name, shape.rows, shape.n, kernel.threads, us,
                   digest_of(y, written), last_error());
        }
}
