; RUN: %opt -passes=coalda -S %s -o - | %FileCheck %s
; What clang's own code does not show: matrix products of a warp, on registers, which LLVM does not call convergent, and a barrier
; whose loop goes on as each thread has come.
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @matrices(
; CHECK-NOT: fdiv
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
; CHECK: fdiv afn
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
; CHECK-LABEL: @merged(
; CHECK-NOT: fdiv
; CHECK: ret void
define ptx_kernel void @merged(ptr addrspace(1) %q, i32 %m) {
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %y = call i32 @llvm.nvvm.read.ptx.sreg.tid.y()
  %row = shl i32 %x, 10
  %at = add i32 %row, %y
  %to = getelementptr i32, ptr addrspace(1) %q, i32 %at
  %low = icmp ult i32 %y, 4
  br label %again
again:
  br i1 %low, label %one, label %two
one:
  store i32 1, ptr addrspace(1) %to
  br label %meet
two:
  store i32 2, ptr addrspace(1) %to
  br label %meet
meet:
  %way = phi i32 [ 1, %one ], [ 2, %two ]
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %back = icmp eq i32 %way, %m
  br i1 %back, label %again, label %out
out:
  ret void
}

declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.y()
declare i32 @llvm.nvvm.mulhi.ui(i32, i32)
declare { i32, i32 } @llvm.nvvm.mma.m8n8k16.row.col.s8(i32, i32, i32, i32)
