; A store in a block that leads to a bound alone: whoever does not pass the bound has stored once, and not again from the start.
; RUN: %opt -passes='coalda<spares>' %s -S -o %t.both.ll && %opt -passes='coalda<settle>' %s -S -o %t.settled.ll
; RUN: %python %S/coarse.py --sim %sim %s %t.settled.ll %t.both.ll | %FileCheck %s
; CASE: before -- iota:{t} zero:{t} i32:{n}
; CHECK: before: 2 blocks by one, alike
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @before(ptr %a, ptr %o, i32 %n) {
entry:
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %threads = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %thread = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %block, %threads
  %i = add i32 %first, %thread
  %at = zext i32 %i to i64
  %word = getelementptr i32, ptr %a, i64 %at
  %was = load i32, ptr %word, align 4
  %three = mul i32 %was, 3
  store i32 %three, ptr %word, align 4
  br label %bound

bound:
  %in = icmp slt i32 %i, %n
  br i1 %in, label %inside, label %end

inside:
  %byte = getelementptr i8, ptr %o, i64 %at
  store i8 7, ptr %byte, align 1
  br label %end

end:
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
