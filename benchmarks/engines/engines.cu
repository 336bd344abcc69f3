// The engines that could bring a tile, by hand: tiles of 1024 floats that each block copies in a loop and adds up, as they are
// written first, and as rings of S stages of B tiles whose copies are asynchronous, of 4 bytes, of 16 bytes that four lanes deal
// out, or bulk copies of whole stages that one thread issues and an mbarrier awaits. From the root:
//
//     clang++ -x cuda --cuda-gpu-arch=sm_90 -O3 benchmarks/engines/engines.cu -o build/engines
//         -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt -lpthread
//     the same with -fpass-plugin=build/coalda.so -DFIRST_ALONE: what the plugin makes of the first
#include <cstdint>

#include "../alone.h"

enum { TILE = 1024 };

extern "C" __global__ void written_first(const float *g, float *out, int tiles)
{
    __shared__ float s[TILE];
    const float *mine = g + (size_t)blockIdx.x * tiles * TILE;
    float sum = 0;
    for (int k = 0; k < tiles; k++) {
        for (int i = threadIdx.x; i < TILE; i += blockDim.x)
            s[i] = mine[k * TILE + i];
        __syncthreads();
        for (int i = threadIdx.x; i < TILE; i += blockDim.x)
            sum += s[i] * 0.5f + s[TILE - 1 - i];
        __syncthreads();
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

#ifndef FIRST_ALONE
__device__ inline unsigned in_shared(const void *p) { return (unsigned)__cvta_generic_to_shared(p); }

__device__ inline float add_up(const float *tile, int count, float sum)
{
    for (int b = 0; b < count; b++, tile += TILE)
        for (int i = threadIdx.x; i < TILE; i += blockDim.x)
            sum += tile[i] * 0.5f + tile[TILE - 1 - i];
    return sum;
}

__device__ inline void copy_words(float *to, const float *from)
{
    for (int i = threadIdx.x; i < TILE; i += blockDim.x)
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(in_shared(to + i)), "l"(from + i) : "memory");
}

__device__ inline void copy_pieces(float *to, const float *from)
{
    int rank = threadIdx.x % 4, leader = threadIdx.x - rank;
    for (int i = leader + rank * blockDim.x; i < TILE; i += 4 * blockDim.x)
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(in_shared(to + i)), "l"(from + i) : "memory");
}

template <int S, int B, bool PIECES> __global__ void in_groups(const float *g, float *out, int tiles)
{
    __shared__ __align__(16) float s[S * B * TILE];
    const float *mine = g + (size_t)blockIdx.x * tiles * TILE;
    int stages = tiles / B;
    float sum = 0;
    auto fill = [&](int stage) {
        for (int b = 0; stage < stages && b < B; b++)
            (PIECES ? copy_pieces : copy_words)(s + (stage % S * B + b) * TILE, mine + ((size_t)stage * B + b) * TILE);
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    for (int stage = 0; stage < S - 1; stage++)
        fill(stage);
    for (int stage = 0; stage < stages; stage++) {
        asm volatile("cp.async.wait_group %0;" ::"n"(S - 2) : "memory");
        __syncthreads();
        fill(stage + S - 1);
        sum = add_up(s + stage % S * B * TILE, B, sum);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

__device__ inline void await(uint64_t *barrier, unsigned phase)
{
    unsigned done = 0;
    while (!done)
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(in_shared(barrier)), "r"(phase) : "memory");
}

template <int S, int B> __global__ void in_bulk(const float *g, float *out, int tiles)
{
    __shared__ __align__(128) float s[S * B * TILE];
    __shared__ uint64_t barrier[S];
    const float *mine = g + (size_t)blockIdx.x * tiles * TILE;
    const unsigned bytes = B * TILE * sizeof(float);
    int stages = tiles / B;
    float sum = 0;
    for (int i = 0; threadIdx.x == 0 && i < S; i++)
        asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" ::"r"(in_shared(barrier + i)) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    __syncthreads();
    auto fill = [&](int stage) {
        if (threadIdx.x || stage >= stages)
            return;
        unsigned to = in_shared(s + stage % S * B * TILE), arrival = in_shared(barrier + stage % S);
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(arrival), "r"(bytes) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to),
                     "l"(mine + (size_t)stage * B * TILE), "r"(bytes), "r"(arrival) : "memory");
    };
    for (int stage = 0; stage < S - 1; stage++)
        fill(stage);
    for (int stage = 0; stage < stages; stage++) {
        await(barrier + stage % S, stage / S & 1);
        if (stage)
            __syncthreads(); /* all have left the slot that is filled next */
        fill(stage + S - 1);
        sum = add_up(s + stage % S * B * TILE, B, sum);
    }
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
#endif

typedef void (*Kernel)(const float *, float *, int);

static const struct {
    const char *name;
    Kernel run;
} kernels[] = {
    {"as written first", written_first},
#ifndef FIRST_ALONE
    {"4 bytes, 12 x 1", in_groups<12, 1, false>}, {"4 bytes, 3 x 4", in_groups<3, 4, false>},
    {"16 bytes, 12 x 1", in_groups<12, 1, true>}, {"16 bytes, 3 x 4", in_groups<3, 4, true>},
    {"16 bytes, 3 x 2", in_groups<3, 2, true>},   {"16 bytes, 4 x 1", in_groups<4, 1, true>},
    {"bulk, 11 x 1", in_bulk<11, 1>},             {"bulk, 5 x 2", in_bulk<5, 2>},
    {"bulk, 3 x 2", in_bulk<3, 2>},               {"bulk, 4 x 1", in_bulk<4, 1>},
#endif
};

static const struct {
    int blocks, threads;
} shapes[] = {{132, 64}, {264, 64}, {132, 256}, {264, 256}, {1056, 64}, {1056, 256}, {2112, 128}};

int main()
{
    const size_t words = (size_t)1 << 28;
    const int runs = 7, most = 16;
    float *g = filled(words, 0), *out = filled((size_t)1 << 20, 0);
    for (auto &shape : shapes)
        for (auto &kernel : kernels) {
            int tiles = (int)(words / TILE / shape.blocks) / most * most;
            size_t written = (size_t)shape.blocks * shape.threads;
            auto prepare = [&] { cudaMemset(out, 0xff, written * sizeof *out); };
            auto launch = [&] { kernel.run<<<shape.blocks, shape.threads>>>(g, out, tiles); };
            float us = median_us(runs, prepare, launch);
            printf("%d x %d | %s | %.0f | %016llx | %s\n", shape.blocks, shape.threads, kernel.name,
                   (double)tiles * shape.blocks * TILE * sizeof *g / us / 1e3, digest_of(out, written), last_error());
        }
}
