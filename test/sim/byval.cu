// Structs passed by value: the kernel's copy is its own, a callee's copy is another, and pointers inside point into buffers.
// RUN: %clang-device -O0 -gline-tables-only %s -o %t0.ll
// RUN: %clang-device -O3 -gline-tables-only %s -o %t3.ll
// RUN: %sim %t0.ll --kernel whole --grid 2 --block 32 --seeds 3 -- struct:i32:7,f32:1.5,f64:-2,i32:9 zero:256
// RUN: %sim %t3.ll --kernel whole --grid 2 --block 32 --seeds 3 -- struct:i32:7,f32:1.5,f64:-2,i32:9 zero:256
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel whole --grid 1 --block 32 -- struct:i32:7,f32:1.5,f64:-2,i32:8 zero:128
// RUN: %sim %t0.ll --kernel passed_on --grid 2 --block 64 --seeds 3 -- struct:i32:7,f32:1.5,f64:-2,i32:9
// RUN: %sim %t3.ll --kernel passed_on --grid 2 --block 64 --seeds 3 -- struct:i32:7,f32:1.5,f64:-2,i32:9
//
// Two views of two buffers, the second of which starts in the middle; a bound that lies is caught.
// RUN: %sim %t0.ll --kernel views --grid 1 --block 64 -- struct:ref:2,i32:64 struct:ref:3+64,i32:64 iota:64 zero:320
// RUN: %sim %t3.ll --kernel views --grid 1 --block 64 --dump=3:%t.out -- struct:ref:2,i32:64 struct:ref:3+64,i32:64 iota:64 zero:320
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel views --grid 1 --block 64 -- struct:ref:2,i32:64 struct:ref:3+65,i32:64 iota:64 zero:320 | %FileCheck %s --check-prefix=ALIGN
// ALIGN: misaligned: store of 4 bytes at buffer 3+65
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel views --grid 1 --block 65 -- struct:ref:2,i32:65 struct:ref:3+64,i32:65 iota:64 zero:324 | %FileCheck %s --check-prefix=BOUNDS
// BOUNDS: out of bounds: load of 4 bytes at buffer 2+256 (of 256 bytes), thread (64,0,0)
//
// Words of the command line: a struct of the wrong size, a reference to nothing, a member that is no number.
// RUN: %python %S/exit.py 1 %sim %t3.ll --kernel whole --grid 1 --block 1 -- struct:i32:7,f32:1 zero:4 | %FileCheck %s --check-prefix=SIZE
// SIZE: argument 0 of kernel whole is a struct of 24 bytes, not 'struct:i32:7,f32:1'
// RUN: %python %S/exit.py 1 %sim %t3.ll --kernel views --grid 1 --block 1 -- struct:ref:9,i32:64 struct:ref:3,i32:64 iota:64 zero:256 | %FileCheck %s --check-prefix=REF
// REF: no buffer to refer to: 'struct:ref:9,i32:64'
// RUN: %python %S/exit.py 1 %sim %t3.ll --kernel views --grid 1 --block 1 -- struct:zero:4 struct:i32:1 | %FileCheck %s --check-prefix=MEMBER
// MEMBER: bad argument 'struct:zero:4'
// RUN: %python %S/exit.py 1 %sim %t3.ll --kernel whole --grid 1 --block 1 -- zero:24 zero:4 zero:4 | %FileCheck %s --check-prefix=COUNT
// COUNT: kernel whole takes 2 arguments, not 3
#include "check.cuh"
struct Mixed {
  int i;
  float f;
  double d;
  int last;
};
struct View {
  u32 *p;
  int n;
};
KERNEL whole(Mixed m, u32 *out) {
  EXPECT(m.i == 7 && m.f == 1.5f && m.d == -2 && m.last == 9);
  u32 i = blockIdx.x * blockDim.x + threadIdx.x;
  m.last += i;                          // the copy is the thread's own
  out[i] = m.last;
  EXPECT(m.last == 9 + (int)i);
}
__device__ __noinline__ double spoil(Mixed m) {
  m.i = 0;
  m.d += m.f;
  return m.d + threadIdx.x;
}
KERNEL passed_on(Mixed m) {
  double sum = spoil(m) + spoil(m);
  EXPECT(sum == -1.0 + 2 * (double)threadIdx.x && m.i == 7 && m.d == -2);
}
KERNEL views(View a, View b) {
  int t = threadIdx.x;
  if (t < a.n && t < b.n) b.p[t] = a.p[t] + 1;
}
