// What benchmarks/sim.sh measures: arithmetic alone (integers, reals, lanes that part), memory alone, shared memory with barriers.
extern "C" __global__ void arithmetic(unsigned *out, unsigned rounds) {
  unsigned x = threadIdx.x + blockIdx.x * blockDim.x, y = x | 1;
  for (unsigned j = 0; j < rounds; j++) {
    x = x * 1664525u + 1013904223u;
    y ^= x >> 7;
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = x ^ y;
}

extern "C" __global__ void reals(float *out, unsigned rounds) {
  float x = threadIdx.x, y = blockIdx.x;
#pragma unroll 8
  for (unsigned j = 0; j < rounds; j++) {
    x = x * 0.5f + y;
    y = y - x * 0.25f;
  }
  out[threadIdx.x + blockIdx.x * blockDim.x] = x + y;
}

// Each lane leaves the loop at a time of its own: half of a warp's lanes are active on average.
extern "C" __global__ void parted(unsigned *out, unsigned rounds) {
  unsigned x = threadIdx.x, most = rounds * (threadIdx.x & 31);
#pragma unroll 1
  for (unsigned j = 0; j < most; j++) x = x & 1 ? x * 3 + 1 : x >> 1;
  out[threadIdx.x + blockIdx.x * blockDim.x] = x;
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
