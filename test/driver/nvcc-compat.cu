// What nvcc's users have without including anything, and clang's headers lack: each is there, for every type, and does what it says.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -include %source/include/coalda/nvcc_compat.h -S -emit-llvm %s -o %t.ll
// RUN: %sim %t.ll --kernel hints --grid 1 --block 32 --dump=1:%t.hints -- rand:512:3 zero:131072
// RUN: %python %S/compared.py %t.hints
// RUN: %sim %t.ll --kernel unsigned_atomics --grid 1 --block 1 -- zero:64
// Loads and stores that tell the caches something are seen: those of a record become wider ones, and what they tell goes along.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -include %source/include/coalda/nvcc_compat.h -fpass-plugin=%plugin -S %s -o %t.ptx
// RUN: %FileCheck %s < %t.ptx
// RUN: %ptxas -arch=sm_90 %t.ptx -o /dev/null
// The host's side compiles without a header, and computes.
// RUN: %clang --cuda-gpu-arch=sm_90 -std=c++17 -include %source/include/coalda/nvcc_compat.h %s -o %t.run -L%cuda/lib64 -lcudart_static -ldl -lrt -lpthread
// RUN: %t.run
#define KERNEL extern "C" __global__ void
#define EXPECT(holds) do { if (!(holds)) __trap(); } while (0)

template <class T> __device__ void hint(const char *from, char *&to) {
  const T *p = (const T *)from + threadIdx.x;
  T *q = (T *)to + threadIdx.x;
  q[0] = __ldca(p), q[32] = __ldlu(p), q[64] = __ldcs(p), q[96] = __ldcg(p), q[128] = __ldcv(p), q[160] = __ldg(p);
  __stcs(q + 192, *p), __stcg(q + 224, *p), __stwb(q + 256, *p), __stwt(q + 288, *p);
  to += 320 * sizeof(T);
}
template <class... T> __device__ void every(const char *from, char *to) { (hint<T>(from, to), ...); }
KERNEL hints(const char *from, char *to) {
  every<char, signed char, unsigned char, short, unsigned short, int, unsigned, long, unsigned long, long long, unsigned long long, float, double,
        char2, uchar2, short2, ushort2, int2, uint2, longlong2, ulonglong2, float2, double2, char4, uchar4, short4, ushort4, int4, uint4, float4>(from, to);
  for (int i = threadIdx.x; i < 512; i += 32) to[131072 - 512 + i] = from[i];
}
KERNEL unsigned_atomics(unsigned *p) {
  unsigned long long *q = (unsigned long long *)p + 4;
  p[0] = 5, q[0] = 5;
  EXPECT(atomicMax_block(p, 0x80000000u) == 5 && atomicMin_block(p, 7u) == 0x80000000u && atomicMax_system(p, 0xf0000000u) == 7);
  EXPECT(atomicMin_system(p, 3u) == 0xf0000000u && *(volatile unsigned *)p == 3);
  EXPECT(atomicMax_block(q, 1ull << 63) == 5 && atomicMin_block(q, 7ull) == 1ull << 63 && atomicMax_system(q, 9ull << 60) == 7);
  EXPECT(atomicMin_system(q, 3ull) == 9ull << 60 && *(volatile unsigned long long *)q == 3);
}
// CHECK-LABEL: .entry six(
// CHECK: ld.global.ca.v4.b32
// CHECK: ld.global.ca.v4.b32
// CHECK: ret;
struct F8 { float v[8]; };
KERNEL six(const F8 *p, float *q, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  for (int k = 0; k < 8 && i < n; k++) s += __ldca(&p[i].v[k]) * k;
  if (i < n) __stcs(q + i, s);
}

int main() {
  float nan = __builtin_nanf("");
  int n = 3;
  bool good = max(n, 4) == 4 && min(2, n) == 2 && max(-1, 1u) == ~0u && min(3ull, 4ull) == 3 && max(3l, 4l) == 4 && max(-3ll, 2ll) == 2;
  good = good && max(1.0f, nan) == 1 && min(nan, 2.0) == 2 && max(1.5f, 2.5) == 2.5 && umax(3u, 4u) == 4 && llmin(-1ll, 1ll) == -1;
  good = good && isfinite(1.0f) && !isfinite(nan) && isnan(nan) && isinf(1 / 0.0) && signbit(-1.0) && clock() >= 0;
  (void)(cudaThreadSynchronize() + cudaMemPrefetchAsync(&n, 4, 0) + cudaMemPrefetchAsync(&n, 4, 0, 0) + cudaMemAdvise(&n, 4, cudaMemAdviseSetReadMostly, cudaCpuDeviceId));
  return !good;
}
