; coalda-report --dma of copies in bulk that are LLVM's intrinsics and no assembly: of bytes and of boxes, by the names that the block and the
; cluster have for shared memory. Stores in bulk and prefetches are no copies to shared memory.
; RUN: %report --dma --format=json %s > %t.json && %python %S/dma.py %t.json
; RUN: %report --dma %s | %FileCheck %s
; RUN: %opt -passes=coalda -disable-output %s
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

@two = internal addrspace(3) global [2048 x float] undef, align 128
@one = internal addrspace(3) global [1024 x float] undef, align 128
@rows = internal addrspace(3) global [64 x float] undef, align 128
@box = internal addrspace(3) global [2048 x float] undef, align 128
@bar = internal addrspace(3) global i64 undef, align 8

; CHECK-LABEL: two_buffers: 1 copy to shared memory
; CHECK-NEXT: place array
; CHECK-NEXT: two own bulk 4096 - 4096 16 2 8192
; CHECK-NOT: kept from better
define ptx_kernel void @two_buffers(ptr addrspace(1) %g, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %use ]
  %odd = and i32 %i, 1
  %begin = shl i32 %odd, 10
  %s = getelementptr inbounds float, ptr addrspace(3) @two, i32 %begin
  %from = getelementptr inbounds [1024 x float], ptr addrspace(1) %g, i32 %i
  %state = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 4096)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) %s, ptr addrspace(3) @bar, ptr addrspace(1) %from, i32 4096, i64 0, i1 false)
  %before = sub i32 1024, %begin
  %r = getelementptr inbounds float, ptr addrspace(3) @two, i32 %before
  %v = load float, ptr addrspace(3) %r
  store float %v, ptr addrspace(1) %q
  br label %wait
wait:
  %over = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 %odd)
  br i1 %over, label %use, label %wait
use:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; Several rows are what one barrier waits for: a tile is all of them.
; CHECK-LABEL: rows_of_cluster: 1 copy to shared memory
; CHECK-NEXT: place array
; CHECK-NEXT: one own bulk 2048 - 2048 16 1 4096
; CHECK-NEXT: kept from better: its program waits for all that is under way, and then begins the next
define ptx_kernel void @rows_of_cluster(ptr addrspace(1) %g, ptr addrspace(1) %q, i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %use ]
  call void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 4096)
  br label %row
row:
  %r = phi i32 [ 0, %loop ], [ %below, %row ]
  %begin = shl i32 %r, 9
  %s = getelementptr inbounds float, ptr addrspace(3) @one, i32 %begin
  %far = addrspacecast ptr addrspace(3) %s to ptr addrspace(7)
  %from = getelementptr inbounds [512 x float], ptr addrspace(1) %g, i32 %r
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %far, ptr addrspace(3) @bar, ptr addrspace(1) %from, i32 2048, i16 0, i64 0, i1 false, i1 false)
  %below = add i32 %r, 1
  %is_last = icmp eq i32 %below, 2
  br i1 %is_last, label %wait, label %row
wait:
  %over = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %over, label %use, label %wait
use:
  %v = load float, ptr addrspace(3) @one
  store float %v, ptr addrspace(1) %q
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %loop, label %end
end:
  ret void
}

; CHECK-LABEL: short: 1 copy to shared memory
; CHECK-NEXT: place array
; CHECK-NEXT: rows own bulk 256 - 256 16 1 256
; CHECK-NEXT: kept from better: bulk copies of less than 1024 bytes
define ptx_kernel void @short(ptr addrspace(1) %g) {
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @rows, ptr addrspace(3) @bar, ptr addrspace(1) %g, i32 256, i64 0, i1 false)
  ret void
}

; A box's bytes are its map's; a tile's are what the barrier expects.
; CHECK-LABEL: boxes: 2 copies to shared memory
; CHECK-NEXT: place array
; CHECK-NEXT: box own bulk - - - 16 2 8192
; CHECK-NEXT: box own bulk - - - 16 2 8192
; CHECK-NOT: kept from better
define ptx_kernel void @boxes(ptr %map, i32 %x, i32 %y) {
  %state = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 4096)
  %far = addrspacecast ptr addrspace(3) @box to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.tile.2d(ptr addrspace(7) %far, ptr addrspace(3) @bar, ptr %map, i32 %x, i32 %y, i16 0, i64 0, i1 false, i1 false, i32 0)
  call void @llvm.nvvm.cp.async.bulk.tensor.g2s.cta.tile.2d(ptr addrspace(3) getelementptr (i8, ptr addrspace(3) @box, i32 4096), ptr addrspace(3) @bar, ptr %map, i32 %x, i32 %y, i64 0, i1 false)
  ret void
}

; CHECK-NOT: away:
define ptx_kernel void @away(ptr addrspace(1) %g) {
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %g, ptr addrspace(3) @rows, i32 256, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.prefetch.L2(ptr addrspace(1) %g, i32 256, i64 0, i1 false)
  ret void
}
