; Every fault that the machine knows, planted once, with its clean twin (faults.py).
; RUN: %python %S/faults.py %sim %s %source/tools/sim/parts.h | %FileCheck %s
; CHECK: 23 of 23 kinds planted, 0 wrong
; The twin of a kind is looked at, and so is its name:
; RUN: sed 's/^\(; FAULT DIVIDE.*\) i32:1 |/\1 i32:0 |/; s/FAULT ALIGN/FAULT BOUNDS/' %s > %t.ll
; RUN: %not %python %S/faults.py %sim %t.ll %source/tools/sim/parts.h | %FileCheck %s --check-prefix=BROKEN
; BROKEN: BOUNDS: the faulty run of align ends with 2 and tells ['misaligned']
; BROKEN: DIVIDE: the clean run of divide ends with 2
; BROKEN: ALIGN ('misaligned') is planted nowhere
;
; FAULT BOUNDS: bounds --grid 1 --block 1 -- zero:16 i64:3 | zero:16 i64:4
; FAULT RETURN: returned --grid 1 --block 1 -- i32:0 | i32:1
; FAULT SCOPE: scope --grid 1 --block 1 -- i32:0 | i32:1
; FAULT ALIGN: align --grid 1 --block 1 -- zero:16 i64:4 | zero:16 i64:6
; FAULT READONLY: readonly --grid 1 --block 1 -- zero:4 i32:0 | zero:4 i32:1
; FAULT UNDEF_BRANCH: branch --grid 1 --block 1 -- zero:4 zero:4 | buf:4 zero:4
; FAULT UNDEF_ADDRESS: address --grid 1 --block 1 -- zero:4 zero:8 | buf:4 zero:8
; FAULT UNDEF_STORE: stored --grid 1 --block 1 -- zero:4 zero:4 | buf:4 zero:4
; FAULT POISON: poison --grid 1 --block 1 -- zero:4 i32:1 | zero:4 i32:2147483647
; FAULT RACE: race --grid 1 --block 32 -- zero:128 i32:31 | zero:128 i32:15
; FAULT BARRIER: barrier --grid 1 --block 64 -- i32:64 | i32:63
; FAULT DEADLOCK: barrier --grid 1 --block 32 -- i32:32 | i32:64
; FAULT SYNC: sync --grid 1 --block 32 -- i32:-1 | i32:1
; FAULT ASYNC: async --grid 1 --block 1 -- zero:4 i32:0 | zero:4 i32:1
; FAULT MBARRIER: mbarrier --grid 1 --block 1 -- i32:0 | i32:1
; FAULT TRAP: trap --grid 1 --block 1 -- i32:0 | i32:1
; FAULT ASSERT: assertion --grid 1 --block 1 -- i32:0 | i32:1
; FAULT DIVIDE: divide --grid 1 --block 1 -- zero:4 i32:1 | zero:4 i32:0
; FAULT ASSUME: assume --grid 1 --block 1 -- i32:0 | i32:1
; FAULT UNREACHABLE: unreachable --grid 1 --block 1 -- i32:0 | i32:1
; FAULT STACK: stack --grid 1 --block 1 -- i32:1000 | i32:1000000
; FAULT CALL: indirect --grid 1 --block 1 -- i32:0 | i32:1
; FAULT LIMIT: endless --grid 1 --block 1 --limit 10000 -- i32:0 | i32:1
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@table = internal addrspace(4) constant [2 x i32] [i32 1, i32 2], align 4
@word = internal addrspace(3) global i32 undef, align 16
@phase = internal addrspace(3) global i64 undef, align 8
@text = private constant [2 x i8] c"x\00"

define ptx_kernel void @bounds(ptr %p, i64 %i) {
  %q = getelementptr i32, ptr %p, i64 %i
  store i32 1, ptr %q
  ret void
}

define internal ptr @leak(ptr %mine, i1 %bad) noinline {
  %gone = alloca i32
  store i32 1, ptr %gone
  %p = select i1 %bad, ptr %gone, ptr %mine
  ret ptr %p
}
define ptx_kernel void @returned(i32 %bad) {
  %mine = alloca i32
  store i32 1, ptr %mine
  %c = icmp ne i32 %bad, 0
  %p = call ptr @leak(ptr %mine, i1 %c)
  %v = load i32, ptr %p
  ret void
}
define ptx_kernel void @scope(i32 %bad) {
  %inner = alloca i32
  call void @llvm.lifetime.start.p0(ptr %inner)
  store i32 1, ptr %inner
  call void @llvm.lifetime.end.p0(ptr %inner)
  %c = icmp ne i32 %bad, 0
  br i1 %c, label %wrong, label %right
wrong:
  %v = load i32, ptr %inner
  ret void
right:
  ret void
}
define ptx_kernel void @align(ptr %p, i64 %i) {
  %q = getelementptr i8, ptr %p, i64 %i
  %v = load i32, ptr %q, align 4
  ret void
}
define ptx_kernel void @readonly(ptr %p, i32 %bad) {
  %c = icmp ne i32 %bad, 0
  %t = addrspacecast ptr addrspace(4) @table to ptr
  %q = select i1 %c, ptr %t, ptr %p
  store i32 1, ptr %q
  ret void
}
define ptx_kernel void @branch(ptr %p, ptr %q) {
  %v = load i32, ptr %p
  %c = icmp eq i32 %v, 3
  br i1 %c, label %one, label %two
one:
  store i32 1, ptr %q
  ret void
two:
  ret void
}
define ptx_kernel void @address(ptr %p, ptr %q) {
  %v = load i32, ptr %p
  %i = and i32 %v, 1
  %at = getelementptr i32, ptr %q, i32 %i
  store i32 1, ptr %at
  ret void
}
define ptx_kernel void @stored(ptr %p, ptr %q) {
  %v = load i32, ptr %p
  %w = add i32 %v, 1
  store i32 %w, ptr %q
  ret void
}
define ptx_kernel void @poison(ptr %p, i32 %a) {
  %v = add nsw i32 %a, 1
  store i32 %v, ptr %p
  ret void
}
define ptx_kernel void @race(ptr %p, i32 %mask) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %i = and i32 %t, %mask
  %q = getelementptr i32, ptr %p, i32 %i
  store i32 %t, ptr %q
  ret void
}
define ptx_kernel void @barrier(i32 %count) {
  call void @llvm.nvvm.barrier.cta.sync.count(i32 1, i32 %count)
  ret void
}
define ptx_kernel void @sync(i32 %mask) {
  call void @llvm.nvvm.bar.warp.sync(i32 %mask)
  ret void
}
define ptx_kernel void @async(ptr %p, i32 %bad) {
  %g = addrspacecast ptr %p to ptr addrspace(1)
  call void @llvm.nvvm.cp.async.ca.shared.global.4(ptr addrspace(3) @word, ptr addrspace(1) %g)
  call void @llvm.nvvm.cp.async.commit.group()
  %c = icmp ne i32 %bad, 0
  br i1 %c, label %wrong, label %right
wrong:
  store i32 1, ptr addrspace(3) @word
  br label %right
right:
  call void @llvm.nvvm.cp.async.wait.all()
  ret void
}
define ptx_kernel void @mbarrier(i32 %bad) {
  %c = icmp ne i32 %bad, 0
  br i1 %c, label %use, label %init
init:
  call void @llvm.nvvm.mbarrier.init.shared(ptr addrspace(3) @phase, i32 1)
  br label %use
use:
  %s = call i64 @llvm.nvvm.mbarrier.arrive.shared(ptr addrspace(3) @phase)
  ret void
}
define ptx_kernel void @trap(i32 %bad) {
  %c = icmp ne i32 %bad, 0
  br i1 %c, label %stop, label %on
stop:
  call void @llvm.trap()
  unreachable
on:
  ret void
}
declare void @__assertfail(ptr, ptr, i32, ptr, i64)
define ptx_kernel void @assertion(i32 %bad) {
  %c = icmp ne i32 %bad, 0
  br i1 %c, label %stop, label %on
stop:
  call void @__assertfail(ptr @text, ptr @text, i32 1, ptr @text, i64 1)
  unreachable
on:
  ret void
}
define ptx_kernel void @divide(ptr %p, i32 %by) {
  %v = udiv i32 7, %by
  store i32 %v, ptr %p
  ret void
}
define ptx_kernel void @assume(i32 %bad) {
  %c = icmp eq i32 %bad, 0
  call void @llvm.assume(i1 %c)
  ret void
}
define ptx_kernel void @unreachable(i32 %bad) {
  %c = icmp ne i32 %bad, 0
  br i1 %c, label %never, label %on
never:
  unreachable
on:
  ret void
}
define ptx_kernel void @stack(i32 %bytes) {
  %p = alloca i8, i32 %bytes
  ret void
}
define internal void @callee() {
  ret void
}
define ptx_kernel void @indirect(i32 %bad) {
  %c = icmp ne i32 %bad, 0
  %nothing = inttoptr i64 64 to ptr
  %f = select i1 %c, ptr %nothing, ptr @callee
  call void %f()
  ret void
}
define ptx_kernel void @endless(i32 %bad) {
  br label %again
again:
  %c = icmp ne i32 %bad, 0
  br i1 %c, label %again, label %done
done:
  ret void
}
