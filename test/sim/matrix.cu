// Products of matrices by a warp: of 8 x 16 and 16 x 8 bytes with signs, where the manual says that each lane's lie.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel bytes --grid 1 --block 64 --seeds 2
// RUN: %sim %t0.ll --kernel bytes --grid 1 --block 32
#include "check.cuh"
__device__ int of_a(int row, int k) { return (int)(noise(row * 16 + k) & 255) - 128; }
__device__ int of_b(int k, int column) { return (int)(noise(1000 + column * 16 + k) & 255) - 128; }
KERNEL bytes() {
  int lane = threadIdx.x & 31, row = lane / 4, column = 2 * (lane % 4), x, y, wanted[2] = {lane * 7, -lane};
  u32 a = 0, b = 0;
  for (int i = 0; i < 4; i++) {
    a |= (of_a(row, lane % 4 * 4 + i) & 255) << 8 * i;
    b |= (of_b(lane % 4 * 4 + i, row) & 255) << 8 * i;
  }
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(x), "=r"(y) : "r"(a), "r"(b), "r"(wanted[0]), "r"(wanted[1]));
  for (int k = 0; k < 16; k++) {
    wanted[0] += of_a(row, k) * of_b(k, column);
    wanted[1] += of_a(row, k) * of_b(k, column + 1);
  }
  EXPECT(x == wanted[0] && y == wanted[1]);
}
