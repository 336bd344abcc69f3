// In bitcode where the functions of clang's headers are still there, opt relaxes them as well.
// RUN: %clang-device -O1 -nocudainc -nocudalib -I%S/../gen %s -o %t.ll
// RUN: %opt -passes=coalda %t.ll -S | %FileCheck %s
// CHECK: define internal {{.*}} @_ZL12__iAtomicCASPiii
// CHECK: call void asm sideeffect "", "~{memory}"()
// CHECK-NEXT: cmpxchg ptr %{{.*}} syncscope("device") monotonic monotonic
// CHECK-NEXT: call void asm sideeffect "", "~{memory}"()
// CHECK: define internal {{.*}} @_ZL3ownPiii
// CHECK: cmpxchg ptr %{{.*}} seq_cst seq_cst
// CHECK-NOT: !coalda.relaxed
#include "records.cuh"
__device__ __attribute__((noinline)) static int __iAtomicCAS(int *p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }
__device__ __attribute__((noinline)) static int own(int *p, int c, int v) { return __nvvm_atom_cas_gen_i(p, c, v); }
KERNEL exchanged(int *p, int *q) { q[ROW] = __iAtomicCAS(p, 0, q[ROW]) + own(p + 1, 0, 2); }
