; Poison: where it comes from, what it may not reach, and what ends it. Each kernel is clean with other numbers.
;
; Where it may not go: a branch, an address, memory.
; RUN: %sim %s --kernel branch --grid 1 --block 1 -- zero:8 i32:5
; RUN: %python %S/exit.py 2 %sim %s --kernel branch --grid 1 --block 1 -- zero:8 i32:2147483647 | %FileCheck %s --check-prefix=BRANCH
; BRANCH: coalda-sim: poison: a branch on poison, thread (0,0,0)
; BRANCH-NOT: coalda-sim
; RUN: %sim %s --kernel choose --grid 1 --block 1 -- zero:8 i32:5
; RUN: %python %S/exit.py 2 %sim %s --kernel choose --grid 1 --block 1 -- zero:8 i32:2147483647 | %FileCheck %s --check-prefix=BRANCH
; RUN: %sim %s --kernel address --grid 1 --block 1 -- zero:8 i32:0
; RUN: %python %S/exit.py 2 %sim %s --kernel address --grid 1 --block 1 -- zero:8 i32:2147483647 | %FileCheck %s --check-prefix=ADDRESS
; ADDRESS: coalda-sim: poison: the address of a load, thread (0,0,0)
; RUN: %sim %s --kernel lanes --grid 1 --block 32 -- zero:128 i32:2147483616
; RUN: %python %S/exit.py 2 %sim %s --kernel lanes --grid 1 --block 32 -- zero:128 i32:2147483617 | %FileCheck %s --check-prefix=LANE
; LANE: coalda-sim: poison: a store of 4 bytes of poison at buffer 0+124 (of 128 bytes), thread (31,0,0)
; LANE-NOT: coalda-sim
;
; What ends it: freeze, a select that takes the other side, an operation whose result nobody uses.
; RUN: %sim %s --kernel frozen --grid 1 --block 1 -- zero:8 i32:2147483647
; RUN: %sim %s --kernel selected --grid 1 --block 1 -- zero:8 i32:2147483647 i32:0
; RUN: %python %S/exit.py 2 %sim %s --kernel selected --grid 1 --block 1 -- zero:8 i32:2147483647 i32:1 | %FileCheck %s --check-prefix=STORE
; RUN: %sim %s --kernel unused --grid 1 --block 1 -- zero:8 i32:2147483647
;
; Where it comes from: every promise of the IR.
; RUN: %sim %s --kernel nsw --grid 1 --block 1 -- zero:4 i32:2147483646 i32:1
; RUN: %python %S/exit.py 2 %sim %s --kernel nsw --grid 1 --block 1 -- zero:4 i32:2147483647 i32:1 | %FileCheck %s --check-prefix=STORE
; RUN: %sim %s --kernel nuw --grid 1 --block 1 -- zero:4 i32:2 i32:2
; RUN: %python %S/exit.py 2 %sim %s --kernel nuw --grid 1 --block 1 -- zero:4 i32:1 i32:2 | %FileCheck %s --check-prefix=STORE
; RUN: %sim %s --kernel product --grid 1 --block 1 -- zero:4 i32:65536 i32:32767
; RUN: %python %S/exit.py 2 %sim %s --kernel product --grid 1 --block 1 -- zero:4 i32:65536 i32:32768 | %FileCheck %s --check-prefix=STORE
; RUN: %sim %s --kernel wraps --grid 1 --block 1 -- zero:4 i32:65536 i32:65535
; RUN: %python %S/exit.py 2 %sim %s --kernel wraps --grid 1 --block 1 -- zero:4 i32:65536 i32:65536 | %FileCheck %s --check-prefix=STORE
; RUN: %sim %s --kernel shifted --grid 1 --block 1 -- zero:4 i32:1 i32:31
; RUN: %python %S/exit.py 2 %sim %s --kernel shifted --grid 1 --block 1 -- zero:4 i32:1 i32:32 | %FileCheck %s --check-prefix=STORE
; RUN: %sim %s --kernel lost --grid 1 --block 1 -- zero:4 i32:1 i32:31
; RUN: %python %S/exit.py 2 %sim %s --kernel lost --grid 1 --block 1 -- zero:4 i32:3 i32:31 | %FileCheck %s --check-prefix=STORE
; RUN: %sim %s --kernel remainder --grid 1 --block 1 -- zero:4 i32:4 i32:1
; RUN: %python %S/exit.py 2 %sim %s --kernel remainder --grid 1 --block 1 -- zero:4 i32:5 i32:1 | %FileCheck %s --check-prefix=STORE
; RUN: %sim %s --kernel quotient --grid 1 --block 1 -- zero:4 i32:8 i32:2
; RUN: %python %S/exit.py 2 %sim %s --kernel quotient --grid 1 --block 1 -- zero:4 i32:7 i32:2 | %FileCheck %s --check-prefix=STORE
; RUN: %sim %s --kernel overlaps --grid 1 --block 1 -- zero:4 i32:4 i32:2
; RUN: %python %S/exit.py 2 %sim %s --kernel overlaps --grid 1 --block 1 -- zero:4 i32:6 i32:2 | %FileCheck %s --check-prefix=STORE
; RUN: %sim %s --kernel negative --grid 1 --block 1 -- zero:8 i32:1
; RUN: %python %S/exit.py 2 %sim %s --kernel negative --grid 1 --block 1 -- zero:8 i32:-1 | %FileCheck %s --check-prefix=WIDE
; STORE: coalda-sim: poison: a store of 4 bytes of poison at buffer 0+0
; STORE-NOT: coalda-sim
; WIDE: coalda-sim: poison: a store of 8 bytes of poison at buffer 0+0
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define ptx_kernel void @branch(ptr %p, i32 %a) {
  %x = add nsw i32 %a, 1
  %c = icmp sgt i32 %x, 3
  br i1 %c, label %one, label %two
one:
  store i32 1, ptr %p
  ret void
two:
  store i32 2, ptr %p
  ret void
}
define ptx_kernel void @choose(ptr %p, i32 %a) {
  %x = add nsw i32 %a, 1
  switch i32 %x, label %one [i32 7, label %two]
one:
  store i32 1, ptr %p
  ret void
two:
  store i32 2, ptr %p
  ret void
}
define ptx_kernel void @address(ptr %p, i32 %a) {
  %x = add nsw i32 %a, 1
  %i = and i32 %x, 1
  %q = getelementptr i32, ptr %p, i32 %i
  %v = load i32, ptr %q
  store i32 %v, ptr %p
  ret void
}
define ptx_kernel void @lanes(ptr %p, i32 %a) {
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %x = add nsw i32 %a, %t
  %q = getelementptr i32, ptr %p, i32 %t
  store i32 %x, ptr %q
  ret void
}
define ptx_kernel void @frozen(ptr %p, i32 %a) {
  %x = add nsw i32 %a, 1
  %f = freeze i32 %x
  %z = and i32 %f, 0
  %c = icmp eq i32 %z, 0
  br i1 %c, label %one, label %one
one:
  store i32 %z, ptr %p
  ret void
}
define ptx_kernel void @selected(ptr %p, i32 %a, i32 %take) {
  %x = add nsw i32 %a, 1
  %c = icmp ne i32 %take, 0
  %s = select i1 %c, i32 %x, i32 9
  store i32 %s, ptr %p
  ret void
}
define ptx_kernel void @unused(ptr %p, i32 %a) {
  %x = add nsw i32 %a, 1
  %y = mul i32 %x, 3
  store i32 %a, ptr %p
  ret void
}
define ptx_kernel void @negative(ptr %p, i32 %a) {
  %x = zext nneg i32 %a to i64
  store i64 %x, ptr %p
  ret void
}
define ptx_kernel void @nsw(ptr %p, i32 %a, i32 %b) {
  %x = add nsw i32 %a, %b
  store i32 %x, ptr %p
  ret void
}
define ptx_kernel void @nuw(ptr %p, i32 %a, i32 %b) {
  %x = sub nuw i32 %a, %b
  store i32 %x, ptr %p
  ret void
}
define ptx_kernel void @product(ptr %p, i32 %a, i32 %b) {
  %x = mul nsw i32 %a, %b
  store i32 %x, ptr %p
  ret void
}
define ptx_kernel void @wraps(ptr %p, i32 %a, i32 %b) {
  %x = mul nuw i32 %a, %b
  store i32 %x, ptr %p
  ret void
}
define ptx_kernel void @shifted(ptr %p, i32 %a, i32 %b) {
  %x = shl i32 %a, %b
  store i32 %x, ptr %p
  ret void
}
define ptx_kernel void @lost(ptr %p, i32 %a, i32 %b) {
  %x = shl nuw i32 %a, %b
  store i32 %x, ptr %p
  ret void
}
define ptx_kernel void @remainder(ptr %p, i32 %a, i32 %b) {
  %x = lshr exact i32 %a, %b
  store i32 %x, ptr %p
  ret void
}
define ptx_kernel void @quotient(ptr %p, i32 %a, i32 %b) {
  %x = udiv exact i32 %a, %b
  store i32 %x, ptr %p
  ret void
}
define ptx_kernel void @overlaps(ptr %p, i32 %a, i32 %b) {
  %x = or disjoint i32 %a, %b
  store i32 %x, ptr %p
  ret void
}
