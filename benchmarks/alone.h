// What the programs share that measure a few kernels by themselves, without the harness of bench.h.
#pragma once
#include <algorithm>
#include <cstdio>
#include <vector>

__global__ void fill(float *p, size_t n, float low)
{
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x) {
        unsigned h = (unsigned)i * 2654435761u;
        h ^= h >> 15;
        p[i] = low + (h & 1023) / 1024.0f;
    }
}

// Adds to the digest what n words are, each times an odd number of its place.
__global__ void digest(const unsigned *p, size_t n, unsigned long long *sum)
{
    unsigned long long s = 0;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n; i += (size_t)gridDim.x * blockDim.x)
        s += (unsigned long long)p[i] * (unsigned)(i * 40503u + 1);
    atomicAdd(sum, s);
}

static inline float *filled(size_t words, float low)
{
    float *p;
    cudaMalloc(&p, words * sizeof *p);
    fill<<<2048, 256>>>(p, words, low);
    return p;
}

static inline unsigned long long digest_of(const float *p, size_t words)
{
    unsigned long long *sum, result = 0;
    cudaMalloc(&sum, sizeof *sum);
    cudaMemset(sum, 0, sizeof *sum);
    digest<<<1024, 256>>>((const unsigned *)p, words, sum);
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(sum);
    return result;
}

// Microseconds: the median of so many launches, each of them prepared anew, behind a first one that loads the code.
template <class Prepare, class Launch> float median_us(int runs, Prepare prepare, Launch launch)
{
    std::vector<float> times(1 + runs);
    for (float &ms : times) {
        cudaEvent_t begin, end;
        cudaEventCreate(&begin);
        cudaEventCreate(&end);
        prepare();
        cudaEventRecord(begin);
        launch();
        cudaEventRecord(end);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&ms, begin, end);
        cudaEventDestroy(begin);
        cudaEventDestroy(end);
    }
    std::sort(times.begin() + 1, times.end());
    return 1000 * times[1 + runs / 2];
}

static inline const char *last_error() { return cudaGetErrorString(cudaGetLastError()); }
