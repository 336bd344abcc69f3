; RUN: %opt -passes=coalda -S %s | %FileCheck %s
; What is added twice, as nothing has simplified it before: it is chosen twice, and gone once.
; CHECK-LABEL: define ptx_kernel void @twice(
; CHECK-NOT: zext i1
; CHECK: select i1 %{{.*}}, i32
; CHECK-LABEL: define ptx_kernel void @thrice(
; CHECK-NOT: zext i1
; CHECK: select i1 %{{.*}}, i32
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @twice(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %j = phi i32 [0, %entry], [%j1, %loop]
  %s = phi i32 [0, %entry], [%s1, %loop]
  %a = getelementptr i32, ptr %p, i32 %j
  %v = load i32, ptr %a
  %c = icmp slt i32 %v, 7
  %z = zext i1 %c to i32
  %zz = add i32 %z, %z
  %s1 = add i32 %s, %zz
  %j1 = add i32 %j, 1
  %e = icmp slt i32 %j1, %n
  br i1 %e, label %loop, label %exit
exit:
  store i32 %s1, ptr %p
  ret void
}

define ptx_kernel void @thrice(ptr %p, i32 %n) {
entry:
  br label %loop
loop:
  %j = phi i32 [0, %entry], [%j1, %loop]
  %s = phi i32 [0, %entry], [%s1, %loop]
  %a = getelementptr i32, ptr %p, i32 %j
  %v = load i32, ptr %a
  %c = icmp slt i32 %v, 7
  %z = zext i1 %c to i32
  %d = icmp slt i32 %v, 9
  %w = zext i1 %d to i32
  %zw = add i32 %z, %w
  %zz = add i32 %zw, %z
  %s1 = add i32 %s, %zz
  %j1 = add i32 %j, 1
  %e = icmp slt i32 %j1, %n
  br i1 %e, label %loop, label %exit
exit:
  store i32 %s1, ptr %p
  ret void
}
