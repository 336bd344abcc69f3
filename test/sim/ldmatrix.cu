// ldmatrix and stmatrix: the row whose address a lane gives, and the lanes that get its numbers; one, two and four matrices, turned or
// not, by 32-bit and 64-bit addresses of shared memory and by generic ones.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel loads --grid 1 --block 64 --seeds 4
// RUN: %sim %t0.ll --kernel loads --grid 1 --block 32
// RUN: %sim %t3.ll --kernel stores --grid 1 --block 64 --seeds 4
// RUN: %sim %t0.ll --kernel stores --grid 1 --block 32
// RUN: %sim %t3.ll --kernel moves --grid 1 --block 32 --seeds 4
// RUN: %sim %t3.ll --kernel copies --grid 1 --block 32 --seeds 8 -- rand:1024
// RUN: %sim %t3.ll --kernel loads --grid 1 --block 32 --stats=%t.json
// RUN: %FileCheck %s --input-file=%t.json
// CHECK: "requests"
#include "check.cuh"
typedef unsigned short u16;
enum { ROWS = 32, PITCH = 24 };       // rows of 48 bytes: 8 numbers and room

__device__ u16 number(u32 warp, u32 row, u32 column) { return (u16)noise(warp * 1000 + row * 8 + column); }
__device__ u32 pair(u32 low, u32 high) { return low | high << 16; }
// Register m of a lane: of matrix m two numbers that lie side by side, or (turned) one below the other.
__device__ u32 wanted(u32 warp, u32 lane, u32 m, bool turned) {
  u32 row = 8 * m, at = lane / 4, next = lane % 4 * 2;
  return turned ? pair(number(warp, row + next, at), number(warp, row + next + 1, at))
                : pair(number(warp, row + at, next), number(warp, row + at, next + 1));
}

#define LOAD_1(how, pointer) asm volatile("ldmatrix.sync.aligned.m8n8.x1" how ".b16 {%0}, [%1];" : "=r"(r[0]) : pointer)
#define LOAD_2(how, pointer) asm volatile("ldmatrix.sync.aligned.m8n8.x2" how ".b16 {%0, %1}, [%2];" : "=r"(r[0]), "=r"(r[1]) : pointer : "memory")
#define LOAD_4(how, pointer)                                                        \
  asm volatile("ldmatrix.sync.aligned.m8n8.x4" how ".b16 {%0, %1, %2, %3}, [%4];"   \
               : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : pointer : "memory")
#define CHECKED(load, n, turned) \
  load;                          \
  for (u32 m = 0; m < n; m++) EXPECT(r[m] == wanted(warp, lane, m, turned));

KERNEL loads() {
  __shared__ __align__(16) u16 s[2][ROWS * PITCH];
  u32 warp = threadIdx.x / 32, lane = threadIdx.x & 31, r[4];
  for (u32 i = lane; i < ROWS * 8; i += 32) s[warp][i / 8 * PITCH + i % 8] = number(warp, i / 8, i % 8);
  __syncwarp();
  u16 *row = &s[warp][lane * PITCH];
  u32 at = (u32)__cvta_generic_to_shared(row);
  size_t at64 = __cvta_generic_to_shared(row);
  CHECKED(LOAD_1(".shared", "r"(at)), 1, false)
  CHECKED(LOAD_2(".shared::cta", "r"(at)), 2, false)
  CHECKED(LOAD_4(".shared", "r"(at)), 4, false)
  CHECKED(LOAD_1(".trans.shared", "l"(at64)), 1, true)
  CHECKED(LOAD_2(".trans.shared", "l"(at64)), 2, true)
  CHECKED(LOAD_4(".trans.shared::cta", "l"(at64)), 4, true)
  CHECKED(LOAD_4("", "l"(row)), 4, false)
  asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1+48];" : "=r"(r[0]) : "r"(at - 48));
  EXPECT(r[0] == wanted(warp, lane, 0, false));
  at = lane < 8 ? at : 0xffffffff;      // of one matrix only eight addresses count
  CHECKED(LOAD_1(".shared", "r"(at)), 1, false)
}

#define STORE(how, n, regs, ...)                                                                                   \
  __syncwarp();                                                                                                    \
  for (u32 i = lane; i < ROWS * PITCH; i += 32) s[warp][i] = 0xffff;                                               \
  __syncwarp();                                                                                                    \
  for (u32 m = 0; m < 4; m++) r[m] = wanted(warp, lane, m, TURNED);                                                \
  asm volatile("stmatrix.sync.aligned.m8n8." how ".shared.b16 [%0], " regs ";" ::"r"(at), __VA_ARGS__ : "memory"); \
  __syncwarp();                                                                                                    \
  for (u32 i = lane; i < ROWS * PITCH; i += 32) {                                                                  \
    u32 row = i / PITCH, column = i % PITCH;                                                                       \
    EXPECT(s[warp][i] == (row < 8 * n && column < 8 ? number(warp, row, column) : 0xffff));                        \
  }
KERNEL stores() {
  __shared__ __align__(16) u16 s[2][ROWS * PITCH];
  u32 warp = threadIdx.x / 32, lane = threadIdx.x & 31, r[4], at = (u32)__cvta_generic_to_shared(&s[warp][lane * PITCH]);
#define TURNED false
  STORE("x1", 1, "{%1}", "r"(r[0]))
  STORE("x2", 2, "{%1, %2}", "r"(r[0]), "r"(r[1]))
  STORE("x4", 4, "{%1, %2, %3, %4}", "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]))
#undef TURNED
#define TURNED true
  STORE("x1.trans", 1, "{%1}", "r"(r[0]))
  STORE("x2.trans", 2, "{%1, %2}", "r"(r[0]), "r"(r[1]))
  STORE("x4.trans", 4, "{%1, %2, %3, %4}", "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]))
}

// Undefined numbers move undefined: room between rows may be read, but what comes of it decides nothing.
KERNEL moves() {
  __shared__ __align__(16) u16 s[ROWS * PITCH], t[ROWS * PITCH];
  u32 lane = threadIdx.x, r[4];
  for (u32 i = lane; i < 16 * 8; i += 32) s[i / 8 * PITCH + i % 8] = number(0, i / 8, i % 8);
  __syncwarp();
  LOAD_4(".shared", "r"((u32)__cvta_generic_to_shared(&s[lane * PITCH])));
  asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
               ::"r"((u32)__cvta_generic_to_shared(&t[lane * PITCH])), "r"(r[0]), "r"(r[1]), "r"(r[2]), "r"(r[3]) : "memory");
  __syncwarp();
  for (u32 i = lane; i < 16 * 8; i += 32) EXPECT(t[i / 8 * PITCH + i % 8] == number(0, i / 8, i % 8));
}

// Rows that come by asynchronous copies, each lane's own.
KERNEL copies(const u16 *in) {
  __shared__ __align__(16) u16 s[ROWS * PITCH];
  u32 lane = threadIdx.x, r[4], at = (u32)__cvta_generic_to_shared(&s[lane * PITCH]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(in + 8 * lane) : "memory");
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncwarp();
  LOAD_4(".trans.shared", "r"(at));
  for (u32 m = 0; m < 4; m++)
    EXPECT(r[m] == pair(in[(8 * m + lane % 4 * 2) * 8 + lane / 4], in[(8 * m + lane % 4 * 2 + 1) * 8 + lane / 4]));
}
