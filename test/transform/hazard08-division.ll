; Hazard 8: what the address of a copy's stores is computed with may mean nothing before a call that does not return then: it
; stays behind the call, and loads and stores are rewritten apart.
; RUN: %opt -passes='coalda<always>' -S %s | %FileCheck %s
; CHECK-LABEL: @divided
; CHECK: shfl
; CHECK-NOT: sdiv
; CHECK: call void @check
; CHECK: sdiv
; CHECK: shfl
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare void @check(i32) nounwind memory(inaccessiblemem: readwrite)
define ptx_kernel void @divided(ptr noalias %p, ptr noalias %q, i32 %x, i32 %y) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul nsw i32 %t, 12
  %index = sext i32 %k to i64
  %r = getelementptr i8, ptr %p, i64 %index
  %a = load i32, ptr %r, align 4
  %r1 = getelementptr i8, ptr %r, i64 4
  %b = load i32, ptr %r1, align 4
  %r2 = getelementptr i8, ptr %r, i64 8
  %c = load i32, ptr %r2, align 4
  call void @check(i32 %y)
  %d = sdiv i32 %x, %y
  %far = sext i32 %d to i64
  %q1 = getelementptr i32, ptr %q, i64 %far
  %s = getelementptr i8, ptr %q1, i64 %index
  store i32 %a, ptr %s, align 4
  %s1 = getelementptr i8, ptr %s, i64 4
  store i32 %b, ptr %s1, align 4
  %s2 = getelementptr i8, ptr %s, i64 8
  store i32 %c, ptr %s2, align 4
  ret void
}
