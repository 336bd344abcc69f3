// Rows that threads walk, in launches of few threads and of many, and blocks of several sizes. Built, run and read as forms.cu is: the sizes are
// rows, elements of each, and threads of a block.
#include "forms.h"
#include <string>
#define ROW int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return
__global__ void product(const float *A, const float *x, float *y, int n, int m) {
    ROW;
    float s = 1;
    for (int j = 0; j < m; j++)
        s += A[i * m + j] * x[j];
    y[i] = s;
}
__global__ void norms(const float *A, const float *x, float *y, int n, int m) {
    ROW;
    float s = 0;
    for (int j = 0; j < m; j++)
        s += A[i * m + j] * A[i * m + j];
    y[i] = s;
}
__global__ void twice(const float *A, const float *x, float *y, int n, int m) {
    ROW;
    float s = 0;
    for (int j = 0; j < m; j++)
        s += A[(size_t)i * m + j];
    for (int j = 0; j < m; j++)
        s += A[(size_t)i * m + j] * s;
    y[i] = s;
}
template <class T> __device__ T largest(const T *row, long m) {
    T most = row[0];
    for (const T *p = row; p != row + m; p++)
        most = max(most, *p);
    return most;
}
__global__ void most(const float *A, const float *x, float *y, int n, int m) {
    ROW;
    y[i] = largest(A + (size_t)i * m, (long)m);
}
__global__ void most_doubles(const float *A, const float *x, float *y, int n, int m) {
    ROW;
    y[i] = (float)largest((const double *)A + (size_t)i * (m / 2), (long)(m / 2));
}

int main() {
    size_t words = (size_t)1 << 28;
    float *A, *x, *y;
    cudaMalloc(&A, words * 4);
    cudaMalloc(&x, 1 << 20);
    cudaMalloc(&y, 1 << 20);
    std::vector<float> h(words);
    unsigned seed = 1;
    for (float &f : h) {
        seed = seed * 1664525u + 1013904223u;
        f = 1.0f + (seed >> 9) * (1.0f / (1 << 23));
    }
    cudaMemcpy(A, h.data(), words * 4, cudaMemcpyHostToDevice);
    cudaMemcpy(x, h.data(), 1 << 20, cudaMemcpyHostToDevice);
    const struct {
        const char *name;
        void (*kernel)(const float *, const float *, float *, int, int);
    } kernels[] = {{"product", product}, {"norms", norms}, {"twice", twice}, {"most", most}, {"most_doubles", most_doubles}};
    for (auto &k : kernels)
        for (int rows : {4096, 16384, 131072})
            for (int m : {64, 512, 2048, 16384})
                for (int block : {64, 128, 256, 512}) {
                    if ((size_t)rows * m > words || (m == 64 && block != 128))
                        continue;
                    std::string name = std::string(k.name) + "." + std::to_string(rows) + "." + std::to_string(m) + "." + std::to_string(block);
                    run(name.c_str(), y, rows * 4, [&] {
                        k.kernel<<<(rows + block - 1) / block, block>>>(A, x, y, rows, m);
                    });
                }
}
