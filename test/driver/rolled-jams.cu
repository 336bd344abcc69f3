// Loops around others of few known iterations are kept from being unrolled where those will stand side by side, if unrolled they would not be
// computed with otherwise: what is made of their counter is a constant then, and rounded when it is compiled.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -fpass-plugin=%plugin -S -emit-llvm %s -o %t.ll
// RUN: %FileCheck %s < %t.ll
// RUN: %FileCheck %s --check-prefix=NONE < %t.ll
// Where none is made, nothing is to be seen of it.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -S -emit-llvm %s -o %t.plain.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -fpass-plugin=%plugin -mllvm -coalda-without=jams+exchanges+widening+abreast -S -emit-llvm %s -o %t.without.ll
// RUN: cmp %t.plain.ll %t.without.ll
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -std=c++17 -fpass-plugin=%plugin -mllvm -coalda-stages=0 -S -emit-llvm %s -o - | %FileCheck %s
// NONE-NOT: coalda{{.}}kept
#define KERNEL extern "C" __global__ void
#define ARGS const float *__restrict__ w, const float *__restrict__ x, float *__restrict__ o, int n, int K, float h
#define PRODUCT(BEGINS, ENDS) \
  int i = blockIdx.x * blockDim.x + threadIdx.x; \
  if (i >= n) return; \
  for (int j = 0; j < 4; j++) { \
    float s = BEGINS; \
    for (int k = 0; k < K; k++) s += w[j * K + k] * x[(long)k * n + i]; \
    o[(long)i * 4 + j] = ENDS; \
  }
static __device__ const float known[4] = {0.1f, 0.2f, 0.3f, 0.4f};
struct Four { float f[4]; };

// CHECK-LABEL: @sums(
// CHECK: !coalda.jam
// CHECK-LABEL: @scaled(
// CHECK: !coalda.jam
// CHECK-LABEL: @counted(
// CHECK-NOT: !coalda.jam
// CHECK-LABEL: @converted(
// CHECK-NOT: !coalda.jam
// CHECK-LABEL: @chosen(
// CHECK-NOT: !coalda.jam
// CHECK-LABEL: @chosen_by_bits(
// CHECK-NOT: !coalda.jam
// CHECK-LABEL: @from_table(
// CHECK-NOT: !coalda.jam
// CHECK-LABEL: @given(
// CHECK-NOT: !coalda.jam
// CHECK-LABEL: @own(
// CHECK-NOT: !coalda.jam
// CHECK-LABEL: @in_front(
// CHECK-NOT: !coalda.jam
// CHECK-LABEL: @squared(
// CHECK-NOT: !coalda.jam
// CHECK-LABEL: @behind(
// CHECK: !coalda.jam
// CHECK: store float
// CHECK: ret void
// CHECK-LABEL: @left_alone(
// CHECK-NOT: !coalda.jam
KERNEL sums(ARGS) { PRODUCT(0, s) }
KERNEL scaled(ARGS) { PRODUCT(0, s * h + 1.f) }
// The counter as a number.
KERNEL counted(ARGS) { PRODUCT(0, s + (float)(2 * j + 1) * 0.1f) }
KERNEL converted(ARGS) { PRODUCT(0, s + __int2float_rn(j) * 0.1f) }
// What it chooses.
KERNEL chosen(ARGS) { PRODUCT(0, s + (j == 2 ? 0.1f : 0.3f) * 0.7f) }
KERNEL chosen_by_bits(ARGS) { PRODUCT(0, s + (j & 1 ? 0.1f : 0.3f) * 0.7f) }
// What it finds in a table, or in what the kernel is given.
KERNEL from_table(ARGS) { PRODUCT(0, s + known[j] * 0.3f) }
KERNEL given(ARGS, Four f) { PRODUCT(f.f[j], s) }
// One of two arrays of the thread's own, which lie in registers where the loop is unrolled.
KERNEL own(ARGS) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Four one = {}, two = {};
  if (i >= n) return;
  for (int j = 0; j < 4; j++) {
    float s = 0;
    for (int k = 0; k < K; k++) s += w[j * K + k] * x[(long)k * n + i];
    (K & 1 ? one : two).f[j] = s;
    o[(long)i * 4 + j] = s;
  }
  o[(long)n * 4 + i] = one.f[0] + one.f[3] - two.f[1] - two.f[2];
}
// Products in front of the loop, which its first iteration alone would stand beside.
KERNEL in_front(ARGS) { PRODUCT(h * x[i], s) }
KERNEL squared(ARGS) { PRODUCT(0, s + h * h) }
// One that is added behind it stands there either way, and is fused either way.
KERNEL behind(ARGS) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float last = 0;
  if (i >= n) return;
  for (int j = 0; j < 4; j++) {
    float s = 0;
    for (int k = 0; k < K; k++) s += w[j * K + k] * x[(long)k * n + i];
    o[(long)i * 4 + j] = s;
    last = s * h;
  }
  o[(long)n * 4 + i] = last + 1.f;
}
extern "C" __attribute__((annotate("coalda.off"))) __global__ void left_alone(ARGS) { PRODUCT(0, s) }
