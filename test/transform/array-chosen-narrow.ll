; RUN: %opt -passes=coalda -S %s | %FileCheck %s
; A number of 16 bits tells the element, as nothing has widened it before: it has its sign in 32.
; CHECK-LABEL: define ptx_kernel void @narrow(
; CHECK-NOT: alloca
; CHECK: sext i16 %{{.*}} to i32
; CHECK: select i1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @narrow(ptr %p, ptr %out, i32 %n) {
entry:
  %v = alloca [4 x i32]
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %v1 = getelementptr inbounds i8, ptr %v, i64 4
  %v2 = getelementptr inbounds i8, ptr %v, i64 8
  %v3 = getelementptr inbounds i8, ptr %v, i64 12
  store i32 %t, ptr %v
  store i32 3, ptr %v1
  store i32 8, ptr %v2
  store i32 5, ptr %v3
  br label %loop
loop:
  %j = phi i32 [0, %entry], [%j1, %loop]
  %s = phi i32 [0, %entry], [%s1, %loop]
  %jj = add i32 %j, %t
  %a = getelementptr i16, ptr %p, i32 %jj
  %w = load i16, ptr %a
  %k = and i16 %w, 3
  %b = getelementptr inbounds i32, ptr %v, i16 %k
  %x = load i32, ptr %b
  %s1 = add i32 %s, %x
  %j1 = add i32 %j, 1
  %e = icmp slt i32 %j1, %n
  br i1 %e, label %loop, label %exit
exit:
  %o = getelementptr i32, ptr %out, i32 %t
  store i32 %s1, ptr %o
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
