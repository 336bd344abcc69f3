; A counter of more bits that a narrower one tells is left as it is where that one may wrap around, or where the two begin apart.
; RUN: %opt -passes='coalda<always>' -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %sim %s --kernel wraps --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:49152 zero:512 i64:300
; RUN: %sim %s --kernel begins_apart --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:49152 zero:512 i64:100
; RUN: %sim %s --kernel along --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:49152 zero:512 i64:100
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()

; Whether its words lie side by side each piece asks.
; CHECK-LABEL: @wraps(
; CHECK: phi i8
; CHECK: add i8 %{{.*}}, 127
; CHECK: icmp eq i64
; CHECK: shfl
; CHECK: ret void
define ptx_kernel void @wraps(ptr noalias readonly %a, ptr noalias %o, i64 %m) mustprogress {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul nuw nsw i32 %block, 64
  %t = add nuw nsw i32 %before, %lane
  %first = mul nuw nsw i32 %t, 384
  %row = zext i32 %first to i64
  %middle = add nuw nsw i64 %row, 128
  %p = getelementptr i8, ptr %a, i64 %middle
  br label %loop

loop:
  %k = phi i64 [ 0, %0 ], [ %more, %loop ]
  %j = phi i64 [ 1, %0 ], [ %wide, %loop ]
  %narrow = phi i8 [ 1, %0 ], [ %next, %loop ]
  %s = phi i32 [ 0, %0 ], [ %sum, %loop ]
  %q = getelementptr i8, ptr %p, i64 %j
  %byte = load i8, ptr %q
  %word = zext i8 %byte to i32
  %times = mul i32 %s, 31
  %sum = add i32 %times, %word
  %next = add i8 %narrow, 1
  %wide = sext i8 %next to i64
  %more = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %more, %m
  br i1 %again, label %loop, label %end

end:
  %to = getelementptr i32, ptr %o, i32 %t
  store i32 %sum, ptr %to
  ret void
}

; CHECK-LABEL: @begins_apart(
; CHECK-NOT: shfl
; CHECK: sext i8 %next to i64
; CHECK: ret void
define ptx_kernel void @begins_apart(ptr noalias readonly %a, ptr noalias %o, i64 %m) mustprogress {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul nuw nsw i32 %block, 64
  %t = add nuw nsw i32 %before, %lane
  %first = mul nuw nsw i32 %t, 384
  %row = zext i32 %first to i64
  %middle = add nuw nsw i64 %row, 128
  %p = getelementptr i8, ptr %a, i64 %middle
  br label %loop

loop:
  %k = phi i64 [ 0, %0 ], [ %more, %loop ]
  %j = phi i64 [ 9, %0 ], [ %wide, %loop ]
  %narrow = phi i8 [ 1, %0 ], [ %next, %loop ]
  %s = phi i32 [ 0, %0 ], [ %sum, %loop ]
  %q = getelementptr i8, ptr %p, i64 %j
  %byte = load i8, ptr %q
  %word = zext i8 %byte to i32
  %times = mul i32 %s, 31
  %sum = add i32 %times, %word
  %next = add nsw i8 %narrow, 1
  %wide = sext i8 %next to i64
  %more = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %more, %m
  br i1 %again, label %loop, label %end

end:
  %to = getelementptr i32, ptr %o, i32 %t
  store i32 %sum, ptr %to
  ret void
}

; From where nobody knows, and by twos.
; CHECK-LABEL: @along(
; CHECK: shfl
define ptx_kernel void @along(ptr noalias readonly %a, ptr noalias %o, i64 %m) mustprogress {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %before = mul nuw nsw i32 %block, 64
  %t = add nuw nsw i32 %before, %lane
  %first = mul nuw nsw i32 %t, 384
  %row = zext i32 %first to i64
  %p = getelementptr i8, ptr %a, i64 %row
  %some = trunc i64 %m to i8
  %begin = sext i8 %some to i64
  br label %loop

loop:
  %k = phi i64 [ 0, %0 ], [ %more, %loop ]
  %j = phi i64 [ %begin, %0 ], [ %wide, %loop ]
  %narrow = phi i8 [ %some, %0 ], [ %next, %loop ]
  %s = phi i32 [ 0, %0 ], [ %sum, %loop ]
  %twice = shl nsw i64 %j, 1
  %q = getelementptr i8, ptr %p, i64 %twice
  %byte = load i16, ptr %q
  %word = zext i16 %byte to i32
  %times = mul i32 %s, 31
  %sum = add i32 %times, %word
  %next = add nsw i8 %narrow, 1
  %wide = sext i8 %next to i64
  %more = add nuw nsw i64 %k, 1
  %again = icmp ult i64 %more, 27
  br i1 %again, label %loop, label %end

end:
  %to = getelementptr i32, ptr %o, i32 %t
  store i32 %sum, ptr %to
  ret void
}
