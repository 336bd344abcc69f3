// Loops that fill a tile by parts, with a step that no block's size is known to be: kept from being unrolled where that makes a ring.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S -emit-llvm %s -o %t.plain.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: %FileCheck %s --input-file %t.ll
// Blocks of the step; in longer ones two threads write the same word to the same place.
// RUN: %sim %t.plain.ll --kernel ints --grid 2 --block 256 --seeds 2 --compare %t.ll -- rand:163840 zero:2048 i32:5
// RUN: %sim %t.plain.ll --kernel longs --grid 2 --block 256 --seeds 2 --compare %t.ll -- rand:163840 zero:2048 i32:5
// RUN: %sim %t.plain.ll --kernel wide --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:163840 zero:2048 i32:5
// RUN: %sim %t.plain.ll --kernel nested --grid 2 --block 256 --seeds 2 --compare %t.ll -- rand:163840 zero:2048 i32:5
// RUN: %sim %t.plain.ll --kernel counted --grid 2 --block 256 --seeds 2 --compare %t.ll -- rand:163840 zero:2048 i32:5
// RUN: %sim %t.plain.ll --kernel whole --grid 2 --block 256 --seeds 2 --compare %t.ll -- rand:163840 zero:2048 i32:5
// RUN: %sim %t.plain.ll --kernel backwards --grid 2 --block 256 --seeds 2 --compare %t.ll -- rand:163840 zero:2048 i32:5
// RUN: %sim %t.plain.ll --kernel guarded --grid 2 --block 256 --seeds 2 --compare %t.ll -- rand:163840 zero:2048 i32:5
// RUN: %sim %t.plain.ll --kernel called --grid 2 --block 256 --seeds 2 --compare %t.ll -- rand:163840 zero:2048 i32:5
// RUN: %sim %t.plain.ll --kernel rows --grid 2 --block 256 --seeds 2 --compare %t.ll -- rand:163840 zero:2048 i32:5
// RUN: %sim %t.plain.ll --kernel ints --grid 2 --block 512 --check=none --compare %t.ll -- rand:163840 zero:4096 i32:5
// RUN: %sim %t.plain.ll --kernel ints --grid 2 --block 256 --compare %t.ll -- rand:163840 zero:2048 i32:1
// RUN: %sim %t.plain.ll --kernel rows --grid 2 --block 512 --check=none --compare %t.ll -- rand:163840 zero:4096 i32:5
// RUN: %sim %t.plain.ll --kernel rows --grid 2 --block 256 --compare %t.ll -- rand:163840 zero:2048 i32:1
// What was kept in vain is unrolled after all, by as much as whoever wrote it wants.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -DLATE -fpass-plugin=%plugin -S -emit-llvm %s -o - | %FileCheck %s --check-prefix=LATE
typedef unsigned u32;

static __device__ __forceinline__ void fill(u32 *s, const u32 *g) {
  for (int q = threadIdx.x; q < 4096; q += 256) s[q] = g[q];
}

#define KERNEL(name, ...)                                                                                              \
  __global__ void name(const u32 *__restrict__ in, u32 *out, int n) {                                                  \
    __shared__ __attribute__((aligned(16))) u32 s[4096];                                                               \
    u32 t = threadIdx.x, sum = 0;                                                                                      \
    const u32 *g = in + (size_t)blockIdx.x * n * 4096;                                                                 \
    for (int k = 0; k < n; k++, g += 4096) {                                                                           \
      __VA_ARGS__                                                                                                      \
      __syncthreads();                                                                                                 \
      for (int j = 0; j < 16; j++) sum = sum * 31 + s[(t * 5 + j * 33) % 4096];                                        \
      __syncthreads();                                                                                                 \
    }                                                                                                                  \
    out[blockIdx.x * blockDim.x + t] = sum;                                                                            \
  }

#if !defined(LATE)
// CHECK-LABEL: define {{.*}}@_Z4intsPKjPji(
// CHECK: cp.async.wait.group
KERNEL(ints, for (int q = t; q < 4096; q += 256) s[q] = g[q];)
// CHECK-LABEL: define {{.*}}@_Z5longsPKjPji(
// CHECK: cp.async.wait.group
KERNEL(longs, for (size_t q = t; q < 4096; q += 256) s[q] = g[q];)
// CHECK-LABEL: define {{.*}}@_Z4widePKjPji(
// CHECK: cp.async.wait.group
KERNEL(wide, for (u32 q = t; q < 1024; q += 64) ((uint4 *)s)[q] = ((const uint4 *)g)[q];)
// CHECK-LABEL: define {{.*}}@_Z6nestedPKjPji(
// CHECK: cp.async.wait.group
KERNEL(nested, for (int r = t / 32; r < 64; r += 8) for (int c = t % 32; c < 64; c += 32) s[r * 64 + c] = g[r * 64 + c];)
// CHECK-LABEL: define {{.*}}@_Z7countedPKjPji(
// CHECK: cp.async.wait.group
KERNEL(counted, _Pragma("unroll 4") for (int q = t; q < 4096; q += 256) s[q] = g[q];)
// CHECK-LABEL: define {{.*}}@_Z5wholePKjPji(
// CHECK: cp.async.wait.group
KERNEL(whole, _Pragma("unroll") for (int q = t; q < 4096; q += 256) s[q] = g[q];)
// CHECK-LABEL: define {{.*}}@_Z9backwardsPKjPji(
// CHECK: cp.async.wait.group
KERNEL(backwards, for (int q = 4095 - t; q >= 0; q -= 256) s[q] = g[q];)
// CHECK-LABEL: define {{.*}}@_Z7guardedPKjPji(
// CHECK: cp.async.wait.group
KERNEL(guarded, for (long q = t; q < 4096; q += 256) s[q] = k * 4096 + q < n * 4096 - 7 ? g[q] : 0;)
// CHECK-LABEL: define {{.*}}@_Z6calledPKjPji(
// CHECK: cp.async.wait.group
KERNEL(called, fill(s, g);)
// CHECK-LABEL: define {{.*}}@_Z4rowsPKjPji(
// CHECK: cp.async.wait.group
KERNEL(rows, for (int r = t >> 6; r < 64; r += 4) s[r * 64 + (t & 63)] = g[r * 64 + (t & 63)];)
// CHECK-NOT: coalda.kept
#else
// A function that may have a ring, in a kernel that may not.
// LATE-LABEL: define {{.*}}@_Z4left
// LATE-COUNT-5: load i32, ptr
// LATE-NOT: cp.async
// LATE: !"llvm.loop.mustprogress"
// LATE-NOT: coalda.kept
template <int N> static __device__ u32 tiles(const u32 *g, int n) {
  __shared__ u32 s[4096];
  u32 t = threadIdx.x, sum = 0;
  for (int k = 0; k < n; k++, g += 4096) {
    for (int q = t; q < 4096; q += 256) s[q] = g[q];
    __syncthreads();
#pragma unroll 1
    for (int j = 0; j < 16; j++) sum = sum * 31 + s[(t * 5 + j * N) % 4096];
    __syncthreads();
  }
  return sum;
}
__attribute__((annotate("coalda.stages=0"))) __global__ void left(const u32 *__restrict__ in, u32 *out, int n) {
  out[threadIdx.x] = tiles<33>(in, n);
}
#endif
