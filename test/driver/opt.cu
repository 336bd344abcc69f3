// opt -load-pass-plugin: the pass by its names, with parameters and flags; the module is left as it is.
// RUN: %clang-device -O2 -gline-tables-only %s -o %t.ll
// RUN: %opt-plain -S %t.ll -o %t.plain.ll
// RUN: %opt -passes=coalda -S %t.ll -o %t.coalda.ll && diff %t.plain.ll %t.coalda.ll
// RUN: %opt -passes='print<coalda>' -S %t.ll -o %t.print.ll 2>&1 | %FileCheck %s && diff %t.plain.ll %t.print.ll
// RUN: %opt -passes='coalda<report>' -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -passes='coalda<report;arch=sm_80;shape=16x16>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=SHAPE
// RUN: %opt -coalda-shape=16x16 -passes='print<coalda>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=SHAPE
// RUN: %opt -coalda-report -passes='coalda<shape=16x16>' -disable-output %t.ll 2>&1 | %FileCheck %s --check-prefix=SHAPE
// RUN: %opt -passes='default<O2>' -coalda-report -disable-output %t.ll 2>&1 | %FileCheck %s
// RUN: %opt -passes='coalda<report>' -print-pipeline-passes -disable-output %t.ll | %FileCheck %s --check-prefix=NAME
// NAME: coalda

// CHECK-LABEL: _Z4copyPKfPf: 2 accesses, 36 sectors where 8 would do, ratio 4.50
// CHECK: opt.cu:[[#LOAD:]]:{{[0-9]+}} load global 4 strided 4000 32 4 - Swapped
// CHECK: store global 4 unit 4 4 4 - Coalesced
// A block of 16x16 puts two rows of 16 threads in a warp.
// SHAPE: load global 4 strided 4000 16 4 - Swapped
// SHAPE: store global 4 unit 4 4 4 - Coalesced
__global__ void copy(const float *p, float *q) {
  q[threadIdx.y * 16 + threadIdx.x] = p[threadIdx.x * 1000 + threadIdx.y];
}
