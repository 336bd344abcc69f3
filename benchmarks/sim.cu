// What benchmarks/sim.sh measures: arithmetic alone, memory alone, shared memory with barriers.
extern "C" __global__ void arithmetic(unsigned *out, unsigned rounds) {
  unsigned x = threadIdx.x + blockIdx.x * blockDim.x, y = x | 1;
  for (unsigned j = 0; j < rounds; j++) {
    x = x * 1664525u + 1013904223u;
    y ^= x >> 7;
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = x ^ y;
}

extern "C" __global__ void stream(const float *a, const float *b, float *c, unsigned n) {
  for (unsigned i = threadIdx.x + blockIdx.x * blockDim.x; i < n; i += gridDim.x * blockDim.x) c[i] = a[i] + 2 * b[i];
}

extern "C" __global__ void tile(const float *a, float *out, unsigned tiles) {
  __shared__ float s[256];
  float acc = 0;
  for (unsigned t = 0; t < tiles; t++) {
    s[threadIdx.x] = a[t * 256 + threadIdx.x];
    __syncthreads();
    for (unsigned j = 0; j < 16; j++) acc += s[(threadIdx.x + 17 * j) & 255];
    __syncthreads();
  }
  out[blockIdx.x * 256 + threadIdx.x] = acc;
}
