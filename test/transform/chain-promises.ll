; RUN: %opt -passes='coalda<always>' -S %s | %FileCheck %s
; What a condition alone made true of an index is not said where the index is computed before it, and addresses that may
; mean nothing there are frozen before lanes compare them.
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.umin.i32(i32, i32)

; CHECK-LABEL: @promises
; CHECK: call i32 @llvm.umin.i32(i32 %t, i32 31)
; CHECK-NOT: noundef
; CHECK: [[X:%.*]] = freeze ptr
; CHECK: [[Y:%.*]] = freeze ptr
; CHECK: activemask
; CHECK: ptrtoint ptr [[X]] to i64
; CHECK: ptrtoint ptr [[Y]] to i64
define ptx_kernel void @promises(ptr %p, i1 %a, i1 %b) {
entry:
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  br i1 %a, label %first, label %middle
first:
  %u = call noundef i32 @llvm.umin.i32(i32 noundef %t, i32 noundef 31)
  %x = getelementptr [3 x i64], ptr %p, i32 %u
  store i64 1, ptr %x, align 8
  br label %middle
middle:
  br i1 %b, label %second, label %end
second:
  %v = call noundef i32 @llvm.umin.i32(i32 noundef %t, i32 noundef 31)
  %y = getelementptr [3 x i64], ptr %p, i32 %v, i32 1
  store i64 2, ptr %y, align 8
  br label %end
end:
  ret void
}
