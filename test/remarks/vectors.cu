// Fields of a vector in a loop, of which the backend makes one access: nothing is made of them, and that is said.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -gline-tables-only -fpass-plugin=%plugin -Rpass-missed=coalda -Rpass=coalda -S %s -o %t.ptx 2>&1 | %FileCheck %s
// RUN: %FileCheck --check-prefix=WIDE %s < %t.ptx
// CHECK: vectors.cu:[[@LINE+7]]:{{[0-9]+}}: remark: 4 loads of 4 bytes{{.*}}record with stride 16{{.*}}not rewritten: the backend makes wide accesses of it by itself; leave it so
// WIDE-COUNT-1: ld.global{{.*}}.v4
extern "C" __global__ void sums(const float4 *__restrict__ a, float *__restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
#pragma unroll 1
  for (int j = i; j < n; j += gridDim.x * blockDim.x) {
    float4 v = a[j];
    s += v.x * v.y + v.z * v.w;
  }
  o[i] = s;
}
// So are bytes, which come as one word.
// CHECK: vectors.cu:[[@LINE+7]]:{{[0-9]+}}: remark: 4 loads of 1 byte{{.*}}record with stride 4{{.*}}not rewritten: the backend makes wide accesses of it by itself; leave it so
// WIDE-LABEL: .entry bytes(
// WIDE: ld.global{{.*}}.b32
extern "C" __global__ void bytes(const uchar4 *__restrict__ a, int *__restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
#pragma unroll 1
  for (int j = i; j < n; j += gridDim.x * blockDim.x)
    s = (s + a[j].x) * a[j].y ^ (s >> a[j].z % 8) + a[j].w;
  o[i] = s;
}
// A record by itself is said to move in fewer and wider pieces, as ever.
// CHECK: vectors.cu:[[@LINE+3]]:{{[0-9]+}}: remark: {{.*}}record with stride 16{{.*}}; rewritten: each thread moves its bytes in fewer and wider pieces
extern "C" __global__ void one(const float4 *__restrict__ a, float *__restrict__ o) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = a[i];
  o[i] = v.x * v.y + v.z * v.w;
}
// And stores.
// CHECK: vectors.cu:[[@LINE+5]]:{{[0-9]+}}: remark: 4 stores of 4 bytes{{.*}}record with stride 16{{.*}}not rewritten: the backend makes wide accesses of it by itself; leave it so
// WIDE-LABEL: .entry stored(
// WIDE: st.global{{.*}}.v4
extern "C" __global__ void stored(const float *__restrict__ a, float4 *__restrict__ o, float x) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  o[i] = make_float4(a[i], a[i] * x, a[i] + x, x);
}
// Not those between which others are stored, that may lie where they do.
// CHECK: vectors.cu:[[@LINE+7]]:{{[0-9]+}}: remark: {{.*}}stores of 4 bytes{{.*}}; rewritten: each thread moves its bytes in fewer and wider pieces
// WIDE-LABEL: .entry butterfly(
// WIDE-COUNT-2: st.global{{.*}}.v2
extern "C" __global__ void butterfly(float2 *o, int h) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 a = o[i], b = o[i + h];
  o[i].x = a.x + b.x;
  o[i + h].x = a.x - b.x;
  o[i].y = a.y + b.y;
  o[i + h].y = a.y - b.y;
}
