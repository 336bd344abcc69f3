; What no kernel runs and no other module can call is not told of: what inlining left behind.
; RUN: %report %s | %FileCheck %s
; CHECK-NOT: dead
; CHECK-DAG: kernel: 1 access
; CHECK-DAG: exported: 1 access
; CHECK-DAG: pointed: 1 access
; CHECK-NOT: dead
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@table = global ptr @pointed
define ptx_kernel void @kernel(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define void @exported(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define internal void @pointed(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define internal void @dead_internal(ptr %p) {
  store i32 1, ptr %p
  ret void
}
define linkonce_odr void @dead_inline(ptr %p) {
  store i32 1, ptr %p
  call void @dead_internal(ptr %p)
  ret void
}
