; Hazard 10: what may not be there twice, or be met by some threads at one place and by others at another, is not: neither
; between the members of a record nor between the loads and the stores of a copy.
; RUN: %opt -passes='coalda<always>' -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define internal i32 @one(i32 %x) noinline convergent noduplicate nounwind memory(none) willreturn { ret i32 %x }
; CHECK-LABEL: @between
; CHECK: call i32 @one
; CHECK-NOT: call i32 @one
define ptx_kernel void @between(ptr noalias %p, ptr noalias %q) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul nsw i32 %t, 20
  %index = sext i32 %k to i64
  %r = getelementptr i8, ptr %p, i64 %index
  %a = load i32, ptr %r, align 4
  %r1 = getelementptr i8, ptr %r, i64 4
  %b = load i32, ptr %r1, align 4
  %x = call i32 @one(i32 %a)
  %r2 = getelementptr i8, ptr %r, i64 8
  %c = load i32, ptr %r2, align 4
  %y = add i32 %x, %b
  %z = add i32 %y, %c
  %w = getelementptr i32, ptr %q, i32 %t
  store i32 %z, ptr %w, align 4
  ret void
}
; CHECK-LABEL: @copied
; CHECK: shfl
; CHECK: call i32 @one
; CHECK-NOT: call i32 @one
define ptx_kernel void @copied(ptr noalias %p, ptr noalias %q, ptr noalias %o) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul nsw i32 %t, 12
  %index = sext i32 %k to i64
  %r = getelementptr i8, ptr %p, i64 %index
  %s = getelementptr i8, ptr %q, i64 %index
  %a = load i32, ptr %r, align 4
  %r1 = getelementptr i8, ptr %r, i64 4
  %b = load i32, ptr %r1, align 4
  %r2 = getelementptr i8, ptr %r, i64 8
  %c = load i32, ptr %r2, align 4
  %x = call i32 @one(i32 %a)
  store i32 %a, ptr %s, align 4
  %s1 = getelementptr i8, ptr %s, i64 4
  store i32 %b, ptr %s1, align 4
  %s2 = getelementptr i8, ptr %s, i64 8
  store i32 %c, ptr %s2, align 4
  %w = getelementptr i32, ptr %o, i32 %t
  store i32 %x, ptr %w, align 4
  ret void
}
