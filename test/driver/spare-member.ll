; A length is asked of a struct where it is a member of one that is given by value: not of bytes beside it, and not of what a pointer leads to.
; RUN: %opt -passes='coalda<spares>' -S %s | %FileCheck %s
; CHECK: @"member$coalda1$arg0_at12_u32_below_32"
; CHECK-NOT: $coalda1
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()

define ptx_kernel void @member(ptr readonly byval({ i64, i32, i32 }) align 8 captures(none) %p, ptr readonly captures(none) %a, ptr writeonly captures(none) %o) {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bn = mul nuw nsw i32 %b, %n
  %i = add nuw nsw i32 %bn, %t
  %w = zext nneg i32 %i to i64
  %at = getelementptr i8, ptr %p, i64 12
  %m = load i32, ptr %at, align 4
  %any = icmp sgt i32 %m, 0
  %first = shl nuw nsw i64 %w, 14
  %row = getelementptr inbounds nuw i8, ptr %a, i64 %first
  br i1 %any, label %loop, label %done

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %k = zext nneg i32 %j to i64
  %place = getelementptr inbounds nuw float, ptr %row, i64 %k
  %x = load float, ptr %place, align 4
  %sum = fadd float %s, %x
  %next = add nuw nsw i32 %j, 1
  %end = icmp eq i32 %next, %m
  br i1 %end, label %done, label %loop

done:
  %r = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %out = getelementptr inbounds nuw float, ptr %o, i64 %w
  store float %r, ptr %out, align 4
  ret void
}

define ptx_kernel void @behind(ptr readonly byval({ i64, i32, i32 }) align 8 captures(none) %p, ptr readonly captures(none) %a, ptr writeonly captures(none) %o) {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bn = mul nuw nsw i32 %b, %n
  %i = add nuw nsw i32 %bn, %t
  %w = zext nneg i32 %i to i64
  %at = getelementptr i8, ptr %p, i64 16
  %m = load i32, ptr %at, align 4
  %any = icmp sgt i32 %m, 0
  %first = shl nuw nsw i64 %w, 14
  %row = getelementptr inbounds nuw i8, ptr %a, i64 %first
  br i1 %any, label %loop, label %done

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %k = zext nneg i32 %j to i64
  %place = getelementptr inbounds nuw float, ptr %row, i64 %k
  %x = load float, ptr %place, align 4
  %sum = fadd float %s, %x
  %next = add nuw nsw i32 %j, 1
  %end = icmp eq i32 %next, %m
  br i1 %end, label %done, label %loop

done:
  %r = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %out = getelementptr inbounds nuw float, ptr %o, i64 %w
  store float %r, ptr %out, align 4
  ret void
}

define ptx_kernel void @partly(ptr readonly byval({ i64, i32, i32 }) align 8 captures(none) %p, ptr readonly captures(none) %a, ptr writeonly captures(none) %o) {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bn = mul nuw nsw i32 %b, %n
  %i = add nuw nsw i32 %bn, %t
  %w = zext nneg i32 %i to i64
  %at = getelementptr i8, ptr %p, i64 14
  %m = load i32, ptr %at, align 4
  %any = icmp sgt i32 %m, 0
  %first = shl nuw nsw i64 %w, 14
  %row = getelementptr inbounds nuw i8, ptr %a, i64 %first
  br i1 %any, label %loop, label %done

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %k = zext nneg i32 %j to i64
  %place = getelementptr inbounds nuw float, ptr %row, i64 %k
  %x = load float, ptr %place, align 4
  %sum = fadd float %s, %x
  %next = add nuw nsw i32 %j, 1
  %end = icmp eq i32 %next, %m
  br i1 %end, label %done, label %loop

done:
  %r = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %out = getelementptr inbounds nuw float, ptr %o, i64 %w
  store float %r, ptr %out, align 4
  ret void
}

define ptx_kernel void @beneath(ptr readonly byval({ i64, i32, i32 }) align 8 captures(none) %p, ptr readonly captures(none) %a, ptr writeonly captures(none) %o) {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bn = mul nuw nsw i32 %b, %n
  %i = add nuw nsw i32 %bn, %t
  %w = zext nneg i32 %i to i64
  %at = getelementptr i8, ptr %p, i64 -4
  %m = load i32, ptr %at, align 4
  %any = icmp sgt i32 %m, 0
  %first = shl nuw nsw i64 %w, 14
  %row = getelementptr inbounds nuw i8, ptr %a, i64 %first
  br i1 %any, label %loop, label %done

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %k = zext nneg i32 %j to i64
  %place = getelementptr inbounds nuw float, ptr %row, i64 %k
  %x = load float, ptr %place, align 4
  %sum = fadd float %s, %x
  %next = add nuw nsw i32 %j, 1
  %end = icmp eq i32 %next, %m
  br i1 %end, label %done, label %loop

done:
  %r = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %out = getelementptr inbounds nuw float, ptr %o, i64 %w
  store float %r, ptr %out, align 4
  ret void
}

define ptx_kernel void @pointed(ptr readonly captures(none) %p, ptr readonly captures(none) %a, ptr writeonly captures(none) %o) {
entry:
  %b = tail call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = tail call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = tail call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %bn = mul nuw nsw i32 %b, %n
  %i = add nuw nsw i32 %bn, %t
  %w = zext nneg i32 %i to i64
  %at = getelementptr i8, ptr %p, i64 4
  %m = load i32, ptr %at, align 4
  %any = icmp sgt i32 %m, 0
  %first = shl nuw nsw i64 %w, 14
  %row = getelementptr inbounds nuw i8, ptr %a, i64 %first
  br i1 %any, label %loop, label %done

loop:
  %j = phi i32 [ 0, %entry ], [ %next, %loop ]
  %s = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %k = zext nneg i32 %j to i64
  %place = getelementptr inbounds nuw float, ptr %row, i64 %k
  %x = load float, ptr %place, align 4
  %sum = fadd float %s, %x
  %next = add nuw nsw i32 %j, 1
  %end = icmp eq i32 %next, %m
  br i1 %end, label %done, label %loop

done:
  %r = phi float [ 0.0, %entry ], [ %sum, %loop ]
  %out = getelementptr inbounds nuw float, ptr %o, i64 %w
  store float %r, ptr %out, align 4
  ret void
}
