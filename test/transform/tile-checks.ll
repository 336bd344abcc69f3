; Tile loops that no CUDA source leads to, but IR may hold. The first is as the others would be without what they are about.
; RUN: %opt -passes='coalda<always;stages=3>' -verify-each -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %sim %s --kernel plain --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:8192 rand:8192:5 zero:512 i32:5
; RUN: %sim %s --kernel either --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:8192 rand:8192:5 zero:512 i32:5
; RUN: %sim %s --kernel outside --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:8192 rand:8192:5 zero:512 i32:5
; RUN: %sim %s --kernel as_written --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:8192 rand:8192:5 zero:512 i32:5
; RUN: %sim %s --kernel switched --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:8192 rand:8192:5 zero:512 i32:5
; RUN: %sim %s --kernel staying --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:8192 rand:8192:5 zero:512 i32:5
; RUN: %sim %s --kernel unread --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:8192 rand:8192:5 zero:512 i32:5
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@a = internal addrspace(3) global [64 x i32] undef, align 4
@b = internal addrspace(3) global [64 x i32] undef, align 4
@c = addrspace(3) global [64 x i32] undef, align 4
@d = internal addrspace(3) global [64 x i32] undef, align 4
@e = internal addrspace(3) global [64 x i32] undef, align 4
@f = internal addrspace(3) global [64 x i32] undef, align 4
@g = internal addrspace(3) global [64 x i32] undef, align 4
@h = internal addrspace(3) global [64 x i32] undef, align 4
@i = internal addrspace(3) global [64 x i32] undef, align 4

; As they all are.
; CHECK-LABEL: @plain(
; CHECK: cp.async
; CHECK: ret void
define ptx_kernel void @plain(ptr noalias readonly %g, ptr noalias readonly %h, ptr noalias %out, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  %odd = trunc i32 %t to i1
  %block = mul i32 %b, %n
  %mirror = sub i32 63, %t
  %to = getelementptr i32, ptr addrspace(3) @a, i32 %t
  %from = getelementptr i32, ptr addrspace(3) @a, i32 %mirror
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %tile = add i32 %block, %i
  %first = shl i32 %tile, 6
  %at = add i32 %first, %t
  %wide = zext i32 %at to i64
  %pg = getelementptr i32, ptr %g, i64 %wide
  %ph = getelementptr i32, ptr %h, i64 %wide
  %v = load i32, ptr %pg, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %seen = load i32, ptr addrspace(3) %from, align 4
  %times = mul i32 %sum, 31
  %more = add i32 %times, %seen
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch:
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi i32 [ 0, %entry ], [ %more, %latch ]
  %row = mul i32 %b, 64
  %place = add i32 %row, %t
  %index = zext i32 %place to i64
  %po = getelementptr i32, ptr %out, i64 %index
  store i32 %result, ptr %po, align 4
  ret void
}

; One of two places in memory.
; CHECK-LABEL: @either(
; CHECK-NOT: cp.async
; CHECK: ret void
define ptx_kernel void @either(ptr noalias readonly %g, ptr noalias readonly %h, ptr noalias %out, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  %odd = trunc i32 %t to i1
  %block = mul i32 %b, %n
  %mirror = sub i32 63, %t
  %to = getelementptr i32, ptr addrspace(3) @b, i32 %t
  %from = getelementptr i32, ptr addrspace(3) @b, i32 %mirror
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %tile = add i32 %block, %i
  %first = shl i32 %tile, 6
  %at = add i32 %first, %t
  %wide = zext i32 %at to i64
  %pg = getelementptr i32, ptr %g, i64 %wide
  %ph = getelementptr i32, ptr %h, i64 %wide
  br i1 %odd, label %left, label %right
left:
  %x = load i32, ptr %pg, align 4
  br label %filled
right:
  %y = load i32, ptr %ph, align 4
  br label %filled
filled:
  %v = phi i32 [ %x, %left ], [ %y, %right ]
  store i32 %v, ptr addrspace(3) %to, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %seen = load i32, ptr addrspace(3) %from, align 4
  %times = mul i32 %sum, 31
  %more = add i32 %times, %seen
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch:
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi i32 [ 0, %entry ], [ %more, %latch ]
  %row = mul i32 %b, 64
  %place = add i32 %row, %t
  %index = zext i32 %place to i64
  %po = getelementptr i32, ptr %out, i64 %index
  store i32 %result, ptr %po, align 4
  ret void
}

; The array is another module's too: what it holds is handed on.
; CHECK-LABEL: @outside(
; CHECK: cp.async
; CHECK: ret void
define ptx_kernel void @outside(ptr noalias readonly %g, ptr noalias readonly %h, ptr noalias %out, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  %odd = trunc i32 %t to i1
  %block = mul i32 %b, %n
  %mirror = sub i32 63, %t
  %to = getelementptr i32, ptr addrspace(3) @c, i32 %t
  %from = getelementptr i32, ptr addrspace(3) @c, i32 %mirror
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %tile = add i32 %block, %i
  %first = shl i32 %tile, 6
  %at = add i32 %first, %t
  %wide = zext i32 %at to i64
  %pg = getelementptr i32, ptr %g, i64 %wide
  %ph = getelementptr i32, ptr %h, i64 %wide
  %v = load i32, ptr %pg, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %seen = load i32, ptr addrspace(3) %from, align 4
  %times = mul i32 %sum, 31
  %more = add i32 %times, %seen
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch:
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi i32 [ 0, %entry ], [ %more, %latch ]
  %row = mul i32 %b, 64
  %place = add i32 %row, %t
  %index = zext i32 %place to i64
  %po = getelementptr i32, ptr %out, i64 %index
  store i32 %result, ptr %po, align 4
  ret void
}

; A copy that is to be made as it stands.
; CHECK-LABEL: @as_written(
; CHECK-NOT: cp.async
; CHECK: ret void
define ptx_kernel void @as_written(ptr noalias readonly %g, ptr noalias readonly %h, ptr noalias %out, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  %odd = trunc i32 %t to i1
  %block = mul i32 %b, %n
  %mirror = sub i32 63, %t
  %to = getelementptr i32, ptr addrspace(3) @d, i32 %t
  %from = getelementptr i32, ptr addrspace(3) @d, i32 %mirror
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %tile = add i32 %block, %i
  %first = shl i32 %tile, 6
  %at = add i32 %first, %t
  %wide = zext i32 %at to i64
  %pg = getelementptr i32, ptr %g, i64 %wide
  %ph = getelementptr i32, ptr %h, i64 %wide
  call void @llvm.memcpy.p3.p0.i64(ptr addrspace(3) align 4 %to, ptr align 4 %pg, i64 4, i1 true)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %seen = load i32, ptr addrspace(3) %from, align 4
  %times = mul i32 %sum, 31
  %more = add i32 %times, %seen
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch:
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi i32 [ 0, %entry ], [ %more, %latch ]
  %row = mul i32 %b, 64
  %place = add i32 %row, %t
  %index = zext i32 %place to i64
  %po = getelementptr i32, ptr %out, i64 %index
  store i32 %result, ptr %po, align 4
  ret void
}

; The way back is one of a switch.
; CHECK-LABEL: @switched(
; CHECK-NOT: cp.async
; CHECK: ret void
define ptx_kernel void @switched(ptr noalias readonly %g, ptr noalias readonly %h, ptr noalias %out, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  %odd = trunc i32 %t to i1
  %block = mul i32 %b, %n
  %mirror = sub i32 63, %t
  %to = getelementptr i32, ptr addrspace(3) @e, i32 %t
  %from = getelementptr i32, ptr addrspace(3) @e, i32 %mirror
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %tile = add i32 %block, %i
  %first = shl i32 %tile, 6
  %at = add i32 %first, %t
  %wide = zext i32 %at to i64
  %pg = getelementptr i32, ptr %g, i64 %wide
  %ph = getelementptr i32, ptr %h, i64 %wide
  %v = load i32, ptr %pg, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %seen = load i32, ptr addrspace(3) %from, align 4
  %times = mul i32 %sum, 31
  %more = add i32 %times, %seen
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch:
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  switch i1 %again, label %end [ i1 true, label %loop ]
end:
  %result = phi i32 [ 0, %entry ], [ %more, %latch ]
  %row = mul i32 %b, 64
  %place = add i32 %row, %t
  %index = zext i32 %place to i64
  %po = getelementptr i32, ptr %out, i64 %index
  store i32 %result, ptr %po, align 4
  ret void
}

; A loop that fills one and the same place.
; CHECK-LABEL: @same_place(
; CHECK-NOT: cp.async
; CHECK: ret void
define ptx_kernel void @same_place(ptr noalias readonly %g, ptr noalias readonly %h, ptr noalias %out, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  %block = mul i32 %b, %n
  %mirror = sub i32 63, %t
  %to = getelementptr i32, ptr addrspace(3) @f, i32 %t
  %from = getelementptr i32, ptr addrspace(3) @f, i32 %mirror
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %tile = add i32 %block, %i
  %first = shl i32 %tile, 6
  %at = add i32 %first, %t
  br label %fill
fill:
  %c = phi i32 [ 0, %loop ], [ %c1, %fill ]
  %further = add i32 %at, %c
  %wide = zext i32 %further to i64
  %pg = getelementptr i32, ptr %g, i64 %wide
  %v = load i32, ptr %pg, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  %c1 = add i32 %c, 1
  %fills = icmp slt i32 %c1, %n
  br i1 %fills, label %fill, label %latch
latch:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %seen = load i32, ptr addrspace(3) %from, align 4
  %times = mul i32 %sum, 31
  %more = add i32 %times, %seen
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi i32 [ 0, %entry ], [ %more, %latch ]
  %row = mul i32 %b, 64
  %place = add i32 %row, %t
  %index = zext i32 %place to i64
  %po = getelementptr i32, ptr %out, i64 %index
  store i32 %result, ptr %po, align 4
  ret void
}

; A value that the loop hands on to itself is the one that it began with: it is gone before the ring is made.
; CHECK-LABEL: @staying(
; CHECK: cp.async
; CHECK: ret void
define ptx_kernel void @staying(ptr noalias readonly %g, ptr noalias readonly %h, ptr noalias %out, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  %odd = trunc i32 %t to i1
  %block = mul i32 %b, %n
  %mirror = sub i32 63, %t
  %to = getelementptr i32, ptr addrspace(3) @g, i32 %t
  %from = getelementptr i32, ptr addrspace(3) @g, i32 %mirror
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %stays = phi i32 [ %block, %entry ], [ %stays, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %tile = add i32 %stays, %i
  %first = shl i32 %tile, 6
  %at = add i32 %first, %t
  %wide = zext i32 %at to i64
  %pg = getelementptr i32, ptr %g, i64 %wide
  %ph = getelementptr i32, ptr %h, i64 %wide
  %v = load i32, ptr %pg, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %seen = load i32, ptr addrspace(3) %from, align 4
  %times = mul i32 %sum, 31
  %more = add i32 %times, %seen
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch:
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi i32 [ 0, %entry ], [ %more, %latch ]
  %row = mul i32 %b, 64
  %place = add i32 %row, %t
  %index = zext i32 %place to i64
  %po = getelementptr i32, ptr %out, i64 %index
  store i32 %result, ptr %po, align 4
  ret void
}

; A loop without an end. No thread comes out of it; it has to be valid.
; CHECK-LABEL: @endless(
; CHECK: cp.async
; CHECK: ret void
define ptx_kernel void @endless(ptr noalias readonly %g, ptr noalias readonly %h, ptr noalias %out, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  %odd = trunc i32 %t to i1
  %block = mul i32 %b, %n
  %mirror = sub i32 63, %t
  %to = getelementptr i32, ptr addrspace(3) @h, i32 %t
  %from = getelementptr i32, ptr addrspace(3) @h, i32 %mirror
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %tile = add i32 %block, %i
  %first = shl i32 %tile, 6
  %at = add i32 %first, %t
  %wide = zext i32 %at to i64
  %pg = getelementptr i32, ptr %g, i64 %wide
  %ph = getelementptr i32, ptr %h, i64 %wide
  %v = load i32, ptr %pg, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %seen = load i32, ptr addrspace(3) %from, align 4
  %times = mul i32 %sum, 31
  %more = add i32 %times, %seen
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch:
  %next = add i32 %i, 1
  br i1 true, label %loop, label %end
end:
  %result = phi i32 [ 0, %entry ], [ %more, %latch ]
  %row = mul i32 %b, 64
  %place = add i32 %row, %t
  %index = zext i32 %place to i64
  %po = getelementptr i32, ptr %out, i64 %index
  store i32 %result, ptr %po, align 4
  ret void
}

; A tile that nobody reads: behind the barrier there is nothing but the other.
; CHECK-LABEL: @unread(
; CHECK: cp.async
; CHECK: ret void
define ptx_kernel void @unread(ptr noalias readonly %g, ptr noalias readonly %h, ptr noalias %out, i32 %n) #0 {
entry:
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %some = icmp sgt i32 %n, 0
  %odd = trunc i32 %t to i1
  %block = mul i32 %b, %n
  %mirror = sub i32 63, %t
  %to = getelementptr i32, ptr addrspace(3) @i, i32 %t
  %from = getelementptr i32, ptr addrspace(3) @i, i32 %mirror
  br i1 %some, label %loop, label %end
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %sum = phi i32 [ 0, %entry ], [ %more, %latch ]
  %tile = add i32 %block, %i
  %first = shl i32 %tile, 6
  %at = add i32 %first, %t
  %wide = zext i32 %at to i64
  %pg = getelementptr i32, ptr %g, i64 %wide
  %ph = getelementptr i32, ptr %h, i64 %wide
  %v = load i32, ptr %pg, align 4
  store i32 %v, ptr addrspace(3) %to, align 4
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %latch
latch:
  %times = mul i32 %sum, 31
  %more = add i32 %times, %n
  %next = add i32 %i, 1
  %again = icmp slt i32 %next, %n
  br i1 %again, label %loop, label %end
end:
  %result = phi i32 [ 0, %entry ], [ %more, %latch ]
  %row = mul i32 %b, 64
  %place = add i32 %row, %t
  %index = zext i32 %place to i64
  %po = getelementptr i32, ptr %out, i64 %index
  store i32 %result, ptr %po, align 4
  ret void
}

declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare void @llvm.nvvm.barrier.cta.sync.aligned.all(i32)
declare void @llvm.memcpy.p3.p0.i64(ptr addrspace(3), ptr, i64, i1)
attributes #0 = { convergent "target-cpu"="sm_90" }
