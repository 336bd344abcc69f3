; What transforms write into a kernel: votes, shuffles, byte permutations, address tests, vector accesses. Every result is
; compared with what the PTX ISA says; %bad = 1 shows that a comparison can fail.
; RUN: %sim %s --kernel exchange --grid 2 --block 64 --seeds 6 -- iota:256 i32:0
; RUN: %python %S/exit.py 2 %sim %s --kernel exchange --grid 1 --block 64 -- iota:256 i32:1 | %FileCheck %s --check-prefix=BAD
; BAD: trap
; RUN: %opt-plain -passes='default<O3>' %s -o %t.bc && %sim %t.bc --kernel exchange --grid 2 --block 64 --seeds 6 -- iota:256 i32:0
; A vector access needs the alignment that it promises, and no more:
; RUN: %sim %s --kernel aligned --grid 1 --block 1 -- iota:8 zero:16 i64:16
; RUN: %python %S/exit.py 2 %sim %s --kernel aligned --grid 1 --block 1 -- iota:8 zero:16 i64:4 | %FileCheck %s --check-prefix=ALIGN
; ALIGN: misaligned: load of 16 bytes at buffer 0+4 (of 32 bytes) needs alignment 16
; RUN: %sim %s --kernel unaligned --grid 1 --block 1 -- iota:8 zero:16 i64:4
; RUN: %python %S/exit.py 2 %sim %s --kernel unaligned --grid 1 --block 1 -- iota:8 zero:16 i64:2 | %FileCheck %s --check-prefix=ALIGN4
; ALIGN4: misaligned: load of 16 bytes at buffer 0+2 (of 32 bytes) needs alignment 4
; The hardware moves the first in one piece and the second in four. An instruction counts once for each lane that runs it:
; RUN: %sim %s --kernel aligned --grid 1 --block 1 --stats=%t.one -- iota:8 zero:16 i64:0 && %FileCheck %s --check-prefix=ONE < %t.one
; ONE: "op":"load","space":"global","bytes":16,"executions":1,"requests":1,
; ONE: "op":"store","space":"global","bytes":16,"executions":1,"requests":2,
; ONE: "thread_instructions":4,
; RUN: %sim %s --kernel stops --grid 1 --block 40 --stats=%t.count -- i32:3 && %FileCheck %s --check-prefix=COUNT < %t.count
; COUNT: "thread_instructions":200,
; RUN: %sim %s --kernel unaligned --grid 1 --block 1 --stats=%t.four -- iota:8 zero:16 i64:0 && %FileCheck %s --check-prefix=FOUR < %t.four
; FOUR: "op":"load","space":"global","bytes":16,"executions":1,"requests":4,
; A trap ends the grid; an assumption that does not hold is told.
; RUN: %python %S/exit.py 2 %sim %s --kernel stops --grid 1 --block 1 -- i32:1 | %FileCheck %s --check-prefix=TRAP
; RUN: %python %S/exit.py 2 %sim %s --kernel stops --grid 1 --block 1 -- i32:2 | %FileCheck %s --check-prefix=ASSUME
; RUN: %sim %s --kernel stops --grid 1 --block 1 -- i32:3
; TRAP: trap
; ASSUME: broken assumption: llvm.assume of false
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@words = internal addrspace(3) global [4 x i32] undef, align 16
@table = internal addrspace(4) constant [2 x i32] [i32 1, i32 2], align 4

define internal void @expect(i1 %good) noinline {
  br i1 %good, label %on, label %stop
stop:
  call void @llvm.trap()
  unreachable
on:
  ret void
}

define internal void @same(i32 %a, i32 %b) noinline {
  %c = icmp eq i32 %a, %b
  call void @expect(i1 %c)
  ret void
}

define ptx_kernel void @exchange(ptr %p, i32 %bad) {
  %lane = call i32 @llvm.nvvm.read.ptx.sreg.laneid()
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %lane.want = and i32 %tid, 31
  call void @same(i32 %lane, i32 %lane.want)
  call void @same(i32 %bad, i32 0)

  ; votes
  %mask = call i32 @llvm.nvvm.activemask()
  %odd = trunc i32 %lane to i1
  %v.all = call i1 @llvm.nvvm.vote.all.sync(i32 -1, i1 %odd)
  %v.any = call i1 @llvm.nvvm.vote.any.sync(i32 -1, i1 %odd)
  %v.uni = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %v.any)
  %v.mixed = call i1 @llvm.nvvm.vote.uni.sync(i32 -1, i1 %odd)
  %v.ballot = call i32 @llvm.nvvm.vote.ballot.sync(i32 -1, i1 %odd)
  call void @same(i32 %v.ballot, i32 -1431655766)
  %n.all = xor i1 %v.all, true
  %n.mixed = xor i1 %v.mixed, true
  call void @expect(i1 %n.all)
  call void @expect(i1 %v.any)
  call void @expect(i1 %v.uni)
  call void @expect(i1 %n.mixed)
  %one = shl i32 1, %lane
  %mine = and i32 %mask, %one
  call void @same(i32 %mine, i32 %one)          ; a lane sees itself at least
  call void @llvm.nvvm.bar.warp.sync(i32 -1)

  ; shuffles: of words and of reals, with the predicate that says whether the source lies in the segment
  %real = bitcast i32 %lane to float
  %idx = call i32 @llvm.nvvm.shfl.sync.idx.i32(i32 -1, i32 %lane, i32 5, i32 31)
  call void @same(i32 %idx, i32 5)
  %idx.f = call float @llvm.nvvm.shfl.sync.idx.f32(i32 -1, float %real, i32 6, i32 31)
  %idx.w = bitcast float %idx.f to i32
  call void @same(i32 %idx.w, i32 6)
  %bfly = call i32 @llvm.nvvm.shfl.sync.bfly.i32(i32 -1, i32 %lane, i32 9, i32 31)
  %bfly.want = xor i32 %lane, 9
  call void @same(i32 %bfly, i32 %bfly.want)
  %bfly.f = call float @llvm.nvvm.shfl.sync.bfly.f32(i32 -1, float %real, i32 16, i32 31)
  %bfly.w = bitcast float %bfly.f to i32
  %bfly.want2 = xor i32 %lane, 16
  call void @same(i32 %bfly.w, i32 %bfly.want2)
  %up = call { i32, i1 } @llvm.nvvm.shfl.sync.up.i32p(i32 -1, i32 %lane, i32 3, i32 0)
  %up.v = extractvalue { i32, i1 } %up, 0
  %up.p = extractvalue { i32, i1 } %up, 1
  %up.in = icmp uge i32 %lane, 3
  %up.less = sub i32 %lane, 3
  %up.want = select i1 %up.in, i32 %up.less, i32 %lane
  call void @same(i32 %up.v, i32 %up.want)
  %up.good = icmp eq i1 %up.p, %up.in
  call void @expect(i1 %up.good)
  %up.f = call float @llvm.nvvm.shfl.sync.up.f32(i32 -1, float %real, i32 3, i32 0)
  %up.w = bitcast float %up.f to i32
  call void @same(i32 %up.w, i32 %up.want)
  %down = call { float, i1 } @llvm.nvvm.shfl.sync.down.f32p(i32 -1, float %real, i32 2, i32 7199) ; segments of 4: 28 << 8 | 31
  %down.f = extractvalue { float, i1 } %down, 0
  %down.p = extractvalue { float, i1 } %down, 1
  %down.v = bitcast float %down.f to i32
  %down.at = and i32 %lane, 3
  %down.in = icmp ult i32 %down.at, 2
  %down.more = add i32 %lane, 2
  %down.want = select i1 %down.in, i32 %down.more, i32 %lane
  call void @same(i32 %down.v, i32 %down.want)
  %down.good = icmp eq i1 %down.p, %down.in
  call void @expect(i1 %down.good)
  %down.i = call i32 @llvm.nvvm.shfl.sync.down.i32(i32 -1, i32 %lane, i32 2, i32 7199)
  call void @same(i32 %down.i, i32 %down.want)

  ; bytes and bits
  %f4 = call i32 @llvm.nvvm.prmt(i32 u0x33221100, i32 u0x77665544, i32 u0x6240)
  call void @same(i32 %f4, i32 u0x66224400)
  %sign = call i32 @llvm.nvvm.prmt(i32 u0x80007fff, i32 0, i32 u0xb198)
  call void @same(i32 %sign, i32 u0xff7f00ff)
  %f4e = call i32 @llvm.nvvm.prmt.f4e(i32 u0x33221100, i32 u0x77665544, i32 3)
  call void @same(i32 %f4e, i32 u0x66554433)
  %b4e = call i32 @llvm.nvvm.prmt.b4e(i32 u0x33221100, i32 u0x77665544, i32 1)
  call void @same(i32 %b4e, i32 u0x66770011)
  %rc8 = call i32 @llvm.nvvm.prmt.rc8(i32 u0x33221100, i32 2)
  call void @same(i32 %rc8, i32 u0x22222222)
  %ecl = call i32 @llvm.nvvm.prmt.ecl(i32 u0x33221100, i32 1)
  call void @same(i32 %ecl, i32 u0x33221111)
  %ecr = call i32 @llvm.nvvm.prmt.ecr(i32 u0x33221100, i32 2)
  call void @same(i32 %ecr, i32 u0x22221100)
  %rc16 = call i32 @llvm.nvvm.prmt.rc16(i32 u0x33221100, i32 1)
  call void @same(i32 %rc16, i32 u0x33223322)
  %asm = call i32 asm "prmt.b32.b4e $0, $1, $2, $3;", "=r,r,r,r"(i32 u0x33221100, i32 u0x77665544, i32 2)
  call void @same(i32 %asm, i32 u0x77001122)
  %fshl = call i32 @llvm.fshl.i32(i32 u0x12345678, i32 u0x9abcdef0, i32 8)
  call void @same(i32 %fshl, i32 u0x3456789a)
  %fshr = call i32 @llvm.fshr.i32(i32 u0x12345678, i32 u0x9abcdef0, i32 8)
  call void @same(i32 %fshr, i32 u0x789abcde)
  %none = call i32 @llvm.fshl.i32(i32 7, i32 9, i32 32)
  call void @same(i32 %none, i32 7)

  ; addresses
  %q = getelementptr i8, ptr %p, i64 13
  %masked = call ptr @llvm.ptrmask.p0.i64(ptr %q, i64 -8)
  %at8 = getelementptr i8, ptr %p, i64 8
  %masked.good = icmp eq ptr %masked, %at8
  call void @expect(i1 %masked.good)
  %g = call i1 @llvm.nvvm.isspacep.global(ptr %p)
  call void @expect(i1 %g)
  %s = addrspacecast ptr addrspace(3) @words to ptr
  %s.g = call i1 @llvm.nvvm.isspacep.global(ptr %s)
  %s.s = call i1 @llvm.nvvm.isspacep.shared(ptr %s)
  call void @expect(i1 %s.s)
  %t = addrspacecast ptr addrspace(4) @table to ptr
  %t.c = call i1 @llvm.nvvm.isspacep.const(ptr %t)
  %t.g = call i1 @llvm.nvvm.isspacep.global(ptr %t)
  call void @expect(i1 %t.c)
  %l = alloca i32
  %l.l = call i1 @llvm.nvvm.isspacep.local(ptr %l)
  %l.g = call i1 @llvm.nvvm.isspacep.global(ptr %l)
  call void @expect(i1 %l.l)
  %any1 = or i1 %s.g, %t.g
  %any2 = or i1 %any1, %l.g
  %none.global = xor i1 %any2, true
  call void @expect(i1 %none.global)

  ; vectors of addresses
  %offsets = insertelement <2 x i64> <i64 3, i64 0>, i64 5, i64 1
  %both = getelementptr i32, ptr %p, <2 x i64> %offsets
  %first = extractelement <2 x ptr> %both, i64 0
  %second = extractelement <2 x ptr> %both, i64 1
  %three = load i32, ptr %first
  %five = load i32, ptr %second
  call void @same(i32 %three, i32 3)
  call void @same(i32 %five, i32 5)
  %moved = getelementptr i8, <2 x ptr> %both, i64 4
  %six.at = extractelement <2 x ptr> %moved, i64 1
  %six = load i32, ptr %six.at
  call void @same(i32 %six, i32 6)

  ; freeze ends poison; undefined bits that a permutation leaves behind do not count
  %poison = add nsw i32 2147483647, %idx
  %frozen = freeze i32 %poison
  %frozen.same = icmp eq i32 %frozen, %frozen
  call void @expect(i1 %frozen.same)
  %half = load i32, ptr addrspace(3) @words
  %kept = call i32 @llvm.nvvm.prmt(i32 %half, i32 u0x77665544, i32 u0x7654)
  call void @same(i32 %kept, i32 u0x77665544)
  %true = icmp eq i32 %kept, u0x77665544
  call void @llvm.assume(i1 %true)
  ret void
}

define ptx_kernel void @aligned(ptr %p, ptr %q, i64 %offset) {
  %at = getelementptr i8, ptr %p, i64 %offset
  %v = load <4 x i32>, ptr %at, align 16
  store <4 x i32> %v, ptr %q, align 8
  ret void
}

define ptx_kernel void @unaligned(ptr %p, ptr %q, i64 %offset) {
  %at = getelementptr i8, ptr %p, i64 %offset
  %v = load <4 x i32>, ptr %at, align 4
  store <4 x i32> %v, ptr %q, align 16
  ret void
}

define ptx_kernel void @stops(i32 %how) {
  %trap = icmp eq i32 %how, 1
  %assumed = icmp ne i32 %how, 2
  br i1 %trap, label %stop, label %on
stop:
  call void @llvm.trap()
  unreachable
on:
  call void @llvm.assume(i1 %assumed)
  ret void
}

declare void @llvm.trap()
declare void @llvm.assume(i1)
declare i32 @llvm.nvvm.activemask()
declare i1 @llvm.nvvm.vote.all.sync(i32, i1)
declare i1 @llvm.nvvm.vote.any.sync(i32, i1)
declare i1 @llvm.nvvm.vote.uni.sync(i32, i1)
declare i32 @llvm.nvvm.vote.ballot.sync(i32, i1)
declare void @llvm.nvvm.bar.warp.sync(i32)
