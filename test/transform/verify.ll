; coalda<verify> stops the program at an access whose exchange went wrong, and names the line. Here the exchange is made
; wrong by hand: a shuffle passes on another value.
; RUN: %opt -passes='coalda<always;verify>' -S %s -o %t.ll
; RUN: %sim %t.ll --kernel fill --grid 2 --block 64 --compare %s --seeds 2 -- zero:2560
; RUN: sed 's/(i32 -1, i32 %k, /(i32 -1, i32 7, /' %t.ll > %t.bad.ll
; RUN: %python %S/../sim/exit.py 2 %sim %t.bad.ll --kernel fill --grid 2 --block 64 -- zero:2560 | %FileCheck %s
; CHECK: assertion
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @fill(ptr %q) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %k = mul i32 %i, 5
  %index = zext i32 %k to i64
  %p = getelementptr i32, ptr %q, i64 %index
  store i32 %i, ptr %p, align 4
  %p1 = getelementptr i32, ptr %p, i64 1
  store i32 1, ptr %p1, align 4
  %p2 = getelementptr i32, ptr %p, i64 2
  store i32 %t, ptr %p2, align 4
  %p3 = getelementptr i32, ptr %p, i64 3
  store i32 3, ptr %p3, align 4
  %p4 = getelementptr i32, ptr %p, i64 4
  store i32 %k, ptr %p4, align 4
  ret void
}
