// --each: runs one after another, of modules that are read once; after one that is not clean, in another process.
// RUN: %clang-device -O3 %s -o %t.ll
// RUN: %clang-device -O3 -DOTHER %s -o %t.other.ll
// RUN: printf '%%s\t--kernel\ttwice\t--grid\t1\t--block\t100\t--\tiota:100\tbuf:400\n' %t.ll > %t.lines
// RUN: printf '%%s\t--kernel\ttwice\t--grid\t1\t--block\t100\t--compare\t%%s\t--\tiota:100\tbuf:400\n' %t.ll %t.other.ll %t.ll %t.ll >> %t.lines
// RUN: printf '%%s\t--kernel\ttwice\t--grid\t1\t--block\t101\t--\tiota:100\tbuf:400\n' %t.ll >> %t.lines
// RUN: printf '%%s\t--kernel\tabsent\t--grid\t1\t--block\t1\t--\n--nonsense\n--help\n' %t.missing >> %t.lines
// RUN: printf '%%s\t--kernel\tsays\t--grid\t1\t--block\t1\t--\n' %t.ll >> %t.lines
// RUN: %sim --each < %t.lines 2>&1 | %FileCheck %s
// CHECK: coalda-sim: exit 0
// CHECK: buffer 1 differs
// CHECK-EMPTY:
// CHECK-NEXT: coalda-sim: exit 3
// CHECK-EMPTY:
// CHECK-NEXT: coalda-sim: exit 0
// CHECK: coalda-sim: exit 2
// CHECK-NEXT: cannot read
// CHECK-EMPTY:
// CHECK-NEXT: coalda-sim: exit 1
// CHECK-NEXT: unknown option
// CHECK-EMPTY:
// CHECK-NEXT: coalda-sim: exit 1
// CHECK-NEXT: usage
// CHECK: coalda-sim: exit 0
// What a kernel prints need not end in a newline; the answer stands on a line of its own.
// CHECK: {{^}}said
// CHECK-NEXT: coalda-sim: exit 0
#include "check.cuh"
KERNEL twice(u32 *a, u32 *b) {
  u32 t = threadIdx.x;
#ifdef OTHER
  b[t] = 2 * a[t] + (t == 6);
#else
  b[t] = 2 * a[t];
#endif
}
KERNEL says() { printf("said"); }
