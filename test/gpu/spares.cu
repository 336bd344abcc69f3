// A program whose kernels may have spares: it prints a hash of what each launch left. Built with and without the option, it prints the same.
#include <cstdio>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>
#define OK(x) do { cudaError_t e = (x); if (e) { printf("%s: %s\n", #x, cudaGetErrorString(e)); return 1; } } while (0)
__constant__ float bias;

__global__ void sums(const float *a, float *o, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++) s += a[(long)i * m + j];
  o[i] = s;
}
template <class T> __global__ void products(const T *a, T *o, int n, unsigned m) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T s = 0;
  for (unsigned j = 0; j < m; j++) s += a[(size_t)i * m + j] * a[j];
  o[i] = s;
}
namespace {
__global__ void halved(const float *a, float *o, int n, long m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = bias;
  for (long j = 0; j < m; j++) s = s * 0.5f + a[i * m + j];
  o[i] = s;
}
} // namespace
__global__ void biased(const float *a, float *o, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = bias;
  for (int j = 0; j < m; j++) s += a[i * m + j];
  o[i] = s;
}

enum { N = 20000, LONGEST = 512 };
static float *a, *o;
static cudaStream_t stream;

static void show(const char *what, int m) {
  std::vector<float> left(N);
  cudaError_t error = cudaDeviceSynchronize();
  cudaMemcpy(left.data(), o, N * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemset(o, 0, N * sizeof(float));
  unsigned hash = 2166136261u;
  for (float f : left) {
    unsigned bits;
    memcpy(&bits, &f, 4);
    hash = (hash ^ bits) * 16777619u;
  }
  printf("%s %d %08x %s\n", what, m, hash, cudaGetErrorString(error));
}

static int blocks(int threads) { return (N + threads - 1) / threads; }

static void launches(int m) {
  sums<<<blocks(128), 128, 0, stream>>>(a, o, N, m), show("sums", m);
  sums<<<blocks(1024), 1024>>>(a, o, N, m), show("sums by 1024", m);
  sums<<<blocks(128), 128, 1000, stream>>>(a, o, N, m), show("with shared memory", m);
  products<<<blocks(64), 64, 0, stream>>>(a, o, N, m < 0 ? 0u : (unsigned)m), show("products", m);
  halved<<<blocks(64), 64>>>(a, o, N, m), show("halved", m);
  biased<<<blocks(256), 256>>>(a, o, N, m), show("biased", m);
}

// Captured with short rows, and changed to long ones.
static int graph() {
  cudaGraph_t graph;
  cudaGraphExec_t exec;
  size_t count = 1;
  cudaGraphNode_t node;
  cudaKernelNodeParams params;
  int n = N, m = 100;
  void *arguments[] = {&a, &o, &n, &m};
  OK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
  sums<<<blocks(128), 128, 0, stream>>>(a, o, N, 3);
  OK(cudaStreamEndCapture(stream, &graph));
  OK(cudaGraphInstantiate(&exec, graph, 0));
  OK(cudaGraphLaunch(exec, stream));
  show("graph", 3);
  OK(cudaGraphGetNodes(graph, &node, &count));
  OK(cudaGraphKernelNodeGetParams(node, &params));
  params.kernelParams = arguments;
  OK(cudaGraphExecKernelNodeSetParams(exec, node, &params));
  OK(cudaGraphLaunch(exec, stream));
  show("graph, changed", m);
  return 0;
}

int main() {
  std::vector<float> h((size_t)N * LONGEST);
  for (size_t i = 0; i < h.size(); i++) h[i] = (i * 2654435761u >> 16 & 1023) / 1024.f;
  float b = 0.25f;
  OK(cudaMalloc(&a, h.size() * sizeof(float)));
  OK(cudaMalloc(&o, N * sizeof(float)));
  OK(cudaMemcpy(a, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpyToSymbol(bias, &b, sizeof b));
  OK(cudaStreamCreate(&stream));
  for (int m : {0, 1, 3, 31, 32, 33, 200, -1}) launches(m);
  return graph();
}
