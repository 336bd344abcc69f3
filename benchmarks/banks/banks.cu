// Shared arrays whose threads want words of one bank, as they are written first, and as an expert writes them: with longer rows. Each launch
// prints its name, microseconds (the median of fifteen runs) and a digest of all that was written. From the root:
//
//     clang++ -x cuda --cuda-gpu-arch=sm_90 -O3 -std=c++17 benchmarks/banks/banks.cu -o build/banks-plain
//         -isystem /usr/local/cuda/include/cccl -L/usr/local/cuda/lib64 -lcudart_static -ldl -lrt -lpthread
//     the same with -fpass-plugin=build/coalda.so and -o build/banks-coalda
//     nvcc -O3 -std=c++17 -arch=sm_90 benchmarks/banks/banks.cu -o build/banks-nvcc
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

// Transposes a square matrix in tiles: 32 x 8 threads, each with four elements.
template <typename T, int PAD> __global__ void transpose(const T *in, T *out, int n) {
  __shared__ T s[32][32 + PAD];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) s[threadIdx.y + j][threadIdx.x] = in[(size_t)(y + j) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(size_t)(y + j) * n + x] = s[threadIdx.x][threadIdx.y + j];
}

// Rows of 32 words are copied in; each of 64 threads walks a row of its own, several times.
template <int PAD> __global__ void rows(const float *in, float *out, int rounds) {
  __shared__ float s[64][32 + PAD];
  const float *from = in + (size_t)blockIdx.x * 2048;
  for (int r = 0; r < 64; r += 2) s[r + threadIdx.x / 32][threadIdx.x % 32] = from[(r + threadIdx.x / 32) * 32 + threadIdx.x % 32];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < rounds; i++)
    for (int k = 0; k < 32; k++) sum = sum * 0.5f + s[threadIdx.x][k];
  out[(size_t)blockIdx.x * 64 + threadIdx.x] = sum;
}

// Each of 256 threads counts in 16 places of its own, which are then summed.
template <int PAD> __global__ void counts(const unsigned *in, unsigned *out, int each) {
  __shared__ unsigned s[256][16 + PAD];
  for (int i = threadIdx.x; i < 4096; i += 256) s[i / 16][i % 16] = 0;
  __syncthreads();
  for (int i = 0; i < each; i++) {
    unsigned v = in[((size_t)blockIdx.x * each + i) * 256 + threadIdx.x];
    for (int k = 0; k < 16; k++) s[threadIdx.x][k] += v >> k & 1;
  }
  __syncthreads();
  unsigned sum = 0;
  for (int r = 0; r < 16; r++) sum += s[threadIdx.x % 16 * 16 + r][threadIdx.x / 16];
  out[(size_t)blockIdx.x * 256 + threadIdx.x] = sum;
}

static void must(cudaError_t error) {
  if (error == cudaSuccess) return;
  fprintf(stderr, "%s\n", cudaGetErrorString(error));
  exit(1);
}

template <typename Launch> static void run(const char *name, size_t bytes, Launch launch) {
  unsigned *in, *out;
  std::vector<unsigned> words(bytes / 4);
  for (size_t i = 0; i < words.size(); i++) words[i] = 0x3f000000u + (unsigned)(i * 2654435761u >> 9);
  must(cudaMalloc(&in, bytes));
  must(cudaMalloc(&out, bytes));
  must(cudaMemcpy(in, words.data(), bytes, cudaMemcpyHostToDevice));
  must(cudaMemset(out, 0, bytes));
  cudaEvent_t begin, end;
  must(cudaEventCreate(&begin));
  must(cudaEventCreate(&end));
  std::vector<float> times;
  for (int i = 0; i < 15; i++) {
    float ms;
    must(cudaEventRecord(begin));
    launch(in, out);
    must(cudaEventRecord(end));
    must(cudaEventSynchronize(end));
    must(cudaEventElapsedTime(&ms, begin, end));
    times.push_back(ms * 1000);
  }
  must(cudaMemcpy(words.data(), out, bytes, cudaMemcpyDeviceToHost));
  unsigned digest = 2166136261u;
  for (unsigned word : words) digest = (digest ^ word) * 16777619u;
  std::sort(times.begin(), times.end());
  printf("%-22s %10.1f us  %08x\n", name, times[times.size() / 2], digest);
  must(cudaFree(in));
  must(cudaFree(out));
}

template <typename T, int PAD> static void run_transpose(const char *name, int n) {
  run(name, sizeof(T) * n * n, [n](unsigned *in, unsigned *out) {
    transpose<T, PAD><<<dim3(n / 32, n / 32), dim3(32, 8)>>>((const T *)in, (T *)out, n);
  });
}

int main() {
  run_transpose<float, 0>("transpose float", 8192);
  run_transpose<float, 1>("transpose float, 33", 8192);
  run_transpose<double, 0>("transpose double", 8192);
  run_transpose<double, 1>("transpose double, 33", 8192);
  const int blocks = 16384, each = 64;
  run("rows", sizeof(float) * blocks * 2048, [](unsigned *in, unsigned *out) { rows<0><<<blocks, 64>>>((float *)in, (float *)out, 8); });
  run("rows, 33", sizeof(float) * blocks * 2048, [](unsigned *in, unsigned *out) { rows<1><<<blocks, 64>>>((float *)in, (float *)out, 8); });
  run("counts", sizeof(unsigned) * 2048 * each * 256, [](unsigned *in, unsigned *out) { counts<0><<<2048, 256>>>(in, out, each); });
  run("counts, 17", sizeof(unsigned) * 2048 * each * 256, [](unsigned *in, unsigned *out) { counts<1><<<2048, 256>>>(in, out, each); });
}
