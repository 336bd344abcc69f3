// Of walks that step by words and by bytes, the bytes' pieces must be long enough as well: 64 iterations move 64 bytes of the one
// row and 256 of the other. Of words and halves 32 are enough. Words beside blocks of 64 bytes would still be too few.
// RUN: %clang --cuda-device-only --cuda-gpu-arch=sm_90 -O3 -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=coalda -S %t.ll | %FileCheck %s
typedef unsigned char byte;

// CHECK-LABEL: @bytes(
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK-COUNT-4: load <4 x i32>
// CHECK-COUNT-16: store <4 x i32>
extern "C" __global__ void bytes(const byte *in, unsigned *out, int width, int height) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  unsigned sum = 0;
  for (int x = 0; x < width; x++) out[y * width + x] = sum += in[y * width + x];
}

// CHECK-LABEL: @halves(
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK-COUNT-4: load <4 x i32>
// CHECK-COUNT-8: store <4 x i32>
// CHECK-NOT: store <4 x i32>
extern "C" __global__ void halves(const unsigned short *in, unsigned *out, int width, int height) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= height) return;
  unsigned sum = 0;
  for (int x = 0; x < width; x++) out[y * width + x] = sum += in[y * width + x];
}

// CHECK-LABEL: @blocks(
// CHECK: call i32 @llvm.nvvm.activemask()
// CHECK-COUNT-12: load <4 x i32>
// CHECK-NOT: load <4 x i32>
// CHECK: ret void
extern "C" __global__ void blocks(const int *factor, const float *block, float *out, int width) {
  int y = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int x = 0; x < width; x++)
    for (int k = 0; k < 16; k++) sum += factor[y * width + x] * block[16 * (y * width + x) + k];
  out[y] = sum;
}
