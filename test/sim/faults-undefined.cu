// Uninitialized bytes: a copy of them is fine, a branch, an address or a result that depends on them is not.
// RUN: %clang-device -O0 -gline-tables-only %s -o %t.ll
// RUN: %sim %t.ll --kernel branch --grid 1 --block 1 -- zero:4 zero:4
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel branch --grid 1 --block 1 -- buf:4 zero:4 | %FileCheck %s
// RUN: %sim %t.ll --kernel address --grid 1 --block 1 -- zero:4 zero:4
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel address --grid 1 --block 1 -- buf:4 zero:4 | %FileCheck %s
// RUN: %sim %t.ll --kernel result --grid 1 --block 1 -- zero:4 buf:4
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel result --grid 1 --block 1 -- buf:4 buf:4 | %FileCheck %s
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel slot --grid 1 --block 32 -- buf:128 i32:31 | %FileCheck %s
// RUN: %sim %t.ll --kernel slot --grid 1 --block 32 -- buf:128 i32:32
// A struct copied whole carries its padding along; bits that are masked away do not count.
// RUN: %sim %t.ll --kernel padding --grid 1 --block 1 -- buf:16
// RUN: %sim %t.ll --kernel masked --grid 1 --block 1 -- zero:1 buf:4
// A shift past the end leaves nothing of what was undefined; a shift by nothing leaves all.
// RUN: %sim %t.ll --kernel shifted --grid 1 --block 1 -- buf:4 buf:16 i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel shifted --grid 1 --block 1 -- buf:4 buf:16 i32:1 | %FileCheck %s
// CHECK: {{[Uu]ninit|undef|never init|not init}}
#include "check.cuh"
KERNEL branch(const int *a, int *out) {
  if (*a > 3) *out = 1;
}
KERNEL address(const unsigned char *a, char *out) { out[*a & 3] = 1; }
KERNEL result(const int *a, int *out) { *out = *a + 1; }
KERNEL slot(int *out, int filled) {
  __shared__ int s[32];
  if ((int)threadIdx.x < filled) s[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = s[31 - threadIdx.x] * 2;
}
struct Padded {
  char c;
  int i;
  short s;
};
KERNEL padding(Padded *out) {
  Padded p;
  p.c = 1;
  p.i = 2;
  p.s = 3;
  Padded q = p;
  *out = q;
}
KERNEL masked(const unsigned char *a, unsigned *out) {
  union {
    unsigned char bytes[4];
    unsigned word;
  } u;
  u.bytes[0] = *a;
  *out = u.word & 0xff;
  if (u.word & 0x80) *out = 7;
}
KERNEL shifted(const unsigned *a, unsigned *out, unsigned bad) {
  unsigned x = *a, r;
  asm("shr.u32 %0, %1, %2;" : "=r"(r) : "r"(x), "r"(bad ? 0 : 32));
  out[0] = r;
  asm("shl.b32 %0, %1, 100;" : "=r"(r) : "r"(x));
  out[1] = r;
  asm("shr.u32 %0, %1, 70;" : "=r"(r) : "r"(x));
  out[2] = r;
  asm("{.reg .b16 lo, hi; mov.b32 {lo, hi}, %1; cvt.u32.u16 %0, hi;}" : "=r"(r) : "r"(x & 0xffff));
  out[3] = r;
}
