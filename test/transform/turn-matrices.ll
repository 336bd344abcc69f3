; RUN: %opt -passes=coalda -S %s -o - | %FileCheck %s
; A matrix product of the whole warp, on registers: LLVM does not call it convergent.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @matrices(
; CHECK-NOT: udiv
; CHECK: ret void
define ptx_kernel void @matrices(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = shl i32 %x, 10
  %at = add i32 %row, %y
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %d = call { i32, i32 } @llvm.nvvm.mma.m8n8k16.row.col.s8(i32 %a, i32 %a, i32 0, i32 0)
  %first = extractvalue { i32, i32 } %d, 0
  %to = getelementptr i32, ptr addrspace(1) %q, i32 %at
  store i32 %first, ptr addrspace(1) %to
  ret void
}

; CHECK-LABEL: @scalars(
; CHECK: udiv
; CHECK: ret void
define ptx_kernel void @scalars(ptr addrspace(1) %p, ptr addrspace(1) %q) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = shl i32 %x, 10
  %at = add i32 %row, %y
  %from = getelementptr i32, ptr addrspace(1) %p, i32 %at
  %a = load i32, ptr addrspace(1) %from
  %d = call i32 @llvm.nvvm.mulhi.ui(i32 %a, i32 77)
  %to = getelementptr i32, ptr addrspace(1) %q, i32 %at
  store i32 %d, ptr addrspace(1) %to
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
declare { i32, i32 } @llvm.nvvm.mma.m8n8k16.row.col.s8(i32, i32, i32, i32)
