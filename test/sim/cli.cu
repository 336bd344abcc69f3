// The command line: kinds of arguments, errors that a user makes, dumps, statistics, comparison, seeds.
// RUN: %clang-device -O3 -gline-tables-only %s -o %t.ll
// RUN: %clang-device -O3 -gline-tables-only -DOTHER %s -o %t.other.ll
// RUN: %sim %t.ll --kernel kinds --grid 1 --block 1 -- i32:-3 i64:5000000000 f32:1.5 f64:-0.1 null buf:8 zero:8 rand:8 frand:4096 drand:8192 iota:100 bits:100 perm:100 ref:6+4
// RUN: %sim %t.ll --kernel twice --grid 1 --block 100 --dump=0:%t.a --dump=1:%t.b -- iota:100 buf:400
// RUN: %python -c "import sys,struct; a,b=[struct.unpack('<100I',open(f,'rb').read()) for f in sys.argv[1:]]; assert a==tuple(range(100)) and b==tuple(2*x for x in a)" %t.a %t.b
// RUN: %sim %t.ll --kernel twice --grid 1 --block 100 --dump=1:%t.c -- file:%t.a buf:400 && cmp %t.b %t.c
// rand is the same in every run, and another seed gives other bytes:
// RUN: %sim %t.ll --kernel twice --grid 1 --block 100 --dump=1:%t.r1 -- rand:400:1 buf:400
// RUN: %sim %t.ll --kernel twice --grid 1 --block 100 --dump=1:%t.r2 --seed 7 -- rand:400:1 buf:400
// RUN: %sim %t.ll --kernel twice --grid 1 --block 100 --dump=1:%t.r3 -- rand:400:2 buf:400
// RUN: cmp %t.r1 %t.r2 && %not cmp %t.r1 %t.r3
// one schedule is repeatable, and another may differ:
// RUN: %sim %t.ll --kernel tickets --grid 8 --block 64 --seed 5 --dump=1:%t.s1 -- zero:4 buf:2048
// RUN: %sim %t.ll --kernel tickets --grid 8 --block 64 --seed 5 --dump=1:%t.s2 -- zero:4 buf:2048
// RUN: %sim %t.ll --kernel tickets --grid 8 --block 64 --seed 6 --dump=1:%t.s3 -- zero:4 buf:2048
// RUN: cmp %t.s1 %t.s2 && %not cmp %t.s1 %t.s3
// comparison: the twin agrees, the other does not
// RUN: %sim %t.ll --kernel twice --grid 1 --block 100 --compare %t.ll --seeds 2 -- iota:100 buf:400
// RUN: %python %S/exit.py 3 %sim %t.ll --kernel twice --grid 1 --block 100 --compare %t.other.ll -- iota:100 buf:400 | %FileCheck %s --check-prefix=DIFFER
// DIFFER: buffer 1{{.*}}+24
// a large buffer costs what is touched
// RUN: %sim %t.ll --kernel large --grid 1 --block 1 -- zero:1073741824
// RUN: %python %S/exit.py 2 %sim %t.ll --kernel large --grid 1 --block 1 -- zero:1073741823
//
// RUN: %sim %t.ll --kernel twice --grid 1 --block 96 --stats=%t.json -- iota:96 buf:384
// RUN: %python %S/stats.py %t.json twice requests=6 sectors=24 ideal_sectors=24
// RUN: %sim %t.ll --kernel strided --grid 1 --block 32 --stats=%t.json2 -- zero:3972
// RUN: %python %S/stats.py %t.json2 strided requests=1 sectors=32 ideal_sectors=4
//
// Mistakes: exit 1 and one sentence.
// RUN: %python %S/exit.py 1 %sim | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.missing --kernel twice --grid 1 --block 1 -- | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %s --kernel twice --grid 1 --block 1 -- | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel absent --grid 1 --block 1 -- | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --grid 1 --block 1 -- zero:4 zero:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --block 1 -- zero:4 zero:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 0 --block 1 -- zero:4 zero:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1025 -- zero:4 zero:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1,1,65 -- zero:4 zero:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1x --block 1 -- zero:4 zero:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1 -- zero:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1 -- zero:4 zero:4 i32:1 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1 -- zero:4 i32:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1 -- zero:4 wrong:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1 -- zero:4 zero:x | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1 -- zero:4 ref:9+0 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1 -- zero:4 file:%t.missing | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1 --dump=7:%t.x -- zero:4 zero:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1 --nonsense -- zero:4 zero:4 | %FileCheck %s --check-prefix=ERR
// RUN: %python %S/exit.py 1 %sim %t.ll --kernel twice --grid 1 --block 1 --seed -- zero:4 zero:4 | %FileCheck %s --check-prefix=ERR
// ERR: coalda-sim: {{.+}}
#include "check.cuh"
KERNEL kinds(int a, long long b, float c, double d, void *e, char *f, u32 *zero, char *g, float *h, double *dr, u32 *iota, u32 *bits, u32 *perm, u32 *ref) {
  EXPECT(a == -3 && b == 5000000000 && c == 1.5f && d == -0.1 && !e && zero[0] == 0 && zero[1] == 0);
  EXPECT(ref == zero + 1);
  for (u32 j = 0; j < 1024; j++) EXPECT(h[j] >= -1 && h[j] < 1 && dr[j] >= -1 && dr[j] < 1);
  EXPECT(h[0] != h[1] && dr[0] != dr[1]);
  u32 sum = 0, ones = 0;
  for (u32 j = 0; j < 100; j++) {
    EXPECT(iota[j] == j && bits[j] < 2 && perm[j] < 100);
    sum += perm[j] * perm[j], ones += bits[j];
  }
  EXPECT(sum == 328350 && ones > 10 && ones < 90);
  f[0] = g[7];
}
KERNEL twice(const u32 *a, u32 *b) {
  u32 i = threadIdx.x;
#ifdef OTHER
  b[i] = a[i] * 2 + (i == 6);
#else
  b[i] = a[i] * 2;
#endif
}
KERNEL tickets(u32 *counter, u32 *out) { out[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(counter, 1); }
KERNEL large(char *p) { p[1073741823] = 1; p[0] = 2; }
KERNEL strided(u32 *p) { p[32 * threadIdx.x] = 1; }
