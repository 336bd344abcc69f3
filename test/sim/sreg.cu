// Thread, block and grid registers: 3-D, partial warps, lane and warp numbers.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel shape --grid 2,3,2 --block 5,3,4 --seeds 3 -- zero:720 i32:5 i32:3 i32:4 i32:2 i32:3 i32:2
// RUN: %sim %t0.ll --kernel shape --grid 2,3,2 --block 5,3,4 --seeds 3 -- zero:720 i32:5 i32:3 i32:4 i32:2 i32:3 i32:2
// RUN: %sim %t3.ll --kernel shape --grid 1 --block 1 -- zero:1 i32:1 i32:1 i32:1 i32:1 i32:1 i32:1
// RUN: %sim %t3.ll --kernel lanes --grid 1 --block 100 -- buf:400 buf:400
// RUN: %sim %t0.ll --kernel lanes --grid 1 --block 10,10 -- buf:400 buf:400
// RUN: %sim %t3.ll --kernel time --grid 1 --block 64 -- i32:1
// A wrong expectation must fail:
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel shape --grid 2,3,2 --block 5,3,4 -- zero:720 i32:5 i32:3 i32:4 i32:2 i32:3 i32:3
#include "check.cuh"

// Every thread of the grid comes exactly once.
KERNEL shape(unsigned char *seen, u32 bx, u32 by, u32 bz, u32 gx, u32 gy, u32 gz) {
  EXPECT(blockDim.x == bx && blockDim.y == by && blockDim.z == bz);
  EXPECT(gridDim.x == gx && gridDim.y == gy && gridDim.z == gz);
  EXPECT(threadIdx.x < bx && threadIdx.y < by && threadIdx.z < bz);
  EXPECT(blockIdx.x < gx && blockIdx.y < gy && blockIdx.z < gz);
  u32 block = blockIdx.x + gx * (blockIdx.y + gy * blockIdx.z);
  u32 at = block * bx * by * bz + threadIdx.x + bx * (threadIdx.y + by * threadIdx.z);
  EXPECT(seen[at] == 0);
  seen[at] = 1;
}

KERNEL lanes(u32 *lane, u32 *warp) {
  u32 r = rank_in_block(), l, w, eq, lt, le, gt, ge, ws;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(l));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(w));
  asm volatile("mov.u32 %0, %%lanemask_eq;" : "=r"(eq));
  asm volatile("mov.u32 %0, %%lanemask_lt;" : "=r"(lt));
  asm volatile("mov.u32 %0, %%lanemask_le;" : "=r"(le));
  asm volatile("mov.u32 %0, %%lanemask_gt;" : "=r"(gt));
  asm volatile("mov.u32 %0, %%lanemask_ge;" : "=r"(ge));
  ws = warpSize;
  EXPECT(ws == 32 && l == r % 32);
  EXPECT(__nvvm_read_ptx_sreg_laneid() == r % 32);
  u32 below = 0;
  for (u32 j = 0; j < r % 32; j++) below |= 1u << j;
  EXPECT(eq == 1u << (r % 32) && lt == below && le == (below | eq) && ge == ~below && gt == ~(below | eq));
  EXPECT((u32)__nvvm_read_ptx_sreg_lanemask_lt() == below && (u32)__nvvm_read_ptx_sreg_lanemask_ge() == ~below);
  lane[r] = l;
  warp[r] = w;
}

KERNEL time(u32 one) {
  long long a = clock64();
  u32 c = clock();
  u32 x = one;
  for (u32 j = 0; j < 50; j++) x = noise(x + one);
  long long b = clock64();
  u32 d = clock();
  EXPECT(b > a && d - c < 1u << 31 && x != 0);
}
