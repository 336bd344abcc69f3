// Planted faults of single threads, each with a clean twin (the same kernel, a harmless argument): exit 2 and 0.
// RUN: %clang-device -O0 -gline-tables-only %s -o %t.ll
// RUN: %clang-device -O3 -gline-tables-only %s -o %t3.ll
//
// RUN: %sim %t.ll --kernel element --grid 1 --block 1 -- zero:16 i32:0 && %sim %t.ll --kernel element --grid 1 --block 1 -- zero:16 i32:3
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel element --grid 1 --block 1 -- zero:16 i32:4 | %FileCheck %s --check-prefix=OVER
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel element --grid 1 --block 1 -- zero:16 i32:-1 | %FileCheck %s --check-prefix=UNDER
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel element --grid 1 --block 1 -- zero:15 i32:3
// OVER: {{[Bb]ounds.*faults-memory.cu:}}[[#@LINE+32]]
// UNDER: {{[Bb]ounds.*faults-memory.cu:}}[[#@LINE+31]]
//
// RUN: %sim %t.ll --kernel read --grid 1 --block 1 -- zero:16 buf:1 i32:15
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel read --grid 1 --block 1 -- zero:16 buf:1 i32:16 | %FileCheck %s --check-prefix=BOUNDS
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel read --grid 1 --block 1 -- zero:16 buf:1 i32:-1 | %FileCheck %s --check-prefix=BOUNDS
// RUN: %sim %t.ll --kernel shared --grid 1 --block 1 -- i32:7
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel shared --grid 1 --block 1 -- i32:8 | %FileCheck %s --check-prefix=BOUNDS
// RUN: %sim %t.ll --kernel local --grid 1 --block 1 -- i32:7
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel local --grid 1 --block 1 -- i32:8 | %FileCheck %s --check-prefix=BOUNDS
// BOUNDS: {{[Bb]ounds}}
//
// RUN: %sim %t.ll --kernel dangling --grid 1 --block 1 -- i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel dangling --grid 1 --block 1 -- i32:1 | %FileCheck %s --check-prefix=RETURN
// RETURN: use after return: load of 4 bytes at local+{{[0-9]+}}, thread (0,0,0)
// RUN: %sim %t3.ll --kernel scope --grid 1 --block 1 -- zero:4 i32:0
// RUN: %python %S/exit.py 2 %sim %t3.ll --kernel scope --grid 1 --block 1 -- zero:4 i32:1 | %FileCheck %s --check-prefix=SCOPE
// SCOPE: use after scope: load of 4 bytes at local+{{[0-9]+}}, thread (0,0,0)
// RUN: %sim %t.ll --kernel aligned --grid 1 --block 1 -- zero:16 i32:4
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel aligned --grid 1 --block 1 -- zero:16 i32:5 | %FileCheck %s --check-prefix=ALIGN
// ALIGN: {{[Aa]lign}}
// RUN: %sim %t.ll --kernel null --grid 1 --block 1 -- zero:4
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel null --grid 1 --block 1 -- null
// RUN: %sim %t.ll --kernel constant --grid 1 --block 1 -- i32:0
// RUN: %sim %t.ll --kernel stop --grid 1 --block 1 -- i32:0
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel stop --grid 1 --block 1 -- i32:1
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel stop --grid 1 --block 1 -- i32:2 | %FileCheck %s --check-prefix=ASSERT
// ASSERT: {{.*}}how != 2
#include "check.cuh"
#define P __device__ __noinline__

KERNEL element(int *p, int at) {
  p[at] = 1; // OVER and UNDER name this line
}
KERNEL read(const char *p, char *out, int at) { *out = p[at]; }
KERNEL shared(int at) {
  __shared__ volatile int s[8];
  s[at] = 1;
}
P void fill(int *p, int at) { p[at] = 1; }
KERNEL local(int at) {
  int l[8];
  fill(l, at);
}
P int *leak(int *keep) {
  int gone[4] = {1, 2, 3, 4};
  int *volatile p = gone;
  return keep ? keep : p;
}
KERNEL dangling(int bad) {
  int mine[4] = {5, 6, 7, 8};
  int *p = leak(bad ? nullptr : mine);
  if (p[1] == 12345) __trap();
}
P void set(int *p, int **keep) {
  p[3] = 7;
  if (keep) *keep = p;
}
KERNEL scope(int *out, int bad) {
  int mine[8], *p = mine;
  mine[3] = 5;
  {
    int inner[8];
    set(inner, bad ? &p : nullptr);
  }
  *out = p[3];
}
KERNEL aligned(char *p, int at) { *(volatile int *)(p + at) = 1; }
KERNEL null(int *p) { *p = 1; }
__constant__ int c[2] = {1, 2};
KERNEL constant(int at) { EXPECT(c[at] == 1); }
KERNEL stop(int how) {
  if (how == 1) __trap();
  assert(how != 2);
}
