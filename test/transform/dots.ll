; Sums of four products of bytes that lie in the same places of two words are one instruction; sums that are nearly that are not.
; RUN: %opt -passes='coalda<always>' -S %s -o %t.ll
; RUN: %FileCheck %s < %t.ll
; RUN: %sim %s --kernel dots --grid 2 --block 64 --seeds 2 --compare %t.ll -- rand:2048 zero:3072
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
; CHECK-LABEL: @dots(
; CHECK-NOT: idp4a
; CHECK: idp4a.s.s(i32 %{{[0-9]+}}, i32 %{{[0-9]+}}, i32 7)
; CHECK: idp4a.{{u.s|s.u}}(i32 %{{[0-9]+}}, i32 %{{[0-9]+}}, i32 9)
; CHECK-NOT: idp4a
; CHECK: declare
define ptx_kernel void @dots(ptr noalias %p, ptr noalias %q) {
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %t = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %first = mul i32 %b, %n
  %i = add i32 %first, %t
  %k = mul i32 %i, 16
  %index = zext i32 %k to i64
  %r = getelementptr i8, ptr %p, i64 %index
  %r0 = getelementptr i8, ptr %r, i64 0
  %v0 = load i8, ptr %r0, align 1
  %s0 = sext i8 %v0 to i32
  %u0 = zext i8 %v0 to i32
  %r1 = getelementptr i8, ptr %r, i64 1
  %v1 = load i8, ptr %r1, align 1
  %s1 = sext i8 %v1 to i32
  %u1 = zext i8 %v1 to i32
  %r2 = getelementptr i8, ptr %r, i64 2
  %v2 = load i8, ptr %r2, align 1
  %s2 = sext i8 %v2 to i32
  %u2 = zext i8 %v2 to i32
  %r3 = getelementptr i8, ptr %r, i64 3
  %v3 = load i8, ptr %r3, align 1
  %s3 = sext i8 %v3 to i32
  %u3 = zext i8 %v3 to i32
  %r4 = getelementptr i8, ptr %r, i64 4
  %v4 = load i8, ptr %r4, align 1
  %s4 = sext i8 %v4 to i32
  %u4 = zext i8 %v4 to i32
  %r5 = getelementptr i8, ptr %r, i64 5
  %v5 = load i8, ptr %r5, align 1
  %s5 = sext i8 %v5 to i32
  %u5 = zext i8 %v5 to i32
  %r6 = getelementptr i8, ptr %r, i64 6
  %v6 = load i8, ptr %r6, align 1
  %s6 = sext i8 %v6 to i32
  %u6 = zext i8 %v6 to i32
  %r7 = getelementptr i8, ptr %r, i64 7
  %v7 = load i8, ptr %r7, align 1
  %s7 = sext i8 %v7 to i32
  %u7 = zext i8 %v7 to i32
  ; two that are
  %goodp0 = mul i32 %s0, %s4
  %good0 = add i32 7, %goodp0
  %goodp1 = mul i32 %s1, %s5
  %good1 = add i32 %goodp1, %good0
  %goodp2 = mul i32 %s6, %s2
  %good2 = add i32 %good1, %goodp2
  %goodp3 = mul i32 %s3, %s7
  %good3 = add i32 %goodp3, %good2
  %mixedp0 = mul i32 %u3, %s7
  %mixed0 = add i32 9, %mixedp0
  %mixedp1 = mul i32 %u1, %s5
  %mixed1 = add i32 %mixedp1, %mixed0
  %mixedp2 = mul i32 %s4, %u0
  %mixed2 = add i32 %mixed1, %mixedp2
  %mixedp3 = mul i32 %u2, %s6
  %mixed3 = add i32 %mixedp3, %mixed2
  ; other places, one place twice, one sign different, one sum used in between
  %crossp0 = mul i32 %s0, %s5
  %cross0 = add i32 1, %crossp0
  %crossp1 = mul i32 %s1, %s4
  %cross1 = add i32 %crossp1, %cross0
  %crossp2 = mul i32 %s2, %s6
  %cross2 = add i32 %cross1, %crossp2
  %crossp3 = mul i32 %s3, %s7
  %cross3 = add i32 %crossp3, %cross2
  %twicep0 = mul i32 %s0, %s4
  %twice0 = add i32 2, %twicep0
  %twicep1 = mul i32 %s0, %s4
  %twice1 = add i32 %twicep1, %twice0
  %twicep2 = mul i32 %s2, %s6
  %twice2 = add i32 %twice1, %twicep2
  %twicep3 = mul i32 %s3, %s7
  %twice3 = add i32 %twicep3, %twice2
  %signp0 = mul i32 %s0, %s4
  %sign0 = add i32 3, %signp0
  %signp1 = mul i32 %s1, %s5
  %sign1 = add i32 %signp1, %sign0
  %signp2 = mul i32 %u2, %s6
  %sign2 = add i32 %sign1, %signp2
  %signp3 = mul i32 %s3, %s7
  %sign3 = add i32 %signp3, %sign2
  %usedp0 = mul i32 %s0, %s4
  %used0 = add i32 4, %usedp0
  %usedp1 = mul i32 %s1, %s5
  %used1 = add i32 %usedp1, %used0
  %usedp2 = mul i32 %s2, %s6
  %used2 = add i32 %used1, %usedp2
  %usedp3 = mul i32 %s3, %s7
  %used3 = add i32 %usedp3, %used2
  %r8 = getelementptr i8, ptr %r, i64 8
  %v8 = load i64, ptr %r8, align 1 ; the last of the record: all sums lie between its loads
  %t8 = trunc i64 %v8 to i32
  %six = mul i32 %i, 24
  %place = zext i32 %six to i64
  %w = getelementptr i8, ptr %q, i64 %place
  %xor = xor i32 %used1, %used3
  %both = xor i32 %xor, %t8
  %w0 = getelementptr i8, ptr %w, i64 0
  store i32 %good3, ptr %w0, align 4
  %w1 = getelementptr i8, ptr %w, i64 4
  store i32 %mixed3, ptr %w1, align 4
  %w2 = getelementptr i8, ptr %w, i64 8
  store i32 %cross3, ptr %w2, align 4
  %w3 = getelementptr i8, ptr %w, i64 12
  store i32 %twice3, ptr %w3, align 4
  %w4 = getelementptr i8, ptr %w, i64 16
  store i32 %sign3, ptr %w4, align 4
  %w5 = getelementptr i8, ptr %w, i64 20
  store i32 %both, ptr %w5, align 4
  ret void
}
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
