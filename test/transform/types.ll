; Values with bits that are not in memory are no members: i1, i20, x86-like sizes. Their neighbours are.
; RUN: %opt -passes='coalda<always>' -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; CHECK: call i32 @llvm.nvvm.shfl
; RUN: %sim %s --kernel odd --grid 2 --block 64 --seeds 2 --compare %t.ll -- bits:640 zero:2560
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @odd(ptr noalias %p, ptr noalias %q) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %k = mul i32 %i, 20
  %index = zext i32 %k to i64
  %r = getelementptr i8, ptr %p, i64 %index
  %w = getelementptr i8, ptr %q, i64 %index
  %v0 = load i1, ptr %r, align 4
  %r1 = getelementptr i8, ptr %r, i64 4
  %v1 = load i20, ptr %r1, align 4
  %r2 = getelementptr i8, ptr %r, i64 8
  %v2 = load i32, ptr %r2, align 4
  %r3 = getelementptr i8, ptr %r, i64 12
  %v3 = load <2 x i16>, ptr %r3, align 4
  %r4 = getelementptr i8, ptr %r, i64 16
  %v4 = load <4 x i8>, ptr %r4, align 4
  store i1 %v0, ptr %w, align 4
  %w1 = getelementptr i8, ptr %w, i64 4
  store i32 %v2, ptr %w1, align 4
  %w2 = getelementptr i8, ptr %w, i64 8
  store i20 %v1, ptr %w2, align 4
  %w3 = getelementptr i8, ptr %w, i64 12
  store <2 x i16> %v3, ptr %w3, align 4
  %w4 = getelementptr i8, ptr %w, i64 16
  store <4 x i8> %v4, ptr %w4, align 4
  ret void
}
