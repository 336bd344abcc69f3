// Hazard 23, in words that LLVM does not read: inline assembly is taken for arithmetic of one thread where it is known to be that.
// Threads change places (a division by the block's height) around nothing else, and nothing else is there twice.
// RUN: %clang-device -O3 -nocudainc -nocudalib -I%S/../gen -I%S %s -o %t.ll
// RUN: %opt -passes='coalda<always>' -S %t.ll -o - | %FileCheck %s
#include "records.cuh"
#define HERE (threadIdx.x * 1024 + threadIdx.y)
#define TURN(NAME, ...)                      \
  KERNEL NAME(const u32 *p, u32 *q) {        \
    u32 v = p[HERE], w = 0;                  \
    asm(__VA_ARGS__);                        \
    q[HERE] = w;                             \
  }
// CHECK-LABEL: @converts(
// CHECK: fdiv
TURN(converts, "cvt.rn.f32.u32 %0, %1;" : "=r"(w) : "r"(v))
// CHECK-LABEL: @selects(
// CHECK: fdiv
TURN(selects, "{ .reg .pred p; setp.ne.u32 p, %1, 7; selp.u32 %0, 3, 5, p; }" : "=r"(w) : "r"(v))
// CHECK-LABEL: @permutes(
// CHECK: fdiv
TURN(permutes, "prmt.b32 %0, %1, 0, 0x1032;\n\tlop3.b32 %0, %0, %1, 7, 0x96;" : "=&r"(w) : "r"(v))
// CHECK-LABEL: @loads(
// CHECK: fdiv
TURN(loads, "ld.global.nc.u32 %0, [%1];" : "=r"(w) : "l"(p + v))

// CHECK-LABEL: @product(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(product, "{ .reg .b32 h; mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0, h}, {%1}, {%1}, {%1, %1}; }" : "=r"(w) : "r"(v))
// CHECK-LABEL: @sparse(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(sparse, "mma.sp.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32 {%0,%0,%0,%0}, {%1,%1}, {%1,%1}, {%1,%1,%1,%1}, %1, 0x0;"
     : "=r"(w) : "r"(v))
// CHECK-LABEL: @old_product(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(old_product, "wmma.mma.sync.aligned.row.col.m8n8k32.s32.s4.s4.s32 {%0,%0}, {%1}, {%1}, {%1,%1};" : "=r"(w) : "r"(v))
// CHECK-LABEL: @transposed(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(transposed, "movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(w) : "r"(v))
// CHECK-LABEL: @fetched(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(fetched, "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%0}, [%1];" : "=r"(w) : "r"(v))
// CHECK-LABEL: @elected(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(elected, "{ .reg .pred p; elect.sync %0|p, -1; }" : "=r"(w) : "r"(v))
// CHECK-LABEL: @guarded(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(guarded, "{ .reg .pred p; setp.ne.u32 p, %1, 7; mov.u32 %0, 1; @p movmatrix.sync.aligned.m8n8.trans.b16 %0, %1; }"
     : "=&r"(w) : "r"(v))
// CHECK-LABEL: @lane_mask(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(lane_mask, "mov.u32 %0, %%lanemask_lt;" : "=r"(w) : "r"(v))
// CHECK-LABEL: @warp(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(warp, "mov.u32 %0, %%warpid;" : "=r"(w) : "r"(v))
// CHECK-LABEL: @index(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(index, "mov.u32 %0, %%tid.x;" : "=r"(w) : "r"(v))
// CHECK-LABEL: @clocked(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(clocked, "mov.u32 %0, %%clock;" : "=r"(w) : "r"(v))
// CHECK-LABEL: @strange(
// CHECK-NOT: fdiv
// CHECK: ret void
TURN(strange, "frobnicate.b32 %0, %1;" : "=r"(w) : "r"(v))

struct R { u32 a, b, c, d, e; };
#define BETWEEN(NAME, ...)                                  \
  KERNEL NAME(const R *p, u32 *q) {                         \
    u32 i = ROW, v = p[i].a + 3 * p[i].b, w = 0;            \
    asm(__VA_ARGS__);                                       \
    q[i] = w + p[i].c + 5 * p[i].d + 7 * p[i].e;            \
  }
// CHECK-LABEL: @arithmetic_between(
// CHECK: asm "cvt
// CHECK: asm "cvt
BETWEEN(arithmetic_between, "cvt.rn.f32.u32 %0, %1;" : "=r"(w) : "r"(v))
// CHECK-LABEL: @matrix_between(
// CHECK: asm "movmatrix
// CHECK-NOT: asm "movmatrix
// CHECK: ret void
BETWEEN(matrix_between, "movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(w) : "r"(v))
// CHECK-LABEL: @clock_between(
// CHECK: asm "mov
// CHECK-NOT: asm "mov
// CHECK: ret void
BETWEEN(clock_between, "mov.u32 %0, %%clock;" : "=r"(w) : "r"(v))
// CHECK-LABEL: @product_between(
// CHECK: asm "mma
// CHECK-NOT: asm "mma
// CHECK: ret void
BETWEEN(product_between, "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%0,%0}, {%1}, {%1}, {%1,%1};" : "=r"(w) : "r"(v))
