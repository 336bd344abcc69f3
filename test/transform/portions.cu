// A long module is gone through in portions; kernels that run one function are in one portion, however long they are. Were they
// not, the second would find the function as the first has left it.
// RUN: %clang-device -O2 %s -o %t.ll
// RUN: %opt -passes='coalda<always>' -pass-remarks-output=%t.yaml -disable-output %t.ll
// RUN: %report %t.yaml --format=csv --kernel=first | %FileCheck %s
// RUN: %report %t.yaml --format=csv --kernel=second | %FileCheck %s
// RUN: %report %t.yaml --format=csv --kernel=third | %FileCheck %s

// CHECK-COUNT-5: ,load,global,4,record,20,{{.*}},Exchanged,
// CHECK-NOT: ,load,
struct R { unsigned a, b, c, d, e; };
__device__ __noinline__ unsigned sum(const R *r) { return r->a + 3 * r->b + 5 * r->c + 7 * r->d + 11 * r->e; }

extern "C" __global__ void first(const R *p, unsigned *q) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x, x = sum(p + i);
#pragma unroll
  for (int k = 0; k < 3000; k++) x = (x ^ (x >> 3)) * (k + 3);
  q[i] = x;
}
extern "C" __global__ void second(const R *p, unsigned *q) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  q[i] = sum(p + i);
}
extern "C" __global__ void third(const R *p, unsigned *q) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  const R r = p[i];
  q[i] = r.a + 3 * r.b + 5 * r.c + 7 * r.d + 11 * r.e;
}
