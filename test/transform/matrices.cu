// Tensor cores are told which memory their matrices lie in, where the program says it, whoever calls the function.
// RUN: %clang-device -O3 %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll -o %t.out.ll
// RUN: %FileCheck %s < %t.out.ll
// RUN: %sim %t.ll --kernel in_array --grid 2 --block 64 --compare %t.out.ll -- rand:1024 zero:2048
// RUN: %sim %t.ll --kernel in_rows --grid 2 --block 64 --compare %t.out.ll -- rand:2048 zero:2048 i32:3
// RUN: %sim %t.ll --kernel of_host --grid 1 --block 32 --shared 512 --compare %t.out.ll -- rand:1024 zero:2048
// RUN: %sim %t.ll --kernel from_argument --grid 1 --block 32 --compare %t.out.ll -- rand:1024 zero:2048
// RUN: %sim %t.ll --kernel either --grid 2 --block 32 --compare %t.out.ll -- rand:1024 zero:4096
// RUN: %sim %t.ll --kernel through_call --grid 1 --block 32 --compare %t.out.ll -- rand:1024 zero:2048
#include "../sim/check.cuh"
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
template <class L> struct Factors {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, L> a;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, L> b;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> c;
};
template <class L = wmma::row_major> __device__ inline void square(float *to, const half *from, unsigned row) {
  Factors<L> f;
  wmma::fill_fragment(f.c, 0.f);
  wmma::load_matrix_sync(f.a, from, row);
  wmma::load_matrix_sync(f.b, from, row);
  wmma::mma_sync(f.c, f.a, f.b, f.c);
  wmma::store_matrix_sync(to, f.c, 16, wmma::mem_row_major);
}
// CHECK-LABEL: define{{.*}} void @in_array(
// CHECK: load.a.row.stride.f16.p3(
// CHECK: load.b.row.stride.f16.p3(
// CHECK: store.d.row.stride.f32.p1(
KERNEL in_array(const half *from, float *to) {
  __shared__ half s[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = from[i];
  __syncthreads();
  if (threadIdx.x < 32) square(to + blockIdx.x * 256, s, 16);
}
// Of two dimensions, by columns, at a place that is computed.
// CHECK-LABEL: define{{.*}} void @in_rows(
// CHECK: load.a.col.stride.f16.p3(
// CHECK: load.b.col.stride.f16.p3(
KERNEL in_rows(const half *from, float *to, int row) {
  __shared__ half s[32][24];
  for (int i = threadIdx.x; i < 512; i += blockDim.x) s[i / 16][i % 16] = from[i];
  __syncthreads();
  if (threadIdx.x < 32) square<wmma::col_major>(to + blockIdx.x * 256, &s[row - 3 + 8 * blockIdx.x][0], 24);
}
// CHECK-LABEL: define{{.*}} void @of_host(
// CHECK: load.a.row.stride.f16.p3(
KERNEL of_host(const half *from, float *to) {
  extern __shared__ half dynamic[];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) dynamic[i] = from[i];
  __syncthreads();
  square(to, dynamic, 16);
}
// What the pointers of a kernel lead to is global memory.
// CHECK-LABEL: define{{.*}} void @from_argument(
// CHECK: load.a.row.stride.f16.p1(
// CHECK: store.d.row.stride.f32.p1(
KERNEL from_argument(const half *from, float *to) { square(to, from, 16); }
// One or the other: nobody knows.
// CHECK-LABEL: define{{.*}} void @either(
// CHECK: load.a.row.stride.f16.p0(
KERNEL either(const half *from, float *to) {
  __shared__ half s[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = from[255 - i];
  __syncthreads();
  square(to + blockIdx.x * 256, blockIdx.x ? s : from, 16);
}
// Whoever calls it.
// CHECK-LABEL: define{{.*}} void @{{.*}}apart
// CHECK: load.a.row.stride.f16.p0(
// CHECK: ret void
__device__ __noinline__ void apart(float *to, const half *from) { square(to, from, 16); }
KERNEL through_call(const half *from, float *to) {
  __shared__ half s[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) s[i] = from[i];
  __syncthreads();
  apart(to, s);
  apart(to + 256, from);
}
