; A counter of eight bits that goes on by threes wraps around before it comes to its bound, and ends at another number: 1, 4, .. 253, 0, .. 255.
; RUN: %opt -passes='coalda<always>' -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %sim %s --kernel by_threes --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:32768 zero:512 i64:254
; RUN: %sim %s --kernel by_ones --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:32768 zero:512 i64:250
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; CHECK-LABEL: @by_threes(
; CHECK: add i8 %narrow, 3
define ptx_kernel void @by_threes(ptr noalias readonly %a, ptr noalias %o, i64 %m) mustprogress {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul nuw nsw i32 %block, 64
  %t = add nuw nsw i32 %before, %lane
  %first = shl nuw nsw i32 %t, 8
  %row = zext i32 %first to i64
  %p = getelementptr i8, ptr %a, i64 %row
  br label %loop

loop:
  %j = phi i64 [ 1, %0 ], [ %wide, %loop ]
  %narrow = phi i8 [ 1, %0 ], [ %next, %loop ]
  %s = phi i32 [ 0, %0 ], [ %sum, %loop ]
  %q = getelementptr i8, ptr %p, i64 %j
  %byte = load i8, ptr %q
  %word = zext i8 %byte to i32
  %times = mul i32 %s, 31
  %sum = add i32 %times, %word
  %next = add i8 %narrow, 3
  %wide = zext i8 %next to i64
  %again = icmp ult i64 %wide, %m
  br i1 %again, label %loop, label %end

end:
  %to = getelementptr i32, ptr %o, i32 %t
  store i32 %sum, ptr %to
  ret void
}

; By ones it would come to the same numbers again, and to no end.
; CHECK-LABEL: @by_ones(
; CHECK: shfl
define ptx_kernel void @by_ones(ptr noalias readonly %a, ptr noalias %o, i64 %m) mustprogress {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul nuw nsw i32 %block, 64
  %t = add nuw nsw i32 %before, %lane
  %first = shl nuw nsw i32 %t, 8
  %row = zext i32 %first to i64
  %p = getelementptr i8, ptr %a, i64 %row
  br label %loop

loop:
  %j = phi i64 [ 1, %0 ], [ %wide, %loop ]
  %narrow = phi i8 [ 1, %0 ], [ %next, %loop ]
  %s = phi i32 [ 0, %0 ], [ %sum, %loop ]
  %q = getelementptr i8, ptr %p, i64 %j
  %byte = load i8, ptr %q
  %word = zext i8 %byte to i32
  %times = mul i32 %s, 31
  %sum = add i32 %times, %word
  %next = add i8 %narrow, 1
  %wide = zext i8 %next to i64
  %again = icmp ult i64 %wide, %m
  br i1 %again, label %loop, label %end

end:
  %to = getelementptr i32, ptr %o, i32 %t
  store i32 %sum, ptr %to
  ret void
}
