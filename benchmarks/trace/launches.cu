// What libcoalda-trace.so costs where launches come fast, and whether it counts them all:
//
//     nvcc -O2 -arch=sm_90 -o launches benchmarks/trace/launches.cu
//     ./launches loop 100000 2000            us a launch of 5.6 us on an H100; LENGTH 200 takes 1.5 us, and the host cannot keep up
//     CUDA_INJECTION64_PATH=$PWD/build/libcoalda-trace.so COALDA_TRACE=out.coalda ./launches loop 100000 2000
//     ./launches shapes | graph | threads    prints nothing: the profile has to count what the source launches
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

static float *data;

// No launch has fewer than no rows, so that nothing is stored, and the loop stays.
template <int Which> __global__ void work(float *p, int length, int rows)
{
    float x = threadIdx.x;
    for (int i = 0; i < length; i++)
        x = x * 0.999f + 1.0f;
    if (rows < 0)
        p[blockIdx.x * blockDim.x + threadIdx.x] = x;
}

static double seconds()
{
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

static void loop(int n, int length)
{
    for (int i = 0; i < 500; i++)
        work<0><<<132, 256>>>(data, length, i);
    cudaDeviceSynchronize();
    double from = seconds();
    for (int i = 0; i < n; i++)
        work<0><<<132, 256>>>(data, length, i);
    cudaDeviceSynchronize();
    printf("%.4f\n", (seconds() - from) * 1e6 / n);
}

// Shapes and kernels that come while others are launched fast.
static void shapes()
{
    for (int k = 0; k < 8; k++) {
        for (int i = 0; i < 10000; i++)
            work<0><<<132, 256>>>(data, 100, i);
        work<1><<<10 + k, 64>>>(data, 20000, k);
        for (int i = 0; i < 5000; i++)
            work<2><<<1 + i % 3, 128>>>(data, 100, i);
    }
    work<3><<<1, 2000>>>(data, 1, 1); // fails
    cudaGetLastError();
    work<4><<<1, 32>>>(data, 1, 1);
}

// A graph between launches by name: its kernels are among no calls.
static void graph()
{
    cudaStream_t stream;
    cudaGraph_t graph;
    cudaGraphExec_t made;
    cudaStreamCreate(&stream);
    for (int i = 0; i < 20000; i++)
        work<0><<<132, 256, 0, stream>>>(data, 100, i);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    for (int i = 0; i < 10; i++)
        work<0><<<132, 256, 0, stream>>>(data, 100, i);
    work<1><<<7, 64, 0, stream>>>(data, 100, 1);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphInstantiate(&made, graph, 0);
    for (int i = 0; i < 1000; i++)
        cudaGraphLaunch(made, stream);
    for (int i = 0; i < 20000; i++)
        work<0><<<132, 256, 0, stream>>>(data, 100, i);
}

// Four at once, with new shapes now and then.
static void threads()
{
    std::vector<std::thread> all;
    for (int t = 0; t < 4; t++)
        all.emplace_back([t] {
            cudaStream_t stream;
            cudaStreamCreate(&stream);
            for (int i = 0; i < 20000; i++) {
                work<0><<<8, 256, 0, stream>>>(data, 100, i);
                if (i % 1000 == 0)
                    work<1><<<1 + t + 4 * (i / 1000), 64, 0, stream>>>(data, 1000, i);
            }
            cudaStreamSynchronize(stream);
        });
    for (auto &each : all)
        each.join();
}

int main(int argc, char **argv)
{
    cudaMalloc(&data, 1 << 24);
    if (argc > 3)
        loop(atoi(argv[2]), atoi(argv[3]));
    else if (argc > 1 && !strcmp(argv[1], "shapes"))
        shapes();
    else if (argc > 1 && !strcmp(argv[1], "graph"))
        graph();
    else
        threads();
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess)
        return fprintf(stderr, "%s\n", cudaGetErrorString(error)), 1;
    return 0;
}
