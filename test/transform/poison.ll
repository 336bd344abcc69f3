; A field that means nothing in some lanes must not spoil the word that it shares, nor the lane it travels to: it is frozen.
; RUN: %opt -passes='coalda<always>' -S %s -o %t.ll
; RUN: %sim %t.ll --kernel bytes --grid 2 --block 64 --seeds 2 --dump=0:%t.new -- zero:1536
; RUN: %FileCheck %s < %t.ll
; CHECK: shfl
; CHECK: freeze i8
; RUN: %python -c "d=open(r'%t.new','rb').read(); assert all(d[12*i+1:12*i+4] == bytes([i % 64, 7, 9]) and d[12*i+8] == 5 for i in range(128))"
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
define ptx_kernel void @bytes(ptr %q) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %k = mul i32 %i, 12
  %index = zext i32 %k to i64
  %p = getelementptr i8, ptr %q, i64 %index
  %x = trunc i32 %t to i8
  %field = add nuw i8 %x, 200
  store i8 %field, ptr %p, align 4
  %p1 = getelementptr i8, ptr %p, i64 1
  store i8 %x, ptr %p1, align 1
  %p2 = getelementptr i8, ptr %p, i64 2
  store i8 7, ptr %p2, align 2
  %p3 = getelementptr i8, ptr %p, i64 3
  store i8 9, ptr %p3, align 1
  %p4 = getelementptr i8, ptr %p, i64 4
  store i32 %t, ptr %p4, align 4
  %p8 = getelementptr i8, ptr %p, i64 8
  store i32 5, ptr %p8, align 4
  ret void
}
