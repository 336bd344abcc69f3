; The asynchronous intrinsics of LLVM, form by form: what each copies, counts and answers.
; RUN: %sim %s --kernel copies --grid 1 --block 32 --seeds 4 --dump=0:%t.in --dump=1:%t.out -- rand:3072 buf:3072
; RUN: %python %S/asyncforms.py %s %t.in %t.out
; RUN: %sim %s --kernel bulk_cta --grid 1 --block 1 --seeds 4 --dump=0:%t.in --dump=1:%t.out -- rand:256 buf:256
; RUN: cmp %t.in %t.out
; RUN: %sim %s --kernel bulk_cluster --grid 1 --block 1 --seeds 4 -- rand:256
; RUN: %sim %s --kernel counts --grid 1 --block 1 --seeds 4 --
; RUN: %sim %s --kernel spin --grid 1 --block 32 --seeds 4 -- rand:256
; What needs several blocks, or parts of 16 bytes, is refused by name:
; RUN: %python %S/exit.py 1 %sim %s --kernel multicast --grid 1 --block 1 -- zero:16 | %FileCheck %s --check-prefix=MULTICAST
; MULTICAST: a bulk copy to several blocks is not supported
; RUN: %python %S/exit.py 1 %sim %s --kernel bytemask --grid 1 --block 1 -- zero:16 | %FileCheck %s --check-prefix=BYTEMASK
; BYTEMASK: 'llvm.nvvm.cp.async.bulk.shared.cta.to.global.bytemask' is not supported
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@row = internal addrspace(3) global [32 x [96 x i8]] undef, align 128
@slot = internal addrspace(3) global [256 x i8] undef, align 128
@bar = internal addrspace(3) global i64 undef, align 8

define internal void @expect(i1 %good) noinline {
  br i1 %good, label %on, label %stop
stop:
  call void @llvm.trap()
  unreachable
on:
  ret void
}
define internal void @await(i32 %parity) noinline {
  br label %again
again:
  %over = call i1 @llvm.nvvm.mbarrier.try.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 %parity)
  br i1 %over, label %done, label %again
done:
  ret void
}
; COPY bytes at offset: of these, so many come from the source
define ptx_kernel void @copies(ptr %in, ptr %out) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %to = getelementptr [96 x i8], ptr addrspace(3) @row, i32 %t
  %mine = getelementptr [96 x i8], ptr %in, i32 %t
  %from = addrspacecast ptr %mine to ptr addrspace(1)
  %back = getelementptr [96 x i8], ptr %out, i32 %t
  %to0 = getelementptr i8, ptr addrspace(3) %to, i32 0
  %from0 = getelementptr i8, ptr addrspace(1) %from, i32 0
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) %to0, ptr addrspace(1) %from0) ; COPY 4 at 0: 4
  %to4 = getelementptr i8, ptr addrspace(3) %to, i32 4
  %from4 = getelementptr i8, ptr addrspace(1) %from, i32 4
  call void @llvm.nvvm.cp.async.ca.shared.global.4.s(ptr addrspace(3) %to4, ptr addrspace(1) %from4, i32 3) ; COPY 4 at 4: 3
  %to8 = getelementptr i8, ptr addrspace(3) %to, i32 8
  %from8 = getelementptr i8, ptr addrspace(1) %from, i32 8
  call void @llvm.nvvm.cp.async.ca.shared.global.8(ptr addrspace(3) %to8, ptr addrspace(1) %from8) ; COPY 8 at 8: 8
  %to16 = getelementptr i8, ptr addrspace(3) %to, i32 16
  %from16 = getelementptr i8, ptr addrspace(1) %from, i32 16
  call void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3) %to16, ptr addrspace(1) %from16, i32 5) ; COPY 8 at 16: 5
  %to24 = getelementptr i8, ptr addrspace(3) %to, i32 24
  %from24 = getelementptr i8, ptr addrspace(1) %from, i32 24
  call void @llvm.nvvm.cp.async.ca.shared.global.8.s(ptr addrspace(3) %to24, ptr addrspace(1) %from24, i32 0) ; COPY 8 at 24: 0
  %to32 = getelementptr i8, ptr addrspace(3) %to, i32 32
  %from32 = getelementptr i8, ptr addrspace(1) %from, i32 32
  call void @llvm.nvvm.cp.async.ca.shared.global.16(ptr addrspace(3) %to32, ptr addrspace(1) %from32) ; COPY 16 at 32: 16
  %to48 = getelementptr i8, ptr addrspace(3) %to, i32 48
  %from48 = getelementptr i8, ptr addrspace(1) %from, i32 48
  call void @llvm.nvvm.cp.async.ca.shared.global.16.s(ptr addrspace(3) %to48, ptr addrspace(1) %from48, i32 9) ; COPY 16 at 48: 9
  %to64 = getelementptr i8, ptr addrspace(3) %to, i32 64
  %from64 = getelementptr i8, ptr addrspace(1) %from, i32 64
  call void @llvm.nvvm.cp.async.cg.shared.global.16(ptr addrspace(3) %to64, ptr addrspace(1) %from64) ; COPY 16 at 64: 16
  %to80 = getelementptr i8, ptr addrspace(3) %to, i32 80
  %from80 = getelementptr i8, ptr addrspace(1) %from, i32 80
  call void @llvm.nvvm.cp.async.cg.shared.global.16.s(ptr addrspace(3) %to80, ptr addrspace(1) %from80, i32 7) ; COPY 16 at 80: 7
  call void @llvm.nvvm.cp.async.commit.group()
  call void @llvm.nvvm.cp.async.wait.group(i32 0)
  call void @llvm.memcpy.p0.p3.i64(ptr align 16 %back, ptr addrspace(3) align 16 %to, i64 96, i1 false)
  ret void
}
define internal void @prepare() noinline {
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 1)
  call void @llvm.nvvm.fence.mbarrier_init.release.cluster()
  ret void
}
define ptx_kernel void @bulk_cta(ptr %in, ptr %out) {
  %from = addrspacecast ptr %in to ptr addrspace(1)
  %to = addrspacecast ptr %out to ptr addrspace(1)
  call void @prepare()
  call void @llvm.nvvm.cp.async.bulk.prefetch.L2(ptr addrspace(1) %from, i32 256, i64 0, i1 false)
  %s = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 256)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @slot, ptr addrspace(3) @bar, ptr addrspace(1) %from, i32 256, i64 0, i1 false)
  call void @await(i32 0)
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global(ptr addrspace(1) %to, ptr addrspace(3) @slot, i32 256, i64 0, i1 false)
  call void @llvm.nvvm.cp.async.bulk.commit.group()
  call void @llvm.nvvm.cp.async.bulk.wait.group.read(i32 0)
  store i8 1, ptr addrspace(3) @slot
  call void @llvm.nvvm.cp.async.bulk.wait.group(i32 0)
  %first = load i8, ptr %in
  %arrived = load i8, ptr %out
  %same = icmp eq i8 %first, %arrived
  call void @expect(i1 %same)
  ret void
}
define ptx_kernel void @bulk_cluster(ptr %in) {
  %from = addrspacecast ptr %in to ptr addrspace(1)
  %flat = addrspacecast ptr addrspace(3) @slot to ptr
  %to = addrspacecast ptr %flat to ptr addrspace(7)
  call void @prepare()
  %s = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 256)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %to, ptr addrspace(3) @bar, ptr addrspace(1) %from, i32 256, i16 0, i64 0, i1 false, i1 false)
  call void @await(i32 0)
  %first = load i8, ptr %in
  %arrived = load i8, ptr addrspace(3) @slot
  %same = icmp eq i8 %first, %arrived
  call void @expect(i1 %same)
  ret void
}
; test.wait never blocks: the copy lands all the same
define ptx_kernel void @spin(ptr %in) {
  %from = addrspacecast ptr %in to ptr addrspace(1)
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %leads = icmp eq i32 %t, 0
  br i1 %leads, label %issue, label %meet
issue:
  call void @prepare()
  %s = call i64 @llvm.nvvm.mbarrier.arrive.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 256)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cta(ptr addrspace(3) @slot, ptr addrspace(3) @bar, ptr addrspace(1) %from, i32 256, i64 0, i1 false)
  br label %meet
meet:
  call void @llvm.nvvm.barrier.cta.sync.aligned.all(i32 0)
  br label %again
again:
  %over = call i1 @llvm.nvvm.mbarrier.test.wait.parity.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  br i1 %over, label %done, label %again
done:
  %v = load i8, ptr addrspace(3) @slot
  ret void
}
define ptx_kernel void @counts() {
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @bar, i32 8)
  %a = call i64 @llvm.nvvm.mbarrier.arrive.noComplete.shared(ptr addrspace(3) @bar, i32 3)
  %left8 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %a)
  %is8 = icmp eq i32 %left8, 8
  call void @expect(i1 %is8)
  %b = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3) @bar, i32 2)
  %left5 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %b)
  %is5 = icmp eq i32 %left5, 5
  call void @expect(i1 %is5)
  %early = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %b)
  %not = xor i1 %early, true
  call void @expect(i1 %not)
  %c = call i64 @llvm.nvvm.mbarrier.arrive.drop.shared(ptr addrspace(3) @bar)
  call void @llvm.nvvm.mbarrier.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 32)
  %d = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3) @bar, i32 2)
  %bytes = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %d)
  %still = xor i1 %bytes, true
  call void @expect(i1 %still)
  call void @llvm.nvvm.mbarrier.complete.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 32)
  %over = call i1 @llvm.nvvm.mbarrier.test.wait.shared(ptr addrspace(3) @bar, i64 %d)
  call void @expect(i1 %over)
  %e = call i64 @llvm.nvvm.mbarrier.arrive.drop.expect.tx.scope.cta.space.cta(ptr addrspace(3) @bar, i32 0)
  %left7 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %e)
  %is7 = icmp eq i32 %left7, 7
  call void @expect(i1 %is7)
  %f = call i64 @llvm.nvvm.mbarrier.arrive.relaxed.scope.cta.space.cta(ptr addrspace(3) @bar, i32 6)
  %g = call i64 @llvm.nvvm.mbarrier.arrive.scope.cta.space.cta(ptr addrspace(3) @bar, i32 6)
  %left6 = call i32 @llvm.nvvm.mbarrier.pending.count(i64 %g)
  %is6 = icmp eq i32 %left6, 6
  call void @expect(i1 %is6)
  %tl = call i1 @llvm.nvvm.mbarrier.try.wait.tl.relaxed.scope.cta.space.cta(ptr addrspace(3) @bar, i64 %f, i32 99)
  call void @expect(i1 %tl)
  call void @llvm.nvvm.mbarrier.inval.shared(ptr addrspace(3) @bar)
  ret void
}
define ptx_kernel void @multicast(ptr %in) {
  %from = addrspacecast ptr %in to ptr addrspace(1)
  %flat = addrspacecast ptr addrspace(3) @slot to ptr
  %to = addrspacecast ptr %flat to ptr addrspace(7)
  call void @llvm.nvvm.cp.async.bulk.global.to.shared.cluster(ptr addrspace(7) %to, ptr addrspace(3) @bar, ptr addrspace(1) %from, i32 16, i16 3, i64 0, i1 true, i1 false)
  ret void
}
define ptx_kernel void @bytemask(ptr %out) {
  %to = addrspacecast ptr %out to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.bulk.shared.cta.to.global.bytemask(ptr addrspace(1) %to, ptr addrspace(3) @slot, i32 16, i64 0, i1 false, i16 1)
  ret void
}
