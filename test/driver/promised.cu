// What a program promises of its arguments and its warps is not asked at run time, and no code is kept for what it excludes: kernels are as long
// as their records take, and branch as often as plain ones. Without a promise, or with less of it, it is asked.
// DEFINE: %{ptx} = %clang -Wno-pass-failed --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -I%source/include -S %s -o
// RUN: %{ptx} %t.plain.ptx && %{ptx} %t.ptx -fpass-plugin=%plugin && %FileCheck %s < %t.ptx && %python %S/promised.py %t.plain.ptx %t.ptx
// RUN: %clang-device -O3 -std=c++17 -ffp-contract=off -I%source/include %s -o %t.plain.ll
// RUN: %clang-device -O3 -std=c++17 -ffp-contract=off -I%source/include %s -fpass-plugin=%plugin -o %t.ll
// RUN: %sim %t.plain.ll --kernel stored --grid 2 --block 64 --seeds 3 --compare %t.ll -- frand:512 zero:4096
// RUN: %sim %t.plain.ll --kernel guarded --grid 3 --block 64 --seeds 3 --compare %t.ll -- frand:640 zero:5120 i32:160
// RUN: %sim %t.plain.ll --kernel strided --grid 2 --block 32 --seeds 3 --compare %t.ll -- frand:640 zero:5120 i32:160
// RUN: %sim %t.plain.ll --kernel in_planes --grid 1,2 --block 32,4 --seeds 3 --compare %t.ll -- frand:1024 zero:8192 i32:32
// RUN: %sim %t.plain.ll --kernel changed --grid 2 --block 64 --seeds 3 --compare %t.ll -- frand:4096 zero:4096
// RUN: %sim %t.plain.ll --kernel loaded --grid 2 --block 64 --seeds 3 --compare %t.ll -- frand:4096 zero:512
// RUN: %sim %t.plain.ll --kernel loosely --grid 2 --block 64 --seeds 3 --compare %t.ll -- frand:516 zero:4100
// RUN: %sim %t.plain.ll --kernel called --grid 2 --block 50 --seeds 3 --compare %t.ll -- frand:400 zero:3200
// RUN: %sim %t.plain.ll --kernel by_rows --grid 2 --block 64 --seeds 3 --compare %t.ll -- frand:512 zero:16384 i32:32
#include <coalda.h>
#define KERNEL extern "C" __global__ void
#define PROMISED extern "C" __global__ COALDA_FULL_WARPS void
#define I (blockIdx.x * blockDim.x + threadIdx.x)
struct Record {
  float a[8];
};
template <class T> __device__ inline T *aligned(T *p) { return (T *)__builtin_assume_aligned(p, 16); }
__device__ inline void fill(Record &r, float x) {
  for (int j = 0; j < 8; j++) {
    r.a[j] = x;
    x = x * 3 + 1;
  }
}

// CHECK-LABEL: .entry stored(
// CHECK-NOT: bra
// CHECK-NOT: activemask
// CHECK: shfl.sync
// CHECK-NOT: bra
// CHECK: ret;
PROMISED stored(const float *__restrict__ in, Record *__restrict__ out) { fill(aligned(out)[I], in[I]); }
// A guard of whole warps, which plain code has as well.
PROMISED guarded(const float *__restrict__ in, Record *__restrict__ out, int n) {
  int i = I;
  if (i < n) fill(aligned(out)[i], in[i]);
}
PROMISED strided(const float *__restrict__ in, Record *__restrict__ out, int n) {
  for (int i = I; i < n; i += gridDim.x * blockDim.x) fill(aligned(out)[i], in[i]);
}
// CHECK-LABEL: .entry in_planes(
// CHECK-NOT: bra
// CHECK: ret;
PROMISED in_planes(const float *__restrict__ in, Record *__restrict__ out, int width) {
  int i = (blockIdx.y * blockDim.y + threadIdx.y) * width + I;
  fill(aligned(out)[i], in[i]);
}
// CHECK-LABEL: .entry changed(
// CHECK-NOT: bra
// CHECK: ret;
PROMISED changed(const Record *__restrict__ in, Record *__restrict__ out) {
  Record r = aligned(in)[I];
  for (int j = 0; j < 8; j++) r.a[j] *= r.a[7 - j] + 1;
  aligned(out)[I] = r;
}
// Of loads each thread's own vectors are as good, and nothing is asked.
// CHECK-LABEL: .entry loaded(
// CHECK-NOT: bra
// CHECK: ret;
KERNEL loaded(const Record *__restrict__ in, float *__restrict__ out) {
  float sum = 0;
  for (int j = 0; j < 8; j++) sum = sum * 3 + aligned(in)[I].a[j];
  out[I] = sum;
}
// Rows whose length the program tells.
PROMISED by_rows(const float *__restrict__ in, float *__restrict__ out, int m) {
  __builtin_assume(m % 8 == 0);
  Record *r = (Record *)(aligned(out) + (size_t)I * m);
  fill(*r, in[I]);
}

// Full warps, but nothing of the alignment; and the other way round.
// CHECK-LABEL: .entry loosely(
// CHECK-NOT: activemask
// CHECK: vote.sync.all
// CHECK: bra
// CHECK: ret;
PROMISED loosely(const float *__restrict__ in, Record *__restrict__ out) { fill(out[I], in[I]); }
// CHECK-LABEL: .entry aligned_alone(
// CHECK: activemask
// CHECK: bra
// CHECK: ret;
KERNEL aligned_alone(const float *__restrict__ in, Record *__restrict__ out) { fill(aligned(out)[I], in[I]); }
// A promise that is made behind a condition says nothing where that is not so.
// CHECK-LABEL: .entry not_always(
// CHECK: vote.sync.all
// CHECK: bra
// CHECK: ret;
PROMISED not_always(const float *__restrict__ in, Record *__restrict__ out, int n) {
  if (n) {
    __builtin_assume(((unsigned long long)out & 15) == 0);
    out = (Record *)__builtin_assume_aligned(out, 16);
    out[0].a[0] = n;
  }
  __syncthreads();
  fill(out[I], in[I]);
}
// One kernel's promise is not that of a function which another kernel calls as well.
__device__ __noinline__ void shared_by_both(const float *in, Record *out) { fill(aligned(out)[I], in[I]); }
PROMISED calls_promised(const float *in, Record *out) { shared_by_both(in, out); }
KERNEL called(const float *in, Record *out) { shared_by_both(in, out); }
