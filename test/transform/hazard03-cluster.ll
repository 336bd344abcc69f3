; Hazard 3: stores on both sides of a barrier are made together where no thread of the block touches another's record. A barrier of a
; cluster orders the threads of other blocks as well, of which that says nothing.
; RUN: %opt -passes='coalda<always>' -verify-each -S %s | %FileCheck %s
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; CHECK-LABEL: @of_block(
; CHECK: call i32 @llvm.nvvm.shfl
; CHECK: ret void
define ptx_kernel void @of_block(ptr %p) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = shl i32 %t, 3
  %index = zext i32 %k to i64
  %r = getelementptr i8, ptr %p, i64 %index
  %r4 = getelementptr i8, ptr %r, i64 4
  store i32 %t, ptr %r, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  store i32 %k, ptr %r4, align 4
  ret void
}

; CHECK-LABEL: @of_cluster(
; CHECK: store i32
; CHECK: call void @llvm.nvvm.barrier.cluster.arrive.aligned()
; CHECK-NOT: shfl
; CHECK: store i32
; CHECK: ret void
define ptx_kernel void @of_cluster(ptr %p) "target-cpu"="sm_90" {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = shl i32 %t, 3
  %index = zext i32 %k to i64
  %r = getelementptr i8, ptr %p, i64 %index
  %r4 = getelementptr i8, ptr %r, i64 4
  store i32 %t, ptr %r, align 4
  call void @llvm.nvvm.barrier.cluster.arrive.aligned()
  call void @llvm.nvvm.barrier.cluster.wait.aligned()
  store i32 %k, ptr %r4, align 4
  ret void
}
