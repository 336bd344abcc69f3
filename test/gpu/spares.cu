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

struct Rows { const float *a; float *o; int n; short pad; long m; };
__global__ void members(int scale, Rows r) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= r.n) return;
  float s = 0;
  for (long j = 0; j < r.m; j++) s += r.a[i * r.m + j] * r.a[j];
  r.o[i] = s * scale;
}
struct Pair { int h, w; };
__global__ void areas(const float *a, float *o, int n, Pair p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, m = p.h * p.w;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < m; j++) s += a[(long)i * m + j];
  o[i] = s;
}
__global__ void parts(const float *a, float *o, int n, int m, int k) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, c = m / k;
  if (i >= n) return;
  float s = 0;
  for (int j = 0; j < c; j++) s += a[(long)i * c + j];
  o[i] = s;
}
__device__ inline float sum_of(float s) {
  for (int k = 16; k; k >>= 1) s += __shfl_xor_sync(~0u, s, k);
  return s;
}
// A warp a row, which is changed, and a block.
__global__ void warps(const float *a, float *o, int n, int m) {
  int w = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (w >= n) return;
  const float *x = a + (long)w * m;
  float s = 0, v = 0;
  for (int j = lane; j < m; j += 32) s += x[j];
  s = sum_of(s) / m;
  for (int j = lane; j < m; j += 32) v += (x[j] - s) * (x[j] - s);
  v = sum_of(v);
  if (!lane) o[w] = v;
}
__global__ void by_block(const float *a, float *o, float *q, int m) {
  __shared__ float part[4];
  const float *x = a + (long)blockIdx.x * m;
  float s = 0;
  for (int j = threadIdx.x; j < m; j += 128) s += x[j] * x[j];
  s = sum_of(s);
  if (threadIdx.x % 32 == 0) part[threadIdx.x / 32] = s;
  __syncthreads();
  s = part[0] + part[1] + part[2] + part[3];
  for (int j = threadIdx.x; j < m; j += 128) q[(long)blockIdx.x * m + j] = x[j] * s;
  __syncthreads();
  if (!threadIdx.x && m > 0) o[blockIdx.x] = q[(long)blockIdx.x * m + m - 1];
}

enum { N = 20000, LONGEST = 512 };
static float *a, *o, *q;
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
  members<<<blocks(128), 128, 0, stream>>>(3, Rows{a, o, N, 7, m}), show("members", m);
  areas<<<blocks(128), 128>>>(a, o, N, Pair{2, m / 2}), show("areas", m);
  parts<<<blocks(128), 128>>>(a, o, N, 2 * m + 1, 2), show("parts", m);
  warps<<<blocks(4), 128, 0, stream>>>(a, o, N, m), show("warps", m);
  warps<<<blocks(4), 128, 1000>>>(a, o, N, m), show("warps with shared memory", m);
  by_block<<<N, 128>>>(a, o, q, m), show("by block", m);
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
  OK(cudaMalloc(&q, h.size() * sizeof(float)));
  OK(cudaMemcpy(a, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice));
  OK(cudaMemcpyToSymbol(bias, &b, sizeof b));
  OK(cudaStreamCreate(&stream));
  for (int m : {0, 1, 3, 31, 32, 33, 200, 511, 512, -1}) launches(m);
  return graph();
}
