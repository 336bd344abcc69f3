; A loop around others that was kept from being unrolled and of which nothing is made in the end, as the one inside stores, is unrolled after all.
; RUN: %opt -passes='default<O3>' -S %s | %FileCheck %s
; CHECK-LABEL: @kept(
; CHECK-COUNT-8: store i32
; CHECK-NOT: coalda.kept
target datalayout = "e-p6:32:32-i64:64-i128:128-i256:256-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"

; Function Attrs: mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite)
define dso_local ptx_kernel void @kept(ptr noalias noundef readonly captures(none) %0, ptr noalias noundef writeonly captures(none) %1, ptr noalias noundef writeonly captures(none) %2, i32 noundef %3, i32 noundef %4) local_unnamed_addr #0 {
  %6 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %7 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %8 = mul i32 %6, %7
  %9 = tail call noundef i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %10 = add i32 %8, %9
  %11 = icmp slt i32 %10, %3
  br i1 %11, label %12, label %45

12:                                               ; preds = %5
  %13 = icmp sgt i32 %4, 0
  %14 = sext i32 %10 to i64
  %15 = shl nsw i64 %14, 4
  %16 = getelementptr i8, ptr %1, i64 %15
  %17 = sext i32 %3 to i64
  %18 = sext i32 %10 to i64
  %19 = getelementptr i32, ptr %2, i64 %18
  br label %20

20:                                               ; preds = %12, %24
  %21 = phi i32 [ 0, %12 ], [ %28, %24 ]
  br i1 %13, label %22, label %24

22:                                               ; preds = %20
  %23 = mul nuw nsw i32 %21, %4
  br label %30

24:                                               ; preds = %30, %20
  %25 = phi i32 [ 0, %20 ], [ %38, %30 ]
  %26 = zext nneg i32 %21 to i64
  %27 = getelementptr i32, ptr %16, i64 %26
  store i32 %25, ptr %27, align 4, !tbaa !6
  %28 = add nuw nsw i32 %21, 1
  %29 = icmp eq i32 %28, 4
  br i1 %29, label %45, label %20, !llvm.loop !11

30:                                               ; preds = %22, %30
  %31 = phi i32 [ 0, %22 ], [ %43, %30 ]
  %32 = phi i32 [ 0, %22 ], [ %38, %30 ]
  %33 = mul i32 %32, 31
  %34 = add nuw nsw i32 %31, %23
  %35 = zext nneg i32 %34 to i64
  %36 = getelementptr inbounds nuw i32, ptr %0, i64 %35
  %37 = load i32, ptr %36, align 4, !tbaa !6
  %38 = add i32 %37, %33
  %39 = add nuw nsw i32 %31, %21
  %40 = zext nneg i32 %39 to i64
  %41 = mul nsw i64 %40, %17
  %42 = getelementptr i32, ptr %19, i64 %41
  store i32 %38, ptr %42, align 4, !tbaa !6
  %43 = add nuw nsw i32 %31, 1
  %44 = icmp eq i32 %43, %4
  br i1 %44, label %24, label %30, !llvm.loop !14

45:                                               ; preds = %24, %5
  ret void
}

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 2147483647) i32 @llvm.nvvm.read.ptx.sreg.ctaid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 1, 1025) i32 @llvm.nvvm.read.ptx.sreg.ntid.x() #1

; Function Attrs: mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none)
declare noundef range(i32 0, 1024) i32 @llvm.nvvm.read.ptx.sreg.tid.x() #1

attributes #0 = { "coalda-kept" mustprogress nofree noinline norecurse nosync nounwind memory(argmem: readwrite) "frame-pointer"="all" "no-trapping-math"="true" "stack-protector-buffer-size"="8" "target-cpu"="sm_90" "target-features"="+ptx88,+sm_90" "uniform-work-group-size"="true" }
attributes #1 = { mustprogress nocallback nofree nosync nounwind speculatable willreturn memory(none) }

!llvm.module.flags = !{!0, !1, !2, !3}
!llvm.ident = !{!4, !5}
!llvm.errno.tbaa = !{!6}
!nvvmir.version = !{!10}

!0 = !{i32 2, !"SDK Version", [2 x i32] [i32 12, i32 9]}
!1 = !{i32 1, !"wchar_size", i32 4}
!2 = !{i32 4, !"nvvm-reflect-ftz", i32 0}
!3 = !{i32 7, !"frame-pointer", i32 2}
!4 = !{!"Debian clang version 22.1.8 (1~deb12u1)"}
!5 = !{!"clang version 3.8.0 (tags/RELEASE_380/final)"}
!6 = !{!7, !7, i64 0}
!7 = !{!"int", !8, i64 0}
!8 = !{!"omnipotent char", !9, i64 0}
!9 = !{!"Simple C++ TBAA"}
!10 = !{i32 2, i32 0}
!11 = distinct !{!11, !12, !90, !91}
!90 = !{!"llvm.loop.unroll.disable"}
!91 = !{!"llvm.loop.coalda.kept", i32 1}
!12 = !{!"llvm.loop.mustprogress"}
!13 = !{!"llvm.loop.unroll.disable"}
!14 = distinct !{!14, !12, !13}
