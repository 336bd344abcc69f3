// Warps that copy and warps that compute, by hand, with one buffer or two and bar.sync and bar.arrive, as CudaDMA has them: they stay right, and get no
// ring, whatever the plugin is told (docs/header.md#roles-by-hand-and-registers). The copies of one tile may be asynchronous: their warp waits for
// them where it arrives.
// DEFINE: %{made} = %clang-device -O3 -std=c++17 -ffp-contract=off -Wno-pass-failed %s
// RUN: %{made} -o %t.plain.ll
// RUN: %{made} -fpass-plugin=%plugin -o %t.ll && %FileCheck %s < %t.ll
// RUN: %{made} -fpass-plugin=%plugin -mllvm -coalda-always -o %t.always.ll && %FileCheck %s < %t.always.ll
// RUN: %{made} -fpass-plugin=%plugin -mllvm -coalda-stages=4 -o %t.stages.ll && %FileCheck %s < %t.stages.ll
// RUN: %python %S/roles-by-hand.py %sim %t.plain.ll %t.ll %t.always.ll %t.stages.ll
// RUN: %cuda/bin/nvcc -std=c++17 -arch=sm_90 -ptx -o %t.ptx %s
#define KERNEL extern "C" __global__ void
#define TX threadIdx.x
// A warp comes to such a barrier as one.
enum { FULL = 1, FREE = 2, WARP = 32, TILE = 256 };
template <int B> __device__ inline void sync(int n) { __syncwarp(); asm volatile("bar.sync %0, %1;" ::"n"(B), "r"(n) : "memory"); }
template <int B> __device__ inline void arrive(int n) { __syncwarp(); asm volatile("bar.arrive %0, %1;" ::"n"(B), "r"(n) : "memory"); }

// A ring would leave groups of copies under way, and let all threads of the block wait.
// CHECK-NOT: llvm.nvvm.cp.async.wait.group
// CHECK-NOT: barrier.cta.red

KERNEL one_buffer(const float *__restrict__ g, float *__restrict__ out, int n) {
  __shared__ float s[TILE];
  int all = blockDim.x, readers = all - WARP;
  float sum = 0;
  if (TX >= readers)
    for (int i = 0; i < n; i++) {
      sync<FREE>(all);
      for (int k = TX - readers; k < TILE; k += WARP) s[k] = g[i * TILE + k];
      arrive<FULL>(all);
    }
  else {
    arrive<FREE>(all);
    for (int i = 0; i < n; i++) {
      sync<FULL>(all);
      for (int k = 0; k < 8; k++) sum += s[(TX * 7 + k) % TILE];
      if (i + 1 < n) arrive<FREE>(all);
    }
  }
  out[blockIdx.x * all + TX] = sum;
}
KERNEL records(const float *__restrict__ g, float *__restrict__ out, unsigned n) {
  __shared__ float s[WARP * 8];
  unsigned all = blockDim.x, readers = all - WARP, t = TX - readers;
  float sum = 0;
  if (TX >= readers)
    for (unsigned i = 0; i < n; i++) {
      sync<FREE>(all);
#pragma unroll
      for (unsigned k = 0; k < 8; k++) s[t * 8 + k] = g[(i * WARP + t) * 8 + k];
      arrive<FULL>(all);
    }
  else
    for (unsigned i = 0; i < n; i++) {
      if (i == 0) arrive<FREE>(all);
      sync<FULL>(all);
      sum = sum * 0.5f + s[(TX * 5 + i) % (WARP * 8)];
      if (i + 1 < n) arrive<FREE>(all);
    }
  out[blockIdx.x * all + TX] = sum;
}
KERNEL strided(const double *__restrict__ g, double *__restrict__ out, long n, int pitch) {
  __shared__ double s[8][WARP];
  int all = blockDim.x, readers = all - 2 * WARP, t = TX - readers;
  double sum = 0;
  if (TX >= readers)
    for (long i = 0; i < n; i++) {
      sync<FREE>(all);
#pragma unroll 2
      for (int r = t / WARP; r < 8; r += 2) s[r][t % WARP] = g[r * pitch + i * WARP + t % WARP];
      arrive<FULL>(all);
    }
  else {
    arrive<FREE>(all);
    for (long i = 0; i < n; i++) {
      sync<FULL>(all);
      for (int r = 0; r < 8; r++) sum += s[r][(TX + r) % WARP];
      if (i + 1 < n) arrive<FREE>(all);
    }
  }
  out[blockIdx.x * all + TX] = sum;
}
KERNEL named(const int *__restrict__ g, const int *__restrict__ index, int *__restrict__ out, int n) {
  __shared__ int s[8][WARP];
  int all = blockDim.x, readers = all - WARP, sum = 0;
  if (TX >= readers)
    for (int i = 0; i < n; i++) {
      sync<FREE>(all);
      for (int r = 0; r < 8; r++) s[r][TX - readers] = g[index[i * 8 + r] * WARP + TX - readers];
      arrive<FULL>(all);
    }
  else {
    arrive<FREE>(all);
    for (int i = 0; i < n; i++) {
      sync<FULL>(all);
      for (int r = 0; r < 8; r++) sum ^= s[r][(TX * 3 + r) % WARP];
      if (i + 1 < n) arrive<FREE>(all);
    }
  }
  out[blockIdx.x * all + TX] = sum;
}
template <int B> __device__ inline void fill(float *s, const float *g, int t, int all) {
  sync<2 + 2 * B>(all);
  for (int k = t; k < TILE; k += WARP) s[k] = g[k];
  arrive<1 + 2 * B>(all);
}
template <int B> __device__ inline float use(const float *s, int all, bool again) {
  sync<1 + 2 * B>(all);
  float x = s[TX % TILE] - s[(TX + 100) % TILE];
  if (again) arrive<2 + 2 * B>(all);
  return x;
}
KERNEL two_buffers(const float *__restrict__ g, float *__restrict__ out, int pairs) {
  __shared__ float s[2][TILE];
  int all = blockDim.x, readers = all - WARP;
  float sum = 0;
  if (TX >= readers)
    for (int i = 0; i < pairs; i++) {
      fill<0>(s[0], g + 2 * i * TILE, TX - readers, all);
      fill<1>(s[1], g + (2 * i + 1) * TILE, TX - readers, all);
    }
  else {
    arrive<2>(all), arrive<4>(all);
    for (int i = 0; i < pairs; i++) {
      sum += use<0>(s[0], all, i + 1 < pairs);
      sum += use<1>(s[1], all, i + 1 < pairs);
    }
  }
  out[blockIdx.x * all + TX] = sum;
}
// What comes behind is the block's: a loop of tiles with barriers of all threads.
KERNEL then_together(const float *__restrict__ g, float *__restrict__ out, int n) {
  __shared__ float s[TILE];
  int all = blockDim.x, readers = all - WARP;
  float sum = 0;
  if (TX >= readers)
    for (int i = 0; i < n; i++) {
      sync<FREE>(all);
      for (int k = TX - readers; k < TILE; k += WARP) s[k] = g[i * TILE + k];
      arrive<FULL>(all);
    }
  else {
    arrive<FREE>(all);
    for (int i = 0; i < n; i++) {
      sync<FULL>(all);
      sum += s[(TX + 9) % TILE];
      if (i + 1 < n) arrive<FREE>(all);
    }
  }
  __syncthreads();
  s[TX % TILE] = sum;
  __syncthreads();
  out[blockIdx.x * all + TX] = s[(TX + 1) % all % TILE];
}
