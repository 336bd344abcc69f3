// RUN: %rewritten %s --temp %t.d
// A ring that pays in launches of few threads: others take the loop as it is. What few are is the cost table's affair.
// TEXT: levels=O3 archs=sm_80
// RUN: %clang -O3 --cuda-device-only --cuda-gpu-arch=sm_80 -S -emit-llvm -I %S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
// RUN: echo "SMS 2 multiprocessors" >%t.cost
// RUN: echo "LONELY 128 threads" >>%t.cost
// RUN: %opt -coalda-cost=%t.cost -passes=coalda -S %t.ll -o %t.small.ll
// RUN: %FileCheck --check-prefix=LESS %s <%t.small.ll
// RUN: %sim %t.ll --kernel guarded --grid 1 --block 256 --seeds 2 --compare %t.small.ll -- rand:10000 rand:10000 zero:10000 i32:50 i32:50 i32:50
// RUN: %sim %t.ll --kernel guarded --grid 2,2 --block 256 --seeds 2 --compare %t.small.ll -- rand:28900 rand:28900 zero:28900 i32:85 i32:85 i32:85
// A ring for few threads fits a block, too, where one of 1024 threads would leave room in an SM for one that does not.
// RUN: %opt -coalda-shape=32x32 -passes=coalda -S %t.ll -o %t.large.ll
// RUN: %llc -mcpu=sm_80 %t.large.ll -o %t.large.ptx
// RUN: %ptxas -arch=sm_80 %t.large.ptx -o %t.large.cubin
#include "records.cuh"

// CHECK-LABEL: @guarded(
// CHECK: icmp {{.*}}i64 {{.*}}, 67585
// CHECK: call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0), !coalda.aside
// CHECK: call void @llvm.nvvm.cp.async.ca.shared.global.4
// LESS-LABEL: @guarded(
// LESS: icmp {{.*}}i64 {{.*}}, 257
// CASE: guarded plain:tile=pipelined block=256 grid=1 full -- rand:10000 rand:10000 zero:10000 i32:50 i32:50 i32:37
extern "C" __global__ void guarded(const u32 *A, const u32 *B, u32 *C, int M, int N, int K) {
  __shared__ u32 As[16][64], Bs[16][64];
  int tx = threadIdx.x % 16, ty = threadIdx.x / 16, row = blockIdx.y * 64, column = blockIdx.x * 64;
  u32 sum[4][4] = {};
  for (int k0 = 0; k0 < K; k0 += 16) {
    for (int i = threadIdx.x; i < 64 * 16; i += 256) {
      int r = i / 16, k = i % 16;
      As[k][r] = row + r < M && k0 + k < K ? A[(row + r) * K + k0 + k] : 0;
    }
    for (int i = threadIdx.x; i < 16 * 64; i += 256) {
      int k = i / 64, c = i % 64;
      Bs[k][c] = k0 + k < K && column + c < N ? B[(k0 + k) * N + column + c] : 0;
    }
    __syncthreads();
    for (int k = 0; k < 16; k++)
      for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) sum[i][j] += As[k][ty * 4 + i] * Bs[k][tx * 4 + j];
    __syncthreads();
  }
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      if (row + ty * 4 + i < M && column + tx * 4 + j < N) C[(row + ty * 4 + i) * N + column + tx * 4 + j] = sum[i][j];
}
