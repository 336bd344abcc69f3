// RUN: %clang-device -O3 -ffp-contract=fast -fpass-plugin=%plugin -mllvm -coalda-always -o %t.ll %s && %FileCheck %s < %t.ll
// What the backend would round once is rounded once, wherever the code around it goes: products and sums that it sees in one
// block are one instruction before anything is moved. What it would not see together is not brought together.
#define KERNEL extern "C" __global__ void
#define ROW (blockIdx.x * blockDim.x + threadIdx.x)

struct Pair { float a, b, c, d, e, f; };

// Between the product and the sum lies the second record; both versions of the code have fused it.
// CHECK-LABEL: @parted
// CHECK-NOT: fmul contract
// CHECK: call contract float @llvm.fma.f32
// CHECK-NOT: fadd contract
// CHECK-LABEL: @carried
KERNEL parted(const Pair *p, const Pair *q, float *out) {
  Pair x = p[ROW], y = q[ROW];
  out[ROW] = y.a + x.a * x.b;
}
// The product of one iteration is added in the next: a longer loop would show both in one block.
// CHECK-NOT: llvm.fma
// CHECK-NOT: llvm.nvvm.shfl
// CHECK-LABEL: @begins
KERNEL carried(const float *p, float *out, int n) {
  float sum = 0, last = 0;
#pragma unroll 1
  for (int j = 0; j < n; j++) {
    sum += last;
    float v = p[ROW * n + j];
    last = v * (v + 1);
  }
  out[ROW] = sum;
}
// The sum takes up a product of its own block, and no other: that the sums begin with a product does no harm.
// CHECK: call contract float @llvm.fma.f32
// CHECK: llvm.nvvm.shfl
// CHECK-NOT: fadd contract
// CHECK-LABEL: @staged
KERNEL begins(const float *p, float *out, float beta, int n) {
  float sum = out[ROW] * beta;
#pragma unroll 1
  for (int j = 0; j < n; j++) sum += p[ROW * n + j] * p[j];
  out[ROW] = sum;
}
// ptxas unrolls such a loop, and fuses the product with the next iteration's sum: a ring of it would be unrolled in another way.
// CHECK-NOT: cp.async
// CHECK: fsub contract
// CHECK-LABEL: @kept
KERNEL staged(const float *__restrict__ p, float *__restrict__ out, float w, int n) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float x = p[t];
  for (int k = 0; k < n; k++) {
    s[t] = p[(blockIdx.x * n + k) * 64 + t];
    __syncthreads();
    for (int q = 0; q < 8; q++) x = (x - w) * s[(t + q) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = x;
}
// What is added up in every iteration is no matter, however often.
// CHECK: cp.async
// CHECK-LABEL: @apart
KERNEL kept(const float *__restrict__ p, float *__restrict__ out, float w) {
  __shared__ float s[64];
  int t = threadIdx.x;
  float x = 0;
  for (int k = 0; k < 8; k++) {
    s[t] = p[(blockIdx.x * 8 + k) * 64 + t];
    __syncthreads();
    for (int q = 0; q < 8; q++) x += w * s[(t + q) & 63];
    __syncthreads();
  }
  out[blockIdx.x * 64 + t] = x;
}
// The product and the sum stand in two blocks, of which rewriting the store may make one: the product stays one.
// CHECK: call float @llvm.nvvm.mul.rn.f
// CHECK-LABEL: @untouched
KERNEL apart(const Pair *__restrict__ p, Pair *__restrict__ q, float *__restrict__ out) {
  Pair x = p[ROW];
  float t = x.a * x.b;
  x.a = t;
  out[ROW] = t;
  if (x.c > x.d)
    for (int i = 0; i < 9; i++) x.e += p[i].a / x.f;
  x.b = t + x.e;
  q[ROW] = x;
}
// Nothing is done to it.
// CHECK: fmul contract
// CHECK: fadd contract
// CHECK-NOT: llvm.fma
// CHECK: ret void
KERNEL untouched(const float *p, float *out) { out[ROW] = p[ROW] * 3 + out[ROW]; }

// A function of a tile loop returns a product, which its caller adds: they come to stand in one block, and are two instructions there.
__device__ __attribute__((noinline)) static float scaled(const float *s, float by) { return s[threadIdx.x ^ 1] * by; }
// CHECK-LABEL: @across_call
// CHECK: [[PRODUCT:%.*]] = fmul contract float
// CHECK: [[FENCED:%.*]] = {{.*}}call {{.*}}@llvm.arithmetic.fence.f32(float [[PRODUCT]])
// CHECK: fadd contract float {{.*}}[[FENCED]]
KERNEL across_call(const float *g, float *out, int k) {
  __shared__ float s[64];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = g[i * 64 + threadIdx.x];
    __syncthreads();
    sum = sum + scaled(s, 1.25f);
    __syncthreads();
  }
  out[ROW] = sum;
}

// As an integer, and as part of a vector.
__device__ __attribute__((noinline)) static unsigned scaled_bits(const float *s, float by) {
  return __builtin_bit_cast(unsigned, s[threadIdx.x ^ 1] * by);
}
// CHECK-LABEL: @across_as_bits
// CHECK: [[PRODUCT:%.*]] = fmul contract float
// CHECK: call {{.*}}@llvm.arithmetic.fence.f32(float [[PRODUCT]])
KERNEL across_as_bits(const float *g, float *out, int k) {
  __shared__ float s[64];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = g[i * 64 + threadIdx.x];
    __syncthreads();
    sum = sum + __builtin_bit_cast(float, scaled_bits(s, 1.25f));
    __syncthreads();
  }
  out[ROW] = sum;
}
typedef float Two __attribute__((ext_vector_type(2)));
__device__ __attribute__((noinline)) static float both(const float *s, Two v) { return (v.x + s[threadIdx.x ^ 1]) + (v.y + s[threadIdx.x ^ 3]); }
// CHECK-LABEL: @across_as_vector
// CHECK: call {{.*}}@llvm.arithmetic.fence.v2f32
KERNEL across_as_vector(const float *g, float *out, int k) {
  __shared__ float s[64];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = g[i * 64 + threadIdx.x];
    __syncthreads();
    sum = sum + both(s, Two{sum * 3.5f, s[threadIdx.x ^ 7] * sum});
    __syncthreads();
  }
  out[ROW] = sum;
}

// The function keeps a product on one way, and nothing on the other.
__device__ __attribute__((noinline)) static void scaled_or_none(float *r, const float *s, float by) {
  float kept = 0;
  if (by > 1) kept = s[threadIdx.x ^ 1] * by;
  r[threadIdx.x] = kept;
}
// CHECK-LABEL: @across_ways
// CHECK: [[PRODUCT:%.*]] = fmul contract float
// CHECK: [[KEPT:%.*]] = phi float {{.*}}[[PRODUCT]]
// CHECK: call {{.*}}@llvm.arithmetic.fence.f32(float [[KEPT]])
KERNEL across_ways(const float *g, float *out, int k) {
  __shared__ float s[64], r[64];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = g[i * 64 + threadIdx.x];
    __syncthreads();
    scaled_or_none(r, s, sum + 1.25f);
    sum = sum + r[threadIdx.x];
    __syncthreads();
  }
  out[ROW] = sum;
}
// By a choice.
__device__ __attribute__((noinline)) static void scaled_or_zero(float *r, const float *s, float by) {
  float product = s[threadIdx.x ^ 1] * by;
  r[threadIdx.x] = by > 1 ? product : 0;
}
// CHECK-LABEL: @across_choice
// CHECK: [[PRODUCT:%.*]] = fmul contract float
// CHECK: [[KEPT:%.*]] = select {{.*}}float [[PRODUCT]]
// CHECK: call {{.*}}@llvm.arithmetic.fence.f32(float [[KEPT]])
KERNEL across_choice(const float *g, float *out, int k) {
  __shared__ float s[64], r[64];
  float sum = 0;
  for (int i = 0; i < k; i++) {
    s[threadIdx.x] = g[i * 64 + threadIdx.x];
    __syncthreads();
    scaled_or_zero(r, s, sum + 1.25f);
    sum = sum + r[threadIdx.x];
    __syncthreads();
  }
  out[ROW] = sum;
}
