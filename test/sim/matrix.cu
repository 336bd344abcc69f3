// mma.sync: products of matrices by a warp, in every shape, of every kind of number, with the numbers where the manual says that
// each lane's lie. What is multiplied is small and whole, so that every order of adding gives the same.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel halves --grid 1 --block 64 --seeds 2
// RUN: %sim %t0.ll --kernel halves --grid 1 --block 32
// RUN: %sim %t3.ll --kernel bfloats --grid 1 --block 64 --seeds 2
// RUN: %sim %t0.ll --kernel bfloats --grid 1 --block 32
// RUN: %sim %t3.ll --kernel tf32s --grid 1 --block 64 --seeds 2
// RUN: %sim %t0.ll --kernel tf32s --grid 1 --block 32
// RUN: %sim %t3.ll --kernel bytes --grid 1 --block 64 --seeds 2
// RUN: %sim %t0.ll --kernel bytes --grid 1 --block 32
// RUN: %sim %t3.ll --kernel limits --grid 1 --block 32
// RUN: %sim %t3.ll --kernel rounding --grid 1 --block 32
// RUN: %sim %t3.ll --kernel paths --grid 1 --block 64 --seeds 8
#include "check.cuh"
#include <cuda_bf16.h>
#include <cuda_fp16.h>

__device__ int of_a(int row, int k) { return (int)(noise(row * 32 + k) & 15) - 7; }
__device__ int of_b(int k, int column) { return (int)(noise(1000 + column * 32 + k) & 15) - 7; }
__device__ int of_c(int row, int column) { return (int)(noise(3000 + column * 32 + row) & 63) - 31; }

struct Half { static __device__ u32 bits(int x) { return __half_as_ushort(__int2half_rn(x)); } };
struct Bfloat { static __device__ u32 bits(int x) { return __bfloat16_as_ushort(__int2bfloat16_rn(x)); } };
struct Tf32 { static __device__ u32 bits(int x) { return __float_as_uint((float)x) | 0x1abc; } };     // the low bits count for nothing
struct Byte { static __device__ u32 bits(int x) { return x & 255; } };

// The registers of a: EACH numbers in each. Register 1 lies 8 rows below register 0 (if there are 16 rows), those behind to the right.
template <class N, int ROWS, int K, int EACH> struct Factor {
  enum { REGISTERS = ROWS * K / 32 / EACH };
  u32 r[REGISTERS];
  __device__ void put(int index, int value) { r[index / EACH] |= N::bits(value) << index % EACH * 32 / EACH; }
  __device__ void read_a(int lane) {
    for (int i = 0; i < REGISTERS; i++) r[i] = 0;
    for (int i = 0; i < REGISTERS * EACH; i++) {
      int half = ROWS == 16 ? i / EACH % 2 : 0, right = ROWS == 16 ? i / EACH / 2 : i / EACH;
      put(i, of_a(lane / 4 + 8 * half, lane % 4 * EACH + i % EACH + right * 4 * EACH));
    }
  }
  __device__ void read_b(int lane) {
    for (int i = 0; i < REGISTERS; i++) r[i] = 0;
    for (int i = 0; i < REGISTERS * EACH; i++) put(i, of_b(lane % 4 * EACH + i % EACH + i / EACH * 4 * EACH, lane / 4));
  }
};

__device__ int row_of(int lane, int index) { return lane / 4 + index / 2 * 8; }
__device__ int column_of(int lane, int index) { return lane % 4 * 2 + index % 2; }
template <int K> __device__ int wanted(int lane, int index) {
  int row = row_of(lane, index), column = column_of(lane, index), sum = of_c(row, column);
  for (int k = 0; k < K; k++) sum += of_a(row, k) * of_b(k, column);
  return sum;
}

#define A1 "{%4}"
#define A2 "{%4, %5}"
#define A4 "{%4, %5, %6, %7}"
#define PASS_1(x) "r"(x.r[0])
#define PASS_2(x) "r"(x.r[0]), "r"(x.r[1])
#define PASS_4(x) "r"(x.r[0]), "r"(x.r[1]), "r"(x.r[2]), "r"(x.r[3])

// 16 x 8, added up in f32 (N = 'f') or s32 ('r'): the sum comes in and goes out in the same registers.
#define PRODUCT(name, number, k, each, type, regs, na, nb)                                       \
  {                                                                                                         \
    int lane = threadIdx.x & 31;                                                                            \
    Factor<number, 16, k, each> a;                                                                          \
    Factor<number, 8, k, each> b;                                                                           \
    a.read_a(lane);                                                                                         \
    b.read_b(lane);                                                                                         \
    type d[4];                                                                                              \
    for (int i = 0; i < 4; i++) d[i] = of_c(row_of(lane, i), column_of(lane, i));                           \
    asm volatile("mma.sync.aligned." name " {%0, %1, %2, %3}, " regs ", {%0, %1, %2, %3};"                  \
                 : IN_OUT_##type(d) : PASS_##na(a), PASS_##nb(b));                                          \
    for (int i = 0; i < 4; i++) EXPECT(d[i] == (type)wanted<k>(lane, i));                                   \
  }
#define IN_OUT_float(d) "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define IN_OUT_int(d) "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3])

// Sums in halves: two registers of two.
#define HALF_SUMS(name, k, regs_a, na, nb)                                                                       \
  {                                                                                                         \
    int lane = threadIdx.x & 31;                                                                            \
    Factor<Half, 16, k, 2> a;                                                                               \
    Factor<Half, 8, k, 2> b;                                                                                \
    a.read_a(lane);                                                                                         \
    b.read_b(lane);                                                                                         \
    u32 c[2] = {0, 0}, d[2];                                                                                \
    for (int i = 0; i < 4; i++) c[i / 2] |= Half::bits(of_c(row_of(lane, i), column_of(lane, i))) << i % 2 * 16; \
    asm volatile("mma.sync.aligned." name ".row.col.f16.f16.f16.f16 {%0, %1}, " regs_a ", {%2, %3};"        \
                 : "=r"(d[0]), "=r"(d[1]) : "r"(c[0]), "r"(c[1]), PASS_##na(a), PASS_##nb(b));              \
    for (int i = 0; i < 4; i++) EXPECT((d[i / 2] >> i % 2 * 16 & 0xffff) == Half::bits(wanted<k>(lane, i))); \
  }

KERNEL halves() {
  PRODUCT("m16n8k8.row.col.f32.f16.f16.f32", Half, 8, 2, float, A2 ", {%6}", 2, 1)
  PRODUCT("m16n8k16.row.col.f32.f16.f16.f32", Half, 16, 2, float, A4 ", {%8, %9}", 4, 2)
  HALF_SUMS("m16n8k8", 8, "{%4, %5}, {%6}", 2, 1)
  HALF_SUMS("m16n8k16", 16, "{%4, %5, %6, %7}, {%8, %9}", 4, 2)
}
KERNEL bfloats() {
  PRODUCT("m16n8k8.row.col.f32.bf16.bf16.f32", Bfloat, 8, 2, float, A2 ", {%6}", 2, 1)
  PRODUCT("m16n8k16.row.col.f32.bf16.bf16.f32", Bfloat, 16, 2, float, A4 ", {%8, %9}", 4, 2)
}
KERNEL tf32s() {
  PRODUCT("m16n8k4.row.col.f32.tf32.tf32.f32", Tf32, 4, 1, float, A2 ", {%6}", 2, 1)
  PRODUCT("m16n8k8.row.col.f32.tf32.tf32.f32", Tf32, 8, 1, float, A4 ", {%8, %9}", 4, 2)
}
KERNEL bytes() {
  PRODUCT("m16n8k16.row.col.s32.s8.s8.s32", Byte, 16, 4, int, A2 ", {%6}", 2, 1)
  PRODUCT("m16n8k32.row.col.s32.s8.s8.s32", Byte, 32, 4, int, A4 ", {%8, %9}", 4, 2)
  PRODUCT("m16n8k32.row.col.satfinite.s32.s8.s8.s32", Byte, 32, 4, int, A4 ", {%8, %9}", 4, 2)
  int lane = threadIdx.x & 31, x, y, c[2] = {of_c(row_of(lane, 0), column_of(lane, 0)), of_c(row_of(lane, 1), column_of(lane, 1))};
  Factor<Byte, 8, 16, 4> a, b;
  a.read_a(lane);
  b.read_b(lane);
  asm volatile("mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, %1}, {%2}, {%3}, {%4, %5};"
               : "=r"(x), "=r"(y) : "r"(a.r[0]), "r"(b.r[0]), "r"(c[0]), "r"(c[1]));
  EXPECT(x == wanted<16>(lane, 0) && y == wanted<16>(lane, 1));
}

// Bytes with and without signs, sums that overflow and sums that stop at the largest number.
__device__ int bytes_of(int how, u32 a, u32 b, int c) {
  int d[4];
#define LIMIT(types) \
  asm volatile("mma.sync.aligned.m16n8k16.row.col" types " {%0, %1, %2, %3}, {%4, %4}, {%5}, {%6, %6, %6, %6};" \
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(a), "r"(b), "r"(c))
  switch (how) {
  case 0: LIMIT(".s32.s8.s8.s32"); break;
  case 1: LIMIT(".s32.u8.u8.s32"); break;
  case 2: LIMIT(".s32.s8.u8.s32"); break;
  case 3: LIMIT(".s32.u8.s8.s32"); break;
  case 4: LIMIT(".satfinite.s32.u8.u8.s32"); break;
  default: LIMIT(".satfinite.s32.s8.u8.s32");
  }
  EXPECT(d[0] == d[1] && d[0] == d[2] && d[0] == d[3]);
  return d[0];
}
KERNEL limits() {
  u32 a = 0xfefefefe, b = 0xfdfdfdfd;
  EXPECT(bytes_of(0, a, b, 5) == 16 * 2 * 3 + 5);
  EXPECT(bytes_of(1, a, b, 5) == 16 * 254 * 253 + 5);
  EXPECT(bytes_of(2, a, b, 5) == 16 * -2 * 253 + 5);
  EXPECT(bytes_of(3, a, b, 5) == 16 * 254 * -3 + 5);
  EXPECT((u32)bytes_of(1, a, b, 0x7fffffff) == 0x7fffffffu + 16 * 254 * 253);
  EXPECT(bytes_of(4, a, b, 0x7fffffff) == 0x7fffffff);
  EXPECT(bytes_of(5, a, b, (int)0x80000001) == (int)0x80000000);
}

// The simulator's own: what to add to first, products by ascending k, in double, rounded once. Column 0 holds all there is.
KERNEL rounding() {
  int lane = threadIdx.x & 31;
  float d[4], c = 1, tiny = 0x1p-24f;
  u32 first = lane % 4 == 0 ? Half::bits(1) : 0, b = lane % 4 == 0 ? (0x0001u << 16 | 0x0001u) : 0;    // halves of 2^-24
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%6, %6, %6, %6};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "r"(first), "r"(b), "f"(c));
  EXPECT(d[0] == 1.0f);                                                                                 // 1 + 2^-24: to even
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%6, %6, %6, %6};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "r"(first | first << 16), "r"(b), "f"(c));
  EXPECT(d[0] == 1 + 2 * tiny);                                                                         // both together count
  u32 nan = 0x7e00, e[2];
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%6, %6, %6, %6};"
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3]) : "r"(nan), "r"(b), "f"(c));
  EXPECT(__float_as_uint(d[0]) == 0x7fffffff);
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0, %1}, {%2, %2}, {%3}, {%4, %4};"
               : "=r"(e[0]), "=r"(e[1]) : "r"(Half::bits(2048) * 0x10001u), "r"(Half::bits(2047) * 0x10001u), "r"(0));
  EXPECT(e[0] == 0x7c007c00 && e[1] == 0x7c007c00);
}

// Lanes that come to it by different paths, one half after the other, multiply together.
KERNEL paths() {
  int lane = threadIdx.x & 31, d[4];
  u32 a = lane < 16 ? 0x01010101 : 0x02020202;
  if (lane & 1) __nanosleep(lane);
  asm volatile("mma.sync.aligned.m16n8k16.row.col.s32.s8.s8.s32 {%0, %1, %2, %3}, {%4, %4}, {%5}, {%6, %6, %6, %6};"
               : "=r"(d[0]), "=r"(d[1]), "=r"(d[2]), "=r"(d[3]) : "r"(a), "r"(0x01010101), "r"(lane));
  EXPECT(d[0] == 16 * (lane < 16 ? 1 : 2) + lane);
}
