; Exchange and compare-and-swap of 128 bits (sm_90): both halves at once, from many threads.
; RUN: %sim %s --kernel alone --grid 1 --block 1 -- zero:16 i64:5
; RUN: %python %S/exit.py 2 %sim %s --kernel alone --grid 1 --block 1 -- zero:16 i64:6 | %FileCheck %s --check-prefix=TRAP
; TRAP: trap
; RUN: %sim %s --kernel crowd --grid 3 --block 40 --seeds 4 --dump=0:%t.sum -- zero:16
; RUN: %python -c "import struct; low, high = struct.unpack('<QQ', open(r'%t.sum', 'rb').read()); assert low == 120 and high == 240, (low, high)"
; RUN: %python %S/exit.py 1 %sim %s --kernel adds --grid 1 --block 1 -- zero:16 | %FileCheck %s --check-prefix=ADDS
; ADDS: cannot run: arithmetic on more than 64 bits in one atomic: '%old = atomicrmw add ptr %p, i128 1 monotonic, align 16' in adds
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

define internal void @expect(i1 %good) noinline {
  br i1 %good, label %on, label %stop
stop:
  call void @llvm.trap()
  unreachable
on:
  ret void
}

define ptx_kernel void @alone(ptr %p, i64 %low) {
  %l = zext i64 %low to i128
  %h = shl i128 7, 64
  %new = or i128 %l, %h
  %old = atomicrmw xchg ptr %p, i128 %new monotonic
  %zero = icmp eq i128 %old, 0
  call void @expect(i1 %zero)
  %half = cmpxchg ptr %p, i128 5, i128 1 monotonic monotonic            ; the low half alone matches
  %half.ok = extractvalue { i128, i1 } %half, 1
  %half.no = xor i1 %half.ok, true
  call void @expect(i1 %half.no)
  %half.old = extractvalue { i128, i1 } %half, 0
  %half.same = icmp eq i128 %half.old, %new
  call void @expect(i1 %half.same)
  %want = or i128 5, %h
  %whole = cmpxchg ptr %p, i128 %want, i128 3 monotonic monotonic
  %whole.ok = extractvalue { i128, i1 } %whole, 1
  call void @expect(i1 %whole.ok)
  %now = load i128, ptr %p
  %three = icmp eq i128 %now, 3
  call void @expect(i1 %three)
  ret void
}

; Adds 1 to the low half and 2 to the high one.
define ptx_kernel void @crowd(ptr %p) {
  %first = cmpxchg ptr %p, i128 0, i128 0 monotonic monotonic
  %start = extractvalue { i128, i1 } %first, 0
  br label %again
again:
  %old = phi i128 [ %start, %0 ], [ %seen, %again ]
  %more = add i128 %old, 36893488147419103233
  %try = cmpxchg ptr %p, i128 %old, i128 %more monotonic monotonic
  %seen = extractvalue { i128, i1 } %try, 0
  %ok = extractvalue { i128, i1 } %try, 1
  br i1 %ok, label %done, label %again
done:
  ret void
}

define ptx_kernel void @adds(ptr %p) {
  %old = atomicrmw add ptr %p, i128 1 monotonic
  ret void
}
