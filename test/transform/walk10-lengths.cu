// Where rows differ in length, a warp takes the longer loop only if all of its rows are long enough for it, and what remains
// moves in single sectors; walk03 runs such loops. Lists, whose lengths are loaded, move in pieces of 64 bytes. Where they are alike nobody needs to ask.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
#define WALK                                               \
  float s = 0;                                             \
  _Pragma("unroll 1") for (int j = 0; j < length; j++) s += a[i * m + j]; \
  y[i] = s;

// CHECK-LABEL: @lists(
// CHECK: [[LEFT:%.*]] = and i32 [[ALL:%.*]], 15
// CHECK: [[FEW:%.*]] = icmp ult i32 %{{.*}}, 15
// CHECK: [[LONG:%.*]] = xor i1 [[FEW]], true
// CHECK: [[HERE:%.*]] = call i32 @llvm.nvvm.activemask()
// CHECK: [[TOGETHER:%.*]] = call i1 @llvm.nvvm.vote.all.sync(i32 [[HERE]], i1 [[LONG]])
// CHECK: [[APART:%.*]] = xor i1 [[TOGETHER]], true
// CHECK: [[PAST:%.*]] = or i1 [[FEW]], [[APART]]
// CHECK: [[REST:%.*]] = select i1 [[PAST]], i32 [[ALL]], i32 [[LEFT]]
// CHECK: br i1 [[PAST]]
// CHECK: [[HERE_LEFT:%.*]] = phi i32 [ [[REST]], %{{.*}} ], [ [[REST]], %{{.*}} ], [ %{{.*}}, %{{.*}} ]
// CHECK: and i32 [[HERE_LEFT]], 7
// CHECK-COUNT-8: load float, {{.*}}!coalda.rest
extern "C" __global__ void lists(const float *a, const int *count, float *y, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, length = count[i];
  WALK
}

// CHECK-LABEL: @rows(
// CHECK-NOT: vote.all.sync(i32 %
// CHECK: ret void
extern "C" __global__ void rows(const float *a, float *y, int m, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  WALK
}

// Where there are 2^32 iterations their number is 0, and says nothing.
// CHECK-LABEL: @wraps(
// CHECK: [[TOGETHER:%.*]] = call i1 @llvm.nvvm.vote.all.sync(i32 %
// CHECK: [[APART:%.*]] = xor i1 [[TOGETHER]], true
// CHECK: [[KNOWN:%.*]] = icmp ne i32 [[ALL:%.*]], 0
// CHECK: and i1 [[APART]], [[KNOWN]]
// CHECK: select i1 %{{.*}}, i32 [[ALL]], i32
extern "C" __global__ void wraps(const float *a, const unsigned *count, float *y, size_t m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned length = count[i], j = 0;
  const float *p = a + i * m;
  float s = 0;
  _Pragma("unroll 1") do s += *p++; while (++j != length);
  y[i] = s;
}
