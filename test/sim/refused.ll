; What the machine does not know is refused by name, with exit 1.
; RUN: %python %S/exit.py 1 %sim %s --kernel matrix --grid 1 --block 32 -- zero:1024 | %FileCheck %s --check-prefix=MATRIX
; MATRIX: function 'llvm.nvvm.mma.m8n8k4.row.col.f64' is not supported
; RUN: %python %S/exit.py 1 %sim %s --kernel fragment --grid 1 --block 32 -- zero:1024 | %FileCheck %s --check-prefix=FRAGMENT
; FRAGMENT: function 'llvm.nvvm.ldmatrix.sync.aligned.m16n16.x1.trans.b8.p3' is not supported
; RUN: %python %S/exit.py 1 %sim %s --kernel warps --grid 1 --block 32 -- zero:1024 | %FileCheck %s --check-prefix=WARPS
; WARPS: function 'llvm.nvvm.wmma.m8n8k4.load.c.row.stride.f64.p0' is not supported
; RUN: %python %S/exit.py 1 %sim %s --kernel texture --grid 1 --block 32 -- zero:1024 | %FileCheck %s --check-prefix=TEXTURE
; TEXTURE: function 'llvm.nvvm.tex.unified.1d.v4f32.s32' is not supported
; RUN: %python %S/exit.py 1 %sim %s --kernel cluster --grid 1 --block 32 -- zero:1024 | %FileCheck %s --check-prefix=CLUSTER
; CLUSTER: function 'llvm.nvvm.barrier.cluster.arrive' is not supported
; RUN: %python %S/exit.py 1 %sim %s --kernel tensor --grid 1 --block 32 -- zero:1024 | %FileCheck %s --check-prefix=TENSOR
; TENSOR: function 'llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.1d' is not supported
; RUN: %python %S/exit.py 1 %sim %s --kernel text --grid 1 --block 32 -- zero:1024 | %FileCheck %s --check-prefix=TEXT
; TEXT: this inline PTX is not supported: {{.*}}cp.reduce.async.bulk
target datalayout = "e-p6:32:32-i64:64-i128:128-v16:16-v32:32-n16:32:64"
target triple = "nvptx64-nvidia-cuda"
@slot = internal addrspace(3) global [256 x i8] undef, align 128
define ptx_kernel void @matrix(ptr %p) {
  %d = call {double, double} @llvm.nvvm.mma.m8n8k4.row.col.f64(double 0.0, double 0.0, double 0.0, double 0.0)
  ret void
}
define ptx_kernel void @fragment(ptr %p) {
  %d = call {i32, i32} @llvm.nvvm.ldmatrix.sync.aligned.m16n16.x1.trans.b8.p3(ptr addrspace(3) @slot)
  ret void
}
define ptx_kernel void @warps(ptr %p) {
  %d = call {double, double} @llvm.nvvm.wmma.m8n8k4.load.c.row.stride.f64.p0(ptr %p, i32 16)
  ret void
}
define ptx_kernel void @texture(ptr %p) {
  %d = call {float, float, float, float} @llvm.nvvm.tex.unified.1d.v4f32.s32(i64 0, i32 0)
  ret void
}
define ptx_kernel void @cluster(ptr %p) {
  call void @llvm.nvvm.barrier.cluster.arrive()
  ret void
}
define ptx_kernel void @tensor(ptr %p) {
  call void @llvm.nvvm.cp.async.bulk.tensor.prefetch.tile.1d(ptr %p, i32 0, i64 0, i1 false)
  ret void
}
define ptx_kernel void @text(ptr %p) {
  call void asm sideeffect "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [$0], [$1], 16;", "l,r"(ptr %p, i32 1024)
  ret void
}
