// Integer intrinsics against loops over bits.
// RUN: %clang-device -O3 %s -o %t3.ll
// RUN: %clang-device -O0 %s -o %t0.ll
// RUN: %sim %t3.ll --kernel bits --grid 4 --block 64 -- rand:1024:5 rand:1024:6 rand:1024:7
// RUN: %sim %t0.ll --kernel bits --grid 4 --block 64 -- rand:1024:5 rand:1024:6 rand:1024:7
// RUN: %sim %t3.ll --kernel edges --grid 1 --block 1 -- i32:0
// RUN: %sim %t0.ll --kernel edges --grid 1 --block 1 -- i32:0
#include "check.cuh"

__device__ u32 byte_of(u64 v, u32 i) { return (u32)(v >> (8 * i)) & 255; }

__device__ u32 permute(u32 a, u32 b, u32 sel) {
  u64 both = (u64)b << 32 | a;
  u32 out = 0;
  for (u32 i = 0; i < 4; i++) {
    u32 s = sel >> (4 * i) & 15, v = byte_of(both, s & 7);
    if (s & 8) v = v & 128 ? 255 : 0;
    out |= v << (8 * i);
  }
  return out;
}

__device__ void one(u32 a, u32 b, u32 c) {
  u32 pop = 0, lead = 32, rev = 0, first = 0;
  for (u32 j = 0; j < 32; j++) {
    if (a >> j & 1) {
      pop++;
      lead = 31 - j;
      rev |= 1u << (31 - j);
      if (!first) first = j + 1;
    }
  }
  EXPECT(__popc(a) == (int)pop && __clz(a) == (int)lead && __brev(a) == rev && __ffs(a) == (int)first);
  u64 w = (u64)a << 32 | b;
  u32 pop64 = 0, lead64 = 64, first64 = 0;
  u64 rev64 = 0;
  for (u32 j = 0; j < 64; j++)
    if (w >> j & 1) {
      pop64++;
      lead64 = 63 - j;
      rev64 |= 1ull << (63 - j);
      if (!first64) first64 = j + 1;
    }
  EXPECT(__popcll(w) == (int)pop64 && __clzll(w) == (int)lead64 && __brevll(w) == rev64 && __ffsll(w) == (int)first64);
  EXPECT(__byte_perm(a, b, c & 0x7777) == permute(a, b, c & 0x7777));
  u32 got;
  asm volatile("prmt.b32 %0, %1, %2, %3;" : "=r"(got) : "r"(a), "r"(b), "r"(c));
  EXPECT(got == permute(a, b, c));
  EXPECT(__umulhi(a, b) == (u32)((u64)a * b >> 32));
  EXPECT(__mulhi((int)a, (int)b) == (int)((long long)(int)a * (int)b >> 32));
  // 64-bit high product from four 32-bit ones
  u64 x = w, y = (u64)c << 32 | a;
  u64 ll = (x & 0xffffffff) * (y & 0xffffffff), lh = (x & 0xffffffff) * (y >> 32), hl = (x >> 32) * (y & 0xffffffff), hh = (x >> 32) * (y >> 32);
  u64 mid = (ll >> 32) + (lh & 0xffffffff) + (hl & 0xffffffff);
  EXPECT(__umul64hi(x, y) == hh + (lh >> 32) + (hl >> 32) + (mid >> 32));
  EXPECT(__umul24(a, b) == (a & 0xffffff) * (b & 0xffffff));
  int a24 = (int)(a << 8) >> 8, b24 = (int)(b << 8) >> 8;
  EXPECT(__mul24((int)a, (int)b) == (int)(u32)((long long)a24 * b24));
  EXPECT(__usad(a, b, c) == (a > b ? a - b : b - a) + c);
  EXPECT(__sad((int)a, (int)b, c) == ((int)a > (int)b ? a - b : b - a) + c);
  u32 n = c & 31;
  EXPECT(__funnelshift_l(a, b, c) == (n ? b << n | a >> (32 - n) : b));
  EXPECT(__funnelshift_r(a, b, c) == (n ? a >> n | b << (32 - n) : a));
  u32 m = (c & 63) < 32 ? (c & 63) : 32;
  EXPECT(__funnelshift_lc(a, b, c & 63) == (m == 32 ? a : m ? b << m | a >> (32 - m) : b));
  EXPECT(__funnelshift_rc(a, b, c & 63) == (m == 32 ? b : m ? a >> m | b << (32 - m) : a));
  EXPECT(__hadd((int)a, (int)b) == (int)(((long long)(int)a + (int)b) >> 1));
  EXPECT(__rhadd((int)a, (int)b) == (int)(((long long)(int)a + (int)b + 1) >> 1));
  EXPECT(__uhadd(a, b) == (u32)(((u64)a + b) >> 1) && __urhadd(a, b) == (u32)(((u64)a + b + 1) >> 1));
  // bit fields
  u32 pos = b & 31, len = c & 15, field;
  asm volatile("bfe.u32 %0, %1, %2, %3;" : "=r"(field) : "r"(a), "r"(pos), "r"(len));
  EXPECT(field == (u32)((u64)a >> pos & ((1u << len) - 1)));
  asm volatile("bfi.b32 %0, %1, %2, %3, %4;" : "=r"(field) : "r"(a), "r"(b), "r"(pos), "r"(len));
  u32 ones = (u32)((u64)((1u << len) - 1) << pos);
  EXPECT(field == ((b & ~ones) | (a << pos & ones)));
  asm volatile("lop3.b32 %0, %1, %2, %3, 0xca;" : "=r"(field) : "r"(a), "r"(b), "r"(c));
  EXPECT(field == ((a & b) | (~a & c)));
  asm volatile("shf.l.wrap.b32 %0, %1, %2, %3;" : "=r"(field) : "r"(a), "r"(b), "r"(c));
  EXPECT(field == (n ? b << n | a >> (32 - n) : b));
  // what C itself has
  HIDE(a);
  if (b) EXPECT(a / b * b + a % b == a && a % b < b);
  EXPECT((signed char)a == (int)((a & 255) ^ 128) - 128 && (short)a == (int)((a & 65535) ^ 32768) - 32768);
}

KERNEL bits(const u32 *a, const u32 *b, const u32 *c) {
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  one(a[i], b[i], c[i]);
}

KERNEL edges(u32 zero) {
  const u32 v[] = {0, 1, 2, 31, 32, 33, 127, 128, 255, 256, 0x7fff, 0x8000, 0x7fffff, 0x800000, 0x7fffffff, 0x80000000u, 0xfffffffeu, 0xffffffffu};
  for (u32 i = 0; i < 18; i++)
    for (u32 j = 0; j < 18; j++)
      for (u32 k = 0; k < 18; k += 5) one(v[i] + zero, v[j] + zero, v[k] + zero);
}
