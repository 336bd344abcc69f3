; Hazard 3: a volatile copy stays what it is; the same copy, not volatile, is made by the warp.
; RUN: %opt -passes='coalda<always>' -S %s | %FileCheck %s
; CHECK: call void @llvm.memcpy.p0.p0.i64(ptr{{.*}}, i64 20, i1 true)
; CHECK-NOT: shfl
; CHECK-NOT: store
; CHECK: define ptx_kernel void @plain_copy(
; CHECK: store
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @copy(ptr noalias %p, ptr noalias %q) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 20
  %index = zext i32 %k to i64
  %r = getelementptr i8, ptr %p, i64 %index
  %w = getelementptr i8, ptr %q, i64 %index
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %w, ptr align 4 %r, i64 20, i1 true)
  ret void
}
define ptx_kernel void @plain_copy(ptr noalias %p, ptr noalias %q) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %k = mul i32 %t, 20
  %index = zext i32 %k to i64
  %r = getelementptr i8, ptr %p, i64 %index
  %w = getelementptr i8, ptr %q, i64 %index
  call void @llvm.memcpy.p0.p0.i64(ptr align 4 %w, ptr align 4 %r, i64 20, i1 false)
  ret void
}
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
